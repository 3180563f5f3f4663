//! Questions in all states of a session: in transactions, with parameters, cancelled, abandoned, told of.

use std::time::{Duration, Instant};

use tokio_postgres::{SimpleQueryMessage, error::ErrorPosition};

use super::{
    harness::{TestServer, create},
    raw::{Client, client_message, frame, string},
};

/// A view on which no question comes to an end, and one whose rows cannot be read.
const TRAPS: &str = "
    CREATE VIEW sloth AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS weight FROM n;
    CREATE VIEW riddle AS SELECT name FROM customer LIMIT (SELECT 'all');";
const ENDLESS: &str = "-- nl: what is the weight of the sloths?";
const COUNT: &str = "-- nl: how many customers are there?";

fn with_traps() -> TestServer {
    let server = TestServer::start();
    create(server.database.path(), TRAPS);
    server
}

/// The rows of a question or a statement, without its notices.
fn rows(client: &mut Client, sql: &str) -> Vec<String> {
    let mut messages = client.query(sql);
    messages.retain(|message| message.starts_with("D ") || message.starts_with("E "));
    messages
}

#[test]
fn a_transaction_asks_about_what_it_created() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut other = server.client();
    client.query("BEGIN; CREATE TABLE planet(id INTEGER PRIMARY KEY, name TEXT, moons INTEGER)");
    client.query("INSERT INTO planet VALUES (1, 'Mars', 2), (2, 'Venus', 0)");
    let planets = "-- nl: how many planets are there?";
    assert_eq!(rows(&mut client, planets), ["D 2"]);
    assert_eq!(
        rows(&mut client, "-- nl: the name of the planet with the most moons"),
        ["D Mars"]
    );
    // What was there before is still known, its values too.
    assert_eq!(rows(&mut client, "-- nl: customers in France"), ["D Bob"]);
    let refused = rows(&mut other, planets);
    assert!(refused[0].starts_with("E ERROR NL001"), "{refused:?}");
    client.query("ROLLBACK");
    let refused = rows(&mut client, planets);
    assert!(refused[0].starts_with("E ERROR NL001"), "{refused:?}");
    // The number of the schema is the same again, the schema is another.
    client.query("BEGIN; CREATE TABLE comet(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO comet VALUES (1, 'Halley')");
    assert_eq!(rows(&mut client, "-- nl: how many comets are there?"), ["D 1"]);
    client.query("COMMIT");
    assert_eq!(rows(&mut other, "-- nl: how many comets are there?"), ["D 1"]);
}

#[test]
fn a_transaction_asks_about_its_own_rows() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query("BEGIN; INSERT INTO customer (name) VALUES ('Dora')");
    assert_eq!(rows(&mut client, COUNT), ["D 4"]);
    assert_eq!(rows(&mut server.client(), COUNT), ["D 3"]);
    client.query("ROLLBACK");
    assert_eq!(rows(&mut client, COUNT), ["D 3"]);
}

#[test]
fn temporary_tables_are_asked_about_and_hide_others() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query("CREATE TEMP TABLE ship(id INTEGER PRIMARY KEY, name TEXT, customer_id INTEGER)");
    client.query("INSERT INTO ship VALUES (1, 'Argo', 1), (2, 'Erebus', 2)");
    assert_eq!(rows(&mut client, "-- nl: how many ships are there?"), ["D 2"]);
    assert_eq!(rows(&mut client, "-- nl: customers in France"), ["D Bob"]);
    client.query("CREATE TEMP TABLE customer(name TEXT); INSERT INTO temp.customer VALUES ('only')");
    assert_eq!(rows(&mut client, COUNT), ["D 1"]);
    assert_eq!(rows(&mut server.client(), COUNT), ["D 3"]);
    client.query("DROP TABLE temp.customer");
    assert_eq!(rows(&mut client, COUNT), ["D 3"]);
    client.query("CREATE TEMP VIEW fleet AS SELECT name FROM ship; CREATE TEMP TABLE \"a \"\"b\"(c)");
    assert_eq!(client.query("DISCARD ALL"), ["C DISCARD ALL", "Z I"]);
    assert_eq!(
        rows(&mut client, "SELECT count(*) AS n FROM temp.sqlite_schema"),
        ["D 0"]
    );
}

#[test]
fn a_cancel_request_stops_a_question() {
    let server = with_traps();
    let mut client = server.client();
    for (sql, status) in [(ENDLESS.to_owned(), "Z I"), (format!("BEGIN; {ENDLESS}"), "Z E")] {
        client.send(&frame(b'Q', &string(&sql)));
        std::thread::sleep(Duration::from_millis(500));
        let begun = Instant::now();
        super::life::cancel(&server, &client, false);
        let messages = client.until_ready();
        assert_eq!(
            messages[messages.len() - 2..],
            ["E ERROR 57014 canceling statement due to user request", status]
        );
        assert!(begun.elapsed() < Duration::from_secs(2));
        client.query("ROLLBACK");
    }
    assert_eq!(rows(&mut client, COUNT), ["D 3"]);
}

#[test]
fn time_limits_stop_a_question() {
    let server = with_traps();
    let mut client = server.client();
    for setting in ["statement_timeout", "querent.statement_timeout"] {
        client.query(&format!("SET {setting} = '300ms'"));
        let begun = Instant::now();
        assert_eq!(
            rows(&mut client, ENDLESS),
            ["E ERROR 57014 canceling statement due to statement timeout"]
        );
        assert!(begun.elapsed() < Duration::from_secs(2), "{setting}");
        client.query(&format!("RESET {setting}"));
    }
    assert_eq!(rows(&mut client, COUNT), ["D 3"]);
}

#[test]
fn a_client_that_vanishes_takes_its_question_along() {
    let Some(server) = super::life::own_process("questions::a_client_that_vanishes_takes_its_question_along")
    else {
        return;
    };
    create(server.database.path(), TRAPS);
    let files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    drop(server.client());
    super::life::until_no_connection("the first client");
    let before = files();
    for _ in 0..5 {
        let mut client = server.client();
        client.send(&frame(b'Q', &string(ENDLESS)));
        std::thread::sleep(Duration::from_millis(200));
        drop(client);
        super::life::until_no_connection("an abandoned question");
    }
    assert!(files() <= before + 1, "{before} files were open, now {}", files());
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_that_fails_is_told_with_its_text() {
    let server = with_traps();
    let client = server.driver().await;
    let error = client
        .simple_query("-- nl: show the name of the riddles")
        .await
        .unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(error.code().code(), "NL005", "{error:?}");
    assert!(error.detail().unwrap().contains("riddle"), "{error:?}");
    assert_eq!(error.position(), Some(&ErrorPosition::Original(1)));

    // What was answered once, and cannot be run any more, is pointed into.
    client
        .batch_execute("CREATE TABLE fad(id INTEGER PRIMARY KEY, name TEXT)")
        .await
        .unwrap();
    let statement = client.prepare("-- nl: how many fads are there?").await.unwrap();
    client.batch_execute("DROP TABLE fad").await.unwrap();
    let error = client.query(&statement, &[]).await.unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(error.code().code(), "42P01");
    match error.position() {
        Some(ErrorPosition::Internal { position, query }) => {
            let at = usize::try_from(*position).unwrap() - 1;
            assert!(query[at..].starts_with("fad"), "{position} in {query}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agents_are_told_of_as_they_end() {
    let server = with_traps();
    let mut client = server.client();
    client.query("SET querent.notices = progress");
    client.send(&frame(b'Q', &string(ENDLESS)));
    // The question is never answered, and yet its agents are heard of.
    let first = client.next();
    assert!(first.starts_with("N NOTICE 00000 nl: "), "{first}");
    super::life::cancel(&server, &client, false);
    client.until_ready();
    let messages = client.query(COUNT);
    let notices = messages
        .iter()
        .filter(|message| message.starts_with("N "))
        .count();
    assert!(notices > 3, "{messages:?}");
    client.query("SET client_min_messages = warning");
    assert!(client.query(COUNT)[0].starts_with("T "));
}

#[test]
fn parameters_of_a_question_stay_parameters() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query("SET querent.notices = off");
    let mut converse = |lines: &[&str]| {
        for line in lines {
            client.send(&client_message(line));
        }
        client.until_ready()
    };
    let text = converse(&[
        "Parse | -- nl: how many customers have the country $1 ?",
        "DescribeStatement ",
        "Bind | | Spain",
        "Execute",
        "Sync",
    ]);
    assert_eq!(text[1], "t 25", "{text:?}");
    assert_eq!(text[4], "D 2", "{text:?}");
    // Described as what it is compared with.
    let number = converse(&[
        "Parse | -- nl: how many orders have a total greater than $1 ?",
        "DescribeStatement ",
        "Bind | | 15 | 1",
        "Execute",
        "Sync",
    ]);
    assert_eq!(number[1], "t 701", "{number:?}");
    assert_eq!(number[4], "D 0000000000000002", "{number:?}");
    // One that the SQL has no use for is text, and may be bound all the same.
    let unused = converse(&[
        "Parse | SELECT * FROM nl('how many customers are there?') AS t -- $1",
        "DescribeStatement ",
        "Sync",
    ]);
    assert_eq!(unused[1], "t ", "{unused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn binary_parameters_reach_the_question() {
    let server = TestServer::start();
    server.database.values_ready(Duration::from_secs(10)).await;
    let client = server.driver().await;
    // The driver binds in binary, by the types that the server tells.
    let spain = client
        .query_one("-- nl: how many customers have the country $1 ?", &[&"Spain"])
        .await
        .unwrap();
    assert_eq!(spain.get::<_, i64>(0), 2);
    let dear = client
        .query_one(
            "-- nl: how many orders have a total greater than $1 ?",
            &[&15.0_f64],
        )
        .await
        .unwrap();
    assert_eq!(dear.get::<_, i64>(0), 2);
    let error = client
        .query("SELECT * FROM nl($1)", &[&None::<&str>])
        .await
        .unwrap_err();
    assert!(
        error
            .as_db_error()
            .is_some_and(|error| matches!(error.code().code(), "22004" | "0A000"))
    );
}

/// An answer is SQLite's own SQL, in which a date is like a text; what a client writes around it is PostgreSQL's.
#[tokio::test(flavor = "multi_thread")]
async fn answers_keep_their_meaning_in_what_clients_write_around_them() {
    let server = TestServer::start();
    server.database.values_ready(Duration::from_secs(10)).await;
    let client = server.driver().await;
    for sql in [
        "-- nl: customers born in 1990",
        "SELECT name FROM nl('customers born in 1990')",
        "SELECT initcap(lower(t.name)) FROM nl('customers born in 1990') t WHERE name::text ~ '^A'",
        "SELECT c.name FROM nl('customers born in 1990') t JOIN customer c ON c.name = t.name AND c.born = '1990-01-02'::date",
    ] {
        let row = client
            .query_one(sql, &[])
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        assert_eq!(row.get::<_, &str>(0), "Ann", "{sql}");
    }
    let plan = "EXPLAIN SELECT count(*)::text FROM nl('customers born in 1990') t";
    assert!(!client.query(plan, &[]).await.unwrap().is_empty());
    let wrong = "SELECT * FROM nl('customers born in 1990') t WHERE nowhere = 1";
    let error = client.query(wrong, &[]).await.unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(error.message(), "column \"nowhere\" does not exist");
    let at = wrong.find("nowhere").unwrap() as u32 + 1;
    assert_eq!(error.position(), Some(&ErrorPosition::Original(at)));
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_find_values_that_were_stored_later() {
    let server = TestServer::start();
    server.database.values_ready(Duration::from_secs(10)).await;
    let client = server.driver().await;
    client.batch_execute("SET querent.notices = off").await.unwrap();
    client
        .batch_execute("INSERT INTO customer VALUES (7, 'Wilhelmina', 'Liechtenstein', NULL, false)")
        .await
        .unwrap();
    let begun = Instant::now();
    // The first question that comes after some rest makes the index look for what is new.
    loop {
        let found = client.simple_query("-- nl: customers in Liechtenstein").await;
        let name = found.ok().and_then(|messages| {
            messages.into_iter().find_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            })
        });
        if name.as_deref() == Some("Wilhelmina") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{name:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[test]
fn a_parameter_beside_a_bound_question_has_the_type_that_is_written_or_compared_with() {
    let server = TestServer::start();
    create(
        server.database.path(),
        "INSERT INTO orders VALUES (10, 1, 1), (20, 2, 2)",
    );
    let mut client = server.client();
    client.query("SET querent.notices = off");
    // As text, '10' comes before '3'.
    for (own, oids) in [
        ("count(*) FROM nl($1) AS t WHERE t.id > $2::int", "25,23"),
        (
            "count(*) FROM nl($1) AS t WHERE t.id > CAST($2 AS bigint)",
            "25,20",
        ),
        ("count(*) FROM nl($1) AS t WHERE t.id > ($2)::smallint", "25,21"),
        ("count(*) FROM nl($1) AS t WHERE t.id > $2", "25,25"),
        (
            "count(*) FROM (SELECT * FROM nl($1) AS t WHERE t.id > 3 LIMIT $2) AS t",
            "25,20",
        ),
    ] {
        let lines = [
            format!("Parse late | SELECT {own}"),
            "DescribeStatement late".into(),
            "Bind | late | list all orders, 3".into(),
            "Execute |".into(),
            "CloseStatement late".into(),
            "Sync".into(),
        ];
        let bytes: Vec<u8> = lines.iter().flat_map(|line| client_message(line)).collect();
        client.send(&bytes);
        let told = client.until_ready();
        assert_eq!(told[1], format!("t {oids}"), "{own}: {told:?}");
        assert!(told.contains(&"D 2".to_owned()), "{own}: {told:?}");
    }
    // What is no such value is refused, and compared as nothing else.
    for line in [
        "Parse late | SELECT count(*) FROM nl($1) AS t WHERE t.id > $2::int",
        "Bind | late | list all orders, many",
        "Sync",
    ] {
        client.send(&client_message(line));
    }
    let told = client.until_ready();
    assert!(
        told.iter().any(|line| line.starts_with("E ERROR 22P02")),
        "{told:?}"
    );
}
