//! What a question asks for in so many words and SQL has nothing of: an answer that leaves it out would be another question's,
//! however well the rest fits.

mod bounds;
mod conditions;
mod of_columns;
mod passed_over;
mod related;

pub(super) use of_columns::{flag_of_named, made_ahead};

use super::{
    framing::words,
    lexicon::{Degree, lexicon},
    reading::is_month,
};

/// Tells words of a question that SQL, in lower case, has nothing of.
type Lacks = fn(&[String], &str) -> Option<String>;

/// The words of a question that its SQL does nothing for, as the question has them; `None` where there are none.
pub(crate) fn lacking(question: &str, sql: &str) -> Option<String> {
    let asked = words(question);
    let sql = sql.to_lowercase();
    let lacks: [Lacks; 46] = [
        place_in_order,
        time_of_day,
        weekday,
        conditions::undone,
        decade,
        overlap,
        subtraction,
        between_extremes,
        related::own_superior,
        related::by_whom,
        related::beside,
        related::ends_of_way,
        related::another,
        related::deed,
        related::flag,
        related::one_of_each,
        passed_over::without,
        passed_over::money,
        passed_over::in_full,
        passed_over::now_or_ahead,
        passed_over::days_late,
        passed_over::how_many_amounts,
        related::part_of_amount,
        held_then,
        payment,
        debt,
        bounds::bound,
        bounds::fewest,
        conditions::one_of_two,
        conditions::outcome,
        conditions::validity,
        conditions::and_or,
        conditions::all_of_them,
        conditions::every_year,
        conditions::both_times,
        conditions::number_asked_last,
        conditions::gone,
        conditions::length,
        conditions::same_as,
        conditions::average_of_own,
        conditions::but_not_since,
        conditions::but_no,
        conditions::same_period,
        conditions::gratis,
        conditions::same_among_them,
        conditions::when_first,
    ];
    lacks.iter().find_map(|lacks| lacks(&asked, &sql))
}

/// True where SQL has a word, or a name that is cut short of it.
fn names(sql: &str, word: &str) -> bool {
    word.get(..word.len().min(4))
        .is_some_and(|begin| sql.contains(begin))
}

/// A word of a question; none behind its end.
fn word(asked: &[String], at: usize) -> &str {
    asked.get(at).map_or("", String::as_str)
}

/// `second highest`, `the 5th largest`, `last but one`: the first ones are passed over.
fn place_in_order(asked: &[String], sql: &str) -> Option<String> {
    let skips = ["offset", "rank(", "row_number(", "nth_value("];
    if skips.iter().any(|skips| sql.contains(skips)) {
        return None;
    }
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| {
        let but_one = matches!(
            (word(at), word(at + 1), word(at + 2)),
            ("last", "but", "one")
                | ("second" | "next", "to", "last")
                | ("second", "last", _)
                | ("penultimate", ..)
        );
        but_one || is_place(word(at)) && is_extreme(asked, at + 1)
    })?;
    Some(joined(asked, at, 2))
}

/// True for an ordinal above the first.
fn is_place(word: &str) -> bool {
    const PLACES: &[&str] = &[
        "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ];
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end));
    PLACES.contains(&word) || digits.is_some_and(|digits| digits.parse::<u32>().is_ok_and(|place| place > 1))
}

/// True where the most or the least of something is told from here on.
fn is_extreme(asked: &[String], at: usize) -> bool {
    let word = |at: usize| word(asked, at);
    matches!(
        word(at),
        "most" | "least" | "best" | "worst" | "highest" | "lowest" | "biggest" | "largest" | "smallest"
    ) || is_superlative(word(at))
        || is_superlative(&format!("{} {}", word(at), word(at + 1)))
}

fn is_superlative(phrase: &str) -> bool {
    lexicon()
        .adjective_form(phrase)
        .is_some_and(|(_, degree)| degree == Degree::Superlative)
}

/// `at night`, `before noon`, `after 5 pm`: no day has it, its hours do.
fn time_of_day(asked: &[String], sql: &str) -> Option<String> {
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
fn weekday(asked: &[String], sql: &str) -> Option<String> {
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
fn decade(asked: &[String], sql: &str) -> Option<String> {
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
pub(super) fn first_of_decade(word: &str) -> Option<i16> {
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
fn overlap(asked: &[String], sql: &str) -> Option<String> {
    let stems = ["overlap", "double-book", "clash"];
    let found = asked.iter().find(|word| {
        stems
            .iter()
            .any(|stem| word.starts_with(stem) && !sql.contains(stem))
    })?;
    Some(found.clone())
}

/// `payments minus refunds`, `net of refunds`: one is taken from the other.
fn subtraction(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| match (word(at), word(at + 1)) {
        // Five degrees below zero.
        ("minus", next) => at > 0 && !next.starts_with(|digit: char| digit.is_ascii_digit()),
        ("net", "of") => !sql.contains("net"),
        ("after", "deducting" | "subtracting") | ("subtracting" | "deducting", _) => true,
        ("after", "refunds" | "returns" | "discounts" | "deductions" | "costs" | "expenses" | "fees") => {
            asked
                .iter()
                .any(|word| matches!(&**word, "total" | "sum" | "revenue" | "amount" | "profit"))
        }
        _ => false,
    })?;
    (!sql.contains(" - ")).then(|| joined(asked, at, 2))
}

/// `the difference between the highest and the lowest price`, `price range`: how far they are apart.
fn between_extremes(asked: &[String], sql: &str) -> Option<String> {
    if sql.contains(" - ") || sql.contains("range") {
        return None;
    }
    let extremes = (0..asked.len())
        .filter(|&at| is_extreme(asked, at) || matches!(&*asked[at], "maximum" | "minimum" | "max" | "min"));
    let several = extremes.count() > 1;
    let apart = asked
        .iter()
        .position(|word| matches!(&**word, "difference" | "gap" | "spread"));
    if let Some(at) = apart.filter(|_| several) {
        return Some(joined(asked, at, 1));
    }
    let measured = |word: &str| {
        matches!(
            word.trim_end_matches('s'),
            "price" | "salary" | "salarie" | "age" | "fee" | "rate" | "cost" | "weight" | "value" | "amount"
        )
    };
    let range = asked.iter().position(|word| word == "range")?;
    let word = |at: usize| word(asked, at);
    let named = range > 0 && measured(word(range - 1))
        || word(range + 1) == "of" && (measured(word(range + 2)) || measured(word(range + 3)));
    let both_told = sql.contains("max(") && sql.contains("min(");
    (named && !both_told).then(|| joined(asked, range, 1))
}

/// `contracts active on 3 May`, `rooms occupied on 3 May`: what had begun by then and had not ended, so that two days of a row are
/// compared with that one.
fn held_then(asked: &[String], sql: &str) -> Option<String> {
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

/// `who owe nothing`: nothing but amounts and what was paid of them tells of it.
fn debt(asked: &[String], sql: &str) -> Option<String> {
    let found = asked
        .iter()
        .find(|word| matches!(word.as_str(), "owe" | "owes" | "owed" | "owing" | "indebted"))?;
    let told = [
        "owe",
        "paid",
        "pay",
        "due",
        "balance",
        "debt",
        "outstanding",
        "amount",
        "fine",
        "invoice",
        "bill",
        "open",
        "arrear",
        "credit",
    ];
    (!told.iter().any(|told| sql.contains(told))).then(|| found.clone())
}

/// `who have never paid`: nothing but payments and bills tells of it.
fn payment(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| {
        word(at) == "never"
            && matches!(word(at + 1), "paid" | "pay")
            && !matches!(word(at + 2), "by" | "with" | "in" | "for")
    })?;
    let told = [
        "pay",
        "paid",
        "pmt",
        "pymt",
        "pd_",
        "invoice",
        "bill",
        "receipt",
        "transaction",
        "settled",
    ];
    (!told.iter().any(|told| sql.contains(told))).then(|| joined(asked, at, 2))
}

/// Some words as one text.
fn joined(asked: &[String], at: usize, count: usize) -> String {
    let end = asked.len().min(at + count);
    asked[at..end].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sql_has_nothing_of_is_told() {
        for (question, sql, expected) in [
            (
                "the second highest salary",
                "SELECT max(salary) FROM t",
                Some("second highest"),
            ),
            (
                "the third most expensive lamp",
                "SELECT name FROM t ORDER BY price DESC LIMIT 1",
                Some("third most"),
            ),
            (
                "the 5th largest sale",
                "SELECT a FROM t ORDER BY a DESC LIMIT 1 OFFSET 4",
                None,
            ),
            ("sales of the second quarter", "SELECT sum(a) FROM t", None),
            (
                "payments made at night",
                "SELECT id FROM payments",
                Some("at night"),
            ),
            (
                "payments made at night",
                "SELECT id FROM payments WHERE strftime('%H', at) < '06'",
                None,
            ),
            (
                "shifts at night",
                "SELECT id FROM shifts WHERE kind = 'night'",
                None,
            ),
            (
                "how many visits on Fridays",
                "SELECT count(*) FROM visits",
                Some("fridays"),
            ),
            (
                "visits on Friday",
                "SELECT id FROM visits WHERE day = '2026-11-27'",
                None,
            ),
            (
                "visits on Fridays",
                "SELECT id FROM visits WHERE strftime('%w', day) = '5'",
                None,
            ),
            (
                "uninsured patients",
                "SELECT name FROM patients",
                Some("uninsured"),
            ),
            ("unpaid bills", "SELECT id FROM bills WHERE paid_on IS NULL", None),
            (
                "people born in the eighties",
                "SELECT born FROM people",
                Some("eighties"),
            ),
            (
                "people born in the 1990s",
                "SELECT name FROM people WHERE born >= '1990-01-01'",
                None,
            ),
            (
                "bookings that overlap",
                "SELECT id FROM bookings",
                Some("overlap"),
            ),
            (
                "payments minus refunds",
                "SELECT sum(amount) FROM payments",
                Some("minus refunds"),
            ),
            (
                "rooms colder than minus 5",
                "SELECT id FROM rooms WHERE t < -5",
                None,
            ),
            (
                "difference between the highest and the lowest price",
                "SELECT max(price), min(price) FROM t",
                Some("difference"),
            ),
            ("price range of rooms", "SELECT price FROM rooms", Some("range")),
            ("our range of lamps", "SELECT name FROM lamps", None),
            (
                "who earns more than their manager",
                "SELECT name FROM staff",
                Some("than their manager"),
            ),
            (
                "who earns more than their manager",
                "SELECT a.name FROM s a JOIN s b ON a.m = b.id WHERE a.pay > b.pay",
                None,
            ),
        ] {
            assert_eq!(lacking(question, sql).as_deref(), expected, "{question}");
        }
    }

    #[test]
    fn decades_have_a_first_year() {
        for (word, first) in [
            ("1990s", Some(1990)),
            ("80s", Some(1980)),
            ("nineties", Some(1990)),
            ("days", None),
            ("5s", None),
        ] {
            assert_eq!(first_of_decade(word), first, "{word}");
        }
    }
}
