//! Periods that a question names beside each other, and words for what its numbers count.

use super::{mentions::Reader, periods::Period, question::PeriodMention};

impl Reader<'_> {
    /// Periods beside each other are one, where periods are asked for one by one; else they are compared.
    pub(super) fn join_periods(&mut self) {
        let [one, other] = self.found.periods[..] else {
            return;
        };
        if self.found.versus || self.found.growth {
            return;
        }
        if self.found.grains.iter().any(|grain| grain.sure) && one.period.to == other.period.from {
            self.found.periods = vec![PeriodMention {
                at: one.at,
                period: Period {
                    from: one.period.from,
                    to: other.period.to,
                },
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
        let PeriodMention { at, period } = self.found.periods[0];
        let (Some(from), Some(to)) = (period.from, period.to) else {
            return;
        };
        let year = |year: i32| {
            let first = |year| time::Date::from_calendar_date(year, time::Month::January, 1).ok();
            Some(PeriodMention {
                at,
                period: Period {
                    from: Some(first(year)?),
                    to: Some(first(year + 1)?),
                },
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
