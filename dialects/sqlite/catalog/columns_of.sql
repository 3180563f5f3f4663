-- Columns of one view or virtual table. hidden = 1 marks the arguments of virtual tables.
SELECT ?2 AS table_name, name, type, "notnull" AS not_null, dflt_value AS default_value, pk AS key_position, hidden
FROM pg_catalog.pragma_table_xinfo(?2, ?1)
WHERE hidden <> 1
ORDER BY cid
