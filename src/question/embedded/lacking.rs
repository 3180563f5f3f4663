//! What a question asks for in so many words and SQL has nothing of: an answer that leaves it out would be another question's,
//! however well the rest fits.

mod amounts;
mod bounds;
mod conditions;
mod of_columns;
mod of_named;
mod passed_over;
mod related;
mod times;

pub(super) use of_columns::{availability, flag_of_named, made_ahead, state_of_rows};
pub(super) use of_named::{deed_in_time, noun_of_table, row_of_table, second_of_two, whose_names};
pub(super) use times::first_of_decade;

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
    let lacks: [Lacks; 51] = [
        place_in_order,
        times::time_of_day,
        times::weekday,
        conditions::undone,
        times::decade,
        times::overlap,
        amounts::subtraction,
        amounts::between_extremes,
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
        passed_over::done_or_doing,
        passed_over::how_many_amounts,
        passed_over::how_many_of_rate,
        passed_over::per_each,
        passed_over::each_once,
        related::part_of_amount,
        times::held_then,
        amounts::payment,
        amounts::debt,
        bounds::bound,
        bounds::fewest,
        bounds::nor,
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
