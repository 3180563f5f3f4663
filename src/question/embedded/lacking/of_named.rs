//! Nouns and verbs beside the name of a table that SQL has nothing of: it tells of the table's rows, and not of what these have
//! or did.

use super::word;
use crate::question::{
    embedded::{
        framing,
        reading::{is_light, is_past},
        taken::Taken,
    },
    lexicon::{is_noun, is_verb, lemmas},
    schema::{Schema, words},
    semantic::says_when,
};

/// `client logins per month`, where clients are counted.
pub(in crate::question::embedded) fn noun_of_table(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let gathers = ["sum(", "avg(", "max(", "min(", " / "];
    if gathers.iter().any(|gathers| sql.contains(gathers)) {
        return None;
    }
    let taken = Taken::by(sql, schema);
    let asked = framing::words(question);
    let stems: Vec<String> = asked.iter().map(|word| words::stem(word)).collect();
    let called = |table: usize| {
        let name = words::table_words(&schema.tables[table].name);
        let name: Vec<String> = name.iter().map(|word| words::stem(word)).collect();
        let is_whole = name.iter().all(|word| stems.contains(word));
        name.into_iter().next_back().filter(|_| is_whole)
    };
    let tables: Vec<String> = taken.tables().filter_map(called).collect();
    let at = (1..asked.len()).find(|&at| {
        let (of, noun) = (word(&asked, at - 1), word(&asked, at));
        // `why do customers return products` has a verb there.
        let before = at.checked_sub(2).map_or("", |before| word(&asked, before));
        let determined = words::is_plural(before)
            || matches!(
                before,
                "each"
                    | "every"
                    | "a"
                    | "an"
                    | "any"
                    | "one"
                    | "which"
                    | "what"
                    | "this"
                    | "that"
                    | "per"
                    | "no"
                    | "by"
                    | "we"
                    | "they"
                    | "you"
                    | "to"
                    | "do"
                    | "did"
            );
        let ends = matches!(
            word(&asked, at + 1),
            "" | "per"
                | "by"
                | "in"
                | "for"
                | "this"
                | "last"
                | "of"
                | "between"
                | "since"
                | "each"
                | "on"
                | "over"
                | "during"
                | "and"
        );
        let is_thing =
            (is_noun(noun) || is_unknown(noun)) && !is_past(noun) && !is_light(noun) && !is_record(noun);
        tables.contains(&words::stem(of))
            && !words::is_plural(of)
            && !determined
            && ends
            && is_thing
            && !taken.says(noun)
    })?;
    Some(asked[at].clone())
}

/// `clients who danced in 2026`, where those are listed who came then.
pub(in crate::question::embedded) fn deed_in_time(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let taken = Taken::by(sql, schema);
    if taken.tables().count() != 1 {
        return None;
    }
    let asked = framing::words(question);
    let is_timed = [" >= '", " like '"].iter().any(|sign| sql.contains(sign));
    let at = (1..asked.len()).find(|&at| {
        let deed = word(&asked, at);
        let tells = is_past(deed) && is_verb(deed) && !says_when(&[words::stem(deed)]);
        matches!(word(&asked, at - 1), "who" | "that" | "which") && tells && !taken.says(deed)
    })?;
    is_timed.then(|| asked[at].clone())
}

/// `last paid invoice` as the day on which it was, and not as the invoice.
pub(in crate::question::embedded) fn row_of_table(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let asked = framing::words(question);
    let first = usize::from(matches!(word(&asked, 0), "the" | "our"));
    let extreme = matches!(
        word(&asked, first),
        "last"
            | "latest"
            | "first"
            | "earliest"
            | "newest"
            | "oldest"
            | "best"
            | "worst"
            | "top"
            | "highest"
            | "lowest"
            | "biggest"
            | "largest"
            | "smallest"
            | "most"
            | "least"
            | "longest"
            | "shortest"
            | "cheapest"
    );
    let noun = words::stem(asked.last()?);
    let mut tables = schema.tables.iter();
    let is_row = tables.any(|table| {
        let name = words::table_words(&table.name);
        name.last().is_some_and(|last| words::stem(last) == noun)
    });
    let figure = sql.starts_with("select max(") || sql.starts_with("select min(");
    let is_of = asked.iter().any(|word| word == "of");
    (extreme && is_row && figure && !is_of && !sql.contains(" group by ")).then(|| asked.join(" "))
}

/// `names and origins of people`, where one column is shown and nothing says where they come from.
pub(in crate::question::embedded) fn second_of_two(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let (shown, _) = sql.strip_prefix("select ")?.split_once(" from ")?;
    let gathers = [
        "count(", "sum(", "avg(", "max(", "min(", " / ", " * ", " - ", "||",
    ];
    if shown.contains([',', '*']) || gathers.iter().any(|gathers| shown.contains(gathers)) {
        return None;
    }
    let taken = Taken::by(sql, schema);
    let asked = framing::words(question);
    let at = (2..asked.len()).find(|&at| {
        let second = word(&asked, at);
        let led = word(&asked, at - 1) == "and" && matches!(word(&asked, at + 1), "of" | "for");
        let first = word(&asked, at - 2);
        let is_shown = is_noun(second) && !is_record(second) && !is_light(second);
        led && is_shown && taken.says(first) && !taken.says(second)
    })?;
    Some(asked[at].clone())
}

/// `names of customers who have accounts` as what the accounts are called.
pub(in crate::question::embedded) fn whose_names(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let taken = Taken::by(sql, schema);
    let asked = framing::words(question);
    let is_table = |noun: &str| {
        let mut tables = schema.tables.iter();
        tables.any(|table| {
            let name = words::table_words(&table.name);
            matches!(name.as_slice(), [only] if words::stem(only) == words::stem(noun))
        })
    };
    let at = (2..asked.len()).find(|&at| {
        let article = usize::from(matches!(word(&asked, at - 1), "the" | "all" | "our"));
        let of = at - 1 - article;
        let named = of > 0 && word(&asked, of) == "of" && matches!(word(&asked, of - 1), "name" | "names");
        let noun = word(&asked, at);
        let told = matches!(word(&asked, at + 1), "who" | "that" | "which" | "with" | "whose");
        named && told && is_table(noun) && !taken.says(noun)
    })?;
    Some(asked[at].clone())
}

/// True for a word that no dictionary has.
fn is_unknown(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && lemmas(word).next().is_none()
}

/// True for a noun that says no more than that there are rows.
fn is_record(word: &str) -> bool {
    matches!(
        word,
        "list"
            | "lists"
            | "count"
            | "counts"
            | "number"
            | "numbers"
            | "total"
            | "totals"
            | "name"
            | "names"
            | "detail"
            | "details"
            | "data"
            | "info"
            | "information"
            | "record"
            | "records"
            | "entry"
            | "entries"
            | "base"
            | "size"
            | "date"
            | "dates"
            | "time"
            | "times"
            | "plan"
            | "schedule"
            | "volume"
            | "volumes"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{Column, Table};

    type Check = fn(&str, &str, &Schema) -> Option<String>;

    fn schema() -> Schema {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.to_owned(),
            columns: columns
                .iter()
                .map(|column| Column {
                    name: (*column).to_owned(),
                    ..Column::default()
                })
                .collect(),
            ..Table::default()
        };
        Schema {
            tables: vec![
                table("customers", &["customer_id", "first_name", "city"]),
                table("accounts", &["account_id", "customer_id", "account_name"]),
                table("dogs", &["dog_id", "name", "birth_date"]),
            ],
            ..Schema::default()
        }
    }

    fn check(lacks: Check, cases: &[(&str, &str, Option<&str>)]) {
        let schema = schema();
        for (question, sql, told) in cases {
            let found = lacks(question, &sql.to_lowercase(), &schema);
            assert_eq!(found.as_deref(), *told, "{question}");
        }
    }

    #[test]
    fn nouns_and_deeds_beside_a_table_are_not_passed_over() {
        check(
            noun_of_table,
            &[
                (
                    "dog concerts per month",
                    "SELECT strftime('%Y-%m', birth_date), COUNT(*) FROM dogs GROUP BY 1",
                    Some("concerts"),
                ),
                (
                    "customer accounts per city",
                    "SELECT city, COUNT(*) FROM customers JOIN accounts USING (customer_id) GROUP BY city",
                    None,
                ),
            ],
        );
        check(
            deed_in_time,
            &[(
                "dogs that barked in 2026",
                "SELECT name FROM dogs WHERE birth_date >= '2026-01-01'",
                Some("barked"),
            )],
        );
        check(
            row_of_table,
            &[
                (
                    "youngest dog",
                    "SELECT name FROM dogs ORDER BY birth_date DESC LIMIT 1",
                    None,
                ),
                (
                    "latest dog",
                    "SELECT MAX(birth_date) FROM dogs",
                    Some("latest dog"),
                ),
            ],
        );
    }

    #[test]
    fn each_thing_that_is_asked_for_is_shown() {
        check(
            second_of_two,
            &[
                (
                    "names and origins of dogs",
                    "SELECT name FROM dogs",
                    Some("origins"),
                ),
                (
                    "names and birth dates of dogs",
                    "SELECT name, birth_date FROM dogs",
                    None,
                ),
                (
                    "number of dogs and customers of Rome",
                    "SELECT COUNT(*) FROM dogs",
                    None,
                ),
            ],
        );
        check(
            whose_names,
            &[
                (
                    "full names of customers who have accounts",
                    "SELECT account_name FROM accounts",
                    Some("customers"),
                ),
                (
                    "names of customers who have accounts",
                    "SELECT first_name FROM customers WHERE customer_id IN (SELECT customer_id FROM accounts)",
                    None,
                ),
            ],
        );
    }
}
