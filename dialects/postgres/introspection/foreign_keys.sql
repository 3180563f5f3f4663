-- Keys of partitions are copies of their parent's.
SELECT
    k.conrelid,
    pg_catalog.array_to_json(k.conkey),
    k.confrelid,
    pg_catalog.array_to_json(k.confkey),
    -- Whether it holds for all rows at every moment.
    k.convalidated AND NOT k.condeferrable
FROM pg_catalog.pg_constraint AS k
WHERE k.contype OPERATOR(pg_catalog.=) 'f'::pg_catalog."char"
    AND k.conparentid OPERATOR(pg_catalog.=) 0::pg_catalog.oid
ORDER BY k.oid
