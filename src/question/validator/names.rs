//! Names as a person writes them: the nearest one that exists, and quotes where one needs them.

use std::borrow::Cow;

use sqlparser::{
    ast::Ident,
    keywords::{ALL_KEYWORDS, ALL_KEYWORDS_INDEX, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS},
};

use crate::question::{
    lexicon,
    schema::{Dialect, words},
};

/// How alike two names must be, from 0 to 1, for one to be a misspelling of the other.
const ALIKE: f64 = 0.72;
/// How much more alike the best must be than the second best.
const LEAD: f64 = 0.08;

/// How alike forms of one word are.
const FORM: f64 = 0.97;
/// Letters of the shortest word that is taken for mistyped.
const SHORTEST: usize = 4;

/// The one name that is clearly closest; `None` where there is none, or more than one.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = folded(name);
    let mut best: Option<(f64, &str)> = None;
    let mut second = 0.0;
    for known in known.filter(|known| !are_opposites(&name, &folded(known))) {
        let likeness = likeness(&name, &folded(known));
        match best {
            Some((_, same)) if same.eq_ignore_ascii_case(known) => {}
            Some((most, _)) if likeness <= most => second = f64::max(second, likeness),
            _ => {
                second = best.map_or(second, |(most, _)| most);
                best = Some((likeness, known));
            }
        }
    }
    best.filter(|(likeness, _)| *likeness >= ALIKE && likeness - second >= LEAD)
        .map(|(_, known)| known)
}

/// The one name that this is a slip of the pen for: the same but for letter case and signs between words, or else the only one that
/// is near, but for the plural or one letter. A word more, another number or another beginning is another name, and what has that may
/// be something else entirely: `orders_2023`, `unpaid`. So is a word that there is: `county` is no slip for `country`.
pub(super) fn misspelt<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = folded(name);
    let (mut written, mut near): (Vec<&str>, Vec<&str>) = (vec![], vec![]);
    for known in known {
        let found = folded(known);
        if found == wanted {
            written.push(known);
        } else if likeness(&wanted, &found) >= ALIKE {
            near.push(known);
        }
    }
    let all = if written.is_empty() { near } else { written };
    let (first, rest) = all.split_first()?;
    let alone = rest.iter().all(|other| other.eq_ignore_ascii_case(first));
    (alone && is_slip(name, first)).then_some(*first)
}

fn is_slip(name: &str, known: &str) -> bool {
    let (one, other) = (folded(name), folded(known));
    if one == other || are_numbers_of_one(&one, &other) {
        return true;
    }
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    if digits(&one) != digits(&other) || are_opposites(&one, &other) {
        return false;
    }
    let (ones, others) = (parts(name), parts(known));
    if ones.len() != others.len() {
        return false;
    }
    let mut differ = ones.iter().zip(&others).filter(|(one, other)| one != other);
    let only = differ.next().filter(|_| differ.next().is_none());
    only.is_some_and(|(one, other)| is_mistyped(one, other))
}

/// The words of a name as its signs, digits and letter case part them.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for character in name.chars() {
        let begins = (before.is_lowercase() && character.is_uppercase())
            || (before.is_numeric() != character.is_numeric());
        if begins || !character.is_alphanumeric() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| character.is_alphanumeric()) {
            part.extend(character.to_lowercase());
        }
        before = character;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// True for a word that is none, and another that it becomes by one letter less, more or another, or by two in the other order.
fn is_mistyped(one: &str, other: &str) -> bool {
    let (ones, others): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    // Who mistypes a word seldom begins with that, and `un`, `in` and `non` make it its opposite.
    if ones.first() != others.first() || strsim::damerau_levenshtein(one, other) != 1 {
        return false;
    }
    let (mut first, mut second) = (ones.clone(), others.clone());
    first.sort_unstable();
    second.sort_unstable();
    let turned = first == second;
    // An ending tells who gives and who gets, and when: `payer` and `payee`, `shipped` and `shipper`.
    let same_end = ones.last() == others.last();
    let shorter = ones.len().min(others.len());
    let long_enough = match shorter {
        0..SHORTEST => false,
        SHORTEST => turned,
        // A letter for another makes other words of short ones.
        5 => turned || ones.len() != others.len(),
        _ => true,
    };
    long_enough && (turned || same_end) && !is_word(one)
}

/// True for a word of the language.
fn is_word(word: &str) -> bool {
    lexicon::readings(word).iter().next().is_some()
}

/// True for the singular and the plural of one word.
fn are_numbers_of_one(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let ending = |ending: &str| long.strip_suffix(ending) == Some(short);
    let ies = long.strip_suffix("ies").zip(short.strip_suffix('y'));
    ending("s") || ending("es") || ies.is_some_and(|(long, short)| long == short)
}

/// True for a word and what a beginning makes its opposite: `active` and `inactive`, `banned` and `unbanned`.
fn are_opposites(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let beginning = long.strip_suffix(short);
    beginning.is_some_and(|beginning| {
        matches!(
            beginning,
            "un" | "in" | "im" | "ir" | "dis" | "non" | "not" | "no"
        )
    })
}

/// The name as SQL text: in double quotes unless it is a plain word.
pub(super) fn quoted(name: &str, dialect: Dialect) -> String {
    if is_plain(name, dialect) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// The name that a written one stands for.
pub(super) fn meant(name: &Ident, dialect: Dialect) -> Cow<'_, str> {
    match (dialect, name.quote_style) {
        (Dialect::Postgres, None) if name.value.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Cow::Owned(name.value.to_ascii_lowercase())
        }
        _ => Cow::Borrowed(&name.value),
    }
}

/// True if two names, as [`meant`] gives them, are one.
pub(super) fn same(one: &str, other: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Sqlite => one.eq_ignore_ascii_case(other),
        Dialect::Postgres => one == other,
    }
}

fn is_plain(name: &str, dialect: Dialect) -> bool {
    let folds = dialect == Dialect::Postgres && name.bytes().any(|byte| byte.is_ascii_uppercase());
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !folds
        && !is_keyword(name, dialect)
}

/// Words that the parser or the database would not take for a name.
fn is_keyword(name: &str, dialect: Dialect) -> bool {
    let upper = name.to_ascii_uppercase();
    let keyword = ALL_KEYWORDS
        .binary_search(&upper.as_str())
        .map(|at| ALL_KEYWORDS_INDEX[at]);
    keyword.is_ok_and(|keyword| {
        RESERVED_FOR_COLUMN_ALIAS.contains(&keyword) || RESERVED_FOR_TABLE_ALIAS.contains(&keyword)
    }) || is_reserved(name, dialect)
}

/// Words that SQLite never takes for a name (`lang_keywords.html`, those without a fallback in its grammar).
const RESERVED: &str = "ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE \
    DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT \
    INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE \
    THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE";

/// Words that PostgreSQL never takes for the name of a column or table (`pg_get_keywords()`, reserved ones and those
/// that name functions or types alone).
const RESERVED_BY_POSTGRES: &str = "ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC AUTHORIZATION BINARY BOTH \
    CASE CAST CHECK COLLATE COLLATION COLUMN CONCURRENTLY CONSTRAINT CREATE CROSS CURRENT_CATALOG CURRENT_DATE \
    CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC DISTINCT DO ELSE \
    END EXCEPT FALSE FETCH FOR FOREIGN FREEZE FROM FULL GRANT GROUP HAVING ILIKE IN INITIALLY INNER INTERSECT INTO IS \
    ISNULL JOIN LATERAL LEADING LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP NATURAL NOT NOTNULL NULL OFFSET ON ONLY OR \
    ORDER OUTER OVERLAPS PLACING PRIMARY REFERENCES RETURNING RIGHT SELECT SESSION_USER SIMILAR SOME SYMMETRIC TABLE \
    TABLESAMPLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VARIADIC VERBOSE WHEN WHERE WINDOW WITH";

/// True for a word that cannot be a name without quotes.
pub(super) fn is_reserved(name: &str, dialect: Dialect) -> bool {
    let reserved = match dialect {
        Dialect::Sqlite => RESERVED,
        Dialect::Postgres => RESERVED_BY_POSTGRES,
    };
    reserved
        .split_ascii_whitespace()
        .any(|word| word.eq_ignore_ascii_case(name))
}

fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn likeness(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    // Singular and plural are the commonest slip.
    if one.strip_suffix('s') == Some(other)
        || other.strip_suffix('s') == Some(one)
        || words::stem(one) == words::stem(other)
    {
        return FORM;
    }
    strsim::normalized_damerau_levenshtein(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_close_and_alone() {
        let check = |name: &str, known: &[&'static str], expected: Option<&str>| {
            assert_eq!(nearest(name, known.iter().copied()), expected, "{name}");
        };
        check("nmae", &["name", "age"], Some("name"));
        check("patientid", &["patient_id", "doctor_id"], Some("patient_id"));
        check("patients", &["patient", "payment"], Some("patient"));
        check("address_1", &["address_2", "address_3"], None);
        check("colour", &["name", "age"], None);
        check("id", &["name"], None);
        check("name", &[], None);
    }

    #[test]
    fn the_opposite_is_not_near() {
        for (name, known) in [
            ("unbanned", "banned"),
            ("banned", "unbanned"),
            ("in_active", "active"),
        ] {
            assert_eq!(nearest(name, [known].into_iter()), None, "{name}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_no_other_name() {
        let known = [
            "people",
            "orders",
            "pay",
            "order_items",
            "paid_orders",
            "visits_2024",
            "Old",
            "lendee",
            "minimum",
        ];
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(misspelt(name, known.iter().copied()), expected, "{name}");
        };
        for (name, meant) in [
            ("peopel", "people"),
            ("People", "people"),
            ("order", "orders"),
            ("orderitems", "order_items"),
            ("order_itmes", "order_items"),
            ("OLD", "Old"),
        ] {
            check(name, Some(meant));
        }
        for name in [
            "people_banned",
            "people_old",
            "pay_eu",
            "pays_eu",
            "cancelled_orders",
            "orders_x",
            "unpaid_orders",
            "visits_2023",
            "orders2",
            "payments",
            "odd",
            "lender",
            "maximum",
        ] {
            check(name, None);
        }
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let check = |name: &str, expected: &str| {
            assert_eq!(quoted(name, Dialect::Sqlite), expected);
            assert_eq!(quoted(name, Dialect::Postgres), expected);
        };
        check("name", "name");
        check("first name", "\"first name\"");
        check("order", "\"order\"");
        check("group", "\"group\"");
        check("set", "\"set\"");
        check("1st", "\"1st\"");
        check("a\"b", "\"a\"\"b\"");
        check("é", "\"é\"");
        assert_eq!(quoted("Name", Dialect::Sqlite), "Name");
        assert_eq!(quoted("Name", Dialect::Postgres), "\"Name\"");
        assert_eq!(quoted("user", Dialect::Sqlite), "user");
        assert_eq!(quoted("user", Dialect::Postgres), "\"user\"");
    }
}
