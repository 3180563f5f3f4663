//! What is written down, what is played, and what is asked again.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::question::model::OutputSchema;

/// A model with a list of what it says; past its end it is not reached.
#[derive(Debug)]
struct Scripted(Mutex<VecDeque<Outcome>>);

impl Scripted {
    fn saying(outcomes: impl IntoIterator<Item = Outcome>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(outcomes.into_iter().collect())))
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &'static str {
        "small"
    }

    fn price(&self, usage: Usage) -> f64 {
        usage.prompt_tokens as f64
    }

    async fn complete(&self, _: &Request) -> Outcome {
        let next = self.0.lock().unwrap().pop_front();
        next.unwrap_or_else(|| Err(ModelError::Unreachable("nothing left to say".into())))
    }
}

#[allow(clippy::unnecessary_wraps, reason = "it stands beside errors")]
fn says(text: &str) -> Outcome {
    Ok(Reply {
        text: text.to_owned(),
        usage: Usage {
            prompt_tokens: 7,
            completion_tokens: 3,
        },
        cut: false,
        elapsed: Duration::from_millis(1_234),
    })
}

fn request(user: &str, temperature: f32) -> Request {
    Request {
        agent: "sql",
        system: "Answer in SQL.".into(),
        user: user.to_owned(),
        output: None,
        names: Vec::new(),
        temperature,
        max_tokens: None,
    }
}

/// Asks one after the other, and tells the texts or errors.
async fn ask(model: &dyn Model, questions: &[(&str, f32)]) -> String {
    let mut told = Vec::new();
    for (user, temperature) in questions {
        let outcome = model.complete(&request(user, *temperature)).await;
        told.push(match outcome {
            Ok(reply) => reply.text,
            Err(error) => error.to_string(),
        });
    }
    told.join(", ")
}

fn cassette_model(model: &Arc<Scripted>, record: Option<&Path>, replay: Option<&Path>) -> CassetteModel {
    let cassette = Cassette::open(record, replay).unwrap().unwrap();
    CassetteModel::around(Arc::clone(model) as SharedModel, cassette)
}

fn played(path: &Path) -> CassetteModel {
    CassetteModel::of_name(
        "small",
        (1e6, 0.0),
        Cassette::open(None, Some(path)).unwrap().unwrap(),
    )
}

#[tokio::test]
async fn what_was_recorded_is_played_without_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let timeout = ModelError::Timeout(Duration::from_secs(3));
    let model = Scripted::saying([
        says("one"),
        says("two"),
        Err(timeout),
        says("hot"),
        says("hotter"),
    ]);
    let recording = cassette_model(&model, Some(&file), None);
    let questions = [("a", 0.0), ("b", 0.0), ("c", 0.0), ("a", 0.5), ("a", 0.5)];
    let told = ask(&recording, &questions).await;
    assert_eq!(told, "one, two, no answer within 3 s, hot, hotter");

    let playing = played(&file);
    assert_eq!(ask(&playing, &questions).await, told);
    // In any order, and again; of several answers the last one stays.
    assert_eq!(
        ask(&playing, &[("b", 0.0), ("a", 0.0), ("b", 0.0)]).await,
        "two, one, two"
    );
    assert_eq!(ask(&playing, &[("a", 0.5), ("a", 0.5)]).await, "hotter, hotter");
    let reply = playing.complete(&request("a", 0.0)).await;
    assert_eq!(reply, says("one"));
    assert!((playing.price(reply.unwrap().usage) - 7.0).abs() < 1e-9);

    let unknown = ask(&playing, &[("z", 0.0), ("a", 0.25)]).await;
    assert_eq!(
        unknown
            .matches("unreachable: this call is not among those recorded in")
            .count(),
        2,
        "{unknown}"
    );
    assert!(unknown.contains("calls.jsonl"), "{unknown}");
}

#[tokio::test]
async fn a_recording_goes_on_where_it_broke_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    std::fs::write(&file, "").unwrap();
    let model = Scripted::saying([says("one"), Err(ModelError::Unreachable("gone".into()))]);
    let told = ask(
        &cassette_model(&model, Some(&file), Some(&file)),
        &[("a", 0.0), ("b", 0.0), ("a", 0.0)],
    )
    .await;
    assert_eq!(told, "one, unreachable: gone, one");
    // As if the process had been killed in the middle of a line.
    let mut text = std::fs::read_to_string(&file).unwrap();
    text.push_str("{\"key\": \"12");
    std::fs::write(&file, text).unwrap();

    let model = Scripted::saying([says("two"), says("three")]);
    let again = cassette_model(&model, Some(&file), Some(&file));
    assert_eq!(
        ask(&again, &[("a", 0.0), ("b", 0.0), ("c", 0.0)]).await,
        "one, two, three"
    );
    assert_eq!(
        ask(&played(&file), &[("a", 0.0), ("b", 0.0), ("c", 0.0)]).await,
        "one, two, three"
    );
}

#[tokio::test]
async fn one_file_may_be_played_and_another_written() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.jsonl"), folder.path().join("new.jsonl"));
    ask(
        &cassette_model(&Scripted::saying([says("old")]), Some(&old), None),
        &[("a", 0.0)],
    )
    .await;
    let both = cassette_model(&Scripted::saying([says("new")]), Some(&new), Some(&old));
    assert_eq!(ask(&both, &[("a", 0.0), ("b", 0.0)]).await, "old, new");
    let told = ask(&played(&new), &[("b", 0.0), ("a", 0.0)]).await;
    assert!(told.starts_with("new, unreachable"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_write_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let model = Scripted::saying((0..64).map(|number| says(&"x".repeat(1_000 * number))));
    let recording = Arc::new(cassette_model(&model, Some(&file), None));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let recording = Arc::clone(&recording);
        tasks.spawn(async move {
            recording
                .complete(&request(&number.to_string(), 0.0))
                .await
                .is_ok()
        });
    }
    assert!(tasks.join_all().await.into_iter().all(|answered| answered));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().filter(|line| line::read(line).is_some()).count(), 64);
}

#[tokio::test]
async fn a_recording_can_be_played_on_another_day() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let on = |day: u8| -> fn() -> Date {
        match day {
            1 => || date(1970, 1, 1),
            _ => || date(1970, 1, 2),
        }
    };
    let cassette = |day: u8, record: bool| {
        let cassette = Cassette::open(
            Some(file.as_path()).filter(|_| record),
            Some(&file).filter(|_| !record).map(PathBuf::as_path),
        );
        let mut cassette = Arc::into_inner(cassette.unwrap().unwrap()).unwrap();
        cassette.today = on(day);
        Arc::new(cassette)
    };
    let first = CassetteModel::around(Scripted::saying([says("one"), says("old")]), cassette(1, true));
    let today = "Today is 1970-01-01. How old are they?";
    assert_eq!(
        ask(&first, &[(today, 0.0), ("since 1969-12-31", 0.0)]).await,
        "one, old"
    );
    let tomorrow = "Today is 1970-01-02. How old are they?";
    let second = CassetteModel::of_name("small", (0.0, 0.0), cassette(2, false));
    assert_eq!(
        ask(&second, &[(tomorrow, 0.0), ("since 1969-12-31", 0.0)]).await,
        "one, old"
    );
    let told = ask(&second, &[(today, 0.0)]).await;
    assert!(told.starts_with("unreachable"), "{told}");
    // Where a line has no day, its words must be the same.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"date\":\"1970-01-01\",", "")).unwrap();
    let third = CassetteModel::of_name("small", (0.0, 0.0), cassette(1, false));
    assert_eq!(ask(&third, &[(today, 0.0)]).await, "one");
}

#[test]
fn what_makes_requests_the_same() {
    let plain = request("q", 0.0);
    let key = |change: &dyn Fn(&mut Request)| {
        let mut request = plain.clone();
        change(&mut request);
        line::key("small", &request, "2026-01-02")
    };
    let same = line::key("small", &plain, "2026-01-02");
    assert_eq!(same.len(), 64);
    assert_eq!(key(&|request| request.agent = "single"), same);
    assert_eq!(key(&|request| request.max_tokens = Some(5)), same);
    let output = |name, schema| Some(OutputSchema { name, schema });
    let with_schema = key(&|request| request.output = output("a", json!({"type": "object"})));
    assert_eq!(
        key(&|request| request.output = output("b", json!({"type": "object"}))),
        with_schema
    );
    let others = [
        with_schema,
        key(&|request| request.output = output("a", json!({}))),
        key(&|request| request.temperature = 0.5),
        key(&|request| request.user.push(' ')),
        key(&|request| request.system.push(' ')),
        line::key("large", &plain, "2026-01-02"),
    ];
    for (at, other) in others.iter().enumerate() {
        assert!(*other != same && !others[..at].contains(other), "{at}");
    }
}

#[test]
fn every_error_comes_back_as_it_was() {
    for error in [
        ModelError::Unreachable("no route".into()),
        ModelError::Timeout(Duration::from_millis(1_500)),
        ModelError::Refused {
            status: 401,
            message: "who are you?".into(),
        },
        ModelError::Overloaded {
            status: 429,
            retry_after: Some(Duration::from_secs(2)),
        },
        ModelError::Overloaded {
            status: 503,
            retry_after: None,
        },
        ModelError::Declined("no".into()),
        ModelError::Malformed("half of".into()),
    ] {
        let outcome = Err(error);
        let text = line::write("small", &request("q", 0.0), &outcome, "2026-01-02");
        assert_eq!(line::read(text.trim_end()).unwrap().1, outcome, "{text}");
    }
}

#[tokio::test]
async fn what_was_recorded_on_the_way_is_played_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("exchanges.jsonl");
    let openai = json!({"key": "k", "request": {"model": "bridge", "messages": [
        {"role": "system", "content": "Answer in SQL."}, {"role": "user", "content": "a"}]}, "answer": "one"});
    let anthropic = json!({"key": "k", "request": {"model": "bridge", "system": [{"type": "text", "text": "Answer in SQL."}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "b"}]}]}, "answer": "two"});
    std::fs::write(
        &file,
        format!("{openai}\n\nnonsense\n{anthropic}\n{{\"model\": \"small\"}}\n"),
    )
    .unwrap();
    assert_eq!(ask(&played(&file), &[("a", 0.0), ("b", 0.0)]).await, "one, two");
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    for (record, replay) in [
        (Some("/nonexistent/a.jsonl"), None),
        (None, Some("/nonexistent/a.jsonl")),
    ] {
        let error = Cassette::open(record.map(Path::new), replay.map(Path::new)).unwrap_err();
        assert!(error.to_string().contains("/nonexistent/a.jsonl"), "{error}");
    }
}
