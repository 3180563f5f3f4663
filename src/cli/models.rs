//! Who answers: the arguments that name models, and what the pipeline is asked with by the settings.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::ValueEnum;

use super::Failure;
use crate::{
    config::Settings,
    question::{
        ask::{AskSettings, EMBEDDED},
        model::{Budget, BudgetLimits, DailySpend, SessionBudget},
        ossie::Meaning,
    },
    service::conversation,
    statement::Mode,
};

/// Settings that arguments override: the key, its text, the argument.
type Overrides = Vec<(&'static str, String, &'static str)>;

/// Which models may answer.
#[derive(Debug, clap::Args)]
pub(super) struct ModelArguments {
    /// A model that may answer, behind the embedded agents; repeat it for several, cheapest first
    #[arg(
        long,
        value_name = "SPEC",
        value_parser = spec,
        long_help = "A model that may answer; repeat it for several, cheapest first. SPEC is openai:MODEL, \
                     anthropic:MODEL, gemini:MODEL or ollama:MODEL, with OPENAI_API_KEY and the like in the environment; \
                     the NAME of a [[model]] in the configuration; or embedded, which needs no model and is always the \
                     first tier"
    )]
    model: Vec<String>,
}

/// What is known of what the database means.
#[derive(Debug, Default, clap::Args)]
pub(super) struct MeaningArguments {
    /// A semantic model, Apache Ossie or dbt YAML; repeat it for several, in place of semantic.file
    #[arg(long, value_name = "FILE")]
    model_file: Vec<PathBuf>,
}

impl MeaningArguments {
    pub(super) fn overrides(&self) -> Overrides {
        if self.model_file.is_empty() {
            return Vec::new();
        }
        let files = self.model_file.iter().map(|file| file.to_string_lossy());
        let files: Vec<_> = files.collect();
        vec![("semantic.file", files.join(","), "--model-file")]
    }
}

/// Files of calls that were made.
#[derive(Debug, clap::Args)]
pub(super) struct CassetteArguments {
    /// Append each call of a model to this file, as a line of JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Answer calls of models from this file; with --record too, those that are not in it are made
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

/// How a question is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ModeName {
    /// The deterministic agents; no model, no network
    Embedded,
    /// One call of a model
    Single,
    /// All agents by models
    Sot,
    /// As little as a question needs, the deterministic agents first
    Adaptive,
}

impl ModelArguments {
    pub(super) fn overrides(&self) -> Overrides {
        if self.model.is_empty() {
            return Vec::new();
        }
        let mut tiers = self.model.clone();
        if !tiers.iter().any(|tier| tier == EMBEDDED) {
            tiers.insert(0, EMBEDDED.to_owned());
        }
        vec![("tiers", tiers.join(","), "--model")]
    }
}

impl CassetteArguments {
    pub(super) fn overrides(&self) -> Overrides {
        let of = |key, path: &Option<PathBuf>, argument| {
            let path = path.as_ref()?.to_string_lossy().into_owned();
            Some((key, path, argument))
        };
        let record = of("record", &self.record, "--record");
        let replay = of("replay", &self.replay, "--replay");
        record.into_iter().chain(replay).collect()
    }
}

impl ModeName {
    pub(super) fn overrides(self) -> Overrides {
        let name = match self {
            Self::Embedded => Mode::Embedded,
            Self::Single => Mode::Single,
            Self::Sot => Mode::Sot,
            Self::Adaptive => Mode::Adaptive,
        };
        vec![("mode", name.name().to_owned(), "--mode")]
    }
}

/// Reads a SPEC as far as it can be read without the configuration.
fn spec(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.contains(',') {
        return Err("name one model, such as openai:MODEL; repeat --model for several".into());
    }
    Ok(text.to_owned())
}

/// What questions are asked with, and what they may spend together.
pub(super) struct Asking {
    settings: AskSettings,
    limits: BudgetLimits,
    daily_spend: Arc<DailySpend>,
}

impl Asking {
    /// What the settings say. Models are made ready; nothing is sent to them.
    pub(super) fn new(settings: &Settings) -> Result<Self, Failure> {
        let registry = conversation::registry(settings)?;
        let has_model = registry.tiers.iter().any(|tier| tier != EMBEDDED);
        let mode = match settings.mode {
            Mode::Single | Mode::Sot if !has_model => return Err(no_model(settings.mode.name())),
            Mode::Adaptive if !has_model => Mode::Embedded,
            mode => mode,
        };
        Ok(Self {
            settings: AskSettings {
                registry: Arc::new(registry),
                mode,
                max_attempts: settings.limits.attempts,
                min_confidence: settings.min_confidence,
                question_timeout: settings.limits.question_timeout,
                optimise_from: settings.limits.optimise_from,
                ..AskSettings::default()
            },
            limits: BudgetLimits::from(&settings.limits),
            daily_spend: Arc::default(),
        })
    }

    /// The same of a database that means this.
    pub(super) fn about(mut self, meaning: Arc<Meaning>) -> Self {
        self.settings.meaning = meaning;
        self
    }

    /// The same with at least this time for each question.
    pub(super) fn patient(mut self, time: Duration) -> Self {
        self.settings.question_timeout = self.settings.question_timeout.max(time);
        self
    }

    /// What one question is asked with.
    pub(super) fn question(&self) -> AskSettings {
        AskSettings {
            budget: Arc::new(self.budgets()()),
            ..self.settings.clone()
        }
    }

    /// Makes the budget of a question, each as of a session of its own.
    pub(super) fn budgets(&self) -> impl Fn() -> Budget + Send + Sync + 'static {
        let (limits, daily_spend) = (self.limits, Arc::clone(&self.daily_spend));
        move || {
            Budget::new(
                &limits,
                Arc::new(SessionBudget::default()),
                Arc::clone(&daily_spend),
            )
        }
    }

    /// What was spent.
    pub(super) fn daily_spend(&self) -> Arc<DailySpend> {
        Arc::clone(&self.daily_spend)
    }
}

/// A mode that is nothing without a model has none.
pub(super) fn no_model(mode: &str) -> Failure {
    Failure::usage(format!("mode {mode} needs a language model, and there is none"))
        .hint("name one with --model, such as openai:MODEL or ollama:MODEL, or with a [[model]] in the configuration")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_agents_come_first_unless_their_place_is_chosen() {
        for (specs, tiers) in [
            (&[][..], None),
            (&["openai:x"][..], Some("embedded,openai:x")),
            (&["embedded"], Some("embedded")),
            (&["small", "embedded", "anth:x"], Some("small,embedded,anth:x")),
        ] {
            let arguments = ModelArguments {
                model: specs.iter().map(|spec| (*spec).to_owned()).collect(),
            };
            let overrides = arguments.overrides();
            let text = overrides.first().map(|(_, text, _)| text.as_str());
            assert_eq!(text, tiers, "{specs:?}");
        }
        assert!(spec(" ").is_err() && spec("a,b").is_err());
    }
}
