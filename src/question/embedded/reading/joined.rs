//! Periods that a question names beside each other, and words for what its numbers count.

use time::Date;

use super::{
    super::question::TokenKind, mentions::Reader, moments::month_of, periods::Period, question::PeriodMention,
};

impl Reader<'_> {
    /// `October this year against last year`: the month of each year that is named.
    pub(super) fn months_of_years(&mut self) {
        let bare = |found: &PeriodMention| {
            let month = (found.at..found.at + 3).find_map(|at| {
                let month = month_of(self.tokens.get(at)?.word.as_str())?;
                let next = self.tokens.get(at + 1).map(|next| &next.kind);
                (!matches!(next, Some(TokenKind::Number(_)))).then_some(month)
            })?;
            let (from, to) = (found.period.from?, found.period.to?);
            (from.month() == month && next_month(from) == Some(to)).then_some(month)
        };
        let Some((place, month)) = self
            .found
            .periods
            .iter()
            .enumerate()
            .find_map(|(place, found)| Some((place, bare(found)?)))
        else {
            return;
        };
        let of_year = |found: &PeriodMention| {
            let (from, to) = (found.period.from?, found.period.to?);
            let begins = |day: Date| day.ordinal() == 1;
            (begins(from) && begins(to) && to.year() == from.year() + 1).then(|| from.year())
        };
        let years: Option<Vec<PeriodMention>> = (self.found.periods.iter().enumerate())
            .filter(|(at, _)| *at != place)
            .map(|(_, found)| {
                let from = Date::from_calendar_date(of_year(found)?, month, 1).ok()?;
                Some(PeriodMention {
                    period: Period::closed(from, next_month(from)?),
                    ..*found
                })
            })
            .collect();
        if let Some(years) = years.filter(|years| !years.is_empty()) {
            self.found.periods = years;
        }
    }

    /// Periods beside each other are one, where periods are asked for one by one; else they are compared.
    pub(super) fn join_periods(&mut self) {
        // `gave in 2024 or 2025 but not in 2026`: in one of the two.
        let or = |from: usize, to: usize| self.tokens[from..to].iter().any(|token| token.word == "or");
        if let [one, other, last] = self.found.periods[..]
            && last.negated
            && one.at < other.at
            && or(one.at, other.at)
            && one.period.to == other.period.from
        {
            let joined = PeriodMention {
                period: Period {
                    from: one.period.from,
                    to: other.period.to,
                },
                ..one
            };
            self.found.periods = vec![joined, last];
        }
        let [one, other] = self.found.periods[..] else {
            return;
        };
        if self.found.versus || self.found.growth || other.negated {
            return;
        }
        if self.found.grains.iter().any(|grain| grain.sure) && one.period.to == other.period.from {
            self.found.periods = vec![PeriodMention {
                at: one.at,
                period: Period {
                    from: one.period.from,
                    to: other.period.to,
                },
                negated: false,
            }];
        } else if one.period.from != other.period.from
            && one.period.to.is_some()
            && other.period.from.is_some()
        {
            self.found.versus = true;
        }
    }

    /// `from 2023 to 2024`, where the two are compared.
    pub(super) fn split_years(&mut self) {
        let PeriodMention { at, period, .. } = self.found.periods[0];
        let (Some(from), Some(to)) = (period.from, period.to) else {
            return;
        };
        let year = |year: i32| {
            let first = |year| Date::from_calendar_date(year, time::Month::January, 1).ok();
            Some(PeriodMention {
                at,
                period: Period {
                    from: Some(first(year)?),
                    to: Some(first(year + 1)?),
                },
                negated: false,
            })
        };
        if from.ordinal() == 1
            && to.ordinal() == 1
            && to.year() - from.year() >= 2
            && let (Some(old), Some(new)) = (year(from.year()), year(to.year() - 1))
        {
            self.found.periods = vec![old, new];
        }
    }
}

/// The first day of the month after a day's.
fn next_month(day: Date) -> Option<Date> {
    let year = day.year() + i32::from(day.month() == time::Month::December);
    Date::from_calendar_date(year, day.month().next(), 1).ok()
}

/// Words for what a number counts.
pub(super) fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "euro"
            | "euros"
            | "eur"
            | "dollar"
            | "dollars"
            | "usd"
            | "pounds"
            | "gbp"
            | "km"
            | "kilometres"
            | "kilometers"
            | "kg"
            | "kilos"
            | "metres"
            | "meters"
            | "square"
            | "m2"
            | "sqm"
            | "litres"
            | "liters"
            | "minutes"
            | "hours"
            | "seconds"
            | "percent"
            | "points"
            | "pieces"
            | "units"
            | "years"
            | "days"
    )
}
