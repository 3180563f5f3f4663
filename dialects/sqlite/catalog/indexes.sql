-- Indexes of all tables with their columns. An index on an expression has no column name.
SELECT s.schema, s.name AS table_name, l.name, l."unique" AS is_unique, l.origin, l.partial, i.sql,
       c.name AS column_name, c."desc" AS descending
FROM (
    SELECT 'main' AS schema, rowid AS position, name, type FROM main.sqlite_schema
    UNION ALL
    SELECT 'temp', rowid, name, type FROM temp.sqlite_schema
) AS s
CROSS JOIN pragma_index_list(s.name, s.schema) AS l
CROSS JOIN pragma_index_xinfo(l.name, s.schema) AS c
LEFT JOIN (
    SELECT 'main' AS schema, name, sql FROM main.sqlite_schema WHERE type = 'index'
    UNION ALL
    SELECT 'temp', name, sql FROM temp.sqlite_schema WHERE type = 'index'
) AS i ON i.schema = s.schema AND i.name = l.name
WHERE s.type = 'table' AND c.key = 1
ORDER BY s.schema, s.position, l.seq, c.seqno
