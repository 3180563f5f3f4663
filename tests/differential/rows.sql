CREATE TABLE row_w (a int, b text, arr int[])

INSERT INTO row_w VALUES (1, 'x', '{1,2}'), (NULL, NULL, NULL), (2, NULL, '{1,10}'), (NULL, 'q', '{0}')

SELECT * FROM row_w WHERE row_w IS NULL

SELECT * FROM row_w w WHERE w IS NOT NULL

SELECT a, b FROM row_w w WHERE NOT (w IS NOT NULL) ORDER BY a, b

SELECT w IS NULL, w IS NOT NULL FROM row_w w

SELECT x.a, w IS NULL AS miss FROM row_w x LEFT JOIN row_w w ON w.a = x.a + 100 ORDER BY 1

SELECT x.a FROM row_w x LEFT JOIN (SELECT a AS k FROM row_w) s ON s.k = x.a WHERE s IS NULL

SELECT count(*) FROM row_w t WHERE t IS NOT NULL AND EXISTS (SELECT 1 FROM row_w u WHERE u IS NOT NULL AND t IS NOT NULL)

SELECT max(arr), min(arr) FROM row_w

SELECT max(ARRAY[b]) FROM row_w

SELECT max(t), min(t) FROM (VALUES (ARRAY['a', 'b']), (ARRAY['a', 'c'])) v(t)

SELECT ARRAY['10'] < ARRAY['9'], ARRAY[10] < ARRAY[9], max(x) FROM (VALUES (ARRAY['10']), (ARRAY['9'])) v(x)

SELECT max(x), min(x) FROM (VALUES (ARRAY[10.50]), (ARRAY[9.1])) v(x)

SELECT max(x ORDER BY x), max(DISTINCT x), max(x) FILTER (WHERE x[1] < 10) FROM (VALUES (ARRAY[10]), (ARRAY[9])) v(x)

SELECT a, max(arr) OVER (ORDER BY a) FROM row_w WHERE a IS NOT NULL ORDER BY a

SELECT row(1,2) = row(1,2), row(1,2) < row(1,3), row(1,NULL) = row(1,2), (1,2) <> (1,3), row(1,2) IS DISTINCT FROM row(1,2), row(1,2) >= row(0,9)

SELECT row(1,2) IN ((1,2),(3,4)), (1,2) NOT IN (SELECT 1,2), row(1,'a') = ANY (SELECT a, b FROM row_w), (1, 'x') = (SELECT a, b FROM row_w WHERE a = 1)

SELECT row(1,2) BETWEEN row(1,1) AND row(1,3)

SELECT 'abc' LIKE ALL (SELECT b || '%' FROM (VALUES ('a'), ('ab')) v(b)), 'abc' LIKE ANY (SELECT b FROM (VALUES ('z%')) v(b))

SELECT 'abc' ILIKE ANY (SELECT 'A%'), 'abc' NOT LIKE ALL (SELECT 'z%'), 'abc' NOT ILIKE ALL (SELECT 'A%'), 'abc' ~ ANY (ARRAY['^a', 'z'])

SELECT 'abc' LIKE ALL (SELECT NULL::text), 'abc' LIKE ALL (SELECT 'x' WHERE false), 'abc' LIKE ANY (SELECT 'x' WHERE false)

SELECT a FROM row_w WHERE b NOT LIKE ALL (SELECT 'x%') AND b ILIKE ANY (SELECT 'Q')
CREATE TABLE row_pair (id int PRIMARY KEY, name text, price numeric(8,2), ok boolean, moment timestamp, doc jsonb, tags text[], raw bytea, at timestamptz, span interval, short varchar(5), day date)

INSERT INTO row_pair VALUES (1, 'one', 2.5, true, '2024-01-02 03:04:05', '{"a": [1]}', '{x,"y z"}', '\x00ff', '2024-01-02 03:04:05+00', '1 day', 'abc', '2024-02-03'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, 'a "b", c\d (e)', 0, false, NULL, '[]', '{}', '', NULL, NULL, '', NULL)

CREATE TABLE row_other (id int PRIMARY KEY, pair_id int, note text)

INSERT INTO row_other VALUES (10, 1, 'x'), (11, 7, 'y'), (12, NULL, NULL)

SELECT p::text FROM row_pair p ORDER BY id

SELECT (p)::text, p IS NULL, p IS NOT NULL FROM row_pair p ORDER BY id

SELECT CASE WHEN p IS NULL THEN NULL ELSE p END::text FROM row_pair p ORDER BY id

SELECT o.id, p::text, p IS NULL FROM row_other o LEFT JOIN row_pair p ON p.id = o.pair_id ORDER BY o.id

WITH made AS (INSERT INTO row_other (id, note) VALUES (13, 'z') RETURNING *) SELECT (CASE WHEN made IS NULL THEN NULL ELSE made END)::text FROM made

WITH made AS (UPDATE row_other SET note = 'zz' WHERE id = 13 RETURNING *) SELECT made::text FROM made

SELECT (s::row_other).* FROM unnest('{"(1,2,three)","(4,,\"f i,ve\")"}'::text[]) s ORDER BY 1

SELECT (s::"public"."row_other").note, (s::row_other).id + 1 AS next FROM unnest(ARRAY['(1,2,three)', '(4,,)']) s ORDER BY 2

SELECT ('(7,"",0.5,t,"2024-01-01 00:00:00","{}","{a}","\\x01","2024-01-01 00:00:00+00","1 day",ab,2024-01-01)'::row_pair).*

SELECT '(1,2)'::row_other

SELECT '(1,x,2)'::row_other

SELECT '( 1 ,2, three)'::row_other::text, NULL::row_other IS NULL

SELECT 'x'::row_nothing

SELECT ('(1,2,x)'::row_other).nothing

SELECT ROW(1, 'a b', NULL, true)::text, (1, 'x')::text, ROW()::text

SELECT o IS NOT NULL, count(*) FROM row_other o GROUP BY 1 ORDER BY 1

SELECT json_build_object('o', o) FROM row_other o ORDER BY id LIMIT 1

SELECT jsonb_build_array(o, 1), to_jsonb(o), to_json(o), row_to_json(o) FROM row_other o ORDER BY id LIMIT 1

SELECT json_object_agg(o.id, o) FROM row_other o WHERE id = 10

SELECT array_agg(o ORDER BY o.id)::text FROM row_other o

SELECT count(o), count(DISTINCT o.note) FROM row_other o

SELECT (o).*, (o).note AS again FROM row_other o ORDER BY o.id

SELECT o FROM row_other o ORDER BY id

SELECT o = o FROM row_other o

SELECT (information_schema._pg_expandarray(ARRAY[7, 8])).*

SELECT ('(1,2)'::text).*

SELECT CASE WHEN true THEN 1 ELSE id END, CASE WHEN true THEN 1 ELSE id END::text, CASE WHEN true THEN 1 ELSE 2::bigint END, CASE WHEN true THEN 1 ELSE abs(3) END::text FROM row_other LIMIT 0

DROP TABLE row_pair, row_other

CREATE TABLE row_alike (a int, n numeric, c char(4), i interval, ip inet, j jsonb, na numeric[])

INSERT INTO row_alike VALUES (1, 1.0, 'x', '1 mon', '10.0.0.1', '{"a":1}', '{1.0}'), (1, 1.00, 'x ', '30 days', '10.0.0.1/32', '{"a":1.0}', '{1.00}'), (1, NULL, NULL, NULL, NULL, NULL, NULL), (1, NULL, NULL, NULL, NULL, NULL, NULL)

SELECT count(DISTINCT (a,n)), count(DISTINCT (a,c)), count(DISTINCT (a,i)), count(DISTINCT (a,ip)), count(DISTINCT (a,j)), count(DISTINCT (a,na)), count(DISTINCT ROW(a,ROW(n,i))) FROM row_alike

SELECT count(*) FROM (SELECT DISTINCT (a,n) FROM row_alike) q

SELECT count(*) FROM (SELECT DISTINCT r FROM (SELECT (a,i) AS r FROM row_alike) s) q

SELECT (a,n)::text, count(*) FROM row_alike WHERE n IS NULL GROUP BY (a,n)

SELECT count(*), max(k) FROM (SELECT count(*) AS k FROM (SELECT (a,i) AS r FROM row_alike) s GROUP BY r) q

SELECT count(*) FROM (SELECT (a,na) FROM row_alike UNION SELECT (a,na) FROM row_alike) q

SELECT count(*) FROM (SELECT (1,n) FROM row_alike WHERE n IS NOT NULL INTERSECT SELECT (1,1.000)) q

SELECT count(*) FROM (SELECT (a,n) FROM row_alike EXCEPT SELECT (1,1.000)) q

SELECT count(*) FROM (SELECT DISTINCT row_alike FROM row_alike) q

SELECT count(DISTINCT row_alike), count(row_alike), count((a,n)) FROM row_alike

SELECT count(DISTINCT r) FROM (SELECT (a,i) AS r FROM row_alike UNION ALL SELECT (a,i) FROM row_alike) q

SELECT count(*) OVER (PARTITION BY (a,n)) FROM row_alike

DROP TABLE row_alike

CREATE TABLE row_all (a int, b text)

INSERT INTO row_all VALUES (1, 'x y'), (2, NULL)

SELECT row(r.*)::text, row(0, r.*, r.a + 1)::text, (r.*)::text FROM row_all r ORDER BY a

SELECT row(r.*)::text FROM row_all r, orders WHERE orders.id = 10 + r.a ORDER BY a

SELECT row(nobody.*) FROM row_all

SELECT (SELECT row(r.*)::text) FROM row_all r ORDER BY a

DROP TABLE row_all
