//! `GET /`: what answers here, for whoever opens the printed address in a browser. Plain HTML without scripts.

use std::{fmt::Write, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    response::IntoResponse,
    routing::get,
};

use super::access::Access;

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Querent</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
pre { padding: .5rem; overflow-x: auto; border: 1px solid; } th { text-align: left; padding-right: 1rem }</style>
</head>
<body>
<h1>Querent</h1>
<p>This server answers questions in plain language with ordinary rows, for every client that speaks PostgreSQL. This is
the address of those who operate it; questions are asked through a database client.</p>
";

pub(super) fn routes(access: Arc<Access>) -> Router {
    Router::new().route("/", get(page)).with_state(access)
}

/// A stranger reads no more than `/healthz` tells; whoever may see the rest sees how many are here, and where to connect.
async fn page(State(access): State<Arc<Access>>, headers: HeaderMap) -> impl IntoResponse {
    let server = access.server();
    let health = match (server.is_draining(), server.database_answers().await) {
        (true, _) => "draining: it takes no new clients",
        (false, true) => "ok",
        (false, false) => "unavailable: the database does not answer",
    };
    let mut page = HEAD.to_owned();
    page.push_str("<table>\n");
    let mut line = |name: &str, told: &str| {
        // Writing into a string does not fail.
        let _ = writeln!(page, "<tr><th>{name}</th><td>{}</td></tr>", escaped(told));
    };
    line("version", env!("CARGO_PKG_VERSION"));
    line(
        "in front of",
        if server.leg().name() == "sqlite" {
            "a SQLite file"
        } else {
            "a PostgreSQL server"
        },
    );
    line("health", health);
    let known = access.allows(&headers).is_ok();
    if known {
        line("sessions", &server.sessions().to_string());
    }
    page.push_str("</table>\n<p><a href=\"/healthz\">/healthz</a> tells the health to programs");
    page.push_str(", <a href=\"/metrics\">/metrics</a> what is going on to Prometheus");
    page.push_str(if known {
        ".</p>\n"
    } else {
        ", with the console's token.</p>\n"
    });
    if known {
        page.push_str("<h2>Connect</h2>\n");
        for address in server.addresses() {
            let _ = writeln!(
                page,
                "<pre>psql {} -c \"-- nl: how many … are there?\"</pre>",
                escaped(&psql_options(address))
            );
        }
    }
    page.push_str("</body>\n</html>\n");
    let fixed = HeaderValue::from_static;
    (
        [
            (CONTENT_TYPE, fixed("text/html; charset=utf-8")),
            (CACHE_CONTROL, fixed("no-store")),
            (X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
            (
                CONTENT_SECURITY_POLICY,
                fixed("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
            ),
        ],
        page,
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// How psql is told to connect to an address that a server listens on.
pub fn psql_options(address: &str) -> String {
    if let Some((folder, port)) = address.rsplit_once("/.s.PGSQL.") {
        return format!("-h {folder} -p {port}");
    }
    let (host, port) = address.rsplit_once(':').unwrap_or((address, "5432"));
    let host = match host.trim_start_matches('[').trim_end_matches(']') {
        "0.0.0.0" => "127.0.0.1",
        "::" => "::1",
        host => host,
    };
    format!("-h {host} -p {port}")
}

#[cfg(test)]
mod tests {
    use super::psql_options;

    #[test]
    fn psql_is_told_where_to_connect() {
        for (address, expected) in [
            ("127.0.0.1:7432", "-h 127.0.0.1 -p 7432"),
            ("0.0.0.0:5433", "-h 127.0.0.1 -p 5433"),
            ("[::1]:7432", "-h ::1 -p 7432"),
            ("/tmp/.s.PGSQL.7432", "-h /tmp -p 7432"),
        ] {
            assert_eq!(psql_options(address), expected);
        }
    }
}
