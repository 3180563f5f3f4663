-- Columns of all tables of one schema. Views and virtual tables, which may be broken, are asked one by one.
SELECT s.name AS table_name, c.name, c.type, c."notnull" AS not_null, c.dflt_value AS default_value,
       c.pk AS key_position, c.hidden
FROM {schema}.sqlite_schema AS s
CROSS JOIN pg_catalog.pragma_table_xinfo(s.name, ?1) AS c
WHERE s.type = 'table' AND s.sql NOT LIKE 'create virtual%'
ORDER BY s.rowid, c.cid
