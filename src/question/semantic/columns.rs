//! Computed fields as further columns of their tables: a question names and uses them as it does what is stored.

use super::{FieldRole, SemanticModel};
use crate::question::schema::{Column, Schema};

impl SemanticModel {
    /// The schema and its meaning, each computed field a column behind those that are stored; `None` where there is no
    /// computed field. What has a place in the schema has the same one there.
    pub fn with_columns(&self, schema: &Schema) -> Option<(Schema, Self)> {
        if self.datasets.iter().all(|dataset| dataset.computed.is_empty()) {
            return None;
        }
        let (mut schema, mut model) = (schema.clone(), self.clone());
        for (table, dataset) in schema.tables.iter_mut().zip(&mut model.datasets) {
            for computed in &mut dataset.computed {
                computed.column = Some(table.columns.len());
                table.columns.push(Column {
                    name: computed.name.clone(),
                    kind: computed.kind,
                    comment: computed.field.wording.description.clone(),
                    ..Column::default()
                });
                let mut field = computed.field.clone();
                // What it may come to is named by questions as stored values are.
                if field.labels.is_empty() && !matches!(field.role, FieldRole::Flag(_)) {
                    let values = computed.values.iter();
                    field.labels = values.map(|value| (value.clone(), value.clone())).collect();
                }
                dataset.fields.push(field);
            }
        }
        Some((schema, model))
    }
}
