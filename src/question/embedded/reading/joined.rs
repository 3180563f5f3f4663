//! Periods that a question names beside each other, and words for what its numbers count.

use jiff::civil::Date;

use super::{mentions::Reader, periods::Period, question::PeriodMention};

impl Reader<'_> {
    /// `October this year against last year`: that part of each year that is named. So is `January to October 2026 against
    /// 2025`.
    pub(super) fn months_of_years(&mut self) {
        let part = |found: &PeriodMention| {
            let (from, to) = (found.period.from?, found.period.to?);
            let is_part = found.period.whole_year().is_none() && months_between(from, to) <= 12;
            is_part.then_some(found.period)
        };
        let periods = &self.found.periods;
        if periods.len() < 2
            || self.found.again
            || periods.iter().any(|period| period.negated || period.outside)
        {
            return;
        }
        // `summer 2026 and summer 2025, June to August`: the months are said again.
        if let Some(bare) = periods
            .iter()
            .position(|found| !found.with_year && part(found).is_some())
            && periods.iter().enumerate().any(|(at, found)| {
                let year = periods[bare].period.from.map(Date::year);
                at != bare
                    && found.with_year
                    && year.and_then(|year| found.period.in_year(year)) == Some(periods[bare].period)
            })
        {
            self.found.periods.remove(bare);
            return;
        }
        let bare = periods
            .iter()
            .position(|found| !found.with_year && part(found).is_some());
        let Some((place, months)) = bare
            .or_else(|| part(&periods[0]).map(|_| 0))
            .and_then(|place| Some((place, part(&periods[place])?)))
        else {
            return;
        };
        let kept = periods[place].with_year;
        let years: Option<Vec<PeriodMention>> = (periods.iter().enumerate())
            .filter(|(at, _)| *at != place)
            .map(|(_, found)| {
                let year = found.period.whole_year()?;
                let own = months.from?.year();
                // March of a year is a part of that year.
                if kept && year == own {
                    return None;
                }
                Some(PeriodMention {
                    period: months.in_year(year)?,
                    ..*found
                })
            })
            .collect();
        if let Some(mut years) = years.filter(|years| !years.is_empty()) {
            if kept {
                years.insert(0, periods[place]);
            }
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
        if self.found.periods.len() > 2 {
            self.several_periods();
            return;
        }
        let [one, other] = self.found.periods[..] else {
            return;
        };
        if self.found.versus || self.found.growth || other.negated {
            return;
        }
        // `the most traffic in October and November` is one of both months.
        let one_by_one = self.found.grains.iter().any(|grain| grain.sure);
        let ranked = self.found.rank.is_some() && !(one.with_year && other.with_year);
        if (one_by_one || ranked) && one.period.to == other.period.from {
            self.found.periods = vec![PeriodMention {
                at: one.at,
                period: Period {
                    from: one.period.from,
                    to: other.period.to,
                },
                negated: false,
                outside: false,
                or_never: false,
                with_year: true,
            }];
        } else if one.period.from != other.period.from
            && one.period.to.is_some()
            && other.period.from.is_some()
        {
            self.found.versus = true;
        }
    }

    /// `in 2023, 2024 and 2025`: no row is in all of them. They stand side by side, or are one where periods are asked for
    /// one by one and each ends where the next begins.
    fn several_periods(&mut self) {
        let periods = &self.found.periods;
        if periods.iter().any(|found| found.negated || found.outside)
            || self.found.growth
            || self.found.both
            || self.found.again
        {
            return;
        }
        let apart = |two: &[PeriodMention]| match (two[0].period.to, two[1].period.from) {
            (Some(end), Some(begin)) => end <= begin,
            _ => false,
        };
        if !periods.windows(2).all(apart) {
            return;
        }
        let follows = |two: &[PeriodMention]| two[0].period.to == two[1].period.from;
        let one_by_one = self.found.grains.iter().any(|grain| grain.sure);
        if one_by_one && periods.windows(2).all(follows) {
            let whole = Period {
                from: periods[0].period.from,
                to: periods[periods.len() - 1].period.to,
            };
            self.found.periods = vec![PeriodMention {
                period: whole,
                with_year: true,
                ..periods[0]
            }];
        } else {
            self.found.versus = true;
        }
    }

    /// `from 2023 to 2024`, where the two are compared.
    pub(super) fn split_years(&mut self) {
        let PeriodMention { at, period, .. } = self.found.periods[0];
        let (Some(from), Some(to)) = (period.from, period.to) else {
            return;
        };
        let year = |year: i16| {
            let first = |year| Date::new(year, 1, 1).ok();
            Some(PeriodMention {
                at,
                period: Period {
                    from: Some(first(year)?),
                    to: Some(first(year + 1)?),
                },
                negated: false,
                outside: false,
                or_never: false,
                with_year: true,
            })
        };
        if from.day_of_year() == 1
            && to.day_of_year() == 1
            && to.year() - from.year() >= 2
            && let (Some(old), Some(new)) = (year(from.year()), year(to.year() - 1))
        {
            self.found.periods = vec![old, new];
        }
    }
}

/// How many months lie between two days.
pub(super) fn months_between(from: Date, to: Date) -> i32 {
    i32::from(to.year() - from.year()) * 12 + i32::from(to.month() - from.month())
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
