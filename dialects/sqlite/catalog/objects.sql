-- Everything of one schema with the statement that made it, in the order of creation.
SELECT type, name, tbl_name AS table_name, coalesce(sql, '') AS sql
FROM {schema}.sqlite_schema
ORDER BY rowid
