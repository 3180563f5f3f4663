//! The fields that an `interval` may be restricted to, as bits of `atttypmod`.

pub(crate) const MONTH: i64 = 1 << 1;
pub(crate) const YEAR: i64 = 1 << 2;
pub(crate) const DAY: i64 = 1 << 3;
pub(crate) const HOUR: i64 = 1 << 10;
pub(crate) const MINUTE: i64 = 1 << 11;
pub(crate) const SECOND: i64 = 1 << 12;
/// All of them, because nothing is said.
pub(crate) const ALL: i64 = 0x7fff;
