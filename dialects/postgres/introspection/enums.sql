SELECT e.enumtypid, pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder)
FROM pg_catalog.pg_enum AS e
GROUP BY e.enumtypid
