//! Days, months, years and spans beside today.

use time::{Date, Duration, Month};

use super::{
    super::question::{MONTHS, TokenKind},
    periods::{Period, Reader, grain_of},
};
use crate::question::semantic::Grain;

impl Reader<'_> {
    pub(super) fn is_bare_number(&self, at: usize) -> bool {
        matches!(self.tokens[at].kind, TokenKind::Number(_))
    }

    /// True for a number that may be a year though no word says so: nothing before it says what it counts.
    pub(super) fn may_stand_alone(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let money = at.checked_sub(1).map(|before| &self.tokens[before].kind);
        !self.is_amount(at)
            && !matches!(money, Some(TokenKind::Mark('€' | '$' | '£')))
            && !matches!(
                before,
                "than"
                    | "over"
                    | "above"
                    | "under"
                    | "below"
                    | "least"
                    | "most"
                    | "exactly"
                    | "top"
                    | "shipment"
                    | "order"
                    | "number"
                    | "no"
                    | "id"
                    | "by"
            )
    }

    /// `gifts of 2000 or more`, `2000 euros`: no year.
    pub(super) fn is_amount(&self, at: usize) -> bool {
        let currency = matches!(
            self.word(at + 1),
            "euro" | "euros" | "eur" | "dollar" | "dollars" | "usd" | "pound" | "pounds" | "gbp" | "chf"
        );
        currency
            || self.word(at + 1) == "or"
                && matches!(
                    self.word(at + 2),
                    "more" | "less" | "above" | "over" | "higher" | "fewer" | "lower" | "below"
                )
    }

    /// `in October`: the last one that has begun. Some months are other words too, where nothing tells.
    fn bare_month(&self, at: usize) -> Option<Period> {
        let month = month_of(self.word(at))?;
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let tells = matches!(
            before,
            "in" | "of"
                | "for"
                | "during"
                | "since"
                | "last"
                | "until"
                | "before"
                | "after"
                | "from"
                | "between"
                | "and"
                | "to"
        );
        let is_word = matches!(self.word(at), "may" | "march" | "mar" | "jan");
        if is_word && !tells {
            return None;
        }
        let begun = u8::from(month) <= u8::from(self.today.month());
        months_from(self.today.year() - i32::from(!begun), u8::from(month), 1)
    }

    /// `15`, `1 June`: a day whose year is said later.
    pub(super) fn bare_day(&self, at: usize) -> Option<(u8, Option<Month>, usize)> {
        let number = |at: usize| match &self.tokens.get(at)?.kind {
            TokenKind::Number(number) => number.parse::<u8>().ok(),
            TokenKind::Ordinal(number) => u8::try_from(*number).ok(),
            _ => None,
        };
        if let Some(day) = number(at).filter(|day| (1..=31).contains(day)) {
            let of = usize::from(self.word(at + 1) == "of");
            return Some(match month_of(self.word(at + of + 1)) {
                Some(month) => (day, Some(month), at + of + 2),
                None => (day, None, at + 1),
            });
        }
        let month = month_of(self.word(at))?;
        let day = number(at + 1).filter(|day| (1..=31).contains(day))?;
        Some((day, Some(month), at + 2))
    }

    /// A day, a month, a quarter, a half, a year, or a period that is told from today.
    pub(super) fn point(&self, at: usize) -> Option<(Period, usize)> {
        if let Some(used) = self.any(at, &["the"]) {
            return self.point(at + used);
        }
        for (phrase, first, months) in [
            ("first half of", 1, 6),
            ("second half of", 7, 6),
            ("first quarter of", 1, 3),
            ("second quarter of", 4, 3),
            ("third quarter of", 7, 3),
            ("fourth quarter of", 10, 3),
            ("last quarter of", 10, 3),
            ("q1", 1, 3),
            ("q2", 4, 3),
            ("q3", 7, 3),
            ("q4", 10, 3),
            ("h1", 1, 6),
            ("h2", 7, 6),
            ("end of", 12, 1),
        ] {
            if let Some(used) = self.words(at, phrase) {
                let of = self.any(at + used, &["of"]).unwrap_or(0);
                // `between now and the end of the month`
                if phrase == "end of" && self.year(at + used).is_none() {
                    return self.last_day_of(at);
                }
                let year = self.year(at + used + of)?;
                return Some((months_from(year, first, months)?, at + used + of + 1));
            }
        }
        if let Some((ordinal, used)) = self.ordinal(at)
            && self.words(at + used, "quarter of").is_some()
            && (1..=4).contains(&ordinal)
        {
            let year = self.year(at + used + 2)?;
            return Some((months_from(year, (ordinal * 3 - 2) as u8, 3)?, at + used + 3));
        }
        if let Some((period, used)) = self.relative(at) {
            return Some((period, at + used));
        }
        if let Some(found) = self.in_other_words(at) {
            return Some(found);
        }
        let token = self.tokens.get(at)?;
        let period = match &token.kind {
            TokenKind::Date(day) => {
                let day = date(day)?;
                Period::closed(day, day.next_day()?)
            }
            TokenKind::Month(month) => {
                let first = date(&format!("{month}-01"))?;
                months_from(first.year(), u8::from(first.month()), 1)?
            }
            _ => match self.bare_month(at) {
                Some(month) => month,
                None => months_from(self.year(at)?, 1, 12)?,
            },
        };
        Some((period, at + 1))
    }

    /// The last day of what ends here, where it is a limit: `between now and the end of January`.
    fn last_day_of(&self, at: usize) -> Option<(Period, usize)> {
        let led = at.checked_sub(1 + usize::from(at > 0 && self.word(at - 1) == "the"))?;
        if !matches!(self.word(led), "and" | "to" | "until" | "till" | "through") {
            return None;
        }
        let (whole, end) = self.point(at + 2)?;
        let to = whole.to?;
        Some((Period::closed(to.previous_day()?, to), end))
    }

    pub(super) fn ordinal(&self, at: usize) -> Option<(u64, usize)> {
        match &self.tokens.get(at)?.kind {
            TokenKind::Ordinal(number) => Some((*number, 1)),
            _ => None,
        }
    }

    pub(super) fn year(&self, at: usize) -> Option<i32> {
        match &self.tokens.get(at)?.kind {
            TokenKind::Number(number) if number.len() == 4 => {
                number.parse().ok().filter(|year| (1900..=2100).contains(year))
            }
            _ => None,
        }
    }

    /// `last month`, `the past 30 days`, `this year`, `yesterday`.
    pub(super) fn relative(&self, at: usize) -> Option<(Period, usize)> {
        let word = self.word(at);
        match word {
            "today" => return Some((Period::closed(self.today, self.today.next_day()?), 1)),
            // `between now and the end of the year`
            "now" if at > 0 && matches!(self.word(at - 1), "between" | "from") => {
                return Some((Period::closed(self.today, self.today.next_day()?), 1));
            }
            "yesterday" => return Some((Period::closed(self.today.previous_day()?, self.today), 1)),
            _ => {}
        }
        let step = match word {
            "last" | "past" | "previous" => 1,
            "this" | "current" => 0,
            "next" | "coming" => -1,
            _ => return None,
        };
        let count = match &self.tokens.get(at + 1)?.kind {
            TokenKind::Number(number) => number.parse::<i32>().ok().filter(|count| *count <= 1000),
            TokenKind::Word(Some(number)) => i32::try_from(*number).ok(),
            _ => None,
        };
        let noun = at + 1 + usize::from(count.is_some());
        let grain = grain_of(self.word(noun))?;
        let used = noun + 1 - at;
        if let Some(count) = count {
            if step == 0 {
                return None;
            }
            let end = self.today.next_day()?;
            if step < 0 {
                let last = match grain {
                    Grain::Day => self.today + Duration::days(i64::from(count)),
                    Grain::Week => self.today + Duration::weeks(i64::from(count)),
                    Grain::Month => months_back(self.today, -count)?,
                    Grain::Quarter => months_back(self.today, -count * 3)?,
                    Grain::Year => months_back(self.today, -count * 12)?,
                    Grain::Hour => return None,
                };
                return Some((Period::closed(self.today, last.next_day()?), used));
            }
            // Where a month has just ended, whole months are meant.
            if end.day() == 1 && matches!(grain, Grain::Month | Grain::Quarter | Grain::Year) {
                let months = match grain {
                    Grain::Quarter => count * 3,
                    Grain::Year => count * 12,
                    _ => count,
                };
                return Some((Period::closed(months_back(end, months)?, end), used));
            }
            let start = match grain {
                Grain::Day => self.today - Duration::days(i64::from(count)),
                Grain::Week => self.today - Duration::weeks(i64::from(count)),
                Grain::Month => months_back(self.today, count)?,
                Grain::Quarter => months_back(self.today, count * 3)?,
                Grain::Year => months_back(self.today, count * 12)?,
                Grain::Hour => return None,
            };
            return Some((Period::closed(start, end), used));
        }
        Some((self.around(grain, step)?, used))
    }

    /// The period of a length that today lies in, or the one so many before it.
    pub(super) fn around(&self, grain: Grain, step: i32) -> Option<Period> {
        let (year, month) = (self.today.year(), u8::from(self.today.month()));
        Some(match grain {
            Grain::Year => months_from(year - step, 1, 12)?,
            Grain::Quarter => {
                let first =
                    Date::from_calendar_date(year, Month::try_from((month - 1) / 3 * 3 + 1).ok()?, 1).ok()?;
                let first = months_back(first, 3 * step)?;
                months_from(first.year(), u8::from(first.month()), 3)?
            }
            Grain::Month => {
                let first = months_back(Date::from_calendar_date(year, self.today.month(), 1).ok()?, step)?;
                months_from(first.year(), u8::from(first.month()), 1)?
            }
            Grain::Week => {
                let monday =
                    self.today - Duration::days(i64::from(self.today.weekday().number_days_from_monday()));
                let monday = monday - Duration::weeks(i64::from(step));
                Period::closed(monday, monday + Duration::weeks(1))
            }
            Grain::Day | Grain::Hour => return None,
        })
    }
}

pub(super) fn month_of(word: &str) -> Option<Month> {
    let at = MONTHS.iter().position(|month| {
        *month == word
            || (word.len() == 3 && month.starts_with(word))
            || word == "sept" && *month == "september"
    })?;
    Month::try_from(at as u8 + 1).ok()
}

pub(super) fn date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let year = parts.next()?.parse().ok()?;
    let month = Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
    Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok()
}

pub(super) fn months_from(year: i32, month: u8, months: i32) -> Option<Period> {
    let first = Date::from_calendar_date(year, Month::try_from(month).ok()?, 1).ok()?;
    Some(Period::closed(first, months_back(first, -months)?))
}

/// The same day so many months before, or the last one of that month.
pub(super) fn months_back(day: Date, months: i32) -> Option<Date> {
    let number = day.year() * 12 + i32::from(u8::from(day.month())) - 1 - months;
    let month = Month::try_from(u8::try_from(number.rem_euclid(12)).ok()? + 1).ok()?;
    let year = number.div_euclid(12);
    let last = month.length(year);
    Date::from_calendar_date(year, month, day.day().min(last)).ok()
}
