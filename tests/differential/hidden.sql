CREATE TABLE hid(id serial PRIMARY KEY, n serial, v text)

INSERT INTO hid(v) VALUES ('a'), ('b')

CREATE TEMP TABLE hid(id serial PRIMARY KEY, n serial, v text)

INSERT INTO hid(v) VALUES ('x'), ('y'), ('z')

SELECT * FROM hid ORDER BY id

SELECT * FROM public.hid ORDER BY id

SELECT v FROM pg_temp.hid ORDER BY id

INSERT INTO public.hid(v) VALUES ('c') RETURNING *

INSERT INTO pg_temp.hid(v) VALUES ('w') RETURNING *

TRUNCATE public.hid RESTART IDENTITY

INSERT INTO public.hid(v) VALUES ('c') RETURNING *

INSERT INTO hid(v) VALUES ('w') RETURNING *

TRUNCATE hid RESTART IDENTITY

SELECT count(*) FROM public.hid

SELECT count(*) FROM hid

INSERT INTO public.hid(v) VALUES ('c') RETURNING *

INSERT INTO hid(v) VALUES ('w') RETURNING *

TRUNCATE pg_temp.hid RESTART IDENTITY

INSERT INTO public.hid(v) VALUES ('c') RETURNING *

INSERT INTO hid(v) VALUES ('w') RETURNING *

SELECT nextval('public.hid_n_seq'), nextval('pg_temp.hid_n_seq'), nextval('hid_n_seq')

SELECT last_value FROM public.hid_n_seq

SELECT last_value FROM pg_temp.hid_n_seq

ALTER TABLE hid RENAME COLUMN v TO w

SELECT * FROM public.hid ORDER BY id

UPDATE public.hid SET v = v || '!' WHERE id = 1 RETURNING hid.v

UPDATE public.hid SET v = x.w FROM pg_temp.hid x WHERE x.id = hid.id RETURNING hid.*

DELETE FROM public.hid USING pg_temp.hid x WHERE x.id <> hid.id

SELECT public.hid.v FROM public.hid

WITH hid AS (SELECT 9 AS n) SELECT * FROM hid

WITH hid AS (SELECT 9 AS n) SELECT hid.v, y.n FROM public.hid, (SELECT * FROM hid) y

ALTER TABLE pg_temp.hid ADD COLUMN d int DEFAULT 6

ALTER TABLE public.hid ADD COLUMN c int DEFAULT 5

SELECT * FROM hid

SELECT * FROM public.hid

CREATE INDEX ON public.hid(v)

CREATE INDEX hid_own ON hid(d)

CREATE VIEW hid_seen AS SELECT id, v FROM public.hid

SELECT * FROM hid_seen

DROP VIEW public.hid_seen

LOCK TABLE public.hid

SELECT 'public.hid'::regclass = 'hid'::regclass AS same, 'pg_temp.hid'::regclass = 'hid'::regclass AS same_too

DROP TABLE public.hid

INSERT INTO hid(w) VALUES ('w') RETURNING *

SELECT nextval('public.hid_n_seq')

SELECT nextval('hid_n_seq')

CREATE TABLE public.hid(id serial PRIMARY KEY, n serial, v text)

INSERT INTO public.hid(v) VALUES ('c') RETURNING *

DROP TABLE hid

INSERT INTO hid(v) VALUES ('c') RETURNING *

CREATE TABLE hid_parent(a int PRIMARY KEY)

CREATE TEMP TABLE hid_parent(b int PRIMARY KEY)

CREATE TABLE hid_child(a int REFERENCES public.hid_parent)

INSERT INTO public.hid_parent VALUES (1)

INSERT INTO hid_child VALUES (1)

INSERT INTO hid_child VALUES (2)

TRUNCATE hid_parent

DROP TABLE hid_parent

TRUNCATE hid_parent

DROP TABLE hid_parent

CREATE TEMP TABLE hid_key(a int CONSTRAINT hid_k UNIQUE, b text)

INSERT INTO hid_key VALUES (1, 'x') ON CONFLICT ON CONSTRAINT hid_k DO NOTHING

INSERT INTO pg_temp.hid_key VALUES (1, 'y') ON CONFLICT ON CONSTRAINT hid_k DO UPDATE SET b = excluded.b RETURNING *

DROP TABLE IF EXISTS pg_temp.hid_key

DROP TABLE IF EXISTS pg_temp.hid_key

CREATE TABLE pg_temp.hid_fresh(a serial, b int)

INSERT INTO hid_fresh(b) VALUES (1) RETURNING *

SELECT last_value FROM pg_temp.hid_fresh_a_seq

SELECT * FROM pg_temp.hid_nosuch

SELECT * INTO pg_temp.hid_copied FROM hid_fresh

SELECT * FROM pg_temp.hid_copied

CREATE SEQUENCE pg_temp.hid_mine

SELECT nextval('hid_mine'), nextval('pg_temp.hid_mine')

DROP SEQUENCE pg_temp.hid_mine

SELECT nextval('hid_mine')

CREATE TABLE "Hid Big"(id int PRIMARY KEY, "Num" serial, m smallserial, g int GENERATED ALWAYS AS IDENTITY)

INSERT INTO "Hid Big"(id) VALUES (1) RETURNING *

SELECT nextval('"Hid Big_Num_seq"'), currval('"Hid Big_m_seq"'::regclass)

SELECT pg_get_serial_sequence('"Hid Big"', 'Num'), pg_get_serial_sequence('"Hid Big"', 'g')

TRUNCATE "Hid Big" RESTART IDENTITY

INSERT INTO "Hid Big"(id) VALUES (2) RETURNING *

SELECT column_name, column_default, is_identity FROM information_schema.columns WHERE table_name = 'Hid Big' ORDER BY ordinal_position

ALTER TABLE "Hid Big" ADD COLUMN "Other One" serial

SELECT * FROM "Hid Big"

ALTER TABLE "Hid Big" ALTER COLUMN g RESTART WITH 50

ALTER TABLE "Hid Big" ALTER COLUMN g TYPE bigint

ALTER TABLE "Hid Big" ALTER "Num" TYPE bigint

INSERT INTO "Hid Big"(id) VALUES (3) RETURNING *

ALTER TABLE "Hid Big" RENAME TO "Hid Bigger"

INSERT INTO "Hid Bigger"(id) VALUES (5) RETURNING *

CREATE TABLE "Hid Like"(LIKE "Hid Bigger" INCLUDING ALL)

INSERT INTO "Hid Like"(id) VALUES (1) RETURNING *

CREATE SEQUENCE "Hid Seq"

CREATE TABLE hid_mine(a int DEFAULT nextval('"Hid Seq"'), b int)

INSERT INTO hid_mine(b) VALUES (1) RETURNING *

SELECT column_default FROM information_schema.columns WHERE table_name = 'hid_mine' AND column_name = 'a'

CREATE TABLE "Hid Key"("Id" serial PRIMARY KEY, a int)

INSERT INTO "Hid Key"(a) VALUES (1) RETURNING *

ALTER TABLE "Hid Key" DROP CONSTRAINT "Hid Key_pkey"

INSERT INTO "Hid Key"(a) VALUES (1) RETURNING *

DROP TABLE "Hid Like", "Hid Bigger", "Hid Key"

SELECT nextval('"Hid Big_Num_seq"')

DROP TABLE hid, hid_child, hid_parent, hid_mine, hid_fresh
