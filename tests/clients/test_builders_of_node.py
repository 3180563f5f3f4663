"""kysely, pg-promise and drizzle with drizzle-kit: queries, introspection, streams and COPY on a SQLite file as on PostgreSQL."""

import os
import pathlib
import shutil
import sqlite3
import subprocess
from urllib.parse import urlsplit

import pytest

from backends import QUERENT, Querent

HERE = pathlib.Path(__file__).parent
MODULES = HERE.parents[1] / "target/clients/node/node_modules"

if shutil.which("node") is None or not (MODULES / "kysely").exists():
    pytest.skip("kysely is not installed: ./test clients installs it", allow_module_level=True)

STEPS = {"kysely": 19, "pg-promise": 22, "drizzle": 17}

def observe(url, library):
    """What each step gave: a step has a name of words, and what follows is JSON."""
    ran = subprocess.run(
        ["node", str(HERE / "node/builders.js"), url, library],
        capture_output=True,
        text=True,
        env=os.environ | {"NODE_PATH": str(MODULES)},
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return dict(line.split("\t", 1) for line in ran.stdout.splitlines())


@pytest.mark.parametrize("library", STEPS)
def test_library(postgres, tmp_path, library):
    file = sqlite3.connect(tmp_path / "builders.sqlite")
    file.execute("VACUUM")
    file.close()
    database = library.replace("-", "_")
    postgres.do(f"CREATE DATABASE {database}")
    theirs = observe(urlsplit(postgres.direct_url)._replace(path=f"/{database}").geturl(), library)
    with Querent(QUERENT, [f"sqlite:{tmp_path / 'builders.sqlite'}"], tmp_path) as querent:
        ours = observe(f"postgresql://tester@127.0.0.1:{querent.port}/builders", library)
    assert len(theirs) == STEPS[library]
    different = {step: (ours.get(step), theirs[step]) for step in theirs if ours.get(step) != theirs[step]}
    assert not different
