//! The models that are configured, by name.

use super::{ModelError, Purse, Reply, Request, SharedModel};

/// The models that may be called, cheapest first.
#[derive(Debug, Default, Clone)]
pub struct Models {
    all: Vec<SharedModel>,
}

impl Models {
    /// These models, cheapest first.
    pub fn of(all: Vec<SharedModel>) -> Self {
        Self { all }
    }

    /// Their names, cheapest first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|model| model.name())
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// True if there is one of this name.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Calls a model and takes what it costs out of the purse. Dropping the future ends the call.
    pub async fn call(&self, name: &str, request: &Request, purse: &Purse) -> Result<Reply, ModelError> {
        let model = self
            .all
            .iter()
            .find(|model| model.name() == name)
            .ok_or(ModelError::Unknown)?;
        purse.begin_call()?;
        let reply = model.complete(request).await?;
        purse.note(reply.usage, model.price(reply.usage));
        Ok(reply)
    }
}
