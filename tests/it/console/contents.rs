//! What tables hold, as the console tells it to each of its users. On both backends.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{pages::body, roles::basic, served::Served};
use crate::{postgres::server::PostgresServer, program::Place};

const TABLES: &str = "CREATE TABLE sale (id integer PRIMARY KEY, state text, total integer, sold_on date, ssn text, note text);
    CREATE TABLE visit (id integer PRIMARY KEY, region text, place text);
    INSERT INTO visit VALUES (1, 'EU', 'place-1'), (2, 'US', 'place-2'), (3, 'US', 'place-2');";
const MODEL: &str =
    "version: 0.2.0.dev0\nsemantic_model:\n- name: shop\n  datasets:\n  - name: sale\n    source: sale\n";
const SETTINGS: &str = "console_auth = \"users\"\nconsole_token = \"t\"\n[console_roles]\noperate = [\"bob\"]\n\
    [semantic]\nfile = \"model.yaml\"\n[audit]\nenabled = false\n\
    [auth]\nmode = \"scram\"\nusers = { ann = \"a\", bob = \"b\", cy = \"c\", dee = \"d\" }\n\
    [privacy]\nprivate = [\"sale.ssn\"]\nsend_values = false\n\
    [[policy.rule]]\nusers = [\"ann\"]\ndeny = [\"sale.total\"]\nrows = { visit = \"region = 'EU'\" }\n\
    [[policy.rule]]\nusers = [\"bob\"]\ndeny = [\"visit.place\"]\n\
    [[policy.rule]]\nusers = [\"cy\"]\nquestions = \"off\"\n";

/// The tables with rows in them: 40 sales, of which some notes are hostile.
fn tables() -> String {
    let mut sql = TABLES.to_owned();
    for id in 1..=40 {
        let state = ["open", "closed", "<b onclick=alert(1)>"][id % 3];
        let note = match id % 4 {
            0 => "NULL".to_owned(),
            1 => "'\u{202e}live\u{1b}[31m'".to_owned(),
            _ => format!("'{}'", "x".repeat(90)),
        };
        write!(
            sql,
            "INSERT INTO sale VALUES ({id}, '{state}', {}, '2024-02-{:02}', 'secret-{id}', {note});",
            id * 10,
            1 + id % 28
        )
        .unwrap();
    }
    sql
}

/// What a user is told of a table; the server reads it in its own time.
fn contents(served: &Served, user: &str, query: &str) -> Value {
    let path = format!("/api/v1/schema/contents?{query}");
    let begun = Instant::now();
    loop {
        let reply = served.ask(&path, &[("Authorization", &basic(user, &user[..1]))]);
        assert_eq!(reply.code, 200, "{user} {query}: {}", reply.body);
        let told: Value = serde_json::from_str(&body(&reply)).unwrap();
        let is_unread = |column: &Value| column["basis"] == "unread";
        let columns = told["columns"].as_array().unwrap();
        if !columns.iter().any(is_unread) || begun.elapsed() > Duration::from_secs(20) {
            return told;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn column<'t>(told: &'t Value, name: &str) -> Option<&'t Value> {
    let mut columns = told["columns"].as_array().unwrap().iter();
    columns.find(|column| column["name"] == name)
}

/// What holds on both backends.
fn check(served: &Served) {
    let told = contents(served, "bob", "schema=public&dataset=sale");
    assert_eq!(
        (&told["schema"], &told["dataset"]),
        (&json!("public"), &json!("sale"))
    );
    let state = column(&told, "state").unwrap();
    assert_eq!(state["values"].as_array().unwrap().len(), 3, "{told}");
    assert!(
        state["values"].to_string().contains("<b onclick=alert(1)>"),
        "{told}"
    );
    assert_eq!(
        (&state["distinct"], &state["rows"]),
        (&json!(3), &json!(40)),
        "{told}"
    );
    for (name, lowest, highest) in [
        ("id", "1", "40"),
        ("total", "10", "400"),
        ("sold_on", "2024-02-01", "2024-02-28"),
    ] {
        let column = column(&told, name).unwrap();
        assert_eq!(
            (&column["lowest"], &column["highest"]),
            (&json!(lowest), &json!(highest)),
            "{told}"
        );
    }
    let note = column(&told, "note").unwrap();
    assert_eq!(
        (&note["null_share"], &note["distinct"]),
        (&json!(0.25), &json!(2)),
        "{told}"
    );
    // Nothing that steers a terminal or turns the text comes as it is, and nothing long.
    assert!(
        note["values"]
            .to_string()
            .contains("\\\\u{202e}live\\\\u{1b}[31m"),
        "{told}"
    );
    assert!(!told.to_string().contains(&"x".repeat(81)), "{told}");
    // What is private is told to nobody, and what a model may not be sent is told to people.
    let ssn = column(&told, "ssn").unwrap();
    assert_eq!(
        (&ssn["basis"], &ssn["values"], &ssn["distinct"]),
        (&json!("private"), &json!([]), &Value::Null)
    );
    let visits = contents(served, "bob", "dataset=visit");
    assert_eq!(
        column(&visits, "region").unwrap()["values"]
            .as_array()
            .unwrap()
            .len(),
        2,
        "{visits}"
    );

    // Another may read fewer columns, and fewer rows.
    let of_ann = contents(served, "ann", "dataset=sale");
    assert!(
        column(&of_ann, "total").is_none() && column(&of_ann, "state").is_some(),
        "{of_ann}"
    );
    let visits = contents(served, "ann", "dataset=visit");
    for column in visits["columns"].as_array().unwrap() {
        assert_eq!(
            (&column["basis"], &column["values"], &column["highest"]),
            (&json!("restricted"), &json!([]), &Value::Null)
        );
    }
    for (user, query, code) in [
        ("bob", "dataset=nothing", 404),
        ("bob", "dataset=a'b%5C&schema=public", 404),
        ("bob", "schema=public", 400),
        ("bob", "dataset=sale%00", 400),
        ("ann", "dataset=sale&user=bob", 403),
        ("cy", "dataset=sale", 403),
    ] {
        let path = format!("/api/v1/schema/contents?{query}");
        let reply = served.ask(&path, &[("Authorization", &basic(user, &user[..1]))]);
        assert_eq!(reply.code, code, "{user} {query}: {}", reply.body);
        assert!(!reply.body.contains("secret-"), "{}", reply.body);
    }
}

#[test]
fn of_a_file_everybody_is_told_what_they_may_read() {
    let place = Place::new();
    place.database("shop.db", &tables());
    place.write("model.yaml", MODEL);
    let served = Served::start_in(place, SETTINGS, &["sqlite:shop.db", "--console", "127.0.0.1:0"]);
    check(&served);
    // Operators see it as another may.
    assert_eq!(
        contents(&served, "bob", "dataset=sale&user=ann"),
        contents(&served, "ann", "dataset=sale")
    );
    // That is no way to values that they may not read themselves.
    let own = contents(&served, "dee", "dataset=visit");
    assert!(own.to_string().contains("place-2"), "{own}");
    let of_dee = contents(&served, "bob", "dataset=visit&user=dee");
    let place = column(&of_dee, "place").unwrap();
    assert_eq!(
        (&place["basis"], &place["values"]),
        (&json!("restricted"), &json!([])),
        "{of_dee}"
    );
    assert_eq!(column(&of_dee, "region"), column(&own, "region"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_server_everybody_is_told_what_the_own_login_may_read() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    postgres.run("postgres", "CREATE DATABASE shop").await;
    let rights = "CREATE ROLE ann LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE cy LOGIN;
        CREATE TABLE inner_sale (id integer PRIMARY KEY, state text);
        INSERT INTO inner_sale VALUES (1, 'hidden-state');
        CREATE TABLE mine (id integer PRIMARY KEY, owner name);
        INSERT INTO mine VALUES (1, 'ann'), (2, 'hidden-owner');
        ALTER TABLE mine ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON mine USING (owner = current_user);
        GRANT SELECT ON sale, visit, mine TO ann, bob, cy; GRANT SELECT (id) ON inner_sale TO bob; ANALYZE inner_sale, mine;";
    postgres.run("shop", &format!("{}{rights}", tables())).await;
    let address = format!("postgres://127.0.0.1:{}/shop?sslmode=disable", postgres.port);
    let place = Place::new();
    place.write("model.yaml", MODEL);
    let served = Served::start_in(place, SETTINGS, &[&address, "--console", "127.0.0.1:0"]);
    check(&served);
    let told = contents(&served, "bob", "dataset=inner_sale");
    assert!(
        column(&told, "state").is_none() && !told.to_string().contains("hidden-state"),
        "{told}"
    );
    let told = contents(&served, "ann", "dataset=mine");
    assert_eq!(column(&told, "owner").unwrap()["basis"], "restricted", "{told}");
    assert!(!told.to_string().contains("hidden-owner"), "{told}");
    // Statistics of the server, once it has some.
    postgres.run("shop", "ANALYZE sale").await;
    let told = contents(&served, "bob", "dataset=sale");
    assert_eq!(
        column(&told, "state").unwrap()["values"]
            .as_array()
            .unwrap()
            .len(),
        3,
        "{told}"
    );
}
