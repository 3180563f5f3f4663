//! The catalogue of one connection: who looks, at which state of the schema, and the rows that follow from it.

use std::sync::{Arc, Mutex, PoisonError};

use super::{
    Client,
    definitions::{self, Relation},
    fill,
    model::Model,
    rows::Rows,
    surroundings::{self, Surroundings},
};

/// What the tables and functions of one connection look at.
#[derive(Debug)]
pub(crate) struct Catalog {
    pub(super) client: Client,
    surroundings: Arc<dyn Surroundings>,
    /// The state of the schema that is shown; `None` before anybody asked.
    model: Mutex<(Option<u64>, Arc<Model>)>,
}

impl Catalog {
    /// A catalogue of an empty database of this name.
    pub(crate) fn new(database: &str, client: &Client, surroundings: Arc<dyn Surroundings>) -> Arc<Self> {
        Arc::new(Self {
            client: client.clone(),
            surroundings,
            model: Mutex::new((None, Arc::new(Model::empty(database)))),
        })
    }

    /// True if it shows this state of the schema.
    pub(crate) fn shows(&self, state: u64) -> bool {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).0 == Some(state)
    }

    /// Shows another state of the schema from now on.
    pub(crate) fn show(&self, state: u64, model: Arc<Model>) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = (Some(state), model);
    }

    /// What it shows.
    pub(crate) fn model(&self) -> Arc<Model> {
        Arc::clone(&self.model.lock().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// The rows of a relation, in parts.
    pub(super) fn rows_of(&self, relation: &'static Relation) -> Vec<Arc<Rows>> {
        let model = self.model();
        // A function that gives the rows of a table or view.
        let relation = relation
            .rows_of
            .and_then(|name| definitions::find(relation.schema, name))
            .unwrap_or(relation);
        if let Some(rows) =
            surroundings::rows(relation, &model, &self.client.user, self.surroundings.as_ref())
        {
            return vec![Arc::new(rows)];
        }
        let parts = kept_rows_of(&model, relation);
        if relation.name != "pg_settings" {
            return parts;
        }
        let now = |rows: Arc<Rows>| {
            surroundings::settings(&rows, self.surroundings.as_ref()).map_or(rows, Arc::new)
        };
        parts.into_iter().map(now).collect()
    }
}

/// The rows that follow from the schema.
fn kept_rows_of(model: &Arc<Model>, relation: &'static Relation) -> Vec<Arc<Rows>> {
    let key = (relation.schema, relation.name);
    let parts = {
        let mut filled = model.filled.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(filled.entry(key).or_default())
    };
    // Types may have to be waited for; whoever asks for something else does not.
    let parts = parts.get_or_init(|| {
        let own = fill::rows(model, relation).map(Arc::new);
        [Some(definitions::fixed_rows(relation)), own]
            .into_iter()
            .flatten()
            .filter(|rows| rows.len() > 0)
            .collect()
    });
    parts.clone()
}
