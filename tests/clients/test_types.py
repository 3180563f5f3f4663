"""Values of every type through each driver, in the driver's own form: in as parameters, out as results.

What a driver makes of the values comes from PostgreSQL; what it sees of them on a SQLite file must be what it sees there.
"""

import asyncio

import pytest

from typed_values import INCOMPARABLE, ORDERED_OTHERWISE, TYPES, literals, table_of

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
