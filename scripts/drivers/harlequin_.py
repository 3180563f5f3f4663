"""Harlequin's adapter for PostgreSQL, without its screen: the catalogue that it shows, completions, and queries."""

import contextlib
import io

from harlequin_postgres import HarlequinPostgresAdapter
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
adapter = HarlequinPostgresAdapter(conn_str=(f"postgresql://{user}@{host}:{port}/{database}",))
connection = adapter.connect()


def query(text, limit=None):
    cursor = connection.execute(text)
    if cursor is None:
        return None
    if limit:
        cursor.set_limit(limit)
    found = cursor.fetchall()
    rows = found.to_pylist() if hasattr(found, "to_pylist") else found
    return [cursor.columns(), rows]


def tree(item, depth):
    label = [item.label, item.type_label]
    children = item.children
    if not children and hasattr(item, "fetch_children"):
        with contextlib.suppress(NotImplementedError):
            children = item.fetch_children()
    return label + [[tree(child, depth - 1) for child in children]] if depth else label


query("DROP TABLE IF EXISTS harlequin_made")
query("CREATE TABLE harlequin_made (id serial PRIMARY KEY, w varchar(9), n numeric(9,2), t timestamptz, a text[], j jsonb, y boolean, d date, b bytea)")


@step("catalog")
def _():
    found = []
    for item in connection.get_catalog().items:
        if item.label != database:
            continue
        for schema in item.fetch_children():
            if schema.label == "public":
                found += [tree(table, 1) for table in schema.fetch_children() if table.label in ("harlequin_made",)]
    return found


@step("names in the catalog")
def _():
    return [[item.label, sorted(schema.label for schema in item.fetch_children())] for item in connection.get_catalog().items if item.label == database]


@step("completions")
def _():
    found = connection.get_completions()
    return [len(found) > 100, sorted({one.type_label for one in found}), sorted(one.label for one in found if one.label.startswith("date_"))]


@step("select")
def _():
    return query("SELECT order_id::int AS order_id, status FROM orders WHERE order_id < 4 ORDER BY 1")


@step("types")
def _():
    return query("SELECT 1 AS i, 1.5::numeric(9,2) AS n, 'x'::text AS t, true AS y, DATE '2024-02-29' AS d, ARRAY[1,2] AS a, '{\"a\":1}'::jsonb AS j, NULL AS nothing")


@step("limited")
def _():
    return len(query("SELECT * FROM orders", 5)[1])


@step("writes")
def _():
    query("INSERT INTO harlequin_made (w, a) VALUES ('x', '{a,b}')")
    return query("SELECT id, w, a FROM harlequin_made")


@step("an error")
def _():
    return query("SELECT nothing FROM orders")


@step("transactions")
def _():
    modes = [connection.transaction_mode.label]
    connection.toggle_transaction_mode()
    modes.append(connection.transaction_mode.label)
    query("DELETE FROM harlequin_made")
    connection.transaction_mode.rollback()
    connection.toggle_transaction_mode()
    return [modes, query("SELECT count(*) FROM harlequin_made")]


if asks:
    @step("ask")
    def _():
        return sorted(map(str, query(f"SELECT * FROM nl('{QUESTION}')")[1]))

    @step("ask in a comment")
    def _():
        return len(query(f"-- nl: {QUESTION}")[1])

query("DROP TABLE harlequin_made")
connection.close()
