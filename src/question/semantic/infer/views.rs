//! What views are: a column that shows a table's as it is means the same, and a view of which each row is a table's row is
//! about that.

use super::Evidence;
use crate::question::{
    schema::ColumnRef,
    semantic::{Dataset, Field, FieldRole},
};

/// Gives the fields of a view what is known of the columns that they show.
pub(super) fn take_over_fields(of: &Evidence<'_>, view: usize, fields: &mut [Field], datasets: &[Dataset]) {
    for (column, field) in fields.iter_mut().enumerate() {
        let at = ColumnRef { table: view, column };
        let Some(shown) = of.shown.by(at).filter(|_| !of.refers(at)) else {
            continue;
        };
        if let Some(known) = datasets[shown.table].fields.get(shown.column) {
            *field = known.clone();
        }
    }
}

/// Gives a view the role of the table whose rows it shows, and of its time and its names what it shows too.
pub(super) fn take_over(of: &Evidence<'_>, view: usize, dataset: &mut Dataset, datasets: &[Dataset]) {
    let Some(table) = of.shown.rows_of(view, of.schema) else {
        return;
    };
    let rows = &datasets[table];
    let showing = |wanted: usize| {
        let wanted = ColumnRef {
            table,
            column: wanted,
        };
        let mut columns = 0..dataset.fields.len();
        columns.find(|&column| of.shown.by(ColumnRef { table: view, column }) == Some(wanted))
    };
    let time = rows.time.and_then(showing);
    let display: Option<Vec<usize>> = rows.display.iter().map(|column| showing(*column)).collect();
    dataset.role = rows.role;
    dataset.time = dataset.time.or(time);
    if let Some(display) = display.filter(|_| dataset.display.is_empty()) {
        for &column in &display {
            if matches!(
                dataset.fields[column].role,
                FieldRole::Dimension | FieldRole::Text
            ) {
                dataset.fields[column].role = FieldRole::Name;
            }
        }
        dataset.display = display;
    }
}
