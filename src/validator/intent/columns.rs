//! Columns that a question names and a statement leaves unread, and columns that it uses and nobody named.

use super::{Clause, Code, Finding, Held, Role, Term, TestKind};
use crate::schema::ColumnRef;

/// How sure a link must be.
const SURE: f32 = 0.8;
/// What less than this of a name is in the question, the question does not name.
const UNNAMED: f32 = 0.3;

pub(super) fn columns(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let unread: Vec<ColumnRef> = held
        .intent
        .columns
        .iter()
        .filter(|(column, others, certainty)| {
            *certainty >= SURE && !held.uses(*column) && !others.iter().any(|other| held.uses(*other))
        })
        .map(|(column, ..)| *column)
        .collect();
    let unnamed = |column: ColumnRef| held.intent.names_column(column) < UNNAMED;
    for test in &held.outline.tests {
        let Term::Column(column) = test.left else { continue };
        let literal = test.right.iter().any(|term| matches!(term, Term::Literal(_)));
        if !literal || test.kind == TestKind::Null || !unnamed(column) {
            continue;
        }
        let kind = held.schema().column(column).kind;
        let meant = unread
            .iter()
            .find(|other| held.schema().column(**other).kind.is_numeric() == kind.is_numeric());
        if let Some(meant) = meant {
            let message = format!(
                "the condition is on {}, the question speaks of {}",
                held.name(column),
                held.name(*meant)
            );
            findings.push(Finding::warning(Code::ConditionWrongCol, test.position, message));
        }
    }
    let main = held
        .outline
        .blocks
        .iter()
        .filter(|block| block.role == Role::Main);
    for term in main.flat_map(|block| &block.shown) {
        let Some(column) = term.column() else { continue };
        if let Some(meant) = unread.first()
            && unnamed(column)
            && held
                .resolved
                .uses
                .iter()
                .any(|used| used.clause == Clause::Select && used.column == column)
        {
            let message = format!(
                "{} is shown, the question speaks of {}",
                held.name(column),
                held.name(*meant)
            );
            findings.push(held.warning(Code::IncorrectCol, message));
        }
    }
    if findings.is_empty()
        && let Some(column) = unread.first()
    {
        findings.push(held.warning(
            Code::IncorrectCol,
            format!(
                "the question speaks of {}, which nothing reads",
                held.name(*column)
            ),
        ));
    }
    findings
}
