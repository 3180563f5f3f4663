-- Triggers, in the order of their creation.
SELECT 'main' AS schema, name, tbl_name AS table_name, coalesce(sql, '') AS sql
FROM main.sqlite_schema
WHERE type = 'trigger'
UNION ALL
SELECT 'temp', name, tbl_name, coalesce(sql, '')
FROM temp.sqlite_schema
WHERE type = 'trigger'
