//! What the catalogue tells of expressions that other programs wrote: those that PostgreSQL has words for, and no others, so that
//! what a dump says can be read.

use super::{
    describe::Types,
    indexed,
    model::{Constraint, Model, PUBLIC, Relation, schema_name},
    source::Index,
    words,
};
use crate::sqlite::translate::{DeclaredColumn, Purpose, with_words};

/// Types of which a literal is told only where it is one.
const CHECKED: [&str; 13] = [
    "bool",
    "date",
    "float4",
    "float8",
    "int2",
    "int4",
    "int8",
    "interval",
    "numeric",
    "time",
    "timestamp",
    "timestamptz",
    "uuid",
];

/// The statement that made an index, with PostgreSQL's words beside its expressions.
fn in_words(sql: &str, index: &Index, columns: &[DeclaredColumn]) -> Option<String> {
    let (items, condition) = indexed::index_parts(sql);
    let mut told = sql.to_owned();
    for (item, (column, _)) in items.iter().zip(&index.columns) {
        if column.is_none() {
            let item = indexed::undirected(item);
            told = told.replacen(item, &with_words(item, columns, Purpose::Key)?, 1);
        }
    }
    if let Some(condition) = condition {
        let at = told.rfind(&condition)?;
        told.replace_range(at.., &with_words(&condition, columns, Purpose::Condition)?);
    }
    Some(told)
}

impl Model {
    /// The columns of a table with the types that are told of them.
    fn typed(&self, table: usize) -> Vec<DeclaredColumn> {
        let columns = self.tables[table].columns.iter().enumerate();
        columns
            .map(|(at, column)| (column.name.clone(), self.type_told(table, at)))
            .collect()
    }

    /// The words for a column's type: those of its declaration, unless it is told as another.
    fn type_told(&self, table: usize, column: usize) -> String {
        let declared = &self.tables[table].columns[column];
        let (ty, modifier) = self.column_type(table, column);
        if (ty, modifier) == (declared.ty, declared.modifier) && !declared.declared.is_empty() {
            return declared.declared.clone();
        }
        Self::type_name(ty)
    }

    fn type_name(ty: i64) -> String {
        Types::new().text(ty, "typname").to_owned()
    }

    /// Gives the indexes that others made on expressions PostgreSQL's words for those, and sets those aside of which it has none.
    pub(super) fn words_of_indexes(&mut self, table: usize) {
        let columns = self.tables[table].columns.iter();
        let columns: Vec<DeclaredColumn> = columns
            .map(|column| (column.name.clone(), column.declared.clone()))
            .collect();
        for mut index in std::mem::take(&mut self.tables[table].indexes) {
            let sql = index.sql.as_deref().map(|sql| in_words(sql, &index, &columns));
            match sql {
                Some(None) => self.untold.push((table, index)),
                sql => {
                    index.sql = sql.flatten();
                    self.tables[table].indexes.push(index);
                }
            }
        }
    }

    /// The condition of a check; none where PostgreSQL has no words for it.
    pub(super) fn condition_of(&self, own: &Constraint) -> Option<String> {
        let kept = with_words(
            &own.written.expression,
            &self.typed(own.table),
            Purpose::Condition,
        )?;
        Some(words::condition(&kept))
    }

    /// The constraints that clients are told of.
    pub(super) fn shown_constraints(&self) -> impl Iterator<Item = &Constraint> {
        let is_told = |own: &&Constraint| own.kind != 'c' || self.condition_of(own).is_some();
        self.constraints.iter().filter(is_told)
    }

    /// The default of a column, or what it is computed from; none where it has none, or PostgreSQL has no words for it.
    pub(super) fn default_of(&self, table: usize, column: usize) -> Option<String> {
        let own = &self.tables[table].columns[column];
        if own.is_generated {
            return self.computed_of(table, column);
        }
        let kept = own.default.as_deref()?.trim();
        if own.is_serial {
            return Some(kept.to_owned());
        }
        let ty = self.type_told(table, column);
        let kept = match words::literal_of_others(kept) {
            Some(literal) => literal,
            None => kept.to_owned(),
        };
        let is_known = with_words(&kept, &[], Purpose::Value(&ty));
        let (told, _) = self.column_type(table, column);
        if words::is_literal(&kept) {
            let name = Self::type_name(told);
            let is_truth = name == "bool" && kept.parse::<f64>().is_ok();
            let is_taken = is_truth || is_known.is_some() || !CHECKED.contains(&name.as_str());
            return is_taken.then(|| words::default(&kept, told)).flatten();
        }
        let told = words::default(&is_known?, told)?;
        Some(
            self.drawn_of(&told)
                .map_or(told.clone(), |own| self.sequence_words(own)),
        )
    }

    /// The sequence that a default draws from.
    pub(super) fn drawn_of(&self, told: &str) -> Option<&Relation> {
        let (name, rest) = told.strip_prefix("nextval('")?.split_once('\'')?;
        let mut sequences = self.sequences().filter(|_| rest == "::regclass)");
        sequences.find(|own| {
            let qualified = self.sequence_words(own);
            told == words::sequence(&own.name) || told == qualified || name == own.name
        })
    }

    fn sequence_words(&self, own: &Relation) -> String {
        let attached = (own.schema != PUBLIC).then(|| schema_name(&self.tables[own.table]));
        words::sequence_in(attached.filter(|schema| *schema != "pg_temp"), &own.name)
    }

    /// What a column is computed from.
    pub(super) fn computed_of(&self, table: usize, column: usize) -> Option<String> {
        let own = &self.tables[table].columns[column];
        let kept = self.generated.get(&(table, own.name.to_lowercase()))?;
        let ty = self.type_told(table, column);
        let kept = with_words(kept, &self.typed(table), Purpose::Value(&ty))?;
        Some(words::expression(&kept))
    }

    /// True for a column that clients are told to be computed.
    pub(super) fn is_computed(&self, table: usize, column: usize) -> bool {
        self.tables[table].columns[column].is_generated && self.computed_of(table, column).is_some()
    }
}
