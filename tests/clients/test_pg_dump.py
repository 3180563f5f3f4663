"""pg_dump on a SQLite file, and what psql and pg_restore make of it in a PostgreSQL: the same tables with the same data."""

import pathlib
import shutil
import sqlite3
import subprocess

import pytest

from backends import QUERENT
from servers import Querent, clean_environment

pytestmark = pytest.mark.skipif(shutil.which("pg_dump") is None, reason="pg_dump is not installed")
psycopg = pytest.importorskip("psycopg")

SCHEMA = (pathlib.Path(__file__).parent / "dumped.sql").read_text()
# By table: all rows as text, in the order of the key.
TABLES = {"kinds": "id", "things": "id", "Order": '"Key"', "pairs": "a, b", "lonely": "n", "worded": "id"}
SEQUENCES = ["counter", "kinds_id_seq", "things_id_seq"]


@pytest.fixture(scope="module")
def dumped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dump")
    file = folder / "original.sqlite"
    sqlite3.connect(file).close()
    querent = Querent(QUERENT, [f"sqlite:{file}"], folder).start()
    with psycopg.connect(f"host=127.0.0.1 port={querent.port} user=somebody dbname=original", autocommit=True) as connection:
        connection.execute(SCHEMA)
    yield querent
    assert querent.stop() == 0, querent.told()


def run(program, port, *arguments, user="somebody", check=True):
    command = [program, "-h", "127.0.0.1", "-p", str(port), "-U", user, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), timeout=120)
    if check:
        assert ran.returncode == 0, ran.stderr
    return ran


def facts(port, database, user):
    """What of a database has to be the same."""
    with psycopg.connect(f"host=127.0.0.1 port={port} user={user} dbname={database}") as connection:
        one = lambda sql: connection.execute(sql).fetchall()  # noqa: E731
        found = {}
        for table, key in TABLES.items():
            quoted = lambda name: '"' + name.replace('"', '""') + '"'  # noqa: E731
            columns = [f"{quoted(name)}::text" for (name,) in one(
                f"SELECT attname FROM pg_attribute WHERE attrelid = '\"{table}\"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
            )]  # fmt: skip
            found[table] = one(f'SELECT {", ".join(columns)} FROM "{table}" ORDER BY {key}')
        for sequence in SEQUENCES:
            found[sequence] = one(f"SELECT last_value, is_called FROM {sequence}")
        found["columns"] = one("""SELECT table_name, column_name, data_type, is_nullable, character_maximum_length, numeric_precision,
            numeric_scale FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'shown' ORDER BY 1, ordinal_position""")
        found["constraints"] = sorted(one("""SELECT conrelid::regclass::text, conname, contype::text, condeferrable, confdeltype::text
            FROM pg_constraint WHERE conrelid <> 0 AND connamespace = 'public'::regnamespace"""))
        found["indexes"] = sorted(one("""SELECT c.relname, i.indisunique, i.indkey::text, i.indpred IS NULL FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace"""))
        found["definitions"] = sorted(one("""SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE conrelid <> 0 AND connamespace = 'public'::regnamespace AND contype = 'c'
            UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT table_name, column_name, generation_expression FROM information_schema.columns
            WHERE table_schema = 'public' AND is_generated = 'ALWAYS'"""))
        found["view"] = one("SELECT * FROM shown ORDER BY 1")
        found["comments"] = one("""SELECT obj_description('kinds'::regclass, 'pg_class'), col_description('kinds'::regclass, 2)""")
        return found


@pytest.fixture
def restored(postgres, request):
    """An empty database to restore into, by its name."""
    name = "restored_" + "".join(c if c.isalnum() else "_" for c in request.node.name.lower())
    with psycopg.connect(f"host=127.0.0.1 port={postgres.direct_port} user=postgres dbname=postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
        yield name
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def restore(port, name, file):
    run("psql", port, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", name, "-f", file, user="postgres")


@pytest.mark.parametrize("options", [[], ["--inserts"], ["--column-inserts"], ["--no-owner", "--no-privileges"]], ids=" ".join)
def test_a_dump_is_restored(dumped, postgres, restored, tmp_path, options):
    file = tmp_path / "dump.sql"
    run("pg_dump", dumped.port, "-d", "original", "--no-owner", *options, "-f", file)
    restore(postgres.direct_port, restored, file)
    ours, theirs = facts(dumped.port, "original", "somebody"), facts(postgres.direct_port, restored, "postgres")
    for what, rows in theirs.items():
        assert ours[what] == rows, what


def test_a_custom_archive_is_restored(dumped, postgres, restored, tmp_path):
    file = tmp_path / "dump.archive"
    run("pg_dump", dumped.port, "-d", "original", "-Fc", "-f", file)
    assert "TABLE DATA public things" in run("pg_restore", 0, "-l", file).stdout
    run("pg_restore", postgres.direct_port, "--exit-on-error", "--no-owner", "-d", restored, file, user="postgres")
    ours, theirs = facts(dumped.port, "original", "somebody"), facts(postgres.direct_port, restored, "postgres")
    for what, rows in theirs.items():
        assert ours[what] == rows, what


def test_data_alone(dumped, postgres, restored, tmp_path):
    schema, data = tmp_path / "schema.sql", tmp_path / "data.sql"
    run("pg_dump", dumped.port, "-d", "original", "--no-owner", "--schema-only", "-f", schema)
    run("pg_dump", dumped.port, "-d", "original", "--data-only", "-f", data)
    assert "CREATE TABLE" not in data.read_text() and "COPY" not in schema.read_text()
    restore(postgres.direct_port, restored, schema)
    restore(postgres.direct_port, restored, data)
    ours, theirs = facts(dumped.port, "original", "somebody"), facts(postgres.direct_port, restored, "postgres")
    for what, rows in theirs.items():
        assert ours[what] == rows, what


def test_one_table(dumped):
    told = run("pg_dump", dumped.port, "-d", "original", "-t", "kinds").stdout
    assert "CREATE TABLE public.kinds" in told and "things" not in told
    assert run("pg_dump", dumped.port, "-d", "original", "-t", "nothing", check=False).stderr.strip().endswith("no matching tables were found")


def test_large_objects_are_dumped(dumped, postgres, restored, tmp_path):
    content = bytes(range(256)) * 200
    with psycopg.connect(f"host=127.0.0.1 port={dumped.port} user=somebody dbname=original") as connection:
        number = connection.execute("SELECT lo_from_bytea(0, %s)", [content]).fetchone()[0]
    file = tmp_path / "dump.sql"
    run("pg_dump", dumped.port, "-d", "original", "--no-owner", "--blobs", "-f", file)
    restore(postgres.direct_port, restored, file)
    with psycopg.connect(f"host=127.0.0.1 port={postgres.direct_port} user=postgres dbname={restored}") as connection:
        assert connection.execute("SELECT lo_get(%s)", [number]).fetchone()[0] == content
    with psycopg.connect(f"host=127.0.0.1 port={dumped.port} user=somebody dbname=original") as connection:
        connection.execute("SELECT lo_unlink(%s)", [number])


OTHERS = """
CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, name varchar(5), active boolean DEFAULT 1 CHECK (active IN (0,1)),
  born date CHECK (born > '1900-01-01'), made datetime DEFAULT current_timestamp, kind text DEFAULT "dq", n int CHECK (n BETWEEN 1 AND 5),
  j json CHECK (json_valid(j)), email text CHECK (email LIKE '%@%'), g text CHECK (g GLOB 'a*'), price decimal(3,1),
  updated timestamp DEFAULT (datetime('now')), at int DEFAULT (strftime('%s','now')), h text DEFAULT (lower(hex(randomblob(4)))),
  big varchar(3) CHECK (big IS NOT 'zz'), low text AS (lower(name)) STORED, kind_of text AS (typeof(n)) STORED,
  CHECK (n == 3 OR ifnull(name, "x") <> ""));
INSERT INTO users (name, born, n, j, email, g, price, big) VALUES ('alexander', '2000-01-02', 3, '{"a":1}', 'A@B', 'abc', 1234.5, 'hello');
CREATE TABLE child (id integer PRIMARY KEY, uid int REFERENCES users (id) ON DELETE CASCADE, t varchar(2), UNIQUE (uid, t));
INSERT INTO child VALUES (1, 1, 'ab'), (2, 1, 'cd');
CREATE TRIGGER tr AFTER INSERT ON child BEGIN UPDATE users SET n = 3; END;
CREATE UNIQUE INDEX ux ON users (lower(email)) WHERE n > 0;
CREATE INDEX ij ON users (json_extract(j, '$.a'));
CREATE TABLE prisma (id text NOT NULL PRIMARY KEY, "createdAt" datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" DATETIME NOT NULL);
INSERT INTO prisma VALUES ('a', 1700000000000, 1700000000123);
CREATE VIEW mails (who, n) AS SELECT id, count(*) FROM prisma GROUP BY id;
CREATE TABLE mixed (id integer PRIMARY KEY, at datetime);
INSERT INTO mixed VALUES (1, 1700000000000), (2, '2024-01-01 10:00:00'), (3, NULL);
"""
OURS = """
CREATE SEQUENCE zz;
CREATE TABLE aa (x int DEFAULT nextval('zz'), a date DEFAULT '2020-01-01', b date DEFAULT current_date, c timestamp DEFAULT now(), d int DEFAULT 3 + 4);
ALTER TABLE aa ALTER a TYPE timestamptz, ALTER b TYPE timestamp, ALTER c TYPE timestamptz, ALTER d TYPE text;
INSERT INTO aa DEFAULT VALUES;
CREATE TABLE archive.s (a int PRIMARY KEY, b serial);
CREATE TABLE archive.g (a int, id int GENERATED BY DEFAULT AS IDENTITY);
CREATE TABLE archive.t (id serial PRIMARY KEY, a int);
INSERT INTO archive.s (a) VALUES (1), (2);
INSERT INTO archive.g (a) VALUES (1);
INSERT INTO archive.t (a) VALUES (1);
CREATE TABLE paid (id int PRIMARY KEY, by text, price money DEFAULT 5);
INSERT INTO paid VALUES (1, 'a', DEFAULT), (2, 'b', 7);
CREATE VIEW called (x, y) AS SELECT id, price FROM paid ORDER BY id DESC;
CREATE VIEW all_called (x, y, z) AS SELECT * FROM paid;
CREATE VIEW values_called (x, y) AS VALUES (1, 'a'), (2, 'b');
CREATE VIEW again (x) AS SELECT by FROM paid;
ALTER VIEW again RENAME COLUMN x TO z;
CREATE RECURSIVE VIEW counting (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM counting WHERE n < 3;
CREATE VIEW by_key AS SELECT id, by, price, count(*) AS n FROM paid GROUP BY id;
"""


def test_what_other_programs_made_is_restored(postgres, restored, tmp_path):
    """Conditions, defaults and indexes are told where PostgreSQL has words for them, and no length that values exceed."""
    with sqlite3.connect(tmp_path / "own.sqlite") as file, sqlite3.connect(tmp_path / "archive.sqlite") as archive:
        file.executescript(OTHERS)
        archive.executescript("CREATE TABLE old (id integer PRIMARY KEY AUTOINCREMENT, v text); INSERT INTO old (v) VALUES ('a')")
    arguments = [f"sqlite:{tmp_path / 'own.sqlite'}", "--attach", f"archive={tmp_path / 'archive.sqlite'}"]
    querent = Querent(QUERENT, arguments, tmp_path).start()
    try:
        with psycopg.connect(f"host=127.0.0.1 port={querent.port} user=somebody dbname=own", autocommit=True) as connection:
            connection.execute(OURS)
        file = tmp_path / "dump.sql"
        run("pg_dump", querent.port, "-d", "own", "--no-owner", "-f", file)
        restore(postgres.direct_port, restored, file)
        facts = []
        for port, database, user in [(querent.port, "own", "somebody"), (postgres.direct_port, restored, "postgres")]:
            with psycopg.connect(f"host=127.0.0.1 port={port} user={user} dbname={database}") as connection:
                one = lambda sql: connection.execute(sql).fetchall()  # noqa: E731, B023
                tables = one("""SELECT table_schema, table_name FROM information_schema.tables
                    WHERE table_schema IN ('public', 'archive') ORDER BY 1, 2""")
                found = {table: one('SELECT t::text FROM "{}"."{}" t ORDER BY 1'.format(*table)) for table in tables}
                found["columns"] = one("""SELECT table_schema, table_name, column_name, data_type, column_default, is_nullable, is_identity,
                    character_maximum_length, is_generated, generation_expression FROM information_schema.columns
                    WHERE table_schema IN ('public', 'archive') ORDER BY table_schema, table_name, ordinal_position""")
                found["constraints"] = one("""SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE conrelid <> 0 AND connamespace IN ('public'::regnamespace, 'archive'::regnamespace) ORDER BY 1, 2""")
                found["indexes"] = one("""SELECT schemaname, indexname, indexdef FROM pg_indexes
                    WHERE schemaname IN ('public', 'archive') ORDER BY 1, 2""")
                facts.append(found)
        ours, theirs = facts
        for what, rows in theirs.items():
            assert ours[what] == rows, what
        checks = {name: told for table, name, told in theirs["constraints"] if table == "users"}
        assert checks["users_active_check"] == "CHECK ((active = ANY (ARRAY[false, true])))"
        assert checks["users_born_check"] == "CHECK ((born > '1900-01-01'::date))"
        assert not any("json" in told or "GLOB" in told.upper() for told in checks.values())
        assert {name for _, name, _ in theirs["indexes"]} >= {"ux"} and "ij" not in {name for _, name, _ in theirs["indexes"]}
        # A number among dates is told as one, everywhere.
        types = {(table, column): kind for _, table, column, kind, *_ in theirs["columns"]}
        assert types["prisma", "createdAt"] == types["prisma", "updatedAt"] == "bigint" and types["mixed", "at"] == "text"
        assert types["users", "kind_of"] == "text"
    finally:
        assert querent.stop() == 0, querent.told()
