//! What a question may spend on models, and what it, its session and the whole process have spent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{DailySpend, Model, ModelError, Reply, Request, Usage, providers::estimated_prompt};
use crate::{config, telemetry::metrics};

/// Tokens of an answer that are set aside while a call runs whose request names no limit.
const ANSWER: u64 = 1_024;
/// Tokens that every model can be asked for; a request that names no limit is given none beyond it.
const LONG_ANSWER: u64 = 4_096;
/// The fewest tokens of an answer that a call is worth.
const SHORTEST_ANSWER: u64 = 32;

/// What was spent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Calls of models.
    pub calls: u64,
    /// Tokens.
    pub usage: Usage,
    /// US dollars.
    pub cost: f64,
}

impl Spent {
    pub(super) fn add(&mut self, usage: Usage, cost: f64) {
        self.usage.add(usage);
        self.cost += cost;
    }
}

/// How much may be spent; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetLimits {
    /// Calls for one question.
    pub calls: Option<u64>,
    /// Tokens for one question, read and written.
    pub tokens: Option<u64>,
    /// Tokens for one session, read and written.
    pub tokens_per_session: Option<u64>,
    /// US dollars in a day (UTC) for everybody.
    pub spend_per_day: Option<f64>,
}

impl From<&config::Limits> for BudgetLimits {
    fn from(limits: &config::Limits) -> Self {
        Self {
            calls: limits.model_calls,
            tokens: limits.tokens,
            tokens_per_session: limits.tokens_per_session,
            spend_per_day: limits.spend_per_day,
        }
    }
}

/// What one question may spend. Shared by everything that works on it.
#[derive(Debug, Default)]
pub struct Budget {
    limits: BudgetLimits,
    account: Mutex<Account>,
    session: Arc<SessionBudget>,
    daily_spend: Arc<DailySpend>,
}

/// What the questions of one session have spent.
#[derive(Debug, Default)]
pub struct SessionBudget(Mutex<Account>);

/// What was spent, and what running calls may add to it.
#[derive(Debug, Default)]
struct Account {
    spent: Spent,
    reserved: u64,
}

impl Account {
    fn settle(&mut self, reserved: u64, usage: Usage, cost: f64) {
        self.reserved = self.reserved.saturating_sub(reserved);
        self.spent.add(usage, cost);
    }
}

fn lock(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SessionBudget {
    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        lock(&self.0).spent
    }
}

impl Budget {
    /// The budget of a question: of this session, and of the process whose daily spend is counted.
    pub fn new(limits: &BudgetLimits, session: Arc<SessionBudget>, daily_spend: Arc<DailySpend>) -> Self {
        Self {
            limits: *limits,
            account: Mutex::default(),
            session,
            daily_spend,
        }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        lock(&self.account).spent
    }

    /// Sets aside what a call may take, or says which limit is in the way.
    pub(super) fn reserve<'a>(
        &'a self,
        model: &'a dyn Model,
        request: &Request,
    ) -> Result<Reservation<'a>, ModelError> {
        let limits = &self.limits;
        let prompt = estimated_prompt(request);
        // Always locked in this order.
        let (mut own, mut session, mut day) = (
            lock(&self.account),
            lock(&self.session.0),
            self.daily_spend.today(),
        );
        if let Some(calls) = limits.calls.filter(|calls| own.spent.calls >= *calls) {
            return Err(refusal("model_calls", &format!("{calls} calls for a question")));
        }
        let wanted = request.max_tokens.unwrap_or(u64::MAX);
        let mut answer = wanted;
        for (name, whom, account, limit) in [
            ("tokens", "question", &*own, limits.tokens),
            (
                "tokens_per_session",
                "session",
                &*session,
                limits.tokens_per_session,
            ),
        ] {
            let Some(limit) = limit else {
                continue;
            };
            let used = account.spent.usage.total().saturating_add(account.reserved);
            let left = limit.saturating_sub(used).saturating_sub(prompt);
            if left < SHORTEST_ANSWER.min(wanted) {
                let allowed = format!(
                    "{limit} tokens for a {whom}, {used} are spent, and this call would read {prompt} more"
                );
                return Err(refusal(name, &allowed));
            }
            answer = answer.min(left);
        }
        let reserved = Usage {
            prompt_tokens: prompt,
            completion_tokens: answer.min(request.max_tokens.unwrap_or(ANSWER)),
        };
        let cost = model.price(reserved);
        if let Some(limit) = limits.spend_per_day
            && cost > 0.0
            && day.spent.cost + day.reserved + cost > limit
        {
            let spent = day.spent.cost;
            return Err(refusal(
                "spend_per_day",
                &format!(
                    "{limit} US dollars a day (UTC), {spent:.4} are spent, and this call may take {cost:.4}"
                ),
            ));
        }
        own.spent.calls += 1;
        own.reserved = own.reserved.saturating_add(reserved.total());
        session.spent.calls += 1;
        session.reserved = session.reserved.saturating_add(reserved.total());
        day.begin(model.name(), cost);
        Ok(Reservation {
            budget: self,
            model,
            reserved,
            cost,
            max_tokens: request
                .max_tokens
                .map(|wanted| wanted.min(answer))
                .or(Some(answer).filter(|answer| *answer <= LONG_ANSWER)),
            settled: false,
        })
    }
}

/// What a running call may take. Dropped before it is settled, as the call was, it counts as what the call read.
pub(super) struct Reservation<'a> {
    budget: &'a Budget,
    model: &'a dyn Model,
    reserved: Usage,
    /// US dollars, for what is reserved.
    cost: f64,
    /// What the request may ask for.
    pub(super) max_tokens: Option<u64>,
    settled: bool,
}

impl Reservation<'_> {
    /// Notes what the call took, as the model counted it, or as far as its outcome tells.
    pub(super) fn settle(mut self, outcome: &Result<Reply, ModelError>, counted: Option<Usage>) {
        let usage = match (outcome, counted) {
            (Ok(reply), _) => reply.usage,
            (Err(error), None) => self.taken_by(error),
            // The request that was given up is not in the count.
            (Err(ModelError::Timeout(_)), Some(counted)) => more(counted, self.read()),
            (Err(_), Some(counted)) => counted,
        };
        self.note(usage);
    }

    /// What a call takes that fails so.
    fn taken_by(&self, error: &ModelError) -> Usage {
        match error {
            // What it wrote may have been as much as it was allowed.
            ModelError::Malformed(_) => self.reserved,
            ModelError::Timeout(_) | ModelError::Declined(_) => self.read(),
            ModelError::Unreachable(_)
            | ModelError::Refused { .. }
            | ModelError::Overloaded { .. }
            | ModelError::Budget(_)
            | ModelError::Unknown => Usage::default(),
        }
    }

    fn read(&self) -> Usage {
        Usage {
            completion_tokens: 0,
            ..self.reserved
        }
    }

    fn note(&mut self, usage: Usage) {
        self.settled = true;
        let (reserved, cost) = (self.reserved.total(), self.model.price(usage));
        let (read, written) = (usage.prompt_tokens, usage.completion_tokens);
        metrics::model_spent(self.model.name(), read, written, cost);
        lock(&self.budget.account).settle(reserved, usage, cost);
        lock(&self.budget.session.0).settle(reserved, usage, cost);
        let mut day = self.budget.daily_spend.today();
        day.settle(self.model.name(), self.cost, (usage, cost));
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.note(self.read());
        }
    }
}

/// The larger of each.
fn more(one: Usage, other: Usage) -> Usage {
    Usage {
        prompt_tokens: one.prompt_tokens.max(other.prompt_tokens),
        completion_tokens: one.completion_tokens.max(other.completion_tokens),
    }
}

fn refusal(limit: &str, allowed: &str) -> ModelError {
    ModelError::Budget(format!("limits.{limit} allows {allowed}"))
}

#[cfg(test)]
mod tests;
