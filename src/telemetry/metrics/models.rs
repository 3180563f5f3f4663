//! What language models are asked, what they take, and how they fail. Their names are the configuration's.

use std::time::Instant;

use metrics::Recorder as _;

use super::{METADATA, REGISTRY, counter, gauge, key};

/// A call that is under way; dropped before it has ended, it was cancelled.
#[derive(Debug)]
pub struct ModelCall<'a> {
    model: &'a str,
    begun: Instant,
    ended: bool,
}

/// A model is called.
pub fn model_call(model: &str) -> ModelCall<'_> {
    counter(
        &REGISTRY.recorder,
        "querent_model_calls_total",
        &[("model", model)],
    )
    .increment(1);
    ModelCall {
        model,
        begun: Instant::now(),
        ended: false,
    }
}

impl ModelCall<'_> {
    /// It has answered.
    pub fn answered(mut self) {
        self.end(None);
    }

    /// It has not: which kind of error, of a closed list.
    pub fn failed(mut self, kind: &'static str) {
        self.end(Some(kind));
    }

    fn end(&mut self, kind: Option<&'static str>) {
        self.ended = true;
        if let Some(kind) = kind {
            model_error(self.model, kind);
        }
        let key = key("querent_model_call_duration_seconds", &[("model", self.model)]);
        let duration = REGISTRY.recorder.register_histogram(&key, &METADATA);
        duration.record(self.begun.elapsed().as_secs_f64());
        super::sum_up();
    }
}

impl Drop for ModelCall<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.end(Some("cancelled"));
        }
    }
}

/// A model gave no answer, or was not asked: which kind of error, of a closed list.
pub fn model_error(model: &str, kind: &'static str) {
    let labels = [("model", model), ("kind", kind)];
    counter(&REGISTRY.recorder, "querent_model_errors_total", &labels).increment(1);
}

/// What a call took: tokens read and written, and US dollars.
pub fn model_spent(model: &str, prompt_tokens: u64, completion_tokens: u64, cost: f64) {
    for (direction, tokens) in [("prompt", prompt_tokens), ("completion", completion_tokens)] {
        let labels = [("model", model), ("direction", direction)];
        counter(&REGISTRY.recorder, "querent_model_tokens_total", &labels).increment(tokens);
    }
    gauge(&REGISTRY.recorder, "querent_model_cost_usd", &[("model", model)]).increment(cost);
}
