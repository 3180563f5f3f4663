//! Days and dates of the Gregorian calendar, counted as PostgreSQL does, and the days that it has.

use jiff::{ToSpan, civil::Date};

use super::ValueError;

/// Days from 1970-01-01 to 2000-01-01.
pub(crate) const EPOCH_DAYS: i64 = 10_957;

/// The months in English, in order.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// After so many days the calendar comes again, which is 400 years.
const CYCLE_DAYS: i64 = 146_097;
const CYCLE_YEARS: i64 = 400;

/// The first day of a month in the years of the calendar that begin with 2000: `jiff` has those of four digits alone. Months
/// above 12 are of later years.
fn first_of(year: i64, month: i64) -> (i64, Date) {
    let months = year.saturating_mul(12).saturating_add(month - 1);
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let date = Date::new(2000 + year.rem_euclid(CYCLE_YEARS) as i16, month as i8, 1);
    (year.div_euclid(CYCLE_YEARS), date.unwrap_or_default())
}

/// 2000-01-01.
const EPOCH: Date = jiff::civil::date(2000, 1, 1);

/// Days since 2000-01-01.
pub(crate) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let (cycles, first) = first_of(year, month);
    let within = first.duration_since(EPOCH).as_hours() / 24;
    // 2000 itself is the sixth.
    (cycles - 5)
        .saturating_mul(CYCLE_DAYS)
        .saturating_add(within + day - 1)
}

/// Year, month and day of days since 2000-01-01.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let within = days.rem_euclid(CYCLE_DAYS);
    let date = EPOCH.saturating_add(within.days());
    let year = i64::from(date.year()) + days.div_euclid(CYCLE_DAYS) * CYCLE_YEARS;
    (year, date.month().into(), date.day().into())
}

/// How many days a month has.
pub(crate) fn days_in(year: i64, month: i64) -> i64 {
    first_of(year, month).1.days_in_month().into()
}

/// The Julian day of 2000-01-01.
pub(crate) const JULIAN_EPOCH: i64 = 2_451_545;
/// The first and the last day that PostgreSQL's `date` has, and the last of a `timestamp`.
pub(crate) const FIRST_DAY: i64 = -JULIAN_EPOCH;
pub(crate) const LAST_DAY: i64 = 2_145_031_948;
pub(crate) const LAST_DAY_OF_TIMESTAMPS: i64 = 106_751_982;

/// The last microsecond of a `timestamp`, and the first.
pub(crate) const LAST_TIMESTAMP: i64 = (LAST_DAY_OF_TIMESTAMPS + 1) * DAY - 1;
pub(crate) const FIRST_TIMESTAMP: i64 = FIRST_DAY * DAY;

/// Microseconds of a second and of a day.
pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;

/// True for what stands for `infinity` and `-infinity`.
pub(crate) fn is_endless(count: i64) -> bool {
    matches!(count, i64::MIN | i64::MAX)
}

/// Fails for a day that no `date` is; what is out of range is told by `shown`.
pub(crate) fn check_day(days: i64, shown: impl FnOnce() -> String) -> Result<i64, ValueError> {
    if is_endless(days) || (FIRST_DAY..=LAST_DAY).contains(&days) {
        return Ok(days);
    }
    Err(ValueError::new("22008", shown()))
}

/// Fails for a moment that no `timestamp` is; what is out of range is told by `shown`.
pub(crate) fn check_timestamp(micros: i64, shown: impl FnOnce() -> String) -> Result<i64, ValueError> {
    if is_endless(micros) || (FIRST_TIMESTAMP..=LAST_TIMESTAMP).contains(&micros) {
        return Ok(micros);
    }
    Err(ValueError::new("22008", shown()))
}

/// What years before the first are counted from in a text.
const BEFORE: i64 = 9_999_999;

/// A day as a SQLite file keeps it. Texts sort as the days do: `/` stands before all digits and `:` behind them, and
/// years before the first are counted from -9,999,999, so that they grow. `infinity` and `-infinity` fit in.
pub(crate) fn kept_date(days: i64) -> String {
    match days {
        i64::MIN => "-infinity".to_owned(),
        i64::MAX => "infinity".to_owned(),
        _ => match civil(days) {
            (year @ 1..=9999, month, day) => format!("{year:04}-{month:02}-{day:02}"),
            (year @ 10_000.., month, day) => format!(":{year:07}-{month:02}-{day:02}"),
            (year, month, day) => format!("/{:07}-{month:02}-{day:02}", BEFORE + year),
        },
    }
}

/// A day as PostgreSQL shows it, and what it puts behind it: behind the time too, where one follows.
pub(crate) fn shown_date(days: i64) -> (String, &'static str) {
    let (year, month, day) = civil(days);
    let (year, era) = if year > 0 { (year, "") } else { (1 - year, " BC") };
    (format!("{year:04}-{month:02}-{day:02}"), era)
}

/// The day at the beginning of a text that [`kept_date`] wrote, and the rest; `None` for another text.
pub(crate) fn split_kept(text: &str) -> Option<(i64, &str)> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().ok())
            .flatten()
    };
    let (year, at) = match text.as_bytes().first()? {
        b':' => (number(1, 8)?, 8),
        b'/' => (number(1, 8)? - BEFORE, 8),
        _ => (number(0, 4)?, 4),
    };
    let (month, day) = (number(at + 1, at + 3)?, number(at + 4, at + 6)?);
    let bytes = text.as_bytes();
    let is_there = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    (is_there && bytes[at] == b'-' && bytes[at + 3] == b'-')
        .then(|| (days_of(year, month, day), &text[at + 6..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_both_ways() {
        for (date, days) in [
            ((2000, 1, 1), 0),
            ((1999, 12, 31), -1),
            ((2000, 2, 29), 59),
            ((2024, 2, 29), 8_825),
            ((1970, 1, 1), -EPOCH_DAYS),
            ((-4713, 11, 24), FIRST_DAY),
            ((5_874_897, 12, 31), LAST_DAY),
            ((294_276, 12, 31), LAST_DAY_OF_TIMESTAMPS),
        ] {
            let (year, month, day) = date;
            assert_eq!(days_of(year, month, day), days);
            assert_eq!(civil(days), date);
        }
        assert_eq!([days_in(1900, 2), days_in(2000, 2), days_in(-4, 2)], [28, 29, 29]);
        assert_eq!(days_of(2023, 14, 1), days_of(2024, 2, 1));
        for days in -800_000..800_000 {
            let (year, month, day) = civil(days);
            assert_eq!(days_of(year, month, day), days);
        }
    }

    #[test]
    fn kept_dates_sort_as_days_do() {
        let mut last = kept_date(i64::MIN);
        let some = (FIRST_DAY..LAST_DAY).step_by(99_991);
        let turns = [
            (-1, 12, 31),
            (0, 12, 31),
            (1, 1, 1),
            (9999, 12, 31),
            (10_000, 1, 1),
        ];
        let mut days: Vec<i64> = some.chain(turns.map(|(y, m, d)| days_of(y, m, d))).collect();
        days.sort_unstable();
        for day in days {
            let text = kept_date(day);
            assert!(last < text, "{last} {text}");
            assert_eq!(split_kept(&text), Some((day, "")), "{text}");
            last = text;
        }
        assert!(last < kept_date(i64::MAX));
        assert_eq!(kept_date(FIRST_DAY), "/9995286-11-24");
        assert_eq!(kept_date(LAST_DAY), ":5874897-12-31");
        assert_eq!(shown_date(days_of(-43, 3, 15)), ("0044-03-15".to_owned(), " BC"));
        assert_eq!(split_kept("2024-02-30"), None);
        assert_eq!(split_kept("2024"), None);
    }
}
