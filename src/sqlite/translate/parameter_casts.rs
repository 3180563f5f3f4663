//! The types that a statement itself writes beside its parameters, whatever else is in it.

use std::{collections::BTreeMap, ops::ControlFlow};

use sqlparser::{
    ast::{Expr, LimitClause, Query, Value, Visit as _, Visitor},
    dialect::PostgreSqlDialect,
};

use super::{Ty, types};
use crate::statement::grammar;

#[derive(Default)]
struct Casts(BTreeMap<usize, Ty>);

impl Casts {
    fn note(&mut self, expression: &Expr, ty: Ty) {
        let expression = match expression {
            Expr::Nested(inner) => inner,
            other => other,
        };
        if let Expr::Value(value) = expression
            && let Value::Placeholder(name) = &value.value
            && let Some(number) = name.strip_prefix('$').and_then(|number| number.parse().ok())
        {
            self.0.entry(number).or_insert(ty);
        }
    }
}

impl Visitor for Casts {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if let Expr::Cast { expr, data_type, .. } = expression
            && let Some(target) = types::target(data_type)
        {
            self.note(expr, target.ty);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let Some(LimitClause::LimitOffset { limit, offset, .. }) = &query.limit_clause {
            for count in limit.iter().chain(offset.iter().map(|offset| &offset.value)) {
                self.note(count, Ty::Int8);
            }
        }
        ControlFlow::Continue(())
    }
}

/// The types of casts around parameters, and that of a LIMIT; none where the parser does not read the text.
pub(crate) fn parameter_casts(sql: &str) -> BTreeMap<usize, Ty> {
    let found = grammar::read(&PostgreSqlDialect {}, sql, |statements| {
        let mut casts = Casts::default();
        for statement in statements {
            let _ = statement.visit(&mut casts);
        }
        casts.0
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_tell_types() {
        let sql = "SELECT * FROM nl($1) WHERE a > $2::int AND b = CAST($3 AS varchar(5)) \
                   AND c = ANY ($4::bigint[]) AND d < ($5)::timestamp with time zone LIMIT $6";
        let expected = [
            (2, Ty::Int4),
            (3, Ty::Varchar),
            (4, Ty::Array(&Ty::Int8)),
            (5, Ty::Timestamptz),
            (6, Ty::Int8),
        ];
        assert_eq!(parameter_casts(sql), BTreeMap::from(expected));
    }
}
