"""Values of every type through node-postgres and pgjdbc, in and out, compared with PostgreSQL."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from scripts import run_tap
from typed_values import INCOMPARABLE, ORDERED_OTHERWISE, TYPES, literals, table_of

HERE = pathlib.Path(__file__).parent
MODULES = HERE.parents[1] / "target/clients/node/node_modules"
DRIVER = pathlib.Path("/usr/share/java/postgresql.jar")


@pytest.mark.skipif(shutil.which("node") is None or not (MODULES / "pg").exists(), reason="node-postgres is not installed")
def test_node_postgres(sqlite_shop, postgres, tmp_path):
    cases = [
        {
            "type": ty,
            "table": table_of(ty),
            "literals": literals(ty, values),
            "comparable": ty not in INCOMPARABLE,
            "ordered": ty not in ORDERED_OTHERWISE,
        }
        for ty, values in TYPES
    ]
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    arguments = [postgres.direct_url, sqlite_shop.url, str(tmp_path / "cases.json")]
    run_tap(["node", str(HERE / "node/typed.js"), *arguments], env=os.environ | {"NODE_PATH": str(MODULES)})


@pytest.mark.skipif(shutil.which("javac") is None or not DRIVER.exists(), reason="pgjdbc is not installed")
@pytest.mark.parametrize("transfer", ["prepareThreshold=-1", "binaryTransfer=false"])
def test_pgjdbc(sqlite_shop, postgres, tmp_path, transfer):
    subprocess.run(["javac", "-encoding", "UTF-8", "-cp", DRIVER, "-d", tmp_path, HERE / "java/Typed.java"], check=True)
    lines = [
        # What is no number is a `double precision` to pgjdbc, of which SQLite has none such.
        "\t".join([ty, table_of(ty), literals(ty, [v for v in values if v != "NaN"]), "not" if ty in INCOMPARABLE else "comparable"])
        for ty, values in TYPES
    ]
    (tmp_path / "cases.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    at = [f"jdbc:postgresql://127.0.0.1:{port}/shop?user=tester&{transfer}" for port in (postgres.direct_port, sqlite_shop.port)]
    command = ["java", "-Dfile.encoding=UTF-8", "-Duser.timezone=UTC", "-cp", f"{DRIVER}:{tmp_path}", "Typed", *at]
    run_tap([*command, str(tmp_path / "cases.tsv")])
