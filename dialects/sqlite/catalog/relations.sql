-- Tables and views of one schema in the order of their creation. `pragma_table_list` would look at the columns of every view,
-- and so at all views that it reads. What is no page of the file is a virtual table; the key of a table without rowid is an
-- index that the schema does not list.
SELECT s.type, s.name, coalesce(s.sql, '') AS sql, coalesce(s.rootpage, 0) = 0 AS has_no_page,
       s.sql LIKE '%without%rowid%' AND EXISTS (
           SELECT 1 FROM pg_catalog.pragma_index_list(s.name, ?1) AS l
           WHERE l.origin = 'pk' AND l.name NOT IN (SELECT name FROM {schema}.sqlite_schema WHERE type = 'index')
       ) AS without_rowid
FROM {schema}.sqlite_schema AS s
WHERE s.type IN ('table', 'view')
ORDER BY s.rowid
