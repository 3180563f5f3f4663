//! How the agents did over the questions of a period: how often each ran, how long it took, how often it failed,
//! and which of them takes the most time.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::history;
use crate::{
    config::Settings,
    service::{conversation::Run, server::Handle},
};

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
    /// Where they come from: `store` or `memory`.
    pub(super) source: &'static str,
}

/// How an agent or a model did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figures {
    pub(super) runs: u64,
    /// Questions for which it ran.
    pub(super) questions: u64,
    /// Those of them that needed a correction.
    pub(super) corrected: u64,
    pub(super) failed: u64,
    pub(super) p50_ms: f64,
    pub(super) p95_ms: f64,
    pub(super) total_ms: f64,
    /// The part of the time of all, 0 to 1.
    pub(super) share: f64,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    /// By the prices of this moment.
    pub(super) cost_usd: f64,
    #[serde(skip)]
    times: Vec<f64>,
}

impl Figures {
    fn add(&mut self, run: &Sketch, cost: f64) {
        self.runs += 1;
        self.cost_usd += cost;
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

/// A run, as far as figures are made of it.
#[derive(Debug, Deserialize)]
struct Sketch {
    agent: String,
    model: String,
    outcome: String,
    milliseconds: f64,
    prompt_tokens: u64,
    completion_tokens: u64,
}

/// The same of what is kept of a question.
#[derive(Debug, Deserialize)]
struct SketchOfOne {
    #[serde(default)]
    cached: bool,
    #[serde(default)]
    answer_ms: f64,
    runs: Vec<Sketch>,
}

/// Figures that are being added up.
#[derive(Debug, Default)]
struct Sums {
    pipeline: Pipeline,
    answers: Vec<f64>,
    /// What a million tokens cost that a model reads, and that it writes.
    prices: BTreeMap<String, (f64, f64)>,
}

impl Sums {
    /// Of nothing yet, by the prices of the models.
    fn new(settings: &Settings) -> Self {
        let prices = settings
            .models
            .iter()
            .map(|model| (model.name.clone(), (model.price_in, model.price_out)));
        Self {
            prices: prices.collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, (cached, answer_ms): (bool, f64), runs: impl Iterator<Item = Sketch>) {
        // What was answered before did nothing this time.
        if cached {
            return;
        }
        let pipeline = &mut self.pipeline;
        pipeline.questions += 1;
        self.answers.push(answer_ms);
        let mut corrected = false;
        let (mut agents, mut models) = (BTreeSet::new(), BTreeSet::new());
        for run in runs {
            corrected |= run.agent.starts_with("correction");
            let (price_in, price_out) = self.prices.get(&run.model).copied().unwrap_or_default();
            let cost = run.prompt_tokens as f64 * price_in + run.completion_tokens as f64 * price_out;
            for (figures, seen, name) in [
                (&mut pipeline.models, &mut models, &run.model),
                (&mut pipeline.agents, &mut agents, &run.agent),
            ] {
                figures.entry(name.clone()).or_default().add(&run, cost / 1e6);
                seen.insert(name.clone());
            }
        }
        pipeline.corrected += u64::from(corrected);
        for (figures, seen) in [(&mut pipeline.models, models), (&mut pipeline.agents, agents)] {
            for (_, figures) in figures.iter_mut().filter(|(name, _)| seen.contains(*name)) {
                figures.questions += 1;
                figures.corrected += u64::from(corrected);
            }
        }
    }

    fn finish(mut self) -> Pipeline {
        let mut pipeline = self.pipeline;
        pipeline.answer_p50_ms = quantile(&mut self.answers, 0.5);
        pipeline.answer_p95_ms = quantile(&mut self.answers, 0.95);
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
}

impl From<&Run> for Sketch {
    fn from(run: &Run) -> Self {
        Self {
            agent: run.agent.to_string(),
            model: run.model.clone(),
            outcome: run.outcome.clone(),
            milliseconds: run.milliseconds,
            prompt_tokens: run.prompt_tokens,
            completion_tokens: run.completion_tokens,
        }
    }
}

/// Over the questions that are remembered while the server runs.
pub(super) fn look(server: &Handle) -> Pipeline {
    let mut sums = Sums::new(&server.settings());
    server.feed().each(|question| {
        if question.state != "working" {
            let runs = question.runs.iter().map(Sketch::from);
            sums.add((question.cached, question.answer_ms), runs);
        }
    });
    Pipeline {
        source: "memory",
        ..sums.finish()
    }
}

/// Over those of a period whose runs the store keeps; over those that are remembered where nothing is recorded.
pub(super) async fn look_since(server: &Handle, since: SystemTime) -> Pipeline {
    let settings = server.settings();
    if !settings.audit.enabled || settings.console.runs == 0 {
        return look(server);
    }
    let kept = history::in_store(server, async move |history| {
        let mut sums = Sums::new(&settings);
        let mut add = |body: &str| {
            // What another version has kept in another form does not count.
            if let Ok(one) = serde_json::from_str::<SketchOfOne>(body) {
                sums.add((one.cached, one.answer_ms), one.runs.into_iter());
            }
        };
        history.each_worked(Some(since), &mut add).await?;
        Ok(sums.finish())
    });
    match kept.await {
        Ok(pipeline) => Pipeline {
            source: "store",
            ..pipeline
        },
        Err(_) => look(server),
    }
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
