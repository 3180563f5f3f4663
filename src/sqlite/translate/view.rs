//! CREATE VIEW: its columns with the types that SQLite does not keep, and what may take the place of another view.

use std::collections::HashSet;

use sqlparser::ast::CreateView;

use super::{
    Result, Stop, Translator, check_case, declared, dml, elements, quoted, refuse, refuse_with, symmetric,
    unsupported, view_columns, written,
};

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
        self.home = match schema.as_deref() {
            _ if view.temporary => Some("temp".to_owned()),
            None | Some("public") => Some("main".to_owned()),
            Some(schema) => Some(schema.to_owned()),
        };
        let read = self.subquery(&view.query);
        self.home = None;
        let (sql, columns) = read?;
        let sql = if view.temporary {
            sql
        } else {
            elements::of_file(&sql)
        };
        let named = view.columns.iter().map(|column| super::folded(&column.name));
        let named: Vec<String> = named.collect();
        let unnamed = &columns[named.len().min(columns.len())..];
        let own = unnamed.iter().map(|column| column.inner.clone());
        let all: Vec<String> = named.iter().cloned().chain(own).collect();
        let own = unnamed.iter().map(|column| column.name.clone());
        let shown: Vec<String> = named.iter().cloned().chain(own).collect();
        check_case(shown.iter().map(String::as_str))?;
        let mut taken = HashSet::new();
        for name in shown {
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
        let told = view_columns::named(&symmetric::spelled_out(&view.query), &named);
        Ok(written::keep(&made, &told))
    }

    /// The schema with which a relation's name is written where it is not a common table expression's. A view is kept in its file
    /// without it: it would be that of another file wherever the file is opened under another name, which SQLite refuses
    /// together with all that the file has. SQLite looks for what a view reads in the view's own file alone. A temporary view
    /// reads any of them, and goes on to read the same when a temporary table is made that hides it.
    pub(super) fn written_schema(
        &self,
        schema: Option<String>,
        table: &str,
        position: Option<usize>,
    ) -> Result<Option<String>> {
        let Some(home) = &self.home else {
            return Ok(schema);
        };
        if schema.is_none() && self.known_cte(table).is_some() {
            return Ok(None);
        }
        if home == "temp" {
            let is_found_later =
                schema.is_none() && !self.names.is_temporary(table) && !self.names.is_catalogued(table);
            let is_main = is_found_later || schema.as_deref() == Some("public");
            return Ok(if is_main { Some("main".to_owned()) } else { schema });
        }
        let of_main = matches!(schema.as_deref(), None | Some("public" | "main"));
        let is_own = if home == "main" {
            of_main
        } else {
            schema.as_ref() == Some(home)
        };
        if is_own {
            return Ok(None);
        }
        // A view of the file that is served reads its own file, or is refused by SQLite.
        if home == "main" {
            return Ok(schema);
        }
        Err(Stop::Refused(super::Refusal {
            sqlstate: "0A000",
            message: format!("a view of schema \"{home}\" cannot read \"{table}\" of another file"),
            detail: None,
            hint: Some(format!(
                "A view reads the file that keeps it: write \"{home}.{table}\" for what is in there, or use CREATE TEMP \
                 VIEW, which lasts as long as the session."
            )),
            position,
        }))
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
