"""pandas reads an answer as it reads a query."""

import pytest

pandas = pytest.importorskip("pandas")
sqlalchemy = pytest.importorskip("sqlalchemy")
pytest.importorskip("psycopg")

from questions import COMPOSED, FORMS, PRODUCTS, QUESTIONS, check_rows  # noqa: E402


@pytest.fixture
def engine(server):
    engine = sqlalchemy.create_engine(server.url.replace("postgresql:", "postgresql+psycopg:"))
    yield engine
    engine.dispose()


def rows(frame):
    return frame.astype(object).values.tolist()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_forms(server, engine, form, question):
    question.check(server, rows(pandas.read_sql_query(sqlalchemy.text(form.format(question.text)), engine)))


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
def test_answers_compose(server, engine, composed):
    sql, plain = composed
    check_rows(rows(pandas.read_sql(sqlalchemy.text(sql), engine)), server.plain(plain))


def test_names_and_types(engine):
    frame = pandas.read_sql(sqlalchemy.text(FORMS["line"].format(PRODUCTS.text)), engine)
    assert list(frame.columns) == ["name", "price"]
    assert pandas.api.types.is_numeric_dtype(frame["price"])


def test_chunks(server, engine):
    sql = sqlalchemy.text(FORMS["function"].format(PRODUCTS.text))
    chunks = list(pandas.read_sql(sql, engine, chunksize=2))
    assert [len(chunk) for chunk in chunks] == [2, 2, 1]
    PRODUCTS.check(server, rows(pandas.concat(chunks)))


def test_dates(engine):
    frame = pandas.read_sql_query("SELECT ordered_at FROM orders LIMIT 3", engine)
    assert pandas.api.types.is_datetime64_any_dtype(frame["ordered_at"])
