//! `for each`, `per`, `how many … in each` against GROUP BY.

use super::{Code, Cue, Finding, Held, Role, Term};

pub(super) fn grouping(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let grouped = held.outline.blocks.iter().any(|block| !block.group.is_empty());
    let aggregated = held
        .main()
        .any(|block| block.shown.iter().any(|term| matches!(term, Term::Aggregate(_))));
    // A correlated subquery counts for each row without a group.
    let per_row = held.outline.blocks.iter().any(|block| block.role == Role::Value);
    // `the total across all checking accounts` is one number.
    let each = !held.intent.says(&["across"]) || held.intent.says(&["each", "every", "per", "by"]);
    if held.cue(Cue::Group) && each && aggregated && !grouped && !per_row {
        let finding = held.warning(
            Code::AggNoGroupby,
            "the question wants one value for each of something, the statement gives one altogether",
        );
        findings.push(finding.with_hint("show what `each` names, and group by it"));
    }
    findings
}
