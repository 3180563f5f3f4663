"""Servers that restart, shut down, crash, refuse or are not there, and time limits: clients see what they would see
without Querent, and Querent goes on."""

import contextlib
import signal
import socket
import threading

import pytest

from backends import QUERENT, Querent
from ordinary import wait_for
from raw import DEADLINE, SYNC, Raw, fields, frame, query, run, startup, tags
from servers import Cluster, free_port, work_folder


@pytest.fixture(scope="module")
def fragile():
    """A cluster that may be stopped, and Querent before it."""
    with work_folder("outages") as folder, Cluster(folder / "data", settings={"fsync": "off"}) as cluster:
        with Querent(QUERENT, [f"postgres://127.0.0.1:{cluster.port}?sslmode=disable"], folder) as querent:
            yield cluster, querent
            assert querent.stop() == 0, querent.told()


def session_of(port):
    return Raw(port, user="postgres", database="postgres")


def ended(port, shut):
    """What a session in the middle of a statement and an idle one are told when the server ends, up to the end."""
    notes = []
    with session_of(port) as busy, session_of(port) as idle:
        busy.send(query("SELECT pg_sleep(600)"))
        wait_for(lambda: idle.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
        shut()
        for session in (busy, idle):
            session.socket.settimeout(DEADLINE)
            messages = session.read_until_ready()
            assert session.received == b"", "half a message came"
            notes.append([(tag, fields(body) if tag in b"EN" else body) for tag, body in messages])
    return notes


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_shutdown_and_restart(fragile, mode):
    cluster, querent = fragile
    direct = ended(cluster.port, lambda: cluster.stop(mode))
    cluster.start()
    proxied = ended(querent.port, lambda: cluster.stop(mode))
    assert proxied == direct
    assert direct[0], "the server said nothing"
    error = refused(querent.port)
    assert error["S"] == "FATAL" and error["C"].startswith(("08", "57P")), error
    cluster.start()
    with session_of(querent.port) as session:
        assert session.rows("SELECT 1") == [[b"1"]]


def refused(port, **parameters):
    with pytest.raises(ConnectionError) as caught:
        Raw(port, **({"user": "postgres", "database": "postgres"} | parameters))
    assert isinstance(caught.value.args[0], dict), f"no error was told: {caught.value!r}"
    return caught.value.args[0]


def test_one_backend_is_terminated_or_crashes(fragile):
    cluster, querent = fragile
    told = []
    for port in (cluster.port, querent.port):
        with session_of(port) as session, session_of(port) as admin:
            admin.rows(f"SELECT pg_terminate_backend({session.pid})")
            messages = session.read_until_ready()
            told.append([(tag, fields(body)) for tag, body in messages])
            assert admin.rows("SELECT 1") == [[b"1"]]
    assert told[0] == told[1] and told[0][0][1]["C"] == "57P01"


@pytest.mark.parametrize("parameters", [
    {"database": "no such database"}, {"user": "nobody there"}, {"client_encoding": "martian"}, {"options": "-c no_such=1"},
    {"replication": "maybe"}, {"DateStyle": "Venusian"},
], ids=lambda parameters: next(iter(parameters)))  # fmt: skip
def test_the_server_refuses(fragile, parameters):
    cluster, querent = fragile
    assert refused(querent.port, **parameters) == refused(cluster.port, **parameters)


def test_too_many_sessions_for_the_server(fragile):
    cluster, querent = fragile
    with session_of(cluster.port) as admin:
        admin.ask(query("CREATE ROLE few LOGIN CONNECTION LIMIT 1"))
        told = []
        for port in (cluster.port, querent.port):
            with Raw(port, user="few", database="postgres"):
                told.append(refused(port, user="few"))
            # A session counts a moment longer than its client stays.
            wait_for(lambda: not admin.rows("SELECT 1 FROM pg_stat_activity WHERE usename = 'few'"))
    assert told[0] == told[1] and told[0]["C"] == "53300"


@pytest.mark.parametrize("setting, act", [
    ("statement_timeout = 100", query("SELECT pg_sleep(60)")),
    ("statement_timeout = 100", run("SELECT pg_sleep(60)") + SYNC),
    ("lock_timeout = 100", query("BEGIN; SELECT pg_advisory_xact_lock(1)")),
    ("idle_in_transaction_session_timeout = 100", query("BEGIN")),
    ("idle_session_timeout = 100", b""),
])  # fmt: skip
def test_time_limits(fragile, setting, act):
    cluster, querent = fragile
    told = []
    for port in (cluster.port, querent.port):
        with session_of(port) as holder, session_of(port) as session:
            holder.ask(query("BEGIN; SELECT pg_advisory_xact_lock(1)"))
            session.ask(query(f"SET {setting}"))
            session.send(act)
            messages = session.read_until_ready()
            if setting.startswith("idle_in"):
                messages += session.read_until_ready()
            told.append([(tag, fields(body) if tag == b"E" else body) for tag, body in messages])
    assert told[0] == told[1]
    assert first_error_code(told[0]) in ("57014", "55P03", "25P03", "57P05")


def first_error_code(messages):
    return next(body["C"] for tag, body in messages if tag == b"E")


def test_no_server_then_one(tmp_path):
    port = free_port()
    with Querent(QUERENT, [f"postgres://127.0.0.1:{port}?sslmode=disable"], tmp_path) as querent:
        for _ in range(3):
            error = refused(querent.port)
            assert error["S"] == "FATAL" and error["C"].startswith("08"), error
        with work_folder("late") as folder:
            cluster = Cluster(folder / "data", settings={"port": port})
            cluster.port = port
            with cluster, session_of(querent.port) as session:
                assert session.rows("SELECT 1") == [[b"1"]]
        assert querent.stop() == 0


ANSWERS = {
    "nothing": b"",
    "HTTP": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "zeros": bytes(100),
    "a negative length": b"R\xff\xff\xff\xff",
    "a huge length": b"R\x7f\xff\xff\xff" + bytes(1000),
    "half a message": frame(b"R", bytes(4))[:5],
    "an unknown request for a password": frame(b"R", b"\0\0\0\x63"),
    "ready without a key": frame(b"R", bytes(4)) + frame(b"Z", b"I"),
    "garbage once ready": frame(b"R", bytes(4)) + frame(b"K", bytes(8)) + frame(b"Z", b"I") + b"\xff" * 4000,
    "a reply that nobody asked for": frame(b"R", bytes(4)) + frame(b"K", bytes(8)) + frame(b"Z", b"I") + frame(b"C", b"SELECT 1\0") * 50,
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_server_that_talks_nonsense(tmp_path, answer):
    """The client gets what came or an error, and an end; Querent goes on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=talk, args=(listener, answer), daemon=True).start()
        backend = f"postgres://127.0.0.1:{listener.getsockname()[1]}?sslmode=disable"
        with Querent(QUERENT, [backend], tmp_path, environment={"QUERENT_LIMITS__HANDSHAKE_TIMEOUT": "1s"}) as querent:
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", querent.port), timeout=DEADLINE) as client:
                    client.sendall(startup(user="u", database="d") + query("SELECT 1"))
                    with contextlib.suppress(ConnectionResetError):
                        while client.recv(1 << 16):
                            pass
            assert querent.process.poll() is None, querent.told()
            assert "panicked" not in querent.told()
            assert querent.stop() == 0


def talk(listener, answer):
    with contextlib.suppress(OSError):
        while True:
            client = listener.accept()[0]
            with client:
                client.recv(1 << 16)
                client.sendall(answer)
                client.shutdown(socket.SHUT_WR)
                client.settimeout(1)
                client.recv(1 << 16)


def test_clients_that_vanish_leave_no_session(fragile):
    """At any point: in a transaction, in a statement, in COPY, in half a message, before an answer is read."""
    cluster, querent = fragile
    points = [
        b"", query("BEGIN"), query("SELECT pg_sleep(600)"), query("SELECT repeat('x', 1000000) FROM generate_series(1, 2000)"), query("SELECT 1")[:7],
        query("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 500000)) TO STDOUT"), run("SELECT pg_sleep(600)"),
        query("CREATE TEMP TABLE t (a text); COPY t FROM STDIN") + frame(b"d", b"half"), query("/* nl: how many roles are there? */;"),
    ]  # fmt: skip
    for point in points:
        session = session_of(querent.port)
        session.send(point)
        session.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        session.socket.close()
    with session_of(cluster.port) as admin:
        # What sleeps does not notice that its client has left until it is told so, as without Querent.
        admin.ask(query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
        left = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        wait_for(lambda: admin.rows(left) == [[b"0"]])
    with session_of(querent.port) as session:
        assert tags(session.ask(query("SELECT 1"))) == "TDCZ"
    assert "panicked" not in querent.told()


def test_the_end_of_querent_ends_its_sessions(fragile, tmp_path):
    cluster, _ = fragile
    with Querent(QUERENT, [f"postgres://127.0.0.1:{cluster.port}?sslmode=disable"], tmp_path) as querent:
        with session_of(querent.port) as idle, session_of(querent.port) as killed:
            killed.send(query("SELECT pg_sleep(600)"))
            querent.process.send_signal(signal.SIGKILL)
            assert idle.read_until_ready() == []
    with session_of(cluster.port) as admin:
        admin.ask(query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
        wait_for(lambda: admin.rows("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == [[b"0"]])


