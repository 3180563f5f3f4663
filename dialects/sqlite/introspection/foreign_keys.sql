-- Foreign keys of one table, in their declared order, which SQLite numbers backwards. A missing
-- target column means the primary key of the target.
SELECT id, "table" AS target, "from" AS from_column, "to" AS to_column
FROM pg_catalog.pragma_foreign_key_list(?1, ?2)
ORDER BY id DESC, seq
