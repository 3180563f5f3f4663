-- Columns of all tables. Views and virtual tables, which may be broken, are asked one by one.
SELECT s.schema, s.name AS table_name, c.name, c.type, c."notnull" AS not_null, c.dflt_value AS default_value,
       c.pk AS key_position, c.hidden
FROM (
    SELECT 'main' AS schema, rowid AS position, name, type, sql FROM main.sqlite_schema
    UNION ALL
    SELECT 'temp', rowid, name, type, sql FROM temp.sqlite_schema
) AS s
CROSS JOIN pragma_table_xinfo(s.name, s.schema) AS c
WHERE s.type = 'table' AND s.sql NOT LIKE 'create virtual%'
ORDER BY s.schema, s.position, c.cid
