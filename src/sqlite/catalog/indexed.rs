//! Indexes in words, as `pg_get_indexdef` tells them.

use std::fmt::Write as _;

use super::{
    asked::asked,
    describe::{Types, quote_identifier},
    model::{Keyed, schema_name},
    pretty::{self, Shown},
    source::{Index, Table},
    words,
};
use crate::{
    sqlite::translate::written,
    statement::sqlite_lexer::{Piece, pieces, tokens, unquote},
};

/// The items in the first parentheses of a `CREATE INDEX`, and what follows WHERE.
pub(crate) fn index_parts(sql: &str) -> (Vec<String>, Option<String>) {
    let (mut items, mut depth, mut start, mut condition) = (vec![], 0_usize, None, None);
    for (at, piece) in pieces(sql) {
        let Piece::Token(token) = piece else { continue };
        match token {
            "(" => {
                depth += 1;
                if depth == 1 && items.is_empty() {
                    start = Some(at + 1);
                }
            }
            "," | ")" if depth == 1 => {
                if let Some(from) = start.take() {
                    items.push(sql[from..at].trim().to_owned());
                    start = (token == ",").then_some(at + 1);
                }
                depth -= usize::from(token == ")");
            }
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && token.eq_ignore_ascii_case("where") && condition.is_none() => {
                condition = Some(sql[at + token.len()..].trim().to_owned());
            }
            _ => {}
        }
    }
    (items, condition)
}

/// An item of an index in PostgreSQL's words.
pub(crate) fn told_key(item: &str) -> String {
    let is_name = pieces(item).count() == 1;
    if is_name {
        unquote(item)
    } else {
        words::expression(item)
    }
}

/// The words by which errors tell an item of an index, and the column that it is.
pub(crate) fn shown_key(item: &str) -> (String, Option<String>) {
    if pieces(item).count() == 1 {
        let column = unquote(item);
        return (shown_column(&column), Some(column));
    }
    let expression = Shown::Pretty.of(&Key::read(item).expression);
    let is_call = pretty::is_call(&expression);
    let told = if is_call {
        expression
    } else {
        format!("({expression})")
    };
    (told, None)
}

/// The name of a column as errors tell it.
pub(crate) fn shown_column(name: &str) -> String {
    quote_identifier(name)
}

/// A key of an index in PostgreSQL's words.
struct Key {
    expression: String,
    /// By which it is compared, where that was said.
    collation: Option<String>,
    /// True unless it is told as more than the column that SQLite takes it for.
    is_column: bool,
}

impl Key {
    /// Out of an item of the index.
    fn read(item: &str) -> Self {
        let item = undirected(item);
        let words = words::expression(item);
        let is_told = written::expression(item).is_some();
        let (expression, collation) = match collated(&words) {
            Some((expression, name)) if is_told => (expression, Some(name)),
            _ => (words.as_str(), None),
        };
        let collation = collation.filter(|name| *name != "\"default\"");
        Self {
            is_column: !is_told || pieces(expression).count() == 1,
            collation: collation.map(str::to_owned),
            expression: expression.to_owned(),
        }
    }

    /// Those of an index that somebody made, in their order.
    fn all(sql: Option<&str>) -> Vec<Self> {
        let items = sql.map(|sql| index_parts(sql).0).unwrap_or_default();
        items.iter().map(|item| Self::read(item)).collect()
    }
}

/// An item without the word for its order.
pub(super) fn undirected(item: &str) -> &str {
    let lower = item.to_ascii_lowercase();
    &item[..lower.strip_suffix(" desc").map_or(item.len(), str::len)]
}

/// What stands before COLLATE, and the name behind it, where that is all: `(a COLLATE "C")`.
fn collated(words: &str) -> Option<(&str, &str)> {
    let inner = words.strip_prefix('(')?.strip_suffix(')')?;
    let tokens: Vec<(usize, &str)> = tokens(inner).collect();
    let mut depth = 0_usize;
    for (_, token) in &tokens {
        match *token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    let [.., (at, word), (_, name)] = tokens.as_slice() else {
        return None;
    };
    if depth > 0 || !word.eq_ignore_ascii_case("collate") {
        return None;
    }
    Some((inner[..*at].trim_end(), *name))
}

/// The positions of the columns that an index is on; 0 for an expression. SQLite takes a cast that leaves the values as they are
/// for the column itself.
pub(super) fn positions(table: &Table, index: &Index) -> Vec<i64> {
    let keys = Key::all(index.sql.as_deref());
    let columns = index.columns.iter().enumerate();
    columns
        .map(|(at, (name, _))| match name {
            Some(name) if keys.get(at).is_none_or(|key| key.is_column) => table.position(name),
            _ => 0,
        })
        .collect()
}

/// The expressions that an index is on.
pub(super) fn expressions(keyed: &Keyed) -> Vec<String> {
    let keys = Key::all(keyed.index.sql.as_deref());
    let on = keys.into_iter().zip(&keyed.columns);
    on.filter(|(_, column)| **column == 0)
        .map(|(key, _)| key.expression)
        .collect()
}

/// The condition of a partial index.
pub(super) fn predicate(keyed: &Keyed) -> Option<String> {
    keyed
        .index
        .sql
        .as_deref()
        .filter(|_| keyed.index.partial)
        .and_then(|sql| index_parts(sql).1)
        .map(|condition| words::condition(&condition))
}

/// One column of an index; 1 is the first. An expression has parentheses of its own, unless it is a call.
pub(super) fn column(table: &Table, keyed: &Keyed, position: usize, shown: Shown) -> Option<String> {
    let column = *keyed.columns.get(position.checked_sub(1)?)?;
    if column == 0 {
        let before = keyed.columns[..position - 1]
            .iter()
            .filter(|column| **column == 0)
            .count();
        let expression = shown.of(expressions(keyed).get(before)?);
        let is_call = pretty::is_call(&expression);
        return Some(if is_call {
            expression
        } else {
            format!("({expression})")
        });
    }
    table
        .columns
        .get((column - 1) as usize)
        .map(|column| quote_identifier(&column.name))
}

/// What the keys of an index are like beside their columns.
pub(super) struct Manner {
    /// The class of the operators of each key, where it is not the usual one.
    pub(super) classes: Vec<Option<(String, i64)>>,
    /// Of each key whether it is in descending order, and whether NULL comes first.
    pub(super) orders: Vec<(bool, bool)>,
    /// Positions of the columns that are kept beside the keys.
    pub(super) included: Vec<i64>,
}

impl Manner {
    pub(super) fn of(table: &Table, keyed: &Keyed) -> Self {
        let asked = keyed.index.sql.as_deref().map(asked).unwrap_or_default();
        let said = |at: usize| asked.keys.get(at).cloned().unwrap_or_default();
        let class = |at: usize| {
            let name = said(at).0?;
            let oid = Types::unusual_class(&name)?;
            Some((name, oid))
        };
        let order = |at: usize| {
            let descending = keyed
                .index
                .columns
                .get(at)
                .is_some_and(|(_, descending)| *descending);
            // Descending order puts NULL first, where nothing else is said.
            (descending, said(at).1.unwrap_or(descending))
        };
        let included = asked.included.iter().map(|name| table.position(name));
        Self {
            classes: (0..keyed.columns.len()).map(class).collect(),
            orders: (0..keyed.columns.len()).map(order).collect(),
            included: included.filter(|column| *column != 0).collect(),
        }
    }
}

/// The statement that would create an index.
pub(super) fn definition(table: &Table, keyed: &Keyed, shown: Shown) -> String {
    let manner = Manner::of(table, keyed);
    let keys = Key::all(keyed.index.sql.as_deref());
    let unique = if keyed.index.unique { "UNIQUE " } else { "" };
    let columns: Vec<String> = (1..=keyed.columns.len())
        .map(|position| {
            let name = column(table, keyed, position, shown).unwrap_or_default();
            let collation = keys.get(position - 1).and_then(|key| key.collation.as_ref());
            let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
            let class = manner.classes.get(position - 1).cloned().flatten();
            let class = class.map_or_else(String::new, |(class, _)| format!(" {}", quote_identifier(&class)));
            let order = match manner.orders.get(position - 1) {
                Some((false, true)) => " NULLS FIRST",
                Some((true, true)) => " DESC",
                Some((true, false)) => " DESC NULLS LAST",
                _ => "",
            };
            format!("{name}{collation}{class}{order}")
        })
        .collect();
    // What is on the search path needs no schema.
    let schema = match (schema_name(table), shown) {
        ("public" | "pg_temp", Shown::Pretty) => String::new(),
        (schema, _) => format!("{}.", quote_identifier(schema)),
    };
    let mut told = format!(
        "CREATE {unique}INDEX {} ON {schema}{} USING btree ({})",
        quote_identifier(&keyed.name),
        quote_identifier(&table.name),
        columns.join(", ")
    );
    if !manner.included.is_empty() {
        let named = |column: &i64| table.columns.get((column - 1) as usize);
        let included = manner.included.iter().filter_map(named);
        let included: Vec<String> = included.map(|column| quote_identifier(&column.name)).collect();
        let _ = write!(told, " INCLUDE ({})", included.join(", "));
    }
    if let Some(condition) = predicate(keyed) {
        let _ = write!(told, " WHERE {}", shown.of(&condition));
    }
    told
}
