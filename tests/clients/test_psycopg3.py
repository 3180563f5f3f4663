"""psycopg 3: simple and extended protocol, binary and text, pipelines, and libpq's own calls below it."""

import datetime
import decimal

import pytest

psycopg = pytest.importorskip("psycopg")

from questions import (  # noqa: E402
    COMPOSED,
    COUNTRIES,
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

EVERY_FORM = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
EVERY_QUESTION = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
TEXT_AND_BINARY = pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])


@pytest.fixture
def connection(server):
    with psycopg.connect(server.url, autocommit=True) as connection:
        yield connection


@EVERY_FORM
@EVERY_QUESTION
def test_simple_protocol(server, connection, form, question):
    question.check(server, connection.execute(form.format(question.text)).fetchall())


@EVERY_FORM
@EVERY_QUESTION
@TEXT_AND_BINARY
def test_extended_protocol(server, connection, form, question, binary):
    rows = connection.cursor(binary=binary).execute(form.format(question.text), prepare=True).fetchall()
    question.check(server, rows)


@EVERY_FORM
@TEXT_AND_BINARY
def test_describe_before_bind(server, connection, form, binary):
    pgconn = connection.pgconn
    prepared = pgconn.prepare(b"s", form.format(PRODUCTS.text).encode())
    assert prepared.status == psycopg.pq.ExecStatus.COMMAND_OK, prepared.error_message
    described = pgconn.describe_prepared(b"s")
    assert [described.fname(at) for at in range(described.nfields)] == [b"name", b"price"]
    for _ in range(2):
        result = pgconn.exec_prepared(b"s", [], result_format=int(binary))
        assert result.status == psycopg.pq.ExecStatus.TUPLES_OK, result.error_message
        assert result.ntuples == 5
        assert [result.ftype(at) for at in range(2)] == [described.ftype(at) for at in range(2)]
        assert result.get_value(0, 0).decode() == server.plain(PRODUCTS.sql)[0][0]


@EVERY_FORM
def test_in_a_transaction(server, connection, form):
    with connection.transaction():
        for prepare in (False, True):
            ORDERS.check(server, connection.execute(form.format(ORDERS.text), prepare=prepare).fetchall())
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
    assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
def test_answers_compose(server, connection, composed, prepare):
    sql, plain = composed
    check_rows(connection.execute(sql, prepare=prepare).fetchall(), server.plain(plain))


def test_explain(connection):
    rows = connection.execute(f"EXPLAIN SELECT * FROM nl('{STORES.text}')").fetchall()
    assert any("stores" in row[0] for row in rows)


@pytest.mark.parametrize("form", ["line", "function"])
def test_cursor(server, connection, form):
    with connection.transaction():
        cursor = connection.cursor(name="c")
        cursor.execute(FORMS[form].format(PRODUCTS.text))
        rows = cursor.fetchmany(2) + cursor.fetchmany(2) + cursor.fetchall()
    PRODUCTS.check(server, rows)


def test_rows_one_by_one(server, connection):
    rows = list(connection.cursor().stream(FORMS["line"].format(COUNTRIES.text)))
    COUNTRIES.check(server, rows)


def test_pipeline(server, connection):
    with connection.pipeline():
        first = connection.execute(FORMS["line"].format(STORES.text))
        second = connection.execute("SELECT %s::int + 1", [41])
        third = connection.execute(FORMS["function"].format(ORDERS.text))
    STORES.check(server, first.fetchall())
    assert second.fetchone() == (42,)
    ORDERS.check(server, third.fetchall())


@pytest.mark.parametrize("form", ["line", "block", "function"])
@TEXT_AND_BINARY
def test_parameter_in_a_question(server, connection, form, binary):
    if form == "function":
        sql, value = "SELECT * FROM nl(%s)", CUSTOMERS_OF.format("Germany")
    else:
        sql, value = FORMS[form].format(CUSTOMERS_OF.format("%s")), "Germany"
    check_rows(connection.cursor(binary=binary).execute(sql, [value]).fetchall(), server.plain(CUSTOMERS_OF_SQL))


def test_question_that_is_bound_is_described(server, connection):
    pgconn = connection.pgconn
    pgconn.prepare(b"bound", b"SELECT * FROM nl($1)")
    described = pgconn.describe_prepared(b"bound")
    assert [described.fname(at) for at in range(described.nfields)] == [b"nl"]
    # libpq asks again, with the question in hand.
    found = pgconn.exec_prepared(b"bound", [STORES.text.encode()])
    assert [found.fname(at) for at in range(found.nfields)] == [b"name"]
    assert found.ntuples == len(server.plain(STORES.sql))


def test_several_statements_in_one_string(server, connection):
    cursor = connection.execute(f"SELECT 1; {FORMS['block'].format(ORDERS.text)} SELECT 'a;b'")
    assert cursor.fetchall() == [(1,)]
    assert cursor.nextset()
    ORDERS.check(server, cursor.fetchall())
    assert cursor.nextset()
    assert cursor.fetchall() == [("a;b",)]


def test_actions(server, connection):
    cursor = connection.execute(f"SELECT * FROM nl('{PRODUCTS.text}', 'sql')")
    assert [column.name for column in cursor.description] == ["sql", "confidence", "tier", "model_calls", "milliseconds"]
    sql, confidence, tier, model_calls, _ = cursor.fetchone()
    check_rows(server.plain(sql), server.plain(PRODUCTS.sql), ordered=True)
    assert 0 < confidence <= 1 and tier == "embedded" and model_calls == 0

    cursor = connection.execute(f"-- nl explain: {PRODUCTS.text}")
    assert [column.name for column in cursor.description] == ["step", "detail"]
    assert len(cursor.fetchall()) > 2

    cursor = connection.execute(f"/* nl trace: {PRODUCTS.text} */;")
    assert [column.name for column in cursor.description] == [
        "seq", "agent", "model", "attempt", "milliseconds", "prompt_tokens", "completion_tokens", "outcome", "output",
    ]  # fmt: skip
    assert {"schema_linking", "sql", "validation"} <= {row[1] for row in cursor}


def test_notices_tell_the_sql(connection):
    notices = []
    connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    connection.execute(FORMS["line"].format(STORES.text))
    assert len(notices) == 1 and notices[0].startswith("nl: SELECT"), notices
    notices.clear()
    connection.execute("SET querent.notices = off")
    connection.execute(FORMS["line"].format(STORES.text))
    assert notices == []


@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
def test_no_answer(connection, prepare):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(FORMS["line"].format(NONSENSE), prepare=prepare)
    assert caught.value.sqlstate == "NL001"
    assert "quuxly" in caught.value.diag.message_detail
    assert caught.value.diag.message_hint
    assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
def test_no_answer_in_a_transaction(connection, prepare):
    connection.execute("BEGIN")
    with pytest.raises(psycopg.Error):
        connection.execute(FORMS["function"].format(NONSENSE), prepare=prepare)
    assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR
    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        connection.execute("SELECT 1")
    connection.execute("ROLLBACK")
    assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert connection.execute("SELECT 1").fetchone() == (1,)


def test_settings(connection):
    connection.execute(FORMS["line"].format(STORES.text))
    assert "stores" in connection.execute("SHOW querent.last_sql").fetchone()[0]
    assert 0 < float(connection.execute("SHOW querent.last_confidence").fetchone()[0]) <= 1
    assert connection.execute("SHOW querent.version").fetchone()[0]
    connection.execute("SET querent.row_limit = 3")
    with pytest.raises(psycopg.errors.ProgramLimitExceeded):
        connection.execute(FORMS["line"].format(STORES.text))
    with pytest.raises(psycopg.Error) as caught:
        connection.execute("SET querent.colour = 'red'")
    assert "notices" in str(caught.value.diag.message_hint) + str(caught.value.diag.message_detail)


@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
@TEXT_AND_BINARY
def test_ordinary_sql_has_types(connection, prepare, binary):
    cursor = connection.cursor(binary=binary)
    row = cursor.execute(
        "SELECT name, price, stock, discontinued, launched_on FROM products WHERE product_id = 1", prepare=prepare
    ).fetchone()
    assert [type(value) for value in row] == [str, decimal.Decimal, int, bool, datetime.date]
    row = cursor.execute("SELECT ordered_at, shipped_on FROM orders WHERE shipped_on IS NULL", prepare=prepare).fetchone()
    assert type(row[0]) is datetime.datetime and row[1] is None


def test_writes_and_rollback(server, connection):
    connection.execute("CREATE TABLE psycopg3_scratch (id INTEGER PRIMARY KEY, word TEXT, at DATE)")
    try:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO psycopg3_scratch VALUES (%s, %s, %s)",
                [(number, f"wörd {number}", datetime.date(2025, 1, number)) for number in range(1, 11)],
            )
            assert cursor.rowcount == 10
        with connection.transaction(force_rollback=True):
            updated = connection.execute("UPDATE psycopg3_scratch SET word = NULL WHERE id > 5")
            assert updated.rowcount == 5
            assert connection.execute("SELECT count(*) FROM psycopg3_scratch WHERE word IS NULL").fetchone() == (5,)
        rows = connection.execute("SELECT word, at FROM psycopg3_scratch ORDER BY id LIMIT 1").fetchall()
        assert rows == [("wörd 1", datetime.date(2025, 1, 1))]
        assert server.plain("SELECT count(*) FROM psycopg3_scratch WHERE word IS NULL") == [(0,)]
    finally:
        connection.execute("DROP TABLE psycopg3_scratch")


def test_a_question_cannot_write(connection):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(f"CREATE TABLE copied AS SELECT * FROM nl('{STORES.text}')")
    assert caught.value.sqlstate == "42501"
    assert "allow_in_writes" in caught.value.diag.message_hint
