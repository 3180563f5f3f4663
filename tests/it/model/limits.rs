//! How many requests and tokens go to a model, at once and in a minute.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use querent::{
    config::{ModelApi, ModelSettings},
    question::model::{Request, SharedModel},
};

use super::{free, model, server::ScriptedModel, settings, turn::Turn};

/// Asks so often at once; every question gets its own answer.
async fn ask_at_once(model: &SharedModel, count: usize) {
    let calls = (0..count).map(|at| {
        let model = Arc::clone(model);
        tokio::spawn(async move {
            let request = Request {
                user: format!("<{at}>"),
                ..free()
            };
            assert_eq!(
                model.complete(&request).await.unwrap().text,
                format!("SELECT <{at}>")
            );
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
}

/// A server that answers every question with itself.
fn echo(delay: Duration) -> ScriptedModel {
    ScriptedModel::answering(move |seen| {
        let question = seen.body["messages"][1]["content"].as_str().unwrap();
        Turn::says(format!("SELECT {question}")).after(delay)
    })
}

#[tokio::test]
async fn no_more_are_in_flight_than_is_configured() {
    let server = echo(Duration::from_millis(50));
    let settings = ModelSettings {
        concurrency: 3,
        ..settings(ModelApi::OpenAi, &[&server])
    };
    ask_at_once(&model(settings), 20).await;
    assert_eq!(server.requests().len(), 20);
    assert_eq!(server.most_at_once(), 3);
    server.finish();
}

#[tokio::test]
async fn two_hundred_are_in_flight_at_once() {
    let server = echo(Duration::from_secs(2));
    let settings = ModelSettings {
        concurrency: 200,
        ..settings(ModelApi::OpenAi, &[&server])
    };
    ask_at_once(&model(settings), 200).await;
    assert_eq!(server.requests().len(), 200);
    assert!(server.most_at_once() > 3);
    server.finish();
}

/// Answers find their questions in whatever order these come.
#[tokio::test]
async fn answers_may_belong_to_questions() {
    let answer = |at: usize| Turn::says(format!("SELECT <{at}>")).when(&format!("<{at}>"));
    let server = ScriptedModel::start((0..10).rev().map(answer).collect());
    ask_at_once(&model(settings(ModelApi::OpenAi, &[&server])), 10).await;
    server.finish();
}

/// A call that waits for its turn gives the turn back when it is dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_call_leaves_its_place() {
    let server = ScriptedModel::start(vec![Turn::hangs(), Turn::says("SELECT 1")]);
    let model = model(ModelSettings {
        concurrency: 1,
        ..settings(ModelApi::OpenAi, &[&server])
    });
    let ask = |model: &SharedModel| {
        let model = Arc::clone(model);
        tokio::spawn(async move { model.complete(&free()).await })
    };
    let first = ask(&model);
    server.wait_for_requests(1);
    let (second, third) = (ask(&model), ask(&model));
    second.abort();
    first.abort();
    assert_eq!(third.await.unwrap().unwrap().text, "SELECT 1");
    server.finish();
}

#[tokio::test]
async fn a_minute_allows_so_many() {
    for (requests_per_minute, tokens_per_minute, count) in [(Some(120), None, 14), (None, Some(60_000), 2)] {
        let server = ScriptedModel::answering(|_| Turn::says("SELECT 1").took(100, 30_900));
        let model = model(ModelSettings {
            requests_per_minute,
            tokens_per_minute,
            ..settings(ModelApi::OpenAi, &[&server])
        });
        let begun = Instant::now();
        for _ in 0..count {
            model.complete(&free()).await.unwrap();
        }
        // A tenth of the requests or a half of the tokens may go at once; the rest comes with time.
        let elapsed = begun.elapsed();
        assert!(elapsed > Duration::from_millis(700), "{elapsed:?}");
        server.finish();
    }
}

#[test]
fn limits_that_let_nothing_through_are_refused() {
    let settings = |change: fn(&mut ModelSettings)| {
        let mut settings = ModelSettings::new("tested", ModelApi::OpenAi, "m");
        change(&mut settings);
        querent::question::model::connect(settings)
            .unwrap_err()
            .to_string()
    };
    for (error, setting) in [
        (settings(|settings| settings.concurrency = 0), "concurrency"),
        (
            settings(|settings| settings.requests_per_minute = Some(0)),
            "requests_per_minute",
        ),
        (
            settings(|settings| settings.tokens_per_minute = Some(0)),
            "tokens_per_minute",
        ),
    ] {
        assert_eq!(error, format!("model tested: {setting} must be 1 or more"));
    }
}
