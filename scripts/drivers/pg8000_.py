"""pg8000: its native interface and DB-API: types, arrays, prepared statements, COPY, notifications, transactions."""

import datetime
import decimal
import io
import uuid

import pg8000.dbapi
import pg8000.native
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
native = pg8000.native.Connection(user, host=host, port=port, database=database)


@step("select")
def _():
    rows = native.run("SELECT order_id::int AS order_id, status FROM orders WHERE order_id < :n ORDER BY 1", n=4)
    return [rows, native.columns[0]["name"], native.columns[0]["type_oid"], native.row_count]


@step("types")
def _():
    return native.run(
        """SELECT 1::smallint, 2, 3::bigint, 1.5::real, 2.5::float8, 12.50::numeric(10,2), true, 'x'::varchar, '\\x00ff'::bytea,
        DATE '2024-02-29', TIME '01:02:03.5', TIMESTAMP '2024-02-29 12:00', TIMESTAMPTZ '2024-02-29 12:00+00',
        INTERVAL '1 year 2 days 03:04:05', '{"a":[1]}'::json, '{"b":2}'::jsonb, '{1,NULL,3}'::int[], '{a,"b c"}'::text[],
        '3f2b7c62-0000-4000-8000-000000000001'::uuid, '10.0.0.1'::inet, NULL"""
    )


VALUES = {
    "integer": 7, "bigint": 1 << 40, "text": "it's", "boolean": True, "float8": 1.5, "numeric": decimal.Decimal("1.50"),
    "date": datetime.date(2024, 2, 29), "time": datetime.time(1, 2, 3), "timestamp": datetime.datetime(2024, 2, 29, 12),
    "timestamptz": datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc), "interval": datetime.timedelta(days=1, seconds=5),
    "bytea": b"\x00\xff", "uuid": uuid.UUID("3f2b7c62-0000-4000-8000-000000000001"), "jsonb": {"a": [1, None]},
    "integer[]": [1, None, 3], "text[]": ["a", None, 'q"'], "float8[]": [1.5, 2.5], "boolean[]": [True, False],
}

for ty, value in VALUES.items():
    @step(f"parameter {ty}")
    def _():
        if isinstance(value, dict):
            import json
            given = json.dumps(value)
        else:
            given = value
        return native.run(f"SELECT CAST(:v AS {ty}) AS v", v=given)


@step("prepared")
def _():
    prepared = native.prepare("SELECT :a || 'x' AS a, CAST(:b AS integer) + 1 AS b")
    found = [prepared.run(a=f"{n}", b=n) for n in range(3)]
    prepared.close()
    return found


@step("transaction")
def _():
    native.run("CREATE TEMPORARY TABLE eights (n serial PRIMARY KEY, w text, t timestamptz DEFAULT '2024-01-01 00:00+00', a int[])")
    native.run("START TRANSACTION")
    native.run("INSERT INTO eights (w, a) VALUES (:w, :a)", w="gone", a=[1, 2])
    native.run("ROLLBACK")
    native.run("INSERT INTO eights (w, a) VALUES (:w, :a)", w="stays", a=[3])
    return native.run("SELECT w, t, a FROM eights")


@step("returning")
def _():
    return [native.run("INSERT INTO eights (w) VALUES ('r') RETURNING w, a"), native.row_count]


@step("copy in and out")
def _():
    native.run("COPY eights (w) FROM STDIN", stream=io.StringIO("c1\nc2\n"))
    out = io.BytesIO()
    native.run("COPY (SELECT w FROM eights ORDER BY w) TO STDOUT WITH (FORMAT CSV)", stream=out)
    native.run("COPY eights (w) FROM STDIN", stream=["lines\n", "more\n"])
    return [out.getvalue().decode(), native.run("SELECT count(*) FROM eights")]


@step("error")
def _():
    try:
        native.run("INSERT INTO eights (n) VALUES (2), (2)")
    except pg8000.native.DatabaseError as error:
        told = error.args[0]
        return {key: told.get(key) for key in "SCMDHtcn"}


@step("notify")
def _():
    native.run("LISTEN eights")
    native.run("NOTIFY eights, 'hello'")
    native.run("SELECT 1")
    return [tuple(one)[1:] for one in native.notifications]


@step("parameter status")
def _():
    return {key: native.parameter_statuses.get(key) for key in ("server_encoding", "DateStyle", "integer_datetimes", "standard_conforming_strings")}


@step("dbapi")
def _():
    with pg8000.dbapi.connect(user, host=host, port=port, database=database) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TEMPORARY TABLE dbapi (n integer, w text)")
        cursor.executemany("INSERT INTO dbapi VALUES (%s, %s)", [(1, "a"), (2, "b"), (3, None)])
        connection.commit()
        cursor.execute("SELECT n, w FROM dbapi ORDER BY n")
        found = [cursor.fetchone(), cursor.fetchmany(1), cursor.fetchall(), [d[:2] for d in cursor.description], cursor.rowcount]
        cursor.execute("UPDATE dbapi SET w = 'z' WHERE n > %s", (1,))
        return [found, cursor.rowcount]


@step("two phases")
def _():
    with pg8000.dbapi.connect(user, host=host, port=port, database=database) as connection:
        one = connection.xid(0, "eights", "branch")
        try:
            connection.tpc_begin(one)
            connection.tpc_prepare()
            connection.tpc_rollback()
            return "prepared"
        except pg8000.dbapi.Error as error:
            return error.args[0]["C"]


if asks:
    @step("ask native")
    def _():
        return sorted(native.run(f"SELECT * FROM nl('{QUESTION}')"))

    @step("ask bound")
    def _():
        return sorted(native.run("SELECT * FROM nl(:q)", q=QUESTION))

    @step("ask prepared")
    def _():
        prepared = native.prepare("SELECT * FROM nl(:q)")
        return [len(prepared.run(q=q)) for q in (QUESTION, "how many orders are there?")]
