SELECT ARRAY[[1,2],[3,4]] @> ARRAY[4], ARRAY[[1,2],[3,4]] && ARRAY[3], ARRAY[1,2,3] <@ ARRAY[[1,2],[3,4]], ARRAY[4,1] <@ ARRAY[[1,2],[3,4]]

SELECT array_to_string(ARRAY[[1,2],[3,NULL]], ','), array_to_string(ARRAY[['a','b c'],['{d','e']], '-', '*')

SELECT (ARRAY[[1,2],[3,4]])[1:1], (ARRAY[[1,2],[3,4]])[1:2][2:2], (ARRAY[[1,2],[3,4]])[2:1], (ARRAY[[1,2],[3,4]])[2][1:1], (ARRAY[[1,2],[3,4]])[:][2:]

SELECT (ARRAY[[1,2],[3,4]])[1], (ARRAY[[1,2],[3,4]])[2][1], (ARRAY[[1,2],[3,4]])[3][1], (ARRAY[1,2])[1][1], (ARRAY[[['a','b']]])[1][1][2]

SELECT ARRAY[[1,2],[3,4]] || ARRAY[9,9], ARRAY[9,9] || ARRAY[[1,2],[3,4]], ARRAY[[1,2]] || ARRAY[[3,4]], ARRAY[[1,2]] || '{}'::int[], array_cat('{}'::int[], ARRAY[[1]])

SELECT ARRAY[[1,2],[3,4]] || ARRAY[9]

SELECT ARRAY[[1,2]] || ARRAY[[1,2,3]]

SELECT ARRAY[[[1]]] || ARRAY[1]

SELECT ARRAY[[1],[2,3]]

SELECT ARRAY[ARRAY[1,2], '{}'::int[]]

SELECT ARRAY['{}'::int[], '{}'::int[]], ARRAY[NULL::int[], NULL], ARRAY[ARRAY[1,2], ARRAY[3,4]], ARRAY[ARRAY[[1]], ARRAY[[2]]]

SELECT ARRAY[ARRAY[1,2], NULL]

SELECT array_append(ARRAY[[1,2],[3,4]], 5)

SELECT array_prepend(5, ARRAY[[1,2],[3,4]])

SELECT array_append('{}'::int[], 5), array_prepend(5, NULL), array_append(ARRAY['a'], '{b'), array_prepend('{"x"}', ARRAY['a']), ARRAY['a'] || '{b}'::text

SELECT array_agg(a ORDER BY a) FROM (VALUES (ARRAY[3,4]), (ARRAY[1,2])) AS v(a)

SELECT array_agg(a) FROM (VALUES (ARRAY[1,2]), (ARRAY[3])) AS v(a)

SELECT array_agg(a) FROM (VALUES (ARRAY[1,2]), (NULL)) AS v(a)

SELECT array_agg(a) FROM (VALUES ('{}'::int[])) AS v(a)

SELECT array_agg(a) FROM (SELECT ARRAY[1] AS a WHERE false) AS v

SELECT ARRAY(SELECT ARRAY[x, x + 1] FROM generate_series(1, 2) AS x)

SELECT array_remove(ARRAY[[1,2],[3,4]], 1)

SELECT array_position(ARRAY[[1,2],[3,4]], 1)

SELECT array_positions(ARRAY[[1,2],[3,4]], 1)

SELECT array_replace(ARRAY[[1,2],[2,4]], 2, 9), array_replace(ARRAY[['a',NULL]], NULL, '{'), trim_array(ARRAY[[1,2],[3,4]], 1), trim_array(ARRAY[1,2,3], 3)

SELECT trim_array(ARRAY[[1,2],[3,4]], 3)

SELECT ARRAY[[1,2],[3,4]] < ARRAY[[1,3]], ARRAY[[1,2]] = ARRAY[1,2], ARRAY[[1,2]] > ARRAY[1,2], ARRAY[1,2] < ARRAY[1,2,0], ARRAY[[10]] < ARRAY[[9]], ARRAY[['10']] < ARRAY[['9']]

CREATE TABLE boxed(id int, a int[], t text[])

INSERT INTO boxed VALUES (1, '{{1,2},{3,4}}', '{{"a b",c}}'), (2, '{5,6}', NULL), (3, NULL, '{}')

SELECT id, a[1], a[2][2], a[1:1], t[1][1], t[:1], a || a FROM boxed ORDER BY id

UPDATE boxed SET a = a || ARRAY[7,8] WHERE id < 3 RETURNING id, a

SELECT id FROM boxed WHERE a @> ARRAY[8] ORDER BY id

DROP TABLE boxed

SELECT '[[1,2]]'::jsonb @> '[1]', '[[1,2]]'::jsonb @> '[[1]]', '[1,[2]]'::jsonb @> '2', '[1,2]'::jsonb @> '2.0', '["a"]'::jsonb @> '"a"', '{"a":[1]}'::jsonb @> '{"a":1}', '[[1]]'::jsonb @> '1', '1'::jsonb @> '[1]', '1'::jsonb @> '1.0', '[{"a":[1,2]}]'::jsonb @> '[{"a":[2]}]', '[1]'::jsonb <@ '[[1]]'

SELECT interval '1 day' + time '01:00', time '01:00' + interval '1 day', interval '25 hours' + time '01:00', interval '-2 hours' + time '01:00'
