//! What a question may spend on models, and what it has spent.

use std::sync::Mutex;

use super::{ModelError, Usage};

/// What was spent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Calls of models.
    pub calls: u64,
    /// Tokens.
    pub usage: Usage,
    /// US dollars.
    pub cost: f64,
}

/// What one question may spend. Shared by everything that works on it.
#[derive(Debug, Default)]
pub struct Purse {
    spent: Mutex<Spent>,
}

impl Purse {
    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        *self
            .spent
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes one call out of it, or says which limit is in the way.
    pub fn begin_call(&self) -> Result<(), ModelError> {
        self.spent
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .calls += 1;
        Ok(())
    }

    /// Notes what a call took.
    pub fn note(&self, usage: Usage, cost: f64) {
        let mut spent = self
            .spent
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        spent.usage.prompt_tokens += usage.prompt_tokens;
        spent.usage.completion_tokens += usage.completion_tokens;
        spent.cost += cost;
    }
}
