//! What PostgreSQL is stricter about than SQLite: a query that says the same in a form that it accepts.

use crate::question::{
    embedded::logical::{Direction, Expression, Function, Query},
    schema::{ColumnRef, Snapshot},
};

/// The query with every column that is shown beside groups named among them, and ordered only by what has one value
/// per row of the result.
pub(super) fn conform(query: &Query, snapshot: &Snapshot) -> Query {
    let mut query = query.clone();
    show_what_may_be_read(&mut query, snapshot);
    let aggregates = query.select.iter().any(Expression::is_aggregate);
    if !query.group.is_empty() {
        // Groups differ already; of two that show the same, each has its own place in the order.
        query.distinct &= query.order.iter().all(|(term, _)| is_shown(term, &query.select));
        group_what_is_shown(&mut query, snapshot);
        order_by_groups(&mut query, snapshot);
    } else if aggregates {
        // There is one row.
        query.order.retain(|(expression, _)| expression.is_aggregate());
    } else if query.distinct && !query.order.iter().all(|(term, _)| is_shown(term, &query.select)) {
        query.distinct = false;
        group_what_is_shown(&mut query, snapshot);
        order_by_groups(&mut query, snapshot);
    }
    if query.intersect.is_some() {
        let select = &query.select;
        query.order.retain(|(term, _)| select.contains(term));
    }
    query
}

/// `*` is refused where some columns are.
fn show_what_may_be_read(query: &mut Query, snapshot: &Snapshot) {
    let select = std::mem::take(&mut query.select);
    for expression in select {
        match expression {
            Expression::Row(table) if snapshot.schema.tables[table].partly_hidden => {
                query.select.extend(columns(table, snapshot));
            }
            other => query.select.push(other),
        }
    }
}

fn columns(table: usize, snapshot: &Snapshot) -> impl Iterator<Item = Expression> + use<> {
    let columns = snapshot.schema.tables[table].columns.iter().enumerate();
    columns
        .filter(|(_, shown)| !shown.denied)
        .map(move |(column, _)| Expression::Column(ColumnRef { table, column }))
        .collect::<Vec<_>>()
        .into_iter()
}

fn is_shown(term: &Expression, select: &[Expression]) -> bool {
    select.contains(term)
        || matches!(term, Expression::Column(column) if select.contains(&Expression::Row(column.table)))
}

fn group_what_is_shown(query: &mut Query, snapshot: &Snapshot) {
    for expression in query.select.clone() {
        match expression {
            Expression::Column(_) | Expression::Part(..) => {
                if !is_grouped(&expression, &query.group, snapshot) {
                    query.group.push(expression);
                }
            }
            Expression::Row(table) => {
                let description = &snapshot.schema.tables[table];
                let key: Vec<Expression> = description
                    .primary_key
                    .iter()
                    .map(|&column| Expression::Column(ColumnRef { table, column }))
                    .collect();
                let wanted = if key.is_empty() || description.is_view {
                    columns(table, snapshot).collect()
                } else {
                    key
                };
                for column in wanted {
                    if !query.group.contains(&column) {
                        query.group.push(column);
                    }
                }
            }
            Expression::CountRows | Expression::Aggregate { .. } | Expression::One => {}
        }
    }
}

/// Of several values per group, the one that would come first.
fn order_by_groups(query: &mut Query, snapshot: &Snapshot) {
    for (term, direction) in &mut query.order {
        if is_grouped(term, &query.group, snapshot) {
            continue;
        }
        if let Expression::Column(column) | Expression::Part(_, column) = *term {
            let function = match direction {
                Direction::Ascending => Function::Minimum,
                Direction::Descending => Function::Maximum,
            };
            *term = Expression::Aggregate {
                function,
                distinct: false,
                column,
            };
        }
    }
}

/// Named by GROUP BY, or determined by a primary key that is.
fn is_grouped(expression: &Expression, group: &[Expression], snapshot: &Snapshot) -> bool {
    let by_key = |column: ColumnRef| {
        let table = &snapshot.schema.tables[column.table];
        let named = |&key: &usize| {
            group.contains(&Expression::Column(ColumnRef {
                table: column.table,
                column: key,
            }))
        };
        !table.is_view && !table.primary_key.is_empty() && table.primary_key.iter().all(named)
    };
    match expression {
        Expression::Column(column) | Expression::Part(_, column) => {
            group.contains(expression) || by_key(*column)
        }
        _ => true,
    }
}
