"""psql, pgcli, pg_dump, node-postgres and pgjdbc see the same through Querent as without it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

pexpect = pytest.importorskip("pexpect")

from ordinary import STATEMENTS, compare  # noqa: E402
from servers import clean_environment  # noqa: E402
from test_jdbc import CLASSES_FROM, DRIVER  # noqa: E402

HERE = pathlib.Path(__file__).parent
NODE_MODULES = HERE.parents[1] / "target/clients/node/node_modules"
ENVIRONMENT = clean_environment(PSQL_HISTORY="/dev/null", PAGER="cat", LC_ALL="C.UTF-8", PGCLIENTENCODING="UTF8")
DESCRIBED = ["\\d", "\\d+ orders", "\\l", "\\dn+", "\\df public.*", "\\dT+", "\\du", "\\dp"]
SCRIPT = [
    "\\set ON_ERROR_STOP off", "\\set VERBOSITY verbose", "\\timing off",
    *(f"{sql};" for sql in STATEMENTS if sql and not sql.startswith("--")),
    *DESCRIBED,
    "SELECT i, i * i FROM generate_series(1, 3) AS i \\gdesc",
    "SELECT 'SELECT ' || i FROM generate_series(1, 3) AS i \\gexec",
    "SELECT 1 AS a \\; SELECT 2 AS b \\; SELECT 1/0;",
    "SELECT i % 2 AS r, i % 3 AS c, i FROM generate_series(1, 6) AS i \\crosstabview",
    "\\set FETCH_COUNT 7", "SELECT * FROM stores ORDER BY 1;", "\\set FETCH_COUNT 0",
    "\\copy (SELECT * FROM stores ORDER BY 1) TO STDOUT",
    "CREATE TEMP TABLE copied (a int, b text);", "COPY copied FROM STDIN;\n1\tone\n2\t\\N\n\\.", "TABLE copied;",
    "COPY copied FROM STDIN;\nnot a number\tx\n\\.",
    "\\lo_import '/etc/passwd'", "\\lo_unlink :LASTOID",
    "\\encoding LATIN1", "SELECT 'caf\\351';", "\\encoding UTF8",
    "BEGIN;", "SELECT 1/0;", "SELECT 2;", "\\echo :ERROR :SQLSTATE :ROW_COUNT :LAST_ERROR_MESSAGE", "ROLLBACK;",
]  # fmt: skip


def run(command, stdin="", **options):
    options = {"env": ENVIRONMENT} | options
    return subprocess.run(command, input=stdin, capture_output=True, text=True, errors="backslashreplace", timeout=300, check=False, **options)


@pytest.mark.parametrize("way", ["-f", "stdin", "-c"])
def test_psql(postgres, tmp_path, way):
    if shutil.which("psql") is None:
        pytest.skip("psql is not installed")
    script = tmp_path / "script.sql"
    script.write_text("\n".join(SCRIPT) + "\n")

    def observe(url):
        command = ["psql", "-X", "-a", url]
        if way == "-f":
            ran = run([*command, "-f", str(script)])
        elif way == "-c":
            ran = run([*command, *(word for sql in STATEMENTS for word in ("-c", sql))])
        else:
            ran = run(command, stdin=script.read_text())
        return [ran.returncode, re.sub(r"(?<=lo_import |lo_unlink )\d+", "…", ran.stdout), ran.stderr]

    compare(observe, postgres)


def test_psql_at_a_terminal(postgres):
    if shutil.which("psql") is None:
        pytest.skip("psql is not installed")

    def observe(url):
        child = pexpect.spawn(
            "psql", ["-X", "-P", "pager=off", "--set", "PROMPT1=ready%R%x ", "--set", "PROMPT2=more%R ", url],
            env=ENVIRONMENT | {"TERM": "dumb"}, encoding="utf-8", timeout=60, echo=False,
        )  # fmt: skip
        child.expect_exact("ready= ")
        notes = []
        for line, prompt in [("\\d stores", "= "), ("BEGIN;", "=* "), ("SELECT 1/0;", "=! "), ("SELECT 1;", "=! "), ("ROLLBACK;", "= "),
                             ("SELECT '", "more' "), ("';", "ready= "), ("\\dt+", "= "), ("TABLE tags LIMIT 3;", "= ")]:  # fmt: skip
            child.sendline(line)
            child.expect_exact(prompt)
            notes.append(child.before)
        child.sendline("\\q")
        child.expect(pexpect.EOF)
        child.close()
        return [*notes, child.exitstatus]

    compare(observe, postgres)


def test_pg_dump_and_restore(postgres, tmp_path):
    programs = postgres.cluster.programs

    def observe(url):
        ran = run([str(programs / "pg_dump"), "--format=plain", "--no-sync", url])
        kept = [line for line in ran.stdout.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]
        custom = tmp_path / "dump"
        dumped = run([str(programs / "pg_dump"), "--format=custom", "--file", str(custom), "--no-sync", url])
        into = url.replace("/shop", "/restored")
        run(["psql", "-X", url, "-c", "CREATE DATABASE restored"])
        restored = run([str(programs / "pg_restore"), "--dbname", into, "--jobs=4", str(custom)])
        counted = run(["psql", "-X", "-At", into, "-c", "SELECT count(*), sum(total) FROM orders"])
        run(["psql", "-X", url, "-c", "DROP DATABASE restored"])
        return [ran.stderr, *kept, dumped.stderr, restored.stderr, restored.returncode, counted.stdout]

    compare(observe, postgres)


@pytest.mark.parametrize("mode", ["simple", "extended", "named"])
def test_node_postgres(postgres, tmp_path, mode):
    if shutil.which("node") is None or not (NODE_MODULES / "pg").exists():
        pytest.skip("node-postgres is not installed: ./test clients installs it")
    statements = tmp_path / "statements.txt"
    statements.write_text("\0".join(STATEMENTS))
    environment = os.environ | {"NODE_PATH": str(NODE_MODULES)}

    def observe(url):
        ran = run(["node", str(HERE / "node/ordinary.js"), url, str(statements), mode], env=environment)
        assert ran.returncode == 0 and "finished" in ran.stdout, ran.stderr
        return [ran.stdout]

    compare(observe, postgres)


@pytest.mark.parametrize("mode", ["extended", "simple", "extendedForPrepared", "extendedCacheEverything"])
@pytest.mark.parametrize("autocommit", ["true", "false"], ids=["autocommit", "transaction"])
def test_pgjdbc(postgres, unseen, tmp_path, classes, mode, autocommit):
    statements = tmp_path / "statements.txt"
    # The driver ends a session whose dates are not written its way.
    statements.write_text("\0".join(sql for sql in STATEMENTS if "DateStyle" not in sql))

    def observe(url):
        jdbc = f"jdbc:{url.replace('tester@', '').replace('/shop', '/seen')}?user=tester&preferQueryMode={mode}"
        with postgres.as_superuser() as connection:
            connection.execute(f"CREATE DATABASE seen OWNER tester TEMPLATE {unseen}")
            ran = run(["java", "-Dfile.encoding=UTF-8", "-cp", f"{DRIVER}:{classes}", "Ordinary", jdbc, str(statements), autocommit])
            connection.execute("DROP DATABASE seen WITH (FORCE)")
        assert ran.returncode == 0 and "finished" in ran.stdout, ran.stderr
        return [ran.stdout, ran.stderr]

    compare(observe, postgres)


@pytest.fixture(scope="module")
def unseen(postgres):
    """The shop in a database that nobody comes to: the temporary tables of a session that ended a moment ago are among
    the types that the driver lists."""
    postgres.fill("unseen")
    yield "unseen"
    with postgres.as_superuser() as connection:
        connection.execute("DROP DATABASE unseen")


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    if shutil.which("javac") is None or not DRIVER.exists():
        pytest.skip("pgjdbc is not installed: apt-get install default-jdk-headless libpostgresql-jdbc-java")
    folder = tmp_path_factory.mktemp("classes")
    subprocess.run(["javac", "-encoding", "UTF-8", "-cp", DRIVER, "-d", folder, CLASSES_FROM / "Ordinary.java"], check=True)
    return folder


def test_pgcli(postgres, tmp_path):
    pytest.importorskip("pgcli")
    program = pathlib.Path(sys.executable).with_name("pgcli")
    environment = ENVIRONMENT | {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path), "TERM": "dumb", "PROMPT_TOOLKIT_NO_CPR": "1"}

    def observe(url):
        ran = [run([str(program), "--list", url], env=environment)]
        ran += [run([str(program), url, "-c", sql], env=environment) for sql in ("TABLE stores", "\\d orders", "SELECT 1/0")]
        return [text for one in ran for text in (one.returncode, re.sub(r"Time: .*", "", one.stdout), one.stderr)]

    compare(observe, postgres)
