SELECT "public"."people"."city" AS "city", COUNT(*) AS "count" FROM "public"."people" GROUP BY "public"."people"."city" ORDER BY "public"."people"."city" ASC

SELECT CAST(DATE_TRUNC('month', "public"."orders"."placed") AS date) AS "placed", SUM("public"."orders"."total") AS "sum" FROM "public"."orders" WHERE "public"."orders"."placed" >= timestamp with time zone '2024-01-01 00:00:00.000Z' GROUP BY CAST(DATE_TRUNC('month', "public"."orders"."placed") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."orders"."placed") AS date) ASC

SELECT DATE_TRUNC('week', placed) AS __timestamp, sum(total) AS "SUM(total)" FROM public.orders WHERE placed >= TO_DATE('2024-01-01', 'YYYY-MM-DD') AND placed < TO_DATE('2025-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('week', placed) ORDER BY "SUM(total)" DESC LIMIT 1000

SELECT "source"."x" AS "x" FROM (SELECT ("public"."people"."height" * 2) AS "x" FROM "public"."people") AS "source" WHERE "source"."x" IS NOT NULL ORDER BY 1 LIMIT 5

SELECT floor(extract(epoch from seen)/300)*300 AS time, count(*) FROM people WHERE seen BETWEEN '2023-01-01T00:00:00Z' AND '2025-01-01T00:00:00Z' GROUP BY 1 ORDER BY 1

SELECT people.id AS people_id, people.name AS people_name FROM people WHERE people.id IN (1, 2) AND people.name ILIKE '%a%' ORDER BY people.id LIMIT 10 OFFSET 0

SELECT count(*) AS count_1 FROM (SELECT people.id AS people_id FROM people) AS anon_1

SELECT anon_1.id, orders_1.id FROM (SELECT people.id AS id FROM people ORDER BY id LIMIT 2) AS anon_1 LEFT OUTER JOIN orders AS orders_1 ON anon_1.id = orders_1.person_id ORDER BY anon_1.id, orders_1.id

INSERT INTO people (id, name) VALUES (50, 'Q') ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name WHERE people.name <> EXCLUDED.name RETURNING people.id

INSERT INTO people (id, name) SELECT 51, 'R' WHERE NOT EXISTS (SELECT 1 FROM people WHERE id = 51)

UPDATE "people" SET "name" = UPPER("people"."name") WHERE "people"."id" = 50

UPDATE people SET salary = salary * 1.1 + 5, city = COALESCE(city, 'none') WHERE id = 50 RETURNING id, salary, city

DELETE FROM "people" WHERE "people"."id" IN (50, 51) RETURNING id

SELECT EXTRACT('year' FROM "people"."born" AT TIME ZONE 'UTC') FROM people WHERE id = 1

SELECT (1) AS "a" FROM "people" WHERE "people"."name" = 'Ann' LIMIT 1

SELECT "people"."id", COUNT("orders"."id") AS "n" FROM "people" LEFT OUTER JOIN "orders" ON ("people"."id" = "orders"."person_id") GROUP BY "people"."id" HAVING COUNT("orders"."id") > 0 ORDER BY "n" DESC, 1

SELECT DISTINCT "people"."city" FROM "people" WHERE NOT ("people"."city" IS NULL) ORDER BY 1

SELECT SUM(CASE WHEN "orders"."total" > 10 THEN "orders"."total" ELSE NULL END) AS a, AVG("orders"."total") AS b, VARIANCE("orders"."total") AS v, STDDEV(total) AS s FROM orders

SELECT "people"."name" || ' ' || COALESCE("people"."city", '') AS "full" FROM people ORDER BY 1

SELECT id FROM people WHERE UPPER(name::text) LIKE UPPER('%an%') ORDER BY id

SELECT id FROM people WHERE name::text LIKE '%\_%' ORDER BY id

SELECT id FROM people WHERE name ~ '^(A|B)' AND name !~* 'x' ORDER BY id

SELECT id FROM people WHERE (extra ->> 'a')::int = 1

SELECT id FROM people WHERE (extra -> 'b') = '[1, 2, {"c": "x"}]'::jsonb

SELECT id FROM people WHERE tags @> ARRAY['red']::text[] ORDER BY id

SELECT id FROM people WHERE 'red' = ANY(tags)

SELECT id, array_length(tags, 1), cardinality(tags) FROM people ORDER BY id

SELECT born, born + INTERVAL '1 month', born - 7, age('2024-01-01'::date, born) FROM people WHERE born IS NOT NULL ORDER BY id

SELECT TO_CHAR(seen, 'YYYY-MM'), COUNT(*) FROM people GROUP BY TO_CHAR(seen, 'YYYY-MM') ORDER BY 1

SELECT date_part('dow', born), extract(doy from born), extract(century from born), extract(decade from born), extract(isoyear from born) FROM people WHERE id = 1

SELECT id, total, rank() OVER (PARTITION BY person_id ORDER BY total DESC) AS r, sum(total) OVER (PARTITION BY person_id) AS s, total / sum(total) OVER () AS share FROM orders ORDER BY id

SELECT id, total - lag(total) OVER (ORDER BY placed) AS diff, avg(total) OVER (ORDER BY placed ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders ORDER BY id

WITH monthly AS (SELECT date_trunc('month', placed)::date AS m, sum(total) AS t FROM orders GROUP BY 1) SELECT m, t, t - lag(t) OVER (ORDER BY m) AS d FROM monthly ORDER BY m

SELECT gs::date AS day, COALESCE(sum(o.total), 0) FROM generate_series('2024-01-01'::timestamp, '2024-01-03', interval '1 day') gs LEFT JOIN orders o ON o.placed = gs::date GROUP BY gs ORDER BY gs

SELECT p1.name, p2.name FROM people p1 JOIN people p2 ON p1.city = p2.city AND p1.id < p2.id

SELECT name FROM people WHERE id NOT IN (SELECT person_id FROM orders WHERE person_id IS NOT NULL) ORDER BY 1

SELECT name, CASE city WHEN 'Madrid' THEN 'M' WHEN 'Paris' THEN 'P' ELSE '?' END AS c FROM people ORDER BY id

SELECT coalesce(max(total), 0) + 1 FROM orders WHERE id < 0

SELECT round(avg(total), 2), round(avg(height)::numeric, 3), sum(total)::float8, count(*)::text FROM orders, people

SELECT 10 / 3, 10 / 3.0, 10 % 3, 10 / 3::float, 1e10::bigint, 1.0 / 3

SELECT 5 / 0

SELECT 'abc' < 'abd', 'a' = 'A', 'a' || NULL IS NULL, NULL = NULL, NULL IS NULL

SELECT true AND NULL, false OR NULL, NOT NULL::boolean, true::int, 'yes'::boolean

SELECT '2024-02-30'::date

SELECT 'x'::int

SELECT 1 + '2', '3'::int * 2, 2 * '4'

SELECT name FROM people ORDER BY city NULLS FIRST, id DESC

SELECT city FROM people ORDER BY city DESC

SELECT nullif(city, 'Madrid') FROM people ORDER BY id

SELECT id FROM people LIMIT NULL OFFSET 3

SELECT id FROM people ORDER BY id LIMIT ALL

SELECT p.id, o.* FROM people p JOIN orders o ON p.id = o.person_id WHERE p.id = 2

SELECT o.id FROM orders o WHERE o.total = (SELECT max(total) FROM orders)

SELECT o.id FROM orders o WHERE o.total > (SELECT avg(total) FROM orders i WHERE i.person_id = o.person_id) ORDER BY 1

SELECT person_id, array_agg(id ORDER BY id), string_agg(note, ',' ORDER BY id), json_agg(total ORDER BY id), jsonb_object_agg(id, note) FROM orders GROUP BY person_id ORDER BY 1

SELECT jsonb_build_object('a', 1, 'b', ARRAY[1, 2], 'c', now() IS NULL), json_build_array(1, 'x', NULL)

SELECT extra FROM people WHERE extra IS NOT NULL ORDER BY id

SELECT k FROM people, jsonb_object_keys(extra) AS k WHERE id = 1 ORDER BY k

SELECT elem FROM people, jsonb_array_elements(extra -> 'b') AS elem WHERE id = 1

SELECT to_timestamp(1700000000), to_timestamp(1700000000) AT TIME ZONE 'UTC', extract(epoch from to_timestamp(1700000000))

SELECT timestamptz '2024-06-01 12:00:00+02', timestamp '2024-06-01 12:00' AT TIME ZONE 'Europe/Madrid', '2024-06-01T12:00:00Z'::timestamptz

SELECT date_trunc('day', timestamptz '2024-06-01 23:30:00+00', 'Europe/Madrid')

SELECT interval '1 year 2 months 3 days 04:05:06.5', interval '90 minutes', interval '1 week', '1 mon'::interval * 2, justify_hours(interval '30 hours')

SELECT make_timestamptz(2024, 1, 2, 3, 4, 5), make_timestamp(2024, 1, 2, 3, 4, 5.5)

SELECT upper(left(name, 1)) || lower(substr(name, 2)) FROM people ORDER BY id

SELECT regexp_split_to_array('a1b2c', '\d'), regexp_replace('a.b.c', '\.', '-', 'g'), substring('foo123' from '\d+')

SELECT length('日本'), octet_length('日本'), char_length('é'), bit_length('a')

SELECT format('%s is %s, %I %L', 'x', 1, 'Col', 'v'), quote_ident('Abc'), quote_literal('it''s')

SELECT greatest(1, 2.5), least('2024-01-01'::date, '2023-01-01'), coalesce(NULL, 1, 2)

SELECT 'a' IN ('a', 'b'), 1 NOT IN (2, NULL), 3 BETWEEN 1 AND 5

SELECT count(*), count(city), count(DISTINCT city) FROM people

SELECT max(born) - min(born), max(seen) - min(seen) FROM people

SELECT sum(salary), avg(salary), min(salary), max(salary) FROM people

SELECT sum(height), avg(height) FROM people

SELECT bool_or(vip) FILTER (WHERE city = 'Madrid') FROM people

SELECT * FROM (VALUES (1, 'a', NULL), (2, NULL, 2.5)) AS t(x, y, z) ORDER BY x

SELECT x + 1 FROM generate_series(1, 3) AS t(x) WHERE x <> 2

SELECT 1 AS a UNION SELECT 2 UNION ALL SELECT 2 ORDER BY a

(SELECT 1 AS a) UNION ALL (SELECT 2 LIMIT 1) ORDER BY a DESC

SELECT a.*, b.x FROM (SELECT 1 AS i) a LEFT JOIN (SELECT 2 AS i, 3 AS x) b USING (i)

SELECT * FROM people p FULL JOIN (SELECT 99::bigint AS id) q ON p.id = q.id WHERE p.id IS NULL OR p.id = 1 ORDER BY q.id

SELECT nope FROM people

SELECT * FROM nope

SELECT name, count(*) FROM people

SELECT sum(name) FROM people

SELECT id FROM people WHERE name = 5

SELECT id FROM people WHERE id = '1'

INSERT INTO people (id) VALUES (1)

INSERT INTO people (id, name) VALUES (1, 'dup')

INSERT INTO orders (id, person_id, placed) VALUES (99, 12345, '2024-01-01')

INSERT INTO orders (id, note, placed) VALUES (99, 'this note is far too long for it', '2024-01-01')

SELECT 'a'::varchar(1), 'abc'::varchar(2), 12345.678::numeric(6,1), 1.5::int, 2.5::int, -1.5::int

SELECT encode('\xdeadbeef'::bytea, 'base64'), '\x41'::bytea, length('\x4142'::bytea)

SELECT '550e8400-e29b-41d4-a716-446655440000'::uuid, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid

SELECT '[1, 2]'::json -> 0, '{"a": {"b": 1}}'::jsonb #> '{a,b}', '{"a": 1}'::jsonb ->> 'a'

SELECT current_date = now()::date, current_user IS NOT NULL, current_database() IS NOT NULL, version() LIKE 'PostgreSQL%'

SELECT id, (SELECT string_agg(x, '+') FROM unnest(tags) x) FROM people ORDER BY id

SELECT p.id FROM people p WHERE EXISTS (SELECT 1 FROM unnest(p.tags) t WHERE t LIKE 'r%')

SELECT CASE WHEN count(*) > 3 THEN 'many' ELSE 'few' END FROM orders

SELECT to_char(1234.5, '9,999.99'), to_char(0.5, 'FM990.00%'), to_char(12, '000'), to_char(-5, 'S99')

SELECT width_bucket(5.35, 0.024, 10.06, 5), div(7, 2), mod(7, 3), gcd(12, 18), power(2, 10), sqrt(2)

SELECT ltrim('  a'), rtrim('a  '), btrim('xax', 'x'), lpad('a', 3), rpad('a', 3, '-')
