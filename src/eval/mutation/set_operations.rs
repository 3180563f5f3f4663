//! Set operations of which one side is left, that are flattened into conditions, or that are another one.

use sqlparser::ast::{
    BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Query, Select, SetExpr, SetOperator,
    UnaryOperator,
};

use super::{
    Mutator,
    clauses::{all_of, binary, comparison, conjuncts, has_subquery, joined, parts},
    scope::Scope,
    subject::Subject,
};
use crate::question::validator::Code::{ExceptMissing, IntersectMissing, UnionMissing};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(UnionMissing, "one side only", |subject| {
        left_only(subject, SetOperator::Union)
    }),
    Mutator(UnionMissing, "AND for it", |subject| {
        flattened(subject, SetOperator::Union, &BinaryOperator::And)
    }),
    Mutator(UnionMissing, "AND for OR", |subject| {
        conjunction(subject, &BinaryOperator::Or, &BinaryOperator::And)
    }),
    Mutator(UnionMissing, "another operation", |subject| {
        instead(subject, SetOperator::Union, SetOperator::Intersect)
    }),
    Mutator(IntersectMissing, "one side only", |subject| {
        left_only(subject, SetOperator::Intersect)
    }),
    Mutator(IntersectMissing, "AND for it", |subject| {
        flattened(subject, SetOperator::Intersect, &BinaryOperator::And)
    }),
    Mutator(IntersectMissing, "OR for it", |subject| {
        flattened(subject, SetOperator::Intersect, &BinaryOperator::Or)
    }),
    Mutator(IntersectMissing, "OR for AND", |subject| {
        conjunction(subject, &BinaryOperator::And, &BinaryOperator::Or)
    }),
    Mutator(IntersectMissing, "another operation", |subject| {
        instead(subject, SetOperator::Intersect, SetOperator::Union)
    }),
    Mutator(ExceptMissing, "one side only", |subject| {
        left_only(subject, SetOperator::Except)
    }),
    Mutator(
        ExceptMissing,
        "negation of the rows' condition",
        negated_condition,
    ),
    Mutator(ExceptMissing, "<> on joined rows", unequal_rows),
    Mutator(ExceptMissing, "negation lost", negation_lost),
];

/// Each set operation of this kind, as something else.
fn operations(
    subject: &Subject<'_>,
    wanted: SetOperator,
    change: impl Fn(&SetExpr, &SetExpr) -> Option<SetExpr>,
) -> Vec<String> {
    subject.queries(|query, _| {
        let SetExpr::SetOperation { left, op, right, .. } = &*query.body else {
            return Vec::new();
        };
        if *op != wanted {
            return Vec::new();
        }
        let changed = change(left, right).map(|body| Query {
            body: Box::new(body),
            ..query.clone()
        });
        changed.into_iter().collect()
    })
}

fn left_only(subject: &Subject<'_>, wanted: SetOperator) -> Vec<String> {
    operations(subject, wanted, |left, _| Some(left.clone()))
}

fn instead(subject: &Subject<'_>, wanted: SetOperator, other: SetOperator) -> Vec<String> {
    operations(subject, wanted, |left, right| {
        Some(SetExpr::SetOperation {
            left: Box::new(left.clone()),
            op: other,
            set_quantifier: sqlparser::ast::SetQuantifier::None,
            right: Box::new(right.clone()),
        })
    })
}

/// Both sides, if they differ in their conditions alone.
fn twins<'q>(left: &'q SetExpr, right: &'q SetExpr) -> Option<(&'q Select, &'q Expr, &'q Expr)> {
    let (one, other) = (left.as_select()?, right.as_select()?);
    let (first, second) = (one.selection.as_ref()?, other.selection.as_ref()?);
    let bare = |select: &Select| {
        Select {
            selection: None,
            ..select.clone()
        }
        .to_string()
        .to_lowercase()
    };
    (bare(one) == bare(other)).then_some((one, first, second))
}

fn flattened(subject: &Subject<'_>, wanted: SetOperator, operator: &BinaryOperator) -> Vec<String> {
    operations(subject, wanted, |left, right| {
        let (select, first, second) = twins(left, right)?;
        let selection = joined([first.clone(), second.clone()], operator);
        Some(SetExpr::Select(Box::new(Select {
            selection,
            ..select.clone()
        })))
    })
}

/// One conjunction for the other, throughout a WHERE.
fn conjunction(subject: &Subject<'_>, from: &BinaryOperator, to: &BinaryOperator) -> Vec<String> {
    subject.selects(|select, _| {
        let conditions = select.selection.as_ref().map(|condition| parts(condition, from));
        let conditions = conditions.unwrap_or_default();
        if conditions.len() < 2 || conditions.iter().any(has_subquery) {
            return Vec::new();
        }
        vec![Select {
            selection: joined(conditions, to),
            ..select.clone()
        }]
    })
}

/// `a EXCEPT b` as `a AND NOT b` on the rows; where the left has no condition, as `NOT b`.
fn negated_condition(subject: &Subject<'_>) -> Vec<String> {
    operations(subject, SetOperator::Except, |left, right| {
        let (one, other) = (left.as_select()?, right.as_select()?);
        let second = other.selection.as_ref()?;
        // What the right side reads must be in reach.
        let mut base = other.clone();
        base.projection.clone_from(&one.projection);
        if one.from.len() == 1 && one.to_string().len() > other.to_string().len() {
            base.from.clone_from(&one.from);
        }
        let first = one.selection.clone().filter(|_| base.from == one.from);
        base.selection = all_of(first.into_iter().chain([negation(second)]));
        Some(SetExpr::Select(Box::new(base)))
    })
}

/// `<>` for `=`; `NOT (…)` for the rest.
fn negation(condition: &Expr) -> Expr {
    match condition {
        Expr::BinaryOp {
            left,
            op: BinaryOperator::Eq,
            right,
        } => binary((**left).clone(), BinaryOperator::NotEq, (**right).clone()),
        other => Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr: Box::new(Expr::Nested(Box::new(other.clone()))),
        },
    }
}

/// `a.id NOT IN (SELECT b.a_id FROM b WHERE b.x = 1)` as `a JOIN b ON a.id = b.a_id WHERE b.x <> 1`.
fn unequal_rows(subject: &Subject<'_>) -> Vec<String> {
    let subject = subject.qualified();
    let schema = subject.schema();
    subject.selects(|select, scope| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        let mut found = Vec::new();
        for (at, condition) in conditions.iter().enumerate() {
            let Expr::InSubquery {
                expr,
                subquery,
                negated: true,
            } = condition
            else {
                continue;
            };
            let Some(inner) = subquery.body.as_select() else {
                continue;
            };
            let inner_scope = Scope::of(inner, schema);
            let ([from], [item], Some(second)) = (
                inner.from.as_slice(),
                inner.projection.as_slice(),
                inner
                    .selection
                    .as_ref()
                    .filter(|second| comparison(second).is_some()),
            ) else {
                continue;
            };
            let Some(key) = super::scope::selected(item).cloned() else {
                continue;
            };
            let apart = !inner_scope
                .sources
                .iter()
                .any(|source| scope.source(&source.name).is_some());
            if !apart || select.from.len() != 1 {
                continue;
            }
            let on = JoinConstraint::On(binary((**expr).clone(), BinaryOperator::Eq, key));
            let mut changed = select.clone();
            changed.from[0].joins.push(Join {
                relation: from.relation.clone(),
                global: false,
                join_operator: JoinOperator::Join(on),
            });
            changed.from[0].joins.extend(from.joins.iter().cloned());
            let mut conditions = conditions.clone();
            conditions[at] = negation(second);
            changed.selection = all_of(conditions);
            found.push(changed);
        }
        found
    })
}

/// `IN` for `NOT IN`, `EXISTS` for `NOT EXISTS`, INTERSECT for EXCEPT.
fn negation_lost(subject: &Subject<'_>) -> Vec<String> {
    let mut found = subject.exprs(|expr, _| match expr {
        Expr::InSubquery {
            expr,
            subquery,
            negated: true,
        } => vec![Expr::InSubquery {
            expr: expr.clone(),
            subquery: subquery.clone(),
            negated: false,
        }],
        Expr::Exists {
            subquery,
            negated: true,
        } => vec![Expr::Exists {
            subquery: subquery.clone(),
            negated: false,
        }],
        _ => Vec::new(),
    });
    found.extend(instead(subject, SetOperator::Except, SetOperator::Intersect));
    found
}
