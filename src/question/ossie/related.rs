//! The keys that files tell of or deny.

use std::sync::Arc;

use super::{
    apply::{Applying, FileModel, Overlay},
    document::Relationship,
    understood::with_keys,
    wording::context,
};
use crate::question::schema::{ColumnRef, ForeignKey, Schema, Snapshot};

impl Applying {
    /// The database with the keys that files tell of, and without those that they deny.
    pub(super) fn related(&mut self, overlays: &[Overlay<'_>], snapshot: &Snapshot) -> Snapshot {
        let mut schema = (*snapshot.schema).clone();
        let place = |at: &ColumnRef| {
            format!(
                "{}.{}",
                snapshot.schema.tables[at.table].name,
                snapshot.schema.column(*at).name
            )
        };
        let says = |key: &ForeignKey| {
            let ends = [&key.from, &key.to].map(|end| end.iter().map(place).collect::<Vec<_>>().join("+"));
            ends.join(" -> ")
        };
        let denied = || {
            overlays
                .iter()
                .flat_map(|overlay| &overlay.extension.not.relationships)
        };
        schema
            .foreign_keys
            .retain(|key| key.declared || !denied().any(|denied| denied.eq_ignore_ascii_case(&says(key))));
        let told = || {
            overlays.iter().flat_map(|overlay| {
                let FileModel { file, model } = overlay.told;
                model
                    .relationships
                    .iter()
                    .map(move |relationship| (file, relationship))
            })
        };
        for (file, relationship) in told() {
            match self.key(relationship, &schema) {
                Ok(key) => {
                    let same = |known: &ForeignKey| known.from == key.from && known.to == key.to;
                    match schema.foreign_keys.iter_mut().find(|known| same(known)) {
                        Some(known) => known.declared = true,
                        None => schema.foreign_keys.push(key),
                    }
                }
                Err(message) => {
                    self.file = Arc::clone(file);
                    self.wrong(relationship.name.referenced, message);
                }
            }
        }
        schema.foreign_keys.sort_by_key(|key| !key.declared);
        for (_, relationship) in told() {
            let Ok(told) = self.key(relationship, &schema) else {
                continue;
            };
            let same = |known: &ForeignKey| known.from == told.from && known.to == told.to;
            let Some(key) = schema.foreign_keys.iter().position(same) else {
                continue;
            };
            let (_, synonyms) = context(relationship.ai_context.as_ref());
            for name in std::iter::once(&relationship.name.value).chain(&synonyms) {
                self.relationships
                    .entry(name.to_lowercase())
                    .or_default()
                    .push(key);
            }
        }
        with_keys(snapshot, schema.foreign_keys)
    }

    fn key(&self, relationship: &Relationship, schema: &Schema) -> Result<ForeignKey, String> {
        let end = |dataset: &str, columns: &[String]| {
            let table = self
                .datasets
                .get(&dataset.to_lowercase())
                .copied()
                .ok_or_else(|| format!("{}: there is no dataset {dataset}", relationship.name.value))?;
            columns
                .iter()
                .map(|name| {
                    let column = self.fields.get(&(table, name.to_lowercase())).copied();
                    let column = column.or_else(|| schema.tables[table].column_named(name));
                    let column = column.ok_or_else(|| {
                        format!("{}: {dataset} has no column {name}", relationship.name.value)
                    })?;
                    Ok(ColumnRef { table, column })
                })
                .collect::<Result<Vec<_>, String>>()
        };
        let from = end(&relationship.from, &relationship.from_columns)?;
        let to = end(&relationship.to, &relationship.to_columns)?;
        if from.is_empty() || from.len() != to.len() {
            return Err(format!(
                "{}: from_columns and to_columns must be equally many, and one at least",
                relationship.name.value
            ));
        }
        Ok(ForeignKey {
            from,
            to,
            declared: true,
            enforced: false,
        })
    }
}
