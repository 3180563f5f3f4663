"""psycopg 3's pipeline mode: questions between statements, errors in the middle."""

import psycopg
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
connection = psycopg.connect(host=host, port=port, user=user, dbname=database, autocommit=True)
ORDERS = "how many orders are there?"


@step("statements")
def _():
    with connection.pipeline():
        cursors = [connection.execute("SELECT %s::int + 1", [n]) for n in range(20)]
    return [cursor.fetchone()[0] for cursor in cursors]


@step("writes")
def _():
    with connection.pipeline():
        connection.execute("CREATE TEMPORARY TABLE piped (n bigint PRIMARY KEY)")
        connection.cursor().executemany("INSERT INTO piped VALUES (%s)", [(n,) for n in range(50)])
        cursor = connection.execute("SELECT count(*), sum(n)::bigint FROM piped")
    return cursor.fetchone()


@step("an error aborts the rest")
def _():
    told = []
    try:
        with connection.pipeline() as pipeline:
            one = connection.execute("SELECT 1")
            connection.execute("INSERT INTO piped VALUES (100)")
            connection.execute("SELECT 1/0")
            two = connection.execute("SELECT 2")
            pipeline.sync()
            three = connection.execute("SELECT 3")
    except psycopg.Error as error:
        told.append(error.sqlstate)
    told.append(one.fetchone())
    for cursor in (two, three):
        try:
            told.append(cursor.fetchone())
        except psycopg.Error as error:
            told.append(f"{type(error).__name__} {error.sqlstate}")
    return [told, connection.execute("SELECT count(*) FROM piped").fetchone()]


@step("a sync between")
def _():
    told = []
    with connection.pipeline() as pipeline:
        connection.execute("INSERT INTO piped VALUES (200)")
        pipeline.sync()
        bad = connection.execute("INSERT INTO piped VALUES (200)")
        try:
            pipeline.sync()
        except psycopg.Error as error:
            told.append(error.sqlstate)
        good = connection.execute("INSERT INTO piped VALUES (201) RETURNING n")
    told.append(good.fetchone())
    return [told, connection.execute("SELECT count(*) FROM piped WHERE n >= 200").fetchone()]


@step("a transaction in a pipeline")
def _():
    with connection.pipeline(), connection.transaction():
        connection.execute("INSERT INTO piped VALUES (300)")
        inner = connection.execute("SELECT max(n) FROM piped")
    try:
        with connection.pipeline(), connection.transaction():
            connection.execute("INSERT INTO piped VALUES (301)")
            connection.execute("INSERT INTO piped VALUES (300)")
    except psycopg.Error as error:
        state = error.sqlstate
    return [inner.fetchone(), state, connection.execute("SELECT max(n) FROM piped").fetchone()]


if asks:
    @step("ask between statements")
    def _():
        with connection.pipeline():
            first = connection.execute("SELECT 1")
            asked = connection.execute(f"SELECT * FROM nl('{QUESTION}')")
            second = connection.execute("INSERT INTO piped VALUES (400) RETURNING n")
            counted = connection.execute(f"-- nl: {ORDERS}")
            last = connection.execute("SELECT %s::int", [7])
        return [first.fetchone(), sorted(asked.fetchall()), second.fetchone(), counted.fetchone(), last.fetchone()]

    @step("ask bound in a pipeline")
    def _():
        with connection.pipeline():
            asked = [connection.execute("SELECT * FROM nl(%s)", [words]) for words in (QUESTION, ORDERS, QUESTION)]
        return [sorted(cursor.fetchall()) for cursor in asked]

    @step("ask what cannot be answered")
    def _():
        told = []
        try:
            with connection.pipeline() as pipeline:
                connection.execute("INSERT INTO piped VALUES (500)")
                pipeline.sync()
                connection.execute("SELECT * FROM nl('frobnicate the zorblax')")
                connection.execute("INSERT INTO piped VALUES (501)")
        except psycopg.Error as error:
            told.append(error.sqlstate)
        return [told, connection.execute("SELECT count(*) FROM piped WHERE n >= 500").fetchone()]

    @step("ask in a transaction in a pipeline")
    def _():
        with connection.pipeline(), connection.transaction():
            connection.execute("INSERT INTO piped VALUES (600)")
            asked = connection.execute(f"SELECT * FROM nl('{ORDERS}')")
            connection.execute("INSERT INTO piped VALUES (601)")
        return [asked.fetchone(), connection.execute("SELECT count(*) FROM piped WHERE n >= 600").fetchone()]


@step("the session lives")
def _():
    return connection.execute("SELECT 1").fetchone()
