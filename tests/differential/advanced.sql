SELECT (1, 2) = (1, 2), (1, 2) < (1, 3), (1, NULL) = (1, 2), ROW(1, 2) = ROW(1, 2)

SELECT (1, NULL) IS NULL, (NULL, NULL) IS NULL, (1, 2) IS NOT NULL, (1, 2) IS DISTINCT FROM (1, 3)

SELECT id FROM orders WHERE (id, person_id) IN ((10, 1), (12, 2)) ORDER BY id

SELECT id FROM orders WHERE (id, person_id) NOT IN ((10, 1)) ORDER BY id

SELECT person_id, placed, sum(total) FROM orders GROUP BY ROLLUP (person_id, placed) ORDER BY 1, 2

SELECT person_id, placed, count(*) FROM orders GROUP BY CUBE (person_id, placed) ORDER BY 1, 2

SELECT person_id, note, count(*), grouping(person_id), grouping(person_id, note) FROM orders GROUP BY GROUPING SETS ((person_id), (note), ()) ORDER BY 5, 1, 2

SELECT city, vip, count(*) FROM people GROUP BY city, ROLLUP (vip) ORDER BY 1, 2, 3

SELECT city, count(*) FROM people GROUP BY ROLLUP (city) HAVING count(*) > 1 ORDER BY count(*) DESC, city

SELECT upper(city), count(*) FROM people GROUP BY ROLLUP (upper(city)) ORDER BY 1, 2

SELECT 1 INTERSECT ALL SELECT 1

SELECT x FROM (VALUES (1), (1), (2)) v(x) EXCEPT ALL SELECT 1 ORDER BY 1

SELECT x FROM (VALUES (1), (1), (2)) v(x) INTERSECT ALL SELECT y FROM (VALUES (1), (1), (3)) w(y) ORDER BY 1

SELECT generate_series(1, 3), generate_series(1, 2)

SELECT unnest(ARRAY[1, 2]), unnest(ARRAY['a', 'b', 'c'])

SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b', 'c']) AS t(a, b)

SELECT p.name, t FROM people p, unnest(p.tags) AS t ORDER BY p.id, t

SELECT p.name, x.tag FROM people p CROSS JOIN LATERAL unnest(p.tags) AS x(tag) ORDER BY p.id, 2

SELECT p.name, x.up FROM people p CROSS JOIN LATERAL (SELECT upper(p.name) AS up) x ORDER BY p.id

SELECT p.name, o.total FROM people p LEFT JOIN LATERAL (SELECT total, placed FROM orders WHERE person_id = p.id ORDER BY placed DESC LIMIT 1) o ON true ORDER BY p.id

SELECT p.name, o.total FROM people p CROSS JOIN LATERAL (SELECT total FROM orders WHERE person_id = p.id ORDER BY placed DESC LIMIT 2) o ORDER BY p.id, o.total

SELECT p.name, o.n, o.s FROM people p, LATERAL (SELECT count(*) AS n, sum(total) AS s FROM orders o WHERE o.person_id = p.id) o WHERE o.n > 0 ORDER BY p.id

SELECT p.name, o.height FROM people p LEFT JOIN LATERAL (SELECT q.height, q.born, q.vip FROM people q WHERE q.city = p.city AND q.id <> p.id) o ON o.vip ORDER BY p.id

SELECT p.name, d.data FROM people p LEFT JOIN LATERAL (SELECT coalesce(json_agg(json_build_array(o.id, o.note) ORDER BY o.id), '[]'::json) AS data FROM orders o WHERE o.person_id = p.id) d ON true ORDER BY p.id

WITH x AS (INSERT INTO orders VALUES (20, 1, 3, '2024-05-05', 'n') RETURNING id, total) SELECT * FROM x

WITH x AS (DELETE FROM orders WHERE id = 20 RETURNING id, total) SELECT count(*), sum(total) FROM x

CREATE TABLE lived (id bigint PRIMARY KEY, city text, tags text[], extra jsonb, vip boolean, h double precision)

INSERT INTO lived SELECT id, city, tags, extra, vip, height FROM people

WITH x AS (UPDATE lived SET city = 'Rome' WHERE id = 2 RETURNING *) SELECT city, tags, extra, vip, h FROM x

CREATE TABLE moved (id bigint, total numeric(8,2))

WITH o AS (DELETE FROM orders WHERE id = 14 RETURNING id, total) INSERT INTO moved SELECT id, total FROM o RETURNING *

WITH q AS (SELECT id FROM moved ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED), u AS (UPDATE moved SET total = total + 1 FROM q WHERE moved.id = q.id RETURNING moved.id, total) SELECT * FROM u

INSERT INTO orders VALUES (14, NULL, 0.01, '2024-03-06', '')

WITH m AS (SELECT max(id) AS id FROM moved) UPDATE moved SET total = 7 FROM m WHERE moved.id = m.id RETURNING moved.id, total

WITH d AS (SELECT 99 AS id) DELETE FROM moved USING d WHERE moved.id = d.id

WITH n AS (SELECT 5::bigint AS id) INSERT INTO moved (id) SELECT id FROM n RETURNING id, total

SELECT city FROM people ORDER BY city FETCH FIRST 1 ROW WITH TIES

SELECT city FROM people WHERE city IS NOT NULL ORDER BY city OFFSET 1 ROW FETCH NEXT 1 ROWS WITH TIES

SELECT id FROM orders WHERE id = 10 FOR UPDATE

SELECT id FROM orders WHERE id = 10 FOR UPDATE OF orders SKIP LOCKED

SELECT id FROM orders WHERE id = 10 FOR SHARE NOWAIT

SELECT (DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-01-15', DATE '2024-03-01'), (DATE '2024-01-01', INTERVAL '10 days') OVERLAPS (DATE '2024-01-11', DATE '2024-03-01')

SELECT trim(leading 'x' from 'xxa'), trim(trailing from 'a  '), trim(both from '  b '), trim('xy' from 'xyaxy'), trim(leading from '  a')

SELECT sum(total) OVER (ORDER BY placed RANGE BETWEEN INTERVAL '10 days' PRECEDING AND CURRENT ROW) FROM orders ORDER BY placed, id

SELECT row_to_json(t) FROM (SELECT id, name FROM people ORDER BY id) t

SELECT json_agg(t) FROM (SELECT id, name FROM people ORDER BY id LIMIT 2) t

SELECT jsonb_agg(t) FROM (SELECT id, name, vip, born FROM people ORDER BY id LIMIT 2) t

SELECT to_json(p) FROM (SELECT 1 AS a, 'x' AS b) p

SELECT json_agg(row_to_json(o)) FROM (SELECT id, total FROM orders ORDER BY id LIMIT 2) o

SELECT p.name, (SELECT json_agg(json_build_object('id', o.id, 'total', o.total) ORDER BY o.id) FROM orders o WHERE o.person_id = p.id) AS os FROM people p ORDER BY p.id

SELECT coalesce((SELECT array_agg(o.id ORDER BY o.id) FROM orders o WHERE o.person_id = p.id), '{}') FROM people p ORDER BY p.id

SELECT array_agg(DISTINCT city) FROM people

SELECT array_agg(DISTINCT person_id ORDER BY person_id DESC) FROM orders WHERE person_id IS NOT NULL

SELECT string_agg(DISTINCT city, ',' ORDER BY city DESC) FROM people

SELECT json_agg(DISTINCT person_id) FROM orders

SELECT * FROM json_to_recordset('[{"a":1,"b":"x"},{"a":2}]') AS x(a int, b text)

SELECT * FROM jsonb_to_recordset('[{"a":1,"b":"x"},{"a":2}]') AS x(a int, b text)

SELECT * FROM json_to_record('{"a":1,"b":[1],"c":"2024-01-01"}') AS x(a int, b json, c date)

SELECT p.name, count(o.*) FROM people p LEFT JOIN orders o ON o.person_id = p.id GROUP BY p.id ORDER BY p.id

SELECT count(DISTINCT (person_id, note)) FROM orders

SELECT name LIKE ANY (ARRAY['A%', 'B%']) FROM people ORDER BY id

SELECT name FROM people WHERE name ILIKE ANY (ARRAY['a%']) ORDER BY id

SELECT name FROM people WHERE name ~~* ANY (ARRAY['a%', '%b']) ORDER BY id

SELECT id FROM orders WHERE total > ALL (SELECT total FROM orders WHERE person_id = 1) ORDER BY id

SELECT id FROM orders WHERE total > ANY (SELECT total FROM orders WHERE person_id = 1) ORDER BY id

SELECT 1 > ALL (SELECT 1 WHERE false), 1 > ANY (SELECT 1 WHERE false), NULL = ANY (SELECT 1)

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), percentile_disc(0.5) WITHIN GROUP (ORDER BY total), mode() WITHIN GROUP (ORDER BY person_id) FROM orders

SELECT percentile_cont(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY total) FROM orders

SELECT sha256('a'::bytea), encode(sha512('a'), 'hex')

SELECT make_interval(days => 10), make_interval(1, 2), make_interval(hours => 3, mins => 4)

SELECT current_timestamp(0) IS NOT NULL, localtimestamp(3) IS NOT NULL, current_time IS NOT NULL

SELECT jsonb_insert('{"a": [1]}', '{a,0}', '0'), jsonb_insert('{"a": [1, 2]}', '{a,0}', '9', true), jsonb_insert('{}', '{b}', '1')

SELECT statement_timestamp() >= transaction_timestamp(), clock_timestamp() >= now(), now() = now()

SELECT date('2024-01-15 10:30'), date(timestamp '2024-01-15 10:30'), int4('12'), text(12), float8('3'), bool('t')

SELECT log(2.0, 8.0), log(100), ln(1.0)

SELECT covar_pop(total, id), covar_samp(total, id) FROM orders WHERE person_id = 1

SELECT id, x FROM orders o CROSS JOIN LATERAL (VALUES (o.id + 1), (o.id + 2)) v(x) WHERE o.id < 12 ORDER BY id, x

SELECT p.name, s.id FROM people p LEFT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.person_id = p.id AND o.total > 6) s ON true ORDER BY p.id, s.id

TABLE orders ORDER BY id LIMIT 1

BEGIN

SELECT now() = transaction_timestamp()

COMMIT

WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL (SELECT x+1 FROM r WHERE x<3)) SELECT * FROM r

WITH RECURSIVE r(x) AS ((SELECT 1) UNION ALL (SELECT x+1 FROM r WHERE x<3)) SELECT * FROM r

WITH RECURSIVE r(x) AS ((SELECT 1 UNION ALL SELECT x+1 FROM r WHERE x<3)) SELECT * FROM r

(SELECT id FROM people) ORDER BY name DESC limit 1

(SELECT 1) UNION (SELECT 1 UNION ALL SELECT 1)

((SELECT 'a')) UNION ALL SELECT 'b'
