//! Days and dates of the Gregorian calendar, counted as PostgreSQL does.

/// Days from 1970-01-01 to 2000-01-01.
pub(crate) const EPOCH_DAYS: i64 = 10_957;

/// Days since 2000-01-01, by Howard Hinnant's `days_from_civil` with years that begin in March.
pub(crate) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468 - EPOCH_DAYS
}

/// Year, month and day of days since 2000-01-01.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + EPOCH_DAYS + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// How many days a month has.
pub(crate) fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The first and the last day that PostgreSQL's `date` has, and the last of a `timestamp`.
pub(crate) const FIRST_DAY: i64 = -2_451_545;
pub(crate) const LAST_DAY: i64 = 2_145_031_948;
pub(crate) const LAST_DAY_OF_TIMESTAMPS: i64 = 106_751_982;

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
