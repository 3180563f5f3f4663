"""connectorx, polars, ADBC and pandas over it: tables in Arrow's format, read by binary COPY."""

import datetime

from steps import QUESTION, arguments, step

import adbc_driver_postgresql.dbapi as adbc
import connectorx
import pandas
import polars
import pyarrow

host, port, user, database, asks = arguments()
URL = f"postgresql://{user}@{host}:{port}/{database}"

SQL = "SELECT order_id, status, placed FROM (SELECT order_id::bigint AS order_id, status, order_id % 2 = 0 AS placed FROM orders) o ORDER BY order_id LIMIT 7"
VALUES = """SELECT 1::smallint AS s, 2::integer AS i, 3::bigint AS b, 1.5::real AS r, 2.5::double precision AS d, 'x'::text AS t,
  'v'::varchar(9) AS v, true AS y, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:34:56.789' AS moment,
  TIMESTAMPTZ '2024-02-29 12:34:56+00' AS instant, '\\x00ff'::bytea AS raw, 12.50::numeric(10,2) AS price,
  '{"a":1}'::json AS doc, '3f2b7c62-0000-4000-8000-000000000001'::uuid AS id, TIME '01:02:03' AS clock
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"""
EMPTY = "SELECT order_id::bigint AS order_id, status FROM orders WHERE order_id < 0"


def frame(found):
    return {"columns": dict(zip(found.columns, map(str, found.dtypes))), "rows": [list(row) for row in found.rows()]}


def table(found):
    return {"types": [f"{field.name} {field.type}" for field in found.schema], "rows": found.to_pylist()}


for protocol in ("binary", "csv", "cursor", "simple"):
    @step(f"connectorx {protocol}")
    def _():
        return table(pyarrow.table(connectorx.read_sql(URL, SQL, return_type="arrow", protocol=protocol)))

    @step(f"connectorx {protocol} empty")
    def _():
        return table(pyarrow.table(connectorx.read_sql(URL, EMPTY, return_type="arrow", protocol=protocol)))


@step("connectorx types")
def _():
    return table(pyarrow.table(connectorx.read_sql(URL, VALUES, return_type="arrow")))


@step("connectorx in parts")
def _():
    found = connectorx.read_sql(URL, "SELECT order_id, status FROM orders", partition_on="order_id", partition_num=3, return_type="arrow")
    return pyarrow.table(found).num_rows


@step("connectorx to pandas")
def _():
    return connectorx.read_sql(URL, SQL).to_dict("list")


@step("polars")
def _():
    return frame(polars.read_database_uri(SQL, URL))


@step("polars with ADBC")
def _():
    return frame(polars.read_database_uri(SQL, URL, engine="adbc"))


with adbc.connect(URL) as connection:
    def read(sql, *parameters):
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters or None)
            return table(cursor.fetch_arrow_table())

    @step("adbc")
    def _():
        return read(SQL)

    @step("adbc empty")
    def _():
        return read(EMPTY)

    @step("adbc types")
    def _():
        return read(VALUES)

    @step("adbc parameters")
    def _():
        return read("SELECT order_id::bigint AS order_id, status FROM orders WHERE order_id < $1 ORDER BY order_id", 4)

    @step("adbc without copy")
    def _():
        with connection.cursor(adbc_stmt_kwargs={"adbc.postgresql.use_copy": "false"}) as cursor:
            cursor.execute(SQL)
            return table(cursor.fetch_arrow_table())

    @step("adbc schema of a query")
    def _():
        with connection.cursor() as cursor:
            return [f"{field.name} {field.type}" for field in cursor.adbc_execute_schema(SQL)]

    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS arrow_typed")
        cursor.execute("CREATE TABLE arrow_typed (a integer, b bigint, c text, d numeric(9,2), e timestamptz, f integer[], g date)")
    connection.commit()

    @step("adbc schema of a table")
    def _():
        return [f"{field.name} {field.type}" for field in connection.adbc_get_table_schema("arrow_typed")]

    @step("adbc objects")
    def _():
        found = connection.adbc_get_objects(depth="columns", table_name_filter="stores").read_all().to_pylist()
        schemas = [schema for catalog in found for schema in catalog["catalog_db_schemas"] or [] if schema["db_schema_name"] == "public"]
        return [
            [one["table_name"], one["table_type"], [column["column_name"] for column in one["table_columns"]],
             [[key["constraint_type"], key["constraint_column_names"]] for key in one["table_constraints"]]]
            for schema in schemas for one in schema["db_schema_tables"]
        ]

    @step("adbc table types")
    def _():
        return sorted(connection.adbc_get_table_types())

    DATA = pyarrow.table({
        "n": pyarrow.array([1, 2, None], pyarrow.int64()),
        "w": pyarrow.array(["one", None, "a\tb\n\\"], pyarrow.string()),
        "f": pyarrow.array([1.5, None, -0.25], pyarrow.float64()),
        "y": pyarrow.array([True, False, None]),
        "d": pyarrow.array([datetime.date(2024, 2, 29), None, datetime.date(1970, 1, 1)]),
        "m": pyarrow.array([datetime.datetime(2024, 2, 29, 12, 30), None, None], pyarrow.timestamp("us")),
        "z": pyarrow.array([b"\x00\xff", None, b""], pyarrow.binary()),
        "l": pyarrow.array([[1, 2], None, []], pyarrow.list_(pyarrow.int32())),
    })

    for mode in ("create", "append", "replace", "create_append"):
        @step(f"adbc ingest {mode}")
        def _():
            with connection.cursor() as cursor:
                if mode == "create":
                    cursor.execute("DROP TABLE IF EXISTS arrow_in")
                count = cursor.adbc_ingest("arrow_in", DATA, mode=mode)
            connection.commit()
            return [count, read("SELECT * FROM arrow_in ORDER BY n, w")]

    @step("adbc temporary")
    def _():
        with connection.cursor() as cursor:
            cursor.adbc_ingest("arrow_temporary", DATA.select(["n", "w"]), mode="create", temporary=True)
        return read("SELECT count(*) AS n FROM arrow_temporary")

    @step("adbc many rows")
    def _():
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO arrow_in (n, w) VALUES ($1, $2)", (9, "nine"))
            cursor.executemany("INSERT INTO arrow_in (n, w) VALUES ($1, $2)", [(10, "ten"), (11, "eleven")])
        connection.commit()
        return read("SELECT n, w FROM arrow_in WHERE n > 8 ORDER BY n")

    @step("adbc rollback")
    def _():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM arrow_in")
        connection.rollback()
        return read("SELECT count(*) AS n FROM arrow_in")

    @step("adbc error")
    def _():
        return read("SELECT nothing FROM orders")

    connection.rollback()

    @step("pandas over adbc")
    def _():
        pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_sql("arrow_pandas", connection, if_exists="replace", index=False)
        return pandas.read_sql("SELECT * FROM arrow_pandas ORDER BY a", connection).to_dict("list")

    if asks:
        @step("ask adbc")
        def _():
            return read(f"SELECT * FROM nl('{QUESTION}') ORDER BY 1")

        @step("ask adbc bound")
        def _():
            return read("SELECT * FROM nl($1) ORDER BY 1", QUESTION)

if asks:
    for protocol in ("binary", "csv", "cursor"):
        @step(f"ask connectorx {protocol}")
        def _():
            return table(pyarrow.table(connectorx.read_sql(URL, f"SELECT * FROM nl('{QUESTION}') ORDER BY 1", return_type="arrow", protocol=protocol)))

    @step("ask polars")
    def _():
        return frame(polars.read_database_uri(f"SELECT * FROM nl('{QUESTION}') ORDER BY 1", URL))
