//! Sequences, by the functions that look for them.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Result, functions::FunctionFlags};

use super::{failed, names, number, scalar, text};
use crate::sqlite::catalog::{
    content::Catalog,
    describe::quote_identifier,
    model::{Model, schema_name},
};

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_get_serial_sequence", &[2], move |context| {
        let (Some(table), Some(column)) = (text(context, 0)?, text(context, 1)?) else {
            return Ok(None);
        };
        sequence_of(&shown.model(), &table, &column)
    })?;
    let shown = Arc::clone(catalog);
    let flags = FunctionFlags::SQLITE_UTF8;
    connection.create_scalar_function("pg_sequence_last_value", 1, flags, move |context| {
        let model = shown.model();
        let own = number(context, 0)?.and_then(|oid| model.relation(oid));
        if let Some(kept) = own.filter(|own| own.kept.is_some()) {
            #[allow(unsafe_code, reason = "the rows are the connection's to tell")]
            // SAFETY: the connection outlives the call, and nothing of it is kept.
            let connection = unsafe { context.get_connection()? };
            let sql =
                "SELECT CASE WHEN is_called THEN last_value END FROM main.querent_sequences WHERE name = ?1";
            let last = connection.query_row(sql, [&kept.name], |row| row.get::<_, Option<i64>>(0));
            return Ok(last.optional()?.flatten());
        }
        let Some((own, column)) = own.and_then(|own| Some((own, own.sequence?))) else {
            return Ok(None);
        };
        let table = &model.tables[own.table];
        let quote = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let sql = format!(
            "SELECT max({}) FROM {}.{}",
            quote(&table.columns[column].name),
            quote(&table.schema),
            quote(&table.name)
        );
        #[allow(unsafe_code, reason = "the rows are the connection's to tell")]
        // SAFETY: the connection outlives the call, and nothing of it is kept.
        let connection = unsafe { context.get_connection()? };
        let last: Option<i64> = connection.query_row(&sql, [], |row| row.get(0))?;
        // With AUTOINCREMENT a number does not come again when its row is gone.
        let kept = format!(
            "SELECT seq FROM {}.sqlite_sequence WHERE name = ?1",
            quote(&table.schema)
        );
        let kept: Option<i64> = match connection.prepare(&kept) {
            Ok(mut statement) => statement.query_row([&table.name], |row| row.get(0)).optional()?,
            Err(_) => None,
        };
        Ok(last.max(kept))
    })
}

/// `public.t_id_seq`; the table is named as SQL names it, the column as it is.
fn sequence_of(model: &Model, table: &str, column: &str) -> Result<Option<String>> {
    let missing = || failed(format!("relation \"{table}\" does not exist"));
    let oid = names::relation_number(model, table).ok_or_else(missing)?;
    let Some(own) = model.relation(oid).filter(|own| own.is_table()) else {
        return Ok(None);
    };
    let facts = &model.tables[own.table];
    let position = facts.position(column);
    let Ok(position) = usize::try_from(position - 1) else {
        return Err(failed(format!(
            "column \"{column}\" of relation \"{table}\" does not exist"
        )));
    };
    Ok(model.sequence(own.table, position).map(|sequence| {
        format!(
            "{}.{}",
            quote_identifier(schema_name(facts)),
            quote_identifier(&sequence.name)
        )
    }))
}
