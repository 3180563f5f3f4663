//! A SQLite file as PostgreSQL's catalogue describes a database: relations, constraints and triggers with the numbers
//! and names that they have there.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock},
};

use super::{
    constraints::{self, NamesTaken},
    ddl::{self, Written},
    definitions::find,
    numbers::Numbers,
    rows::Rows,
    source::{CatalogContents, Corrections, Index, Sequence, Stored, Table},
    words,
};

/// The schema `public`.
pub(super) const PUBLIC: i64 = 2200;
/// The schema `pg_catalog`.
pub(super) const PG_CATALOG: i64 = 11;
/// The schema `information_schema`.
pub(super) const INFORMATION_SCHEMA: i64 = 13_000;
/// The schema of temporary tables.
pub(super) const TEMPORARY: i64 = 13_001;
/// Whoever is connected owns everything.
pub(super) const OWNER: i64 = 10;
/// The database: the first number that clients do not take for a system's own.
pub(super) const DATABASE: i64 = 16_384;
/// The access methods `heap` and `btree`.
pub(super) const HEAP: i64 = 2;
pub(super) const BTREE: i64 = 403;

/// The types of whole numbers.
const INT8: i64 = 20;
const INT2: i64 = 21;
const INT4: i64 = 23;

/// A table, a view, an index or a sequence.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) oid: i64,
    /// The type of its rows, 0 for an index.
    pub(super) row_type: i64,
    pub(super) schema: i64,
    pub(super) name: String,
    /// As in `pg_class.relkind`.
    pub(super) kind: char,
    /// Where its facts are.
    pub(super) table: usize,
    /// Where it is an index: its place among the table's own.
    pub(super) index: Option<usize>,
    /// Where it is a sequence: the position of the column that it numbers, if there is one.
    pub(super) sequence: Option<usize>,
    /// Where it is a sequence that is kept: its place among those.
    pub(super) kept: Option<usize>,
}

impl Relation {
    /// True for a table or a view.
    pub(super) fn is_table(&self) -> bool {
        self.index.is_none() && self.kind != 'S'
    }
}

/// An index with its number; one that SQLite does without, for a primary key that is the rowid, too.
#[derive(Debug)]
pub(super) struct Keyed {
    pub(super) oid: i64,
    pub(super) name: String,
    pub(super) index: Index,
    /// `p` or `u` where a constraint stands behind it.
    pub(super) constraint: Option<char>,
    /// Positions of its columns from 1; 0 is an expression.
    pub(super) columns: Vec<i64>,
}

/// A constraint of a table.
#[derive(Debug)]
pub(super) struct Constraint {
    pub(super) oid: i64,
    pub(super) name: String,
    pub(super) kind: char,
    pub(super) table: usize,
    pub(super) columns: Vec<i64>,
    /// The index behind a key, or behind the key that is referred to.
    pub(super) index: i64,
    pub(super) target: Option<usize>,
    pub(super) target_columns: Vec<i64>,
    pub(super) on_update: char,
    pub(super) on_delete: char,
    pub(super) written: Written,
}

/// A trigger.
#[derive(Debug)]
pub(super) struct Trigger {
    pub(super) oid: i64,
    pub(super) name: String,
    pub(super) table: usize,
    pub(super) sql: String,
}

/// Rows in parts, by schema and name of their relation.
type Filled = HashMap<(&'static str, &'static str), Arc<OnceLock<Vec<Arc<Rows>>>>>;

/// Everything, at one state of the schema.
#[derive(Default)]
pub(crate) struct Model {
    pub(super) database: String,
    /// The schemas that attached files are, with their numbers.
    attached: Vec<(i64, String)>,
    pub(super) tables: Vec<Table>,
    /// The extensions that were created, with their versions.
    pub(super) extensions: Vec<(String, String)>,
    /// The sequences that are kept.
    kept: Vec<Sequence>,
    /// By table.
    pub(super) indexes: Vec<Vec<Keyed>>,
    /// By table: indexes of which PostgreSQL has no words.
    pub(super) untold: Vec<(usize, Index)>,
    /// By table: its own number.
    pub(super) oids: Vec<i64>,
    pub(super) relations: Vec<Relation>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) triggers: Vec<Trigger>,
    /// What is known of the rows.
    pub(super) stored: Option<Box<dyn Stored>>,
    corrections: OnceLock<Corrections>,
    /// By table and column in lower case: the expressions of generated columns.
    pub(super) generated: HashMap<(usize, String), String>,
    /// The positions of tables, by schema and name in lower case.
    places: HashMap<(String, String), usize>,
    by_oid: HashMap<i64, usize>,
    constraints_by_oid: HashMap<i64, usize>,
    row_types: HashMap<i64, usize>,
    /// By name in lower case.
    by_name: HashMap<String, Vec<usize>>,
    /// The rows of relations that were asked for.
    pub(super) filled: Mutex<Filled>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("database", &self.database)
            .field("relations", &self.relations)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// The catalogue of a database of this name in which nothing is known yet.
    pub(super) fn empty(database: &str) -> Self {
        Self {
            database: database.to_owned(),
            ..Self::default()
        }
    }

    /// The catalogue of what was read.
    pub(crate) fn new(source: CatalogContents) -> Self {
        let mut model = Self {
            database: source.database,
            stored: source.stored,
            extensions: source.extensions,
            attached: source
                .schemas
                .into_iter()
                .filter(|name| !matches!(name.as_str(), "main" | "public" | "temp"))
                .map(|name| (schema_number(&name), name))
                .collect(),
            ..Self::default()
        };
        let mut numbers = Numbers::default();
        let mut names = NamesTaken::of(&source.tables, &source.sequences);
        for (position, table) in source.tables.iter().enumerate() {
            model.add_relation(&mut numbers, position, table);
        }
        model.tables = source.tables;
        let mut texts = vec![];
        for (position, table) in model.tables.iter().enumerate() {
            let place = (table.schema.clone(), table.name.to_lowercase());
            model.places.insert(place, position);
        }
        for position in 0..model.tables.len() {
            model.words_of_indexes(position);
            let mut text = ddl::read(&model.tables[position].sql);
            for (column, expression) in std::mem::take(&mut text.generated) {
                model.generated.insert((position, column), expression);
            }
            let keyed = constraints::keyed(
                &model.tables[position],
                &text.constraints,
                &mut names,
                &mut numbers,
            );
            model.add_indexes(position, keyed);
            model.add_sequence(position, &mut names, &mut numbers);
            texts.push(text);
        }
        model.keep(source.sequences, &mut numbers);
        for (position, text) in texts.into_iter().enumerate() {
            let found = constraints::of(&model, position, &text.constraints, &mut numbers);
            model.constraints.extend(found);
        }
        for trigger in source.triggers {
            if let Some(table) = model.table(&trigger.schema, &trigger.table) {
                let scope = format!("{}\0{}", trigger.table, trigger.name);
                model.triggers.push(Trigger {
                    oid: numbers.give("trigger", schema(&model.tables[table]), &scope),
                    name: trigger.name,
                    table,
                    sql: trigger.sql,
                });
            }
        }
        let places = |(place, relation): (usize, &Relation)| (relation.oid, place);
        model.by_oid = model.relations.iter().enumerate().map(places).collect();
        let types = |(place, relation): (usize, &Relation)| (relation.row_type, place);
        model.row_types = model.relations.iter().enumerate().map(types).collect();
        let constraints = |(place, constraint): (usize, &Constraint)| (constraint.oid, place);
        model.constraints_by_oid = model.constraints.iter().enumerate().map(constraints).collect();
        for (place, relation) in model.relations.iter().enumerate() {
            model
                .by_name
                .entry(relation.name.to_lowercase())
                .or_default()
                .push(place);
        }
        model
    }

    fn add_relation(&mut self, numbers: &mut Numbers, position: usize, table: &Table) {
        let schema = schema(table);
        let (oid, row_type) = numbers.of_table(schema, &table.name);
        self.oids.push(oid);
        self.relations.push(Relation {
            oid,
            row_type,
            schema,
            name: table.name.clone(),
            kind: if table.is_view { 'v' } else { 'r' },
            table: position,
            index: None,
            sequence: None,
            kept: None,
        });
    }

    fn add_indexes(&mut self, position: usize, keyed: Vec<Keyed>) {
        let schema = schema(&self.tables[position]);
        for (place, keyed) in keyed.iter().enumerate() {
            self.relations.push(Relation {
                oid: keyed.oid,
                row_type: 0,
                schema,
                name: keyed.name.clone(),
                kind: 'i',
                table: position,
                index: Some(place),
                sequence: None,
                kept: None,
            });
        }
        self.indexes.push(keyed);
    }

    /// PostgreSQL numbers an identity column by a sequence; SQLite does it by the rowid.
    fn add_sequence(&mut self, position: usize, names: &mut NamesTaken, numbers: &mut Numbers) {
        let table = &self.tables[position];
        let Some(column) = table.columns.iter().position(|column| column.is_rowid) else {
            return;
        };
        let (schema, table_schema) = (schema(table), table.schema.clone());
        let wanted = format!("{}_{}_seq", table.name, table.columns[column].name);
        let name = names.take(schema, &wanted);
        let own = &mut self.tables[position].columns[column];
        if own.is_serial {
            let attached = Some(shown_schema(&table_schema)).filter(|_| schema != PUBLIC);
            own.default = Some(words::sequence_in(attached, &name));
        }
        self.relations.push(Relation {
            oid: numbers.give("relation", schema, &name),
            row_type: 0,
            schema,
            name,
            kind: 'S',
            table: position,
            index: None,
            sequence: Some(column),
            kept: None,
        });
    }

    /// Sequences that are kept: with the table that they go with, else with one that nobody sees.
    fn keep(&mut self, sequences: Vec<Sequence>, numbers: &mut Numbers) {
        let home = self.tables.len();
        if !sequences.is_empty() {
            self.tables.push(Table {
                schema: "public".to_owned(),
                is_hidden: true,
                ..Table::default()
            });
            self.indexes.push(vec![]);
        }
        for (place, own) in sequences.iter().enumerate() {
            let owner = own.owner.as_ref().and_then(|(table, column)| {
                let attached = self.attached.iter().map(|(_, name)| name.as_str());
                let mut homes = ["public", "main"].into_iter().chain(attached);
                let table = homes.find_map(|home| self.table(home, table))?;
                let column = self.tables[table].position(column) - 1;
                Some((table, usize::try_from(column).ok()?))
            });
            // It is told where its table is, whichever file keeps it.
            let schema = owner.map_or(PUBLIC, |(table, _)| schema(&self.tables[table]));
            self.relations.push(Relation {
                oid: numbers.give("relation", schema, &own.name),
                row_type: 0,
                schema,
                name: own.name.clone(),
                kind: 'S',
                table: owner.map_or(home, |(table, _)| table),
                index: None,
                sequence: owner.map(|(_, column)| column),
                kept: Some(place),
            });
        }
        self.kept = sequences;
    }

    /// What a sequence is like.
    pub(super) fn sequence_facts(&self, own: &Relation) -> Sequence {
        if let Some(kept) = own.kept {
            return self.kept[kept].clone();
        }
        let ty = own
            .sequence
            .map_or(0, |column| self.tables[own.table].columns[column].ty);
        Sequence {
            name: own.name.clone(),
            ty: if matches!(ty, INT2 | INT4) { ty } else { INT8 },
            start: 1,
            increment: 1,
            min: 1,
            max: match ty {
                INT2 => i16::MAX.into(),
                INT4 => i32::MAX.into(),
                _ => i64::MAX,
            },
            ..Sequence::default()
        }
    }

    /// The tables and views that clients are told of.
    pub(super) fn shown_tables(&self) -> impl Iterator<Item = (usize, &Table)> {
        self.tables
            .iter()
            .enumerate()
            .filter(|(_, table)| !table.is_hidden)
    }

    /// The sequence of a column of a table, at these positions.
    pub(super) fn sequence(&self, table: usize, column: usize) -> Option<&Relation> {
        self.sequences()
            .find(|own| own.table == table && own.sequence == Some(column))
    }

    /// All sequences.
    pub(super) fn sequences(&self) -> impl Iterator<Item = &Relation> {
        self.relations.iter().filter(|own| own.kind == 'S')
    }

    /// The type of a column and its modifier, of the table and the column at these positions.
    pub(super) fn column_type(&self, table: usize, column: usize) -> (i64, i64) {
        let corrections = self.corrections.get_or_init(|| {
            let stored = self.stored.as_ref();
            stored.map_or_else(Corrections::new, |stored| stored.types(&self.tables))
        });
        let declared = &self.tables[table].columns[column];
        let corrected = corrections.get(&(table, column)).copied();
        corrected.unwrap_or((declared.ty, declared.modifier))
    }

    /// The relation with this number.
    pub(super) fn relation(&self, oid: i64) -> Option<&Relation> {
        self.by_oid.get(&oid).map(|&place| &self.relations[place])
    }

    /// The constraint with this number.
    pub(super) fn constraint(&self, oid: i64) -> Option<&Constraint> {
        let place = *self.constraints_by_oid.get(&oid)?;
        self.constraints.get(place)
    }

    /// The relation whose rows are of this type.
    pub(super) fn of_row_type(&self, oid: i64) -> Option<&Relation> {
        self.row_types
            .get(&oid)
            .filter(|_| oid != 0)
            .map(|&place| &self.relations[place])
    }

    /// The position of a table of a schema as SQLite names it.
    pub(super) fn table(&self, schema: &str, name: &str) -> Option<usize> {
        self.places
            .get(&(schema.to_owned(), name.to_lowercase()))
            .copied()
    }

    /// The index that a relation is.
    pub(super) fn index(&self, relation: &Relation) -> Option<&Keyed> {
        self.indexes.get(relation.table)?.get(relation.index?)
    }

    /// The relation of this name: in the schema, where one is given, else a temporary one or one of the file. Attached
    /// files are not on the search path.
    pub(super) fn named(&self, schema: Option<i64>, name: &str) -> Option<&Relation> {
        let places = self.by_name.get(&name.to_lowercase())?;
        let within = |schema: i64| {
            let mut found = places.iter().map(|&place| &self.relations[place]);
            found.find(|relation| relation.schema == schema)
        };
        match schema {
            Some(schema) => within(schema),
            None => within(TEMPORARY).or_else(|| within(PUBLIC)),
        }
    }

    /// True for what its name alone means: temporary relations come before those of the catalogue, and these before the file's.
    pub(super) fn is_visible(&self, relation: &Relation) -> bool {
        let is_hidden = || {
            let temporary = self.named(Some(TEMPORARY), &relation.name);
            temporary.is_some() || find("pg_catalog", &relation.name).is_some_and(|known| known.kind != "f")
        };
        relation.schema == TEMPORARY || (relation.schema == PUBLIC && !is_hidden())
    }

    /// The schemas beside PostgreSQL's own, with their numbers.
    pub(super) fn schemas(&self) -> Vec<(i64, &str)> {
        let mut schemas = vec![(PUBLIC, "public")];
        if self.tables.iter().any(|table| table.schema == "temp") {
            schemas.push((TEMPORARY, "pg_temp"));
        }
        schemas.extend(self.attached.iter().map(|(oid, name)| (*oid, name.as_str())));
        schemas
    }
}

/// The number of the schema that a table is in.
pub(super) fn schema(table: &Table) -> i64 {
    schema_number(&table.schema)
}

pub(super) fn schema_number(name: &str) -> i64 {
    match name {
        "main" | "public" => PUBLIC,
        "temp" => TEMPORARY,
        attached => Numbers::default().give("schema", 0, attached),
    }
}

/// The name of that schema, as clients know it.
pub(super) fn schema_name(table: &Table) -> &str {
    shown_schema(&table.schema)
}

/// The name of a schema of SQLite's, as clients know it.
pub(crate) fn shown_schema(name: &str) -> &str {
    match name {
        "main" => "public",
        "temp" => "pg_temp",
        attached => attached,
    }
}
