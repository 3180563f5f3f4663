"""Startup packets, frames and loads that no driver makes: they are answered as PostgreSQL answers them, or refused, and
the next client finds all as it was."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import socket
import struct

import pytest

from ordinary import wait_for
from raw import (
    CANCEL_REQUEST,
    DEADLINE,
    FLUSH,
    GSSENC_REQUEST,
    PROTOCOL_3_2,
    SSL_REQUEST,
    SYNC,
    Raw,
    columns,
    fields,
    frame,
    parse,
    query,
    run,
    startup,
    tags,
)

NAMED = {"user": "tester", "database": "shop"}


def packet(*numbers):
    return struct.pack(f"!{len(numbers)}I", *numbers)


GARBAGE = {
    "nothing": b"",
    "one byte": b"\0",
    "half a length": b"\0\0\0",
    "length 0": packet(0, 3 << 16),
    "length 4": packet(4),
    "length 7": b"\0\0\0\7\0\3\0",
    "half a packet": startup(**NAMED)[:-5],
    "longer than any": packet(10_001, 3 << 16) + bytes(10_000),
    "2 GB": packet(0x7FFF_FFFF, 3 << 16) + bytes(100),
    "negative": packet(0xFFFF_FFFF, 3 << 16) + bytes(100),
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.2\r\n",
    "TLS without need": b"\x16\x03\x01\x00\x05hello",
    "no zero at the end": packet(8 + 9, 3 << 16) + b"user\0test",
    "no user": startup(database="shop"),
    "an option without value": packet(8 + 5, 3 << 16) + b"user\0",
    "protocol 1": packet(8, 1 << 16),
    "protocol 2": packet(8 + 100, 2 << 16) + bytes(100),
    "protocol 4": startup(4 << 16, **NAMED),
    "cancel, short": packet(12, CANCEL_REQUEST, 1),
    "cancel, no such session": packet(16, CANCEL_REQUEST, 1, 2),
    "cancel, 2000 bytes of key": packet(2012, CANCEL_REQUEST, 1) + bytes(2000),
    "SSL twice": packet(8, SSL_REQUEST) * 2,
    "random": os.urandom(3000),
}


BEFORE = {
    "at once": b"",
    "SSL": packet(8, SSL_REQUEST),
    "GSS": packet(8, GSSENC_REQUEST),
    "both": packet(8, GSSENC_REQUEST) + packet(8, SSL_REQUEST),
}


def answer_to(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as client:
        got = b""
        with contextlib.suppress(OSError):
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            while some := client.recv(1 << 16):
                got += some
        return got


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
def test_garbage(postgres, data):
    direct, proxied = answer_to(postgres.direct_port, data), answer_to(postgres.port, data)
    # What is refused may be told in other words, but a session begins where PostgreSQL lets one begin, and nowhere else.
    assert (b"Z\0\0\0\5" in proxied) == (b"Z\0\0\0\5" in direct)
    assert proxied[:1] == direct[:1] or not proxied or proxied[:1] == b"E", proxied
    with Raw(postgres.port) as session:
        assert session.rows("SELECT 1") == [[b"1"]]
    assert "panicked" not in postgres.querent.told()


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("parameters", [
    {}, {"application_name": "näme"}, {"options": "-c work_mem=5MB -c search_path=pg_catalog"}, {"DateStyle": "German"}, {"client_encoding": "LATIN1"},
    {"_pq_.unknown": "option"}, {"extra_float_digits": "0", "TimeZone": "Asia/Tokyo"},
], ids=lambda parameters: next(iter(parameters), "none"))  # fmt: skip
def test_greetings(postgres, before, parameters):
    """All that is said before the first ReadyForQuery, but for the key, whatever was asked for before."""
    said = []
    for port in (postgres.direct_port, postgres.port):
        with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as client:
            # Debian's server would encrypt by GSSAPI; Querent never does.
            for request in () if port == postgres.direct_port else (before[at : at + 8] for at in range(0, len(before), 8)):
                client.sendall(request)
                assert client.recv(1) == b"N"
            client.sendall(startup(**NAMED, **parameters))
            session = Raw.__new__(Raw)
            session.socket, session.received = client, b""
            hello = session.read_until_ready()
            settings = session.rows("SELECT name, setting FROM pg_settings WHERE source = 'client' ORDER BY 1")
            said.append(([message for message in hello if message[0] != b"K"], settings))
    assert said[0] == said[1]


@pytest.mark.parametrize("version", [(3 << 16) | 1, PROTOCOL_3_2, (3 << 16) | 9999])
def test_newer_protocols(postgres, version):
    """PostgreSQL 15 answers with NegotiateProtocolVersion; so does what stands before it."""
    said = []
    for port in (postgres.direct_port, postgres.port):
        with Raw(port, version=version, **{"_pq_.nothing": "1"}) as session:
            said.append([message for message in session.hello if message[0] != b"K"])
            assert len(session.key) == 4
    assert said[0] == said[1]
    assert said[0][-1][0] == b"Z"


OUT_OF_ORDER = {
    "password": frame(b"p", b"secret\0"),
    "copy data": frame(b"d", b"1\n") + frame(b"c") + query("SELECT 1"),
    "copy fail": frame(b"f", b"why\0") + query("SELECT 1"),
    "bind to nothing": frame(b"B", b"\0none\0" + bytes(6)) + SYNC,
    "execute nothing": frame(b"E", b"none\0\0\0\0\0") + SYNC,
    "close nothing": frame(b"C", b"Snone\0") + SYNC,
    "describe what is not": frame(b"D", b"X\0") + SYNC,
    "syncs": SYNC * 100,
    "flushes": FLUSH * 100 + SYNC,
    "query in a pipeline": run("SELECT 1") + query("SELECT 2") + SYNC,
    "query in a failed pipeline": run("SELECT 1/0") + query("SELECT 2") + SYNC + query("SELECT 3"),
    "truncated body": frame(b"P", b"s") + SYNC,
    "body too long": frame(b"S", b"more") + SYNC,
    "query without its zero": frame(b"Q", b"SELECT 1"),
    "two texts in a query": frame(b"Q", b"SELECT 1\0SELECT 2\0"),
    "empty query": frame(b"Q"),
    "empty bind": frame(b"B") + SYNC,
    "counts that lie": frame(b"B", b"\0\0\x7f\xff\x7f\xff") + SYNC,
    "unknown type": frame(b"\xfe", b"?"),
    "unknown function": frame(b"F", b"\xff\xff\xff\xff" + bytes(6)),
    "negative length": b"Q\xff\xff\xff\xff",
    "length 3": b"Q\0\0\0\3",
    "huge length": b"Q\x7f\xff\xff\xff",
    "long parse cut off": b"P\0\1\0\0name\0SELECT",
    "text that cannot be": query(b"SELECT '\xc3\x28'") + query(b"\xf5\xf6\xf7") + parse(b"/* nl: \xff\xff */") + SYNC,
    "a marker behind an open parenthesis": query("(;-- nl: how many orders are there?") + query("(; /* nl: x */ ;;"),
    "zero in the middle of a question": frame(b"Q", b"/* nl: how many\0 orders */;\0"),
}


@pytest.mark.parametrize("data", OUT_OF_ORDER.values(), ids=OUT_OF_ORDER)
def test_frames_out_of_order(postgres, data):
    """The same bytes come back, up to the end of the session if there is one."""
    answers = []
    for port in (postgres.direct_port, postgres.port):
        with Raw(port) as session:
            got = b""
            with contextlib.suppress(OSError):
                session.send(data + frame(b"X"))
                session.socket.shutdown(socket.SHUT_WR)
                while some := session.socket.recv(1 << 16):
                    got += some
            answers.append(got)
    assert answers[0] == answers[1]
    assert "panicked" not in postgres.querent.told()


def peak(postgres):
    """The most memory that Querent had since it was last forgotten, in KiB."""
    status = pathlib.Path(f"/proc/{postgres.querent.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1])


def forget_peak(postgres):
    pathlib.Path(f"/proc/{postgres.querent.pid}/clear_refs").write_text("5")


def test_long_messages_and_slow_clients_cost_no_memory(postgres):
    with Raw(postgres.port) as session:
        session.ask(query("SELECT 1"))
        forget_peak(postgres)
        before = peak(postgres)
        text = b"x" * (32 << 20)
        assert [len(row[0]) for row in (columns(body) for tag, body in session.ask(query(b"SELECT '" + text + b"'")) if tag == b"D")] == [len(text)]
        values = session.ask(run("SELECT length($1::text)", text) + SYNC)
        assert columns(dict(values)[b"D"]) == [str(len(text)).encode()]
        # Rows that nobody reads wait in the server.
        session.send(query("SELECT repeat('y', 1000) FROM generate_series(1, 200000)"))
        wait_for(lambda: postgres.plain(f"SELECT 1 FROM pg_stat_activity WHERE pid = {session.pid} AND wait_event = 'ClientWrite'"))
        assert peak(postgres) - before < 20 << 10, f"{peak(postgres) - before} KiB"
        assert sum(tag == b"D" for tag, _ in session.read_until_ready()) == 200_000


def test_many_short_sessions(postgres):
    def visit(number):
        with Raw(postgres.port, application_name=str(number)) as session:
            return session.rows(f"SELECT {number}, current_setting('application_name')")

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        for number, rows in enumerate(pool.map(visit, range(600))):
            assert rows == [[str(number).encode()] * 2]
    wait_for(lambda: len(list(pathlib.Path(f"/proc/{postgres.querent.pid}/fd").iterdir())) < 60)


def test_many_sessions_at_once_ask(postgres):
    question = query("/* nl: how many orders are there? */;")
    with contextlib.ExitStack() as stack:
        sessions = [stack.enter_context(Raw(postgres.port)) for _ in range(60)]
        for _ in range(3):
            for session in sessions:
                session.send(question)
            answers = [session.read_until_ready() for session in sessions]
            assert {tags(answer) for answer in answers} == {"NTDCZ"}, next(
                (fields(body) for answer in answers for tag, body in answer if tag == b"E"), None
            )
            assert len({dict(answer)[b"D"] for answer in answers}) == 1
