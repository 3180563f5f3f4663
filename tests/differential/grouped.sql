CREATE TABLE cmp_equal(s numeric, b numeric, g INTERVAL)

INSERT INTO cmp_equal VALUES (1.0,10,'1 day'),(1.00,9.5,'24:00'),(5000,1,'1 mon'),(3000.125,2,'30 days')

SELECT s*2, count(*) FROM cmp_equal WHERE s > 2 GROUP BY 1 ORDER BY 1

SELECT count(*) FROM cmp_equal GROUP BY s*2 ORDER BY 1

SELECT count(*) FROM cmp_equal GROUP BY s ORDER BY 1

SELECT count(DISTINCT s-s), sum(DISTINCT s), avg(DISTINCT s+0) FROM cmp_equal

SELECT array_length(array_agg(DISTINCT s),1) FROM cmp_equal

SELECT array_length(array_agg(DISTINCT g),1), count(DISTINCT g) FROM cmp_equal

SELECT count(*) FROM (SELECT DISTINCT s+0 FROM cmp_equal) q

SELECT count(*) FROM (SELECT DISTINCT g FROM cmp_equal) q

SELECT count(*) FROM cmp_equal GROUP BY g ORDER BY 1

SELECT count(*) FROM (SELECT g FROM cmp_equal UNION SELECT INTERVAL '720:00') q

CREATE UNIQUE INDEX cmp_once ON cmp_equal((s*1))

DELETE FROM cmp_equal WHERE b = 9.5

CREATE UNIQUE INDEX cmp_once ON cmp_equal((s*1))

INSERT INTO cmp_equal VALUES (1.000, 3)

CREATE TABLE cmp_span (k INTERVAL PRIMARY KEY)

INSERT INTO cmp_span VALUES ('1 day')

INSERT INTO cmp_span VALUES ('24:00')

SELECT mode() WITHIN GROUP (ORDER BY s) FROM (VALUES (1.0),(2),(2.0)) v(s)

SELECT s, rank() OVER (ORDER BY s) FROM cmp_equal ORDER BY s

SELECT row_number() OVER (PARTITION BY s+0 ORDER BY b) FROM cmp_equal ORDER BY 1

SELECT false, count(*) FROM cmp_number GROUP BY 1

SELECT id, 7 AS seven FROM cmp_number ORDER BY id, 2

SELECT 'x' AS k, count(*) FROM cmp_number GROUP BY k

SELECT 5 AS k, count(*) FROM cmp_number GROUP BY k

SELECT id, 3 AS k FROM cmp_number ORDER BY k, id DESC

SELECT DISTINCT ON (2) id, 3 FROM cmp_number ORDER BY 2, id

SELECT id FROM cmp_number ORDER BY ROW(i, a) DESC

SELECT id FROM cmp_number ORDER BY (i, a)

SELECT id FROM cmp_number nn ORDER BY nn

SELECT id, sum(id) OVER (ORDER BY 1) FROM cmp_number ORDER BY 1

SELECT * FROM (SELECT 1 x UNION ALL SELECT null) q ORDER BY x DESC

SELECT a IS DISTINCT FROM 1.00, a IS NOT DISTINCT FROM p, g IS DISTINCT FROM '24:00'::INTERVAL FROM cmp_number, cmp_equal WHERE id=1 AND b=10

CREATE TABLE cmp_sale(id int, kind text, qty int, amt numeric, paid bool)

INSERT INTO cmp_sale VALUES (1,'web',1,1.0,true),(2,'shop',2,0.1,false),(3,'web',3,0.8,null),(4,'web',4,0.7,true),(5,'shop',5,10,true)

SELECT kind FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY 1

SELECT kind, paid FROM cmp_sale GROUP BY CUBE(kind, paid) ORDER BY 1, 2

SELECT kind, count(*) FROM cmp_sale GROUP BY ROLLUP((kind)) ORDER BY 1

SELECT kind, paid, count(*) FROM cmp_sale GROUP BY ROLLUP((kind), (paid)) ORDER BY 1,2

SELECT kind, paid, count(*) FROM cmp_sale GROUP BY ROLLUP((kind, paid)) ORDER BY 1,2

SELECT kind, paid, count(*) FROM cmp_sale GROUP BY GROUPING SETS ((kind), (paid), ()) ORDER BY 1,2,3

SELECT kind, paid, count(*) FROM cmp_sale GROUP BY GROUPING SETS (kind, ROLLUP(paid)) ORDER BY 1,2,3

SELECT kind AS k, count(*) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY grouping(kind), k

SELECT kind k, grouping(kind) g, count(*) FROM cmp_sale s GROUP BY ROLLUP(s.kind) ORDER BY grouping(s.kind), s.kind

SELECT kind AS k, count(*) FROM cmp_sale s GROUP BY ROLLUP(kind) ORDER BY grouping(kind) DESC, kind

SELECT kind AS k, count(*) FROM cmp_sale s GROUP BY ROLLUP(k) ORDER BY grouping(kind) DESC, kind

SELECT kind, count(*) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY count(*) DESC, 1

SELECT kind, count(*) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY sum(qty), 1

SELECT kind, count(*) FROM cmp_sale GROUP BY ROLLUP(kind) HAVING grouping(kind)=0 ORDER BY 1

SELECT coalesce(kind,'all'), count(*) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY kind NULLS FIRST

SELECT upper(kind), count(*) FROM cmp_sale GROUP BY ROLLUP((upper(kind))) ORDER BY 1

SELECT upper(kind), count(*) FROM cmp_sale GROUP BY ROLLUP(((upper(kind)))) ORDER BY 1

SELECT kind, count(*), sum(count(*)) OVER () FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY 1

SELECT kind, rank() OVER (ORDER BY sum(qty) DESC) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY 2, 1

SELECT kind, sum(qty), sum(qty)*100.0/sum(sum(qty)) OVER (PARTITION BY grouping(kind)) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY 1

SELECT kind, sum(qty) s, lag(sum(qty)) OVER w FROM cmp_sale GROUP BY CUBE(kind) WINDOW w AS (ORDER BY kind) ORDER BY kind

SELECT DISTINCT count(*) FROM cmp_sale GROUP BY ROLLUP(kind) ORDER BY 1

SELECT kind, row_number() OVER (ORDER BY kind), max(amt) FROM cmp_sale GROUP BY GROUPING SETS ((kind),()) ORDER BY 2

SELECT 5 AS k, count(*) FROM cmp_sale GROUP BY ROLLUP(k)

SELECT 5 AS k, count(*) FROM cmp_sale GROUP BY ROLLUP(1)

SELECT (kind)::text, (qty + 1) * 2, count(*) FROM cmp_sale GROUP BY ROLLUP((kind)::text, (qty + 1) * 2) ORDER BY 1, 2

SELECT (false AND id > 1), count(*) FROM cmp_sale GROUP BY 1

SELECT 1 FROM cmp_sale HAVING count(*) > 1

SELECT id FROM cmp_sale ORDER BY (false AND id > 1), id

SELECT id, sum(id) OVER (ORDER BY amt RANGE BETWEEN 0.1 PRECEDING AND CURRENT ROW) FROM cmp_sale ORDER BY amt

SELECT id, count(*) OVER (ORDER BY amt RANGE BETWEEN 1 PRECEDING AND 0.2 FOLLOWING) FROM cmp_sale ORDER BY amt

SELECT id, count(*) OVER (ORDER BY amt DESC RANGE BETWEEN 1 PRECEDING AND 0.2 FOLLOWING) FROM cmp_sale ORDER BY amt

SELECT id, count(*) OVER (ORDER BY qty RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM cmp_sale ORDER BY id

SELECT id, count(*) OVER (ORDER BY qty::float8/10 RANGE BETWEEN 0.15 PRECEDING AND 1 FOLLOWING) FROM cmp_sale ORDER BY id

SELECT id FROM cmp_sale WHERE id>-1+2 ORDER BY id

CREATE TABLE cmp_all (i int, l int, ai int[])

INSERT INTO cmp_all VALUES (1, 5, '{6,7}'), (2, 9, '{6,7}'), (3, 1, NULL)

SELECT (l < ALL(ai)) AS k, count(*) FROM cmp_all GROUP BY (l < ALL(ai)) ORDER BY 1

SELECT l > ANY(ai) AS k, count(*) FROM cmp_all GROUP BY l > ANY(ai) HAVING l > ANY(ai) IS NOT NULL ORDER BY 1

SELECT i < ALL(SELECT l FROM cmp_all) AS k, count(*) FROM cmp_all GROUP BY i < ALL(SELECT l FROM cmp_all) ORDER BY 1

SELECT CASE WHEN l > ALL(ai) THEN 1 ELSE 0 END AS k, count(*) FROM cmp_all GROUP BY CASE WHEN l > ALL(ai) THEN 1 ELSE 0 END ORDER BY 1

SELECT l IN (SELECT unnest(ai)) AS k, count(*) FROM cmp_all GROUP BY l IN (SELECT unnest(ai)) ORDER BY 1

SELECT DISTINCT l > ALL(ai) FROM cmp_all ORDER BY l > ALL(ai)

SELECT DISTINCT ON (l > ALL(ai)) l > ALL(ai), i FROM cmp_all ORDER BY l > ALL(ai), i

SELECT l > ALL(ai) FROM cmp_all GROUP BY l < ALL(ai)

SELECT city, regr_slope(height, id), regr_count(height, salary), regr_r2(height, id), count(*) FROM people GROUP BY city

SELECT city, no_such_aggregate(height, id) FROM people GROUP BY city

SELECT no_such(height) FROM people GROUP BY city

SELECT city, abs(height) FROM people GROUP BY city

SELECT (o.*)::text FROM (VALUES (1, 'x'), (2, NULL)) o(a, b) ORDER BY 1

SELECT (o.*)::text, count(*) FROM (VALUES (1, 'x'), (1, 'x')) o(a, b) GROUP BY 1 ORDER BY 1

SELECT pg_typeof(count(*))::text, pg_typeof(sum(id))::text FROM people

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), percentile_cont(0.25) WITHIN GROUP (ORDER BY x), percentile_cont(1) WITHIN GROUP (ORDER BY x) FROM (VALUES ('Infinity'::float8), ('-Infinity'), (1)) v(x)

SELECT percentile_cont(ARRAY[0, 0.1, 0.5, 0.9, 1]) WITHIN GROUP (ORDER BY x) FROM (VALUES ('Infinity'::float8), ('-Infinity'), (1)) v(x)

SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY id DESC), percentile_disc(0.25) WITHIN GROUP (ORDER BY name DESC), mode() WITHIN GROUP (ORDER BY city DESC), percentile_cont(ARRAY[0, 0.75]) WITHIN GROUP (ORDER BY id DESC) FROM people

SELECT rank(2) WITHIN GROUP (ORDER BY id), dense_rank(2) WITHIN GROUP (ORDER BY id), percent_rank(2) WITHIN GROUP (ORDER BY id), cume_dist(2) WITHIN GROUP (ORDER BY id) FROM people

SELECT rank('Madrid', 2) WITHIN GROUP (ORDER BY city DESC, id), dense_rank('Madrid', 2) WITHIN GROUP (ORDER BY city, id) FROM people

SELECT rank(NULL) WITHIN GROUP (ORDER BY city), dense_rank('Paris') WITHIN GROUP (ORDER BY city DESC), dense_rank(NULL) WITHIN GROUP (ORDER BY city NULLS FIRST), rank('Paris') WITHIN GROUP (ORDER BY city DESC NULLS LAST) FROM people

SELECT city, rank(2) WITHIN GROUP (ORDER BY id) FILTER (WHERE vip) FROM people GROUP BY city ORDER BY city

SELECT rank(1) WITHIN GROUP (ORDER BY id), percent_rank(1) WITHIN GROUP (ORDER BY id), cume_dist(1) WITHIN GROUP (ORDER BY id), dense_rank(1) WITHIN GROUP (ORDER BY id) FROM people WHERE false

SELECT rank(2, 3) WITHIN GROUP (ORDER BY id) FROM people

SELECT rank('x') WITHIN GROUP (ORDER BY id) FROM people

SELECT rank() WITHIN GROUP (ORDER BY id) FROM people

SELECT rank(2) FROM people

SELECT rank(2) OVER (ORDER BY id) FROM people

CREATE TABLE grp_none(id int)

INSERT INTO grp_none VALUES (1),(2),(3)

SELECT 1 AS a FROM grp_none GROUP BY ()

SELECT 'x' AS a, 2 AS b FROM grp_none WHERE false GROUP BY (), ()

SELECT count(*), (SELECT 1 FROM grp_none GROUP BY ()) FROM grp_none GROUP BY ()

SELECT id FROM grp_none GROUP BY ()

SELECT id FROM grp_none GROUP BY (), id ORDER BY id

INSERT INTO grp_none SELECT 7 FROM grp_none GROUP BY ()

SELECT id FROM grp_none ORDER BY id
