//! What of a statement a correction must not lose: what it takes away (EXCEPT, NOT, `<>`, rows without a partner), and the limits,
//! tables and calls that it has.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, Query, SetExpr, SetOperator, TableFactor,
    UnaryOperator, Visitor,
};

use crate::question::validator::{parse::Parsed, walk::walk};

/// How many there are of each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    exclusions: usize,
    limits: usize,
    tables: usize,
    calls: usize,
}

impl Shape {
    pub(super) fn of(parsed: &Parsed) -> Self {
        let mut found = Self::default();
        let _ = walk(parsed.query.as_ref(), &mut found);
        found
    }

    /// True where as much is taken away as before.
    pub(super) fn takes_away_what(&self, before: &Self) -> bool {
        self.exclusions >= before.exclusions
    }

    /// True where nothing that gives rows or bounds them is gone: where a column was wrong, only that column is.
    pub(super) fn has_all_of(&self, before: &Self) -> bool {
        self.limits >= before.limits && self.tables >= before.tables && self.calls >= before.calls
    }
}

impl Visitor for Shape {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.limits += usize::from(query.limit_clause.is_some() || query.fetch.is_some());
        let mut open = vec![query.body.as_ref()];
        while let Some(body) = open.pop() {
            match body {
                SetExpr::SetOperation { op, left, right, .. } => {
                    self.exclusions += usize::from(matches!(op, SetOperator::Except | SetOperator::Minus));
                    open.extend([left.as_ref(), right.as_ref()]);
                }
                SetExpr::Select(select) => self.limits += usize::from(select.top.is_some()),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<()> {
        self.tables += usize::from(matches!(table, TableFactor::Table { .. }));
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
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
        // `user` is called without brackets, and may be meant for a column.
        let is_call = |function: &Function| !matches!(function.args, FunctionArguments::None);
        self.calls += usize::from(matches!(expr, Expr::Function(function) if is_call(function)));
        ControlFlow::Continue(())
    }
}
