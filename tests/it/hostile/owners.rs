//! Code of somebody whom nobody trusts, hidden wherever PostgreSQL runs some: none of it runs for a question.

use std::sync::Arc;

use querent::{
    postgres::introspection::{Client, Schemas},
    question::{
        schema::{Dialect, Schema},
        validator::validate,
    },
};

use crate::{
    postgres::{
        introspection::{LIMITS, schemas},
        server::{PostgresServer, SUPERUSER},
    },
    relay::harness::Relay,
};

/// What the superuser has made.
const COMMON: &str = "
    CREATE ROLE mallory LOGIN; CREATE ROLE alice LOGIN;
    CREATE SCHEMA mal AUTHORIZATION mallory;
    CREATE TYPE size AS ENUM ('small', 'large');
    CREATE TABLE shirts(id int PRIMARY KEY, label text, size size);
    INSERT INTO shirts VALUES (1, 'red', 'small'), (2, 'blue', 'large');
    GRANT USAGE ON SCHEMA mal TO PUBLIC; GRANT SELECT ON shirts TO PUBLIC;";

/// A function that leaves a lock behind where it runs.
const EVIL: &str = "
    CREATE FUNCTION mal.ev() RETURNS bool VOLATILE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_lock(4711); RETURN true; END $$;
    CREATE FUNCTION mal.sly(int, x bool DEFAULT mal.ev()) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION mal.same(int, int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN true; END $$;
    CREATE DOMAIN mal.dm AS text CHECK (mal.ev());
    CREATE DOMAIN mal.dq AS text CHECK (query_to_xml('SELECT mal.ev()', true, true, '') IS NOT NULL);
    CREATE TYPE mal.pair AS (id int, d mal.dm);
    CREATE TYPE mal.en AS ENUM ('a', 'b');
    CREATE FUNCTION mal.tojson(mal.en) RETURNS json STABLE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM mal.ev(); RETURN '1'; END $$;
    CREATE CAST (mal.en AS json) WITH FUNCTION mal.tojson(mal.en);
    CREATE TYPE mal.has_en AS (n int, e mal.en);
    CREATE TABLE mal.base(id int PRIMARY KEY, name text); INSERT INTO mal.base VALUES (1, 'z');";

/// Each relation, how it is made, and what of mallory's it would run.
const HOSTILE: &[(&str, &str, &str)] = &[
    (
        "default_argument",
        "CREATE FUNCTION mal.fa(x bool DEFAULT mal.ev()) RETURNS bool STABLE LANGUAGE plpgsql AS $$ BEGIN RETURN x; END $$; \
         CREATE VIEW mal.default_argument AS SELECT id, mal.fa() AS flag FROM mal.base",
        "the function mal.fa",
    ),
    (
        "returned_domain",
        "CREATE FUNCTION mal.fb() RETURNS mal.dm STABLE LANGUAGE plpgsql AS $$ BEGIN RETURN 'a'; END $$; \
         CREATE VIEW mal.returned_domain AS SELECT id, mal.fb()::text AS label FROM mal.base",
        "the function mal.fb",
    ),
    (
        "record_columns",
        "CREATE VIEW mal.record_columns AS \
         SELECT x.id, x.d::text AS label FROM jsonb_to_record('{\"id\":1}') AS x(id int, d mal.dm)",
        "the function mal.ev",
    ),
    (
        "populated",
        "CREATE VIEW mal.populated AS \
         SELECT x.id FROM json_populate_record(NULL::mal.pair, '{\"id\":1,\"d\":\"q\"}') AS x",
        "the function mal.ev",
    ),
    (
        "xml_columns",
        "CREATE VIEW mal.xml_columns AS SELECT x.id FROM xmltable('/a' PASSING ('<a/>'::xml) \
         COLUMNS id int PATH 'i', d mal.dm PATH 'd') AS x",
        "the function mal.ev",
    ),
    (
        "checked_by_query",
        "CREATE VIEW mal.checked_by_query AS SELECT x.id FROM jsonb_to_record('{\"id\":1}') AS x(id int, d mal.dq)",
        "the domain mal.dq (its check calls query_to_xml)",
    ),
    (
        "negated",
        "CREATE FUNCTION mal.other(int, int) RETURNS bool STABLE LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM mal.ev(); RETURN false; END $$; \
         CREATE OPERATOR mal.@@@ (LEFTARG = int, RIGHTARG = int, PROCEDURE = mal.same, NEGATOR = OPERATOR(mal.!@@@)); \
         CREATE OPERATOR mal.!@@@ (LEFTARG = int, RIGHTARG = int, PROCEDURE = mal.other, NEGATOR = OPERATOR(mal.@@@)); \
         CREATE VIEW mal.negated AS SELECT id FROM mal.base WHERE NOT (id OPERATOR(mal.@@@) 3)",
        "mal.",
    ),
    (
        "cast_in_view",
        "CREATE VIEW mal.cast_in_view AS SELECT id, to_json('a'::mal.en)::text AS label FROM mal.base",
        "the function mal.tojson",
    ),
    (
        "cast_column",
        "CREATE TABLE mal.cast_column(id int PRIMARY KEY, e mal.en)",
        "the function mal.tojson",
    ),
    (
        "cast_inside",
        "CREATE TABLE mal.cast_inside(id int PRIMARY KEY, many mal.has_en[])",
        "the function mal.tojson",
    ),
    (
        "wardens",
        "CREATE FUNCTION mal.pf() RETURNS bool STABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM mal.ev(); RETURN true; END $$; \
         CREATE TABLE mal.wardens(id int PRIMARY KEY, label text); ALTER TABLE mal.wardens ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY p ON mal.wardens USING (mal.pf())",
        "the function mal.pf",
    ),
    (
        "ranged",
        "CREATE FUNCTION mal.diff(int, int) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM mal.ev(); RETURN $1 - $2; END $$; \
         CREATE TYPE mal.rg AS RANGE (subtype = int, subtype_diff = mal.diff); \
         CREATE TABLE mal.ranged(id int PRIMARY KEY, r mal.rg)",
        "the function mal.diff",
    ),
    (
        "indexed",
        "CREATE TABLE mal.indexed(id int PRIMARY KEY, name text); CREATE INDEX ON mal.indexed ((mal.sly(id)))",
        "the function mal.sly",
    ),
    (
        "counted",
        "CREATE TABLE mal.counted(id int PRIMARY KEY, name text); CREATE STATISTICS mal.st ON (mal.sly(id)), name FROM mal.counted",
        "the function mal.sly",
    ),
    (
        "held",
        "CREATE TABLE mal.held(id int CHECK (mal.same(id, 1)))",
        "the function mal.same",
    ),
    (
        "parent",
        "CREATE TABLE mal.parent(id int, name text); CREATE TABLE mal.child() INHERITS (mal.parent); \
         CREATE INDEX ON mal.child ((mal.sly(id)))",
        "the function mal.sly",
    ),
    (
        "parted",
        "CREATE TABLE mal.parted(id int, name text) PARTITION BY RANGE ((mal.sly(id)))",
        "the function mal.sly",
    ),
];

/// What is mallory's as well, and runs nothing of hers.
const HARMLESS: &str = "
    CREATE TYPE mal.colour AS ENUM ('red', 'blue');
    CREATE TYPE mal.span AS RANGE (subtype = int);
    CREATE DOMAIN mal.amount AS int CHECK (VALUE > 0);
    CREATE TABLE mal.gadgets(id serial PRIMARY KEY, name text, colour mal.colour, span mal.span, amount mal.amount, at timestamptz);
    INSERT INTO mal.gadgets(name, colour) VALUES ('first', 'red');
    CREATE INDEX ON mal.gadgets (lower(name)) WHERE id > 0; CREATE STATISTICS mal.gadgets_st ON lower(name), amount FROM mal.gadgets;
    CREATE VIEW mal.simple AS SELECT id, upper(name) AS name, to_json(colour)::text AS colour FROM mal.gadgets;
    CREATE TABLE mal.own_rows(id int PRIMARY KEY, who text); ALTER TABLE mal.own_rows ENABLE ROW LEVEL SECURITY;
    CREATE POLICY p ON mal.own_rows USING (who = current_user);
    CREATE TYPE mal.large AS ENUM ('small', 'large');
    CREATE FUNCTION mal.of_size(public.size) RETURNS mal.large STABLE LANGUAGE sql AS $$ SELECT 'small'::mal.large $$;
    CREATE CAST (public.size AS mal.large) WITH FUNCTION mal.of_size(public.size) AS IMPLICIT;
    GRANT SELECT ON ALL TABLES IN SCHEMA mal TO PUBLIC;";

async fn as_mallory(server: &PostgresServer, sql: &str) {
    let client = server.client("mallory", "postgres").await;
    client
        .batch_execute(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

async fn set_up() -> Option<PostgresServer> {
    let server = PostgresServer::start()?;
    server.run("postgres", COMMON).await;
    as_mallory(&server, EVIL).await;
    for (_, sql, _) in HOSTILE {
        as_mallory(&server, sql).await;
    }
    as_mallory(&server, HARMLESS).await;
    Some(server)
}

async fn client(server: &PostgresServer, user: &str, schemas: &Arc<Schemas>) -> Client {
    let address = server.socket_address(user, "postgres").parse().unwrap();
    Client::connect(&address, Arc::clone(schemas), LIMITS)
        .await
        .unwrap()
}

async fn schema(client: &Client) -> Arc<Schema> {
    client.session_snapshot().await.unwrap().snapshot.schema
}

fn why<'a>(schema: &'a Arc<Schema>, table: &str) -> &'a str {
    let at = schema
        .table_named(table)
        .unwrap_or_else(|| panic!("{table} is not there"));
    schema.tables[at].forbidden.as_deref().unwrap_or("-")
}

/// The relations that questions may not read because of their owner.
fn distrusted(schema: &Arc<Schema>) -> usize {
    let tables = schema.tables.iter();
    tables.filter(|table| table.untrusted_owner.is_some()).count()
}

#[tokio::test]
async fn nothing_that_leads_to_a_strangers_code_is_read() {
    let Some(server) = set_up().await else {
        return;
    };
    let schemas = schemas();
    let ours = client(&server, SUPERUSER, &schemas).await;
    let seen = schema(&ours).await;
    for (table, _, what) in HOSTILE {
        let why = why(&seen, table);
        assert!(
            why.contains(what) && why.ends_with(" of mallory, who is not trusted"),
            "{table}: {why}"
        );
        let findings = validate(
            &format!("SELECT count(*) FROM mal.{table}"),
            &seen,
            Dialect::Postgres,
        )
        .unwrap_err();
        let hint = findings.iter().find_map(|finding| finding.hint.as_deref());
        assert!(
            hint.is_some_and(|hint| hint.contains("policy.trusted_owners")),
            "{findings:?}"
        );
    }
    for table in ["shirts", "base", "gadgets", "simple", "own_rows"] {
        assert_eq!(why(&seen, table), "-", "{table}");
    }
    // And a part of one of them.
    let all = HOSTILE.len() + 1;
    assert_eq!(distrusted(&seen), all);
    // All values have been read by now, and the connection still has its locks, if there are any.
    let admin = server.client(SUPERUSER, "postgres").await;
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'";
    let locks: i64 = admin.query_one(locks, &[]).await.unwrap().get(0);
    assert_eq!(locks, 0);

    // Who is trusted is judged as before.
    let trusting = client(&server, SUPERUSER, &schemas)
        .await
        .trusting(&["mallory".into()]);
    let trusted = schema(&trusting).await;
    assert_eq!(distrusted(&trusted), 0);
    assert_eq!(why(&trusted, "held"), "-");
    assert_eq!(why(&trusted, "wardens"), "-");
    let own = client(&server, "mallory", &schemas).await;
    assert_eq!(distrusted(&schema(&own).await), 0);

    // Whoever may become a superuser again may be made to by what a database's owner writes; others trust that owner.
    let other = client(&server, "alice", &schemas).await;
    assert_eq!(distrusted(&schema(&other).await), all);
    server
        .run("postgres", "ALTER DATABASE postgres OWNER TO mallory")
        .await;
    assert_eq!(distrusted(&schema(&other).await), 0);
    assert_eq!(distrusted(&schema(&ours).await), all);
    server.run("postgres", "GRANT postgres TO alice").await;
    assert_eq!(distrusted(&schema(&other).await), all);
}

#[tokio::test]
async fn an_operator_in_the_place_of_a_built_in_one_stops_questions() {
    let Some(server) = set_up().await else {
        return;
    };
    let ours = client(&server, SUPERUSER, &schemas()).await;
    assert_eq!(why(&schema(&ours).await, "shirts"), "-");
    // Some versions of PostgreSQL let everybody do this.
    let operator = "CREATE FUNCTION mal.lacks(anyarray, anyarray) RETURNS bool STABLE LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM mal.ev(); RETURN false; END $$; \
         CREATE OPERATOR mal.!@> (LEFTARG = anyarray, RIGHTARG = anyarray, PROCEDURE = mal.lacks, \
         NEGATOR = OPERATOR(pg_catalog.@>)); ALTER OPERATOR mal.!@> (anyarray, anyarray) OWNER TO mallory";
    server.run("postgres", operator).await;
    assert_eq!(
        why(&schema(&ours).await, "shirts"),
        "runs the operator mal.!@>, which may stand in for one of PostgreSQL's own, of mallory, who is not trusted"
    );
}

#[test]
fn questions_are_told_whose_code_it_would_be() {
    let Some(relay) = Relay::start() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        relay.postgres.run("postgres", COMMON).await;
        as_mallory(&relay.postgres, EVIL).await;
        for (_, sql, _) in HOSTILE {
            as_mallory(&relay.postgres, sql).await;
        }
        as_mallory(&relay.postgres, HARMLESS).await;
    });
    let mut client = relay.client();
    let told = client.query("-- nl: how many wardens are there?");
    assert!(
        told[0].starts_with("E ERROR 42501")
            && told[0].contains("the function mal.pf of mallory, who is not trusted"),
        "{told:?}"
    );
    let told = client.query("-- nl: how many shirts are there?");
    assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    let told = client.query("-- nl: how many gadgets are there?");
    assert!(told.contains(&"D 1".to_owned()), "{told:?}");
    let locks = relay
        .direct()
        .query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    assert!(locks.contains(&"D 0".to_owned()), "{locks:?}");
    // Who was a superuser and is mallory now can be made one again by her code.
    let told = client.query("SET SESSION AUTHORIZATION mallory");
    assert_eq!(told.last().unwrap(), "Z I", "{told:?}");
    let told = client.query("-- nl: how many wardens are there?");
    assert!(told[0].starts_with("E ERROR 42501"), "{told:?}");
}
