//! Days, months, years and spans beside today.

use jiff::{Span, ToSpan, civil::Date};

use super::{
    super::{
        lacking::first_of_decade,
        question::{MONTHS, TokenKind},
    },
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
        let begun = month <= self.today.month();
        months_from(self.today.year() - i16::from(!begun), month, 1)
    }

    /// `15`, `1 June`: a day whose year is said later.
    pub(super) fn bare_day(&self, at: usize) -> Option<(i8, Option<i8>, usize)> {
        let number = |at: usize| match &self.tokens.get(at)?.kind {
            TokenKind::Number(number) => number.parse::<i8>().ok(),
            TokenKind::Ordinal(number) => i8::try_from(*number).ok(),
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
            return Some((months_from(year, (ordinal * 3 - 2) as i8, 3)?, at + used + 3));
        }
        if let Some((period, used)) = self.relative(at) {
            return Some((period, at + used));
        }
        if let Some(found) = self.in_other_words(at) {
            return Some(found);
        }
        // `in the 1990s`, `the eighties`; `in their thirties` tells an age.
        let the = at > 0 && self.word(at - 1) == "the";
        if let Some(first) = first_of_decade(self.word(at)).filter(|_| the || self.word(at).len() > 4)
            && (the || self.word(at).starts_with(|digit: char| digit.is_ascii_digit()))
        {
            return Some((months_from(first, 1, 120)?, at + 1));
        }
        let token = self.tokens.get(at)?;
        let period = match &token.kind {
            TokenKind::Date(day) => {
                let day: Date = day.parse().ok()?;
                Period::closed(day, day.tomorrow().ok()?)
            }
            TokenKind::Month(month) => {
                let first: Date = format!("{month}-01").parse().ok()?;
                months_from(first.year(), first.month(), 1)?
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
        Some((Period::closed(to.yesterday().ok()?, to), end))
    }

    pub(super) fn ordinal(&self, at: usize) -> Option<(u64, usize)> {
        match &self.tokens.get(at)?.kind {
            TokenKind::Ordinal(number) => Some((*number, 1)),
            _ => None,
        }
    }

    pub(super) fn year(&self, at: usize) -> Option<i16> {
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
            "today" => return Some((Period::closed(self.today, self.today.tomorrow().ok()?), 1)),
            // `between now and the end of the year`
            "now" if at > 0 && matches!(self.word(at - 1), "between" | "from") => {
                return Some((Period::closed(self.today, self.today.tomorrow().ok()?), 1));
            }
            "tomorrow" => {
                let day = self.today.tomorrow().ok()?;
                return Some((Period::closed(day, day.tomorrow().ok()?), 1));
            }
            "yesterday" => return Some((Period::closed(self.today.yesterday().ok()?, self.today), 1)),
            _ => {}
        }
        let step = match word {
            "last" | "past" | "previous" => 1,
            "this" | "current" => 0,
            "next" | "coming" => -1,
            _ => return None,
        };
        let count = match &self.tokens.get(at + 1)?.kind {
            TokenKind::Number(number) => number.parse::<i64>().ok().filter(|count| *count <= 1000),
            TokenKind::Word(Some(number)) => i64::try_from(*number).ok(),
            _ => None,
        };
        let noun = at + 1 + usize::from(count.is_some());
        let grain = grain_of(self.word(noun))?;
        let used = noun + 1 - at;
        if let Some(count) = count {
            if step == 0 {
                return None;
            }
            let length = length_of(grain, count)?;
            if step < 0 {
                let last = self.today.checked_add(length).ok()?;
                return Some((Period::closed(self.today, last.tomorrow().ok()?), used));
            }
            let end = self.today.tomorrow().ok()?;
            // Where a month has just ended, whole months are meant.
            let whole = end.day() == 1 && matches!(grain, Grain::Month | Grain::Quarter | Grain::Year);
            let day = if whole { end } else { self.today };
            return Some((Period::closed(day.checked_sub(length).ok()?, end), used));
        }
        Some((self.around(grain, step)?, used))
    }

    /// The period of a length that today lies in, or the one so many before it.
    pub(super) fn around(&self, grain: Grain, step: i64) -> Option<Period> {
        let today = self.today;
        let first = match grain {
            Grain::Year => today.first_of_year(),
            Grain::Quarter => Date::new(today.year(), (today.month() - 1) / 3 * 3 + 1, 1).ok()?,
            Grain::Month => today.first_of_month(),
            Grain::Week => {
                let passed = today.weekday().to_monday_zero_offset();
                today.checked_sub(passed.days()).ok()?
            }
            Grain::Day | Grain::Hour => return None,
        };
        let first = first.checked_sub(length_of(grain, step)?).ok()?;
        Some(Period::closed(
            first,
            first.checked_add(length_of(grain, 1)?).ok()?,
        ))
    }
}

/// True for the name of a month, or its first three letters.
pub(crate) fn is_month(word: &str) -> bool {
    month_of(word).is_some()
}

/// The number of a month by its name.
pub(super) fn month_of(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|month| {
        *month == word
            || (word.len() == 3 && month.starts_with(word))
            || word == "sept" && *month == "september"
    })?;
    i8::try_from(at + 1).ok()
}

pub(super) fn months_from(year: i16, month: i8, months: i32) -> Option<Period> {
    let first = Date::new(year, month, 1).ok()?;
    Some(Period::closed(first, first.checked_add(months.months()).ok()?))
}

/// So many days, weeks, months, quarters or years.
pub(super) fn length_of(grain: Grain, count: i64) -> Option<Span> {
    match grain {
        Grain::Day => Span::new().try_days(count),
        Grain::Week => Span::new().try_weeks(count),
        Grain::Month => Span::new().try_months(count),
        Grain::Quarter => Span::new().try_months(count.checked_mul(3)?),
        Grain::Year => Span::new().try_years(count),
        Grain::Hour => return None,
    }
    .ok()
}
