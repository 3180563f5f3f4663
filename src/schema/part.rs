//! Some tables of a database as a database of their own, for work that grows with the number of tables.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use super::{ColumnRef, ForeignKey, JoinGraph, Schema, Snapshot, ValueIndex};

impl Snapshot {
    /// The same database with these tables alone, in this order. Positions in what comes of it count in the part; SQL
    /// for the part is SQL for the whole. Stored values are looked up in the whole's index.
    #[must_use]
    pub fn part(&self, tables: &[usize]) -> Self {
        let whole = &self.schema;
        let there = |at: &ColumnRef| {
            let table = tables.iter().position(|table| *table == at.table)?;
            Some(ColumnRef { table, ..*at })
        };
        let foreign_keys = whole.foreign_keys.iter().filter_map(|key| {
            Some(ForeignKey {
                from: key.from.iter().map(there).collect::<Option<_>>()?,
                to: key.to.iter().map(there).collect::<Option<_>>()?,
                declared: key.declared,
            })
        });
        let schema = Schema {
            tables: tables.iter().map(|table| whole.tables[*table].clone()).collect(),
            foreign_keys: foreign_keys.collect(),
            shadowed: whole.shadowed.clone(),
        };
        let mut hasher = DefaultHasher::new();
        (self.fingerprint, tables).hash(&mut hasher);
        Self {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            values: Arc::new(ValueIndex::part(&self.values, tables)),
            fingerprint: hasher.finish(),
            dialect: self.dialect,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Column, Table, words::text_words};

    #[test]
    fn a_part_has_keys_and_values_of_its_tables() {
        let table = |name: &str| Table {
            name: name.into(),
            columns: vec![Column::default(), Column::default()],
            ..Table::default()
        };
        let at = |table, column| ColumnRef { table, column };
        let key = |from, to| ForeignKey {
            from: vec![from],
            to: vec![to],
            declared: true,
        };
        let schema = Schema {
            tables: ["cities", "orders", "customers"].map(table).into(),
            foreign_keys: vec![key(at(2, 1), at(0, 0)), key(at(1, 1), at(2, 0))],
            ..Schema::default()
        };
        let values = ValueIndex::default();
        values.begin(2);
        assert!(values.insert(at(2, 0), "Oslo") && values.insert(at(1, 0), "Oslo"));
        let whole = Snapshot {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            values: Arc::new(values),
            ..Snapshot::default()
        };

        let part = whole.part(&[2, 0]);
        assert_eq!(part.schema.tables[0].name, "customers");
        assert_eq!(part.schema.foreign_keys, [key(at(0, 1), at(1, 0))]);
        assert_eq!(part.joins.distance(0, 1), Some(1));
        let found = part.values.find(&text_words("oslo"));
        assert_eq!(found.iter().map(|hit| hit.column).collect::<Vec<_>>(), [at(0, 0)]);
        assert_eq!(part.values.distinct_of(at(0, 0)), 1);
        assert_eq!(part.values.first_of(at(1, 0), 9).len(), 0);
        assert_eq!(part.values.progress(), whole.values.progress());
        // What is added to the whole later is there too.
        assert!(whole.values.insert(at(0, 1), "Bergen"));
        assert_eq!(
            part.values.nearest(&text_words("bergne"), 0.8)[0].column,
            at(1, 1)
        );
    }
}
