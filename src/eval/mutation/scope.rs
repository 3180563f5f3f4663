//! The tables that a SELECT reads, by the names that its columns are qualified with.

use sqlparser::{
    ast::{Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SelectItem, TableFactor},
    keywords::{ALL_KEYWORDS, ALL_KEYWORDS_INDEX, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS},
};

use super::subject::first_select;
use crate::question::schema::{Column, ColumnRef, Schema};

/// Columns that one may be taken for.
const MAX_SIBLINGS: usize = 3;

/// What stands in FROM.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Tells one SELECT from another: its text.
    pub(super) id: String,
    pub(super) sources: Vec<FromItem>,
}

/// One table, or something else that has columns, in FROM.
#[derive(Debug, Clone)]
pub(super) struct FromItem {
    /// What its columns are qualified with.
    pub(super) name: String,
    /// Its position in the schema; `None` for subqueries.
    pub(super) table: Option<usize>,
    /// True if `name` is not the table's own.
    pub(super) aliased: bool,
}

impl FromItem {
    fn of(factor: &TableFactor, schema: &Schema) -> Self {
        match factor {
            TableFactor::Table { name, alias, .. } => {
                let table = last_name(name);
                Self {
                    table: schema.table_named(&table),
                    aliased: alias.is_some(),
                    name: alias.as_ref().map_or(table, |alias| alias.name.value.clone()),
                }
            }
            TableFactor::Derived {
                alias: Some(alias), ..
            } => Self {
                name: alias.name.value.clone(),
                table: None,
                aliased: true,
            },
            _ => Self {
                name: String::new(),
                table: None,
                aliased: false,
            },
        }
    }
}

impl Scope {
    pub(super) fn of(select: &Select, schema: &Schema) -> Self {
        let factors = select.from.iter().flat_map(|from| {
            std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
        });
        Self {
            id: select.to_string(),
            sources: factors.map(|factor| FromItem::of(factor, schema)).collect(),
        }
    }

    /// The scope of a query's ORDER BY.
    pub(super) fn of_query(query: &Query, schema: &Schema) -> Self {
        first_select(&query.body).map_or_else(Self::default, |select| Self::of(select, schema))
    }

    /// The source with this qualifier.
    pub(super) fn source(&self, name: &str) -> Option<usize> {
        self.sources
            .iter()
            .position(|source| source.name.eq_ignore_ascii_case(name))
    }

    /// The stored column that an expression names, and the position of its source.
    pub(super) fn column(&self, expr: &Expr, schema: &Schema) -> Option<(usize, ColumnRef)> {
        let among = |name: &Ident, sources: &mut dyn Iterator<Item = usize>| {
            let mut found = sources.filter_map(|source| {
                let table = self.sources[source].table?;
                let column = schema.tables[table].column_named(&name.value)?;
                Some((source, ColumnRef { table, column }))
            });
            let first = found.next()?;
            found.next().is_none().then_some(first)
        };
        match expr {
            Expr::Identifier(name) => among(name, &mut (0..self.sources.len())),
            Expr::CompoundIdentifier(names) => {
                let [qualifier, name] = names.as_slice() else {
                    return None;
                };
                among(name, &mut self.source(&qualifier.value).into_iter())
            }
            _ => None,
        }
    }

    /// Other columns of the table that a column belongs to, written as that one is: the few whose names are the most
    /// like its own, since these are the ones that are taken for it.
    pub(super) fn siblings(&self, expr: &Expr, schema: &Schema, fits: impl Fn(&Column) -> bool) -> Vec<Expr> {
        let Some((source, at)) = self.column(expr, schema) else {
            return Vec::new();
        };
        let table = &schema.tables[at.table];
        let own = &table.columns[at.column].name;
        let mut others: Vec<&Column> = table
            .columns
            .iter()
            .filter(|other| !other.name.eq_ignore_ascii_case(own) && fits(other))
            .collect();
        let likeness = |other: &Column| strsim::jaro_winkler(&own.to_lowercase(), &other.name.to_lowercase());
        others.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
        others.truncate(MAX_SIBLINGS);
        others
            .into_iter()
            .map(|other| match expr {
                Expr::CompoundIdentifier(_) => self.written(source, &other.name),
                _ => self.plain(source, &other.name, schema),
            })
            .collect()
    }

    /// A column without qualifier, unless another source has one of that name too.
    fn plain(&self, source: usize, name: &str, schema: &Schema) -> Expr {
        let bare = Expr::Identifier(ident(name));
        match self.column(&bare, schema) {
            Some((found, _)) if found == source => bare,
            _ => self.written(source, name),
        }
    }

    /// A column with its qualifier.
    pub(super) fn written(&self, source: usize, name: &str) -> Expr {
        Expr::CompoundIdentifier(vec![ident(&self.sources[source].name), ident(name)])
    }

    /// A column as somebody would write it: qualified where there are several sources.
    pub(super) fn natural(&self, source: usize, name: &str) -> Expr {
        if self.sources.len() > 1 {
            self.written(source, name)
        } else {
            Expr::Identifier(ident(name))
        }
    }

    /// The sources that are tables, with their positions here and in the schema.
    pub(super) fn tables(&self) -> impl Iterator<Item = (usize, usize)> {
        let tables = self.sources.iter().enumerate();
        tables.filter_map(|(at, source)| Some((at, source.table?)))
    }
}

/// The same column by another name, its qualifier kept.
pub(super) fn renamed(expr: &Expr, name: &str) -> Option<Expr> {
    match expr {
        Expr::Identifier(_) => Some(Expr::Identifier(ident(name))),
        Expr::CompoundIdentifier(names) => {
            let (_, before) = names.split_last()?;
            Some(Expr::CompoundIdentifier([before, &[ident(name)]].concat()))
        }
        _ => None,
    }
}

/// A name as SQL writes it, in quotes where it needs them.
pub(super) fn ident(name: &str) -> Ident {
    let mut characters = name.chars();
    let plain = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
    let keyword = ALL_KEYWORDS
        .binary_search(&name.to_ascii_uppercase().as_str())
        .map(|at| ALL_KEYWORDS_INDEX[at]);
    let reserved = keyword.is_ok_and(|keyword| {
        RESERVED_FOR_COLUMN_ALIAS.contains(&keyword) || RESERVED_FOR_TABLE_ALIAS.contains(&keyword)
    });
    if plain && !reserved {
        Ident::new(name)
    } else {
        Ident::with_quote('"', name)
    }
}

/// The last part of a name.
pub(super) fn last_name(name: &ObjectName) -> String {
    match name.0.last() {
        Some(ObjectNamePart::Identifier(name)) => name.value.clone(),
        _ => String::new(),
    }
}

/// The expression of a select item.
pub(super) fn selected(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}
