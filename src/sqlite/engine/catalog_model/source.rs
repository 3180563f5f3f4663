//! Reads what the catalogue is made of: everything that SQLite's pragmas tell of tables, indexes and keys.

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::Weak,
};

use rusqlite::{Connection, Params, Result, Row};

use super::{
    super::{
        Database, comments,
        lossy::{some_text, text},
        relation_list::{self, ObjectKind},
        view_types, views,
    },
    OBJECTS, Schema, in_schema,
};
use crate::{
    backend::SqlType,
    question::schema,
    sqlite::{
        catalog::source::{
            CatalogContents, Column, Corrections, ForeignKey, Index, Sequence, Stored, Table, Trigger,
        },
        decltype,
        translate::{Identity, written},
    },
};

/// Tables in which Querent keeps what SQLite has no place for.
const OWN: [&str; 3] = ["querent_sequences", "querent_large_objects", "querent_extensions"];

const COLUMNS: &str = include_str!("../../../../dialects/sqlite/catalog/columns.sql");
const COLUMNS_OF: &str = include_str!("../../../../dialects/sqlite/catalog/columns_of.sql");
const INDEXES: &str = include_str!("../../../../dialects/sqlite/catalog/indexes.sql");
const FOREIGN_KEYS: &str = include_str!("../../../../dialects/sqlite/catalog/foreign_keys.sql");

/// What the schemas hold.
pub(super) fn read(connection: &Connection, schemas: &[Schema]) -> Result<CatalogContents> {
    let mut source = CatalogContents::default();
    for schema in schemas {
        source.schemas.push(schema.name.clone());
        of_schema(connection, &schema.name, &mut source)?;
    }
    source.sequences = sequences(connection)?;
    source.extensions = extensions(connection)?;
    Ok(source)
}

/// The tables and views that the schemas hold, in the order of [`read`], without their columns.
pub(super) fn tables(connection: &Connection, schemas: &[Schema]) -> Result<Vec<Table>> {
    let mut found = vec![];
    for schema in schemas {
        let mut reading = Reading::of(connection, &schema.name);
        reading.objects(&mut CatalogContents::default())?;
        found.append(&mut reading.tables);
    }
    Ok(found)
}

/// The extensions that were created, with their versions.
pub(super) fn extensions(connection: &Connection) -> Result<Vec<(String, String)>> {
    let table = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'querent_extensions')";
    if !connection
        .prepare_cached(table)?
        .query_row([], |row| row.get::<_, bool>(0))?
    {
        return Ok(vec![]);
    }
    let mut statement =
        connection.prepare_cached("SELECT name, version FROM querent_extensions ORDER BY name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// The sequences that are kept in the main file.
pub(super) fn sequences(connection: &Connection) -> Result<Vec<Sequence>> {
    let table = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'querent_sequences')";
    if !connection
        .prepare_cached(table)?
        .query_row([], |row| row.get::<_, bool>(0))?
    {
        return Ok(vec![]);
    }
    let sql = "SELECT name, data_type, start_value, increment_by, min_value, max_value, cycle, owned_table, owned_column \
               FROM main.querent_sequences ORDER BY name";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        let ty: Option<String> = row.get(1)?;
        let owner: (Option<String>, Option<String>) = (row.get(7)?, row.get(8)?);
        Ok(Sequence {
            name: row.get(0)?,
            ty: match ty.as_deref() {
                Some("int2") => SqlType::Int2,
                Some("int4") => SqlType::Int4,
                _ => SqlType::Int8,
            }
            .oid()
            .into(),
            start: row.get(2)?,
            increment: row.get(3)?,
            min: row.get(4)?,
            max: row.get(5)?,
            cycle: row.get(6)?,
            owner: owner.0.zip(owner.1),
        })
    })?;
    rows.collect()
}

/// What the snapshots of the schema say of what is stored in the file.
pub(super) struct Seen {
    pub(super) database: Weak<Database>,
    /// Whether the file may be looked at anew: in a transaction that writes our own locks could be in the way.
    pub(super) fresh: bool,
}

impl Stored for Seen {
    fn types(&self, tables: &[Table]) -> Corrections {
        let Some(database) = self.database.upgrade() else {
            return Corrections::new();
        };
        let fresh = if self.fresh {
            database.read_snapshot().ok()
        } else {
            None
        };
        let snapshot = fresh.or_else(|| database.last_snapshot());
        snapshot.map_or_else(Corrections::new, |snapshot| corrections(tables, &snapshot.schema))
    }

    fn rows(&self, tables: &[Table]) -> HashMap<usize, u64> {
        let snapshot = self
            .database
            .upgrade()
            .and_then(|database| database.last_snapshot());
        let Some(snapshot) = snapshot else {
            return HashMap::new();
        };
        let known = known(tables, &snapshot.schema);
        known.filter_map(|(at, _, seen)| Some((at, seen.rows?))).collect()
    }
}

/// The tables of one schema and what belongs to them.
struct Reading<'c> {
    connection: &'c Connection,
    schema: &'c str,
    /// By name.
    places: HashMap<String, usize>,
    tables: Vec<Table>,
}

fn of_schema(connection: &Connection, schema: &str, source: &mut CatalogContents) -> Result<()> {
    let mut reading = Reading::of(connection, schema);
    let written = reading.objects(source)?;
    reading.columns()?;
    reading.indexes(&written)?;
    reading.foreign_keys()?;
    source.tables.extend(reading.tables);
    Ok(())
}

impl<'c> Reading<'c> {
    fn of(connection: &'c Connection, schema: &'c str) -> Self {
        Self {
            connection,
            schema,
            places: HashMap::new(),
            tables: vec![],
        }
    }
}

impl Reading<'_> {
    fn each(
        &self,
        sql: &str,
        parameters: impl Params,
        mut take: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare(&in_schema(sql, self.schema))?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            take(row)?;
        }
        Ok(())
    }

    /// Tables, views and triggers; what comes back are the statements that made indexes.
    fn objects(&mut self, source: &mut CatalogContents) -> Result<HashMap<String, String>> {
        // Of each, whether it is a shadow of a virtual table, and whether its rows have numbers.
        let kinds: HashMap<String, (bool, bool)> = relation_list::of_schema(self.connection, self.schema)?
            .into_iter()
            .map(|relation| {
                let kind = (relation.kind == ObjectKind::Shadow, relation.has_rowid());
                (relation.name, kind)
            })
            .collect();
        let (mut tables, mut indexes) = (vec![], HashMap::new());
        self.each(OBJECTS, [], |row| {
            let (name, sql) = (text(row, "name")?, text(row, "sql")?);
            match text(row, "type")?.as_str() {
                "index" => {
                    indexes.insert(name, sql);
                }
                "trigger" => source.triggers.push(Trigger {
                    schema: self.schema.to_owned(),
                    name,
                    table: text(row, "table_name")?,
                    sql,
                }),
                kind => {
                    let (is_shadow, has_rowid) = kinds.get(&name).copied().unwrap_or_default();
                    if !is_shadow && !name.starts_with("sqlite_") && !OWN.contains(&name.as_str()) {
                        tables.push(Table {
                            schema: self.schema.to_owned(),
                            is_view: kind == "view",
                            written: written::kept(&sql).filter(|_| kind == "view").map(str::to_owned),
                            name,
                            sql,
                            has_rowid,
                            ..Table::default()
                        });
                    }
                }
            }
            Ok(())
        })?;
        self.places = (0..)
            .zip(&tables)
            .map(|(at, table)| (table.name.clone(), at))
            .collect();
        self.tables = tables;
        Ok(indexes)
    }

    fn place(&self, row: &Row<'_>) -> Result<Option<usize>> {
        Ok(self.places.get(&text(row, "table_name")?).copied())
    }

    fn columns(&mut self) -> Result<()> {
        let mut columns: Vec<Vec<Column>> = self.tables.iter().map(|_| vec![]).collect();
        self.each(COLUMNS, [self.schema], |row| {
            if let Some(at) = self.place(row)? {
                columns[at].push(column(row)?);
            }
            Ok(())
        })?;
        let too_large = views::too_large(self.connection)?;
        for (at, columns) in columns.iter_mut().enumerate().filter(|(at, columns)| {
            let name = self.tables[*at].name.to_lowercase();
            columns.is_empty() && !(self.tables[*at].is_view && too_large.contains(&name))
        }) {
            // A view on a dropped table has no columns that anybody could tell.
            let told = self.each(COLUMNS_OF, [self.schema, &self.tables[at].name], |row| {
                columns.push(column(row)?);
                Ok(())
            });
            if told.is_err() {
                columns.clear();
            }
        }
        for (table, mut columns) in self.tables.iter_mut().zip(columns) {
            if table.is_view {
                let declared = columns.iter_mut().map(|column| &mut column.declared);
                let view = (Some(self.schema), table.name.as_str());
                if let Err(error) = view_types::correct(self.connection, view, declared) {
                    tracing::debug!(view = table.name, %error, "the types of its columns are not known");
                }
                for column in columns.iter_mut().filter(|column| column.declared.is_empty()) {
                    (column.ty, column.modifier) = told(None);
                }
            }
            table.columns = columns;
            // Only a key of one column is the rowid itself.
            let keyed = table
                .columns
                .iter()
                .filter(|column| column.key_position > 0)
                .count();
            let is_rowid = table.has_rowid && keyed == 1;
            for column in &mut table.columns {
                if let Some(declared) = decltype::in_view(&table.sql, &column.name).filter(|_| table.is_view)
                {
                    (column.ty, column.modifier) = told(decltype::declared_type(declared));
                    declared.clone_into(&mut column.declared);
                }
                column.is_rowid &= is_rowid;
                if let Some(narrow) =
                    decltype::narrowed_key(&table.sql, &column.name).filter(|_| column.is_rowid)
                {
                    column.ty = narrow.oid().into();
                }
                if column.is_rowid && decltype::is_serial(&table.sql, &column.name) {
                    column.is_serial = true;
                } else if column.is_rowid {
                    let is_always = decltype::is_always(&table.sql, &column.name);
                    let identity = if is_always {
                        Identity::Always
                    } else {
                        Identity::ByDefault
                    };
                    column.identity = identity.letter();
                }
            }
            comment(table);
        }
        Ok(())
    }

    fn indexes(&mut self, written: &HashMap<String, String>) -> Result<()> {
        let mut tables = mem::take(&mut self.tables);
        self.each(INDEXES, [self.schema], |row| {
            let Some(at) = self.place(row)? else { return Ok(()) };
            let column = (some_text(row, "column_name")?, row.get("descending")?);
            let indexes = &mut tables[at].indexes;
            let name = &text(row, "name")?;
            match indexes.last_mut().filter(|index| index.name == *name) {
                Some(index) => index.columns.push(column),
                None => indexes.push(Index {
                    name: name.to_owned(),
                    unique: row.get("is_unique")?,
                    origin: text(row, "origin")?,
                    partial: row.get("partial")?,
                    sql: written.get(name).filter(|sql| !sql.is_empty()).cloned(),
                    columns: vec![column],
                }),
            }
            Ok(())
        })?;
        for table in &mut tables {
            // The key that SQLite made an index for is not the rowid.
            if table.indexes.iter().any(|index| index.origin == "pk") {
                for column in table.columns.iter_mut().filter(|column| column.is_rowid) {
                    column.is_rowid = false;
                    column.identity = "";
                }
            }
        }
        self.tables = tables;
        self.estimates();
        Ok(())
    }

    /// How many rows ANALYZE counted.
    fn estimates(&mut self) {
        let mut tables = mem::take(&mut self.tables);
        let counted = self.each(
            "SELECT tbl AS table_name, stat FROM {schema}.sqlite_stat1",
            [],
            |row| {
                let stat = some_text(row, "stat")?;
                let rows = stat.and_then(|stat| stat.split_whitespace().next()?.parse().ok());
                if let Some(at) = self.place(row)? {
                    tables[at].rows = rows.or(tables[at].rows);
                }
                Ok(())
            },
        );
        if let Err(error) = counted {
            tracing::trace!(%error, "nobody has counted rows");
        }
        self.tables = tables;
    }

    fn foreign_keys(&mut self) -> Result<()> {
        let mut tables = mem::take(&mut self.tables);
        let mut last: Option<(usize, i64)> = None;
        self.each(FOREIGN_KEYS, [self.schema], |row| {
            let Some(at) = self.place(row)? else { return Ok(()) };
            let id: i64 = row.get("id")?;
            let keys = &mut tables[at].foreign_keys;
            if last.replace((at, id)) != Some((at, id)) {
                keys.push(ForeignKey {
                    target: text(row, "target")?,
                    on_update: text(row, "on_update")?,
                    on_delete: text(row, "on_delete")?,
                    ..ForeignKey::default()
                });
            }
            if let Some(key) = keys.last_mut() {
                key.from.push(text(row, "from_column")?);
                key.to.extend(some_text(row, "to_column")?);
            }
            Ok(())
        })?;
        self.tables = tables;
        Ok(())
    }
}

fn column(row: &Row<'_>) -> Result<Column> {
    let declared = text(row, "type")?;
    let (ty, modifier) = told(decltype::declared_type(&declared));
    let key_position: i64 = row.get("key_position")?;
    let default = some_text(row, "default_value")?;
    // What numbers an identity column is no default of its own.
    let identity = default.as_deref().and_then(Identity::of);
    Ok(Column {
        name: text(row, "name")?,
        ty,
        modifier,
        not_null: row.get::<_, bool>("not_null")? || key_position > 0,
        default: default.filter(|_| identity.is_none()),
        key_position,
        is_generated: row.get::<_, i64>("hidden")? > 1,
        is_rowid: key_position > 0 && declared.eq_ignore_ascii_case("integer"),
        is_serial: false,
        identity: identity.map_or("", Identity::letter),
        comment: None,
        declared,
    })
}

/// The types of columns that hold something else than is declared.
fn corrections(tables: &[Table], schema: &schema::Schema) -> Corrections {
    let mut found = Corrections::new();
    for (at, table, seen) in known(tables, schema) {
        let checked = decltype::checked(&table.sql);
        for (position, column) in table.columns.iter().enumerate() {
            if table.is_view && decltype::in_view(&table.sql, &column.name).is_some() {
                continue;
            }
            let seen = seen
                .column_named(&column.name)
                .map(|column| &seen.columns[column]);
            if checked.contains(&column.name) {
                continue;
            }
            if let Some(ty) = seen.and_then(decltype::held) {
                found.insert((at, position), (ty.oid().into(), -1));
            } else if seen.is_some_and(|column| column.exceeds) {
                found.insert((at, position), (column.ty, -1));
            }
        }
    }
    found
}

/// The tables that a snapshot knows: those of the file, and the temporary ones, which hide others of their name.
fn known<'k>(
    tables: &'k [Table],
    schema: &'k schema::Schema,
) -> impl Iterator<Item = (usize, &'k Table, &'k schema::Table)> {
    let temporary: HashSet<String> = tables
        .iter()
        .filter(|table| table.schema == "temp")
        .map(|table| table.name.to_lowercase())
        .collect();
    tables.iter().enumerate().filter_map(move |(at, table)| {
        let is_known = match table.schema.as_str() {
            "temp" => true,
            "main" | "public" => !temporary.contains(&table.name.to_lowercase()),
            _ => false,
        };
        let position = schema.table_named(&table.name).filter(|_| is_known)?;
        Some((at, table, &schema.tables[position]))
    })
}

/// Takes the comments from the text of the table.
fn comment(table: &mut Table) {
    if !(table.sql.contains("--") || table.sql.contains("/*")) {
        return;
    }
    let mut read = schema::Table {
        columns: table
            .columns
            .iter()
            .map(|column| schema::Column {
                name: column.name.clone(),
                ..schema::Column::default()
            })
            .collect(),
        ..schema::Table::default()
    };
    if table.is_view {
        comments::add_to_view(&mut read, &table.sql);
    } else {
        comments::add(&mut read, &table.sql);
    }
    table.comment = read.comment;
    for (column, read) in table.columns.iter_mut().zip(read.columns) {
        column.comment = read.comment;
    }
}

/// Type and modifier as the catalogue has them; text where nothing is told.
fn told(told: Option<decltype::DeclaredType>) -> (i64, i64) {
    told.map_or((SqlType::Text.oid().into(), -1), |told| {
        (told.ty.oid().into(), told.modifier.into())
    })
}
