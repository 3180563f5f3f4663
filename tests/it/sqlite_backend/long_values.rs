//! Numbers and texts that are as long as one may be: whatever works on them ends when its time is up.

use std::time::{Duration, Instant};

use super::*;

/// What would go on for minutes over numbers that are as long as one may be. Each call ends by itself, so that SQLite, which looks
/// at the clock between many of them, does not do it in time.
#[tokio::test(flavor = "multi_thread")]
async fn long_numbers_hold_nobody_up() {
    let options = Options {
        statement_timeout: Duration::from_secs(1),
        ..Options::default()
    };
    let (_folder, database) = with_options("", options);
    let connection = database.connect().unwrap();
    let long = "repeat('9', 130000)::numeric";
    for sql in [
        format!("SELECT max({long} * i) IS NULL FROM generate_series(1, 2000) AS i"),
        format!("SELECT sum({long} * i) IS NULL FROM generate_series(1, 2000) AS i"),
        format!("SELECT count(*) FROM generate_series(1, 2000) AS i WHERE round({long}, i) > 1"),
        format!("SELECT sum({long}) OVER (ORDER BY i) FROM generate_series(1, 2000) AS i"),
        format!("SELECT variance({long} / i) IS NULL FROM generate_series(1, 2000) AS i"),
        format!("SELECT count(*) FROM generate_series({long}, {long} + 2000)"),
        format!("SELECT mode() WITHIN GROUP (ORDER BY {long} - i % 2) FROM generate_series(1, 2000) AS i"),
        format!("SELECT gcd({long} - 1, {long} / 7 + i) IS NULL FROM generate_series(1, 2000) AS i"),
    ] {
        let began = Instant::now();
        let error = all(&connection, &sql).await.unwrap_err();
        // Where the machine is fast, what is gathered may be too much before the time is up.
        assert!(
            ["57014", "53200"].contains(&error.sqlstate.as_str()),
            "{sql}: {error:?}"
        );
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{sql} takes {:?}",
            began.elapsed()
        );
        assert!(all(&connection, "SELECT 1").await.is_ok(), "{sql} goes on");
    }
}

/// Functions that work in proportion to their arguments, each of which takes seconds for texts as long as these.
#[tokio::test(flavor = "multi_thread")]
async fn long_texts_hold_nobody_up() {
    let options = Options {
        statement_timeout: Duration::from_millis(500),
        ..Options::default()
    };
    let (_folder, database) = with_options("", options);
    let connection = database.connect().unwrap();
    let (digits, letters) = ("repeat('12', 100000000)", "repeat('ab', 100000000)");
    let (zeros, blanks) = ("repeat('0', 200000000)", "repeat(' ', 200000000)");
    let breaks = "repeat('\\n', 100000000)";
    for call in [
        format!("decode({digits}, 'hex')"),
        format!("decode({letters}, 'base64')"),
        format!("decode({letters}, 'escape')"),
        format!("encode({letters}::bytea, 'hex')"),
        format!("encode({letters}::bytea, 'escape')"),
        format!("({letters}::bytea)::text"),
        format!("({letters}::varbit)"),
        format!("('1.5' || {digits})::numeric"),
        format!("{zeros}::numeric"),
        format!("to_json({letters}::text)"),
        format!("to_jsonb({letters}::text)"),
        format!("('\"' || {letters} || '\"')::jsonb"),
        format!("('\"' || {breaks} || '\"')::jsonb ->> 0"),
        format!("('[' || {digits} || ']')::json -> 0"),
        format!("{digits}::jsonb"),
        format!("md5({letters})"),
        format!("sha256({letters}::bytea)"),
        format!("hmac({letters}, 'key', 'sha512')"),
        format!("replace({letters}, 'c', 'd')"),
        format!("replace({letters}, 'a', 'd')"),
        format!("replace({letters} || 'c', {letters}, 'd')"),
        format!("split_part({letters}, 'c', 2)"),
        format!("strpos({letters}, 'c')"),
        format!("string_to_array({letters}, 'c')"),
        format!("('{{' || {letters} || '}}')::text[]"),
        format!("regexp_instr({letters}, 'c', 100000000)"),
        format!("regexp_replace({letters}, 'c', '', 'g')"),
        format!("quote_ident({letters})"),
        format!("row({letters})::text"),
        format!("({letters} IS NFC NORMALIZED)"),
        format!("upper(reverse(lpad({letters}, 200000001)))"),
        format!("({blanks} || '7')::int"),
    ] {
        let began = Instant::now();
        // What a machine does in time is as well.
        if let Err(error) = all(&connection, &format!("SELECT {call} IS NULL")).await {
            assert!(
                ["57014", "53200", "22003", "22P02", "22023"].contains(&error.sqlstate.as_str()),
                "{call}: {error:?}"
            );
        }
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{call} takes {:?}",
            began.elapsed()
        );
        assert!(all(&connection, "SELECT 1").await.is_ok(), "{call} goes on");
    }
}

#[tokio::test]
async fn long_numbers_are_compared_and_added_by_their_digits() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "SELECT count(*) FROM generate_series(1, 100) AS i WHERE repeat('9', 130000)::numeric > i",
        "SELECT count(DISTINCT repeat('9', 130000 - i % 2)::numeric) FROM generate_series(1, 20) AS i",
        "SELECT max(repeat('9', 130000)::numeric - i) IS NULL FROM generate_series(1, 40) AS i",
    ] {
        let began = Instant::now();
        let rows = all(&connection, sql).await;
        assert!(rows.is_ok(), "{sql}: {rows:?}");
        // Some 20 milliseconds for each row at most; made numbers first they took a second.
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{sql} takes {:?}",
            began.elapsed()
        );
    }
}

/// SQLite compares texts itself, and looks at the clock after many of them: each of these would take a minute.
#[tokio::test(flavor = "multi_thread")]
async fn comparisons_of_long_texts_hold_nobody_up() {
    let options = Options {
        statement_timeout: Duration::from_millis(500),
        ..Options::default()
    };
    let (_folder, database) = with_options(
        "CREATE TABLE t (i, s TEXT); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
         INSERT INTO t SELECT i, printf('%.*c', 30000000, 'x') || i FROM n;",
        options,
    );
    let connection = database.connect().unwrap();
    for sql in [
        "SELECT count(*) FROM t a, t b, t c, t d WHERE a.s < b.s AND b.s < c.s AND c.s < d.s",
        "SELECT count(*) FROM t a JOIN t b ON a.s = b.s JOIN t c ON c.s >= b.s JOIN t d ON d.s >= c.s",
        "SELECT count(*) FROM (SELECT DISTINCT a.s FROM t a, t b, t c, t d) q",
    ] {
        let began = Instant::now();
        let error = all(&connection, sql).await.unwrap_err();
        assert!(
            ["57014", "53200", "53100"].contains(&error.sqlstate.as_str()),
            "{sql}: {error:?}"
        );
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{sql} takes {:?}",
            began.elapsed()
        );
        assert!(all(&connection, "SELECT 1").await.is_ok(), "{sql} goes on");
    }
}
