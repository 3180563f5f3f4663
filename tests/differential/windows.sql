SELECT id, row_number() OVER (ORDER BY id DESC) FROM people ORDER BY id

SELECT id, rank() OVER (ORDER BY city), dense_rank() OVER (ORDER BY city) FROM people ORDER BY id

SELECT id, sum(total) OVER (ORDER BY id), count(*) OVER () FROM orders ORDER BY id

SELECT id, lag(id) OVER (ORDER BY id), lead(name, 1, 'none') OVER (ORDER BY id) FROM people ORDER BY id

SELECT id, first_value(name) OVER w, last_value(name) OVER w FROM people WINDOW w AS (PARTITION BY city ORDER BY id) ORDER BY id

SELECT id, ntile(2) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), cume_dist() OVER (ORDER BY id) FROM people ORDER BY id

SELECT person_id, sum(sum(total)) OVER () FROM orders GROUP BY person_id ORDER BY person_id

SELECT id, avg(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM people ORDER BY id

SELECT rank() FROM people

SELECT name FROM (SELECT name, row_number() OVER (PARTITION BY city ORDER BY id) AS rn FROM people) s WHERE rn = 1 ORDER BY name

SELECT id, max(height) OVER (PARTITION BY city) FROM people ORDER BY id

SELECT id, nth_value(id, 2) OVER (ORDER BY id) FROM people ORDER BY id

SELECT n, count(*) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM generate_series(1, 4) AS n ORDER BY n

SELECT n, sum(n) OVER (PARTITION BY n % 2 ORDER BY n / 2 GROUPS UNBOUNDED PRECEDING EXCLUDE TIES), count(*) OVER (w RANGE UNBOUNDED PRECEDING EXCLUDE GROUP) FROM generate_series(1, 6) AS n WINDOW w AS (ORDER BY n / 2) ORDER BY n

SELECT n, sum(n) OVER w FROM generate_series(1, 3) AS n WINDOW w AS (ORDER BY n ROWS 1 PRECEDING EXCLUDE NO OTHERS) ORDER BY n

SELECT i, sum(x) OVER w, avg(x) OVER w FROM (VALUES (1, 1.5), (2, 0.00), (3, 2), (4, 12.345), (5, 1)) v(i, x) WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i

SELECT x, string_agg(s, ',') OVER (ORDER BY x ROWS 1 PRECEDING) FROM (VALUES (1, 'a'), (2, ''), (3, 'b'), (4, 'c')) v(x, s) ORDER BY x

SELECT x, string_agg(s, '|') OVER w FROM (VALUES (1, 'a'), (2, ''), (3, 'é'), (4, NULL)) v(x, s) WINDOW w AS (ORDER BY x ROWS 1 PRECEDING) ORDER BY x

SELECT x, string_agg(s, ', ') OVER (ORDER BY x GROUPS BETWEEN 2 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM (VALUES (1, ''), (2, ''), (3, 'abc'), (4, 'def'), (5, '')) v(x, s) ORDER BY x

SELECT x, string_agg(s, ', ') OVER (ORDER BY x) FROM (VALUES (1, ''), (2, ''), (3, 'abc')) v(x, s) ORDER BY x
