"""SQLAlchemy on each of its common drivers."""

import asyncio

import pytest

sqlalchemy = pytest.importorskip("sqlalchemy")

from questions import COMPOSED, CUSTOMERS_OF, CUSTOMERS_OF_SQL, FORMS, NONSENSE, ORDERS, QUESTIONS, STORES, check_rows  # noqa: E402


@pytest.fixture(params=["psycopg", "psycopg2"])
def engine(server, request):
    pytest.importorskip(request.param)
    engine = sqlalchemy.create_engine(server.url.replace("postgresql:", f"postgresql+{request.param}:"))
    yield engine
    engine.dispose()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_forms(server, engine, form, question):
    with engine.connect() as connection:
        question.check(server, connection.execute(sqlalchemy.text(form.format(question.text))).all())
        question.check(server, connection.exec_driver_sql(form.format(question.text)).all())


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
def test_answers_compose(server, engine, composed):
    sql, plain = composed
    with engine.connect() as connection:
        check_rows(connection.execute(sqlalchemy.text(sql)).all(), server.plain(plain))


def test_parameter(server, engine):
    with engine.connect() as connection:
        rows = connection.execute(
            sqlalchemy.text("SELECT * FROM nl(:question)"), {"question": CUSTOMERS_OF.format("Germany")}
        ).all()
        check_rows(rows, server.plain(CUSTOMERS_OF_SQL))


def test_streamed_results(server, engine):
    with engine.connect().execution_options(stream_results=True, max_row_buffer=2) as connection:
        STORES.check(server, connection.execute(sqlalchemy.text(FORMS["function"].format(STORES.text))).all())


def test_no_answer(server, engine):
    with engine.connect() as connection:
        with pytest.raises(sqlalchemy.exc.DBAPIError) as caught:
            connection.execute(sqlalchemy.text(FORMS["line"].format(NONSENSE)))
        error = caught.value.orig
        assert getattr(error, "sqlstate", None) or error.pgcode == "NL001"
        connection.rollback()
        ORDERS.check(server, connection.execute(sqlalchemy.text(FORMS["line"].format(ORDERS.text))).all())


def test_tables_and_inserts(engine):
    metadata = sqlalchemy.MetaData()
    words = sqlalchemy.Table(
        "sqlalchemy_scratch",
        metadata,
        sqlalchemy.Column("id", sqlalchemy.Integer, primary_key=True, autoincrement=False),
        sqlalchemy.Column("word", sqlalchemy.Text),
    )
    with engine.begin() as connection:
        words.create(connection, checkfirst=False)
    try:
        with engine.connect() as connection:
            connection.execute(words.insert(), [{"id": number, "word": f"w{number}"} for number in range(5)])
            connection.rollback()
            connection.execute(words.insert(), [{"id": 7, "word": "kept"}])
            connection.commit()
            assert connection.execute(sqlalchemy.select(words)).all() == [(7, "kept")]
    finally:
        with engine.begin() as connection:
            words.drop(connection, checkfirst=False)


def test_asynchronous_engine(server):
    pytest.importorskip("asyncpg")
    pytest.importorskip("greenlet")
    from sqlalchemy.ext.asyncio import create_async_engine

    async def act():
        engine = create_async_engine(server.url.replace("postgresql:", "postgresql+asyncpg:"))
        async with engine.connect() as connection:
            rows = (await connection.execute(sqlalchemy.text(FORMS["line"].format(STORES.text)))).all()
        await engine.dispose()
        return rows

    STORES.check(server, asyncio.run(act()))
