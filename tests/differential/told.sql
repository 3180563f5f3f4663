CREATE TABLE told (ia int[], ta text[], i int, j int, big bigint, s text, v varchar(10), c char(3), by bytea, bt bit(4), iv interval, d date, ts timestamp, n numeric, js jsonb, g1 int GENERATED ALWAYS AS (ia[1]) STORED, g2 int[] GENERATED ALWAYS AS (ia[1:2]) STORED, g3 boolean GENERATED ALWAYS AS (s LIKE ANY (ARRAY['a%', 'b%'])) STORED, g4 boolean GENERATED ALWAYS AS (s ILIKE 'a!%' ESCAPE '!') STORED, g5 boolean GENERATED ALWAYS AS (s SIMILAR TO 'a(b|c)%') STORED, g6 boolean GENERATED ALWAYS AS (iv > interval '1 day') STORED, g7 boolean GENERATED ALWAYS AS (by = '\x00ff') STORED, g8 bit(4) GENERATED ALWAYS AS (bt & B'0011') STORED, g9 double precision GENERATED ALWAYS AS (i ^ 2) STORED, CONSTRAINT t01 CHECK (ia[1] > 0), CONSTRAINT t02 CHECK (ia[1:2] IS NOT NULL), CONSTRAINT t03 CHECK (ia[2:] <> '{1}' AND ia[:2] IS NOT NULL AND ia[:] IS NOT NULL), CONSTRAINT t04 CHECK ((string_to_array(s, ','))[1] <> 'z'), CONSTRAINT t05 CHECK (s LIKE ANY (ARRAY['a%', 'b%'])), CONSTRAINT t06 CHECK (s NOT LIKE ALL (ARRAY['x%', 'y%'])), CONSTRAINT t07 CHECK (s ILIKE 'a%' ESCAPE '!'), CONSTRAINT t08 CHECK (s NOT LIKE 'z!%' ESCAPE '!'), CONSTRAINT t09 CHECK (s SIMILAR TO 'a%'), CONSTRAINT t10 CHECK (v NOT SIMILAR TO 'a#%' ESCAPE '#'), CONSTRAINT t11 CHECK (iv > interval '1 day'), CONSTRAINT t12 CHECK (iv BETWEEN '1 hour' AND '2 years'), CONSTRAINT t13 CHECK (by <> '\x00'), CONSTRAINT t14 CHECK (by || '\x01' <> '\x0101'::bytea), CONSTRAINT t15 CHECK (bt & B'0001' = B'0001'), CONSTRAINT t16 CHECK ((i, j) <> (1, 2)), CONSTRAINT t17 CHECK ((i, j) = (1, 1) OR (i, j) < (9, 9)), CONSTRAINT t18 CHECK (ROW(i, j) IS NOT NULL), CONSTRAINT t19 CHECK (i BETWEEN SYMMETRIC 10 AND 1), CONSTRAINT t20 CHECK (i NOT BETWEEN SYMMETRIC (j + 10) AND 100), CONSTRAINT t21 CHECK (CASE WHEN i > 0 THEN j > 0 ELSE true END), CONSTRAINT t22 CHECK (big % 7 <> 6 AND big & 1 >= 0 AND i + big > 0), CONSTRAINT t23 CHECK (s NOT ILIKE 'q%'), CONSTRAINT t24 CHECK (c LIKE 'ab%'))

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'told'::regclass ORDER BY conname

SELECT column_name, generation_expression FROM information_schema.columns WHERE table_name = 'told' AND is_generated = 'ALWAYS' ORDER BY 1

SELECT attname, pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = 'told'::regclass ORDER BY attname

CREATE INDEX told1 ON told ((ia[1])) WHERE ia[2:] IS NOT NULL

CREATE INDEX told2 ON told ((ia[1:2]), s DESC) WHERE s LIKE ANY (ARRAY['a%', 'b%'])

CREATE INDEX told3 ON told ((i # j)) WHERE (i, j) <> (1, 2)

CREATE INDEX told4 ON told ((bt & B'0011')) WHERE iv > interval '1 day'

CREATE INDEX told5 ON told ((s ILIKE 'a%' ESCAPE '!')) WHERE s SIMILAR TO 'a%'

CREATE INDEX told6 ON told ((by || '\x01')) WHERE by <> '\x00'

CREATE INDEX told7 ON told ((i ^ 2)) WHERE i BETWEEN SYMMETRIC 3 AND 1

SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'told' ORDER BY 1

INSERT INTO told (ia, i, j, big, s, v, by, bt, iv, c) VALUES ('{3,4}', 1, 1, 10, 'ab%', 'a', '\x00ff', '0111', '2 days', 'abc') RETURNING g1, g2, g3, g4, g5, g6, g7, g8, g9

INSERT INTO told (ia) VALUES ('{0}')

INSERT INTO told (s) VALUES ('xab')

ALTER TABLE told RENAME COLUMN ia TO "I a"

ALTER TABLE told RENAME s TO "select"

ALTER TABLE told ADD CONSTRAINT t25 CHECK ("select" LIKE ANY (ARRAY["select", v || '%']))

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'told'::regclass ORDER BY conname

SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'told' ORDER BY 1

CREATE TABLE told_any (a int, ia int[], n numeric, na numeric[], s text, sa text[], d date, da date[], CONSTRAINT u1 CHECK (a = ANY (ia)), CONSTRAINT u2 CHECK (n <> ALL (na)), CONSTRAINT u3 CHECK (s < ANY (sa)), CONSTRAINT u4 CHECK (d >= ALL (da)), CONSTRAINT u5 CHECK (s LIKE ANY (ARRAY['x' || a::text, 'b'])), CONSTRAINT u6 CHECK (lower(s) <> ALL (ARRAY['q', s || 'q'])), CONSTRAINT u7 CHECK (a <> ALL (ARRAY[n::int, 7])))

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'told_any'::regclass ORDER BY conname

INSERT INTO told_any VALUES (1, '{2,1}', 1.5, '{1,2.50}', 'b', '{a,c}', '2024-01-02', '{2024-01-01,2024-01-02}'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (1, '{2,NULL}', 1, '{}', 'b', '{NULL}', '2024-01-02', '{}')

INSERT INTO told_any (a, ia) VALUES (1, '{2}')

INSERT INTO told_any (n, na) VALUES (1.0, '{2,1.00}')

INSERT INTO told_any (s, sa) VALUES ('b', '{a,b}')

INSERT INTO told_any (d, da) VALUES ('2024-01-02', '{2024-01-01,2024-01-03}')

INSERT INTO told_any (a, s) VALUES (1, 'x2')

INSERT INTO told_any (a, n) VALUES (1, 1)

CREATE INDEX told_any1 ON told_any (a) WHERE a = ANY (ia)

CREATE INDEX told_any2 ON told_any (s) WHERE s LIKE ANY (ARRAY['x' || a::text, 'b'])

SELECT a, s FROM told_any WHERE a = ANY (ia) ORDER BY a, s

SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'told_any' ORDER BY 1

CREATE TABLE told_signs (i int, bt bit(4), ts timestamp, iv interval, CHECK (~ bt <> '0000' AND @ i >= + i), CHECK ((ts, iv) OVERLAPS (ts, iv) OR ts IS NULL))

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'told_signs'::regclass ORDER BY conname

INSERT INTO told_signs VALUES (1, '0111', '2024-01-01', '1 day')

INSERT INTO told_signs VALUES (1, '1111', '2024-01-01', '1 day')

CREATE TABLE told_arrays (i int, n numeric, ia int[], s text, a1 int[] DEFAULT '{{1,2},{3,4}}', a2 int[] DEFAULT ARRAY[[1, 2], [3, 4]], a3 bigint[] DEFAULT ARRAY[[1, 2], [3, 4]], a4 text[] DEFAULT ARRAY[['a', NULL], ['b', 'c']], a5 char(3)[] DEFAULT '{ab,c}', a6 char(2)[] DEFAULT '{"a b",NULL}', a7 bit(3)[] DEFAULT '{101}', a8 varbit(3)[] DEFAULT '{1}', a9 numeric(4,1)[] DEFAULT '{1.25}', b1 timestamp(0)[] DEFAULT '{"2020-01-01 00:00:00.7"}', b2 varchar(2)[] DEFAULT ARRAY['ab', 'c'], b3 bit(3) DEFAULT '101', b4 timestamp(0) DEFAULT '2020-01-01 00:00:00.7', b5 char(3) DEFAULT 'ab', b6 numeric(4,1) DEFAULT '1.25', b7 bpchar[] DEFAULT '{ab,c}', b8 time(1) DEFAULT '12:00:00.987', CONSTRAINT ta1 CHECK (ARRAY[[i, 2], [3, 4]] <> '{}'), CONSTRAINT ta2 CHECK (ARRAY[ARRAY[1, 2], ARRAY[3, i]] <> '{}'), CONSTRAINT ta3 CHECK (ARRAY[ia, ia] <> '{}'), CONSTRAINT ta4 CHECK (ARRAY[[[i]], [[2]]] <> '{}'), CONSTRAINT ta5 CHECK (s COLLATE "C" <> 'x' AND lower(s) COLLATE "POSIX" <> 'y'))

SELECT attname, pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = 'told_arrays'::regclass ORDER BY attname

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'told_arrays'::regclass ORDER BY conname

INSERT INTO told_arrays DEFAULT VALUES RETURNING a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b8

CREATE INDEX told_arrays1 ON told_arrays ((ARRAY[ia, ia])) WHERE ARRAY[[i, 2], [3, 4]] <> '{}'

CREATE TABLE told_keys (i int, t text, b boolean, n numeric(5,2), c char(4), v varchar(5), bt bit(4))

CREATE UNIQUE INDEX told_keys1 ON told_keys ((t::bpchar))

CREATE INDEX told_keys2 ON told_keys ((b::int), (i::bigint) DESC, (v::text), (n::numeric(8,1)), (c::text), (c::varchar), (t::varchar(2)), (t::text), ((t)), (i::int), (bt::bit(3)), (i::oid), (v::varchar(9)))

CREATE INDEX told_keys3 ON told_keys (t COLLATE "C" DESC, t COLLATE "POSIX" text_pattern_ops, v COLLATE pg_catalog."C", t COLLATE "default", (t::text COLLATE "C"), (lower(t) COLLATE "C"), lower(t) COLLATE "C", ((t || v) COLLATE "C"))

SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('told_arrays', 'told_keys') ORDER BY 1

SELECT indexrelid::regclass::text, indkey::text, pg_get_indexdef(indexrelid, 1, true), pg_get_indexdef(indexrelid, 2, true) FROM pg_index WHERE indrelid = 'told_keys'::regclass ORDER BY 1

INSERT INTO told_keys (t) VALUES ('ab')

INSERT INTO told_keys (t) VALUES ('ab ')

CREATE VIEW told_between AS SELECT i BETWEEN SYMMETRIC 2 AND 1 AS x, i NOT BETWEEN SYMMETRIC n AND i + 3 AS y, t FROM told_keys WHERE i BETWEEN SYMMETRIC 1 AND 2 AND NOT t BETWEEN SYMMETRIC 'a' AND 'b' OR t BETWEEN SYMMETRIC 'z' AND 'a'

SELECT * FROM told_between

SELECT strpos(pg_get_viewdef('told_between'), 'pg:') = 0, strpos(lower(pg_get_viewdef('told_between')), 'symmetric') = 0
