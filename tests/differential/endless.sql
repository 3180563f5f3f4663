SELECT 'NaN'::float8, 'nan'::real, 'NaN'::float8::text, 'NaN'::float8::numeric, 'NaN'::real::float8, 'NaN'::numeric::real

SELECT 'NaN'::numeric + 1.5::float8, 'Infinity'::numeric::float8, '-Infinity'::numeric * 2::float8, 1::real + 'NaN'::numeric

SELECT 'NaN'::numeric > 1.5::float8, 'Infinity'::numeric = 'Infinity'::float8, '-Infinity'::numeric < (-1e308)::float8, 'NaN'::numeric = 'NaN'::float8, 'NaN'::float8 = 'NaN'::float8, 'NaN'::float8 > 'Infinity', 'NaN'::real <> 1

SELECT 'NaN'::numeric IN (1.5::float8, 'NaN'), 'Infinity'::float8 IN (1, 'Infinity'::numeric), 'NaN'::float8 BETWEEN 'Infinity' AND 'NaN', 'NaN'::float8 IS DISTINCT FROM 'NaN'::numeric, 'NaN'::float8 = ANY (ARRAY[1, 'NaN'::float8]), 'Infinity'::float8 > ALL (ARRAY[1, 1e308::float8])

SELECT CASE WHEN true THEN 'NaN'::numeric ELSE 1::float8 END, coalesce(NULL::float8, 'Infinity'::numeric), greatest(1.5::float8, 'NaN'::numeric), least('NaN'::float8, '-Infinity'::numeric), nullif('NaN'::float8, 'NaN'::numeric), greatest('NaN'::float8, 'Infinity'), least('NaN'::numeric, 'Infinity', 3)

SELECT x FROM (VALUES ('NaN'::float8), (1), ('-Infinity'), ('Infinity'), (-5), (NULL)) v(x) ORDER BY x

SELECT x FROM (VALUES ('NaN'::float8), (1), ('-Infinity'), ('Infinity'), (-5), (NULL)) v(x) ORDER BY x DESC

SELECT x, count(*) FROM (VALUES ('NaN'::float8), ('NaN'), (1), ('Infinity'), ('Infinity')) v(x) GROUP BY x ORDER BY x

SELECT DISTINCT x FROM (VALUES ('NaN'::float8), ('NaN'), (0), ('-0')) v(x) ORDER BY x

SELECT 'NaN'::numeric AS x UNION SELECT 'NaN'::float8 UNION SELECT 'Infinity'::numeric ORDER BY x

SELECT min(x), max(x), sum(x), avg(x), count(DISTINCT x) FROM (VALUES ('NaN'::float8), (1), ('Infinity')) v(x)

SELECT min(x), max(x), sum(x), avg(x), stddev(x), var_pop(x) FROM (VALUES ('-Infinity'::float8), (1), (2)) v(x)

SELECT sum(x), avg(x) FROM (VALUES ('-Infinity'::float8), ('Infinity')) v(x)

SELECT sum(x), avg(x), min(x), max(x), stddev(x), variance(x), stddev_pop(x) FROM (VALUES ('NaN'::numeric), (1), (2)) v(x)

SELECT sum(x), avg(x), min(x), max(x), stddev_pop(x) FROM (VALUES ('Infinity'::numeric), (1), (2)) v(x)

SELECT sum(x), avg(x) FROM (VALUES ('Infinity'::numeric), ('-Infinity')) v(x)

SELECT sum(x) OVER w, avg(x) OVER w FROM (VALUES (1, 'NaN'::numeric), (2, 1), (3, 2)) v(i, x) WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i

SELECT sum(x) OVER w, avg(x) OVER w FROM (VALUES (1, 'Infinity'::float8), (2, 0.1), (3, 0.2), (4, 0.3)) v(i, x) WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i

SELECT sum(x), avg(x) FROM (VALUES (0.1::float8), (0.2), (0.3)) v(x)

SELECT sum(x) FROM (VALUES (1e308::float8), (1e308)) v(x)

SELECT avg(x) FROM (VALUES (1e308::float8), (1e308)) v(x)

SELECT 'Infinity'::float8 / 'Infinity', 'Infinity'::float8 - 'Infinity', 0 * 'Infinity'::float8, 'NaN'::float8 / 0, 'Infinity'::real / 'Infinity'::real, 'Infinity'::real - 'Infinity'::real, 1 / 'Infinity'::float8

SELECT 'Infinity'::float8 / 0

SELECT -('NaN'::float8), abs('NaN'::float8), sign('NaN'::float8), abs('-Infinity'::float8), @ '-Infinity'::real, sign('-Infinity'::float8), -('Infinity'::float8), -('NaN'::numeric), -('Infinity'::numeric)

SELECT sqrt('NaN'::float8), sqrt('Infinity'::numeric), cbrt('NaN'::float8), exp('-Infinity'::float8), exp('NaN'::float8), ln('Infinity'::float8), ln('NaN'::float8), log('NaN'::float8), power('NaN'::float8, 0), power(1::float8, 'NaN'), power('-Infinity'::float8, 3), power('Infinity'::float8, -1), power(0.5::float8, '-Infinity')

SELECT round('NaN'::float8), floor('Infinity'::float8), ceil('-Infinity'::float8), trunc('NaN'::float8), sin('NaN'::float8), atan('Infinity'::float8), degrees('NaN'::float8)

SELECT exp(1000::float8)

SELECT exp(-1000::float8)

SELECT power(10::float8, 400)

SELECT power((-8)::float8, 1.0 / 3)

SELECT power(0::float8, -1)

SELECT ln(0::float8)

SELECT ln('-Infinity'::float8)

SELECT sqrt('-Infinity'::float8)

SELECT sin('Infinity'::float8)

SELECT asin(2::float8)

SELECT 'NaN'::float8::int

SELECT 'Infinity'::float8::bigint

SELECT 'NaN'::numeric::int

SELECT '-Infinity'::numeric::bigint

SELECT 'Infinity'::numeric(5, 2)

SELECT 'NaN'::numeric(5, 2), 'NaN'::numeric / 0

SELECT 'Infinity'::numeric + 1, 'Infinity'::numeric - 'Infinity', 'Infinity'::numeric * 0, 'Infinity'::numeric * -2, 'Infinity'::numeric / -2, 5 / 'Infinity'::numeric, 'Infinity'::numeric % 5, 5.5 % 'Infinity'::numeric, div('Infinity'::numeric, 2), 'Infinity'::numeric / 'Infinity'

SELECT 'Infinity'::numeric / 0

SELECT abs('-Infinity'::numeric), round('Infinity'::numeric, 2), trunc('-Infinity'::numeric), ceil('Infinity'::numeric), floor('NaN'::numeric), exp('-Infinity'::numeric), ln('Infinity'::numeric), log('Infinity'::numeric), power('Infinity'::numeric, 2), power(2, '-Infinity'::numeric), scale('Infinity'::numeric), min_scale('NaN'::numeric), trim_scale('Infinity'::numeric)

SELECT ln('-Infinity'::numeric)

SELECT sqrt('-Infinity'::numeric)

SELECT ARRAY['NaN'::float8, 1, 'Infinity'], ARRAY['NaN'::numeric, 1]::float8[], (ARRAY['NaN'::float8])[1] = 'NaN', ARRAY['NaN'::float8] > ARRAY['Infinity'::float8], ARRAY['NaN'::float8] = ARRAY['NaN'::float8]

SELECT x, x > 5, x + 1 FROM unnest(ARRAY['NaN'::float8, 1, 'Infinity', '-Infinity']) x ORDER BY x

SELECT to_json('NaN'::float8), to_jsonb('NaN'::float8), row_to_json(v), json_build_array(v.x) FROM (VALUES ('NaN'::float8)) v(x)

SELECT array_agg(x ORDER BY x), array_agg(DISTINCT x) FROM (VALUES ('NaN'::float8), (2), ('NaN'), ('-Infinity')) v(x)

CREATE TABLE endless (id int PRIMARY KEY, f float8, r real, n numeric, d float8 DEFAULT 'NaN'::numeric, g float8 GENERATED ALWAYS AS (n * 2::float8) STORED)

INSERT INTO endless (id, f, r, n) VALUES (1, 'NaN'::numeric, 'NaN', 'NaN'), (2, 'Infinity'::numeric, '-Infinity'::numeric, 'Infinity'), (3, 1.5, 2.5, 3.5)

SELECT * FROM endless ORDER BY id

SELECT id FROM endless WHERE f > 5 ORDER BY id

SELECT id FROM endless WHERE f = n ORDER BY id

SELECT id FROM endless WHERE n > r ORDER BY id

SELECT id FROM endless WHERE r = 'NaN' OR r < -5 ORDER BY id

UPDATE endless SET f = n, r = -f WHERE id < 3

SELECT id, f, r FROM endless ORDER BY f DESC, id

SELECT a.id, b.id FROM endless a JOIN endless b ON a.f = b.n ORDER BY 1, 2

CREATE INDEX endless_f ON endless (f)

SELECT id FROM endless WHERE f >= 'Infinity' ORDER BY id

DROP TABLE endless
