-- The view shows what the user may read, and nothing of tables whose rows are hidden from some. Of text all common values
-- are wanted, since questions name them; of the rest, and of what is between them, a few tell what a column holds.
SELECT
    a.attrelid,
    a.attnum,
    s.null_frac,
    s.n_distinct,
    pg_catalog.array_length(l.common, 1),
    (
        SELECT pg_catalog.json_agg(pg_catalog.json_build_array(v.value, v.frequency))
        FROM ROWS FROM (pg_catalog.unnest(l.common), pg_catalog.unnest(s.most_common_freqs))
            WITH ORDINALITY AS v (value, frequency, at)
        WHERE pg_catalog.length(v.value) OPERATOR(pg_catalog.<=) 100
            AND v.at OPERATOR(pg_catalog.<=) CASE
                WHEN t.typcategory OPERATOR(pg_catalog.=) 'S'::pg_catalog."char" THEN 1000
                ELSE 30
            END
    ),
    (
        SELECT pg_catalog.json_agg(pg_catalog.substr(v.value, 1, 100) ORDER BY v.at)
        FROM pg_catalog.unnest(l.bounds) WITH ORDINALITY AS v (value, at)
        WHERE (v.at OPERATOR(pg_catalog.-) 1) OPERATOR(pg_catalog.%) 10 OPERATOR(pg_catalog.=) 0
                AND v.at OPERATOR(pg_catalog.<=) 1000
            OR v.at OPERATOR(pg_catalog.=) l.last
    ),
    t.typcategory OPERATOR(pg_catalog.=) 'S'::pg_catalog."char"
FROM pg_catalog.pg_stats AS s
-- Each list is written and read once (OFFSET keeps it from being done for each of its values).
CROSS JOIN LATERAL (
    SELECT
        s.most_common_vals::pg_catalog.text::pg_catalog.text[],
        s.histogram_bounds::pg_catalog.text::pg_catalog.text[],
        pg_catalog.array_length(s.histogram_bounds, 1)
    OFFSET 0
) AS l (common, bounds, last)
JOIN pg_catalog.pg_namespace AS n ON n.nspname OPERATOR(pg_catalog.=) s.schemaname
JOIN pg_catalog.pg_class AS c
    ON c.relnamespace OPERATOR(pg_catalog.=) n.oid
    AND c.relname OPERATOR(pg_catalog.=) s.tablename
JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) c.oid
    AND a.attname OPERATOR(pg_catalog.=) s.attname
JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND NOT c.relispartition
    AND t.typcategory OPERATOR(pg_catalog.<>) 'A'::pg_catalog."char"
-- Of a table with parts, what is known of all of them comes last and counts.
ORDER BY s.inherited
