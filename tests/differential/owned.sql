CREATE TEMP TABLE own_mine (i bigserial, j int)

INSERT INTO own_mine (j) VALUES (1), (2) RETURNING i

SELECT nextval('own_mine_i_seq'), currval('own_mine_i_seq')

ALTER TABLE own_mine ADD COLUMN k serial

INSERT INTO own_mine (j) VALUES (3) RETURNING k

TRUNCATE own_mine RESTART IDENTITY

INSERT INTO own_mine (j) VALUES (3) RETURNING i, k

SELECT count(*) FROM pg_class WHERE relname = 'own_mine_i_seq' AND relnamespace = 'public'::regnamespace

DROP TABLE own_mine

CREATE TEMP TABLE own_mine (i bigserial, j int)

INSERT INTO own_mine (j) VALUES (1) RETURNING i

DROP TABLE own_mine

CREATE TEMP TABLE own_mine (i serial PRIMARY KEY, j int)

INSERT INTO own_mine (j) VALUES (1) RETURNING i

SELECT nextval('own_mine_i_seq')

DROP TABLE own_mine

CREATE TEMPORARY SEQUENCE own_seq START 5

SELECT nextval('own_seq')

ALTER SEQUENCE own_seq RESTART WITH 9

SELECT nextval('own_seq')

DROP SEQUENCE own_seq

SELECT nextval('own_seq')

CREATE TABLE own_shelf (id int, n serial)

ALTER TABLE own_shelf RENAME TO own_board

ALTER TABLE own_board RENAME COLUMN n TO m

INSERT INTO own_board (id) VALUES (1) RETURNING m

SELECT pg_get_serial_sequence('own_board', 'm')

ALTER SEQUENCE own_shelf_n_seq RENAME TO own_numbers

SELECT nextval('own_numbers')

ALTER SEQUENCE own_numbers RENAME TO own_shelf_n_seq

DROP TABLE own_board

SELECT count(*) FROM pg_class WHERE relname = 'own_shelf_n_seq'

CREATE TABLE own_key (id serial PRIMARY KEY, n int UNIQUE, s text, u varchar(9))

ALTER SEQUENCE own_key_id_seq AS int

ALTER SEQUENCE own_key_id_seq OWNED BY own_key.id

ALTER SEQUENCE own_key_id_seq RESTART WITH 7

INSERT INTO own_key (n) VALUES (1) RETURNING id

CREATE SEQUENCE own_wide AS int

ALTER SEQUENCE own_wide AS bigint

SELECT data_type::text, max_value FROM pg_sequences WHERE sequencename = 'own_wide'

ALTER SEQUENCE own_wide MAXVALUE 100000

ALTER SEQUENCE own_wide AS smallint

ALTER SEQUENCE IF EXISTS own_nope AS bigint

ALTER SEQUENCE own_nope AS bigint

DROP SEQUENCE own_wide

ALTER TABLE own_key ALTER n SET STATISTICS 100

ALTER TABLE own_key ALTER nn SET STATISTICS 100

ALTER TABLE own_key ALTER COLUMN s SET STORAGE EXTERNAL, ALTER n SET STATISTICS -1

CREATE INDEX own_n ON own_key (n) TABLESPACE pg_default

ALTER TABLE own_key ADD CONSTRAINT own_twin UNIQUE (n)

ALTER TABLE own_key ADD CONSTRAINT own_id UNIQUE (id)

ALTER TABLE own_key ADD UNIQUE (n)

SELECT conname, contype, conkey FROM pg_constraint WHERE conrelid = 'own_key'::regclass ORDER BY 1

ALTER TABLE own_key DROP CONSTRAINT own_twin

SELECT conname FROM pg_constraint WHERE conrelid = 'own_key'::regclass ORDER BY 1

CREATE INDEX own_asked ON own_key (s text_pattern_ops NULLS FIRST, n DESC NULLS LAST) INCLUDE (id) WHERE n > 0

CREATE INDEX own_usual ON own_key (n NULLS LAST, s DESC, id ASC NULLS LAST)

CREATE INDEX own_lower ON own_key (lower(s) varchar_pattern_ops, n int4_ops, u varchar_pattern_ops)

CREATE UNIQUE INDEX own_wide ON own_key (id) INCLUDE (n, s)

CREATE INDEX own_none ON own_key (id) INCLUDE (nosuch)

ALTER INDEX own_usual RENAME TO own_renamed

ALTER TABLE own_key ALTER n TYPE bigint

SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'own_key' ORDER BY indexname

SELECT c.relname, i.indnatts, i.indnkeyatts, i.indkey, i.indclass, i.indoption FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'own_key'::regclass AND c.relname <> 'own_lower' ORDER BY c.relname

INSERT INTO own_key (n, s) VALUES (2, 'b'), (3, 'a') RETURNING id

SELECT id FROM own_key ORDER BY s NULLS FIRST, n DESC NULLS LAST

DROP TABLE own_key

CREATE TABLE own_words (a text CHECK (lower(a) = 'x'), d text DEFAULT lower('X'))

CREATE INDEX own_words_i ON own_words (lower(a)) WHERE upper(a) > 'x'

ALTER TABLE own_words RENAME a TO b

SELECT indexdef FROM pg_indexes WHERE tablename = 'own_words'

SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'own_words'::regclass

DROP TABLE own_words
