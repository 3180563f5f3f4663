//! Users of the console: their passwords, what each sees and may do, and proxies that say who comes.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    pages::{body, post},
    served::{Reply, Served},
};
use crate::{
    postgres::server::PostgresServer,
    program::{Place, refuses},
};

const USERS: &str = "console_auth = \"users\"\nconsole_token = \"t\"\n\
                     [console_roles]\nsee_all = [\"eve\", \"+auditors\"]\nteach = [\"eve\"]\noperate = [\"oscar\"]\n\
                     [policy.roles]\nauditors = [\"paul\"]\n\
                     [auth]\nmode = \"scram\"\n[auth.users]\nann = \"a\"\nbob = \"b\"\neve = \"e\"\noscar = \"o\"\npaul = \"p\"\n\
                     [store]\npath = \"store.db\"\n";

/// What a program sends that is a user.
pub(super) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

struct User<'s>(&'s Served, String);

impl User<'_> {
    fn get(&self, path: &str) -> Reply {
        self.0.ask(path, &[("Authorization", &self.1)])
    }

    fn post(&self, path: &str, content: &Value) -> Reply {
        post(self.0, path, &[("Authorization", &self.1)], &content.to_string())
    }

    /// The number of the question.
    fn ask(&self, question: &str) -> String {
        let reply = self.post("/api/v1/ask", &json!({ "question": question }));
        let text = body(&reply);
        assert!(reply.code == 200 && text.contains("event: rows"), "{text}");
        let id = text.split("\"id\":\"").nth(1).unwrap();
        id.split('"').next().unwrap().to_owned()
    }
}

fn check(user: &User<'_>, method: &str, path: &str, code: u16) {
    let reply = match method {
        "GET" => user.get(path),
        _ => user.post(path, &json!({})),
    };
    assert_eq!(reply.code, code, "{} {method} {path}: {}", user.1, reply.body);
}

#[test]
fn each_user_sees_and_does_what_its_roles_allow() {
    let served = Served::start(USERS);
    assert!(!served.lines().iter().any(|line| line.contains("?token=")));
    let user = |name: &str| User(&served, basic(name, &name[..1]));
    let (ann, bob, eve, oscar) = (user("ann"), user("bob"), user("eve"), user("oscar"));
    let asked = ann.ask("how many pets are there?");
    bob.ask("how many pets are there?");
    for (who, count) in [(&ann, 1), (&bob, 1), (&oscar, 0), (&eve, 2), (&user("paul"), 2)] {
        let reply = who.get("/api/v1/questions?user=ann");
        let listed: Value = serde_json::from_str(&body(&reply)).unwrap();
        // Whoever sees one user alone sees that one, whatever is wanted.
        let expected = if count == 2 { 1 } else { count };
        assert_eq!(
            listed["questions"].as_array().unwrap().len(),
            expected,
            "{listed}"
        );
        let all: Value = serde_json::from_str(&body(&who.get("/api/v1/questions"))).unwrap();
        assert_eq!(all["questions"].as_array().unwrap().len(), count, "{all}");
    }
    let one = format!("/api/v1/questions/{asked}");
    for (who, code) in [(&ann, 200), (&bob, 404), (&eve, 200), (&oscar, 404)] {
        check(who, "GET", &one, code);
    }
    // What is refused is refused before it is looked at: an empty body is no verdict and no data set.
    for (method, path, codes) in [
        ("GET", "/api/v1/pipeline", [403, 200, 403]),
        ("GET", "/api/v1/benchmarks", [403, 200, 200]),
        ("GET", "/api/v1/benchmarks/1", [403, 404, 404]),
        ("POST", "/api/v1/benchmarks", [403, 403, 400]),
        ("POST", "/api/v1/benchmarks/1/stop", [403, 403, 404]),
        ("GET", "/api/v1/system", [403, 403, 200]),
        ("POST", "/api/v1/audit/check", [403, 403, 200]),
        ("POST", "/api/v1/feedback", [403, 400, 403]),
        ("GET", "/api/v1/semantic-model", [403, 200, 403]),
        ("GET", "/api/v1/semantic-model/export", [403, 200, 403]),
        ("POST", "/api/v1/semantic-model/check", [403, 400, 403]),
        ("GET", "/api/v1/examples", [200, 200, 200]),
        ("GET", "/api/v1/schema", [200, 200, 200]),
        ("GET", "/api/v1/schema?user=ann", [403, 403, 200]),
        ("GET", "/api/v1/semantic-model/suggestions", [403, 200, 403]),
        ("POST", "/api/v1/semantic-model/suggestions", [403, 400, 403]),
        ("GET", "/api/v1/openapi.json", [200, 200, 200]),
    ] {
        for (who, code) in [&ann, &eve, &oscar].into_iter().zip(codes) {
            check(who, method, path, code);
        }
    }
    // Tools ask with the rights of the server's own user.
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    check(&ann, "POST", "/mcp", 403);
    assert_ne!(oscar.post("/mcp", &call).code, 403);
    let verdict = json!({ "id": eve.ask("how many pets are there?"), "verdict": "good" });
    assert_eq!(eve.post("/api/v1/feedback", &verdict).code, 200);
    // In front of a file one asks as who one is, and as nobody else.
    let other = json!({ "user": "bob", "password": "b" });
    assert_eq!(ann.post("/api/v1/login", &other).code, 403);
    // Who has the token may do everything.
    let token = User(&served, "Bearer t".to_owned());
    for path in ["/api/v1/pipeline", "/api/v1/system", "/metrics", one.as_str()] {
        check(&token, "GET", path, 200);
    }
    check(&ann, "GET", "/metrics", 401);
    let told = served.lines().join("\n");
    assert!(!told.contains("Basic") && !told.contains("how many"), "{told}");
}

#[test]
fn wrong_passwords_are_limited_and_roles_follow_a_reload() {
    let served = Served::start(USERS);
    let ann = User(&served, basic("ann", "a"));
    let bob = User(&served, basic("bob", "b"));
    check(&ann, "GET", "/api/v1/system", 403);
    served.place.write(
        "querent.toml",
        &USERS
            .replace("[\"oscar\"]", "[\"ann\"]")
            .replace("bob = \"b\"", "bob = \"new\""),
    );
    check(&bob, "GET", "/api/v1/examples", 200);
    served.signal("-HUP");
    served.line(|line| line.contains("settings reloaded"));
    check(&ann, "GET", "/api/v1/system", 200);
    // Another password is needed from now on, though this one was right before.
    check(&bob, "GET", "/api/v1/examples", 401);
    let wrong = User(&served, basic("ann", "wrong"));
    let codes: Vec<u16> = (0..11).map(|_| wrong.get("/api/v1/examples").code).collect();
    assert_eq!((codes[0], codes.last()), (401, Some(&429)), "{codes:?}");
    let sign_in = |content: &str| post(&served, "/sign-in", &[], content).code;
    assert_eq!(sign_in("user=ann&password=a"), 429);
    assert_eq!(sign_in("user=nobody&password=a"), 401);
    assert_eq!(sign_in("user=eve&password=e"), 303);
}

#[cfg(target_os = "linux")]
#[test]
fn a_password_that_is_in_use_elsewhere_is_no_easier_to_guess() {
    let served = Served::start(USERS);
    let says = |last: u8, password: &str| {
        let said = basic("ann", password);
        let headers = [("Authorization", said.as_str())];
        served
            .ask_from([127, 0, 0, last], "/api/v1/examples", &headers)
            .code
    };
    assert_eq!(says(1, "a"), 200);
    for last in [2, 1] {
        let codes: Vec<u16> = (0..11).map(|_| says(last, "wrong")).collect();
        assert_eq!((codes[0], codes.last()), (401, Some(&429)), "{codes:?}");
        assert_eq!(says(last, "a"), 429, "right and wrong are told apart");
        assert_eq!(says(1, "a"), if last == 1 { 429 } else { 200 });
    }
    assert_eq!(says(3, "a"), 200);
}

#[test]
fn a_browser_signs_in_sees_its_own_pages_and_is_signed_out_in_time() {
    let settings = format!("console_session = \"8s\"\n{USERS}");
    let served = Served::start(&settings);
    let page = served.get("/sign-in").body;
    assert!(
        page.contains("name=\"user\"") && page.contains("name=\"token\""),
        "{page}"
    );
    assert_eq!(
        post(&served, "/sign-in", &[], "user=ann&password=wrong").code,
        401
    );
    let reply = post(&served, "/sign-in", &[], "user=ann&password=a");
    assert!(
        reply.code == 303 && reply.head.contains("max-age=8;"),
        "{}",
        reply.head
    );
    let cookie = reply.cookie().unwrap();
    let own = |path: &str| served.ask(path, &[("Cookie", &cookie)]);
    let page = own("/questions");
    assert!(
        page.code == 200 && page.body.contains("Your questions") && page.body.contains("<b>ann</b>"),
        "{}",
        page.body
    );
    for hidden in ["/pipeline", "/benchmarks", "/system"] {
        assert!(
            !page.body.contains(&format!("href=\"{hidden}\"")),
            "{}",
            page.body
        );
        assert_eq!(own(hidden).code, 403, "{hidden}");
    }
    let page = own("/ask").body;
    assert!(page.contains("id=\"feedback\" hidden"), "{page}");
    std::thread::sleep(std::time::Duration::from_secs(8));
    assert_eq!(own("/ask").code, 303);
    assert_eq!(own("/api/v1/questions").code, 401);
}

#[test]
fn a_proxy_says_who_comes_and_nobody_else_does() {
    let settings = "console_auth = \"proxy\"\nconsole_proxy_header = \"X-Forwarded-User\"\nconsole_proxies = [\"127.0.0.1\"]\n\
                    console_roles = { operate = [\"ann\"] }\n[audit]\nenabled = false\n";
    let served = Served::start(settings);
    let named = ("X-Forwarded-User", "ann");
    assert_eq!(served.get("/ask").code, 303);
    // Without a token nothing is open to this machine: the proxy stands there.
    assert_eq!(served.get("/metrics").code, 403);
    assert_eq!(served.ask("/api/v1/examples", &[named]).code, 401);
    let reply = served.ask("/system", &[named]);
    assert!(
        reply.code == 200 && !reply.body.contains("Sign out"),
        "{}",
        reply.head
    );
    let cookie = reply.cookie().unwrap();
    let cookie = ("Cookie", cookie.as_str());
    assert_eq!(served.ask("/api/v1/system", &[cookie, named]).code, 200);
    // The cookie alone is nobody, and belongs to nobody else.
    assert_eq!(served.ask("/api/v1/system", &[cookie]).code, 401);
    let bob = ("X-Forwarded-User", "bob");
    assert_eq!(served.ask("/api/v1/system", &[cookie, bob]).code, 401);
    assert_eq!(served.ask("/system", &[cookie, bob]).code, 403);
    assert_eq!(served.ask("/ask", &[named, bob]).code, 303);
    let csrf = reply.body.split("name=\"csrf\" content=\"").nth(1).unwrap();
    let csrf = ("X-CSRF-Token", csrf.split('"').next().unwrap());
    let question = json!({ "question": "how many pets are there?" }).to_string();
    let forged = post(&served, "/api/v1/ask", &[cookie, named], &question);
    assert_eq!(forged.code, 403, "{}", forged.body);
    let reply = post(&served, "/api/v1/ask", &[cookie, named, csrf], &question);
    let text = body(&reply);
    assert!(
        text.contains("event: rows") && text.contains("\"user\":\"ann\""),
        "{text}"
    );
    // From elsewhere the header is worth nothing.
    served
        .place
        .write("querent.toml", &settings.replace("127.0.0.1", "127.0.0.2"));
    served.signal("-HUP");
    served.line(|line| line.contains("settings reloaded"));
    assert_eq!(served.ask("/ask", &[named]).code, 303);
    assert_eq!(served.ask("/api/v1/system", &[cookie, named]).code, 401);
}

#[test]
fn operators_see_what_another_user_may_read() {
    let rules = "[[policy.rule]]\nusers = [\"ann\"]\ndeny = [\"pet.weight\", \"owner\"]\n";
    let served = Served::start(&format!("{USERS}{rules}"));
    let fields = |user: &str, path: &str| -> Vec<String> {
        let reply = User(&served, basic(user, &user[..1])).get(path);
        assert_eq!(reply.code, 200, "{}", reply.body);
        let told: Value = serde_json::from_str(&body(&reply)).unwrap();
        let fields = told["fields"].as_array().unwrap().iter();
        let name = |field: &Value| {
            format!(
                "{}.{}",
                field["dataset"].as_str().unwrap(),
                field["name"].as_str().unwrap()
            )
        };
        fields.map(name).collect()
    };
    let all = fields("oscar", "/api/v1/schema");
    let of_ann = fields("oscar", "/api/v1/schema?user=ann");
    assert!(
        all.iter().any(|field| field == "pet.weight") && all.iter().any(|field| field == "owner.name"),
        "{all:?}"
    );
    assert!(of_ann.iter().any(|field| field == "pet.name"), "{of_ann:?}");
    assert!(
        !of_ann
            .iter()
            .any(|field| field == "pet.weight" || field.starts_with("owner.")),
        "{of_ann:?}"
    );
    assert_eq!(of_ann, fields("ann", "/api/v1/schema"));
}

#[test]
fn passwords_are_not_heard_where_others_could_listen() {
    let place = Place::new();
    place.write("querent.toml", USERS);
    let serve = [
        "serve",
        "sqlite:pets.db",
        "--listen",
        "127.0.0.1:0",
        "--console",
        "0.0.0.0:0",
    ];
    refuses(&place, &serve, 1, &["unencrypted", "console_tls"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_front_of_a_server_questions_run_with_the_login_of_the_sign_in() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    postgres.run("postgres", "CREATE DATABASE pets").await;
    let tables = "CREATE TABLE owner (id int PRIMARY KEY, name text); INSERT INTO owner VALUES (1, 'Ada'), (2, 'Ben');
                  CREATE TABLE secret (id int PRIMARY KEY); CREATE ROLE ada LOGIN; GRANT SELECT ON owner TO ada";
    postgres.run("pets", tables).await;
    let address = format!("postgres://127.0.0.1:{}/pets?sslmode=disable", postgres.port);
    let settings = "console_auth = \"users\"\n[auth]\nmode = \"scram\"\nusers = { ada = \"pencil\", ben = \"pen\" }\n[audit]\nenabled = false\n";
    let served = Served::start_in(Place::new(), settings, &[&address, "--console", "127.0.0.1:0"]);
    let ada = User(&served, basic("ada", "pencil"));
    check(
        &User(&served, basic("ada", "eraser")),
        "GET",
        "/api/v1/questions",
        401,
    );
    ada.ask("how many owners are there?");
    let run = |sql: &str| ada.post("/api/v1/query", &json!({ "sql": sql }));
    // Who sends a name with each request is nobody else, whatever was logged in with it.
    postgres.run("pets", "CREATE ROLE ben LOGIN").await;
    let other = json!({ "user": "ben", "password": "pen" });
    assert_eq!(ada.post("/api/v1/login", &other).code, 403);
    let same = json!({ "user": "ada", "password": "pencil" });
    assert_eq!(ada.post("/api/v1/login", &same).code, 200);
    let who = run("SELECT session_user");
    assert!(who.code == 200 && who.body.contains("[\"ada\"]"), "{}", who.body);
    let refused = run("SELECT * FROM secret");
    assert!(
        refused.code == 422 && refused.body.contains("42501"),
        "{}",
        refused.body
    );
    // What a statement does to its session or beside its tables ends with it.
    let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' UNION ALL SELECT count(*) FROM pg_largeobject_metadata \
                UNION ALL SELECT count(*) FROM pg_listening_channels()";
    for sql in [
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_advisory_lock_shared(2), 1 / 0",
        "SELECT set_config('work_mem', '1MB', false)",
        "SELECT lo_create(4711)",
        "SELECT lo_create(4711)",
    ] {
        // Later versions of the server refuse the last ones.
        let reply = run(sql);
        assert!(
            reply.code == 200 || ["25006", "22012"].iter().any(|code| reply.body.contains(code)),
            "{sql}: {}",
            reply.body
        );
        let reply = run(held);
        assert!(
            reply.body.contains("[[\"0\"],[\"0\"],[\"0\"]]"),
            "{sql}: {}",
            reply.body
        );
    }
    let twice = run("SELECT lo_create(4711), lo_create(4711)");
    assert!(
        twice.code == 422 && (twice.body.contains("23505") || twice.body.contains("25006")),
        "{}",
        twice.body
    );
    // Types that are not the server's own are asked for on the same connection.
    postgres
        .run(
            "pets",
            "CREATE TYPE mood AS ENUM ('sad'); CREATE TYPE pace AS ENUM ('slow')",
        )
        .await;
    for sql in ["SELECT 'sad'::mood", "SELECT 'slow'::pace"] {
        assert_eq!(run(sql).code, 200, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_whose_connection_is_lost_logs_in_again_with_what_it_sends() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    postgres.run("postgres", "CREATE DATABASE pets").await;
    let tables =
        "CREATE TABLE owner (id int PRIMARY KEY, name text); INSERT INTO owner VALUES (1, 'Ada'), (2, 'Ben');
                  CREATE ROLE ada LOGIN; CREATE ROLE bob LOGIN; GRANT SELECT ON owner TO ada, bob";
    postgres.run("pets", tables).await;
    let address = format!("postgres://127.0.0.1:{}/pets?sslmode=disable", postgres.port);
    let settings = "console_auth = \"users\"\n[auth]\nmode = \"scram\"\nusers = { ada = \"pencil\", bob = \"brush\" }\n\
                    [limits]\nstatement_timeout = \"1s\"\n[audit]\nenabled = false\n";
    let served = Served::start_in(Place::new(), settings, &[&address, "--console", "127.0.0.1:0"]);
    let ada = User(&served, basic("ada", "pencil"));
    let run = |sql: &str| ada.post("/api/v1/query", &json!({ "sql": sql }));
    let who = "SELECT session_user";
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ('ada', 'bob')";
    let until_known = || std::thread::sleep(std::time::Duration::from_millis(300));
    let is_ada = |reply: &Reply| reply.code == 200 && reply.body.contains("[\"ada\"]");
    assert!(is_ada(&run(who)));
    for _ in 0..2 {
        postgres.run("postgres", kill).await;
        until_known();
        let reply = run(who);
        assert!(is_ada(&reply), "{}: {}", reply.code, reply.body);
    }
    ada.ask("how many owners are there?");
    // A row that nothing could hold ends its connection, and a statement that takes too long ends by itself.
    for (sql, code) in [
        ("SELECT repeat('x', 40000000)", "54000"),
        ("SELECT pg_sleep(60)", "57014"),
    ] {
        let reply = run(sql);
        assert!(
            reply.code == 422 && reply.body.contains(code),
            "{sql}: {}",
            reply.body
        );
        let reply = run(who);
        assert!(is_ada(&reply), "behind {sql}: {}", reply.body);
    }
    // So does a conversation, whose connection is its own.
    let begun = ada.post("/api/v1/conversations", &json!({}));
    let begun: Value = serde_json::from_str(&body(&begun)).unwrap();
    let id = begun["id"].as_str().unwrap();
    let within = |path: &str, content: &Value| {
        let headers = [("Authorization", ada.1.as_str()), ("Querent-Conversation", id)];
        post(&served, path, &headers, &content.to_string())
    };
    assert!(is_ada(&within("/api/v1/query", &json!({ "sql": who }))));
    // Nobody logs in as somebody else with it, and it goes on as who it is.
    let bob = json!({ "user": "bob", "password": "brush" });
    assert_eq!(within("/api/v1/login", &bob).code, 403);
    postgres.run("postgres", kill).await;
    until_known();
    assert!(is_ada(&within("/api/v1/query", &json!({ "sql": who }))));
    // With a password that is right no more nobody comes in again.
    served
        .place
        .write("querent.toml", &settings.replace("pencil", "rubber"));
    served.signal("-HUP");
    served.line(|line| line.contains("settings reloaded"));
    assert_eq!(run(who).code, 401);
}
