SELECT ARRAY[1,2,3], ARRAY['a','b c',NULL], ARRAY[[1,2],[3,4]], ARRAY[1.5,2]

SELECT (ARRAY[10,20,30])[2], (ARRAY['a','b'])[5], (ARRAY[1,2,3,4])[2:3]

SELECT array_length(ARRAY[1,2,3], 1), cardinality(ARRAY[[1,2],[3,4]]), array_length('{}'::int[], 1), array_upper(ARRAY[1,2], 1)

SELECT ARRAY[1,2] || 3, 0 || ARRAY[1], ARRAY[1] || ARRAY[2,3], array_append(ARRAY['a'], 'b'), array_prepend(1, ARRAY[2])

SELECT array_remove(ARRAY[1,2,1], 1), array_replace(ARRAY[1,2], 1, 9), array_position(ARRAY['a','b'], 'b'), array_cat(ARRAY[1], ARRAY[2])

SELECT ARRAY[1,2] @> ARRAY[1], ARRAY[1] <@ ARRAY[1,2], ARRAY[1,2] && ARRAY[2,3], ARRAY[1,2] = ARRAY[1,2], ARRAY[1,2] < ARRAY[1,3]

SELECT 2 = ANY (ARRAY[1,2,3]), 5 = ANY (ARRAY[1,NULL]), 1 < ALL (ARRAY[2,3]), 'a' = ANY ('{a,b}')

SELECT * FROM unnest(ARRAY[1,2,3])

SELECT * FROM unnest(ARRAY['x','y']) AS u

SELECT * FROM unnest(ARRAY['x','y']) WITH ORDINALITY

SELECT u, n FROM unnest(ARRAY['x','y']) WITH ORDINALITY AS t(u, n)

SELECT unnest(ARRAY[1,2])

SELECT tags, tags[1], array_length(tags, 1) FROM people ORDER BY id

SELECT name FROM people WHERE 'red' = ANY (tags)

SELECT name FROM people WHERE tags @> ARRAY['blue']

SELECT ARRAY(SELECT id FROM people ORDER BY id)

SELECT ARRAY[1,'x']

SELECT ARRAY[]::int[], '{}'::text[], ARRAY[true,false]

SELECT array_to_string(ARRAY[1,2,NULL], ','), string_to_array('1-2', '-')::int[]

SELECT ARRAY[]

SELECT ARRAY[1.0, 2] @> ARRAY[1.00], ARRAY[1.00] <@ ARRAY[1.0, 2], ARRAY[1.0] && ARRAY[1.000, 3], array_position(ARRAY[2, 1.0], 1.00), array_positions(ARRAY[1.0, 2, 1.00], 1)

SELECT ARRAY[interval '1 day'] @> ARRAY[interval '24:00'], array_position(ARRAY[interval '1 mon'], interval '30 days'), ARRAY[interval '1 day'] && ARRAY[interval '25:00']

SELECT abs(-1.5::float8 * 0), @ (-1.5::float8 * 0)

SELECT array[1.5, 2.5]::int[], array[1.7, 2]::bigint[], array[2.5::float8, NULL]::int[], array[true, false]::int[], array[0, 2]::bool[], array[[1.5], [2.4]]::smallint[]

SELECT (array_agg(n))::int[] FROM (VALUES (1.5), (2.4)) v(n)

SELECT array[99999.5]::smallint[]

SELECT array[0.1::float8 + 0.2::float8]::numeric[]
