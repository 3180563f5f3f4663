//! Words of identifiers, stored values and questions: splitting, folding and stemming, one way for all of them.

use std::sync::{Arc, LazyLock};

use frostem::{Algorithm, Stemmer};
use quick_cache::sync::Cache;

mod joined;

/// The English stem of one word, lower case. Words with digits stay as they are.
pub fn stem(word: &str) -> String {
    static REMEMBERED: LazyLock<Cache<String, String>> = LazyLock::new(|| Cache::new(MOST_REMEMBERED));
    let lower = word.to_lowercase();
    if lower.len() <= 2 || !lower.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return lower;
    }
    if let Some(singular) = irregular(&lower) {
        return singular.to_owned();
    }
    if let Some(stem) = REMEMBERED.get(lower.as_str()) {
        return stem;
    }
    let stem = Stemmer::new(Algorithm::English).stem(&lower).into_owned();
    REMEMBERED.insert(lower, stem.clone());
    stem
}

/// Plurals and forms that the stemmer leaves apart from their singular.
fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "people" | "persons" | "person" => "person",
        "men" => "man",
        "women" => "woman",
        "children" => "child",
        "feet" => "foot",
        "bought" => "buy",
        "sold" => "sell",
        "taught" => "teach",
        "written" | "wrote" => "write",
        "staffs" => "staff",
        "data" => "data",
        "news" => "news",
        // Not a rate.
        "rating" | "ratings" | "rated" => "rating",
        "aircraft" | "aircrafts" => "aircraft",
        _ => return None,
    })
}

/// Beginnings of names that only say of what type a column is: `strForename`, `dtmStart`.
const TYPE_PREFIXES: [&str; 12] = [
    "str", "int", "dtm", "cur", "sng", "dbl", "lng", "bln", "bool", "yn", "txt", "mem",
];

/// An identifier without such a beginning.
fn without_type(identifier: &str) -> &str {
    let prefix = TYPE_PREFIXES
        .iter()
        .find_map(|prefix| identifier.strip_prefix(prefix));
    prefix
        .filter(|rest| rest.starts_with(char::is_uppercase))
        .unwrap_or(identifier)
}

/// Words whose stems, and identifiers whose words, are remembered. A question goes through the names of its schema many times.
const MOST_REMEMBERED: usize = 50_000;

/// True for a noun that stands for several, by its end: `reasons`, but not `diagnosis`, `class` or `status`.
pub fn is_plural(word: &str) -> bool {
    word.ends_with('s') && !["ss", "is", "us"].iter().any(|end| word.ends_with(end))
}

/// The words of an identifier, lower case: `orderLine_No2` is `order line no 2`, and `CUSTNM` is `cust nm`.
pub fn identifier_words(identifier: &str) -> Vec<String> {
    static REMEMBERED: LazyLock<Cache<String, Arc<Vec<String>>>> =
        LazyLock::new(|| Cache::new(MOST_REMEMBERED));
    if let Some(words) = REMEMBERED.get(identifier) {
        return words.as_ref().clone();
    }
    let words = words_of(identifier);
    REMEMBERED.insert(identifier.to_owned(), Arc::new(words.clone()));
    words
}

fn words_of(identifier: &str) -> Vec<String> {
    let capitals = !identifier.chars().any(char::is_lowercase);
    signed_words(without_type(identifier))
        .into_iter()
        .flat_map(|word| joined::parted(word, capitals))
        .collect()
}

/// Beginnings of names, of tables above all, that say what they are and mean nothing else.
const TABLE_BEGINNINGS: [&str; 28] = [
    "tbl", "t", "tb", "tlk", "tlkp", "lkp", "lu", "dim", "fact", "fct", "f", "d", "stg", "ref", "mst",
    "mstr", "vw", "v", "qry", "view", "rpt", "xref", "map", "lnk", "link", "tab", "table", "mast",
];
/// Ends of such names.
const TABLE_ENDS: [&str; 11] = [
    "mast", "mst", "mstr", "master", "hdr", "header", "tb", "tbl", "tab", "table", "file",
];

/// The words of a name without a beginning that only says what is named: `d_amount`, `tbl_order`.
pub fn plain_words(identifier: &str) -> Vec<String> {
    let mut words = identifier_words(identifier);
    if words.len() > 1 && TABLE_BEGINNINGS.contains(&words[0].as_str()) {
        words.remove(0);
    }
    words
}

/// The words of a table's name without those that only say that it is a table: `tbl_order`, `CUSTMAST`.
pub fn table_words(identifier: &str) -> Vec<String> {
    let mut words = plain_words(identifier);
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| TABLE_ENDS.contains(&last.as_str()))
    {
        words.pop();
    }
    words
}

/// The words of an identifier as its signs, digits and letter case part them.
fn signed_words(identifier: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    let mut characters = identifier.chars().peekable();
    while let Some(character) = characters.next() {
        let next_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let starts_word = (character.is_uppercase() && previous.is_lowercase())
            || (character.is_uppercase()
                && previous.is_uppercase()
                && next_lower
                && word.chars().count() > 1)
            || (character.is_numeric() != previous.is_numeric() && previous.is_alphanumeric());
        if (starts_word || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        previous = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Words of running text, lower case, without punctuation; `O'Neil` stays one word as `o'neil`.
pub fn text_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let inside = !word.is_empty() && characters.peek().is_some_and(|next| next.is_alphanumeric());
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        } else if inside
            && matches!(character, '\'' | '’' | '.')
            && (character != '.' || word.bytes().all(|byte| byte.is_ascii_digit()))
        {
            word.push(if character == '’' { '\'' } else { character });
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_split_at_case_digits_and_signs() {
        for (identifier, expected) in [
            ("orderLine_No2", "order line no 2"),
            ("HTTPServer", "http server"),
            ("customer_id", "customer id"),
            ("StuID", "stu id"),
            ("unit price (€)", "unit price"),
            ("ID", "id"),
            ("strForename", "forename"),
            ("ynActive", "active"),
            ("integer", "integer"),
            ("BILL_TOTAMT", "bill tot amt"),
            ("CustNm", "cust nm"),
        ] {
            assert_eq!(identifier_words(identifier).join(" "), expected, "{identifier}");
        }
    }

    #[test]
    fn what_only_says_that_it_is_a_table_is_left_out() {
        for (table, expected) in [
            ("tbl_order", "order"),
            ("CUSTMAST", "cust"),
            ("order_header", "order"),
            ("file", "file"),
            ("t_master", "master"),
        ] {
            assert_eq!(table_words(table).join(" "), expected, "{table}");
        }
    }

    #[test]
    fn text_keeps_numbers_and_names_whole() {
        assert_eq!(
            text_words("Mr. O'Neil paid 3.50, twice!"),
            ["mr", "o'neil", "paid", "3.50", "twice"]
        );
    }
}
