//! What is read of a database's schema: every kind of object, and only what the user may read.

use std::{fmt::Write, sync::Arc, time::Duration};

use querent::{
    postgres::introspection::{Client, Limits, Sampling, Schemas},
    question::schema::{ColumnRef, Schema, Snapshot},
};

use super::server::{PostgresServer, SUPERUSER};

pub(crate) const LIMITS: Limits = Limits {
    cost: None,
    kept: None,
    statement_timeout: Duration::from_secs(60),
};

/// Bounds that a busy machine does not reach.
pub(crate) fn schemas() -> Arc<Schemas> {
    Arc::new(Schemas::new(Sampling {
        table_time: Duration::from_secs(30),
        time: Duration::from_secs(60),
        ..Sampling::default()
    }))
}

async fn client(server: &PostgresServer, user: &str, schemas: &Arc<Schemas>) -> Client {
    let address = server.socket_address(user, "postgres").parse().unwrap();
    Client::connect(&address, Arc::clone(schemas), LIMITS)
        .await
        .unwrap()
}

async fn seen(client: &Client) -> Snapshot {
    client.session_snapshot().await.unwrap().snapshot
}

/// The schema, one line a table: its columns with kinds and keys.
fn lines(schema: &Schema) -> Vec<String> {
    let mut lines = Vec::new();
    for (position, table) in schema.tables.iter().enumerate() {
        let mut line = String::new();
        if table.qualified {
            line = format!("{}.", table.schema.as_deref().unwrap());
        }
        line += &table.name;
        line += match (table.is_view, table.partly_hidden) {
            (true, _) => " view",
            (_, true) => " partly",
            _ => "",
        };
        line += ":";
        for (at, column) in table.columns.iter().enumerate() {
            write!(line, " {} {:?}", column.name, column.kind).unwrap();
            line += if column.not_null { "!" } else { "" };
            line += if column.unique { "u" } else { "" };
            line += if table.primary_key.contains(&at) { "p" } else { "" };
            line.push(',');
        }
        line.pop();
        for key in schema
            .foreign_keys
            .iter()
            .filter(|key| key.from[0].table == position)
        {
            let names = |places: &[ColumnRef]| {
                let names: Vec<_> = places.iter().map(|at| schema.column(*at).name.as_str()).collect();
                names.join("+")
            };
            let target = &schema.tables[key.to[0].table].name;
            let sign = if key.declared { "->" } else { "~>" };
            write!(line, "; {} {sign} {target}.{}", names(&key.from), names(&key.to)).unwrap();
        }
        lines.push(line);
    }
    lines
}

async fn check(client: &Client, expected: &[&str]) {
    assert_eq!(lines(&seen(client).await.schema), expected);
}

/// All stored values that are known, sorted.
fn values(snapshot: &Snapshot) -> Vec<String> {
    let mut values: Vec<String> = snapshot
        .schema
        .columns()
        .flat_map(|(at, _)| snapshot.values.values_of(at))
        .map(|value| value.to_string())
        .collect();
    values.sort();
    values
}

const EVERYTHING: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
    CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
    CREATE DOMAIN work_email AS email NOT NULL;
    CREATE TABLE person (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(40) NOT NULL, nick \"char\", mail email UNIQUE,
        work work_email, mood mood, born date, seen timestamptz, wakes time, stays interval, rich boolean,
        height real, wealth numeric(10, 2), paid money, photo bytea, code uuid, tags text[], extra jsonb, net inet,
        gone int
    );
    ALTER TABLE person DROP COLUMN gone;
    COMMENT ON TABLE person IS 'who';
    COMMENT ON COLUMN person.stays IS 'how long';
    CREATE TABLE flat (street text, number int, PRIMARY KEY (street, number));
    CREATE TABLE lives (
        person_id int REFERENCES person, street text, number int, FOREIGN KEY (street, number) REFERENCES flat
    );
    CREATE UNIQUE INDEX ON lives (lower(street));
    CREATE UNIQUE INDEX ON lives (number) WHERE number > 5;
    CREATE TABLE bill (number int PRIMARY KEY, person_id int, day date) PARTITION BY RANGE (number);
    CREATE TABLE bill_1 PARTITION OF bill FOR VALUES FROM (1) TO (1000);
    CREATE TABLE bill_2 PARTITION OF bill FOR VALUES FROM (1000) TO (2000);
    CREATE VIEW rich AS SELECT name, wealth FROM person WHERE rich;
    CREATE MATERIALIZED VIEW streets AS SELECT DISTINCT street FROM flat;
    CREATE FOREIGN DATA WRAPPER nothing;
    CREATE SERVER elsewhere FOREIGN DATA WRAPPER nothing;
    CREATE FOREIGN TABLE abroad (name text) SERVER elsewhere;
    CREATE TABLE nothing ();
    CREATE SCHEMA \"Other\";
    CREATE TABLE \"Other\".\"Two Words\" (\"A\" text);
    -- Whoever says person means the other one.
    CREATE TABLE \"Other\".person (id int);
    INSERT INTO person (name, mood, work) VALUES ('Ann', 'ok', 'a@b'), ('Bob', 'happy', 'a@b'), ('Ann', NULL, 'a@b');
    INSERT INTO flat VALUES ('High Street', 1), (repeat('x', 101), 2), ('', 3);
    INSERT INTO \"Other\".\"Two Words\" VALUES ('it''s');
    REFRESH MATERIALIZED VIEW streets;
    ANALYZE person, flat;";

#[tokio::test]
async fn every_kind_of_object_is_read() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", EVERYTHING).await;
    let client = client(&server, SUPERUSER, &schemas()).await;
    check(
        &client,
        &[
            "person: id Integer!up, name Text!, nick Text, mail Textu, work Text!, mood Enum, born Date, \
             seen Timestamp, wakes Time, stays Interval, rich Boolean, height Number, wealth Number, paid Other, \
             photo Blob, code Uuid, tags Other, extra Other, net Other",
            "flat: street Text!p, number Integer!p",
            "lives: person_id Integer, street Text, number Integer; person_id -> person.id; \
             street+number -> flat.street+number",
            "bill: number Integer!up, person_id Integer, day Date; person_id ~> person.id",
            "rich view: name Text, wealth Number",
            "streets view: street Text",
            "abroad: name Text",
            "Other.Two Words: A Text",
        ],
    )
    .await;
    let snapshot = seen(&client).await;
    let person = &snapshot.schema.tables[0];
    assert_eq!((person.comment.as_deref(), person.rows), (Some("who"), Some(3)));
    let column = |name: &str| &person.columns[person.column_named(name).unwrap()];
    assert_eq!(column("stays").comment.as_deref(), Some("how long"));
    assert_eq!(column("wealth").declared_type, "numeric(10,2)");
    assert_eq!(column("work").declared_type, "work_email");
    assert_eq!(snapshot.schema.tables[2].rows, None);
    let known = values(&snapshot);
    assert_eq!(
        known,
        [
            "Ann",
            "Bob",
            "High Street",
            "High Street",
            "a@b",
            "happy",
            "it's",
            "ok",
            "sad"
        ]
    );
}

#[tokio::test]
async fn only_what_the_user_may_read_is_there() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let setup = "
        CREATE ROLE staff; CREATE ROLE ann LOGIN; CREATE ROLE bob LOGIN IN ROLE staff;
        CREATE TABLE open (id int, word text); CREATE TABLE part (id int, word text, secret text);
        CREATE TABLE closed (id int, word text);
        CREATE SCHEMA hidden; CREATE TABLE hidden.there (word text);
        INSERT INTO open VALUES (1, 'public'); INSERT INTO part VALUES (1, 'shown', 'whispered');
        INSERT INTO closed VALUES (1, 'staff only'); INSERT INTO hidden.there VALUES ('nobody');
        ANALYZE;
        GRANT SELECT ON open, hidden.there TO PUBLIC; GRANT SELECT (id, word) ON part TO ann;
        GRANT SELECT ON closed TO staff;";
    server.run("postgres", setup).await;
    let schemas = schemas();
    let (ann, bob) = (
        client(&server, "ann", &schemas).await,
        client(&server, "bob", &schemas).await,
    );
    let open = "open: id Integer, word Text";
    check(&ann, &[open, "part partly: id Integer, word Text"]).await;
    check(&bob, &[open, "closed: id Integer, word Text"]).await;
    assert_eq!(values(&seen(&ann).await), ["public", "shown"]);
    assert_eq!(values(&seen(&bob).await), ["public", "staff only"]);
    // Every change is seen at the next question.
    for (change, expected) in [
        (
            "REVOKE SELECT ON open FROM PUBLIC",
            &["closed: id Integer, word Text"] as &[&str],
        ),
        ("REVOKE staff FROM bob", &[]),
        (
            "GRANT SELECT (id) ON closed TO bob",
            &["closed partly: id Integer"],
        ),
        (
            "ALTER TABLE closed RENAME COLUMN id TO number",
            &["closed partly: number Integer"],
        ),
        (
            "ALTER TABLE closed ALTER number TYPE text",
            &["closed partly: number Text"],
        ),
        (
            "ALTER TABLE closed ADD UNIQUE (number)",
            &["closed partly: number Textu"],
        ),
        (
            "GRANT USAGE ON SCHEMA hidden TO bob",
            &["closed partly: number Textu", "hidden.there: word Text"],
        ),
        (
            "ALTER ROLE bob SET search_path = hidden; ALTER ROLE bob SUPERUSER",
            &[
                "open: id Integer, word Text",
                "part: id Integer, word Text, secret Text",
                "closed: number Textu, word Text",
                "hidden.there: word Text",
            ],
        ),
        (
            "ALTER ROLE bob NOSUPERUSER; DROP TABLE closed",
            &["hidden.there: word Text"],
        ),
        (
            "CREATE TABLE made AS SELECT 1 AS a; GRANT SELECT ON made TO bob",
            &["made: a Integer", "hidden.there: word Text"],
        ),
    ] {
        server.run("postgres", change).await;
        assert_eq!(lines(&seen(&bob).await.schema), expected, "{change}");
    }
    // The search path is the session's: a new one follows the role's setting.
    let bob = client_again(&server, &schemas).await;
    check(&bob, &["there: word Text", "public.made: a Integer"]).await;
}

async fn client_again(server: &PostgresServer, schemas: &Arc<Schemas>) -> Client {
    client(server, "bob", schemas).await
}

#[tokio::test]
async fn undeclared_keys_hold_where_the_values_agree() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let setup = "
        CREATE ROLE ann LOGIN;
        CREATE TABLE customers (id int PRIMARY KEY, name text); CREATE TABLE stores (id bigint PRIMARY KEY, city text);
        CREATE TABLE clerks (id int PRIMARY KEY, owner text); ALTER TABLE clerks ENABLE ROW LEVEL SECURITY;
        CREATE POLICY mine ON clerks USING (owner = current_user);
        CREATE TABLE orders (id int PRIMARY KEY, customer_id numeric, store_id int, clerk_id int, total int);
        INSERT INTO customers SELECT n, 'c' || n FROM generate_series(1, 300) n;
        INSERT INTO stores SELECT n, 's' || n FROM generate_series(1, 300) n;
        INSERT INTO clerks SELECT n, 'bob' FROM generate_series(1, 10) n;
        INSERT INTO orders SELECT n, CASE WHEN n % 7 > 0 THEN 1 + n % 300 ELSE 0 END, 100000 + n, 1 + n % 10, n
            FROM generate_series(1, 900) n;
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO ann; ANALYZE;";
    server.run("postgres", setup).await;
    let schemas = schemas();
    let keys = |snapshot: &Snapshot| {
        let line = lines(&snapshot.schema)
            .into_iter()
            .find(|line| line.starts_with("orders:"));
        let line = line.unwrap_or_default();
        line.split("; ").skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let boss = client(&server, SUPERUSER, &schemas).await;
    let all = ["customer_id ~> customers.id", "clerk_id ~> clerks.id"];
    assert_eq!(keys(&seen(&boss).await), all);
    // Of rows that are kept back names alone tell.
    let ann = client(&server, "ann", &schemas).await;
    assert_eq!(keys(&seen(&ann).await), all);
}

#[tokio::test]
async fn nothing_is_sampled_where_rows_are_hidden_from_some() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let setup = "
        CREATE ROLE ann LOGIN;
        CREATE TABLE own (owner text, word text); ALTER TABLE own ENABLE ROW LEVEL SECURITY;
        CREATE POLICY mine ON own USING (owner = current_user);
        CREATE TABLE free (word text); CREATE VIEW over AS SELECT word FROM own;
        INSERT INTO own VALUES ('ann', 'mine'), ('bob', 'his'); INSERT INTO free VALUES ('free');
        CREATE VIEW deeper AS SELECT word FROM over;
        CREATE MATERIALIZED VIEW kept AS SELECT word FROM deeper; CREATE MATERIALIZED VIEW fine AS SELECT word FROM free;
        CREATE TABLE parts (n int, word text) PARTITION BY LIST (n);
        CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
        INSERT INTO parts VALUES (1, 'in a part');
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO ann; ANALYZE;";
    server.run("postgres", setup).await;
    let schemas = schemas();
    let client = client(&server, "ann", &schemas).await;
    assert_eq!(values(&seen(&client).await), ["free", "free", "in a part"]);
    // Who sees every row anyway keeps them; a view reads with the rights of its owner.
    let boss = self::client(&server, "postgres", &schemas).await;
    let all = ["ann", "bob", "free", "free", "his", "in a part", "mine"];
    assert_eq!(values(&seen(&boss).await), all);
    let hides = |snapshot: &Snapshot| {
        let hidden = snapshot.schema.tables.iter().filter(|table| table.row_security);
        hidden.map(|table| table.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(hides(&seen(&client).await), ["own", "over", "deeper", "kept"]);
    assert_eq!(hides(&seen(&boss).await), ["over", "deeper", "kept"]);
    server
        .run("postgres", "ALTER TABLE free ENABLE ROW LEVEL SECURITY")
        .await;
    assert_eq!(values(&seen(&client).await), ["in a part"]);
    server
        .run("postgres", "ALTER TABLE parts_1 ENABLE ROW LEVEL SECURITY")
        .await;
    assert!(values(&seen(&client).await).is_empty());
}

/// A schema with everything that PostgreSQL's own has, under the same names, and all of it fails.
const HOSTILE: &str = "
    CREATE TABLE public.fine (id int PRIMARY KEY, word text);
    INSERT INTO fine VALUES (1, 'x');
    ANALYZE;
    CREATE SCHEMA evil;
    DO $$
    DECLARE
        made record;
        arguments text;
    BEGIN
        FOR made IN SELECT oid, proname, proargtypes FROM pg_proc
            WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a')
        LOOP
            SELECT string_agg('pg_catalog.' || quote_ident(t.typname), ',' ORDER BY n) INTO arguments
            FROM unnest(made.proargtypes::oid[]) WITH ORDINALITY AS a (type, n) JOIN pg_type t ON t.oid = a.type;
            BEGIN
                EXECUTE format(
                    'CREATE FUNCTION evil.%I(%s) RETURNS pg_catalog.int4 LANGUAGE plpgsql AS %L',
                    made.proname, arguments, 'BEGIN RAISE ''called''; END');
            -- Some take what no function of a user's can take.
            EXCEPTION WHEN invalid_function_definition OR feature_not_supported OR duplicate_function THEN NULL;
            END;
        END LOOP;
        FOR made IN SELECT oprname, l.typname AS l, r.typname AS r, p.typname AS result FROM pg_operator
            JOIN pg_type l ON l.oid = oprleft JOIN pg_type r ON r.oid = oprright JOIN pg_type p ON p.oid = oprresult
        LOOP
            BEGIN
                EXECUTE format(
                    'CREATE FUNCTION evil.operator(pg_catalog.%I, pg_catalog.%I) RETURNS pg_catalog.%I
                        LANGUAGE plpgsql AS %L', made.l, made.r, made.result, 'BEGIN RAISE ''called''; END');
            EXCEPTION WHEN invalid_function_definition OR feature_not_supported OR duplicate_function THEN NULL;
            END;
            BEGIN
                EXECUTE format(
                    'CREATE OPERATOR evil.%s (FUNCTION = evil.operator, LEFTARG = pg_catalog.%I, RIGHTARG = pg_catalog.%I)',
                    made.oprname, made.l, made.r);
            EXCEPTION WHEN undefined_function THEN NULL;
            END;
        END LOOP;
        FOR made IN SELECT typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b'
            AND typcategory <> 'A'
        LOOP
            EXECUTE format('CREATE DOMAIN evil.%I AS pg_catalog.int2', made.typname);
        END LOOP;
        FOR made IN SELECT relname FROM pg_class
            WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v')
        LOOP
            EXECUTE format('CREATE VIEW evil.%I AS SELECT evil.version()', made.relname);
        END LOOP;
    END $$;
    ALTER ROLE postgres SET search_path = evil, pg_catalog, public;";

#[tokio::test]
async fn what_stands_first_on_the_search_path_is_not_called() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", HOSTILE).await;
    let client = client(&server, SUPERUSER, &schemas()).await;
    let snapshot = seen(&client).await;
    let shown = lines(&snapshot.schema);
    assert!(
        shown.contains(&"fine: id Integer!up, word Text".to_owned()),
        "{shown:?}"
    );
    assert_eq!(values(&snapshot), ["x"]);
}

#[tokio::test]
async fn a_locked_table_holds_nobody_up() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server
        .run(
            "postgres",
            "CREATE TABLE locked (word text); INSERT INTO locked VALUES ('in there');
        CREATE TABLE free (word text); INSERT INTO free VALUES ('out here')",
        )
        .await;
    let locker = server.client(SUPERUSER, "postgres").await;
    locker.batch_execute("BEGIN; LOCK TABLE locked").await.unwrap();
    let schemas = Arc::new(Schemas::new(Sampling {
        table_time: Duration::from_millis(300),
        time: Duration::from_secs(60),
        ..Sampling::default()
    }));
    let client = client(&server, SUPERUSER, &schemas).await;
    let snapshot = seen(&client).await;
    check(&client, &["locked: word Text", "free: word Text"]).await;
    assert_eq!(values(&snapshot), ["out here"]);
    assert!(snapshot.values.progress().is_done());
}

#[tokio::test]
async fn texts_of_the_catalogue_are_bounded() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let setup = "
        CREATE TABLE short (id int, word text); COMMENT ON TABLE short IS 'what it is';
        CREATE TABLE long (id int, word text);
        CREATE TABLE computed (id int, word text, both_of text GENERATED ALWAYS AS (word || 'x') STORED, plain text DEFAULT 'id');
        DO $$ BEGIN EXECUTE format('COMMENT ON TABLE long IS %L', repeat('c ', 2000000));
            EXECUTE format('COMMENT ON COLUMN long.word IS %L', repeat('d ', 2000000));
            EXECUTE format('CREATE VIEW wide AS SELECT id, %L || word AS word FROM short', repeat('e ', 400000));
            EXECUTE format('CREATE TYPE many AS ENUM (%s)', (SELECT string_agg(quote_literal(n), ',') FROM generate_series(1, 3000) n));
        END $$;
        CREATE TABLE chosen (id int, one_of many);";
    server.run("postgres", setup).await;
    let ours = client(&server, SUPERUSER, &schemas()).await;
    let snapshot = seen(&ours).await;
    let table = |name: &str| &snapshot.schema.tables[snapshot.schema.table_named(name).unwrap()];
    assert_eq!(table("short").comment.as_deref(), Some("what it is"));
    let long = table("long");
    let lengths = [long.comment.as_ref(), long.columns[1].comment.as_ref()].map(|text| text.map(String::len));
    assert_eq!(lengths, [Some(2000), Some(2000)]);
    assert_eq!(table("computed").columns[2].computed_from, ["word"]);
    assert!(table("computed").columns[3].computed_from.is_empty());
    let why = table("wide").forbidden.as_deref();
    assert_eq!(
        why,
        Some("has a definition that is too long to be looked through")
    );
    assert_eq!(values(&snapshot).len(), 1000);
    // Many of them take no room from others.
    server
        .run(
            "postgres",
            "DO $$ BEGIN FOR n IN 1..1000 LOOP EXECUTE format('CREATE TABLE t%s (id int)', n);
                EXECUTE format('COMMENT ON TABLE t%s IS %L', n, repeat('c ', 1000)); END LOOP; END $$",
        )
        .await;
    let snapshot = seen(&ours).await;
    let comments = snapshot
        .schema
        .tables
        .iter()
        .filter_map(|table| table.comment.as_ref());
    let total: usize = comments.map(String::len).sum();
    assert!(total <= 1_000_000, "{total}");
    let short = snapshot.schema.table_named("short").unwrap();
    assert_eq!(
        snapshot.schema.tables[short].comment.as_deref(),
        Some("what it is")
    );
}
