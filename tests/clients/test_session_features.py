"""What a session does beside queries: each conversation is held with PostgreSQL and with a SQLite file, and must be the same."""

import json
import threading
import time

import pytest

psycopg = pytest.importorskip("psycopg")

# Statements of the sessions `a`, `b`; what they see is noted.
CONVERSATIONS = {
    "prepare": [
        "a: PREPARE p (int, text) AS SELECT $1 + 1, $2 || '!'",
        "a: EXECUTE p(41, 'x')",
        "a: EXECUTE p(1)",
        "a: PREPARE p AS SELECT 1",
        "a: DEALLOCATE p",
        "a: EXECUTE p(1, 'x')",
        "a: DEALLOCATE ALL",
    ],
    "cursors": [
        "a: DECLARE c CURSOR FOR SELECT 1",
        "a: BEGIN",
        "a: DECLARE c SCROLL CURSOR FOR SELECT n FROM generate_series(1, 5) AS s(n) ORDER BY n",
        "a: FETCH 2 FROM c",
        "a: FETCH PRIOR FROM c",
        "a: MOVE 2 IN c",
        "a: FETCH RELATIVE -1 FROM c",
        "a: FETCH LAST FROM c",
        "a: FETCH ABSOLUTE 2 FROM c",
        "a: FETCH BACKWARD ALL FROM c",
        "a: FETCH ALL FROM c",
        "a: CLOSE c",
        "a: FETCH c",
        "a: ROLLBACK",
        "a: BEGIN",
        "a: DECLARE h CURSOR WITH HOLD FOR SELECT n FROM generate_series(1, 3) AS s(n)",
        "a: COMMIT",
        "a: FETCH ALL FROM h",
        "a: CLOSE ALL",
    ],
    "settings": [
        "a: SET work_mem = '8MB'",
        "a: SHOW work_mem",
        "a: SELECT current_setting('work_mem')",
        "a: BEGIN",
        "a: SET LOCAL statement_timeout = '5s'",
        "a: SHOW statement_timeout",
        "a: SELECT set_config('application_name', 'mine', true)",
        "a: SHOW application_name",
        "a: COMMIT",
        "a: SHOW statement_timeout",
        "a: SELECT current_setting('application_name')",
        "a: SELECT set_config('application_name', 'kept', false)",
        "a: SHOW application_name",
        "a: BEGIN",
        "a: SET application_name = 'lost'",
        "a: ROLLBACK",
        "a: SHOW application_name",
        "a: RESET application_name",
        "a: SELECT current_setting('my.own', true)",
        "a: SET my.own = 'x'",
        "a: SELECT current_setting('my.own')",
        "a: SELECT current_setting('no_such')",
        "a: SET no_such = 1",
        "a: SET TimeZone = 'Europe/Berlin'",
        "a: SHOW TimeZone",
        "a: RESET ALL",
        "a: SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "a: BEGIN ISOLATION LEVEL REPEATABLE READ",
        "a: SHOW transaction_isolation",
        "a: COMMIT",
    ],
    "notifications": [
        "a: LISTEN news",
        "b: NOTIFY news, 'one'",
        "a: notifies",
        "b: SELECT pg_notify('news', 'two')",
        "a: notifies",
        "b: BEGIN",
        "b: NOTIFY news, 'three'",
        "b: NOTIFY news, 'three'",
        "a: notifies",
        "b: COMMIT",
        "a: notifies",
        "b: BEGIN",
        "b: NOTIFY news, 'lost'",
        "b: ROLLBACK",
        "b: BEGIN",
        "b: SAVEPOINT s",
        "b: NOTIFY news, 'lost too'",
        "b: ROLLBACK TO s",
        "b: NOTIFY news, 'four'",
        "b: COMMIT",
        "a: notifies",
        "a: NOTIFY news, 'to myself'",
        "a: notifies",
        "a: UNLISTEN news",
        "b: NOTIFY news, 'unheard'",
        "a: notifies",
        "a: LISTEN other",
        "a: DISCARD ALL",
        "b: NOTIFY other",
        "a: notifies",
    ],
    "advisory locks": [
        "a: SELECT pg_advisory_lock(7)",
        "b: SELECT pg_try_advisory_lock(7)",
        "b: SELECT pg_try_advisory_lock(8)",
        "a: SELECT pg_advisory_unlock(7)",
        "a: SELECT pg_advisory_unlock(7)",
        "b: SELECT pg_try_advisory_lock(7)",
        "b: SELECT pg_advisory_unlock_all()",
        "a: SELECT pg_try_advisory_lock_shared(1, 2)",
        "b: SELECT pg_try_advisory_lock_shared(1, 2)",
        "b: SELECT pg_try_advisory_lock(1, 2)",
        "a: SELECT pg_advisory_unlock_shared(1, 2)",
        "b: SELECT pg_try_advisory_lock(1, 2)",
        "a: BEGIN",
        "a: SELECT pg_advisory_xact_lock(9)",
        "b: SELECT pg_try_advisory_lock(9)",
        "a: COMMIT",
        "b: SELECT pg_try_advisory_lock(9)",
        "b: DISCARD ALL",
        "a: SELECT pg_try_advisory_lock(9)",
        "a: SELECT pg_advisory_unlock_all()",
    ],
    "savepoints": [
        "a: CREATE TEMP TABLE s (n int)",
        "a: SAVEPOINT x",
        "a: BEGIN",
        "a: INSERT INTO s VALUES (1)",
        "a: SAVEPOINT x",
        "a: INSERT INTO s VALUES (2)",
        "a: SELECT 1/0",
        "a: SELECT 1",
        "a: ROLLBACK TO x",
        "a: SELECT * FROM s",
        "a: RELEASE x",
        "a: ROLLBACK TO x",
        "a: ROLLBACK",
        "a: SELECT * FROM s",
    ],
    "locks of tables": [
        "a: CREATE TEMP TABLE l (n int)",
        "a: LOCK TABLE l",
        "a: BEGIN",
        "a: LOCK TABLE l IN ACCESS EXCLUSIVE MODE",
        "a: LOCK l IN SHARE MODE NOWAIT",
        "a: LOCK no_such_table",
        "a: ROLLBACK",
    ],
}


class Talker:
    def __init__(self, url):
        self.connection = psycopg.connect(url, autocommit=True)

    def say(self, text):
        if text == "notifies":
            return [(one.channel, one.payload) for one in self.connection.notifies(timeout=0.3)]
        try:
            # The simple protocol, as psql speaks it.
            cursor = psycopg.ClientCursor(self.connection).execute(text)
            return cursor.statusmessage, cursor.fetchall() if cursor.description else None
        except psycopg.Error as error:
            return error.sqlstate


def held(url, conversation):
    talkers = {name: Talker(url) for name in "ab"}
    seen = []
    for line in conversation:
        name, text = line.split(": ", 1)
        seen.append((line, talkers[name].say(text)))
    for talker in talkers.values():
        talker.connection.close()
    return seen


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_conversations_are_the_same(sqlite_shop, postgres, name):
    expected, found = held(postgres.direct_url, CONVERSATIONS[name]), held(sqlite_shop.url, CONVERSATIONS[name])
    assert [pair for pair in zip(found, expected) if pair[0] != pair[1]] == []


def test_sleep_and_waiting_for_a_lock_can_be_cancelled(sqlite_shop):
    with psycopg.connect(sqlite_shop.url, autocommit=True) as other, psycopg.connect(sqlite_shop.url, autocommit=True) as own:
        other.execute("SELECT pg_advisory_lock(1)")
        for sql in ["SELECT pg_sleep(60)", "SELECT pg_advisory_lock(1)"]:
            timer = threading.Timer(0.3, own.cancel)
            timer.start()
            begun = time.monotonic()
            with pytest.raises(psycopg.errors.QueryCanceled):
                own.execute(sql)
            timer.join()
            assert time.monotonic() - begun < 20
            assert own.execute("SELECT 1").fetchone() == (1,)
        own.execute("SET statement_timeout = '200ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):
            own.execute("SELECT pg_sleep(60)")


def test_a_lock_is_waited_for(sqlite_shop):
    with psycopg.connect(sqlite_shop.url, autocommit=True) as one, psycopg.connect(sqlite_shop.url, autocommit=True) as other:
        one.execute("SELECT pg_advisory_lock(5)")
        got = []
        waiter = threading.Thread(target=lambda: got.append(other.execute("SELECT pg_advisory_lock(5)").fetchone()))
        waiter.start()
        time.sleep(0.2)
        assert got == []
        one.execute("SELECT pg_advisory_unlock(5)")
        waiter.join(20)
        assert len(got) == 1


def test_plans_are_told_in_json(sqlite_shop):
    with psycopg.connect(sqlite_shop.url, autocommit=True) as connection:
        cursor = connection.execute("EXPLAIN (FORMAT JSON) SELECT * FROM products ORDER BY price")
        assert (cursor.description[0].name, cursor.description[0].type_code) == ("QUERY PLAN", 114)
        [(plan,)] = cursor.fetchall()
        assert "Node Type" in plan[0]["Plan"], json.dumps(plan)
        [(plan,)] = connection.execute("EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1").fetchall()
        assert plan[0]["Actual Rows"] == 1


def test_a_session_may_speak_sqlite(sqlite_shop):
    with psycopg.connect(sqlite_shop.url, autocommit=True) as connection:
        # PostgreSQL tells letter cases apart in LIKE.
        assert connection.execute("SELECT 'A' LIKE 'a'").fetchone() == (False,)
        connection.execute("SET querent.dialect = sqlite")
        assert connection.execute("SELECT 'A' LIKE 'a'").fetchone() == (1,)
        assert connection.execute("SHOW querent.dialect").fetchone() == ("sqlite",)
        connection.execute("RESET querent.dialect")
        assert connection.execute("SELECT 'A' LIKE 'a'").fetchone() == (False,)
