"""psqlODBC through pyodbc: catalogue calls, types, parameters, prepared statements, errors, and questions."""

import datetime
import decimal

import pyodbc
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
TOLD = f"DRIVER={{PostgreSQL Unicode}};SERVER={host};PORT={port};UID={user};DATABASE={database};"


def rows(found):
    return [list(row) for row in found]


for how in ("UseServerSidePrepare=1", "UseServerSidePrepare=0", "UseDeclareFetch=1"):
    connection = pyodbc.connect(TOLD + how, autocommit=True)
    cursor = connection.cursor()

    @step(f"select {how}")
    def _():
        found = rows(cursor.execute("SELECT order_id::int AS order_id, status FROM orders WHERE order_id < ? ORDER BY 1", 4))
        return [found, [(d[0], d[1].__name__, d[3]) for d in cursor.description]]

    @step(f"types {how}")
    def _():
        return rows(cursor.execute("""SELECT 1::smallint, 2, 3::bigint, 1.5::real, 2.5::float8, 12.50::numeric(10,2), true, 'x'::varchar(5), 'y'::text,
            DATE '2024-02-29', TIME '01:02:03', TIMESTAMP '2024-02-29 12:00:01.5', '\\x00ff'::bytea, '3f2b7c62-0000-4000-8000-000000000001'::uuid, NULL"""))

    @step(f"parameters {how}")
    def _():
        return rows(cursor.execute("SELECT ?::int, ?::text, ?::float8, ?::date, ?::timestamp, ?::numeric, ?::bytea, ?::text",
            7, "it's", 1.5, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12), decimal.Decimal("1.50"), b"\x00\xff", None))

    @step(f"many {how}")
    def _():
        cursor.execute("DROP TABLE IF EXISTS odbc_in")
        cursor.execute("CREATE TABLE odbc_in (id serial PRIMARY KEY, n integer, w varchar(20), t timestamp, p numeric(9,2))")
        cursor.executemany("INSERT INTO odbc_in (n, w, t, p) VALUES (?, ?, ?, ?)", [(n, f"w{n}", datetime.datetime(2024, 1, 1, n), decimal.Decimal(n) / 4) for n in range(5)])
        return rows(cursor.execute("SELECT * FROM odbc_in ORDER BY id"))

    @step(f"update {how}")
    def _():
        return cursor.execute("UPDATE odbc_in SET w = ? WHERE n > ?", "z", 2).rowcount

    @step(f"an error {how}")
    def _():
        try:
            cursor.execute("INSERT INTO odbc_in (id) VALUES (1)")
        except pyodbc.Error as error:
            return [error.args[0], error.args[1][:90]]

    @step(f"a transaction {how}")
    def _():
        connection.autocommit = False
        cursor.execute("DELETE FROM odbc_in")
        connection.rollback()
        found = rows(cursor.execute("SELECT count(*) FROM odbc_in"))
        connection.commit()
        connection.autocommit = True
        return found

    if how == "UseServerSidePrepare=1":
        cursor.execute("CREATE TABLE IF NOT EXISTS odbc_child (a integer NOT NULL REFERENCES odbc_in (id), b varchar(9) NOT NULL, c text, PRIMARY KEY (a, b))")
        cursor.execute("CREATE INDEX IF NOT EXISTS odbc_child_c ON odbc_child (c)")

        @step("tables")
        def _():
            return [list(row)[1:4] for row in cursor.tables(table="odbc%", schema="public")]

        @step("columns")
        def _():
            return [[row.column_name, row.data_type, row.type_name, row.column_size, row.nullable, row.column_def] for row in cursor.columns(table="odbc_in", schema="public")]

        @step("primary keys")
        def _():
            return [[row.column_name, row.key_seq, row.pk_name] for row in cursor.primaryKeys(table="odbc_child")]

        @step("foreign keys")
        def _():
            return [[row.pktable_name, row.pkcolumn_name, row.fktable_name, row.fkcolumn_name, row.update_rule, row.delete_rule] for row in cursor.foreignKeys(foreignTable="odbc_child")]

        @step("statistics")
        def _():
            return [[row[3], row[5], row[6], row[7], row[8]] for row in cursor.statistics("odbc_child") if row[5]]

        @step("row id columns")
        def _():
            return [[row.column_name, row.data_type] for row in cursor.rowIdColumns("odbc_child")]

        @step("procedures")
        def _():
            return len(list(cursor.procedures(procedure="odbc_nothing")))

        @step("type info")
        def _():
            return sorted({row.type_name for row in cursor.getTypeInfo()})

        @step("info")
        def _():
            return [connection.getinfo(what) for what in (pyodbc.SQL_DBMS_NAME, pyodbc.SQL_DATABASE_NAME, pyodbc.SQL_IDENTIFIER_QUOTE_CHAR)]

        cursor.execute("DROP TABLE odbc_child")

    if asks:
        @step(f"ask in the text {how}")
        def _():
            return sorted(rows(cursor.execute(f"SELECT * FROM nl('{QUESTION}')")))

        @step(f"ask bound {how}")
        def _():
            found = sorted(rows(cursor.execute("SELECT * FROM nl(?)", QUESTION)))
            return [found, [d[0] for d in cursor.description]]

        @step(f"ask another {how}")
        def _():
            found = sorted(rows(cursor.execute("SELECT * FROM nl(?)", "how many orders are there?")))
            return found

        @step(f"ask with a value {how}")
        def _():
            return rows(cursor.execute("SELECT * FROM nl('how many customers are there with the country $1?')".replace("$1", "Germany")))

        @step(f"ask and count {how}")
        def _():
            return rows(cursor.execute("SELECT count(*) AS n FROM nl(?) AS t", QUESTION))

    cursor.execute("DROP TABLE odbc_in")
    connection.close()
