//! What the rows of a trial run tell of a statement: nothing came, nothing but NULL, or one row where many were
//! asked for.

use super::{Asked, Code, Finding, outline::Outline, parse, resolve};

/// What came back of a trial run, in numbers alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultShape {
    /// Rows that were read.
    pub rows: usize,
    /// True if there are no more.
    pub complete: bool,
    /// True if every value of the rows that were read is NULL.
    pub all_null: bool,
}

/// What speaks against a statement that ran, by the shape of its result.
pub fn review_result(sql: &str, result: ResultShape, asked: &Asked<'_>) -> Vec<Finding> {
    let snapshot = asked.snapshot;
    let Ok(parsed) = parse::parse(sql, snapshot.dialect) else {
        return Vec::new();
    };
    // Values that are bound later say nothing yet.
    let (resolved, _) = resolve::resolve(&parsed, &snapshot.schema, snapshot.dialect);
    if !result.complete || resolved.parameters > 0 {
        return Vec::new();
    }
    let outline = super::outline::outline(&parsed, &resolved, &snapshot.schema, snapshot.dialect);
    emptiness(&outline, result).into_iter().collect()
}

/// Nothing came of it.
fn emptiness(outline: &Outline, result: ResultShape) -> Option<Finding> {
    let what = match result {
        ResultShape { rows: 0, .. } => "it returns nothing",
        ResultShape { all_null: true, .. } => "it returns nothing but NULL",
        _ => return None,
    };
    let filter = outline
        .tests
        .iter()
        .find(|test| test.is_on_rows() && !test.right.is_empty());
    let (code, hint) = match filter {
        Some(_) => (
            Code::ConditionWrongCol,
            "look which of its conditions no row meets, and whether a value stands in another column",
        ),
        None => (
            Code::IncorrectForeignKey,
            "look whether the joined columns have values in common",
        ),
    };
    let position = filter.and_then(|test| test.position);
    Some(Finding::warning(code, position, what).with_hint(hint))
}
