//! ANY and ALL: a value against the members of an array or of a query.

use sqlparser::ast::{BinaryOperator, Expr};

use super::{
    Result, Translator, Ty,
    condition::in_or_not,
    constants::{is_simple, members},
    elements::{elements, unnamed_elements},
    refuse,
    scope::{Literal, Typed},
    sql::{Named, Sql, sql},
    sql_expr::{
        SqlExpr, bare, call, cast, chain, column, column_word, count_all, infix, is_null, not_if, null,
        number, query, text, when, word,
    },
};

impl Translator<'_> {
    /// `x = ANY (array or query)` and `x <> ALL (…)`.
    pub(super) fn quantified(
        &mut self,
        left: &Expr,
        compared: &BinaryOperator,
        right: &Expr,
        any: bool,
    ) -> Result<Typed> {
        let operator = match compared {
            BinaryOperator::PGLikeMatch => "~~".into(),
            BinaryOperator::PGNotLikeMatch => "!~~".into(),
            BinaryOperator::PGILikeMatch => "~~*".into(),
            BinaryOperator::PGNotILikeMatch => "!~~*".into(),
            other => other.to_string(),
        };
        let is_membership = (any && operator == "=") || (!any && operator == "<>");
        let right = match right {
            Expr::Nested(inner) => inner,
            other => other,
        };
        if let Expr::Subquery(query) = right {
            if is_membership {
                return self.in_query(left, query, !any);
            }
            let (rows, columns) = self.subquery(query)?;
            let [one] = columns.as_slice() else {
                return refuse("42601", "subquery must return only one column", None);
            };
            let alias = self.fresh();
            let member = one.typed(column(&alias, &one.inner));
            let value = self.expression(left)?;
            let source = sql!["(", rows, ") AS ", Named(&alias)];
            return self.decided(value, &operator, member, (source, any));
        }
        if let Some(all) = members(right).filter(|_| is_simple(left)) {
            // A list takes one type with the value, an array is compared with it.
            if is_membership && self.expression(left)?.ty != Ty::Float4 {
                return self.in_list(left, &all, !any);
            }
            let mut tests = vec![];
            for member in &all {
                tests.push(self.binary(left, compared, member)?.expr);
            }
            let tests = chain(if any { "OR" } else { "AND" }, tests);
            return Ok(Typed::new(tests, Ty::Bool));
        }
        let value = self.expression(left)?;
        let array = self.expression(right)?;
        let value = match array.ty {
            Ty::Array(of) if !of.is_string() => value,
            _ if value.is_any() => value.into_text(),
            _ => value,
        };
        if let (Ty::Array(of), Some(all)) = (array.ty, listed(right))
            && (is_simple(left) || self.is_definition())
        {
            let mut tests = vec![];
            for member in all {
                let member = self.expression(member)?;
                let member = self.implicitly(member, *of)?;
                tests.push(self.tested(value.clone(), &operator, member)?);
            }
            let tests = chain(if any { "OR" } else { "AND" }, tests);
            return Ok(Typed::new(tests, Ty::Bool));
        }
        let element = match (array.ty, value.ty) {
            (Ty::Array(of) | Ty::Vector(of), _) => *of,
            (Ty::Unknown, Ty::Unknown) => Ty::Text,
            (Ty::Unknown, ty) => ty,
            _ => {
                return refuse(
                    "42809",
                    "op ANY/ALL (array) requires array on right side",
                    array.position,
                );
            }
        };
        let array = self.implicitly(array, element.array())?;
        if self.is_definition()
            && let Some(whole) = self.quantified_at_once(&value, &operator, (&array, element), any)?
        {
            return Ok(whole);
        }
        let all = call("pg_array_json", [array.expr.clone(), text(element.kept())]);
        // No array at all has one element that nobody knows.
        let all = match array.literal {
            Some(Literal::Text(_)) => all,
            _ => when(bare(is_null(array.expr)), text("[null]")).otherwise(all),
        };
        // What is equal may be kept in several ways.
        let is_kept_alike = |ty: Ty| ty == Ty::Numeric || ty.collation().is_none();
        let is_found = is_membership && is_kept_alike(element) && is_kept_alike(value.ty);
        let alike = if is_found {
            Some(self.alike(value.clone(), Typed::new(null(), element), "=")?)
        } else {
            None
        };
        // Each member becomes what it is compared as, where that is kept otherwise.
        let becomes = |member: &Typed| {
            member.ty != element && matches!(member.ty, Ty::Numeric | Ty::Timestamp | Ty::Timestamptz)
        };
        if let Some((value, _)) = alike.filter(|(_, member)| !becomes(member)) {
            let member = word("value");
            let (value, member) = match element {
                Ty::Float4 if value.ty == Ty::Float8 => (value.plain(), call("pg_float4_float8", [member])),
                Ty::Numeric if value.keeps_digits() => (value.key(), member),
                Ty::Numeric => (value.number(), cast(member, "NUMERIC")),
                Ty::Bytea => (value.plain(), call("pg_in_bytea", [member])),
                _ => (value.plain(), member),
            };
            let members = query(sql!["SELECT ", member, " FROM ", unnamed_elements(all)]);
            return Ok(Typed::new(infix(value, in_or_not(!any), members), Ty::Bool));
        }
        let alias = self.fresh();
        let member = Typed::new(column_word(&alias, "value"), element);
        let source = elements(all, &alias);
        self.decided(value, &operator, member, (source, any))
    }

    /// Whether a test holds for any or all members of a source.
    fn decided(
        &mut self,
        value: Typed,
        operator: &str,
        member: Typed,
        (source, any): (Sql, bool),
    ) -> Result<Typed> {
        let test = self.tested(value, operator, member)?;
        // Three-valued, as PostgreSQL has it: the greatest truth of any, the least of all.
        let (aggregate, empty) = if any { ("max", 0) } else { ("min", 1) };
        let decided = || number(i32::from(any));
        let extreme = || call(aggregate, [word("t")]);
        let known = call("count", [word("t")]);
        let truth = when(bare(infix(count_all(), "=", number(0))), number(empty))
            .when(bare(infix(extreme(), "=", decided())), decided())
            .when(bare(infix(known, "<", count_all())), null())
            .otherwise(extreme());
        let decided = sql![
            "SELECT ",
            truth,
            " FROM (SELECT ",
            test,
            " AS t FROM ",
            source,
            ")"
        ];
        Ok(Typed::new(query(decided), Ty::Bool))
    }

    /// A value against one member.
    fn tested(&mut self, value: Typed, operator: &str, member: Typed) -> Result<SqlExpr> {
        Ok(match operator {
            "~~" | "!~~" | "~~*" | "!~~*" => {
                let (value, member) = (self.matched(value)?, self.implicitly(member, Ty::Text)?);
                let function = if operator.ends_with('*') {
                    "pg_ilike"
                } else {
                    "pg_like"
                };
                let is_like = call(function, [value.expr, member.expr, text("\\")]);
                not_if(operator.starts_with('!'), is_like)
            }
            "=" | "<>" | "<" | "<=" | ">" | ">=" => self.compared(value, operator, member)?.expr,
            "~" | "!~" | "~*" | "!~*" => {
                let value = self.matched(value)?;
                self.operate(operator, operator, vec![value, member])?.expr
            }
            _ => self.operate(operator, operator, vec![value, member])?.expr,
        })
    }

    /// The same against a whole array without a query, which SQLite takes in no definition.
    fn quantified_at_once(
        &mut self,
        value: &Typed,
        operator: &str,
        (array, element): (&Typed, Ty),
        any: bool,
    ) -> Result<Option<Typed>> {
        if !matches!(operator, "=" | "<>" | "<" | "<=" | ">" | ">=") || value.ty == Ty::Dynamic {
            return Ok(None);
        }
        let (value, member) = self.alike(value.clone(), Typed::new(null(), element), operator)?;
        if member.ty != element && !(member.ty == Ty::Text && element.is_string()) {
            return Ok(None);
        }
        let (all, kept) = (array.expr.clone(), text(element.kept()));
        let quantifier = text(if any { "any" } else { "all" });
        let value = value.full();
        let whole = call(
            "pg_array_compared",
            [value, text(operator), quantifier, all, kept],
        );
        Ok(Some(Typed::new(whole, Ty::Bool)))
    }
}

/// The members that are written out of an array.
fn listed(array: &Expr) -> Option<&[Expr]> {
    match array {
        Expr::Array(array) if !array.elem.is_empty() => Some(&array.elem),
        _ => None,
    }
}
