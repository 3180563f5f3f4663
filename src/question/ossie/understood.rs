//! A database with its meaning, and what of that is left in a part of it.

use std::{collections::BTreeMap, sync::Arc};

use super::probe;
use crate::question::{
    schema::{ColumnRef, ForeignKey, JoinGraph, Schema, Snapshot},
    semantic::{self, Evidence, Places, SemanticModel},
};

/// A database with its meaning, as it was inferred or as people have corrected it.
#[derive(Debug, Clone)]
pub struct Understood {
    /// The database; keys that people have told of or denied are in it or not.
    pub snapshot: Snapshot,
    /// What it means.
    pub model: SemanticModel,
    /// Both with computed fields as columns, where there are any.
    pub(super) with_columns: Option<Arc<(Snapshot, SemanticModel)>>,
    /// What a file calls tables, in lower case.
    pub(super) datasets: BTreeMap<String, usize>,
    /// What it calls columns.
    pub(super) fields: BTreeMap<(usize, String), usize>,
    /// What relationships are called, each name with its keys.
    pub(super) relationships: BTreeMap<String, Vec<usize>>,
    /// True if a file says something.
    pub(super) told: bool,
}

/// The meaning of a database, as far as the database itself tells it.
pub fn inferred(snapshot: &Snapshot) -> Understood {
    let model = semantic::infer(&Evidence::new(&snapshot.schema, &snapshot.profile));
    Understood {
        snapshot: snapshot.clone(),
        model,
        with_columns: None,
        datasets: BTreeMap::new(),
        fields: BTreeMap::new(),
        relationships: BTreeMap::new(),
        told: false,
    }
}

impl Understood {
    /// True if people have said something of the database, in a file.
    pub fn is_told(&self) -> bool {
        self.told
    }

    /// The same of a part of the database, such as what one user may read: of what is not in it nothing is said.
    #[must_use]
    pub fn of_part(&self, part: &Snapshot) -> Self {
        if Arc::ptr_eq(&part.schema, &self.snapshot.schema) {
            return self.clone();
        }
        let places = Places::new(&self.snapshot.schema, &part.schema);
        let mut model = self.model.of_part(&places);
        for codes in &self.snapshot.profile.codes {
            let known = |at| part.profile.codes.iter().any(|known| known.of == at);
            if let Some(at) = places.column(codes.of).filter(|at| !known(*at)) {
                model.forget_codes(at, &codes.labels);
            }
        }
        model
            .verified
            .retain(|query| probe::refused(&query.sql, part).is_none());
        let fields = self.fields.iter().filter_map(|((table, name), column)| {
            let at = places.column(ColumnRef {
                table: *table,
                column: *column,
            })?;
            Some(((at.table, name.clone()), at.column))
        });
        let datasets = self
            .datasets
            .iter()
            .filter_map(|(name, table)| Some((name.clone(), places.table(*table)?)));
        let relationships = self.relationships.iter().map(|(name, keys)| {
            let keys: Vec<usize> = keys.iter().filter_map(|key| places.key(*key)).collect();
            (name.clone(), keys)
        });
        let mut understood = Self {
            model,
            with_columns: None,
            datasets: datasets.collect(),
            fields: fields.collect(),
            relationships: relationships.filter(|(_, keys)| !keys.is_empty()).collect(),
            told: self.told,
            snapshot: with_keys(part, places.foreign_keys),
        };
        understood.add_columns();
        understood
    }

    /// The database and its meaning as questions are read over them: computed fields are columns like those that are stored.
    /// No statement but one that is compiled from both may name them.
    pub fn with_columns(&self) -> (&Snapshot, &SemanticModel) {
        match &self.with_columns {
            Some(both) => (&both.0, &both.1),
            None => (&self.snapshot, &self.model),
        }
    }

    /// Works out what [`Self::with_columns`] gives.
    pub(super) fn add_columns(&mut self) {
        let found = self.model.with_columns(&self.snapshot.schema);
        self.with_columns = found.map(|(schema, model)| {
            let snapshot = Snapshot {
                schema: Arc::new(schema),
                ..self.snapshot.clone()
            };
            Arc::new((snapshot, model))
        });
    }
}

/// A database with these keys.
pub(super) fn with_keys(snapshot: &Snapshot, foreign_keys: Vec<ForeignKey>) -> Snapshot {
    if foreign_keys == snapshot.schema.foreign_keys {
        return snapshot.clone();
    }
    let schema = Schema {
        foreign_keys,
        ..(*snapshot.schema).clone()
    };
    Snapshot {
        joins: Arc::new(JoinGraph::new(&schema)),
        schema: Arc::new(schema),
        ..snapshot.clone()
    }
}
