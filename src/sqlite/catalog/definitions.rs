//! The relations of PostgreSQL's own schemas and the rows of them that are the same in every database, as
//! `scripts/catalogue` wrote them down in `dialects/sqlite/catalog/`.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use super::rows::{Cell, Rows};

const RELATIONS: &str = include_str!("../../../dialects/sqlite/catalog/relations.txt");
const FUNCTIONS: &str = include_str!("../../../dialects/sqlite/catalog/functions.txt");
const ROWS: &str = include_str!("../../../dialects/sqlite/catalog/rows.txt");

/// A table or view of the catalogue, or a function that returns rows.
#[derive(Debug)]
pub(super) struct Relation {
    /// `pg_catalog` or `information_schema`.
    pub(super) schema: &'static str,
    pub(super) name: &'static str,
    /// As in `pg_class.relkind`, and `f` for a function.
    pub(super) kind: &'static str,
    pub(super) oid: i64,
    /// The type of its rows, by its number; 0 for a function.
    pub(super) row_type: i64,
    /// The relation of the same columns whose rows a function gives.
    pub(super) rows_of: Option<&'static str>,
    pub(super) columns: Vec<Column>,
}

/// A column of the catalogue.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// As in `pg_type.typname`.
    pub(super) ty: &'static str,
    pub(super) not_null: bool,
    /// True for an argument of a function.
    pub(super) argument: bool,
}

impl Column {
    /// True where values are numbers, in SQLite too.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self.ty,
            "oid" | "regproc" | "bool" | "int2" | "int4" | "int8" | "xid" | "float4" | "float8" | "numeric"
        )
    }

    /// What stands where nobody says anything.
    pub(super) fn default(&self) -> Cell {
        match self.ty {
            _ if !self.not_null => Cell::Null,
            _ if self.is_number() => Cell::Integer(0),
            ty if ty.starts_with('_') => Cell::from("{}"),
            _ => Cell::from(""),
        }
    }

    fn read(&self, field: &'static str) -> Cell {
        match field {
            "\\N" => Cell::Null,
            "\\E" => Cell::from(""),
            "t" | "f" if self.ty == "bool" => Cell::from(field == "t"),
            _ if self.is_number() => match field.parse() {
                Ok(number) => Cell::Integer(number),
                Err(_) => field.parse().map_or(Cell::from(field), Cell::Real),
            },
            _ if field.contains('\\') => {
                let text = field.replace("\\t", "\t").replace("\\n", "\n");
                Cell::from(text.replace("\\\\", "\\"))
            }
            _ => Cell::from(field),
        }
    }
}

/// All of them.
pub(super) fn relations() -> &'static [Relation] {
    static PARSED: LazyLock<Vec<Relation>> = LazyLock::new(|| {
        let lines: Vec<&'static str> = RELATIONS.lines().chain(FUNCTIONS.lines()).collect();
        lines
            .chunks_exact(2)
            .filter_map(|pair| relation(pair[0], pair[1]))
            .collect()
    });
    &PARSED
}

fn relation(head: &'static str, columns: &'static str) -> Option<Relation> {
    let mut words = head.split(' ').skip(1);
    let (schema, name, kind) = (words.next()?, words.next()?, words.next()?);
    let oid = words.next()?.parse().ok()?;
    let last = words.next();
    let row_type = last.and_then(|number| number.parse().ok());
    Some(Relation {
        schema,
        name,
        kind,
        oid,
        row_type: row_type.unwrap_or(0),
        rows_of: last.filter(|_| row_type.is_none()),
        columns: columns
            .split('\t')
            .filter_map(|spelled| spelled.split_once(':'))
            .map(|(name, ty)| Column {
                name,
                ty: ty.trim_end_matches(['!', '?']),
                not_null: ty.ends_with('!'),
                argument: ty.ends_with('?'),
            })
            .collect(),
    })
}

/// The relation of this name, in lower case.
pub(super) fn find(schema: &str, name: &str) -> Option<&'static Relation> {
    static BY_NAME: LazyLock<HashMap<(&str, &str), &Relation>> = LazyLock::new(|| {
        relations()
            .iter()
            .map(|relation| ((relation.schema, relation.name), relation))
            .collect()
    });
    BY_NAME.get(&(schema, name)).copied()
}

/// The rows that never change; decoded once, when they are first asked for.
pub(super) fn fixed_rows(relation: &'static Relation) -> Arc<Rows> {
    static DECODED: LazyLock<Mutex<HashMap<&str, Arc<Rows>>>> = LazyLock::new(Mutex::default);
    static SECTIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        ROWS.split("@rows ")
            .filter_map(|section| section.split_once('\n'))
            .collect()
    });
    if relation.schema != "pg_catalog" {
        return Arc::new(Rows::new(relation.columns.len(), vec![]));
    }
    let mut decoded = DECODED.lock().unwrap_or_else(PoisonError::into_inner);
    let rows = decoded.entry(relation.name).or_insert_with(|| {
        let section = SECTIONS.get(relation.name).copied().unwrap_or_default();
        Arc::new(Rows::new(relation.columns.len(), decode(relation, section)))
    });
    Arc::clone(rows)
}

fn decode(relation: &'static Relation, section: &'static str) -> Vec<Cell> {
    let mut lines = section.lines();
    let Some(common) = lines.next() else { return vec![] };
    let common: Vec<&str> = common.split('\t').collect();
    let mut cells = vec![];
    for line in lines {
        let mut fields = line.split('\t');
        for (position, column) in relation.columns.iter().enumerate() {
            let usual = common.get(position).copied().unwrap_or("\\N");
            let field = fields.next().filter(|field| !field.is_empty()).unwrap_or(usual);
            cells.push(column.read(field));
        }
    }
    cells
}
