//! Prompts: what models are told of a database and a question, and that nothing of a database passes for more than data.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use querent::{
    question::schema::{
        Column, ColumnKind, ColumnRef, Dialect, ForeignKey, JoinGraph, Schema, Snapshot, Table, ValueIndex,
    },
    sample,
    sqlite::engine::{Database, Options},
};

mod agents;
mod evidence;
mod held;
mod hostile;
mod large;
mod schema;
mod templates;

/// The sample shop with its stored values.
fn shop(dialect: Dialect) -> Snapshot {
    static SHOP: OnceLock<Snapshot> = OnceLock::new();
    let shop = SHOP.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.sqlite");
        sample::create(&file, crate::program::sample_day()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let database = Database::open(&file, Options::default()).unwrap();
            database.index_values();
            assert!(database.values_ready(Duration::from_secs(60)).await);
            database.snapshot().await.unwrap()
        })
    });
    Snapshot {
        dialect,
        ..shop.clone()
    }
}

/// A table of columns written as `name type`; the first is its key.
fn table(name: &str, columns: &[&str]) -> Table {
    let column = |text: &&str| {
        let (name, declared_type) = text.rsplit_once(' ').unwrap();
        let kind = match declared_type {
            "integer" => ColumnKind::Integer,
            "date" => ColumnKind::Date,
            "numeric" => ColumnKind::Number,
            _ => ColumnKind::Text,
        };
        Column {
            name: name.into(),
            declared_type: declared_type.into(),
            kind,
            ..Column::default()
        }
    };
    Table {
        name: name.into(),
        columns: columns.iter().map(column).collect(),
        primary_key: vec![0],
        ..Table::default()
    }
}

/// A key from a column of one table to the first of another.
fn key(from: (usize, usize), to: usize) -> ForeignKey {
    ForeignKey {
        from: vec![ColumnRef {
            table: from.0,
            column: from.1,
        }],
        to: vec![ColumnRef { table: to, column: 0 }],
        declared: true,
        enforced: false,
    }
}

/// A database of these tables, keys and stored values.
fn database(
    tables: Vec<Table>,
    foreign_keys: Vec<ForeignKey>,
    stored: &[((usize, usize), &str)],
    dialect: Dialect,
) -> Snapshot {
    let schema = Schema {
        tables,
        foreign_keys,
        ..Schema::default()
    };
    let values = ValueIndex::default();
    for ((table, column), value) in stored {
        let column = ColumnRef {
            table: *table,
            column: *column,
        };
        assert!(values.insert(column, value));
    }
    Snapshot {
        joins: Arc::new(JoinGraph::new(&schema)),
        schema: Arc::new(schema),
        values: Arc::new(values),
        profile: Arc::default(),
        fingerprint: 1,
        dialect,
    }
}
