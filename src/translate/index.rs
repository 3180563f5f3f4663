//! CREATE INDEX: what only PostgreSQL's own access methods need is left out.

use std::fmt::Write as _;

use sqlparser::ast::{CreateIndex, Expr, ObjectName, OrderBySort};

use super::{
    NamedColumn, Result, Translator, default, dml, quoted, refuse,
    scope::{Relation, Scope},
    unsupported,
};

impl Translator<'_> {
    pub(super) fn create_index(&mut self, index: &CreateIndex) -> Result<String> {
        if index.nulls_distinct == Some(false) {
            return unsupported("a unique index with NULLS NOT DISTINCT", None);
        }
        let (schema, table) = self.split(&index.table_name)?;
        let columns = self.columns_of(schema.as_deref(), &table)?;
        self.enter_table(&table, &columns);
        let mut keys = vec![];
        let mut parts = vec![];
        for column in &index.columns {
            parts.push(match &column.column.expr {
                Expr::Identifier(name) => super::folded(name),
                // PostgreSQL calls an index after the function that it is on.
                Expr::Function(call) => self.split(&call.name)?.1,
                _ => "expr".into(),
            });
            let mut key = self.expression(&column.column.expr)?.sql;
            if default::depends_on_zone(&key) {
                return refuse(
                    "42P17",
                    "functions in index expression must be marked IMMUTABLE",
                    None,
                );
            }
            if !matches!(column.column.expr, Expr::Identifier(_)) {
                key = self.with_told(&key, &column.column.expr);
            }
            if matches!(column.column.options.sort, Some(OrderBySort::Desc)) {
                key.push_str(" DESC");
            }
            keys.push(key);
        }
        let condition = match &index.predicate {
            Some(predicate) => {
                let condition = self.truth(predicate, "WHERE")?;
                format!(" WHERE {}", self.with_told(&condition, predicate))
            }
            None => String::new(),
        };
        self.scopes.pop();
        let name = match &index.name {
            Some(name) => self.split(name)?.1,
            None => self.free_name(&format!("{table}_{}_idx", parts.join("_"))),
        };
        let mut sql = String::from("CREATE ");
        if index.unique {
            sql.push_str("UNIQUE ");
        }
        sql.push_str("INDEX ");
        if index.if_not_exists {
            sql.push_str("IF NOT EXISTS ");
        }
        let _ = write!(
            sql,
            "{} ON {} ({}){condition}",
            dml::qualified(schema.as_deref(), &name),
            quoted(&table),
            keys.join(", ")
        );
        Ok(sql)
    }

    /// SQLite has no other name for an index, so that it is made anew.
    pub(super) fn rename_index(&mut self, name: &ObjectName, new: &ObjectName) -> Result<String> {
        let ((_, name), (_, new)) = (self.split(name)?, self.split(new)?);
        let objects = self.names.objects();
        let Some(index) = objects
            .iter()
            .find(|object| object.kind == "index" && object.name.eq_ignore_ascii_case(&name))
        else {
            return refuse("42P01", format!("relation \"{name}\" does not exist"), None);
        };
        let Some((head, rest)) = index.sql.split_once(" ON ") else {
            return unsupported("ALTER INDEX … RENAME of a constraint's index", None);
        };
        let unique = if head.to_ascii_uppercase().contains("UNIQUE") {
            "UNIQUE "
        } else {
            ""
        };
        self.first(format!("DROP INDEX {}", quoted(&index.name)));
        Ok(format!("CREATE {unique}INDEX {} ON {rest}", quoted(&new)))
    }

    /// The columns of a table under their names alone, as its own definition may use them.
    pub(super) fn enter_table(&mut self, table: &str, columns: &[NamedColumn]) {
        let mut relation = Relation::of_table(table, columns);
        for column in &mut relation.columns {
            column.computed = Some(quoted(&column.name));
        }
        self.scopes.push(Scope {
            relations: vec![relation],
            ..Scope::default()
        });
    }

    /// The name, with a number behind it where it is taken.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let objects = self.names.objects();
        let taken = |name: &str| {
            objects
                .iter()
                .any(|object| object.name.eq_ignore_ascii_case(name))
        };
        let mut name = wanted.to_owned();
        let mut number = 1;
        while taken(&name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }
}
