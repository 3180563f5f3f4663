//! CREATE INDEX: what only PostgreSQL's own access methods need is left out.

use std::fmt::Write as _;

use sqlparser::ast::{CreateIndex, Expr, IndexType, ObjectName, OrderBySort};

use super::{
    NOTHING, NamedColumn, Result, Translator, Ty, dml,
    index_text::IndexText,
    parentheses::peeled,
    quoted, refuse,
    scope::{Relation, Scope},
    sql_expr, unsupported, usual_name, written,
};

/// Refuses a key of a type whose values PostgreSQL has no operators to compare.
pub(super) fn has_order(ty: Ty, method: &str) -> Result<()> {
    if !matches!(ty, Ty::Json | Ty::Xml) {
        return Ok(());
    }
    let words = format!(
        "data type {} has no default operator class for access method \"{method}\"",
        ty.shown()
    );
    refuse("42704", words, None)
}

/// The name of a key that is not called as one before it.
fn apart(name: &str, before: &[String]) -> String {
    let numbered = (1..).map(|number: usize| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !before.contains(name)).unwrap_or_default()
}

impl Translator<'_> {
    pub(super) fn create_index(&mut self, index: &CreateIndex) -> Result<String> {
        if index.nulls_distinct == Some(false) {
            return unsupported("a unique index with NULLS NOT DISTINCT", None);
        }
        let (schema, table) = self.to_change(&index.table_name)?;
        let columns = self.columns_of(schema.as_deref(), &table)?;
        self.enter_table(&table, &columns);
        let mut keys = vec![];
        let mut parts = vec![];
        for column in &index.columns {
            // A column in parentheses is one.
            let expression = peeled(&column.column.expr);
            let is_column = matches!(expression, Expr::Identifier(_));
            let (value, is_by_settings) =
                self.noting_settings(|translator| translator.expression(expression))?;
            // PostgreSQL calls an index after what a select list would call its keys.
            parts.push(apart(value.name.as_deref().unwrap_or("expr"), &parts));
            if column.operator_class.is_none() {
                let method = index
                    .using
                    .as_ref()
                    .map(|method| method.to_string().to_lowercase());
                has_order(value.ty, method.as_deref().unwrap_or("btree"))?;
            }
            let mut key = if is_column { value.expr } else { value.key() }.to_string();
            if is_by_settings {
                return refuse(
                    "42P17",
                    "functions in index expression must be marked IMMUTABLE",
                    None,
                );
            }
            if !is_column {
                key = self.with_told(&key, expression);
            }
            if matches!(column.column.options.sort, Some(OrderBySort::Desc)) {
                key.push_str(" DESC");
            }
            keys.push(key);
        }
        // And after the columns beside its keys too.
        for column in &index.include {
            parts.push(apart(&super::folded(column), &parts));
        }
        let condition = match &index.predicate {
            Some(predicate) => {
                let condition = self.truth(predicate, "WHERE")?;
                format!(" WHERE {}", self.with_told(&condition.to_string(), predicate))
            }
            None => String::new(),
        };
        self.scopes.pop();
        let name = match &index.name {
            Some(name) => self.split(name)?.1,
            None => self.free_name(&usual_name(&table, &parts, 'i')),
        };
        let place = match schema.as_deref() {
            None if self.names.is_temporary(&table) => "temp",
            None | Some("public") => "main",
            Some(schema) => schema,
        };
        if index.if_not_exists && self.passes_over_relation(place, &name) {
            return Ok(NOTHING.into());
        }
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
            "{} ON {}{} ({}){condition}",
            dml::qualified(schema.as_deref(), &name),
            quoted(&table),
            self.asked(index, &columns)?,
            keys.join(", ")
        );
        Ok(sql)
    }

    /// What was asked for that SQLite's indexes have not, in a comment: classes of operators, where NULL stands, columns that
    /// are included.
    fn asked(&self, index: &CreateIndex, columns: &[NamedColumn]) -> Result<String> {
        let is_btree = matches!(index.using, None | Some(IndexType::BTree));
        let mut keys = vec![];
        for column in &index.columns {
            let class = column.operator_class.as_ref().filter(|_| is_btree);
            let class = class.map(|class| self.split(class)).transpose()?;
            let options = &column.column.options;
            let nulls = match options.nulls_first.filter(|_| is_btree) {
                Some(first) if first != matches!(options.sort, Some(OrderBySort::Desc)) => {
                    if first {
                        "nulls first"
                    } else {
                        "nulls last"
                    }
                }
                _ => "",
            };
            let class = class.map_or_else(String::new, |(_, class)| quoted(&class));
            keys.push(format!("{class} {nulls}").trim().to_owned());
        }
        let mut included = vec![];
        for name in &index.include {
            let name = super::folded(name);
            if !columns.iter().any(|column| column.name == name) {
                return refuse("42703", format!("column \"{name}\" does not exist"), None);
            }
            included.push(quoted(&name));
        }
        Ok(written::keep_asked(&keys, &included))
    }

    /// SQLite has no other name for an index, so that it is made anew.
    pub(super) fn rename_index(&mut self, name: &ObjectName, new: &ObjectName) -> Result<String> {
        let ((_, name), (_, new)) = (self.split(name)?, self.split(new)?);
        let objects = self.names.objects("main");
        let Some(index) = objects
            .iter()
            .find(|object| object.kind == "index" && object.name.eq_ignore_ascii_case(&name))
        else {
            return refuse("42P01", format!("relation \"{name}\" does not exist"), None);
        };
        let Some(text) = IndexText::read(&index.sql) else {
            return unsupported("ALTER INDEX … RENAME of a constraint's index", None);
        };
        let unique = if text.is_unique { "UNIQUE " } else { "" };
        self.first(format!("DROP INDEX {}", quoted(&index.name)));
        Ok(format!("CREATE {unique}INDEX {} ON {}", quoted(&new), text.on))
    }

    /// The columns of a table under their names alone, as its own definition may use them.
    pub(super) fn enter_table(&mut self, table: &str, columns: &[NamedColumn]) {
        let mut relation = Relation::of_table(table, columns);
        for column in &mut relation.columns {
            column.computed = Some(sql_expr::name(&column.name));
        }
        self.scopes.push(Scope {
            relations: vec![relation],
            ..Scope::default()
        });
    }

    /// True in a table's own definition.
    pub(super) fn is_definition(&self) -> bool {
        let is_own = |scope: &Scope| {
            let mut columns = scope.relations.iter().flat_map(|relation| &relation.columns);
            columns.all(|column| column.computed.as_ref() == Some(&sql_expr::name(&column.name)))
        };
        self.scopes.len() == 1 && self.scopes.iter().all(is_own)
    }

    /// The name, with a number behind it where it is taken.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let objects = self.names.objects("main");
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
