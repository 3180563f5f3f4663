"""pgjdbc's CopyManager: every step comes to the same on a SQLite file as on PostgreSQL."""

import pathlib
import shutil
import subprocess

import pytest

DRIVER = pathlib.Path("/usr/share/java/postgresql.jar")
SOURCE = pathlib.Path(__file__).parent / "java/Copies.java"

if shutil.which("javac") is None or not DRIVER.exists():
    pytest.skip("pgjdbc is not installed: apt-get install default-jdk-headless libpostgresql-jdbc-java", allow_module_level=True)


def observe(classes, port, mode):
    url = f"jdbc:postgresql://127.0.0.1:{port}/shop?user=tester&preferQueryMode={mode}"
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", f"{DRIVER}:{classes}", "Copies", url]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return dict(line.split(": ", 1) for line in ran.stdout.splitlines())


@pytest.mark.parametrize("mode", ["extended", "simple"])
def test_copy_manager(sqlite_shop, postgres, tmp_path, mode):
    subprocess.run(["javac", "-encoding", "UTF-8", "-cp", DRIVER, "-d", tmp_path, SOURCE], check=True)
    theirs = observe(tmp_path, postgres.direct_port, mode)
    ours = observe(tmp_path, sqlite_shop.port, mode)
    assert theirs["end"] == "false"
    assert ours == theirs
