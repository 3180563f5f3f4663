//! The numbers of what users create: the same in every session and after every start.

use std::collections::HashSet;

use super::model::{DATABASE, schema_number};

/// The first number that PostgreSQL gives to what users create.
const FIRST_OWN: u64 = 16_384;

/// Gives out numbers that follow from names, so that they are the same in every session and after every start.
#[derive(Debug)]
pub(super) struct Numbers(HashSet<i64>);

impl Default for Numbers {
    /// All are free but the database's own.
    fn default() -> Self {
        Self(HashSet::from([DATABASE]))
    }
}

impl Numbers {
    pub(super) fn give(&mut self, kind: &str, schema: i64, name: &str) -> i64 {
        // FNV-1a: the same in every release, which the standard library does not promise of its own.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let text = format!("{kind}\0{schema}\0{name}");
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let span = (1 << 31) - FIRST_OWN;
        let mut number = hash % span;
        while !self.0.insert((number + FIRST_OWN) as i64) {
            number = (number + 1) % span;
        }
        (number + FIRST_OWN) as i64
    }

    /// Those of a table or a view, and of the type of its rows.
    pub(super) fn of_table(&mut self, schema: i64, name: &str) -> (i64, i64) {
        (
            self.give("relation", schema, name),
            self.give("type", schema, name),
        )
    }
}

/// The numbers in `pg_class` of tables and views, all of them in their order, each with its schema as SQLite names it.
pub(crate) fn table_numbers<'t>(tables: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<i64> {
    let mut numbers = Numbers::default();
    tables
        .map(|(schema, name)| numbers.of_table(schema_number(schema), name).0)
        .collect()
}
