"""COPY both ways: what PostgreSQL makes of the data, SQLite through Querent must make of them too."""

import asyncio
import datetime
import decimal
import io
import subprocess

import pytest

from raw import SYNC, Raw, query, run

psycopg = pytest.importorskip("psycopg")
psycopg2 = pytest.importorskip("psycopg2")
asyncpg = pytest.importorskip("asyncpg")

TABLE = """CREATE TABLE copied (
    a integer NOT NULL UNIQUE, b varchar(8), c numeric(10,2), d timestamp, e boolean DEFAULT true CHECK (e), f bytea)"""

# The words behind COPY, and the data.
LOADS = {
    "text": ("copied FROM STDIN", "1\tone\t1.50\t2024-02-29 12:00\tt\t\\\\x00ff\n2\t\\N\t\\N\t\\N\t\\N\t\\N\n"),
    "escapes": ("copied (a, b) FROM STDIN", "1\tx\\ty\n2\t\\x41\\102\\\\\n3\ta\\\nb\n"),
    "columns": ("copied (b, a) FROM STDIN", "one\t1\ntwo\t2\n"),
    "end": ("copied (a) FROM STDIN", "1\n\\.\n2\n"),
    "no line break": ("copied (a) FROM STDIN", "1\n2"),
    "carriage returns": ("copied (a, b) FROM STDIN", "1\tx\r\n2\ty\r\n"),
    "csv": ("copied (a, b) FROM STDIN (FORMAT csv)", '1,"x,""y"""\n2,\n3,""\n4,"a\nb"\n'),
    "csv header": ("copied (a, b) FROM STDIN WITH CSV HEADER", "a,b\n1,x\n"),
    "csv letters": ("copied (a, b) FROM STDIN (FORMAT csv, DELIMITER ';', QUOTE '''', ESCAPE '\\', NULL '-')", "1;'x\\'y'\n2;-\n"),
    "force null": ("copied (a, b) FROM STDIN (FORMAT csv, FORCE_NULL (b))", '1,""\n'),
    "force not null": ("copied (a, b) FROM STDIN (FORMAT csv, FORCE_NOT_NULL (b))", "1,\n"),
    "delimiter": ("copied (a, b) FROM STDIN (DELIMITER '|', NULL 'nix')", "1|nix\n2|x\\|y\n"),
    "nothing": ("copied FROM STDIN", ""),
    "wrong integer": ("copied (a) FROM STDIN", "1\n2\nx\n"),
    "wrong time": ("copied (a, d) FROM STDIN", "1\tsoon\n"),
    "too long": ("copied (a, b) FROM STDIN", "1\tmuch too long\n"),
    "too few": ("copied (a, b) FROM STDIN", "1\tx\n2\n"),
    "too many": ("copied (a, b) FROM STDIN", "1\tx\ty\n"),
    "open quote": ("copied (a, b) FROM STDIN (FORMAT csv)", '1,"x\n'),
    "twice": ("copied (a) FROM STDIN", "1\n2\n1\n"),
    "null key": ("copied (a, b) FROM STDIN", "\\N\tx\n"),
    "check": ("copied (a, e) FROM STDIN", "1\tt\n2\tf\n"),
    "no table": ("no_such_table FROM STDIN", "1\n"),
    "no column": ("copied (z) FROM STDIN", "1\n"),
}

DUMPS = [
    "copied TO STDOUT",
    "copied (b, a) TO STDOUT (FORMAT csv, HEADER)",
    "copied TO STDOUT (FORMAT csv, FORCE_QUOTE *, NULL '-')",
    "(SELECT a, c * 2 FROM copied ORDER BY a DESC) TO STDOUT (DELIMITER ';')",
    "(SELECT a, b, c, d, e, f FROM copied ORDER BY a) TO STDOUT (FORMAT binary)",
]


def fresh(url):
    connection = psycopg.connect(url, autocommit=True)
    connection.execute("DROP TABLE IF EXISTS copied")
    connection.execute(TABLE)
    return connection


def loaded(connection, words, data):
    """The tag or the error of a load, and the rows that are there then."""
    try:
        with connection.cursor() as cursor:
            with cursor.copy(f"COPY {words}") as copy:
                # In small pieces, which end anywhere.
                for at in range(0, len(data), 7):
                    copy.write(data[at : at + 7])
            told = cursor.statusmessage
    except psycopg.Error as error:
        told = (error.sqlstate, error.diag.message_primary, error.diag.context, error.diag.constraint_name)
    return told, connection.execute("SELECT * FROM copied ORDER BY a").fetchall()


@pytest.mark.parametrize("name", LOADS)
def test_loads(sqlite_shop, postgres, name):
    found = []
    for url in (postgres.direct_url, sqlite_shop.url):
        with fresh(url) as connection:
            found.append(loaded(connection, *LOADS[name]))
    if name == "too long":
        # SQLite says which line, and not which column.
        found = [((told[0], told[1]), rows) for told, rows in found]
    assert found[1] == found[0]


@pytest.mark.parametrize("words", DUMPS)
def test_dumps(sqlite_shop, postgres, words):
    found = []
    for url in (postgres.direct_url, sqlite_shop.url):
        with fresh(url) as connection:
            loaded(connection, *LOADS["text"])
            with connection.cursor().copy(f"COPY {words}") as copy:
                found.append(b"".join(bytes(piece) for piece in copy))
    assert found[1] == found[0]


# Drivers rely on how the data is cut into messages: Arrow's readers look for the header and the first row in one.
FORMATS = ["text", "csv", "csv, HEADER", "text, HEADER", "binary"]


@pytest.mark.parametrize("rows", [0, 1, 3])
@pytest.mark.parametrize("options", FORMATS)
def test_the_messages_of_a_dump(sqlite_shop, postgres, options, rows):
    found = []
    for url, port in ((postgres.direct_url, postgres.direct_port), (sqlite_shop.url, sqlite_shop.port)):
        fresh(url).close()
        with Raw(port) as session:
            session.ask(query(f"INSERT INTO copied (a, b) SELECT n, 'word ' || n FROM generate_series(1, {rows}) n"))
            ways = []
            for source in ("copied (a, b)", "(SELECT a, b FROM copied WHERE a < 3 ORDER BY a)"):
                words = f"COPY {source} TO STDOUT (FORMAT {options})"
                ways += [session.ask(query(words)), session.ask(run(words) + SYNC)]
            found.append(ways)
    assert found[1] == found[0]


def test_what_the_client_gives_up_leaves_nothing(sqlite_shop):
    with fresh(sqlite_shop.url) as connection:
        with pytest.raises(ZeroDivisionError), connection.cursor().copy("COPY copied (a) FROM STDIN") as copy:
            copy.write("1\n")
            raise ZeroDivisionError
        assert connection.execute("SELECT count(*) FROM copied").fetchone() == (0,)
        with connection.transaction():
            with connection.cursor().copy("COPY copied (a) FROM STDIN") as copy:
                copy.write_row((7,))
            assert connection.execute("SELECT a FROM copied").fetchall() == [(7,)]


def test_a_million_rows_pass_in_little_memory(sqlite_shop):
    process = sqlite_shop.querent.process.pid

    def memory():
        with open(f"/proc/{process}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])

    with fresh(sqlite_shop.url) as connection:
        before = memory()
        with connection.cursor().copy("COPY copied (a, b) FROM STDIN") as copy:
            for begin in range(0, 1_000_000, 10_000):
                copy.write("".join(f"{n}\tw{n % 1000}\n" for n in range(begin, begin + 10_000)))
        assert connection.execute("SELECT count(*), max(a) FROM copied").fetchone() == (1_000_000, 999_999)
        assert memory() - before < 100_000, "kibibytes that the load took"
        connection.execute("DROP TABLE copied")


def test_psql(sqlite_shop, tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1,one\n2,two\n")
    fresh(sqlite_shop.url).close()
    script = f"\\copy copied (a, b) from '{tmp_path}/in.csv' csv header\n\\copy copied (a, b) to stdout\n"
    ran = subprocess.run(["psql", "-X", "-q", sqlite_shop.url], input=script, capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("1\tone\n2\ttwo\n", "")


def test_psycopg2(sqlite_shop):
    fresh(sqlite_shop.url).close()
    connection = psycopg2.connect(sqlite_shop.url)
    with connection, connection.cursor() as cursor:
        cursor.copy_from(io.StringIO("1\tone\n2\t\\N\n"), "copied", columns=("a", "b"))
        out = io.StringIO()
        cursor.copy_to(out, "copied", columns=("a", "b"))
        assert out.getvalue() == "1\tone\n2\t\\N\n"
    connection.close()


def test_asyncpg(sqlite_shop):
    fresh(sqlite_shop.url).close()
    rows = [
        (1, "one", decimal.Decimal("1.50"), datetime.datetime(2024, 2, 29, 12), True, b"\x00\xff"),
        (2, None, None, None, None, None),
    ]

    async def run():
        connection = await asyncpg.connect(sqlite_shop.url)
        assert await connection.copy_records_to_table("copied", records=rows) == "COPY 2"
        data = io.BytesIO(b"3,three\n")
        assert await connection.copy_to_table("copied", source=data, columns=["a", "b"], format="csv") == "COPY 1"
        out = io.BytesIO()
        assert await connection.copy_from_query("SELECT a, b FROM copied", output=out, format="csv") == "COPY 3"
        found = await connection.fetch("SELECT * FROM copied WHERE a < 3 ORDER BY a")
        await connection.close()
        return out.getvalue(), [tuple(row) for row in found]

    assert asyncio.run(run()) == (b"1,one\n2,\n3,three\n", rows)
