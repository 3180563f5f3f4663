SELECT 2 BETWEEN SYMMETRIC (3) AND 1, 2 BETWEEN SYMMETRIC (1 + 2) AND (1), 2 BETWEEN ASYMMETRIC (1) AND 3, 2 NOT BETWEEN SYMMETRIC (3) AND (1), 2 BETWEEN SYMMETRIC (1) + 2 AND 1

SELECT x BETWEEN SYMMETRIC (x + 1) AND (SELECT 0), x BETWEEN SYMMETRIC (SELECT 3) AND abs(-1), x FROM (VALUES (1), (5)) v(x) WHERE x BETWEEN SYMMETRIC (9) * 1 AND (1) ORDER BY x

SELECT 1 IN ((SELECT 1), 2), 3 NOT IN ((SELECT 1 LIMIT 1), (SELECT 3)), 4 IN ((SELECT 1) + 3, 7), 1 IN ((SELECT 1)), 1 IN ((SELECT 1) UNION SELECT 2), 5 IN (5, (SELECT 1))

SELECT x FROM (VALUES (1), (2), (3)) v(x) WHERE x IN ((SELECT max(n) FROM generate_series(1, 3) n), 1) AND x NOT IN ((SELECT 7), 1) ORDER BY x

SELECT 1.5 IN ((SELECT 1), 1.50), NULL IN ((SELECT 1), 2), 1 IN ((SELECT NULL::int), 2)

CREATE TABLE constant_keys (i int, s text)

INSERT INTO constant_keys VALUES (1, 'a'), (2, 'b'), (3, NULL)

SELECT i FROM constant_keys ORDER BY (1 IS NOT NULL), i DESC

SELECT s, i FROM constant_keys ORDER BY 'a' IS NULL, i DESC

SELECT s, count(*) FROM constant_keys GROUP BY s, (2 IS NOT NULL) ORDER BY s

SELECT count(*) FROM constant_keys GROUP BY (1 IS NULL)

SELECT i FROM constant_keys ORDER BY (2 IS NOT NULL AND true), NOT (1 IS NULL), (NULL IS NULL) DESC, i DESC

SELECT i, row_number() OVER (ORDER BY (1 IS NOT NULL), i DESC) FROM constant_keys ORDER BY i

SELECT DISTINCT 1 IS NOT NULL FROM constant_keys ORDER BY 1 IS NOT NULL

CREATE TABLE several (y float8, x float8, s text, sep text)

INSERT INTO several VALUES (1, 1, 'a', ','), (1, 1, 'a', NULL), (NULL, 2, 'b', ';'), (2, NULL, 'a', ','), (NULL, 2, NULL, '-'), (3, 4, 'b', ':'), (3, 4.0, 'b', ';'), (2, 5, 'c', ',')

SELECT corr(DISTINCT y, x), covar_pop(DISTINCT y, x), covar_samp(DISTINCT y, x), regr_avgx(DISTINCT y, x), regr_count(DISTINCT y, x), regr_slope(DISTINCT y, x), regr_sxx(DISTINCT y, x), corr(y, x), regr_count(y, x) FROM several

SELECT string_agg(DISTINCT s, sep), string_agg(DISTINCT s, ','), string_agg(DISTINCT s, NULL), string_agg(s, sep ORDER BY s, sep) FROM several

SELECT string_agg(DISTINCT s, sep ORDER BY s, sep), string_agg(DISTINCT s, sep ORDER BY s DESC), string_agg(DISTINCT s, ',' ORDER BY s DESC), string_agg(DISTINCT s, sep ORDER BY sep DESC, s) FROM several

SELECT json_object_agg(DISTINCT s, x ORDER BY s, x) FROM several WHERE s IS NOT NULL

SELECT jsonb_object_agg(DISTINCT s, sep) FROM several WHERE s = 'c'

SELECT regr_count(DISTINCT y, x) FILTER (WHERE x > 1), string_agg(DISTINCT s, sep) FILTER (WHERE s <> 'a') FROM several

SELECT (timestamp '2024-01-05', NULL::interval) OVERLAPS (timestamp '2024-01-01', timestamp '2024-01-10'), (NULL, timestamp '2024-01-07') OVERLAPS (timestamp '2024-01-01', timestamp '2024-01-09'), (date '2024-01-05', NULL::interval) OVERLAPS (date '2024-01-01', interval '10 day'), (timestamp '2024-01-05', timestamp '2024-01-07') OVERLAPS (timestamp '2024-01-01', NULL), (timestamp '2024-01-01', NULL::timestamp) OVERLAPS (timestamp '2024-01-01', NULL::timestamp), (timestamp '2024-01-01', timestamp '2024-01-02') OVERLAPS (NULL::timestamp, NULL::timestamp)

SELECT (timestamp '2024-01-01', NULL::timestamp) OVERLAPS (timestamp '2024-01-05', timestamp '2024-01-07'), (timestamp '2024-01-09', NULL::timestamp) OVERLAPS (timestamp '2024-01-05', timestamp '2024-01-07'), (timestamp '2024-01-01', timestamp '2024-01-04') OVERLAPS (timestamp '2024-01-05', NULL), (time '10:00', NULL::time) OVERLAPS (time '09:00', time '11:00')

CREATE TABLE shifted_scales (id int, a numeric(3,-2) DEFAULT 12345, b numeric(2,4) DEFAULT 0.00129, c numeric(5,5), d numeric(10,2) DEFAULT 1.239)

INSERT INTO shifted_scales (id) VALUES (1)

INSERT INTO shifted_scales VALUES (2, 99949, 0.0099, 0.12345, 1.005), (3, -12350, -0.00125, 0, 0)

SELECT * FROM shifted_scales ORDER BY id

SELECT a + 1, b + 1, a * b, a = 12300, sum(a) OVER (), max(b) OVER () FROM shifted_scales ORDER BY id

INSERT INTO shifted_scales (a) VALUES (99950)

INSERT INTO shifted_scales (b) VALUES (0.00995)

INSERT INTO shifted_scales (b) VALUES (0.01)

INSERT INTO shifted_scales (c) VALUES (1)

SELECT 12345::numeric(3,-2), 0.001234::numeric(2,4), '12351'::numeric(3,-2)::text, 1e10::numeric(3,-8), 0::numeric(2,4), '{12345,1}'::numeric(3,-2)[]

SELECT 0.01::numeric(2,4)

ALTER TABLE shifted_scales ALTER a TYPE numeric(6,-1), ALTER b TYPE numeric(6,3)

UPDATE shifted_scales SET a = 555 WHERE a < 0

SELECT * FROM shifted_scales ORDER BY id

SELECT -2 ^ 2, - -4 ^ 2, - -4::numeric ^ 2, -4::numeric ^ 2, 2 ^ -2, - - - 2 ^ 2, -2 ^ 2 ^ 3, - @ -3 ^ 2, + - 2 ^ 2

SELECT -a ^ 2, - -a ^ 2, (-a) ^ 2, -(a) ^ 2, -a * a ^ 2, 1 - -a ^ 2, - - a ^ 2 FROM (VALUES (3)) v(a)

SELECT CASE WHEN true THEN 'd'::varchar(3) ELSE 'x'::text END, CASE WHEN true THEN 'd'::char(3) ELSE array[1]::text END, CASE WHEN false THEN NULL WHEN true THEN 'd'::char(3) ELSE 'q'::text END, CASE WHEN true THEN 'b'::text ELSE 'a'::varchar END, CASE WHEN true THEN 'd'::char(3) ELSE 'x' END

SELECT CASE WHEN i = 1 THEN 'd'::char(3) ELSE i::text END FROM (VALUES (1), (2)) v(i) ORDER BY i

SELECT CASE WHEN true THEN 1 ELSE 'x'::text END

SELECT 'b' LIKE 'x\', '' LIKE 'x\', 'xy' LIKE 'a%\', 'b' NOT ILIKE 'x\', 'b' LIKE 'x!' ESCAPE '!', '2AB' ILIKE '2A%' ESCAPE 'a', '2A%' ILIKE '2aa%' ESCAPE 'a', 'AB' ILIKE 'a\B'

SELECT 'x' LIKE 'x\'

SELECT 'xy' LIKE 'x\'

SELECT 'xy' LIKE '%\'
