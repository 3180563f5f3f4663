//! CREATE INDEX: methods, operator classes and columns that are only carried along mean nothing to SQLite.

use sqlparser::ast::{CreateIndex, Expr, OrderBySort};

use super::{
    Result, Translator, dml, folded, from, quoted, refuse,
    scope::{Relation, Scope},
    unsupported,
};

impl Translator<'_> {
    pub(super) fn create_index(&mut self, index: &CreateIndex) -> Result<String> {
        let (schema, table) = from::split(&index.table_name)?;
        let Some(columns) = self.names.relation(schema.as_deref(), &table) else {
            return refuse("42P01", format!("relation \"{table}\" does not exist"), None);
        };
        if index.nulls_distinct == Some(false) {
            return unsupported("NULLS NOT DISTINCT", None);
        }
        self.scopes.push(Scope {
            relations: vec![Relation::of_table(&table, &columns)],
            ..Scope::default()
        });
        // SQLite's indexes name columns without their table.
        let prefix = format!("{}.", quoted(&table));
        let (mut items, mut names) = (vec![], vec![]);
        for column in &index.columns {
            let (mut item, name) = match &column.column.expr {
                Expr::Identifier(ident) => {
                    let name = folded(ident);
                    if !columns
                        .iter()
                        .any(|column| column.name.eq_ignore_ascii_case(&name))
                    {
                        let words = format!("column \"{name}\" does not exist");
                        return refuse("42703", words, self.at(ident));
                    }
                    (quoted(&name), name)
                }
                expression => {
                    let value = self.expression(expression)?;
                    (value.full().replace(&prefix, ""), "expr".to_owned())
                }
            };
            if matches!(column.column.options.sort, Some(OrderBySort::Desc)) {
                item.push_str(" DESC");
            }
            items.push(item);
            names.push(name);
        }
        let condition = match &index.predicate {
            Some(predicate) => {
                let condition = self.truth(predicate, "WHERE")?;
                format!(" WHERE {}", condition.replace(&prefix, ""))
            }
            None => String::new(),
        };
        self.scopes.pop();
        let name = match &index.name {
            Some(name) => from::split(name)?.1,
            None => format!("{table}_{}_idx", names.join("_")),
        };
        Ok(format!(
            "CREATE {}INDEX {}{} ON {} ({}){condition}",
            if index.unique { "UNIQUE " } else { "" },
            if index.if_not_exists { "IF NOT EXISTS " } else { "" },
            dml::qualified(schema.as_deref(), &name),
            quoted(&table),
            items.join(", ")
        ))
    }
}
