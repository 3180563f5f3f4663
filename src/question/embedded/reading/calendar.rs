//! Periods in other words: seasons, days and months whose year is not said, the same months of another year, the one before.

use jiff::{ToSpan, civil::Date};

use super::{
    super::question::TokenKind,
    moments::{length_of, month_of, months_from},
    periods::{Period, Reader, grain_of},
};
use crate::question::semantic::Grain;

/// Seasons with their first months.
const SEASONS: [(&str, i8); 5] = [
    ("spring", 3),
    ("summer", 6),
    ("autumn", 9),
    ("fall", 9),
    ("winter", 12),
];

/// Words for a part of a year that another year has as well.
const SAME: [&str; 12] = [
    "month", "months", "period", "time", "quarter", "week", "weeks", "stretch", "span", "days", "season",
    "term",
];

impl Reader<'_> {
    /// A period that a phrase names, with where it ends.
    pub(super) fn in_other_words(&self, at: usize) -> Option<(Period, usize)> {
        self.season(at)
            .or_else(|| self.bare_quarter(at))
            .or_else(|| self.same(at))
            .or_else(|| self.one_before(at))
            .or_else(|| self.part_of(at))
            .or_else(|| self.first_of(at))
            .or_else(|| self.bare_date(at))
            .or_else(|| self.this_one(at))
    }

    /// `summer 2026`, `last autumn`, `in winter`: the last one that has begun.
    fn season(&self, at: usize) -> Option<(Period, usize)> {
        let led = usize::from(matches!(self.word(at), "this" | "last"));
        let name = self.word(at + led);
        let (_, first) = SEASONS.iter().find(|(season, _)| *season == name)?;
        let mut end = at + led + 1;
        end += usize::from(self.word(end) == "term");
        let of = usize::from(self.word(end) == "of");
        if let Some(year) = self.year(end + of) {
            return Some((months_from(year, *first, 3)?, end + of + 1));
        }
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        if led == 0 && !matches!(before, "in" | "during" | "since" | "over") {
            return None;
        }
        let this = months_from(self.today.year(), *first, 3)?;
        let begun = this.from? <= self.today;
        let period = if begun {
            this
        } else {
            months_from(self.today.year() - 1, *first, 3)?
        };
        Some((period, end))
    }

    /// `in Q3`: the last one that has begun.
    fn bare_quarter(&self, at: usize) -> Option<(Period, usize)> {
        let number: i8 = self.word(at).strip_prefix('q')?.parse().ok()?;
        if !(1..=4).contains(&number) {
            return None;
        }
        let begun = (number - 1) * 3 < self.today.month();
        let year = self.today.year() - i16::from(!begun);
        Some((months_from(year, number * 3 - 2, 3)?, at + 1))
    }

    /// `the same month last year`, of the period that was named before.
    fn same(&self, at: usize) -> Option<(Period, usize)> {
        let led = usize::from(self.word(at) == "same");
        if led == 1 && !SAME.contains(&self.word(at + 1)) {
            return None;
        }
        let mut end = if led == 1 { at + 2 } else { at };
        if led == 1 {
            end += self
                .any(end, &["of the", "of", "in the", "in", "from"])
                .unwrap_or(0);
        }
        let earlier = self.any(
            end,
            &[
                "a year ago",
                "a year earlier",
                "a year before",
                "one year ago",
                "one year earlier",
                "the year before",
                "the previous year",
            ],
        );
        let named = self.year(end).filter(|_| led == 1);
        if named.is_none() && earlier.is_none() {
            return None;
        }
        let known = self.named_before(at)?;
        let (from, to) = (known.from?, known.to?);
        let year = named.unwrap_or(from.year() - 1);
        let end = end + earlier.unwrap_or(1);
        // What is not over yet is compared as far as it has come.
        let tomorrow = self.today.tomorrow().ok()?;
        let to = if led == 1 && from <= self.today && to > tomorrow {
            tomorrow
        } else {
            to
        };
        Some((Period::closed(from, to).in_year(year)?, end))
    }

    /// `the month before`, of the period that was named before.
    fn one_before(&self, at: usize) -> Option<(Period, usize)> {
        let grain = grain_of(self.word(at)).filter(|_| !self.word(at).ends_with('s'))?;
        if !matches!(self.word(at + 1), "before" | "earlier") || self.point(at + 2).is_some() {
            return None;
        }
        let known = self.named_before(at)?;
        let (from, to) = (known.from?, known.to?);
        let length = length_of(grain, 1).filter(|_| grain != Grain::Day)?;
        let back = |day: Date| day.checked_sub(length).ok();
        Some((Period::closed(back(from)?, back(to)?), at + 2))
    }

    /// The last period that is named before a place.
    fn named_before(&self, at: usize) -> Option<Period> {
        let before = Reader {
            tokens: &self.tokens[..at],
            today: self.today,
        };
        let (mut start, mut found) = (0, None);
        while start < at {
            match before.span(start) {
                Some((period, end)) if end <= at => (found, start) = (Some(period), end),
                _ => start += 1,
            }
        }
        found
    }

    /// `the first two weeks of November`, `the last 10 days of 2025`.
    fn part_of(&self, at: usize) -> Option<(Period, usize)> {
        let first = match self.word(at) {
            "first" => true,
            "last" => false,
            _ => return None,
        };
        let count = match &self.tokens.get(at + 1)?.kind {
            TokenKind::Number(number) => number.parse::<i64>().ok().filter(|count| *count <= 100),
            TokenKind::Word(Some(number)) => i64::try_from(*number).ok(),
            _ => None,
        };
        let noun = at + 1 + usize::from(count.is_some());
        let grain = grain_of(self.word(noun))?;
        let count = match grain {
            Grain::Day => count?,
            Grain::Week => count.unwrap_or(1),
            _ => return None,
        };
        let length = length_of(grain, count)?;
        if self.word(noun + 1) != "of" {
            return None;
        }
        let (whole, end) = self.point(noun + 2)?;
        let (from, to) = (whole.from?, whole.to?);
        let part = if first {
            Period::closed(from, from.checked_add(length).ok()?)
        } else {
            Period::closed(to.checked_sub(length).ok()?, to)
        };
        Some((part, end))
    }

    /// `the first of June 2026`.
    fn first_of(&self, at: usize) -> Option<(Period, usize)> {
        if self.word(at) != "first" || self.word(at + 1) != "of" {
            return None;
        }
        let first: Date = match &self.tokens.get(at + 2)?.kind {
            TokenKind::Month(month) => format!("{month}-01").parse().ok()?,
            _ => self.begun(1, month_of(self.word(at + 2))?)?,
        };
        Some((Period::closed(first, first.tomorrow().ok()?), at + 3))
    }

    /// `24 November`, `May 3rd`: the last one that has begun.
    fn bare_date(&self, at: usize) -> Option<(Period, usize)> {
        let (day, month, end) = self.bare_day(at)?;
        let month_first = month_of(self.word(at)).is_some();
        if month_first && !matches!(self.tokens.get(at + 1)?.kind, TokenKind::Ordinal(_)) {
            return None;
        }
        let day = self.begun(day, month?)?;
        Some((Period::closed(day, day.tomorrow().ok()?), end))
    }

    /// A day of the last year in which it has begun.
    fn begun(&self, day: i8, month: i8) -> Option<Date> {
        let this = Date::new(self.today.year(), month, day).ok()?;
        if this <= self.today {
            return Some(this);
        }
        Date::new(self.today.year() - 1, month, day).ok()
    }

    /// `the end of the year`: of this one.
    fn this_one(&self, at: usize) -> Option<(Period, usize)> {
        let grain = grain_of(self.word(at)).filter(|_| !self.word(at).ends_with('s'))?;
        let led = at >= 3 && self.word(at - 1) == "the" && self.word(at - 2) == "of";
        // The day of the week is no day of this one.
        let led = led
            && matches!(
                self.word(at - 3),
                "start" | "beginning" | "end" | "rest" | "course"
            );
        led.then(|| self.around(grain, 0))
            .flatten()
            .map(|period| (period, at + 1))
    }
}

impl Period {
    /// The same days of another year.
    pub(super) fn in_year(self, year: i16) -> Option<Self> {
        let (from, to) = (self.from?, self.to?);
        let years = (from.year() - year).years();
        Some(Self::closed(
            from.checked_sub(years).ok()?,
            to.checked_sub(years).ok()?,
        ))
    }

    /// The year that it is the whole of.
    pub(super) fn whole_year(self) -> Option<i16> {
        let (from, to) = (self.from?, self.to?);
        (from.day_of_year() == 1 && to.day_of_year() == 1 && to.year() == from.year() + 1)
            .then(|| from.year())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        super::question::tokens,
        periods::{Temporal, temporal},
    };

    /// The periods that a question names, the day behind the last one told.
    fn periods(question: &str) -> String {
        let today = jiff::civil::date(2026, 11, 24);
        let tokens = tokens(question, today);
        let (mut at, mut found) = (0, Vec::new());
        while at < tokens.len() {
            match temporal(&tokens, at, today) {
                Some((Temporal::During(period), used)) => {
                    let (from, to) = period.bounds();
                    found.push(format!(
                        "{}..{}",
                        from.unwrap_or_default(),
                        to.unwrap_or_default()
                    ));
                    at += used;
                }
                Some((_, used)) => at += used,
                None => at += 1,
            }
        }
        found.join(" ")
    }

    #[test]
    fn periods_are_read_in_other_words() {
        for (question, expected) in [
            ("sales in summer 2025", "2025-06-01..2025-09-01"),
            ("visits in autumn", "2026-09-01..2026-12-01"),
            ("visits in winter", "2025-12-01..2026-03-01"),
            ("stays from June to August", "2026-06-01..2026-09-01"),
            ("stays Sept-Nov", "2026-09-01..2026-12-01"),
            ("stays Jan-Oct 2025", "2025-01-01..2025-11-01"),
            ("tasks due in the next 60 days", "2026-11-24..2027-01-24"),
            ("tasks due next month", "2026-12-01..2027-01-01"),
            ("leases starting next month", "2026-12-01..2027-01-01"),
            ("leases starting this month", "2026-11-01..2026-12-01"),
            ("income starting January 2025", "2025-01-01.."),
            (
                "visits between 24 November and 10 January",
                "2026-11-24..2027-01-11",
            ),
            ("visits of 9 to 15 November", "2026-11-09..2026-11-16"),
            ("leases that end before the end of 2027", "..2028-01-01"),
            ("leases that end before the end of the year", "..2027-01-01"),
            ("new tickets since the start of the year", "2026-01-01.."),
            ("not checked since the first of June 2026", "2026-06-01.."),
            ("usage in the first two weeks of March", "2026-03-01..2026-03-15"),
            ("income from 2025 onwards", "2025-01-01.."),
            (
                "sales last month and the same month a year ago",
                "2026-10-01..2026-11-01 2025-10-01..2025-11-01",
            ),
            (
                "sales this year against the same period last year",
                "2026-01-01..2027-01-01 2025-01-01..2025-11-25",
            ),
            (
                "orders last month and the month before",
                "2026-10-01..2026-11-01 2026-09-01..2026-10-01",
            ),
            ("gifts by day of the week", ""),
            ("the 5 biggest rooms", ""),
            ("how many days before the show", ""),
        ] {
            assert_eq!(periods(question), expected, "{question}");
        }
    }
}
