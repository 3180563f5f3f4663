//! What a statement takes away: EXCEPT, NOT, `<>`, and rows without a partner.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, Query, SetExpr, SetOperator, UnaryOperator, Visitor};

use crate::question::validator::{parse::Parsed, walk::walk};

/// How many times something is taken away.
pub(super) fn count(parsed: &Parsed) -> usize {
    let mut found = Exclusions(0);
    let _ = walk(parsed.query.as_ref(), &mut found);
    found.0
}

struct Exclusions(usize);

impl Visitor for Exclusions {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let mut open = vec![query.body.as_ref()];
        while let Some(body) = open.pop() {
            if let SetExpr::SetOperation { op, left, right, .. } = body {
                self.0 += usize::from(matches!(op, SetOperator::Except | SetOperator::Minus));
                open.extend([left.as_ref(), right.as_ref()]);
            }
        }
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
        self.0 += usize::from(excludes);
        ControlFlow::Continue(())
    }
}
