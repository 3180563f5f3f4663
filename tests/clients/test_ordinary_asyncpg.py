"""asyncpg sees the same through Querent as without it: always binary, always prepared."""

import asyncio

import pytest

asyncpg = pytest.importorskip("asyncpg")

from ordinary import PARAMETERS, STATEMENTS, compare  # noqa: E402

DEADLINE = 30


def observe_by(act):
    """What the coroutine function notes, given a connection and the list to write to."""

    def observe(url):
        async def connected():
            connection = await asyncpg.connect(url)
            notes = []
            connection.add_log_listener(lambda _, notice: notes.append(("notice", *told(notice))))
            try:
                await act(connection, notes)
            finally:
                await connection.close()
            return notes

        return asyncio.run(connected())

    return observe


def told(error):
    names = ["sqlstate", "severity", "message", "detail", "hint", "position", "schema_name", "table_name", "column_name",
             "data_type_name", "constraint_name", "context"]  # fmt: skip
    return [(name, getattr(error, name, None)) for name in names]


def test_prepared(postgres):
    async def act(connection, notes):
        cases = [(sql, []) for sql in STATEMENTS]
        cases += [(sql.format(*(f"${n + 1}" for n in range(len(values)))), values) for sql, values in PARAMETERS]
        for sql, values in cases:
            notes.append(sql)
            try:
                statement = await connection.prepare(sql)
                notes.append([(a.name, a.type) for a in statement.get_attributes()])
                notes.append([tuple(row) for row in await statement.fetch(*values)])
                notes.append(statement.get_statusmsg())
            except asyncpg.PostgresError as error:
                notes += told(error)
            except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
                notes.append(repr(error))
            await asyncio.sleep(0)

    compare(observe_by(act), postgres)


def test_simple(postgres):
    async def act(connection, notes):
        # asyncpg itself stumbles over texts without a statement.
        statements = [sql for sql in STATEMENTS if sql and not sql.startswith("--")]
        for sql in [*statements, "SELECT 1; SELECT 1/0; SELECT 2", "BEGIN; SELECT 1; COMMIT"]:
            try:
                notes.append(await connection.execute(sql))
            except asyncpg.PostgresError as error:
                notes += told(error)
            except asyncpg.InterfaceError as error:
                notes.append(repr(error))
            await asyncio.sleep(0)

    compare(observe_by(act), postgres)


def test_cursors_transactions_and_many_values(postgres):
    async def act(connection, notes):
        async with connection.transaction(isolation="repeatable_read"):
            cursor = await connection.cursor("SELECT i, 'row ' || i FROM generate_series(1, 1000) AS i")
            notes += [await cursor.fetch(3), await cursor.forward(100), await cursor.fetchrow()]
            notes += [row async for row in connection.cursor("SELECT * FROM stores ORDER BY 1", prefetch=5)]
            await connection.execute("CREATE TEMP TABLE many (id int PRIMARY KEY, word text)")
            await connection.executemany("INSERT INTO many VALUES ($1, $2)", [(n, f"w{n}") for n in range(2000)])
            try:
                async with connection.transaction():
                    await connection.executemany("INSERT INTO many VALUES ($1, $2)", [(n, "x") for n in (5000, 1)])
            except asyncpg.UniqueViolationError as error:
                notes += told(error)
            notes += await connection.fetch("SELECT count(*), max(word) FROM many")

    compare(observe_by(act), postgres)


@pytest.mark.parametrize("form", ["text", "csv", "binary"])
def test_copy(postgres, form):
    async def act(connection, notes):
        chunks = []

        async def take(chunk):
            chunks.append(bytes(chunk))

        await connection.execute("CREATE TEMP TABLE copied (id int, word text, amount numeric)")
        query = "SELECT i, 'wörd ' || i, i / 8.0 FROM generate_series(1, 30000) AS i"
        notes.append(await connection.copy_from_query(query, output=take, format=form))
        notes.append(hash(b"".join(chunks)))

        async def give():
            for chunk in chunks:
                yield chunk

        notes.append(await connection.copy_to_table("copied", source=give(), format=form))
        notes.append(await connection.copy_records_to_table("copied", records=[(n, None, n) for n in range(3000)]))
        notes += await connection.fetch("SELECT count(*), sum(id), max(word), sum(amount) FROM copied")

    compare(observe_by(act), postgres)


def test_notifications(postgres):
    async def act():
        heard = asyncio.Queue()
        waiting, telling = await asyncpg.connect(postgres.url), await asyncpg.connect(postgres.url)
        await waiting.add_listener("news", lambda *told: heard.put_nowait(told[1:]))
        for number in range(20):
            await telling.execute("SELECT pg_notify('news', $1)", str(number))
        got = [await asyncio.wait_for(heard.get(), DEADLINE) for _ in range(20)]
        pid = telling.get_server_pid()
        await waiting.close()
        await telling.close()
        return got, pid

    got, pid = asyncio.run(act())
    assert got == [(pid, "news", str(number)) for number in range(20)]
