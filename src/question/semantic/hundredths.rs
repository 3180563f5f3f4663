//! Amounts of money that are kept in hundredths of what people say.

use super::Field;
use crate::question::schema::{Dialect, words};

/// What hundredths are called, in names of columns and in units.
const HUNDREDTHS: [&str; 6] = ["cents", "cent", "pence", "cts", "ct", "minor"];

/// A column's name without the word that says that it keeps hundredths, and that word: `rent` and `pence` of `rent_pence`.
pub(super) fn split_hundredths(name: &str) -> Option<(&str, String)> {
    let unit = words::identifier_words(name).pop()?;
    if !HUNDREDTHS.contains(&unit.as_str()) {
        return None;
    }
    let cut = name.len().checked_sub(unit.len())?;
    let (amount, said) = (name.get(..cut)?, name.get(cut..)?);
    let amount = amount.trim_end_matches(['_', ' ', '-']);
    (said.eq_ignore_ascii_case(&unit) && !amount.is_empty()).then_some((amount, unit))
}

/// What a column of hundredths is called once it is told in whole units.
pub fn whole_name(name: &str) -> &str {
    split_hundredths(name).map_or(name, |(amount, _)| amount)
}

/// An amount in hundredths as people say it.
pub fn in_whole_units(expression: &str, dialect: Dialect) -> String {
    match dialect {
        // A numeric keeps its two digits in this way, and gets sixteen by a division.
        Dialect::Postgres => format!("{expression} * 0.01"),
        Dialect::Sqlite => format!("{expression} / 100.0"),
    }
}

impl Field {
    /// True for an amount of money in hundredths.
    pub fn keeps_hundredths(&self) -> bool {
        let unit = self.unit.as_deref().map(str::to_lowercase);
        self.role.is_measure() && unit.is_some_and(|unit| HUNDREDTHS.contains(&unit.as_str()))
    }
}
