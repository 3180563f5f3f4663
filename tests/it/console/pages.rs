//! The console's pages and what programs ask it: signing in, asking, watching, and text that stays text.

use std::{
    fmt::Write as _,
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use super::served::{Reply, Served};

/// A browser that has signed in.
pub(super) struct Browser<'s> {
    served: &'s Served,
    pub(super) cookie: String,
    pub(super) csrf: String,
}

impl<'s> Browser<'s> {
    /// Opens the address that the server printed.
    pub(super) fn open(served: &'s Served) -> Self {
        let way_in = served.line(|line| line.starts_with("open it with "));
        let path = &way_in[way_in.find("/?token=").unwrap()..];
        let reply = served.get(path);
        assert_eq!(reply.code, 303, "{}", reply.head);
        let cookie = reply
            .head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .unwrap();
        assert!(
            cookie.contains("httponly") && cookie.contains("samesite=strict"),
            "{cookie}"
        );
        let cookie = reply.cookie().unwrap();
        let mut browser = Self {
            served,
            cookie,
            csrf: String::new(),
        };
        let page = browser.get("/ask").body;
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).unwrap();
        csrf.split('"').next().unwrap().clone_into(&mut browser.csrf);
        browser
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        self.served.ask(path, &[("Cookie", &self.cookie)])
    }

    pub(super) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.code, 200, "{path}: {}", reply.body);
        serde_json::from_str(&body(&reply)).unwrap()
    }

    pub(super) fn post(&self, path: &str, content: &Value) -> Reply {
        self.send("POST", path, content)
    }

    pub(super) fn send(&self, method: &str, path: &str, content: &Value) -> Reply {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("X-CSRF-Token", self.csrf.as_str()),
        ];
        request(self.served, (method, path), &headers, &content.to_string())
    }

    /// Asks; what comes back is the events.
    pub(super) fn ask(&self, question: &str) -> Vec<(String, Value)> {
        let reply = self.post("/api/v1/ask", &json!({ "question": question }));
        assert_eq!(reply.code, 200, "{}", reply.body);
        let text = body(&reply);
        let events = text.split("\n\n").filter(|event| !event.is_empty()).map(|event| {
            let (name, data) = event.split_once('\n').unwrap();
            let data = data.strip_prefix("data: ").unwrap();
            let name = name.strip_prefix("event: ").unwrap();
            (name.to_owned(), serde_json::from_str(data).unwrap())
        });
        events.collect()
    }
}

/// Sends the whole request and takes the whole answer, as it is.
fn send(served: &Served, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", served.console)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

pub(crate) fn post(served: &Served, path: &str, headers: &[(&str, &str)], content: &str) -> Reply {
    request(served, ("POST", path), headers, content)
}

fn request(served: &Served, (method, path): (&str, &str), headers: &[(&str, &str)], content: &str) -> Reply {
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n",
        served.console,
        content.len()
    );
    for (name, value) in headers {
        write!(request, "{name}: {value}\r\n").unwrap();
    }
    let answer = send(served, &format!("{request}\r\n{content}"));
    Reply::read(&answer)
}

/// The body, put together where it came in chunks.
pub(super) fn body(reply: &Reply) -> String {
    if !reply.head.contains("transfer-encoding: chunked") {
        return reply.body.clone();
    }
    let mut whole = Vec::new();
    let mut rest = reply.body.as_bytes();
    loop {
        let end = rest.windows(2).position(|at| at == b"\r\n").unwrap();
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return String::from_utf8(whole).unwrap();
        }
        whole.extend_from_slice(&rest[end + 2..][..length]);
        rest = &rest[end + 2 + length + 2..];
    }
}

const OFF: &str = "[audit]\nenabled = false\n";

#[test]
fn a_question_is_asked_watched_judged_and_found_again() {
    let served = Served::start("[store]\npath = \"store.db\"\n");
    let browser = Browser::open(&served);
    let events = browser.ask("how many pets are there?");
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("begun", "rows"), "{names:?}");
    assert!(names.contains(&"ran") && names.contains(&"ended"), "{names:?}");
    let (_, ended) = events.iter().find(|(name, _)| name == "ended").unwrap();
    assert!(ended["sql"].as_str().unwrap().contains("COUNT"), "{ended}");
    assert!(!ended["steps"].as_array().unwrap().is_empty(), "{ended}");
    assert_eq!(events.last().unwrap().1["rows"].as_array().unwrap().len(), 1);

    let id = ended["id"].as_str().unwrap();
    let said = browser.post("/api/v1/feedback", &json!({ "id": id, "verdict": "good" }));
    assert!(
        said.code == 200 && said.body.contains("confirmed"),
        "{}",
        said.body
    );
    let other = browser.post("/api/v1/feedback", &json!({ "id": "another", "verdict": "bad" }));
    assert_eq!(other.code, 409, "{}", other.body);

    // What was written a moment ago comes to the store in its own time.
    let begun = std::time::Instant::now();
    let found = loop {
        let found = browser.json(&format!("/api/v1/questions/{id}"));
        if found["verdict"] == "good" && found["rows"] == 1 {
            break found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(
        (&found["user"], &found["outcome"]),
        (&json!("console"), &json!("ok"))
    );
    assert!(found["runs"].as_array().unwrap().len() > 3, "{found}");
    for (query, count) in [
        ("", 1),
        ("?text=PETS&state=answered&user=console&min_confidence=0.1", 1),
        ("?text=unicorns", 0),
        ("?state=unanswered", 0),
        ("?max_confidence=0.01", 0),
    ] {
        let listed = browser.json(&format!("/api/v1/questions{query}"));
        assert_eq!(listed["questions"].as_array().unwrap().len(), count, "{query}");
        assert_eq!(listed["source"], "store");
    }
    assert_eq!(browser.get("/api/v1/questions?since=yesterday").code, 400);
    assert_eq!(browser.get("/api/v1/questions/nothing").code, 404);
    let page = browser.get(&format!("/questions/{id}")).body;
    assert!(
        page.contains("schema linking") && page.contains("how many pets"),
        "{page}"
    );
}

#[test]
fn what_nobody_records_is_remembered_while_the_server_runs() {
    let served = Served::start(OFF);
    let browser = Browser::open(&served);
    let events = browser.ask("how many unicorns are purple?");
    let (name, failed) = events.last().unwrap();
    assert_eq!((name.as_str(), &failed["sqlstate"]), ("failed", &json!("NL001")));
    let listed = browser.json("/api/v1/questions");
    assert_eq!(listed["source"], "memory");
    assert_eq!(listed["questions"][0]["state"], "unanswered");
    let examples = browser.json("/api/v1/examples");
    assert!(
        !examples["questions"].as_array().unwrap().is_empty(),
        "{examples}"
    );
}

#[test]
fn the_server_its_agents_and_its_schema_are_told_of() {
    let served = Served::start("[store]\npath = \"store.db\"\n");
    let browser = Browser::open(&served);
    browser.ask("how many pets are there?");
    // What the agents did comes to the store in its own time.
    let begun = std::time::Instant::now();
    let told = loop {
        let told = browser.json("/api/v1/pipeline");
        if told["pipeline"]["questions"] == 1 {
            break told;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(told["pipeline"]["source"], "store", "{told}");
    assert_eq!(told["pipeline"]["agents"]["schema_linking"]["runs"], 1, "{told}");
    assert!(told["pipeline"]["bottleneck"].is_string(), "{told}");
    assert_eq!(browser.get("/api/v1/pipeline?since=yesterday").code, 400);
    let schema = browser.json("/api/v1/schema");
    let datasets = schema["datasets"].as_array().unwrap();
    assert!(
        datasets.iter().any(|dataset| dataset["name"] == "pet"),
        "{schema}"
    );
    let system = browser.json("/api/v1/system");
    assert_eq!(
        (&system["leg"], &system["answers"]),
        (&json!("sqlite"), &json!(true))
    );
    assert!(system["sessions"].as_u64().unwrap() >= 1, "{system}");
    let checked = browser.post("/api/v1/audit/check", &json!({}));
    let chain: Value = serde_json::from_str(&checked.body).unwrap();
    assert_eq!(chain["holds"], true, "{chain}");
}

#[test]
fn nothing_is_shown_or_done_without_the_token_and_a_page_of_ours() {
    let served = Served::start(OFF);
    for path in ["/ask", "/questions", "/questions/x"] {
        let reply = served.get(path);
        assert!(
            reply.code == 303 && reply.head.contains("location: /sign-in"),
            "{path}: {}",
            reply.head
        );
    }
    for path in ["/api/v1/questions", "/api/v1/examples", "/api/v1/events"] {
        assert_eq!(served.get(path).code, 401, "{path}");
    }
    assert_eq!(served.get("/?token=wrong").code, 401);
    assert_eq!(post(&served, "/sign-in", &[], "token=wrong").code, 401);
    let browser = Browser::open(&served);
    let question = json!({ "question": "how many pets are there?" }).to_string();
    let cookie = ("Cookie", browser.cookie.as_str());
    for headers in [
        vec![],
        vec![("X-CSRF-Token", browser.csrf.as_str())],
        vec![cookie],
        vec![cookie, ("X-CSRF-Token", "guessed")],
        vec![
            cookie,
            ("X-CSRF-Token", browser.csrf.as_str()),
            ("Origin", "http://evil.example.org"),
        ],
    ] {
        let reply = post(&served, "/api/v1/ask", &headers, &question);
        assert!([401, 403].contains(&reply.code), "{headers:?}: {}", reply.body);
    }
    // Who leaves has to come in again.
    assert_eq!(browser.post("/sign-out", &json!({})).code, 303);
    assert_eq!(browser.get("/ask").code, 303);
    // After too many wrong tokens each is looked at after a pause alone; the right one still opens.
    let codes: Vec<u16> = (0..40)
        .map(|_| served.get("/?token=wrong").code)
        .take_while(|code| *code != 429)
        .collect();
    assert!(codes.len() < 40, "{codes:?}");
    Browser::open(&served);
}

#[test]
fn a_program_sends_the_token_itself() {
    let served = Served::start("console_token = \"secret\"\n[audit]\nenabled = false\n");
    assert!(!served.lines().iter().any(|line| line.contains("?token=")));
    let token = ("Authorization", "Bearer secret");
    let question = json!({ "question": "how many pets are there?" }).to_string();
    let reply = post(&served, "/api/v1/ask", &[token], &question);
    assert!(
        reply.code == 200 && body(&reply).contains("event: rows"),
        "{}",
        reply.body
    );
    assert_eq!(served.ask("/api/v1/questions", &[token]).code, 200);
    // It cannot log in for others that have the token.
    let login = json!({ "user": "ada", "password": "pencil" }).to_string();
    assert_eq!(post(&served, "/api/v1/login", &[token], &login).code, 403);
    assert_eq!(post(&served, "/sign-in", &[], "token=secret").code, 303);
    // Who guesses is told to wait after a while; that keeps nobody out who has the right one.
    let wrong = ("Authorization", "Bearer guessed");
    let codes: Vec<u16> = (0..31)
        .map(|_| served.ask("/api/v1/system", &[wrong]).code)
        .collect();
    assert_eq!((codes[0], codes.last()), (401, Some(&429)), "{codes:?}");
    assert_eq!(served.ask("/metrics", &[wrong]).code, 429);
    for path in ["/api/v1/system", "/metrics"] {
        assert_eq!(served.ask(path, &[token]).code, 200, "{path}");
    }
}

#[test]
fn a_statement_is_changed_run_again_and_told_to_be_right() {
    let served = Served::start("[store]\npath = \"store.db\"\n");
    let browser = Browser::open(&served);
    let events = browser.ask("how many pets are there?");
    let sql = events.iter().find(|(name, _)| name == "ended").unwrap().1["sql"].clone();
    let rows = |sql: &str| {
        let reply = browser.post("/api/v1/query", &json!({ "sql": sql }));
        (reply.code, serde_json::from_str::<Value>(&reply.body).unwrap())
    };
    let (code, found) = rows(sql.as_str().unwrap());
    assert_eq!(
        (code, &found["rows"]),
        (200, &events.last().unwrap().1["rows"]),
        "{found}"
    );
    // It is in the file's own dialect, and another one afterwards is too.
    assert_eq!(
        rows("SELECT strftime('%Y', '2024-05-06') AS year").1["rows"][0][0],
        "2024"
    );
    for sql in [
        "DELETE FROM pet",
        "COMMIT",
        "SELECT 1; DELETE FROM pet",
        "WITH gone AS (SELECT 1) DELETE FROM pet",
        "SELECT nothing FROM pet",
    ] {
        let (code, refused) = rows(sql);
        assert!(
            code == 422 && refused["error"]["sqlstate"].is_string(),
            "{sql}: {refused}"
        );
    }
    assert_eq!(rows("SELECT count(*) FROM pet").0, 200);
    // All of them are in the audit, and none counts as a question.
    let begun = std::time::Instant::now();
    loop {
        let listed = browser.json("/api/v1/questions");
        let listed = listed["questions"].as_array().unwrap();
        let outcome = |sql: &str, state: &str| {
            let mut found = listed.iter();
            found.any(|item| item["question"] == sql && item["action"] == "query" && item["state"] == state)
        };
        if outcome("SELECT count(*) FROM pet", "answered") && outcome("DELETE FROM pet", "unanswered") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{listed:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let totals = &browser.json("/api/v1/pipeline")["totals"];
    assert_eq!(totals["questions"], 1, "{totals}");

    let right = "SELECT count(*) -- of all\nFROM pet /* */ WHERE name <> '*/'";
    let id = &events[0].1["id"];
    let said = browser.post(
        "/api/v1/feedback",
        &json!({ "id": id, "verdict": "fix", "sql": right }),
    );
    assert!(
        said.code == 200 && said.body.contains("corrected"),
        "{}",
        said.body
    );
    let nothing = browser.post("/api/v1/feedback", &json!({ "id": id, "verdict": "fix" }));
    assert_eq!(nothing.code, 400, "{}", nothing.body);
    let page = browser.get(&format!("/ask/{}", id.as_str().unwrap()));
    assert!(
        page.code == 200 && page.body.contains("data-answer="),
        "{}",
        page.body
    );
}

#[test]
fn a_program_is_remembered_within_a_conversation() {
    let served = Served::start("console_token = \"secret\"\n[audit]\nenabled = false\n");
    let token = ("Authorization", "Bearer secret");
    let said = |headers: &[(&str, &str)], path: &str, content: &Value| {
        let reply = post(&served, path, headers, &content.to_string());
        (reply.code, body(&reply))
    };
    let begun = said(&[token], "/api/v1/conversations", &json!({})).1;
    let begun: Value = serde_json::from_str(&begun).unwrap();
    let own = [token, ("Querent-Conversation", begun["id"].as_str().unwrap())];
    let question = json!({ "question": "how many pets are there?" });
    let answer = said(&own, "/api/v1/ask", &question).1;
    let id = answer
        .split("\"id\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let verdict = json!({ "id": id, "verdict": "good" });
    let (code, told) = said(&[token], "/api/v1/feedback", &verdict);
    assert!(code == 409 && told.contains("conversations"), "{told}");
    let (code, told) = said(&own, "/api/v1/feedback", &verdict);
    assert!(code == 200 && told.contains("confirmed"), "{told}");
    let foreign = [("Querent-Conversation", begun["id"].as_str().unwrap())];
    assert_eq!(said(&foreign, "/api/v1/feedback", &verdict).0, 401);
    let unknown = [token, ("Querent-Conversation", "another")];
    assert_eq!(said(&unknown, "/api/v1/ask", &question).0, 404);
}

#[test]
fn text_of_others_stays_text_and_pages_load_nothing_from_elsewhere() {
    let served = Served::start(OFF);
    let browser = Browser::open(&served);
    let events = browser.ask("how many <script>alert('x')</script> pets \" are */ there? /* ");
    let id = events[0].1["id"].as_str().unwrap();
    let page = browser.get(&format!("/questions/{id}"));
    assert!(
        !page.body.contains("<script>alert") && page.body.contains("&lt;script&gt;"),
        "{}",
        page.body
    );
    for expected in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: same-origin",
        "cache-control: no-store",
        "cross-origin-opener-policy: same-origin",
    ] {
        assert!(page.head.contains(expected), "{}", page.head);
    }
    for path in [
        "/ask",
        "/questions",
        "/pipeline",
        "/benchmarks",
        "/schema",
        "/system",
        "/sign-in",
    ] {
        let page = browser.get(path);
        assert_eq!(page.code, 200, "{path}: {}", page.body);
        let page = page.body;
        assert!(
            !page.contains("http://") && !page.contains("https://") && !page.contains(" style="),
            "{page}"
        );
        for asset in page.split('"').filter(|part| part.starts_with("/assets/")) {
            let reply = served.get(asset);
            assert!(
                reply.code == 200 && reply.head.contains("immutable"),
                "{asset}: {}",
                reply.head
            );
        }
    }
}

#[test]
fn in_front_of_users_with_passwords_one_logs_in_as_one_of_them() {
    let served =
        Served::start("[auth]\nmode = \"scram\"\nusers = { ada = \"pencil\" }\n[audit]\nenabled = false\n");
    let browser = Browser::open(&served);
    let question = json!({ "question": "how many pets are there?" });
    let refused = browser.post("/api/v1/ask", &question);
    assert!(
        refused.code == 403 && refused.body.contains("who asks"),
        "{}",
        refused.body
    );
    let login =
        |password: &str| browser.post("/api/v1/login", &json!({ "user": "ada", "password": password }));
    assert_eq!(login("eraser").code, 403);
    assert_eq!(login("pencil").code, 200);
    let events = browser.ask("how many pets are there?");
    assert_eq!(events.last().unwrap().0, "rows", "{events:?}");
    assert_eq!(events[0].1["user"], "ada");
    let told = served.lines().join("\n");
    assert!(!told.contains("pencil") && !told.contains("COUNT"), "{told}");
}
