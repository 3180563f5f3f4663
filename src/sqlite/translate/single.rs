//! `real` beside other numbers: compared as `double precision`, and found by an index all the same.

use crate::pgtypes::float;

use super::{
    Result, Translator, Ty,
    scope::{Literal, Typed},
    sql_expr::{SqlExpr, call, chain, infix, list, not_if, number, text},
};

/// The operator with its sides changed.
fn turned(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

/// True for a number that is compared with a `real` as `double precision`.
fn is_wider(value: &Typed) -> bool {
    value.ty != Ty::Float4 && Ty::compared(Ty::Float4, value.ty) == Ok(Ty::Float8)
}

/// True for what says its value itself.
fn is_constant(value: &Typed) -> bool {
    value.literal.is_some() || value.parameter.is_some()
}

/// The bound that is known where a number is written out, as a literal: other programs can read it in a CHECK.
fn written_bound(wide: &Typed, operator: &str) -> Option<SqlExpr> {
    let Some(Literal::Number(digits)) = &wide.literal else {
        return None;
    };
    let wide = float::read_float8(digits).ok()?;
    Some(match float::bound_of_float4(wide, operator) {
        Some(bound) if bound.is_finite() => number(format!("{bound:?}")),
        Some(_) => return None,
        None => text(""),
    })
}

impl Translator<'_> {
    /// A `real` beside a wider number that is no column: the number becomes the `real` with which it compares alike, so that
    /// an index on a column is of use.
    pub(super) fn single_compared(
        &mut self,
        left: &Typed,
        operator: &str,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        let is_bounded = |single: &Typed, number: &Typed| {
            single.ty == Ty::Float4 && single.owner.is_some() && is_wider(number) && number.owner.is_none()
        };
        let (single, operator, number) = if is_bounded(left, right) {
            (left, operator, right)
        } else if is_bounded(right, left) {
            (right, turned(operator), left)
        } else {
            return Ok(None);
        };
        let bound = if let Some(bound) = written_bound(number, operator) {
            bound
        } else {
            let number = self.implicitly(number.clone(), Ty::Float8)?;
            call("pg_float4_bound", [number.expr, text(operator)])
        };
        let compared = infix(single.expr.clone(), operator, bound);
        Ok(Some(Typed::new(compared, Ty::Bool)))
    }

    /// A list with a `real` and wider numbers, value first: several constants take one type with the value, what else
    /// stands there is compared by itself. `None` where all of it takes one type.
    pub(super) fn single_in_list(&mut self, items: &[Typed], negated: bool) -> Result<Option<Typed>> {
        let Some((value, members)) = items.split_first() else {
            return Ok(None);
        };
        if !items.iter().any(|item| item.ty == Ty::Float4) || !items.iter().any(is_wider) {
            return Ok(None);
        }
        let together = |member: &Typed| is_constant(member) || member.literal == Some(Literal::Null);
        let constants: Vec<Typed> = members
            .iter()
            .filter(|member| together(member))
            .cloned()
            .collect();
        let mut tests = vec![];
        let mut single = members.to_vec();
        if constants.len() > 1 {
            single.retain(|member| !together(member));
            let ty = Self::common("IN", &[vec![value.clone()], constants.clone()].concat())?;
            let value = self.implicitly(value.clone(), ty)?;
            let mut members = vec![];
            for constant in constants {
                members.push(self.implicitly(constant, ty)?.plain());
            }
            tests.push(infix(value.plain(), "IN", list(members)));
        }
        for member in single {
            tests.push(self.compared(value.clone(), "=", member)?.expr);
        }
        Ok(Some(Typed::new(not_if(negated, chain("OR", tests)), Ty::Bool)))
    }
}
