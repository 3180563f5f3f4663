-- The first labels of each.
SELECT e.enumtypid, pg_catalog.json_agg(e.enumlabel ORDER BY e.place)
FROM (
    SELECT
        l.enumtypid,
        l.enumlabel,
        pg_catalog.row_number() OVER (PARTITION BY l.enumtypid ORDER BY l.enumsortorder) AS place
    FROM pg_catalog.pg_enum AS l
) AS e
WHERE e.place OPERATOR(pg_catalog.<=) 1000
GROUP BY e.enumtypid
