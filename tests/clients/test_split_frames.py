"""Bytes in whatever pieces they come: conversations with questions in them, split at every byte."""

import time

import pytest

from backends import QUERENT, Querent
from questions import COUNTRIES, NONSENSE, ORDERS, PRODUCTS, STORES
from raw import (
    FLUSH,
    SYNC,
    Between,
    Raw,
    bind,
    close,
    describe,
    execute,
    frame,
    parse,
    query,
    run,
    tags,
)

QUIET = query("SET querent.notices = off")
ORDINARY = {
    "query": (query("SELECT 1; SELECT name FROM stores ORDER BY 1; SELECT 1/0"), 1),
    "pipeline": (
        run("SELECT $1::int", b"5") + run("SELECT name FROM tags ORDER BY 1", binary=True) + SYNC + run("SELECT 1/0") + run("SELECT 2") + SYNC,
        2,
    ),
    "named": (
        parse("SELECT $1::text", "s") + describe(b"S", "s") + bind("p", "s", [b"v"]) + execute("p", 1) + close(b"P", "p") + close(b"S", "s") + SYNC,
        1,
    ),
    "copy": (
        query("CREATE TEMP TABLE IF NOT EXISTS split (a int)")
        + query("COPY split FROM STDIN") + frame(b"d", b"1\n2") + frame(b"d", b"\n") + frame(b"c")
        + query("COPY split FROM STDIN") + frame(b"f", b"no more\0")
        + query("DROP TABLE split"),
        4,
    ),
    "call": (frame(b"F", b"\0\0\6\x7b" + b"\0\1\0\0" + b"\0\1" + b"\0\0\0\2" + b"-7" + b"\0\0"), 1),
    "garbage in a statement": (query(b"SELECT '\xff\xfe'") + parse("SELECT $1") + SYNC, 2),
    "what looks like a question": (query("SELECT '-- nl: x', $$/* nl: y */$$") + run("/* nl: annotated */ SELECT 4 AS nl") + SYNC, 2),
}  # fmt: skip
ASKED = {
    "query": (query(f"SELECT 1; /* nl: {ORDERS.text} */; SELECT * FROM nl('{STORES.text}') ORDER BY 1; SELECT 'é'"), 1),
    "pipeline": (
        run("SELECT $1::int", b"5") + run(f"-- nl: {ORDERS.text}") + SYNC + run(f"SELECT * FROM nl('{PRODUCTS.text}')", binary=True) + SYNC,
        2,
    ),
    "named": (
        parse(f"-- nl: {COUNTRIES.text}", "s") + describe(b"S", "s") + FLUSH + bind("p", "s") + describe(b"P", "p") + execute("p", 2)
        + execute("p", 0) + close(b"P", "p") + close(b"S", "s") + SYNC,
        1,
    ),
    "transaction": (query("BEGIN") + run(f"-- nl: {ORDERS.text}") + SYNC + query(f"SELECT * FROM nl('{STORES.text}')") + query("COMMIT"), 4),
    "no answer": (
        query("BEGIN") + run(f"-- nl: {NONSENSE}") + run("SELECT 1") + SYNC + query("SELECT 2") + query("ROLLBACK")
        + query(f"SELECT 1; -- nl: {NONSENSE}"),
        5,
    ),
    "copy": (query(f"COPY (SELECT * FROM nl('{STORES.text}')) TO STDOUT") + query(f"EXPLAIN (COSTS OFF) SELECT * FROM nl('{ORDERS.text}')"), 2),
    "cursor": (
        query("BEGIN") + query(f"DECLARE c CURSOR FOR SELECT * FROM nl('{PRODUCTS.text}')") + query("FETCH 2 FROM c") + query("COMMIT")
        + query(f"PREPARE q AS SELECT * FROM nl('{ORDERS.text}')") + query("EXECUTE q") + query("DEALLOCATE q"),
        7,
    ),
    "settings": (query("SHOW querent.version") + query("SET querent.colour = 'red'") + run("SHOW querent.notices") + SYNC, 3),
}  # fmt: skip
# Long enough for a read of its own on this machine; a test that it is not passes as well.
BETWEEN_PIECES = 0.0005


@pytest.fixture(scope="module")
def session(postgres):
    with Raw(postgres.port) as session:
        session.ask(QUIET)
        yield session


@pytest.mark.parametrize("conversation", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_bytes(postgres, session, conversation):
    data, ready = conversation
    with Raw(postgres.direct_port) as direct:
        expected = direct.ask(data, ready)
    split_everywhere(session, data, ready, expected)


@pytest.mark.parametrize("conversation", ASKED.values(), ids=ASKED)
def test_questions(session, conversation):
    data, ready = conversation
    expected = session.ask(data, ready)
    assert tags(expected).count("Z") == ready
    split_everywhere(session, data, ready, expected)


def split_everywhere(session, data, ready, expected):
    for at in range(len(data)):
        session.send(data[:at])
        time.sleep(BETWEEN_PIECES)
        assert session.ask(data[at:], ready) == expected, f"split at {at}: {data[max(0, at - 20) : at]} | {data[at : at + 20]}"


@pytest.mark.parametrize("piece", [1, 3, 64])
def test_pieces_on_both_sides(postgres, tmp_path, piece):
    with Between(postgres.direct_port, piece) as before_server:
        backend = f"postgres://127.0.0.1:{before_server.port}?sslmode=disable"
        with Querent(QUERENT, [backend], tmp_path, environment={"QUERENT_ASK_KEYWORD": "true"}) as querent:
            with Between(querent.port, piece) as before_querent, Raw(postgres.port) as whole:
                with Raw(before_querent.port) as pieces:
                    whole.ask(QUIET)
                    pieces.ask(QUIET)
                    for name, (data, ready) in (ORDINARY | ASKED).items():
                        assert pieces.ask(data, ready) == whole.ask(data, ready), name
            assert querent.stop() == 0


def test_an_answer_is_what_its_sql_gives(postgres, session):
    """The columns, rows and tag of an answer are the bytes that the SQL itself gives on a direct connection."""
    with Raw(postgres.direct_port) as direct:
        for question in (COUNTRIES, STORES, PRODUCTS, ORDERS):
            sql = session.rows(f"/* nl sql: {question.text} */;")[0][0].decode()
            assert session.ask(query(f"-- nl: {question.text}")) == direct.ask(query(sql))
            for binary in (False, True):
                asked, plain = (run(text, binary=binary) + SYNC for text in (f"-- nl: {question.text}", sql))
                assert session.ask(asked) == direct.ask(plain)
