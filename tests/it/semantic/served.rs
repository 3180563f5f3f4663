//! A running server with a file of a model: what models are told, what answers say of it, and what a reload brings. On both
//! backends.

use querent::question::{ossie::inferred, schema::Format};

use super::{postgres_snapshot, postgres_snapshot_for};
use crate::{
    conversation::legs::{Leg, over, over_with_model, says},
    model::server::Seen,
    postgres::server::PostgresServer,
    program::{Place, refuses},
};

pub(super) const TABLES: &str = "
    CREATE TABLE buyers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
    CREATE TABLE sales(id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers(id), state TEXT, total INTEGER);
    CREATE TABLE parts(id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales(id), quantity INTEGER, price INTEGER);
    INSERT INTO buyers VALUES (1, 'Ada', 'Spain'), (2, 'Bo', 'Norway');
    INSERT INTO sales VALUES (1, 1, 'paid', 10), (2, 1, 'cancelled', 20), (3, 2, 'paid', 30);
    INSERT INTO parts VALUES (1, 1, 2, 5), (2, 2, 4, 5), (3, 3, 1, 10), (4, 3, 2, 10);";

pub(super) const FILE: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: shop
  ai_context: {instructions: A year begins in July.}
  datasets:
  - name: sales
    source: sales
    ai_context: {synonyms: [purchases]}
    fields:
    - name: state
      expression: {dialects: [{dialect: ANSI_SQL, expression: state}]}
      custom_extensions:
      - vendor_name: QUERENT
        data: {labels: {paid: settled}}
    custom_extensions:
    - vendor_name: QUERENT
      data: {filters: [{name: lost, expression: \"state = 'cancelled'\"}]}
  metrics:
  - name: revenue
    description: what is left after cancellations
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.total) FILTER (WHERE sales.state <> 'cancelled')}]}
    ai_context: {synonyms: [turnover]}
  custom_extensions:
  - vendor_name: QUERENT
    data: {verified_queries: [{question: zorblax of each country, sql: SELECT country FROM buyers}]}
";

/// Puts a model into the folder of a leg and takes it, as SIGHUP does.
pub(super) fn teach(leg: &Leg, more: &str, text: &str) -> Result<(), String> {
    let file = leg.folder().join("shop.yaml");
    std::fs::write(&file, text).unwrap();
    let toml = format!("{more}\n[semantic]\nfile = \"{}\"\n", file.display());
    leg.reload(&toml).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let taken = runtime.block_on(leg.handle().reload_meanings());
    taken.map_err(|error| error.to_string())
}

fn prompt(seen: &Seen) -> String {
    seen.body.to_string()
}

#[test]
fn models_are_told_what_the_question_needs() {
    let follows = "SELECT SUM(total) FROM sales WHERE state <> 'cancelled'";
    let turns = [
        says("SELECT name FROM buyers"),
        says(follows),
        says("SELECT SUM(total) FROM sales"),
    ];
    over_with_model(TABLES, "mode = \"single\"", &turns, |leg, model| {
        let with_model = format!("mode = \"single\"{}", crate::conversation::legs::table(model));
        let mut client = leg.client();
        client.query("-- nl: zorblax of the turnover");
        teach(leg, &with_model, FILE).unwrap();
        let explained = client.query("-- nl explain: zorblax of the turnover per country");
        let told = explained.join("\n");
        assert!(
            told.contains("definition|revenue = ") || told.contains("definition"),
            "{}: {told}",
            leg.name
        );
        assert!(
            told.contains("from shop.yaml: what is left after cancellations"),
            "{}: {told}",
            leg.name
        );
        let explained = client
            .query("-- nl explain: zorblax of all lost turnover")
            .join("\n");
        assert!(
            explained.contains("definition not followed"),
            "{}: {explained}",
            leg.name
        );
        let seen = model.requests();
        let (before, after) = (prompt(&seen[0]), prompt(&seen[1]));
        for words in [
            "revenue (also: turnover) = ",
            "what is left after cancellations",
            "A year begins in July.",
            "Question: zorblax of each country",
            "SELECT country FROM buyers",
        ] {
            assert!(!before.contains(words), "{}: {words}: {before}", leg.name);
            assert!(after.contains(words), "{}: {words}: {after}", leg.name);
        }
    });
}

#[test]
fn the_last_good_model_stays() {
    over(TABLES, "", |leg| {
        teach(leg, "", FILE).unwrap();
        let wrong = FILE.replace("SUM(sales.total)", "SUM(sales.sum)");
        let refused = teach(leg, "", &wrong).unwrap_err();
        assert!(
            refused.contains("shop.yaml:21:17: revenue: sales has no column or field sum"),
            "{}: {refused}",
            leg.name
        );
        let refused = teach(leg, "", "semantic_model: [").unwrap_err();
        assert!(refused.contains("shop.yaml:"), "{}: {refused}", leg.name);
        // Questions are answered all the same.
        let mut client = leg.client();
        assert_eq!(client.query("-- nl: how many buyers are there?")[1], "D 2");
    });
}

#[test]
fn one_user_hears_nothing_of_what_another_may_read() {
    let turns = [says("SELECT name FROM buyers")];
    over_with_model(TABLES, "mode = \"single\"", &turns, |leg, model| {
        let denied = format!(
            "mode = \"single\"{}\n[[policy.rule]]\ndeny = [\"sales.total\"]\n",
            crate::conversation::legs::table(model)
        );
        teach(leg, &denied, FILE).unwrap();
        let mut client = leg.client();
        client.query("-- nl: zorblax of the turnover");
        let told = prompt(&model.requests()[0]);
        assert!(told.contains("A year begins in July."), "{}: {told}", leg.name);
        assert!(!told.contains("revenue"), "{}: {told}", leg.name);
    });
}

#[test]
fn private_columns_are_in_no_definition_that_models_hear() {
    let turns = [says("SELECT name FROM buyers")];
    over_with_model(TABLES, "mode = \"single\"", &turns, |leg, model| {
        let private = format!(
            "mode = \"single\"{}\n[privacy]\nprivate = [\"sales.state\"]\n",
            crate::conversation::legs::table(model)
        );
        teach(leg, &private, FILE).unwrap();
        let mut client = leg.client();
        client.query("-- nl: zorblax of the lost turnover");
        let told = prompt(&model.requests()[0]);
        assert!(told.contains("A year begins in July."), "{}: {told}", leg.name);
        for words in ["revenue", "cancelled", "settled"] {
            assert!(!told.contains(words), "{}: {words}: {told}", leg.name);
        }
    });
}

#[test]
fn programs_read_the_file() {
    let place = Place::new();
    place.write(
        "pets.yaml",
        "version: 0.2.0.dev0
semantic_model:
- name: pets
  datasets:
  - {name: pet, source: pet}
  metrics:
  - name: load
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pet.weight)}]}
",
    );
    let ran = place.run(&["check", "pets.db"]);
    assert!(
        ran.out
            .contains("\nsemantic model: 2 entity; 1 relationships (0 inferred), "),
        "{}",
        ran.out
    );
    place.write(
        "querent.toml",
        "[semantic.databases]\npets = [\"pets.yaml\"]\nother = [\"pets.yaml\"]\n",
    );
    let ran = place.run(&["check", "pets.db"]);
    assert!(
        ran.out.contains("(1 of files)") && ran.code == 0,
        "{} {}",
        ran.out,
        ran.err
    );
    let ran = place.run(&[
        "semantic", "query", "pets.db", "--metric", "load", "--format", "csv",
    ]);
    assert_eq!(ran.out, "load\n28\n", "{}", ran.err);
    // What the statement does not follow is found, by the file that is named.
    let linted = place.run(&[
        "lint",
        "pets.db",
        "the load of each kind",
        "SELECT kind, COUNT(*) FROM pet GROUP BY kind",
    ]);
    assert!(
        linted.out.contains("\"load\" is SUM(pet.weight) by pets.yaml"),
        "{}",
        linted.out
    );
    let wrong = place.read("pets.yaml").replace("pet.weight", "pet.height");
    place.write("pets.yaml", &wrong);
    for command in [
        &["ask", "pets.db", "how many pets are there?"][..],
        &["serve", "pets.db"],
    ] {
        if command[0] == "serve" {
            place.write("querent.toml", "[semantic]\nfile = \"pets.yaml\"\n");
        }
        refuses(
            &place,
            command,
            1,
            &["pets.yaml:8:17: load: pet has no column or field height"],
        );
    }
    let ran = place.run(&["check", "pets.db"]);
    assert!(
        ran.code == 1 && ran.err.contains("pets.yaml:8:17: "),
        "{} {}",
        ran.out,
        ran.err
    );
    refuses(
        &place,
        &["ask", "pets.db", "how many pets?", "--model-file", "nowhere.yaml"],
        1,
        &["nowhere.yaml: "],
    );
}

#[test]
fn a_label_of_a_table_of_codes_is_the_code() {
    let place = Place::new();
    place.database(
        "bills.db",
        "CREATE TABLE CUSTMAST (CUST_NO INTEGER, CUSTNM TEXT, CUSTYP TEXT, CUSTST TEXT);
         WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 30)
         INSERT INTO CUSTMAST SELECT n, 'NAME ' || n, substr('RC', n % 2 + 1, 1), substr('ACS', n % 3 + 1, 1) FROM n;
         CREATE TABLE CODETB (CODTYP TEXT, CODVAL TEXT, CODDSC TEXT);
         INSERT INTO CODETB VALUES ('CUSTST', 'A', 'Active'), ('CUSTST', 'C', 'Closed'), ('CUSTST', 'S', 'Suspended - cut off'),
             ('CUSTYP', 'R', 'Residential'), ('CUSTYP', 'C', 'Commercial');",
    );
    for (question, condition) in [
        ("how many active customers are there?", "CUSTST = 'A'"),
        ("how many suspended customers are there?", "CUSTST = 'S'"),
        ("how many residential customers are there?", "CUSTYP = 'R'"),
    ] {
        let ran = place.run(&["ask", "bills.db", question]);
        assert!(
            ran.err.contains(condition) && !ran.err.contains("CODETB"),
            "{question}: {}{}",
            ran.err,
            ran.out
        );
    }
}

#[test]
fn measures_that_come_out_wrong_are_found() {
    let place = Place::new();
    place.database(
        "shop.db",
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, sold_on DATE, buyer TEXT, total INTEGER);
         CREATE TABLE part (id INTEGER PRIMARY KEY, sale_id INTEGER NOT NULL REFERENCES sale(id), quantity INTEGER, unit_price REAL);
         INSERT INTO sale VALUES (1, '2024-01-01', 'Ada', 10), (2, '2024-02-01', 'Bo', 30);
         INSERT INTO part VALUES (1, 1, 2, 5.5), (2, 2, 1, 10.5), (3, 2, 2, 10.25);",
    );
    let repeats = "SUM of sale.total counts a row of sale once for each row of part";
    let prices = "SUM of part.unit_price, whose values are not added up";
    for (question, sql, expected) in [
        (
            "what have we sold",
            "SELECT SUM(s.total), SUM(p.quantity) FROM sale AS s JOIN part AS p ON p.sale_id = s.id",
            Some(repeats),
        ),
        // The rows of parts are what is shown.
        (
            "what have we sold",
            "SELECT p.id, SUM(s.total) FROM sale AS s JOIN part AS p ON p.sale_id = s.id GROUP BY p.id",
            None,
        ),
        (
            "what have we sold",
            "SELECT SUM(p.quantity) FROM sale AS s JOIN part AS p ON p.sale_id = s.id",
            None,
        ),
        (
            "what have we earned",
            "SELECT SUM(unit_price) FROM part",
            Some(prices),
        ),
        (
            "what is the sum of all unit prices",
            "SELECT SUM(unit_price) FROM part",
            None,
        ),
        (
            "what have we earned",
            "SELECT SUM(quantity * unit_price) FROM part",
            None,
        ),
    ] {
        let linted = place.run(&["lint", "shop.db", question, sql]);
        for known in [repeats, prices] {
            assert_eq!(
                linted.out.contains(known),
                expected == Some(known),
                "{question}: {sql}: {}",
                linted.out
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_columns_of_a_server_hold_is_known() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let tables = "
        CREATE TABLE visits(id int PRIMARY KEY, seen text, state text, left_at text);
        INSERT INTO visits
        SELECT n, '2024-01-' || lpad((n % 28 + 1)::text, 2, '0'), CASE WHEN n % 3 = 0 THEN 'open' ELSE 'done' END,
               CASE WHEN n % 2 = 0 THEN '2024-02-01' END
        FROM generate_series(1, 300) AS n;";
    server.run("postgres", tables).await;
    // From the first rows, and from what the server knows of them.
    for prepare in ["SELECT 1", "ANALYZE visits"] {
        server.run("postgres", prepare).await;
        let snapshot = postgres_snapshot(&server, "postgres").await;
        let profile = snapshot.profile.tables[0].as_ref().unwrap();
        let [id, seen, state, left] = &profile.columns[..] else {
            panic!("four columns");
        };
        assert!(id.is_unique(), "{prepare}: {id:?}");
        assert_eq!(seen.format, Some(Format::Date), "{prepare}: {seen:?}");
        assert_eq!((left.values, left.nulls), (150, 150), "{prepare}: {left:?}");
        let states = [("done".to_owned(), 200), ("open".to_owned(), 100)];
        assert_eq!(state.frequent, states, "{prepare}: {state:?}");
        let understood = inferred(&snapshot);
        assert_eq!(understood.model.datasets[0].time, Some(1), "{prepare}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_codes_of_a_server_stand_for_is_known() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let tables = "
        CREATE TABLE custmast(cust_no int PRIMARY KEY, custnm text, custst text, custyp int);
        INSERT INTO custmast SELECT n, 'NAME ' || n, CASE WHEN n % 3 = 0 THEN 'C' ELSE 'A' END, n % 2 + 1
        FROM generate_series(1, 300) AS n;
        CREATE TABLE codetb(codtyp text, codval text, coddsc text);
        INSERT INTO codetb VALUES ('CUSTST', 'A', 'Active'), ('CUSTST', 'C', 'Closed'), ('CUSTYP', '1', 'Private'),
            ('CUSTYP', '2', 'Business'), ('SYSPAR', 'DATES', 'YYYYMMDD');
        CREATE ROLE clerk LOGIN;
        GRANT SELECT ON custmast TO clerk;";
    server.run("postgres", tables).await;
    for prepare in ["SELECT 1", "ANALYZE"] {
        server.run("postgres", prepare).await;
        let snapshot = postgres_snapshot(&server, "postgres").await;
        let of: Vec<&str> = (snapshot.profile.codes.iter())
            .map(|codes| snapshot.schema.column(codes.of).name.as_str())
            .collect();
        assert_eq!(of, ["custst", "custyp"], "{prepare}");
        let model = inferred(&snapshot).model;
        let names: Vec<&str> = model.filters.iter().map(|filter| filter.name.as_str()).collect();
        assert_eq!(names, ["active", "closed", "private", "business"], "{prepare}");
        // Whoever may not read the table hears nothing of it.
        let snapshot = postgres_snapshot_for(&server, "clerk", "postgres").await;
        assert!(snapshot.profile.codes.is_empty() && inferred(&snapshot).model.filters.is_empty());
    }
}

#[test]
fn a_server_shares_its_models_in_a_table() {
    let Some(leg) = Leg::postgres("", TABLES) else {
        return;
    };
    let mut direct = leg.direct().unwrap();
    direct.query("CREATE TABLE public.models (name text PRIMARY KEY, model text)");
    direct.query(&format!("INSERT INTO public.models VALUES ('shop', $${FILE}$$)"));
    leg.reload("[semantic]\ntable = \"public.models\"\n").unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let reload = || runtime.block_on(leg.handle().reload_meanings());
    reload().unwrap();
    direct.query("UPDATE public.models SET model = replace(model, 'sales.total', 'sales.sum')");
    let refused = reload().unwrap_err().to_string();
    assert!(
        refused.contains("public.models/shop:21:17: revenue: sales has no column or field sum"),
        "{refused}"
    );
    leg.reload("[semantic]\ntable = \"public.nothing\"\n").unwrap();
    let refused = reload().unwrap_err().to_string();
    assert!(
        refused.contains("semantic.table public.nothing cannot be read"),
        "{refused}"
    );
}
