"""pgjdbc in all of its query modes."""

import pathlib
import shutil
import subprocess

import pytest

from questions import FORMS
from scripts import run_tap, write_cases

DRIVER = pathlib.Path("/usr/share/java/postgresql.jar")
CLASSES_FROM = pathlib.Path(__file__).parent / "java"
SOURCE = CLASSES_FROM / "Client.java"

if shutil.which("javac") is None or not DRIVER.exists():
    pytest.skip(
        "pgjdbc is not installed: apt-get install default-jdk-headless libpostgresql-jdbc-java", allow_module_level=True
    )


# pgjdbc takes the question mark of `ASK …?` for a parameter.
JDBC_FORMS = {name: form for name, form in FORMS.items() if name != "ask"}


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("classes")
    subprocess.run(["javac", "-encoding", "UTF-8", "-cp", DRIVER, "-d", folder, SOURCE], check=True)
    return folder


@pytest.mark.parametrize("mode", ["extended", "simple", "extendedForPrepared", "extendedCacheEverything"])
def test_pgjdbc(server, tmp_path, classes, mode):
    write_cases(server, JDBC_FORMS, tmp_path / "cases.tsv")
    url = f"jdbc:postgresql://{server.host}:{server.port}/shop?user=tester&preferQueryMode={mode}"
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", f"{DRIVER}:{classes}", "Client", url, str(tmp_path / "cases.tsv")]
    run_tap([*command, mode])
