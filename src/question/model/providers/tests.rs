//! The parts that do no I/O.

use std::time::Duration;

use proptest::prelude::*;
use reqwest::{
    StatusCode,
    header::{HeaderMap, HeaderValue},
};
use serde_json::{Value, json};

use super::{address, events::Events, failure::Failure, gemini_schema, provider_of, reasoning};
use crate::{
    config::{ModelApi, ModelSettings},
    question::model::{ModelError, redact},
};

#[test]
fn base_urls_are_what_people_write() {
    for (api, base, expected) in [
        (ModelApi::OpenAi, "", "https://api.openai.com/v1/chat/completions"),
        (
            ModelApi::OpenAi,
            "http://localhost:8080",
            "http://localhost:8080/v1/chat/completions",
        ),
        (
            ModelApi::OpenAi,
            " http://[::1]:8080/v1/ ",
            "http://[::1]:8080/v1/chat/completions",
        ),
        (
            ModelApi::OpenAi,
            "https://gate.example/v1/chat/completions",
            "https://gate.example/v1/chat/completions",
        ),
        (
            ModelApi::OpenAi,
            "https://x.example/openai/deployments/d?api-version=2024-10-21",
            "https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ),
        (ModelApi::Ollama, "", "http://127.0.0.1:11434/v1/chat/completions"),
        (ModelApi::Ollama, "http://gpu", "http://gpu/v1/chat/completions"),
        (
            ModelApi::Ollama,
            "http://gpu:5000/v1",
            "http://gpu:5000/v1/chat/completions",
        ),
        (ModelApi::Anthropic, "", "https://api.anthropic.com/v1/messages"),
        (
            ModelApi::Anthropic,
            "https://api.anthropic.com",
            "https://api.anthropic.com/v1/messages",
        ),
        (
            ModelApi::Anthropic,
            "https://gate.example/claude/v1/messages",
            "https://gate.example/claude/v1/messages",
        ),
        (
            ModelApi::Gemini,
            "",
            "https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse",
        ),
        (
            ModelApi::Gemini,
            "http://h:1/v1",
            "http://h:1/v1/models/m-1:streamGenerateContent?alt=sse",
        ),
    ] {
        let mut settings = ModelSettings::new("m", api, "models/m-1");
        settings.base_urls = Some(base.to_owned())
            .filter(|base| !base.is_empty())
            .into_iter()
            .collect();
        let found = address::of(&settings, provider_of(settings.api)).unwrap();
        assert_eq!(found[0].stream.as_str(), expected, "{base}");
    }
    for base in [
        "ftp://h/",
        "http://",
        "http://user:hidden@:1/x",
        "a b://",
        "http://h:99999",
    ] {
        let mut settings = ModelSettings::new("m", ModelApi::OpenAi, "x");
        settings.base_urls = vec![base.to_owned()];
        let error = address::of(&settings, provider_of(settings.api))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("model m: ") && !error.contains("hidden"),
            "{error}"
        );
    }
}

#[test]
fn thoughts_are_left_out() {
    for (text, answer) in [
        ("SELECT 1", "SELECT 1"),
        ("<think>first\nthen</think>\n\nSELECT 1", "SELECT 1"),
        ("<think></think><think>x</think>SELECT 1", "SELECT 1"),
        ("first, then</think>SELECT 1", "SELECT 1"),
        ("<think>endless", ""),
        ("[THINK]x[/THINK]SELECT 1", "SELECT 1"),
        (
            "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>SELECT 1",
            "SELECT 1",
        ),
        (
            "{\"sql\": \"SELECT '</think>'\"}",
            "{\"sql\": \"SELECT '</think>'\"}",
        ),
        ("SELECT '<think>', '</think>'", "SELECT '<think>', '</think>'"),
    ] {
        assert_eq!(reasoning::without(text), answer, "{text}");
    }
}

fn events_of(pieces: &[&[u8]]) -> Vec<String> {
    let mut events = Events::default();
    let mut found = vec![];
    for piece in pieces {
        events.push(piece).unwrap();
        found.extend(std::iter::from_fn(|| events.next()));
    }
    found.extend(events.rest());
    found
}

#[test]
fn events_are_read_as_servers_write_them() {
    for (body, expected) in [
        ("data: {\"a\":1}\n\ndata: [DONE]\n\n", vec!["{\"a\":1}", "[DONE]"]),
        ("data:1\r\n\r\ndata: 2\r\rdata: 3", vec!["1", "2", "3"]),
        (": alive\n\nevent: x\nid: 1\ndata: a\ndata: b\n\n\n", vec!["a\nb"]),
        ("\u{feff}data: 1\n\n", vec!["1"]),
        ("\n\n  \ndata: 1\n\n", vec!["1"]),
        ("error: {\"code\":500}\n\n", vec!["{\"error\":{\"code\":500}}"]),
        ("{\"a\":\n1}", vec!["{\"a\":\n1}"]),
        (" \n[{}]\n", vec!["[{}]"]),
        ("<html>\n\n</html>", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(events_of(&[body.as_bytes()]), expected, "{body:?}");
        let bytes: Vec<_> = body.as_bytes().chunks(1).collect();
        assert_eq!(events_of(&bytes), expected, "{body:?} by the byte");
    }
    assert!(Events::default().push(&vec![b'x'; 5 << 20]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn events_are_the_same_however_they_are_split(
        body in "(data|event|:|error)?[:a \r\n{\u{e9}]{0,40}",
        at in any::<prop::sample::Index>(),
    ) {
        let (one, other) = body.as_bytes().split_at(at.index(body.len() + 1));
        prop_assert_eq!(events_of(&[body.as_bytes()]), events_of(&[one, other]));
    }
}

#[test]
fn a_schema_becomes_what_gemini_takes() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "thought": {"type": "string", "description": "first"},
            "limit": {"type": ["integer", "null"]},
            "either": {"type": ["integer", "string"]},
            "kind": {"const": "x"},
            "one": {"anyOf": [{"$ref": "#/$defs/item"}, {"type": "null"}]},
            "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "level": {"enum": [1, 2], "type": "integer"},
        },
        "required": ["thought"],
        "additionalProperties": false,
        "$defs": {"item": {"type": "object", "properties": {"sql": {"type": "string"}}, "additionalProperties": false}},
    });
    let item =
        json!({"type": "object", "propertyOrdering": ["sql"], "properties": {"sql": {"type": "string"}}});
    let mut one = item.clone();
    one["nullable"] = true.into();
    assert_eq!(
        gemini_schema::from(&schema),
        json!({
            "required": ["thought"],
            "type": "object",
            "propertyOrdering": ["thought", "limit", "either", "kind", "one", "items", "level"],
            "properties": {
                "thought": {"description": "first", "type": "string"},
                "limit": {"nullable": true, "type": "integer"},
                "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "kind": {"enum": ["x"], "type": "string"},
                "one": one,
                "items": {"type": "array", "items": item},
                "level": {"type": "integer"},
            },
        })
    );
    let itself = json!({"type": "array", "items": {"$ref": "#"}});
    gemini_schema::from(&itself);
}

#[test]
fn a_pause_is_asked_for_in_many_ways() {
    let in_a_minute = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(60));
    for (name, value, body, least, most) in [
        ("retry-after", "7", "", 7.0, 7.0),
        ("retry-after", "1.5", "", 1.5, 1.5),
        ("retry-after", in_a_minute.as_str(), "", 50.0, 60.0),
        ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT", "", 0.0, 0.0),
        ("retry-after-ms", "250", "", 0.25, 0.25),
        (
            "x-nothing",
            "1",
            r#"{"error":{"details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}"#,
            34.5,
            34.5,
        ),
        (
            "x-nothing",
            "1",
            r#"[{"error":{"details":[{"retryDelay":"2s"}]}}]"#,
            2.0,
            2.0,
        ),
    ] {
        let headers: HeaderMap = [(
            name.parse::<reqwest::header::HeaderName>().unwrap(),
            HeaderValue::from_str(value).unwrap(),
        )]
        .into_iter()
        .collect();
        let failure = Failure::of_status(StatusCode::TOO_MANY_REQUESTS, &headers, body, std::iter::empty());
        let asked = failure.retry_after.unwrap().as_secs_f64();
        assert!((least..=most).contains(&asked), "{value}: {asked}");
        assert_eq!(
            failure.error,
            ModelError::Overloaded {
                status: 429,
                retry_after: failure.retry_after
            }
        );
    }
    for wrong in ["soon", "-1", "NaN", "1e400", ""] {
        let headers = [(
            reqwest::header::RETRY_AFTER,
            HeaderValue::from_str(wrong).unwrap(),
        )];
        let headers = headers.into_iter().collect();
        let failure = Failure::of_status(StatusCode::SERVICE_UNAVAILABLE, &headers, "", std::iter::empty());
        assert_eq!(failure.retry_after, None, "{wrong}");
    }
}

#[test]
fn the_words_of_providers_are_found() {
    for body in [
        json!({"error": {"message": "said so", "type": "x"}}),
        json!({"error": "said so"}),
        json!({"message": "said so"}),
        json!({"detail": "said so"}),
        json!({"detail": [{"msg": "said so", "loc": []}]}),
        json!([{"error": {"message": "said so"}}]),
        Value::from("said so"),
    ] {
        let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
        let failure = Failure::of_status(
            StatusCode::NOT_FOUND,
            &HeaderMap::new(),
            &body,
            std::iter::empty(),
        );
        assert_eq!(
            failure.error,
            ModelError::Refused {
                status: 404,
                message: "said so".into()
            },
            "{body}"
        );
    }
}

#[test]
fn no_secret_is_in_words() {
    let key = "sk-proj-abcdefghij0123456789";
    for text in [
        "Incorrect API key provided: sk-proj-abcdefghij0123456789.",
        "Incorrect API key provided: sk-proj-*************6789. See",
        "key 'sk-proj-abcdefghij' is wrong",
        "Bearer sk-proj-abcdefghij0123456789, no",
        "header=sk-proj-abcdefghij0123456789;x",
    ] {
        let words = redact::words(text, [key]);
        for part in ["sk-proj", "6789", "abcdefghij"] {
            assert!(!words.contains(part), "{words}");
        }
    }
    assert_eq!(redact::words("a\n b\t", []), "a b");
    assert_eq!(redact::words(&"é".repeat(1000), []).chars().count(), 301);
    for (url, shown) in [
        ("http://user:pass@host:1/path?key=x#y", "http://host:1/path"),
        ("user:pass@host", "host"),
        ("http://a@b@c/d@e", "http://c/d@e"),
        ("", ""),
    ] {
        assert_eq!(redact::address(url), shown);
    }
}
