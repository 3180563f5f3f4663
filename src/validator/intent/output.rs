//! How many columns are shown, and whether the question names them.

use super::{Code, Finding, Held, Term};
use crate::embedded::intent::{Cue, Shown};

pub(super) fn output(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(block) = held.main().next() else {
        return findings;
    };
    if block.shown.contains(&Term::Star) {
        let all = held.cue(Cue::Everything)
            || held.intent.says(&[
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
            ])
            || held.intent.shown.contains(&Shown::Everything);
        if !all {
            findings.push(held.warning(
                Code::ExtraValuesSelected,
                "* shows every column, the question asks for some",
            ));
        }
        return findings;
    }
    let wanted = held.intent.shown.len();
    if block.shown.len() > wanted.max(1) {
        // Shown although no word of the question has any of its name.
        for term in &block.shown {
            if let Term::Column(column) = term
                && held.intent.names_column(*column) < 0.2
            {
                findings.push(held.warning(
                    Code::ExtraValuesSelected,
                    format!(
                        "{} is shown, which the question does not name",
                        held.name(*column)
                    ),
                ));
            }
        }
    } else {
        for term in &block.shown {
            if let Term::Column(column) = term
                && held.intent.names_column(*column) < 0.2
                && held.intent.names_table(column.table) < 0.3
            {
                findings.push(held.warning(
                    Code::IncorrectCol,
                    format!(
                        "{} is shown, and neither it nor its table is named",
                        held.name(*column)
                    ),
                ));
            }
        }
    }
    findings
}
