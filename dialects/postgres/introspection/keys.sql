SELECT
    i.indrelid,
    i.indisprimary,
    i.indkey,
    i.indnkeyatts,
    -- Whether rows may break it, for a while or in tables that inherit.
    NOT i.indimmediate OR (c.relhassubclass AND c.relkind OPERATOR(pg_catalog.=) 'r'::pg_catalog."char")
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) i.indrelid
WHERE i.indrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND i.indisunique
    AND i.indisvalid
    AND i.indpred IS NULL
    AND i.indexprs IS NULL
    AND NOT c.relispartition
    AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'm']::pg_catalog."char"[])
ORDER BY i.indexrelid
