//! What the agents did, as JSON lines in a file and as spans at a collector.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value as Attribute},
    trace::v1::Span,
};
use prost::Message;
use serde_json::Value;

use super::served::Served;
use crate::model::{server::ScriptedModel, turn::Turn};

/// How long a span may take to come.
const PATIENCE: Duration = Duration::from_secs(20);
const PARIS: &str = "-- nl: which owners live in Paris";
const NONSENSE: &str = "-- nl: frobnicate the zorblax";

/// A collector that answers every request with this status.
pub(crate) struct Collector {
    pub(crate) port: u16,
    spans: Receiver<Vec<Span>>,
}

impl Collector {
    pub(crate) fn start(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, spans) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                std::thread::spawn(move || receive(&stream, status, &sender));
            }
        });
        Self { port, spans }
    }

    /// Waits until so many spans have come.
    pub(crate) fn wait(&self, count: usize) -> Vec<Span> {
        let mut spans = vec![];
        while spans.len() < count {
            let more = self.spans.recv_timeout(PATIENCE);
            spans.extend(
                more.unwrap_or_else(|error| panic!("{error}: {} of {count} spans: {spans:#?}", spans.len())),
            );
        }
        spans
    }
}

/// Serves one connection until it ends.
fn receive(stream: &TcpStream, status: &str, sender: &Sender<Vec<Span>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut lines = reader.by_ref().lines();
        let first = lines.next()?.ok()?;
        for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        assert_eq!(first, "POST /v1/traces HTTP/1.1");
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        let resources = request.resource_spans.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        (&mut &*stream).write_all(answer.as_bytes()).ok()?;
        sender.send(scopes.flat_map(|scope| scope.spans).collect()).ok()?;
    }
}

/// An attribute as text.
pub(crate) fn attribute(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|found| found.value.as_ref()?.value.as_ref()) {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        Some(Attribute::DoubleValue(number)) => number.to_string(),
        Some(other) => format!("{other:?}"),
        None => String::new(),
    }
}

fn lines(served: &Served, file: &str) -> Vec<Value> {
    let text = served.place.read(file);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_of_an_agent_is_a_line() {
    let mut served = Served::start("trace_log = \"trace.jsonl\"\ntrace_prompts = true\n");
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    client.simple_query(NONSENSE).await.unwrap_err();
    drop(client);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let lines = lines(&served, "trace.jsonl");
    let of = |asked: u64| -> Vec<&Value> { lines.iter().filter(|line| line["asked"] == asked).collect() };
    let paris = of(1);
    let agents: Vec<&str> = paris.iter().map(|line| line["agent"].as_str().unwrap()).collect();
    assert_eq!(agents[..2], ["reading", "schema_linking"]);
    assert!(agents.contains(&"validation"), "{agents:?}");
    for line in &paris {
        assert_eq!(line["question"], "which owners live in Paris");
        assert_eq!(
            (&line["session"], &line["model"]),
            (&1.into(), &"embedded".into())
        );
        assert_eq!(line["outcome"], "ok");
        assert!(
            line["milliseconds"].is_f64() && line["prompt_tokens"] == 0,
            "{line}"
        );
        assert!(line["prompt"].is_string());
    }
    // A question without an answer is told of as well.
    let failed = of(2);
    assert!(!failed.is_empty() && failed.iter().any(|line| line["outcome"] != "ok"));
    let mode = std::fs::metadata(served.place.path("trace.jsonl")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_and_literals_can_be_left_out() {
    let mut served =
        Served::start("trace_log = \"trace.jsonl\"\ntrace_prompts = true\ntrace_redact = true\n");
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    client.simple_query(NONSENSE).await.unwrap_err();
    drop(client);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let text = served.place.read("trace.jsonl");
    for word in ["Paris", "owners live", "frobnicate", "zorblax"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let lines = lines(&served, "trace.jsonl");
    assert!(
        lines
            .iter()
            .any(|line| line["asked"] == 2 && line["outcome"] == "failed"),
        "{text}"
    );
    let sql = lines.iter().find(|line| line["agent"] == "sql").unwrap();
    assert!(sql["output"].as_str().unwrap().contains("= ?"), "{sql}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_is_opened_again_at_a_reload() {
    let served = Served::start("trace_log = \"trace.jsonl\"\n");
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    let (old, new) = (served.place.path("old.jsonl"), served.place.path("trace.jsonl"));
    std::fs::rename(&new, &old).unwrap();
    served.signal("-HUP");
    served.line(|line| line.contains("settings reloaded"));
    client.simple_query(NONSENSE).await.unwrap_err();
    drop(client);
    let mut served = served;
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    assert!(
        lines(&served, "old.jsonl")
            .iter()
            .all(|line| line["asked"] == 1 && line["prompt"].is_null())
    );
    assert!(
        lines(&served, "trace.jsonl")
            .iter()
            .all(|line| line["asked"] == 2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_and_agents_are_spans() {
    let collector = Collector::start("200 OK");
    let mut served = Served::start(&format!(
        "otlp_endpoint = \"http://127.0.0.1:{}\"\n",
        collector.port
    ));
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    client.simple_query(NONSENSE).await.unwrap_err();
    drop(client);
    // What waits is sent before the end.
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let mut spans = collector.wait(3);
    while let Ok(more) = collector.spans.try_recv() {
        spans.extend(more);
    }
    let questions: Vec<&Span> = spans.iter().filter(|span| span.name == "question").collect();
    let [answered, refused] = questions.as_slice() else {
        panic!("{spans:#?}")
    };
    let told = |name| attribute(&answered.attributes, name);
    assert_eq!(
        (told("querent.outcome"), told("querent.tier")),
        ("answered".into(), "embedded".into())
    );
    assert_eq!(attribute(&refused.attributes, "error.type"), "NL001");
    let agents: Vec<&Span> = spans
        .iter()
        .filter(|span| span.parent_span_id == answered.span_id)
        .collect();
    assert!(
        agents.iter().any(|span| span.name == "schema_linking"),
        "{spans:#?}"
    );
    for span in agents {
        assert_eq!(span.trace_id, answered.trace_id);
        assert!(span.start_time_unix_nano >= answered.start_time_unix_nano - 1_000_000);
        assert!(span.end_time_unix_nano <= answered.end_time_unix_nano + 1_000_000);
    }
    // Nobody's words travel.
    assert!(!format!("{spans:?}").contains("Paris"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_models_calls_are_told_with_what_they_took() {
    let model = ScriptedModel::start(vec![
        Turn::says("```sql\nSELECT name FROM owner\n```").took(1_000, 50),
        Turn::status(503),
    ]);
    let collector = Collector::start("200 OK");
    let mut served = Served::start(&format!(
        "mode = \"single\"\notlp_endpoint = \"http://127.0.0.1:{}\"\ntrace_log = \"trace.jsonl\"\ntrace_prompts = true\n\
         [[model]]\nname = \"m\"\nbase_url = \"{}\"\nretries = 0\n",
        collector.port,
        model.url()
    ));
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    client.simple_query(NONSENSE).await.unwrap_err();
    drop(client);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let spans = collector.wait(4);
    let calls: Vec<&Span> = spans.iter().filter(|span| span.name == "chat m").collect();
    let [answered, failed] = calls.as_slice() else {
        panic!("{spans:#?}")
    };
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.request.model", "m"),
        ("gen_ai.agent.name", "single"),
        ("gen_ai.usage.input_tokens", "1000"),
        ("gen_ai.usage.output_tokens", "50"),
        ("error.type", ""),
    ] {
        assert_eq!(attribute(&answered.attributes, name), value, "{name}");
    }
    assert!(
        attribute(&failed.attributes, "error.type").starts_with("overloaded"),
        "{failed:?}"
    );
    let lines = lines(&served, "trace.jsonl");
    let line = lines.iter().find(|line| line["agent"] == "single").unwrap();
    assert_eq!(
        (&line["model"], &line["prompt_tokens"]),
        (&"m".into(), &1_000.into())
    );
    // The prompt shows the schema and the question.
    let prompt = line["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("owner") && prompt.contains("which owners live in Paris"),
        "{prompt}"
    );
    let failed = lines
        .iter()
        .find(|line| line["asked"] == 2 && line["model"] == "m")
        .unwrap();
    assert!(failed["outcome"].as_str().unwrap().contains("503"), "{failed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_fails_disturbs_nobody() {
    let collector = Collector::start("503 Service Unavailable");
    let mut served = Served::start(&format!(
        "otlp_endpoint = \"http://127.0.0.1:{}/v1/traces\"\n",
        collector.port
    ));
    let client = served.client().await;
    client.simple_query(PARIS).await.unwrap();
    collector.wait(1);
    served.line(|line| line.contains("takes no spans") && line.contains("503"));
    client.simple_query(PARIS).await.unwrap();
    drop(client);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
}

#[test]
fn what_cannot_be_used_is_refused_at_the_start() {
    let place = crate::program::Place::new();
    for (toml, expected) in [
        (
            "trace_log = \"no/such/folder/t\"",
            "trace_log no/such/folder/t cannot be written",
        ),
        ("otlp_endpoint = \"collector:4317\"", "otlp_endpoint is of no use"),
    ] {
        place.write("querent.toml", toml);
        let arguments = [
            "serve",
            "sqlite:pets.db",
            "--listen",
            "127.0.0.1:0",
            "--console",
            "off",
        ];
        crate::program::refuses(&place, &arguments, 1, &[expected, "querent config"]);
    }
}
