//! What the catalogue is made of: the facts of a SQLite file, as the backend reads them.

use std::{collections::HashMap, fmt};

/// Types and their modifiers, by the positions of table and column: where what is stored is not what is declared.
pub(crate) type Corrections = HashMap<(usize, usize), (i64, i64)>;

/// Everything that was read.
#[derive(Default)]
pub(crate) struct CatalogContents {
    /// The name of the database.
    pub(crate) database: String,
    /// As SQLite names them.
    pub(crate) schemas: Vec<String>,
    pub(crate) tables: Vec<Table>,
    pub(crate) triggers: Vec<Trigger>,
    /// Those that are kept in a table of their own.
    pub(crate) sequences: Vec<Sequence>,
    /// Those that were created, with their versions.
    pub(crate) extensions: Vec<(String, String)>,
    /// Asked when somebody wants to know.
    pub(crate) stored: Option<Box<dyn Stored>>,
}

/// What is known of the rows of tables.
pub(crate) trait Stored: Send + Sync {
    /// The types of columns that hold something else than is declared. May read the tables.
    fn types(&self, tables: &[Table]) -> Corrections;

    /// How many rows a table has, as far as that is known by now.
    fn rows(&self, tables: &[Table]) -> HashMap<usize, u64>;
}

impl fmt::Debug for CatalogContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogContents")
            .field("database", &self.database)
            .field("tables", &self.tables)
            .field("triggers", &self.triggers)
            .finish_non_exhaustive()
    }
}

/// A table or a view.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// As SQLite names it: `main`, `temp` or that of an attached file.
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) is_view: bool,
    /// True for what clients are not told of.
    pub(crate) is_hidden: bool,
    /// True where SQLite numbers its rows.
    pub(crate) has_rowid: bool,
    /// The statement that created it.
    pub(crate) sql: String,
    /// The query of a view as it was written, where SQLite runs another text.
    pub(crate) written: Option<String>,
    pub(crate) comment: Option<String>,
    /// How many rows ANALYZE counted.
    pub(crate) rows: Option<u64>,
    pub(crate) columns: Vec<Column>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
}

/// A sequence.
#[derive(Debug, Default, Clone, Hash)]
pub(crate) struct Sequence {
    pub(crate) name: String,
    /// The number of the type of its values in `pg_type`.
    pub(crate) ty: i64,
    pub(crate) start: i64,
    pub(crate) increment: i64,
    pub(crate) min: i64,
    pub(crate) max: i64,
    pub(crate) cycle: bool,
    /// The table and the column that it goes with.
    pub(crate) owner: Option<(String, String)>,
}

impl Table {
    /// The position, from 1, of the column with this name; 0 where there is none.
    pub(crate) fn position(&self, name: &str) -> i64 {
        let found = self
            .columns
            .iter()
            .position(|column| column.name.eq_ignore_ascii_case(name));
        found.map_or(0, |position| position as i64 + 1)
    }
}

/// A column.
#[derive(Debug, Default)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// As the statement that created it declares it.
    pub(crate) declared: String,
    /// The number of the declared type in `pg_type`.
    pub(crate) ty: i64,
    /// As in `pg_attribute.atttypmod`.
    pub(crate) modifier: i64,
    pub(crate) not_null: bool,
    pub(crate) default: Option<String>,
    /// Its place in the primary key, from 1; 0 outside.
    pub(crate) key_position: i64,
    /// True where its value is worked out from others.
    pub(crate) is_generated: bool,
    /// True for a primary key that SQLite numbers by itself.
    pub(crate) is_rowid: bool,
    /// True where it was declared as `serial`: the sequence is its default, and it is no identity column.
    pub(crate) is_serial: bool,
    /// As in `pg_attribute.attidentity`.
    pub(crate) identity: &'static str,
    pub(crate) comment: Option<String>,
}

/// An index.
#[derive(Debug, Default, Clone)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) unique: bool,
    /// As SQLite tells it: `c` for CREATE INDEX, `u` for UNIQUE, `pk` for PRIMARY KEY.
    pub(crate) origin: String,
    pub(crate) partial: bool,
    /// The statement that created it, where there is one.
    pub(crate) sql: Option<String>,
    /// Names of columns, and whether each is in descending order; an expression has no name.
    pub(crate) columns: Vec<(Option<String>, bool)>,
}

/// A foreign key.
#[derive(Debug, Default)]
pub(crate) struct ForeignKey {
    pub(crate) target: String,
    pub(crate) from: Vec<String>,
    /// Empty where the key refers to the primary key.
    pub(crate) to: Vec<String>,
    /// In words, as SQLite tells it.
    pub(crate) on_update: String,
    pub(crate) on_delete: String,
}

/// A trigger.
#[derive(Debug, Default)]
pub(crate) struct Trigger {
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) sql: String,
}
