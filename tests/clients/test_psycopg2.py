"""psycopg 2: the simple protocol with values written into the text, and named cursors."""

import datetime
import decimal

import pytest

psycopg2 = pytest.importorskip("psycopg2")

from questions import (  # noqa: E402
    COMPOSED,
    CUSTOMERS_OF,
    CUSTOMERS_OF_SQL,
    FORMS,
    NONSENSE,
    ORDERS,
    PRODUCTS,
    QUESTIONS,
    STORES,
    check_rows,
)


@pytest.fixture
def connection(server):
    connection = psycopg2.connect(server.url)
    yield connection
    connection.close()


def fetch(connection, sql, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@pytest.mark.parametrize("autocommit", [False, True], ids=["transaction", "autocommit"])
def test_forms(server, connection, form, question, autocommit):
    connection.autocommit = autocommit
    question.check(server, fetch(connection, form.format(question.text)))


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
def test_answers_compose(server, connection, composed):
    sql, plain = composed
    check_rows(fetch(connection, sql), server.plain(plain))


def test_parameter(server, connection):
    rows = fetch(connection, "SELECT * FROM nl(%s)", [CUSTOMERS_OF.format("Germany")])
    check_rows(rows, server.plain(CUSTOMERS_OF_SQL))


@pytest.mark.parametrize("form", ["line", "function"])
def test_named_cursor(server, connection, form):
    with connection.cursor("c") as cursor:
        cursor.itersize = 2
        cursor.execute(FORMS[form].format(PRODUCTS.text))
        PRODUCTS.check(server, list(cursor))


def test_copy_to_a_file(server, connection, tmp_path):
    with connection.cursor() as cursor, (tmp_path / "out").open("w+") as file:
        cursor.copy_expert(f"COPY (SELECT * FROM nl('{STORES.text}')) TO STDOUT", file)
        file.seek(0)
        STORES.check(server, [line.rstrip("\n").split("\t") for line in file])


def test_notices_tell_the_sql(connection):
    fetch(connection, FORMS["line"].format(STORES.text))
    assert any("nl: SELECT" in notice for notice in connection.notices)


def test_no_answer(connection):
    with pytest.raises(psycopg2.Error) as caught:
        fetch(connection, FORMS["line"].format(NONSENSE))
    assert caught.value.pgcode == "NL001"
    assert caught.value.diag.message_hint
    with pytest.raises(psycopg2.errors.InFailedSqlTransaction):
        fetch(connection, "SELECT 1")
    connection.rollback()
    assert fetch(connection, "SELECT 1") == [(1,)]


def test_ordinary_sql_has_types(connection):
    sql = "SELECT name, price, stock, discontinued, launched_on FROM products WHERE product_id = 1"
    assert [type(value) for value in fetch(connection, sql)[0]] == [str, decimal.Decimal, int, bool, datetime.date]


def test_writes_and_rollback(server, connection):
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE psycopg2_scratch (id INTEGER PRIMARY KEY, word TEXT)")
        cursor.executemany("INSERT INTO psycopg2_scratch VALUES (%s, %s)", [(1, "it's"), (2, None), (3, 'a "b"')])
    try:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE psycopg2_scratch SET word = 'x'")
            assert cursor.rowcount == 3
        connection.rollback()
        assert fetch(connection, "SELECT word FROM psycopg2_scratch ORDER BY id") == [("it's",), (None,), ('a "b"',)]
        ORDERS.check(server, fetch(connection, FORMS["line"].format(ORDERS.text)))
        connection.rollback()
    finally:
        with connection, connection.cursor() as cursor:
            cursor.execute("DROP TABLE psycopg2_scratch")
