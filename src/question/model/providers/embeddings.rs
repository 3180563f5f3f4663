//! A model that turns texts into vectors.

use async_trait::async_trait;
use futures_util::future::try_join_all;
use serde_json::Value;

use super::{Http, Task, body, endpoint::Endpoint, failure::Failure};
use crate::question::model::{Embedder, ModelError, Usage};

/// Texts of one request; Gemini takes no more.
const BATCH: usize = 100;
/// Requests for one list of texts at once.
const AT_ONCE: usize = 4;
/// Bytes of an answer at most.
const MOST: usize = 64 << 20;

/// A model behind one or more endpoints that speak the same.
#[derive(Debug)]
pub(super) struct Embeddings {
    http: Http,
}

impl Embeddings {
    pub(super) fn new(http: Http) -> Self {
        Self { http }
    }
}

#[async_trait]
impl Embedder for Embeddings {
    fn name(&self) -> &str {
        &self.http.settings.name
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let batches: Vec<_> = texts.chunks(BATCH).map(|texts| Batch { texts }).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for some in batches.chunks(AT_ONCE) {
            let calls = some.iter().map(async |batch| self.http.call(batch).await.0);
            let found = try_join_all(calls).await?;
            vectors.extend(found.into_iter().flat_map(|found| found.vectors));
        }
        let length = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|vector| vector.len() != length) {
            return Err(ModelError::Malformed("vectors of different lengths".into()));
        }
        Ok(vectors)
    }
}

/// The texts of one request.
struct Batch<'a> {
    texts: &'a [String],
}

/// Their vectors.
struct Vectors {
    vectors: Vec<Vec<f32>>,
    tokens: Option<u64>,
}

impl Task for Batch<'_> {
    type Output = Vectors;

    fn agent(&self) -> &'static str {
        "embeddings"
    }

    fn expected(&self) -> u64 {
        let bytes: usize = self.texts.iter().map(String::len).sum();
        (bytes as u64).div_ceil(4)
    }

    fn usage(&self, found: &Vectors) -> Usage {
        Usage {
            prompt_tokens: found.tokens.unwrap_or_else(|| self.expected()),
            completion_tokens: 0,
        }
    }

    async fn send(&self, http: &Http, endpoint: &Endpoint) -> Result<Vectors, Failure> {
        // An empty text is refused.
        let texts = self.texts.iter().map(|text| match text.trim() {
            "" => "-",
            text => text,
        });
        let texts: Vec<_> = texts.collect();
        let request = http.provider.embeddings_body(&http.settings.model, &texts);
        let sent = body::send(http, &endpoint.address.embeddings, &request).await?;
        let answer = body::whole(http, sent, MOST).await?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|_| not_understood())?;
        read(http.provider.embeddings_list(&answer), &answer, self.texts.len()).ok_or_else(not_understood)
    }
}

fn not_understood() -> Failure {
    Failure::elsewhere(ModelError::Malformed(
        "what came are not the vectors that were asked for".into(),
    ))
}

/// The vectors in the order of their texts, if all are there.
fn read(list: &Value, answer: &Value, count: usize) -> Option<Vectors> {
    let mut vectors = vec![vec![]; count];
    let list = list.as_array()?;
    for (at, entry) in list.iter().enumerate() {
        let at = entry["index"].as_u64().map_or(at, |index| index as usize);
        let numbers = entry["embedding"].as_array().or(entry["values"].as_array())?;
        let vector: Option<Vec<f32>> = numbers
            .iter()
            .map(|number| number.as_f64().map(|number| number as f32))
            .collect();
        *vectors.get_mut(at)? = vector?;
    }
    let whole = list.len() == count && vectors.iter().all(|vector| !vector.is_empty());
    whole.then_some(Vectors {
        vectors,
        tokens: answer["usage"]["prompt_tokens"].as_u64(),
    })
}
