"""psycopg 3 and 2 see the same through Querent as without it."""

import contextlib
import select
import time

import pytest

psycopg = pytest.importorskip("psycopg")
psycopg2 = pytest.importorskip("psycopg2")

import psycopg2.extensions  # noqa: E402
from ordinary import PARAMETERS, STATEMENTS, compare  # noqa: E402

DEADLINE = 30
FIELDS = list(psycopg.pq.DiagnosticField)
ROW_COUNT = 20_000


def told(error):
    """All fields of an error or a notice, but the lines of the server's source."""
    fields = [(field.name, getattr(error.diag, field.name.lower(), None)) for field in FIELDS]
    return sorted(pair for pair in fields if pair[1] is not None and not pair[0].startswith("SOURCE_"))


def described(cursor):
    return [(column.name, column.type_code, column.internal_size, column.precision) for column in cursor.description or []]


def results(cursor):
    """Every result of a statement text: its columns, rows, tag."""
    while True:
        rows = cursor.fetchall() if cursor.description else None
        yield cursor.statusmessage, described(cursor), rows, cursor.rowcount
        if not cursor.nextset():
            return


@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_psycopg3_statements(postgres, prepare, binary):
    def observe(url):
        notes = []
        with psycopg.connect(url, autocommit=True) as connection:
            connection.add_notice_handler(lambda notice: notes.append(("notice", told_notice(notice))))
            connection.add_notify_handler(lambda notify: notes.append(("notify", notify.channel, notify.payload)))
            cases = [(sql, None) for sql in STATEMENTS]
            cases += [(sql.format(*["%s"] * len(values)), values) for sql, values in PARAMETERS]
            for sql, values in cases:
                notes.append(sql)
                cursor = connection.cursor(binary=binary)
                try:
                    # A percent sign is a placeholder only where there are values.
                    cursor.execute(sql, values, prepare=prepare)
                    notes += results(cursor)
                except psycopg.Error as error:
                    notes.append(told(error))
                except (UnicodeDecodeError, NotImplementedError) as error:
                    notes.append(repr(error))
                notes.append(connection.info.transaction_status.name)
        return notes

    compare(observe, postgres)


def told_notice(notice):
    return sorted((f.name, getattr(notice, f.name.lower(), None)) for f in FIELDS if not f.name.startswith("SOURCE_"))


def test_psycopg3_transactions(postgres):
    def observe(url):
        notes = []
        with psycopg.connect(url) as connection:
            for sql in ["SELECT 1", "SAVEPOINT a", "SELECT 1/0", "SELECT 2", "ROLLBACK TO a", "SELECT 3", "COMMIT", "BEGIN READ ONLY",
                        "CREATE TABLE t ()", "ROLLBACK", "BEGIN ISOLATION LEVEL SERIALIZABLE", "SHOW transaction_isolation", "END AND CHAIN",
                        "PREPARE TRANSACTION 'p'", "ROLLBACK PREPARED 'p'"]:  # fmt: skip
                try:
                    notes += results(connection.execute(sql))
                except psycopg.Error as error:
                    notes.append(told(error))
                notes.append(connection.info.transaction_status.name)
            connection.rollback()
            connection.autocommit = True
            notes += results(connection.execute("ROLLBACK PREPARED 'p'"))
        return notes

    compare(observe, postgres)


def test_psycopg3_pipelines(postgres):
    """Which call raises an error depends on when the server's answer comes; what is told of each statement does not."""

    def observe(url):
        notes = []
        with psycopg.connect(url, autocommit=True) as connection:
            for wrong in (None, "SELECT 1/%s::int", "SELEC %s"):
                statements = [("SELECT %s::int, repeat('y', 5000)", [n]) for n in range(300)]
                statements += [(wrong, [0])] if wrong else []
                statements += [("SELECT 'behind'",), None, ("SELECT 'in the next'",)]
                cursors, errors = [], []
                with kept(errors), connection.pipeline() as pipeline:
                    for statement in statements:
                        with kept(errors):
                            if statement is None:
                                pipeline.sync()
                            else:
                                cursors.append(connection.cursor())
                                cursors[-1].execute(*statement)
                notes += [told(error) for error in errors]
                for cursor in cursors:
                    try:
                        notes.append((cursor.statusmessage, cursor.fetchall()))
                    except psycopg.Error as error:
                        notes.append(repr(error))
                notes.append(connection.info.transaction_status.name)
        return notes

    compare(observe, postgres)


@contextlib.contextmanager
def kept(errors):
    """Keeps the server's errors that a block raises, and those that one replaced on its way out."""
    try:
        yield
    except psycopg.Error as error:
        while error is not None:
            if not isinstance(error, psycopg.errors.PipelineAborted):
                errors.append(error)
            error = error.__context__


@pytest.mark.parametrize("form", ["TEXT", "CSV", "BINARY"])
def test_psycopg3_copy(postgres, form):
    def observe(url):
        notes = []
        with psycopg.connect(url) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE copied (id int, word text, amount numeric)")
            with cursor.copy(f"COPY (SELECT i, 'wörd ' || i, i / 8.0 FROM generate_series(1, {ROW_COUNT}) AS i) TO STDOUT ({form_of(form)})") as out:
                chunks = [bytes(chunk) for chunk in out]
            notes += [len(chunks), hash(b"".join(chunks))]
            with cursor.copy(f"COPY copied FROM STDIN ({form_of(form)})") as copy:
                for chunk in chunks:
                    copy.write(chunk)
            notes += [cursor.statusmessage, *cursor.execute("SELECT count(*), sum(id), max(word), sum(amount) FROM copied").fetchall()]
            connection.commit()
            for bad in ([b"1\t2\t3\t4\n"], [b"not a number\tx\t1\n"], [b"\xff\xfe\n"]):
                try:
                    with cursor.copy("COPY copied FROM STDIN") as copy:
                        for chunk in bad:
                            copy.write(chunk)
                except psycopg.Error as error:
                    notes.append(told(error))
                connection.rollback()
            with pytest.raises(ZeroDivisionError), cursor.copy("COPY copied FROM STDIN") as copy:
                copy.write(b"1\tx\t1\n")
                raise ZeroDivisionError  # the client gives up: CopyFail
            notes.append(connection.info.transaction_status.name)
        return notes

    def form_of(form):
        return f"FORMAT {form}"

    compare(observe, postgres)


@pytest.mark.parametrize("scrollable", [False, True])
def test_psycopg3_server_side_cursors(postgres, scrollable):
    def observe(url):
        notes = []
        with psycopg.connect(url) as connection, connection.cursor(name="c", scrollable=scrollable, withhold=True) as cursor:
            cursor.execute("SELECT i, 'row ' || i FROM generate_series(1, 1000) AS i")
            notes += [cursor.fetchmany(3), cursor.fetchone()]
            if scrollable:
                cursor.scroll(500, mode="absolute")
            connection.commit()
            notes += [cursor.fetchmany(2), len(cursor.fetchall()), described(cursor)]
            notes += list(connection.cursor().stream("SELECT i FROM generate_series(1, 2000) AS i"))
        return notes

    compare(observe, postgres)


def test_psycopg3_two_phase_and_parameter_status(postgres):
    def observe(url):
        with psycopg.connect(url) as connection:
            info = connection.info
            names = ["server_version", "server_encoding", "client_encoding", "DateStyle", "TimeZone", "is_superuser", "session_authorization"]
            notes = [(name, info.parameter_status(name)) for name in names]
            for setting in ("client_encoding = 'LATIN1'", "TimeZone = 'Asia/Tokyo'", "application_name = 'x'", "IntervalStyle = 'iso_8601'"):
                connection.execute(f"SET {setting}")
                notes += [info.encoding, info.parameter_status("TimeZone"), info.parameter_status("application_name")]
                notes += connection.execute("SELECT 'é'::text, interval '90 minutes'::text, 'epoch'::timestamptz").fetchall()
            connection.rollback()
            connection.tpc_begin("querent-test")
            connection.execute("SELECT 1")
            connection.tpc_prepare()
            connection.tpc_rollback()
            notes += connection.execute("SELECT * FROM pg_prepared_xacts").fetchall()
        return notes

    compare(observe, postgres)


def test_psycopg3_notifications(postgres):
    """Between two sessions, and to one that only waits."""
    with psycopg.connect(postgres.url, autocommit=True) as waiting, psycopg.connect(postgres.url, autocommit=True) as telling:
        waiting.execute("LISTEN news")
        for number in range(50):
            telling.execute("SELECT pg_notify('news', %s)", [f"{number} {'x' * 7000}"])
        heard = [notify for notify in waiting.notifies(timeout=DEADLINE, stop_after=50)]
    assert [int(notify.payload.split()[0]) for notify in heard] == list(range(50))
    assert {notify.pid for notify in heard} == {telling.info.backend_pid} if not telling.closed else True


def test_psycopg2_statements(postgres):
    def observe(url):
        connection = psycopg2.connect(url)
        connection.autocommit = True
        notes = []
        for sql in STATEMENTS[:1] + [sql for sql in STATEMENTS if sql]:
            notes.append(sql)
            with connection.cursor() as cursor:
                try:
                    cursor.execute(sql)
                    rows = cursor.fetchall() if cursor.description else None
                    notes += [cursor.statusmessage, cursor.rowcount, cursor.description, rows and [tuple(map(plain, row)) for row in rows]]
                except psycopg2.Error as error:
                    notes.append((error.pgcode, error.pgerror, error.diag.message_detail, error.diag.constraint_name))
            notes += connection.notices
            notes.append(connection.info.transaction_status)
            connection.notices.clear()
        connection.close()
        return notes

    def plain(value):
        return bytes(value) if isinstance(value, memoryview) else value

    compare(observe, postgres)


def test_psycopg2_several_statements_in_one_text(postgres):
    texts = [
        "SELECT 1; SELECT 2",
        "INSERT INTO tags VALUES (90001, 'one'); SELECT 1/0; INSERT INTO tags VALUES (90002, 'two')",
        "BEGIN; INSERT INTO tags VALUES (90003, 'x'); ROLLBACK; SELECT count(*) FROM tags WHERE tag_id > 90000",
        "SELECT 1;; ; SELECT 'a;b' -- ; comment\n; /* ; */ SELECT 3",
    ]

    def observe(url):
        connection = psycopg2.connect(url)
        connection.autocommit = True
        notes = []
        for text in texts:
            with connection.cursor() as cursor:
                try:
                    cursor.execute(text)
                    notes.append((cursor.statusmessage, cursor.fetchall()))
                except psycopg2.Error as error:
                    notes.append(error.pgerror)
        connection.close()
        return notes

    compare(observe, postgres)


def test_psycopg2_copy_and_large_objects(postgres, tmp_path):
    def observe(url):
        connection = psycopg2.connect(url)
        notes, data = [], bytes(range(256)) * 1000
        with connection.cursor() as cursor, (tmp_path / "copied").open("w+b") as file:
            cursor.copy_expert("COPY stores TO STDOUT (FORMAT csv, HEADER)", file)
            file.seek(0)
            notes.append(file.read())
            file.seek(0)
            cursor.execute("CREATE TEMP TABLE again (LIKE stores)")
            cursor.copy_expert("COPY again FROM STDIN (FORMAT csv, HEADER)", file)
            notes.append(cursor.rowcount)
        # FunctionCall messages: libpq's large objects are the ones who still use them.
        large = connection.lobject(0, "wb")
        notes.append(large.write(data))
        large.seek(100)
        notes.append(large.tell())
        large.truncate(200_000)
        large.close()
        large = connection.lobject(large.oid, "rb")
        notes += [hash(large.read()), large.seek(0), large.read(10)]
        large.unlink()
        for wrong in (lambda: connection.lobject(1, "rb"), lambda: connection.lobject(1).unlink()):
            try:
                wrong()
            except psycopg2.Error as error:
                notes.append((error.pgcode, str(error)))
            connection.rollback()
        connection.close()
        return notes

    compare(observe, postgres)


def test_psycopg2_waits_without_blocking(postgres):
    connection = psycopg2.connect(postgres.url, async_=True)
    wait(connection)
    cursor = connection.cursor()
    cursor.execute("LISTEN quiet; SELECT pg_sleep(0.1), pg_notify('quiet', 'said')")
    wait(connection)
    assert len(cursor.fetchall()) == 1
    deadline = time.monotonic() + DEADLINE
    while not connection.notifies and time.monotonic() < deadline:
        select.select([connection], [], [], 1)
        connection.poll()
    assert [notify.payload for notify in connection.notifies] == ["said"]
    connection.close()


def wait(connection):
    while True:
        state = connection.poll()
        if state == psycopg2.extensions.POLL_OK:
            return
        reads, writes = ([connection], []) if state == psycopg2.extensions.POLL_READ else ([], [connection])
        ready = select.select(reads, writes, [], DEADLINE)
        assert ready != ([], [], []), "nothing came"
