//! The forms that stored values have: how dates and times are written, above all.

use super::Cell;

/// A form that all values of a column share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `2024-03-31`.
    Date,
    /// `2024-03-31 17:05[:59[.123]]`, with `T` or a blank, with or without a zone.
    DateTime,
    /// `17:05[:59]`.
    Time,
    /// `2024-03`.
    YearMonth,
    /// `20240331`, as a number or as text.
    CompactDate,
    /// `202403`, as a number or as text.
    CompactMonth,
    /// `2024`.
    Year,
    /// Seconds since 1970.
    UnixSeconds,
    /// Milliseconds since 1970.
    UnixMilliseconds,
    /// `31/03/2024`: day, month, year, with `/`, `.` or `-`.
    DayMonthYear,
    /// `03/31/2024`: month, day, year, with `/`, `.` or `-`.
    MonthDayYear,
    /// An object or an array of JSON.
    Json,
    /// `a@b.c`.
    Email,
    /// `https://…`.
    Url,
}

impl Format {
    /// True for the forms of a day or a moment.
    pub fn is_temporal(self) -> bool {
        matches!(
            self,
            Self::Date
                | Self::DateTime
                | Self::CompactDate
                | Self::UnixSeconds
                | Self::UnixMilliseconds
                | Self::DayMonthYear
                | Self::MonthDayYear
        )
    }
}

/// A day as the number that its year, month and day make: 20240331.
pub type Day = u32;

/// The latest year that days are really of: later ones mean `never`.
const LATEST_YEAR: Day = 2200;

/// Finds the form that all values of a column have.
#[derive(Default)]
pub(super) struct Common {
    /// What fits all so far, best first; `None` before the first value.
    fitting: Option<Vec<Format>>,
    /// Texts that mean a missing value.
    empty: u64,
    /// The earliest day among them.
    earliest: Option<Day>,
    /// The latest day among them.
    latest: Option<Day>,
}

/// The form of the values of a column, and between which days they lie, where they are days.
pub(super) struct ColumnForm {
    pub(super) format: Option<Format>,
    pub(super) earliest: Option<Day>,
    pub(super) latest: Option<Day>,
}

impl Common {
    pub(super) fn see(&mut self, cell: Cell<'_>) {
        // Systems without NULL write 0, nothing or a row of nines where there is no date.
        if matches!(cell, Cell::Integer(0 | 99_999_999 | 99_991_231)) || cell == Cell::Text("") {
            self.empty += 1;
            return;
        }
        if self.fitting.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let day = day_of(cell);
        self.latest = self.latest.max(day);
        self.earliest = match (self.earliest, day) {
            (Some(known), Some(day)) => Some(known.min(day)),
            (known, day) => known.or(day),
        };
        let now = formats(cell);
        match &mut self.fitting {
            None => self.fitting = Some(now),
            Some(fitting) => {
                // A day is a moment without its time.
                let with_time = |format: &Format| {
                    *format == Format::DateTime && now.contains(&Format::Date)
                        || *format == Format::Date && now.contains(&Format::DateTime)
                };
                let widened = fitting.iter().any(with_time);
                fitting.retain(|format| now.contains(format));
                if widened && !fitting.contains(&Format::DateTime) && !fitting.contains(&Format::Date) {
                    fitting.push(Format::DateTime);
                }
            }
        }
    }

    /// The form, and the days where it is one of days.
    pub(super) fn common(self) -> ColumnForm {
        let format = self.fitting.and_then(|fitting| fitting.first().copied());
        let days = matches!(
            format,
            Some(Format::Date | Format::DateTime | Format::CompactDate)
        );
        ColumnForm {
            format,
            earliest: self.earliest.filter(|_| days),
            latest: self.latest.filter(|_| days),
        }
    }
}

/// The day that a value is or begins with.
fn day_of(cell: Cell<'_>) -> Option<Day> {
    let day = match cell {
        Cell::Integer(number) => Day::try_from(number).ok()?,
        Cell::Text(text) => {
            let digits = text.trim().get(..10).map(|day| day.replace('-', ""));
            digits.as_deref().unwrap_or(text.trim()).parse().ok()?
        }
        _ => return None,
    };
    (day / 10_000 <= LATEST_YEAR && is_day(i64::from(day / 100 % 100), i64::from(day % 100))).then_some(day)
}

/// The forms that a value has, the likeliest first.
fn formats(cell: Cell<'_>) -> Vec<Format> {
    match cell {
        Cell::Integer(number) => of_number(number),
        Cell::Text(text) => of_text(text.trim()),
        Cell::Null | Cell::Real(_) | Cell::Other => Vec::new(),
    }
}

fn of_number(number: i64) -> Vec<Format> {
    let mut found = Vec::new();
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    if (1800..=9999).contains(&year) && is_day(month, day) {
        found.push(Format::CompactDate);
    }
    let (year, month) = (number / 100, number % 100);
    if (1800..=2200).contains(&year) && (1..=12).contains(&month) {
        found.push(Format::CompactMonth);
    }
    if (1800..=2200).contains(&number) {
        found.push(Format::Year);
    }
    // From 1990 to 2100: smaller numbers are counted things.
    if (631_152_000..=4_102_444_800).contains(&number) {
        found.push(Format::UnixSeconds);
    }
    if (631_152_000_000..=4_102_444_800_000).contains(&number) {
        found.push(Format::UnixMilliseconds);
    }
    found
}

fn is_day(month: i64, day: i64) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

fn of_text(text: &str) -> Vec<Format> {
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else {
        return Vec::new();
    };
    if first.is_ascii_digit() {
        return of_digits(text);
    }
    if matches!(first, b'{' | b'[') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        return vec![Format::Json];
    }
    if text.contains("://") {
        return vec![Format::Url];
    }
    match text.split_once('@') {
        Some((name, host)) if !name.is_empty() && host.contains('.') && !text.contains(' ') => {
            vec![Format::Email]
        }
        _ => Vec::new(),
    }
}

fn of_digits(text: &str) -> Vec<Format> {
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| part.parse::<i64>().ok())
            .flatten()
    };
    if let Some(number) = digits(text) {
        // Text of digits may be a day or a month, hardly a count of seconds.
        let mut found = of_number(number);
        found.retain(|format| !matches!(format, Format::UnixSeconds | Format::UnixMilliseconds));
        return found;
    }
    let is_time = |time: &str| {
        let parts: Vec<&str> = time.splitn(3, ':').collect();
        parts.len() >= 2
            && parts[..2]
                .iter()
                .all(|part| (1..=2).contains(&part.len()) && digits(part).is_some())
            && parts[2..]
                .iter()
                .all(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    let (day, time) = match text.split_once([' ', 'T']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    if time.is_none() && is_time(text) {
        return vec![Format::Time];
    }
    if time.is_some_and(|time| !is_time(time)) {
        return Vec::new();
    }
    let parts: Vec<&str> = day.split(['-', '/', '.']).collect();
    let numbers: Option<Vec<i64>> = parts.iter().map(|part| digits(part)).collect();
    match numbers.as_deref() {
        Some(&[_, month, day])
            if parts[0].len() == 4
                && parts[1].len() == 2
                && parts[2].len() == 2
                && text.as_bytes()[4] == b'-' =>
        {
            if !is_day(month, day) {
                return Vec::new();
            }
            vec![if time.is_some() {
                Format::DateTime
            } else {
                Format::Date
            }]
        }
        Some(&[_, month]) if parts[0].len() == 4 && parts[1].len() == 2 && (1..=12).contains(&month) => {
            vec![Format::YearMonth]
        }
        Some(&[first, second, _]) if parts[2].len() == 4 && time.is_none() => {
            let mut found = Vec::new();
            if is_day(second, first) {
                found.push(Format::DayMonthYear);
            }
            if is_day(first, second) {
                found.push(Format::MonthDayYear);
            }
            found
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(cells: &[Cell<'_>]) -> Option<Format> {
        let mut common = Common::default();
        for cell in cells {
            common.see(*cell);
        }
        common.common().format
    }

    #[test]
    fn forms_are_known() {
        use Cell::{Integer, Text};
        for (cells, expected) in [
            (&[Text("2024-03-31"), Text("2024-12-01")][..], Some(Format::Date)),
            (
                &[Text("2024-03-31"), Text("2024-12-01 10:00")],
                Some(Format::DateTime),
            ),
            (&[Text("2025-05-30T18:04:54Z")], Some(Format::DateTime)),
            (
                &[Text("31.03.2024"), Text("01.02.2024")],
                Some(Format::DayMonthYear),
            ),
            (&[Text("3/31/2024"), Text("1/2/2024")], Some(Format::MonthDayYear)),
            (&[Integer(20_240_331), Integer(0)], Some(Format::CompactDate)),
            (&[Integer(202_403)], Some(Format::CompactMonth)),
            (&[Integer(1_711_843_200)], Some(Format::UnixSeconds)),
            (&[Integer(2024), Integer(1999)], Some(Format::Year)),
            (&[Integer(2024), Integer(7)], None),
            (&[Text("2024-03")], Some(Format::YearMonth)),
            (&[Text("09:15")], Some(Format::Time)),
            (&[Text("{\"a\": 1}")], Some(Format::Json)),
            (&[Text("ann@shop.example")], Some(Format::Email)),
            (&[Text("1.5.2")], None),
            (&[Text("Ann")], None),
        ] {
            assert_eq!(common(cells), expected, "{cells:?}");
        }
    }
}
