CREATE TABLE alt_shelf (id int PRIMARY KEY, code text UNIQUE, room varchar(10) DEFAULT 'hall', size numeric(6,2), made date)

CREATE TABLE alt_box (id serial PRIMARY KEY, shelf_id int REFERENCES alt_shelf (id), label text NOT NULL, weight int CHECK (weight > 0))

CREATE VIEW alt_heavy AS SELECT id, label FROM alt_box WHERE weight > 50

INSERT INTO alt_shelf VALUES (1, 'a', 'attic', 1.5, '2024-01-01'), (2, 'b', DEFAULT, NULL, NULL)

INSERT INTO alt_box (shelf_id, label, weight) VALUES (1, 'books', 80), (1, 'plates', 20), (NULL, 'toys', NULL)

ALTER TABLE alt_shelf ADD COLUMN note text

ALTER TABLE alt_shelf ADD note text

ALTER TABLE alt_shelf ADD COLUMN floor int NOT NULL

ALTER TABLE alt_shelf ADD COLUMN floor int NOT NULL DEFAULT 1 CHECK (floor < 9)

SELECT id, note, floor FROM alt_shelf ORDER BY id

INSERT INTO alt_shelf (id, floor) VALUES (3, 9)

INSERT INTO alt_shelf (id, floor) VALUES (3, NULL)

ALTER TABLE alt_shelf ADD COLUMN opened timestamp DEFAULT '2024-05-05 10:00', ADD COLUMN serial_no uuid UNIQUE, DROP COLUMN made

SELECT * FROM alt_shelf ORDER BY id

UPDATE alt_shelf SET serial_no = '00000000-0000-0000-0000-000000000001'

ALTER TABLE alt_shelf ADD COLUMN owner_id int REFERENCES alt_box (id) ON DELETE SET NULL

UPDATE alt_shelf SET owner_id = 99 WHERE id = 1

UPDATE alt_shelf SET owner_id = 2 WHERE id = 1

DELETE FROM alt_box WHERE id = 2

SELECT id, owner_id FROM alt_shelf ORDER BY id

ALTER TABLE alt_shelf RENAME COLUMN room TO place

INSERT INTO alt_shelf (id) VALUES (4) RETURNING place, floor, opened

ALTER TABLE alt_shelf RENAME COLUMN place TO code

ALTER TABLE alt_shelf RENAME nosuch TO x

ALTER TABLE alt_shelf ALTER COLUMN place SET DEFAULT 'cellar'

ALTER TABLE alt_shelf ALTER place DROP DEFAULT, ALTER floor SET DEFAULT 2

INSERT INTO alt_shelf (id) VALUES (5) RETURNING place, floor

ALTER TABLE alt_shelf ALTER COLUMN place TYPE varchar(3)

ALTER TABLE alt_shelf ALTER COLUMN place TYPE varchar(30)

UPDATE alt_shelf SET place = 'a place of twenty-six signs' WHERE id = 5

ALTER TABLE alt_shelf ALTER COLUMN size TYPE int

SELECT id, size FROM alt_shelf ORDER BY id

ALTER TABLE alt_shelf ALTER COLUMN size TYPE text USING size || ' m'

SELECT id, size FROM alt_shelf ORDER BY id

ALTER TABLE alt_shelf ALTER COLUMN size TYPE boolean

ALTER TABLE alt_shelf ALTER COLUMN code SET NOT NULL

UPDATE alt_shelf SET code = 'c' || id WHERE code IS NULL

ALTER TABLE alt_shelf ALTER COLUMN code SET NOT NULL

UPDATE alt_shelf SET code = NULL WHERE id = 1

ALTER TABLE alt_shelf ALTER COLUMN code DROP NOT NULL

UPDATE alt_shelf SET code = NULL WHERE id = 1

ALTER TABLE alt_shelf ALTER COLUMN id DROP NOT NULL

ALTER TABLE alt_shelf ALTER COLUMN nosuch SET NOT NULL

ALTER TABLE alt_shelf ADD CONSTRAINT alt_low CHECK (floor <= 2)

ALTER TABLE alt_shelf ADD CONSTRAINT alt_lower CHECK (floor < 2)

UPDATE alt_shelf SET floor = 3 WHERE id = 1

ALTER TABLE alt_shelf ADD CONSTRAINT alt_low CHECK (floor <= 2)

ALTER TABLE alt_shelf RENAME CONSTRAINT alt_low TO alt_bottom

ALTER TABLE alt_shelf DROP CONSTRAINT alt_low

ALTER TABLE alt_shelf DROP CONSTRAINT IF EXISTS alt_low

ALTER TABLE alt_shelf DROP CONSTRAINT alt_bottom

UPDATE alt_shelf SET floor = 3 WHERE id = 1

ALTER TABLE alt_shelf ADD CONSTRAINT alt_once UNIQUE (place, floor)

UPDATE alt_shelf SET place = 'x', floor = 1

ALTER TABLE alt_shelf DROP CONSTRAINT alt_once

UPDATE alt_shelf SET place = 'x', floor = 1

ALTER TABLE alt_shelf ADD UNIQUE (place)

ALTER TABLE alt_shelf ADD PRIMARY KEY (code)

ALTER TABLE alt_shelf DROP CONSTRAINT alt_shelf_code_key

UPDATE alt_shelf SET code = 'same'

SELECT conname, contype FROM pg_constraint WHERE conrelid = 'alt_shelf'::regclass ORDER BY conname

ALTER TABLE alt_box ADD CONSTRAINT alt_box_shelf2 FOREIGN KEY (shelf_id) REFERENCES alt_shelf ON DELETE CASCADE

ALTER TABLE alt_box DROP CONSTRAINT alt_box_shelf_id_fkey

DELETE FROM alt_shelf WHERE id = 1

SELECT id, label FROM alt_box ORDER BY id

ALTER TABLE alt_box ADD CONSTRAINT alt_wrong FOREIGN KEY (id) REFERENCES alt_shelf (id)

ALTER TABLE alt_box ADD CONSTRAINT alt_untrue FOREIGN KEY (label) REFERENCES alt_shelf (code)

ALTER TABLE alt_box ADD CONSTRAINT alt_later CHECK (label <> 'toys') NOT VALID

INSERT INTO alt_box (label) VALUES ('toys')

ALTER TABLE alt_box VALIDATE CONSTRAINT alt_later

DROP VIEW alt_heavy

ALTER TABLE alt_box RENAME COLUMN label TO title

CREATE VIEW alt_titles AS SELECT title FROM alt_box

ALTER TABLE alt_box RENAME COLUMN title TO caption

SELECT title FROM alt_titles ORDER BY title

ALTER TABLE alt_box DROP COLUMN caption

ALTER TABLE alt_box DROP COLUMN caption CASCADE

SELECT * FROM alt_titles

SELECT * FROM alt_box ORDER BY id

ALTER TABLE alt_box RENAME TO alt_crate

INSERT INTO alt_crate (weight) VALUES (5) RETURNING weight

INSERT INTO alt_box (weight) VALUES (5)

ALTER TABLE alt_box RENAME TO other

ALTER TABLE IF EXISTS alt_box RENAME TO other

ALTER TABLE alt_crate RENAME TO alt_shelf

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'alt_crate'::regclass ORDER BY conname

CREATE INDEX alt_crate_weight ON alt_crate (weight)

ALTER INDEX alt_crate_weight RENAME TO alt_crate_w

ALTER INDEX alt_crate_weight RENAME TO alt_crate_v

ALTER INDEX IF EXISTS alt_crate_weight RENAME TO alt_crate_v

ALTER INDEX alt_crate_w RENAME TO alt_shelf

SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'alt_crate' ORDER BY indexname

ALTER INDEX alt_crate_w RESET (fillfactor)

DROP INDEX alt_crate_w

CREATE SEQUENCE alt_seq START 5

SELECT nextval('alt_seq') AS first

ALTER SEQUENCE alt_seq INCREMENT BY 10

SELECT nextval('alt_seq') AS second

ALTER SEQUENCE alt_seq MAXVALUE 20

SELECT nextval('alt_seq') AS beyond

ALTER SEQUENCE alt_seq MINVALUE 5 START 6 RESTART CYCLE

SELECT nextval('alt_seq'), nextval('alt_seq'), nextval('alt_seq')

ALTER SEQUENCE alt_seq MAXVALUE 1

ALTER SEQUENCE alt_seq RENAME TO alt_numbers

SELECT nextval('alt_seq') AS gone

SELECT nextval('alt_numbers') AS next

ALTER SEQUENCE nosuch RESTART

ALTER SEQUENCE IF EXISTS nosuch RESTART

ALTER SEQUENCE alt_numbers OWNED BY alt_crate.weight

ALTER TABLE alt_crate ALTER COLUMN weight SET DEFAULT nextval('alt_numbers')

INSERT INTO alt_crate DEFAULT VALUES RETURNING weight

SELECT pg_get_serial_sequence('alt_crate', 'weight')

DROP SEQUENCE alt_numbers

ALTER TABLE alt_crate ALTER COLUMN weight ADD GENERATED BY DEFAULT AS IDENTITY

ALTER TABLE alt_crate ALTER COLUMN weight DROP DEFAULT

ALTER TABLE alt_crate DROP COLUMN weight

SELECT nextval('alt_numbers') AS gone

COMMENT ON TABLE alt_crate IS 'what is carried'

COMMENT ON COLUMN alt_crate.id IS 'its number'

SELECT obj_description('alt_crate'::regclass, 'pg_class'), col_description('alt_crate'::regclass, 1)

COMMENT ON TABLE alt_crate IS NULL

SELECT obj_description('alt_crate'::regclass, 'pg_class')

COMMENT ON TABLE nosuch IS 'x'

COMMENT ON COLUMN alt_crate.nosuch IS 'x'

COMMENT ON VIEW alt_crate IS 'x'

CREATE VIEW alt_view AS SELECT id FROM alt_crate

COMMENT ON VIEW alt_view IS 'a view'

SELECT obj_description('alt_view'::regclass, 'pg_class')

ALTER VIEW alt_view RENAME TO alt_window

SELECT count(*) FROM alt_window

ALTER VIEW alt_window RENAME COLUMN id TO number

SELECT count(number) FROM alt_window

SELECT id FROM alt_window

ALTER TABLE alt_window RENAME TO alt_pane

SELECT count(*) FROM alt_pane

CREATE INDEX alt_crate_id ON alt_crate (id)

COMMENT ON INDEX alt_crate_id IS 'an index'

SELECT obj_description('alt_crate_id'::regclass, 'pg_class')

COMMENT ON CONSTRAINT alt_crate_pkey ON alt_crate IS 'a key'

COMMENT ON CONSTRAINT nosuch ON alt_crate IS 'x'

ALTER TABLE nosuch ADD COLUMN a int

ALTER TABLE IF EXISTS nosuch ADD COLUMN a int

ALTER TABLE alt_crate ADD COLUMN unknown nosuchtype

ALTER TABLE alt_crate DROP COLUMN IF EXISTS unknown

ALTER TABLE alt_crate ADD COLUMN a int DEFAULT 'x'

ALTER TABLE alt_crate ADD COLUMN a int CHECK (nosuch > 0)

ALTER TABLE alt_crate ADD COLUMN doubled int GENERATED ALWAYS AS (id * 2) STORED

SELECT id * 2 = doubled, doubled > 0 FROM alt_crate

ALTER TABLE alt_crate ALTER COLUMN doubled DROP EXPRESSION

UPDATE alt_crate SET doubled = 0 WHERE id = 1

BEGIN

ALTER TABLE alt_crate ADD COLUMN passing int DEFAULT 4

INSERT INTO alt_crate (passing) VALUES (8) RETURNING passing

ALTER TABLE alt_crate RENAME TO alt_moved

SELECT sum(passing) > 8 FROM alt_moved

ROLLBACK

SELECT passing FROM alt_crate

SELECT count(*) FROM alt_moved

ALTER TABLE alt_crate SET SCHEMA nosuch

ALTER TABLE alt_crate OWNER TO CURRENT_USER

ALTER TABLE alt_crate SET (fillfactor = 70)

ALTER TABLE alt_crate ALTER COLUMN id SET STATISTICS 100

ALTER TABLE alt_crate DISABLE TRIGGER ALL

ALTER TABLE alt_crate ENABLE ROW LEVEL SECURITY

ALTER TABLE alt_crate ADD COLUMN tags text[] DEFAULT '{a,b}', ADD COLUMN facts jsonb DEFAULT '{"a": 1}', ADD COLUMN yes boolean DEFAULT true

SELECT tags, facts, yes FROM alt_crate ORDER BY id LIMIT 1

ALTER TABLE alt_crate ALTER COLUMN yes TYPE int USING CASE WHEN yes THEN 1 ELSE 0 END

ALTER TABLE alt_crate ADD COLUMN no boolean DEFAULT true

ALTER TABLE alt_crate ALTER COLUMN no DROP DEFAULT, ALTER COLUMN no TYPE int USING CASE WHEN no THEN 1 ELSE 0 END, ALTER COLUMN no SET DEFAULT 5

SELECT no FROM alt_crate ORDER BY id LIMIT 1

INSERT INTO alt_crate DEFAULT VALUES RETURNING no, tags

ALTER TABLE alt_shelf DROP COLUMN id

DROP TABLE alt_crate

DROP TABLE alt_crate, alt_shelf CASCADE

CREATE TABLE alt_renamed (id int PRIMARY KEY, name varchar(20) CHECK (name LIKE 'a%' OR name IN ('x', 'y')), lower text DEFAULT upper('q'), low text GENERATED ALWAYS AS (lower(name)) STORED, size int, CONSTRAINT alt_sized CHECK (size > 0 OR name <> 'name'))

CREATE INDEX alt_renamed_low ON alt_renamed (lower(name), size) WHERE size IS NOT NULL AND name <> 'name'

ALTER TABLE alt_renamed RENAME COLUMN name TO "Full name"

ALTER TABLE alt_renamed RENAME COLUMN size TO lowest

ALTER TABLE alt_renamed RENAME COLUMN lower TO upper

ALTER TABLE alt_renamed RENAME TO alt_named

SELECT column_name, column_default, data_type, character_maximum_length, generation_expression FROM information_schema.columns WHERE table_name = 'alt_named' ORDER BY ordinal_position

SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'alt_named'::regclass ORDER BY contype, length(pg_get_constraintdef(oid))

SELECT indexdef FROM pg_indexes WHERE indexname = 'alt_renamed_low'

INSERT INTO alt_named (id, "Full name") VALUES (1, 'aB') RETURNING low, upper

CREATE TABLE alt_exact (id int PRIMARY KEY, price numeric(10,2) CHECK (length(price::text) > 3), pieces int, rate numeric(12,4), whole numeric GENERATED ALWAYS AS (price * pieces) STORED, kept numeric(10,2) GENERATED ALWAYS AS (price * pieces) STORED, share numeric GENERATED ALWAYS AS (price / pieces) STORED, mixed numeric GENERATED ALWAYS AS (price * rate + pieces) STORED, said text GENERATED ALWAYS AS (price::text || 'x') STORED, tags text[])

INSERT INTO alt_exact (id, price, pieces, rate) VALUES (1, 19.99, 3, 1.2345), (2, 10.00, 3, 2.5), (3, 12345.90, 1000, 9999999.1234), (4, 0.10, 7, 1), (5, 3.00, 2, 2)

SELECT * FROM alt_exact ORDER BY id

CREATE UNIQUE INDEX alt_exact_whole ON alt_exact ((price * pieces))

SELECT id FROM alt_exact WHERE price * pieces = 30.00

ALTER TABLE alt_exact ADD COLUMN twice numeric GENERATED ALWAYS AS (price * pieces * 2) STORED

ALTER TABLE alt_exact ADD COLUMN fee numeric DEFAULT 2.50 * 2

ALTER TABLE alt_exact ADD CONSTRAINT alt_exact_cents CHECK (price::text ~ '[.][0-9][0-9]$')

SELECT id, twice, fee FROM alt_exact ORDER BY id

ALTER TABLE alt_exact ALTER COLUMN price TYPE numeric(12,4)

CREATE TABLE alt_ser(id serial PRIMARY KEY, n text)

ALTER TABLE alt_ser DROP CONSTRAINT alt_ser_pkey

INSERT INTO alt_ser(n) VALUES ('a'), ('b')

SELECT * FROM alt_ser ORDER BY id

CREATE TABLE alt_idt(id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n text)

INSERT INTO alt_idt(n) VALUES ('a')

ALTER TABLE alt_idt DROP CONSTRAINT alt_idt_pkey

INSERT INTO alt_idt(n) VALUES ('b')

SELECT * FROM alt_idt ORDER BY id

CREATE TABLE alt_idn(id bigint GENERATED ALWAYS AS IDENTITY, n text, CONSTRAINT alt_idn_pk PRIMARY KEY (id))

ALTER TABLE alt_idn DROP CONSTRAINT alt_idn_pk

INSERT INTO alt_idn(n) VALUES ('b'), ('c')

SELECT * FROM alt_idn ORDER BY id

CREATE TABLE alt_uq(a int, CONSTRAINT alt_u UNIQUE(a), b int UNIQUE)

ALTER INDEX alt_u RENAME TO alt_v

ALTER INDEX alt_uq_b_key RENAME TO alt_w

SELECT conname FROM pg_constraint WHERE conrelid='alt_uq'::regclass ORDER BY 1

INSERT INTO alt_uq VALUES (1,1),(1,2)
