//! What a translation has to know of the database: its tables, views and indexes, and the columns of them.

/// What is known of the tables and views of a database.
pub(crate) trait Names {
    /// The columns of a table or view; `None` where there is none of that name.
    fn relation(&self, schema: Option<&str>, name: &str) -> Option<Vec<NamedColumn>>;

    /// The query in SQLite's words that a relation stands for, where it is neither table nor view.
    fn answer(&self, name: &str) -> Option<String>;

    /// Whether the session has a table, view or index of its own of this name, which hides one of the file.
    fn is_temporary(&self, name: &str) -> bool;

    /// Whether a relation of `pg_catalog` is called so.
    fn is_catalogued(&self, name: &str) -> bool;

    /// Whether only an attached file has a table, view or index of this name, where SQLite would find it without its schema.
    fn is_attached_alone(&self, name: &str) -> bool;

    /// The query in SQLite's words that tells where a sequence stands: its last value, 0, and whether that was drawn.
    fn sequence(&self, schema: Option<&str>, name: &str) -> Option<String>;

    /// Whether a sequence of this name is kept by itself in the file, or the session's own schema.
    fn keeps_sequence(&self, home: &str, name: &str) -> bool;

    /// All tables, views and indexes of a schema of SQLite's: `main` is the file, `temp` what is the session's own.
    fn objects(&self, schema: &str) -> Vec<Object>;

    /// The name of the database itself, which may stand before a schema's.
    fn database(&self) -> String;

    /// The columns of each key of a table: of what is unique over all its rows.
    fn keys(&self, schema: Option<&str>, name: &str) -> Vec<Vec<String>>;

    /// The foreign keys that refer to a table and are ON UPDATE CASCADE.
    fn handed_on(&self, schema: Option<&str>, name: &str) -> Vec<HandedOn>;

    /// Whether rows of a table change, or go, with others of it: by a foreign key to itself, or over other tables.
    fn acts_on_itself(&self, schema: Option<&str>, name: &str) -> bool;

    /// Whether the rows of a relation have numbers, as those of a view or of a table WITHOUT ROWID have not.
    fn numbers_rows(&self, schema: Option<&str>, name: &str) -> bool;

    /// Whether a table's own definition says what becomes of a row that breaks a constraint.
    fn resolves_conflicts(&self, schema: Option<&str>, name: &str) -> bool;

    /// Whether there is a schema of this name beside `public`.
    fn has_schema(&self, name: &str) -> bool;

    /// Whether SQLite has a function of this name, or one that gives rows.
    fn has_function(&self, name: &str) -> bool;

    /// The value of a constant expression in SQLite's words, as a literal.
    fn constant(&self, expression: &str) -> Option<String>;
}

/// A table, view or index as the file holds it.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// `table`, `view`, `index` or `trigger`.
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The table that it belongs to.
    pub(crate) table: String,
    pub(crate) sql: String,
    /// Tables that its foreign keys refer to.
    pub(crate) parents: Vec<String>,
}

/// A foreign key by which rows get the new values of what they refer to.
#[derive(Debug, Clone)]
pub(crate) struct HandedOn {
    /// The table whose rows these are.
    pub(crate) table: String,
    /// Its columns, each with the one that it refers to.
    pub(crate) columns: Vec<(String, String)>,
}

/// A column of a table or view.
#[derive(Debug, Clone, Default)]
pub(crate) struct NamedColumn {
    pub(crate) name: String,
    /// The declared type; empty where there is none.
    pub(crate) declared: String,
    pub(crate) not_null: bool,
    /// Its place in the primary key, from 1; 0 where it is no part of it.
    pub(crate) key: usize,
    /// The expression of its default, if it has one.
    pub(crate) default: Option<String>,
    /// True for what is computed and cannot be written.
    pub(crate) generated: bool,
    /// True for a column of a virtual table that is there to be asked by, and is no part of a row.
    pub(crate) hidden: bool,
    /// True for a key that SQLite numbers by itself.
    pub(crate) is_rowid: bool,
    /// True for an identity column that takes no other number than its own.
    pub(crate) always: bool,
    /// True for a column of a view that gives other values each time it is read.
    pub(crate) is_volatile: bool,
    /// True where another program made it: it may hold anything, whatever was seen of it.
    pub(crate) is_foreign: bool,
    /// True where other programs wrote values, which are read in the spelling of the column's type.
    pub(crate) is_respelled: bool,
    /// Where clients find it in the catalogue.
    pub(crate) origin: Option<Origin>,
}

/// A column in the catalogue: its table's number in `pg_class`, and its own in `pg_attribute`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) table: u32,
    pub(crate) column: u16,
}
