CREATE TABLE agg_outer(k int, a int, b text); 

INSERT INTO agg_outer VALUES (1,10,'x'),(1,20,'y'),(2,30,'z'),(2,null,null)

SELECT k, (SELECT sum(agg_outer.a)) FROM agg_outer GROUP BY k ORDER BY k

SELECT k, (SELECT max(agg_outer.a) FROM (VALUES (1),(2)) v LIMIT 1) FROM agg_outer GROUP BY k ORDER BY k

SELECT k, (SELECT count(*) FROM (VALUES (1),(2)) v(x) WHERE x < count(agg_outer.a)) FROM agg_outer GROUP BY k ORDER BY k

SELECT (SELECT sum(agg_outer.a + v.x) FROM (VALUES (1),(2)) v(x)) FROM agg_outer ORDER BY 1

SELECT (SELECT sum(agg_outer.a)) FROM agg_outer

SELECT (SELECT string_agg(agg_outer.b, ',' ORDER BY agg_outer.b)) FROM agg_outer

SELECT (SELECT array_agg(agg_outer.b)) FROM agg_outer WHERE b IS NOT NULL

SELECT (SELECT avg(agg_outer.a)), (SELECT bool_and(agg_outer.a > 5)) FROM agg_outer

SELECT k FROM agg_outer GROUP BY k HAVING EXISTS (SELECT 1 WHERE sum(agg_outer.a) > 30) ORDER BY k

SELECT k, (SELECT sum(a) FROM agg_outer o2 WHERE o2.k = agg_outer.k), (SELECT sum(agg_outer.k) FROM agg_outer o2) FROM agg_outer ORDER BY 1

SELECT (SELECT sum(a) FROM agg_outer o2 HAVING sum(agg_outer.a) > 3) FROM agg_outer

SELECT k, (SELECT count(*) FROM agg_outer o2 WHERE o2.k = agg_outer.k AND o2.a > 15) FROM agg_outer GROUP BY k ORDER BY 1

SELECT sum((SELECT sum(agg_outer.a))) FROM agg_outer

SELECT k, (SELECT (SELECT count(agg_outer.a))) FROM agg_outer GROUP BY k ORDER BY k

SELECT k, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1)) v(x) WHERE v.x < count(agg_outer.*)) THEN 1 END FROM agg_outer GROUP BY k ORDER BY k

SELECT a, (SELECT sum(agg_outer.a)) FROM agg_outer

SELECT 1 FROM agg_outer WHERE a > (SELECT sum(agg_outer.a))

SELECT count(*), (SELECT max(b) FROM (VALUES (1)) v) FROM agg_outer

SELECT count(*) FROM agg_outer ORDER BY (SELECT max(agg_outer.a))

SELECT k, (SELECT string_agg(agg_outer.b, ',' ORDER BY x) FROM (VALUES (1), (2)) v(x)) FROM agg_outer ORDER BY a

SELECT k FROM agg_outer WHERE (SELECT array_agg(agg_outer.k ORDER BY x DESC) FROM (VALUES (1), (2)) v(x)) = ARRAY[1, 1] ORDER BY a

SELECT k, (SELECT count(agg_outer.a) FILTER (WHERE x > 1) FROM (VALUES (1), (2)) v(x)) FROM agg_outer ORDER BY a

SELECT k, (SELECT json_agg(v) FROM (VALUES (1), (2)) v(x) WHERE x = agg_outer.k) FROM agg_outer ORDER BY a

SELECT k, (SELECT json_agg(json_build_array(agg_outer.a, v)) FROM (VALUES (1)) v(x)) FROM agg_outer ORDER BY a

SELECT (SELECT sum(agg_outer.a) OVER (ORDER BY x) FROM (VALUES (1)) v(x)) FROM agg_outer ORDER BY a

SELECT s.total FROM agg_outer o, LATERAL (SELECT sum(o.a)) s(total)

UPDATE agg_outer SET a = (SELECT sum(agg_outer.a))
