//! What of a statement a correction of an error may change: what the error names, and nothing beside it. The statement says what
//! whoever wrote it understood of the question; a correction that takes another table, drops a limit or adds a condition makes
//! another statement of it, however well that runs.

use std::{collections::HashMap, ops::ControlFlow};

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, GroupByExpr, Ident, Join, JoinConstraint, JoinOperator, Query, Select,
    SetExpr, SetOperator, TableFactor, UnaryOperator, VisitMut, VisitorMut,
};

use super::{
    fragments::{conjuncts, is_aggregate},
    sources::Sources,
    walk::{Node, change_exprs, read, read_exprs},
};
use crate::question::{
    schema::{Dialect, Snapshot},
    validator::{
        names::{meant, same},
        parse::Parsed,
        walk::walk_mut,
    },
};

/// In what a corrected statement may differ from the one that has an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    /// In anything: it is a proposal for a statement that runs, and no correction of an error.
    Proposed,
    /// In the text that the finding itself replaces.
    Named,
    /// In the name of one column.
    Column,
    /// In one more table that is joined, and the qualifiers that this takes.
    Join,
    /// In what GROUP BY names beside what it names already.
    Keys,
    /// In the clause that a condition stands in, of rows or of groups, and in what GROUP BY names beside.
    Clause,
    /// In one more condition, which relates two tables.
    Relation,
    /// In words and signs that say nothing: see [`super::typos`].
    Words,
    /// In how this dialect writes the same.
    Dialect,
}

/// True where a statement differs from another in what may differ alone.
pub(super) fn differs_in(freedom: Freedom, (before, after): (&Parsed, &Parsed), dialect: Dialect) -> bool {
    let (one, other) = (before.query.as_ref(), after.query.as_ref());
    match freedom {
        Freedom::Proposed | Freedom::Named => true,
        Freedom::Column => renames_one_column(one, other),
        Freedom::Join => joins_one_table(one, other),
        Freedom::Keys => {
            let (one, other) = (Apart::of(one, false), Apart::of(other, false));
            one.rest == other.rest && one.keys_go_on_in(&other)
        }
        Freedom::Clause => {
            let (one, other) = (Apart::of(one, true), Apart::of(other, true));
            one.rest == other.rest && one.keys_go_on_in(&other) && one.conditions == other.conditions
        }
        Freedom::Relation => relates_once_more(one, other),
        Freedom::Words => super::typos::say_the_same(&before.text, &after.text),
        Freedom::Dialect => Outline::of(after, dialect).has_all_of(&Outline::of(before, dialect)),
    }
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

/// True where both are the same but for one column under another name, however often it stands there.
fn renames_one_column(before: &Query, after: &Query) -> bool {
    let masked = |query: &Query| {
        with_columns(query, |column| {
            *column = Expr::Identifier(Ident::new("column"));
        })
    };
    if masked(before) != masked(after) {
        return false;
    }
    let (before, after) = (columns(before), columns(after));
    let mut wrong = before.iter().zip(&after).filter(|(one, other)| one != other);
    let Some((first, _)) = wrong.next() else {
        return false;
    };
    before.len() == after.len() && wrong.all(|(other, _)| other == first)
}

/// True where the only thing that came in addition is the last table of one FROM.
fn joins_one_table(before: &Query, after: &Query) -> bool {
    let unqualified = |query: &Query| {
        with_columns(query, |column| {
            if let Expr::CompoundIdentifier(parts) = column
                && let Some(name) = parts.last()
            {
                *column = Expr::Identifier(name.clone());
            }
        })
    };
    let wanted = unqualified(before);
    let selects = selects(after);
    (0..selects).any(|at| {
        let mut fewer = after.clone();
        let mut joined = None;
        change_selects(&mut fewer, &mut |number, select| {
            if number == at {
                joined = select.from.last_mut().and_then(|item| item.joins.pop());
            }
        });
        joined.is_some() && unqualified(&fewer) == wanted
    })
}

/// True where one condition came in addition, in ON or WHERE.
fn relates_once_more(before: &Query, after: &Query) -> bool {
    let apart = |query: &Query| {
        let mut rest = query.clone();
        let mut conditions: Vec<Vec<String>> = vec![];
        change_selects(&mut rest, &mut |_, select| {
            let mut own: Vec<String> = texts(select.selection.take().as_ref());
            for join in select.from.iter_mut().flat_map(|item| &mut item.joins) {
                if let Some(constraint) = constraint_mut(join)
                    && let JoinConstraint::On(condition) = constraint
                {
                    own.extend(texts(Some(condition)));
                    *constraint = JoinConstraint::None;
                }
            }
            own.sort_unstable();
            conditions.push(own);
        });
        (rest.to_string(), conditions)
    };
    let (one, other) = (apart(before), apart(after));
    let mut more = 0;
    let kept = one.1.iter().zip(&other.1).all(|(before, after)| {
        let mut after = after.clone();
        let all = before.iter().all(|condition| {
            let at = after.iter().position(|other| other == condition);
            at.map(|at| after.remove(at)).is_some()
        });
        more += after.len();
        all
    });
    one.0 == other.0 && one.1.len() == other.1.len() && kept && more == 1
}

/// A statement without what may move in it.
struct Apart {
    rest: String,
    /// What each SELECT groups by.
    keys: Vec<Vec<String>>,
    /// The conditions of each, on rows and on groups.
    conditions: Vec<Vec<String>>,
}

impl Apart {
    fn of(query: &Query, with_conditions: bool) -> Self {
        let mut rest = query.clone();
        let (mut keys, mut conditions) = (vec![], vec![]);
        change_selects(&mut rest, &mut |_, select| {
            if let GroupByExpr::Expressions(terms, _) = &mut select.group_by {
                keys.push(terms.drain(..).map(|term| term.to_string()).collect());
            }
            if with_conditions {
                let clauses = [select.selection.take(), select.having.take()];
                let mut own: Vec<String> = clauses.iter().flat_map(|clause| texts(clause.as_ref())).collect();
                own.sort_unstable();
                conditions.push(own);
            }
        });
        Self {
            rest: rest.to_string(),
            keys,
            conditions,
        }
    }

    fn keys_go_on_in(&self, other: &Self) -> bool {
        let mut both = self.keys.iter().zip(&other.keys);
        self.keys.len() == other.keys.len() && both.all(|(one, other)| other.starts_with(one))
    }
}

/// The conditions that AND connects, as texts.
fn texts(condition: Option<&Expr>) -> Vec<String> {
    let parts = condition.map(conjuncts).unwrap_or_default();
    let bare = |part: &Expr| match part {
        Expr::Nested(inner) => inner.to_string(),
        other => other.to_string(),
    };
    parts.into_iter().map(bare).collect()
}

fn with_columns(query: &Query, change: impl Fn(&mut Expr)) -> String {
    let mut query = query.clone();
    change_exprs(&mut query, &mut |expr, _| {
        if is_column(expr) {
            change(expr);
        }
        ControlFlow::Continue(())
    });
    query.to_string()
}

/// Every column that a statement names, as it stands there.
fn columns(query: &Query) -> Vec<String> {
    let mut columns = vec![];
    read_exprs(query, &mut |expr, _| {
        if is_column(expr) {
            columns.push(expr.to_string());
        }
        ControlFlow::Continue(())
    });
    columns
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

fn selects(query: &Query) -> usize {
    let mut selects = 0;
    read(query, &mut |node, _| {
        selects += usize::from(matches!(node, Node::Select(_)));
        ControlFlow::Continue(())
    });
    selects
}

/// Gives every SELECT to be changed, with its number in the order of the text.
fn change_selects(tree: &mut impl VisitMut, change: &mut dyn FnMut(usize, &mut Select)) {
    struct Changer<'c>(usize, &'c mut dyn FnMut(usize, &mut Select));
    impl VisitorMut for Changer<'_> {
        type Break = ();

        fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
            (self.1)(self.0, select);
            self.0 += 1;
            ControlFlow::Continue(())
        }
    }
    let _ = walk_mut(tree, &mut Changer(0, change));
}

fn constraint_mut(join: &mut Join) -> Option<&mut JoinConstraint> {
    match &mut join.join_operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
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
                    found.tables += usize::from(matches!(table, TableFactor::Table { .. }));
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
    fn has_all_of(&self, before: &Self) -> bool {
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
