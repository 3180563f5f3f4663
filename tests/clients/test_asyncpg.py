"""asyncpg: always prepares and describes before it binds, always binary."""

import asyncio
import datetime
import decimal
import json

import pytest

asyncpg = pytest.importorskip("asyncpg")

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
def run(server):
    """Runs an asynchronous function on a fresh connection."""

    async def connected(act):
        connection = await asyncpg.connect(server.url)
        try:
            return await act(connection)
        finally:
            await connection.close()

    return lambda act: asyncio.run(connected(act))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_forms(server, run, form, question):
    question.check(server, run(lambda connection: connection.fetch(form.format(question.text))))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_in_a_transaction(server, run, form):
    async def act(connection):
        async with connection.transaction():
            return await connection.fetch(form.format(ORDERS.text))

    ORDERS.check(server, run(act))


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
def test_answers_compose(server, run, composed):
    sql, plain = composed
    check_rows(run(lambda connection: connection.fetch(sql)), server.plain(plain))


def test_prepared_statement_tells_its_columns(server, run):
    async def act(connection):
        statement = await connection.prepare(FORMS["line"].format(PRODUCTS.text))
        names = [attribute.name for attribute in statement.get_attributes()]
        return names, await statement.fetch(), await statement.fetch()

    names, first, second = run(act)
    assert names == ["name", "price"]
    assert first == second
    PRODUCTS.check(server, first)


@pytest.mark.parametrize("form", ["line", "function"])
def test_cursor_fetches_in_steps(server, run, form):
    async def act(connection):
        async with connection.transaction():
            return [row async for row in connection.cursor(FORMS[form].format(PRODUCTS.text), prefetch=2)]

    PRODUCTS.check(server, run(act))


@pytest.mark.parametrize("form", ["line", "block", "select"])
def test_parameter_in_a_question(server, run, form):
    sql = FORMS[form].format(CUSTOMERS_OF.format("$1"))
    check_rows(run(lambda connection: connection.fetch(sql, "Germany")), server.plain(CUSTOMERS_OF_SQL))


def test_question_that_is_bound(server, run):
    """It has to know the columns before the question is there: each row is one value."""

    async def act(connection):
        rows = await connection.fetch("SELECT * FROM nl($1)", STORES.text)
        async with connection.transaction():
            counted = await connection.fetchval("SELECT count(*) FROM nl($1)", STORES.text)
        step = await connection.fetchrow("SELECT * FROM nl($1, 'explain')", STORES.text)
        return rows, counted, list(step.keys())

    rows, counted, step = run(act)
    check_rows([tuple(json.loads(row["nl"]).values()) for row in rows], server.plain(STORES.sql))
    assert counted == len(rows)
    assert step == ["step", "detail"]


def test_several_statements_by_the_simple_protocol(run):
    assert run(lambda connection: connection.execute(f"SELECT 1; {FORMS['block'].format(STORES.text)}")) == "SELECT 18"


def test_no_answer(run):
    async def act(connection):
        with pytest.raises(asyncpg.PostgresError) as caught:
            await connection.fetch(FORMS["line"].format(NONSENSE))
        return caught.value, await connection.fetchval("SELECT 1")

    error, after = run(act)
    assert error.sqlstate == "NL001" and error.hint and after == 1


def test_notices_tell_the_sql(run):
    async def act(connection):
        notices = []
        connection.add_log_listener(lambda _, notice: notices.append(notice.message))
        await connection.fetch(FORMS["line"].format(STORES.text))
        await asyncio.sleep(0)
        return notices

    assert any(notice.startswith("nl: SELECT") for notice in run(act))


def test_ordinary_sql_has_types(run):
    sql = "SELECT name, price, stock, discontinued, launched_on FROM products WHERE product_id = $1"
    row = run(lambda connection: connection.fetchrow(sql, 1))
    assert [type(value) for value in row] == [str, decimal.Decimal, int, bool, datetime.date]


def test_writes_and_rollback(run):
    async def act(connection):
        await connection.execute("CREATE TABLE asyncpg_scratch (id INTEGER PRIMARY KEY, word TEXT, amount DECIMAL(10,2))")
        try:
            await connection.executemany(
                "INSERT INTO asyncpg_scratch VALUES ($1, $2, $3)",
                [(1, "one", decimal.Decimal("1.25")), (2, None, None)],
            )
            transaction = connection.transaction()
            await transaction.start()
            assert await connection.execute("DELETE FROM asyncpg_scratch") == "DELETE 2"
            await transaction.rollback()
            return [tuple(row) for row in await connection.fetch("SELECT * FROM asyncpg_scratch ORDER BY id")]
        finally:
            await connection.execute("DROP TABLE asyncpg_scratch")

    assert run(act) == [(1, "one", decimal.Decimal("1.25")), (2, None, None)]
