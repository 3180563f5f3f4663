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
