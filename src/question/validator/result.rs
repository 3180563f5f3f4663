//! What the rows of a trial run tell of a statement: nothing came, nothing but NULL, or one row where many were
//! asked for, and the reverse.

use super::{
    Asked, Code, Finding, parse,
    query_summary::{QuerySummary, Term},
    resolve, trust,
};
use crate::question::embedded::intent::{Cue, Intent, Shown};

/// The rule that finds a DISTINCT which takes rows away unasked.
pub const EQUAL_ROWS_MERGED: &str = "equal_rows_merged";

/// What came back of a trial run, in numbers alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultShape {
    /// Rows that were read.
    pub rows: usize,
    /// True if there are no more.
    pub complete: bool,
    /// True if every value of the rows that were read is NULL.
    pub all_null: bool,
    /// True if DISTINCT has taken rows away that the question may want: [`super::with_equal_rows`] has more.
    pub merged: bool,
}

/// What speaks against a statement that ran, by the shape of its result. Nothing, where the statement has parameters:
/// what will be bound says more.
pub fn review_result(sql: &str, result: ResultShape, asked: &Asked<'_>) -> Vec<Finding> {
    let snapshot = asked.snapshot;
    let Ok(parsed) = parse::parse(sql, snapshot.dialect) else {
        return Vec::new();
    };
    let (resolved, _) = resolve::resolve(&parsed, &snapshot.schema, snapshot.dialect);
    if resolved.parameters > 0 {
        return Vec::new();
    }
    let summary = super::query_summary::summarize(&parsed, &resolved, &snapshot.schema, snapshot.dialect);
    let mut findings = shaped(&summary, result, asked);
    findings.iter_mut().for_each(trust::grade);
    findings
}

fn shaped(summary: &QuerySummary, result: ResultShape, asked: &Asked<'_>) -> Vec<Finding> {
    if result.complete && (result.rows == 0 || result.all_null) {
        let emptiness = emptiness(summary, result);
        return (!may_be_empty(summary))
            .then_some(emptiness)
            .into_iter()
            .collect();
    }
    let number = asked
        .intent()
        .and_then(|intent| number_of_rows(summary, result, &intent));
    let merged = result.merged.then(|| merged(summary));
    number.into_iter().chain(merged).collect()
}

/// True of statements that take rows away, or keep what two queries share: often none.
fn may_be_empty(summary: &QuerySummary) -> bool {
    let takes_away = summary.blocks.iter().any(|block| block.negated);
    takes_away || !summary.combined.is_empty()
}

/// Nothing came of it.
fn emptiness(summary: &QuerySummary, result: ResultShape) -> Finding {
    let what = if result.rows == 0 {
        "it returns nothing"
    } else {
        "it returns nothing but NULL"
    };
    let filter = summary.tests.iter().find(|test| {
        let joins = matches!(test.right[..], [Term::Column(_)]);
        test.is_on_rows() && !test.right.is_empty() && !joins
    });
    let joined = summary.blocks.iter().any(|block| block.sources > 1);
    let (code, hint) = match filter {
        None if joined => (
            Code::IncorrectForeignKey,
            "look whether the joined columns have values in common",
        ),
        _ => (
            Code::ConditionWrongCol,
            "look which of its conditions no row meets, and whether a value stands in another column",
        ),
    };
    let position = filter.and_then(|test| test.position);
    Finding::warning(code, position, what)
        .with_hint(hint)
        .by("nothing_returned")
}

/// Whether equal rows count once is left open, and it makes a difference.
fn merged(summary: &QuerySummary) -> Finding {
    let position = summary.main().next().and_then(|block| block.position);
    let message = "DISTINCT takes away rows that come twice, the question does not say that they count once";
    Finding::warning(Code::DuplicateSelect, position, message)
        .with_hint("leave DISTINCT out, unless equal rows stand for the same thing")
        .by(EQUAL_ROWS_MERGED)
}

/// One row where there should be one for each of something; several where one number is asked for.
fn number_of_rows(summary: &QuerySummary, result: ResultShape, intent: &Intent) -> Option<Finding> {
    let position = summary.main().next().and_then(|block| block.position);
    let grouped = summary.blocks.iter().any(|block| !block.group.is_empty());
    let one_number = matches!(intent.shown[..], [Shown::Count(_) | Shown::Aggregate(..)]);
    let each = intent.has(Cue::Group);
    let average = intent.has(Cue::Average);
    if result.rows == 1 && result.complete && each && !average && !grouped && one_number {
        let message = "the question wants one row for each of something, it returns one altogether";
        return Some(Finding::warning(Code::AggNoGroupby, position, message).by("one_row_of_many"));
    }
    if result.rows > 1 && one_number && !each && intent.explained && intent.ranks.is_empty() {
        let message = format!("the question wants one number, it returns {} rows", result.rows);
        return Some(Finding::warning(Code::LimitMissing, position, message).by("rows_of_one_number"));
    }
    None
}
