//! ON UPDATE CASCADE: SQLite hands a new key on to the rows that refer to it as it is, whatever the type of their column. Where
//! the types differ, the new value is looked at before: what fits every column that it goes to goes there.

use super::{
    NamedColumn, Translator, Ty,
    cast::How,
    declared, dml,
    scope::{Scope, Typed},
    sql::{Named, Sql, listed, sql},
    sql_expr::{
        Case, SqlExpr, bare, call, chain, column as column_of, infix, name, null, prefix, query, text, when,
    },
    ty::Family,
    types::Target,
};

/// How far keys are followed that are handed on by keys.
const MOST_LINKS: usize = 8;

/// The new value, in the expression that looks at it.
const NEW: &str = "pg:new";

/// A table that keys are handed on to.
#[derive(Clone)]
struct Link {
    schema: Option<String>,
    table: String,
    /// The column, and the tables and the condition by which its rows refer to the one that is written.
    column: String,
    tables: Vec<Sql>,
    conditions: Vec<SqlExpr>,
}

impl Translator<'_> {
    /// A new value for a column of the row that is written, which is the first of the innermost scope.
    pub(super) fn handed_on(
        &mut self,
        value: SqlExpr,
        (schema, table): (Option<&str>, &str),
        column: &NamedColumn,
    ) -> SqlExpr {
        let whens = self.checks_of_links((schema, table), column);
        if whens.is_empty() {
            return value;
        }
        let checked = Case {
            operand: None,
            whens,
            otherwise: Some(name(NEW)),
        };
        query(sql![
            "SELECT ",
            checked.end(),
            " FROM (SELECT ",
            value,
            " AS ",
            Named(NEW),
            ")"
        ])
    }

    /// The same for `(a, b) = (SELECT …)`.
    pub(super) fn rows_handed_on(
        &mut self,
        rows: Sql,
        (schema, table): (Option<&str>, &str),
        columns: &[&NamedColumn],
    ) -> Sql {
        let names: Vec<SqlExpr> = (1..=columns.len()).map(|at| name(format!("pg:{at}"))).collect();
        let values: Vec<SqlExpr> = columns
            .iter()
            .zip(&names)
            .map(|(column, name)| self.handed_on(name.clone(), (schema, table), column))
            .collect();
        if values == names {
            return rows;
        }
        let set = Named("pg:set");
        sql![
            "WITH ",
            set,
            "(",
            listed(names),
            ") AS (",
            rows,
            ") SELECT ",
            listed(values),
            " FROM ",
            set
        ]
    }

    /// `WHEN … THEN NULL` of a CASE for each column that the value goes to and may not fit.
    fn checks_of_links(
        &mut self,
        (schema, table): (Option<&str>, &str),
        column: &NamedColumn,
    ) -> Vec<(SqlExpr, SqlExpr)> {
        let Some(own) = self
            .scopes
            .last()
            .and_then(|scope: &Scope| scope.relations.first())
        else {
            return vec![];
        };
        let row = own.inner.clone();
        let typed = own
            .columns
            .iter()
            .find(|known| known.name == column.name)
            .map(|known| Typed {
                expr: name(NEW),
                name: None,
                owner: None,
                origin: None,
                ..own.column(known)
            });
        let Some(typed) = typed else { return vec![] };
        let from = declared::read(&column.declared);
        let mut checks = vec![];
        let mut seen = vec![];
        let mut waiting = vec![(
            Link {
                schema: schema.map(str::to_owned),
                table: table.to_owned(),
                column: column.name.clone(),
                tables: vec![],
                conditions: vec![],
            },
            row,
        )];
        while let Some((link, alias)) = waiting.pop() {
            let within = link.schema.as_deref().filter(|schema| *schema != "public");
            let is_key = |key: &Vec<String>| key.iter().any(|name| name.eq_ignore_ascii_case(&link.column));
            if seen.len() >= MOST_LINKS || !self.names.keys(within, &link.table).iter().any(is_key) {
                continue;
            }
            for key in self.names.handed_on(within, &link.table) {
                let Some((own, _)) = key
                    .columns
                    .iter()
                    .find(|(_, to)| to.eq_ignore_ascii_case(&link.column))
                else {
                    continue;
                };
                let place = (key.table.clone(), own.clone());
                if seen.contains(&place) {
                    continue;
                }
                seen.push(place);
                let other = format!("pg:{}", seen.len());
                let mut next = link.clone();
                next.tables
                    .push(sql![dml::qualified(within, &key.table), " AS ", Named(&other)]);
                let pairs = key.columns.iter();
                next.conditions.extend(
                    pairs.map(|(own, to)| bare(infix(column_of(&alias, to), "=", column_of(&other, own)))),
                );
                next.table.clone_from(&key.table);
                next.column.clone_from(own);
                let columns = self.names.relation(within, &key.table).unwrap_or_default();
                if let Some(column) = columns.iter().find(|column| column.name == *own) {
                    let to = declared::read(&column.declared);
                    let columns: Vec<&str> = key.columns.iter().map(|(own, _)| own.as_str()).collect();
                    let key = format!("{}({})", key.table, columns.join(", "));
                    checks.extend(self.check_of_link(&next, (&typed, from, to), &key));
                }
                waiting.push((next, other));
            }
        }
        checks
    }

    fn check_of_link(
        &mut self,
        link: &Link,
        (new, from, to): (&Typed, Target, Target),
        key: &str,
    ) -> Option<(SqlExpr, SqlExpr)> {
        if from == to {
            return None;
        }
        let fitting = self.convert(new.clone(), to, How::Assignment).ok()?.full();
        if fitting == new.full() {
            return None;
        }
        let kind = match to.ty.family() {
            Family::Number => "number",
            _ if to.ty == Ty::Varchar => "text",
            _ => "other",
        };
        let refers = match link.conditions.as_slice() {
            [one] => one.clone(),
            all => bare(chain("AND", all)),
        };
        let rows = query(sql!["SELECT 1 FROM ", listed(&link.tables), " WHERE ", refers]);
        let looked_at = call("pg_handed_on", [name(NEW), fitting, text(kind), text(key)]);
        let is_refused = when(bare(prefix("EXISTS", rows)), looked_at).end();
        Some((is_refused, null()))
    }
}
