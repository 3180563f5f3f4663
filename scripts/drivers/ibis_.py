"""ibis with its PostgreSQL backend: tables, expressions of every kind, its own SQL, and questions."""

import ibis
import pandas
from ibis import _
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
connection = ibis.postgres.connect(host=host, port=port, user=user, database=database)


def rows(expression, order=True):
    found = expression.execute() if hasattr(expression, "execute") else expression
    if isinstance(found, pandas.DataFrame):
        lines = [[None if value is None or value != value else str(value) for value in row] for row in found.itertuples(index=False)]
        return [list(found.columns), sorted(lines, key=str) if order else lines]
    if isinstance(found, pandas.Series):
        return sorted(map(str, found))
    return str(found)


FRAME = pandas.DataFrame({
    "n": [1, 2, 3, 4], "w": ["one", "two", None, "four"], "f": [1.5, None, -2.0, 4.25], "y": [True, False, True, False],
    "d": pandas.to_datetime(["2024-02-29", "2024-03-01", "2023-12-31", "2024-02-01"]),
})
for old in ("VIEW IF EXISTS ibis_view", "TABLE IF EXISTS ibis_made"):
    connection.raw_sql(f"DROP {old}").close()


@step("version")
def version():
    return connection.version.split(".")[0]


@step("tables")
def tables():
    return [name for name in connection.list_tables() if name in ("stores", "orders", "customers")]


@step("databases and catalogs")
def databases():
    return [sorted(name for name in connection.list_databases() if name in ("public", "pg_catalog", "information_schema")), connection.current_database, connection.current_catalog]


@step("create from a frame")
def create():
    connection.create_table("ibis_made", FRAME)
    return [str(connection.table("ibis_made").schema()), rows(connection.table("ibis_made"))]


made = connection.table("ibis_made") if "ibis_made" in connection.list_tables() else None
orders, customers = connection.table("orders"), connection.table("customers")

EXPRESSIONS = {
    "filter": lambda: made.filter((_.n > 1) & _.w.notnull()).select("n", "w"),
    "mutate": lambda: made.mutate(m=_.n * 2 + 1, s=_.w.upper().fill_null("-"), half=(_.n / 2), z=_.f.round(1)),
    "text": lambda: made.select(a=_.w.length(), b=_.w.contains("o"), c=_.w.substr(0, 2), d=_.w.replace("o", "0"), e=_.w.re_search("^t"), f=_.w.lpad(6, "*"), g=_.w.reverse(), h=_.w.find("e")),
    "numbers": lambda: made.select(a=_.f.abs(), b=_.f.ceil(), c=_.n % 3, d=_.n.cast("float64").sqrt().round(3), e=(_.n ** 2), f=_.f.sign(), g=ibis.greatest(_.n, 2)),
    "dates": lambda: made.select(a=_.d.year(), b=_.d.month(), c=_.d.truncate("M"), e=_.d + ibis.interval(days=3), f=_.d.strftime("%Y-%m"), g=_.d.day_of_week.index(), h=_.d.quarter(), i=_.d.date()),
    "cases": lambda: made.select(a=ibis.cases((_.n < 2, "low"), (_.n < 4, "mid"), else_="high"), b=_.y.ifelse("yes", "no"), c=_.f.nullif(1.5), d=ibis.coalesce(_.w, "?")),
    "group": lambda: orders.group_by("status").agg(n=_.count(), low=_.order_id.min(), avg=_.order_id.mean().round(2), many=_.store_id.nunique()),
    "having": lambda: orders.group_by("status").having(_.count() > 100).agg(n=_.count()),
    "join": lambda: orders.join(customers, "customer_id").group_by("country").agg(n=_.count()),
    "left join": lambda: customers.left_join(orders, "customer_id").filter(_.order_id.isnull()).count(),
    "anti join": lambda: customers.anti_join(orders, "customer_id").count(),
    "semi join": lambda: customers.semi_join(orders, "customer_id").count(),
    "window": lambda: made.mutate(r=ibis.row_number().over(order_by=_.n), s=_.n.sum().over(ibis.cumulative_window(order_by=_.n)), l=_.n.lag().over(order_by=_.n), k=ibis.rank().over(order_by=ibis.desc(_.f))),
    "union": lambda: made.select("n").union(made.select("n"), distinct=True),
    "intersect": lambda: made.select("n").intersect(made.filter(_.n > 2).select("n")),
    "difference": lambda: made.select("n").difference(made.filter(_.n > 2).select("n")),
    "distinct": lambda: orders.select("status").distinct(),
    "top": lambda: customers.country.topk(3),
    "order and limit": lambda: made.order_by(ibis.desc("n")).limit(2, offset=1).select("n"),
    "aggregates": lambda: made.agg(a=_.n.sum(), b=_.f.mean(), c=_.f.std(), d=_.f.var(), e=_.w.max(), f=_.y.any(), g=_.y.all(), h=_.n.median(), i=_.w.group_concat("-", order_by=_.n), j=_.n.quantile(0.5), k=_.f.corr(_.n, how="pop").round(6)),
    "collect": lambda: made.agg(a=_.n.collect(order_by=_.n)),
    "arrays": lambda: made.select(a=ibis.array([_.n, 2]), b=ibis.array([1, 2, 3]).length(), d=ibis.array([5, 6])[1]),
    "unnest": lambda: made.select(u=ibis.array([_.n, 10]).unnest()),
    "subquery": lambda: made.filter(_.n == made.n.max()).select("n"),
    "in": lambda: made.filter(_.n.isin([1, 3])).select("n", "w"),
    "exists": lambda: customers.filter((orders.customer_id == customers.customer_id).any()).count(),
    "pivot": lambda: orders.group_by("store_id").agg(d=_.count(where=_.status == "delivered")).order_by("store_id").limit(5),
    "null first": lambda: made.order_by(ibis.asc("f", nulls_first=True)).select("f"),
    "sql": lambda: connection.sql("SELECT status, count(*) AS n FROM orders GROUP BY status").filter(_.n > 10),
    "chained sql": lambda: made.alias("t").sql("SELECT n + 1 AS m FROM t"),
    "literal": lambda: made.select(a=ibis.literal("it's"), b=ibis.date("2024-02-29"), c=ibis.timestamp("2024-02-29 12:00:00"), d=ibis.literal(None)).limit(1),
    "casts": lambda: made.select(a=_.n.cast("string"), b=_.f.cast("int64"), c=_.n.cast("decimal(9, 2)"), d=_.y.cast("int32")),
    "hash and random": lambda: made.select(a=(ibis.random() >= 0)).distinct(),
    "sample": lambda: made.count(),
    "describe": lambda: made.describe().select("name", "type", "nulls"),
}

for name, expression in EXPRESSIONS.items():
    step(name)(lambda expression=expression: rows(expression()))


@step("schema of a query")
def schema():
    return str(connection.sql("SELECT 1::smallint AS a, 'x'::text AS b, ARRAY[1] AS c, now() AS d, 1.5::numeric(9,2) AS e").schema())


@step("view")
def view():
    connection.create_view("ibis_view", made.filter(_.n > 2), overwrite=True)
    return rows(connection.table("ibis_view"))


@step("insert")
def insert():
    connection.insert("ibis_made", pandas.DataFrame({"n": [9], "w": ["nine"], "f": [9.0], "y": [True], "d": pandas.to_datetime(["2024-01-01"])}))
    return rows(made.filter(_.n > 4))


@step("to arrow")
def arrow():
    return made.select("n", "w").order_by("n").to_pyarrow().to_pylist()


@step("in batches")
def batches():
    return sum(len(batch) for batch in orders.select("order_id").to_pyarrow_batches(chunk_size=4000))


@step("raw")
def raw():
    with connection.raw_sql("SELECT 1") as cursor:
        return cursor.fetchall()


@step("truncate and drop")
def drop():
    connection.drop_view("ibis_view")
    connection.truncate_table("ibis_made")
    count = str(connection.table("ibis_made").count().execute())
    connection.drop_table("ibis_made")
    return [count, "ibis_made" in connection.list_tables()]


if asks:
    @step("ask")
    def ask():
        with connection.raw_sql(f"SELECT * FROM nl('{QUESTION}')") as cursor:
            return sorted(cursor.fetchall())

    @step("ask and go on")
    def ask_more():
        # With its columns told, ibis makes no view to find them.
        asked = connection.sql(f"SELECT * FROM nl('{QUESTION}')", schema=ibis.schema({"name": "string"}))
        return rows(asked.filter(_.name.startswith("M")).count())

    @step("ask without columns")
    def ask_view():
        return rows(connection.sql(f"SELECT * FROM nl('{QUESTION}')"))
