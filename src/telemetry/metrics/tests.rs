//! The metrics as Prometheus reads them. The registry is the process's, so other tests may count too.

use super::*;

/// The value of a series in the rendered text; 0 if it is not there.
fn value(series: &str) -> f64 {
    render()
        .lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
        .unwrap_or(0.0)
}

fn check(series: &str, count: impl FnOnce(), more: f64) {
    let before = value(series);
    count();
    let grown = value(series) - before;
    assert!(
        (grown - more).abs() < 1e-9,
        "{series} grew by {grown}, not {more}"
    );
}

#[test]
fn what_is_counted_is_shown() {
    check(
        "querent_relayed_bytes_total{leg=\"postgres\",direction=\"to_server\"}",
        || bytes(Leg::Postgres, Direction::ToServer, 7),
        7.0,
    );
    check(
        "querent_statements_total{leg=\"postgres\"}",
        || statements(Leg::Postgres, 2),
        2.0,
    );
    check(
        "querent_cancels_total{kind=\"forwarded\"}",
        || cancel(Cancel::Forwarded),
        1.0,
    );
    check("querent_errors_total{class=\"42\"}", || error("42P01"), 1.0);
    check("querent_errors_total{class=\"other\"}", || error("Ω"), 1.0);
    check(
        "querent_logins_refused_total{sqlstate=\"other\"}",
        || login_refused("ZZZZZ"),
        1.0,
    );
    check(
        "querent_handshake_failures_total{reason=\"tls\"}",
        || handshake_failure(Handshake::Tls),
        1.0,
    );
    check(
        "querent_snapshot_refreshes_total{leg=\"postgres\"}",
        || snapshot_refresh(Leg::Postgres),
        1.0,
    );
}

#[test]
fn sessions_are_open_until_they_end() {
    let open = "querent_sessions{leg=\"postgres\"}";
    let mut session = None;
    check(open, || session = Some(super::session(Leg::Postgres)), 1.0);
    check(
        "querent_sessions_ended_total{leg=\"postgres\",reason=\"drained\"}",
        || session.take().unwrap().end(End::Drained),
        1.0,
    );
    check(
        "querent_sessions_ended_total{leg=\"postgres\",reason=\"cut_off\"}",
        || drop(super::session(Leg::Postgres)),
        1.0,
    );
}

#[test]
fn questions_are_told_apart() {
    let series = |outcome, state| {
        format!("querent_questions_total{{outcome=\"{outcome}\",sqlstate=\"{state}\",tier=\"test\"}}")
    };
    for (outcome, name, state) in [
        (Outcome::Answered, "answered", ""),
        (Outcome::of_error("NL001"), "refused", "NL001"),
        (Outcome::of_error("NL005"), "failed", "NL005"),
        (Outcome::of_error("42501"), "refused", "42501"),
        (Outcome::of_error("57014"), "cancelled", "57014"),
        (Outcome::of_error("HAHA!"), "failed", "other"),
    ] {
        let took = Duration::from_millis(3);
        check(&series(name, state), || question(outcome, "test", took), 1.0);
    }
    // More than are kept unsummed; none is lost.
    let count = "querent_question_duration_seconds_bucket{tier=\"many\",le=\"0.005\"}";
    let many = || (0..3_000).for_each(|_| question(Outcome::Answered, "many", Duration::from_millis(3)));
    check(count, many, 3_000.0);
}

#[test]
fn models_are_counted_by_their_names() {
    let series = |name: &str, more: &str| format!("querent_model_{name}{{model=\"test\"{more}}}");
    check(&series("calls_total", ""), || model_call("test").answered(), 1.0);
    check(
        &series("call_duration_seconds_count", ""),
        || model_call("test").answered(),
        1.0,
    );
    let failed = || model_call("test").failed("timeout");
    check(&series("errors_total", ",kind=\"timeout\""), failed, 1.0);
    let dropped = || drop(model_call("test"));
    check(&series("errors_total", ",kind=\"cancelled\""), dropped, 1.0);
    let spent = || model_spent("test", 70, 9, 0.000_25);
    check(&series("tokens_total", ",direction=\"prompt\""), spent, 70.0);
    check(&series("tokens_total", ",direction=\"completion\""), spent, 9.0);
    check(&series("cost_usd", ""), spent, 0.000_25);
}

#[test]
fn names_follow_the_conventions() {
    for metric in METRICS {
        assert!(metric.name.starts_with("querent_"), "{}", metric.name);
        assert_eq!(
            metric.name.ends_with("_total"),
            metric.kind == MetricKind::Counter,
            "{}",
            metric.name
        );
    }
    // Whatever is shown is in the table, with its kind.
    let shown = render();
    for line in shown.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let metric = METRICS.iter().find(|metric| metric.name == name);
        assert_eq!(metric.map(|metric| metric.kind.name()), Some(kind), "{name}");
    }
}
