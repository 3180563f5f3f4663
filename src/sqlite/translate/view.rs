//! CREATE VIEW: its columns with the types that SQLite does not keep, and what may take the place of another view.

use std::collections::HashSet;

use sqlparser::ast::CreateView;

use super::{Result, Stop, Translator, declared, dml, quoted, refuse, refuse_with, unsupported, written};

impl Translator<'_> {
    pub(super) fn create_view(&mut self, view: &CreateView) -> Result<String> {
        if view.materialized {
            return unsupported("CREATE MATERIALIZED VIEW", None);
        }
        if view.with_no_schema_binding {
            return Err(Stop::AsItStands);
        }
        if view
            .options
            .to_string()
            .to_ascii_lowercase()
            .contains("check_option")
        {
            return refuse_with(
                "0A000",
                "WITH CHECK OPTION is not supported on a SQLite file",
                "Rows are not written through views here: a CHECK of the table says what they must be.",
            );
        }
        let (schema, name) = self.split(&view.name)?;
        let (sql, columns) = self.subquery(&view.query)?;
        let given = view.columns.iter().map(|column| super::folded(&column.name));
        let own = columns.iter().map(|column| column.inner.clone());
        let all: Vec<String> = given.chain(own.skip(view.columns.len())).collect();
        let own = columns.iter().map(|column| column.name.clone());
        let named = view.columns.iter().map(|column| super::folded(&column.name));
        let mut taken = HashSet::new();
        for name in named.chain(own.skip(view.columns.len())) {
            if taken.contains(&name) {
                let message = format!("column \"{name}\" specified more than once");
                return refuse("42701", message, None);
            }
            taken.insert(name);
        }
        // SQLite keeps no types of a view's columns.
        let names: Vec<String> = columns
            .iter()
            .zip(&all)
            .map(|(column, name)| {
                let ty = declared::noted(column.ty, column.exact, column.modifier);
                let ty = ty.map_or_else(String::new, |ty| format!(" /* {ty} */"));
                quoted(name) + &ty
            })
            .collect();
        let temporary = if view.temporary { "TEMP " } else { "" };
        let exists = if view.if_not_exists { "IF NOT EXISTS " } else { "" };
        if view.or_replace {
            let place = match schema.as_deref() {
                _ if view.temporary => "temp",
                // Not the one of the session's own, nor that of an attached file.
                None | Some("public") => "main",
                Some(schema) => schema,
            };
            let shown: Vec<&str> = all.iter().map(String::as_str).collect();
            self.keeps_columns((place, &name), &shown)?;
            self.first(format!(
                "DROP VIEW IF EXISTS {}",
                dml::qualified(Some(place), &name)
            ));
        }
        let name = dml::qualified(schema.as_deref(), &name);
        let made = format!(
            "CREATE {temporary}VIEW {exists}{name} ({}) AS {sql}",
            names.join(", ")
        );
        Ok(written::keep(&made, &view.query.to_string()))
    }

    /// Refuses what takes the place of a view whose columns are not the first of its own.
    fn keeps_columns(&self, (place, name): (&str, &str), columns: &[&str]) -> Result<()> {
        let objects = self.names.objects(place);
        let mut views = objects.iter().filter(|object| object.kind == "view");
        if !views.any(|view| view.name.eq_ignore_ascii_case(name)) {
            return Ok(());
        }
        let before = self.names.relation(Some(place), name).unwrap_or_default();
        if before.len() > columns.len() {
            return refuse("42P16", "cannot drop columns from view", None);
        }
        let renamed = before.iter().zip(columns).find(|(old, new)| old.name != **new);
        match renamed {
            None => Ok(()),
            Some((old, new)) => refuse_with(
                "42P16",
                format!("cannot change name of view column \"{}\" to \"{new}\"", old.name),
                "Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.",
            ),
        }
    }
}
