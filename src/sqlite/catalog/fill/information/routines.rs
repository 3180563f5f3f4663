//! Functions in `information_schema`: PostgreSQL's own, since SQLite keeps none in a file.

use super::data_type;
use crate::{
    pgtypes::array::array_elements,
    sqlite::catalog::{
        definitions::{Relation, find, fixed_rows},
        describe::Types,
        model::Model,
        rows::{Cell, Filling, Rows},
    },
};

/// A function as `pg_proc` has it.
struct Function<'r>(&'static Relation, &'r [Cell]);

impl Function<'_> {
    fn cell(&self, name: &str) -> &Cell {
        let position = self.0.columns.iter().position(|column| column.name == name);
        position.map_or(&Cell::Null, |position| &self.1[position])
    }

    fn number(&self, name: &str) -> i64 {
        self.cell(name).integer().unwrap_or_default()
    }

    fn text(&self, name: &str) -> &str {
        self.cell(name).text().unwrap_or_default()
    }

    fn specific_name(&self) -> Cell {
        format!("{}_{}", self.text("proname"), self.number("oid")).into()
    }

    fn list(&self, name: &str) -> Vec<Option<String>> {
        self.cell(name).text().map(array_elements).unwrap_or_default()
    }
}

fn each(mut take: impl FnMut(&Function<'_>)) {
    if let Some(relation) = find("pg_catalog", "pg_proc") {
        for row in fixed_rows(relation).iter() {
            take(&Function(relation, row));
        }
    }
}

pub(super) fn routines(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "specific_catalog",
        "specific_schema",
        "specific_name",
        "routine_catalog",
        "routine_schema",
        "routine_name",
        "routine_type",
        "data_type",
        "type_udt_catalog",
        "type_udt_schema",
        "type_udt_name",
        "dtd_identifier",
        "routine_body",
        "external_language",
        "parameter_style",
        "is_deterministic",
        "sql_data_access",
        "is_null_call",
        "schema_level_routine",
        "max_dynamic_result_sets",
        "security_type",
        "as_locator",
    ];
    let mut rows = Filling::new(relation, &columns);
    let types = Types::new();
    each(|function| {
        let ty = function.number("prorettype");
        let database = || Cell::from(&model.database);
        let kind = match function.text("prokind") {
            "f" => Some("FUNCTION"),
            "p" => Some("PROCEDURE"),
            _ => None,
        };
        let language = match function.number("prolang") {
            12 => "INTERNAL",
            13 => "C",
            _ => "SQL",
        };
        let yes = |truth: bool| Cell::from(if truth { "YES" } else { "NO" });
        rows.add([
            database(),
            "pg_catalog".into(),
            function.specific_name(),
            database(),
            "pg_catalog".into(),
            function.text("proname").to_owned().into(),
            kind.into(),
            data_type(&types, model, ty).into(),
            database(),
            "pg_catalog".into(),
            types.text(ty, "typname").to_owned().into(),
            "0".into(),
            (if language == "SQL" { "SQL" } else { "EXTERNAL" }).into(),
            language.into(),
            "GENERAL".into(),
            yes(function.text("provolatile") == "i"),
            "MODIFIES".into(),
            yes(function.number("proisstrict") != 0),
            yes(true),
            0.into(),
            (if function.number("prosecdef") == 0 {
                "INVOKER"
            } else {
                "DEFINER"
            })
            .into(),
            yes(false),
        ]);
    });
    rows.done()
}

pub(super) fn parameters(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "specific_catalog",
        "specific_schema",
        "specific_name",
        "ordinal_position",
        "parameter_mode",
        "is_result",
        "as_locator",
        "parameter_name",
        "data_type",
        "udt_catalog",
        "udt_schema",
        "udt_name",
        "dtd_identifier",
    ];
    let mut rows = Filling::new(relation, &columns);
    let types = Types::new();
    each(|function| {
        let (modes, names) = (function.list("proargmodes"), function.list("proargnames"));
        let mut all = function.list("proallargtypes");
        if all.is_empty() {
            all = array_elements(function.text("proargtypes"));
        }
        for (at, ty) in all.into_iter().enumerate() {
            let ty = ty.and_then(|ty| ty.parse().ok()).unwrap_or_default();
            let mode = match modes.get(at).and_then(Option::as_deref) {
                Some("o" | "t") => "OUT",
                Some("b") => "INOUT",
                _ => "IN",
            };
            let name = names.get(at).cloned().flatten().filter(|name| !name.is_empty());
            let position = at as i64 + 1;
            rows.add([
                Cell::from(&model.database),
                "pg_catalog".into(),
                function.specific_name(),
                position.into(),
                mode.into(),
                "NO".into(),
                "NO".into(),
                name.into(),
                data_type(&types, model, ty).into(),
                Cell::from(&model.database),
                "pg_catalog".into(),
                types.text(ty, "typname").to_owned().into(),
                position.to_string().into(),
            ]);
        }
    });
    rows.done()
}
