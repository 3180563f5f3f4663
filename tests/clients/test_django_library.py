"""Django: a small library's migrations and all that an application does, on a SQLite file as on PostgreSQL.

The project is in django_library; each step must come to the same on both, except for what is listed here.
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

pytest.importorskip("django")
psycopg = pytest.importorskip("psycopg")

from backends import QUERENT, Querent  # noqa: E402

PROJECT = pathlib.Path(__file__).parent / "django_library"
THEMES = [
    "migrate",
    "write",
    "read",
    "reckon",
    "fail",
    "transact",
    "raw",
    "delete",
    "users",
    "administration",
    "dump and load",
    "migrate back",
]
# Where SQLite comes to something else, and why.
DIFFERENT = {
    # A key that nobody named is called after the table's present name.
    ("migrate", "constraints of library_case"),
}


def observe(url):
    """What each step of each theme gave."""
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "settings", "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "observe.py"], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    observed = {}
    for line in ran.stdout.splitlines():
        theme, step, value = json.loads(line)
        observed.setdefault(theme, {})[step] = value
    return observed


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("django")
    file = sqlite3.connect(folder / "library.sqlite")
    file.execute("VACUUM")
    file.close()
    with Querent(QUERENT, [f"sqlite:{folder / 'library.sqlite'}"], folder) as querent:
        yield observe(f"postgresql://tester@127.0.0.1:{querent.port}/library")


@pytest.fixture(scope="module")
def on_postgres(postgres):
    postgres.do("CREATE DATABASE library")
    return observe(urlsplit(postgres.direct_url)._replace(path="/library").geturl())


@pytest.mark.parametrize("theme", THEMES)
def test_django(on_sqlite, on_postgres, theme):
    assert set(on_postgres) == set(THEMES) and {of for of, _ in DIFFERENT} <= set(THEMES)
    ours, theirs = on_sqlite[theme], on_postgres[theme]
    different = {step for step in theirs if ours.get(step, "nothing") != theirs[step]}
    listed = {step for of, step in DIFFERENT if of == theme}
    # A difference that is gone is an error too: the list is a claim.
    assert different == listed, {step: (ours.get(step), theirs.get(step)) for step in different ^ listed}
