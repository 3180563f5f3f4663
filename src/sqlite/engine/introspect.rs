//! Reads the schema: tables, columns, keys, comments, and what columns hold where their type says nothing.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Connection, Result};

use super::{
    alter, comments, full_text,
    guard::{self, Mode},
    judged,
    lossy::{REPLACED, some_text, text},
    open::Guarded,
    relation_list::{self, ObjectKind, module},
    sampling, shadow,
    version::{locked_version, others},
    view_types, views,
};
use crate::{
    backend::{BackendError, computed},
    question::schema::{
        Column, ColumnRef, Dialect, ForeignKey, JoinGraph, Schema, Snapshot, SourceColumn, Table, ValueIndex,
        infer_keys,
    },
    sqlite::decltype,
    statement::sqlite_lexer,
};

const COLUMNS: &str = include_str!("../../../dialects/sqlite/introspection/columns.sql");
const UNIQUE_COLUMNS: &str = include_str!("../../../dialects/sqlite/introspection/unique_columns.sql");
const KEY_INDEX: &str = "SELECT name FROM pg_catalog.pragma_index_list(?1, ?2) WHERE origin = 'pk'";
const FOREIGN_KEYS: &str = include_str!("../../../dialects/sqlite/introspection/foreign_keys.sql");

/// How long the values of one table or view are looked at: a view may be a long computation.
const SAMPLING: Duration = Duration::from_millis(200);

/// How long all values of one table's columns without a type are looked at, and how long those of all tables.
const LOOK_AT_ALL: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(2));

/// Changes when the schema does, or when another file takes the place of this one.
pub(super) fn fingerprint(connection: &Connection, identity: &impl Hash) -> Result<u64> {
    let version: i64 = connection.pragma_query_value(None, "schema_version", |row| row.get(0))?;
    let mut hasher = DefaultHasher::new();
    (version, identity).hash(&mut hasher);
    Ok(hasher.finish())
}

/// The schema with what follows from it; its values are not read yet.
pub(super) fn snapshot(reader: &Guarded, fingerprint: u64) -> Result<Snapshot> {
    let mut schema = settled(reader)?;
    infer_keys(&mut schema);
    Ok(Snapshot {
        joins: Arc::new(JoinGraph::new(&schema)),
        schema: Arc::new(schema),
        values: Arc::new(ValueIndex::default()),
        profile: Arc::default(),
        fingerprint,
        dialect: Dialect::Sqlite,
    })
}

/// How often a schema is read that changes meanwhile.
const TRIES: usize = 3;

/// The schema as it is at one moment, and by what that is known again.
fn settled(reader: &Guarded) -> Result<Schema> {
    let connection = &reader.connection;
    let version = || -> Result<(i64, i64)> {
        let (version, _) = locked_version(connection)?;
        Ok((version, others(connection)))
    };
    for _ in 0..TRIES {
        let before = version()?;
        let catalog = judged::state(connection)?;
        let schema = schema(reader)?;
        if version()? == before {
            return Ok(Schema { catalog, ..schema });
        }
    }
    // It is good enough for looking at, but nothing that is judged by it runs.
    Ok(Schema {
        catalog: judged::NOT_KNOWN.into(),
        ..schema(reader)?
    })
}

/// Everything that the file tells about its schema, and the connection's own temporary tables.
fn schema(reader: &Guarded) -> Result<Schema> {
    let connection = &reader.connection;
    let estimates = estimates(connection);
    let mut schema = Schema::default();
    let mut listed = tables(connection)?;
    // A temporary table hides a table of the file that has its name.
    let hiding: Vec<String> = listed
        .iter()
        .filter(|listed| listed.is_temporary())
        .map(|listed| listed.name.to_lowercase())
        .collect();
    listed.retain(|listed| listed.is_temporary() || !hiding.contains(&listed.name.to_lowercase()));
    let virtual_tables = listed.iter().filter(|listed| module(&listed.sql).is_some());
    let virtual_tables: Vec<String> = virtual_tables.map(|listed| listed.name.clone()).collect();
    listed.retain(|listed| module(&listed.sql).is_none_or(|module| only_reads(&module)));
    let too_large = views::too_large(connection)?;
    let views = listed.iter().filter(|listed| listed.is_view);
    let put_together = views::put_together(views.map(|view| (view.name.as_str(), view.sql.as_str())));
    let contents: Vec<(String, String)> = listed
        .iter()
        .filter(|listed| module(&listed.sql).is_some())
        .filter_map(|listed| Some((listed.name.clone(), full_text::content(&listed.sql)?)))
        .collect();
    let mut places = Vec::new();
    let mut left = LOOK_AT_ALL.1;
    for listed in listed {
        if listed.is_view && too_large.contains(&listed.name.to_lowercase()) {
            let reason = "too many views are in it, those that they read counted each time".to_owned();
            tracing::warn!(view = listed.name, reason, "left out of the schema");
            schema.unreadable.push((listed.name, reason));
            continue;
        }
        match table(reader, &listed, &estimates, &mut left) {
            Ok(mut table) if !table.columns.is_empty() => {
                // Of several queries SQLite tells the first one's columns.
                if put_together.contains(&table.name.to_lowercase()) {
                    table.columns.iter_mut().for_each(|column| column.shows = None);
                }
                schema.tables.push(table);
                places.push(listed.schema);
            }
            Ok(_) if listed.name.contains(REPLACED) => {
                let reason = "its name is not UTF-8".to_owned();
                schema.unreadable.push((listed.name, reason));
            }
            Ok(_) => {}
            // A view on a dropped table stays in the file, and is of no use.
            Err(error) => {
                tracing::info!(table = listed.name, %error, "left out of the schema");
                schema.unreadable.push((listed.name, error.to_string()));
            }
        }
    }
    for table in &schema.tables {
        for column in table
            .columns
            .iter()
            .filter(|column| column.name.contains(REPLACED))
        {
            let name = format!("{}.{}", table.name, column.name);
            let reason = "its name is not UTF-8".to_owned();
            schema.unreadable.push((name, reason));
        }
    }
    sampling::hand_on(&mut schema);
    shadow::note_sources(&mut schema, &virtual_tables);
    full_text::note_sources(&mut schema, &contents);
    for (table, place) in places.iter().enumerate() {
        let keys = foreign_keys(connection, &schema, table, place)?;
        schema.foreign_keys.extend(keys);
    }
    Ok(schema)
}

/// True for modules that read nothing but their own tables, and prepare nothing else: a question may use them. R-trees
/// prepare what writes as soon as they are opened, and `dbstat` tells of the whole file; the guard stops both, so that
/// questions do not know of them.
fn only_reads(module: &str) -> bool {
    matches!(module, "fts3" | "fts4" | "fts5")
}

struct Listed {
    /// `main` or `temp`.
    schema: String,
    name: String,
    is_view: bool,
    has_rowid: bool,
    sql: String,
}

impl Listed {
    fn is_temporary(&self) -> bool {
        self.schema == "temp"
    }
}

/// Tables and views of the file, then the connection's temporary ones, in the order of their creation: not those in which
/// virtual tables keep their rows, which are theirs alone, nor SQLite's own and ours.
fn tables(connection: &Connection) -> Result<Vec<Listed>> {
    let own = ["querent_sequences", "querent_large_objects"];
    let mut listed = vec![];
    for schema in ["main", "temp"] {
        let mut relations = relation_list::of_schema(connection, schema)?;
        relations.retain(|relation| {
            relation.kind != ObjectKind::Shadow
                && !relation.name.to_lowercase().starts_with("sqlite_")
                && !own.contains(&relation.name.as_str())
        });
        listed.extend(relations.into_iter().map(|relation| Listed {
            schema: schema.to_owned(),
            is_view: relation.kind == ObjectKind::View,
            has_rowid: relation.has_rowid(),
            name: relation.name,
            sql: relation.sql,
        }));
    }
    Ok(listed)
}

fn table(
    reader: &Guarded,
    listed: &Listed,
    estimates: &HashMap<String, u64>,
    left: &mut Duration,
) -> Result<Table> {
    let connection = &reader.connection;
    let name = &listed.name;
    let mut statement = connection.prepare_cached(COLUMNS)?;
    let mut keyed = Vec::new();
    let rows = statement.query_map([name, &listed.schema], |row| {
        let declared_type = text(row, "type")?;
        let column = Column {
            kind: decltype::kind(&declared_type).unwrap_or_default(),
            name: text(row, "name")?,
            declared_type,
            not_null: row.get("not_null")?,
            ..Column::default()
        };
        Ok((column, row.get::<_, u32>("key_position")?))
    })?;
    let mut columns = Vec::new();
    for row in rows {
        let (mut column, key_position) = row?;
        if key_position > 0 {
            column.null_in_key = !column.not_null;
            column.not_null = true;
            keyed.push((key_position, columns.len()));
        }
        columns.push(column);
    }
    if listed.is_view {
        let declared = columns.iter_mut().map(|column| &mut column.declared_type);
        view_types::correct(connection, (Some(&listed.schema), name), declared)?;
    }
    keyed.sort_unstable();
    let primary_key: Vec<usize> = keyed.into_iter().map(|(_, column)| column).collect();
    if let [only] = primary_key[..] {
        columns[only].unique = true;
        // The row's own number is never NULL. A key that has an index of its own is another one.
        if columns[only].declared_type.eq_ignore_ascii_case("integer")
            && listed.has_rowid
            && strings(connection, KEY_INDEX, [name, &listed.schema])?.is_empty()
        {
            columns[only].null_in_key = false;
        }
    }
    for unique in strings(connection, UNIQUE_COLUMNS, [name, &listed.schema])? {
        if let Some(column) = columns.iter_mut().find(|column| column.name == unique) {
            column.unique = true;
        }
    }
    let (rows, counted) = row_count(connection, listed, estimates);
    let mut table = Table {
        rows,
        counted,
        name: name.clone(),
        columns,
        primary_key,
        is_view: listed.is_view,
        own_collations: listed.sql.to_lowercase().contains("collate"),
        runs_code: listed.is_view,
        forbidden: forbidden(reader, listed),
        ..Table::default()
    };
    if listed.is_view {
        look_behind(reader, listed, &mut table)?;
        comments::add_to_view(&mut table, &listed.sql);
    } else {
        comments::add(&mut table, &listed.sql);
        for (column, expression) in alter::computed(&listed.sql) {
            if let Some(at) = table.columns.iter().position(|known| known.name == column) {
                computed::note(&mut table, at, &expression);
            }
        }
    }
    reader.watch.restart(SAMPLING);
    let sample = sampling::refine_kinds(connection, &listed.schema, &mut table);
    reader.watch.rest();
    within(reader, left, || {
        sampling::look_for_others(connection, &listed.schema, &mut table, &listed.sql, sample);
    });
    if sampling::is_doubtful(&table) {
        within(reader, left, || {
            sampling::look_at_all(connection, &listed.schema, &mut table);
        });
    }
    Ok(table)
}

/// Looks at all rows of a table, as long as may be, unless the time for all tables is over.
fn within(reader: &Guarded, left: &mut Duration, look: impl FnOnce()) {
    if left.is_zero() {
        return;
    }
    let begun = Instant::now();
    reader.watch.restart(LOOK_AT_ALL.0.min(*left));
    look();
    reader.watch.rest();
    *left = left.saturating_sub(begun.elapsed());
}

/// The tables and columns behind a view, through all views between, and which of its columns are theirs as they are.
fn look_behind(reader: &Guarded, view: &Listed, table: &mut Table) -> Result<()> {
    let sql = format!(
        "SELECT * FROM {}.{}",
        view.schema,
        sqlite_lexer::quote(&view.name)
    );
    let (compiled, reads) = reader.guard.reads_of(|| reader.connection.prepare(&sql));
    let statement = compiled?;
    for (at, column) in table.columns.iter_mut().enumerate() {
        let Ok(Some((_, of, name, ..))) = statement.column_metadata(at) else {
            continue;
        };
        if let (Ok(of), Ok(name)) = (of.to_str(), name.to_str()) {
            column.shows = Some(Arc::new(SourceColumn {
                schema: None,
                table: of.to_owned(),
                column: Some(name.to_owned()),
            }));
        }
    }
    let sources = reads.into_iter().map(|(table, column)| SourceColumn {
        schema: None,
        table,
        column: Some(column).filter(|column| !column.is_empty()),
    });
    let mut found: Vec<SourceColumn> = Vec::new();
    for source in sources.filter(|source| !source.table.eq_ignore_ascii_case(&view.name)) {
        if !found.contains(&source) {
            found.push(source);
        }
    }
    table.sources = found.into();
    Ok(())
}

/// Why the guard of questions would not let a view be read.
fn forbidden(reader: &Guarded, listed: &Listed) -> Option<String> {
    if !listed.is_view {
        return None;
    }
    let sql = format!(
        "SELECT * FROM {}.{}",
        listed.schema,
        sqlite_lexer::quote(&listed.name)
    );
    let denial = |denied: BackendError| {
        let reason = denied.message.trim_start_matches("permission denied");
        format!("does what no question may ({})", reason.trim_start_matches(": "))
    };
    if let Err(denied) = guard::check_names(&listed.sql) {
        return Some(denial(denied));
    }
    reader.guard.tell_question(&reader.connection, &sql);
    reader.guard.tell_answers(&Arc::default());
    let compiled = reader
        .guard
        .during(Mode::Recursion, || reader.connection.prepare(&sql).map(drop));
    // A view that cannot be read at all is not there.
    compiled.err()?;
    reader.guard.denied().map(denial)
}

fn strings(connection: &Connection, sql: &str, table: [&String; 2]) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(table, |row| text(row, 0))?;
    rows.collect()
}

/// Row counts from the last ANALYZE; empty where there was none.
fn estimates(connection: &Connection) -> HashMap<String, u64> {
    let read = || -> Result<HashMap<String, u64>> {
        let mut statement = connection.prepare("SELECT tbl, stat FROM sqlite_stat1")?;
        let rows = statement.query_map([], |row| {
            let stat = text(row, 1)?;
            Ok((
                text(row, 0)?,
                stat.split_whitespace()
                    .next()
                    .and_then(|count| count.parse().ok()),
            ))
        })?;
        rows.filter_map(|row| {
            row.map(|(table, count)| count.map(|count| (table, count)))
                .transpose()
        })
        .collect()
    };
    read().unwrap_or_default()
}

/// Rows of a table that are counted.
const COUNTED: u64 = 1_000;

/// How many rows there are, and whether they were counted: those of a small table are. Of another it is the last ANALYZE's count,
/// else the highest rowid, which is at one end of the tree and no scan.
fn row_count(
    connection: &Connection,
    listed: &Listed,
    estimates: &HashMap<String, u64>,
) -> (Option<u64>, bool) {
    let table = format!("{}.{}", listed.schema, sqlite_lexer::quote(&listed.name));
    let number = |sql: &str| {
        let number = connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        number.ok().and_then(|rows| u64::try_from(rows).ok())
    };
    if listed.is_view {
        return (None, false);
    }
    let most = COUNTED + 1;
    let few = number(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {most})"
    ));
    if let Some(rows) = few.filter(|rows| *rows <= COUNTED) {
        return (Some(rows), true);
    }
    if let Some(rows) = estimates.get(&listed.name).filter(|_| !listed.is_temporary()) {
        return (Some(*rows), false);
    }
    let highest = || number(&format!("SELECT coalesce(max(rowid), 0) FROM {table}"));
    (if listed.has_rowid { highest() } else { None }, false)
}

fn foreign_keys(
    connection: &Connection,
    schema: &Schema,
    table: usize,
    place: &String,
) -> Result<Vec<ForeignKey>> {
    let mut statement = connection.prepare_cached(FOREIGN_KEYS)?;
    let parts = statement.query_map([&schema.tables[table].name, place], |row| {
        Ok((
            row.get::<_, i64>("id")?,
            text(row, "target")?,
            text(row, "from_column")?,
            some_text(row, "to_column")?,
        ))
    })?;
    let parts: Vec<_> = parts.collect::<Result<_>>()?;
    Ok(parts
        .chunk_by(|(one, ..), (other, ..)| one == other)
        .filter_map(|parts| {
            // A key may name a table or column that does not exist; it joins nothing then.
            let target = schema.table_named(&parts[0].1)?;
            let mut key = ForeignKey {
                from: vec![],
                to: vec![],
                declared: true,
                enforced: false,
            };
            for (position, (_, _, from, to)) in parts.iter().enumerate() {
                let from = schema.tables[table].column_named(from)?;
                let to = match to {
                    Some(to) => schema.tables[target].column_named(to)?,
                    None => *schema.tables[target].primary_key.get(position)?,
                };
                key.from.push(ColumnRef { table, column: from });
                key.to.push(ColumnRef {
                    table: target,
                    column: to,
                });
            }
            Some(key)
        })
        .collect())
}
