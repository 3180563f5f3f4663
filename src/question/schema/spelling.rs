//! Names and texts as SQL spells them.

use std::{collections::HashSet, sync::LazyLock};

use super::Dialect;

/// An identifier as SQL writes it: quoted only where it must be.
pub fn identifier(name: &str, dialect: Dialect) -> String {
    // PostgreSQL folds what is not quoted to lower case.
    let folds = dialect == Dialect::Postgres && name.bytes().any(|byte| byte.is_ascii_uppercase());
    let plain = !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !folds
        && !is_reserved(name, dialect);
    if plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// A string literal as SQL writes it.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// True for a word that neither the database nor the parsers of its dialect take for a plain name everywhere.
fn is_reserved(name: &str, dialect: Dialect) -> bool {
    static BY_SQLITE: LazyLock<HashSet<&str>> =
        LazyLock::new(|| words(include_str!("../../../dialects/sqlite/reserved.txt")));
    static BY_POSTGRES: LazyLock<HashSet<&str>> =
        LazyLock::new(|| words(include_str!("../../../dialects/postgres/reserved.txt")));
    let reserved = match dialect {
        Dialect::Sqlite => &BY_SQLITE,
        Dialect::Postgres => &BY_POSTGRES,
    };
    reserved.contains(name.to_ascii_lowercase().as_str())
}

fn words(text: &'static str) -> HashSet<&'static str> {
    text.split_whitespace().collect()
}
