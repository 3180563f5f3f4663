"""pgcli, typed in at a terminal. It strips comments ahead of a statement, so two forms reach the server."""

import os
import pathlib
import re
import sys

import pytest

pexpect = pytest.importorskip("pexpect")
pytest.importorskip("pgcli")

from questions import FORMS, NONSENSE, PRODUCTS, STORES, check_rows  # noqa: E402

PGCLI = pathlib.Path(sys.executable).with_name("pgcli")
CONFIGURATION = """[main]
multi_line = False
table_format = csv
enable_pager = False
smart_completion = False
less_chatty = True
auto_expand = False
on_error = RESUME
prompt = 'ready> '
keyring = False
"""


@pytest.fixture
def terminal(server, tmp_path):
    folder = tmp_path / "pgcli"
    folder.mkdir()
    (folder / "config").write_text(CONFIGURATION)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {
        "XDG_CONFIG_HOME": str(tmp_path),
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    child = pexpect.spawn(
        str(PGCLI), [server.url], env=environment, encoding="utf-8", timeout=60, dimensions=(50, 250), echo=False
    )
    child.expect_exact("ready> ")
    yield child
    child.sendline("\\q")
    child.expect(pexpect.EOF)
    child.close()


def typed(terminal, text):
    terminal.sendline(text)
    terminal.expect(r"Time: |SELECT \d+\b.*\n|NL001")
    answered = terminal.before + terminal.after
    terminal.expect_exact("ready> ")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", answered + terminal.before)


@pytest.mark.parametrize("form", ["select", "function"])
def test_forms(server, terminal, form):
    answered = typed(terminal, FORMS[form].format(PRODUCTS.text).rstrip(";") + ";")
    rows = re.findall(r'^"([^"]+)","([0-9.]+)"\r?$', answered, re.MULTILINE)
    check_rows(rows, server.plain(PRODUCTS.sql), ordered=True)


def test_no_answer(server, terminal):
    assert "quuxly" in typed(terminal, f"SELECT * FROM nl('{NONSENSE}');")
    assert server.plain("SELECT min(name) FROM stores")[0][0] in typed(terminal, FORMS["function"].format(STORES.text) + ";")
