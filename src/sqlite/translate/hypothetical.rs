//! `rank(5) WITHIN GROUP (ORDER BY a)` and its like: where a row would stand among the others, as counts of those before it.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{Expr, Function, FunctionArguments, OrderByExpr, OrderBySort, visit_expressions_mut},
    dialect::PostgreSqlDialect,
};

use super::{Refusal, Result, Stop, Translator, Ty, refuse, scope::Typed, special_calls::unnamed};
use crate::statement::grammar;

/// The functions that can be asked so, and how they are counted: of the rows `before` the one that is asked for, of those that
/// are not `after` it, and of `all`.
const COUNTED: [(&str, &str); 4] = [
    ("rank", "1 + count(*) FILTER (WHERE before)"),
    (
        "dense_rank",
        "1 + count(DISTINCT apart) FILTER (WHERE before) + coalesce(max(CASE WHEN apart IS NULL THEN 1 ELSE 0 END) FILTER (WHERE before), 0)",
    ),
    (
        "percent_rank",
        "coalesce(count(*) FILTER (WHERE before)::float8 / nullif(count(*) FILTER (WHERE each), 0), 0)",
    ),
    (
        "cume_dist",
        "(1 + count(*) FILTER (WHERE before OR beside))::float8 / (1 + count(*) FILTER (WHERE each))",
    ),
];

/// True for such a call.
pub(super) fn is_asked(function: &Function, name: &str) -> bool {
    let has_values = matches!(&function.args, FunctionArguments::List(list) if !list.args.is_empty());
    let is_one = COUNTED.iter().any(|(counted, _)| *counted == name);
    is_one && (has_values || !function.within_group.is_empty())
}

pub(super) fn is_descending(key: &OrderByExpr) -> bool {
    matches!(key.options.sort, Some(OrderBySort::Desc))
}

/// A text with expressions in the places of its names.
fn filled(text: &str, places: &[(&str, &Expr)]) -> Result<Expr> {
    let mut expression =
        grammar::read_expression(&PostgreSqlDialect {}, text).map_err(|_| Stop::AsItStands)?;
    // From within: what was put in is not looked through again.
    let _ = visit_expressions_mut(&mut expression, |part| {
        if let Expr::Identifier(name) = &*part
            && let Some((_, wanted)) = places.iter().find(|(place, _)| *place == name.value)
        {
            *part = (*wanted).clone();
        }
        ControlFlow::<()>::Continue(())
    });
    Ok(expression)
}

/// Whether a row stands before the one that is asked for by one key.
fn before(key: &OrderByExpr, asked: &Expr) -> Result<Expr> {
    let descending = is_descending(key);
    let nulls_first = key.options.nulls_first.unwrap_or(descending);
    let text = match (descending, nulls_first) {
        (false, false) => "coalesce(own < asked, asked IS NULL AND own IS NOT NULL)",
        (false, true) => "coalesce(own < asked, own IS NULL AND asked IS NOT NULL)",
        (true, false) => "coalesce(own > asked, asked IS NULL AND own IS NOT NULL)",
        (true, true) => "coalesce(own > asked, own IS NULL AND asked IS NOT NULL)",
    };
    filled(text, &[("own", &key.expr), ("asked", asked)])
}

impl Translator<'_> {
    pub(super) fn hypothetical(
        &mut self,
        function: &Function,
        name: &str,
        position: Option<usize>,
    ) -> Result<Typed> {
        let FunctionArguments::List(list) = &function.args else {
            return Err(Stop::AsItStands);
        };
        if function.within_group.is_empty() {
            let words = format!("WITHIN GROUP is required for ordered-set aggregate {name}");
            return refuse("42809", words, position);
        }
        let asked = unnamed(list);
        let Some(asked) = asked.filter(|_| list.duplicate_treatment.is_none() && list.clauses.is_empty())
        else {
            return refuse(
                "42809",
                format!("cannot use DISTINCT with WITHIN GROUP in {name}"),
                position,
            );
        };
        let keys = &function.within_group;
        if asked.len() != keys.len() {
            return self.unequal(name, (&asked, keys), position);
        }
        let mut is_before = filled("false", &[])?;
        let mut is_beside = filled("true", &[])?;
        for (key, asked) in keys.iter().zip(&asked).rev() {
            let own = before(key, asked)?;
            let same = filled(
                "own IS NOT DISTINCT FROM asked",
                &[("own", &key.expr), ("asked", asked)],
            )?;
            let parts = [
                ("own", &own),
                ("same", &same),
                ("later", &is_before),
                ("beside", &is_beside),
            ];
            let (first, all) = (
                filled("own OR same AND later", &parts)?,
                filled("same AND beside", &parts)?,
            );
            (is_before, is_beside) = (first, all);
        }
        let each = match &function.filter {
            Some(filter) => (**filter).clone(),
            None => filled("true", &[])?,
        };
        let within = |condition: &Expr| filled("own AND each", &[("own", condition), ("each", &each)]);
        let (is_before, is_beside) = (within(&is_before)?, within(&is_beside)?);
        let apart = match keys.as_slice() {
            [key] => key.expr.clone(),
            keys => Expr::Tuple(keys.iter().map(|key| key.expr.clone()).collect()),
        };
        let counted = COUNTED.iter().find(|(counted, _)| *counted == name);
        let counted = filled(
            match counted {
                // Of several keys, rows are told apart, of which none is NULL.
                Some(("dense_rank", _)) if keys.len() > 1 => {
                    "1 + count(DISTINCT apart) FILTER (WHERE before)"
                }
                Some((_, text)) => text,
                None => return Err(Stop::AsItStands),
            },
            &[
                ("before", &is_before),
                ("beside", &is_beside),
                ("each", &each),
                ("apart", &apart),
            ],
        )?;
        let counted = self.expression(&counted)?;
        let ty = if name.ends_with("rank") && !name.starts_with("percent") {
            Ty::Int8
        } else {
            Ty::Float8
        };
        Ok(self.implicitly(counted, ty)?.named(name).at(position))
    }

    /// Refuses as many values as there are no keys for.
    fn unequal(
        &mut self,
        name: &str,
        (asked, keys): (&[&Expr], &[OrderByExpr]),
        position: Option<usize>,
    ) -> Result<Typed> {
        self.aggregates += 1;
        let keyed = keys.iter().map(|key| &key.expr);
        let types: Result<Vec<String>> = asked
            .iter()
            .copied()
            .chain(keyed)
            .map(|value| Ok(self.expression(value)?.ty.shown()))
            .collect();
        self.aggregates -= 1;
        Err(Stop::Refused(Refusal {
            sqlstate: "42883",
            message: format!("function {name}({}) does not exist", types?.join(", ")),
            detail: None,
            hint: Some(format!(
                "To use the hypothetical-set aggregate {name}, the number of hypothetical direct arguments (here {}) must \
                 match the number of ordering columns (here {}).",
                asked.len(),
                keys.len()
            )),
            position,
        }))
    }
}
