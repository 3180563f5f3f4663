-- Columns of one table. hidden = 1 marks the arguments of virtual tables.
SELECT name, type, "notnull" AS not_null, pk AS key_position
FROM pg_catalog.pragma_table_xinfo(?1, ?2)
WHERE hidden <> 1
ORDER BY cid
