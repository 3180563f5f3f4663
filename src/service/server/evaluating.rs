//! What an evaluation in this process asks with: the models, limits and budgets of the server's own questions.

use std::sync::Arc;

use super::Handle;
use crate::{
    question::{
        ask::{AskSettings, EMBEDDED},
        model::{Budget, SessionBudget},
        ossie::Meanings,
    },
    statement::Mode,
};

/// Makes the budget of a question.
pub(super) type Budgets = Box<dyn Fn() -> Budget + Send + Sync>;

impl Handle {
    /// The modes in which questions can be answered here, the usual one first.
    pub fn evaluation_modes(&self) -> Vec<&'static str> {
        let config = self.state.service.config();
        if config.registry.models.is_empty() {
            return vec![Mode::Embedded.name()];
        }
        let usual = config.settings.mode;
        let others = [Mode::Adaptive, Mode::Embedded, Mode::Single, Mode::Sot];
        let others = others.into_iter().filter(|mode| *mode != usual);
        std::iter::once(usual).chain(others).map(Mode::name).collect()
    }

    /// What a question of an evaluation is asked with, what databases mean, and who pays: the day's budget is shared with
    /// all questions of this process.
    pub fn evaluating(&self, mode: &str) -> (AskSettings, Arc<Meanings>, Budgets) {
        let config = self.state.service.config();
        let limits = &config.settings.limits;
        let modes = [Mode::Adaptive, Mode::Embedded, Mode::Single, Mode::Sot];
        let settings = AskSettings {
            mode: modes
                .into_iter()
                .find(|known| known.name() == mode)
                .unwrap_or(Mode::Embedded),
            tiers: if mode == Mode::Embedded.name() {
                vec![EMBEDDED.to_owned()]
            } else {
                Vec::new()
            },
            registry: Arc::clone(&config.registry),
            max_attempts: limits.attempts,
            min_confidence: config.settings.min_confidence,
            question_timeout: limits.question_timeout,
            optimise_from: limits.optimise_from,
            ..AskSettings::default()
        };
        let (service, meanings) = (Arc::clone(&self.state.service), Arc::clone(&config.meanings));
        let budget = move || service.own_budget(&config, &Arc::new(SessionBudget::default()));
        (settings, meanings, Box::new(budget))
    }
}
