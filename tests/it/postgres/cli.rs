//! `ask`, `check` and `eval` on PostgreSQL servers, by running the program.

use serde_json::{Value, json};

use super::server::{Options, PostgresServer, SUPERUSER};
use crate::program::{Place, refuses};

const PETS: &str = "
    CREATE TYPE size AS ENUM ('small', 'large');
    CREATE TABLE owner (id int PRIMARY KEY, name text NOT NULL, city text);
    CREATE TABLE pet (
        id bigint PRIMARY KEY, name text, kind text, size size, weight numeric(6, 2), born date, chipped boolean,
        nap interval, toys text[], owner_id int REFERENCES owner
    );
    INSERT INTO owner VALUES (1, 'Ada', 'Paris'), (2, 'Ben', 'Rome'), (3, 'Cy', 'Paris');
    INSERT INTO pet VALUES
        (1, 'Rex', 'dog', 'large', 20.50, '2020-02-29', true, '2 hours', '{ball,bone}', 1),
        (2, 'Tom', 'cat', 'small', 4.00, NULL, false, NULL, NULL, 1),
        (3, 'Kit', 'cat', 'small', 3.50, '2023-01-01', NULL, '90 minutes', '{}', 2);
    CREATE ROLE reader LOGIN PASSWORD 'a secret'; CREATE ROLE carl LOGIN; GRANT SELECT ON pet TO reader, carl;
    ANALYZE;";

/// A server with pets in its database `postgres`, and a folder to run the program in.
async fn pets(options: &Options) -> Option<(PostgresServer, Place)> {
    let server = PostgresServer::with(options)?;
    server.run("postgres", PETS).await;
    Some((server, Place::new()))
}

#[tokio::test]
async fn answers_are_printed_in_every_format() {
    let Some((server, place)) = pets(&Options::default()).await else {
        return;
    };
    for address in [
        server.address(SUPERUSER, "postgres"),
        server.socket_address(SUPERUSER, "postgres"),
    ] {
        let ran = place.run(&[
            "ask",
            &address,
            "how many pets are there for each kind, fewest first?",
            "--format",
            "csv",
        ]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, "kind,count\ndog,1\ncat,2\n"),
            "{}",
            ran.err
        );
        assert!(ran.err.starts_with("nl: SELECT "), "{}", ran.err);
    }
    let address = server.address(SUPERUSER, "postgres");
    let ran = place.run(&[
        "ask",
        &address,
        "show the id, name, size, weight, born, chipped, nap and toys of all pets",
        "--format",
        "json",
    ]);
    let rows: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.out, ran.err));
    let mut rows = rows.as_array().unwrap().clone();
    rows.sort_by_key(|row| row["id"].as_i64());
    let rex = json!({
        "id": 1, "name": "Rex", "size": "large", "weight": 20.5, "born": "2020-02-29", "chipped": true, "nap": "02:00:00",
        "toys": "{ball,bone}"
    });
    assert_eq!(rows[0], rex);
    assert_eq!(
        (&rows[1]["born"], &rows[1]["chipped"]),
        (&Value::Null, &json!(false))
    );
    // What a numeric shows is kept to its last digit.
    assert!(ran.out.contains("\"weight\": 20.50"), "{}", ran.out);
    let ran = place.run(&["ask", &address, "how many pets does Ada have?", "--sql"]);
    assert!(
        ran.out.contains("'Ada'") && ran.out.ends_with(";\n"),
        "{} {}",
        ran.out,
        ran.err
    );
    let ran = place.run(&["ask", &address, "how many cats are there?"]);
    assert!(
        ran.out.contains("(1 row)") && ran.out.contains("\n     2\n"),
        "{}",
        ran.out
    );
}

#[tokio::test]
async fn limits_and_refusals_are_told() {
    let Some((server, place)) = pets(&Options::default()).await else {
        return;
    };
    server
        .run(
            "postgres",
            "CREATE TABLE event (id int, word text);
        INSERT INTO event SELECT n, 'word ' || n % 7 FROM generate_series(1, 5000) AS n; ANALYZE",
        )
        .await;
    let address = server.address(SUPERUSER, "postgres");
    let asked = |variable: &str, value: &str, question: &str| {
        let mut command = place.command(&["ask", &address, question, "--format", "csv"]);
        crate::program::ran(&command.env(variable, value).output().unwrap())
    };
    for (variable, value, expected) in [
        (
            "QUERENT_LIMITS__ROWS",
            "4999",
            "54000: the answer has more rows than are allowed",
        ),
        (
            "QUERENT_LIMITS__BYTES",
            "2000",
            "54000: the answer has more bytes than are allowed",
        ),
        (
            "QUERENT_LIMITS__COST",
            "10",
            "54000: answering this would cost more than is allowed",
        ),
    ] {
        let ran = asked(variable, value, "show all events");
        assert_eq!(ran.code, 1, "{variable}: {}", ran.err);
        assert!(ran.err.contains(expected), "{variable}: {}", ran.err);
        assert!(
            ran.err
                .contains("hint: Ask a narrower question, or raise limits."),
            "{}",
            ran.err
        );
    }
    let ran = asked("QUERENT_LIMITS__ROWS", "5000", "show all events");
    assert_eq!((ran.code, ran.out.lines().count()), (0, 5001), "{}", ran.err);
    let reader = server.address("reader", "postgres");
    refuses(
        &place,
        &["ask", &reader, "which cities are there?"],
        1,
        &["42501", "reader may not read owner", "cities"],
    );
    refuses(
        &place,
        &["ask", &server.address("nobody", "postgres"), "q"],
        1,
        &["role \"nobody\" does not exist"],
    );
    refuses(
        &place,
        &["ask", &server.address(SUPERUSER, "none"), "q"],
        1,
        &["database \"none\" does not exist"],
    );
    refuses(
        &place,
        &["ask", "postgres://127.0.0.1:1/x", "q"],
        1,
        &["127.0.0.1:1", "is the server running"],
    );
    refuses(
        &place,
        &["ask", "postgres://h/x?sslmod=require", "q"],
        2,
        &["did you mean sslmode?"],
    );
}

#[tokio::test]
async fn passwords_are_proved_over_tls_and_without() {
    let options = Options {
        hba: "hostssl postgres reader 127.0.0.1/32 scram-sha-256\nhostnossl postgres reader 127.0.0.1/32 md5\n\
              hostssl postgres carl 127.0.0.1/32 cert",
        tls: true,
        ..Options::default()
    };
    let Some((server, place)) = pets(&options).await else {
        return;
    };
    let authority = server.certificates().authority().display().to_string();
    let port = server.port;
    for query in [
        "sslmode=disable",
        "sslmode=prefer",
        "sslmode=require",
        &format!("sslmode=verify-full&sslrootcert={authority}"),
    ] {
        let address = format!("postgres://reader:a%20secret@127.0.0.1:{port}/postgres?{query}");
        let ran = place.run(&["ask", &address, "how many pets are there?", "--format", "csv"]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, "count\n3\n"),
            "{query}: {}",
            ran.err
        );
    }
    let address = server.address("reader", "postgres");
    refuses(&place, &["ask", &address, "q"], 1, &["password"]);
    let wrong = address.replace("reader@", "reader:wrong@");
    refuses(
        &place,
        &["ask", &wrong, "q"],
        1,
        &["password authentication failed for user \"reader\""],
    );
    let mut command = place.command(&["ask", &address, "how many pets are there?", "--format", "csv"]);
    let ran = crate::program::ran(&command.env("PGPASSWORD", "a secret").output().unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (0, "count\n3\n"), "{}", ran.err);
    // A certificate instead of a password.
    let (certificate, key) = server.certificates().user("carl");
    let by_certificate = format!(
        "postgres://carl@127.0.0.1:{port}/postgres?sslmode=require&sslcert={}&sslkey={}",
        certificate.display(),
        key.display()
    );
    let ran = place.run(&[
        "ask",
        &by_certificate,
        "how many pets are there?",
        "--format",
        "csv",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "count\n3\n"), "{}", ran.err);
    // Nothing of the password is shown.
    let ran = place.run(&["check", &address.replace("reader@", "reader:a%20secret@")]);
    assert!(
        !ran.out.contains("secret") && ran.out.contains("reader:***@"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert!(
        ran.out
            .contains("encryption: TLS\nauthentication: SCRAM-SHA-256-PLUS, SCRAM-SHA-256\n"),
        "{}",
        ran.out
    );
}

#[tokio::test]
async fn check_tells_what_it_sees_and_what_is_wrong() {
    let Some((server, place)) = pets(&Options::default()).await else {
        return;
    };
    let ran = place.run(&["check", &server.address("reader", "postgres")]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    for line in [
        "database: postgres\nuser: reader\nsearch path: pg_catalog, public\nencryption: none\n",
        "authentication: none: the server believes this user at this address\nnot readable: public.owner\n",
        "1 tables, 0 views, 10 columns, 0 declared foreign keys, 0 inferred\n",
        "value index: 7 values of 3/3 text columns, complete\nsemantic model: ",
        "\nno problems\n",
    ] {
        assert!(ran.out.contains(line), "no {line:?} in: {}", ran.out);
    }
    let ran = place.run(&["check", &server.address(SUPERUSER, "postgres")]);
    assert!(ran.out.contains("user: postgres, a superuser: "), "{}", ran.out);
    assert!(ran.out.contains("-> owner.id"), "{}", ran.out);
    // Clients from elsewhere would be let in by whom the server believes.
    place.write("querent.toml", "listen = \"0.0.0.0:0\"");
    let ran = place.run(&["check", &server.address("reader", "postgres")]);
    assert!(
        ran.code == 1 && ran.err.contains("problem: the server asks for no password"),
        "{}",
        ran.err
    );
    server.run("postgres", "CREATE DATABASE empty").await;
    let ran = place.run(&["check", &server.address(SUPERUSER, "empty")]);
    assert!(
        ran.code == 1 && ran.err.contains("there is no table that can be read"),
        "{}",
        ran.err
    );
}

#[tokio::test]
async fn a_statement_is_linted() {
    let Some((server, place)) = pets(&Options::default()).await else {
        return;
    };
    let address = server.address(SUPERUSER, "postgres");
    for (sql, code, expected) in [
        ("SELECT name FROM pet", 0, ""),
        ("SELECT nmae FROM pet", 1, "col_missing"),
        ("SELECT name FROM pet WHERE size = 'huge'", 1, "huge"),
        (
            "SELECT name FROM pet WHERE weight > 1000",
            0,
            "it returns nothing",
        ),
        ("SELECT pg_sleep(1)", 1, "forbidden"),
    ] {
        let ran = place.run(&["lint", &address, "", sql]);
        assert_eq!(ran.code, code, "{sql}: {} {}", ran.out, ran.err);
        assert!(ran.out.contains(expected), "{sql}: {}", ran.out);
    }
}

#[tokio::test]
async fn a_data_set_is_evaluated_on_a_server() {
    let Some((server, place)) = pets(&Options::default()).await else {
        return;
    };
    server
        .run("postgres", "CREATE DATABASE pets TEMPLATE postgres")
        .await;
    server.run("postgres", "CREATE DATABASE \"Other one\"").await;
    server
        .run(
            "Other one",
            "CREATE TABLE thing (id int, word text); INSERT INTO thing VALUES (1, 'x')",
        )
        .await;
    let question =
        |db: &str, question: &str, query: &str| json!({"db_id": db, "question": question, "query": query});
    let questions = json!([
        question(
            "pets",
            "How many cats are there?",
            "SELECT count(*)::int FROM pet WHERE kind ILIKE 'CAT'"
        ),
        question(
            "pets",
            "What is the average weight of the pets?",
            "SELECT avg(weight::float8) FROM pet"
        ),
        question(
            "pets",
            "What is the name of the oldest owner?",
            "SELECT name FROM owner ORDER BY age DESC"
        ),
        question("Other one", "How many things are there?", "SELECT 1"),
        question("gone", "How many things are there?", "SELECT 1"),
    ]);
    place.write("set/questions.json", &questions.to_string());
    let address = format!("postgres://{SUPERUSER}@127.0.0.1:{}/", server.port);
    let ran = place.run(&["eval", "set", "--backend", &address, "--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&place.read("out/report.json")).unwrap();
    assert_eq!(
        (&report["n"], &report["ex"], &report["valid"]),
        (&json!(5), &json!(0.6), &json!(0.8)),
        "{report}"
    );
    let rows = place.read("out/predictions.csv");
    assert!(rows.contains("database \"\"gone\"\" does not exist"), "{rows}");
    assert!(rows.contains("gold 42703"), "{rows}");
    // Somebody's SQL can do nothing but read.
    place.write(
        "mine.sql",
        "SELECT count(*) FROM pet WHERE kind = 'cat';\n\
         SELECT avg(weight) FROM pet; COMMIT; DROP TABLE pet\n\
         DELETE FROM pet\n\
         WITH gone AS (DELETE FROM thing RETURNING 1) SELECT 1\n\
         COMMIT\n",
    );
    let ran = place.run(&[
        "eval",
        "set",
        "--backend",
        &address,
        "--predictions",
        "mine.sql",
        "--out",
        "out2",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&place.read("out2/report.json")).unwrap();
    assert_eq!(
        (&report["ex"], &report["valid"]),
        (&json!(0.2), &json!(0.2)),
        "{report}"
    );
    // Queries are broken on purpose there as on files; the server takes none that is no query.
    let broken = ["eval", "set", "--backend", &address, "--mutate", "--out", "out3"];
    let ran = place.run(&broken);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&place.read("out3/mutations.json")).unwrap();
    let flagged = report["figures"]["breaks_flagged"].as_f64().unwrap();
    assert!(flagged > 0.5, "{report}");
    let client = server.client(SUPERUSER, "pets").await;
    let left: i64 = client
        .query_one("SELECT count(*) FROM pet", &[])
        .await
        .unwrap()
        .get(0);
    assert_eq!(left, 3);
    let named = format!("{address}pets");
    refuses(
        &place,
        &["eval", "set", "--backend", &named],
        2,
        &["leave out /pets"],
    );
}
