"""knex and sequelize: migrations, introspection and queries on a SQLite file as on PostgreSQL."""

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

if shutil.which("node") is None or not (MODULES / "knex").exists():
    pytest.skip("knex is not installed: ./test clients installs it", allow_module_level=True)

# jsonb_path_query_first is missing.
DIFFERENT = {
    "knex": {"json"},
    "sequelize": set(),
}


def observe(url, library):
    """What each step gave."""
    ran = subprocess.run(
        ["node", str(HERE / "node/orm.js"), url, library],
        capture_output=True,
        text=True,
        env=os.environ | {"NODE_PATH": str(MODULES)},
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    # A step has a name of words, and what follows is JSON.
    steps = {}
    for line in ran.stdout.splitlines():
        at = min((at for at in map(line.find, (" {", " [", " null", " true", " false", ' "')) if at > 0), default=line.rfind(" "))
        steps[line[:at]] = line[at:]
    return steps


@pytest.mark.parametrize("library", DIFFERENT)
def test_orm(postgres, tmp_path, library):
    file = sqlite3.connect(tmp_path / "orm.sqlite")
    file.execute("VACUUM")
    file.close()
    postgres.do(f"CREATE DATABASE {library}")
    theirs = observe(urlsplit(postgres.direct_url)._replace(path=f"/{library}").geturl(), library)
    with Querent(QUERENT, [f"sqlite:{tmp_path / 'orm.sqlite'}"], tmp_path) as querent:
        ours = observe(f"postgresql://tester@127.0.0.1:{querent.port}/orm", library)
    assert len(theirs) > 15
    different = {step for step in theirs if ours.get(step) != theirs[step]}
    # A difference that is gone is an error too: the list is a claim.
    news = different ^ DIFFERENT[library]
    assert not news, {step: (ours.get(step), theirs.get(step)) for step in news}
