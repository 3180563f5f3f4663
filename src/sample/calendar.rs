//! Days as numbers, so that they can be added to and compared.

use std::fmt;

use rusqlite::types::{ToSql, ToSqlOutput};
use time::Date;

/// Days since 1970-01-01; shown and stored as ISO text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Day(i64);

impl Day {
    /// By the algorithm of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
    pub(super) const fn new(year: i64, month: i64, day: i64) -> Self {
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Self(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
    }

    pub(super) const fn plus(self, days: i64) -> Self {
        Self(self.0 + days)
    }

    /// Days from the other to this one.
    pub(super) fn since(self, other: Self) -> i64 {
        self.0 - other.0
    }

    /// Year, month and day of the month.
    pub(super) fn parts(self) -> (i64, i64, i64) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        (era * 400 + year_of_era + i64::from(month <= 2), month, day)
    }

    pub(super) fn is_sunday(self) -> bool {
        self.0.rem_euclid(7) == 3
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self::new(
            date.year().into(),
            u8::from(date.month()).into(),
            date.day().into(),
        )
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl ToSql for Day {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

/// A day and a second of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) day: Day,
    pub(super) second: i64,
}

impl Moment {
    /// So many seconds later.
    pub(super) fn plus(self, seconds: i64) -> Self {
        let second = self.second + seconds;
        Self {
            day: self.day.plus(second.div_euclid(86_400)),
            second: second.rem_euclid(86_400),
        }
    }
}

impl ToSql for Moment {
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
        assert_eq!(Day::new(1970, 1, 1).0, 0);
        assert_eq!(Day::new(2024, 2, 28).plus(1).to_string(), "2024-02-29");
        assert_eq!(Day::new(2025, 2, 28).plus(1).to_string(), "2025-03-01");
        assert_eq!(Day::new(2025, 12, 31).since(Day::new(2022, 1, 1)), 1460);
        assert!(Day::new(2025, 11, 23).is_sunday());
        for day in 0..40_000 {
            let (year, month, day_of_month) = Day(day).parts();
            assert_eq!(Day::new(year, month, day_of_month), Day(day));
        }
    }

    #[test]
    fn moments_pass_midnight() {
        let late = Moment {
            day: Day::new(2024, 12, 31),
            second: 86_399,
        };
        assert_eq!(
            late.plus(2),
            Moment {
                day: Day::new(2025, 1, 1),
                second: 1
            }
        );
    }
}
