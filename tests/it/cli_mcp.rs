//! `querent mcp`, spoken to as agents do: JSON-RPC in lines.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::{
    console::{pages::post, served::Served},
    conversation::legs::{says, table},
    model::server::ScriptedModel,
    postgres::server::{PostgresServer, SUPERUSER},
    program::{Place, refuses},
    server::harness::create,
};

struct Agent {
    place: Place,
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    calls: u64,
}

impl Agent {
    fn start(toml: &str) -> Self {
        Self::start_in(Place::new(), toml)
    }

    fn start_in(place: Place, toml: &str) -> Self {
        Self::start_before("pets.db", place, toml)
    }

    fn start_before(backend: &str, place: Place, toml: &str) -> Self {
        place.write("querent.toml", toml);
        let mut child = place
            .command(&["mcp", backend])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut agent = Self {
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().unwrap()),
            place,
            child,
            calls: 0,
        };
        let begun = agent.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        assert_eq!(begun["serverInfo"]["name"], "querent", "{begun}");
        agent.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        agent
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.calls += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.calls, "method": method, "params": parameters });
        self.write(&message);
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(reply["id"], self.calls, "{reply}");
        reply["result"].clone()
    }

    /// What a tool gives; `Err` with the text of what it refuses.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let result = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        if result["isError"] == true {
            return Err(result["content"][0]["text"].as_str().unwrap().to_owned());
        }
        Ok(result["structuredContent"].clone())
    }

    /// The agent goes; what comes back is the audit.
    fn end(mut self) -> String {
        drop(self.to.take());
        assert!(self.child.wait().unwrap().success());
        let audit = self
            .place
            .command(&["audit", "--format", "jsonl"])
            .output()
            .unwrap();
        String::from_utf8(audit.stdout).unwrap()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// JSON-RPC has an error for each line that is no request.
#[test]
fn what_is_no_request_is_answered() {
    let mut agent = Agent::start("");
    for (line, code) in [
        ("this is no JSON", -32700),
        ("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\"", -32700),
        ("[]", -32600),
        ("{\"id\": 1}", -32600),
        ("17", -32600),
    ] {
        writeln!(agent.to.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        agent.from.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let is_told = answer["error"]["code"] == code && answer.get("id") == Some(&Value::Null);
        assert!(is_told, "{line}: {answer}");
    }
    // Nothing is lost by that.
    assert!(agent.request("tools/list", &json!({}))["tools"].is_array());
}

#[test]
fn an_agent_reads_and_never_writes_and_all_of_it_is_recorded() {
    let mut agent = Agent::start("[store]\npath = \"store.db\"\n");
    let tools = agent.request("tools/list", &json!({}));
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["ask", "query", "schema", "semantic_model"]);

    let answer = agent
        .call("ask", &json!({ "question": "how many pets are there?" }))
        .unwrap();
    assert_eq!(answer["result"]["count"], 1, "{answer}");
    assert!(answer["confidence"].as_f64().unwrap() > 0.5, "{answer}");
    let rows = agent
        .call("query", &json!({ "sql": "SELECT count(*) AS n FROM pet" }))
        .unwrap();
    assert!(rows["rows"][0]["n"].is_number(), "{rows}");
    for sql in [
        "DELETE FROM pet",
        "SELECT 1; DELETE FROM pet",
        "SELECT load_extension('x')",
        "ATTACH 'x' AS y",
        "",
    ] {
        let refused = agent.call("query", &json!({ "sql": sql })).unwrap_err();
        assert!(refused.contains("(42501)"), "{sql}: {refused}");
    }
    let schema = agent.call("schema", &json!({})).unwrap();
    assert!(schema.to_string().contains("\"owner_id\""), "{schema}");
    assert!(!schema.to_string().contains("Rex"), "{schema}");
    let pets = agent.call("schema", &json!({ "table": "pet" })).unwrap();
    assert_eq!(pets["tables"].as_array().unwrap().len(), 1, "{pets}");
    let kinds = &pets["tables"][0]["columns"][2]["stored"]["values"];
    assert_eq!(kinds[0], json!({ "value": "cat", "rows": 2 }), "{pets}");
    let refused = agent.call("schema", &json!({ "table": "plant" })).unwrap_err();
    assert!(refused.contains("(42P01)"), "{refused}");
    let model = agent.call("semantic_model", &json!({})).unwrap();
    assert!(!model["metrics"].as_array().unwrap().is_empty(), "{model}");

    let audit = agent.end();
    let count = |word: &str| audit.lines().filter(|line| line.contains(word)).count();
    assert_eq!((count("\"allowed\""), count("\"42501\"")), (2, 5), "{audit}");
    assert_eq!(count("querent mcp"), 7, "{audit}");
    // Whoever runs the program.
    assert_eq!(count("\"user\":\"\""), 0, "{audit}");
}

#[test]
fn an_agent_hears_nothing_of_what_is_private_or_denied() {
    let mut agent = Agent::start("[privacy]\nprivate = [\"pet.weight\"]\n[audit]\nenabled = false\n");
    for (tool, arguments) in [
        ("schema", json!({})),
        ("schema", json!({ "table": "pet" })),
        ("semantic_model", json!({})),
    ] {
        let told = agent.call(tool, &arguments).unwrap().to_string();
        assert!(
            !told.contains("weight") && !told.contains("20.5"),
            "{tool}: {told}"
        );
    }
    for sql in [
        "SELECT * FROM pet",
        "SELECT * FROM (SELECT p.* FROM pet AS p) AS q",
    ] {
        let rows = agent.call("query", &json!({ "sql": sql })).unwrap();
        assert!(rows["rows"][0]["name"].is_string(), "{rows}");
        assert!(!rows.to_string().contains("weight"), "{sql}: {rows}");
    }
    let answer = agent.call("ask", &json!({ "question": "show everything about all pets" }));
    assert!(!format!("{answer:?}").contains("weight"), "{answer:?}");
    let named = "n".repeat(20_000);
    let large = json!({ "sql": format!("SELECT a.name AS {named} FROM pet AS a, pet AS b, pet AS c, pet AS d, pet AS e, pet AS f") });
    let told = agent.call("query", &large);
    assert!(told.is_err() || told.unwrap().to_string().len() < 5 << 20);
    for (tool, arguments) in [
        ("query", json!({ "sql": "SELECT weight FROM pet" })),
        ("ask", json!({ "question": "average weight of the pets" })),
    ] {
        let refused = agent.call(tool, &arguments).unwrap_err();
        assert!(!refused.is_empty(), "{tool}");
    }
    agent.end();
}

#[test]
fn an_agent_is_told_no_stored_values_where_models_are_sent_none() {
    let mut agent = Agent::start("[privacy]\nsend_values = false\n[audit]\nenabled = false\n");
    let told = agent
        .call("schema", &json!({ "table": "public.pet" }))
        .unwrap()
        .to_string();
    assert!(
        told.contains("weight") && !told.contains("stored") && !told.contains("cat"),
        "{told}"
    );
    agent.end();
}

#[test]
fn an_agent_does_not_hear_that_something_private_is_there() {
    let place = Place::new();
    let tables =
        "CREATE VIRTUAL TABLE pet_search USING fts5(name, weight, content='pet', content_rowid='id');
                  CREATE VIRTUAL TABLE pet_terms USING fts5vocab(pet_search, 'row');
                  CREATE VIRTUAL TABLE leaflet USING fts5(title, body);
                  INSERT INTO leaflet VALUES ('Rex', 'annapurna');
                  CREATE VIEW heavy AS SELECT name, weight AS kilos FROM pet";
    create(&place.path("pets.db"), tables);
    let toml = "[privacy]\nprivate = [\"pet.weight\", \"leaflet.body\"]\n[audit]\nenabled = false\n";
    let mut agent = Agent::start_in(place, toml);
    let schema = agent.call("schema", &json!({})).unwrap().to_string();
    for hidden in ["weight", "body", "pet_search", "pet_terms", "heavy"] {
        assert!(!schema.contains(hidden), "{hidden} in {schema}");
    }
    let mut refused = |sql: &str| agent.call("query", &json!({ "sql": sql })).unwrap_err();
    // What is private is told of as what there never was.
    for (private, never) in [
        ("SELECT weight FROM pet", "SELECT no_such FROM pet"),
        ("SELECT pet.weight FROM pet", "SELECT pet.no_such FROM pet"),
        (
            "SELECT name FROM pet GROUP BY weight",
            "SELECT name FROM pet GROUP BY no_such",
        ),
        ("SELECT * FROM heavy", "SELECT * FROM no_such"),
        ("SELECT * FROM pet_search", "SELECT * FROM no_such"),
        ("SELECT * FROM pet_terms", "SELECT * FROM no_such"),
        ("SELECT * FROM leaflet_content", "SELECT * FROM no_such"),
        ("SELECT body FROM leaflet", "SELECT no_such FROM leaflet"),
    ] {
        let (told, expected) = (refused(private), refused(never));
        let names = [
            "weight",
            "heavy",
            "pet_search",
            "pet_terms",
            "leaflet_content",
            "body",
        ];
        let plain = names
            .iter()
            .fold(told.clone(), |told, name| told.replace(name, "no_such"));
        assert_eq!(plain, expected, "{private}");
    }
    for sql in [
        "SELECT highlight(leaflet, 1, '', '') FROM leaflet",
        "SELECT snippet(leaflet, 1, '', '', '', 5) FROM leaflet WHERE leaflet MATCH 'annapurna'",
        "SELECT * FROM leaflet('annapurna')",
    ] {
        let told = refused(sql).replace("'annapurna'", "");
        assert!(!told.contains("annapurna"), "{sql}: {told}");
    }
    let open = agent
        .call("query", &json!({ "sql": "SELECT * FROM leaflet" }))
        .unwrap();
    assert_eq!(open["rows"], json!([{ "title": "Rex" }]), "{open}");
    let told = agent.call("ask", &json!({ "question": "average weight of the pets" }));
    assert!(!format!("{told:?}").contains("policy"), "{told:?}");
    agent.end();
}

#[test]
fn a_statement_of_an_agent_keeps_to_the_limits() {
    let mut agent =
        Agent::start("[limits]\nrows = 3\nstatement_timeout = \"1s\"\n[audit]\nenabled = false\n");
    let long = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000000) \
                SELECT count(*) AS n FROM c";
    let many = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5) SELECT i FROM c";
    for (sql, code) in [(long, "57014"), (many, "54000")] {
        let told = agent.call("query", &json!({ "sql": sql })).unwrap_err();
        assert!(told.contains(code) && told.contains("limit"), "{sql}: {told}");
    }
    agent.end();
}

/// A model that speaks of a private column wherever it can, and of what is beside it.
const MODEL: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: pets
  ai_context: {instructions: The weight is in stones.}
  datasets:
  - name: pet
    source: pet
    description: animals, each with its weight
    ai_context: {synonyms: [animals, bearers of weight]}
    fields:
    - name: kind
      expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}
      ai_context: {synonyms: [species]}
    - name: weight
      expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}
      ai_context: {synonyms: [heft]}
    - name: burden
      expression: {dialects: [{dialect: ANSI_SQL, expression: weight * 2}]}
    custom_extensions:
    - vendor_name: QUERENT
      data: {filters: [{name: bulky, expression: \"weight > 10\"}, {name: feline, expression: \"kind = 'cat'\"}]}
  metrics:
  - name: mass
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pet.weight)}]}
  - name: headcount
    description: how many there are
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pet.id)}]}
  custom_extensions:
  - vendor_name: QUERENT
    data: {verified_queries: [{question: zorblax of all, sql: SELECT sum(weight) FROM pet}]}
";

const ABOUT_PRIVATE: &str =
    "[privacy]\nprivate = [\"pet.weight\"]\n[semantic]\nfile = \"m1.yaml\"\n[audit]\nenabled = false\n";
const HIDDEN: [&str; 6] = ["weight", "bulky", "mass", "heft", "burden", "m1.yaml"];

#[test]
fn a_model_that_speaks_of_a_private_column_is_heard_without_it() {
    let server = PostgresServer::start();
    let mut backends = vec!["pets.db".to_owned()];
    if let Some(server) = &server {
        let tables = "CREATE TABLE pet (id int PRIMARY KEY, name text, kind text, weight real);
                      INSERT INTO pet VALUES (1, 'Rex', 'dog', 20.5), (2, 'Tom', 'cat', 4.0), (3, 'Kit', 'cat', 3.5)";
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(server.run("postgres", tables));
        backends.push(server.address(SUPERUSER, "postgres"));
    }
    for backend in backends {
        let place = Place::new();
        place.write("m1.yaml", MODEL);
        let mut agent = Agent::start_before(&backend, place, ABOUT_PRIVATE);
        let model = agent.call("semantic_model", &json!({})).unwrap().to_string();
        for shown in ["headcount", "feline", "species", "animals"] {
            // Filters are told by their other names alone.
            assert!(shown == "feline" || model.contains(shown), "{shown} in {model}");
        }
        for (tool, arguments) in [
            ("schema", json!({})),
            ("semantic_model", json!({})),
            ("ask", json!({ "question": "how many pets are bulky?" })),
            ("ask", json!({ "question": "what is the mass of all pets?" })),
            ("ask", json!({ "question": "zorblax of all" })),
            ("query", json!({ "sql": "SELECT no_such FROM pet" })),
        ] {
            let told = format!("{:?}", agent.call(tool, &arguments));
            let asked = arguments.to_string();
            for hidden in HIDDEN.iter().filter(|hidden| !asked.contains(*hidden)) {
                assert!(
                    !told.contains(hidden),
                    "{backend} {tool} {asked}: {hidden} in {told}"
                );
            }
        }
        let answer = agent.call("ask", &json!({ "question": "how many feline pets are there?" }));
        let answer = answer.unwrap();
        let counted = answer["result"]["rows"][0].as_object().unwrap();
        assert_eq!(counted.values().next(), Some(&json!(2)), "{backend}: {answer}");
        agent.end();
    }
}

#[test]
fn what_is_wrong_with_a_model_is_for_who_runs_the_program() {
    let place = Place::new();
    place.write("m1.yaml", &MODEL.replace("SUM(pet.weight)", "SUM(pet.wait)"));
    place.write("querent.toml", ABOUT_PRIVATE);
    refuses(
        &place,
        &["mcp", "pets.db"],
        1,
        &["mass: pet has no column or field wait"],
    );
}

#[test]
fn over_http_an_agent_hears_nothing_of_a_servers_files() {
    let place = Place::new();
    place.write("m1.yaml", MODEL);
    let served = Served::start_in(
        place,
        &format!("console_token = \"secret\"\n{ABOUT_PRIVATE}"),
        &["sqlite:pets.db", "--console", "127.0.0.1:0"],
    );
    let call = |tool: &str, arguments: Value| {
        let content = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
        });
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Authorization", "Bearer secret"),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        post(&served, "/mcp", &headers, &content.to_string()).body
    };
    let model = call("semantic_model", json!({}));
    assert!(model.contains("headcount"), "{model}");
    for hidden in HIDDEN {
        assert!(!model.contains(hidden), "{hidden} in {model}");
    }
    let answer = call("ask", json!({ "question": "what is the headcount?" }));
    assert!(answer.contains("COUNT"), "{answer}");
}

#[test]
fn an_agent_does_not_hear_that_a_rule_denies_what_it_writes() {
    let mut agent =
        Agent::start("[[policy.rule]]\ndeny = [\"pet.weight\", \"owner\"]\n[audit]\nenabled = false\n");
    let mut refused = |sql: &str| agent.call("query", &json!({ "sql": sql })).unwrap_err();
    for (denied, never) in [
        ("SELECT weight FROM pet", "SELECT no_such FROM pet"),
        ("SELECT * FROM owner", "SELECT * FROM no_such"),
    ] {
        let (told, expected) = (refused(denied), refused(never));
        let told = told.replace("weight", "no_such").replace("owner", "no_such");
        assert_eq!(told, expected, "{denied}");
    }
    // An answer to something else would be worse.
    let told = agent.call("ask", &json!({ "question": "average weight of the pets" }));
    assert!(
        told.unwrap_err()
            .contains("the access policy does not let this be read")
    );
    agent.end();
}

#[test]
fn what_the_policy_names_in_vain_is_not_told_to_an_agent() {
    let mut agent = Agent::start("[privacy]\nprivate = [\"pet.waight\"]\n[audit]\nenabled = false\n");
    for tool in ["schema", "semantic_model", "ask", "query"] {
        let told = agent.call(tool, &json!({ "question": "how many pets?", "sql": "SELECT 1" }));
        let told = told.unwrap_err();
        assert!(
            told.contains("42501") && !told.contains("waight"),
            "{tool}: {told}"
        );
    }
    agent.end();
}

#[test]
fn an_agent_gets_no_rows_of_what_changed_while_a_model_thought() {
    let said = |sql: &str| says(sql).held();
    let model = ScriptedModel::start(vec![said("SELECT * FROM fed"), says("SELECT * FROM fed")]);
    let place = Place::new();
    place.database("pets.db", "CREATE VIEW fed AS SELECT id, name FROM pet");
    let file = place.path("pets.db");
    let private = "mode = \"single\"\nlimits.attempts = 0\n[privacy]\nprivate = [\"pet.kind\"]\n[audit]\nenabled = false\n";
    let mut agent = Agent::start_in(place, &format!("{private}{}", table(&model)));
    let swap = std::thread::scope(|threads| {
        threads.spawn(|| {
            model.wait_for_requests(1);
            create(
                &file,
                "DROP VIEW fed; CREATE VIEW fed AS SELECT id, kind AS name FROM pet",
            );
            model.release();
        });
        agent.call("ask", &json!({ "question": "frobnicate the fed" }))
    });
    let refused = swap.unwrap_err();
    assert!(refused.contains("(40001)"), "{refused}");
    // Asked afresh, there is no such view for an agent.
    let again = json!({ "question": "frobnicate the fed again" });
    let refused = agent.call("ask", &again).unwrap_err();
    assert!(refused.contains("there is no table fed"), "{refused}");
    agent.end();
    model.finish();
}
