"""Ordinary SQL for every client: what comes back through Querent must be what comes back without it.

A client observes: it runs the statements and notes all that it can see (rows, types, tags, errors, notices). What it
notes on a direct connection and on one through Querent must be equal.
"""

import difflib
import re
import time

# One by one, in one session, without a transaction. They leave nothing behind, errors included.
STATEMENTS = [
    "SELECT 1 AS one, 'text' AS two, NULL AS three, 2.50 AS four, true AS five",
    "SELECT 1::int2, 2::int4, 3::int8, 1.5::float4, 'NaN'::float8, 12345678901234567890.123456789::numeric",
    "SELECT 'a'::char(3), 'b'::varchar(5), 'c'::text, 'd'::name, '\"e\"'::json, '{\"f\": [1, null]}'::jsonb",
    r"SELECT '\x00ff10'::bytea, B'10110'::bit(5), '00000000-0000-0000-0000-000000000001'::uuid",
    "SELECT '2024-02-29'::date, '23:59:59.999999'::time, '2024-02-29 12:00'::timestamp, '2024-02-29 12:00+02'::timestamptz",
    "SELECT '1 year 2 mons 3 days 04:05:06.7'::interval, '12:00:00+03'::timetz, '127.0.0.1/8'::inet, '10.0.0.0/8'::cidr",
    "SELECT ARRAY[1, NULL, 3], ARRAY[['a', 'b'], ['c', 'd']], '{}'::text[], int4range(1, 5), '{[1,3),[7,9)}'::int4multirange",
    "SELECT point(1, 2), 'a & b'::tsquery, 'cat:1 dog:2'::tsvector, '08:00:2b:01:02:03'::macaddr, '0/16B3748'::pg_lsn",
    "SELECT 'Ünïcödé ≠ ASCII 🐘', E'tab\\tnewline\\nbackslash\\\\', $tag$dollar 'quoted' $tag$, U&'\\0441\\043B'",
    "SELECT generate_series(1, 5) AS n, repeat('x', 20000) AS long",
    "SELECT",
    "",
    "-- nothing but a comment",
    "VALUES (1, 'a'), (2, NULL)",
    "TABLE stores",
    "SELECT * FROM products ORDER BY product_id",
    "SELECT (1, 'two', NULL)::record, ROW(1, ROW(2, 'x'))",
    # What looks like a question is none.
    "SELECT '-- nl: how many orders are there?' AS quoted, $$/* nl: how many */$$ AS dollars",
    'SELECT 1 AS "/* nl: how many stores? */"',
    "SELECT /* outer /* nl: nested */ comment */ 5 AS five",
    "/* nl: how many stores are there? */ SELECT 7 AS annotated",
    "SELECT nl FROM (SELECT 3 AS nl) AS t",
    # Errors with every field.
    "SELECT 1/0",
    "SELEC 1",
    "SELECT * FROM missing_table",
    "SELECT missing_column FROM stores",
    "SELECT 'x'::int",
    "INSERT INTO stores (store_id, name, city, country, opened_on, floor_area) VALUES (1, 'x', 'x', 'x', 'today', 1)",
    "INSERT INTO stores (store_id) VALUES (9999)",
    "INSERT INTO reviews VALUES (0, 1, 1, 99, 't', NULL, '2024-01-01')",
    "INSERT INTO orders VALUES (0, -1, NULL, NULL, '2024-01-01', NULL, NULL, 'pending', 1)",
    "DO $$BEGIN RAISE EXCEPTION 'told %', 5 USING ERRCODE = 'ABCDE', DETAIL = 'a detail', HINT = 'a hint', SCHEMA = 's', "
    "TABLE = 't', COLUMN = 'c', CONSTRAINT = 'k', DATATYPE = 'd'; END$$",
    "DO $$BEGIN RAISE WARNING 'warned'; RAISE NOTICE 'noticed' USING DETAIL = 'd', HINT = 'h'; END$$",
    "DO $$BEGIN PERFORM 1/0; EXCEPTION WHEN division_by_zero THEN RAISE INFO 'caught: %', SQLERRM; END$$",
    "SELECT no_such_function(1, 'a')",
    "ROLLBACK",
    "CREATE TEMPORARY TABLE scratch (id serial PRIMARY KEY, word text, at timestamptz DEFAULT 'epoch')",
    "INSERT INTO scratch (word) SELECT 'w' || i FROM generate_series(1, 100) AS i RETURNING id, word",
    "UPDATE scratch SET word = upper(word) WHERE id % 7 = 0 RETURNING *",
    "DELETE FROM scratch WHERE id > 50",
    "WITH gone AS (DELETE FROM scratch WHERE id > 40 RETURNING id) SELECT sum(id) FROM gone",
    "MERGE INTO scratch AS s USING (SELECT 1 AS id) AS n ON s.id = n.id WHEN MATCHED THEN UPDATE SET word = 'merged'",
    "SELECT 'happy'::mood, ARRAY['sad', 'happy']::mood[], 'x'::mood",
    "SELECT 'happy'::mood, ARRAY['sad', 'happy']::mood[], 5::rating",
    "SELECT 6::rating",
    "EXPLAIN (COSTS OFF) SELECT * FROM scratch WHERE id = 1",
    "PREPARE own AS SELECT $1::int + 1",
    "EXECUTE own(41)",
    "DEALLOCATE own",
    "SET client_min_messages = debug1",
    "CREATE INDEX ON scratch (word)",
    "RESET client_min_messages",
    "SHOW server_version",
    "SHOW ALL",
    "SET application_name = 'ordinary'",
    "SET DateStyle = 'German'",
    "SELECT '2024-02-29'::date::text, now() - now()",
    "RESET DateStyle",
    "SET search_path = pg_catalog",
    "SHOW search_path",
    "RESET search_path",
    "LISTEN ordinary",
    "NOTIFY ordinary, 'payload'",
    "UNLISTEN *",
    "VACUUM scratch",
    "LOCK TABLE stores",
    "DECLARE c CURSOR FOR SELECT 1",
    "DISCARD TEMP",
]

# A parameter of each kind, by the client's own placeholder.
PARAMETERS = [
    ("SELECT {}::int + 1", [41]),
    ("SELECT {}::text || 'é'", ["naïve 'quoted' \\ \"text\""]),
    ("SELECT name FROM stores WHERE store_id = {}::int", [3]),
    ("SELECT name FROM stores WHERE store_id = ANY ({}::int[]) ORDER BY 1", [[1, 2, 3]]),
    ("SELECT {}::bytea", [bytes(range(256))]),
    ("SELECT {}::float8, {}::bool, {}::text", [0.1, True, None]),
    ("SELECT {}::int / {}::int", [1, 0]),
]

# Numbers that differ from session to session, and the port that a session came to.
VARYING = re.compile(r"(?<=pid )\d+|(?<=PID )\d+")


def compare(observe, postgres):
    """What observe(url) returns must be the same directly and through Querent: a list of strings."""
    direct, proxied = observe(postgres.direct_url), observe(postgres.url)
    assert direct, "nothing was observed"
    lines = [[VARYING.sub("…", line) for note in notes for line in str(note).splitlines()] for notes in (direct, proxied)]
    different = list(difflib.unified_diff(*lines, "direct", "through Querent", lineterm="", n=2))
    assert not different, "\n".join(different[:80])


def wait_for(act, deadline=60):
    """What act() returns once that is true; fails after a deadline."""
    end = time.monotonic() + deadline
    while not (found := act()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)
    return found
