//! `interval`: months, days and microseconds, read as PostgreSQL reads them. It is kept as PostgreSQL's own style shows it.

use super::{
    ValueError, interval_fields,
    interval_read::{Parts, Wrong},
    interval_style::IntervalStyle,
};

/// A span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) months: i64,
    pub(crate) days: i64,
    pub(crate) micros: i64,
}

/// A span of these parts, 32 bits of months and of days and 64 of microseconds, or what PostgreSQL says where it has none so long.
pub(crate) fn spanning(months: i128, days: i128, micros: i128) -> Result<Interval, ValueError> {
    let narrow = |part: i128| i32::try_from(part).ok().map(i64::from);
    match (narrow(months), narrow(days), i64::try_from(micros)) {
        (Some(months), Some(days), Ok(micros)) => Ok(Interval { months, days, micros }),
        _ => Err(ValueError::new("22008", "interval out of range")),
    }
}

impl Interval {
    /// As intervals are kept.
    pub(crate) fn text(self) -> String {
        IntervalStyle::Postgres.text(self.months, self.days, self.micros)
    }

    /// With another one added, or taken away where `sign` says so.
    pub(crate) fn plus(self, other: Self, sign: i64) -> Result<Self, ValueError> {
        let sum = |one: i64, other: i64| i128::from(one) + i128::from(sign) * i128::from(other);
        spanning(
            sum(self.months, other.months),
            sum(self.days, other.days),
            sum(self.micros, other.micros),
        )
    }

    /// A text as a span, in any of the spellings that PostgreSQL takes.
    pub(crate) fn read(text: &str) -> Result<Self, ValueError> {
        Self::read_within(text, interval_fields::ALL)
    }

    /// A text as a span of these fields, which tell what a number without a unit is. The span may still have others.
    pub(crate) fn read_within(text: &str, fields: i64) -> Result<Self, ValueError> {
        let parts = Parts::read(text, fields).map_err(|wrong| match wrong {
            Wrong::Format => ValueError::new(
                "22007",
                format!("invalid input syntax for type interval: \"{text}\""),
            ),
            Wrong::Overflow => {
                ValueError::new("22015", format!("interval field value out of range: \"{text}\""))
            }
        })?;
        // Years and months that are each in range may be out of it together.
        let months = i128::from(parts.years) * 12 + i128::from(parts.months);
        spanning(months, parts.days.into(), parts.micros.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgtypes::calendar::DAY;

    /// As PostgreSQL 15 answers.
    #[test]
    fn spans_are_read_in_many_spellings() {
        for (text, expected) in [
            ("0", Ok((0, 0, 0))),
            ("1 year 2 mons 3 days 04:05:06.5", Ok((14, 3, 14_706_500_000))),
            ("-1 mons +1 day -00:00:00.000001", Ok((-1, 1, -1))),
            ("P1Y2M3DT4H5M6.7S", Ok((14, 3, 14_706_700_000))),
            ("1.5 days", Ok((0, 1, DAY / 2))),
            ("1 day ago", Ok((0, -1, 0))),
            ("-9223372036854775808 us", Ok((0, 0, i64::MIN))),
            ("9223372036854775808 us", Err("22015")),
            ("2562047788:00:54.775807", Ok((0, 0, i64::MAX))),
            ("178956970 years 7 months", Ok((i64::from(i32::MAX), 0, 0))),
            ("178956970 years 8 months", Err("22008")),
            ("2147483648 months", Err("22015")),
            ("infinity", Err("22007")),
            ("", Err("22007")),
        ] {
            let found = Interval::read(text).map(|span| (span.months, span.days, span.micros));
            assert_eq!(found.map_err(|error| error.sqlstate), expected, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_back() {
        for (months, days, micros) in [
            (0, 0, 0),
            (14, 3, 14_706_500_000),
            (-1, 1, -1),
            (0, 0, i64::MIN),
            (0, 0, i64::MAX),
            (i64::from(i32::MIN), i64::from(i32::MAX), 1),
        ] {
            let span = Interval { months, days, micros };
            assert_eq!(Interval::read(&span.text()), Ok(span), "{}", span.text());
        }
    }
}
