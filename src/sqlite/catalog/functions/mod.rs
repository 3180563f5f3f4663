//! PostgreSQL's session information and catalogue functions, as far as tools call them.

mod names;
mod objects;
mod privileges;
mod properties;
mod routines;
mod sequences;
mod settings;
mod sizes;

use std::sync::Arc;

pub(crate) use routines::function_called;
pub(crate) use settings::usual_setting;

use rusqlite::{
    Connection, Result, ToSql,
    functions::{Context, FunctionFlags},
    types::Value,
};

use super::{SERVER_VERSION, content::Catalog};

/// Adds all of them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    fixed(connection, catalog)?;
    settings::add(connection)?;
    names::add(connection, catalog)?;
    objects::add(connection, catalog)?;
    routines::add(connection)?;
    privileges::add(connection, catalog)?;
    properties::add(connection, catalog)?;
    sequences::add(connection, catalog)?;
    sizes::add(connection, catalog)
}

/// Functions whose result does not depend on their arguments.
fn fixed(connection: &Connection, catalog: &Catalog) -> Result<()> {
    let text = |value: &str| Value::Text(value.to_owned());
    let (yes, no) = (Value::Integer(1), Value::Integer(0));
    let client = &catalog.client;
    let database = catalog.model().database.clone();
    let version = format!(
        "PostgreSQL {SERVER_VERSION} (Querent {} on SQLite {})",
        env!("CARGO_PKG_VERSION"),
        rusqlite::version()
    );
    let table: &[(&str, &[i32], Value)] = &[
        ("version", &[0], text(&version)),
        ("current_database", &[0], text(&database)),
        ("current_catalog", &[0], text(&database)),
        ("current_schema", &[0], text("public")),
        ("current_user", &[0], text(&client.user)),
        ("current_role", &[0], text(&client.user)),
        ("session_user", &[0], text(&client.user)),
        ("pg_backend_pid", &[0], Value::Integer(client.process_id.into())),
        ("pg_is_in_recovery", &[0], no.clone()),
        ("pg_is_wal_replay_paused", &[0], no.clone()),
        ("pg_is_other_temp_schema", &[1], no.clone()),
        ("pg_advisory_unlock_all", &[0], Value::Null),
        ("inet_server_addr", &[0], Value::Null),
        ("inet_server_port", &[0], Value::Null),
        ("inet_client_addr", &[0], Value::Null),
        ("inet_client_port", &[0], Value::Null),
        ("getdatabaseencoding", &[0], text("UTF8")),
        ("pg_client_encoding", &[0], text("UTF8")),
        ("txid_current", &[0], yes.clone()),
        ("pg_get_partkeydef", &[1], Value::Null),
        ("pg_get_partition_constraintdef", &[1], Value::Null),
        ("pg_get_statisticsobjdef", &[1], Value::Null),
        ("pg_get_statisticsobjdef_columns", &[1], Value::Null),
        ("pg_get_function_sqlbody", &[1], Value::Null),
        ("pg_describe_object", &[3], Value::Null),
        ("pg_relation_filepath", &[1], Value::Null),
        ("pg_partition_root", &[1], Value::Null),
        ("pg_relation_is_publishable", &[1], no.clone()),
        ("pg_tablespace_location", &[1], text("")),
        ("pg_trigger_depth", &[0], no),
        ("pg_has_role", &[2, 3], yes.clone()),
        ("row_security_active", &[1], Value::Integer(0)),
        ("pg_collation_is_visible", &[1], yes.clone()),
        ("pg_conversion_is_visible", &[1], yes.clone()),
        ("pg_function_is_visible", &[1], yes.clone()),
        ("pg_opclass_is_visible", &[1], yes.clone()),
        ("pg_operator_is_visible", &[1], yes.clone()),
        ("pg_opfamily_is_visible", &[1], yes.clone()),
        ("pg_statistics_obj_is_visible", &[1], yes.clone()),
        ("pg_ts_config_is_visible", &[1], yes.clone()),
        ("pg_ts_dict_is_visible", &[1], yes.clone()),
        ("pg_ts_parser_is_visible", &[1], yes.clone()),
        ("pg_ts_template_is_visible", &[1], yes.clone()),
        ("pg_type_is_visible", &[1], yes),
    ];
    for (name, arguments, value) in table {
        let value = value.clone();
        scalar(connection, name, arguments, move |_| Ok(value.clone()))?;
    }
    Ok(())
}

/// Adds a function for each of these numbers of arguments.
fn scalar<F, T>(connection: &Connection, name: &str, arguments: &[i32], function: F) -> Result<()>
where
    F: Fn(&Context<'_>) -> Result<T> + Clone + Send + 'static,
    T: ToSql,
{
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for &number in arguments {
        let function = function.clone();
        connection.create_scalar_function(name, number, flags, move |context| function(context))?;
    }
    Ok(())
}

/// An argument as text, whatever it is; `None` for NULL and for what is not given.
fn text(context: &Context<'_>, at: usize) -> Result<Option<String>> {
    if at >= context.len() {
        return Ok(None);
    }
    Ok(match context.get(at)? {
        Value::Null => None,
        Value::Integer(number) => Some(number.to_string()),
        Value::Real(number) => Some(number.to_string()),
        Value::Text(text) => Some(text),
        Value::Blob(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// An argument as a number; a text that spells one is one.
fn number(context: &Context<'_>, at: usize) -> Result<Option<i64>> {
    Ok(text(context, at)?.and_then(|text| text.trim().parse().ok()))
}

/// An error as PostgreSQL words it.
fn failed(message: String) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(message.into())
}
