//! Conditions taken apart at AND, OR and NOT.

use sqlparser::ast::{BinaryOperator as Op, Expr, UnaryOperator};

use super::{
    Clause, Role, Start, Term, Test, TestKind,
    builder::{Here, MAX_ITEMS, SummaryBuilder},
};

/// What the condition surroundings one says of it.
#[derive(Debug, Clone, Copy, Default)]
struct Surroundings {
    negated: bool,
    alternative: bool,
}

impl SummaryBuilder<'_> {
    /// A condition of WHERE, ON or HAVING.
    pub(super) fn condition(&mut self, condition: &Expr, here: Here) {
        self.part(condition, here, Surroundings::default());
    }

    #[recursive::recursive]
    fn part(&mut self, condition: &Expr, here: Here, surroundings: Surroundings) {
        match condition {
            Expr::Nested(inner) => self.part(inner, here, surroundings),
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr: inner,
            } => {
                let negated = !surroundings.negated;
                self.part(
                    inner,
                    here,
                    Surroundings {
                        negated,
                        ..surroundings
                    },
                );
            }
            Expr::BinaryOp {
                left,
                op: op @ (Op::And | Op::Or),
                right,
            } => {
                let alternative = surroundings.alternative || (*op == Op::Or) != surroundings.negated;
                let surroundings = Surroundings {
                    alternative,
                    ..surroundings
                };
                self.part(left, here, surroundings);
                self.part(right, here, surroundings);
            }
            leaf => self.leaf(leaf, here, surroundings),
        }
    }

    /// One comparison.
    fn leaf(&mut self, expr: &Expr, here: Here, surroundings: Surroundings) {
        let position = self.lines.position(expr.start());
        let mut inner_negated = false;
        let (kind, left, right) = match expr {
            Expr::BinaryOp { left, op, right } => {
                let kind = kind_of(op);
                let (left, right) = (self.term(left, here), self.term(right, here));
                // The literal or subquery stands to the right.
                if matches!(left, Term::Literal(_) | Term::Query(_)) && !matches!(right, Term::Literal(_)) {
                    (mirrored(kind), right, vec![left])
                } else {
                    (kind, left, vec![right])
                }
            }
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                inner_negated = *negated;
                let left = self.term(expr, here);
                (
                    TestKind::Between,
                    left,
                    vec![self.term(low, here), self.term(high, here)],
                )
            }
            Expr::InList { expr, list, negated } => {
                inner_negated = *negated;
                let left = self.term(expr, here);
                let right = list
                    .iter()
                    .take(MAX_ITEMS)
                    .map(|item| self.term(item, here))
                    .collect();
                (TestKind::In, left, right)
            }
            Expr::InSubquery {
                expr,
                subquery,
                negated,
            } => {
                inner_negated = *negated;
                let left = self.term(expr, here);
                let absent = *negated != surroundings.negated;
                let query = self.query(subquery, Role::Condition, Some(here.block), absent);
                (TestKind::In, left, vec![Term::Query(query)])
            }
            Expr::Exists { subquery, negated } => {
                inner_negated = *negated;
                let absent = *negated != surroundings.negated;
                let query = self.query(subquery, Role::Condition, Some(here.block), absent);
                (TestKind::Exists, Term::Query(query), vec![])
            }
            Expr::Like {
                negated,
                expr,
                pattern,
                ..
            }
            | Expr::ILike {
                negated,
                expr,
                pattern,
                ..
            } => {
                inner_negated = *negated;
                let left = self.term(expr, here);
                (TestKind::Like, left, vec![self.term(pattern, here)])
            }
            Expr::IsNull(inner) => (TestKind::Null, self.term(inner, here), vec![]),
            Expr::IsNotNull(inner) => {
                inner_negated = true;
                (TestKind::Null, self.term(inner, here), vec![])
            }
            other => (TestKind::Other, self.term(other, here), vec![]),
        };
        self.summary.tests.push(Test {
            block: here.block,
            clause: here.clause,
            kind,
            left,
            right,
            negated: inner_negated != surroundings.negated,
            alternative: surroundings.alternative,
            position,
        });
    }
}

fn kind_of(op: &Op) -> TestKind {
    match op {
        Op::Eq => TestKind::Equal,
        Op::NotEq => TestKind::NotEqual,
        Op::Lt => TestKind::Less,
        Op::LtEq => TestKind::AtMost,
        Op::Gt => TestKind::Greater,
        Op::GtEq => TestKind::AtLeast,
        Op::PGLikeMatch | Op::PGILikeMatch | Op::Glob => TestKind::Like,
        _ => TestKind::Other,
    }
}

/// The same comparison read from the right.
fn mirrored(kind: TestKind) -> TestKind {
    match kind {
        TestKind::Less => TestKind::Greater,
        TestKind::AtMost => TestKind::AtLeast,
        TestKind::Greater => TestKind::Less,
        TestKind::AtLeast => TestKind::AtMost,
        other => other,
    }
}

impl Test {
    /// True for conditions on rows, of WHERE or of a join.
    pub(in crate::question::validator) fn is_on_rows(&self) -> bool {
        matches!(self.clause, Clause::Where | Clause::From)
    }
}
