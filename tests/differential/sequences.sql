CREATE SEQUENCE plain_seq

CREATE SEQUENCE odd_seq AS integer INCREMENT BY 5 MINVALUE 10 MAXVALUE 100 START WITH 20 CYCLE

CREATE SEQUENCE down_seq INCREMENT -1

CREATE TABLE counting (id bigint PRIMARY KEY, n integer, s smallint, number bigserial)

ALTER SEQUENCE plain_seq OWNED BY counting.n

SELECT relname, relkind, relnatts FROM pg_class WHERE relkind = 'S' AND relname IN ('plain_seq', 'odd_seq', 'down_seq', 'counting_number_seq') ORDER BY 1

SELECT c.relname, s.seqtypid, s.seqstart, s.seqincrement, s.seqmax, s.seqmin, s.seqcycle FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relname IN ('plain_seq', 'odd_seq', 'down_seq', 'counting_number_seq') ORDER BY 1

SELECT sequencename, start_value, min_value, max_value, increment_by, cycle FROM pg_sequences WHERE sequencename IN ('plain_seq', 'odd_seq', 'down_seq') ORDER BY 1

SELECT sequence_schema, sequence_name, data_type, numeric_precision, numeric_precision_radix, numeric_scale, start_value, minimum_value, maximum_value, increment, cycle_option FROM information_schema.sequences WHERE sequence_name IN ('plain_seq', 'odd_seq', 'down_seq', 'counting_number_seq') ORDER BY 2

SELECT pg_get_serial_sequence('counting', 'n'), pg_get_serial_sequence('counting', 'number'), pg_get_serial_sequence('counting', 's')

SELECT column_name, data_type, column_default FROM information_schema.columns WHERE table_name = 'counting' AND column_name <> 'id' ORDER BY 1

SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'counting'::regclass AND attnum > 0 ORDER BY attnum

SELECT c.relname, d.deptype, d.refobjsubid FROM pg_depend d JOIN pg_class c ON c.oid = d.objid WHERE d.refobjid = 'counting'::regclass AND c.relkind = 'S' AND c.relname <> 'counting_id_seq' ORDER BY 1

ALTER SEQUENCE plain_seq OWNED BY NONE

SELECT pg_get_serial_sequence('counting', 'n')

ALTER SEQUENCE plain_seq RENAME TO renamed_seq

SELECT relname FROM pg_class WHERE relname IN ('plain_seq', 'renamed_seq')

DROP SEQUENCE renamed_seq

DROP SEQUENCE odd_seq

DROP SEQUENCE down_seq

DROP TABLE counting

SELECT relname FROM pg_class WHERE relname IN ('renamed_seq', 'odd_seq', 'counting_number_seq')

CREATE SEQUENCE kept_seq

SELECT nextval('kept_seq')

BEGIN

SELECT nextval('kept_seq'), nextval('kept_seq')

ROLLBACK

SELECT nextval('kept_seq')

BEGIN

SELECT nextval('kept_seq')

SAVEPOINT s

SELECT nextval('kept_seq')

ROLLBACK TO s

SELECT nextval('kept_seq')

COMMIT

SELECT nextval('kept_seq')

BEGIN

SELECT setval('kept_seq', 40)

ROLLBACK

SELECT nextval('kept_seq')

CREATE TABLE numbered (id bigserial, a integer CHECK (a > 0))

INSERT INTO numbered (a) VALUES (1) RETURNING id

INSERT INTO numbered (a) VALUES (0) RETURNING id

INSERT INTO numbered (a) VALUES (2) RETURNING id

ALTER SEQUENCE kept_seq RESTART

SELECT nextval('kept_seq')

BEGIN

SELECT nextval('kept_seq')

ALTER SEQUENCE kept_seq RESTART WITH 7

COMMIT

SELECT nextval('kept_seq')

TRUNCATE numbered RESTART IDENTITY

INSERT INTO numbered (a) VALUES (2) RETURNING id

DROP SEQUENCE kept_seq

CREATE SEQUENCE kept_seq INCREMENT -2

SELECT nextval('kept_seq')

BEGIN

SELECT nextval('kept_seq')

ROLLBACK

SELECT nextval('kept_seq')

DROP SEQUENCE kept_seq

DROP TABLE numbered

CREATE SEQUENCE discarded_seq

SELECT nextval('discarded_seq'), currval('discarded_seq'), lastval()

DISCARD SEQUENCES

SELECT currval('discarded_seq')

SELECT lastval()

SELECT nextval('discarded_seq'), lastval()

DROP SEQUENCE discarded_seq

CREATE SEQUENCE moving_seq START WITH 3

SELECT last_value FROM pg_sequences WHERE sequencename = 'moving_seq'

SELECT nextval('moving_seq') + nextval('moving_seq')

SELECT last_value, last_value + 1 FROM pg_sequences WHERE sequencename = 'moving_seq' AND last_value = 4

DROP SEQUENCE moving_seq
