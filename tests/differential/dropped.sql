CREATE TABLE drp_g (id serial PRIMARY KEY, a int, b int, g text GENERATED ALWAYS AS (a::text) STORED, s int GENERATED ALWAYS AS (a + b) STORED)

INSERT INTO drp_g (a, b) VALUES (1, 2), (3, 4)

ALTER TABLE drp_g DROP COLUMN a

ALTER TABLE drp_g DROP COLUMN IF EXISTS b RESTRICT

SELECT * FROM drp_g ORDER BY id

ALTER TABLE drp_g DROP COLUMN b CASCADE

SELECT * FROM drp_g ORDER BY id

ALTER TABLE drp_g DROP COLUMN g

ALTER TABLE drp_g DROP COLUMN a

SELECT * FROM drp_g ORDER BY id

CREATE TABLE drp_c (a text, b text CHECK (b <> a), c text CONSTRAINT a CHECK (c <> b), d text, CHECK (a <> d), CHECK (lower(d) <> 'a'), CONSTRAINT lower CHECK (d <> c))

ALTER TABLE drp_c DROP COLUMN a

INSERT INTO drp_c VALUES ('a', 'c', 'd')

INSERT INTO drp_c VALUES ('a', 'a', 'd')

INSERT INTO drp_c VALUES ('a', 'c', 'A')

INSERT INTO drp_c VALUES ('a', 'c', 'c')

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'drp_c'::regclass ORDER BY conname

CREATE TABLE name (name text PRIMARY KEY, note text)

CREATE TABLE drp_k (id int PRIMARY KEY, name text, other text REFERENCES name (name), lower text, text text, up int REFERENCES drp_k (id), note text, FOREIGN KEY (note) REFERENCES name (name), CHECK (lower(note) > ''), CHECK (CAST(id AS text) > ''))

CREATE INDEX drp_k_note ON drp_k (lower(note), other)

CREATE INDEX drp_k_where ON drp_k (note) WHERE lower > ''

ALTER TABLE drp_k DROP COLUMN name, DROP COLUMN lower, DROP COLUMN text

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'drp_k'::regclass ORDER BY conname

SELECT indexname FROM pg_indexes WHERE tablename = 'drp_k' ORDER BY indexname

ALTER TABLE drp_k DROP COLUMN id

ALTER TABLE drp_k DROP COLUMN id CASCADE

INSERT INTO drp_k VALUES (NULL, 5, NULL) RETURNING *

CREATE TABLE drp_v (a text, b text)

CREATE VIEW drp_view AS SELECT a AS x, b AS y FROM drp_v

ALTER TABLE drp_v DROP COLUMN a

ALTER TABLE drp_v DROP COLUMN a CASCADE

SELECT * FROM drp_view

ALTER TABLE drp_v RENAME b TO b

ALTER TABLE drp_v RENAME nosuch TO nosuch

ALTER TABLE drp_v ADD COLUMN c varchar(5) DEFAULT 'toolongvalue'

ALTER TABLE drp_v ADD COLUMN c char(3) DEFAULT 'abcd'

ALTER TABLE drp_v ADD COLUMN c bit(3) DEFAULT '10'

ALTER TABLE drp_v ADD COLUMN c numeric(3, 1) DEFAULT 1000

ALTER TABLE drp_v ADD COLUMN c timestamptz DEFAULT 'abc'

ALTER TABLE drp_v ADD COLUMN c int DEFAULT 'abc'

INSERT INTO drp_v VALUES ('row')

ALTER TABLE drp_v ADD COLUMN c varchar(5) DEFAULT 'toolongvalue'

ALTER TABLE drp_v ADD COLUMN c varchar(5) DEFAULT 'fine', ADD COLUMN d char(4) DEFAULT 'ab', ADD COLUMN e bit(2) DEFAULT '10', ADD COLUMN f varchar(3) DEFAULT 'ab' || 'c', ADD COLUMN g timestamp DEFAULT '2024-01-02', ADD COLUMN h text DEFAULT NULL

SELECT * FROM drp_v

CREATE TABLE drp_bad (a timestamptz DEFAULT 'abc')

CREATE TABLE drp_bad (a date DEFAULT '2024-02-30')

CREATE TABLE drp_bad (a interval DEFAULT 'long')

CREATE TABLE drp_bad (a uuid DEFAULT 'long')

CREATE TABLE drp_bad (a varchar(3) DEFAULT 'long', b int)

INSERT INTO drp_bad (b) VALUES (1)

ALTER TABLE drp_bad ALTER a SET DEFAULT 'none', ALTER b SET DEFAULT 'x'

ALTER TABLE drp_bad ALTER a TYPE int

ALTER TABLE drp_bad ALTER a TYPE int USING 1

ALTER TABLE drp_bad ALTER a TYPE text

ALTER TABLE drp_bad ALTER b SET DEFAULT 7, ALTER b TYPE bigint

ALTER TABLE drp_bad ALTER b TYPE boolean USING true

ALTER TABLE drp_bad ALTER b DROP DEFAULT

ALTER TABLE drp_bad ALTER b TYPE boolean USING true

CREATE TABLE drp_j (j json UNIQUE)

CREATE TABLE drp_j (j json PRIMARY KEY)

CREATE TABLE drp_j (i int, j json, UNIQUE (i, j))

CREATE TABLE drp_j (i int, j json)

CREATE INDEX ON drp_j (j)

CREATE INDEX ON drp_j (i, (j -> 'a'))

CREATE INDEX ON drp_j ((j ->> 'a'))

ALTER TABLE drp_j ADD UNIQUE (j)

ALTER TABLE drp_j ADD PRIMARY KEY (i, j)

CREATE TABLE drp_s (t timestamp, x text GENERATED ALWAYS AS (t::text) STORED)

CREATE TABLE drp_s (t date, x text GENERATED ALWAYS AS (t::text) STORED)

CREATE TABLE drp_s (t timestamp, x text GENERATED ALWAYS AS (to_char(t, 'YYYY')) STORED)

CREATE TABLE drp_s (t text, x timestamp GENERATED ALWAYS AS (t::timestamp) STORED)

CREATE TABLE drp_s (t text, x date GENERATED ALWAYS AS (t::date) STORED)

CREATE TABLE drp_s (t int, x timestamp GENERATED ALWAYS AS (now()) STORED)

CREATE TABLE drp_s (t date, x int GENERATED ALWAYS AS (t - date '2024-01-01') STORED, y timestamp GENERATED ALWAYS AS (t + interval '1 day') STORED)

CREATE INDEX ON drp_s ((y::text))

CREATE INDEX ON drp_s ((y::date))
