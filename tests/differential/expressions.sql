SELECT 1

SELECT 1 + 1, 2 - 3, 2 * 3, 7 / 2, 7 % 3, -7 / 2, -7 % 3

SELECT 7.0 / 2, 7 / 2.0, 1.5 + 2.25, 2.0 * 3.10, 10 / 4.0

SELECT 1 / 0

SELECT 1.0 / 0

SELECT 5 % 0

SELECT 2147483647 + 1

SELECT 9223372036854775807 + 1

SELECT 2147483647::bigint + 1

SELECT 1 = 1, 1 <> 2, 1 < 2, true AND false, true OR NULL, NOT true

SELECT NULL = NULL, NULL IS NULL, 1 IS NOT NULL

SELECT 1 IS DISTINCT FROM NULL, NULL IS NOT DISTINCT FROM NULL

SELECT true IS TRUE, NULL IS NOT FALSE, false IS UNKNOWN

SELECT 3 BETWEEN 1 AND 5, 3 NOT BETWEEN 1 AND 2

SELECT 2 IN (1, 2, 3), 5 NOT IN (1, 2), NULL IN (1, 2)

SELECT CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END, CASE 3 WHEN 3 THEN 'three' END

SELECT CASE WHEN true THEN 1 ELSE 2.5 END

SELECT coalesce(NULL, 5), coalesce(NULL, 'x'), nullif(1, 1), nullif(1, 2)

SELECT greatest(1, 5, 3), least(4, 2, 9), greatest(NULL, 3), greatest(1.5, 2), least('b', 'a')

SELECT 'abc' || 'def', 'a' || 1, 1 || 'b', 'x' || NULL

SELECT 'a' = 'a ', 'a' < 'b', 'B' < 'a'

SELECT 1 = '1'

SELECT 1 = 'x'

SELECT 'a' = 1

SELECT "name" FROM people ORDER BY id

SELECT "no_such_column" FROM people

SELECT nope FROM people

SELECT people.nope FROM people

SELECT x.name FROM people

SELECT * FROM nope

SELECT foo(1)

SELECT upper(1, 2)

SELECT true + 1

SELECT 'a' + 1

SELECT 1 + 'x'

SELECT - 5, + 3, ~ 5, @ -4

SELECT 5 & 3, 5 | 3, 5 # 3, 1 << 4, 256 >> 2

SELECT 2 ^ 10, |/ 16, 2.0 ^ 3

SELECT (1, 2) = (1, 2), (1, 2) < (1, 3)

SELECT 1 AS one, 2 AS "Two", 3 three

SELECT 1 AS One

SELECT id, NAME, people.city FROM people WHERE id = 1

SELECT 1.10, 0.5, .5, 1e3, 1.5e-3, 100000000000

SELECT 'it''s', E'a\nb', $$dollar$$, $x$it's$x$

SELECT true, false, NULL

SELECT 'x' AS a, 1 AS a

SELECT 1 WHERE false

SELECT EXISTS (SELECT 1 FROM people WHERE id = 99)

SELECT (SELECT name FROM people WHERE id = 1)

SELECT (SELECT count(*) FROM orders o WHERE o.person_id = p.id) FROM people p ORDER BY p.id

SELECT pg_typeof(1), pg_typeof(1.5), pg_typeof('a'::text), pg_typeof(now())

SELECT 1 WHERE 5

SELECT NOT 3

SELECT name FROM people WHERE vip ORDER BY id

SELECT name FROM people WHERE NOT vip

SELECT vip, NOT vip FROM people ORDER BY id

SELECT height / 2, height * 2, height + 1 FROM people ORDER BY id

SELECT id / 2, id % 2, id * 1.5 FROM people ORDER BY id

SELECT salary, salary * 2, salary / 3, salary + 1 FROM people ORDER BY id

SELECT count(*) FROM people WHERE id>-1

SELECT count(*) FROM people WHERE id<>-1 AND id>=-1 AND id<=+5 AND id=-(-1)

SELECT '[1,2]'::jsonb->-1, '[1,2]'::jsonb->>-1, 3*-1, 3+-1, 3/-1, 3%-2, 2^-1, 5 - -1

SELECT 3*-1, 3+-1, 7%-2, 2<-1, 1<>+1, '[1,2]'::jsonb->-1

SELECT pg_typeof(nullif(7, 2.0))::text, nullif(7, 2.0) / 2, nullif(7, 2.0::float8) / 2, nullif(7::smallint, 2::bigint) / 2

SELECT avg(nullif(x, 0.0)), sum(nullif(x, 0.0)) / 3 FROM (VALUES (1), (4)) z(x)

SELECT nullif('a'::varchar, 'b'::text), nullif(date '2024-01-01', timestamp '2024-01-01 10:00'), nullif(NULL, 1)

SELECT bit '101' & bit '110', bit '1111', varbit '1111', bit(3) '101', '101'::bit

SELECT char 'abc', character 'xyz', char(2) 'abc', 'abc'::char

SELECT -(-9223372036854775808), -(-5), - - 7, -(-2147483648)

SELECT repeat('x', 70)::name, length(repeat('é', 70)::name), 'a  '::text::name || '|'
