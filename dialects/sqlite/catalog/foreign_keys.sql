-- Foreign keys of all tables, in their declared order, which SQLite numbers backwards. A missing target column means the
-- primary key of the target.
SELECT s.schema, s.name AS table_name, k.id, k."table" AS target, k."from" AS from_column, k."to" AS to_column,
       k.on_update, k.on_delete
FROM (
    SELECT 'main' AS schema, rowid AS position, name, type FROM main.sqlite_schema
    UNION ALL
    SELECT 'temp', rowid, name, type FROM temp.sqlite_schema
) AS s
CROSS JOIN pragma_foreign_key_list(s.name, s.schema) AS k
WHERE s.type = 'table'
ORDER BY s.schema, s.position, k.id DESC, k.seq
