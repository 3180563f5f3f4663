SELECT '{"a":{"b":2}}'::jsonb -> 'a', '{"a":{"b":2}}'::jsonb ->> 'a', '[1,2,3]'::jsonb -> 1, '[1,2,3]'::jsonb ->> -1

SELECT '{"a":{"b":[1,2]}}'::jsonb #> '{a,b}', '{"a":{"b":[1,2]}}'::jsonb #>> '{a,b,0}'

SELECT extra -> 'a', extra ->> 'a', extra -> 'b' -> 2 ->> 'c' FROM people ORDER BY id

SELECT '{"a":1,"b":2}'::jsonb @> '{"a":1}', '{"a":1}'::jsonb <@ '{"a":1,"b":2}', '{"a":1}'::jsonb ? 'a', '["x"]'::jsonb ? 'x'

SELECT '{"a":1}'::jsonb || '{"b":2}'::jsonb, '{"a":1,"b":2}'::jsonb - 'a', '[1,2,3]'::jsonb - 1

SELECT jsonb_build_object('a', 1, 'b', 'x', 'c', true, 'd', NULL), jsonb_build_array(1, 'a', 2.50, false)

SELECT json_build_object('a', 1, 'b', 'x'), json_build_array(1, 'two', NULL)

SELECT to_jsonb(1), to_jsonb('x'::text), to_jsonb(true), to_jsonb(ARRAY[1,2]), to_json(DATE '2024-01-01')

SELECT jsonb_typeof('[1]'::jsonb), jsonb_typeof('"x"'::jsonb), jsonb_typeof('null'::jsonb), json_typeof('1'::json)

SELECT jsonb_array_length('[1,2,3]'::jsonb), json_array_length('[]'::json)

SELECT jsonb_array_length('{"a":1}'::jsonb)

SELECT * FROM jsonb_array_elements('[1,"a",{"b":2}]'::jsonb)

SELECT * FROM jsonb_array_elements_text('[1,"a",null]'::jsonb) AS e

SELECT * FROM jsonb_each('{"a":1,"b":"x"}'::jsonb)

SELECT key, value FROM jsonb_each_text('{"a":1,"b":"x"}'::jsonb) ORDER BY key

SELECT * FROM jsonb_object_keys('{"b":1,"a":2}'::jsonb)

SELECT jsonb_set('{"a":1}'::jsonb, '{a}', '2'), jsonb_set('{"a":{"b":1}}'::jsonb, '{a,c}', '"x"'), jsonb_set('{"a":1}'::jsonb, '{z}', '2', false)

SELECT jsonb_extract_path_text('{"a":{"b":"x"}}'::jsonb, 'a', 'b'), jsonb_strip_nulls('{"a":null,"b":1}'::jsonb)

SELECT jsonb_pretty('{"a":[1,2]}'::jsonb)

SELECT ('{"a":5}'::jsonb -> 'a')::int, ('{"a":1.5}'::jsonb ->> 'a')::numeric

SELECT '{"a":1}'::jsonb = '{"a": 1}'::jsonb, '{"a":1}'::json ->> 'a'

SELECT id FROM people WHERE extra @> '{"a": 1}'

SELECT '{"a":1}'::jsonb ?| ARRAY['a','z'], '{"a":1}'::jsonb ?& ARRAY['a','z']

SELECT row_to_json(1)

SELECT '"\u0000"'::jsonb

SELECT '{"\u0000": 1}'::jsonb

SELECT '"\u0000"'::json IS NOT NULL AS there

SELECT '{"a": "\u0000"}'::json ->> 'a'

SELECT to_jsonb('{"bb": 1, "a": 2}'::json), jsonb_build_array('{"bb":1,"a":2}'::json)

SELECT to_json(ARRAY[1,2])::text, to_json(ARRAY['a b',NULL])::text, to_json(ARRAY[[1,2],[3,4]])::text, to_jsonb(ARRAY[1,2])::text, to_json('{"b":1,  "a":2}'::json)::text, to_json('{"b":1,  "a":2}'::jsonb)::text, to_jsonb('{"b":1,  "a":2}'::json)::text

SELECT json_build_object('k', '{"b":1,  "a":[1,2]}'::json, 'l', '{"b":1,  "a":2}'::jsonb, 'm', ARRAY[1,2], 'n', 1.50, 'o', 'x"y'::text, 'p', true, 'q', NULL, 'r', now() IS NULL)::text, jsonb_build_object('k', '{"b":1,  "a":[1,2]}'::json, 'm', ARRAY[1,2])::text

SELECT row_to_json(x)::text, to_jsonb(x)::text, to_json(x)::text FROM (SELECT ARRAY[1,2] AS a, '{"b":1,  "a":[1,2]}'::json AS b, '{"b":1,  "a":2}'::jsonb AS c, 1.5::float8 AS e, date '2020-01-01' AS f) x

SELECT json_agg(x)::text, jsonb_agg(x)::text, json_agg(a)::text, json_agg(b)::text, json_agg(c)::text FROM (SELECT ARRAY[1,2] AS a, '{"b":1,  "a":[1,2]}'::json AS b, '{"b":1,  "a":2}'::jsonb AS c) x

SELECT json_build_array('{"b":1,  "a":[1,2]}'::json, ARRAY[1,2], NULL)::text, json_object_agg(1, '{"b":1,  "a":[1,2]}'::json)::text, json_object_agg('a', ARRAY[1,2])::text, jsonb_object_agg('a', ARRAY[1,2])::text

SELECT jsonb_object(ARRAY['a','1']), json_object(ARRAY['b','2'])

SELECT jsonb_object(ARRAY['a','b'], ARRAY['1','2']), json_object('{a,1,b,2}')

SELECT json_object('a', 1)

SELECT jsonb_object('{{a,1},{b,2}}')

SELECT jsonb_object('{a}'), 1

SELECT json_object(ARRAY['a',null])

SELECT jsonb_object(ARRAY['a','b'], ARRAY['1'])

SELECT jsonb_object(ARRAY[null,'b'])

SELECT like('abc', 'a%'), notlike('abc', 'a%')

CREATE TABLE json_bytes (id int, b bytea)

INSERT INTO json_bytes VALUES (1, '\x0102'), (2, null)

SELECT row_to_json(t) FROM json_bytes t ORDER BY id

SELECT to_jsonb(b), to_json(b), jsonb_build_object('b', b), json_agg(b) FROM json_bytes WHERE id = 1 GROUP BY b

SELECT array_to_json(ARRAY[b]), to_jsonb(t) FROM json_bytes t WHERE id = 1

CREATE TABLE keyed ("""" text, "a"",""b"":""" int, "\" int, "{" int)

INSERT INTO keyed VALUES ('v', 1, 2, 3)

SELECT to_json(k), row_to_json(k) FROM keyed AS k

SELECT json_agg(k) FROM keyed AS k

SELECT to_jsonb(k) FROM keyed AS k

DROP TABLE keyed

SELECT json_agg(x) FROM (VALUES ('NaN'::numeric), (1.50), (NULL)) v(x)

SELECT to_json('Infinity'::float8), to_json('-Infinity'::float8), to_json('NaN'::numeric), to_jsonb('NaN'::numeric), to_jsonb('Infinity'::float8)

SELECT json_build_array('NaN'::numeric, 'Infinity'::float8, 'Infinity'::real), json_build_object('a', 'Infinity'::float8, 'b', 'NaN'::numeric)

SELECT jsonb_build_object('a', 'Infinity'::float8, 'b', 1e20::float8, 'c', 1.5, 'd', 3::real, 'e', '{"b": 1, "a":  2}'::json), jsonb_build_array('NaN'::numeric), json_object_agg('k', 'NaN'::numeric), jsonb_object_agg('k', '-Infinity'::float8)

SELECT row_to_json(r) FROM (SELECT 'NaN'::numeric AS a, 'Infinity'::float8 AS b, 1.50 AS c) r

SELECT jsonb_agg(x) FROM (VALUES ('NaN'::numeric), (1.5)) v(x)

SELECT to_json(ARRAY['NaN'::numeric, 1.10]), array_to_json(ARRAY['Infinity'::float8, 3]), array_to_json(ARRAY[ARRAY[1.50, NULL], ARRAY[2.0, 3]])

SELECT json_agg(x) FROM (VALUES (3::real), (3.5), (1e20), (1e-7)) v(x)

SELECT json_agg(x) FROM (VALUES (3::float8), (3.5), (1e20), (1e-7)) v(x)

SELECT to_json(3::float8), to_json(1e20::float8), to_json(1e6::real), to_jsonb(1e20::float8), json_build_array(3::float8, 0.1::real)

SELECT '5'::jsonb::int, '5.6'::jsonb::int, '-2.5'::jsonb::int, '1.5'::jsonb::numeric, '5'::jsonb::float8, '5'::jsonb::bigint, '5'::jsonb::smallint, '3'::jsonb::real

SELECT '99999999999'::jsonb::int

SELECT '1'::jsonb::bool

SELECT '"a"'::jsonb::int

SELECT '{"a": 1.10, "b" : 12345678901234567890, "c":1e2, "d": { "x" :1.0 , "y":[1 ,2]}}'::json -> 'a', '{"a": {"x" : 1.10 }}'::json -> 'a', '[1.10 , 2 ]'::json -> 0, '[1.10,{"b" : 1 }]'::json ->> 1, '{"a":12345678901234567890123}'::json ->> 'a', '{"a":1,"a": 2.0}'::json -> 'a'

SELECT '{"a":{"b":[1, 2.50 ,{"c": 1E3}]}}'::json #> '{a,b}', '{"a":{"b":[1, 2.50]}}'::json #>> '{a,b,1}', '{"a":{"b":[1, 2.50]}}'::json #>> '{a,b,-1}', ' [1 ] '::json #> '{}', json_extract_path('{"a":{"b" : 1.0}}', 'a'), json_extract_path_text('{"a":{"b" : 1.0}}', 'a', 'b'), '{"a":null}'::json ->> 'a', '{"a":null}'::json -> 'a', '[1]'::json -> 'a', '{"a":1}'::json -> 0, '"x"'::json #>> '{}'

SELECT * FROM json_each('{"a": 1.10, "b" :{ "c" : 1 }, "a":null, "d":"x\u00e9"}')

SELECT * FROM json_each_text('{"a": 1.10, "b" :{ "c" : 1 }, "a":null, "d":"x\u00e9"}')

SELECT * FROM json_array_elements('[1.10, 12345678901234567890123, {"a" : 1 }, null, "x"]')

SELECT * FROM json_array_elements_text('[1.10, 12345678901234567890123, {"a" : 1 }, null, "x"]')

SELECT * FROM json_object_keys('{"b":1,"a":2,"b":3}')

SELECT * FROM json_to_record('{"a": 1.10, "b": {"x" : 1.0}, "c": "t", "d": 12345678901234567890, "e": null, "f":[1 , 2]}') AS x(a numeric, b json, c text, d numeric, e jsonb, f text)

SELECT * FROM json_to_recordset('[{"a": 1.10, "b": [1, 2]}, {"a":2.0, "b": "{3,4}"}, {"b": null}]') AS x(a text, b int[])

SELECT * FROM jsonb_to_recordset('[{"a": [[1, 2], [3, 4]], "b": ["x", null, "y z"]}, {"a": [], "b": [{"k": 1.10}]}]') AS x(a int[], b text[])

SELECT * FROM json_to_record('{"a": [{"x" : 1.10}, null, 2], "b": [true, false], "c": [1.50, "2"]}') AS x(a json[], b boolean[], c numeric[])

SELECT * FROM json_to_record('{"a": 3}') AS x(a int[])

SELECT * FROM json_to_record('{"a": [[1, 2], [3]]}') AS x(a int[])

SELECT * FROM json_to_record('[1]') AS x(a int)

SELECT * FROM json_to_recordset('{"a": 1}') AS x(a int)

SELECT * FROM json_to_recordset('[1]') AS x(a int)

SELECT * FROM json_to_record(NULL) AS x(a int)

SELECT * FROM json_each('[1]')

SELECT * FROM json_array_elements('{"a": 1}')

SELECT '{"a": 1.10, "b": 12345678901234567890123, "c": 1e2, "d": [1.0, -0.0, 1.5E-3]}'::jsonb, '{"a": 1.10}'::jsonb -> 'a', '[1.10, 2.0]'::jsonb || '[3.00]', jsonb_set('{"a": 1.10, "b": 2.0}', '{b}', '3.50'), '{"a": 1.0}'::jsonb = '{"a": 1.00}', '[1.0]'::jsonb @> '[1]', jsonb_pretty('{"a": 1.10}'), jsonb_strip_nulls('{"a": 1.10, "b": null}')

SELECT jsonb_array_elements('[1.10, 12345678901234567890123]'), (jsonb_array_elements_text('[1.10, 12345678901234567890123]'))::numeric + 1

SELECT '1e200000'::jsonb

SELECT json_object_agg(NULL::text, 1)

SELECT jsonb_object_agg(k, v) FROM (VALUES ('a', 1), (NULL, 2)) t(k, v)

SELECT json_build_object(NULL, 1)

SELECT jsonb_build_object('a', 1, NULL, 2)

SELECT json_object(ARRAY[NULL, 'a'])

SELECT json_strip_nulls('{"a": 1.10, "b": null, "c": {"d": null, "e": [null, 1e2 ]}, "f": "x\u00e9"}')

SELECT row_to_json(v, true), row_to_json(v, false), array_to_json(ARRAY[[1, 2], [3, 4]], true), array_to_json(ARRAY[1, 2], false) FROM (VALUES (10, 'x', ARRAY[1, 2])) v(a, b, c)

SELECT to_jsonb(3) ->> 0, to_jsonb(3) -> -1, to_jsonb(3) -> 1, '"a"'::jsonb ->> 0, '3'::json ->> 0, '3'::jsonb ->> 'a'

SELECT jsonb_set('[1]', '{a}', '2')

SELECT jsonb_set('{"b": [1]}', '{b,k}', '2')

SELECT jsonb_set('3', '{a}', '2')

SELECT '3'::jsonb #- '{a}'

SELECT jsonb_insert('3', '{a}', '2')

SELECT jsonb_set('{"a": 1}', ARRAY[NULL], '2')

SELECT '[]'::jsonb #- '{a}', jsonb_set('{"a": 1}', '{a,b}', '2'), jsonb_set('[1]', '{0,b}', '2'), jsonb_set('[]', '{3}', '2'), jsonb_pretty('{"a": [], "b": {}}'), jsonb_pretty('[]')

SELECT x FROM (VALUES ('[[], 1]'::jsonb), ('[0.0, null]'), ('[]'), ('1'), ('[1]'), ('{}')) v(x) ORDER BY x

CREATE TABLE incomparable (j json, jb jsonb, a int)

INSERT INTO incomparable VALUES ('{"a": 1}', '{"a": 1}', 1), ('{"a": 1}', '{"a": 1}', 2)

SELECT j, count(*) FROM incomparable GROUP BY j

SELECT a FROM incomparable GROUP BY a, j

SELECT DISTINCT j FROM incomparable

SELECT DISTINCT ON (j) a FROM incomparable

SELECT count(DISTINCT j) FROM incomparable

SELECT j FROM incomparable UNION SELECT j FROM incomparable

SELECT j FROM incomparable EXCEPT ALL SELECT j FROM incomparable

SELECT j FROM incomparable UNION ALL SELECT j FROM incomparable

SELECT j FROM incomparable ORDER BY j

SELECT row_number() OVER (PARTITION BY j) FROM incomparable

SELECT row_number() OVER (ORDER BY j) FROM incomparable

SELECT array_agg(a ORDER BY j) FROM incomparable

SELECT ARRAY[j] FROM incomparable GROUP BY 1

SELECT jb, count(*), count(DISTINCT jb) FROM incomparable GROUP BY jb ORDER BY jb

DROP TABLE incomparable

CREATE TABLE bare_documents(id int, j json, x xml, d json DEFAULT '1.50')

INSERT INTO bare_documents VALUES (1, '1.0', '007'), (2, '12345678901234567890', '1.50'), (3, ' 1e2 ', NULL) RETURNING *

SELECT id, j, x, j::text AS jt, d FROM bare_documents ORDER BY id

UPDATE bare_documents SET j = '0.10', x = '1e3' WHERE id = 1 RETURNING j, x

ALTER TABLE bare_documents ADD COLUMN more json DEFAULT '2.0'

SELECT id, j, x, more FROM bare_documents ORDER BY id

CREATE TABLE bare_copy AS SELECT id, j, x FROM bare_documents

SELECT * FROM bare_copy ORDER BY id

CREATE TEMP TABLE bare_mine(j json, x xml)

INSERT INTO bare_mine VALUES ('1.0', '007') RETURNING *

SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'bare_documents' ORDER BY ordinal_position

CREATE TABLE doc_once(id int, b jsonb UNIQUE)

INSERT INTO doc_once VALUES (1, '{"a":1.0}')

INSERT INTO doc_once VALUES (2, '{"a":1}')

INSERT INTO doc_once VALUES (2, '{"a":1}') ON CONFLICT (b) DO UPDATE SET id = 3

INSERT INTO doc_once VALUES (4, '{"B":1}'), (5, '10'), (6, '9'), (7, '[]'), (8, '"x"')

SELECT id FROM doc_once WHERE b = '{"a":1}' ORDER BY id

SELECT id FROM doc_once ORDER BY b

SELECT id FROM doc_once ORDER BY b::text

SELECT id FROM doc_once WHERE b::text = '{"a": 1}'

SELECT id FROM doc_once WHERE b::json::text = '10'

SELECT count(DISTINCT b::text), count(DISTINCT b) FROM doc_once

CREATE TABLE doc_told(b jsonb PRIMARY KEY, note text)

INSERT INTO doc_told VALUES ('{"n":2.50}', 'x'), ('{"n":2.5}', 'y')

CREATE UNIQUE INDEX doc_told_note ON doc_told(note, b)
