//! What comparisons, units and days are called in plain words.

use crate::question::{
    embedded::question::MONTHS,
    semantic::{Comparison, Grain, Part, Unit},
};

pub(super) fn comparison_word(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "not",
        Comparison::Greater => "more than",
        Comparison::AtLeast => "at least",
        Comparison::Less => "less than",
        Comparison::AtMost => "at most",
    }
}

pub(in super::super) fn grain_word(grain: Grain) -> &'static str {
    match grain {
        Grain::Hour => "hour",
        Grain::Day => "day",
        Grain::Week => "week",
        Grain::Month => "month",
        Grain::Quarter => "quarter",
        Grain::Year => "year",
    }
}

pub(super) fn part_word(part: Part) -> &'static str {
    match part {
        Part::Hour => "hour of day",
        Part::Weekday | Part::WeekdayName => "weekday",
        Part::DayOfMonth => "day of month",
        Part::Month => "calendar month",
        Part::Quarter => "calendar quarter",
    }
}

pub(super) fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Second => "seconds",
        Unit::Minute => "minutes",
        Unit::Hour => "hours",
        Unit::Day => "days",
        Unit::Week => "weeks",
        Unit::Month => "months",
        Unit::Year => "years",
    }
}

/// From one day on and before another, as people say it.
pub(super) fn period(from: Option<&str>, until: Option<&str>) -> String {
    match (from, until) {
        (Some(from), Some(until)) => match (day(from), day(until)) {
            (Some((year, 1, 1)), Some((next, 1, 1))) if next == year + 1 => format!("in {year}"),
            (Some((year, month, 1)), Some((next, after, 1)))
                if (next, after) == (year, month + 1) || (next, after, month) == (year + 1, 1, 12) =>
            {
                format!("in {} {year}", MONTHS[month - 1])
            }
            _ => format!("from {} before {}", day_words(from), day_words(until)),
        },
        (Some(from), None) => format!("since {}", day_words(from)),
        (None, Some(until)) => format!("before {}", day_words(until)),
        (None, None) => String::new(),
    }
}

/// Year, month and day of an ISO date.
fn day(text: &str) -> Option<(usize, usize, usize)> {
    let mut parts = text.get(..10)?.split('-').map(str::parse);
    let found = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    (1..=12).contains(&found.1).then_some(found)
}

/// A day as people write it; any other text as it is.
pub(super) fn day_words(text: &str) -> String {
    match day(text) {
        Some((year, month, day)) => format!("{day} {} {year}", MONTHS[month - 1]),
        None => text.to_owned(),
    }
}
