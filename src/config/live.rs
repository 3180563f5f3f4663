//! The settings of a running server, which a reload replaces.

use std::sync::{Arc, PoisonError, RwLock};

use super::Settings;

/// Settings as they are now.
#[derive(Debug)]
pub struct LiveSettings(RwLock<Arc<Settings>>);

impl LiveSettings {
    /// The settings to begin with.
    pub fn new(settings: Settings) -> Self {
        Self(RwLock::new(Arc::new(settings)))
    }

    /// The settings as they are now.
    pub fn now(&self) -> Arc<Settings> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sessions follow at their next login or question.
    pub fn replace(&self, settings: Settings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }
}
