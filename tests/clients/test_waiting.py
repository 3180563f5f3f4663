"""Two writers of one SQLite file: who waits for whom, for how long, and what ends the wait."""

import threading
import time

import pytest

psycopg = pytest.importorskip("psycopg")

# Nobody waits longer than this in a test, however slow the machine.
LONG = 60


@pytest.fixture
def two(sqlite_shop):
    """Two sessions, and a table for them."""
    with psycopg.connect(sqlite_shop.url, autocommit=True) as one, psycopg.connect(sqlite_shop.url, autocommit=True) as other:
        one.execute("DROP TABLE IF EXISTS waited")
        one.execute("CREATE TABLE waited (id int PRIMARY KEY, n int)")
        one.execute("INSERT INTO waited VALUES (1, 0), (2, 0)")
        yield one, other
    with psycopg.connect(sqlite_shop.url, autocommit=True) as last:
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


def test_of_two_that_have_read_one_writes(two):
    """Both have a snapshot; the second to write cannot have seen what the first wrote, and is told to try again."""
    one, other = two
    for connection in two:
        connection.execute("BEGIN")
        connection.execute("SELECT sum(n) FROM waited")
    one.execute("UPDATE waited SET n = 1 WHERE id = 1")
    waiting = Waiting(other, "UPDATE waited SET n = 2 WHERE id = 2")
    one.execute("COMMIT")
    assert waiting.result() in ("40001", "55P03")
    other.execute("ROLLBACK")
    assert other.execute("UPDATE waited SET n = 2 WHERE id = 2").statusmessage == "UPDATE 1"
    assert one.execute("SELECT n FROM waited ORDER BY id").fetchall() == [(1,), (2,)]


def test_many_writers_lose_nothing(two, sqlite_shop):
    def work():
        with psycopg.connect(sqlite_shop.url, autocommit=True) as connection:
            for _ in range(20):
                with connection.transaction():
                    connection.execute("UPDATE waited SET n = n + 1 WHERE id = 1")

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert two[0].execute("SELECT n FROM waited WHERE id = 1").fetchone() == (120,)
