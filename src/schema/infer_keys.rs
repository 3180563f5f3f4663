//! Foreign keys that nobody declared, inferred from names and kinds.

use super::{ColumnRef, ForeignKey, Schema, words};

/// Adds to `schema.foreign_keys` the keys that names and kinds suggest, marked as not declared.
///
/// A column refers to another table's key where it has the key's name (`customer_id` in both), or the
/// table's name with or without the key's (`customer`, `customer_id` for `customers.id`).
pub fn infer_keys(schema: &mut Schema) {
    let keys: Vec<(ColumnRef, Vec<String>, Vec<String>)> = (0..schema.tables.len())
        .filter_map(|table| {
            let column = key_column(schema, table)?;
            let at = ColumnRef { table, column };
            let table_stems = stems(&schema.tables[table].name);
            let key_stems = stems(&schema.column(at).name);
            Some((at, table_stems, key_stems))
        })
        .collect();
    let mut inferred = Vec::new();
    for (from, column) in schema.columns() {
        let table = &schema.tables[from.table];
        let refers_already = schema.foreign_keys.iter().any(|key| key.from.contains(&from));
        if table.is_view || refers_already {
            continue;
        }
        let alone_key = table.primary_key == [from.column];
        let name = stems(&column.name);
        let target = keys
            .iter()
            .filter(|(to, ..)| to.table != from.table && same_family(schema, from, *to))
            .filter_map(|(to, table_stems, key_stems)| {
                Some((match_rank(&name, table_stems, key_stems, alone_key)?, *to))
            })
            .min_by_key(|(rank, to)| (*rank, to.table));
        if let Some((_, to)) = target
            && !connected(schema, from.table, to.table)
        {
            inferred.push(ForeignKey {
                from: vec![from],
                to: vec![to],
                declared: false,
            });
        }
    }
    schema.foreign_keys.extend(inferred);
}

/// How well a column's name says that it refers to a key: 0 is best, `None` not at all.
fn match_rank(name: &[String], table: &[String], key: &[String], alone_key: bool) -> Option<u8> {
    let generic = key.len() == 1
        && matches!(
            key[0].as_str(),
            "id" | "code" | "key" | "no" | "name" | "uid" | "number"
        );
    let table_and_key: Vec<String> = table.iter().chain(key).cloned().collect();
    if generic && name == table_and_key.as_slice() {
        return Some(0);
    }
    if !generic && name == key {
        // Two tables that share the name of their own keys need the table's name in it: `user_id` belongs to `users`.
        let named_after_table = table.last().is_some_and(|last| key.contains(last));
        return (!alone_key || named_after_table).then_some(u8::from(!named_after_table));
    }
    if !generic && key.len() > 1 && name.ends_with(key) && !alone_key {
        return Some(3);
    }
    (!alone_key && name == table && key.last().is_some_and(|last| last != "name")).then_some(2)
}

/// The table's key of one column: declared, or named as one.
fn key_column(schema: &Schema, table: usize) -> Option<usize> {
    let table = &schema.tables[table];
    match table.primary_key.as_slice() {
        [column] => return Some(*column),
        [] => {}
        _ => return None,
    }
    if table.is_view {
        return None;
    }
    let table_stems = stems(&table.name);
    table.columns.iter().position(|column| {
        let name = stems(&column.name);
        name == ["id"]
            || (name.len() == table_stems.len() + 1
                && name.starts_with(&table_stems)
                && name.ends_with(&["id".into()]))
    })
}

fn same_family(schema: &Schema, one: ColumnRef, other: ColumnRef) -> bool {
    let (one, other) = (schema.column(one).kind, schema.column(other).kind);
    one == other || (one.is_numeric() && other.is_numeric())
}

fn connected(schema: &Schema, one: usize, other: usize) -> bool {
    schema.foreign_keys.iter().any(|key| {
        let (from, to) = (key.from[0].table, key.to[0].table);
        key.declared && ((from, to) == (one, other) || (from, to) == (other, one))
    })
}

fn stems(identifier: &str) -> Vec<String> {
    words::identifier_words(identifier)
        .iter()
        .map(|word| words::stem(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Column, ColumnKind, Table};

    fn table(name: &str, columns: &[&str], primary_key: &[usize]) -> Table {
        let columns = columns
            .iter()
            .map(|name| Column {
                name: (*name).into(),
                kind: ColumnKind::Integer,
                ..Column::default()
            })
            .collect();
        Table {
            name: name.into(),
            columns,
            primary_key: primary_key.to_vec(),
            ..Table::default()
        }
    }

    fn inferred(tables: Vec<Table>) -> Vec<String> {
        let mut schema = Schema {
            withheld: None,
            tables,
            ..Schema::default()
        };
        infer_keys(&mut schema);
        let name = |at: ColumnRef| format!("{}.{}", schema.tables[at.table].name, schema.column(at).name);
        schema
            .foreign_keys
            .iter()
            .map(|key| format!("{} -> {}", name(key.from[0]), name(key.to[0])))
            .collect()
    }

    #[test]
    fn keys_follow_from_names() {
        let tables = vec![
            table("customers", &["id", "age"], &[0]),
            table("orders", &["order_id", "customer_id", "age"], &[0]),
            table("order_lines", &["order_id", "line", "amount"], &[0, 1]),
        ];
        assert_eq!(
            inferred(tables),
            [
                "orders.customer_id -> customers.id",
                "order_lines.order_id -> orders.order_id"
            ]
        );
    }

    #[test]
    fn equal_generic_names_are_no_keys() {
        assert!(inferred(vec![table("a", &["id"], &[0]), table("b", &["id"], &[0])]).is_empty());
    }
}
