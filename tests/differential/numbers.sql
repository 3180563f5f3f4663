SELECT round(2.5), round(-2.5), round(3.14159, 2), round(2.5::float8), round(3.5::float8), round(1234.5, -2)

SELECT trunc(2.9), trunc(-2.9), trunc(3.14159, 3), ceil(2.1), floor(-2.1), ceiling(2.0), ceil(2.1::float8)

SELECT abs(-5), abs(-2.5), sign(-3), sign(2.5), mod(7, 3), mod(-7, 3), mod(7.5, 2)

SELECT sqrt(16), sqrt(2.0), cbrt(27), power(2, 3), power(2.0, 3), exp(0), ln(1)

SELECT sqrt(-1)

SELECT ln(0)

SELECT log(100), log(1000.0), pi(), degrees(pi()), radians(180)

SELECT div(7, 2), div(-7.5, 2), gcd(12, 18), lcm(4, 6), factorial(5)

SELECT width_bucket(5.35, 0.024, 10.06, 5), width_bucket(5, 0, 10, 4)

SELECT 10 / 3.0, 1 / 3.0, 100 / 7.0, 1.0 / 7, 22.0 / 7.00, 0.1 / 3, 1000000.0 / 3

SELECT 1.1 + 2.2, 1.10 * 1.1, 3.00 - 1, 5.5 % 2

SELECT 0.1::float8 + 0.2::float8, 1::float8 / 3, 1e308::float8 * 10

SELECT sum(x), avg(x) FROM (VALUES (1), (2), (4)) AS t(x)

SELECT avg(salary), sum(salary), min(salary), max(salary) FROM people

SELECT avg(height), sum(height) FROM people

SELECT avg(id), sum(id), min(id) FROM people

SELECT sin(0), cos(0), atan2(1, 1), tan(0)

SELECT 7 / 2 * 2.0, 7 / (2 * 2.0)

SELECT salary FROM people WHERE salary > 1000 ORDER BY salary

SELECT salary FROM people WHERE salary = 1200.5

SELECT 1.5 = 1.50, 1.5 > 1.25, 10.0 > 9, 2 > 1.5

SELECT salary FROM people ORDER BY salary DESC

SELECT salary / 7 AS s FROM people ORDER BY s

SELECT to_char(1234.5, '9,999.99'), to_char(12, '000'), to_char(-5, '999'), to_char(1234567, 'FM9,999,999'), to_char(0.5, '0.00')

SELECT to_number('12,345.67', '99,999.99')

SELECT count(*) FROM generate_series(1, 10)

SELECT * FROM generate_series(1, 3)

SELECT * FROM generate_series(5, 1, -2) AS g

SELECT g * 2 AS d FROM generate_series(1, 3) g

SELECT generate_series(1, 3)

SELECT random() < 1, random() >= 0

SELECT ' +1.50 '::numeric, '007.50'::numeric, '.5'::numeric, '5.'::numeric, '-0'::numeric, '-0.00'::numeric, '-007'::numeric, '0.50'::numeric

SELECT 007.50, .5, 5., -0.0, +1.50

SELECT 1.5::real*2, 1.5::real*2::bigint, 1.5::real+1, 1.5::real*1.5::real, 1.5::real*1.5, 4.5::real/3, 3/4.5::real, 2-1.5::real

SELECT 9223372036854775807 = 9223372036854775807.0, 9223372036854775807 < 9223372036854775807.5, 9007199254740993 = 9007199254740993.0, 9007199254740993::bigint > 9007199254740992.5

SELECT 9007199254740993 in (9007199254740992.0), 9007199254740993 between 9007199254740992.5 AND 9007199254740993.5

SELECT '1e-400'::float8

SELECT 1e309::float8

SELECT min(x), max(x) FROM (VALUES (1.0), (2), ('NaN'::numeric)) v(x)

SELECT '10.0.0.0/8'::cidr::inet, '10.0.0.1/32'::cidr = '10.0.0.1'::inet, 'abc'::"char"

SELECT to_char(-12,'999PR'), to_char(12,'999PR'), to_char(-12,'S999'), to_char(12,'S999'), to_char(12,'999S'), to_char(-12,'999S'), to_char(-12,'999MI'), to_char(12,'999MI'), to_char(1.5,'FM9.99S'), to_char(-1234.5,'9,999.99PR')

CREATE TABLE by_nothing (a int, b int, c smallint, d bigint, n numeric, f float8)

INSERT INTO by_nothing VALUES (NULL, 0, NULL, NULL, NULL, NULL), (4, 2, 5, -7, 1.5, 2.5)

SELECT a / b, a % b, mod(a, b), c / b, c % b::smallint, d / b, mod(d, b::bigint), n / b, n % b, mod(n, b), div(n, b), f / b FROM by_nothing ORDER BY a

SELECT sum(a) / sum(b), sum(n) / sum(b), avg(f) / sum(b) FROM by_nothing GROUP BY b ORDER BY b

SELECT NULL / 0, 0 / NULL::int, NULL::int % 0, mod(NULL::int, 0), NULL::float8 / 0, NULL::real / 0, NULL::interval / 0

CREATE TABLE failed AS SELECT a / 0 AS x FROM by_nothing WHERE a = 4

CREATE TABLE failed AS SELECT b / (a - 4) AS x FROM by_nothing

CREATE TABLE failed AS SELECT d % (b - 2) AS x FROM by_nothing WHERE d < 0

SELECT (-32768)::int2 / (-1)::int2

SELECT (-2147483647 - 1) / (-1)::int

SELECT (-9223372036854775807 - 1) / (-1)::bigint

SELECT (-9223372036854775807 - 1) % (-1)::bigint, 7 / (-2), -7 / 2, -7 % 2, 7 % (-2)

DROP TABLE by_nothing

SELECT sign('Infinity'::numeric), sign('-Infinity'::numeric), sign('NaN'::numeric), sign(-0.5), sign(0.00), sign(2::numeric)

SELECT log10(0.1), log10(100), log(10, 0.1), log10(2::float8), log10(2.5)

SELECT '-Infinity'::float8 + 1, 'Infinity'::float8 * 2, 'Infinity'::float8 - 5, 1 - 'Infinity'::float8, 1e308::float8 + 1

SELECT 1e308::float8 + 1e308

SELECT -1e308::float8 - 1e308

SELECT power('NaN'::numeric, 0), power(1::numeric, 'NaN'), power('NaN'::numeric, 2)

SELECT 0::numeric ^ 1000000, 0::numeric ^ 2147483647, 0.00 ^ 2000000.0, 1::numeric ^ 1000000, 0::numeric ^ 0

SELECT width_bucket(5.35, ARRAY[1, 3, 4.5, 6]), width_bucket(5, ARRAY[1, 3, 4, 6]), width_bucket(0, ARRAY[1, 3]), width_bucket(2.5::float8, ARRAY[1, 2.5, 3]::float8[]), width_bucket('b'::text, ARRAY['a', 'b', 'c']), width_bucket(date '2024-02-03', ARRAY['2024-01-01', '2024-02-01', '2024-03-01']::date[]), width_bucket('NaN'::float8, ARRAY[1, 2]::float8[]), width_bucket(10, ARRAY[9, 10, 100]), width_bucket(1, '{}'::int[]), width_bucket(NULL, ARRAY[1, 2])

SELECT width_bucket(1, ARRAY[1, NULL])

SELECT width_bucket(1, ARRAY[ARRAY[1, 2], ARRAY[3, 4]])
