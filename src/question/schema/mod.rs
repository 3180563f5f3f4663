//! What is known of a database: tables, columns, keys, comments, stored values. Data only, no I/O.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

mod codes;
mod contents;
mod hidden_names;
mod join_graph;
mod keys;
mod part;
mod profile;
mod shown;
mod spelling;
mod standards;
mod value_index;
pub mod words;

pub use codes::{CODE_ROWS, CodeTable, Codes, ColumnNames, code_tables};
pub use contents::{Basis, CommonValue, Contents};
pub use hidden_names::HiddenNames;
pub use join_graph::{JoinGraph, JoinStep};
pub use keys::{Candidate, Inclusion, candidates, decide, infer_keys, is_settled};
pub use part::Kept;
pub use profile::{Cell, ColumnProfile, Day, Format, Profile, Profiler, Statistics, TableProfile, cell};
pub use shown::Shown;
pub use spelling::{identifier, literal};
pub use value_index::{IndexProgress, ValueHit, ValueIndex};

/// Whose SQL a database speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SQLite 3.
    #[default]
    Sqlite,
    /// PostgreSQL 15 and what speaks as it does.
    Postgres,
}

impl Dialect {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// Tables, columns and keys of one database as one user may read them.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// Tables and views in the order of their creation.
    pub tables: Vec<Table>,
    /// Declared keys first, then inferred ones.
    pub foreign_keys: Vec<ForeignKey>,
    /// Names that mean something of the database's own here.
    pub shadowed: Shadowed,
    /// What is there and may not be read; `None` where all of it may.
    pub withheld: Option<Arc<Withheld>>,
    /// What the database has and cannot be read: its name, and why.
    pub unreadable: Vec<(String, String)>,
    /// By what its database can tell whether it is still the same; empty for one that is no database's.
    pub catalog: Arc<str>,
}

/// Built-in names for which the database has something of its own that a question must not call unawares: each with
/// what that is, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shadowed {
    /// Functions, by the name alone.
    pub functions: BTreeMap<String, String>,
    /// Operators, such as `=`.
    pub operators: BTreeMap<String, String>,
    /// Types, as they are written: a value must not be cast to them.
    pub types: BTreeMap<String, String>,
    /// Functions and operators that are whoever's who asks: what limits them must not mean these.
    pub own: OwnNames,
}

/// Built-in names for which whoever asks has put something of their own on the search path, or before PostgreSQL's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnNames {
    /// Functions, by the name alone.
    pub functions: BTreeSet<String>,
    /// Operators.
    pub operators: BTreeSet<String>,
}

impl Shadowed {
    /// With what is whoever's who asks.
    #[must_use]
    pub fn with_own(&self) -> Self {
        let mut all = self.clone();
        let what = "one that whoever asks has put in its place".to_owned();
        for name in &self.own.functions {
            all.functions.entry(name.clone()).or_insert_with(|| what.clone());
        }
        for name in &self.own.operators {
            all.operators.entry(name.clone()).or_insert_with(|| what.clone());
        }
        all
    }
}

/// What privileges and an access policy have taken out of a schema. Rights refuse what a question means, they do not
/// change it; so what its words mean is looked up here.
#[derive(Debug, Clone)]
pub struct Withheld {
    /// The database with the names of what is kept back, and no stored value of it. Where the user must not even know that
    /// something is there, this lacks it too, and has it kept back from itself.
    pub whole: Snapshot,
    /// Whom it is kept from.
    pub user: String,
}

/// A table or a view.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The name as stored, unquoted.
    pub name: String,
    /// The namespace that it lives in; `None` where the database has none.
    pub schema: Option<String>,
    /// True where the name alone does not find it on the search path, so that SQL must write `schema.name`.
    pub qualified: bool,
    /// The columns in their declared order.
    pub columns: Vec<Column>,
    /// Positions in `columns` of the primary key, in key order; empty where none is declared.
    pub primary_key: Vec<usize>,
    /// True where its keys do not hold for all that it shows: rows of tables that inherit from it, or keys that are looked at
    /// when a transaction ends.
    pub loose_keys: bool,
    /// True where the database may compare texts of it by more than their letters: SQLite, where its statement names a collation.
    pub own_collations: bool,
    /// The comment on the table, where the database has one.
    pub comment: Option<String>,
    /// Rows, estimated or counted; `None` where unknown.
    pub rows: Option<u64>,
    /// True where they were counted just now.
    pub counted: bool,
    /// True for a view.
    pub is_view: bool,
    /// True where `columns` lacks some that the user may not read, so that `*` is refused.
    pub partly_hidden: bool,
    /// Why a question may not read it, in words that follow its name ("calls the volatile function f"); `None` where it may.
    pub forbidden: Option<String>,
    /// Whose code forbids it, where nobody trusts them.
    pub untrusted_owner: Option<String>,
    /// True where it belongs to somebody whom whoever asks has no reason to trust.
    pub of_stranger: bool,
    /// True where reading it runs expressions that the database defines: a view's, or those of row-level security.
    pub runs_code: bool,
    /// True where row-level security, its own or that of what it reads, keeps its stored values from being known: those
    /// that are held are shared by all sessions of a user, and some may be of rows that another must not see.
    pub row_security: bool,
    /// What an access policy leaves of it; `None` for a table that is read as it is.
    pub restriction: Option<Arc<Restriction>>,
    /// The columns behind a view, through all views between, and behind a table that is a part of another.
    pub sources: Arc<[SourceColumn]>,
    /// What a view is to a planner, through all views between.
    pub planned: Planned,
}

/// What a view is once it stands in its place in a query, where each of its tables and views counts as often as it is read. It
/// may be more than any number of use.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Planned {
    /// Tables and views behind it.
    pub relations: f64,
    /// Tables that are joined with those around it; 0 for a table.
    pub joined: f64,
}

/// What an access policy leaves of a table: the columns that the schema shows, and these rows.
#[derive(Debug, Clone, Default)]
pub struct Restriction {
    /// A condition on its columns; `None` for all rows.
    pub rows: Option<String>,
    /// The columns that are kept back. The condition may name them.
    pub hidden: Vec<Column>,
}

/// A column, or a whole table, that a view reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceColumn {
    /// The table's namespace; `None` where the database has none.
    pub schema: Option<String>,
    /// The table.
    pub table: String,
    /// The column; `None` where the table is read without any.
    pub column: Option<String>,
}

/// How a column's values are spelled, beside how the database keeps values of the declared type itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In the same way.
    #[default]
    Kept,
    /// Some otherwise: they do not compare as they stand.
    Otherwise,
    /// Some are no values of the declared type.
    Foreign,
}

/// A column of a table or view.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// The name as stored, unquoted.
    pub name: String,
    /// The declared type as it stands in the DDL; empty where none is declared.
    pub declared_type: String,
    /// What the column holds, from its declared type and, where that says nothing, its values.
    pub kind: ColumnKind,
    /// True for a column that declares no type where not every value is known to be of this kind: any may come.
    pub may_be_other: bool,
    /// True where values were seen that are longer than the declared type lets them be.
    pub exceeds: bool,
    /// How the values that were looked at are spelled.
    pub spelling: Spelling,
    /// True if declared NOT NULL or part of the primary key.
    pub not_null: bool,
    /// True for a column of a primary key in which the database takes NULL nevertheless, as SQLite does.
    pub null_in_key: bool,
    /// True if the column alone is unique by a key or an index.
    pub unique: bool,
    /// The comment on the column, where the database has one.
    pub comment: Option<String>,
    /// Of a view: the column of a table or another view that it shows as it is.
    pub shows: Option<Arc<SourceColumn>>,
    /// The columns of its table that it is computed from.
    pub computed_from: Vec<String>,
    /// True if nothing of it may be told to models.
    pub private: bool,
    /// True if the server's own privileges keep it from the user, which everybody sees in its catalogue; only in
    /// [`Withheld::whole`].
    pub denied: bool,
}

/// The family of values that a column holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Whole numbers.
    Integer,
    /// Any number.
    Number,
    /// Character strings.
    #[default]
    Text,
    /// Truth values.
    Boolean,
    /// Calendar dates, stored as ISO text or otherwise.
    Date,
    /// Date and time of day.
    Timestamp,
    /// Time of day.
    Time,
    /// Bytes.
    Blob,
    /// One of a type's labels, which compare as the type lists them.
    Enum,
    /// A universally unique identifier.
    Uuid,
    /// A span of time.
    Interval,
    /// What is shown and not reckoned with: documents, arrays, ranges, shapes.
    Other,
}

/// A column, by position in [`Schema::tables`] and [`Table::columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnRef {
    /// Position of the table.
    pub table: usize,
    /// Position of the column in its table.
    pub column: usize,
}

/// A reference from some columns of one table to as many of another (or the same).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The referencing columns, in key order, all of one table.
    pub from: Vec<ColumnRef>,
    /// The referenced columns, in key order, all of one table.
    pub to: Vec<ColumnRef>,
    /// False for a key that was inferred from names and types.
    pub declared: bool,
    /// True where the database itself sees to it, at every moment, that what is referred to is there.
    pub enforced: bool,
}

/// The schema with all that is derived from it, shared by the sessions that may read it.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Tables, columns, keys.
    pub schema: Arc<Schema>,
    /// How tables join.
    pub joins: Arc<JoinGraph>,
    /// Which stored values occur in which columns; may still be growing.
    pub values: Arc<ValueIndex>,
    /// What columns hold, in figures; empty until that was read.
    pub profile: Arc<Profile>,
    /// Changes whenever the schema does.
    pub fingerprint: u64,
    /// Whose SQL the database speaks.
    pub dialect: Dialect,
}

impl ColumnKind {
    /// True for the kinds that sums and averages are made of.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    /// True for dates and timestamps.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp)
    }

    /// True for dates, timestamps and times of day.
    pub fn is_calendar(self) -> bool {
        self.is_temporal() || self == Self::Time
    }

    /// True for the kinds whose values are words that a question may name.
    pub fn is_wording(self) -> bool {
        matches!(self, Self::Text | Self::Enum)
    }
}

impl Table {
    /// True where rules for rows keep its stored values from being known: any word may be one of them.
    pub fn keeps_values_back(&self) -> bool {
        let restricted = self.restriction.as_ref();
        self.row_security || restricted.is_some_and(|restriction| restriction.rows.is_some())
    }

    /// True for its name, with its schema (`sales.orders`) or without, letter case ignored. A file's schema is `public`.
    pub fn is_called(&self, name: &str) -> bool {
        let whole = || format!("{}.{}", self.schema.as_deref().unwrap_or("public"), self.name);
        name.eq_ignore_ascii_case(&self.name) || name.eq_ignore_ascii_case(&whole())
    }
}

impl Schema {
    /// The table's position, letter case ignored.
    pub fn table_named(&self, name: &str) -> Option<usize> {
        self.tables
            .iter()
            .position(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// The columns that tell the rows of a table apart: its primary key, or else what other tables refer to.
    pub fn identity(&self, table: usize) -> Vec<usize> {
        let key = &self.tables[table].primary_key;
        if !key.is_empty() {
            return key.clone();
        }
        let mut referred = self.foreign_keys.iter().filter(|key| key.to[0].table == table);
        referred
            .next()
            .map_or_else(Vec::new, |key| key.to.iter().map(|at| at.column).collect())
    }

    /// True if the first tables are those of `other`, with the same columns.
    pub fn begins_with(&self, other: &Self) -> bool {
        let same = |one: &Table, other: &Table| {
            one.name == other.name
                && one
                    .columns
                    .iter()
                    .map(|column| &column.name)
                    .eq(other.columns.iter().map(|column| &column.name))
        };
        self.tables.len() >= other.tables.len()
            && self
                .tables
                .iter()
                .zip(&other.tables)
                .all(|(one, other)| same(one, other))
    }

    /// The column itself.
    pub fn column(&self, at: ColumnRef) -> &Column {
        &self.tables[at.table].columns[at.column]
    }

    /// Every column of every table.
    pub fn columns(&self) -> impl Iterator<Item = (ColumnRef, &Column)> {
        self.tables.iter().enumerate().flat_map(|(table, t)| {
            t.columns
                .iter()
                .enumerate()
                .map(move |(column, c)| (ColumnRef { table, column }, c))
        })
    }
}

impl Snapshot {
    /// The same with all that is kept back from whoever sees this, what must not be known to be there included.
    pub fn all_that_exists(&self) -> &Self {
        let mut all = self;
        while let Some(withheld) = &all.schema.withheld {
            all = &withheld.whole;
        }
        all
    }
}

impl Withheld {
    /// True if the view `shown` of the whole has neither this column of it nor, without one, this table.
    pub fn keeps(&self, shown: &Schema, table: &Table, column: Option<&Column>) -> bool {
        let same = |one: &&Table| one.name == table.name && one.schema == table.schema;
        let Some(shown) = shown.tables.iter().find(same) else {
            return true;
        };
        column.is_some_and(|column| shown.columns.iter().all(|shown| shown.name != column.name))
    }
}

impl Table {
    /// True if the server's own privileges keep all of it from the user.
    pub fn is_denied(&self) -> bool {
        self.columns.iter().all(|column| column.denied)
    }

    /// The table as SQL names it, with its schema.
    pub fn written(&self, dialect: Dialect) -> String {
        let within = self
            .schema
            .as_deref()
            .map(|name| format!("{}.", identifier(name, dialect)));
        within.unwrap_or_default() + &identifier(&self.name, dialect)
    }

    /// The column's position, letter case ignored.
    pub fn column_named(&self, name: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.name.eq_ignore_ascii_case(name))
    }
}
