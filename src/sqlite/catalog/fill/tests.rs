//! Every relation can be filled.

use std::sync::Arc;

use super::rows;
use crate::sqlite::catalog::{
    definitions::{fixed_rows, relations},
    model::Model,
    source::{CatalogContents, Column, ForeignKey, Index, Table, Trigger},
};

fn model() -> Arc<Model> {
    let column = |name: &str, ty: i64| Column {
        name: name.to_owned(),
        ty,
        modifier: -1,
        comment: Some("what it is".to_owned()),
        ..Column::default()
    };
    let id = Column {
        is_rowid: true,
        key_position: 1,
        not_null: true,
        ..column("id", 20)
    };
    let table = |name: &str, sql: &str, columns: Vec<Column>| Table {
        schema: "main".to_owned(),
        name: name.to_owned(),
        sql: sql.to_owned(),
        columns,
        ..Table::default()
    };
    let parent = table(
        "parent",
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, a INT CHECK (a > 0))",
        vec![id, column("a", 23)],
    );
    let mut child = table(
        "child",
        "CREATE TABLE child (p INT REFERENCES parent)",
        vec![column("p", 23)],
    );
    child.foreign_keys.push(ForeignKey {
        target: "Parent".to_owned(),
        from: vec!["p".to_owned()],
        on_delete: "CASCADE".to_owned(),
        ..ForeignKey::default()
    });
    child.indexes.push(Index {
        name: "by_p".to_owned(),
        origin: "c".to_owned(),
        partial: true,
        sql: Some("CREATE INDEX by_p ON child (p DESC, lower(p)) WHERE p > 1".to_owned()),
        columns: vec![(Some("p".to_owned()), true), (None, false)],
        ..Index::default()
    });
    let mut view = table("v", "CREATE VIEW v AS SELECT 1 AS x", vec![column("x", 20)]);
    view.is_view = true;
    Arc::new(Model::new(CatalogContents {
        database: "shop".to_owned(),
        tables: vec![parent, child, view],
        triggers: vec![Trigger {
            schema: "main".to_owned(),
            name: "t".to_owned(),
            table: "child".to_owned(),
            sql: "CREATE TRIGGER t AFTER UPDATE OF p ON child BEGIN SELECT 1; END".to_owned(),
        }],
        ..CatalogContents::default()
    }))
}

#[test]
fn every_relation_can_be_filled() {
    let model = model();
    let mut filled = 0;
    for relation in relations() {
        fixed_rows(relation);
        filled += usize::from(rows(&model, relation).is_some());
    }
    assert!(filled > 40, "{filled}");
}

#[test]
fn numbers_depend_on_names_alone() {
    let (one, other) = (model(), model());
    let numbers = |model: &Model| {
        model
            .relations
            .iter()
            .map(|relation| relation.oid)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(&one), numbers(&other));
    assert!(one.relations.iter().all(|relation| relation.oid >= 16_384));
}
