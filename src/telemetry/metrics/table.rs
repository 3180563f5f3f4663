//! The names of all metrics, with their labels and what they mean. docs/operations.md has the same table.

/// One metric.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// As Prometheus shows it.
    pub name: &'static str,
    /// How it changes.
    pub kind: MetricKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it counts or tells.
    pub meaning: &'static str,
}

/// How a metric changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// How often something took how long.
    Histogram,
}

impl MetricKind {
    /// As Prometheus calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

const fn metric(
    name: &'static str,
    kind: MetricKind,
    labels: &'static [&'static str],
    meaning: &'static str,
) -> Metric {
    Metric {
        name,
        kind,
        labels,
        meaning,
    }
}

/// All metrics, in the order of the documentation.
pub const METRICS: &[Metric] = &[
    metric(
        "querent_build_info",
        MetricKind::Gauge,
        &["version"],
        "always 1; the version is its label",
    ),
    metric(
        "querent_start_time_seconds",
        MetricKind::Gauge,
        &[],
        "when the process began to count, in seconds since 1970",
    ),
    metric(
        "querent_draining",
        MetricKind::Gauge,
        &[],
        "1 while the server lets its sessions end and takes no new ones",
    ),
    metric(
        "querent_sessions",
        MetricKind::Gauge,
        &["leg"],
        "sessions that are open",
    ),
    metric(
        "querent_sessions_stuck",
        MetricKind::Gauge,
        &["leg"],
        "sessions that have lost their client and wait for a database that does not stop",
    ),
    metric(
        "querent_sessions_begun_total",
        MetricKind::Counter,
        &["leg"],
        "sessions whose client was let in",
    ),
    metric(
        "querent_sessions_ended_total",
        MetricKind::Counter,
        &["leg", "reason"],
        "sessions that ended, by what ended them",
    ),
    metric(
        "querent_relayed_bytes_total",
        MetricKind::Counter,
        &["leg", "direction"],
        "bytes read from and written to clients and servers, without TLS",
    ),
    metric(
        "querent_statements_total",
        MetricKind::Counter,
        &["leg"],
        "statements that asked no question",
    ),
    metric(
        "querent_questions_total",
        MetricKind::Counter,
        &["outcome", "sqlstate", "tier"],
        "questions, by what became of them",
    ),
    metric(
        "querent_question_duration_seconds",
        MetricKind::Histogram,
        &["tier"],
        "time from the question to its SQL or its error",
    ),
    metric(
        "querent_model_calls_total",
        MetricKind::Counter,
        &["model"],
        "calls of language models",
    ),
    metric(
        "querent_model_errors_total",
        MetricKind::Counter,
        &["model", "kind"],
        "calls without an answer, and those that a budget forbade",
    ),
    metric(
        "querent_model_call_duration_seconds",
        MetricKind::Histogram,
        &["model"],
        "time that calls took, with their retries and waits for rate limits",
    ),
    metric(
        "querent_model_tokens_total",
        MetricKind::Counter,
        &["model", "direction"],
        "tokens that models read and wrote",
    ),
    metric(
        "querent_model_cost_usd",
        MetricKind::Gauge,
        &["model"],
        "US dollars that models have cost since the start, by the prices in the configuration",
    ),
    metric(
        "querent_trace_lines_dropped_total",
        MetricKind::Counter,
        &[],
        "lines of trace_log that were dropped, since the file could not be written, or not fast enough",
    ),
    metric(
        "querent_audit_lost_total",
        MetricKind::Counter,
        &[],
        "events of the audit that were lost, since the store was away or could not keep up",
    ),
    metric(
        "querent_snapshot_refreshes_total",
        MetricKind::Counter,
        &["leg"],
        "times that a database's schema was read anew",
    ),
    metric(
        "querent_session_failures_total",
        MetricKind::Counter,
        &[],
        "sessions on a SQLite file that an error of the proxy's own ended",
    ),
    metric(
        "querent_cancels_total",
        MetricKind::Counter,
        &["kind"],
        "cancel requests: received, meant a session, forwarded to the server",
    ),
    metric(
        "querent_errors_total",
        MetricKind::Counter,
        &["class"],
        "errors that clients were told, by the first two characters of the SQLSTATE",
    ),
    metric(
        "querent_handshake_failures_total",
        MetricKind::Counter,
        &["reason"],
        "connections that did not come to a startup message",
    ),
    metric(
        "querent_logins_refused_total",
        MetricKind::Counter,
        &["sqlstate"],
        "clients that were not let in",
    ),
];
