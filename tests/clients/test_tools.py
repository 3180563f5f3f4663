"""Programs that come with a system: psqlODBC (pyodbc, isql), Perl's DBD::Pg, PHP's PDO and pgsql functions. Each runs the same
steps before a SQLite file and before PostgreSQL, which must tell the same."""

import importlib.util
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import pytest

from backends import QUERENT
from servers import Querent, clean_environment

TOOLS = pathlib.Path(__file__).parent / "tools"
ODBC = next(iter(sorted(pathlib.Path("/usr/lib").glob("*/odbc/psqlodbcw.so"))), None)
PROGRAMS = {
    "odbc": [sys.executable, str(TOOLS / "odbc.py"), str(ODBC)],
    "dbi": ["perl", str(TOOLS / "dbi.pl")],
    "pdo": ["php", str(TOOLS / "pdo.php")],
}
MISSING = {
    "odbc": ODBC is None or importlib.util.find_spec("pyodbc") is None,
    "dbi": shutil.which("perl") is None or subprocess.run(["perl", "-MDBD::Pg", "-e", "1"], capture_output=True).returncode != 0,
    "pdo": shutil.which("php") is None or "pdo_pgsql" not in subprocess.run(["php", "-m"], capture_output=True, text=True).stdout,
}
# What differs, and why it does.
DIFFERENT = {
    "odbc": {},
    "dbi": {},
    "pdo": set(),
}


def observe(tool, port, database, user):
    """What each step gave."""
    command = [*PROGRAMS[tool], "127.0.0.1", str(port), database, user]
    ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return {name: json.loads(told) for name, told in (line.split("\t", 1) for line in ran.stdout.splitlines() if "\t" in line)}


@pytest.mark.parametrize("tool", PROGRAMS)
def test_tool(postgres, tmp_path, tool):
    if MISSING[tool]:
        pytest.skip(f"what {tool} needs is not installed")
    sqlite3.connect(tmp_path / f"{tool}.sqlite").execute("VACUUM").close()
    postgres.do(f"DROP DATABASE IF EXISTS {tool}")
    postgres.do(f"CREATE DATABASE {tool}")
    theirs = observe(tool, postgres.direct_port, tool, "postgres")
    with Querent(QUERENT, [f"sqlite:{tmp_path / tool}.sqlite"], tmp_path) as querent:
        ours = observe(tool, querent.port, tool, "postgres")
    assert len(theirs) > 15 and ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
    different = {step for step in theirs if ours[step] != theirs[step]}
    # A difference that is gone is an error too: the list is a claim.
    news = different ^ set(DIFFERENT[tool])
    assert not news, {step: (ours[step], theirs[step]) for step in news}
