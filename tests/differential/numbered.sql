CREATE TABLE num_n (n bigint)

CREATE TABLE num_s (id serial PRIMARY KEY, a int)

INSERT INTO num_n SELECT setval('num_s_id_seq', 2147483648)

INSERT INTO num_n SELECT setval('num_s_id_seq', 0)

SELECT setval('num_s_id_seq', 2147483645)

INSERT INTO num_s (a) VALUES (1) RETURNING id

INSERT INTO num_s (a) VALUES (2), (3), (4)

SELECT id, a FROM num_s ORDER BY id

INSERT INTO num_s (a) SELECT n FROM generate_series(1, 100) AS n RETURNING id

SELECT count(*) FROM num_s

SELECT setval('num_s_id_seq', 2147483646)

INSERT INTO num_s VALUES (DEFAULT, 5) RETURNING id

INSERT INTO num_s (id, a) VALUES (DEFAULT, 6)

INSERT INTO num_s VALUES (DEFAULT, 6)

INSERT INTO num_n SELECT nextval('num_s_id_seq')

INSERT INTO num_s VALUES (7, 7) RETURNING id

INSERT INTO num_s (a) VALUES (8) ON CONFLICT DO NOTHING

WITH made AS (INSERT INTO num_s (a) VALUES (9) RETURNING id) SELECT id FROM made

SELECT id, a FROM num_s ORDER BY id

CREATE TABLE num_small (id smallserial PRIMARY KEY, a int)

INSERT INTO num_small (a) SELECT n FROM generate_series(1, 32768) AS n

SELECT count(*) FROM num_small

CREATE TABLE num_identity (id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int)

INSERT INTO num_identity (a) SELECT n FROM generate_series(1, 32767) AS n

INSERT INTO num_identity (a) VALUES (1)

SELECT count(*), max(id) FROM num_identity

CREATE TABLE num_big (id bigserial PRIMARY KEY, a int)

SELECT setval('num_big_id_seq', 9223372036854775806)

INSERT INTO num_big (a) VALUES (1) RETURNING id

INSERT INTO num_big (a) VALUES (1)

INSERT INTO num_n SELECT nextval('num_big_id_seq')

CREATE SEQUENCE num_both START 100

CREATE TEMP SEQUENCE num_both START 5

SELECT nextval('public.num_both') AS first, nextval('num_both') AS own, nextval('pg_temp.num_both') AS next

SELECT nextval('"public"."num_both"') AS next, nextval('PUBLIC.Num_Both') AS one_more

SELECT currval('public.num_both') AS theirs, currval('num_both') AS own, currval('pg_temp.num_both') AS too

SELECT setval('public.num_both', 200) AS set

SELECT nextval('num_both') AS own, nextval('public.num_both') AS theirs

ALTER SEQUENCE public.num_both RESTART WITH 300

SELECT nextval('num_both') AS own, nextval('public.num_both') AS theirs

DROP SEQUENCE public.num_both

SELECT nextval('num_both') AS own

INSERT INTO num_n SELECT nextval('public.num_both') AS gone

CREATE SEQUENCE num_both

DROP SEQUENCE num_both

SELECT nextval('num_both') AS theirs

INSERT INTO num_n SELECT currval('pg_temp.num_both') AS gone

CREATE TABLE "Num_Case" (a int, "Key" serial PRIMARY KEY)

INSERT INTO "Num_Case" (a) VALUES (1) RETURNING "Key"

SELECT nextval('"Num_Case_Key_seq"')

SELECT make_time(24, 0, 0), make_time(1, 1, 60), make_time(0, 0, 0.000001)

SELECT make_time(24, 0, 1)

SELECT make_time(1, 1, 1e300)

SELECT make_time(2147483647, 1, 1)

SELECT make_time(1, -1, 1)

SELECT make_timestamp(2020, 1, 1, 25, 0, 0)

SELECT make_date(2147483647, 1, 1)

SELECT '178000000000 years'::interval

SELECT '2147483647 days 1 day'::interval

SELECT '9223372036854775807:59:59'::interval

SELECT interval '1 day' * 1e300

SELECT interval '2147483647 months' + interval '1 month'

SELECT justify_days('2147483647 months 60 days'::interval)

SELECT justify_interval('1 month -1 hour'::interval), justify_hours('27 hours'), justify_days('35 days')

SELECT extract(epoch FROM '178000000 years'::interval), extract(epoch FROM '-9223372036854775808 us'::interval)

SELECT -('-9223372036854775808 us'::interval)

SELECT gcd('-9223372036854775808'::bigint, 0)

SELECT lcm(9223372036854775807, 2::bigint)

SELECT lcm(-4, 6), gcd(-4, 6), lcm(0, 5)

SELECT '00:30'::time + '9000000000000000001 us'::interval, '00:30'::time - '3 hours'::interval

SELECT '2020-01-01'::timestamp + '2147483647 months'::interval

SELECT '3 years 2 mons ago'::interval, '-1-2'::interval, 'P1Y2M3DT4H5M6S'::interval

INSERT INTO num_n SELECT extract(day FROM sum(i)) FROM (VALUES ('2147483647 months'::interval), ('1 month')) AS v (i)
