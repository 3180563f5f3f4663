"""Values of every type through each driver, in the driver's own form: in as parameters, out as results.

What a driver makes of the values comes from PostgreSQL; what it sees of them on a SQLite file must be what it sees there.
"""

import asyncio

import pytest

from typed_values import INCOMPARABLE, ORDERED_OTHERWISE, TYPES, literals, quoted, table_of

psycopg = pytest.importorskip("psycopg")
psycopg2 = pytest.importorskip("psycopg2")
pytest.importorskip("psycopg2.extras")
asyncpg = pytest.importorskip("asyncpg")


class Psycopg3:
    """psycopg 3 with parameters and results in one of the formats."""

    def __init__(self, url, binary):
        self.connection = psycopg.connect(url, autocommit=True)
        self.cursor = self.connection.cursor(binary=binary)
        self.mark = "%b" if binary else "%t"

    def run(self, sql, *parameters):
        for number in range(len(parameters), 0, -1):
            sql = sql.replace(f"${number}", self.mark)
        self.cursor.execute(sql, parameters or None)
        return self.cursor.fetchall() if self.cursor.description else None

    def close(self):
        self.connection.close()


class Psycopg2:
    """psycopg2 writes parameters into the statement."""

    def __init__(self, url):
        self.connection = psycopg2.connect(url)
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()

    def run(self, sql, *parameters):
        for number in range(len(parameters), 0, -1):
            sql = sql.replace(f"${number}", "%s")
        adapted = [psycopg2.extras.Json(value) if isinstance(value, dict) else value for value in parameters]
        self.cursor.execute(sql, adapted or None)
        return self.cursor.fetchall() if self.cursor.description else None

    def close(self):
        self.connection.close()


class Asyncpg:
    """asyncpg asks for the parameters' types, and speaks binary only."""

    def __init__(self, url):
        self.loop = asyncio.new_event_loop()
        self.connection = self.loop.run_until_complete(asyncpg.connect(url))

    def run(self, sql, *parameters):
        return [tuple(row) for row in self.loop.run_until_complete(self.connection.fetch(sql, *parameters))]

    def close(self):
        self.loop.run_until_complete(self.connection.close())
        self.loop.close()


DRIVERS = {
    "psycopg3-text": lambda url: Psycopg3(url, False),
    "psycopg3-binary": lambda url: Psycopg3(url, True),
    "psycopg2": Psycopg2,
    "asyncpg": Asyncpg,
}


def plain(value):
    """The same with bytes for what only says where they lie."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, (list, tuple)):
        return type(value)(plain(one) for one in value)
    return value


def observed(driver, ty, given):
    """What the driver sees of the given values, with errors as their codes."""
    table, seen = table_of(ty), []

    def see(name, sql, *parameters):
        try:
            seen.append((name, plain(driver.run(sql, *parameters))))
        except (psycopg.Error, psycopg2.Error, asyncpg.PostgresError) as error:
            code = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
            seen.append((name, code))

    driver.run("SET TimeZone = 'UTC'")
    see("drop", f"DROP TABLE IF EXISTS {table}")
    see("create", f"CREATE TABLE {table} (id integer PRIMARY KEY, v {ty})")
    for number, value in given:
        see(f"insert {value!r}", f"INSERT INTO {table} VALUES ($1, $2)", number, value)
    see("null", f"INSERT INTO {table} (id, v) VALUES (100, NULL)")
    see("rows", f"SELECT id, v FROM {table} ORDER BY id")
    see("text", f"SELECT id, v::text FROM {table} ORDER BY id")
    see("cast", f"SELECT $1::{ty}", given[0][1])
    if ty not in INCOMPARABLE:
        for _, value in given:
            see(f"where {value!r}", f"SELECT id FROM {table} WHERE v = $1", value)
    if ty not in ORDERED_OTHERWISE:
        see("order", f"SELECT id FROM {table} ORDER BY v, id")
    see("update", f"UPDATE {table} SET v = $1 WHERE id = 100 RETURNING v", given[-1][1])
    return seen


@pytest.mark.parametrize("name", DRIVERS)
@pytest.mark.parametrize("ty,values", TYPES, ids=[ty for ty, _ in TYPES])
def test_values_are_the_same_as_on_postgresql(sqlite_shop, postgres, name, ty, values):
    theirs, ours = DRIVERS[name](postgres.direct_url), DRIVERS[name](sqlite_shop.url)
    try:
        given = theirs.run(literals(ty, values))
        expected, found = observed(theirs, ty, given), observed(ours, ty, given)
    finally:
        theirs.close()
        ours.close()
    # Values that are no numbers are not equal to themselves.
    differences = [f"{one!r}\n  != {other!r}" for one, other in zip(expected, found, strict=True) if repr(one) != repr(other)]
    assert not differences, "\n".join(differences)


DESCRIBED = [
    "SELECT * FROM described",
    "SELECT a::varchar, b::numeric, a::varchar(10), 1::numeric(5, 2), 'x'::char, now()::timestamp(2), '10:00'::time(1), a || 'x' FROM described",
    "SELECT coalesce(a, a), coalesce(a, 'x'), CASE WHEN true THEN b ELSE b END, greatest(b, b), min(a), NULL::varchar(4) FROM described GROUP BY a, b",
    "SELECT a, b FROM described UNION SELECT a, b FROM described",
    "SELECT a, b FROM described UNION SELECT 'x', 1",
    "WITH one AS (SELECT a, b FROM described) SELECT one.*, (SELECT c FROM described LIMIT 1) FROM one",
    "SELECT * FROM described_view",
    "VALUES ('x'::varchar(5), 1.5)",
    "INSERT INTO described (a, b) VALUES ('x', 1) RETURNING a, b",
]


def test_descriptions_tell_lengths_and_digits(sqlite_shop, postgres):
    described = []
    for url in (postgres.direct_url, sqlite_shop.url):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "CREATE TABLE described (a varchar(80), b numeric(10, 2), c timestamp(3), d char(5), e time(2), f varchar,"
                " g timestamptz(0), h numeric, i numeric(5, -2), j text, k int)"
            )
            connection.execute("CREATE VIEW described_view AS SELECT a, b, a || 'x' AS more FROM described")
            of_this = []
            for sql in DESCRIBED:
                # Prepared, it comes from Describe before anything runs.
                for prepare in (False, True):
                    cursor = connection.execute(sql, prepare=prepare)
                    told = [(c.name, c.type_code, c.display_size, c.precision, c.scale) for c in cursor.description]
                    of_this.append((sql, told))
            described.append(of_this)
            connection.execute("DROP VIEW described_view")
            connection.execute("DROP TABLE described")
    assert described[1] == described[0]


# The same value in spellings that a client may use, and that PostgreSQL keeps as one.
SPELLINGS = [
    ("jsonb", ['{"b":1,"a":[true,2.5]}', ' { "a" : [ true , 2.5 ], "b": 1, "b" : 1 }']),
    ("jsonb[]", ['{"{\\"b\\":1,\\"a\\":2}"}', '{"{\\"a\\": 2, \\"b\\": 1}"}']),
    ("uuid", ["00010203-0405-0607-0809-0A0B0C0D0E0F", "{000102030405060708090a0b0c0d0e0f}"]),
    ("numeric", ["1.50", " +1.50 "]),
    ("boolean", ["t", " YES ", "on", "1"]),
    ("bytea", ["\\x00FF", "\\000\\377"]),
    ("timestamptz", ["2024-02-29 12:34:56+02", "2024-02-29T10:34:56Z"]),
    ("date", ["2024-02-29", "20240229"]),
    ("interval", ["1 day 01:00:00", "P1DT1H"]),
    ("inet", ["10.1.2.3/32", "10.1.2.3"]),
    ("inet", ["::0001", "::1"]),
    ("macaddr", ["08:00:2B:01:02:03", "0800.2b01.0203"]),
    ("money", ["1.5", "$1.50"]),
    ("varbit", ["101", "B101"]),
    ("integer[]", ["{1, 2}", " { 1 ,2 } "]),
    ("boolean[]", ["{t,f}", "{true,no}"]),
    ("uuid[]", ["{00010203-0405-0607-0809-0A0B0C0D0E0F}"]),
]


def binary_of(cursor, ty, text):
    """What PostgreSQL sends for a value, except that a document stays as it is spelled."""
    if ty == "jsonb":
        return b"\x01" + text.encode()
    if ty == "jsonb[]":
        cursor.execute("SELECT unnest(%t::text[])", (text,))
        elements = [b"\x01" + row[0].encode() for row in cursor.fetchall()]
        parts = b"".join(len(one).to_bytes(4, "big") + one for one in elements)
        head = (1, 0, 3802, len(elements), 1)
        return b"".join(number.to_bytes(4, "big") for number in head) + parts
    binary = cursor.connection.cursor(binary=True)
    binary.execute(f"SELECT {quoted(text)}::{ty}")
    return bytes(binary.pgresult.get_value(0, 0))


def stored(url, ty, spellings, binaries):
    """The rows that are there after each value came in each way."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.cursor()
        oid = cursor.execute(f"SELECT '{ty}'::regtype::oid::int").fetchone()[0]
        cursor.execute("DROP TABLE IF EXISTS spelled")
        cursor.execute(f"CREATE TABLE spelled (way text, v {ty})")
        for text, binary in zip(spellings, binaries, strict=True):
            cursor.execute(f"INSERT INTO spelled VALUES ('literal', {quoted(text)}), ('cast', {quoted(text)}::{ty})")
            for types in [(0,), (oid,)]:
                for number, value in enumerate((text.encode(), binary)):
                    sql = f"INSERT INTO spelled VALUES ('parameter {types} {number}', $1)"
                    done = connection.pgconn.exec_params(sql.encode(), [value], types, [number])
                    assert done.status == psycopg.pq.ExecStatus.COMMAND_OK, done.error_message
            with cursor.copy("COPY spelled FROM STDIN") as copy:
                copy.write_row(("copy", text))
            with cursor.copy("COPY spelled FROM STDIN (FORMAT binary)") as copy:
                row = b"PGCOPY\n\xff\r\n\0" + bytes(8) + (2).to_bytes(2, "big")
                row += b"".join(len(one).to_bytes(4, "big") + one for one in (b"binary copy", binary))
                copy.write(row + b"\xff\xff")
        rows = cursor.execute("SELECT way, v::text FROM spelled").fetchall()
        counted = cursor.execute("SELECT count(DISTINCT v) FROM spelled").fetchone()
        cursor.execute("DROP TABLE spelled")
        return rows, counted[0]


@pytest.mark.parametrize("ty,spellings", SPELLINGS, ids=[f"{ty} {number}" for number, (ty, _) in enumerate(SPELLINGS)])
def test_a_value_is_stored_in_one_way(sqlite_shop, postgres, ty, spellings):
    """However it comes: as a literal, as a parameter and by COPY, in text and in binary."""
    with psycopg.connect(postgres.direct_url) as connection:
        binaries = [binary_of(connection.cursor(), ty, text) for text in spellings]
    for url in (postgres.direct_url, sqlite_shop.url):
        rows, different = stored(url, ty, spellings, binaries)
        assert len(rows) == 8 * len(spellings)
        assert len({value for _, value in rows}) == 1, rows
        assert different == 1
