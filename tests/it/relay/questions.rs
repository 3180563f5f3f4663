//! Questions in sessions of a PostgreSQL server: rights, roles, limits, encodings, what happens when somebody leaves.

use std::time::Duration;

use super::harness::Relay;
use crate::server::raw::{client_message, frame};

const COUNT: &str = "-- nl: how many orders are there?";

#[test]
fn only_what_the_user_may_read_is_known() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query("CREATE ROLE reader LOGIN; GRANT SELECT ON customers TO reader");
    let mut client = relay.client();
    assert_eq!(client.query(COUNT)[2], "D 3", "the owner");
    client.query("SET ROLE reader");
    let told = client.query(COUNT);
    assert!(
        told[0].starts_with("E ERROR 42501 reader may not read orders"),
        "{told:?}"
    );
    // Rights that come and go are noticed at once.
    admin.query("GRANT SELECT ON orders TO reader");
    assert_eq!(client.query(COUNT)[2], "D 3", "granted");
    admin.query("REVOKE SELECT ON orders FROM reader");
    let told = client.query(COUNT);
    assert!(
        told[0].starts_with("E ERROR 42501 reader may not read orders"),
        "{told:?}"
    );
    client.query("RESET ROLE");
    assert_eq!(client.query(COUNT)[2], "D 3", "the owner again");
    // So are a search path, and tables that are made meanwhile.
    client.query("CREATE SCHEMA other; CREATE TABLE other.orders(id int); SET search_path = other");
    let told = client.query(COUNT);
    assert_eq!(told[2], "D 0", "another schema: {told:?}");
    admin.query("CREATE TABLE public.parcels(id int); INSERT INTO parcels VALUES (1), (2)");
    client.query("RESET search_path");
    assert_eq!(client.query("-- nl: how many parcels are there?")[2], "D 2");
}

#[test]
fn a_name_means_what_it_means_in_the_session() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query(
        "CREATE SCHEMA archive; CREATE TABLE archive.orders(id int, customer_id int); \
         INSERT INTO archive.orders VALUES (1, 1); CREATE SCHEMA one; CREATE TABLE one.parcels(id int); \
         CREATE SCHEMA two; CREATE TABLE two.parcels(id int)",
    );
    assert_eq!(client.query(COUNT)[2], "D 3", "the search path's");
    client.query("SET search_path = archive, public");
    assert_eq!(client.query(COUNT)[2], "D 1", "the first of the search path");
    client.query("CREATE TEMP TABLE orders(id int)");
    assert_eq!(client.query(COUNT)[2], "D 0", "a temporary one comes before all");
    let told = client.query("-- nl: how many parcels are there?");
    assert!(
        told[0].starts_with("E ERROR NL001"),
        "either may be meant: {told:?}"
    );
    client.query("SET search_path = two, public");
    assert_eq!(client.query("-- nl: how many parcels are there?")[2], "D 0");
}

#[test]
fn row_level_security_holds() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(
        "CREATE ROLE reader LOGIN; GRANT SELECT ON customers TO reader; \
         ALTER TABLE customers ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY spain ON customers FOR SELECT TO reader USING (country = 'Spain')",
    );
    let mut client = relay.client();
    client.query("SET ROLE reader");
    let told = client.query("-- nl: how many customers are there?");
    assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    // No value of a table with row-level security is known, not even the rows that may be seen.
    let told = client.query("-- nl: customers in France");
    assert!(told.iter().all(|line| !line.contains("Bob")), "{told:?}");
}

/// A view that writes, which nobody can see of it: what a superuser has made of PostgreSQL's own functions is trusted.
const TRAP: &str = "
    CREATE TABLE log(line text);
    CREATE FUNCTION spy() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING 1 $$;
    CREATE FUNCTION runs(text, bool, bool, text) RETURNS xml LANGUAGE internal STABLE STRICT AS 'query_to_xml';
    CREATE VIEW trap AS SELECT g AS caught FROM generate_series(1, 2) g
        WHERE runs('SELECT public.spy()', true, false, '') IS NOT NULL";

#[test]
fn a_question_does_not_write() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query(TRAP);
    // {Q} is the question as a comment, {N} the same as a function.
    let ways: &[(&str, &[&str])] = &[
        ("alone", &["Query {Q}"]),
        ("as a function", &["Query SELECT * FROM {N} AS n"]),
        (
            "in a subquery",
            &["Query SELECT (SELECT max(caught) FROM {N} AS n), 1"],
        ),
        (
            "in a common table expression",
            &["Query WITH n AS (SELECT * FROM {N}) SELECT * FROM n"],
        ),
        ("copied", &["Query COPY (SELECT * FROM {N}) TO STDOUT"]),
        ("explained", &["Query EXPLAIN ANALYZE SELECT * FROM {N}"]),
        (
            "in a transaction",
            &["Query BEGIN", "Query {Q}", "Query ROLLBACK"],
        ),
        ("behind others", &["Query SELECT 1; {Q}\n"]),
        ("before others", &["Query {Q}\n; SELECT 1"]),
        (
            "in a block of one string",
            &["Query BEGIN; SELECT 1; {Q}\n; SELECT 2; COMMIT"],
        ),
        (
            "among others in a transaction",
            &["Query BEGIN", "Query SELECT 1; {Q}\n; SELECT 2", "Query ROLLBACK"],
        ),
        ("prepared", &["Parse | {Q}", "Bind | |", "Execute", "Sync"]),
        (
            "prepared by name",
            &["Parse s | {Q}", "Sync", "Bind | s |", "Execute", "Sync"],
        ),
        (
            "prepared in a transaction",
            &[
                "Query BEGIN",
                "Parse | {Q}",
                "Bind | |",
                "Execute",
                "Sync",
                "Query ROLLBACK",
            ],
        ),
        (
            "behind BEGIN in a pipeline",
            &[
                "Parse | BEGIN",
                "Bind | |",
                "Execute",
                "Parse | {Q}",
                "Bind | |",
                "Execute",
                "Sync",
                "Query ROLLBACK",
            ],
        ),
        (
            "behind a prepared BEGIN",
            &[
                "Parse b | BEGIN",
                "Sync",
                "Bind | b |",
                "Execute",
                "Parse | {Q}",
                "Bind | |",
                "Execute",
                "Sync",
                "Query ROLLBACK",
            ],
        ),
        (
            "behind others in a pipeline",
            &[
                "Parse | SELECT 1",
                "Bind | |",
                "Execute",
                "Parse | {Q}",
                "Bind | |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "before others in a pipeline",
            &[
                "Parse | {Q}",
                "Bind | |",
                "Execute",
                "Parse | SELECT 1",
                "Bind | |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "in two goes",
            &["Parse | {Q}", "Bind | |", "Execute | 1", "Execute | 1", "Sync"],
        ),
        (
            "at Bind",
            &[
                "Parse n | SELECT * FROM nl($1)",
                "Bind | n | how many traps are there?",
                "Execute",
                "Sync",
            ],
        ),
        (
            "by a cursor",
            &[
                "Query BEGIN",
                "Query DECLARE k CURSOR FOR SELECT * FROM {N}",
                "Query FETCH k",
                "Query ROLLBACK",
            ],
        ),
        (
            "by a cursor in one string",
            &["Query BEGIN; DECLARE k CURSOR FOR SELECT * FROM {N}; FETCH k; COMMIT"],
        ),
        (
            "moved",
            &[
                "Query BEGIN",
                "Query DECLARE k CURSOR FOR SELECT * FROM {N}",
                "Query MOVE k",
                "Query ROLLBACK",
            ],
        ),
        (
            "fetched in a pipeline",
            &[
                "Query BEGIN",
                "Query DECLARE k CURSOR FOR SELECT * FROM {N}",
                "Parse | FETCH k",
                "Bind | |",
                "Execute",
                "Sync",
                "Query ROLLBACK",
            ],
        ),
        (
            "held",
            &["Query DECLARE k CURSOR WITH HOLD FOR SELECT * FROM {N}"],
        ),
        (
            "held in a transaction",
            &["Query BEGIN; DECLARE k CURSOR WITH HOLD FOR SELECT * FROM {N}; COMMIT"],
        ),
        (
            "held in a pipeline",
            &[
                "Query BEGIN",
                "Parse | DECLARE k CURSOR WITH HOLD FOR SELECT * FROM {N}",
                "Bind | |",
                "Execute",
                "Sync",
                "Query COMMIT",
            ],
        ),
        (
            "by EXECUTE",
            &[
                "Query PREPARE p AS SELECT * FROM {N}",
                "Query EXECUTE p",
                "Query DEALLOCATE ALL",
            ],
        ),
        (
            "by EXECUTE in one string",
            &["Query PREPARE p AS SELECT * FROM {N}; EXECUTE p; DEALLOCATE ALL"],
        ),
        (
            "by EXPLAIN ANALYZE EXECUTE",
            &[
                "Query PREPARE p AS SELECT * FROM {N}",
                "Query EXPLAIN ANALYZE EXECUTE p",
                "Query DEALLOCATE ALL",
            ],
        ),
        (
            "by EXECUTE into a table",
            &[
                "Query PREPARE p AS SELECT * FROM {N}",
                "Query CREATE TABLE made AS EXECUTE p",
                "Query DEALLOCATE ALL",
            ],
        ),
        (
            "by EXECUTE in a pipeline",
            &[
                "Query PREPARE p AS SELECT * FROM {N}",
                "Parse | EXECUTE p",
                "Bind | |",
                "Execute",
                "Sync",
                "Query DEALLOCATE ALL",
            ],
        ),
        (
            "written around",
            &["Query CREATE TABLE made AS SELECT * FROM {N}"],
        ),
    ];
    for (way, messages) in ways {
        let mut caught = vec![];
        for message in *messages {
            let message = message
                .replace("{Q}", "-- nl: how many traps are there?")
                .replace("{N}", "nl('how many traps are there?')");
            client.send(&client_message(&message));
            if message.starts_with("Query") || message == "Sync" {
                caught.extend(client.until_ready());
            }
        }
        let stopped = caught.iter().any(|line| {
            ["25006", "0A000", "42501"]
                .iter()
                .any(|state| line.contains(state))
        });
        assert!(stopped, "{way}: {caught:?}");
        for end in ["ROLLBACK", "CLOSE ALL", "DEALLOCATE ALL"] {
            client.query(end);
        }
        assert_eq!(client.query("SELECT count(*) FROM log")[1], "D 0", "{way}");
        // The session is as it was, and writes.
        assert_eq!(
            client.query("INSERT INTO notes(body) VALUES ('y')")[0],
            "C INSERT 0 1",
            "{way}"
        );
    }
}

#[test]
fn limits_are_kept() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("CREATE TABLE many AS SELECT g AS id FROM generate_series(1, 200000) g");
    client.query("SET querent.row_limit = 1000");
    let told = client.query("-- nl: show all many");
    let errors: Vec<_> = told.iter().filter(|line| line.starts_with("E ")).collect();
    assert_eq!(errors.len(), 1, "{:?}", &told[told.len() - 3..]);
    assert!(errors[0].starts_with("E ERROR 54000"), "{errors:?}");
    assert!(told.iter().filter(|line| line.starts_with("D ")).count() <= 1000);
    assert_eq!(client.query("SELECT 1")[1], "D 1", "the session goes on");
    // What is not asked has no limit.
    assert_eq!(client.query("SELECT * FROM many").len(), 200_000 + 3);
    client.query("RESET querent.row_limit; SET querent.min_confidence = 1.0");
    let told = client.query("-- nl: zzz of the customers");
    assert!(told[0].starts_with("E ERROR NL00"), "{told:?}");
    let told = client.query("SET querent.no_such = 1");
    assert!(told[0].starts_with("E ERROR 42704"), "{told:?}");
    assert_eq!(client.query("SHOW querent.min_confidence")[1], "D 1");
    assert_eq!(
        client
            .query("BEGIN; SET LOCAL querent.min_confidence = 0.5; ROLLBACK")
            .len(),
        4
    );
    assert_eq!(client.query("SHOW querent.min_confidence")[1], "D 1");
}

#[test]
fn the_time_of_a_question_is_limited() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query(
        "CREATE FUNCTION runs(text, bool, bool, text) RETURNS xml LANGUAGE internal STABLE STRICT AS 'query_to_xml'; \
         CREATE VIEW slow AS SELECT g AS id FROM generate_series(1, 10) g \
         WHERE runs('SELECT pg_sleep(0.3)', true, false, '') IS NOT NULL AND g > 0; \
         SET querent.statement_timeout = '200ms'",
    );
    let told = client.query("-- nl: how many slow are there?");
    let last = &told[told.len() - 2];
    assert!(
        last.starts_with("E ERROR 57014") || last.starts_with("E ERROR NL00"),
        "{told:?}"
    );
    assert_eq!(client.query("SELECT 1")[1], "D 1");
}

#[test]
fn other_encodings_ask_too() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET client_encoding = 'LATIN1'");
    client.send(&frame(b'Q', b"SELECT 'Zo\xeb-- nl:' AS name\0"));
    let mut found = vec![];
    while let Some((tag, body)) = client.message() {
        if tag == b'D' {
            found = body[6..].to_vec();
        }
        if tag == b'Z' {
            break;
        }
    }
    assert_eq!(found, b"Zo\xeb-- nl:");
    client.send(&frame(b'Q', b"-- nl: which country is Zo\xeb from?\0"));
    let told = client.until_ready();
    assert!(told.contains(&"D Spain".to_owned()), "{told:?}");
}

#[test]
fn whoever_leaves_leaves_nothing_behind() {
    let Some(relay) = Relay::start() else { return };
    for message in [
        "Query -- nl: how many orders are there?",
        "Parse | -- nl: how many orders are there?",
    ] {
        let mut client = relay.client();
        client.send(&client_message(message));
        drop(client);
    }
    let mut admin = relay.direct();
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    for _ in 0..200 {
        if admin.query(sessions)[1] == "D 0" {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("sessions of clients that have gone are still there");
}

#[test]
fn idle_sessions_end_where_that_is_wanted() {
    let options = crate::postgres::server::Options::default();
    let Some(relay) = Relay::with(&options, "[limits]\nidle_timeout = \"300ms\"") else {
        return;
    };
    let mut busy = relay.client();
    busy.query("BEGIN");
    let mut idle = relay.client();
    assert!(idle.next().starts_with("E FATAL 57P05"));
    assert_eq!(idle.next(), "closed");
    // In a transaction a client may take its time.
    assert_eq!(busy.query("SELECT 1")[1], "D 1");
}

#[test]
fn draining_waits_for_transactions() {
    let Some(relay) = Relay::start() else { return };
    let (mut idle, mut busy) = (relay.client(), relay.client());
    busy.query("BEGIN");
    relay.front.handle.drain();
    assert!(idle.next().starts_with("E FATAL 57P01"));
    assert_eq!(busy.query("SELECT 1")[1], "D 1");
    assert_eq!(busy.query("COMMIT")[0], "C COMMIT");
    assert!(busy.next().starts_with("E FATAL 57P01"));
    assert_eq!(busy.next(), "closed");
}

#[test]
fn in_a_pipeline_what_is_known_serves() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let pipeline = ["Parse | SELECT 1", "Bind | |", "Execute", "Flush"];
    for message in pipeline {
        client.send(&client_message(message));
    }
    for _ in 0..4 {
        client.next();
    }
    client.send(&client_message("Parse | -- nl: how many orders are there?"));
    client.send(&client_message("Sync"));
    let told = client.until_ready();
    assert!(
        told[0].starts_with("E ERROR 0A000"),
        "nothing is known yet: {told:?}"
    );
    client.query(COUNT);
    for message in pipeline {
        client.send(&client_message(message));
    }
    for _ in 0..4 {
        client.next();
    }
    for message in [
        "Parse | -- nl: how many orders are there?",
        "Bind | |",
        "Execute",
        "Sync",
    ] {
        client.send(&client_message(message));
    }
    let told = client.until_ready();
    assert!(told.contains(&"D 3".to_owned()), "{told:?}");
}
