-- Tables and views of the file in the order of their creation. Virtual tables keep their data in
-- shadow tables, which are theirs alone; sqlite_% tables are SQLite's own.
SELECT s.name, l.type, l.wr AS without_rowid, s.sql
FROM sqlite_schema AS s
JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
WHERE s.type IN ('table', 'view') AND l.type <> 'shadow' AND s.name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY s.rowid
