//! Chains that anybody may make as long as they like: of domains, views, types. Questions go on beside them, and what is at their end is
//! not read where it is beyond what is looked through.

use std::sync::Arc;

use querent::{
    postgres::introspection::Client,
    question::{
        schema::{Dialect, Schema},
        validator::{Code, validate},
    },
};

use crate::{
    postgres::{
        introspection::{LIMITS, schemas},
        server::{PostgresServer, SUPERUSER},
    },
    relay::harness::Relay,
};

const COMMON: &str = "
    CREATE ROLE mallory LOGIN; CREATE SCHEMA mal AUTHORIZATION mallory;
    CREATE TABLE shirts(id int PRIMARY KEY, label text);
    INSERT INTO shirts VALUES (1, 'red'), (2, 'blue'); GRANT SELECT ON shirts TO PUBLIC;";

/// A statement for each number up to the last, each about the one before.
fn chain(first: &str, each: &str, last: usize) -> String {
    format!(
        "DO $$ BEGIN {first}; FOR i IN 1..{last} LOOP EXECUTE replace(replace('{each}', 'PREVIOUS', (i - 1)::text), \
         'THIS', i::text); END LOOP; END $$"
    )
}

async fn as_mallory(server: &PostgresServer, statements: &[String]) {
    let client = server.client("mallory", "postgres").await;
    for sql in statements {
        let made = client.batch_execute(sql).await;
        made.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
}

async fn schema(server: &PostgresServer, user: &str) -> Arc<Schema> {
    let address = server.socket_address(user, "postgres").parse().unwrap();
    let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
    client.session_snapshot().await.unwrap().snapshot.schema
}

/// What is said of a statement, if it may not run.
fn refused(sql: &str, schema: &Arc<Schema>) -> Option<(Code, String)> {
    let findings = validate(sql, schema, Dialect::Postgres).err()?;
    let first = findings.into_iter().next()?;
    Some((first.code, first.message))
}

#[test]
fn nobody_ends_the_server_by_a_chain() {
    let Some(relay) = Relay::start() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        relay.postgres.run("postgres", COMMON).await;
        let chains = [
            chain(
                "CREATE DOMAIN mal.d0 AS text",
                "CREATE DOMAIN mal.dTHIS AS mal.dPREVIOUS",
                3_000,
            ),
            "CREATE TABLE mal.worn(id int PRIMARY KEY, label mal.d3000)".to_owned(),
            chain(
                "CREATE TYPE mal.c0 AS (a int)",
                "CREATE TYPE mal.cTHIS AS (a mal.cPREVIOUS[])",
                1_000,
            ),
            "CREATE TABLE mal.packed(id int PRIMARY KEY, c mal.c1000)".to_owned(),
            chain(
                "CREATE TABLE mal.i0(id int)",
                "CREATE TABLE mal.iTHIS() INHERITS (mal.iPREVIOUS)",
                300,
            ),
            chain(
                "CREATE FUNCTION mal.f0() RETURNS int STABLE LANGUAGE sql AS 'SELECT 1'",
                "CREATE FUNCTION mal.fTHIS() RETURNS int STABLE LANGUAGE sql BEGIN ATOMIC SELECT mal.fPREVIOUS(); END",
                500,
            ),
        ];
        as_mallory(&relay.postgres, &chains).await;
    });
    let mut client = relay.client();
    let told = client.query("-- nl: how many shirts are there?");
    assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    // Who is trusted is looked through, too.
    let seen = runtime.block_on(schema(&relay.postgres, "mallory"));
    let (code, why) = refused("SELECT count(*) FROM mal.worn", &seen).unwrap();
    assert_eq!(code, Code::Forbidden);
    assert!(
        why.contains("stands over more others than are looked through"),
        "{why}"
    );
    assert_eq!(refused("SELECT count(*) FROM mal.packed", &seen), None);
}

#[tokio::test]
async fn chains_of_views_are_looked_through_up_to_a_bound() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", COMMON).await;
    let views = [
        chain(
            "CREATE VIEW mal.v0 AS SELECT id, label FROM shirts",
            "CREATE VIEW mal.vTHIS AS SELECT id, label FROM mal.vPREVIOUS",
            1_000,
        ),
        "GRANT USAGE ON SCHEMA mal TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA mal TO PUBLIC".to_owned(),
    ];
    as_mallory(&server, &views).await;
    let seen = schema(&server, SUPERUSER).await;
    assert_eq!(refused("SELECT count(*) FROM mal.v20", &seen), None);
    let behind = &seen.tables[seen.table_named("v20").unwrap()].sources;
    assert!(behind.iter().any(|source| source.table == "shirts"), "{behind:?}");
    for view in ["v300", "v1000"] {
        let (code, why) = refused(&format!("SELECT count(*) FROM mal.{view}"), &seen).unwrap();
        assert_eq!(code, Code::Forbidden);
        assert!(why.contains("one behind the other"), "{why}");
    }
}

#[tokio::test]
async fn views_count_as_often_as_they_are_planned() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", COMMON).await;
    let views = [
        chain(
            "CREATE VIEW mal.v0 AS SELECT id, label FROM shirts",
            "CREATE VIEW mal.vTHIS AS SELECT a.id, b.label FROM mal.vPREVIOUS a JOIN mal.vPREVIOUS b USING (id)",
            12,
        ),
        // Years side by side are no join.
        format!(
            "CREATE VIEW mal.years AS {}",
            vec!["SELECT id, label FROM shirts"; 60].join(" UNION ALL ")
        ),
        "GRANT USAGE ON SCHEMA mal TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA mal TO PUBLIC".to_owned(),
    ];
    as_mallory(&server, &views).await;
    let seen = schema(&server, SUPERUSER).await;
    for small in [
        "SELECT count(*) FROM mal.v3",
        "SELECT count(*) FROM mal.v3 a JOIN mal.v3 b USING (id)",
        "SELECT count(*) FROM mal.years",
    ] {
        assert_eq!(refused(small, &seen), None, "{small}");
    }
    for large in [
        "SELECT count(*) FROM mal.v12",
        "SELECT (SELECT count(*) FROM mal.v7)",
        "WITH v AS (SELECT * FROM mal.v5) SELECT count(*) FROM v a JOIN v b USING (id) JOIN mal.v5 c USING (id)",
    ] {
        let (code, why) = refused(large, &seen).unwrap_or_else(|| panic!("{large}"));
        assert_eq!(code, Code::OverLimit, "{large}: {why}");
    }
}
