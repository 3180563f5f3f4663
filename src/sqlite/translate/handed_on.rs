//! ON UPDATE CASCADE: SQLite hands a new key on to the rows that refer to it as it is, whatever the type of their column. Where
//! the types differ, the new value is looked at before: what fits every column that it goes to goes there.

use super::{
    NamedColumn, Translator, Ty,
    cast::How,
    declared, dml, quoted,
    scope::{Scope, Typed},
    string,
    ty::Family,
    types::Target,
};

/// How far keys are followed that are handed on by keys.
const MOST_LINKS: usize = 8;

/// The new value, in the expression that looks at it.
const NEW: &str = "\"pg:new\"";

/// A table that keys are handed on to.
#[derive(Clone)]
struct Link {
    schema: Option<String>,
    table: String,
    /// The column, and the tables and the condition by which its rows refer to the one that is written.
    column: String,
    tables: Vec<String>,
    conditions: Vec<String>,
}

impl Translator<'_> {
    /// A new value for a column of the row that is written, which is the first of the innermost scope.
    pub(super) fn handed_on(
        &mut self,
        value: String,
        (schema, table): (Option<&str>, &str),
        column: &NamedColumn,
    ) -> String {
        let checks = self.checks_of_links((schema, table), column);
        if checks.is_empty() {
            return value;
        }
        format!(
            "(SELECT CASE {} ELSE {NEW} END FROM (SELECT {value} AS {NEW}))",
            checks.join(" ")
        )
    }

    /// The same for `(a, b) = (SELECT …)`.
    pub(super) fn rows_handed_on(
        &mut self,
        query: String,
        (schema, table): (Option<&str>, &str),
        columns: &[&NamedColumn],
    ) -> String {
        let names: Vec<String> = (1..=columns.len()).map(|at| format!("\"pg:{at}\"")).collect();
        let values: Vec<String> = columns
            .iter()
            .zip(&names)
            .map(|(column, name)| self.handed_on(name.clone(), (schema, table), column))
            .collect();
        if values == names {
            return query;
        }
        format!(
            "WITH \"pg:set\"({}) AS ({query}) SELECT {} FROM \"pg:set\"",
            names.join(", "),
            values.join(", ")
        )
    }

    /// `WHEN … THEN NULL` for each column that the value goes to and may not fit.
    fn checks_of_links(
        &mut self,
        (schema, table): (Option<&str>, &str),
        column: &NamedColumn,
    ) -> Vec<String> {
        let Some(own) = self
            .scopes
            .last()
            .and_then(|scope: &Scope| scope.relations.first())
        else {
            return vec![];
        };
        let row = quoted(&own.inner);
        let typed = own
            .columns
            .iter()
            .find(|known| known.name == column.name)
            .map(|known| Typed {
                sql: NEW.to_owned(),
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
                let other = format!("\"pg:{}\"", seen.len());
                let mut next = link.clone();
                next.tables
                    .push(format!("{} AS {other}", dml::qualified(within, &key.table)));
                let pairs = key.columns.iter();
                next.conditions.extend(
                    pairs.map(|(own, to)| format!("{alias}.{} = {other}.{}", quoted(to), quoted(own))),
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
    ) -> Option<String> {
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
        Some(format!(
            "WHEN CASE WHEN EXISTS (SELECT 1 FROM {} WHERE {}) THEN pg_handed_on({NEW}, {fitting}, '{kind}', {}) END THEN NULL",
            link.tables.join(", "),
            link.conditions.join(" AND "),
            string(key)
        ))
    }
}
