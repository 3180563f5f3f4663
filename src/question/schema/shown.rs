//! What views show: their columns that are a table's as it is refer to what that refers to.

use std::collections::HashMap;

use super::{ColumnRef, ForeignKey, Schema};

/// Views between a view and a table at most.
const DEEPEST: usize = 16;

/// The columns of tables that columns of views show as they are.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    columns: HashMap<ColumnRef, ColumnRef>,
}

impl Shown {
    /// What the views of a schema show, through all views between.
    pub fn new(schema: &Schema) -> Self {
        let views = schema.columns().filter(|(_, column)| column.shows.is_some());
        let views: Vec<ColumnRef> = views.map(|(at, _)| at).collect();
        if views.is_empty() {
            return Self::default();
        }
        let mut tables = HashMap::new();
        for (at, table) in schema.tables.iter().enumerate() {
            tables.insert((table.schema.as_deref(), table.name.to_lowercase()), at);
        }
        let next = |at: ColumnRef| {
            let shows = schema.column(at).shows.as_deref()?;
            let table = *tables.get(&(shows.schema.as_deref(), shows.table.to_lowercase()))?;
            let column = schema.tables[table].column_named(shows.column.as_deref()?)?;
            Some(ColumnRef { table, column })
        };
        let behind = |at: ColumnRef| {
            let way = std::iter::successors(next(at), |at| next(*at));
            let last = way.take(DEEPEST).last()?;
            (!schema.tables[last.table].is_view).then_some((at, last))
        };
        Self {
            columns: views.into_iter().filter_map(behind).collect(),
        }
    }

    /// The column of a table that a view's column is.
    pub fn by(&self, at: ColumnRef) -> Option<ColumnRef> {
        self.columns.get(&at).copied()
    }

    /// The keys that lead out of views, where these lead out of tables.
    pub fn keys(&self, schema: &Schema, keys: &[ForeignKey]) -> Vec<ForeignKey> {
        let mut found: Vec<ForeignKey> = Vec::new();
        for view in self.views() {
            let of_view = self.of_view(view, schema);
            let mut wanted: Vec<(&[ColumnRef], Vec<ColumnRef>)> = Vec::new();
            let own: Vec<Vec<ColumnRef>> = of_view.tables().map(|table| primary_key(schema, table)).collect();
            wanted.extend(own.iter().map(|key| (key.as_slice(), key.clone())));
            for key in keys {
                wanted.push((&key.to, key.to.clone()));
                wanted.push((&key.from, key.to.clone()));
            }
            for (shown, to) in wanted {
                for from in of_view.showing(shown, keys) {
                    let key = ForeignKey {
                        from,
                        to: to.clone(),
                        declared: false,
                        enforced: false,
                    };
                    if !found.contains(&key) {
                        found.push(key);
                    }
                }
            }
        }
        found
    }

    /// The table of which each row of a view is one: it shows the table's key, and that of no table which refers to it.
    pub fn rows_of(&self, view: usize, schema: &Schema) -> Option<usize> {
        let of_view = self.of_view(view, schema);
        let has_key = |table: &usize| {
            let key = primary_key(schema, *table);
            !of_view.showing(&key, &schema.foreign_keys).is_empty()
        };
        let tables: Vec<usize> = of_view.tables().filter(has_key).collect();
        let is_referred_to = |table: usize| {
            let mut keys = schema.foreign_keys.iter();
            keys.any(|key| {
                key.to[0].table == table && key.from[0].table != table && tables.contains(&key.from[0].table)
            })
        };
        let mut finest = tables.iter().copied().filter(|table| !is_referred_to(*table));
        finest.next().filter(|_| finest.next().is_none())
    }

    fn views(&self) -> Vec<usize> {
        let mut views: Vec<usize> = self.columns.keys().map(|at| at.table).collect();
        views.sort_unstable();
        views.dedup();
        views
    }

    fn of_view(&self, view: usize, schema: &Schema) -> OfView {
        let columns = 0..schema.tables[view].columns.len();
        let at = columns.map(|column| ColumnRef { table: view, column });
        OfView(at.filter_map(|at| Some((self.by(at)?, at))).collect())
    }
}

/// The columns of one view, each with what it shows.
struct OfView(Vec<(ColumnRef, ColumnRef)>);

impl OfView {
    fn tables(&self) -> impl Iterator<Item = usize> {
        let mut tables: Vec<usize> = self.0.iter().map(|(shown, _)| shown.table).collect();
        tables.sort_unstable();
        tables.dedup();
        tables.into_iter()
    }

    fn by(&self, shown: ColumnRef) -> Vec<ColumnRef> {
        let by = self.0.iter().filter(|(other, _)| *other == shown);
        by.map(|(_, at)| *at).collect()
    }

    /// The columns that show all of these. Of several columns of a table that the view reads more than once nobody knows
    /// which belong together.
    fn showing(&self, wanted: &[ColumnRef], keys: &[ForeignKey]) -> Vec<Vec<ColumnRef>> {
        if let [only] = *wanted {
            return self.by(only).into_iter().map(|at| vec![at]).collect();
        }
        let shown = wanted.iter().map(|part| self.by(*part));
        let shown: Vec<Vec<ColumnRef>> = shown.collect();
        if shown.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        // A line's order is shown by the order that the line was joined to.
        let referred_to = |part: &ColumnRef| {
            let mut keys = keys.iter().filter(|key| key.from == [*part]);
            keys.next().map_or_else(Vec::new, |key| self.by(key.to[0]))
        };
        let parts = wanted.iter().zip(shown).map(|(part, shown)| {
            let shown = if shown.is_empty() {
                referred_to(part)
            } else {
                shown
            };
            let [only] = shown[..] else { return None };
            Some(only)
        });
        parts.collect::<Option<Vec<ColumnRef>>>().into_iter().collect()
    }
}

fn primary_key(schema: &Schema, table: usize) -> Vec<ColumnRef> {
    let columns = schema.tables[table].primary_key.iter();
    columns.map(|&column| ColumnRef { table, column }).collect()
}
