//! Periods, parts and spans of time, and how they are written in SQL, whatever form a column keeps its times in.

use std::fmt::Write as _;

use crate::question::{
    schema::{ColumnKind, Dialect, Format},
    semantic::{Grain, Part, Unit},
};

/// How a column keeps its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) dialect: Dialect,
    pub(super) kind: ColumnKind,
    /// The form of its values, where that is known.
    pub(super) format: Option<Format>,
}

impl Kept {
    /// A column's value as something that the database's date functions take.
    pub(super) fn moment(self, column: &str) -> String {
        match (self.dialect, self.format) {
            (Dialect::Sqlite, Some(Format::CompactDate)) => format!(
                "(substr({column}, 1, 4) || '-' || substr({column}, 5, 2) || '-' || substr({column}, 7, 2))"
            ),
            (Dialect::Sqlite, Some(Format::CompactMonth)) => {
                format!("(substr({column}, 1, 4) || '-' || substr({column}, 5, 2) || '-01')")
            }
            (Dialect::Sqlite, Some(Format::YearMonth)) => format!("({column} || '-01')"),
            (Dialect::Sqlite, Some(Format::Year)) => format!("({column} || '-01-01')"),
            (Dialect::Sqlite, Some(Format::UnixSeconds)) => format!("datetime({column}, 'unixepoch')"),
            (Dialect::Sqlite, Some(Format::UnixMilliseconds)) => {
                format!("datetime({column} / 1000, 'unixepoch')")
            }
            (Dialect::Sqlite, Some(Format::DayMonthYear)) => format!(
                "(substr({column}, 7, 4) || '-' || substr({column}, 4, 2) || '-' || substr({column}, 1, 2))"
            ),
            (Dialect::Sqlite, Some(Format::MonthDayYear)) => format!(
                "(substr({column}, 7, 4) || '-' || substr({column}, 1, 2) || '-' || substr({column}, 4, 2))"
            ),
            (Dialect::Sqlite, _) => column.to_owned(),
            // Where there is no date, 0 stands for it.
            (Dialect::Postgres, Some(Format::CompactDate)) if self.kind.is_numeric() => {
                format!("to_date(NULLIF({column}, 0)::text, 'YYYYMMDD')")
            }
            (Dialect::Postgres, Some(Format::CompactDate)) => format!("to_date({column}::text, 'YYYYMMDD')"),
            (Dialect::Postgres, Some(Format::CompactMonth)) => format!("to_date({column}::text, 'YYYYMM')"),
            (Dialect::Postgres, Some(Format::YearMonth)) => format!("to_date({column}, 'YYYY-MM')"),
            (Dialect::Postgres, Some(Format::Year)) => format!("make_date({column}::integer, 1, 1)"),
            (Dialect::Postgres, Some(Format::UnixSeconds)) => format!("to_timestamp({column})"),
            (Dialect::Postgres, Some(Format::UnixMilliseconds)) => format!("to_timestamp({column} / 1000.0)"),
            (Dialect::Postgres, Some(Format::DayMonthYear)) => format!("to_date({column}, 'DD MM YYYY')"),
            (Dialect::Postgres, Some(Format::MonthDayYear)) => format!("to_date({column}, 'MM DD YYYY')"),
            (Dialect::Postgres, _) if self.kind.is_temporal() => column.to_owned(),
            (Dialect::Postgres, _) => format!("{column}::timestamp"),
        }
    }

    /// The period that a time lies in.
    pub(super) fn period(self, column: &str, grain: Grain) -> String {
        if self.format == Some(Format::Year) && grain == Grain::Year {
            return column.to_owned();
        }
        if self.format == Some(Format::YearMonth) && grain == Grain::Month {
            return column.to_owned();
        }
        let moment = self.moment(column);
        match (self.dialect, grain) {
            (Dialect::Sqlite, Grain::Hour) => format!("strftime('%Y-%m-%d %H:00', {moment})"),
            (Dialect::Sqlite, Grain::Day) => format!("date({moment})"),
            (Dialect::Sqlite, Grain::Week) => format!("date({moment}, '-6 days', 'weekday 1')"),
            (Dialect::Sqlite, Grain::Month) => format!("strftime('%Y-%m', {moment})"),
            (Dialect::Sqlite, Grain::Quarter) => format!(
                "(strftime('%Y', {moment}) || '-Q' || ((CAST(strftime('%m', {moment}) AS INTEGER) + 2) / 3))"
            ),
            (Dialect::Sqlite, Grain::Year) => format!("CAST(strftime('%Y', {moment}) AS INTEGER)"),
            (Dialect::Postgres, Grain::Hour) => format!("to_char({moment}, 'YYYY-MM-DD HH24:00')"),
            (Dialect::Postgres, Grain::Day) => format!("CAST({moment} AS date)"),
            (Dialect::Postgres, Grain::Week) => format!("CAST(date_trunc('week', {moment}) AS date)"),
            (Dialect::Postgres, Grain::Month) => format!("to_char({moment}, 'YYYY-MM')"),
            (Dialect::Postgres, Grain::Quarter) => format!("to_char({moment}, 'YYYY-\"Q\"Q')"),
            (Dialect::Postgres, Grain::Year) => format!("CAST(extract(year FROM {moment}) AS integer)"),
        }
    }

    /// A part of a time.
    pub(super) fn part(self, column: &str, part: Part) -> String {
        let moment = self.moment(column);
        let (sqlite, postgres) = match part {
            Part::Hour => ("%H", "hour"),
            Part::Weekday | Part::WeekdayName => ("%w", "dow"),
            Part::DayOfMonth => ("%d", "day"),
            Part::Month | Part::Quarter => ("%m", "month"),
        };
        match (self.dialect, part) {
            (Dialect::Sqlite, Part::Quarter) => {
                format!("((CAST(strftime('{sqlite}', {moment}) AS INTEGER) + 2) / 3)")
            }
            (Dialect::Sqlite, Part::WeekdayName) => {
                let mut days = String::new();
                for (number, day) in ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
                    .iter()
                    .enumerate()
                {
                    let _ = write!(days, " WHEN '{number}' THEN '{day}'");
                }
                format!("CASE strftime('%w', {moment}){days} WHEN '6' THEN 'Saturday' END")
            }
            (Dialect::Postgres, Part::WeekdayName) => format!("to_char({moment}, 'FMDay')"),
            (Dialect::Sqlite, _) => format!("CAST(strftime('{sqlite}', {moment}) AS INTEGER)"),
            (Dialect::Postgres, Part::Quarter) => format!("CAST(extract(quarter FROM {moment}) AS integer)"),
            (Dialect::Postgres, _) => format!("CAST(extract({postgres} FROM {moment}) AS integer)"),
        }
    }

    /// A day of the question in the form in which the column keeps it, so that an index on the column serves.
    pub(super) fn bound(self, day: &str) -> Option<String> {
        let digits: String = day.chars().filter(char::is_ascii_digit).collect();
        match self.format {
            Some(Format::CompactDate) => Some(digits),
            Some(Format::CompactMonth) => digits.get(..6).map(str::to_owned),
            Some(Format::Year) => digits.get(..4).map(str::to_owned),
            Some(Format::YearMonth) => day.get(..7).map(|month| format!("'{month}'")),
            Some(
                Format::UnixSeconds | Format::UnixMilliseconds | Format::DayMonthYear | Format::MonthDayYear,
            ) => None,
            _ => Some(format!("'{day}'")),
        }
    }
}

/// How long from one moment to another, in a unit. `dates` where both are days without a time.
pub(super) fn span(dialect: Dialect, from: &str, to: &str, unit: Unit, dates: bool) -> String {
    let days = match dialect {
        Dialect::Sqlite => format!("julianday({to}) - julianday({from})"),
        // A difference of dates is a number of days, one of timestamps an interval.
        Dialect::Postgres if dates => format!("{to} - {from}"),
        Dialect::Postgres => format!("extract(epoch FROM {to} - {from}) / 86400.0"),
    };
    match unit {
        Unit::Day => format!("({days})"),
        Unit::Second | Unit::Minute | Unit::Hour => format!("(({days}) * {})", unit.in_a_day()),
        Unit::Week | Unit::Month | Unit::Year => format!("(({days}) / {})", unit.in_a_day()),
    }
}
