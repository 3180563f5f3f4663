//! What gives another value each time it is worked out: `random()`, `nextval()`. PostgreSQL works it out once for each row of
//! the query that selects it, and after the rows are sorted; SQLite wherever a column of that query is named, and before.

use sqlparser::ast::{Query, SetExpr};

use super::{
    Translator,
    query::within_parentheses,
    quoted,
    scope::{ScopeColumn, Typed},
    select::Selected,
};
use crate::statement::sqlite_lexer::{self, Piece};

/// Calls of such functions in SQLite's words, `pg_random(` among them.
const CALLS: [&str; 10] = [
    "random(",
    "randomblob(",
    "pg_gen_random_uuid(",
    "pg_clock_timestamp(",
    "pg_sleep(",
    "pg_nextval(",
    "pg_setval(",
    "pg_currval",
    "pg_lastval",
    "advisory_",
];

/// What may be made of such a call where rows are grouped, so that nothing of it is an aggregate.
const OF_ONE_ROW: [&str; 11] = [
    "pg_random",
    "pg_gen_random_uuid",
    "pg_clock_timestamp",
    "pg_nextval",
    "pg_setval",
    "pg_currval",
    "pg_lastval",
    "pg_i2",
    "pg_i4",
    "pg_text_float8",
    "CAST",
];

/// True where SQLite's words call one of them.
pub(crate) fn is_in(sql: &str) -> bool {
    CALLS.iter().any(|call| sql.contains(call))
}

/// True for a query whose columns have to be worked out before anybody reads them.
pub(super) fn is_selected(query: &Query, sql: &str, columns: &[ScopeColumn]) -> bool {
    let is_plain = matches!(within_parentheses(&query.body), SetExpr::Select(_));
    columns.iter().any(|column| column.is_volatile) || (!is_plain && is_in(sql))
}

/// True for words that call nothing but functions of one row.
fn is_of_one_row(sql: &str) -> bool {
    let tokens = sqlite_lexer::tokens(sql).map(|(_, token)| token);
    let tokens: Vec<&str> = tokens.collect();
    tokens.windows(2).all(|pair| {
        let is_call = pair[1] == "(" && pair[0].starts_with(|sign: char| sign.is_alphabetic());
        !is_call || OF_ONE_ROW.contains(&pair[0])
    })
}

/// True where a literal holds this text.
fn is_quoted(sql: &str, text: &str) -> bool {
    sqlite_lexer::pieces(sql).any(|(_, piece)| match piece {
        Piece::Token(token) => token.starts_with('\'') && token.contains(text),
        _ => false,
    })
}

impl Translator<'_> {
    /// A query whose rows SQLite works out before they are read.
    pub(super) fn worked_out(&mut self, sql: &str, columns: &[ScopeColumn]) -> String {
        let rows = quoted(&self.fresh());
        let names: Vec<String> = columns.iter().map(|column| quoted(&column.inner)).collect();
        format!(
            "WITH {rows}({}) AS MATERIALIZED ({sql}) SELECT * FROM {rows}",
            names.join(", ")
        )
    }

    /// Has the rows of a query in FROM worked out as they are asked for, where all of it that changes is named once: less of
    /// a sequence is drawn then where there is a condition or a limit.
    pub(super) fn draw_as_asked(
        &self,
        selected: &mut Selected,
        columns: &mut [ScopeColumn],
        keys: &[String],
    ) {
        let [scope] = self.scopes.as_slice() else { return };
        let ([relation], Some((worked_out, plain))) = (scope.relations.as_slice(), &scope.worked_out) else {
            return;
        };
        let Some(behind) = selected
            .rest
            .strip_prefix(" FROM ")
            .and_then(|rest| rest.strip_prefix(worked_out.as_str()))
        else {
            return;
        };
        let asks_otherwise = [" GROUP BY ", " HAVING ", " WINDOW ", "SELECT"];
        let is_plain = (behind.is_empty() || behind.starts_with(" WHERE "))
            && !asks_otherwise.iter().any(|words| behind.contains(words))
            && !selected.distinct
            && selected.distinct_on.is_empty()
            && !selected
                .items
                .iter()
                .any(|item| item.sql.contains("SELECT") || item.sql.contains(" OVER "));
        let volatile = relation.columns.iter().filter(|column| column.is_volatile);
        let volatile: Vec<String> = volatile.map(|column| relation.column(column).sql).collect();
        let is_named_once = volatile.iter().all(|name| {
            let named = selected
                .items
                .iter()
                .map(|item| item.sql.matches(name.as_str()).count());
            named.sum::<usize>() == 1
                && !behind.contains(name.as_str())
                && !keys.iter().any(|key| key.contains(name.as_str()))
        });
        if is_plain && is_named_once && !volatile.is_empty() {
            selected.rest = format!(" FROM {plain}{behind}");
            for (item, column) in selected.items.iter().zip(columns) {
                column.is_volatile |= volatile.iter().any(|name| item.sql.contains(name.as_str()));
            }
        }
    }

    /// A query that sorts its rows and works out then what changes each time; `None` where it has nothing of the kind.
    pub(super) fn after_sort(
        &mut self,
        selected: &Selected,
        columns: &[ScopeColumn],
        (keys, top): (&[String], bool),
    ) -> Option<String> {
        if keys.is_empty() || selected.distinct || !selected.distinct_on.is_empty() {
            return None;
        }
        let relations = self
            .scopes
            .last()
            .map_or(&[][..], |scope| scope.relations.as_slice());
        let mut names: Vec<String> = relations
            .iter()
            .flat_map(|relation| relation.columns.iter().map(|column| relation.column(column).sql))
            .collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        let is_late = |item: &Typed| {
            let sql = item.sql.as_str();
            is_in(sql)
                && !keys.iter().any(|key| key.contains(sql))
                && !sql.contains("SELECT")
                && !sql.contains(" OVER ")
                && (!selected.grouped || is_of_one_row(sql))
                && !names.iter().any(|name| is_quoted(sql, name))
        };
        if !selected.items.iter().any(is_late) {
            return None;
        }
        let late: Vec<bool> = selected.items.iter().map(is_late).collect();
        let sorted = quoted(&self.fresh());
        let (mut inner, mut own, mut outer) = (vec![], vec![], vec![]);
        for ((item, column), is_late) in selected.items.iter().zip(columns).zip(late) {
            let mut value = if top { item.shown() } else { item.sql.clone() };
            let name = quoted(&column.inner);
            if is_late {
                for read in &names {
                    if value.contains(read.as_str()) {
                        let place = quoted(&self.fresh_column(columns));
                        inner.push(format!("{read} AS {place}"));
                        value = value.replace(read.as_str(), &format!("{sorted}.{place}"));
                        own.push(place);
                    }
                }
                outer.push(format!("{value} AS {name}"));
            } else {
                inner.push(format!("{value} AS {name}"));
                outer.push(format!("{sorted}.{name} AS {name}"));
                own.push(name);
            }
        }
        if inner.is_empty() {
            let place = quoted(&self.fresh_column(columns));
            inner.push(format!("NULL AS {place}"));
            own.push(place);
        }
        Some(format!(
            "SELECT {} FROM (WITH {sorted}({}) AS MATERIALIZED (SELECT {}{} ORDER BY {}) SELECT * FROM {sorted}) AS {sorted}",
            outer.join(", "),
            own.join(", "),
            inner.join(", "),
            selected.rest,
            keys.join(", "),
        ))
    }
}
