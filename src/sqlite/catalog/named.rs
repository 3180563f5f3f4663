//! The constraints of a file by the names that PostgreSQL would give them: what errors tell of them.

use super::model::Model;

/// A constraint, or an index that lets no value stand twice.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// As SQLite calls it.
    pub(crate) schema: String,
    pub(crate) table: String,
    pub(crate) name: String,
    /// As in `pg_constraint.contype`; `i` for an index of its own.
    pub(crate) kind: char,
    pub(crate) columns: Vec<String>,
    /// The table and the columns that a foreign key refers to.
    pub(crate) target: Option<(String, Vec<String>)>,
    /// What happens to rows that refer to one whose key is changed, and to one that is deleted: as in
    /// `pg_constraint.confupdtype` and `confdeltype`.
    pub(crate) actions: (char, char),
    /// The condition of a check.
    pub(crate) expression: String,
    /// Whether it may wait for the end of a transaction, and does by itself.
    pub(crate) deferrable: bool,
    pub(crate) deferred: bool,
}

impl Model {
    /// All of them.
    pub(crate) fn named_constraints(&self) -> Vec<Named> {
        let columns = |table: usize, positions: &[i64]| -> Vec<String> {
            let columns = &self.tables[table].columns;
            positions
                .iter()
                .filter_map(|position| columns.get(usize::try_from(position - 1).ok()?))
                .map(|column| column.name.clone())
                .collect()
        };
        let constraints = self.constraints.iter().map(|constraint| Named {
            schema: self.tables[constraint.table].schema.clone(),
            table: self.tables[constraint.table].name.clone(),
            name: constraint.name.clone(),
            kind: constraint.kind,
            columns: columns(constraint.table, &constraint.columns),
            target: constraint.target.map(|target| {
                let columns = columns(target, &constraint.target_columns);
                (self.tables[target].name.clone(), columns)
            }),
            actions: (constraint.on_update, constraint.on_delete),
            expression: constraint.written.expression.clone(),
            deferrable: constraint.written.deferrable,
            deferred: constraint.written.deferred,
        });
        let told = self.indexes.iter().enumerate().flat_map(|(table, indexes)| {
            let made = indexes.iter().filter(|keyed| keyed.constraint.is_none());
            made.map(move |keyed| (table, &keyed.index))
        });
        let untold = self.untold.iter().map(|(table, index)| (*table, index));
        let unique = told.chain(untold).filter(|(_, index)| index.unique);
        let indexes = unique.map(|(table, index)| Named {
            schema: self.tables[table].schema.clone(),
            table: self.tables[table].name.clone(),
            name: index.name.clone(),
            kind: 'i',
            // As errors of SQLite tell them, for which a column is one whatever it is cast to.
            columns: index
                .columns
                .iter()
                .filter_map(|(name, _)| name.clone())
                .collect(),
            target: None,
            actions: (' ', ' '),
            expression: String::new(),
            deferrable: false,
            deferred: false,
        });
        constraints.chain(indexes).collect()
    }
}
