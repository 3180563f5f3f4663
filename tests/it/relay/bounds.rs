//! A result that is too large is an error of the statement, with all that an error means to PostgreSQL: what stands around
//! the question does not take effect, and a transaction has failed.

use super::harness::Relay;
use crate::{
    postgres::server::Options,
    server::raw::{Client, client_message, frame},
};

/// Three rows.
const ALL: &str = "SELECT * FROM nl('show all orders') x";
const WRITE: &str = "INSERT INTO notes(body) VALUES ('around')";
const WORDS: &str = "E ERROR 54000 the answer has more than 2 rows";

fn send(client: &mut Client, messages: &[String]) -> Vec<String> {
    let messages = messages.iter().flat_map(|message| client_message(message));
    client.send(&messages.collect::<Vec<u8>>());
    client.until_ready()
}

/// The one error, told at the end.
fn is_refused(told: &[String], status: char, about: &str) {
    let errors: Vec<_> = told.iter().filter(|line| line.starts_with("E ")).collect();
    assert_eq!(errors.len(), 1, "{about}: {told:?}");
    assert!(errors[0].starts_with(WORDS), "{about}: {told:?}");
    assert_eq!(told[told.len() - 1], format!("Z {status}"), "{about}: {told:?}");
    assert!(
        told.ends_with(&[errors[0].clone(), format!("Z {status}")]),
        "{about}: {told:?}"
    );
}

fn nothing_is_written(relay: &Relay, about: &str) {
    assert_eq!(
        relay.direct().query("SELECT count(*) FROM notes")[1],
        "D 0",
        "{about}"
    );
}

#[test]
fn what_stands_around_a_question_in_a_query_fails_with_it() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 2");
    client.query(&format!("PREPARE pq AS {ALL}"));
    for (query, status) in [
        (format!("{ALL}; {WRITE}"), 'I'),
        (format!("{WRITE}; {ALL}"), 'I'),
        (format!("/* nl: show all orders */; {WRITE}"), 'I'),
        (format!("{WRITE}; -- nl: show all orders"), 'I'),
        (format!("{WRITE}; COPY ({ALL}) TO STDOUT"), 'I'),
        (format!("EXECUTE pq; {WRITE}"), 'I'),
        (format!("{WRITE}; EXECUTE pq"), 'I'),
        (format!("BEGIN; {ALL}; {WRITE}; COMMIT"), 'E'),
        (format!("BEGIN; {WRITE}; {ALL}; COMMIT"), 'E'),
        (
            format!("BEGIN; DECLARE c CURSOR FOR {ALL}; FETCH ALL FROM c; {WRITE}; COMMIT"),
            'E',
        ),
    ] {
        let told = client.query(&query);
        is_refused(&told, status, &query);
        client.query("ROLLBACK");
        nothing_is_written(&relay, &query);
    }
    // What is made of the rows is what counts, as where the question stands alone.
    for query in [
        format!("SELECT id FROM nl('show all orders') x WHERE id > 1 ORDER BY 1 DESC; {WRITE}"),
        format!("SELECT count(*) FROM nl('show all orders') x; {WRITE}"),
        format!("COPY (SELECT id FROM nl('show all orders') x LIMIT 2) TO STDOUT; {WRITE}"),
    ] {
        let told = client.query(&query);
        assert!(told.contains(&"C INSERT 0 1".to_owned()), "{query}: {told:?}");
    }
}

#[test]
fn a_transaction_fails_with_a_question_in_it() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 2");
    send(&mut client, &[format!("Parse s | {ALL}"), "Sync".into()]);
    client.query(&format!("PREPARE pq AS {ALL}"));
    let owned = |messages: &[&str]| messages.iter().map(ToString::to_string).collect::<Vec<_>>();
    for messages in [
        vec![format!("Query {ALL}")],
        owned(&["Query EXECUTE pq"]),
        owned(&["Query EXECUTE s"]),
        owned(&["Bind | s |", "Execute", "Sync"]),
        owned(&["Bind | s |", "Execute", "Bind | s |", "Execute", "Sync"]),
        owned(&["Parse | EXECUTE pq", "Bind | |", "Execute", "Sync"]),
    ] {
        assert_eq!(client.query("BEGIN")[1], "Z T");
        assert_eq!(client.query(WRITE)[0], "C INSERT 0 1");
        is_refused(&send(&mut client, &messages), 'E', &format!("{messages:?}"));
        assert!(client.query(WRITE)[0].starts_with("E ERROR 25P02"));
        assert_eq!(client.query("COMMIT")[0], "C ROLLBACK");
        nothing_is_written(&relay, &format!("{messages:?}"));
        // Nothing waits for an answer.
        let begun = owned(&["Query BEGIN"]);
        let behind = vec![format!("Query {WRITE}"), "Query COMMIT".into()];
        let told = send(&mut client, &[begun, messages.clone(), behind].concat());
        assert_eq!(told, ["C BEGIN", "Z T"]);
        is_refused(&client.until_ready(), 'E', &format!("{messages:?}"));
        assert!(client.until_ready()[0].starts_with("E ERROR 25P02"));
        assert_eq!(client.until_ready(), ["C ROLLBACK", "Z I"]);
        nothing_is_written(&relay, &format!("{messages:?}"));
    }
    // A savepoint before it is gone back to.
    client.query("BEGIN; SAVEPOINT before");
    client.query(ALL);
    assert_eq!(client.query("ROLLBACK TO before")[0], "C ROLLBACK");
    assert_eq!(client.query("COMMIT")[0], "C COMMIT");
}

#[test]
fn a_pipeline_fails_with_a_question_in_it() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 2");
    let run = |sql: &str| [format!("Parse | {sql}"), "Bind | |".into(), "Execute".into()];
    let copy = format!("COPY ({ALL}) TO STDOUT");
    for steps in [
        &[ALL, WRITE][..],
        &[WRITE, ALL],
        &[WRITE, ALL, WRITE],
        &[copy.as_str(), WRITE],
        &[WRITE, copy.as_str()],
    ] {
        for flushed in [false, true] {
            let messages: Vec<String> = steps
                .iter()
                .flat_map(|sql| {
                    let flush = flushed.then(|| "Flush".to_owned());
                    run(sql).into_iter().chain(flush)
                })
                .chain(["Sync".to_owned()])
                .collect();
            is_refused(&send(&mut client, &messages), 'I', &format!("{messages:?}"));
            nothing_is_written(&relay, &format!("{messages:?}"));
            client.slowly = true;
            is_refused(&send(&mut client, &messages), 'I', &format!("{messages:?}"));
            client.slowly = false;
            nothing_is_written(&relay, &format!("{messages:?}"));
        }
    }
    let messages = [&run("BEGIN")[..], &run(ALL), &run(WRITE), &run("COMMIT")].concat();
    let told = send(&mut client, &[messages, vec!["Sync".into()]].concat());
    is_refused(&told, 'E', "BEGIN in a pipeline");
    assert_eq!(client.query("COMMIT")[0], "C ROLLBACK");
    nothing_is_written(&relay, "BEGIN in a pipeline");
    // What is small enough goes on.
    let few = "SELECT id FROM nl('show all orders') x LIMIT 2";
    let messages = [&run(few)[..], &run(WRITE)].concat();
    let told = send(&mut client, &[messages, vec!["Sync".into()]].concat());
    assert!(told.contains(&"C INSERT 0 1".to_owned()), "{told:?}");
    // A statement of the client's behind a question's pipeline is not stopped in its place.
    let messages = [
        &run(ALL)[..],
        &["Sync".into()],
        &run("SELECT pg_sleep(0.1)"),
        &["Sync".into()],
    ]
    .concat();
    is_refused(&send(&mut client, &messages), 'I', "a pipeline before");
    let told = client.until_ready();
    assert!(told.contains(&"C SELECT 1".to_owned()), "{told:?}");
}

#[test]
fn a_large_answer_is_told_in_the_same_words_wherever_it_stands() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("CREATE TABLE many AS SELECT g AS id FROM generate_series(1, 1000000) g");
    client.query("SET querent.row_limit = 2");
    for query in [
        "{}",
        "{}; SELECT 2",
        "SELECT 2; {}",
        "SELECT 2; {}; SELECT 3",
        "{}; {}",
    ] {
        let query = query.replace("{}", "SELECT * FROM nl('show all many') x");
        is_refused(&client.query(&query), 'I', &query);
        // What stopped it stops nothing else.
        assert_eq!(client.query("SELECT 1")[1], "D 1");
    }
    // Each question has its own limit.
    let few = "SELECT * FROM nl('show all orders') x LIMIT 2";
    let told = client.query(&format!("{few}; {few}"));
    assert_eq!(
        told.iter().filter(|line| line.starts_with("D ")).count(),
        4,
        "{told:?}"
    );
}

#[test]
fn rows_that_are_fetched_in_parts_are_of_one_result() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 2");
    client.query("BEGIN");
    client.query(&format!("DECLARE c CURSOR FOR {ALL}"));
    assert_eq!(client.query("FETCH 2 FROM c").last().unwrap(), "Z T");
    is_refused(&client.query("FETCH 1 FROM c"), 'E', "a cursor");
    client.query("ROLLBACK");
    let messages = [
        "Query BEGIN".to_owned(),
        format!("Parse | {ALL}"),
        "Bind | |".into(),
        "Execute | 2".into(),
        "Sync".into(),
    ];
    send(&mut client, &messages);
    let told = client.until_ready();
    assert_eq!(told[told.len() - 2..], ["s", "Z T"], "{told:?}");
    is_refused(
        &send(&mut client, &["Execute | 1".into(), "Sync".into()]),
        'E',
        "a portal",
    );
    client.query("ROLLBACK");
}

#[test]
fn what_is_copied_has_a_limit() {
    let toml = "[limits]\nbytes = 2000\n";
    let Some(relay) = Relay::with(&Options::default(), toml) else {
        return;
    };
    let mut client = relay.client();
    client.query("CREATE TABLE many AS SELECT g AS id FROM generate_series(1, 5000) g");
    client.query("SET querent.row_limit = 2");
    for query in [
        format!("COPY ({ALL}) TO STDOUT"),
        "COPY (/* nl: show all orders */) TO STDOUT".to_owned(),
        format!("COPY ({ALL}) TO STDOUT (FORMAT binary)"),
    ] {
        is_refused(&client.query(&query), 'I', &query);
    }
    client.query("RESET querent.row_limit");
    let many = "SELECT * FROM nl('show all many') x";
    for query in [
        many.to_owned(),
        format!("{many}; {WRITE}"),
        format!("COPY ({many}) TO STDOUT"),
        format!("{WRITE}; COPY ({many}) TO STDOUT"),
    ] {
        let told = client.query(&query);
        let error = &told[told.len() - 2];
        let words = "E ERROR 54000 the answer has more than 2000 bytes";
        assert!(error.starts_with(words), "{query}: {error}");
    }
    nothing_is_written(&relay, "more than 2000 bytes");
}

#[test]
fn what_is_gathered_into_one_value_is_held_by_its_bytes() {
    let Some(relay) = Relay::with(&Options::default(), "[limits]\nbytes = 2000\nrows = 2\n") else {
        return;
    };
    let mut client = relay.client();
    client.query("CREATE TABLE many AS SELECT g AS id FROM generate_series(1, 5000) g");
    for gathered in ["string_agg(id::text, ',')", "array_agg(id)", "json_agg(x)"] {
        let query = format!("SELECT {gathered} FROM nl('show all many') x");
        for (query, status) in [
            (query.clone(), "Z I"),
            (format!("{WRITE}; {query}"), "Z I"),
            (format!("{query}; {WRITE}"), "Z I"),
        ] {
            let told = client.query(&query);
            let words = "E ERROR 54000 the answer has more than 2000 bytes";
            assert!(told[told.len() - 2].starts_with(words), "{query}: {told:?}");
            assert_eq!(told[told.len() - 1], status, "{query}");
            nothing_is_written(&relay, &query);
        }
    }
    // What it is counted by is one row.
    let told = client.query("SELECT count(*), max(id) FROM nl('show all many') x");
    assert!(told.contains(&"D 5000 | 5000".to_owned()), "{told:?}");
}

#[test]
fn what_is_no_answer_has_no_limit_of_rows() {
    let Some(relay) = Relay::with(&Options::default(), "allow_in_writes = true\n") else {
        return;
    };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 1");
    let told =
        client.query("INSERT INTO notes(body) SELECT name FROM nl('show all customers') x RETURNING body");
    assert!(told.contains(&"C INSERT 0 3".to_owned()), "{told:?}");
    // Its plan has two lines.
    let told = client.query(&format!(
        "EXPLAIN SELECT id FROM nl('show all orders') x WHERE id = 1 OR id = 2; {WRITE}"
    ));
    assert!(told.contains(&"C INSERT 0 1".to_owned()), "{told:?}");
}

#[test]
fn data_comes_behind_a_question() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let copy = "COPY notes(body) FROM STDIN";
    let query = format!("Query {ALL}; {copy}");
    let parsed = [
        format!("Parse | {ALL}"),
        "Bind | |".into(),
        "Execute".into(),
        format!("Parse | {copy}"),
        "Bind | |".into(),
        "Execute".into(),
    ];
    let data = ["CopyData a\n".to_owned(), "CopyDone".to_owned()];
    for before in [&[query][..], &parsed] {
        let messages = [before, &data, &["Sync".to_owned()]].concat();
        let told = send(&mut client, &messages);
        assert!(told.contains(&"C COPY 1".to_owned()), "{told:?}");
        if before.len() == 1 {
            assert_eq!(client.until_ready(), ["Z I"], "that of Sync");
        }
    }
}

#[test]
fn columns_stay_what_they_are_where_the_server_counts() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let query = "SELECT t.name AS answer, 1.50::numeric(5,2) AS rows, t.name AS answer, NULL, t.name::varchar(3) \
                 FROM nl('show all customers') t ORDER BY name DESC, 1";
    let alone = client.query(query);
    assert_eq!(alone.len(), 7, "{alone:?}");
    // The notice tells of its time.
    let mixed = client.query(&format!("{query}; SELECT 1"));
    assert_eq!(mixed[1..6], alone[1..6]);
    // Where the server could not be asked for the columns, too; and they may not change in between.
    let made = client.query(
        "CREATE TEMP TABLE made AS SELECT 1 AS one; SELECT m.*, t.* FROM nl('show all customers') t, made m; SELECT 1",
    );
    assert_eq!(made[2], "T one:23 name:25", "{made:?}");
    let changed = client.query(
        "ALTER TABLE made ADD two int; SELECT m.*, t.* FROM nl('show all customers') t, made m; SELECT 1",
    );
    assert!(
        changed.iter().any(|line| line.starts_with("E ERROR 42601")),
        "{changed:?}"
    );
    assert_eq!(client.query("SELECT * FROM made")[0], "T one:23");
}

#[test]
fn a_bound_question_that_cannot_be_read_is_refused() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let bound = |words: &[u8]| {
        let mut body = b"\0late\0\0\0\0\x01".to_vec();
        body.extend_from_slice(&u32::try_from(words.len()).unwrap().to_be_bytes());
        body.extend_from_slice(words);
        body.extend_from_slice(&[0, 0]);
        frame(b'B', &body)
    };
    client.send(&client_message("Parse late | SELECT * FROM nl($1) t"));
    client.send(&client_message("Sync"));
    client.until_ready();
    let too_long = "how many orders are there? ".repeat(80_000);
    for (words, code) in [
        (too_long.as_bytes(), "54000"),
        (b"how many \xff orders are there?", "22021"),
    ] {
        client.send(&bound(words));
        client.send(&client_message("Execute"));
        client.send(&client_message("Sync"));
        let told = client.until_ready();
        assert!(told[0].starts_with(&format!("E ERROR {code}")), "{told:?}");
    }
    client.send(&bound(b"how many orders are there?"));
    client.send(&client_message("Execute"));
    client.send(&client_message("Sync"));
    let told = client.until_ready();
    assert!(told.contains(&"D 3".to_owned()), "it goes on: {told:?}");
}
