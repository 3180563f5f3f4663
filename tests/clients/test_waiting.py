"""Two writers of one SQLite file: who waits for whom, for how long, and what ends the wait."""

import sqlite3
import threading
import time

import pytest

from backends import QUERENT
from servers import Querent

psycopg = pytest.importorskip("psycopg")

# Nobody waits longer than this in a test, however slow the machine.
LONG = 60


@pytest.fixture(scope="module")
def files(sqlite_shop, tmp_path_factory):
    """Where files are served: in one with a rollback journal who reads keeps others from committing, in one with a
    write-ahead log not."""
    folder = tmp_path_factory.mktemp("waiting")
    sqlite3.connect(folder / "logged.sqlite").execute("PRAGMA journal_mode = wal").close()
    logged = Querent(QUERENT, [f"sqlite:{folder / 'logged.sqlite'}"], folder).start()
    yield {"journal": sqlite_shop.url, "log": f"postgresql://somebody@127.0.0.1:{logged.port}/logged"}
    assert logged.stop() == 0, logged.told()


@pytest.fixture(params=["journal", "log"])
def url(files, request):
    return files[request.param]


@pytest.fixture
def two(url):
    """Two sessions, and a table for them."""
    yield from sessions(url)


@pytest.fixture
def two_with_log(files):
    """The same on a file where nobody waits for readers."""
    yield from sessions(files["log"])


def sessions(url):
    with psycopg.connect(url, autocommit=True) as one, psycopg.connect(url, autocommit=True) as other:
        one.execute("DROP TABLE IF EXISTS waited")
        one.execute("CREATE TABLE waited (id int PRIMARY KEY, n int)")
        one.execute("INSERT INTO waited VALUES (1, 0), (2, 0)")
        yield one, other
    with psycopg.connect(url, autocommit=True) as last:
        last.execute("DROP TABLE waited")


class Waiting(threading.Thread):
    """A statement that has to wait."""

    def __init__(self, connection, sql):
        super().__init__(daemon=True)
        self.connection, self.sql, self.came = connection, sql, None
        self.start()

    def run(self):
        try:
            self.came = self.connection.execute(self.sql).statusmessage
        except psycopg.Error as error:
            self.came = error.sqlstate

    def result(self):
        self.join(LONG)
        assert not self.is_alive(), "it waits for ever"
        return self.came


def begins_to_wait(waiting):
    """Nothing tells that a statement waits but that it is not done."""
    waiting.join(0.3)
    assert waiting.is_alive(), waiting.came


def test_a_writer_waits_for_the_other(two):
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = n + 1 WHERE id = 1")
    waiting = Waiting(other, "UPDATE waited SET n = n + 10")
    begins_to_wait(waiting)
    one.execute("COMMIT")
    assert waiting.result() == "UPDATE 2"
    assert one.execute("SELECT id, n FROM waited ORDER BY id").fetchall() == [(1, 11), (2, 10)]


def test_a_transaction_that_begins_to_write_waits_too(two):
    one, other = two
    for statement in ["UPDATE waited SET n = n + 10", "SELECT n FROM waited FOR UPDATE", "WITH t AS (UPDATE waited SET n = 1 RETURNING n) SELECT n FROM t"]:
        one.execute("BEGIN")
        one.execute("UPDATE waited SET n = 5")
        other.execute("BEGIN")
        waiting = Waiting(other, statement)
        begins_to_wait(waiting)
        one.execute("COMMIT")
        assert waiting.result().endswith(" 2")
        other.execute("ROLLBACK")


def test_a_reader_waits_for_nobody(two):
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 5")
    assert other.execute("SELECT sum(n) FROM waited").fetchone() == (0,)
    one.execute("ROLLBACK")


@pytest.mark.parametrize("begin", ["SELECT 1", "BEGIN"])
def test_a_time_limit_ends_the_wait(two, begin):
    one, other = two
    other.execute("SET statement_timeout = '300ms'")
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 1")
    other.execute(begin)
    with pytest.raises(psycopg.errors.QueryCanceled):
        other.execute("UPDATE waited SET n = 2")
    other.rollback()
    one.execute("COMMIT")
    # The session is as good as before.
    other.execute("RESET statement_timeout")
    assert other.execute("UPDATE waited SET n = n + 1").statusmessage == "UPDATE 2"


def test_a_cancel_ends_the_wait(two):
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 1")
    waiting = Waiting(other, "UPDATE waited SET n = 2")
    begins_to_wait(waiting)
    other.cancel()
    assert waiting.result() == "57014"
    one.execute("ROLLBACK")


def test_the_configured_time_ends_the_wait(two):
    """It is 5 s unless `sqlite.busy_timeout` says otherwise, and the session may try again."""
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 1")
    began = time.monotonic()
    with pytest.raises(psycopg.errors.LockNotAvailable):
        other.execute("UPDATE waited SET n = 2")
    assert time.monotonic() - began > 4
    one.execute("COMMIT")
    assert other.execute("UPDATE waited SET n = 2").statusmessage == "UPDATE 2"


def test_the_one_that_waits_may_be_the_one_that_left(two):
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 1")
    waiting = Waiting(other, "UPDATE waited SET n = n + 1")
    begins_to_wait(waiting)
    # A client that goes away takes its lock along.
    one.close()
    assert waiting.result() == "UPDATE 2"
    assert other.execute("SELECT DISTINCT n FROM waited").fetchall() == [(1,)]


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_of_two_that_have_read_one_writes(two, level):
    """Both have a snapshot; the second to write cannot have seen what the first wrote, and is told to try again."""
    one, other = two
    for connection in two:
        connection.execute(f"BEGIN ISOLATION LEVEL {level}")
        connection.execute("SELECT sum(n) FROM waited")
    one.execute("UPDATE waited SET n = 1 WHERE id = 1")
    waiting = Waiting(other, "UPDATE waited SET n = 2 WHERE id = 2")
    one.execute("COMMIT")
    assert waiting.result() in ("40001", "55P03")
    other.execute("ROLLBACK")
    assert other.execute("UPDATE waited SET n = 2 WHERE id = 2").statusmessage == "UPDATE 1"
    assert one.execute("SELECT n FROM waited ORDER BY id").fetchall() == [(1,), (2,)]


@pytest.mark.parametrize("statement", ["UPDATE waited SET n = n + 10", "SELECT n FROM waited FOR UPDATE"])
def test_at_read_committed_one_that_has_read_waits(two, statement):
    one, other = two
    for connection in two:
        connection.execute("BEGIN")
        connection.execute("SELECT sum(n) FROM waited")
    one.execute("UPDATE waited SET n = n + 1")
    waiting = Waiting(other, statement)
    begins_to_wait(waiting)
    one.execute("COMMIT")
    assert waiting.result().endswith(" 2")
    other.execute("UPDATE waited SET n = n + 100")
    other.execute("COMMIT")
    assert one.execute("SELECT n FROM waited WHERE id = 1").fetchone()[0] in (111, 101)


def test_what_another_committed_meanwhile_is_seen(two_with_log):
    one, other = two_with_log
    other.execute("BEGIN")
    assert other.execute("SELECT sum(n) FROM waited").fetchone() == (0,)
    one.execute("UPDATE waited SET n = 5")
    other.execute("UPDATE waited SET n = n + 1")
    assert other.execute("SELECT sum(n) FROM waited").fetchone() == (12,)
    other.execute("ROLLBACK")


def test_savepoints_outlast_the_wait(two_with_log):
    """As in Django's get_or_create: what was read before the savepoint is no hindrance."""
    one, other = two_with_log
    other.execute("BEGIN")
    other.execute("SELECT n FROM waited")
    other.execute("SAVEPOINT a")
    other.execute("SAVEPOINT b")
    other.execute("SET CONSTRAINTS ALL DEFERRED")
    one.execute("UPDATE waited SET n = 5")
    other.execute("INSERT INTO waited VALUES (3, 3)")
    other.execute("ROLLBACK TO b")
    other.execute("INSERT INTO waited VALUES (4, 4)")
    other.execute("RELEASE a")
    other.execute("COMMIT")
    assert one.execute("SELECT id, n FROM waited ORDER BY id").fetchall() == [(1, 5), (2, 5), (4, 4)]


def test_a_wait_in_vain_leaves_the_savepoints(two):
    one, other = two
    other.execute("SET statement_timeout = '300ms'")
    other.execute("BEGIN")
    other.execute("SELECT n FROM waited")
    other.execute("SAVEPOINT a")
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = 5")
    with pytest.raises(psycopg.errors.QueryCanceled):
        other.execute("UPDATE waited SET n = 6")
    one.execute("COMMIT")
    other.execute("ROLLBACK TO a")
    other.execute("SET LOCAL statement_timeout = 0")
    assert other.execute("UPDATE waited SET n = n + 1").statusmessage == "UPDATE 2"
    other.execute("COMMIT")
    assert one.execute("SELECT DISTINCT n FROM waited").fetchall() == [(6,)]


def test_what_was_read_stays_while_a_cursor_is_open_or_something_is_written(two_with_log):
    """There is nothing to begin anew then, so it is told at once."""
    one, other = two_with_log
    for before in ["DECLARE c CURSOR FOR SELECT generate_series(1, 1000000), n FROM waited", "CREATE TEMP TABLE own (n int)"]:
        other.execute("BEGIN")
        other.execute(before)
        other.execute("SELECT n FROM waited")
        if "CURSOR" in before:
            other.execute("FETCH 1 FROM c")
        one.execute("UPDATE waited SET n = n + 1")
        with pytest.raises((psycopg.errors.SerializationFailure, psycopg.errors.LockNotAvailable)):
            other.execute("UPDATE waited SET n = 2")
        other.execute("ROLLBACK")


def test_the_level_of_a_session_counts(two_with_log):
    one, other = two_with_log
    assert other.execute("SHOW transaction_isolation").fetchone() == ("read committed",)
    other.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    other.execute("BEGIN")
    assert other.execute("SHOW transaction_isolation").fetchone() == ("repeatable read",)
    other.execute("SELECT n FROM waited")
    one.execute("UPDATE waited SET n = 5")
    with pytest.raises(psycopg.errors.SerializationFailure):
        other.execute("UPDATE waited SET n = 6")
    other.execute("ROLLBACK")


def test_what_is_done_in_several_steps_waits(two):
    """Changes and drops read before they write, each in one statement."""
    one, other = two
    one.execute("DROP TABLE IF EXISTS stepped")
    one.execute("CREATE TABLE stepped (id serial, n int)")
    for statement in ["ALTER TABLE stepped ALTER COLUMN n TYPE bigint", "TRUNCATE TABLE stepped", "DROP TABLE stepped CASCADE"]:
        one.execute("BEGIN")
        one.execute("UPDATE waited SET n = 1")
        waiting = Waiting(other, statement)
        begins_to_wait(waiting)
        one.execute("COMMIT")
        assert waiting.result() == " ".join(statement.split()[:2])


def test_a_temporary_table_of_what_is_written_next_waits(two):
    one, other = two
    one.execute("BEGIN")
    one.execute("UPDATE waited SET n = n + 1")
    other.execute("BEGIN")
    waiting = Waiting(other, "CREATE TEMP TABLE own AS SELECT id, n FROM waited")
    begins_to_wait(waiting)
    one.execute("COMMIT")
    assert waiting.result() == "SELECT 2"
    other.execute("UPDATE waited SET n = waited.n + own.n FROM own WHERE own.id = waited.id")
    other.execute("COMMIT")
    assert one.execute("SELECT DISTINCT n FROM waited").fetchall() == [(2,)]


def test_many_that_read_first_lose_nothing(two, url):
    """Each reads, then adds what it has read nothing of; all of them come to write."""
    failures = []

    def work():
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                for _ in range(20):
                    with connection.transaction():
                        connection.execute("SELECT n FROM waited")
                        with connection.transaction():
                            connection.execute("UPDATE waited SET n = n + 1 WHERE id = 1")
        except psycopg.Error as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert not failures
    assert two[0].execute("SELECT n FROM waited WHERE id = 1").fetchone() == (120,)


def test_many_writers_lose_nothing(two, url):
    def work():
        with psycopg.connect(url, autocommit=True) as connection:
            for _ in range(20):
                with connection.transaction():
                    connection.execute("UPDATE waited SET n = n + 1 WHERE id = 1")

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert two[0].execute("SELECT n FROM waited WHERE id = 1").fetchone() == (120,)
