//! The figures of `querent eval`, as the terminal has them.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use super::output::{plain_table, write_table};
use crate::eval::{Conversations, Group, Report};

/// Prints the main figures of an evaluation, with what they mean.
pub(super) fn print(report: &Report, out: Option<&Path>) -> io::Result<()> {
    let rate = |rate: f64| format!("{rate:.3}");
    let maybe = |number: Option<f64>| number.map_or_else(|| "-".into(), rate);
    let mut table = plain_table();
    let wider = report.ex_wider.is_some();
    let mut header = vec!["", "n", "answered", "ex", "precision"];
    header.extend(wider.then_some("ex_wider"));
    table.set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    let mut row = |name: &str, group: &Group| {
        let mut cells = vec![
            name.to_owned(),
            group.n.to_string(),
            rate(group.answered),
            rate(group.ex),
            maybe(group.precision_when_answered),
        ];
        cells.extend(wider.then(|| rate(group.ex_wider)));
        table.add_row(cells);
    };
    let whole = Group {
        n: report.n,
        answered: report.answered,
        ex: report.ex,
        ex_wider: report.ex_wider.unwrap_or_default(),
        precision_when_answered: report.precision_when_answered,
    };
    row("all", &whole);
    for (level, group) in report.by_difficulty.iter().chain(&report.by_kind) {
        row(level, group);
    }
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{} by {}", report.dataset, report.mode)?;
    write_table(&mut stdout, &table)?;
    if report.gold_failed > 0 {
        let codes = counts(&report.gold_errors);
        let codes = if codes.is_empty() {
            codes
        } else {
            format!(" ({codes})")
        };
        writeln!(
            stdout,
            "gold that does not run: {} of {n}{codes}; nobody can be right there, ex counts them as wrong; without them ex {}",
            report.gold_failed,
            maybe(report.ex_judged),
            n = report.n
        )?;
    }
    writeln!(
        stdout,
        "valid {}, ex_nonempty {} (n {}), em {}, ves {}",
        rate(report.valid),
        maybe(report.ex_nonempty),
        report.n_nonempty,
        rate(report.em),
        rate(report.ves)
    )?;
    if let Some(conversations) = &report.conversations {
        print_conversations(conversations, &mut stdout)?;
    }
    print_calibration(report, &mut stdout)?;
    let latency = &report.latency_ms;
    writeln!(
        stdout,
        "latency p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms",
        latency.p50, latency.p95, latency.max
    )?;
    print_findings(report, &mut stdout)?;
    if !report.errors.is_empty() {
        writeln!(stdout, "errors: {}", counts(&report.errors))?;
    }
    writeln!(stdout, "{LEGEND}")?;
    if report.conversations.is_some() {
        writeln!(stdout, "{LEGEND_OF_CONVERSATIONS}")?;
    }
    if let Some(out) = out {
        writeln!(stdout, "written to {}", out.display())?;
    }
    Ok(())
}

/// What the words of the report mean.
const LEGEND: &str = "
answered     SQL was offered; valid: it ran too
ex           execution accuracy: the rows are those of the reference SQL, unanswered questions count as wrong;
             ex_nonempty: the same where the reference gives rows
precision    ex among the answers alone
ex_wider     ex, where the columns of the reference may stand among others
em           exact match: the text is the reference's, but for case, blanks and aliases
ves          valid efficiency score: ex, weighted by how fast the SQL is beside the reference
calibration  how far confidences are from the share of right answers (expected calibration error, 0 is best); then, for
             each tenth of confidence, that share and how many answers claim it
flagged      what speaks against an answer without knowing the reference";

const LEGEND_OF_CONVERSATIONS: &str = "\
interaction match  the share of conversations in which every turn is right; question match: ex";

/// Codes with their counts, the most frequent first.
fn counts(counts: &BTreeMap<String, usize>) -> String {
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let each = sorted.iter().map(|(code, count)| format!("{code} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

/// How conversations were answered, turn by turn.
fn print_conversations(conversations: &Conversations, out: &mut impl Write) -> io::Result<()> {
    let turns = conversations.by_turn.iter();
    let turns: Vec<String> = turns
        .map(|(turn, group)| format!("{turn}: {:.3} of {}", group.ex, group.n))
        .collect();
    writeln!(
        out,
        "conversations: interaction match {:.3} (n {}); question match by turn {}",
        conversations.interaction_match,
        conversations.n,
        turns.join(", ")
    )
}

/// Whether confidences are deserved: of the answers that claim a tenth, how many are right.
fn print_calibration(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let parts = report.by_confidence.iter().filter_map(|(tenth, group)| {
        let right = group.precision_when_answered?;
        Some(format!("{tenth}: {right:.2} of {}", group.n))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return Ok(());
    }
    let error = report.calibration_error.unwrap_or_default();
    writeln!(out, "calibration {error:.3}; {}", parts.join(", "))
}

/// How well the validator tells wrong answers from right ones, and what repairs did.
fn print_findings(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let flagged = &report.flagged;
    writeln!(
        out,
        "flagged: {} of {} wrong answers ({} at error), {} at error and {} at warning of {} right ones",
        flagged.wrong_flagged,
        flagged.wrong,
        flagged.wrong_flagged_at_error,
        flagged.right_flagged_at_error,
        flagged.right_flagged_at_warning,
        flagged.right
    )?;
    let repairs = &report.repairs;
    if repairs.tried > 0 {
        writeln!(
            out,
            "repairs: {} of {} answers changed, {} made right, {} made wrong",
            repairs.kept, repairs.tried, repairs.made_right, repairs.made_wrong
        )?;
    }
    Ok(())
}
