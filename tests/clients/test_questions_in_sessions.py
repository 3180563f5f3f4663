"""Questions belong to the session that asks: its transaction, rights, names and own tables, on PostgreSQL."""

import pytest

psycopg = pytest.importorskip("psycopg")

from questions import COUNTRIES, CUSTOMERS_OF, ORDERS, PRODUCTS, STORES, check_rows  # noqa: E402

STORES_OF = "SELECT * FROM nl('list the names of all stores')"
PREPARE = pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])


@pytest.fixture
def connection(postgres):
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        yield connection


def rows(connection, sql, prepare=False):
    return connection.execute(sql, prepare=prepare).fetchall()


@PREPARE
def test_prepared_by_sql(postgres, connection, prepare):
    connection.execute(f"PREPARE p AS SELECT * FROM nl('{PRODUCTS.text}')", prepare=prepare)
    connection.execute(f"PREPARE q (text) AS /* nl: {CUSTOMERS_OF.format('$1')} */")
    for _ in range(3):
        PRODUCTS.check(postgres, rows(connection, "EXECUTE p", prepare))
        check_rows(rows(connection, "EXECUTE q ('Germany')"), postgres.plain("SELECT count(*) FROM customers WHERE country = 'Germany'"))
    with connection.transaction():
        PRODUCTS.check(postgres, rows(connection, "EXECUTE p", prepare))
    connection.execute("DEALLOCATE p")


@PREPARE
def test_declared_by_sql(postgres, connection, prepare):
    with connection.transaction():
        connection.execute(f"DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT * FROM nl('{PRODUCTS.text}')", prepare=prepare)
        first = rows(connection, "FETCH 2 FROM c", prepare)
        connection.execute("MOVE BACKWARD ALL FROM c")
        again = rows(connection, "FETCH ALL FROM c", prepare)
    assert first == again[:2]
    PRODUCTS.check(postgres, again)
    connection.execute("CLOSE c")


@PREPARE
@pytest.mark.parametrize("options", ["", "ANALYZE ", "(FORMAT json, COSTS off) "])
def test_explained(connection, prepare, options):
    assert "stores" in str(rows(connection, f"EXPLAIN {options}{STORES_OF}", prepare))


def test_copied(postgres, connection):
    with connection.cursor().copy(f"COPY ({STORES_OF}) TO STDOUT (FORMAT csv)") as copy:
        STORES.check(postgres, [[bytes(chunk).decode().rstrip("\n").strip('"')] for chunk in copy])


@PREPARE
def test_what_the_transaction_has_written(connection, prepare):
    with connection.transaction(force_rollback=True):
        (before,) = rows(connection, f"-- nl: {ORDERS.text}", prepare)[0]
        connection.execute("INSERT INTO orders SELECT max(order_id) + 1, 1, NULL, NULL, now(), NULL, NULL, 'pending', 1 FROM orders")
        assert rows(connection, f"-- nl: {ORDERS.text}", prepare) == [(before + 1,)]
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        # The transaction may still write after it has asked.
        connection.execute("INSERT INTO tags VALUES (777777, 'after a question')")
    assert rows(connection, "SELECT count(*) FROM tags WHERE tag_id = 777777") == [(0,)]


def test_mixed_in_one_pipeline(postgres, connection):
    with connection.pipeline():
        connection.execute("CREATE TEMP TABLE piped (n int)")
        connection.execute("INSERT INTO piped VALUES (1)")
        asked = [connection.execute(f"-- nl: {question.text}") for question in (STORES, COUNTRIES, ORDERS)]
        counted = connection.execute("SELECT count(*) FROM piped")
        connection.execute("INSERT INTO piped VALUES (2)")
    for question, cursor in zip((STORES, COUNTRIES, ORDERS), asked, strict=True):
        question.check(postgres, cursor.fetchall())
    assert counted.fetchall() == [(1,)]
    assert rows(connection, "SELECT count(*) FROM piped") == [(2,)]


def test_rights(postgres, connection):
    """What one may not read cannot be asked for; what one may, can."""
    postgres.do("CREATE ROLE narrow LOGIN; GRANT SELECT ON stores TO narrow")
    try:
        for act in ("SET ROLE narrow", "SET SESSION AUTHORIZATION narrow"):
            connection.execute(act)
            STORES.check(postgres, rows(connection, f"-- nl: {STORES.text}"))
            with pytest.raises(psycopg.Error) as caught:
                rows(connection, f"-- nl: {ORDERS.text}")
            assert caught.value.sqlstate in ("NL001", "42501"), caught.value
            connection.execute("RESET SESSION AUTHORIZATION; RESET ROLE")
            ORDERS.check(postgres, rows(connection, f"-- nl: {ORDERS.text}"))
    finally:
        postgres.do("DROP OWNED BY narrow; DROP ROLE narrow")


def test_rows_that_a_policy_hides(postgres, connection):
    postgres.do(
        "CREATE ROLE german LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO german; ALTER TABLE customers ENABLE ROW LEVEL SECURITY; "
        "CREATE POLICY german ON customers FOR SELECT TO german USING (country = 'Germany')"
    )
    try:
        connection.execute("SET ROLE german")
        assert rows(connection, f"-- nl: {COUNTRIES.text}") == rows(connection, f"{COUNTRIES.sql}")
        assert {country for country, _ in rows(connection, f"-- nl: {COUNTRIES.text}")} == {"Germany"}
    finally:
        connection.execute("RESET ROLE")
        postgres.do("DROP POLICY german ON customers; ALTER TABLE customers DISABLE ROW LEVEL SECURITY; DROP OWNED BY german; DROP ROLE german")


@PREPARE
@pytest.mark.parametrize("sql", [
    f"CREATE TABLE made AS {STORES_OF}", f"CREATE VIEW made AS {STORES_OF}", f"INSERT INTO tags SELECT 1, * FROM ({STORES_OF}) AS t",
])  # fmt: skip
def test_nothing_is_written(connection, prepare, sql):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(sql, prepare=prepare)
    assert caught.value.sqlstate == "42501"
    assert rows(connection, "SELECT to_regclass('made')") == [(None,)]
