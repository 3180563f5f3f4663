//! What an evaluation in this process asks with: the models, limits and budgets of the server's own questions.

use std::sync::Arc;

use super::Handle;
use crate::{
    question::{
        ask::{AskSettings, EMBEDDED},
        model::{Purse, SessionPurse},
        ossie::Meanings,
    },
    statement::Mode,
};

/// Makes the purse of a question.
pub(super) type Purses = Box<dyn Fn() -> Purse + Send + Sync>;

impl Handle {
    /// The modes in which questions can be answered here, the usual one first.
    pub fn evaluation_modes(&self) -> Vec<&'static str> {
        let now = self.state.live.now();
        if now.minds.models.is_empty() {
            return vec![Mode::Embedded.name()];
        }
        let usual = now.settings.mode;
        let others = [Mode::Adaptive, Mode::Embedded, Mode::Single, Mode::Sot];
        let others = others.into_iter().filter(|mode| *mode != usual);
        std::iter::once(usual).chain(others).map(Mode::name).collect()
    }

    /// What a question of an evaluation is asked with, what databases mean, and who pays: the day's budget is shared with
    /// all questions of this process.
    pub fn evaluating(&self, mode: &str) -> (AskSettings, Arc<Meanings>, Purses) {
        let now = self.state.live.now();
        let limits = &now.settings.limits;
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
            minds: Arc::clone(&now.minds),
            max_attempts: limits.attempts,
            min_confidence: now.settings.min_confidence,
            question_timeout: limits.question_timeout,
            optimise_from: limits.optimise_from,
            ..AskSettings::default()
        };
        let (live, meanings) = (Arc::clone(&self.state.live), Arc::clone(&now.meanings));
        let purse = move || live.own_purse(&now, &Arc::new(SessionPurse::default()));
        (settings, meanings, Box::new(purse))
    }
}
