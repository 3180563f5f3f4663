//! What the log says of calls: one line for each, without what was asked and without keys.

use std::{
    io,
    sync::{Arc, Mutex},
};

use querent::config::{ModelApi, ModelSettings, Secret};
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

use super::{ALL, KEY, free, model, server::ScriptedModel, settings, turn::Turn};

/// Keeps what is logged on this thread.
#[derive(Debug, Default, Clone)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// What is logged of three calls: a failure and a retry, a refusal that quotes the key, and nobody there.
async fn logged(api: ModelApi, level: Level) -> String {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let server = ScriptedModel::start(vec![
        Turn::status(503),
        Turn::says("SELECT 'an answer'").took(120, 34),
        Turn::status(401).with_body(format!("{{\"error\": \"wrong key {KEY}\"}}")),
    ]);
    let settings = ModelSettings {
        base_urls: vec![server.url().replace("http://", "http://user:hidden@")],
        headers: [("x-team".to_owned(), Secret::new("blue-secret"))].into(),
        retries: 1,
        ..settings(api, &[])
    };
    let model = model(settings);
    model.complete(&free()).await.unwrap();
    model.complete(&free()).await.unwrap_err();
    server.finish();
    model.complete(&free()).await.unwrap_err();
    log.text()
}

#[tokio::test]
async fn a_call_is_a_line() {
    for &api in ALL {
        let log = logged(api, Level::DEBUG).await;
        let calls: Vec<_> = log.lines().filter(|line| line.contains("model called")).collect();
        assert_eq!(calls.len(), 3, "{log}");
        for part in [
            "model=\"tested\"",
            "agent=\"sql\"",
            "attempts=2",
            "prompt_tokens=120",
            "completion_tokens=34",
            "milliseconds=",
        ] {
            assert!(calls[0].contains(part), "{part}: {}", calls[0]);
        }
        assert!(
            calls[1].contains("attempts=1") && calls[1].contains("HTTP 401"),
            "{}",
            calls[1]
        );
        assert!(
            calls[2].contains("attempts=2") && calls[2].contains("unreachable"),
            "{}",
            calls[2]
        );
        for said in ["How many pets", "You write SQL", "an answer"] {
            assert!(!log.contains(said), "{said} in {log}");
        }
    }
}

/// Not even where everything is logged, by the HTTP client too.
#[tokio::test]
async fn keys_are_never_logged() {
    for &api in ALL {
        let log = logged(api, Level::TRACE).await;
        assert!(log.contains("model called"));
        for secret in [KEY, "0123456789", "hidden", "blue-secret"] {
            assert!(!log.contains(secret), "{api:?}: {secret} in {log}");
        }
    }
}
