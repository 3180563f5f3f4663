"""psql: -c, -f, from a pipe, and typed in at a terminal."""

import os
import re
import shutil
import subprocess

import pytest

pexpect = pytest.importorskip("pexpect")

from questions import COMPOSED, COUNTRIES, FORMS, NONSENSE, ORDERS, PRODUCTS, QUESTIONS, STORES, check_rows  # noqa: E402

if shutil.which("psql") is None:
    pytest.skip("psql is not installed: apt-get install postgresql-client", allow_module_level=True)

# psql drops comments that begin with two dashes where a statement begins, unless it is told by -c.
TYPED = {name: form for name, form in FORMS.items() if name != "line"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {
    "PSQL_HISTORY": "/dev/null",
    "PAGER": "cat",
    "LC_ALL": "C.UTF-8",
    "PGCLIENTENCODING": "UTF8",
}


def psql(server, *arguments, stdin="", fails=False):
    """Runs psql without a terminal; returns rows as lists of fields, and what it said beside."""
    ran = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", server.url, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=120,
    )
    assert (ran.returncode != 0) == fails, ran.stderr
    return [line.split("|") for line in ran.stdout.splitlines()], ran.stderr


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_command(server, form, question):
    rows, said = psql(server, "-c", form.format(question.text))
    question.check(server, rows)
    assert re.search(r"NOTICE: +nl: SELECT", said)


@pytest.mark.parametrize("form", TYPED.values(), ids=TYPED)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_script(server, tmp_path, form, question):
    script = tmp_path / "script.sql"
    script.write_text(f"-- a script\nBEGIN;\n{form.format(question.text).rstrip(';')};\nCOMMIT;\n")
    rows, _ = psql(server, "-v", "ON_ERROR_STOP=1", "-f", str(script))
    question.check(server, rows)


def test_pipe(server):
    stdin = f"/* nl: {ORDERS.text} */;\nSELECT count(*) FROM nl('{STORES.text}') AS t;\n"
    rows, _ = psql(server, stdin=stdin)
    check_rows(rows, server.plain("SELECT count(*) FROM orders") + [(18,)], ordered=True)


@pytest.mark.parametrize("composed", COMPOSED.values(), ids=COMPOSED)
def test_answers_compose(server, composed):
    sql, plain = composed
    rows, _ = psql(server, "-c", sql)
    check_rows(rows, server.plain(plain))


def test_fetch_count_reads_by_a_cursor(server):
    rows, _ = psql(server, "-v", "FETCH_COUNT=2", stdin=f"SELECT * FROM nl('{COUNTRIES.text}');\n")
    COUNTRIES.check(server, rows)


def test_no_answer(server):
    rows, said = psql(server, "-v", "VERBOSITY=verbose", stdin=f"/* nl: {NONSENSE} */;\nSELECT 'after';\n")
    assert rows == [["after"]]
    assert "NL001" in said and "quuxly" in said and "HINT:" in said
    psql(server, "-c", f"-- nl: {NONSENSE}", fails=True)


def test_transaction_state_after_no_answer(server):
    stdin = f"BEGIN;\n/* nl: {NONSENSE} */;\nSELECT 'not this';\nROLLBACK;\nSELECT 'this';\n"
    rows, said = psql(server, stdin=stdin)
    assert rows == [["this"]]
    assert "current transaction is aborted" in said


@pytest.fixture
def terminal(server):
    command = ["-X", "-A", "-t", "-P", "pager=off", "--set", "PROMPT1=ready%R%x ", "--set", "PROMPT2=more%R%x ", server.url]
    child = pexpect.spawn("psql", command, env=ENVIRONMENT | {"TERM": "dumb"}, encoding="utf-8", timeout=60, echo=False)
    child.expect_exact("ready= ")
    yield child
    child.sendline("\\q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def typed(terminal, text, prompt="ready= "):
    """Types a line and returns what comes before the next prompt, as lists of fields."""
    terminal.sendline(text)
    terminal.expect_exact(prompt)
    lines = [line for line in terminal.before.splitlines() if "|" in line or not line.startswith(("NOTICE", text))]
    return [line.split("|") for line in lines if line]


@pytest.mark.parametrize("form", TYPED.values(), ids=TYPED)
def test_terminal(server, terminal, form):
    text = form.format(PRODUCTS.text).rstrip(";") + ";"
    rows = [row for row in typed(terminal, text) if len(row) == 2]
    PRODUCTS.check(server, rows)


def test_terminal_shows_the_transaction(server, terminal):
    typed(terminal, "BEGIN;", "ready=* ")
    typed(terminal, f"/* nl: {ORDERS.text} */;", "ready=* ")
    typed(terminal, f"/* nl: {NONSENSE} */;", "ready=! ")
    typed(terminal, "ROLLBACK;")
    STORES.check(server, [row for row in typed(terminal, f"/* nl: {STORES.text} */;") if "nl:" not in row[0]])
