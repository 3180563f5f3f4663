//! Words that are sought in texts, in small letters or capitals, as patterns of SQLite's own. SQLite looks through 100,000
//! questions with them in less than a tenth of a second; an index as quick is larger than the texts and written with each question.

use std::{collections::HashMap, fmt::Write, sync::LazyLock};

/// The length at which texts are cut, in characters: nothing longer is found in them.
const LONGEST: usize = 2000;
/// How small letters outside of ASCII are written otherwise, and which others those of ASCII are.
static CAPITALS: LazyLock<HashMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut capitals: HashMap<char, Vec<char>> = HashMap::new();
    for letter in '\u{80}'..=char::MAX {
        let mut small = letter.to_lowercase();
        if let (Some(one), None) = (small.next(), small.next())
            && one != letter
        {
            capitals.entry(one).or_default().push(letter);
        }
    }
    // At the end of a word a sigma is another one.
    capitals.entry('ς').or_default().push('Σ');
    capitals
});

/// A condition that holds where these words, in small letters, are in one of the columns; and the patterns that it takes, whose
/// parameters are counted from `first` on. `None` where they can be nowhere.
pub(super) fn condition(words: &str, columns: &[&str], first: usize) -> Option<(String, Vec<String>)> {
    if words.chars().nth(LONGEST).is_some() || words.contains('\0') {
        return None;
    }
    let (operator, escape, patterns) = if words.is_ascii() {
        ("LIKE", " ESCAPE '\\'", vec![like(words)])
    } else {
        ("GLOB", "", globs(words))
    };
    let mut condition = String::new();
    for column in columns {
        for at in 0..patterns.len() {
            let or = if condition.is_empty() { "" } else { " OR " };
            // Writing to a string does not fail.
            let _ = write!(condition, "{or}{column} {operator} ?{}{escape}", first + at);
        }
    }
    Some((condition, patterns))
}

/// LIKE knows the capitals of ASCII.
fn like(words: &str) -> String {
    let mut pattern = String::from("%");
    for sign in words.chars() {
        if matches!(sign, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    pattern.push('%');
    pattern
}

/// GLOB knows none, and is told them. It goes from one place to the next at which a text may begin quickly where that is a
/// letter and not a choice of letters, so that there is a pattern for each way to write the first.
fn globs(words: &str) -> Vec<String> {
    let mut signs = words.chars();
    let Some(begin) = signs.next() else {
        return Vec::new();
    };
    let rest: String = signs.map(|sign| choice(&ways(sign))).collect();
    let begins = ways(begin);
    begins
        .iter()
        .map(|begin| format!("*{}{rest}*", choice(&[*begin])))
        .collect()
}

/// A small letter and its capitals; any other sign by itself.
fn ways(sign: char) -> Vec<char> {
    let mut ways = vec![sign];
    if sign.is_ascii_lowercase() {
        ways.push(sign.to_ascii_uppercase());
    }
    ways.extend(CAPITALS.get(&sign).into_iter().flatten());
    ways
}

fn choice(ways: &[char]) -> String {
    match ways {
        [sign] if !matches!(sign, '*' | '?' | '[') => sign.to_string(),
        several => format!("[{}]", several.iter().collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, params_from_iter};

    use super::condition;

    fn holds(connection: &Connection, text: &str, words: &str) -> bool {
        connection
            .execute("UPDATE t SET words = ?1", [text])
            .expect("the table takes texts");
        let Some((condition, patterns)) = condition(words, &["words", "sql"], 1) else {
            return false;
        };
        let sql = format!("SELECT count(*) FROM t WHERE {condition}");
        connection
            .query_row(&sql, params_from_iter(patterns), |row| row.get(0))
            .expect("the condition is SQL")
    }

    fn table() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection
            .execute_batch("CREATE TABLE t (words TEXT, sql TEXT); INSERT INTO t VALUES ('', NULL)")
            .expect("the table is SQL");
        connection
    }

    #[test]
    fn words_are_found_in_small_letters_and_capitals_and_nothing_in_them_is_a_pattern() {
        let connection = table();
        let long = "e".repeat(3000);
        for (text, words) in [
            ("How many PETS?", "pets"),
            ("pepets", "pets"),
            ("pet", "pets"),
            ("sum(price * quantity)", "e * quant"),
            ("quit", "acquit"),
            ("100% of a_b", "0% of a_"),
            ("100 of axb", "0% of a"),
            ("axb", "a_b"),
            ("a\\b", "a\\b"),
            ("a\\_b", "\\_"),
            ("SELECT '[x]*?' AS \"é\"", "[x]*?' as \"é"),
            ("SELECT x AS é", "[x] as é"),
            ("é", "*é"),
            ("é]^-", "é]^-"),
            ("wie GROẞ ist die STRAẞE", "groß ist"),
            ("СКОЛЬКО клиентов", "сколько к"),
            ("сколько", "сколький"),
            ("ΠΟΣΟΙ ΠΕΛΑΤΕΣ", "πελατες"),
            ("Ǆ und ǅ", "ǆ und ǆ"),
            ("顧客は何人", "は何"),
            ("é", "e"),
            ("' OR 1 = 1 --", "' or 1"),
            (&long, "eee"),
            ("", "é"),
        ] {
            assert_eq!(
                holds(&connection, text, words),
                text.to_lowercase().contains(words),
                "{text} {words}"
            );
        }
        assert!(!holds(&connection, &long, &long));
        assert!(!holds(&connection, "a", "a\0"));
    }

    #[test]
    fn every_letter_is_found_by_its_small_letter() {
        let connection = table();
        for letter in '\u{80}'..=char::MAX {
            let small: Vec<char> = letter.to_lowercase().collect();
            // The Turkish capital of i is the only one that becomes two signs, and Kelvin's sign a letter of ASCII.
            if small == [letter] || small.len() > 1 || small[0].is_ascii() {
                continue;
            }
            assert!(
                holds(&connection, &format!("x{letter}"), &format!("x{}", small[0])),
                "{letter}"
            );
        }
    }
}
