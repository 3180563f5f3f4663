-- Indexes of the tables of one schema with their columns. An index on an expression has no column name. The key of a table
-- without rowid is an index that the schema does not list.
SELECT s.name AS table_name, l.name, l."unique" AS is_unique, l.origin, l.partial, c.name AS column_name,
       c."desc" AS descending
FROM {schema}.sqlite_schema AS s
CROSS JOIN pg_catalog.pragma_index_list(s.name, ?1) AS l
CROSS JOIN pg_catalog.pragma_index_xinfo(l.name, ?1) AS c
WHERE s.type = 'table' AND c.key = 1
  AND (s.name IN (SELECT tbl_name FROM {schema}.sqlite_schema WHERE type = 'index') OR s.sql LIKE '%without%rowid%')
ORDER BY s.rowid, l.seq, c.seqno
