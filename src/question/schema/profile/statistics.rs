//! What a column holds by the statistics that a server keeps of it: shares of a sample instead of counted values.

use super::{Cell, ColumnProfile, MAX_FREQUENT, MAX_LENGTH, format};
use crate::question::schema::ColumnKind;

/// How much of the rows the common values and NULL must come to, to be all that there is.
const ALL: f64 = 0.995;

/// What a server knows of a column, as `pg_stats` tells it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// The share of rows without a value.
    pub null_share: f64,
    /// Different values; where it is negative, as a share of the rows.
    pub distinct: f64,
    /// The most common values as text, each with its share of the rows.
    pub common: Vec<(String, f64)>,
    /// True if these are all common values that are known.
    pub all_common: bool,
    /// Other values in their order, the lowest first and the highest last.
    pub others: Vec<String>,
}

impl ColumnProfile {
    /// The figures of a column of a table of so many rows.
    pub fn of_statistics(of: &Statistics, kind: ColumnKind, rows: u64) -> Self {
        let share = |share: f64| (share * rows as f64).round() as u64;
        let nulls = share(of.null_share).min(rows);
        let values = rows - nulls;
        let distinct = if of.distinct >= 0.0 {
            of.distinct as u64
        } else {
            share(-of.distinct)
        };
        let mut told = Self {
            values,
            nulls,
            distinct: distinct.min(values),
            sample: of.common.first().map(|(value, _)| value.clone()),
            ..Self::default()
        };
        let mut common_format = format::Common::default();
        let (mut seen, mut numbers, mut fractions, mut words, mut padded) = (0_u64, 0, 0, 0, 0);
        let common = of.common.iter().map(|(value, share)| (value, Some(*share)));
        let others = of.others.iter().map(|value| (value, None));
        for (value, part) in common.chain(others) {
            let cell = cell(value, kind);
            common_format.see(cell);
            seen += 1;
            match cell {
                Cell::Integer(number) => told.reach(number as f64),
                Cell::Real(number) => told.reach(number),
                Cell::Text(text) => {
                    let trimmed = text.trim();
                    if trimmed.is_empty() {
                        told.blanks += part.map_or(0, share);
                    }
                    words += trimmed.split_whitespace().count() as u64;
                    padded += u64::from(text.ends_with(' '));
                }
                Cell::Null | Cell::Other => {}
            }
            numbers += u64::from(matches!(cell, Cell::Integer(_) | Cell::Real(_)));
            fractions += u64::from(matches!(cell, Cell::Real(number) if number.fract() != 0.0));
        }
        let scaled = |count: u64| (count * values).checked_div(seen).unwrap_or_default();
        told.numbers = scaled(numbers);
        told.fractions = scaled(fractions);
        told.padded = scaled(padded);
        told.tenth_words = (words * 10).checked_div(seen).unwrap_or_default();
        let days = common_format.common();
        (told.format, told.earliest, told.latest) = (days.format, days.earliest, days.latest);
        let known: f64 = of.common.iter().map(|(_, share)| share).sum();
        let complete = of.all_common && of.others.is_empty() && known + of.null_share >= ALL;
        let short =
            of.common.len() <= MAX_FREQUENT && of.common.iter().all(|(value, _)| value.len() <= MAX_LENGTH);
        if complete && short {
            let frequent = of.common.iter();
            told.frequent = frequent
                .map(|(value, part)| (value.clone(), share(*part)))
                .collect();
        }
        told
    }

    fn reach(&mut self, number: f64) {
        self.lowest = Some(self.lowest.map_or(number, |lowest| lowest.min(number)));
        self.highest = Some(self.highest.map_or(number, |highest| highest.max(number)));
    }
}

/// A value that a server has written as text, as what it is in a column of this kind.
pub fn cell(text: &str, kind: ColumnKind) -> Cell<'_> {
    let number = || text.parse().map_or(Cell::Other, Cell::Real);
    match kind {
        ColumnKind::Integer => text.parse().map_or_else(|_| number(), Cell::Integer),
        ColumnKind::Number => number(),
        ColumnKind::Blob => Cell::Other,
        _ => Cell::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_become_counts() {
        let text = |values: &[(&str, f64)]| -> Vec<(String, f64)> {
            values
                .iter()
                .map(|(value, share)| ((*value).to_owned(), *share))
                .collect()
        };
        let states = Statistics {
            null_share: 0.1,
            distinct: 2.0,
            common: text(&[("open", 0.6), ("closed", 0.3)]),
            all_common: true,
            others: Vec::new(),
        };
        let profile = ColumnProfile::of_statistics(&states, ColumnKind::Text, 1_000);
        assert_eq!((profile.values, profile.nulls, profile.distinct), (900, 100, 2));
        assert_eq!(
            profile.frequent,
            [("open".to_owned(), 600), ("closed".to_owned(), 300)]
        );
        let keys = Statistics {
            distinct: -1.0,
            others: vec!["1".into(), "500".into(), "1000".into()],
            ..Statistics::default()
        };
        let profile = ColumnProfile::of_statistics(&keys, ColumnKind::Integer, 1_000);
        assert!(profile.is_unique() && profile.frequent.is_empty());
        assert_eq!((profile.lowest, profile.highest), (Some(1.0), Some(1_000.0)));
        let days = Statistics {
            distinct: -0.5,
            others: vec!["2024-01-02".into(), "2024-12-31".into()],
            ..Statistics::default()
        };
        let profile = ColumnProfile::of_statistics(&days, ColumnKind::Text, 10);
        assert_eq!(profile.format, Some(crate::question::schema::Format::Date));
    }
}
