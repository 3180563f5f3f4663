//! What is too large before it runs, and what is not.

use super::*;
use crate::question::{
    schema::Dialect,
    validator::{facts::facts, parse},
};

fn refused(sql: &str) -> Option<String> {
    let parsed = parse::parse(sql, Dialect::Postgres).unwrap();
    check(&parsed.query, facts(Dialect::Postgres), &Views::new()).map(|finding| finding.message)
}

/// `levels` queries around each other, each of which reads the one below ten times.
fn tenfold(levels: usize, of: &str) -> String {
    let mut sql = format!("SELECT {of} AS s");
    for level in 0..levels {
        sql = format!("SELECT {} AS s FROM ({sql}) AS t{level}", ["s"; 10].join(" || "));
    }
    sql
}

/// A text that is made of itself thirty times.
fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("SELECT {}{inner}{} FROM a", open.repeat(30), close.repeat(30))
}

/// Thirty queries around each other, each of which makes a text of the row below.
fn rows(text: &str) -> String {
    (0..30).fold("SELECT name AS s FROM a".to_owned(), |sql, _| {
        format!("SELECT {text} AS s FROM ({sql}) AS t")
    })
}

#[test]
fn what_grows_while_it_is_planned_is_refused() {
    let long = "lpad('x', 900, 'x')";
    let with: Vec<String> = (1..6)
        .map(|level| {
            format!(
                ", t{level} AS (SELECT {} AS s FROM t{})",
                ["s"; 10].join(" || "),
                level - 1
            )
        })
        .collect();
    let doubled: Vec<String> = (1..12)
        .map(|level| {
            let below = level - 1;
            format!(
                ", t{level} AS NOT MATERIALIZED (SELECT a.n + b.n AS n FROM t{below} AS a, t{below} AS b)"
            )
        })
        .collect();
    let (with, doubled) = (with.concat(), doubled.concat());
    let many = ["s"; 99].join(" || ");
    for sql in [
        tenfold(5, "'abcdefghij'"),
        tenfold(2, long),
        format!("WITH t0 AS (SELECT 'abcdefghij' AS s){with} SELECT strpos(s, 'b' || substr(s, 1, 1000)) FROM t5"),
        format!("WITH t0 AS NOT MATERIALIZED (SELECT n FROM a){doubled} SELECT count(*) FROM t11"),
        format!("SELECT {many} || {many} FROM (SELECT {long}) AS t(s)"),
        format!("SELECT (SELECT {many} FROM (SELECT {long} AS s) AS t) || (SELECT {many} FROM (SELECT {long} AS s) AS t)"),
        format!("SELECT s FROM a, LATERAL ({}) AS t", tenfold(5, "a.name")),
        "SELECT replace(replace(replace(repeat, 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaa') FROM a".to_owned(),
        nested("ROW(", "1", ")::text"),
        nested("(", "1", ", 2)::text"),
        nested("ARRAY[", "name", "]::text"),
        nested("array_append(ARRAY['a'], ", "name", ")::text"),
        nested("array_prepend(", "name", ", ARRAY['a'])::text"),
        nested("string_to_array(", "name", ", NULL)::text"),
        nested("quote_literal(", "name", ")"),
        nested("concat_ws(", "name", ", '', '', '')"),
        nested("to_json(", "name", ")::text"),
        nested("convert_to(", "name", ", 'UTF8')::text"),
        nested("textsend(", "name", ")::text"),
        nested("encode(", "name", "::bytea, 'hex')"),
        nested("(", "name", "::bytea::text || 'x')"),
        rows("t::text"),
        rows("concat(t)"),
        rows("concat(t.*)"),
        rows("ROW(t.*)::text"),
        rows("row_to_json(t)::text"),
        "WITH RECURSIVE r(s) AS (SELECT name FROM a UNION ALL SELECT ROW(s)::text FROM r) SELECT 1 FROM r".to_owned(),
        "WITH RECURSIVE r(s) AS (SELECT name FROM a UNION ALL SELECT ARRAY[s]::text FROM r) SELECT 1 FROM r".to_owned(),
        "SELECT 'a'::char(10485760)".to_owned(),
        "SELECT B'1'::bit(8000000)".to_owned(),
        "SELECT 10::numeric ^ 100000".to_owned(),
        "SELECT power(10::numeric, n) FROM (SELECT 300 * 400 AS n) AS t".to_owned(),
        "SELECT exp(200000::numeric)".to_owned(),
        format!("SELECT strpos(s, s) FROM (SELECT string_agg({long}, '') AS s FROM generate_series(1, 100000)) AS t"),
        format!("SELECT array_to_string(array_agg(s), {long}) FROM (SELECT {long} AS s FROM generate_series(1, 1000)) AS t"),
        format!("SELECT 1 FROM a ORDER BY ({})", tenfold(5, "'abcdefghij'")),
        format!("SELECT 1 FROM a JOIN b ON a.id = b.id AND strpos(({}), 'x') > 0", tenfold(5, "'abc'")),
        format!("VALUES (({}))", tenfold(5, "'abcdefghij'")),
        format!("SELECT 1 UNION ALL SELECT length(s) FROM ({}) AS t", tenfold(5, "'abcdefghij'")),
        "WITH RECURSIVE r(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || s FROM r WHERE n < 40) SELECT length(s) FROM r".to_owned(),
        "WITH RECURSIVE r(s, t) AS (SELECT 'a', 'b' UNION ALL SELECT t, s || t FROM r) SELECT 1 FROM r LIMIT 50".to_owned(),
        "WITH RECURSIVE r AS (SELECT name AS s FROM a UNION ALL SELECT replace(s, 'a', 'aa') FROM r) SELECT 1 FROM r".to_owned(),
        "SELECT count(*) FROM a GROUP BY CUBE(b, c, d, e, f, g, h, i, j, k, l, m)".to_owned(),
    ] {
        assert!(refused(&sql).is_some(), "{sql}");
    }
}

#[test]
fn what_people_ask_is_not() {
    for sql in [
        "WITH RECURSIVE t(id, path, names) AS (SELECT id, ARRAY[id], ARRAY[name] FROM a WHERE parent IS NULL UNION ALL \
         SELECT a.id, t.path || a.id, array_append(t.names, a.name) FROM a JOIN t ON a.parent = t.id \
         WHERE a.id <> ALL (t.path)) SELECT id, array_to_string(names, ' > ') FROM t",
        "SELECT concat_ws(', ', name, street, zip, city, country) FROM a",
        "WITH RECURSIVE t(id, path) AS (SELECT id, name FROM a UNION ALL SELECT a.id, concat_ws(' > ', t.path, a.name) \
         FROM a JOIN t ON a.parent = t.id) SELECT path FROM t",
        "SELECT ROW(a.id, ARRAY[a.name, a.city])::text, (a.id, a.name) IN ((1, 'x'), (2, 'y')) FROM a",
        "WITH RECURSIVE f(a, b, p) AS (SELECT 0, 1, 1 UNION ALL SELECT b, a + b, p * b FROM f WHERE b < 1000) SELECT a FROM f",
        "WITH RECURSIVE t(id, path, indent, depth) AS (SELECT id, name, '', 0 FROM a WHERE parent IS NULL UNION ALL \
         SELECT a.id, t.path || ' > ' || t.indent || a.name, t.indent || '  ', depth + 1 FROM a JOIN t ON a.parent = t.id) \
         SELECT path, indent FROM t",
        "WITH RECURSIVE d(day) AS (SELECT DATE '2024-01-01' UNION ALL SELECT day + 1 FROM d WHERE day < '2024-12-31') \
         SELECT d.day, count(a.id) FROM d LEFT JOIN a ON a.d = d.day GROUP BY d.day",
        "SELECT b, c, d, count(*) FROM a JOIN b ON a.id = b.a GROUP BY CUBE(b, c, d)",
        "SELECT a.name, string_agg(b.name, ', ' ORDER BY b.name) FROM a JOIN b ON a.id = b.a GROUP BY a.name",
        "WITH m AS (SELECT date_trunc('month', d) AS month, sum(n) AS n FROM a GROUP BY 1), \
         c AS (SELECT one.month, one.n, one.n - two.n AS more FROM m AS one JOIN m AS two ON one.month > two.month) \
         SELECT c.month, c.n, c.more / nullif(c.n, 0), rank() OVER (ORDER BY c.n) FROM c JOIN m ON m.month = c.month \
         WHERE c.n > (SELECT avg(n) FROM m) ORDER BY 1 LIMIT 10",
        "SELECT power(n, 2), sqrt(n), 1.05 ^ 12, exp(1), round(n::numeric(12, 2), 2) FROM a",
        "SELECT replace(replace(upper(name), ' ', '_'), '-', '_'), regexp_replace(name, '[^a-z]+', ' ', 'g') FROM a",
        "SELECT to_char(d, 'YYYY-MM-DD'), lpad(id::text, 10, '0'), name::char(20), format('%s (%s)', name, id) FROM a",
        "SELECT count(*) FROM a WHERE lower(name) LIKE '%x%' OR strpos(name, 'y') > 0",
        "SELECT g, count(a.id) FROM generate_series(1, 100000) AS g LEFT JOIN a ON a.id = g GROUP BY g",
        "WITH RECURSIVE t(id, path) AS (SELECT id, name FROM a WHERE parent IS NULL UNION ALL \
         SELECT a.id, t.path || ' > ' || a.name FROM a JOIN t ON a.parent = t.id) SELECT path, length(path) FROM t",
        "SELECT json_agg(json_build_object('id', id, 'name', name)) FROM a",
    ] {
        assert_eq!(refused(sql), None, "{sql}");
    }
}

#[test]
fn windows_count_as_tables_do() {
    let windows = |count: usize| {
        let all: Vec<String> = (0..count)
            .map(|at| format!("sum(n) OVER (ORDER BY id + {at})"))
            .collect();
        refused(&format!("SELECT {} FROM a", all.join(", ")))
    };
    assert_eq!(windows(100), None);
    assert!(windows(200).is_some());
}

/// So many tables, each joined with the one before it.
fn joined(tables: usize) -> String {
    let joins: Vec<String> = (1..tables)
        .map(|at| format!(" JOIN a AS t{at} ON t{at}.id = t{}.id", at - 1))
        .collect();
    format!("SELECT count(*) AS n FROM a AS t0{}", joins.concat())
}

#[test]
fn joins_count_by_their_pairs() {
    assert_eq!(refused(&joined(30)), None);
    assert!(refused(&joined(50)).is_some());
    let list: Vec<String> = (0..50).map(|at| format!("a AS t{at}")).collect();
    assert!(refused(&format!("SELECT 1 FROM {}", list.join(", "))).is_some());
    // Subqueries are planned together with what is around them, unless they group, order or are united.
    let inner = |end: &str| {
        let part = |at: usize| format!("(SELECT a.id FROM a, b, c, d{end}) AS s{at}");
        let parts: Vec<String> = (0..12).map(part).collect();
        refused(&format!("SELECT 1 FROM {}", parts.join(", ")))
    };
    assert!(inner("").is_some());
    for end in [
        " GROUP BY a.id",
        " ORDER BY a.id LIMIT 10",
        " UNION SELECT id FROM a",
    ] {
        assert_eq!(inner(end), None, "{end}");
    }
}

#[test]
fn series_are_as_long_as_their_bounds_are_apart() {
    let series = |bounds: &str| format!("SELECT count(*) FROM generate_series({bounds}) AS g");
    for bounds in [
        "1, 1000000000",
        "1, 5, 0.0000001",
        "1, 5, 0",
        "'-infinity'::numeric, 1",
        "(SELECT 1), (SELECT 2000000000)",
        "1, (SELECT max(id) FROM a)",
        "1, (SELECT count(*) FROM a)",
        "1, 1000000::bigint * 1000",
        "1, length(s) * 10000",
        "1, $1",
        "'2000-01-01'::timestamp, '2200-01-01', '1 second'",
        "'2000-01-01'::timestamp, '2200-01-01'::timestamp, interval '1' second",
        "timestamp '2000-01-01', timestamp '2200-01-01', '1 minute'::interval",
        "now()::date, '2900-01-01'::date, '1 minute'",
        "current_date, current_date + 10000, '1 second'",
        "now() - interval '40 years', now(), '1 minute'",
        "'2000-01-01'::timestamp, 'infinity', '1 day'",
        "'2000-01-01'::date, '2200-01-01'::date, '0 days'",
        "'2000-01-01'::date, '2200-01-01'::date, interval '1 day' / 86400",
        "'2000-01-01'::date, '2200-01-01'::date, interval '1 day' * 0.0001",
        "(SELECT min(d) FROM a), (SELECT max(d) FROM a), '1 hour'",
        "(SELECT min(d) FROM a), (SELECT max(d) + interval '200000 years' FROM a), '1 day'",
        "'4000-01-01 BC'::date, '200000-01-01'::date, '1 day'",
        "(SELECT min(d) FROM a), (SELECT max(d) FROM a), (SELECT step FROM a)",
        "to_date('1', 'J'), current_date, '1 day'",
        "date_trunc('millennium', now()), now(), '1 hour'",
    ] {
        assert!(refused(&series(bounds)).is_some(), "{bounds}");
        assert!(
            refused(&format!("SELECT generate_series({bounds}) FROM a")).is_some(),
            "{bounds}"
        );
    }
    for bounds in [
        "1, 10",
        "1, 1000000",
        "10, 1, -1",
        "0, 23",
        "1, least((SELECT max(id) FROM a), 1000)",
        "1, greatest(10, least(id, 100))",
        "0, extract(hour FROM now())::int",
        "(SELECT min(extract(year FROM d))::int FROM a), (SELECT max(extract(year FROM d))::int FROM a)",
        "1, cardinality(tags)",
        "0, (SELECT max(d)::date - min(d)::date FROM a)",
        "'2024-01-01'::date, '2024-12-31'::date, interval '1 day'",
        "'2024-01-01'::timestamp, '2024-01-31', '1 hour'",
        "DATE '2000-01-01', DATE '2200-01-01', '1 day'",
        "(SELECT min(d) FROM a), (SELECT max(d) FROM a), '1 day'",
        "(SELECT min(d)::date FROM a), now()::date, interval '1 month'",
        "date_trunc('month', (SELECT min(d) FROM a)), date_trunc('month', now()), '1 month'",
        "date_trunc('day', now()) - interval '7 days', now(), '1 hour'",
        "current_date - 30, current_date, '1 day'",
        "date_trunc('year', current_date), current_date, '1 week'",
        "'2024-01-01'::date, '2024-12-31'::date, 7 * interval '1 day'",
        "now(), now() - interval '10 days', '-1 hour'",
    ] {
        assert_eq!(refused(&series(bounds)), None, "{bounds}");
    }
    for (sql, is_refused) in [
        (
            "WITH b AS (SELECT min(d) AS f, max(d) AS t FROM a) SELECT g FROM b, generate_series(b.f, b.t, '1 day') AS g",
            false,
        ),
        (
            "WITH b AS (SELECT min(d) AS f, max(d) AS t FROM a) SELECT generate_series(f, t, interval '1 month') FROM b",
            false,
        ),
        (
            "WITH b AS (SELECT min(d) AS f, max(d) AS t FROM a) SELECT generate_series(f, t, '1 minute') FROM b",
            true,
        ),
        (
            "WITH b AS (SELECT '1 minute' AS s) SELECT generate_series(now(), now() + '9 years', b.s::interval) FROM b",
            true,
        ),
        (
            "SELECT g FROM (SELECT 1 AS f, 2000000000 AS t) AS b, generate_series(b.f, b.t) AS g",
            true,
        ),
        (
            "SELECT g FROM (VALUES (1, 5), (2, 2000000000)) AS b(f, t), generate_series(b.f, b.t) AS g",
            true,
        ),
        (
            "SELECT g FROM (VALUES (1, 5), (2, 20)) AS b(f, t), generate_series(b.f, b.t) AS g",
            false,
        ),
        ("SELECT a.id, g FROM a, generate_series(1, a.id) AS g", true),
        (
            "SELECT x FROM generate_series(1, 5) AS g, generate_series(1, g) AS x",
            false,
        ),
        (
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n * 10 FROM r WHERE n < 1000000000) SELECT generate_series(1, n) FROM r",
            true,
        ),
        (
            "SELECT 1 FROM a WHERE d IN (SELECT generate_series('2000-01-01', '2200-01-01', interval '1 second'))",
            true,
        ),
        (
            "SELECT 1 FROM a LEFT JOIN LATERAL generate_series(1, 9999999) AS g ON true",
            true,
        ),
    ] {
        assert_eq!(refused(sql).is_some(), is_refused, "{sql}");
    }
}
