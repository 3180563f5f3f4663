"""Cancel requests through Querent: at what runs, at what waits, at nothing, from many at once, with wrong keys."""

import concurrent.futures

import pytest

from ordinary import wait_for
from questions import ORDERS
from raw import PROTOCOL_3_2, SYNC, Raw, first_error, frame, query, run, tags

CANCELLED = "57014"
LONG = "SELECT pg_sleep(600)"
SENT = {"query": query(LONG), "pipeline": run(LONG) + SYNC, "in a transaction": query("BEGIN") + query(LONG)}


def wait_for_sleep(postgres, pid):
    wait_for(lambda: postgres.plain(f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid} AND wait_event = 'PgSleep'"))


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_what_runs(postgres, sent):
    with Raw(postgres.port) as session:
        session.send(sent)
        if sent.startswith(query("BEGIN")):
            session.read_until_ready()
        wait_for_sleep(postgres, session.pid)
        session.cancel()
        assert first_error(session.read_until_ready())["C"] == CANCELLED
        session.ask(query("ROLLBACK"))
        assert session.rows("SELECT 1") == [[b"1"]]


def test_what_waits_for_a_lock(postgres):
    with Raw(postgres.port) as holder, Raw(postgres.port) as waiter:
        holder.ask(query("BEGIN; LOCK TABLE tags"))
        waiter.send(query("SELECT count(*) FROM tags"))
        wait_for(lambda: postgres.plain(f"SELECT 1 FROM pg_stat_activity WHERE pid = {waiter.pid} AND wait_event_type = 'Lock'"))
        waiter.cancel()
        assert first_error(waiter.read_until_ready())["C"] == CANCELLED
        assert tags(holder.ask(query("COMMIT"))) == "CZ"
        assert waiter.rows("SELECT 1") == [[b"1"]]


def test_copy(postgres):
    with Raw(postgres.port) as session:
        session.ask(query("CREATE TEMP TABLE cancelled (a int)"))
        session.send(query("COPY cancelled FROM STDIN") + frame(b"d", b"1\n"))
        assert session.read()[0] == b"G"
        session.cancel()
        session.send(frame(b"c"))
        answer = session.read_until_ready()
        # It may have come before the server read on, or after the end: both are the server's to decide.
        assert tags(answer) in ("EZ", "CZ")
        assert session.rows("SELECT 1") == [[b"1"]]


def test_an_idle_session(postgres):
    with Raw(postgres.port) as session:
        for _ in range(20):
            session.cancel()
            assert tags(session.ask(query("SELECT 1"))) in ("TDCZ", "EZ")
        wait_for(lambda: session.rows("SELECT 1") == [[b"1"]])


def test_wrong_keys(postgres):
    with Raw(postgres.port) as session, Raw(postgres.port) as other:
        session.send(query("SELECT pg_sleep(1), 'done'"))
        wait_for_sleep(postgres, session.pid)
        right = session.key
        for wrong in (bytes(len(right)), right[:-1], right + b"\0", other.key, b""):
            session.key = wrong
            session.cancel()
        assert tags(session.read_until_ready()) == "TDCZ"


@pytest.mark.parametrize("version", [3 << 16, PROTOCOL_3_2], ids=["3.0", "3.2"])
def test_many_at_once(postgres, version):
    """Each reaches its own session: half of them are cancelled, and only they."""
    sessions = [Raw(postgres.port, version=version) for _ in range(24)]
    try:
        for session in sessions:
            session.send(query("SELECT pg_sleep(3), 'done'" if session is sessions[0] else LONG))
        for session in sessions:
            wait_for_sleep(postgres, session.pid)
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            list(pool.map(Raw.cancel, sessions[1:]))
            answers = list(pool.map(Raw.read_until_ready, sessions))
        assert tags(answers[0]) == "TDCZ"
        assert {first_error(answer)["C"] for answer in answers[1:]} == {CANCELLED}
    finally:
        for session in sessions:
            session.socket.close()


def test_the_sql_of_a_question(postgres):
    with Raw(postgres.port) as holder, Raw(postgres.port) as asking:
        assert asking.rows(f"/* nl: {ORDERS.text} */;")  # its SQL is known from now on
        holder.ask(query("BEGIN; LOCK TABLE orders"))
        asking.send(query(f"/* nl: {ORDERS.text} */;"))
        wait_for(lambda: postgres.plain(f"SELECT 1 FROM pg_stat_activity WHERE pid = {asking.pid} AND wait_event_type = 'Lock'"))
        asking.cancel()
        error = first_error(asking.read_until_ready())
        assert error["C"] == CANCELLED, error
        holder.ask(query("COMMIT"))
        assert len(asking.rows(f"/* nl: {ORDERS.text} */;")) == 1
