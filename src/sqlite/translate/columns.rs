//! The columns of a query, as others see them.

use std::collections::{HashMap, HashSet};

use super::{
    Result, Translator, refuse,
    scope::{ScopeColumn, Typed},
};

/// The most columns that PostgreSQL gives a result.
const MOST: usize = 1664;

/// Refuses lists of more columns than PostgreSQL takes. What `*` stands for is not counted: a file may have wider tables.
pub(super) fn check_count(columns: usize) -> Result<()> {
    if columns > MOST {
        let message = format!("target lists can have at most {MOST} entries");
        return refuse("54011", message, None);
    }
    Ok(())
}

impl Translator<'_> {
    /// A name for a column beside these, whose names may come from the file.
    pub(super) fn fresh_column(&mut self, columns: &[ScopeColumn]) -> String {
        loop {
            let name = self.fresh();
            if !columns.iter().any(|column| column.inner == name) {
                return name;
            }
        }
    }
}

/// The columns of a query, each with a name of its own inside.
pub(super) fn named(items: &[Typed]) -> Vec<ScopeColumn> {
    let mut columns: Vec<ScopeColumn> = Vec::with_capacity(items.len());
    let mut taken = HashSet::new();
    // Of each name the number that is to be tried next.
    let mut next: HashMap<String, usize> = HashMap::new();
    for item in items {
        let name = item.name.clone().unwrap_or_else(|| "?column?".into());
        let mut inner = name.clone();
        while !taken.insert(inner.to_ascii_lowercase()) {
            let number = next.entry(name.to_ascii_lowercase()).or_insert(1);
            inner = format!("{name}:{number}");
            *number += 1;
        }
        columns.push(ScopeColumn {
            name,
            inner,
            computed: None,
            ty: item.ty,
            exact: item.exact,
            scale: item.scale,
            modifier: item.modifier,
            row: item.row.clone(),
            origin: item.origin(),
            not_null: item.not_null,
            key: 0,
            shown: true,
            hidden: false,
            is_volatile: item.contents.volatile,
            by_values: item.by_values,
            is_respelled: false,
            is_foreign: false,
            is_strict: false,
        });
    }
    columns
}

/// The columns under the names of an alias.
pub(super) fn rename(mut columns: Vec<ScopeColumn>, names: &[String]) -> Vec<ScopeColumn> {
    for (column, name) in columns.iter_mut().zip(names) {
        column.name.clone_from(name);
    }
    columns
}
