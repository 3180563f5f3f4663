//! How the agents did over the questions that are remembered: how often each ran, how long it took, how often it failed,
//! and which of them takes the most time.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::service::{conversation::Run, server::Handle};

/// What the agents did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Pipeline {
    /// Questions that were looked at.
    pub(super) questions: u64,
    /// Those that needed a correction.
    pub(super) corrected: u64,
    /// Each agent that ran, by its name.
    pub(super) agents: BTreeMap<String, Figures>,
    /// Each model that served one, `embedded` among them.
    pub(super) models: BTreeMap<String, Figures>,
    /// The agent on which the most time was spent.
    pub(super) bottleneck: Option<String>,
    /// Milliseconds up to the SQL: half of the questions took less.
    pub(super) answer_p50_ms: f64,
    /// Nineteen of twenty took less.
    pub(super) answer_p95_ms: f64,
}

/// How an agent or a model did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figures {
    pub(super) runs: u64,
    pub(super) failed: u64,
    pub(super) p50_ms: f64,
    pub(super) p95_ms: f64,
    pub(super) total_ms: f64,
    /// The part of the time of all, 0 to 1.
    pub(super) share: f64,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    #[serde(skip)]
    times: Vec<f64>,
}

impl Figures {
    fn add(&mut self, run: &Run) {
        self.runs += 1;
        self.failed += u64::from(run.outcome != "ok");
        self.total_ms += run.milliseconds;
        self.prompt_tokens += run.prompt_tokens;
        self.completion_tokens += run.completion_tokens;
        self.times.push(run.milliseconds);
    }

    fn finish(&mut self, all: f64) {
        self.p50_ms = quantile(&mut self.times, 0.5);
        self.p95_ms = quantile(&mut self.times, 0.95);
        self.share = if all > 0.0 { self.total_ms / all } else { 0.0 };
    }
}

/// Over the questions that are remembered.
pub(super) fn look(server: &Handle) -> Pipeline {
    let mut pipeline = Pipeline::default();
    let mut answers = Vec::new();
    server.feed().each(|question| {
        // What was answered before did nothing this time.
        if question.cached || question.state == "working" {
            return;
        }
        pipeline.questions += 1;
        answers.push(question.answer_ms);
        let is_correction = |run: &Run| run.agent.starts_with("correction");
        pipeline.corrected += u64::from(question.runs.iter().any(is_correction));
        for run in &question.runs {
            pipeline.agents.entry(run.agent.to_string()).or_default().add(run);
            pipeline.models.entry(run.model.clone()).or_default().add(run);
        }
    });
    pipeline.answer_p50_ms = quantile(&mut answers, 0.5);
    pipeline.answer_p95_ms = quantile(&mut answers, 0.95);
    let all: f64 = pipeline.agents.values().map(|figures| figures.total_ms).sum();
    for figures in pipeline.agents.values_mut().chain(pipeline.models.values_mut()) {
        figures.finish(all);
    }
    let slowest = pipeline
        .agents
        .iter()
        .max_by(|one, other| one.1.total_ms.total_cmp(&other.1.total_ms));
    pipeline.bottleneck = slowest.map(|(agent, _)| agent.clone());
    pipeline
}

/// The value that this part of all does not exceed; 0 of none.
pub(super) fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_values_that_were_seen() {
        let mut values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert!((quantile(&mut values, 0.5) - 10.0).abs() < 1e-9);
        assert!((quantile(&mut values, 0.95) - 19.0).abs() < 1e-9);
        assert!(quantile(&mut [], 0.5).abs() < 1e-9);
    }
}
