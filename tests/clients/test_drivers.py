"""Drivers whose programs are in scripts/drivers: step by step what PostgreSQL gives, on both backends.

Those that are heavy, or whose libraries are not Python's, are run by scripts/try-drivers.
"""

import importlib.util
import shutil
import subprocess
import sys

import pytest

from backends import ROOT

sys.path.append(str(ROOT / "scripts/drivers"))

from compare import compare  # noqa: E402

HERE = ROOT / "scripts/drivers"
PROGRAMS = {"pg8000": "pg8000_.py", "psycopg pipelines": "pipelines.py"}


def check(name, started, postgres, sqlite_shop):
    ports = [postgres.direct_port, postgres.port, sqlite_shop.port]
    theirs, outcomes = compare(name, started, ports)
    assert len(theirs) > 5
    assert {backend: news for backend, (_, _, news) in outcomes.items()} == {"postgres": [], "sqlite": []}


@pytest.mark.parametrize("name", PROGRAMS)
def test_python(postgres, sqlite_shop, name):
    if importlib.util.find_spec(name.split()[0]) is None:
        pytest.skip(f"{name} is not installed: ./test clients installs it")
    check(name, [sys.executable, HERE / PROGRAMS[name]], postgres, sqlite_shop)


def test_pipelines_of_libpq(postgres, sqlite_shop, tmp_path):
    found = shutil.which("cc") and shutil.which("pkg-config")
    told = found and subprocess.run(["pkg-config", "--cflags", "--libs", "libpq"], capture_output=True, text=True)
    if not told or told.returncode != 0:
        pytest.skip("libpq cannot be linked: apt-get install libpq-dev pkg-config")
    program = tmp_path / "pipelines"
    subprocess.run(["cc", "-o", program, HERE / "pipelines.c", *told.stdout.split()], check=True)
    check("libpq pipelines", [program], postgres, sqlite_shop)
