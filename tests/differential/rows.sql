CREATE TABLE row_pair (id int PRIMARY KEY, name text, price numeric(8,2), ok boolean, moment timestamp, doc jsonb, tags text[], raw bytea, at timestamptz, span interval, short varchar(5), day date)

INSERT INTO row_pair VALUES (1, 'one', 2.5, true, '2024-01-02 03:04:05', '{"a": [1]}', '{x,"y z"}', '\x00ff', '2024-01-02 03:04:05+00', '1 day', 'abc', '2024-02-03'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, 'a "b", c\d (e)', 0, false, NULL, '[]', '{}', '', NULL, NULL, '', NULL)

CREATE TABLE row_other (id int PRIMARY KEY, pair_id int, note text)

INSERT INTO row_other VALUES (10, 1, 'x'), (11, 7, 'y'), (12, NULL, NULL)

SELECT p::text FROM row_pair p ORDER BY id

SELECT (p)::text, p IS NULL, p IS NOT NULL FROM row_pair p ORDER BY id

SELECT CASE WHEN p IS NULL THEN NULL ELSE p END::text FROM row_pair p ORDER BY id

SELECT o.id, p::text, p IS NULL FROM row_other o LEFT JOIN row_pair p ON p.id = o.pair_id ORDER BY o.id

WITH made AS (INSERT INTO row_other (id, note) VALUES (13, 'z') RETURNING *) SELECT (CASE WHEN made IS NULL THEN NULL ELSE made END)::text FROM made

WITH made AS (UPDATE row_other SET note = 'zz' WHERE id = 13 RETURNING *) SELECT made::text FROM made

SELECT (s::row_other).* FROM unnest('{"(1,2,three)","(4,,\"f i,ve\")"}'::text[]) s ORDER BY 1

SELECT (s::"public"."row_other").note, (s::row_other).id + 1 AS next FROM unnest(ARRAY['(1,2,three)', '(4,,)']) s ORDER BY 2

SELECT ('(7,"",0.5,t,"2024-01-01 00:00:00","{}","{a}","\\x01","2024-01-01 00:00:00+00","1 day",ab,2024-01-01)'::row_pair).*

SELECT '(1,2)'::row_other

SELECT '(1,x,2)'::row_other

SELECT '( 1 ,2, three)'::row_other::text, NULL::row_other IS NULL

SELECT 'x'::row_nothing

SELECT ('(1,2,x)'::row_other).nothing

SELECT ROW(1, 'a b', NULL, true)::text, (1, 'x')::text, ROW()::text

SELECT o IS NOT NULL, count(*) FROM row_other o GROUP BY 1 ORDER BY 1

SELECT json_build_object('o', o) FROM row_other o ORDER BY id LIMIT 1

SELECT jsonb_build_array(o, 1), to_jsonb(o), to_json(o), row_to_json(o) FROM row_other o ORDER BY id LIMIT 1

SELECT json_object_agg(o.id, o) FROM row_other o WHERE id = 10

SELECT array_agg(o ORDER BY o.id)::text FROM row_other o

SELECT count(o), count(DISTINCT o.note) FROM row_other o

SELECT (o).*, (o).note AS again FROM row_other o ORDER BY o.id

SELECT o FROM row_other o ORDER BY id

SELECT o = o FROM row_other o

SELECT (information_schema._pg_expandarray(ARRAY[7, 8])).*

SELECT ('(1,2)'::text).*

SELECT CASE WHEN true THEN 1 ELSE id END, CASE WHEN true THEN 1 ELSE id END::text, CASE WHEN true THEN 1 ELSE 2::bigint END, CASE WHEN true THEN 1 ELSE abs(3) END::text FROM row_other LIMIT 0

DROP TABLE row_pair, row_other
