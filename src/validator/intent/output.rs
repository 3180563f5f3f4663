//! How many columns are shown, and whether the question names them.

use super::{Code, Finding, Held, Term};
use crate::embedded::intent::{Cue, Shown};

/// Words that ask for whole rows.
const WHOLE_ROWS: &[&str] = &[
    "all",
    "everything",
    "information",
    "details",
    "detail",
    "records",
    "record",
    "info",
    "data",
    "rows",
    "row",
    "entries",
    "attributes",
    "columns",
    "content",
    "contents",
];

pub(super) fn output(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(block) = held.main().next() else {
        return findings;
    };
    if block.shown.contains(&Term::Star) {
        let all = held.cue(Cue::Everything)
            || held.intent.says(WHOLE_ROWS)
            || held.intent.shown.contains(&Shown::Everything);
        if !all {
            findings.push(held.warning(
                Code::ExtraValuesSelected,
                "* shows every column, the question asks for some",
            ));
        }
        return findings;
    }
    let wanted = held.intent.shown.len().max(1);
    let more = block.shown.len() > wanted;
    let grouped: Vec<_> = block.group.iter().filter_map(Term::column).collect();
    for term in &block.shown {
        let Term::Column(column) = term else { continue };
        if held.names(*column) || grouped.contains(column) {
            continue;
        }
        if more {
            findings.push(held.warning(
                Code::ExtraValuesSelected,
                format!(
                    "{} is shown, which the question does not name",
                    held.name(*column)
                ),
            ));
        } else {
            findings.push(held.warning(
                Code::IncorrectCol,
                format!(
                    "{} is shown in place of what the question names",
                    held.name(*column)
                ),
            ));
        }
    }
    findings
}
