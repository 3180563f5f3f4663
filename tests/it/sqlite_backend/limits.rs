//! Statements that are deep, long, or made to take memory, time or disk: each ends with rows or an error.

use std::time::{Duration, Instant};

use super::*;
use crate::chains::chains;

/// An overflow of the stack ends the process, so that no other test of it would be heard of.
#[tokio::test(flavor = "multi_thread")]
async fn no_statement_overflows_the_stack_or_hangs() {
    for links in [24, 40, 100, 1_000, 10_000, 100_000] {
        for (name, sql) in chains(links) {
            // Calls that name an argument twice double with each level, long before they are too deep.
            if links < 100
                && !["nullif", "coalesce", "iif", "case", "exclusive or", "explain"].contains(&name)
            {
                continue;
            }
            let (_folder, database) = database("CREATE TABLE t (a INTEGER)");
            let connection = database.connect().unwrap();
            let began = Instant::now();
            let prepared = connection.prepare(&sql, &[]).await.err();
            let error = all(&connection, &sql).await.err();
            for error in [prepared, error].into_iter().flatten() {
                assert_ne!(error.sqlstate, "XX000", "{name} of {links}: {error:?}");
            }
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{name} of {links} takes {:?}",
                began.elapsed()
            );
        }
    }
}

#[tokio::test]
async fn what_programs_write_is_not_too_deep() {
    let (_folder, database) =
        database("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (4999), (5001)");
    let connection = database.connect().unwrap();
    let or: Vec<String> = (0..5000).map(|a| format!("a = {a}")).collect();
    let and: Vec<String> = (10_000..15_000).map(|a| format!("a <> {a}")).collect();
    let unions = vec!["SELECT a FROM t"; 500];
    for (sql, rows) in [
        (format!("SELECT * FROM t WHERE {}", or.join(" OR ")), 3),
        (format!("SELECT * FROM t WHERE {}", and.join(" AND ")), 4),
        (
            format!("SELECT * FROM t WHERE ({}) AND a > 1", or.join(" OR ")),
            2,
        ),
        (unions.join(" UNION ALL "), 2000),
        (unions.join(" UNION "), 4),
    ] {
        assert_eq!(all(&connection, &sql).await.unwrap().len(), rows);
    }
}

#[tokio::test]
async fn too_many_tables_are_refused_at_once() {
    let (_folder, database) = database("CREATE TABLE t (a INTEGER)");
    let connection = database.connect().unwrap();
    let from = |count: usize| {
        let tables: Vec<String> = (0..count).map(|at| format!("t t{at}")).collect();
        format!("SELECT * FROM {}", tables.join(", "))
    };
    assert_eq!(
        all(&connection, &from(64)).await.unwrap(),
        Vec::<Vec<Value>>::new()
    );
    let began = Instant::now();
    for count in [65, 3000, 100_000] {
        check_error(&connection, &from(count), "54001", None).await;
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// Calls that would go on for very long, or make very much of little.
const GREEDY: &[&str] = &[
    "SELECT generate_series(1, 10) + generate_series(1, 9223372036854775807) LIMIT 1",
    "SELECT generate_series(1, 9223372036854775807) LIMIT 1",
    "SELECT count(*) FROM generate_series(1, 9223372036854775807)",
    "SELECT count(*) FROM generate_series(1::numeric, 1e200)",
    "SELECT count(*) FROM generate_series('0001-01-01'::timestamp, '9999-01-01'::timestamp, interval '1 microsecond')",
    "SELECT length(repeat('a', 2000000000))",
    "SELECT length(repeat(repeat('a', 1000000), 1000000))",
    "SELECT length(lpad('a', 2000000000, 'b'))",
    "SELECT length(rpad('a', 2000000000, 'b'))",
    "SELECT length(replace(repeat('a', 1000000), 'a', repeat('b', 1000000)))",
    "SELECT length(regexp_replace(repeat('a', 1000000), 'a', repeat('b', 1000000), 'g'))",
    "SELECT length(format('%2000000000s', 'a'))",
    "SELECT length(format('%999999999999999999s', 'a'))",
    "SELECT length(array_to_string(string_to_array(repeat('a,', 500000), ','), repeat('b', 1000000)))",
    "SELECT length(array_replace(string_to_array(repeat('a,', 500000), ','), 'a', repeat('b', 1000000))::text)",
    "SELECT length('a'::char(2000000000))",
    "SELECT length((1::bit(2000000000))::text)",
    "SELECT length((repeat('9', 100000)::numeric ^ 900)::text)",
    "SELECT length(repeat('9', 10000000)::numeric::text)",
    "SELECT length(string_agg(repeat('a', 1000), ',')) FROM generate_series(1, 1000000)",
    "SELECT array_length(array_agg(repeat('a', 1000)), 1) FROM generate_series(1, 1000000)",
    "SELECT length(json_agg(repeat('a', 1000))::text) FROM generate_series(1, 1000000)",
    "SELECT repeat('a', 1000000) LIKE '%' || repeat('a', 500000) || 'b'",
    "SELECT length(concat(repeat('a', 60000000), repeat('a', 60000000)))",
    "SELECT jsonb_array_length(('[' || repeat('1,', 20000000) || '1]')::jsonb)",
    "SELECT (repeat('[', 200) || repeat(']', 200))::jsonb",
    "WITH RECURSIVE r(n, j) AS (SELECT 1, '[]'::jsonb UNION ALL SELECT n + 1, jsonb_build_array(j, j) FROM r WHERE n < 60) \
     SELECT max(length(j::text)) FROM r",
    "SELECT cardinality(('{' || repeat('1,', 20000000) || '1}')::int[])",
    "SELECT cardinality(string_to_array(repeat('a,', 20000000), ','))",
    "SELECT length(regexp_replace(repeat('ab', 40000000), '(a|b)*?c', 'x', 'g'))",
    "SELECT reverse(reverse(reverse(reverse(repeat('é', 45000000)))))",
    "SELECT upper(lower(upper(lower(translate(repeat('é', 45000000), 'é', 'è')))))",
];

/// Texts quoted in texts, which double with each level.
fn quoted_again_and_again() -> Vec<String> {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("SELECT length({}{inner}{})", open.repeat(40), close.repeat(40))
    };
    vec![
        nested("ROW(", "1", ")::text"),
        nested("quote_literal(", "''''", ")"),
        nested("quote_ident(", "'\"'", ")"),
        nested("format('%L', ", "''''", ")"),
        nested("ARRAY[", "'\"'", "]::text"),
        nested("encode(", "'x'::bytea", ", 'hex')::bytea"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_function_takes_more_than_it_may() {
    querent::sqlite::engine::count_memory();
    let options = Options {
        statement_timeout: Duration::from_secs(2),
        value: 100 << 20,
        memory: 256 << 20,
        ..Options::default()
    };
    let (_folder, database) = with_options("", options);
    let connection = database.connect().unwrap();
    let greedy = GREEDY.iter().map(|sql| (*sql).to_owned());
    for sql in greedy.chain(quoted_again_and_again()) {
        let (before, began) = (resident(), Instant::now());
        match all(&connection, &sql).await {
            Ok(rows) => panic!("{sql} gave {rows:?}"),
            Err(error) => assert!(
                ["54000", "54001", "53200", "57014", "22003", "22023"].contains(&error.sqlstate.as_str()),
                "{sql}: {error:?}"
            ),
        }
        // Who does not stop in time loses the session.
        assert!(all(&connection, "SELECT 1").await.is_ok(), "{sql} goes on");
        let taken = resident().saturating_sub(before) >> 20;
        assert!(taken < 800, "{sql} takes {taken} MB");
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{sql} takes {:?}",
            began.elapsed()
        );
    }
    assert_eq!(all(&connection, "SELECT 1").await.unwrap(), [[Value::Integer(1)]]);
}

#[tokio::test]
async fn long_arguments_take_no_more_than_a_moment() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "SELECT length(to_char(now(), repeat('YYYY', 250000)))",
        "SELECT length(to_char(now(), repeat('yyyy', 250000)))",
        "SELECT length(to_char(now(), repeat('x', 1000000)))",
        "SELECT length(to_char(1.5, repeat('9', 100000)))",
        "SELECT length(translate(repeat('a', 1000000), repeat('b', 1000000), 'c'))",
        "SELECT strpos(repeat('a', 1000000), repeat('a', 500000) || 'b')",
        "SELECT length(btrim(repeat('a', 1000000), repeat('b', 1000000)))",
        "SELECT repeat('a', 1000000) ~ '(a*)*b'",
        "SELECT string_to_array(repeat('a,', 50000), ',') @> string_to_array(repeat('b,', 50000), ',')",
        "SELECT string_to_array(repeat('a,', 50000), ',') && string_to_array(repeat('b,', 50000), ',')",
        "SELECT length(array_remove(string_to_array(repeat('a,', 50000), ','), repeat('b', 100000))::text)",
    ] {
        let began = Instant::now();
        all(&connection, sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{sql} takes {:?}",
            began.elapsed()
        );
    }
}

/// Sorts some hundred megabytes.
const SORT: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
                    SELECT i FROM n ORDER BY printf('%0800d', i % 7), i DESC";

#[tokio::test]
async fn temporary_files_have_a_bound() {
    let options = Options {
        temporary: 8 << 20,
        ..Options::default()
    };
    let (_folder, database) = with_options("", options);
    let connection = database.connect().unwrap();
    for _ in 0..2 {
        let error = all(&connection, SORT).await.unwrap_err();
        assert_eq!(
            (error.sqlstate.as_str(), error.message.as_str()),
            (
                "53400",
                "temporary file size exceeds \"sqlite.temporary_bytes\" (8192kB)"
            )
        );
    }
    // What was written is given back, and what needs little is not refused.
    let few = SORT.replace("300000", "3000");
    assert_eq!(all(&connection, &few).await.unwrap().len(), 3000);
    let (_folder, free) = super::database("");
    let connection = free.connect().unwrap();
    assert_eq!(all(&connection, SORT).await.unwrap().len(), 300_000);
}

#[tokio::test]
async fn a_question_s_temporary_files_have_a_bound() {
    let options = Options {
        question_temporary: 8 << 20,
        question_memory: 0,
        ..Options::default()
    };
    let (_folder, database) = with_options("CREATE TABLE t (a INTEGER)", options);
    let connection = database.connect().unwrap();
    let sorts = questions::question(&connection, SORT).await;
    let error = connection.run_generated(&sorts, None, vec![]).await.unwrap_err();
    assert_eq!(
        (error.sqlstate.as_str(), error.message.as_str()),
        (
            "53400",
            "temporary file size exceeds \"limits.temporary_bytes\" (8192kB)"
        )
    );
}

/// A view that reads the one before twice, with this name and number.
fn doubling(name: &str, number: usize) -> String {
    match number.checked_sub(1) {
        None => format!("CREATE VIEW {name}0 AS SELECT 1 AS a"),
        Some(before) => format!(
            "CREATE VIEW {name}{number} AS SELECT a FROM {name}{before} UNION ALL SELECT a FROM {name}{before}"
        ),
    }
}

#[tokio::test]
async fn views_that_double_are_refused_before_they_stop_anybody() {
    let (_folder, database) = database("CREATE TABLE ok (id INTEGER); INSERT INTO ok VALUES (1);");
    let connection = database.connect().unwrap();
    for number in 0..12 {
        all(&connection, &doubling("d", number)).await.unwrap();
    }
    let named = "CREATE VIEW d12 AS WITH c AS (SELECT a FROM d11) SELECT a FROM c UNION ALL SELECT a FROM c";
    for sql in [
        &doubling("d", 12),
        named,
        "CREATE TEMP VIEW \"D12\" AS SELECT x.a FROM main.d11 AS x, d11 AS y",
    ] {
        check_error(&connection, sql, "54001", None).await;
    }
    all(&connection, "CREATE VIEW d12 AS SELECT a FROM d10")
        .await
        .unwrap();
    // Many that are large enough are refused as one.
    let mut refused = None;
    for number in 0..20 {
        let sql = format!("CREATE VIEW e{number} AS SELECT a FROM d11");
        if let Err(error) = all(&connection, &sql).await {
            refused = Some((number, error));
            break;
        }
    }
    let (number, error) = refused.expect("all together are too many");
    assert!(number > 10 && error.sqlstate == "54001", "{number}: {error:?}");
    let other = database.connect().unwrap();
    assert_eq!(
        all(&other, "SELECT id FROM ok").await.unwrap(),
        [[Value::Integer(1)]]
    );
}

#[tokio::test]
async fn views_of_a_file_that_double_are_left_out_of_the_schema() {
    let views: Vec<String> = (0..14).map(|number| doubling("d", number)).collect();
    let (_folder, database) = database(&format!("CREATE TABLE ok (id INTEGER); {};", views.join("; ")));
    let connection = database.connect().unwrap();
    let schema = connection.snapshot().await.unwrap().schema;
    assert_eq!(schema.tables.len(), 13);
    let left_out: Vec<&str> = schema.unreadable.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left_out, ["d12", "d13"]);
    all(&connection, "CREATE VIEW other AS SELECT id FROM ok")
        .await
        .unwrap();
    all(&connection, "DROP VIEW d13").await.unwrap();
}

/// Views that nobody could look at, and what else a file may have of them.
#[tokio::test]
async fn views_of_a_file_that_double_stop_nothing_but_themselves() {
    let views: Vec<String> = (0..30).map(|number| doubling("d", number)).collect();
    let (_folder, database) = database(&format!(
        "CREATE TABLE ok (id INTEGER); INSERT INTO ok VALUES (1); CREATE TABLE watched (id INTEGER); {};
         CREATE TRIGGER looks AFTER INSERT ON watched BEGIN DELETE FROM ok WHERE id IN (SELECT a FROM d28); END",
        views.join("; ")
    ));
    let connection = database.connect().unwrap();
    for sql in [
        "SELECT id FROM ok",
        "SELECT a FROM d3 LIMIT 1",
        "SELECT relname FROM pg_class WHERE relname = 'ok'",
        "SELECT attname FROM pg_attribute WHERE attrelid = 'ok'::regclass LIMIT 1",
        "SELECT table_name FROM information_schema.tables LIMIT 1",
        "PRAGMA table_info(ok)",
    ] {
        let rows = all(&connection, sql).await.unwrap();
        assert_eq!(rows.len(), 1, "{sql}");
    }
    for sql in [
        "ALTER TABLE ok ADD COLUMN more INTEGER",
        "ALTER TABLE ok ALTER COLUMN more TYPE bigint",
        "ALTER TABLE ok DROP COLUMN more",
        "INSERT INTO ok VALUES (2)",
        "CREATE TABLE d29_notes (a text)",
        "INSERT INTO d29_notes VALUES ('d29'), ('d28')",
        "CREATE VIEW other AS SELECT id FROM ok",
        "DROP VIEW d29",
    ] {
        if let Err(error) = all(&connection, sql).await {
            panic!("{sql}: {error:?}");
        }
    }
    for sql in [
        "SELECT count(*) FROM d28",
        "SELECT count(*) FROM ok, \"D28\"",
        "SELECT count(*) FROM public.d28",
        "SELECT 1 WHERE 1 IN (SELECT a FROM d28)",
        "WITH d28 AS (SELECT a FROM d28) SELECT a FROM d28",
        "EXPLAIN SELECT * FROM d28",
        "INSERT INTO ok SELECT a FROM d28",
        "INSERT INTO watched VALUES (1)",
        "CREATE TABLE made AS SELECT a FROM d28",
        "PRAGMA table_list",
        "PRAGMA table_info('d28')",
        "SELECT name FROM pragma_table_list",
        "SELECT name FROM pragma_table_xinfo('d' || 28)",
        "ALTER TABLE ok RENAME TO fine",
        "CREATE TRIGGER looks AFTER INSERT ON ok BEGIN DELETE FROM ok WHERE id IN (SELECT a FROM d28); END",
    ] {
        check_error(&connection, sql, "54001", None).await;
    }
}

/// A statement may read views that are large enough only so often.
#[tokio::test]
async fn a_statement_reads_so_many_views_and_no_more() {
    let views: Vec<String> = (0..12).map(|number| doubling("d", number)).collect();
    let (_folder, database) = database(&views.join("; "));
    let connection = database.connect().unwrap();
    let parts = vec!["SELECT a FROM d11"; 20].join(" UNION ALL ");
    check_error(&connection, &parts, "54001", None).await;
}

#[tokio::test]
async fn result_lists_are_bounded_and_not_slow() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    let begun = Instant::now();
    for count in [1664, 1665] {
        let list = vec!["1"; count].join(", ");
        for sql in [
            format!("SELECT {list}"),
            format!("SELECT * FROM (SELECT {list}) AS a"),
            format!("WITH a AS (SELECT {list}) SELECT * FROM a"),
            format!("VALUES ({list})"),
        ] {
            match count {
                1664 => assert_eq!(all(&connection, &sql).await.unwrap()[0].len(), count),
                _ => check_error(&connection, &sql, "54011", None).await,
            }
        }
    }
    let lines = format!("SELECT 1 WHERE 1 IN ({})", vec!["1"; 50_000].join(",\n"));
    all(&connection, &lines).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}
