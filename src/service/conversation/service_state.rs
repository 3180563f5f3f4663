//! What questions are answered with: the settings and the models as they are now, which a reload replaces together,
//! and what outlives a reload.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use super::{Answers, ConversationError, Feed, Lessons};
use crate::{
    config,
    question::{
        ask::{AskSettings, EMBEDDED, ModelRegistry, Skills},
        model::{Budget, BudgetLimits, DailySpend, SessionBudget, Spent},
        ossie::Meanings,
        schema::Snapshot,
    },
    service::{
        access::{Access, AccessError, Asker},
        audit::Audit,
    },
    statement::{self, Control, Mode, Setting},
    telemetry::Traces,
};

/// The settings and what follows from them, at one moment. Whoever works with them keeps them to the end.
#[derive(Debug, Clone)]
pub struct ConfigSnapshot {
    /// The configuration.
    pub settings: Arc<config::Settings>,
    /// Who answers.
    pub registry: Arc<ModelRegistry>,
    /// What databases mean.
    pub meanings: Arc<Meanings>,
    /// How good authors have turned out to be; a reload leaves it.
    pub skills: Arc<Skills>,
    /// What corrections teach; a reload leaves it.
    pub lessons: Arc<Lessons>,
    /// Who may ask what.
    pub access: Arc<Access>,
    /// Counts reloads: what was answered before one does not count after it.
    pub generation: u64,
    /// Counts changes of who may ask what: what was prepared before one does not run after it.
    pub policy: u64,
}

/// What all sessions of a server answer questions with.
#[derive(Debug)]
pub struct ServiceState {
    config: RwLock<ConfigSnapshot>,
    /// Answers that were found before.
    pub answers: Answers,
    /// Where the agents' runs are told of.
    pub traces: Traces,
    /// Where questions are recorded.
    pub audit: Arc<Audit>,
    /// Where questions are watched.
    pub feed: Feed,
    /// What models have cost.
    daily_spend: Arc<DailySpend>,
    /// Sessions that somebody is teaching on who may.
    teaching: Mutex<BTreeSet<u64>>,
}

impl ServiceState {
    /// These settings, and who answers by them.
    pub fn new(
        settings: config::Settings,
        registry: Arc<ModelRegistry>,
        meanings: Arc<Meanings>,
        traces: Traces,
        audit: Audit,
        lessons: Lessons,
    ) -> Self {
        let config = ConfigSnapshot {
            access: Arc::new(Access::new(&settings)),
            settings: Arc::new(settings),
            registry,
            meanings,
            skills: Arc::default(),
            lessons: Arc::new(lessons),
            generation: 0,
            policy: 0,
        };
        Self {
            config: RwLock::new(config),
            answers: Answers::default(),
            traces,
            audit: Arc::new(audit),
            feed: Feed::default(),
            daily_spend: Arc::default(),
            teaching: Mutex::default(),
        }
    }

    /// What is said of answers on a session counts for everybody, as long as what comes back is kept.
    pub fn teaching(&self, session: u64) -> Teaching<'_> {
        self.teachers().insert(session);
        Teaching {
            service: self,
            session,
        }
    }

    /// Whether it does.
    pub fn teaches_here(&self, session: u64) -> bool {
        self.teachers().contains(&session)
    }

    fn teachers(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.teaching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was spent today on each model that was called, by its name.
    pub fn spent_by_model(&self) -> BTreeMap<String, Spent> {
        self.daily_spend.by_model()
    }

    /// What a session's next question may spend, by the limits of this moment.
    pub fn budget(&self, config: &ConfigSnapshot, session: &Arc<SessionBudget>) -> Arc<Budget> {
        Arc::new(self.own_budget(config, session))
    }

    /// The same for whoever keeps it alone.
    pub fn own_budget(&self, config: &ConfigSnapshot, session: &Arc<SessionBudget>) -> Budget {
        let limits = BudgetLimits::from(&config.settings.limits);
        Budget::new(&limits, Arc::clone(session), Arc::clone(&self.daily_spend))
    }

    /// Settings and models as they are now.
    pub fn config(&self) -> ConfigSnapshot {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<config::Settings> {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&config.settings)
    }

    /// Fails for what was prepared while others might ask other things ([`ConfigSnapshot::policy`]).
    pub fn check_prepared(&self, policy: u64) -> Result<(), ConversationError> {
        if policy == self.config().policy {
            Ok(())
        } else {
            Err(ConversationError::Outdated)
        }
    }

    /// Fails for what was found while others might ask other things.
    pub fn check_answered(&self, policy: u64) -> Result<(), ConversationError> {
        self.check_prepared(policy)
            .map_err(|_| ConversationError::Overtaken)
    }

    /// Others from now on. Questions that are being worked on keep theirs, and have no answer where another policy came.
    pub fn replace(&self, settings: config::Settings, registry: Arc<ModelRegistry>) {
        let mut config = self.config.write().unwrap_or_else(PoisonError::into_inner);
        let same = config.settings.has_policy_of(&settings);
        *config = ConfigSnapshot {
            policy: config.policy + u64::from(!same),
            access: Arc::new(Access::new(&settings)),
            settings: Arc::new(settings),
            registry,
            meanings: Arc::clone(&config.meanings),
            skills: Arc::clone(&config.skills),
            lessons: Arc::clone(&config.lessons),
            generation: config.generation + 1,
        };
        self.traces.reopen();
    }

    /// Other semantic models from now on. What was answered with others before does not count any more.
    pub fn understand(&self, meanings: Arc<Meanings>) {
        let mut config = self.config.write().unwrap_or_else(PoisonError::into_inner);
        config.meanings = meanings;
        config.generation += 1;
    }
}

/// Somebody who may teaches on a session.
#[derive(Debug)]
pub struct Teaching<'s> {
    service: &'s ServiceState,
    session: u64,
}

impl Drop for Teaching<'_> {
    fn drop(&mut self) {
        self.service.teachers().remove(&self.session);
    }
}

impl ConfigSnapshot {
    /// The database as this user's questions may see it; an error where nothing may be asked.
    pub fn view(&self, asker: &Asker, snapshot: &Snapshot) -> Result<Snapshot, AccessError> {
        if !self.settings.questions {
            return Err(AccessError::Off);
        }
        self.access.may_ask(asker)?;
        self.access.view(asker, snapshot)
    }

    /// What a session's settings are to begin with.
    pub fn session_settings(&self) -> statement::Settings {
        let configured = &self.settings;
        statement::Settings {
            mode: configured.mode,
            dialect: configured.sqlite.dialect,
            // Not by name, so that a reload that takes one away stops nobody.
            tiers: Vec::new(),
            min_confidence: configured.min_confidence,
            row_limit: configured.limits.rows.unwrap_or(0),
            statement_timeout: configured.limits.statement_timeout,
            most: statement::Most {
                rows: configured.limits.rows.unwrap_or(0),
                time: configured.limits.statement_timeout,
            },
            notices: configured.notices,
        }
    }

    /// A setting of a session, as SHOW tells it.
    pub fn show(&self, own: &statement::Settings, name: &str) -> Option<String> {
        if name == "tiers" && own.tiers.is_empty() {
            return Some(self.tiers().join(", "));
        }
        own.show(name)
    }

    /// What a question about a database is asked with in a session of these settings, or why it cannot be asked.
    pub fn ask_settings(
        &self,
        own: &statement::Settings,
        budget: Arc<Budget>,
        database: &str,
    ) -> Result<AskSettings, ConversationError> {
        self.check_tiers(&own.tiers)?;
        self.check_mode(own)?;
        let limits = &self.settings.limits;
        Ok(AskSettings {
            user: String::new(),
            hint: None,
            registry: Arc::clone(&self.registry),
            meaning: self.meanings.of_database(database),
            skills: Arc::clone(&self.skills),
            learned: self.lessons.of_database(database),
            database: database.to_owned(),
            mode: own.mode,
            tiers: own.tiers.clone(),
            budget,
            max_attempts: limits.attempts,
            min_confidence: own.min_confidence,
            question_timeout: limits.question_timeout,
            optimise_from: limits.optimise_from,
            progress: None,
        })
    }

    /// Whether a setting may be set so.
    pub fn check_control(&self, control: &Control) -> Result<(), ConversationError> {
        match control {
            Control::Set {
                setting: Setting::Tiers(tiers),
                ..
            } => self.check_tiers(tiers),
            _ => Ok(()),
        }
    }

    /// Whether there are these tiers.
    pub fn check_tiers(&self, tiers: &[String]) -> Result<(), ConversationError> {
        let unknown = |tier: &&String| *tier != EMBEDDED && !self.registry.models.has(tier);
        match tiers.iter().find(unknown) {
            None => Ok(()),
            Some(tier) => Err(ConversationError::UnknownTier {
                tier: tier.clone(),
                known: self.known_tiers(),
            }),
        }
    }

    /// Modes that are made of calls of models need one among their tiers.
    fn check_mode(&self, own: &statement::Settings) -> Result<(), ConversationError> {
        if !matches!(own.mode, Mode::Single | Mode::Sot) {
            return Ok(());
        }
        let tiers = match own.tiers.as_slice() {
            [] => self.tiers(),
            tiers => tiers.to_vec(),
        };
        let has_model = tiers.iter().any(|tier| tier != EMBEDDED);
        if has_model {
            return Ok(());
        }
        Err(ConversationError::NoModel {
            mode: own.mode.name(),
            configured: !self.registry.models.is_empty(),
        })
    }

    /// The tiers of a session that names none.
    fn tiers(&self) -> Vec<String> {
        match self.registry.tiers.as_slice() {
            [] => self.known_tiers(),
            tiers => tiers.to_vec(),
        }
    }

    /// All that can be named as a tier.
    fn known_tiers(&self) -> Vec<String> {
        let models = self.registry.models.names().map(str::to_owned);
        std::iter::once(EMBEDDED.to_owned()).chain(models).collect()
    }
}
