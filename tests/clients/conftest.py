"""Starts one `querent demo` for all clients, and tells at the end how each client fared."""

import collections
import ctypes
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUERENT = os.environ.get("QUERENT", str(ROOT / "target/debug/querent"))
START_DEADLINE = 120
STOP_DEADLINE = 30
PR_SET_PDEATHSIG = 1


class Server:
    """A running server: where it listens, and the file behind it."""

    def __init__(self, port, path):
        self.host = "127.0.0.1"
        self.port = port
        self.path = path
        self.url = f"postgresql://tester@{self.host}:{port}/shop"

    def plain(self, sql):
        """What SQLite itself answers, without any of Querent."""
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("querent")
    log = folder / "demo.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUERENT_")}
    environment |= {"QUERENT_ASK_KEYWORD": "true", "TMPDIR": str(folder)}
    command = [QUERENT, "demo", "--listen", "127.0.0.1:0", "--console", "off"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=folder,
            preexec_fn=end_with_parent,
        )
    try:
        port, path = wait_until_it_listens(process, log)
        yield Server(port, path)
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOP_DEADLINE) == 0, log.read_text()
        assert not pathlib.Path(path).exists(), "the demo left its file behind"
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def end_with_parent():
    """A crashed test run leaves no server behind, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def wait_until_it_listens(process, log):
    deadline = time.monotonic() + START_DEADLINE
    while time.monotonic() < deadline:
        text = log.read_text()
        listening = re.search(r"^listening on 127\.0\.0\.1:(\d+)$", text, re.MULTILINE)
        if listening:
            return int(listening[1]), re.search(r"/\S+\.sqlite", text)[0]
        assert process.poll() is None, f"querent demo ended:\n{text}"
        time.sleep(0.05)
    raise AssertionError(f"querent demo does not listen:\n{log.read_text()}")


def pytest_terminal_summary(terminalreporter):
    clients = collections.defaultdict(collections.Counter)
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            file = pathlib.Path(report.nodeid.split("::")[0]).stem
            clients[file.removeprefix("test_")][outcome] += 1
    terminalreporter.section("clients")
    for client, outcomes in sorted(clients.items()):
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        terminalreporter.write_line(f"{client:12} {told}")
