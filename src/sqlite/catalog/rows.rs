//! Rows of the catalogue in memory, found by the value of any column.

use std::{borrow::Cow, collections::HashMap, sync::OnceLock};

use rusqlite::{
    ToSql,
    types::{ToSqlOutput, Value, ValueRef},
};

use super::definitions::{self, Relation};

/// A value of the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(Cow<'static, str>),
    /// The name of whoever looks: rows are shared by all sessions.
    User,
    /// The last value of a sequence, by its number: it changes without the schema.
    LastValue(i64),
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<bool> for Cell {
    fn from(truth: bool) -> Self {
        Self::Integer(truth.into())
    }
}

impl From<&'static str> for Cell {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null | Self::User | Self::LastValue(_) => ToSqlOutput::Owned(Value::Null),
            Self::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

impl Cell {
    /// The number, where it is one.
    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, where it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// What rows are found by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Integer(i64),
    Text(String),
    User,
}

impl Key {
    fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Null | Cell::Real(_) | Cell::LastValue(_) => None,
            Cell::Integer(number) => Some(Self::Integer(*number)),
            Cell::Text(text) => Some(Self::Text(text.clone().into_owned())),
            Cell::User => Some(Self::User),
        }
    }
}

/// Rows that no longer change.
#[derive(Debug)]
pub(super) struct Rows {
    width: usize,
    cells: Vec<Cell>,
    /// For each column, made when it is first used.
    found: Vec<OnceLock<HashMap<Key, Vec<usize>>>>,
}

impl Rows {
    /// Rows of this many columns, one after the other.
    pub(super) fn new(width: usize, cells: Vec<Cell>) -> Self {
        Self {
            width,
            cells,
            found: std::iter::repeat_with(OnceLock::new).take(width).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    pub(super) fn row(&self, position: usize) -> &[Cell] {
        &self.cells[position * self.width..(position + 1) * self.width]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks_exact(self.width.max(1))
    }

    /// The positions of the rows with this value.
    pub(super) fn find(&self, column: usize, key: &Key) -> &[usize] {
        let found = self.found[column].get_or_init(|| {
            let mut found: HashMap<Key, Vec<usize>> = HashMap::new();
            for (position, row) in self.iter().enumerate() {
                if let Some(key) = Key::of(&row[column]) {
                    found.entry(key).or_default().push(position);
                }
            }
            found
        });
        found.get(key).map_or(&[], Vec::as_slice)
    }
}

/// Rows in the making: some columns are given, the others have what stands where nobody says anything.
pub(super) struct Filling {
    usual: Vec<Cell>,
    positions: Vec<usize>,
    cells: Vec<Cell>,
}

impl Filling {
    /// Rows of a relation of which these columns will be given.
    pub(super) fn new(relation: &Relation, columns: &[&str]) -> Self {
        let position = |name: &&str| {
            let found = relation.columns.iter().position(|column| column.name == *name);
            found.expect("the names are written in the source, and a test fills every relation")
        };
        Self {
            usual: relation
                .columns
                .iter()
                .map(definitions::Column::default)
                .collect(),
            positions: columns.iter().map(position).collect(),
            cells: vec![],
        }
    }

    /// As [`Filling::new`], where what would be counted is 0. Tables for values that are too long are not there, and
    /// nothing is counted of them.
    pub(super) fn counting(relation: &Relation, columns: &[&str]) -> Self {
        let mut rows = Self::new(relation, columns);
        for (column, usual) in relation.columns.iter().zip(&mut rows.usual) {
            let is_count = matches!(column.ty, "int8" | "float8" | "numeric");
            if is_count && !column.name.starts_with("toast_") && !column.name.starts_with("tidx_") {
                *usual = Cell::Integer(0);
            }
        }
        rows
    }

    /// A row.
    pub(super) fn add<const N: usize>(&mut self, values: [Cell; N]) {
        self.add_all(values);
    }

    /// A row of as many values as there are columns given.
    pub(super) fn add_all(&mut self, values: impl IntoIterator<Item = Cell>) {
        let start = self.cells.len();
        self.cells.extend(self.usual.iter().cloned());
        for (position, value) in self.positions.iter().zip(values) {
            self.cells[start + position] = value;
        }
    }

    pub(super) fn done(self) -> Rows {
        Rows::new(self.usual.len(), self.cells)
    }
}
