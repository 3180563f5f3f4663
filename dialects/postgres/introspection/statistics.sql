-- The view shows what the user may read, and nothing of tables whose rows are hidden from some.
SELECT
    a.attrelid,
    a.attnum,
    (
        SELECT pg_catalog.json_agg(v.value)
        FROM pg_catalog.unnest(s.most_common_vals::pg_catalog.text::pg_catalog.text[]) AS v (value)
        WHERE pg_catalog.length(v.value) OPERATOR(pg_catalog.<=) 100
    )
FROM pg_catalog.pg_stats AS s
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
    AND t.typcategory OPERATOR(pg_catalog.=) 'S'::pg_catalog."char"
    AND s.most_common_vals IS NOT NULL
