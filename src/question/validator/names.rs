//! Names as a person writes them: the nearest one that exists, and quotes where one needs them.

use std::borrow::Cow;

use sqlparser::{
    ast::Ident,
    keywords::{ALL_KEYWORDS, ALL_KEYWORDS_INDEX, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS},
};

use crate::question::schema::{Dialect, words};

/// How alike two names must be, from 0 to 1, for one to be a misspelling of the other.
const ALIKE: f64 = 0.72;
/// How much more alike the best must be than the second best.
const LEAD: f64 = 0.08;

/// How alike forms of one word are.
const FORM: f64 = 0.97;
/// Letters of a name that may be wrong.
const MOST_SLIPS: usize = 2;

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

/// The one name that this is a slip of the pen for: the same but for letter case, signs between words, the plural, or a letter or
/// two. A word more, another number or another beginning is another name, and what has that may be something else entirely:
/// `orders_2023`, `unpaid`.
pub(super) fn misspelt<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    nearest(name, known.filter(|known| is_slip(name, known)))
}

fn is_slip(name: &str, known: &str) -> bool {
    let (one, other) = (folded(name), folded(known));
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    if one == other {
        return true;
    }
    if digits(&one) != digits(&other) {
        return false;
    }
    let parts = |name: &str| -> Vec<String> {
        let parts = name.split(|character: char| !character.is_alphanumeric());
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (ones, others) = (parts(name), parts(known));
    if ones.len() != others.len() {
        return are_forms(&one, &other);
    }
    let slips: Option<usize> = ones
        .iter()
        .zip(&others)
        .map(|(one, other)| slips(one, other))
        .sum();
    slips.is_some_and(|slips| slips <= MOST_SLIPS)
}

/// Letters that are wrong in a word; `None` where it is another word.
fn slips(one: &str, other: &str) -> Option<usize> {
    if are_forms(one, other) {
        return Some(0);
    }
    let shorter = one.chars().count().min(other.chars().count());
    let allowed = match shorter {
        // A short name tells little: only one letter is forgotten, within it.
        3 if one.chars().count() < other.chars().count() && one.chars().last() == other.chars().last() => 1,
        0..4 => return None,
        4..8 => 1,
        _ => MOST_SLIPS,
    };
    // Who gives and who gets are two: `payer` and `payee`.
    let gives = |name: &str| name.ends_with("er") || name.ends_with("or");
    let (first, second) = (one.ends_with("ee"), other.ends_with("ee"));
    if (first && gives(other)) || (second && gives(one)) {
        return None;
    }
    // Who mistypes a word seldom begins with that, and `un`, `in` and `non` make it its opposite.
    let same_begin = one.chars().next() == other.chars().next();
    let slips = strsim::damerau_levenshtein(one, other);
    (same_begin && slips <= allowed).then_some(slips)
}

/// How many words of its table a name has more than that of a column, or less: one for `order_id` and the `id` of orders. `None`
/// where it is another name.
pub(super) fn but_for_table(name: &str, column: &str, table: &str) -> Option<usize> {
    let stems = |name: &str| -> Vec<String> {
        let words = words::identifier_words(name);
        words.iter().map(|word| words::stem(word)).collect()
    };
    let (name, column, table) = (stems(name), stems(column), stems(table));
    let (long, short) = if column.len() > name.len() {
        (&column, &name)
    } else {
        (&name, &column)
    };
    let whole = !short.is_empty() && short.iter().all(|word| long.contains(word));
    let mut rest = long.iter().filter(|word| !short.contains(word));
    (whole && rest.all(|word| table.contains(word))).then_some(long.len() - short.len())
}

/// True for forms of one word.
fn are_forms(one: &str, other: &str) -> bool {
    likeness(one, other) >= FORM
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
