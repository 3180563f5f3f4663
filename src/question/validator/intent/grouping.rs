//! `for each`, `per`, `how many … in each` against GROUP BY.

use super::{Code, Cue, Finding, Held, Role, Term, columns::WHOLE};
use crate::question::embedded::intent::Shown;

pub(super) fn grouping(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let grouped = held.summary.blocks.iter().any(|block| !block.group.is_empty());
    let aggregated = held
        .main()
        .any(|block| block.shown.iter().any(|term| matches!(term, Term::Aggregate(_))));
    // A correlated subquery counts for each row without a group.
    let per_row = held.summary.blocks.iter().any(|block| block.role == Role::Value);
    // `the total across all checking accounts` is one number.
    let each = !held.intent.says(&["across"]) || held.intent.says(&["each", "every", "per", "by"]);
    if held.cue(Cue::Group) && each && aggregated && !grouped && !per_row && !of_own_rows(held) {
        let finding = held.warning(
            Code::AggNoGroupby,
            "the question wants one value for each of something, the statement gives one altogether",
        );
        findings.push(finding.with_hint("show what `each` names, and group by it"));
    }
    findings
}

/// `the average height for every flower`: each row is one already, so that all are meant.
fn of_own_rows(held: &Held<'_>) -> bool {
    let [block] = &held.summary.blocks[..] else {
        return false;
    };
    let [table] = block.tables[..] else { return false };
    let measured = block.shown.iter().all(
        |term| matches!(term, Term::Aggregate(aggregate) if aggregate.name != "count" || aggregate.distinct),
    );
    let by_column = held.intent.shown.iter().any(|shown| match shown {
        Shown::Column(column) => !held.is_key(*column),
        Shown::Table(other) => *other != table,
        _ => false,
    });
    measured && !by_column && held.intent.names_table(table) >= WHOLE
}
