//! Models that turn texts into vectors.

use std::sync::Arc;

use async_trait::async_trait;

use super::ModelError;

/// A model that turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync + std::fmt::Debug {
    /// The name that the configuration has for it.
    fn name(&self) -> &str;

    /// A vector for each text, in their order and all of one length. Dropping the future ends the requests.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;
}

/// An embedder that several share.
pub type SharedEmbedder = Arc<dyn Embedder>;
