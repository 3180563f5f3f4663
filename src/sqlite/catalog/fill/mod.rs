//! The rows of the catalogue that follow from the file: one function a relation.

mod constraints;
mod information;
mod relations;
mod sequences;
mod server;
mod statistics;
mod views;

pub(super) use constraints::rule_of;

use super::{
    definitions::{Relation, find},
    model::Model,
    rows::Rows,
};

/// The rows of a relation that are not the same everywhere; `None` where there are none.
pub(super) fn rows(model: &Model, relation: &'static Relation) -> Option<Rows> {
    if relation.schema == "information_schema" {
        return information::rows(model, relation);
    }
    Some(match relation.name {
        "pg_namespace" => relations::namespaces(model, relation),
        "pg_class" => relations::classes(model, relation),
        "pg_attribute" => relations::attributes(model, relation),
        "pg_type" => relations::types(model, relation),
        "pg_attrdef" => relations::defaults(model, relation),
        "pg_description" => relations::descriptions(model, relation),
        "pg_index" => constraints::indexes(model, relation),
        "pg_constraint" => constraints::constraints(model, relation),
        "pg_trigger" => constraints::triggers(model, relation),
        "pg_rewrite" => constraints::rules(model, relation),
        "pg_depend" => constraints::dependencies(model, relation),
        "pg_sequence" => sequences::sequence(model, relation),
        "pg_sequences" => sequences::sequences(model, relation),
        "pg_statio_user_sequences" | "pg_statio_all_sequences" => sequences::io(model, relation),
        "pg_tables" => views::tables(model, relation),
        "pg_views" => views::views(model, relation),
        "pg_indexes" => views::indexes(model, relation),
        "pg_stat_user_tables"
        | "pg_stat_all_tables"
        | "pg_stat_xact_user_tables"
        | "pg_stat_xact_all_tables"
        | "pg_statio_user_tables"
        | "pg_statio_all_tables" => statistics::tables(model, relation),
        "pg_stat_user_indexes"
        | "pg_stat_all_indexes"
        | "pg_statio_user_indexes"
        | "pg_statio_all_indexes" => statistics::indexes(model, relation),
        "pg_extension" => server::extensions(model, relation),
        "pg_available_extensions" => server::available_extensions(model, relation),
        "pg_database" => server::databases(model, relation),
        "pg_stat_bgwriter" | "pg_stat_archiver" | "pg_stat_wal" => statistics::server(relation),
        "pg_authid" => server::authorizations(relation),
        "pg_roles" => server::roles(relation),
        "pg_user" | "pg_shadow" => server::users(relation),
        "pg_settings" => server::settings(relation),
        _ => return None,
    })
}

/// A relation of `pg_catalog` that is known to be there.
fn catalog(name: &str) -> &'static Relation {
    find("pg_catalog", name).expect("the relations are written down, and a test fills each")
}

#[cfg(test)]
mod tests;
