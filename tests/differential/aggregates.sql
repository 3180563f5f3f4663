SELECT count(*), count(city), count(DISTINCT city) FROM people

SELECT city, count(*) FROM people GROUP BY city ORDER BY city

SELECT city, count(*) FROM people GROUP BY city ORDER BY city DESC

SELECT city, count(*) AS n FROM people GROUP BY 1 HAVING count(*) > 1

SELECT string_agg(name, ', ' ORDER BY id), string_agg(DISTINCT city, '|' ORDER BY city) FROM people

SELECT array_agg(id ORDER BY id DESC), array_agg(name ORDER BY id) FROM people

SELECT bool_and(vip), bool_or(vip), every(vip) FROM people

SELECT sum(total) FILTER (WHERE total > 5), count(*) FILTER (WHERE note IS NULL) FROM orders

SELECT stddev(total), variance(total), stddev_pop(total), var_pop(total) FROM orders

SELECT stddev(height), variance(height) FROM people

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY height), percentile_disc(0.5) WITHIN GROUP (ORDER BY id), mode() WITHIN GROUP (ORDER BY city) FROM people

SELECT json_agg(id ORDER BY id), jsonb_agg(name ORDER BY id) FROM people

SELECT jsonb_object_agg(id, name) FROM people

SELECT sum(id) FROM people WHERE false

SELECT count(*), sum(total), max(note) FROM orders WHERE false

SELECT name, count(*) FROM people

SELECT city, name FROM people GROUP BY city

SELECT p.id, p.name, count(o.id) FROM people p LEFT JOIN orders o ON o.person_id = p.id GROUP BY p.id ORDER BY p.id

SELECT upper(city), count(*) FROM people GROUP BY upper(city) ORDER BY 1

SELECT upper(city) AS c, count(*) FROM people GROUP BY c ORDER BY c

SELECT extract(year FROM placed) AS y, sum(total) FROM orders GROUP BY y

SELECT max(name), min(name) FROM people

SELECT sum(1), sum(1.5), sum(2::bigint), avg(2)

SELECT count(*) FROM people WHERE count(*) > 1

SELECT sum(count(*)) FROM people

SELECT count(nope) FROM people

SELECT person_id, sum(total) AS t FROM orders GROUP BY person_id HAVING sum(total) > 10 ORDER BY t

SELECT avg(total), round(avg(total), 2) FROM orders

SELECT corr(id, height) FROM people

SELECT max(vip) FROM people

SELECT (city) AS c, count(*) FROM people GROUP BY (city) ORDER BY (c)

SELECT city, count(*) FROM people GROUP BY ((city)) ORDER BY city

SELECT (id % 2) AS d, count(*) FROM people GROUP BY d ORDER BY 1

SELECT ((id) % (2)) + 1 AS d, count(*) FROM people GROUP BY (id % 2) HAVING ((id) % 2) >= 0 ORDER BY (id % 2)

SELECT (CAST(height AS integer) + 1) AS d, count(*) FROM people GROUP BY (CAST(height AS integer) + 1) ORDER BY d

SELECT (upper(city)), count(*) FROM people GROUP BY upper ORDER BY upper

SELECT (born IS NULL), (NOT (id > 1)), count(*) FROM people GROUP BY (born IS NULL), NOT id > 1 ORDER BY 1, 2

SELECT (city), vip, count(*), grouping((city)) FROM people GROUP BY ROLLUP ((city), (vip)) ORDER BY (city), vip, 4

SELECT (city || 'x'), count(*) FROM people GROUP BY ROLLUP (((city) || 'x')) ORDER BY (city) || 'x', 2

SELECT city, vip, count(*) FROM people GROUP BY (city, vip) ORDER BY 1, 2

SELECT (id), name FROM people GROUP BY (id) ORDER BY ((id))

SELECT (name), city FROM people GROUP BY (city)

SELECT DISTINCT ON ((city)) (city), id FROM people ORDER BY (city), id

SELECT id FROM people ORDER BY (2)

SELECT id FROM people ORDER BY 'a'

SELECT count(*) FROM people GROUP BY ('a')

PREPARE grouped AS SELECT (id * $1) AS d, count(*) FROM people GROUP BY 1 ORDER BY (d)

EXECUTE grouped(2)

DEALLOCATE grouped

CREATE TABLE large (id int PRIMARY KEY, kind text, n bigint)

INSERT INTO large SELECT i, CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END, 9223372036854775807 - i FROM generate_series(1, 6) AS s(i)

INSERT INTO large VALUES (7, 'odd', NULL), (8, 'least', -9223372036854775808), (9, 'least', -9223372036854775808), (10, 'none', NULL)

SELECT sum(n), avg(n), sum(DISTINCT n), sum(n) FILTER (WHERE kind = 'odd'), sum(n) + 1, sum(n) / 3 FROM large

SELECT kind, sum(n), avg(n), round(avg(n), 2), sum(n)::text FROM large GROUP BY kind HAVING count(*) > 1 ORDER BY sum(n) DESC

SELECT kind FROM large GROUP BY kind HAVING sum(n) > 9223372036854775807 ORDER BY sum(n)

SELECT id, sum(n) OVER (ORDER BY id), sum(n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), avg(n) OVER (PARTITION BY kind ORDER BY id) FROM large ORDER BY id

SELECT max(sum(n)) OVER (), kind FROM large GROUP BY kind ORDER BY kind

SELECT sum(n)::bigint FROM large WHERE id = 8

CREATE TABLE sums AS SELECT sum(n)::bigint AS n FROM large WHERE kind = 'odd'

DROP TABLE large

SELECT array_agg(DISTINCT (a, b)), array_agg(DISTINCT v), json_agg(DISTINCT v), jsonb_agg(DISTINCT v) FROM (VALUES (10, 'x'), (2, 'y'), (2, 'y'), (2, 'b')) v(a, b)

SELECT array_agg(DISTINCT (a, b) ORDER BY (a, b) DESC), array_agg((a, b) ORDER BY (a, b)) FROM (VALUES (10, 1.0), (2, 2), (10, 1.00), (2, 10)) v(a, b)

SELECT array_agg(DISTINCT (a, b)) FILTER (WHERE a > 1), count(DISTINCT (a, b)) FROM (VALUES (10, 1.0), (2, 2), (10, 1.00), (1, 10)) v(a, b)

SELECT array_agg(DISTINCT x), array_agg(DISTINCT x ORDER BY x DESC) FROM (VALUES (ARRAY[10]), (ARRAY[2]), (ARRAY[2, 1]), (ARRAY[2])) v(x)

SELECT array_agg(DISTINCT x), array_agg(DISTINCT y), string_agg(x::text, ',' ORDER BY x DESC), string_agg(y::text, ',' ORDER BY y) FROM (VALUES (10.0, '10 days'::interval), (2.50, '2 days'), (2.5, '48:00:00')) v(x, y)

SELECT string_agg(DISTINCT a::text, ','), string_agg(DISTINCT b, ',' ORDER BY b DESC) FROM (VALUES (10, 'x'), (2, 'y'), (2, 'y')) v(a, b)

SELECT greatest((10, 'a'), (2, 'b')), least((10, 'a'), (2, 'b')), least(v, (3, 'z')) FROM (VALUES (10, 'x')) v(a, b)

SELECT '5.01'::money / 2, '5.01'::money * 1.555::float8, '5'::money * 1.5, 3::smallint * '1'::money, '7'::money / '2'::money, '-7.01'::money / 2, '1.10'::money + '2.20', '1'::money - '2.50'::money

SELECT sum(x), max(x) FROM (VALUES ('1.50'::money), ('20.25')) v(x)

SELECT '5'::money / 0

SELECT regr_count(y, x), regr_sxx(y, x), regr_syy(y, x), regr_sxy(y, x), regr_avgx(y, x), regr_avgy(y, x), regr_r2(y, x), regr_slope(y, x), regr_intercept(y, x), corr(y, x), covar_pop(y, x), covar_samp(y, x) FROM (VALUES (1.5::float8, 2::float8), (2.25, 3.5), (4, 4.125), (NULL, 1), (7, NULL), (0.1, -3.3)) AS t(y, x)

SELECT regr_count(y, x), regr_sxx(y, x), regr_syy(y, x), regr_sxy(y, x), regr_avgx(y, x), regr_avgy(y, x), regr_r2(y, x), regr_slope(y, x), regr_intercept(y, x), corr(y, x), covar_pop(y, x), covar_samp(y, x) FROM (VALUES (1::float8, 2::float8)) AS t(y, x)

SELECT regr_count(y, x), regr_sxx(y, x), regr_syy(y, x), regr_sxy(y, x), regr_avgx(y, x), regr_r2(y, x), regr_slope(y, x), regr_intercept(y, x), corr(y, x) FROM (VALUES (1::float8, 2::float8), (3, 2), ('NaN', 1)) AS t(y, x) WHERE y < 'NaN' OR x = 1

SELECT regr_r2(y, x), regr_slope(y, x), regr_intercept(y, x), regr_count(y, x) FROM (VALUES (3, 1), (3, 2), (3, 5)) AS t(y, x)

SELECT regr_count(y, x), regr_avgx(y, x), corr(y, x) FROM (VALUES (1, 2)) AS t(y, x) WHERE y > 1

SELECT x, regr_slope(y, x) OVER (ORDER BY x), regr_count(y, x) FILTER (WHERE x > 1) OVER () FROM (VALUES (1, 1), (3, 2), (4, 3)) AS t(y, x) ORDER BY x
