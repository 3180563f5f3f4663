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
