CREATE TABLE aimed (i int PRIMARY KEY, code text, n int)

CREATE UNIQUE INDEX aimed_code ON aimed (lower(code))

CREATE UNIQUE INDEX aimed_n ON aimed (n) WHERE i > 5

INSERT INTO aimed SELECT 1, 'a', 1 ON CONFLICT DO NOTHING

INSERT INTO aimed SELECT 1, 'b', 2 ON CONFLICT (i) DO UPDATE SET code = excluded.code RETURNING *

INSERT INTO aimed SELECT x.i, 'q' || x.i, x.i FROM (VALUES (10)) AS x (i) CROSS JOIN (VALUES (1)) AS y ON CONFLICT DO NOTHING

INSERT INTO aimed (i) SELECT 3 RETURNING i

INSERT INTO aimed (i) SELECT 4 UNION SELECT 3 ON CONFLICT DO NOTHING RETURNING i

INSERT INTO aimed (i) SELECT i FROM aimed GROUP BY i ON CONFLICT DO NOTHING

INSERT INTO aimed (i) SELECT i FROM aimed ORDER BY i LIMIT 1 ON CONFLICT DO NOTHING

INSERT INTO aimed (i) (SELECT 1) ON CONFLICT DO NOTHING

INSERT INTO aimed (i) TABLE one ON CONFLICT DO NOTHING

INSERT INTO aimed (i) WITH a AS (SELECT 1 AS k) SELECT k FROM a ON CONFLICT DO NOTHING

INSERT INTO aimed (i, code) SELECT 1, 'z' ON CONFLICT ON CONSTRAINT aimed_pkey DO UPDATE SET code = excluded.code RETURNING code

INSERT INTO aimed (i) SELECT i FROM aimed NATURAL JOIN aimed AS u ON CONFLICT DO NOTHING

INSERT INTO aimed (i) SELECT a.i FROM aimed AS a NATURAL JOIN (SELECT i FROM aimed) AS u ON CONFLICT (i) DO NOTHING

WITH n AS (INSERT INTO aimed (i, code) SELECT 50, 'w' ON CONFLICT (i) DO UPDATE SET code = 'again' RETURNING i, code) SELECT * FROM n

WITH n AS (INSERT INTO aimed (i, code) SELECT 50, 'w' ON CONFLICT (i) DO UPDATE SET code = 'again' RETURNING i, code) SELECT * FROM n

WITH n AS (INSERT INTO aimed (i, code, n) VALUES (51, 'w2', 10) ON CONFLICT (n) WHERE i > 5 DO UPDATE SET code = 'partial' RETURNING i, code) SELECT * FROM n

INSERT INTO aimed (i, n) VALUES (60, 10) ON CONFLICT (n) WHERE i > 5 DO UPDATE SET code = 'part' RETURNING i, code

INSERT INTO aimed (i, n) SELECT 61, 10 ON CONFLICT (n) WHERE i > 5 DO UPDATE SET code = 'part2' RETURNING i, code

INSERT INTO aimed (i, code) VALUES (70, 'ABC') ON CONFLICT (lower(code)) DO UPDATE SET n = 5 RETURNING i, n

INSERT INTO aimed (i, code) VALUES (71, 'abc') ON CONFLICT (lower(code)) DO UPDATE SET n = 6 RETURNING i, n

INSERT INTO aimed (i, code) VALUES (72, 'abc') ON CONFLICT ((lower(code))) DO NOTHING

INSERT INTO aimed (i, code) VALUES (72, 'abc') ON CONFLICT (lower(aimed.code)) DO NOTHING

INSERT INTO aimed (i, code) VALUES (73, 'abc') ON CONFLICT (upper(code)) DO NOTHING

INSERT INTO aimed (i, code) VALUES (73, 'abc') ON CONFLICT (lower(nope)) DO NOTHING

INSERT INTO aimed (i, code) VALUES (1, 'xx') ON CONFLICT (i int4_ops) DO NOTHING

INSERT INTO aimed (i, code) VALUES (74, 'abc') ON CONFLICT (lower(code) text_ops) DO NOTHING

INSERT INTO aimed (i, code) SELECT 75, 'ABC' ON CONFLICT (lower(code)) DO UPDATE SET n = aimed.n + 1 WHERE aimed.n = 6 RETURNING i, n

INSERT INTO aimed (i, code) VALUES (1, 'q') ON CONFLICT (i) WHERE i > 0 DO NOTHING

WITH a AS (INSERT INTO aimed (i, n) VALUES (80, 10) ON CONFLICT (n) WHERE i > 5 DO UPDATE SET code = 'p3' RETURNING i), b AS (INSERT INTO aimed (i, code) VALUES (81, 'ABC') ON CONFLICT (lower(code)) DO NOTHING RETURNING i) SELECT i FROM a UNION ALL SELECT i FROM b

SELECT * FROM aimed ORDER BY i

SELECT i::text COLLATE "C" FROM aimed WHERE i < 5 ORDER BY i

SELECT i FROM aimed WHERE i < 5 ORDER BY i::text COLLATE "C" DESC

SELECT i::varchar(3) COLLATE "C" || 'x' AS v, CAST(i AS text) COLLATE "C" FROM aimed WHERE i = 1

SELECT i::int COLLATE "C" FROM aimed

SELECT 'a'::text COLLATE "nope"

SELECT 'a'::text COLLATE pg_catalog."C" = 'a', ARRAY['b']::text[] COLLATE "C"

SELECT 'a'::text COLLATE "C" COLLATE "C", 'a'::text COLLATE "C"::varchar

SELECT max(i::text COLLATE "C") FROM aimed

SELECT 'a' = ANY (ARRAY['a']::text[] COLLATE "C")

SELECT now()::timestamp without time zone::text COLLATE "C" IS NULL

CREATE TABLE IF NOT EXISTS aimed_too (a text DEFAULT 'x'::text COLLATE "C", b text COLLATE "C" DEFAULT 'y'::text)

INSERT INTO aimed_too DEFAULT VALUES RETURNING *

CREATE INDEX aimed_t ON aimed ((i::text COLLATE "C"))

DROP TABLE aimed, aimed_too
