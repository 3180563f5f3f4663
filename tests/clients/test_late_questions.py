"""Questions that come with Bind: what is described before is what Execute then sends, or it is refused."""

import json
import struct

from questions import COUNTRIES, ORDERS, STORES
from raw import SYNC, Raw, bind, columns, describe, execute, fields, parse

JSON, TEXT, INT8, FLOAT8 = 114, 25, 20, 701
HUSH = parse("SET querent.notices = off") + bind() + execute() + SYNC


def described(messages):
    """Names and types of the columns that were told last; nothing where there are none."""
    body = next((body for tag, body in reversed(messages) if tag == b"T"), None)
    if body is None:
        return None
    count, at, found = struct.unpack("!H", body[:2])[0], 2, []
    for _ in range(count):
        end = body.index(b"\0", at)
        found.append((body[at:end].decode(), struct.unpack("!I", body[end + 7 : end + 11])[0]))
        at = end + 19
    return found


def rows(messages):
    return [[None if value is None else value.decode() for value in columns(body)] for tag, body in messages if tag == b"D"]


def error(messages):
    return next((fields(body) for tag, body in messages if tag == b"E"), None)


def session(server):
    opened = Raw(server.port)
    opened.ask(HUSH)
    return opened


def ask(question, *, portal=False, name="q", more=(), binary=False):
    """A question for a statement, and whether its portal is described."""
    values = [question.text.encode(), *more]
    return bind(statement=name, values=values, binary=binary) + (describe(b"P") if portal else b"") + execute() + SYNC


def test_a_statement_is_described_by_a_column_for_whole_rows(server):
    with session(server) as opened:
        told = opened.ask(parse("SELECT * FROM nl($1)", "q") + describe(b"S", "q") + SYNC)
        assert described(told) == [("nl", JSON)]
        for question, binary in ((STORES, False), (COUNTRIES, True), (ORDERS, False)):
            found = opened.ask(ask(question, binary=binary))
            assert error(found) is None
            values = [tuple(map(str, json.loads(row).values())) for (row,) in rows(found)]
            assert sorted(values) == sorted(tuple(map(str, row)) for row in server.plain(question.sql))


def test_a_portal_is_described_by_its_own_columns(server):
    with session(server) as opened:
        opened.ask(parse("SELECT * FROM nl($1)", "q") + describe(b"S", "q") + SYNC)
        for question, count in ((COUNTRIES, 2), (STORES, 1), (COUNTRIES, 2)):
            found = opened.ask(ask(question, portal=True))
            assert len(described(found)) == count == len(rows(found)[0])
        # And by the statement's again, if the statement is asked.
        told = opened.ask(describe(b"S", "q") + SYNC)
        assert described(told) == [("nl", JSON)]
        (first, *_) = rows(opened.ask(ask(COUNTRIES)))
        assert len(json.loads(first[0])) == 2


def test_nobody_is_told_anything(server):
    """Who asks for no description knows what comes."""
    with session(server) as opened:
        opened.ask(parse("SELECT * FROM nl($1)", "q") + SYNC)
        assert len(rows(opened.ask(ask(COUNTRIES)))[0]) == 2


def test_a_description_that_holds_no_more_is_an_error(server):
    """Drivers that describe once know this error, and prepare the statement again."""
    with session(server) as opened:
        opened.ask(parse("SELECT * FROM nl($1)", "q") + SYNC)
        first = opened.ask(ask(COUNTRIES, portal=True))
        assert rows(opened.ask(ask(COUNTRIES))) == rows(first)
        told = error(opened.ask(ask(STORES)))
        assert (told["C"], told["M"]) == ("0A000", "cached plan must not change result type")
        assert told["R"] == "RevalidateCachedQuery"
        assert rows(opened.ask(ask(COUNTRIES))) == rows(first)


def test_columns_that_do_not_depend_on_the_question(server):
    with session(server) as opened:
        for sql, columns_, more in [
            ("SELECT count(*) AS n FROM nl($1)", [("n", INT8)], []),
            ("SELECT count(*) FROM nl($1) t, orders o WHERE o.order_id < $2", [("count", INT8)], [b"3"]),
            ("SELECT EXISTS (SELECT * FROM nl($1))", [("exists", 16)], []),
            ("SELECT confidence, tier FROM nl($1, 'sql')", [("confidence", FLOAT8), ("tier", TEXT)], []),
            ("SELECT * FROM nl($1, 'explain')", [("step", TEXT), ("detail", TEXT)], []),
            ("SELECT * FROM nl($1, 'good')", [("status", TEXT)], []),
        ]:
            told = opened.ask(parse(sql, "q") + describe(b"S", "q") + SYNC)
            assert described(told) == columns_, sql
            for portal in (False, True):
                found = opened.ask(ask(STORES, portal=portal, more=more))
                assert error(found) is None, sql
                assert len(rows(found)[0]) == len(columns_)
                assert not portal or described(found) == columns_
            opened.ask(b"C" + struct.pack("!I", 7) + b"Sq\0" + SYNC)


def test_sql_around_a_question_and_other_parameters(server):
    with session(server) as opened:
        sql = "SELECT country FROM nl($1) AS t WHERE country = $2 ; -- that one"
        told = opened.ask(parse(sql, "q") + describe(b"S", "q") + SYNC)
        assert described(told) == [("nl", JSON)]
        assert rows(opened.ask(ask(COUNTRIES, more=[b"Spain"]))) == [['{"country":"Spain"}']]


def test_in_a_pipeline_without_sync(server):
    """postgres.js describes with Flush and goes on."""
    with session(server) as opened:
        opened.ask(parse("SELECT * FROM nl($1)", "q") + describe(b"S", "q") + SYNC)
        flush = b"H" + struct.pack("!I", 4)
        opened.send(parse("SELECT * FROM nl($1)", "r") + describe(b"S", "r") + flush)
        assert [opened.read()[0] for _ in range(3)] == [b"1", b"t", b"T"]
        assert len(rows(opened.ask(ask(STORES, name="r")))) == len(server.plain(STORES.sql))


def test_errors_leave_the_session_usable(server):
    with session(server) as opened:
        opened.ask(parse("SELECT * FROM nl($1)", "q") + describe(b"S", "q") + SYNC)
        failed = opened.ask(bind(statement="q", values=[b"frobnicate the zorblax"]) + execute() + SYNC)
        assert error(failed)["C"] == "NL001"
        failed = opened.ask(bind(statement="q", values=[None]) + execute() + SYNC)
        assert error(failed)["C"] == "22004"
        assert len(rows(opened.ask(ask(STORES)))) == len(server.plain(STORES.sql))
