CREATE TABLE cl_t (id int PRIMARY KEY, n int, s text, d date)

INSERT INTO cl_t VALUES (1, 10, 'a', '2024-01-02'), (2, 20, 'b', '2024-02-03'), (3, 30, 'c', NULL), (5, 50, 'e', NULL)

CREATE TABLE cl_o (tid int, x text)

INSERT INTO cl_o VALUES (1, 'one'), (2, 'two'), (3, 'drei')

UPDATE cl_t AS a SET n = n + 1 WHERE a.id = 1 RETURNING a.id, n

UPDATE cl_t SET n = n + 1 FROM cl_o AS o WHERE o.tid = cl_t.id AND o.x = 'one' RETURNING cl_t.id, o.x

UPDATE cl_t AS a SET s = o.x FROM cl_o AS o WHERE o.tid = a.id RETURNING a.id, a.s, o.x, o.tid + 1 AS y

UPDATE cl_t AS a SET s = 'q' FROM (VALUES (1, 'p'), (3, 'r')) AS w (k, l) WHERE w.k = a.id RETURNING a.id, w.l, a.*

UPDATE cl_t AS a SET s = b.s FROM cl_t AS b WHERE b.id = a.id AND a.id = 5 RETURNING a.id, b.s

UPDATE cl_t AS a SET n = 2 FROM cl_o AS o JOIN (SELECT 3 AS tid) AS j USING (tid) WHERE a.id = 3 RETURNING a.id, tid

UPDATE cl_t SET n = n + 1 FROM (VALUES (5), (5)) AS dup (i) WHERE dup.i = cl_t.id RETURNING cl_t.n, dup.i

UPDATE cl_t SET n = 1 WHERE id = 5 RETURNING (SELECT count(*) FROM cl_o WHERE tid = cl_t.id), n

WITH w AS (SELECT 5 AS k) UPDATE cl_t SET n = w.k FROM w WHERE cl_t.id = 5 RETURNING cl_t.n, w.k

WITH u AS (UPDATE cl_t AS a SET n = 77 FROM (SELECT 2 AS i) AS z WHERE z.i = a.id RETURNING a.id, z.i) SELECT * FROM u

WITH d AS (DELETE FROM cl_o RETURNING tid, x) INSERT INTO cl_t SELECT tid + 100, 1, x FROM d WHERE x = 'drei' RETURNING id, s

INSERT INTO cl_o VALUES (1, 'one'), (2, 'two'), (103, 'far')

DELETE FROM cl_t AS a WHERE a.id = 5 RETURNING a.id, a.s

DELETE FROM cl_t USING cl_o WHERE cl_o.tid = cl_t.id AND cl_o.x = 'two' RETURNING cl_t.id, cl_o.x

DELETE FROM cl_t AS a USING cl_o AS p WHERE p.tid = a.id RETURNING a.*, p.x

INSERT INTO cl_t AS k VALUES (6, 60, 'f', NULL) RETURNING k.id, k.s

SELECT id, n, s FROM cl_t ORDER BY id

SELECT EXISTS (SELECT FROM cl_t), EXISTS (SELECT FROM cl_t WHERE false)

SELECT count(*) FROM (SELECT FROM cl_t) AS x

SELECT generate_subscripts(ARRAY[5, 6, 7], 1) + 1 AS z

SELECT i.indexrelid::regclass::text, generate_subscripts(i.indkey, 1) + 1 AS n FROM pg_index AS i WHERE i.indrelid = 'cl_t'::regclass

SELECT unnest(ARRAY[1, 2]) * 10 AS a, unnest(ARRAY['x', 'y', 'z']) || '!' AS b

SELECT id, unnest(ARRAY[id, n]) + 1 AS m FROM cl_t ORDER BY 1, 2

SELECT (ARRAY[1, 2, 3])[2::bigint], (ARRAY[1, 2, 3])[1::smallint], (ARRAY[1, 2, 3])[2::int8:3]

SELECT (ARRAY[1, 2, 3])['a'::text]

SELECT parse_ident('"A""b".Bcd . "x y"'), parse_ident('a.b.c d', false)

SELECT parse_ident('a.b.c d')

SELECT date_trunc('month', d) + interval '1 month' AS m, count(*) FROM cl_t GROUP BY 1 ORDER BY 1

SELECT 20::oid = ANY ('{int,int8,int2}'::regtype[]), 25 = ANY ('{int,int8}'::regtype[]), 'int8'::regtype = ANY ('{int,int8}'::regtype[])

SELECT oid::regtype::text FROM pg_type WHERE oid = ANY ('{int,int8,int2}'::regtype[]) ORDER BY 1

SELECT array_position('{int,int8}'::regtype[], 'int8'::regtype), '{int,int8}'::regtype[]::oid[], '{int,int8}'::regtype[]::text

SELECT interval '24 hours' = ANY ('{1 day,2 days}'::interval[]), '\x01'::bytea = ANY (ARRAY['\x01'::bytea])

SELECT 'a'::char(3) = ANY ('{a ,b}'::bpchar[]), 1.0 = ANY ('{1,2}'::numeric[]), 1.5::float8 = ANY ('{1.5}'::float8[])

SELECT true = ANY ('{f,t}'::bool[]), '1.0'::jsonb = ANY ('{1}'::jsonb[]), '::1'::inet = ANY ('{::1/128}'::inet[])

SELECT NULL = ANY ('{1,2}'::int[]), 3 = ANY ('{1,null}'::int[]), 1 = ANY (NULL::int[]), 1 <> ALL (NULL::int[]), 1 < ANY (NULL::int[]), NULL = ANY ('{}'::int[])

SELECT 'r'::"char" = 'r'::char, 'r'::"char" = 'r'::text, bpchar('r'::"char")

SELECT 28::bit(8), 28::bit(8) & 4::bit(8), 28::bit(8) OPERATOR(pg_catalog.&) 4::bit(8), (28::bit(8) & 4::bit(8))::int, (-1)::bit(70)

SELECT '5'::bit(3)

SELECT '101'::bit(2), '101'::bit(5), '101'::bit(3) | '010'::bit(3)

SELECT '101'::bit(3) & '01'::bit(2)

SELECT coalesce(NULL::oid[], '1 2'::oidvector)

SELECT coalesce(NULL::oid[], '1 2'::oidvector) IS NOT NULL, coalesce(ARRAY['a'::"char"], ARRAY['b'])

SELECT "test"."public"."cl_t".id FROM "test"."public"."cl_t" ORDER BY 1

SELECT table_name FROM "test".INFORMATION_SCHEMA.tables WHERE table_name = 'cl_t' AND table_schema = 'public'

INSERT INTO "test"."public"."cl_t" VALUES (9, 9, 'z', NULL)

UPDATE "test"."public"."cl_t" SET n = 8 WHERE id = 9

DELETE FROM test.public.cl_t WHERE test.public.cl_t.id = 9

CREATE TABLE "test"."public"."cl_2" (a int)

CREATE TABLE "test"."public"."cl_3" AS (SELECT 1 AS a)

CREATE VIEW "test"."public"."cl_v2" AS (SELECT * FROM "test"."public"."cl_t")

ALTER TABLE "test"."public"."cl_v2" RENAME TO "cl_v3"

ALTER TABLE cl_v3 OWNER TO CURRENT_USER

ALTER TABLE cl_v3 RENAME COLUMN s TO t

SELECT t FROM cl_v3 ORDER BY t

ALTER TABLE cl_v3 ADD COLUMN z int

ALTER VIEW "test"."public"."cl_v3" RENAME TO cl_v4

ALTER TABLE "test"."public"."cl_2" RENAME TO "cl_4"

ALTER TABLE "test"."public"."cl_4" ADD COLUMN c text

ALTER TABLE cl_4 RENAME COLUMN C TO Dd

SELECT dd FROM cl_4

ALTER TABLE cl_nowhere RENAME TO cl_5

CREATE INDEX cl_i4 ON "test"."public"."cl_4" (dd)

COMMENT ON TABLE "test"."public"."cl_4" IS 'hello'

COMMENT ON COLUMN "test"."public"."cl_4"."dd" IS 'hello'

SELECT * FROM x.public.cl_4

DROP TABLE x.public.cl_4

TRUNCATE TABLE "test"."public"."cl_4"

DROP VIEW "test"."public"."cl_v4"

DROP TABLE IF EXISTS "test"."public"."cl_4" CASCADE

DROP TABLE "test"."public"."cl_3"

CREATE SEQUENCE cl_s

SELECT last_value, is_called FROM cl_s

SELECT nextval('cl_s')

SELECT last_value, is_called FROM public.cl_s

CREATE TABLE cl_ser (id serial PRIMARY KEY, x text)

INSERT INTO cl_ser (x) VALUES ('a'), ('b')

SELECT last_value, is_called FROM cl_ser_id_seq

SELECT setval(pg_get_serial_sequence('cl_ser', 'id'), (SELECT max(id) FROM cl_ser))

SELECT nextval('cl_ser_id_seq')

CREATE SCHEMA IF NOT EXISTS "public"

CREATE SCHEMA public

DROP SCHEMA IF EXISTS cl_nowhere CASCADE

DROP SCHEMA cl_nowhere

INSERT INTO cl_ser VALUES (DEFAULT, DEFAULT), (DEFAULT, DEFAULT) RETURNING x

SET ROLE nope

SET ROLE test

SET ROLE NONE

SHOW role

SET SESSION AUTHORIZATION nope

SET SESSION AUTHORIZATION test

RESET SESSION AUTHORIZATION

SET role = nope

BEGIN

DECLARE kept CURSOR FOR SELECT 1

DECLARE kept_on SCROLL CURSOR WITH HOLD FOR SELECT 1

SELECT name, statement, is_holdable, is_binary, is_scrollable, creation_time <= clock_timestamp() FROM pg_cursors ORDER BY name

CLOSE kept

COMMIT

SELECT name FROM pg_cursors

CLOSE ALL

PREPARE kept AS SELECT 1

PREPARE kept_too(int, text) AS SELECT $1, $2

SELECT name, statement, parameter_types::text, from_sql FROM pg_prepared_statements ORDER BY name

DEALLOCATE ALL

SELECT count(*) FROM pg_prepared_statements
