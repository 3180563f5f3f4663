CREATE TABLE json_each (id int PRIMARY KEY, key text, value int, type text, list int[])

INSERT INTO json_each VALUES (1, 'a', 10, 'x', '{1,10}'), (2, 'b', 20, 'y', '{3}'), (3, 'c', 30, 'x', NULL)

CREATE TABLE json_tree (a int)

CREATE TABLE generate_series (a int)

INSERT INTO generate_series VALUES (7)

CREATE TABLE unnest (unnest int)

INSERT INTO unnest VALUES (8)

CREATE TABLE pragma_table_info (a int PRIMARY KEY, b text UNIQUE)

CREATE TABLE pragma_table_xinfo (a int REFERENCES pragma_table_info (a))

CREATE TABLE pragma_table_list (a int)

CREATE TABLE pragma_database_list (a int)

CREATE TABLE pragma_foreign_key_list (a int)

CREATE TABLE pragma_function_list (a int)

CREATE TABLE pragma_index_list (a int)

CREATE INDEX ON pragma_index_list (a)

SELECT * FROM unnest(ARRAY[1, 2])

SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b', 'c']) AS x(a, b)

SELECT * FROM "unnest"

SELECT unnest(ARRAY[1, 2]) AS a, "unnest" FROM "unnest"

SELECT * FROM generate_series(1, 3)

SELECT * FROM generate_series, generate_series(1, 2) AS g(n)

SELECT id FROM json_each WHERE id = ANY('{1,3}') ORDER BY id

SELECT id FROM json_each WHERE value = ANY(list) ORDER BY id

SELECT id FROM json_each WHERE value <> ALL(list) ORDER BY id

SELECT id, u FROM json_each, unnest(list) AS u ORDER BY id, u

SELECT id, unnest(list) FROM json_each ORDER BY id, 2

SELECT id, list::text[] FROM json_each ORDER BY id

SELECT j.id, x.key, x.value FROM json_each j, json_each('{"k": 1}') x ORDER BY j.id

SELECT j.id, l.n FROM json_each j, LATERAL (SELECT j.value + 1 AS n) l ORDER BY j.id

SELECT * FROM json_to_recordset('[{"a": 1}, {"a": 2}]') AS x(a int)

WITH json_each AS (SELECT 5 AS five) SELECT five, u FROM json_each, unnest(ARRAY[1, 2]) u

UPDATE json_each SET value = g.n FROM generate_series(1, 3) g(n) WHERE g.n = json_each.id RETURNING id, value, g.n

WITH changed AS (DELETE FROM json_each WHERE id = 3 RETURNING id) SELECT * FROM changed

CREATE VIEW shows_elements AS SELECT id, u FROM json_each, unnest(list) AS u

SELECT * FROM shows_elements ORDER BY id, u

CREATE VIEW shows_members AS SELECT id FROM json_each WHERE id = ANY('{1,3}')

SELECT count(*) FROM shows_members

SELECT sum(n) FROM (SELECT * FROM shows_elements, generate_series(1, 3) AS n) AS x

CREATE TEMP VIEW shows_own AS SELECT id, u FROM json_each, unnest(list) AS u

SELECT * FROM shows_own ORDER BY id, u

CREATE VIEW shows_later AS SELECT unnest(ARRAY[1.5, NULL]) AS a, unnest(ARRAY['x', 'y']) AS b

DROP VIEW shows_own, shows_members, shows_elements

DROP TABLE json_each

CREATE VIEW json_each AS SELECT 1 AS one

SELECT * FROM shows_later ORDER BY b

DROP VIEW shows_later, json_each

INSERT INTO pragma_table_xinfo VALUES (1)

INSERT INTO pragma_table_info VALUES (1, 'x')

INSERT INTO pragma_table_info VALUES (2, 'x')

INSERT INTO pragma_table_info (b) VALUES ('y')

INSERT INTO pragma_table_xinfo VALUES (1)

DROP TABLE pragma_table_info

ALTER TABLE pragma_table_info ALTER a TYPE bigint

ALTER TABLE pragma_table_list ADD COLUMN b int DEFAULT 3

SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_name LIKE 'pragma%' ORDER BY 1, 2

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid::regclass::text LIKE 'pragma%' ORDER BY 1

DROP TABLE json_tree

DROP TABLE generate_series

DROP TABLE unnest

DROP TABLE pragma_table_xinfo

DROP TABLE pragma_table_info

DROP TABLE pragma_table_list

DROP TABLE pragma_database_list

DROP TABLE pragma_foreign_key_list

DROP TABLE pragma_function_list

DROP TABLE pragma_index_list
