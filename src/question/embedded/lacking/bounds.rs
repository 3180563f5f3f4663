//! Numbers that something is more or less than, and the fewest of something.

use super::{joined, word};

/// `over 60`: a number that something is more or less than stands in the SQL, or a day that comes of it.
pub(super) fn bound(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    if ["'19", "'20", "interval", "julianday"]
        .iter()
        .any(|told| sql.contains(told))
    {
        return None;
    }
    (0..asked.len()).find_map(|at| {
        let compares = match (word(at), word(at + 1)) {
            ("over" | "above" | "under" | "below", _) => 1,
            ("more" | "less" | "fewer" | "greater" | "older" | "younger" | "larger" | "bigger", "than")
            | ("at", "least" | "most") => 2,
            _ => return None,
        };
        let number: u64 = word(at + compares).parse().ok()?;
        let has = |number: u64| sql.contains(&number.to_string());
        let told = has(number) || has(number + 1) || number > 0 && has(number - 1);
        let unit = word(at + compares + 1);
        (!told && !is_converted(unit)).then(|| joined(asked, at, compares + 1))
    })
}

/// True for a unit that may be kept as another: hours as minutes, percents as shares.
fn is_converted(unit: &str) -> bool {
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    unit.contains('%')
        || matches!(
            unit,
            "percent"
                | "k"
                | "m"
                | "million"
                | "thousand"
                | "or"
                | "second"
                | "minute"
                | "min"
                | "hour"
                | "day"
                | "week"
                | "month"
                | "year"
                | "night"
                | "dozen"
                | "time"
                | "and"
        )
}

/// `neither a piano nor more than 10 seats`: more than 10 is what they have not.
pub(super) fn nor(asked: &[String], sql: &str) -> Option<String> {
    let at = asked.iter().position(|word| word == "nor")?;
    let denied = match word(asked, at + 1) {
        "more" | "over" | "above" => " > ",
        "less" | "fewer" | "under" | "below" => " < ",
        _ => return None,
    };
    sql.contains(denied).then(|| joined(asked, at, 3))
}

/// `with the fewest copies`: whoever has none has fewer than all others, and is in no join with what they have.
pub(super) fn fewest(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| {
        let before = at.checked_sub(1).map_or("", |before| word(before));
        word(at) == "fewest" || word(at) == "least" && !matches!(before, "at" | "not")
    })?;
    let ranked = [
        "order by count(*) limit",
        "order by count(*) nulls last limit",
        "order by count(*) asc limit",
    ];
    let joins = sql.contains(" join ") && !sql.contains("left join");
    // Of values, such as cities, those that nothing happened in may be none.
    let groups = sql
        .split("group by ")
        .nth(1)
        .and_then(|rest| rest.split(" order by").next());
    let of_things = groups.is_some_and(|by| by.contains(',') || by.ends_with("id"));
    (joins && of_things && ranked.iter().any(|ranked| sql.contains(ranked))).then(|| joined(asked, at, 2))
}
