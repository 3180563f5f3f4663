//! CREATE VIEW.

use sqlparser::ast::CreateView;

use super::{Result, Stop, Translator, declared, dml, quoted, refuse_with, unsupported};

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
        let all = given.chain(own.skip(view.columns.len()));
        // SQLite keeps no types of a view's columns.
        let names: Vec<String> = columns
            .iter()
            .zip(all)
            .map(|(column, name)| {
                let ty = declared::noted(column.ty, column.exact, column.modifier);
                let ty = ty.map_or_else(String::new, |ty| format!(" /* {ty} */"));
                quoted(&name) + &ty
            })
            .collect();
        let temporary = if view.temporary { "TEMP " } else { "" };
        let exists = if view.if_not_exists { "IF NOT EXISTS " } else { "" };
        let name = dml::qualified(schema.as_deref(), &name);
        if view.or_replace {
            let place = if view.temporary { "temp." } else { "" };
            self.first(format!("DROP VIEW IF EXISTS {place}{name}"));
        }
        let made = format!(
            "CREATE {temporary}VIEW {exists}{name} ({}) AS {sql}",
            names.join(", ")
        );
        Ok(super::written::keep(&made, &view.query.to_string()))
    }
}
