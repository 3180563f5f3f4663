#![allow(clippy::all, clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]
use std::{io::Write, path::Path, time::{Duration, Instant}};
use crate::backend::{Backend, sqlite::{Database, Options}};
use super::*;

#[test]
#[ignore]
fn dump() {
    let input = std::fs::read_to_string(std::env::var("READ_IN").unwrap()).unwrap();
    let most: usize = std::env::var("READ_MOST").ok().and_then(|m| m.parse().ok()).unwrap_or(30);
    let questions: Vec<serde_json::Value> = serde_json::from_str(&input).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut out = std::io::BufWriter::new(std::fs::File::create(std::env::var("READ_OUT").unwrap()).unwrap());
    let mut at: Option<(String, Snapshot, std::sync::Arc<SemanticModel>)> = None;
    if let Ok(names) = std::env::var("READ_NAMES") {
        let all = weights::all().into_iter().map(|(n, p)| (p, n)).collect::<std::collections::BTreeMap<_, _>>();
        std::fs::write(names, serde_json::to_string(&all).unwrap()).unwrap();
    }
    for question in questions {
        let path = question["path"].as_str().unwrap();
        if at.as_ref().is_none_or(|(known, ..)| known != path) {
            let snapshot = runtime.block_on(async {
                let options = Options { read_only: true, sqlite_dialect: true, ..Options::default() };
                let database = Database::open(Path::new(path), options).unwrap();
                database.index_values();
                let snapshot = database.snapshot().await.unwrap();
                database.values_ready(Duration::from_secs(60)).await;
                drop(snapshot);
                let connection = database.connect().unwrap();
                connection.snapshot().await.unwrap()
            });
            let model = crate::semantic::infer(&crate::semantic::Evidence::new(&snapshot.schema, &snapshot.profile));
            at = Some((path.to_owned(), snapshot, std::sync::Arc::new(model)));
        }
        let (_, snapshot, model) = at.as_ref().unwrap();
        let today = Date::from_calendar_date(2026, time::Month::November, 23).unwrap();
        let started = Instant::now();
        let text = question["question"].as_str().unwrap();
        let found = readings(text, today, snapshot, model);
        let micros = started.elapsed().as_micros() as u64;
        let tokens = both_names(tokens(text, today));
        let items = items::items(&tokens, today, snapshot, model);
        let told: Vec<String> = items.iter().map(|item| {
            let words: Vec<&str> = tokens[item.span.clone()].iter().map(|t| t.text.as_str()).collect();
            let kind = match &item.kind {
                items::Kind::Name(senses) => {
                    let s: Vec<String> = senses.iter().take(5).map(|s| {
                        let name = match &s.meaning {
                            items::Meaning::Dataset(t) => snapshot.schema.tables[*t].name.clone(),
                            items::Meaning::Field(c) => format!("{}.{}", snapshot.schema.tables[c.table].name, snapshot.schema.column(*c).name),
                            items::Meaning::Metric(m) => format!("metric {}", model.metrics[*m].name),
                            items::Meaning::Filter(m) => format!("filter {}", model.filters[*m].name),
                            items::Meaning::Value(c, v) => format!("{}.{}={v}", snapshot.schema.tables[c.table].name, snapshot.schema.column(*c).name),
                        };
                        format!("{name}:{:.2}", s.score)
                    }).collect();
                    s.join("|")
                }
                other => format!("{other:?}"),
            };
            format!("{}<{kind}>", words.join(" "))
        }).collect();
        let line = serde_json::json!({
            "id": question["id"], "unknown": question::question(&items, &tokens).unknown.len(), "unheard": question::question(&items, &tokens).unheard + question::question(&items, &tokens).loose_numbers, "micros": micros, "items": told,
            "candidates": found.iter().take(most).map(|r| serde_json::json!({"sql": r.sql, "score": r.score, "signs": r.signs})).collect::<Vec<_>>(),
        });
        writeln!(out, "{line}").unwrap();
    }
}
