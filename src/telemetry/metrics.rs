//! What is counted, for Prometheus. Every metric is named in [`METRICS`]; the rest of the program calls the
//! functions here. Handles are made once, so that counting is an atomic addition; only what is rare enough
//! (questions, errors) looks its labels up.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use metrics::{Counter, Gauge, Key, Label, Level, Metadata, Recorder, SharedString, Unit};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

mod labels;
mod models;
mod table;

pub use labels::{Cancel, Direction, End, Handshake, Leg, Outcome};
pub use models::{ModelCall, model_call, model_error, model_spent};
pub use table::{METRICS, Metric, MetricKind};

use labels::{error_class, login_state, question_state};

/// Upper bounds of the histograms, in seconds.
const SECONDS: [f64; 16] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0,
];
/// After so many records what the histograms have collected is summed up.
const MOST_UNSUMMED: u64 = 1024;

/// Sessions that cannot end, as the gauge has them.
static STUCK: AtomicU64 = AtomicU64::new(0);

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::new);

struct Registry {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    sessions: [Gauge; Leg::ALL.len()],
    stuck: [Gauge; Leg::ALL.len()],
    begun: [Counter; Leg::ALL.len()],
    ended: [[Counter; End::ALL.len()]; Leg::ALL.len()],
    bytes: [[Counter; Direction::ALL.len()]; Leg::ALL.len()],
    statements: [Counter; Leg::ALL.len()],
    cancels: [Counter; Cancel::ALL.len()],
    handshakes: [Counter; Handshake::ALL.len()],
    snapshots: [Counter; Leg::ALL.len()],
    draining: Gauge,
    /// Times that have been recorded since the start.
    recorded: AtomicU64,
}

impl Registry {
    fn new() -> Self {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &SECONDS)
            .expect("there are bounds");
        let recorder = builder.build_recorder();
        for metric in METRICS {
            let (name, help) = (metric.name.into(), SharedString::from(metric.meaning));
            match metric.kind {
                MetricKind::Counter => recorder.describe_counter(name, None, help),
                MetricKind::Gauge => recorder.describe_gauge(name, None, help),
                MetricKind::Histogram => recorder.describe_histogram(name, Some(Unit::Seconds), help),
            }
        }
        let leg = |leg: usize| ("leg", Leg::ALL[leg].name());
        let by_leg = |name| std::array::from_fn(|at| counter(&recorder, name, &[leg(at)]));
        let registry = Self {
            sessions: std::array::from_fn(|at| gauge(&recorder, "querent_sessions", &[leg(at)])),
            stuck: std::array::from_fn(|at| gauge(&recorder, "querent_sessions_stuck", &[leg(at)])),
            begun: by_leg("querent_sessions_begun_total"),
            ended: std::array::from_fn(|at| {
                std::array::from_fn(|end| {
                    let end = ("reason", End::ALL[end].name());
                    counter(&recorder, "querent_sessions_ended_total", &[leg(at), end])
                })
            }),
            bytes: std::array::from_fn(|at| {
                std::array::from_fn(|way| {
                    let way = ("direction", Direction::ALL[way].name());
                    counter(&recorder, "querent_relayed_bytes_total", &[leg(at), way])
                })
            }),
            statements: by_leg("querent_statements_total"),
            cancels: std::array::from_fn(|at| {
                let kind = ("kind", Cancel::ALL[at].name());
                counter(&recorder, "querent_cancels_total", &[kind])
            }),
            handshakes: std::array::from_fn(|at| {
                let reason = ("reason", Handshake::ALL[at].name());
                counter(&recorder, "querent_handshake_failures_total", &[reason])
            }),
            snapshots: by_leg("querent_snapshot_refreshes_total"),
            draining: gauge(&recorder, "querent_draining", &[]),
            recorded: AtomicU64::new(0),
            handle: recorder.handle(),
            recorder,
        };
        let version = ("version", env!("CARGO_PKG_VERSION"));
        gauge(&registry.recorder, "querent_build_info", &[version]).set(1.0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        gauge(&registry.recorder, "querent_start_time_seconds", &[]).set(now.as_secs_f64());
        registry
    }
}

fn key(name: &'static str, labels: &[(&'static str, &str)]) -> Key {
    let labels: Vec<Label> = labels
        .iter()
        .map(|(label, value)| Label::new(*label, (*value).to_owned()))
        .collect();
    Key::from_parts(name, labels)
}

const METADATA: Metadata<'static> = Metadata::new("querent", Level::INFO, None);

fn counter(recorder: &PrometheusRecorder, name: &'static str, labels: &[(&'static str, &str)]) -> Counter {
    recorder.register_counter(&key(name, labels), &METADATA)
}

fn gauge(recorder: &PrometheusRecorder, name: &'static str, labels: &[(&'static str, &str)]) -> Gauge {
    recorder.register_gauge(&key(name, labels), &METADATA)
}

/// A session that is counted as open until this is dropped.
#[derive(Debug)]
pub struct OpenSession {
    leg: Leg,
    end: End,
}

/// A session has begun: its client has been let in. Say how it ends with [`OpenSession::end`].
pub fn session(leg: Leg) -> OpenSession {
    REGISTRY.begun[leg as usize].increment(1);
    REGISTRY.sessions[leg as usize].increment(1.0);
    OpenSession {
        leg,
        end: End::CutOff,
    }
}

impl OpenSession {
    /// It is over, and why. A session that is dropped without a reason has been cut off.
    pub fn end(mut self, end: End) {
        self.end = end;
    }
}

impl Drop for OpenSession {
    fn drop(&mut self) {
        REGISTRY.sessions[self.leg as usize].decrement(1.0);
        REGISTRY.ended[self.leg as usize][self.end as usize].increment(1);
    }
}

/// A session whose database goes on with what nobody waits for, until this is dropped.
#[derive(Debug)]
pub struct StuckSession(Leg);

/// A session cannot end, since its database goes on.
pub fn stuck(leg: Leg) -> StuckSession {
    STUCK.fetch_add(1, Ordering::Relaxed);
    REGISTRY.stuck[leg as usize].increment(1.0);
    StuckSession(leg)
}

/// How many sessions cannot end.
pub fn stuck_sessions() -> u64 {
    STUCK.load(Ordering::Relaxed)
}

impl Drop for StuckSession {
    fn drop(&mut self) {
        STUCK.fetch_sub(1, Ordering::Relaxed);
        REGISTRY.stuck[self.0 as usize].decrement(1.0);
    }
}

/// Bytes that went through a session. Cheap, but best called once for many frames.
pub fn bytes(leg: Leg, direction: Direction, count: u64) {
    REGISTRY.bytes[leg as usize][direction as usize].increment(count);
}

/// Statements that asked nothing: they went to the database as they were.
pub fn statements(leg: Leg, count: u64) {
    REGISTRY.statements[leg as usize].increment(count);
}

/// A question came to its end. `tier` is the one that answered, or the last one that tried.
pub fn question(outcome: Outcome<'_>, tier: &str, elapsed: Duration) {
    let registry = &*REGISTRY;
    let labels = [
        ("outcome", outcome.name()),
        ("sqlstate", question_state(outcome)),
        ("tier", tier),
    ];
    counter(&registry.recorder, "querent_questions_total", &labels).increment(1);
    let duration = key("querent_question_duration_seconds", &[("tier", tier)]);
    let duration = registry.recorder.register_histogram(&duration, &METADATA);
    duration.record(elapsed.as_secs_f64());
    sum_up();
}

/// Sums up what histograms have collected, now and then, whether somebody reads them or not.
fn sum_up() {
    let registry = &*REGISTRY;
    let before = registry.recorded.fetch_add(1, Ordering::Relaxed);
    if before % MOST_UNSUMMED == MOST_UNSUMMED - 1 {
        registry.handle.run_upkeep();
    }
}

/// A cancel request arrived, or was passed on.
pub fn cancel(kind: Cancel) {
    REGISTRY.cancels[kind as usize].increment(1);
}

/// A client was told of an error with this SQLSTATE, by us or by the database.
pub fn error(sqlstate: &str) {
    let class = error_class(sqlstate);
    counter(&REGISTRY.recorder, "querent_errors_total", &[("class", class)]).increment(1);
}

/// A connection that did not come to a startup message.
pub fn handshake_failure(reason: Handshake) {
    REGISTRY.handshakes[reason as usize].increment(1);
}

/// A client that was not let in, and the SQLSTATE it was told.
pub fn login_refused(sqlstate: &str) {
    let state = login_state(sqlstate);
    counter(
        &REGISTRY.recorder,
        "querent_logins_refused_total",
        &[("sqlstate", state)],
    )
    .increment(1);
}

/// Lines of `trace_log` were dropped.
pub fn trace_dropped(count: u64) {
    counter(&REGISTRY.recorder, "querent_trace_lines_dropped_total", &[]).increment(count);
}

/// Events of the audit were lost: they did not fit, or could not be stored.
pub fn audit_lost(count: u64) {
    counter(&REGISTRY.recorder, "querent_audit_lost_total", &[]).increment(count);
}

/// The schema of a database was read anew.
pub fn snapshot_refresh(leg: Leg) {
    REGISTRY.snapshots[leg as usize].increment(1);
}

/// The thread of a session on a SQLite file has failed.
pub fn worker_failure() {
    counter(&REGISTRY.recorder, "querent_session_failures_total", &[]).increment(1);
}

/// So many threads of a SQLite file work on although nobody waits for them any more.
pub fn stuck_threads(count: usize) {
    #[expect(clippy::cast_precision_loss, reason = "there are few threads")]
    REGISTRY.stuck[Leg::Sqlite as usize].set(count as f64);
}

/// Whether the server lets its sessions end and takes no new ones.
pub fn draining(draining: bool) {
    REGISTRY.draining.set(f64::from(u8::from(draining)));
}

/// All metrics in Prometheus's text format.
pub fn render() -> String {
    REGISTRY.handle.render()
}

#[cfg(test)]
mod tests;
