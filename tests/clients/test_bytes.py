"""A SQLite file whose names, types, defaults and values are not UTF-8: whatever is asked of it, no session fails inside
Querent, and each goes on."""

import sqlite3
import subprocess

import psycopg
import pytest

from backends import QUERENT, Querent

BAD = b"\xff\xfe\xe9"


def made(path):
    """Each object is written with the bytes that `BAD` stands for in place of `QQQ`."""
    file = sqlite3.connect(path, isolation_level=None)
    file.executescript("""
        CREATE TABLE plain (id INTEGER PRIMARY KEY, word TEXT);
        INSERT INTO plain (word) VALUES ('one'), (CAST(x'fffee9' AS TEXT)), (x'fffee9');
        CREATE TABLE typed (id INTEGER PRIMARY KEY, word TEXTQQQ, other VARCHAR(10));
        INSERT INTO typed (word, other) VALUES ('one', 'two');
        CREATE TABLE columns (id INTEGER PRIMARY KEY, "wordQQQ" TEXT);
        INSERT INTO columns VALUES (1, 'one');
        CREATE TABLE "tableQQQ" (id INTEGER PRIMARY KEY, word TEXT);
        INSERT INTO "tableQQQ" VALUES (1, 'one');
        CREATE TABLE defaults (id INTEGER PRIMARY KEY, word TEXT DEFAULT 'QQQ', CHECK (word <> 'QQQ '));
        INSERT INTO defaults (id) VALUES (1);
        CREATE TABLE commented (id INTEGER PRIMARY KEY, -- comment QQQ
            word TEXT /* and QQQ */);
        INSERT INTO commented VALUES (1, 'one');
        CREATE TABLE parent (id INTEGER PRIMARY KEY, "keyQQQ" TEXT UNIQUE);
        CREATE TABLE child (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parent ("keyQQQ"));
        CREATE INDEX "indexQQQ" ON plain (word);
        CREATE VIEW viewed AS SELECT id, word AS "wordQQQ" FROM plain;
        CREATE VIEW "viewQQQ" AS SELECT id, word || 'QQQ' AS word FROM plain;
        CREATE TRIGGER "triggerQQQ" AFTER INSERT ON child BEGIN UPDATE plain SET word = 'QQQ' WHERE id = 1; END;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET
            sql = CAST(replace(CAST(sql AS BLOB), x'515151', x'fffee9') AS TEXT),
            name = CAST(replace(CAST(name AS BLOB), x'515151', x'fffee9') AS TEXT),
            tbl_name = CAST(replace(CAST(tbl_name AS BLOB), x'515151', x'fffee9') AS TEXT);
        ANALYZE;
    """)
    file.close()
    assert BAD in path.read_bytes()
    return path


@pytest.fixture(scope="module")
def querent(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bytes")
    file = made(folder / "bytes.sqlite")
    with Querent(QUERENT, [f"sqlite:{file}"], folder) as server:
        yield server
        told = server.told()
        assert server.stop() == 0, told
        assert "panicked" not in told, told


NAMES = ["plain", "typed", "columns", "defaults", "commented", "parent", "child", "viewed"]
STATEMENTS = [
    *(f"SELECT * FROM {name}" for name in NAMES),
    *(f"SELECT count(*) FROM {name}" for name in NAMES),
    *(f"SELECT {name} FROM {name}" for name in NAMES),
    *(f"INSERT INTO {name} (id) VALUES (77)" for name in NAMES),
    *(f"INSERT INTO {name} (id) VALUES (77) RETURNING *" for name in NAMES),
    *(f"UPDATE {name} SET id = 78 WHERE id = 77 RETURNING *" for name in NAMES),
    *(f"DELETE FROM {name} WHERE id = 78" for name in NAMES),
    *(f"EXPLAIN SELECT * FROM {name}" for name in NAMES),
    *(f"CREATE TABLE copy_{name} AS SELECT * FROM {name}" for name in NAMES),
    *(f"ALTER TABLE {name} ADD COLUMN more int" for name in NAMES),
    *(f"ALTER TABLE {name} ALTER COLUMN id TYPE bigint" for name in NAMES),
    *(f"SELECT * FROM (SELECT * FROM {name}) x NATURAL JOIN {name}" for name in NAMES),
    *(f"SELECT * FROM nl('how many {name} are there')" for name in NAMES),
    *(f"SELECT * FROM nl('show all {name}')" for name in NAMES),
    *(f"SELECT x.* FROM nl('show all {name}') x" for name in NAMES),
    "INSERT INTO defaults (id, word) VALUES (1, 'twice')",
    "INSERT INTO defaults (id, word) VALUES (9, NULL)",
    "INSERT INTO child (parent) VALUES ('nowhere')",
    'SELECT * FROM "table\ufffd"', 'SELECT "word\ufffd" FROM columns',
    "SELECT word || 'x', upper(word), length(word), word LIKE '%n%', word ~ 'n', substr(word, 1, 1) FROM plain",
    "SELECT string_agg(word, ','), array_agg(word), json_agg(word), max(word) FROM plain",
    "SELECT to_json(word), quote_literal(word), md5(word), word::bytea FROM plain",
    "SELECT oid, relname FROM pg_class", "SELECT * FROM pg_attribute", "SELECT * FROM pg_constraint",
    "SELECT * FROM pg_attrdef", "SELECT * FROM pg_index", "SELECT * FROM pg_indexes", "SELECT * FROM pg_views",
    "SELECT * FROM pg_trigger", "SELECT * FROM pg_description", "SELECT * FROM pg_stats", "SELECT * FROM pg_proc LIMIT 1",
    "SELECT pg_get_viewdef(oid), pg_get_constraintdef(oid), pg_get_indexdef(oid) FROM pg_class",
    *(f"SELECT * FROM information_schema.{name}" for name in (
        "tables", "columns", "views", "table_constraints", "key_column_usage", "triggers", "check_constraints")),
    "SELECT * FROM sqlite_master", "PRAGMA table_info(columns)", "PRAGMA index_list(plain)",
]


@pytest.mark.parametrize("dialect", ["postgresql", "sqlite"])
@pytest.mark.parametrize("prepare", [True, False])
def test_no_statement_fails_inside(querent, prepare, dialect):
    target = f"host=127.0.0.1 port={querent.port} user=x dbname=bytes"
    with psycopg.connect(target, autocommit=True) as session:
        session.execute(f"SET querent.dialect = {dialect}")
        for statement in STATEMENTS:
            try:
                # Bytes, since a client that wants UTF-8 would refuse the values.
                with session.cursor(row_factory=psycopg.rows.scalar_row) as cursor:
                    cursor.execute("BEGIN")
                    cursor.execute(statement, prepare=prepare)
            except psycopg.Error as error:
                assert error.sqlstate not in (None, "08003", "XX000", "57P01"), f"{statement}: {error.sqlstate} {error}"
            session.execute("ROLLBACK")
        assert session.execute("SELECT 1").fetchone() == (1,)


def test_what_can_be_read_is(querent):
    target = f"host=127.0.0.1 port={querent.port} user=x dbname=bytes"
    with psycopg.connect(target, autocommit=True) as session:
        assert session.execute("SELECT other FROM typed").fetchall() == [("two",)]
        described = session.execute("SELECT * FROM typed").description
        assert [column.name for column in described] == ["id", "word", "other"]
        assert session.execute("SELECT * FROM columns").fetchall() == [(1, "one")]
        assert session.execute("SELECT id, word FROM commented").fetchall() == [(1, "one")]
        tables = {name for (name,) in session.execute("SELECT relname FROM pg_class WHERE relkind IN ('r', 'v')")}
        assert {"plain", "typed", "columns", "defaults", "commented", "viewed"} <= tables
        assert session.execute("SELECT * FROM nl('how many plain are there')").fetchone()[0] == 3
        with session.cursor() as cursor, cursor.copy("COPY typed TO STDOUT") as copy:
            assert [row for row in copy.rows()] == [("1", "one", "two")]


@pytest.mark.parametrize("command", ["\\d", "\\d+", "\\dt+", "\\di+", "\\dv+", "\\d columns", "\\d+ typed", "\\d+ plain",
                                     "\\d+ viewed", "\\d child", "\\d parent", "\\d+ defaults", "\\dd", "\\l+"])
def test_psql_shows_it(querent, command):
    target = f"host=127.0.0.1 port={querent.port} user=x dbname=bytes"
    shown = subprocess.run(["psql", "-X", "-c", command, target], capture_output=True, timeout=60)
    assert shown.returncode == 0 and b"ERROR" not in shown.stderr, shown.stderr
