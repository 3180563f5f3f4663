//! The columns of a query, as others see them.

use super::scope::{ScopeColumn, Typed};

/// The columns of a query, each with a name of its own inside.
pub(super) fn named(items: &[Typed]) -> Vec<ScopeColumn> {
    let mut columns: Vec<ScopeColumn> = vec![];
    for item in items {
        let name = item.name.clone().unwrap_or_else(|| "?column?".into());
        let mut inner = name.clone();
        let mut number = 1;
        while columns
            .iter()
            .any(|column| column.inner.eq_ignore_ascii_case(&inner))
        {
            inner = format!("{name}:{number}");
            number += 1;
        }
        columns.push(ScopeColumn {
            name,
            inner,
            computed: None,
            ty: item.ty,
            exact: item.exact,
            scale: item.scale,
            modifier: item.modifier,
            origin: item.origin(),
            not_null: item.not_null,
            key: 0,
            shown: true,
            hidden: false,
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
