CREATE TABLE pg_class (id int PRIMARY KEY, relname text)

INSERT INTO public.pg_class VALUES (1, 'mine'), (2, 'other')

SELECT * FROM public.pg_class ORDER BY id

SELECT count(*) > 10 FROM pg_class

SELECT relname FROM pg_class WHERE relname = 'mine'

SELECT o.relname, p.id FROM pg_class o LEFT JOIN public.pg_class p USING (relname) WHERE o.relname = 'pg_class' ORDER BY 2

SELECT 'pg_class'::regclass::text, 'public.pg_class'::regclass::text, 'public.pg_class'::regclass = 'pg_class'::regclass

SELECT pg_table_is_visible('public.pg_class'::regclass), pg_table_is_visible('pg_class'::regclass)

UPDATE public.pg_class SET relname = 'yours' WHERE id = 1

DELETE FROM public.pg_class WHERE id = 2 RETURNING *

INSERT INTO public.pg_class SELECT 3, relname FROM pg_class WHERE relname = 'pg_type' ORDER BY 2

ALTER TABLE pg_class ADD COLUMN z int

ALTER TABLE public.pg_class ADD COLUMN z int

CREATE INDEX ON pg_class (id)

CREATE INDEX ON public.pg_class (relname)

DROP TABLE pg_class

TRUNCATE pg_class

CREATE TABLE refers_to_catalogue (a int REFERENCES pg_class (id))

SELECT * FROM public.pg_class ORDER BY id

CREATE VIEW pg_views AS SELECT 1 AS a

SELECT a FROM pg_views

SELECT a FROM public.pg_views

CREATE VIEW shows_hidden AS SELECT * FROM public.pg_class

SELECT * FROM shows_hidden ORDER BY id

WITH pg_class AS (SELECT 5 AS five) SELECT * FROM pg_class

CREATE TEMP TABLE pg_type (a int)

INSERT INTO pg_type VALUES (3)

SELECT * FROM pg_type

DROP TABLE pg_type

SELECT count(*) > 10 FROM pg_type

CREATE TABLE public.columns (a int)

SELECT * FROM columns

SELECT count(*) FROM information_schema.columns WHERE table_name = 'columns' AND table_schema = 'public'

DROP TABLE columns

DROP VIEW shows_hidden

DROP VIEW public.pg_views

DROP TABLE public.pg_class
