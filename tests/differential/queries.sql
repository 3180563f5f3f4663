SELECT city FROM people ORDER BY city

SELECT city FROM people ORDER BY city DESC

SELECT city FROM people ORDER BY city NULLS FIRST

SELECT city FROM people ORDER BY city DESC NULLS LAST, id

SELECT id FROM people ORDER BY vip, id

SELECT DISTINCT city FROM people ORDER BY city

SELECT DISTINCT ON (city) city, name FROM people ORDER BY city, id DESC

SELECT id FROM people ORDER BY id LIMIT 2

SELECT id FROM people ORDER BY id LIMIT 2 OFFSET 1

SELECT id FROM people ORDER BY id OFFSET 3

SELECT id FROM people ORDER BY id FETCH FIRST 2 ROWS ONLY

SELECT id FROM people ORDER BY id FETCH FIRST ROW ONLY

SELECT id FROM people ORDER BY id LIMIT ALL

SELECT p.name, o.total FROM people p JOIN orders o ON o.person_id = p.id ORDER BY o.id

SELECT p.name, o.total FROM people p LEFT JOIN orders o ON o.person_id = p.id ORDER BY p.id, o.id

SELECT p.name, o.id FROM people p RIGHT JOIN orders o ON o.person_id = p.id ORDER BY o.id

SELECT p.name, o.id FROM people p FULL JOIN orders o ON o.person_id = p.id ORDER BY p.id, o.id

SELECT count(*) FROM people CROSS JOIN orders

SELECT count(*) FROM people, orders WHERE people.id = orders.person_id

SELECT id FROM people JOIN (SELECT 1::bigint AS id) x USING (id)

SELECT * FROM (SELECT 1 AS a, 2 AS b) x NATURAL JOIN (SELECT 1 AS a, 3 AS c) y

SELECT * FROM people ORDER BY id

SELECT p.* FROM people p WHERE p.id = 2

SELECT id FROM people, orders

SELECT * FROM people p JOIN people p ON true

SELECT 1 UNION SELECT 2 ORDER BY 1

SELECT 1 UNION ALL SELECT 1.5

SELECT 'a' UNION SELECT NULL ORDER BY 1

SELECT 1 UNION SELECT 'a'

SELECT 1 UNION SELECT 1, 2

SELECT id FROM people INTERSECT SELECT person_id FROM orders ORDER BY id

SELECT id FROM people EXCEPT SELECT person_id FROM orders ORDER BY id

SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 ORDER BY 1

(SELECT 1) UNION ALL (SELECT 2 LIMIT 1)

VALUES (1, 'a'), (2, 'b')

SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS t(n, s) ORDER BY n DESC

WITH a AS (SELECT id, name FROM people) SELECT name FROM a WHERE id = 1

WITH a AS MATERIALIZED (SELECT 1 AS x), b(y) AS (SELECT x + 1 FROM a) SELECT * FROM a, b

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n

SELECT name FROM people WHERE id IN (SELECT person_id FROM orders) ORDER BY id

SELECT name FROM people WHERE id NOT IN (SELECT person_id FROM orders WHERE person_id IS NOT NULL) ORDER BY id

SELECT name FROM people p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.person_id = p.id) ORDER BY id

SELECT id FROM people WHERE (id, name) IN ((1, 'Ann'), (2, 'x'))

SELECT id FROM people WHERE id = ANY (ARRAY[1, 3]) ORDER BY id

SELECT id FROM people WHERE id <> ALL ('{1,3}'::bigint[]) ORDER BY id

SELECT id FROM people WHERE id > ALL (ARRAY[1, 2]) ORDER BY id

SELECT id FROM people WHERE id = ANY (SELECT person_id FROM orders) ORDER BY id

SELECT name AS n FROM people ORDER BY n

SELECT id AS x FROM people ORDER BY 5

SELECT id FROM people FOR UPDATE

TABLE orders

SELECT x.a FROM (SELECT id AS a FROM people) x ORDER BY x.a

SELECT s.n, p.name FROM people p JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.person_id = p.id) s ON true ORDER BY p.id

SELECT p.id, t FROM people p, unnest(p.tags) AS t ORDER BY p.id, t

SELECT name FROM public.people WHERE id = 1

SELECT people.name FROM public.people ORDER BY people.id LIMIT 1

SELECT count(*) FROM people HAVING count(*) > 100

SELECT 1 LIMIT 0

SELECT id, id FROM people ORDER BY id LIMIT 1

SELECT ((SELECT 1) UNION (SELECT 1)) AS n

SELECT id FROM people WHERE id = ((SELECT 1) EXCEPT (SELECT 2))

SELECT id FROM people WHERE id IN ((SELECT 1) UNION (SELECT 2)) OR EXISTS ((SELECT 1 WHERE people.id = 3) INTERSECT (SELECT 1)) ORDER BY id

SELECT (((SELECT 1) UNION (SELECT 2)) EXCEPT (SELECT 1)) AS n, ((VALUES (1)) UNION (SELECT 2) ORDER BY 1 DESC LIMIT 1) AS m

SELECT id FROM people WHERE id = ANY ((SELECT 1) UNION ALL (SELECT 3)) ORDER BY id

SELECT ((SELECT q.id FROM people q WHERE q.id = p.id) UNION (SELECT p.id)) AS id FROM people p ORDER BY 1

WITH RECURSIVE t(n) AS (SELECT 1::numeric UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT * FROM t ORDER BY n

WITH RECURSIVE t(n) AS (SELECT 5::numeric UNION ALL SELECT n - 1 FROM t WHERE n > 1) SELECT sum(n), max(n), min(n) FROM t

WITH RECURSIVE t(n) AS (SELECT 1::numeric UNION SELECT n + 0.5 FROM t WHERE n < 12) SELECT count(*), max(n) FROM t

WITH RECURSIVE t(n) AS (SELECT NULL::numeric UNION ALL SELECT coalesce(n, 0) + 1 FROM t WHERE n IS NULL OR n < 12) SELECT * FROM t ORDER BY n

WITH RECURSIVE t(x, y) AS (SELECT 1::numeric, 10::numeric UNION ALL SELECT x + 1, y / x FROM t WHERE x < y) SELECT * FROM t ORDER BY x

WITH RECURSIVE t(n, p) AS (SELECT 1::numeric, 'a' UNION ALL SELECT n + 1, p FROM t WHERE n IN (1, 2, 3)) SELECT n FROM t ORDER BY n

WITH RECURSIVE t(n) AS (SELECT id::numeric FROM people UNION SELECT n + 3 FROM t WHERE n < 9) SELECT n FROM t ORDER BY n
