"""Questions that language models answer, as psql and psycopg see them: a scripted model, and a real one."""

import contextlib
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

psycopg = pytest.importorskip("psycopg")

import local_model  # noqa: E402
from backends import QUERENT, SHOP, Querent  # noqa: E402
from questions import NONSENSE, ORDERS, STORES  # noqa: E402
from scripted_model import ScriptedModel, Turn, sql  # noqa: E402
from servers import clean_environment  # noqa: E402

PSQL = pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed: apt-get install postgresql-client")
GERMAN = "SELECT name FROM stores WHERE country = 'Germany' ORDER BY name"
WRONG = "SELECT name FROM warehouses_of_nowhere"
KEY = "sk-test-0123456789abcdef0123456789abcdef"
DEADLINE = 60


class Script:
    """Turns in the order in which they are asked for; all must be used."""

    def __init__(self, *turns):
        self.turns = list(turns)

    def __call__(self, _body):
        assert self.turns, "the model was asked once too often"
        return self.turns.pop(0)


@contextlib.contextmanager
def served(server, folder, turns, toml="", *, environment=None, **keys):
    """Querent in front of the shop, and the model behind it."""
    script = Script(*turns)
    backend = f"sqlite:{server.path}" if server.backend == "sqlite" else server.backend_url()
    with ScriptedModel(script) as model:
        configuration = folder / "querent.toml"
        configuration.write_text(toml + model.configuration(**keys))
        with Querent(QUERENT, [backend, "--config", str(configuration)], folder, environment=environment) as querent:
            querent.model = model
            querent.url = f"postgresql://tester@127.0.0.1:{querent.port}/{SHOP}"
            if server.backend == "sqlite":
                # An answer that was found before all stored values were known is not one for later questions.
                wait_until(lambda: "the value index is filled" in querent.told())
            yield querent
            assert not script.turns, f"{len(script.turns)} turns are left"
            assert querent.stop() == 0, querent.told()
            assert "panicked" not in querent.told()


def connect(querent):
    return psycopg.connect(querent.url, autocommit=True)


def psql(querent, *commands):
    """Rows, and what psql said beside, of commands that may fail."""
    arguments = [argument for command in commands for argument in ("-c", command)]
    ran = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", "-v", "VERBOSITY=verbose", querent.url, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=clean_environment(LC_ALL="C.UTF-8", PGCLIENTENCODING="UTF8"),
        timeout=300,
    )
    return ran.stdout.splitlines(), ran.stderr


def wait_until(reached):
    deadline = time.monotonic() + DEADLINE
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def refusal(connection, question):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(f"-- nl: {question}")
    return caught.value


@PSQL
def test_psql_gets_rows_and_is_told_who_answered(server, tmp_path):
    with served(server, tmp_path, [sql(GERMAN, tokens=(700, 40))]) as querent:
        rows, said = psql(querent, f"-- nl: {NONSENSE}")
        assert [(row,) for row in rows] == server.plain(GERMAN) != []
        assert re.search(r"NOTICE: +00000: nl: SELECT name FROM stores .*, scripted, ", said), said
        # What the embedded agents know needs no model.
        rows, said = psql(querent, f"-- nl: {ORDERS.text}")
        assert [(int(row),) for row in rows] == server.plain(ORDERS.sql)
        rows, _ = psql(querent, f"-- nl trace: {NONSENSE}")
        runs = [row.split("|") for row in rows if "|scripted|" in row]
        assert [(run[1], run[3], run[5], run[6], run[7]) for run in runs] == [("single", "1", "700", "40", "ok")]


@PSQL
@pytest.mark.parametrize(
    ("turn", "detail"),
    [(Turn(status=500), "scripted: .*HTTP 500"), (Turn("I cannot help with that."), "scripted: not understood: ")],
    ids=["fails", "says nothing"],
)
def test_psql_is_told_why_no_model_answered(server, tmp_path, turn, detail):
    with served(server, tmp_path, [turn]) as querent:
        rows, said = psql(querent, f"-- nl: {NONSENSE}")
        assert rows == []
        assert re.search("ERROR: +NL004: no model answered", said), said
        assert re.search(f"DETAIL: +{detail}", said) and "HINT:" in said, said


def test_wrong_sql_is_corrected(server, tmp_path):
    with served(server, tmp_path, [sql(WRONG), Turn(GERMAN)]) as querent, connect(querent) as connection:
        runs = connection.execute(f"-- nl trace: {NONSENSE}").fetchall()
        assert ("correction_sql", "scripted", "ok") in [(run[1], run[2], run[7]) for run in runs]
        assert connection.execute(f"-- nl: {NONSENSE}").fetchall() == server.plain(GERMAN)


def test_sql_that_stays_wrong(server, tmp_path):
    with served(server, tmp_path, [sql(WRONG), Turn(WRONG)]) as querent, connect(querent) as connection:
        error = refusal(connection, NONSENSE)
        assert error.sqlstate == "NL005"
        assert WRONG in error.diag.message_detail
        STORES.check(server, connection.execute(f"-- nl: {STORES.text}").fetchall())


def test_budget(server, tmp_path):
    toml = "[limits]\ntokens_per_session = 30000\n"
    with served(server, tmp_path, [sql(GERMAN, tokens=(29_990, 10))], toml) as querent, connect(querent) as connection:
        assert connection.execute(f"-- nl: {NONSENSE}").fetchall() == server.plain(GERMAN)
        error = refusal(connection, f"{NONSENSE} again")
        assert error.sqlstate == "NL004"
        assert "budget spent: limits.tokens_per_session" in error.diag.message_detail
        # Who asks the same again costs nothing.
        assert connection.execute(f"-- nl: {NONSENSE}").fetchall() == server.plain(GERMAN)


def test_a_cancelled_client(server, tmp_path):
    with served(server, tmp_path, [Turn(hangs=True), Turn(hangs=True)]) as querent, connect(querent) as connection:
        for transaction in (False, True):
            asked = len(querent.model.requests) + 1
            if transaction:
                connection.execute("BEGIN")

            def cancel(asked=asked):
                wait_until(lambda: len(querent.model.requests) >= asked)
                connection.cancel()

            canceller = threading.Thread(target=cancel)
            canceller.start()
            error = refusal(connection, NONSENSE)
            canceller.join()
            assert error.sqlstate == "57014"
            wait_until(lambda asked=asked: querent.model.left == asked)
            connection.execute("ROLLBACK")
            # The session goes on, without the model that hangs.
            connection.execute("SET querent.mode = 'embedded'")
            STORES.check(server, connection.execute(f"-- nl: {STORES.text}").fetchall())
            connection.execute("RESET querent.mode")


def test_mode_and_tiers(server, tmp_path):
    answers = [sql(GERMAN), sql("SELECT count(*) FROM orders"), Turn("{}")]
    with served(server, tmp_path, answers) as querent, connect(querent) as connection:
        show = lambda name: connection.execute(f"SHOW querent.{name}").fetchone()[0]  # noqa: E731
        assert (show("mode"), show("tiers")) == ("adaptive", "embedded, scripted")
        with pytest.raises(psycopg.Error) as caught:
            connection.execute("SET querent.tiers = embedded, 'gpt-9'")
        assert caught.value.sqlstate == "22023"
        assert caught.value.diag.message_hint == "Available tiers: embedded, scripted."
        connection.execute("SET querent.tiers = embedded")
        assert refusal(connection, NONSENSE).sqlstate == "NL001"
        connection.execute("SET querent.mode = single")
        assert refusal(connection, NONSENSE).sqlstate == "NL004"
        connection.execute("RESET querent.tiers")
        assert connection.execute(f"-- nl: {NONSENSE}").fetchall() == server.plain(GERMAN)
        [(_, _, tier, calls, _)] = connection.execute(f"-- nl sql: {ORDERS.text}").fetchall()
        assert (tier, calls) == ("scripted", 1)
        connection.execute("SET querent.mode = sot; SET querent.notices = progress")
        told = []
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary))
        with contextlib.suppress(psycopg.Error):
            connection.execute(f"-- nl: {NONSENSE} twice")
        assert any(re.match(r"nl: schema_linking \(scripted, ", notice) for notice in told), told
        querent.model.answer.turns.clear()


@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
def test_in_a_transaction(server, tmp_path, prepare):
    question = f"-- nl: {NONSENSE}"
    with served(server, tmp_path, [sql(GERMAN)]) as querent, connect(querent) as connection:
        with connection.transaction(force_rollback=True):
            connection.execute("UPDATE stores SET name = 'Zorblax' WHERE name = (SELECT min(name) FROM stores WHERE country = 'Germany')")
            for _ in range(2):
                rows = connection.execute(question, prepare=prepare).fetchall()
                assert ("Zorblax",) in rows and len(rows) == len(server.plain(GERMAN))
        assert connection.execute(question, prepare=prepare).fetchall() == server.plain(GERMAN)
        assert len(querent.model.requests) == 1


def test_the_key_stays_secret(server, tmp_path):
    environment = {"MODEL_KEY": KEY, "QUERENT_LOG": "trace"}
    keys = {"api_key_env": '"MODEL_KEY"'}
    turns = [Turn(status=401), sql(GERMAN)]
    with served(server, tmp_path, turns, environment=environment, **keys) as querent, connect(querent) as connection:
        error = refusal(connection, NONSENSE)
        assert error.sqlstate == "NL004" and KEY not in f"{error.diag.message_detail}"
        connection.execute(f"-- nl: {NONSENSE}")
        assert [headers["authorization"] for headers in querent.model.headers] == [f"bearer {KEY}"] * 2
        told = querent.told()
    assert "agent" in told and KEY not in told and KEY[-12:] not in told


@pytest.fixture(scope="module")
def real_model(tmp_path_factory):
    """The address of a llama.cpp server with a small model."""
    if reason := local_model.missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("model")
    # What the server logs must not come into the middle of the line that is waited for.
    said, log = folder / "said", folder / "log"
    with said.open("wb") as output, log.open("wb") as errors:
        program = [sys.executable, str(pathlib.Path(local_model.__file__))]
        process = subprocess.Popen(program, stdout=output, stderr=errors, env=clean_environment())
    told = lambda: re.search(r"listening on (http://\S+)\n", said.read_text(errors="replace"))  # noqa: E731
    try:
        wait_until(lambda: told() or process.poll() is not None)
        assert told(), log.read_text(errors="replace")
        yield told()[1]
    finally:
        process.kill()
        process.wait()


@PSQL
@pytest.mark.parametrize(
    ("api", "mode", "form"), [("openai", "adaptive", "auto"), ("anthropic", "single", "auto"), ("openai", "single", "grammar")]
)
def test_a_real_model(real_model, tmp_path, api, mode, form):
    """What it answers does not matter: rows, or an error of ours, in time, and what it took is known."""
    file = tmp_path / "pets.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript(
            "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL);"
            "INSERT INTO pet VALUES (1, 'Rex', 'dog', 20.5), (2, 'Tom', 'cat', 4.0), (3, 'Kit', 'cat', 3.5);"
        )
    configuration = tmp_path / "querent.toml"
    path = "/v1" if api == "openai" else ""
    configuration.write_text(
        f'mode = "{mode}"\ntrace_log = "trace.jsonl"\n[limits]\nquestion_timeout = "4min"\nattempts = 1\n'
        f'[[model]]\nname = "smollm"\napi = "{api}"\nbase_url = "{real_model}{path}"\nmax_tokens = 80\ntimeout = "3min"\n'
        f'structured_output = "{form}"\n'
    )
    with Querent(QUERENT, [f"sqlite:{file}", "--config", str(configuration)], tmp_path) as querent:
        querent.url = f"postgresql://tester@127.0.0.1:{querent.port}/{SHOP}"
        rows, said = psql(querent, "-- nl: how heavy are the felines altogether, and who purrs the loudest?")
        assert re.search(r"NOTICE: +00000: nl: ", said) or re.search(r"ERROR: +NL00[1-5]: ", said), (rows, said)
        rows, _ = psql(querent, "SELECT count(*) FROM pet")
        assert rows == ["3"]
        assert querent.stop() == 0, querent.told()
    runs = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    calls = [run for run in runs if run["model"] == "smollm"]
    assert any(run["prompt_tokens"] > 100 and run["completion_tokens"] > 0 for run in calls), runs
    if form == "grammar":
        assert all(re.match(r'\{ ?"reasoning": ?"', run["output"]) for run in calls), runs
