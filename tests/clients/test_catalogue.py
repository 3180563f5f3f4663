"""What tools ask of the catalogue: psql's backslash commands and completion, SQLAlchemy's reflection, and pgjdbc's
DatabaseMetaData. A SQLite file must tell them what PostgreSQL tells of the same tables."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from test_psql import ENVIRONMENT

COMMANDS = pathlib.Path(__file__).parent / "catalogue/commands.txt"
JAVA = pathlib.Path(__file__).parent / "java/Catalogue.java"
DRIVER = pathlib.Path("/usr/share/java/postgresql.jar")


def commands():
    """Commands with what must stand in what they show."""
    for line in COMMANDS.read_text().splitlines():
        if line and not line.startswith("#"):
            command, _, shown = line.partition(" => ")
            yield pytest.param(command.strip(), shown.strip(), id=command.strip())


def run_psql(server, *arguments):
    ran = subprocess.run(
        ["psql", "-X", "-P", "pager=off", server.url, *arguments],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=120,
    )
    return ran.stdout, ran.stderr


@pytest.mark.parametrize(("command", "shown"), list(commands()))
def test_backslash(sqlite_shop, command, shown):
    told, said = run_psql(sqlite_shop, "-c", command)
    assert "ERROR" not in said, said
    if shown == "none":
        assert "(0 rows)" in told or "Did not find any" in said, told + said
    else:
        squeezed = re.sub(r"\s+", " ", told)
        assert re.search(shown, squeezed), told + said


def informing():
    """Every backslash command of `\\?` that tells of objects, with each of its letters, alone and with patterns."""
    ran = subprocess.run(["psql", "--help=commands"], capture_output=True, text=True, check=True)
    section = re.search(r"^Informational\n(.*?)\n\n", ran.stdout, re.MULTILINE | re.DOTALL)[1]
    for name, letters in re.findall(r"^  (\\[a-z_A-Z]+)((?:\[[^\]\s]+\])*)", section, re.MULTILINE):
        # `\\d` with a pattern describes one relation after the other.
        own = {"\\sf": ["lower(text)"], "\\sv": ["product_sales"], "\\d": ["", "customers", "public.c*", "pg_catalog.pg_c*"]}
        patterns = own.get(name, ["", "*", "customers", "public.c*", "pg_catalog.*", "integer"])
        variants = {""}
        for group in re.findall(r"\[(.+?)\]", letters):
            variants |= {before + letter for before in variants for letter in group}
        for variant in sorted(variants):
            for pattern in patterns:
                yield f"{name}{variant} {pattern}".strip()


@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
def test_every_informing_command_runs(sqlite_shop, tmp_path):
    commands = list(informing())
    assert len(commands) > 400, commands
    script = tmp_path / "commands.sql"
    script.write_text("\n".join(commands))
    told, said = run_psql(sqlite_shop, "-f", str(script))
    # psql itself refuses a schema in the pattern of what has none, and says so where there is nothing.
    by_psql = ["improper qualified name", "cross-database references", "Did not find any"]
    refused = [line for line in said.splitlines() if re.search("error:", line, re.IGNORECASE)]
    refused = [line for line in refused if not any(words in line for words in by_psql)]
    assert not refused, "\n".join(refused[:20])
    assert told.count("customers") > 100


@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("SELECT * FROM monthly", "monthly_sales"),
        ("SELECT * FROM public.monthly", "public.monthly_sales"),
        ("\\d product_s", "product_sales"),
        ("UPDATE order_l", "order_lines"),
        ("DROP INDEX customers_c", "customers_country"),
        ("SELECT * FROM customers WHERE birth", "birth_date"),
        ("SHOW standard_conf", "standard_conforming_strings"),
    ],
)
def test_completion(sqlite_shop, typed, completed):
    pexpect = pytest.importorskip("pexpect")
    environment = ENVIRONMENT | {"TERM": "dumb", "INPUTRC": "/dev/null"}
    child = pexpect.spawn(
        "psql", ["-X", "-P", "pager=off", sqlite_shop.url], env=environment, encoding="utf-8", timeout=30, dimensions=(24, 200)
    )
    child.expect_exact("=> ")
    child.send(f"{typed}\t")
    child.expect_exact(completed)
    child.sendcontrol("c")
    child.expect_exact("=> ")
    child.sendline("\\q")
    child.expect(pexpect.EOF)


def reflected(url):
    """Everything that SQLAlchemy finds out about the tables of the shop."""
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(url)
    inspector = sqlalchemy.inspect(engine)
    tables = sorted(inspector.get_table_names())
    found = {"schema": inspector.default_schema_name, "tables": tables}
    by_name = lambda items: sorted(items, key=lambda item: item["name"])  # noqa: E731
    for table in tables:
        key = inspector.get_pk_constraint(table)
        found[table] = {
            "columns": [(column["name"], column["nullable"]) for column in inspector.get_columns(table)],
            "primary key": (key["name"], key["constrained_columns"]),
            "foreign keys": [
                (one["name"], one["constrained_columns"], one["referred_table"], one["referred_columns"])
                for one in by_name(inspector.get_foreign_keys(table))
            ],
            "unique": [(one["name"], one["column_names"]) for one in by_name(inspector.get_unique_constraints(table))],
            "checks": [one["name"] for one in by_name(inspector.get_check_constraints(table))],
        }
    metadata = sqlalchemy.MetaData()
    metadata.reflect(engine)
    assert sorted(metadata.tables) == tables
    engine.dispose()
    return found


@pytest.mark.parametrize("driver", ["psycopg", "psycopg2"])
def test_sqlalchemy_reflects_what_postgresql_has(sqlite_shop, postgres, driver):
    pytest.importorskip(driver)
    ours, theirs = (reflected(shop.url.replace("postgresql:", f"postgresql+{driver}:")) for shop in (sqlite_shop, postgres))
    for table, facts in theirs.items():
        assert ours[table] == facts, table


def test_sqlalchemy_sees_more(sqlite_shop):
    """What the tables of the other shop do not have: views, indexes, comments, types."""
    sqlalchemy = pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg")
    inspector = sqlalchemy.inspect(sqlalchemy.create_engine(sqlite_shop.url.replace("postgresql:", "postgresql+psycopg:")))
    assert sorted(inspector.get_view_names()) == ["monthly_sales", "product_sales"]
    assert "FROM products" in inspector.get_view_definition("product_sales")
    assert "customers_country" in {index["name"] for index in inspector.get_indexes("customers")}
    columns = {column["name"]: column for column in inspector.get_columns("customers")}
    assert columns["country"]["comment"] == "English name of the country of residence"
    assert isinstance(columns["birth_date"]["type"], sqlalchemy.Date)
    assert isinstance(columns["newsletter"]["type"], sqlalchemy.Boolean)
    assert inspector.has_table("customers") and not inspector.has_table("nobody")


def test_ddl_is_seen_at_once(sqlite_shop):
    psycopg = pytest.importorskip("psycopg")
    ask = "SELECT relname FROM pg_class WHERE relname LIKE 'seen%' ORDER BY 1"
    with psycopg.connect(sqlite_shop.url) as connection, psycopg.connect(sqlite_shop.url, autocommit=True) as other:
        connection.execute("CREATE TABLE seen (id SERIAL PRIMARY KEY)")
        assert connection.execute(ask).fetchall() == [("seen",), ("seen_id_seq",), ("seen_pkey",)]
        oid = connection.execute("SELECT 'seen'::regclass::oid").fetchone()
        assert other.execute(ask).fetchall() == []
        connection.rollback()
        assert connection.execute(ask).fetchall() == []
        connection.execute("CREATE TABLE seen (id INTEGER PRIMARY KEY, b INT)")
        connection.commit()
        assert other.execute("SELECT oid FROM pg_class WHERE relname = 'seen'").fetchone() == oid
        columns = "SELECT attname FROM pg_attribute WHERE attrelid = 'seen'::regclass AND attnum > 0 ORDER BY attnum"
        assert other.execute(columns).fetchall() == [("id",), ("b",)]
        connection.execute("DROP TABLE seen")
        connection.commit()
        with pytest.raises(psycopg.errors.UndefinedTable):
            other.execute("SELECT 'seen'::regclass")


def test_common_names_mean_nothing_by_themselves(sqlite_shop):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(sqlite_shop.url, autocommit=True) as connection:
        tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'VIEW'"
        assert sorted(connection.execute(tables).fetchall()) == [("monthly_sales",), ("product_sales",)]
        with pytest.raises(psycopg.errors.UndefinedTable):
            connection.execute("SELECT * FROM tables")


@pytest.mark.parametrize("mode", ["extended", "simple"])
def test_pgjdbc_metadata(sqlite_shop, tmp_path, mode):
    if shutil.which("javac") is None or not DRIVER.exists():
        pytest.skip("pgjdbc is not installed: apt-get install default-jdk-headless libpostgresql-jdbc-java")
    subprocess.run(["javac", "-encoding", "UTF-8", "-cp", DRIVER, "-d", tmp_path, JAVA], check=True)
    url = f"jdbc:postgresql://{sqlite_shop.host}:{sqlite_shop.port}/shop?user=tester&preferQueryMode={mode}"
    command = ["java", "-cp", f"{DRIVER}{os.pathsep}{tmp_path}", "Catalogue", url]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stdout + told.stderr


RELATIONS = pathlib.Path(__file__).parents[2] / "dialects/sqlite/catalog/relations.txt"


def relations():
    """Every relation of PostgreSQL 15's own schemas, by schema and name."""
    heads = (line.split(" ") for line in RELATIONS.read_text().splitlines() if line.startswith("@relation "))
    return [(schema, name) for _, schema, name, *_ in heads]


def test_every_relation_can_be_read(sqlite_shop, postgres):
    """In every spelling, with the columns that PostgreSQL has."""
    psycopg = pytest.importorskip("psycopg")
    all_of_them = relations()
    assert len(all_of_them) > 200
    with psycopg.connect(sqlite_shop.url, autocommit=True) as ours, psycopg.connect(postgres.direct_url, autocommit=True) as theirs:
        for schema, name in all_of_them:
            whole = f"{schema}.{name}"
            spellings = [whole, f'"{schema}"."{name}"', whole.upper(), f"{whole} AS x"]
            if schema == "pg_catalog":
                spellings += [name, f'"{name}"', name.upper()]
            # Who may read it is PostgreSQL's to say; its columns are the same for everybody.
            columns = [column.name for column in theirs.execute(f"SELECT * FROM {whole} LIMIT 0").description]
            for spelling in spellings:
                cursor = ours.execute(f"SELECT * FROM {spelling}")
                assert [column.name for column in cursor.description] == columns, spelling
                cursor.fetchall()
            assert ours.execute(f"SELECT count(*) FROM {whole}").fetchone()[0] >= 0
            ours.execute(f"TABLE {whole}").fetchall()
            named = ", ".join(f'x."{column}"' for column in columns)
            ours.execute(f"SELECT {named} FROM {whole} x ORDER BY 1 LIMIT 1").fetchall()


def test_vectors_as_postgresql_sends_them(sqlite_shop, postgres):
    """`int2vector` and `oidvector`: their types, text, and binary with a lower bound of 0."""
    psycopg = pytest.importorskip("psycopg")
    sql = "SELECT indkey, indclass, indoption FROM pg_catalog.pg_index WHERE indrelid = 'vectors'::regclass"

    def told(url):
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TEMP TABLE vectors (a int, b text, PRIMARY KEY (b, a))")
            texts = connection.execute(sql)
            types = [column.type_code for column in texts.description]
            binary = connection.execute(sql, binary=True)
            return types, texts.fetchall(), [bytes(binary.pgresult.get_value(0, at)) for at in range(3)]

    ours, theirs = told(sqlite_shop.url), told(postgres.direct_url)
    assert ours == theirs
    assert theirs[0] == [22, 30, 22]


def test_sessions_see_themselves_and_that_others_are_there(sqlite_shop):
    psycopg = pytest.importorskip("psycopg")
    facts = "SELECT usename, state, query, application_name, xact_start IS NULL, client_addr::text FROM pg_stat_activity WHERE pid = %s"
    other = sqlite_shop.url.replace("tester@", "somebody@")
    with (
        psycopg.connect(sqlite_shop.url, autocommit=True, application_name="one") as one,
        psycopg.connect(sqlite_shop.url, autocommit=True) as same,
        psycopg.connect(other, autocommit=True) as stranger,
    ):
        one.execute("SELECT 'a secret'")
        number = one.info.backend_pid
        assert same.execute(facts, [number]).fetchone() == ("tester", "idle", "SELECT 'a secret'", "one", True, "127.0.0.1/32")
        one.execute("BEGIN")
        assert same.execute(facts, [number]).fetchone()[1:3] == ("idle in transaction", "BEGIN")
        seen = stranger.execute(facts, [number]).fetchone()
        assert seen == ("tester", None, "<insufficient privilege>", "one", True, None)
    with psycopg.connect(sqlite_shop.url) as later:
        assert later.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [number]).fetchone()[0] == 0
