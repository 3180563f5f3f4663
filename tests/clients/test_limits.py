"""What outlives no limit on a SQLite file: answers of a model that are made to run on, and statements that cannot be
interrupted. Afterwards nothing runs, holds a lock or grows."""

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import time
import urllib.request

import psycopg
import pytest

from backends import QUERENT, ROOT, Querent
from ordinary import wait_for
from servers import free_port

sys.path.insert(0, str(ROOT / "scripts"))
from scripted_model import ScriptedModel, sql  # noqa: E402

# Texts of 900,000 bytes, which LIMIT keeps from being put together anew wherever they are named.
LONG = "WITH t1 AS (SELECT substr(word, 1, 9) AS s FROM words WHERE id = 1), " + ", ".join(
    f"t{step + 1} AS (SELECT {' || '.join(['s'] * 10)} AS s FROM t{step} LIMIT 1)" for step in range(1, 6))
LONGER = LONG + ", t7 AS (SELECT " + " || ".join(["s"] * 70) + " AS s FROM t6 LIMIT 1)"
ANSWERS = {
    "instr": LONG + " SELECT instr(s, substr(s, 1, 450000) || 'b') AS found FROM t6",
    "instr of more": LONGER + " SELECT instr(s, substr(s, 1, 3000000) || 'b') AS found FROM t7",
    "replace": LONG + " SELECT length(replace(s, substr(s, 1, 450000) || 'b', 'c')) AS found FROM t6",
    "like": LONG + " SELECT s LIKE '%' || substr(s, 1, 200) || 'b' AS found FROM t6",
    "long like": LONG + " SELECT s LIKE '%' || substr(s, 1, 40000) || 'b' AS found FROM t6",
    "glob": LONG + " SELECT s GLOB '*' || substr(s, 1, 40000) || 'b' AS found FROM t6",
    "trim": LONG + " SELECT length(trim(s, replace(s, 'a', 'b') || 'a')) AS found FROM t6",
    "wide": LONG + " SELECT " + ", ".join(f"s || '{n}' AS c{n}" for n in range(400)) + " FROM t6",
    "nested": LONG.replace(" LIMIT 1", "") + " SELECT instr(s, substr(s, 1, 450000) || 'b') AS found FROM t6",
    "steps": "WITH a AS (SELECT x.id FROM words x JOIN words y ON x.id <> y.id LIMIT 100000), b AS (SELECT x.id FROM a x "
             "JOIN a y ON x.id <= y.id) SELECT count(*) AS found FROM b",
}
TIMEOUT = 2
MEGABYTE = 1 << 20


def answer(body):
    name = next((name for name in ANSWERS if f"<{name}>" in json.dumps(body)), None)
    return sql(ANSWERS[name]) if name else sql("SELECT 1 AS one")


class Process:
    """What the running program takes of the machine."""

    def __init__(self, querent):
        self.folder = pathlib.Path(f"/proc/{querent.process.pid}")

    def status(self, name):
        line = next(line for line in (self.folder / "status").read_text().splitlines() if line.startswith(name + ":"))
        return int(line.split()[1])

    def memory(self):
        return self.status("VmRSS") * 1024

    def sessions(self):
        found = []
        for task in (self.folder / "task").iterdir():
            # A thread may end while it is looked at.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if (task / "comm").read_text().strip() == "sqlite":
                    found.append(task.name)
        return found

    def work(self):
        """Hundredths of a second that its threads have worked."""
        return sum(map(int, (self.folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13]))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "words.sqlite"
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)")
    made.executemany("INSERT INTO words (word) VALUES (?)", [("a" * 20,)] + [(f"w{n}",) for n in range(2000)])
    made.commit()
    made.close()
    return path


def write(path):
    """Another program gets through in a moment: the stored values may be looked at just now."""
    other = sqlite3.connect(path, timeout=2)
    other.execute("INSERT INTO words (word) VALUES ('more')")
    other.commit()
    other.close()


def health(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as told:
        return json.load(told)


def serve(file, folder, configuration):
    path = folder / "querent.toml"
    path.write_text(configuration)
    querent = Querent(QUERENT, [f"sqlite:{file}", "--config", str(path)], folder)
    querent.console = free_port()
    querent.command[-1] = f"127.0.0.1:{querent.console}"
    return querent


def test_no_answer_of_a_model_outlives_its_limits(file, tmp_path):
    with ScriptedModel(answer) as model:
        lines = f'mode = "single"\n[limits]\nstatement_timeout = "{TIMEOUT}s"\nattempts = 0\n{model.configuration()}'
        with serve(file, tmp_path, lines) as querent:
            process = Process(querent)
            before = process.memory()
            outcomes = {}
            for name in ANSWERS:
                begun = time.monotonic()
                with psycopg.connect(f"host=127.0.0.1 port={querent.port} user=x dbname=words", autocommit=True) as session:
                    try:
                        outcomes[name] = session.execute(f"SELECT * FROM nl('words <{name}>')").fetchall()
                    except psycopg.Error as error:
                        outcomes[name] = error.sqlstate
                    # What was refused is refused at once or at the limit, of which a question has one for trial and one for rows.
                    assert time.monotonic() - begun < 20, name
                    write(file)
                    # The session goes on.
                    assert session.execute("SELECT count(*) > 2000 FROM words").fetchone() == (True,)
                wait_for(lambda: not process.sessions())
                write(file)
                assert process.status("VmHWM") * 1024 - before < 700 * MEGABYTE, name
            at_rest = process.work()
            time.sleep(1)
            assert process.work() - at_rest < 50, "something works on"
            assert process.memory() - before < 100 * MEGABYTE
            # What may compare that much is refused before it is tried.
            assert outcomes["instr"] == outcomes["instr of more"] == outcomes["replace"] == "54000"
            assert outcomes["wide"] == "54000"
            assert outcomes["nested"] == "54000"
            assert outcomes["steps"] == "57014"
            assert health(querent.console)["stuck"] is False
            assert querent.stop() == 0, querent.told()


# The longest pattern that is taken, against a text: one call of a function, that takes most of a minute.
ENDLESS = "SELECT replace(hex(zeroblob(4000000)), '0', 'a') LIKE '%' || replace(hex(zeroblob(2400)), '0', 'a') || 'b'"


def test_a_statement_that_cannot_be_stopped_is_given_up(file, tmp_path):
    with serve(file, tmp_path, '[limits]\nconnections = 2\n[sqlite]\ndialect = "sqlite"\n') as querent:
        process = Process(querent)
        target = f"host=127.0.0.1 port={querent.port} user=x dbname=words"
        session = psycopg.connect(target, autocommit=True)
        session.execute("SET statement_timeout = '1s'")
        begun = time.monotonic()
        with pytest.raises(psycopg.OperationalError) as caught:
            session.execute(ENDLESS)
        assert caught.value.sqlstate == "57014", caught.value
        assert caught.value.diag.severity_nonlocalized == "FATAL"
        assert 1 <= time.monotonic() - begun < 30
        assert session.closed
        # The thread is still there, is told of, and keeps its place.
        assert process.sessions()
        assert health(querent.console) | {"version": ""} == {
            "status": "degraded", "version": "", "leg": "sqlite", "draining": False, "database": True, "room": True, "stuck": True}
        with urllib.request.urlopen(f"http://127.0.0.1:{querent.console}/metrics", timeout=10) as told:
            assert 'querent_sessions_stuck{leg="sqlite"} 1' in told.read().decode()
        with psycopg.connect(target, autocommit=True) as other:
            assert other.execute("SELECT 1").fetchone() == (1,)
            write(file)
            with pytest.raises(psycopg.OperationalError, match="too many clients"):
                psycopg.connect(target)
        # One whose client leaves keeps its place too.
        program = subprocess.Popen(["psql", "-X", "-c", ENDLESS, target])
        wait_for(lambda: len(process.sessions()) == 2)
        time.sleep(0.5)
        program.kill()
        program.wait()
        with pytest.raises(psycopg.OperationalError, match="too many clients"):
            psycopg.connect(target)
        assert "does not stop" in querent.told()


def test_what_a_client_takes_is_bounded_by_configuration(file, tmp_path):
    lines = '[sqlite]\nvalue_bytes = "2MB"\nmemory = "64MB"\n'
    with serve(file, tmp_path, lines) as querent:
        with psycopg.connect(f"host=127.0.0.1 port={querent.port} user=x dbname=words", autocommit=True) as session:
            assert session.execute("SELECT length(repeat('a', 1000000))").fetchone() == (1000000,)
            with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="too big"):
                session.execute("SELECT length(hex(zeroblob(3000000)))")
            columns = ", ".join(f"replace(hex(zeroblob(900000)), '0', '{n % 10}')" for n in range(60))
            with pytest.raises(psycopg.errors.OutOfMemory, match=r"sqlite\.memory"):
                session.execute(f"SELECT {columns}")
            assert session.execute("SELECT count(*) FROM words").fetchone() == (2001,)
        assert querent.stop() == 0, querent.told()
