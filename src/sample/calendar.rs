//! Days and moments of the sample, which can be added to and compared.

use std::fmt;

use jiff::{
    ToSpan,
    civil::{Date, Weekday, date},
};
use rusqlite::types::{ToSql, ToSqlOutput};

/// A day; shown and stored as ISO text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Day(Date);

impl Day {
    pub(super) const fn new(year: i16, month: i8, day: i8) -> Self {
        Self(date(year, month, day))
    }

    pub(super) fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days.days()))
    }

    /// Days from the other to this one.
    pub(super) fn since(self, other: Self) -> i64 {
        self.0.duration_since(other.0).as_hours() / 24
    }

    /// Year, month and day of the month.
    pub(super) fn parts(self) -> (i64, i64, i64) {
        (self.0.year().into(), self.0.month().into(), self.0.day().into())
    }

    pub(super) fn is_sunday(self) -> bool {
        self.0.weekday() == Weekday::Sunday
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self(date)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ToSql for Day {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

/// A day and a second of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timestamp {
    pub(super) day: Day,
    pub(super) second: i64,
}

impl Timestamp {
    /// So many seconds later.
    pub(super) fn plus(self, seconds: i64) -> Self {
        let second = self.second + seconds;
        Self {
            day: self.day.plus(second.div_euclid(86_400)),
            second: second.rem_euclid(86_400),
        }
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        Ok(format!("{} {hour:02}:{minute:02}:{second:02}", self.day).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_through_leap_years() {
        assert_eq!(Day::new(2024, 2, 28).plus(1).to_string(), "2024-02-29");
        assert_eq!(Day::new(2025, 2, 28).plus(1).to_string(), "2025-03-01");
        assert_eq!(Day::new(2025, 12, 31).since(Day::new(2022, 1, 1)), 1460);
        assert!(Day::new(2025, 11, 23).is_sunday());
    }

    #[test]
    fn moments_pass_midnight() {
        let late = Timestamp {
            day: Day::new(2024, 12, 31),
            second: 86_399,
        };
        assert_eq!(
            late.plus(2),
            Timestamp {
                day: Day::new(2025, 1, 1),
                second: 1
            }
        );
    }
}
