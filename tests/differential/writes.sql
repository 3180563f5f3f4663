CREATE TABLE w (id serial PRIMARY KEY, name text NOT NULL, n int DEFAULT 7, price numeric(6,2), d date, ok boolean DEFAULT true, code varchar(3) UNIQUE, CHECK (price >= 0))

INSERT INTO w (name) VALUES ('a')

INSERT INTO w (name, n) VALUES ('b', 5) RETURNING name, n, ok

INSERT INTO w (name, price, d) VALUES ('c', '12.345', '2024-1-2') RETURNING price, d

INSERT INTO w (name, n) VALUES ('x', 'abc')

INSERT INTO w (name, d) VALUES ('x', 'notadate')

INSERT INTO w (name) VALUES (NULL)

INSERT INTO w (name, price) VALUES ('x', -1)

INSERT INTO w (name, code) VALUES ('x', 'toolong')

INSERT INTO w (name, code) VALUES ('k', 'abc')

INSERT INTO w (name, code) VALUES ('l', 'abc')

INSERT INTO w (name, code) VALUES ('m', 'abc') ON CONFLICT (code) DO UPDATE SET name = excluded.name, n = w.n + 1 RETURNING name, n

INSERT INTO w (name, code) VALUES ('m', 'abc') ON CONFLICT DO NOTHING

INSERT INTO w (nope) VALUES (1)

INSERT INTO w (name, n) VALUES ('a')

INSERT INTO w (name) VALUES ('a', 'b')

INSERT INTO w (name, n) VALUES ('d', DEFAULT) RETURNING n

INSERT INTO w (name, price) SELECT name, salary FROM people WHERE salary IS NOT NULL

SELECT name, n, price, d, ok, code FROM w ORDER BY name, n

UPDATE w SET n = n + 1 WHERE name = 'a'

UPDATE w SET (n, price) = (1, 2.5) WHERE name = 'b' RETURNING n, price

UPDATE w SET price = p.salary FROM people p WHERE p.name = w.name AND p.id = 1

UPDATE w SET n = 'x' WHERE name = 'a'

UPDATE w SET nope = 1

UPDATE w SET n = 1 WHERE nope = 2

UPDATE w SET n = 3000000000

DELETE FROM w WHERE name = 'a' RETURNING name

DELETE FROM w USING people p WHERE p.name = w.name

DELETE FROM nope

SELECT count(*) FROM w

TRUNCATE w

SELECT count(*) FROM w

TRUNCATE TABLE w

CREATE VIEW wv AS SELECT id, name, price * 2 AS double FROM w

INSERT INTO w (name, price) VALUES ('v', 1.5)

SELECT name, double FROM wv

DROP VIEW wv

CREATE TABLE w (id int)

CREATE TABLE IF NOT EXISTS w2 (a int, b text, c timestamp DEFAULT '2024-01-01', PRIMARY KEY (a, b))

INSERT INTO w2 VALUES (1, 'x'), (1, 'y')

INSERT INTO w2 VALUES (1, 'x')

SELECT * FROM w2 ORDER BY a, b

CREATE TABLE w3 AS SELECT id, name FROM people

SELECT id, name FROM w3 ORDER BY id

DROP TABLE w3

DROP TABLE w3

DROP TABLE IF EXISTS w3

CREATE TABLE w4 (a smallint, b bigint, c real, d double precision, e char(3), f uuid, g jsonb, h bytea, i interval, j time, k timestamptz, l int[])

INSERT INTO w4 VALUES (1, 2, 1.5, 2.5, 'ab', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{"b":1,"a":2}', '\x01ff', '90 minutes', '7:05', '2024-01-02 03:04:05+02', '{1,2}')

SELECT * FROM w4

INSERT INTO w4 (a) VALUES (70000)

INSERT INTO w4 (g) VALUES ('{bad')

INSERT INTO orders VALUES (99, 12345, 1, '2024-01-01', NULL)

CREATE INDEX w_name ON w (name)

DROP TABLE w2

DROP TABLE w4

CREATE TABLE w_rows (id int, kind text)

INSERT INTO w_rows VALUES (1,'a'),(2,'a'),(3,'b'),(4,'b')

delete FROM w_rows WHERE ctid in (SELECT ctid FROM w_rows WHERE kind = 'a' ORDER BY id limit 1)

update w_rows SET kind = 'c' WHERE ctid in (SELECT w_rows.ctid FROM w_rows join (VALUES (2)) v(n) ON v.n = w_rows.id)

delete FROM w_rows a using w_rows b WHERE a.ctid < b.ctid AND a.kind = b.kind

SELECT * FROM w_rows ORDER BY id

delete FROM w_rows WHERE w_rows.ctid = any (ARRAY(SELECT ctid FROM w_rows))

CREATE TABLE w_computed (a int, b int DEFAULT 7, c int GENERATED ALWAYS AS (b + 1) STORED)

INSERT INTO w_computed (a) VALUES (1)

UPDATE w_computed SET b = DEFAULT, c = DEFAULT RETURNING *

UPDATE w_computed SET (b, c) = (5, DEFAULT) RETURNING *

UPDATE w_computed SET c = DEFAULT RETURNING *

UPDATE w_computed x SET c = DEFAULT FROM w_computed y WHERE y.a = x.a RETURNING x.*

UPDATE w_computed SET c = 3

UPDATE w_computed SET (b, c) = (SELECT 1, 2)

DROP TABLE w_computed

CREATE TABLE scaled (id int PRIMARY KEY, n numeric(12,3))

CREATE TABLE unscaled (id int PRIMARY KEY, v numeric, t text)

INSERT INTO scaled VALUES (1, 1.5), (2, 2), (3, NULL), (4, -0.1)

INSERT INTO unscaled SELECT id, n, n::text FROM scaled

SELECT * FROM unscaled ORDER BY id

INSERT INTO unscaled VALUES (7, (SELECT n FROM scaled WHERE id = 1), 'x') RETURNING *

UPDATE unscaled SET v = 0

UPDATE unscaled SET v = x.n FROM scaled AS x WHERE x.id = unscaled.id RETURNING unscaled.v

UPDATE unscaled SET v = (SELECT n FROM scaled WHERE id = 2) WHERE id = 7 RETURNING v

UPDATE unscaled SET (v, t) = (SELECT n, n FROM scaled WHERE id = 4) WHERE id = 7 RETURNING v, t

INSERT INTO unscaled SELECT id + 10, n FROM scaled UNION ALL SELECT id + 20, n FROM scaled RETURNING *

INSERT INTO unscaled SELECT id, n FROM scaled WHERE id = 1 ON CONFLICT (id) DO UPDATE SET v = excluded.v RETURNING v

INSERT INTO unscaled SELECT id, 9 FROM scaled WHERE id = 2 ON CONFLICT (id) DO UPDATE SET v = (SELECT n FROM scaled WHERE id = 2) RETURNING v

WITH a AS (SELECT id + 30 AS id, coalesce(n, 0) AS n, CASE WHEN id > 0 THEN n END AS m, greatest(n, n) AS g FROM scaled) INSERT INTO unscaled SELECT id, m, g::text FROM a RETURNING *

CREATE TABLE of_query AS SELECT id, n, n AS m, n + 0 AS k FROM scaled

SELECT * FROM of_query ORDER BY id

UPDATE of_query SET k = n WHERE id < 3 RETURNING k

SELECT id, v FROM unscaled WHERE v = 1.5 ORDER BY id

SELECT array_agg(n ORDER BY id), json_agg(n ORDER BY id), max(n) FROM scaled

DROP TABLE scaled, unscaled, of_query
