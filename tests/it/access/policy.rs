//! Tables, columns and rows that rules keep back: SQL as a model may write it, and what the client gets.

use crate::{
    conversation::legs::{Leg, over, over_with_model, says},
    model::turn::Turn,
    server::raw::Client,
};

const TABLES: &str = "
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, country TEXT, ssn TEXT);
    INSERT INTO person VALUES
        (1, 'Ann', 'ann@x.org', 'Spain', '111'), (2, 'Bob', 'bob@x.org', 'France', '222'),
        (3, 'Cid', 'cid@x.org', 'Chile', '333');
    CREATE TABLE sale(id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person(id), total INTEGER,
        region TEXT, note TEXT);
    INSERT INTO sale VALUES (1, 1, 10, 'EU', 'a'), (2, 2, 20, 'EU', 'b'), (3, 3, 400, 'US', 'c'),
        (4, 1, 500, NULL, 'd');
    CREATE TABLE vault(id INTEGER PRIMARY KEY, word TEXT);
    INSERT INTO vault VALUES (1, 'sesame');
    CREATE VIEW mails AS SELECT id AS number, lower(email) AS address FROM person;
    CREATE VIEW names AS SELECT id AS number, name AS called FROM person;
    CREATE VIEW totals AS SELECT region AS part, sum(total) AS sum FROM sale GROUP BY region;
    CREATE VIEW deeper AS SELECT * FROM mails;
    CREATE VIEW counted AS SELECT count(*) AS n FROM vault;
    CREATE VIEW shared AS SELECT id AS number, email AS mail FROM person WHERE id < 3;";

const RULES: &str = "
    [[policy.rule]]
    deny = [\"person.email\", \"*.ssn\", \"vault\"]
    rows = { sale = \"region = 'EU'\" }
    [[policy.rule]]
    allow = [\"*\", \"shared\"]
    [[policy.rule]]
    users = [\"nobody\"]
    deny = [\"*\"]
    ";

/// What a client gets.
#[derive(Clone, Copy)]
enum Gets {
    /// These rows.
    Rows(&'static [&'static str]),
    /// 42501, in whose message these words stand.
    Denied(&'static str),
    /// Another error with this SQLSTATE.
    Error(&'static str),
    /// These rows on PostgreSQL, an error on SQLite.
    OnPostgres(&'static [&'static str]),
}
use Gets::{Denied, Error, OnPostgres, Rows};

/// Lets a model answer each question with this SQL.
fn check(rules: &str, cases: &[(&str, Gets)]) {
    check_repaired(0, rules, cases);
}

/// The same with as many repairs.
fn check_repaired(repairs: usize, rules: &str, cases: &[(&str, Gets)]) {
    let toml = format!("mode = \"single\"\nlimits.attempts = {repairs}\n{rules}");
    let turns: Vec<Turn> = cases.iter().map(|(sql, _)| says(sql)).collect();
    over_with_model(TABLES, &toml, &turns, |leg, _| {
        let mut client = leg.client();
        for (number, (sql, gets)) in cases.iter().enumerate() {
            let told = client.query(&format!("-- nl: frobnicate number {number}"));
            compare(leg, sql, &told, *gets);
        }
    });
}

fn compare(leg: &Leg, sql: &str, told: &[String], gets: Gets) {
    let rows: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("D ")).collect();
    let fails = |state: &str, words: &str| {
        let error = told.iter().find(|line| line.starts_with("E "));
        let error = error.unwrap_or_else(|| panic!("{}: {sql}: {told:?}", leg.name));
        assert!(
            error.starts_with(&format!("E ERROR {state}")) && error.contains(words),
            "{}: {sql}: {error}",
            leg.name
        );
        let names = [
            "person.", "vault", "mails", "deeper", "counted", "totals", "email",
        ];
        let told = state == "42501" && names.iter().any(|name| error.contains(name));
        assert!(!told, "{}: {sql}: {error}", leg.name);
    };
    // No rows are something else than an error.
    let gives = |expected: &[&str]| {
        let failed = told.iter().any(|line| line.starts_with("E "));
        assert!(!failed && rows == expected, "{}: {sql}: {told:?}", leg.name);
    };
    match gets {
        Rows(expected) => gives(expected),
        OnPostgres(expected) if leg.name == "PostgreSQL" => gives(expected),
        Denied(words) => fails("42501", words),
        Error(state) => fails(state, ""),
        OnPostgres(_) => fails("", ""),
    }
}

#[test]
fn what_is_denied_cannot_be_named() {
    check(
        RULES,
        &[
            ("SELECT email FROM person", Denied("does not let")),
            ("SELECT p.EMAIL FROM person p", Denied("does not let")),
            (
                "SELECT name FROM person WHERE email LIKE 'a%'",
                Denied("does not let"),
            ),
            ("SELECT name FROM person ORDER BY email", Denied("does not let")),
            ("SELECT count(ssn) FROM person", Denied("does not let")),
            ("SELECT (SELECT max(email) FROM person)", Denied("does not let")),
            (
                "WITH p AS (SELECT email FROM person) SELECT * FROM p",
                Denied("does not let"),
            ),
            (
                "SELECT name FROM person UNION SELECT email FROM person",
                Denied("does not let"),
            ),
            ("SELECT 1 FROM sale JOIN person USING (ssn)", Error("")),
            ("SELECT word FROM vault", Denied("does not let")),
            ("SELECT count(*) FROM vault", Denied("does not let")),
            ("SELECT count(*) FROM \"vault\" AS person", Denied("does not let")),
            (
                "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM vault)",
                Denied("does not let"),
            ),
            ("SELECT * FROM mails", Denied("does not let")),
            ("SELECT * FROM deeper", Denied("does not let")),
            ("SELECT n FROM counted", Denied("does not let")),
            ("SELECT part FROM totals", Denied("does not let")),
        ],
    );
}

#[test]
fn what_is_left_is_read_as_it_is() {
    check(
        RULES,
        &[
            ("SELECT * FROM person WHERE id = 1", Rows(&["1 | Ann | Spain"])),
            (
                "SELECT p.* FROM person AS p WHERE p.id = 2",
                Rows(&["2 | Bob | France"]),
            ),
            ("SELECT called FROM names WHERE number = 3", Rows(&["Cid"])),
            // Allowed by its own name.
            (
                "SELECT mail FROM shared ORDER BY mail",
                Rows(&["ann@x.org", "bob@x.org"]),
            ),
            (
                "SELECT person.name FROM person ORDER BY person.name DESC LIMIT 1",
                Rows(&["Cid"]),
            ),
            (
                "SELECT count(*) FROM person, names WHERE number = person.id",
                Rows(&["3"]),
            ),
        ],
    );
}

#[test]
fn rows_are_filtered_wherever_the_table_stands() {
    check(
        RULES,
        &[
            ("SELECT sum(total) FROM sale", Rows(&["30"])),
            ("SELECT count(*) FROM SALE", Rows(&["2"])),
            ("SELECT count(*) FROM \"sale\" AS s", Rows(&["2"])),
            ("SELECT s.total FROM sale s ORDER BY sale.total", Error("")),
            (
                "SELECT sale.total FROM sale ORDER BY sale.total",
                Rows(&["10", "20"]),
            ),
            (
                "SELECT * FROM sale WHERE id = 1 OR 1 = 1 ORDER BY id",
                Rows(&["1 | 1 | 10 | EU | a", "2 | 2 | 20 | EU | b"]),
            ),
            (
                "SELECT max(a.total + b.total) FROM sale a JOIN sale b ON a.id <> b.id",
                Rows(&["30"]),
            ),
            (
                "SELECT p.name, s.total FROM person p LEFT JOIN sale s ON s.person_id = p.id ORDER BY p.id",
                Rows(&["Ann | 10", "Bob | 20", "Cid | NULL"]),
            ),
            (
                "SELECT name FROM person WHERE id IN (SELECT person_id FROM sale WHERE total > 100)",
                Rows(&[]),
            ),
            (
                "SELECT p.name FROM person p WHERE NOT EXISTS (SELECT 1 FROM sale WHERE person_id = p.id)",
                Rows(&["Cid"]),
            ),
            (
                "WITH sale AS (SELECT id, total FROM sale) SELECT count(*) FROM sale",
                OnPostgres(&["2"]),
            ),
            (
                "WITH s AS (SELECT * FROM sale) SELECT sum(total) FROM s",
                Rows(&["30"]),
            ),
            (
                "SELECT total FROM sale UNION ALL SELECT total FROM sale ORDER BY 1",
                Rows(&["10", "10", "20", "20"]),
            ),
            ("SELECT (SELECT max(total) FROM sale)", Rows(&["20"])),
            (
                "SELECT x.t FROM (SELECT max(total) AS t FROM sale) AS x",
                Rows(&["20"]),
            ),
            (
                "SELECT sum(total) FROM sale /* OR */ WHERE -- no\n note <> 'x'",
                Rows(&["30"]),
            ),
            (
                "SELECT p.country, sum(s.total) FROM sale s JOIN person p ON p.id = s.person_id GROUP BY p.country \
                 HAVING sum(s.total) > 0 ORDER BY 2",
                Rows(&["Spain | 10", "France | 20"]),
            ),
            ("SELECT region, note FROM sale WHERE region <> 'EU'", Rows(&[])),
        ],
    );
}

#[test]
fn no_error_tells_of_a_row_that_is_kept_back() {
    // The condition costs more than the question's own, which the planner would try first.
    let rules = "[[policy.rule]]\nrows = { sale = \"region = 'EU' OR region = 'FR' OR region = 'DE'\" }\n";
    check(
        rules,
        &[
            (
                "SELECT id FROM sale WHERE total = 400 AND CAST(note AS date) IS NULL",
                Rows(&[]),
            ),
            ("SELECT count(*) FROM sale WHERE note > ''", Rows(&["2"])),
        ],
    );
}

#[test]
fn a_row_as_a_whole_shows_no_more() {
    check(
        RULES,
        &[
            ("SELECT rowid FROM person", Error("")),
            (
                "SELECT p FROM person p WHERE p.id = 1",
                OnPostgres(&["(1,Ann,Spain)"]),
            ),
            ("SELECT count(person) FROM person", OnPostgres(&["3"])),
            (
                "SELECT row_to_json(person) FROM person WHERE id = 1",
                OnPostgres(&["{\"id\":1,\"name\":\"Ann\",\"country\":\"Spain\"}"]),
            ),
            ("SELECT ctid FROM sale", Error("")),
        ],
    );
}

#[test]
fn a_key_groups_where_the_table_is_restricted_too() {
    let sql = "SELECT p.id, p.name, count(*) FROM person p JOIN sale s ON s.person_id = p.id GROUP BY p.id ORDER BY p.id";
    check_repaired(1, RULES, &[(sql, Rows(&["1 | Ann | 1", "2 | Bob | 1"]))]);
}

#[test]
fn nothing_is_allowed_but_what_a_rule_allows() {
    let rules = "
        [[policy.rule]]
        allow = []
        [[policy.rule]]
        allow = [\"person.id\", \"person.name\", \"names\"]
        [[policy.rule]]
        allow = [\"sale\"]
        deny = [\"sale.note\"]
        ";
    check(
        rules,
        &[
            ("SELECT * FROM person ORDER BY id LIMIT 1", Rows(&["1 | Ann"])),
            ("SELECT country FROM person", Denied("does not let")),
            ("SELECT * FROM sale WHERE id = 3", Rows(&["3 | 3 | 400 | US"])),
            ("SELECT note FROM sale", Denied("does not let")),
            ("SELECT word FROM vault", Denied("does not let")),
            ("SELECT called FROM names WHERE number = 1", Rows(&["Ann"])),
            ("SELECT part FROM totals", Denied("does not let")),
        ],
    );
}

#[test]
fn the_user_stands_in_a_condition() {
    let rules = "[policy.roles]\nsellers = [\"test\", \"postgres\"]\n[[policy.rule]]\nroles = [\"sellers\"]\n\
                 rows = { \"sal*\" = \"note = CASE session_user WHEN 'test' THEN 'a' WHEN 'postgres' THEN 'a' END\" }\n";
    check(rules, &[("SELECT total FROM sale", Rows(&["10"]))]);
}

#[test]
fn the_agents_see_only_what_is_left() {
    over(TABLES, RULES, |leg| {
        let mut client = leg.client();
        let mut answer = |question: &str| client.query(&format!("-- nl: {question}"));
        assert_eq!(answer("how many sales are there?")[1], "D 2", "{}", leg.name);
        assert_eq!(
            answer("what is the total of all sales?")[1],
            "D 30",
            "{}",
            leg.name
        );
        let told = answer("show the word of each vault");
        assert!(told[0].starts_with("E ERROR 42501"), "{}: {told:?}", leg.name);
        let told = answer("how many sales does each person have?");
        assert!(told.contains(&"D Ann | 1".to_owned()), "{}: {told:?}", leg.name);
        // A stored value of rows that are kept back is not known.
        let told = answer("how many persons live in Chile?");
        assert_eq!(told[1], "D 1", "{}: {told:?}", leg.name);
        // Ordinary SQL is the database's own affair.
        let told = client.query("SELECT email FROM person WHERE id = 1");
        assert_eq!(told[1], "D ann@x.org");
    });
}

#[test]
fn a_reload_brings_other_rules() {
    over(TABLES, RULES, |leg| {
        let mut client = leg.client();
        let count = |client: &mut Client| client.query("-- nl: how many sales are there?")[1].clone();
        assert_eq!(count(&mut client), "D 2", "{}", leg.name);
        leg.reload("").unwrap();
        assert_eq!(count(&mut client), "D 4");
        leg.reload("[[policy.rule]]\ndeny = [\"sale\"]\n").unwrap();
        let told = client.query("-- nl: how many sales are there?");
        assert!(told[0].starts_with("E ERROR 42501"), "{told:?}");
        // One that cannot be obeyed lets nothing be asked.
        leg.reload("[[policy.rule]]\nrows = { sale = \"id IN (SELECT id FROM vault)\" }\n")
            .unwrap();
        let told = client.query("-- nl: how many sales are there?");
        assert!(
            told[0].starts_with("E ERROR 42501 the access policy cannot be applied"),
            "{}: {told:?}",
            leg.name
        );
    });
}

#[test]
fn the_schema_may_stand_before_a_name() {
    let rules = "
        [[policy.rule]]
        deny = [\"public.person.email\", \"public.vault\"]
        rows = { \"public.sale\" = \"region = 'EU'\" }
        [[policy.rule]]
        allow = [\"public.*\"]
        ";
    check(
        rules,
        &[
            (
                "SELECT name FROM person ORDER BY id",
                Rows(&["Ann", "Bob", "Cid"]),
            ),
            ("SELECT email FROM person", Denied("does not let")),
            ("SELECT word FROM vault", Denied("does not let")),
            ("SELECT n FROM counted", Denied("does not let")),
            ("SELECT sum(total) FROM sale", Rows(&["30"])),
        ],
    );
}

#[test]
fn a_name_that_can_mean_nothing_refuses_questions() {
    let rule = |what: &str| format!("[[policy.rule]]\n{what}\n");
    let refused = |leg: &Leg, told: &[String]| {
        let error = told.iter().find(|line| line.starts_with("E "));
        assert!(
            error.is_some_and(|error| error.starts_with("E ERROR 42501 the access policy cannot be applied")),
            "{}: {told:?}",
            leg.name
        );
    };
    for what in [
        "deny = [\"person.emial\"]",
        "deny = [\"vault\", \"public.person.emial\"]",
        "rows = { \"public.sale.total\" = \"region = 'EU'\" }",
    ] {
        over(TABLES, &rule(what), |leg| {
            refused(leg, &leg.client().query("-- nl: how many sales are there?"));
        });
    }
    // A file has no other schema; a server may get one.
    for what in [
        "deny = [\"hr.person.email\"]",
        "rows = { \"hr.sale\" = \"region = 'EU'\" }",
    ] {
        over(TABLES, &rule(what), |leg| {
            if leg.name != "PostgreSQL" {
                refused(leg, &leg.client().query("-- nl: how many sales are there?"));
            }
        });
    }
    over(TABLES, "[privacy]\nprivate = [\"person.emial\"]\n", |leg| {
        if leg.name != "PostgreSQL" {
            refused(leg, &leg.client().query("-- nl: how many sales are there?"));
        }
    });
}

#[test]
fn what_is_not_there_yet_is_kept_back_when_it_comes() {
    let rules = "[[policy.rule]]\ndeny = [\"public.later\", \"secret_*\"]\n";
    let turns = [says("SELECT count(*) FROM person"), says("SELECT id FROM later")];
    over_with_model(
        TABLES,
        &format!("mode = \"single\"\nlimits.attempts = 0\n{rules}"),
        &turns,
        |leg, _| {
            let mut client = leg.client();
            let told = client.query("-- nl: frobnicate number 1");
            assert!(told.contains(&"D 3".to_owned()), "{}: {told:?}", leg.name);
            client.query("CREATE TABLE later(id INTEGER PRIMARY KEY)");
            let told = client.query("-- nl: frobnicate number 2");
            assert!(
                told.iter().any(|line| line.starts_with("E ERROR 42501")),
                "{}: {told:?}",
                leg.name
            );
        },
    );
}
