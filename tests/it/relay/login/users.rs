//! A server with a user for each way of authentication.

use crate::postgres::server::{Options, PostgresServer};

/// The password of every user.
pub(super) const PASSWORD: &str = "pass wörd";

/// The ways, which are the names of the users too.
pub(super) const METHODS: [&str; 4] = ["trust", "password", "md5", "scram"];

/// Who asks for verifiers.
pub(super) const KEEPER: &str = "keeper";

/// What `auth.auth_query` is in these tests.
pub(super) const AUTH_QUERY: &str = "SELECT name, verifier FROM keeper.verifier($1)";

const HBA: &str = "
local all trust trust
local all password password
local all md5 md5
local all scram scram-sha-256
local all keeper trust
host all trust all trust
host all password all password
host all md5 all md5
host all scram all scram-sha-256
host all keeper all trust
local replication scram scram-sha-256
host replication scram all scram-sha-256
";

/// A server with TLS and these users; `None` where PostgreSQL is not installed.
pub(super) async fn server() -> Option<PostgresServer> {
    let server = PostgresServer::with(&Options {
        hba: HBA,
        tls: true,
        ..Options::default()
    })?;
    for (user, encryption) in
        METHODS
            .into_iter()
            .zip(["scram-sha-256", "scram-sha-256", "md5", "scram-sha-256"])
    {
        let sql = format!(
            "SET password_encryption = '{encryption}'; CREATE ROLE {user} LOGIN REPLICATION PASSWORD '{PASSWORD}'"
        );
        server.run("postgres", &sql).await;
    }
    // As docs/authentication.md has it: the asking user sees verifiers by one function alone.
    server
        .run(
            "postgres",
            "CREATE ROLE keeper LOGIN;
             CREATE SCHEMA keeper;
             GRANT USAGE ON SCHEMA keeper TO keeper;
             CREATE FUNCTION keeper.verifier(text, OUT name text, OUT verifier text) RETURNS SETOF record
                 LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS
                 'SELECT rolname, rolpassword FROM pg_authid
                  WHERE rolname = $1 AND rolcanlogin AND NOT rolsuper
                  AND (rolvaliduntil IS NULL OR rolvaliduntil > now())';
             REVOKE ALL ON FUNCTION keeper.verifier(text) FROM PUBLIC;
             GRANT EXECUTE ON FUNCTION keeper.verifier(text) TO keeper",
        )
        .await;
    Some(server)
}

/// The server's own verifier of a user.
pub(super) async fn verifier(server: &PostgresServer, user: &str) -> String {
    let client = server.client("postgres", "postgres").await;
    let sql = "SELECT rolpassword FROM pg_authid WHERE rolname = $1";
    client.query_one(sql, &[&user]).await.unwrap().get(0)
}
