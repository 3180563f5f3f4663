//! `querent eval --compare`: what changed from one evaluation to another.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use super::{
    Failure,
    output::{plain_table, write_table},
};
use crate::{
    error::visible,
    eval::{
        Record,
        compare::{Comparison, Right},
    },
};

/// A figure of one answer.
type Figure = fn(&Record) -> f64;

/// Questions of each sort that are told.
const TOLD: usize = 20;

/// Compares the evaluations in two folders, and writes the questions to a file where one is named.
pub(super) fn run((first, second): (&Path, &Path), csv: Option<&Path>) -> Result<ExitCode, Failure> {
    let comparison = Comparison::read(first, second)?;
    if let Some(csv) = csv {
        write_csv(&comparison, csv)
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", csv.display())))?;
    }
    let mut out = io::stdout().lock();
    print(&comparison, (first, second), &mut out)?;
    Ok(ExitCode::SUCCESS)
}

fn print(comparison: &Comparison, (first, second): (&Path, &Path), out: &mut impl Write) -> io::Result<()> {
    let exact = comparison.change(Right::Exact);
    let wider = comparison.change(Right::Wider);
    writeln!(
        out,
        "{} against {}: {} questions of both",
        second.display(),
        first.display(),
        comparison.pairs.len()
    )?;
    if comparison.unpaired > 0 {
        writeln!(out, "{} questions of one alone are left out", comparison.unpaired)?;
    }
    let mut table = plain_table();
    table.set_header(vec!["", "first", "second", "gained", "lost", "chance"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    for (name, change) in [("ex", &exact), ("ex_wider", &wider)] {
        let [one, other] = change.right;
        table.add_row(vec![
            name.to_owned(),
            format!("{one:.3}"),
            format!("{other:.3}"),
            change.gained.len().to_string(),
            change.lost.len().to_string(),
            format!("{:.3}", change.chance),
        ]);
    }
    let figures: [(&str, Figure); 4] = [
        ("answered", |record| f64::from(u8::from(record.answered()))),
        ("flagged", |record| {
            f64::from(u8::from(!record.findings.is_empty()))
        }),
        ("calls", |record| record.model_calls as f64),
        ("tokens", |record| {
            (record.prompt_tokens + record.completion_tokens) as f64
        }),
    ];
    for (name, figure) in figures {
        let [one, other] = comparison.means(figure);
        table.add_row(vec![name.to_owned(), format!("{one:.3}"), format!("{other:.3}")]);
    }
    write_table(out, &table)?;
    for (name, changed) in [("gained", &exact.gained), ("lost", &exact.lost)] {
        for (one, other) in changed.iter().take(TOLD) {
            writeln!(out, "\n{name}: {} ({})", visible(&one.question), one.db_id)?;
            for (which, record) in [("first ", one), ("second", other)] {
                let sql = record.predicted.as_deref().or(record.error.as_deref());
                writeln!(out, "  {which} {}", visible(sql.unwrap_or("no answer")))?;
            }
        }
        if changed.len() > TOLD {
            writeln!(out, "\n{name}: {} more", changed.len() - TOLD)?;
        }
    }
    writeln!(out, "{LEGEND}")
}

/// A line for each question of both, as it was answered first and second.
fn write_csv(comparison: &Comparison, path: &Path) -> io::Result<()> {
    const COLUMNS: &str = "index,db_id,question,gold,change,correct_first,correct_second,confidence_first,\
                           confidence_second,predicted_first,predicted_second,error_first,error_second";
    let mut csv = csv::Writer::from_path(path)?;
    csv.write_record(COLUMNS.split(','))?;
    for (one, other) in &comparison.pairs {
        let change = match (one.correct, other.correct) {
            (false, true) => "gained",
            (true, false) => "lost",
            _ => "",
        };
        let mut cells = vec![
            one.index.to_string(),
            one.db_id.clone(),
            one.question.clone(),
            one.gold.clone(),
            change.to_owned(),
        ];
        let both = [one, other];
        cells.extend(both.map(|record| record.correct.to_string()));
        let confidence = |record: &Record| record.confidence.map(|confidence| format!("{confidence:.3}"));
        cells.extend(both.map(|record| confidence(record).unwrap_or_default()));
        cells.extend(both.map(|record| record.predicted.clone().unwrap_or_default()));
        cells.extend(both.map(|record| record.error.clone().unwrap_or_default()));
        csv.write_record(&cells)?;
    }
    csv.flush()
}

/// What the words of the table mean.
const LEGEND: &str = "
gained     right in the second alone; lost: right in the first alone
chance     how likely so uneven a change is if both are as good (McNemar's exact test): below 0.05 is seldom chance
flagged    the share of answers in which the validator found something";
