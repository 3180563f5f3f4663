//! Signs that a reading of the embedded agents passes over something: they stand in the question and in what its SQL gives, and
//! are seen by neither way of reading. Each was counted in answers to tuning questions, academic ones and of business.

use super::{
    candidate::Candidate,
    confidence::{logistic, logit},
};
use crate::{
    backend::Value,
    question::{
        embedded::{comes_of, is_common, is_month},
        schema::{
            Snapshot,
            words::{identifier_words, stem, text_words},
        },
        validator::{self, Filter},
    },
};

/// What a sign leaves of the odds of a reading: of what shows one column where two things are asked none of 15 was right, of
/// what passes over a stored value 2 of 13; all were thought likelier right than not.
const HALF: f64 = 1.0 / 12.0;
const PASSED_OVER: f64 = 1.0 / 8.0;
/// Nothing is surer that counts the one row that is called so (`how many sopranos are there`, of a table of voices): 0 of 3 were
/// right, and it is always one.
const COUNTS_A_NAME: f64 = 0.3;
/// No reading is surer that may be meant otherwise: most are right, but a model that is asked may see more.
const OTHERWISE: f64 = 0.9;

/// Words that ask.
const ASKING: &[&str] = &["who", "whom", "what", "which", "when", "where", "how"];
/// Words that may begin a clause about what was said before them.
const RELATING: &[&str] = &["who", "whose", "whom", "which", "that", "where", "when"];
/// The beginning or the end of the name of a column that counts something.
const COUNTING: &[&str] = &["no", "num", "number", "count", "cnt", "nb", "nbr", "qty"];
/// So many values at most has a column of which all are compared with the words of the question.
const FEW_VALUES: usize = 30;
/// A value of fewer letters may be in a question by chance.
const SHORT: usize = 4;
/// Fewer rows say nothing of how often the same comes.
const FEW_ROWS: usize = 4;

/// How likely a reading is right that was thought right with this probability, 0 to 1.
pub(super) fn doubted(likely: f64, question: &str, candidate: &Candidate, snapshot: &Snapshot) -> f64 {
    let Some((sql, trial)) = candidate.runs() else {
        return likely;
    };
    let words = text_words(question);
    let seen = Seen {
        words: &words,
        names: names_in(question),
        sql: sql.as_str(),
        tables: sql.tables(),
        columns: sql.columns().len(),
        snapshot,
    };
    let repeats = sql.columns().len() == 1 && !seen.counts() && mostly_repeats(&trial.rows);
    match seen.left() {
        _ if seen.counts_a_name(&trial.rows) => likely.min(COUNTS_A_NAME),
        Some(left) => logistic(logit(likely) + left.ln()),
        None if repeats || seen.may_be_otherwise() => likely.min(OTHERWISE),
        None => likely,
    }
}

/// A question and what is seen of SQL for it.
struct Seen<'a> {
    words: &'a [String],
    /// Those that begin with a capital, but for the first one and for months: what is called so elsewhere may be called so here.
    names: Vec<String>,
    sql: &'a str,
    tables: &'a [usize],
    columns: usize,
    snapshot: &'a Snapshot,
}

impl Seen<'_> {
    /// What is left of the odds, where something is passed over.
    fn left(&self) -> Option<f64> {
        if self.columns == 1 && asks_twice(self.words) {
            Some(HALF)
        } else if self.passes_over_a_value() {
            Some(PASSED_OVER)
        } else {
            None
        }
    }

    /// True for rows that are counted where another number may be meant.
    fn may_be_otherwise(&self) -> bool {
        self.counts() && (self.numbers_asked() || self.counted_elsewhere())
    }

    fn counts(&self) -> bool {
        self.sql.contains("COUNT(")
    }

    /// True where the one row of a table is counted that has a name, and nobody asks what is called so.
    fn counts_a_name(&self, rows: &[Vec<Value>]) -> bool {
        let is_one = matches!(rows, [row] if matches!(row.as_slice(), [Value::Integer(1)]));
        let asks_names =
            |word: &String| matches!(word.as_str(), "called" | "named" | "name" | "names" | "titled");
        let counted = is_one && self.counts() && self.tables.len() == 1 && !self.words.iter().any(asks_names);
        if !counted {
            return false;
        }
        let schema = &self.snapshot.schema;
        let of_name = |filter: &Filter| {
            let name = identifier_words(&schema.column(filter.column).name);
            let last = name.last().map_or("", String::as_str);
            filter.equal && matches!(last, "name" | "title" | "label" | "description" | "nm" | "desc")
        };
        matches!(validator::filters(self.sql, schema, self.snapshot.dialect).as_slice(), [only] if of_name(only))
    }

    /// "The numbers of all flights" are what flights are called: rows that are counted give one number.
    fn numbers_asked(&self) -> bool {
        self.columns == 1 && self.words.iter().any(|word| word == "numbers")
    }

    /// Rows are counted, and a column that is not read has the number of the same things: `no_of_customers`.
    fn counted_elsewhere(&self) -> bool {
        let asked: Vec<String> = self.words.iter().map(|word| stem(word)).collect();
        let of_asked = |name: &String| asked.contains(&stem(name));
        let counts = |name: &String| COUNTING.contains(&name.as_str());
        // The number of one thing is what it is called: `flight_number`, `room no`.
        let many = |name: &String| stem(name) != *name;
        let sql = self.sql.to_lowercase();
        let mut columns = self.snapshot.schema.columns();
        columns.any(|(_, column)| {
            let name = identifier_words(&column.name);
            let stored = match name.as_slice() {
                [first, .., last] if counts(first) => many(last) && of_asked(last),
                [.., thing, last] if last == "count" || last == "cnt" => of_asked(thing),
                _ => false,
            };
            stored && !sql.contains(&column.name.to_lowercase())
        })
    }

    /// A word of the question is stored where the SQL looks, among few values (a name: anywhere), names nothing and is not
    /// compared with.
    fn passes_over_a_value(&self) -> bool {
        let sql = self.sql.to_lowercase();
        let passed = |word: &&String| {
            word.len() >= SHORT
                && word.bytes().all(|letter| letter.is_ascii_alphabetic())
                && !sql.contains(word.as_str())
                && !is_common(word)
                // `French` authors are those from France.
                && !comes_of(word, &sql, SHORT)
        };
        let passed: Vec<&String> = self.words.iter().filter(passed).collect();
        if passed.is_empty() {
            return false;
        }
        let schema = &self.snapshot.schema;
        let names = || {
            let columns = schema.columns().map(|(_, column)| &column.name);
            let tables = schema.tables.iter().map(|table| &table.name);
            tables.chain(columns).flat_map(|name| identifier_words(name))
        };
        let stored = |word: &&String| {
            let is_name = self.names.contains(word);
            let tables = self.snapshot.profile.tables.iter().enumerate();
            let profiles = tables.filter(|(table, _)| is_name || self.tables.contains(table));
            let mut columns = profiles
                .filter_map(|(_, profile)| profile.as_ref())
                .flat_map(|profile| &profile.columns);
            columns.any(|column| {
                let mut values = column.frequent.iter();
                (is_name || column.frequent.len() <= FEW_VALUES)
                    && values.any(|(value, _)| value.eq_ignore_ascii_case(word))
            })
        };
        let of_interest: Vec<&String> = passed.into_iter().filter(stored).collect();
        let is_name = |word: &String| {
            let stem_of_word = stem(word);
            names().any(|name| stem(&name) == stem_of_word)
        };
        of_interest.into_iter().any(|word| !is_name(word))
    }
}

/// Words that begin with a capital in the middle of a question, in small letters.
fn names_in(question: &str) -> Vec<String> {
    let words = question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let named = words.skip(1).filter(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
    });
    named
        .map(str::to_lowercase)
        .filter(|word| !is_month(word))
        .collect()
}

/// True if another question follows behind "and": "the price of it, and who makes it".
fn asks_twice(words: &[String]) -> bool {
    words.windows(2).enumerate().any(|(at, pair)| {
        let (joint, asking) = (pair[0].as_str(), pair[1].as_str());
        // "When", in "who and when", asks with the word before it.
        let before = words.get(1..at.saturating_sub(1)).unwrap_or_default();
        // "Who lives here and who likes it": the second of two clauses about the same.
        let goes_on =
            RELATING.contains(&asking) && before.iter().any(|word| RELATING.contains(&word.as_str()));
        joint == "and" && ASKING.contains(&asking) && !goes_on
    })
}

/// True if at most half of the rows are different: who asks for them may want to see each once.
fn mostly_repeats(rows: &[Vec<Value>]) -> bool {
    let mut once: Vec<&Vec<Value>> = Vec::new();
    for row in rows {
        if !once.contains(&row) {
            once.push(row);
        }
    }
    rows.len() >= FEW_ROWS && once.len() * 2 <= rows.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(question: &str) -> bool {
        asks_twice(&text_words(question))
    }

    #[test]
    fn two_questions_in_one_are_heard() {
        assert!(twice("What is the price of the blue lamp, and who makes it?"));
        assert!(twice("Which clubs have more than 60 members, and how many?"));
        assert!(twice("latest 5 visits, who and when"));
        assert!(!twice("Name the people who live in Rome and who own a dog"));
        assert!(!twice("How many cats and dogs are there?"));
    }

    #[test]
    fn names_begin_with_a_capital() {
        assert_eq!(
            names_in("How many visits in Oslo in May, per VAT rate?"),
            ["oslo"]
        );
        assert_eq!(names_in("Visits of Anna O'Neil"), ["anna", "neil"]);
    }

    #[test]
    fn rows_that_mostly_come_again_are_seen() {
        let rows = |values: &[i64]| -> Vec<Vec<Value>> {
            values.iter().map(|value| vec![Value::Integer(*value)]).collect()
        };
        assert!(mostly_repeats(&rows(&[1, 1, 2, 2])));
        assert!(!mostly_repeats(&rows(&[1, 2, 3, 3])));
        assert!(!mostly_repeats(&rows(&[1, 1])));
    }
}
