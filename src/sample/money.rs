//! Money as whole cents, so that sums are exact.

use std::{
    iter::Sum,
    ops::{Add, Mul, Sub},
};

use rusqlite::types::{ToSql, ToSqlOutput};

/// Hundredths of a euro; stored as the decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cents(pub(super) i64);

impl Cents {
    /// So many hundredths of it, rounded down.
    pub(super) fn percent(self, percent: i64) -> Self {
        Self(self.0 * percent / 100)
    }
}

impl Add for Cents {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i64> for Cents {
    type Output = Self;

    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self(0), Add::add)
    }
}

impl ToSql for Cents {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((self.0 as f64 / 100.0).into())
    }
}
