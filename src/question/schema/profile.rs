//! What columns hold, in figures: counted from the rows that a backend reads, of whole tables or of samples.

use std::{
    collections::{HashMap, HashSet, hash_map::RandomState},
    hash::BuildHasher,
    sync::OnceLock,
};

use super::{Codes, ColumnRef, Kept};

mod format;
mod statistics;

pub use format::{Day, Format};
pub use statistics::{Statistics, cell};

/// Distinct values of one column that are told apart.
const MAX_DISTINCT: usize = 50_000;
/// Distinct values of one column that are kept with their counts; a column with more has no vocabulary.
const MAX_FREQUENT: usize = 200;
/// Longer text is not kept as a value.
const MAX_LENGTH: usize = 80;
/// Rows of a table that are kept as they are.
const MAX_LISTED: usize = 12;
/// Rows by which it is judged whether one column determines another.
const MAX_PAIRED: usize = 1_000;

/// What the columns of a database hold, by position in [`super::Schema::tables`]; `None` where nothing was read.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// One for each table.
    pub tables: Vec<Option<TableProfile>>,
    /// What codes stand for by tables of codes, as far as these were read.
    pub codes: Vec<Codes>,
}

impl Profile {
    /// What one column holds, as far as its table was read.
    pub fn column(&self, at: ColumnRef) -> Option<&ColumnProfile> {
        self.tables.get(at.table)?.as_ref()?.columns.get(at.column)
    }
}

/// What the columns of one table hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableProfile {
    /// Rows read.
    pub rows: u64,
    /// True if these are all rows.
    pub whole: bool,
    /// True if no row was read: a server's statistics, scaled to as many rows as it takes the table to have.
    pub estimated: bool,
    /// One for each column of the table.
    pub columns: Vec<ColumnProfile>,
    /// Pairs of columns of which the first determines the second, in the rows read: a city its country.
    pub determines: Vec<(usize, usize)>,
}

/// What one column holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnProfile {
    /// Values that are not NULL.
    pub values: u64,
    /// NULLs.
    pub nulls: u64,
    /// Texts that are empty or all blank.
    pub blanks: u64,
    /// Values that are numbers.
    pub numbers: u64,
    /// Numbers with a fraction.
    pub fractions: u64,
    /// Texts that end in blanks.
    pub padded: u64,
    /// Different values, NULL and blanks not counted.
    pub distinct: u64,
    /// True if there are more different values than were told apart.
    pub many: bool,
    /// The lowest number.
    pub lowest: Option<f64>,
    /// The highest number.
    pub highest: Option<f64>,
    /// Words of a text on average, times ten.
    pub tenth_words: u64,
    /// The form that all values have.
    pub format: Option<Format>,
    /// The earliest day that it has, where its values are days or moments: 20240331.
    pub earliest: Option<Day>,
    /// The latest day that it has, where its values are days or moments: 20240331.
    pub latest: Option<Day>,
    /// The values with their counts, the most frequent first; empty where there are too many or too long ones.
    pub frequent: Vec<(String, u64)>,
    /// One of its values, where one is short.
    pub sample: Option<String>,
    /// Its values row by row where the table has few rows, all of which were read; empty texts for NULL.
    pub listed: Vec<String>,
}

impl Profile {
    /// True for a reference that is 0 where there is none, as in systems without NULL.
    pub fn zero_refers_nowhere(&self, from: ColumnRef, to: ColumnRef) -> bool {
        let column = |at: ColumnRef| self.tables.get(at.table)?.as_ref()?.columns.get(at.column);
        let (Some(from), Some(to)) = (column(from), column(to)) else {
            return false;
        };
        from.nulls == 0 && from.lowest == Some(0.0) && to.lowest.is_some_and(|lowest| lowest > 0.0)
    }

    /// The figures of some tables, which count from 0 here. Of a column whose stored values are not to be seen nothing
    /// is told, and nothing of a table without one that may be.
    pub(super) fn part(&self, kept: &[Kept]) -> Self {
        let table = |kept: &Kept| {
            let whole = self
                .tables
                .get(kept.table)?
                .as_ref()
                .filter(|_| kept.values.contains(&true))?;
            let seen = kept.columns.iter().zip(&kept.values);
            let position = |column| seen.clone().position(|(&kept, &seen)| seen && kept == column);
            let pairs = whole.determines.iter();
            Some(TableProfile {
                rows: whole.rows,
                whole: whole.whole,
                estimated: whole.estimated,
                columns: (seen.clone())
                    .map(|(&column, &seen)| {
                        if seen {
                            whole.columns[column].clone()
                        } else {
                            ColumnProfile::default()
                        }
                    })
                    .collect(),
                determines: pairs
                    .filter_map(|&(one, other)| Some((position(one)?, position(other)?)))
                    .collect(),
            })
        };
        Self {
            tables: kept.iter().map(table).collect(),
            codes: self.codes.iter().filter_map(|codes| codes.part(kept)).collect(),
        }
    }
}

impl ColumnProfile {
    /// True if no value occurs twice.
    pub fn is_unique(&self) -> bool {
        self.distinct > 0 && !self.many && self.distinct + self.blanks == self.values && self.blanks <= 1
    }

    /// The number that stands for no day in a column of days that has no NULL: 0, or nines.
    pub fn number_for_none(&self) -> Option<u32> {
        if self.nulls > 0 || self.format != Some(Format::CompactDate) {
            return None;
        }
        match (self.lowest, self.highest) {
            (Some(0.0), _) => Some(0),
            (_, Some(99_991_231.0)) => Some(99_991_231),
            (_, Some(99_999_999.0)) => Some(99_999_999),
            _ => None,
        }
    }

    /// True for numbers from 0 up that are never missing: 0 says that there is none.
    pub fn counts_none(&self) -> bool {
        self.nulls == 0 && self.values > 0 && self.lowest == Some(0.0)
    }

    /// The share of rows without a value, 0 to 1.
    pub fn missing(&self) -> f64 {
        let rows = self.values + self.nulls;
        if rows == 0 {
            0.0
        } else {
            (self.nulls + self.blanks) as f64 / rows as f64
        }
    }

    /// True if all values are among these, letter case ignored, and there are some.
    pub fn is_within(&self, allowed: &[&str]) -> bool {
        let fits = |value: &str| {
            allowed
                .iter()
                .any(|allowed| value.trim().eq_ignore_ascii_case(allowed))
        };
        !self.frequent.is_empty() && self.frequent.iter().all(|(value, _)| fits(value))
    }
}

/// A value as a backend hands it to a [`Profiler`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// What is not looked into.
    Other,
}

/// Counts the rows of one table.
pub struct Profiler {
    rows: u64,
    columns: Vec<Counter>,
    /// The values of the first rows, as hashes: `[column][row]`, 0 for NULL.
    first: Vec<Vec<u64>>,
}

#[derive(Default)]
struct Counter {
    told: ColumnProfile,
    seen: HashSet<u64>,
    frequent: HashMap<Box<str>, u64>,
    /// True once the vocabulary was given up.
    no_vocabulary: bool,
    words: u64,
    texts: u64,
    format: format::Common,
}

impl Profiler {
    /// For a table of so many columns.
    pub fn new(columns: usize) -> Self {
        Self {
            rows: 0,
            columns: (0..columns).map(|_| Counter::default()).collect(),
            first: vec![Vec::new(); columns],
        }
    }

    /// One more row, a cell for each column.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        self.rows += 1;
        let keep = self.rows as usize <= MAX_PAIRED;
        for ((counter, first), cell) in self.columns.iter_mut().zip(&mut self.first).zip(cells) {
            counter.list(cell);
            let hash = counter.add(cell);
            if keep {
                first.push(hash);
            }
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// What was counted; `whole` where the table has no other rows.
    pub fn finish(self, whole: bool) -> TableProfile {
        let mut columns: Vec<ColumnProfile> = self.columns.into_iter().map(Counter::finish).collect();
        for column in &mut columns {
            if !whole || column.listed.len() as u64 != self.rows {
                column.listed = Vec::new();
            }
        }
        TableProfile {
            rows: self.rows,
            whole,
            estimated: false,
            determines: determined(&columns, &self.first),
            columns,
        }
    }
}

impl Counter {
    fn add(&mut self, cell: Cell<'_>) -> u64 {
        if cell == Cell::Null {
            self.told.nulls += 1;
            return 0;
        }
        self.told.values += 1;
        self.format.see(cell);
        let number = match cell {
            Cell::Integer(number) => Some(number as f64),
            Cell::Real(number) => Some(number),
            _ => None,
        };
        if let Some(number) = number {
            self.told.numbers += 1;
            self.told.fractions += u64::from(number.fract() != 0.0);
            self.told.lowest = Some(self.told.lowest.map_or(number, |lowest| lowest.min(number)));
            self.told.highest = Some(self.told.highest.map_or(number, |highest| highest.max(number)));
        }
        let hash = match cell {
            Cell::Null | Cell::Other => return 1,
            // 1 and 1.0 are one value.
            Cell::Integer(_) | Cell::Real(_) => hashed(&number.unwrap_or_default().to_bits().to_le_bytes()),
            Cell::Text(text) => {
                let trimmed = text.trim();
                if trimmed.is_empty() {
                    self.told.blanks += 1;
                    return 1;
                }
                self.texts += 1;
                self.words += trimmed.split_whitespace().count() as u64;
                self.told.padded += u64::from(text.ends_with(' '));
                hashed(trimmed.as_bytes())
            }
        };
        if self.seen.len() < MAX_DISTINCT {
            self.seen.insert(hash);
        } else if !self.seen.contains(&hash) {
            self.told.many = true;
        }
        if !self.no_vocabulary {
            self.count(cell);
        }
        hash
    }

    /// Keeps the first rows as they are.
    fn list(&mut self, cell: Cell<'_>) {
        let listed = &mut self.told.listed;
        let wanted = listed.len() < MAX_LISTED;
        if !wanted && self.told.sample.is_some() {
            return;
        }
        let text = spelled(cell).filter(|text| text.len() <= MAX_LENGTH);
        if self.told.sample.is_none() {
            self.told.sample = text.clone().filter(|text| !text.trim().is_empty());
        }
        if wanted {
            listed.push(text.unwrap_or_default());
        }
    }

    fn count(&mut self, cell: Cell<'_>) {
        let Some(spelled) = spelled(cell) else { return };
        let known = self.frequent.get_mut(spelled.as_str());
        if let Some(count) = known {
            *count += 1;
        } else if self.frequent.len() < MAX_FREQUENT && spelled.len() <= MAX_LENGTH {
            self.frequent.insert(spelled.into(), 1);
        } else {
            self.no_vocabulary = true;
            self.frequent = HashMap::new();
        }
    }

    fn finish(mut self) -> ColumnProfile {
        self.told.distinct = self.seen.len() as u64;
        self.told.tenth_words = (self.words * 10).checked_div(self.texts).unwrap_or_default();
        let days = self.format.common();
        (self.told.format, self.told.earliest, self.told.latest) = (days.format, days.earliest, days.latest);
        let mut frequent: Vec<(String, u64)> = self
            .frequent
            .into_iter()
            .map(|(value, count)| (value.into(), count))
            .collect();
        frequent.sort_by(|(one, first), (other, second)| second.cmp(first).then_with(|| one.cmp(other)));
        self.told.frequent = frequent;
        self.told
    }
}

/// A value as text; `None` for what has none.
fn spelled(cell: Cell<'_>) -> Option<String> {
    match cell {
        Cell::Integer(number) => Some(number.to_string()),
        Cell::Real(number) => Some(number.to_string()),
        Cell::Text(text) => Some(text.to_owned()),
        Cell::Null | Cell::Other => None,
    }
}

fn hashed(bytes: &[u8]) -> u64 {
    static STATE: OnceLock<RandomState> = OnceLock::new();
    // 0 and 1 stand for NULL and for what is not told apart.
    STATE.get_or_init(RandomState::new).hash_one(bytes).max(2)
}

/// Pairs of columns with few values of which the first determines the second without being a key.
fn determined(columns: &[ColumnProfile], first: &[Vec<u64>]) -> Vec<(usize, usize)> {
    let rows = first.first().map_or(0, Vec::len);
    let grouping = |column: &ColumnProfile| {
        let repeated = column.distinct > 1 && column.distinct * 2 <= column.values;
        repeated && !column.frequent.is_empty() && column.numbers == 0
    };
    let candidates: Vec<usize> = (0..columns.len())
        .filter(|&at| grouping(&columns[at]))
        .take(10)
        .collect();
    let mut found = Vec::new();
    for &one in &candidates {
        for &other in &candidates {
            if one == other || columns[one].distinct <= columns[other].distinct {
                continue;
            }
            let mut map: HashMap<u64, u64> = HashMap::new();
            let holds = (0..rows).all(|row| {
                let (key, value) = (first[one][row], first[other][row]);
                key == 0 || *map.entry(key).or_insert(value) == value
            });
            // A value that occurs once proves nothing.
            if holds && rows >= map.len() * 2 {
                found.push((one, other));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(rows: &[&[Cell<'_>]]) -> TableProfile {
        let mut profiler = Profiler::new(rows[0].len());
        for row in rows {
            profiler.row(row.iter().copied());
        }
        profiler.finish(true)
    }

    #[test]
    fn values_are_counted() {
        use Cell::{Integer, Null, Real, Text};
        let table = profile(&[
            &[Integer(1), Text("a "), Real(1.5)],
            &[Integer(2), Text(""), Null],
            &[Integer(3), Text("a "), Integer(2)],
        ]);
        let [key, text, number] = &table.columns[..] else {
            panic!("three columns");
        };
        assert!(key.is_unique() && !text.is_unique());
        assert_eq!((text.blanks, text.padded, text.distinct), (1, 2, 1));
        assert_eq!(
            (number.nulls, number.fractions, number.lowest, number.highest),
            (1, 1, Some(1.5), Some(2.0))
        );
        assert!((text.missing() - 1.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_city_determines_its_country() {
        let places = [("Lyon", "FR"), ("Nice", "FR"), ("Rome", "IT"), ("Bari", "IT")];
        let rows: Vec<Vec<Cell<'_>>> = places
            .iter()
            .cycle()
            .take(12)
            .map(|(city, country)| vec![Cell::Text(city), Cell::Text(country)])
            .collect();
        let rows: Vec<&[Cell<'_>]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(profile(&rows).determines, [(0, 1)]);
    }
}
