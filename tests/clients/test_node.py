"""node-postgres: simple and extended protocol, cursors with a fetch size, named statements."""

import os
import pathlib
import shutil

import pytest

from questions import FORMS
from scripts import run_tap, write_cases

HERE = pathlib.Path(__file__).parent
MODULES = HERE.parents[1] / "target/clients/node/node_modules"

if shutil.which("node") is None or not (MODULES / "pg").exists():
    pytest.skip("node-postgres is not installed: ./test clients installs it", allow_module_level=True)


@pytest.mark.parametrize("mode", ["simple", "extended", "named", "cursor", "transaction", "behaviour"])
def test_node_postgres(server, tmp_path, mode):
    write_cases(server, FORMS, tmp_path / "cases.tsv")
    environment = os.environ | {"NODE_PATH": str(MODULES)}
    run_tap(["node", str(HERE / "node/client.js"), server.url, str(tmp_path / "cases.tsv"), mode], env=environment)
