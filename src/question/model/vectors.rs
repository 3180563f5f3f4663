//! Vectors that were made before, so that the tables of a schema are sent once and not with each question.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use async_trait::async_trait;
use moka::sync::Cache;

use super::{Embedder, ModelError, SharedEmbedder};

/// What the vectors that are kept may take, in bytes.
const MOST: u64 = 48 << 20;

/// An embedder that remembers.
#[derive(Debug)]
pub(super) struct Remembering {
    embedder: SharedEmbedder,
    /// By the hash of the text.
    known: Cache<u64, Arc<[f32]>>,
    /// Who waits for vectors that another question asks for finds them made.
    turn: tokio::sync::Mutex<()>,
}

impl Remembering {
    pub(super) fn new(embedder: SharedEmbedder) -> Self {
        let weigher =
            |_: &u64, vector: &Arc<[f32]>| u32::try_from(size_of_val(&**vector)).unwrap_or(u32::MAX);
        Self {
            embedder,
            known: Cache::builder().weigher(weigher).max_capacity(MOST).build(),
            turn: tokio::sync::Mutex::new(()),
        }
    }

    /// What is known of these texts, in their order.
    fn recall(&self, keys: &[u64]) -> Vec<Option<Arc<[f32]>>> {
        keys.iter().map(|key| self.known.get(key)).collect()
    }
}

#[async_trait]
impl Embedder for Remembering {
    fn name(&self) -> &str {
        self.embedder.name()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let keys: Vec<u64> = texts.iter().map(|text| key(text)).collect();
        let mut found = self.recall(&keys);
        if found.iter().any(Option::is_none) {
            let _turn = self.turn.lock().await;
            found = self.recall(&keys);
            // Each of them once.
            let mut missing: HashMap<u64, &String> = HashMap::new();
            for ((key, text), found) in keys.iter().zip(texts).zip(&found) {
                if found.is_none() {
                    missing.insert(*key, text);
                }
            }
            let (missing, unknown): (Vec<u64>, Vec<String>) =
                missing.into_iter().map(|(key, text)| (key, text.clone())).unzip();
            let made = self.embedder.embed(&unknown).await?;
            let made: HashMap<u64, Arc<[f32]>> =
                missing.into_iter().zip(made.into_iter().map(Arc::from)).collect();
            for (key, vector) in &made {
                self.known.insert(*key, Arc::clone(vector));
            }
            for (key, found) in keys.iter().zip(&mut found) {
                *found = found.take().or_else(|| made.get(key).cloned());
            }
        }
        let vectors: Option<Vec<Vec<f32>>> = found
            .into_iter()
            .map(|vector| vector.map(|vector| vector.to_vec()))
            .collect();
        vectors.ok_or_else(|| ModelError::Malformed("fewer vectors than texts".into()))
    }
}

fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Makes a vector of a text's length, and notes what it was asked.
    #[derive(Debug, Default)]
    struct Lengths(Mutex<Vec<String>>);

    #[async_trait]
    impl Embedder for Lengths {
        fn name(&self) -> &'static str {
            "lengths"
        }

        async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
            tokio::task::yield_now().await;
            self.0.lock().unwrap().extend_from_slice(texts);
            Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
        }
    }

    #[tokio::test]
    async fn each_text_is_sent_once() {
        let lengths = Arc::new(Lengths::default());
        let remembering = Remembering::new(Arc::clone(&lengths) as SharedEmbedder);
        let embed = async |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let vectors = remembering.embed(&texts).await.unwrap();
            vectors
                .concat()
                .into_iter()
                .map(|length| length as usize)
                .collect::<Vec<_>>()
        };
        assert_eq!(embed(&["a", "bb", "a"]).await, [1, 2, 1]);
        let (one, other) = tokio::join!(embed(&["ccc", "bb"]), embed(&["bb", "ccc", "dddd"]));
        assert_eq!((one, other), (vec![3, 2], vec![2, 3, 4]));
        let mut asked = lengths.0.lock().unwrap().clone();
        asked.sort();
        assert_eq!(asked, ["a", "bb", "ccc", "dddd"]);
    }
}
