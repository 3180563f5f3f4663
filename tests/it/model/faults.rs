//! What goes wrong at a provider, and what becomes of the call: another attempt, another endpoint, or an error.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use querent::{
    config::{ModelApi, ModelSettings},
    question::model::{ModelError, Request},
};
use serde_json::json;

use super::{
    ALL, ask, free, model,
    server::ScriptedModel,
    settings,
    turn::{Piece, Turn},
};

fn said(text: &str) -> Piece {
    Piece::event(&json!({"choices": [{"delta": {"content": text}}]}).to_string())
}

/// A failure, then a good answer.
async fn is_tried_again(api: ModelApi, failure: Turn) {
    let shown = format!("{failure:?}");
    let reply = ask(api, &free(), vec![failure, Turn::says("SELECT 1")]).await;
    let reply = reply.unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(reply.text, "SELECT 1", "{shown}");
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let mut failures = vec![
        (ModelApi::OpenAi, Turn::pieces([said("SELECT"), Piece::Cut])),
        // A clean end of the body before the end of the answer.
        (ModelApi::OpenAi, Turn::pieces([said("SELECT")])),
        (
            ModelApi::OpenAi,
            Turn::pieces([Piece::Bytes(b"data: {\"choices\": [{\"del".to_vec())]),
        ),
        (
            ModelApi::OpenAi,
            Turn::pieces([said("SELECT"), Piece::Bytes(b"data: garbage\n\n".to_vec())]),
        ),
        (
            ModelApi::OpenAi,
            Turn::body("{\"choices\": [{\"message\": {\"content\": \"SEL"),
        ),
        (
            ModelApi::OpenAi,
            Turn::events([json!({"error": {"message": "busy", "type": "server_error", "code": null}})]),
        ),
        (
            ModelApi::OpenAi,
            Turn::events([json!({"error": {"message": "busy", "code": 503}})]),
        ),
        (
            ModelApi::Anthropic,
            Turn::events([
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            ]),
        ),
    ];
    let statuses = [408, 409, 425, 429, 500, 502, 503, 504, 529];
    failures.extend(statuses.map(|status| (ModelApi::OpenAi, Turn::status(status))));
    for &api in ALL {
        failures.extend([(api, Turn::resets()), (api, Turn::pieces([Piece::Cut]))]);
    }
    join_all(
        failures
            .into_iter()
            .map(|(api, failure)| is_tried_again(api, failure)),
    )
    .await;
}

/// What is slow is no failure, as long as it goes on.
#[tokio::test]
async fn a_slow_answer_is_waited_for() {
    let pause = || Piece::Pause(Duration::from_millis(400));
    let server = ScriptedModel::start(vec![Turn::pieces([
        said("SEL"),
        pause(),
        said("ECT"),
        pause(),
        Piece::Bytes(b": still here\n\n".to_vec()),
        pause(),
        said(" 1"),
        Piece::event("[DONE]"),
    ])]);
    let settings = settings(ModelApi::OpenAi, &[&server]);
    assert_eq!(model(settings).complete(&free()).await.unwrap().text, "SELECT 1");
    server.finish();
}

/// What an attempt took that broke off is paid for too.
#[tokio::test]
async fn broken_attempts_are_counted() {
    let broken = Turn::pieces([said(&"x".repeat(400)), Piece::Cut]);
    let reply = ask(
        ModelApi::OpenAi,
        &free(),
        vec![broken, Turn::says("SELECT 1").took(10, 3)],
    )
    .await
    .unwrap();
    assert_eq!(reply.usage.completion_tokens, 103);
    assert!(reply.usage.prompt_tokens > 10);
    let nothing = Turn::status(500);
    let reply = ask(
        ModelApi::OpenAi,
        &free(),
        vec![nothing, Turn::says("SELECT 1").took(10, 3)],
    )
    .await
    .unwrap();
    assert_eq!(
        (reply.usage.prompt_tokens, reply.usage.completion_tokens),
        (10, 3)
    );
}

/// One attempt, and this error.
async fn stands(failure: Turn, good: impl Fn(&ModelError) -> bool) {
    let shown = format!("{failure:?}");
    let error = ask(ModelApi::OpenAi, &free(), vec![failure]).await.unwrap_err();
    assert!(good(&error), "{error:?} of {shown}");
}

#[tokio::test]
async fn what_will_not_pass_is_not_tried_again() {
    for status in [400, 401, 402, 403, 404, 413, 422] {
        let words = format!("scripted {status}");
        stands(Turn::status(status), |error| {
            *error
                == ModelError::Refused {
                    status,
                    message: words.clone(),
                }
        })
        .await;
    }
    let quota =
        json!({"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}});
    stands(Turn::body(quota.to_string()).with_status(429), |error| {
        matches!(error, ModelError::Refused { status: 429, .. })
    })
    .await;
    // A key follows nobody to another address.
    let elsewhere = Turn::status(307).header("location", "http://127.0.0.1:1/v1/chat/completions");
    stands(elsewhere, |error| {
        matches!(error, ModelError::Refused { status: 307, .. })
    })
    .await;
    for other in [
        "{\"hello\": \"world\"}",
        "<html><body>log in</body></html>",
        "",
        "[]",
        "nonsense",
    ] {
        stands(Turn::body(other), |error| {
            matches!(error, ModelError::Malformed(_))
        })
        .await;
    }
    stands(Turn::body("x".repeat(5 << 20)), |error| {
        matches!(error, ModelError::Malformed(_))
    })
    .await;
    let long = Turn::body("a b ".repeat(50_000)).with_status(404);
    stands(long, |error| error.to_string().chars().count() < 400).await;
}

#[tokio::test]
async fn retries_end() {
    let server = ScriptedModel::start(vec![Turn::status(500); 2]);
    let settings = ModelSettings {
        retries: 1,
        ..settings(ModelApi::OpenAi, &[&server])
    };
    let error = model(settings).complete(&free()).await.unwrap_err();
    assert_eq!(
        error,
        ModelError::Refused {
            status: 500,
            message: "scripted 500".into()
        }
    );
    server.finish();
}

#[tokio::test]
async fn a_pause_that_is_asked_for_is_kept() {
    let server = ScriptedModel::start(vec![
        Turn::status(429).retry_after(1),
        Turn::says("SELECT 1"),
        Turn::status(503).retry_after(1000),
        Turn::says("SELECT 2"),
    ]);
    let settings = settings(ModelApi::OpenAi, &[&server]);
    let patient = model(settings.clone());
    let begun = Instant::now();
    assert_eq!(patient.complete(&free()).await.unwrap().text, "SELECT 1");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    // Nobody waits beyond the deadline for nothing.
    let begun = Instant::now();
    let overloaded = ModelError::Overloaded {
        status: 503,
        retry_after: Some(Duration::from_secs(1000)),
    };
    assert_eq!(patient.complete(&free()).await.unwrap_err(), overloaded);
    assert!(begun.elapsed() < Duration::from_secs(30));
    // Another model of the same endpoint knows nothing of that.
    let hasty = model(ModelSettings {
        timeout: Duration::from_secs(20),
        ..settings
    });
    assert_eq!(hasty.complete(&free()).await.unwrap().text, "SELECT 2");
    server.finish();
}

/// An error of the server's own may be gone with the next request, however long it asks to wait.
#[tokio::test]
async fn an_error_does_not_take_the_only_endpoint_away() {
    let server = ScriptedModel::start(vec![
        Turn::status(500).retry_after(3600),
        Turn::says("SELECT 1"),
        Turn::status(500).retry_after(3600),
    ]);
    let once = ModelSettings {
        retries: 0,
        ..settings(ModelApi::OpenAi, &[&server])
    };
    let model = model(once);
    let failed = ModelError::Refused {
        status: 500,
        message: "scripted 500".into(),
    };
    assert_eq!(model.complete(&free()).await.unwrap_err(), failed);
    let begun = Instant::now();
    assert_eq!(model.complete(&free()).await.unwrap().text, "SELECT 1");
    assert_eq!(model.complete(&free()).await.unwrap_err(), failed);
    assert!(begun.elapsed() < Duration::from_secs(30));
    server.finish();
}

#[tokio::test]
async fn the_next_call_keeps_the_pause_too() {
    let server = ScriptedModel::start(vec![Turn::status(429).retry_after(50)]);
    let hasty = model(ModelSettings {
        timeout: Duration::from_secs(5),
        ..settings(ModelApi::OpenAi, &[&server])
    });
    for _ in 0..3 {
        let error = hasty.complete(&free()).await.unwrap_err();
        assert!(
            matches!(
                error,
                ModelError::Overloaded {
                    status: 429,
                    retry_after: Some(_)
                }
            ),
            "{error:?}"
        );
    }
    server.finish();
}

#[tokio::test]
async fn nobody_waits_for_one_who_wants_to_be_left_alone_for_a_day() {
    for seconds in [100_000, 1_000_000_000_000_000] {
        let server = ScriptedModel::start(vec![Turn::status(429).retry_after(seconds)]);
        let patient = model(ModelSettings {
            timeout: Duration::from_secs(300),
            ..settings(ModelApi::OpenAi, &[&server])
        });
        let begun = Instant::now();
        for _ in 0..3 {
            let error = patient.complete(&free()).await.unwrap_err();
            let ModelError::Overloaded {
                status: 429,
                retry_after: Some(asked),
            } = error
            else {
                panic!("{error:?}");
            };
            assert!(asked > Duration::from_secs(80_000), "{asked:?}");
        }
        assert!(begun.elapsed() < Duration::from_secs(30));
        server.finish();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_ends_in_time() {
    let short = Duration::from_millis(300);
    let endless = Duration::from_secs(600);
    let trickle = || Turn::pieces([said("SELECT"), Piece::Hang]);
    for (turn, first_byte_timeout, timeout) in [
        (Turn::hangs(), short, endless),
        (trickle(), short, endless),
        (Turn::hangs(), endless, short),
        (trickle(), endless, short),
    ] {
        let shown = format!("{turn:?} {first_byte_timeout:?}");
        let server = ScriptedModel::start(vec![turn]);
        let settings = ModelSettings {
            first_byte_timeout,
            timeout,
            retries: 0,
            ..settings(ModelApi::OpenAi, &[&server])
        };
        let error = model(settings).complete(&free()).await.unwrap_err();
        assert_eq!(error, ModelError::Timeout(short), "{shown}");
        server.wait_for_leaving(1);
        server.finish();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_answer_is_ended() {
    let limited = Request {
        max_tokens: Some(100),
        ..free()
    };
    let event = |event: serde_json::Value| format!("data: {event}\n\n");
    let delta = |delta: serde_json::Value| event(json!({"choices": [{"delta": delta}]}));
    for (api, piece, text) in [
        (ModelApi::OpenAi, delta(json!({"content": "word "})), true),
        (
            ModelApi::OpenAi,
            delta(json!({"reasoning_content": "word "})),
            false,
        ),
        (
            ModelApi::Anthropic,
            event(json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "word "}})),
            true,
        ),
        (
            ModelApi::Gemini,
            event(json!({"candidates": [{"content": {"parts": [{"text": "word "}]}}]})),
            true,
        ),
    ] {
        let server = ScriptedModel::start(vec![Turn::endless(piece)]);
        let reply = model(settings(api, &[&server])).complete(&limited).await.unwrap();
        assert!(reply.cut && reply.text.is_empty() != text, "{reply:?}");
        assert!(reply.usage.completion_tokens >= 100 && reply.usage.completion_tokens < 10_000);
        server.wait_for_leaving(1);
        server.finish();
    }
    for piece in [
        "data: ",
        ": still here\n\n",
        "x",
        "data: {\"choices\": []}\n\n",
        "{\"a\": [",
        "\n",
    ] {
        let server = ScriptedModel::start(vec![Turn::endless(piece.repeat(200))]);
        let error = model(settings(ModelApi::OpenAi, &[&server]))
            .complete(&limited)
            .await
            .unwrap_err();
        assert_eq!(
            error,
            ModelError::Malformed("an endless answer".into()),
            "{piece}"
        );
        server.wait_for_leaving(1);
        server.finish();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_a_call_closes_its_connection() {
    for turn in [
        Turn::hangs(),
        Turn::pieces([said("SELECT"), Piece::Hang]),
        Turn::says("too late").after(Duration::from_secs(600)),
    ] {
        let server = ScriptedModel::start(vec![turn]);
        let model = model(settings(ModelApi::OpenAi, &[&server]));
        let call = tokio::spawn(async move { model.complete(&free()).await });
        server.wait_for_requests(1);
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
        server.wait_for_leaving(1);
        server.finish();
    }
}

/// Calls of a model with two endpoints that meet these turns, and nothing is tried twice at one of them.
async fn fails_over(one: Vec<Turn>, other: Vec<Turn>, texts: &[&str]) {
    let shown = format!("{one:?} {other:?}");
    let (one, other) = (ScriptedModel::start(one), ScriptedModel::start(other));
    let model = model(ModelSettings {
        first_byte_timeout: Duration::from_secs(10),
        retries: 0,
        ..settings(ModelApi::OpenAi, &[&one, &other])
    });
    for text in texts {
        let reply = model.complete(&free()).await;
        let reply = reply.unwrap_or_else(|error| panic!("{error}: {shown}"));
        assert_eq!(reply.text, *text, "{shown}");
    }
    one.finish();
    other.finish();
}

#[tokio::test]
async fn endpoints_take_turns_and_stand_in_for_each_other() {
    let says = |text: &str| Turn::says(text);
    fails_over(
        vec![says("a"), says("c")],
        vec![says("b"), says("d")],
        &["a", "b", "c", "d"],
    )
    .await;
    // The one that failed rests for as long as it asked.
    let rests = Turn::status(503).retry_after(500);
    fails_over(
        vec![rests],
        vec![says("a"), says("b"), says("c")],
        &["a", "b", "c"],
    )
    .await;
    let failures = [
        Turn::status(401),
        Turn::status(404),
        Turn::status(500),
        Turn::resets(),
        Turn::hangs(),
        Turn::body("<html>"),
    ];
    join_all(failures.map(|failure| fails_over(vec![failure], vec![says("a")], &["a"]))).await;
}

#[tokio::test]
async fn endpoints_that_all_fail_are_tried_again() {
    let one = ScriptedModel::start(vec![Turn::status(500), Turn::status(502)]);
    let other = ScriptedModel::start(vec![Turn::status(500), Turn::says("SELECT 1")]);
    let model = model(settings(ModelApi::OpenAi, &[&one, &other]));
    assert_eq!(model.complete(&free()).await.unwrap().text, "SELECT 1");
    one.finish();
    other.finish();
}

#[tokio::test]
async fn nobody_there_is_an_error_that_says_so() {
    let gone = ScriptedModel::start(vec![]);
    let settings = ModelSettings {
        retries: 0,
        ..settings(ModelApi::OpenAi, &[&gone])
    };
    gone.finish();
    let error = model(settings.clone())
        .complete(&free())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("unreachable: ") && error.contains("refused"),
        "{error}"
    );
    // And a second endpoint that is there.
    let there = ScriptedModel::start(vec![Turn::says("SELECT 1")]);
    let mut both = settings;
    both.base_urls.push(there.url());
    assert_eq!(model(both).complete(&free()).await.unwrap().text, "SELECT 1");
    there.finish();
}
