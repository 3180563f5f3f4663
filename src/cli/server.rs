//! What `querent check` tells of a PostgreSQL server, beside its schema.

use std::time::Duration;

use super::{Failure, check::Seen, database::Postgres};
use crate::{
    backend::BackendError,
    config::{AuthMode, Settings, TlsMode},
    postgres::{
        introspection::{Querier, Query, State},
        upstream::{Challenge, Server},
    },
};

/// Tables, views and the like of others that this user may not read.
const UNREADABLE: &str = "
    SELECT n.nspname, c.relname
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog.\"char\"[])
        AND NOT c.relispartition
        AND n.nspname OPERATOR(pg_catalog.!~) '^pg_'
        AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'::pg_catalog.name
        AND NOT (pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND (
            pg_catalog.has_table_privilege(c.oid, 'SELECT')
            OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')))
    ORDER BY n.nspname, c.relname";
/// How many of them are named.
const NAMED: usize = 5;
/// Time for a look at the catalogue.
const TIME: Duration = Duration::from_secs(30);

/// Looks at everything.
pub(super) async fn look_at_server(server: &Server, settings: &Settings) -> Result<Seen, Failure> {
    let client = Postgres::open(server, settings).await?.client;
    let taken = client.session_snapshot().await?;
    let encrypted = client.is_encrypted();
    let mut facts = identity(&taken.state);
    facts.push(("encryption", if encrypted { "TLS" } else { "none" }.to_owned()));
    let challenge = server.challenge(&taken.state.user).await?;
    facts.push(("authentication", described(&challenge)));
    let unreadable = unreadable(&client).await?;
    if !unreadable.is_empty() {
        facts.push(("not readable", few(&unreadable)));
    }
    let hidden: Vec<String> = taken
        .snapshot
        .schema
        .tables
        .iter()
        .filter(|table| table.row_security)
        .map(|table| table.name.clone())
        .collect();
    if !hidden.is_empty() {
        let told = format!(
            "{}: row-level security hides rows from some, so that questions know no values of them and have to write \
             them as they are stored; owners and superusers keep them",
            few(&hidden)
        );
        facts.push(("stored values not known", told));
    }
    let mut problems = Vec::new();
    // With sslmode=prefer only the connection itself tells.
    if encrypted
        && !server.is_encrypted()
        && let Err(error) = settings.check_postgres(true)
    {
        problems.push(format!("{}; {}", error.message, error.hint.unwrap_or_default()));
    }
    problems.extend(authentication_problem(&challenge, encrypted, settings));
    if taken.tables_left > 0 {
        problems.push(format!(
            "the values of {} tables were not read in time",
            taken.tables_left
        ));
    }
    Ok(Seen {
        database: taken.state.database,
        index: taken.snapshot.values.progress(),
        snapshot: taken.snapshot,
        facts,
        problems,
    })
}

fn identity(state: &State) -> Vec<(&'static str, String)> {
    let version = state.server_version();
    let superuser = match state.setting("is_superuser") {
        Some("on") => ", a superuser: no privilege and no row-level security holds anything back",
        _ => "",
    };
    vec![
        (
            "server",
            format!("PostgreSQL {}.{}", version / 10_000, version % 10_000),
        ),
        ("database", state.database.clone()),
        ("user", format!("{}{superuser}", state.user)),
        ("search path", state.search_path.join(", ")),
    ]
}

async fn unreadable(querier: &dyn Querier) -> Result<Vec<String>, BackendError> {
    let answers = querier.read(&[Query::all(UNREADABLE)], TIME).await?;
    let names = answers.iter().flat_map(|answer| &answer.rows).map(|row| {
        let parts = row.iter().flatten().map(|part| String::from_utf8_lossy(part));
        parts.collect::<Vec<_>>().join(".")
    });
    Ok(names.collect())
}

fn few(names: &[String]) -> String {
    let mut text = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        text = format!("{text} and {} more", names.len() - NAMED);
    }
    text
}

fn described(challenge: &Challenge) -> String {
    match challenge {
        Challenge::Nothing => "none: the server believes this user at this address".into(),
        Challenge::Cleartext => "the password itself".into(),
        Challenge::Md5 => "an MD5 hash of the password".into(),
        Challenge::Scram(mechanisms) => mechanisms.join(", "),
        Challenge::Other(number) => format!("request {number}, which is passed on to clients as it is"),
        Challenge::Refused(reason) => format!("refused: {reason}"),
    }
}

/// What stands in the way of `querent serve`.
fn authentication_problem(challenge: &Challenge, encrypted: bool, settings: &Settings) -> Option<String> {
    let reachable = settings.listen.iter().find(|address| !address.is_local());
    let passes_on = matches!(settings.auth.mode, AuthMode::Auto | AuthMode::Passthrough);
    let nobody_checks = passes_on || settings.auth.mode == AuthMode::Cleartext;
    match challenge {
        Challenge::Nothing if !settings.auth.allow_upstream_trust && nobody_checks => reachable.map(|address| {
            format!(
                "the server asks for no password at this machine's address, so that clients from other machines \
                 are refused at {address}; make its pg_hba.conf ask, or set auth.mode = \"scram\""
            )
        }),
        // Clients may use TLS or not; those that do bind SCRAM to the certificate that they see.
        Challenge::Scram(_) if encrypted && passes_on && settings.tls.mode == TlsMode::Allow => Some(
            "clients that use TLS cannot log in by SCRAM through a TLS connection to the server; set auth.mode = \
             \"scram\", or sslmode=disable in the server's address"
                .into(),
        ),
        _ => None,
    }
}
