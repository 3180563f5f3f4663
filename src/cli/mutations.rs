//! `querent eval --mutate`: how well the validator takes gold queries that were broken on purpose.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use comfy_table::CellAlignment;

use super::{
    Failure,
    output::{plain_table, write_table},
    progress,
};
use crate::{
    eval::{
        self, Plan,
        dataset::{Dataset, Gold},
        mutation::{self, MutationReport, Tally},
    },
    question::validator::Code,
};

/// Breaks, measures, writes and prints.
pub(super) fn run(dataset: &Dataset, gold: &Gold, plan: &Plan, seed: u64) -> Result<ExitCode, Failure> {
    let examined = progress::watched(dataset.questions.len(), |step, stop| {
        eval::mutate(dataset, gold, plan, seed, (step, stop))
    })??;
    if examined.len() < dataset.questions.len() {
        let message = format!(
            "stopped after {} of {} questions",
            examined.len(),
            dataset.questions.len()
        );
        return Err(Failure::new(message));
    }
    let report = MutationReport::new(dataset, &examined);
    if let Some(out) = &plan.out {
        mutation::write_files(out, &report, dataset, &examined)?;
    }
    print(&report, plan.out.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

fn print(report: &MutationReport, out: Option<&Path>) -> io::Result<()> {
    let mut table = plain_table();
    table.set_header([
        "", "broken", "changed", "flagged", "anew", "error", "code", "category", "repaired", "restored",
    ]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut row = |name: &str, tally: &Tally| {
        let counts = [
            tally.mutants,
            tally.changed,
            tally.flagged,
            tally.flagged_anew,
            tally.flagged_at_error,
            tally.right_code,
            tally.right_category,
            tally.repaired,
            tally.restored,
        ];
        let cells = counts.iter().map(ToString::to_string);
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    };
    row("all", &report.all);
    let none = Tally::default();
    for code in Code::TAXONOMY {
        let found = report.by_code.get(code.name());
        row(code.name(), found.map_or(&none, |found| &found.tally));
    }
    let mut stdout = io::stdout().lock();
    writeln!(
        stdout,
        "{}: {} gold queries, broken one error at a time",
        report.dataset, report.n
    )?;
    write_table(&mut stdout, &table)?;
    let share = |share: Option<f64>| share.map_or_else(|| "-".into(), |share| format!("{share:.3}"));
    let figures = &report.figures;
    writeln!(
        stdout,
        "breaks that change the result: flagged {}, anew {}, with the right category {}, restored {}",
        share(figures.breaks_flagged),
        share(figures.breaks_flagged_anew),
        share(figures.breaks_flagged_with_right_category),
        share(figures.breaks_restored)
    )?;
    let means = &report.means;
    writeln!(
        stdout,
        "the same as means of the codes: flagged {}, anew {}, with the right code {}, category {}, restored {}",
        share(means.flagged),
        share(means.flagged_anew),
        share(means.right_code),
        share(means.right_category),
        share(means.restored)
    )?;
    let unbroken = &report.unbroken;
    writeln!(
        stdout,
        "unbroken: flagged at error {}, at warning only {}; repaired {}, spoilt by that {}",
        share(figures.unbroken_flagged_at_error),
        share(figures.unbroken_flagged_at_warning),
        unbroken.repaired,
        unbroken.spoilt
    )?;
    let as_written = &report.as_written;
    if as_written.flagged_at_error != unbroken.flagged_at_error {
        writeln!(
            stdout,
            "text in double quotes stands in single quotes there; as written, {} of {} are flagged at error",
            as_written.flagged_at_error, as_written.n
        )?;
    }
    for (severity, counts) in [("errors", &unbroken.errors), ("warnings", &unbroken.warnings)] {
        if !counts.is_empty() {
            let mut counts: Vec<(&&str, &usize)> = counts.iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let counts: Vec<String> = counts
                .iter()
                .map(|(code, count)| format!("{code} {count}"))
                .collect();
            writeln!(stdout, "{severity} in unbroken queries: {}", counts.join(", "))?;
        }
    }
    for (why, count) in &report.skipped {
        writeln!(stdout, "left out {count}: {why}")?;
    }
    if let Some(out) = out {
        writeln!(stdout, "written to {}", out.display())?;
    }
    Ok(())
}
