//! Hours, weekdays, decades, and what held at one time, of which SQL has to have something.

use super::{super::reading::is_month, joined, word};

/// `at night`, `before noon`, `after 5 pm`: no day has it, its hours do.
pub(super) fn time_of_day(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let told = ["%h", "hour", "::time"];
    if told.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let part = |word: &str| {
        matches!(
            word,
            "night"
                | "noon"
                | "midday"
                | "midnight"
                | "morning"
                | "mornings"
                | "afternoon"
                | "afternoons"
                | "evening"
                | "evenings"
                | "nights"
        )
    };
    let clock = |word: &str| {
        let hour = ["am", "pm"].iter().find_map(|half| word.strip_suffix(half));
        hour.is_some_and(|hour| hour.starts_with(|digit: char| digit.is_ascii_digit()))
    };
    let number = |word: &str| word.starts_with(|digit: char| digit.is_ascii_digit());
    let at = (0..asked.len()).find(|&at| {
        let led = match (at.checked_sub(1).map_or("", |before| word(before)), word(at)) {
            ("at" | "before" | "after" | "until" | "by" | "since" | "around", part_of_day) => {
                part(part_of_day)
            }
            ("the", part_of_day) if part(part_of_day) => at > 1 && matches!(word(at - 2), "in" | "during"),
            (before, "am" | "pm" | "o'clock") => number(before),
            _ => false,
        };
        led && !sql.contains(word(at).trim_end_matches('s')) || clock(word(at)) && !sql.contains(':')
    })?;
    Some(joined(asked, at.saturating_sub(1), 2))
}

/// `on Fridays`: a weekday, or for a single one its date.
pub(super) fn weekday(asked: &[String], sql: &str) -> Option<String> {
    const DAYS: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let found = asked.iter().find(|word| {
        let day = word.trim_end_matches('s');
        let has_date = sql.contains("'19") || sql.contains("'20");
        DAYS.contains(&day) && !sql.contains(day) && (day != word.as_str() || !has_date)
    })?;
    let told = ["%w", "dow", "%a"].iter().any(|told| sql.contains(told));
    (!told).then(|| found.clone())
}

/// `in the 1990s`, `born in the eighties`: ten years, of which SQL must have the first.
pub(super) fn decade(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (1..asked.len()).find(|&at| {
        let led =
            word(at - 1) == "the" || matches!(word(at - 1), "in" | "since" | "during" | "before" | "after");
        let Some(first) = first_of_decade(word(at)).filter(|_| led) else {
            return false;
        };
        let tens = &first.to_string()[..3];
        !sql.contains(tens) && !sql.contains(word(at))
    })?;
    Some(word(at).to_owned())
}

/// The first year of a decade: `1990s`, `90s`, `nineties`.
pub(in crate::question::embedded) fn first_of_decade(word: &str) -> Option<i16> {
    const TENS: &[(&str, i16)] = &[
        ("twenties", 1920),
        ("thirties", 1930),
        ("forties", 1940),
        ("fifties", 1950),
        ("sixties", 1960),
        ("seventies", 1970),
        ("eighties", 1980),
        ("nineties", 1990),
        ("noughties", 2000),
    ];
    let word = word.trim_start_matches('\'');
    if let Some((_, first)) = TENS.iter().find(|(name, _)| *name == word) {
        return Some(*first);
    }
    let digits = word.strip_suffix("'s").or_else(|| word.strip_suffix('s'))?;
    let number: i16 = digits.parse().ok().filter(|number| number % 10 == 0)?;
    match digits.len() {
        4 => (1800..=2090).contains(&number).then_some(number),
        // Nobody asks for the decade to come.
        2 => Some(if number < 30 { 2000 + number } else { 1900 + number }),
        _ => None,
    }
}

/// `bookings that overlap`: each is compared with all the others.
pub(super) fn overlap(asked: &[String], sql: &str) -> Option<String> {
    let stems = ["overlap", "double-book", "clash"];
    let found = asked.iter().find(|word| {
        stems
            .iter()
            .any(|stem| word.starts_with(stem) && !sql.contains(stem))
    })?;
    Some(found.clone())
}

/// `contracts active on 3 May`, `rooms occupied on 3 May`: what had begun by then and had not ended, so that two days of a row are
/// compared with that one.
pub(super) fn held_then(asked: &[String], sql: &str) -> Option<String> {
    const HOLDS: &[&str] = &[
        "active",
        "open",
        "running",
        "valid",
        "ongoing",
        "force",
        "occupied",
        "staying",
        "vacant",
        "booked-out",
        "employed",
    ];
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| {
        let day = word(at + 2);
        let named = day.starts_with(|digit: char| digit.is_ascii_digit())
            || is_month(day) && word(at + 3).starts_with(|digit: char| digit.is_ascii_digit());
        HOLDS.contains(&word(at)) && word(at + 1) == "on" && named
    })?;
    let words: Vec<&str> = sql.split_whitespace().collect();
    let mut compared: Vec<&str> = words
        .windows(2)
        .filter(|two| matches!(two[1], "<" | "<=" | ">" | ">="))
        .map(|two| two[0].trim_start_matches('('))
        .collect();
    compared.sort_unstable();
    compared.dedup();
    (compared.len() < 2).then(|| joined(asked, at, 3))
}
