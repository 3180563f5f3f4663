CREATE TABLE apart (a int, b int)

INSERT INTO apart VALUES (1, 2)

CREATE TEMP TABLE apart (z int)

INSERT INTO apart VALUES (9)

SELECT * FROM public.apart, pg_temp.apart

SELECT * FROM apart, public.apart

SELECT public.apart.a, pg_temp.apart.z, b FROM public.apart, pg_temp.apart

SELECT pg_temp.apart.*, public.apart.* FROM public.apart JOIN pg_temp.apart ON public.apart.a < pg_temp.apart.z

SELECT apart.a FROM public.apart, pg_temp.apart

SELECT apart.* FROM public.apart, pg_temp.apart

SELECT * FROM public.apart, public.apart

SELECT * FROM public.apart x, pg_temp.apart x

SELECT * FROM public.apart AS apart, pg_temp.apart

UPDATE pg_temp.apart SET z = public.apart.a FROM public.apart

SELECT * FROM pg_temp.apart

DELETE FROM public.apart USING pg_temp.apart WHERE public.apart.a = pg_temp.apart.z

SELECT count(*) FROM public.apart

DROP TABLE pg_temp.apart

DROP TABLE apart
