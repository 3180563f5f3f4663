//! Columns that a question names and a statement leaves unread, beside those that it uses and nobody named.

use super::{Clause, Code, Constant, Finding, Held, Literal, Role, Term, Test, TestKind};
use crate::question::{
    embedded::display_columns,
    schema::{ColumnRef, words},
};

/// How sure a link must be.
pub(super) const SURE: f32 = 0.8;
/// How much of a column's name the question must have.
pub(super) const WHOLE: f32 = 0.9;

/// The columns that the question surely names and that the statement does not read.
fn unread(held: &Held<'_>) -> Vec<ColumnRef> {
    let links = held.intent.columns.iter().filter(|link| {
        let apart = !held.uses(link.column) && !link.others.iter().any(|other| held.uses(*other));
        let naming = display_columns(held.snapshot, link.column.table).contains(&link.column);
        link.certainty >= SURE
            && apart
            && !link.counted
            && !naming
            && held.intent.names_column(link.column) >= WHOLE
    });
    links.map(|link| link.column).collect()
}

/// Conditions on other columns than the question speaks of.
pub(super) fn compared(held: &Held<'_>) -> Vec<Finding> {
    let unread = unread(held);
    let mut findings = Vec::new();
    for test in &held.summary.tests {
        let Term::Column(column) = test.left else { continue };
        let literal = test.right.iter().any(|term| matches!(term, Term::Literal(_)));
        if !literal || test.kind == TestKind::Null || held.names(column) || is_written_apart(held, column) {
            continue;
        }
        let numeric = |column: ColumnRef| held.schema().column(column).kind.is_numeric();
        let meant = read_otherwise(held, test, column).or_else(|| {
            unread
                .iter()
                .copied()
                .find(|other| numeric(*other) == numeric(column))
        });
        if let Some(meant) = meant {
            let message = format!(
                "the condition is on {}, the question speaks of {}",
                held.name(column),
                held.name(meant)
            );
            findings.push(Finding::warning(Code::ConditionWrongCol, test.position, message));
        }
    }
    findings
}

/// True of `post code` for `zip_postcode`.
fn is_written_apart(held: &Held<'_>, column: ColumnRef) -> bool {
    let parts = words::identifier_words(&held.schema().column(column).name);
    let said: Vec<&str> = held.intent.words().collect();
    said.windows(2)
        .any(|pair| pair[0].len() > 2 && parts.contains(&pair.concat()))
}

/// Rows in the order of another column than the question speaks of.
pub(super) fn ordered(held: &Held<'_>) -> Vec<Finding> {
    let unread = unread(held);
    let mut findings = Vec::new();
    for block in &held.summary.blocks {
        for (term, _) in &block.order {
            let column = match term {
                Term::Column(column) => *column,
                Term::Aggregate(aggregate) if aggregate.name != "count" => match aggregate.column {
                    Some(column) => column,
                    None => continue,
                },
                _ => continue,
            };
            let kind = held.schema().column(column).kind;
            let meant = unread.iter().find(|other| {
                let meant = held.schema().column(**other).kind;
                (meant.is_numeric() || meant.is_temporal()) && (kind.is_numeric() || kind.is_temporal())
            });
            if let Some(meant) = meant
                && held.intent.names_column(column) < WHOLE
                && !held.intent.hints_at(column)
            {
                let message = format!(
                    "the rows are ordered by {}, the question speaks of {}",
                    held.name(column),
                    held.name(*meant)
                );
                findings.push(held.warning(Code::OrderByMissing, message));
            }
        }
    }
    findings
}

/// Keys that are compared by size, where the question does not speak of them.
pub(super) fn ordered_keys(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for test in &held.summary.tests {
        let Term::Column(column) = test.left else { continue };
        let by_size = matches!(
            test.kind,
            TestKind::Less | TestKind::AtMost | TestKind::Greater | TestKind::AtLeast | TestKind::Between
        );
        let literal = test
            .right
            .iter()
            .any(|term| matches!(term, Term::Literal(_) | Term::Query(_)));
        let says_key = held.intent.says(&[
            "id",
            "ids",
            "code",
            "codes",
            "number",
            "numbers",
            "key",
            "identifier",
        ]);
        if by_size && literal && held.is_key(column) && !says_key && !has_size(held, column) {
            let code = if test.clause == Clause::Having {
                Code::HavingIncorrect
            } else {
                Code::ConditionWrongCol
            };
            let message = format!("{} only identifies, its size says nothing", held.name(column));
            findings.push(Finding::warning(code, test.position, message));
        }
    }
    findings
}

/// True for a key whose size may say something all the same: a year, a level.
fn has_size(held: &Held<'_>, column: ColumnRef) -> bool {
    const SIZES: &[&str] = &[
        "year", "date", "time", "day", "month", "age", "level", "number", "rank", "position", "season",
        "order",
    ];
    let words = words::identifier_words(&held.schema().column(column).name);
    held.names(column) || words.iter().any(|word| SIZES.contains(&word.as_str()))
}

/// The column that the agents take the same value for, where the question names it.
fn read_otherwise(held: &Held<'_>, test: &Test, column: ColumnRef) -> Option<ColumnRef> {
    let compared = test.right.iter().find_map(|term| match term {
        Term::Literal(Literal {
            value: Constant::Number(value) | Constant::Text(value),
            ..
        }) => held
            .intent
            .conditions
            .iter()
            .find(|compared| compared.value.eq_ignore_ascii_case(value)),
        _ => None,
    })?;
    let other = compared.column;
    let same_name = held
        .schema()
        .column(other)
        .name
        .eq_ignore_ascii_case(&held.schema().column(column).name);
    (other != column && !same_name && held.intent.names_column(other) >= WHOLE).then_some(other)
}

/// Columns shown in place of those that the question speaks of.
pub(super) fn shown(held: &Held<'_>) -> Vec<Finding> {
    let unread = unread(held);
    let mut findings = Vec::new();
    let main = held
        .summary
        .blocks
        .iter()
        .filter(|block| block.role == Role::Main);
    for term in main.flat_map(|block| &block.shown) {
        let Some(column) = term.column() else { continue };
        let selected = held
            .resolved
            .uses
            .iter()
            .any(|used| used.clause == Clause::Select && used.column == column);
        if let Some(meant) = unread.first()
            && !held.names(column)
            && selected
        {
            let message = format!(
                "{} is shown, the question speaks of {}",
                held.name(column),
                held.name(*meant)
            );
            findings.push(held.warning(Code::IncorrectCol, message));
        }
    }
    findings
}
