-- Columns of one table that are unique by themselves. An index on an expression has no column name.
SELECT max(i.name) AS name
FROM pg_catalog.pragma_index_list(?1, ?2) AS l
JOIN pg_catalog.pragma_index_info(l.name, ?2) AS i
WHERE l."unique" = 1 AND l.partial = 0
GROUP BY l.name
HAVING count(*) = 1 AND max(i.name) IS NOT NULL
