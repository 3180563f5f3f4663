-- Tables and views of the file, then the connection's temporary ones, in the order of their creation. Virtual
-- tables keep their data in shadow tables, which are theirs alone; sqlite_% tables are SQLite's own.
SELECT s.schema, s.name, l.type, l.wr AS without_rowid, s.sql
FROM (
    SELECT 'main' AS schema, rowid AS position, name, type, sql FROM main.sqlite_schema
    UNION ALL
    SELECT 'temp', rowid, name, type, sql FROM temp.sqlite_schema
) AS s
-- A session's connection calls the file `public`.
JOIN pragma_table_list AS l ON replace(l.schema, 'public', 'main') = s.schema AND l.name = s.name
WHERE s.type IN ('table', 'view') AND l.type <> 'shadow' AND s.name NOT LIKE 'sqlite!_%' ESCAPE '!'
    AND s.name NOT IN ('querent_sequences', 'querent_large_objects')
ORDER BY s.schema, s.position
