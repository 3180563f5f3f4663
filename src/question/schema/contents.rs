//! What is told of the stored values of a table to whoever may read them: figures, and some values of each column.

use serde::Serialize;

use super::{ColumnKind, ColumnProfile, ColumnRef, Day, Snapshot, TableProfile};
use crate::error::visible;

/// Values of one column that are told with how often they occur.
const COMMON: usize = 12;
/// Values that are told as examples where they are too many to be counted.
const EXAMPLES: usize = 5;
/// Characters of one value.
const LONGEST: usize = 80;
/// What the values of one table may come to, in bytes. Columns behind that have figures alone.
const OF_TABLE: usize = 64 << 10;
/// The largest whole number that figures hold exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What is told of the values of one column.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Contents {
    /// What it is told by.
    pub basis: Basis,
    /// Rows that the figures are of.
    pub rows: Option<u64>,
    /// The share of these that is NULL, 0 to 1.
    pub null_share: Option<f64>,
    /// Different values among these.
    pub distinct: Option<u64>,
    /// The lowest number, or the earliest day.
    pub lowest: Option<String>,
    /// The highest number, or the latest day.
    pub highest: Option<String>,
    /// Some of the values, the most common first. Marks that steer a terminal or turn text are spelled out, and long
    /// values are cut.
    pub values: Vec<CommonValue>,
    /// True if it has no other values.
    pub complete: bool,
}

/// A stored value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommonValue {
    /// As it is stored, or the beginning of it.
    pub value: String,
    /// Rows that have it; `None` where they were not counted.
    pub rows: Option<u64>,
}

/// What the figures of a column are told by, or why there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// All rows of the table.
    Table,
    /// Some of its rows.
    Sample,
    /// Statistics that the server keeps, scaled to as many rows as it takes the table to have.
    Statistics,
    /// Nothing: models must not hear of the column, and nobody hears of its values unasked.
    Private,
    /// Nothing: some rows must not be seen, and what is known is of all of them.
    Restricted,
    /// Nothing: it was not read, or not yet.
    #[default]
    Unread,
}

impl Snapshot {
    /// What is told of each column of a table. Of a snapshot that is somebody's, nothing is told but what they may read.
    pub fn contents(&self, table: usize) -> Vec<Contents> {
        let of = &self.schema.tables[table];
        let is_restricted =
            of.row_security || of.restriction.as_ref().is_some_and(|left| left.rows.is_some());
        let held = self.profile.tables.get(table).and_then(Option::as_ref);
        let mut left = OF_TABLE;
        let columns = of.columns.iter().enumerate();
        let told = columns.map(|(at, column)| {
            let none = |basis| Contents {
                basis,
                ..Contents::default()
            };
            if column.private {
                return none(Basis::Private);
            }
            if is_restricted {
                return none(Basis::Restricted);
            }
            let known = held.and_then(|held| Some((held, held.columns.get(at)?)));
            // Of a column that was left out, there is not one row.
            let known = known.filter(|(held, known)| known.values + known.nulls > 0 || held.rows == 0);
            let Some((held, known)) = known else {
                return none(Basis::Unread);
            };
            let mut told = Contents::of(held, known, column.kind);
            (told.values, told.complete) =
                self.common_values(ColumnRef { table, column: at }, known, told.basis);
            let size: usize = told.values.iter().map(|value| value.value.len()).sum();
            if size > left {
                (told.values, told.complete) = (Vec::new(), false);
            } else {
                left -= size;
            }
            told
        });
        told.collect()
    }

    /// Values of a column, and whether they are all.
    fn common_values(&self, at: ColumnRef, known: &ColumnProfile, basis: Basis) -> (Vec<CommonValue>, bool) {
        let kind = self.schema.column(at).kind;
        let counted = |most: usize| -> Vec<CommonValue> {
            let values = known.frequent.iter().take(most);
            values
                .map(|(value, rows)| CommonValue {
                    value: shown(value, kind),
                    rows: Some(*rows),
                })
                .collect()
        };
        let is_few = known.frequent.len() <= COMMON;
        let refers = |at| self.schema.foreign_keys.iter().any(|key| key.from.contains(&at));
        if !kind.is_wording() && (!is_few || known.is_unique() || refers(at)) {
            // What numbers or refers to a row says nothing beside the lowest and the highest.
            return (Vec::new(), false);
        }
        if known
            .frequent
            .first()
            .is_some_and(|(_, rows)| *rows > 1 || is_few)
        {
            return (counted(COMMON), is_few && basis == Basis::Table);
        }
        if !kind.is_wording() {
            return (Vec::new(), false);
        }
        let held = self.values.first_of(at, EXAMPLES);
        let examples = held.iter().map(|value| CommonValue {
            value: shown(value, kind),
            rows: None,
        });
        (examples.collect(), false)
    }
}

impl Contents {
    /// The figures of a column.
    fn of(held: &TableProfile, known: &ColumnProfile, kind: ColumnKind) -> Self {
        let rows = known.values + known.nulls;
        let (lowest, highest) = ends(known, kind);
        Self {
            basis: match (held.whole, held.estimated) {
                (true, _) => Basis::Table,
                (false, true) => Basis::Statistics,
                (false, false) => Basis::Sample,
            },
            rows: Some(rows),
            null_share: (rows > 0).then(|| known.nulls as f64 / rows as f64),
            // What is not looked into (bytes, say) is not told apart either.
            distinct: Some(known.distinct).filter(|distinct| {
                !known.many && kind != ColumnKind::Blob && (*distinct > 0 || known.values == known.blanks)
            }),
            lowest,
            highest,
            ..Self::default()
        }
    }
}

/// The earliest and the latest day of a column of days, the lowest and the highest number of one of numbers.
fn ends(known: &ColumnProfile, kind: ColumnKind) -> (Option<String>, Option<String>) {
    if known.earliest.is_some() {
        return (known.earliest.map(day), known.latest.map(day));
    }
    if known.numbers == 0 || known.numbers != known.values || kind == ColumnKind::Boolean {
        return (None, None);
    }
    let number = |number: f64| (number.abs() < EXACT).then(|| number.to_string());
    (known.lowest.and_then(number), known.highest.and_then(number))
}

fn day(day: Day) -> String {
    format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100)
}

/// A value as it can be shown on one line.
fn shown(value: &str, kind: ColumnKind) -> String {
    match (kind, value) {
        // As statistics have them.
        (ColumnKind::Boolean, "t") => return "true".to_owned(),
        (ColumnKind::Boolean, "f") => return "false".to_owned(),
        _ => {}
    }
    let text = if value.char_indices().nth(LONGEST).is_some() {
        let beginning: String = value.chars().take(LONGEST - 1).collect();
        format!("{beginning}…")
    } else {
        value.to_owned()
    };
    visible(&text).replace('\n', "\\n").replace('\t', "\\t")
}
