//! SQL of one's own: nothing of it stays, neither in the session that ran it nor beside it. And what the login cannot be told.

use serde_json::{Value, json};

use super::{
    pages::{body, post},
    roles::basic,
    served::{Reply, Served},
};
use crate::{
    postgres::server::{PostgresServer, SUPERUSER},
    program::Place,
};

const TOKEN: (&str, &str) = ("Authorization", "Bearer secret");
const OPEN: &str = "console_token = \"secret\"\n[audit]\nenabled = false\n";

/// A program's conversation, which keeps one connection.
struct Conversation<'s>(&'s Served, String);

impl<'s> Conversation<'s> {
    fn begin(served: &'s Served) -> Self {
        let begun = post(served, "/api/v1/conversations", &[TOKEN], "{}");
        let begun: Value = serde_json::from_str(&body(&begun)).unwrap();
        Self(served, begun["id"].as_str().unwrap().to_owned())
    }

    fn post(&self, path: &str, content: &Value) -> Reply {
        let headers = [TOKEN, ("Querent-Conversation", self.1.as_str())];
        post(self.0, path, &headers, &content.to_string())
    }

    fn run(&self, sql: &str) -> (u16, String) {
        let reply = self.post("/api/v1/query", &json!({ "sql": sql }));
        (reply.code, body(&reply))
    }
}

#[test]
fn a_session_before_a_file_keeps_nothing_of_it() {
    let served = Served::start(OPEN);
    let (one, other) = (Conversation::begin(&served), Conversation::begin(&served));
    for sql in [
        "SELECT pg_advisory_lock(99)",
        "SELECT pg_advisory_lock_shared(99)",
        "SELECT pg_advisory_lock(99), json('no')",
        "SELECT set_config('search_path', 'elsewhere', false)",
        "SELECT set_config('querent.mode', 'single', false)",
        "SELECT 1 AS a INTO TEMP kept",
    ] {
        one.run(sql);
        let (code, told) = other.run("SELECT pg_try_advisory_lock(99) AS free");
        assert!(
            code == 200 && told.contains("[\"t\"]"),
            "a lock stays behind {sql}: {told}"
        );
        let (_, told) = one.run("SELECT current_setting('search_path') AS path");
        assert!(!told.contains("elsewhere"), "behind {sql}: {told}");
        let (_, told) = one.run("SELECT count(*) AS n FROM sqlite_temp_schema WHERE name = 'kept'");
        assert!(!told.contains("[\"1\"]"), "behind {sql}: {told}");
    }
    // And the next question finds the session as it was.
    let reply = one.post("/api/v1/ask", &json!({ "question": "how many pets are there?" }));
    assert!(reply.body.contains("event: rows"), "{}", reply.body);
}

#[test]
fn a_text_that_no_database_takes_is_told_so() {
    let served = Served::start(OPEN);
    let conversation = Conversation::begin(&served);
    let (code, told) = conversation.run("SELECT 'a\0b'");
    assert!(code == 422 && told.contains("22021"), "{told}");
    let given = json!({ "user": "ann", "password": "", "database": "pe\0ts" });
    let reply = conversation.post("/api/v1/login", &given);
    let told = body(&reply);
    assert!(reply.code == 403 && told.contains("3D000"), "{told}");
    let given = json!({ "user": "an\0n", "password": "a" });
    let told = body(&conversation.post("/api/v1/login", &given));
    assert!(told.contains("28P01"), "{told}");
}

#[test]
fn a_name_that_nobody_can_have_is_a_wrong_one() {
    let served = Served::start(
        "console_auth = \"users\"\n[auth]\nmode = \"scram\"\nusers = { eve = \"e\" }\n[audit]\nenabled = false\n",
    );
    for (user, password, code) in [
        ("eve", "e", 200),
        ("eve\0app", "e", 401),
        ("eve", "e\0", 401),
        ("\0", "", 401),
    ] {
        let said = basic(user, password);
        let reply = served.ask("/api/v1/questions", &[("Authorization", &said)]);
        assert_eq!(reply.code, code, "{user:?}: {}", reply.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_rollback_does_not_undo_is_refused_before_a_server() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let address = postgres.address(SUPERUSER, "postgres");
    let served = Served::start_in(Place::new(), OPEN, &[&address, "--console", "127.0.0.1:0"]);
    let conversation = Conversation::begin(&served);
    let login = json!({ "user": SUPERUSER, "password": "", "database": "postgres" });
    let reply = conversation.post("/api/v1/login", &login);
    assert_eq!(reply.code, 200, "{}", reply.body);
    for sql in [
        "SELECT pg_create_physical_replication_slot('x', true)",
        "SELECT pg_catalog.\"pg_create_physical_replication_slot\" ('x', true)",
        "SELECT pg_reload_conf()",
        "EXPLAIN ANALYZE SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE false",
    ] {
        let (code, told) = conversation.run(sql);
        assert!(
            code == 422 && told.contains("42501") && told.contains("rolled back"),
            "{sql}: {told}"
        );
    }
    let (code, told) = conversation.run("SELECT count(*) FROM pg_replication_slots");
    assert!(code == 200 && told.contains("[\"0\"]"), "{told}");
    // The session lives on behind rows that are too long to be taken, however many follow.
    for sql in [
        "SELECT repeat('x', 40000000)",
        "SELECT repeat('x', 40000000) FROM generate_series(1, 100000)",
        "SELECT CASE WHEN i > 2 THEN repeat('x', 40000000) END FROM generate_series(1, 9) AS i",
    ] {
        let (code, told) = conversation.run(sql);
        assert!(
            code == 422 && told.contains("54000") && told.contains("too large"),
            "{sql}: {code} {told}"
        );
        let (code, told) = conversation.run("SELECT 1 AS one");
        assert!(code == 200 && told.contains("[\"1\"]"), "behind {sql}: {told}");
    }
}
