//! Expressions of time: spans between two days, lengths of periods, parts of a day or week that come again.

use jiff::{ToSpan, civil::Date};

use super::{
    super::question::{Token, TokenKind},
    moments::month_of,
};
use crate::question::semantic::{Grain, Part};

/// A span of days: from the first on, and before the second; open where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Period {
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
}

/// What an expression of time says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Temporal {
    /// In these days.
    During(Period),
    /// Something for each period of a length.
    Each(Grain),
    /// A length of time that is named; what for is told by what stands around it.
    Length(Grain),
    /// A part of a time that comes again.
    Recurring(Part),
}

impl Period {
    /// As ISO texts.
    pub(super) fn bounds(self) -> (Option<String>, Option<String>) {
        let text = |day: Date| day.to_string();
        (self.from.map(text), self.to.map(text))
    }

    pub(super) fn closed(from: Date, to: Date) -> Self {
        Self {
            from: Some(from),
            to: Some(to),
        }
    }
}

/// The longest expression of time that begins here, with how many tokens it has.
pub(super) fn temporal(tokens: &[Token], at: usize, today: Date) -> Option<(Temporal, usize)> {
    let reader = Reader { tokens, today };
    reader
        .recurring(at)
        .or_else(|| reader.each(at))
        .or_else(|| {
            let (period, end) = reader.span(at)?;
            Some((Temporal::During(period), end - at))
        })
        .or_else(|| grain_of(&tokens[at].word).map(|grain| (Temporal::Length(grain), 1)))
}

/// True for `next` of `due next month`: it says which month, and is no part of a name.
pub(in crate::question::embedded) fn begins_period(tokens: &[Token], at: usize) -> bool {
    let grain = tokens.get(at + 1).and_then(|token| grain_of(&token.word));
    matches!(tokens[at].word.as_str(), "next" | "last" | "this") && grain.is_some()
}

/// The length that a noun names.
pub(super) fn grain_of(word: &str) -> Option<Grain> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "hour" => Grain::Hour,
        "day" => Grain::Day,
        "week" => Grain::Week,
        "month" | "mounth" | "mont" => Grain::Month,
        "quarter" => Grain::Quarter,
        "year" => Grain::Year,
        _ => return None,
    })
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) today: Date,
}

impl Reader<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    pub(super) fn words(&self, at: usize, wanted: &str) -> Option<usize> {
        let mut end = at;
        for word in wanted.split(' ') {
            if self.word(end) != word {
                return None;
            }
            end += 1;
        }
        Some(end - at)
    }

    pub(super) fn any(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        phrases.iter().filter_map(|phrase| self.words(at, phrase)).max()
    }

    fn recurring(&self, at: usize) -> Option<(Temporal, usize)> {
        for (phrases, part) in [
            (
                &[
                    "day of the week",
                    "day of week",
                    "weekday",
                    "weekdays",
                    "days of the week",
                    "week day",
                ][..],
                Part::WeekdayName,
            ),
            (
                &[
                    "hour of the day",
                    "hour of day",
                    "time of day",
                    "hours of the day",
                    "time of the day",
                ],
                Part::Hour,
            ),
            (&["month of the year", "calendar month"], Part::Month),
            (&["day of the month", "day of month"], Part::DayOfMonth),
        ] {
            if let Some(used) = self.any(at, phrases) {
                return Some((Temporal::Recurring(part), used));
            }
        }
        None
    }

    fn each(&self, at: usize) -> Option<(Temporal, usize)> {
        for (phrases, grain) in [
            (&["hourly", "hour by hour"][..], Grain::Hour),
            (&["daily", "day by day"], Grain::Day),
            (&["weekly", "week by week"], Grain::Week),
            (
                &[
                    "monthly",
                    "month by month",
                    "over the months",
                    "across the months",
                    "by month",
                    "per month",
                    "each month",
                    "every month",
                    "in each month",
                    "for each month",
                    "in every month",
                    "of each month",
                    "a month",
                    "month over month",
                    "month on month",
                    "mom",
                ],
                Grain::Month,
            ),
            (
                &[
                    "quarterly",
                    "quarter by quarter",
                    "by quarter",
                    "per quarter",
                    "each quarter",
                    "every quarter",
                    "for each quarter",
                    "in each quarter",
                    "quarter over quarter",
                    "quarter on quarter",
                ],
                Grain::Quarter,
            ),
            (
                &[
                    "yearly",
                    "annually",
                    "annual",
                    "year by year",
                    "by year",
                    "per year",
                    "each year",
                    "every year",
                    "for each year",
                    "in each year",
                    "a year",
                    "year over year",
                    "year on year",
                    "yoy",
                ],
                Grain::Year,
            ),
            (
                &[
                    "by week",
                    "per week",
                    "each week",
                    "every week",
                    "for each week",
                    "in each week",
                    "a week",
                ],
                Grain::Week,
            ),
            (
                &[
                    "by day",
                    "per day",
                    "each day",
                    "every day",
                    "for each day",
                    "on each day",
                    "a day",
                    "by date",
                    "per date",
                ],
                Grain::Day,
            ),
            (&["by hour", "per hour", "each hour"], Grain::Hour),
        ] {
            if let Some(used) = self.any(at, phrases) {
                // `by date of registration` names a time.
                let next = self.word(at + used);
                let names = matches!(next, "of" | "paid" | "sold" | "sent") || next.ends_with("ed");
                if grain == Grain::Day && self.word(at + used - 1) == "date" && names {
                    return None;
                }
                return Some((Temporal::Each(grain), used));
            }
        }
        None
    }

    /// A span with the words that open and close it.
    pub(super) fn span(&self, at: usize) -> Option<(Period, usize)> {
        if let Some(used) = self.any(at, &["between", "from"])
            && let Some((low, after)) = self.point(at + used)
            && let Some(joint) = self.any(after, &["and", "to", "until", "till", "through", "up to"])
            && let Some((high, end)) = self.point(after + joint)
        {
            // `between 24 November and 10 January`: that is the one that follows.
            let to = match (low.from, high.to) {
                (Some(from), Some(to)) if to <= from => to.checked_add(1.year()).ok(),
                (_, to) => to,
            };
            return Some((Period { from: low.from, to }, end));
        }
        // `between 15 and 31 January 2025`, `from 1 June to 31 August 2024`, `9 to 15 November`.
        let led = self.any(at, &["between", "from", "between the", "of", "in", "on"]);
        let led = led.or_else(|| self.bare_day(at).map(|_| 0));
        if let Some(used) = led
            && let Some((day, month, after)) = self.bare_day(at + used)
            && let Some(joint) = self.any(after, &["and", "to", "until", "till", "through"])
            && (self.word(at) == "between" || self.word(after) != "and")
            && self.year(after + joint).is_none()
            && let Some((high, end)) = self.point(after + joint)
            && let Some(last) = high.to.and_then(|to| to.yesterday().ok())
        {
            let low = Date::new(last.year(), month.unwrap_or(last.month()), day).ok()?;
            return Some((
                Period {
                    from: Some(low),
                    to: high.to,
                },
                end,
            ));
        }
        // `between July and December 2025`, `June to August`, `Jan-Oct 2026`
        let led = self.any(at, &["between", "from", "in", "for", "during", "of", "over"]);
        let used = led.unwrap_or(0);
        let joint = |at: usize| {
            let both = led.is_some() && matches!(self.word(at - used - 1), "between" | "from");
            let joint = self.any(at, &["to", "until", "till", "through"]);
            let joint = joint.or_else(|| self.any(at, &["and"]).filter(|_| both));
            let is_month = |at: usize| {
                month_of(self.word(at)).is_some()
                    || matches!(
                        self.tokens.get(at).map(|token| &token.kind),
                        Some(TokenKind::Month(_))
                    )
            };
            joint.or_else(|| is_month(at).then_some(0))
        };
        if let Some(first) = month_of(self.word(at + used))
            && let Some(joint) = joint(at + used + 1)
            && let Some((high, end)) = self.point(at + used + 1 + joint)
            && let Some(last) = high.to.and_then(|to| to.yesterday().ok())
        {
            let year = last.year() - i16::from(first > last.month());
            return Some((
                Period {
                    from: Date::new(year, first, 1).ok(),
                    to: high.to,
                },
                end,
            ));
        }
        if let Some(used) = self.any(
            at,
            &[
                "since the start of",
                "since the beginning of",
                "from the start of",
                "from the beginning of",
            ],
        ) {
            let (point, end) = self.point(at + used)?;
            return Some((
                Period {
                    from: point.from,
                    to: None,
                },
                end,
            ));
        }
        let open = self.any(at, &["since", "starting", "starting from", "on or after"]);
        // `leases starting next month` do so within it.
        let first = self.word(at + 1).split(' ').next();
        let within = self.word(at) == "starting" && matches!(first, Some("next" | "this" | "last"));
        let open = open.filter(|_| !within);
        let from = || {
            let used = self.any(at, &["from"])?;
            let (_, end) = self.point(at + used)?;
            self.any(end, &["on", "onwards", "onward"]).map(|_| used)
        };
        if let Some(used) = open.or_else(from) {
            let (point, end) = self.point(at + used)?;
            let to_now = self.any(end, &["on", "onwards", "onward"]);
            return Some((
                Period {
                    from: point.from,
                    to: None,
                },
                end + to_now.unwrap_or(0),
            ));
        }
        if let Some(used) = self.any(at, &["after", "later than"]) {
            let (point, end) = self.point(at + used)?;
            return Some((
                Period {
                    from: point.to,
                    to: None,
                },
                end,
            ));
        }
        if let Some(used) = self.any(
            at,
            &[
                "before the end of",
                "before end of",
                "until the end of",
                "till the end of",
            ],
        ) {
            let (point, end) = self.point(at + used)?;
            return Some((
                Period {
                    from: None,
                    to: point.to,
                },
                end,
            ));
        }
        if let Some(used) = self.any(at, &["before", "prior to", "earlier than"]) {
            let (point, end) = self.point(at + used)?;
            return Some((
                Period {
                    from: None,
                    to: point.from,
                },
                end,
            ));
        }
        if let Some(used) = self.any(
            at,
            &[
                "until",
                "till",
                "up to",
                "by the end of",
                "no later than",
                "on or before",
            ],
        ) {
            let (point, end) = self.point(at + used)?;
            return Some((
                Period {
                    from: None,
                    to: point.to,
                },
                end,
            ));
        }
        let used = self.any(
            at,
            &[
                "in",
                "from",
                "during",
                "on",
                "for",
                "of",
                "in the year",
                "during the year",
                "in the month of",
                "over",
                "over the",
                "in the",
                "during the",
                "of the",
                "for the",
                "within the",
                "within",
                "throughout",
            ],
        );
        let (first, end) = self.point(at + used.unwrap_or(0))?;
        if self.is_bare_number(at + used.unwrap_or(0)) && self.is_amount(at + used.unwrap_or(0)) {
            return None;
        }
        if used.is_none() && self.is_bare_number(at) && !self.may_stand_alone(at) {
            return None;
        }
        // `2025 onwards`
        if let Some(to_now) = self.any(end, &["onwards", "onward", "and later", "and after"]) {
            return Some((
                Period {
                    from: first.from,
                    to: None,
                },
                end + to_now,
            ));
        }
        // `2023 to 2024`
        if let Some(joint) = self.any(end, &["to", "until", "till", "through", "-"])
            && let Some((last, end)) = self.point(end + joint)
        {
            return Some((
                Period {
                    from: first.from,
                    to: last.to,
                },
                end,
            ));
        }
        Some((first, end))
    }
}
