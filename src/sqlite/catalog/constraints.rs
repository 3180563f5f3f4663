//! Keys, checks and foreign keys of a table, named as PostgreSQL names what nobody named.

use std::collections::HashSet;

use super::{
    ddl::Written,
    indexed,
    model::{Constraint, Keyed, Model, PUBLIC, schema},
    numbers::Numbers,
    source::{Index, Sequence, Table},
};
use crate::{
    sqlite::translate::usual_name,
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// The names of relations that are taken, by schema.
pub(super) struct NamesTaken(HashSet<(i64, String)>);

impl NamesTaken {
    /// What the file itself names.
    pub(super) fn of(tables: &[Table], sequences: &[Sequence]) -> Self {
        let mut taken = HashSet::new();
        taken.extend(sequences.iter().map(|own| (PUBLIC, own.name.clone())));
        for table in tables {
            taken.insert((schema(table), table.name.clone()));
            let written = table.indexes.iter().filter(|index| index.sql.is_some());
            taken.extend(written.map(|index| (schema(table), index.name.clone())));
        }
        Self(taken)
    }

    /// The name, or the first free one that is made from it.
    pub(super) fn take(&mut self, schema: i64, wanted: &str) -> String {
        let name = free(wanted, |name| self.0.contains(&(schema, name.to_owned())));
        self.0.insert((schema, name.clone()));
        name
    }
}

/// The name, with the first number behind it that makes it free.
fn free(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    let mut number = 0;
    while is_taken(&name) {
        number += 1;
        name = format!("{wanted}{number}");
    }
    name
}

/// The indexes of a table, and one for a primary key that is the rowid itself.
pub(super) fn keyed(
    table: &Table,
    written: &[Written],
    names: &mut NamesTaken,
    numbers: &mut Numbers,
) -> Vec<Keyed> {
    let scope = schema(table);
    let mut indexes = table.indexes.clone();
    if let Some(key) = table.columns.iter().find(|column| column.is_rowid) {
        indexes.push(Index {
            unique: true,
            origin: "pk".to_owned(),
            columns: vec![(Some(key.name.clone()), false)],
            ..Index::default()
        });
    }
    let mut indexes: Vec<(Index, Option<&str>)> = indexes
        .into_iter()
        .map(|index| {
            let name = match index.origin.as_str() {
                "pk" => name_of(written, 'p', &columns_of(&index)),
                "u" => name_of(written, 'u', &columns_of(&index)),
                _ => None,
            };
            (index, name)
        })
        .collect();
    // SQLite has one index for all keys of the same columns.
    for key in written.iter().filter(|written| written.kind == 'u') {
        let (Some(name), columns) = (key.name.as_deref(), &key.columns) else {
            continue;
        };
        let is_there = indexes.iter().any(|(_, known)| *known == Some(name));
        if !is_there && columns.iter().all(|column| table.position(column) != 0) {
            let index = Index {
                unique: true,
                origin: "u".to_owned(),
                columns: columns
                    .iter()
                    .map(|column| (Some(column.clone()), false))
                    .collect(),
                ..Index::default()
            };
            indexes.push((index, Some(name)));
        }
    }
    indexes
        .into_iter()
        .map(|(index, written)| {
            let constraint = match index.origin.as_str() {
                "pk" => Some('p'),
                "u" => Some('u'),
                _ => None,
            };
            let columns = columns_of(&index);
            let name = match constraint {
                Some(kind) => {
                    let usual = usual_name(&table.name, &columns, kind);
                    names.take(scope, written.unwrap_or(&usual))
                }
                None => index.name.clone(),
            };
            Keyed {
                oid: numbers.give("relation", scope, &name),
                name,
                constraint,
                columns: indexed::positions(table, &index),
                index,
            }
        })
        .collect()
}

/// The columns of an index, without the expressions.
fn columns_of(index: &Index) -> Vec<String> {
    index
        .columns
        .iter()
        .filter_map(|(name, _)| name.clone())
        .collect()
}

fn name_of<'w>(written: &'w [Written], kind: char, columns: &[String]) -> Option<&'w str> {
    find(written, kind, columns)?.name.as_deref()
}

fn find<'w>(written: &'w [Written], kind: char, columns: &[String]) -> Option<&'w Written> {
    written.iter().find(|written| {
        written.kind == kind
            && written.columns.len() == columns.len()
            && written
                .columns
                .iter()
                .zip(columns)
                .all(|(one, other)| one.eq_ignore_ascii_case(other))
    })
}

/// The constraints of a table.
pub(super) fn of(
    model: &Model,
    position: usize,
    written: &[Written],
    numbers: &mut Numbers,
) -> Vec<Constraint> {
    let table = &model.tables[position];
    let scope = schema(table);
    let mut taken: HashSet<String> = HashSet::new();
    let mut found = vec![];
    let blank = |name: String, kind: char, numbers: &mut Numbers| Constraint {
        oid: numbers.give("constraint", scope, &format!("{}\0{name}", table.name)),
        name,
        kind,
        table: position,
        columns: vec![],
        index: 0,
        target: None,
        target_columns: vec![],
        on_update: ' ',
        on_delete: ' ',
        written: Written::default(),
    };
    for keyed in &model.indexes[position] {
        if let Some(kind) = keyed.constraint {
            taken.insert(keyed.name.clone());
            found.push(Constraint {
                columns: keyed.columns.clone(),
                index: keyed.oid,
                ..blank(keyed.name.clone(), kind, numbers)
            });
        }
    }
    let mut take = |wanted: String| {
        let name = free(&wanted, |name| taken.contains(name));
        taken.insert(name.clone());
        name
    };
    for check in written.iter().filter(|written| written.kind == 'c') {
        let columns = mentioned(table, &check.expression);
        let usual = || usual_name(&table.name, &columns, 'c');
        let name = take(check.name.clone().unwrap_or_else(usual));
        found.push(Constraint {
            columns: columns.iter().map(|column| table.position(column)).collect(),
            written: check.clone(),
            ..blank(name, 'c', numbers)
        });
    }
    for key in &table.foreign_keys {
        // A key may refer to a table that is not there; it is in force for nothing then.
        let Some(target) = model.table(&table.schema, &key.target) else {
            continue;
        };
        let text = find(written, 'f', &key.from).cloned().unwrap_or_default();
        let name = take(
            text.name
                .clone()
                .unwrap_or_else(|| usual_name(&table.name, &key.from, 'f')),
        );
        let target_columns = if key.to.is_empty() {
            primary_key(&model.tables[target])
        } else {
            key.to
                .iter()
                .map(|column| model.tables[target].position(column))
                .collect()
        };
        let behind = model.indexes[target]
            .iter()
            .find(|keyed| keyed.index.unique && keyed.columns == target_columns);
        found.push(Constraint {
            columns: key.from.iter().map(|column| table.position(column)).collect(),
            index: behind.map_or(0, |keyed| keyed.oid),
            target: Some(target),
            target_columns,
            on_update: action(&key.on_update),
            on_delete: action(&key.on_delete),
            written: text,
            ..blank(name, 'f', numbers)
        });
    }
    found
}

/// The columns of a table that a condition names, in the order of the table.
fn mentioned<'t>(table: &'t Table, condition: &str) -> Vec<&'t str> {
    let names: HashSet<String> = pieces(condition)
        .filter_map(|(_, piece)| match piece {
            Piece::Token(token) if !token.starts_with('\'') => Some(unquote(token).to_lowercase()),
            _ => None,
        })
        .collect();
    let columns = table.columns.iter().map(|column| column.name.as_str());
    columns
        .filter(|name| names.contains(&name.to_lowercase()))
        .collect()
}

/// The positions of the columns of the primary key.
fn primary_key(table: &Table) -> Vec<i64> {
    let mut key: Vec<(i64, i64)> = table
        .columns
        .iter()
        .zip(1..)
        .filter(|(column, _)| column.key_position > 0)
        .map(|(column, position)| (column.key_position, position))
        .collect();
    key.sort_unstable();
    key.into_iter().map(|(_, position)| position).collect()
}

/// As in `pg_constraint.confupdtype`.
fn action(words: &str) -> char {
    match words.to_ascii_uppercase().as_str() {
        "CASCADE" => 'c',
        "SET NULL" => 'n',
        "SET DEFAULT" => 'd',
        "RESTRICT" => 'r',
        _ => 'a',
    }
}
