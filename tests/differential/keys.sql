CREATE TABLE k (id serial PRIMARY KEY, name varchar(20) COLLATE "C")

INSERT INTO k (name) VALUES ('pg_a'), ('PG_b') RETURNING id

SELECT * FROM k WHERE name LIKE 'pg_%'

SELECT currval('k_id_seq'), lastval()

CREATE TABLE k2 (id smallint PRIMARY KEY, a int)

INSERT INTO k2 VALUES (40000, 1)

INSERT INTO k2 VALUES (4, 1) RETURNING *

SELECT id + 1 FROM k2

CREATE TABLE k3 (id serial PRIMARY KEY, m mytype)

SELECT CAST('a' AS mytype)

SELECT * FROM ONLY k ORDER BY id

SELECT * FROM upper('abc')

SELECT * FROM upper('abc') AS u(x)

SELECT k.id, l FROM k, lower(k.name) AS l ORDER BY 1

SELECT elem FROM jsonb_array_elements('[1,"a"]') AS elem

SELECT tag, length(tag) FROM unnest(ARRAY['a', 'bc']) AS tag ORDER BY 1

SELECT date_trunc('day', timestamptz '2024-06-01 23:30:00+00', 'Europe/Madrid'), make_timestamptz(2024, 1, 2, 3, 4, 5)

SELECT id, name FROM k GROUP BY id ORDER BY id

INSERT INTO k (id, name) VALUES (DEFAULT, 'x') ON CONFLICT (id) DO NOTHING RETURNING id, name

SELECT array_agg(id ORDER BY id) FROM k

SELECT sum(id), avg(id), max(id) FROM k

ALTER TABLE k ADD COLUMN b int DEFAULT 5

INSERT INTO k (name) VALUES ('after') RETURNING id, b

SELECT * FROM k ORDER BY id

CREATE TABLE ref_parent(id int PRIMARY KEY, code text UNIQUE)

CREATE TABLE ref_child(pid int REFERENCES ref_parent ON UPDATE CASCADE, pc text REFERENCES ref_parent(code))

CREATE TABLE ref_other(pc text REFERENCES ref_parent(code))

INSERT INTO ref_parent VALUES (1, 'a'), (2, 'b')

INSERT INTO ref_child VALUES (1, 'a')

UPDATE ref_parent SET id = 5, code = 'c' WHERE id = 1

UPDATE ref_parent SET id = 5 WHERE id = 1

UPDATE ref_parent SET code = 'z' WHERE code = 'b'

DELETE FROM ref_parent
