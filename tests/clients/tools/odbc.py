"""psqlODBC through pyodbc: what it finds in the catalogue, statements with parameters, updates; a line of JSON for each step."""

import datetime
import decimal
import json
import sys

import pyodbc

driver, host, port, database, user = sys.argv[1:]
pyodbc.pooling = False
connection = pyodbc.connect(
    f"DRIVER={driver};SERVER={host};PORT={port};DATABASE={database};UID={user};SSLmode=disable;UseServerSidePrepare=1;BoolsAsChar=0", autocommit=True
)
cursor = connection.cursor()


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, pyodbc.Row):
        return [plain(one) for one in value]
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (datetime.date, datetime.time, datetime.datetime, decimal.Decimal)):
        return str(value)
    return value


def step(name, work):
    try:
        told = plain(work())
    except pyodbc.Error as error:
        told = {"error": error.args[0]}
        connection.rollback()
    print(name, json.dumps(told), sep="\t", flush=True)


def rows(found, *columns):
    """The columns of these names of all rows; what numbers a server gives is left out."""
    return [[getattr(row, column) for column in columns] for row in found.fetchall()]


for sql in [
    "CREATE TABLE parents (id serial PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, price numeric(8,2) DEFAULT 1.5)",
    "CREATE TABLE children (id integer PRIMARY KEY, parent integer NOT NULL REFERENCES parents (id), note text, ok boolean, moment timestamp, "
    "day date, ratio double precision, big bigint, small smallint, data bytea)",
    "CREATE INDEX children_note ON children (note, moment)",
    "CREATE VIEW both_of_them AS SELECT p.name, c.note FROM parents p JOIN children c ON c.parent = p.id",
]:
    cursor.execute(sql)

step("server", lambda: [connection.getinfo(pyodbc.SQL_DBMS_NAME), connection.getinfo(pyodbc.SQL_DBMS_VER)[:2]])
step("SQLTables", lambda: rows(cursor.tables(schema="public"), "table_schem", "table_name", "table_type"))
step("SQLTables of all schemas", lambda: sorted({row[0] for row in rows(cursor.tables(), "table_schem")} - {None, "pg_toast"}))
step("SQLColumns", lambda: rows(cursor.columns(table="children"), "column_name", "data_type", "type_name", "column_size", "nullable", "ordinal_position"))
step("SQLColumns of keys", lambda: rows(cursor.columns(table="parents"), "column_name", "type_name", "column_size", "decimal_digits", "is_nullable"))
step("SQLStatistics", lambda: rows(cursor.statistics("children"), "non_unique", "index_name", "type", "ordinal_position", "column_name"))
step("SQLStatistics, unique", lambda: rows(cursor.statistics("parents", unique=True), "non_unique", "index_name", "ordinal_position", "column_name"))
step("SQLPrimaryKeys", lambda: rows(cursor.primaryKeys("parents"), "table_name", "column_name", "key_seq", "pk_name"))
step(
    "SQLForeignKeys",
    lambda: rows(cursor.foreignKeys(foreignTable="children"), "pktable_name", "pkcolumn_name", "fktable_name", "fkcolumn_name", "update_rule", "fk_name"),
)
step("SQLForeignKeys of a parent", lambda: rows(cursor.foreignKeys(table="parents"), "fktable_name", "fkcolumn_name", "delete_rule"))
step("SQLSpecialColumns", lambda: rows(cursor.rowIdColumns("parents"), "column_name", "type_name"))
step("SQLSpecialColumns, versions", lambda: rows(cursor.rowVerColumns("parents"), "column_name", "type_name"))
step("SQLGetTypeInfo", lambda: sorted(row[0] for row in rows(cursor.getTypeInfo(), "type_name"))[:40])
step("SQLProcedures", lambda: len(cursor.procedures(procedure="lower").fetchall()) > 0)
step("insert", lambda: cursor.execute("INSERT INTO parents (name, price) VALUES (?, ?)", "one", decimal.Decimal("2.50")).rowcount)
step("insert with returning", lambda: cursor.execute("INSERT INTO parents (name) VALUES (?) RETURNING id, price", "two").fetchall())
moment = datetime.datetime(2024, 1, 2, 3, 4, 5)
step(
    "all types",
    lambda: cursor.execute(
        "INSERT INTO children VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 1, 1, "é", True, moment, moment.date(), 1.5, 2**40, -3, b"\x00\xff"
    ).rowcount,
)
step("types of a result", lambda: [(column[0], column[1].__name__, column[3], column[6]) for column in cursor.execute("SELECT * FROM children").description])
step("values", lambda: cursor.execute("SELECT * FROM children WHERE id = ? AND ok = ? AND day = ?", 1, True, moment.date()).fetchall())
step("null", lambda: cursor.execute("INSERT INTO children (id, parent, note) VALUES (?, ?, ?)", 2, 1, None).rowcount)
step("many", lambda: cursor.executemany("INSERT INTO children (id, parent, note) VALUES (?, ?, ?)", [(at, 1, f"n{at}") for at in range(3, 20)]))
step("update", lambda: cursor.execute("UPDATE children SET note = ? WHERE id > ?", "later", 10).rowcount)
step("delete", lambda: cursor.execute("DELETE FROM children WHERE id = ?", 19).rowcount)
step("count", lambda: cursor.execute("SELECT count(*), sum(ratio), max(moment) FROM children").fetchall())
step("a violated key", lambda: cursor.execute("INSERT INTO parents (name) VALUES ('one')"))
step("a violated reference", lambda: cursor.execute("INSERT INTO children (id, parent) VALUES (99, 99)"))
step("no such table", lambda: cursor.execute("SELECT * FROM nowhere"))


def rolled_back():
    connection.autocommit = False
    cursor.execute("DELETE FROM children")
    connection.rollback()
    connection.autocommit = True
    return cursor.execute("SELECT count(*) FROM children").fetchval()


step("rollback", rolled_back)
step("escapes", lambda: cursor.execute("SELECT {fn ucase('a')}, {d '2024-01-02'}, {ts '2024-01-02 03:04:05'}, {fn mod(7, 4)}").fetchall())
step("a prepared question of a cursor", lambda: [row[0] for row in cursor.execute("SELECT id FROM children WHERE id < ? ORDER BY id", 5)])
