-- Foreign keys of the tables of one schema, in their declared order, which SQLite numbers backwards. A missing target column
-- means the primary key of the target.
SELECT s.name AS table_name, k.id, k."table" AS target, k."from" AS from_column, k."to" AS to_column, k.on_update,
       k.on_delete
FROM {schema}.sqlite_schema AS s
CROSS JOIN pg_catalog.pragma_foreign_key_list(s.name, ?1) AS k
WHERE s.type = 'table' AND s.sql LIKE '%references%'
ORDER BY s.rowid, k.id DESC, k.seq
