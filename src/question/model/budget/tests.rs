//! Which limit refuses what, what calls are counted as, and that a day ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;

use super::*;
use crate::question::model::Models;

/// A model that does what its name says. It reads 100 tokens and writes 50, at 1 and 10 dollars per million.
#[derive(Debug)]
struct Doing(&'static str);

#[async_trait]
impl Model for Doing {
    fn name(&self) -> &'static str {
        self.0
    }

    fn price(&self, usage: Usage) -> f64 {
        (usage.prompt_tokens as f64 + 10.0 * usage.completion_tokens as f64) / 1e6
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        match self.0 {
            "answers" => Ok(Reply {
                text: format!("{:?}", request.max_tokens),
                usage: Usage {
                    prompt_tokens: 100,
                    completion_tokens: 50,
                },
                cut: false,
                elapsed: Duration::ZERO,
            }),
            "stumbles" | "babbles" => Err(ModelError::Malformed("endless".into())),
            "declines" => Err(ModelError::Declined("no".into())),
            "is away" => Err(ModelError::Unreachable("nobody there".into())),
            "sleeps" => Err(ModelError::Timeout(Duration::ZERO)),
            _ => std::future::pending().await,
        }
    }

    async fn complete_counted(&self, request: &Request) -> (Result<Reply, ModelError>, Option<Usage>) {
        let counted = match self.0 {
            "stumbles" | "sleeps" => Some(Usage {
                prompt_tokens: 30,
                completion_tokens: 40,
            }),
            _ => None,
        };
        (self.complete(request).await, counted)
    }
}

/// 400 characters, which are about 100 tokens.
fn request() -> Request {
    Request {
        agent: "sql",
        system: "s".repeat(300),
        user: "u".repeat(100),
        output: None,
        names: Vec::new(),
        temperature: 0.0,
        max_tokens: Some(200),
    }
}

fn models() -> Models {
    let names = [
        "answers", "babbles", "declines", "is away", "sleeps", "stumbles", "waits",
    ];
    Models::of(names.into_iter().map(|name| Arc::new(Doing(name)) as _).collect())
}

fn budget(limits: BudgetLimits) -> Budget {
    Budget::new(&limits, Arc::default(), Arc::default())
}

async fn call(budget: &Budget, model: &str) -> Result<String, String> {
    let reply = models().call(model, &request(), budget).await;
    reply.map(|reply| reply.text).map_err(|error| error.to_string())
}

#[tokio::test]
async fn each_limit_refuses_by_name() {
    let none = BudgetLimits::default();
    let check = async |limits: BudgetLimits, calls: usize, told: &str| {
        let budget = budget(limits);
        for number in 0..calls {
            assert!(call(&budget, "answers").await.is_ok(), "{limits:?} {number}");
        }
        let error = call(&budget, "answers").await.unwrap_err();
        assert!(
            error.starts_with(&format!("budget spent: limits.{told}")),
            "{error}"
        );
        // What was refused was not spent.
        assert_eq!(budget.spent().calls, calls as u64);
        assert_eq!(budget.daily_spend.spent_today(), budget.spent());
        assert_eq!(budget.session.spent(), budget.spent());
    };
    let calls = BudgetLimits {
        calls: Some(2),
        ..none
    };
    check(calls, 2, "model_calls allows 2 calls for a question").await;
    let tokens = BudgetLimits {
        tokens: Some(400),
        ..none
    };
    check(
        tokens,
        2,
        "tokens allows 400 tokens for a question, 300 are spent, and this call would read 100",
    )
    .await;
    let session = BudgetLimits {
        tokens_per_session: Some(131),
        ..none
    };
    check(
        session,
        0,
        "tokens_per_session allows 131 tokens for a session, 0 are spent",
    )
    .await;
    // A call takes 100 and 500 millionths, and may take 100 and 2000.
    let spend = BudgetLimits {
        spend_per_day: Some(0.0028),
        ..none
    };
    check(
        spend,
        2,
        "spend_per_day allows 0.0028 US dollars a day (UTC), 0.0012 are spent, and this call may take 0.0021",
    )
    .await;
}

#[tokio::test]
async fn an_answer_is_no_longer_than_what_is_left() {
    for (tokens, asked) in [
        (None, "Some(200)"),
        (Some(1000), "Some(200)"),
        (Some(240), "Some(140)"),
    ] {
        let budget = budget(BudgetLimits {
            tokens,
            ..BudgetLimits::default()
        });
        assert_eq!(call(&budget, "answers").await.as_deref(), Ok(asked), "{tokens:?}");
    }
}

#[tokio::test]
async fn calls_that_fail_count_as_far_as_they_came() {
    for (model, prompt_tokens, completion_tokens) in [
        ("answers", 100, 50),
        ("babbles", 100, 200),
        ("declines", 100, 0),
        ("is away", 0, 0),
        ("waits", 100, 0),
        // These count what they take.
        ("stumbles", 30, 40),
        ("sleeps", 100, 40),
    ] {
        let budget = budget(BudgetLimits::default());
        let patience = Duration::from_millis(20);
        let _ = tokio::time::timeout(patience, call(&budget, model)).await;
        let spent = budget.spent();
        assert_eq!(
            (spent.calls, spent.usage),
            (
                1,
                Usage {
                    prompt_tokens,
                    completion_tokens
                }
            ),
            "{model}"
        );
        assert!(
            (spent.cost - Doing(model).price(spent.usage)).abs() < 1e-12,
            "{model}"
        );
    }
}

#[tokio::test]
async fn running_calls_are_set_aside() {
    let limits = BudgetLimits {
        tokens_per_session: Some(500),
        spend_per_day: Some(0.0025),
        ..BudgetLimits::default()
    };
    let (session, daily_spend) = (Arc::default(), Arc::default());
    let one = Budget::new(&limits, Arc::clone(&session), Arc::clone(&daily_spend));
    let other = Budget::new(&limits, session, Arc::clone(&daily_spend));
    let elsewhere = Budget::new(&limits, Arc::default(), daily_spend);
    let mut running = Box::pin(call(&one, "waits"));
    assert!(futures_util::poll!(&mut running).is_pending());
    let told = call(&other, "answers").await.unwrap_err();
    assert!(told.contains("spend_per_day"), "{told}");
    let told = call(&elsewhere, "answers").await.unwrap_err();
    assert!(told.contains("spend_per_day"), "{told}");
    // What it did not take is free again.
    drop(running);
    assert_eq!(call(&other, "answers").await.as_deref(), Ok("Some(200)"));
}

static NOW: AtomicU64 = AtomicU64::new(0);

#[test]
fn no_count_of_a_providers_is_too_large() {
    let usage = Usage {
        prompt_tokens: u64::MAX,
        completion_tokens: u64::MAX,
    };
    let mut spent = Spent::default();
    spent.add(usage, 0.0);
    spent.add(usage, 0.0);
    assert_eq!((spent.usage, spent.usage.total()), (usage, u64::MAX));
}

#[tokio::test]
async fn a_day_ends_at_midnight() {
    let noon = 86_400 * 20_000 + 43_200;
    NOW.store(noon, Ordering::SeqCst);
    let clock = || -> SystemTime { UNIX_EPOCH + Duration::from_secs(NOW.load(Ordering::SeqCst)) };
    let daily_spend = Arc::new(DailySpend::by(clock));
    let limits = BudgetLimits {
        spend_per_day: Some(0.0022),
        ..BudgetLimits::default()
    };
    let budget = Budget::new(&limits, Arc::default(), Arc::clone(&daily_spend));
    assert!(call(&budget, "answers").await.is_ok());
    assert!(call(&budget, "answers").await.is_err());
    assert_eq!(daily_spend.by_model()["answers"].calls, 1);
    NOW.store(noon + 43_199, Ordering::SeqCst);
    assert!(call(&budget, "answers").await.is_err());
    NOW.store(noon + 43_200, Ordering::SeqCst);
    assert!(call(&budget, "answers").await.is_ok());
    assert_eq!((budget.spent().calls, daily_spend.spent_today().calls), (2, 1));
}
