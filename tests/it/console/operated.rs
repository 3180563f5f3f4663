//! What is operated from the console: evaluations, the semantic model, agents over HTTP; and strangers that hold connections.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    pages::{Browser, body, post},
    served::Served,
};
use crate::program::Place;

const PETS: &str = "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
                    INSERT INTO pet VALUES (1, 'Rex', 20.5), (2, 'Tom', 4.0), (3, 'Kit', 3.5);";

fn evaluated(place: &Place) {
    let question = |question: &str, query: &str, difficulty: &str| json!({ "db_id": "pets", "question": question, "query": query, "difficulty": difficulty });
    let questions = json!([
        question("How many pets are there?", "SELECT count(*) FROM pet", "easy"),
        question("How many pets are there?", "SELECT count(*) + 1 FROM pet", "hard"),
        question("Which unicorns are purple?", "SELECT name FROM pet", "hard"),
    ]);
    place.write("sets/small/questions.json", &questions.to_string());
    place.database("sets/small/database/pets/pets.sqlite", PETS);
}

#[test]
fn an_evaluation_is_run_looked_at_compared_and_removed() {
    let place = Place::new();
    evaluated(&place);
    let toml = "console_datasets = [\"sets/small\"]\n[store]\npath = \"kept/store.db\"\n";
    let served = Served::start_in(place, toml, &["sqlite:pets.db", "--console", "127.0.0.1:0"]);
    let browser = Browser::open(&served);
    let listed = browser.json("/api/v1/benchmarks");
    assert_eq!(listed["datasets"][0], json!({ "name": "small", "there": true }));
    assert_eq!(
        browser
            .post("/api/v1/benchmarks", &json!({ "dataset": "/etc" }))
            .code,
        403
    );
    let run = |limit: Value| -> String {
        let begun = browser.post(
            "/api/v1/benchmarks",
            &json!({ "dataset": "small", "limit": limit }),
        );
        assert_eq!(begun.code, 200, "{}", begun.body);
        let begun: Value = serde_json::from_str(&begun.body).unwrap();
        let id = begun["id"].as_str().unwrap().to_owned();
        let since = Instant::now();
        while browser.json("/api/v1/benchmarks")["running"] != Value::Null {
            assert!(since.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(50));
        }
        id
    };
    let first = run(Value::Null);
    let told = browser.json(&format!("/api/v1/benchmarks/{first}"));
    assert_eq!(
        (
            &told["run"]["state"],
            &told["run"]["done"],
            &told["figures"]["marks"]
        ),
        (&json!("finished"), &json!(3), &json!("+-o")),
        "{told}"
    );
    assert_eq!(told["figures"]["by_difficulty"]["hard"]["n"], 2);
    let question = browser.json(&format!("/api/v1/benchmarks/{first}/questions/1"));
    assert_eq!(
        (&question["gold"]["rows"], &question["predicted"]["rows"]),
        (&json!([["4"]]), &json!([["3"]])),
        "{question}"
    );
    let csv = browser.get(&format!("/api/v1/benchmarks/{first}/csv"));
    assert_eq!(body(&csv).lines().count(), 4, "{}", csv.body);

    let second = run(json!(2));
    let compared = browser.json(&format!("/api/v1/benchmarks/{first}/compare/{second}"));
    assert_eq!(
        (&compared["questions"], &compared["won"], &compared["unpaired"]),
        (&json!(2), &json!(0), &json!(1))
    );
    // What was written is what the command writes.
    assert!(
        served
            .place
            .read(&format!("kept/evaluations/{second}/report.json"))
            .contains("\"ex\": 0.5")
    );
    assert_eq!(
        browser
            .post(&format!("/api/v1/benchmarks/{second}/resume"), &json!({}))
            .code,
        409
    );
    assert_eq!(
        browser
            .send("DELETE", &format!("/api/v1/benchmarks/{second}"), &json!({}))
            .code,
        200
    );
    assert_eq!(browser.get(&format!("/api/v1/benchmarks/{second}")).code, 404);
    for wrong in ["..", "%2e%2e", "zz"] {
        assert_ne!(
            browser.get(&format!("/api/v1/benchmarks/{wrong}")).code,
            200,
            "{wrong}"
        );
    }
}

#[test]
fn a_metric_is_edited_checked_and_counts_in_the_next_answer() {
    let place = Place::new();
    let model = |expression: &str| {
        format!(
            "version: 0.2.0.dev0\nsemantic_model:\n  - name: pets\n    datasets:\n      - name: pet\n        source: pet\n    \
             metrics:\n      - name: heft\n        expression:\n          dialects:\n            - dialect: ANSI_SQL\n              \
             expression: {expression}\n"
        )
    };
    let before = model("SUM(pet.weight)");
    place.write("model.yaml", &before);
    let toml = "[semantic]\nfile = \"model.yaml\"\n[audit]\nenabled = false\n";
    let served = Served::start_in(place, toml, &["sqlite:pets.db", "--console", "127.0.0.1:0"]);
    let browser = Browser::open(&served);
    let files = browser.json("/api/v1/semantic-model");
    assert_eq!(files["files"][0]["text"], json!(before), "{files}");
    let path = files["files"][0]["path"].clone();
    let check = |text: &str| -> Value {
        let reply = browser.post(
            "/api/v1/semantic-model/check",
            &json!({ "path": path, "text": text }),
        );
        assert_eq!(reply.code, 200, "{}", reply.body);
        serde_json::from_str(&body(&reply)).unwrap()
    };
    let good = check(&before);
    let metric = good["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|metric| metric["name"] == "heft");
    assert!(
        metric.unwrap()["sql"]
            .as_str()
            .unwrap()
            .to_uppercase()
            .contains("SUM("),
        "{good}"
    );
    let wrong = check(&model("SUM(pet.nothing)"));
    assert!(wrong["problems"][0]["line"].as_u64().unwrap() > 1, "{wrong}");
    assert!(
        !check("version: [")
            .get("problems")
            .unwrap()
            .as_array()
            .unwrap()
            .is_empty()
    );
    let save = |before: &str, text: &str| {
        browser.send(
            "PUT",
            "/api/v1/semantic-model",
            &json!({ "path": path, "before": before, "text": text }),
        )
    };
    assert_eq!(save(&before, &model("SUM(pet.nothing)")).code, 422);
    assert_eq!(save("something else", &model("MAX(pet.weight)")).code, 409);
    let saved = save(&before, &model("MAX(pet.weight)"));
    assert_eq!(saved.code, 200, "{}", saved.body);
    assert_eq!(served.place.read("model.yaml"), model("MAX(pet.weight)"));
    let schema = browser.json("/api/v1/schema");
    assert!(
        schema["metrics"].to_string().to_uppercase().contains("MAX"),
        "{}",
        schema["metrics"]
    );
    let other = browser.post(
        "/api/v1/semantic-model/check",
        &json!({ "path": "/etc/passwd", "text": "" }),
    );
    assert_eq!(other.code, 403, "{}", other.body);
    let export = browser.get("/api/v1/semantic-model/export");
    assert!(
        export.code == 200 && body(&export).contains("semantic_model"),
        "{}",
        export.body
    );
}

#[test]
fn strangers_that_say_nothing_end_nobodys_watch() {
    let served = Served::start("[audit]\nenabled = false\n");
    let browser = Browser::open(&served);
    let mut watching = TcpStream::connect(("127.0.0.1", served.console)).unwrap();
    watching.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(
        watching,
        "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n",
        served.console, browser.cookie
    )
    .unwrap();
    let mut heard = [0; 12];
    watching.read_exact(&mut heard).unwrap();
    let strangers: Vec<TcpStream> = (0..100)
        .map(|_| TcpStream::connect(("127.0.0.1", served.console)).unwrap())
        .collect();
    browser.ask("how many pets are there?");
    let mut text = String::new();
    let mut part = [0; 4096];
    while !text.contains("event: ended") {
        let length = watching.read(&mut part).unwrap();
        assert!(length > 0, "the watch was ended: {text}");
        text.push_str(&String::from_utf8_lossy(&part[..length]));
    }
    drop(strangers);
}

#[test]
fn an_agent_has_the_tools_over_http() {
    let served = Served::start("console_token = \"secret\"\n[store]\npath = \"store.db\"\n");
    let call = |headers: &[(&str, &str)], method: &str, parameters: Value| {
        let content = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
        let mut all = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend_from_slice(headers);
        post(&served, "/mcp", &all, &content.to_string())
    };
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    assert_eq!(call(&[], "initialize", hello.clone()).code, 401);
    let token = [("Authorization", "Bearer secret")];
    let said = call(&token, "initialize", hello);
    assert!(
        said.code == 200 && said.body.contains("querent"),
        "{}: {}",
        said.head,
        said.body
    );
    let version = [token[0], ("MCP-Protocol-Version", "2025-06-18")];
    let listed = call(&version, "tools/list", json!({}));
    assert!(
        listed.body.contains("semantic_model"),
        "{}: {}",
        listed.head,
        listed.body
    );
    let asked = json!({ "name": "ask", "arguments": { "question": "how many pets are there?" } });
    let answer = call(&version, "tools/call", asked);
    assert!(answer.body.contains("COUNT"), "{}: {}", answer.head, answer.body);
    let deleting = json!({ "name": "query", "arguments": { "sql": "DELETE FROM pet" } });
    assert!(call(&version, "tools/call", deleting).body.contains("42501"));
    // Nothing that comes from another site is listened to.
    let foreign = [token[0], ("Origin", "http://evil.example.org")];
    assert_eq!(call(&foreign, "tools/list", json!({})).code, 403);
}
