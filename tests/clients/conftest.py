"""Starts the sample shop on each backend for all clients, and tells at the end how each client fared."""

import collections
import pathlib

import pytest

from backends import PostgresShop, SqliteShop, find_postgres
from servers import work_folder


@pytest.fixture(scope="session")
def sqlite_shop(tmp_path_factory):
    yield from running(SqliteShop(tmp_path_factory.mktemp("querent")))


@pytest.fixture(scope="session")
def postgres(sqlite_shop):
    """PostgreSQL with the shop, and Querent before it."""
    if find_postgres() is None:
        pytest.skip("PostgreSQL 15 is not installed: apt-get install postgresql-15")
    pytest.importorskip("psycopg")
    with work_folder("clients") as folder:
        yield from running(PostgresShop(folder, sqlite_shop))


def running(shop):
    try:
        yield shop.start()
        shop.stop()
    finally:
        shop.kill()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def server(request):
    """The shop on each backend: what is asked of it must not depend on where it is kept."""
    return request.getfixturevalue({"sqlite": "sqlite_shop", "postgres": "postgres"}[request.param])


def pytest_terminal_summary(terminalreporter):
    clients = collections.defaultdict(collections.Counter)
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            file = pathlib.Path(report.nodeid.split("::")[0]).stem
            clients[file.removeprefix("test_")][outcome] += 1
    terminalreporter.section("clients")
    for client, outcomes in sorted(clients.items()):
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        terminalreporter.write_line(f"{client:12} {told}")
