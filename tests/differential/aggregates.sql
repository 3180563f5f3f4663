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
