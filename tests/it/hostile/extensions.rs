//! Functions of extensions: which of them questions may lead to, and what their texts mean.

use querent::{postgres::introspection::Client, question::schema::Schema};

use crate::postgres::{
    introspection::{LIMITS, schemas},
    server::{PostgresServer, SUPERUSER},
};

use super::judged::schema;

#[tokio::test]
async fn the_text_of_an_extensions_function_means_what_its_names_lead_to() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server
        .run(
            "postgres",
            "CREATE EXTENSION cube; CREATE EXTENSION earthdistance; CREATE EXTENSION xml2;
             CREATE TABLE places(id int, place earth);
             CREATE VIEW latitudes AS SELECT id, latitude(place) AS latitude FROM places;
             CREATE VIEW texts AS SELECT xpath_string('<a/>', '/a') AS text;
             CREATE FUNCTION loud(text) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1::varchar)';
             CREATE FUNCTION louder(text) RETURNS text LANGUAGE sql STABLE AS 'SELECT loud($1)';
             CREATE TABLE guarded(id int, name text); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
             CREATE POLICY p ON guarded USING (louder(name) = 'A');
             CREATE ROLE mallory LOGIN; GRANT CREATE ON SCHEMA public TO mallory",
        )
        .await;
    let why = |schema: &Schema, table: &str| {
        let at = schema.table_named(table).unwrap();
        schema.tables[at].forbidden.clone().unwrap_or_default()
    };
    let before = schema(&server).await;
    assert_eq!(why(&before, "latitudes"), "");
    assert_eq!(why(&before, "guarded"), "");
    assert!(why(&before, "texts").contains("policy.trusted_extensions"));
    // A better match for what `latitude` calls.
    let mallory = server.client("mallory", "postgres").await;
    mallory
        .batch_execute(
            "CREATE FUNCTION public.cube_ll_coord(earth, int) RETURNS float8 LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_advisory_lock(1); RETURN 1; END $$;
             CREATE FUNCTION public.upper(varchar) RETURNS text LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_advisory_lock(1); RETURN 'A'; END $$",
        )
        .await
        .unwrap();
    let after = schema(&server).await;
    assert_eq!(
        why(&after, "latitudes"),
        "calls public.latitude, which calls cube_ll_coord"
    );
    assert_eq!(
        why(&after, "guarded"),
        "calls public.louder, whose text may call loud, and so what an owner who is not trusted has made"
    );
    let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
    let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
    let trusting = client.trusting_extensions(&["xml2".into()]);
    let trusted = trusting.session_snapshot().await.unwrap().snapshot.schema;
    assert_eq!(why(&trusted, "texts"), "");
}
