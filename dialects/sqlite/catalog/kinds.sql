-- What SQLite makes of the tables and views of one schema: virtual tables keep their data in shadow tables.
SELECT name, type, wr AS without_rowid
FROM pragma_table_list
WHERE schema = ?1
