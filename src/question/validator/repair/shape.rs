//! What of a statement a correction of an error may change: what the error names, and nothing beside it. The statement says what
//! whoever wrote it understood of the question; a correction that takes another table, drops a limit or adds a condition makes
//! another statement of it, however well that runs.

use std::{collections::HashMap, ops::ControlFlow};

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, JoinOperator, Query, Select, SetExpr, SetOperator, TableFactor,
    UnaryOperator,
};

use super::{
    fragments::is_aggregate,
    one_name::Edit,
    sources::Sources,
    walk::{Node, change_exprs, read, read_exprs},
};
use crate::question::{
    schema::{Dialect, Snapshot},
    validator::{
        names::{meant, same},
        parse::Parsed,
    },
};

/// In what a corrected statement may differ from the one that has an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Freedom {
    /// In anything: it is a proposal for a statement that runs, and no correction of an error.
    Proposed,
    /// In what people have accepted as the correction of such a statement.
    Learned,
    /// In the text that the finding itself replaces: see [`super::one_name`].
    Name(Edit),
    /// In words and signs that say nothing: see [`super::typos`].
    Words,
    /// In how this dialect writes the same.
    Dialect,
}

/// True where a statement has what no correction makes on purpose: a column compared with itself, or EXISTS that asks nothing of
/// the row it stands at, where the other has not.
pub(super) fn says_less(before: &Parsed, after: &Parsed, snapshot: &Snapshot) -> bool {
    idle_comparisons(after) > idle_comparisons(before)
        || unrelated_subqueries(after, snapshot) > unrelated_subqueries(before, snapshot)
}

/// A statement's text, with parentheses only where they stand around more than a name, a value or others.
pub(super) fn without_needless_parentheses(parsed: &Parsed) -> String {
    let mut query = parsed.query.clone();
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Expr::Nested(inner) = expr
            && matches!(
                inner.as_ref(),
                Expr::Nested(_)
                    | Expr::Identifier(_)
                    | Expr::CompoundIdentifier(_)
                    | Expr::Value(_)
                    | Expr::Function(_)
                    | Expr::Subquery(_)
            )
        {
            *expr = inner.as_ref().clone();
        }
        ControlFlow::Continue(())
    });
    query.to_string()
}

/// How often a statement names each of its tables, as it writes them.
pub(super) fn tables_named(parsed: &Parsed) -> HashMap<String, usize> {
    let mut named = HashMap::new();
    read(parsed.query.as_ref(), &mut |node, _| {
        if let Node::Table(TableFactor::Table { name, .. }) = node {
            *named
                .entry(name.to_string().to_lowercase().replace('"', ""))
                .or_default() += 1;
        }
        ControlFlow::Continue(())
    });
    named
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// Operators that have the same on both sides.
fn idle_comparisons(parsed: &Parsed) -> usize {
    let mut idle = 0;
    read_exprs(parsed.query.as_ref(), &mut |expr, _| {
        if let Expr::BinaryOp { left, right, .. } = expr
            && is_column(left)
        {
            let (left, right) = (left.to_string(), right.to_string());
            idle += usize::from(left.eq_ignore_ascii_case(&right));
        }
        ControlFlow::Continue(())
    });
    idle
}

/// EXISTS of a subquery that names nothing from outside of it.
fn unrelated_subqueries(parsed: &Parsed, snapshot: &Snapshot) -> usize {
    let mut unrelated = 0;
    read_exprs(parsed.query.as_ref(), &mut |expr, _| {
        if let Expr::Exists { subquery, .. } = expr
            && let SetExpr::Select(select) = subquery.body.as_ref()
        {
            let sources = Sources::of(select, parsed, snapshot);
            let from_outside = read_exprs(subquery, &mut |expr, _| {
                if is_column(expr) && !may_be_of(&sources, expr, snapshot) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            unrelated += usize::from(!from_outside);
        }
        ControlFlow::Continue(())
    });
    unrelated
}

/// True unless a column is surely of none of some sources.
fn may_be_of(sources: &Sources<'_>, column: &Expr, snapshot: &Snapshot) -> bool {
    let dialect = snapshot.dialect;
    let (qualifier, name) = match column {
        Expr::Identifier(name) => (None, name),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [.., qualifier, name] => (Some(meant(qualifier, dialect)), name),
            _ => return true,
        },
        _ => return true,
    };
    let called = meant(name, dialect);
    sources.iter().any(|source| match (&qualifier, source.table) {
        (Some(qualifier), _) => same(&source.name, qualifier, dialect),
        (None, Some(table)) => {
            let mut columns = snapshot.schema.tables[table].columns.iter();
            columns.any(|column| same(&column.name, &called, dialect))
        }
        (None, None) => true,
    })
}

/// What gives rows, bounds them or takes some away, and how often.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    exclusions: usize,
    limits: usize,
    tables: usize,
    outer_joins: usize,
    aggregates: usize,
    filters: usize,
    distinct: usize,
}

impl Outline {
    pub(super) fn of(parsed: &Parsed, dialect: Dialect) -> Self {
        let mut found = Self::default();
        read(parsed.query.as_ref(), &mut |node, _| {
            match node {
                Node::Query(query) => found.query(query),
                Node::Select(select) => found.select(select),
                Node::Table(table) => {
                    // Oracle's table of one row is none.
                    let is_read = matches!(table, TableFactor::Table { name, .. }
                        if !name.to_string().eq_ignore_ascii_case("dual"));
                    found.tables += usize::from(is_read);
                }
                Node::Expr(expr) => found.expr(expr, dialect),
                Node::Value(_) => {}
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// True where as much is taken away as before.
    pub(super) fn takes_away_what(&self, before: &Self) -> bool {
        self.exclusions >= before.exclusions
    }

    /// True where nothing that gives rows or bounds them is gone.
    pub(super) fn has_all_of(&self, before: &Self) -> bool {
        self.takes_away_what(before)
            && self.limits >= before.limits
            && self.tables >= before.tables
            && self.aggregates >= before.aggregates
            && self.filters == before.filters
            && self.outer_joins == before.outer_joins
            && self.distinct == before.distinct
    }

    fn query(&mut self, query: &Query) {
        self.limits += usize::from(query.limit_clause.is_some() || query.fetch.is_some());
        let mut open = vec![query.body.as_ref()];
        while let Some(body) = open.pop() {
            if let SetExpr::SetOperation { op, left, right, .. } = body {
                self.exclusions += usize::from(matches!(op, SetOperator::Except | SetOperator::Minus));
                open.extend([left.as_ref(), right.as_ref()]);
            }
        }
    }

    fn select(&mut self, select: &Select) {
        self.limits += usize::from(select.top.is_some());
        self.distinct += usize::from(matches!(
            select.distinct,
            Some(Distinct::Distinct | Distinct::On(_))
        ));
        let joins = select.from.iter().flat_map(|item| &item.joins);
        let outer = joins.filter(|join| {
            !matches!(
                join.join_operator,
                JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_)
            )
        });
        self.outer_joins += outer.count();
    }

    fn expr(&mut self, expr: &Expr, dialect: Dialect) {
        let excludes = match expr {
            Expr::InList { negated, .. }
            | Expr::InSubquery { negated, .. }
            | Expr::InUnnest { negated, .. }
            | Expr::Exists { negated, .. }
            | Expr::Between { negated, .. }
            | Expr::Like { negated, .. }
            | Expr::ILike { negated, .. }
            | Expr::SimilarTo { negated, .. }
            | Expr::RLike { negated, .. } => *negated,
            Expr::UnaryOp { op, .. } => *op == UnaryOperator::Not,
            Expr::BinaryOp { op, .. } => matches!(
                op,
                BinaryOperator::NotEq
                    | BinaryOperator::PGRegexNotMatch
                    | BinaryOperator::PGRegexNotIMatch
                    | BinaryOperator::PGNotLikeMatch
                    | BinaryOperator::PGNotILikeMatch
            ),
            Expr::AllOp { compare_op, .. } => *compare_op == BinaryOperator::NotEq,
            Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::IsFalse(_)
            | Expr::IsNotTrue(_)
            | Expr::IsNotFalse(_)
            | Expr::IsDistinctFrom(..) => true,
            _ => false,
        };
        self.exclusions += usize::from(excludes);
        if let Expr::Function(function) = expr {
            self.aggregates += usize::from(is_aggregate(function, dialect));
            self.filters += usize::from(function.filter.is_some() || function.over.is_some());
        }
    }
}
