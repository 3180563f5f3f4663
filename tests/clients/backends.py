"""What clients are tested against: the sample shop in a SQLite file, and the same shop in a PostgreSQL server."""

import os
import pathlib
import re
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from servers import Cluster, Querent, find_postgres  # noqa: E402

QUERENT = os.environ.get("QUERENT", str(ROOT / "target/debug/querent"))
ASK_KEYWORD = {
    "QUERENT_ASK_KEYWORD": "true",
    "QUERENT_LIMITS__CONNECTIONS": "300",
    # The demo keeps no audit unless it is told to.
    "QUERENT_AUDIT__ENABLED": "true",
}
SHOP = "shop"
ANY = "127.0.0.1:0"


class SqliteShop:
    """`querent demo`: it makes the file and serves it."""

    backend = "sqlite"

    def __init__(self, folder):
        self.querent = Querent(QUERENT, [], folder, name="demo", subcommand="demo", environment=ASK_KEYWORD, console=ANY)

    def start(self):
        self.querent.start()
        self.host, self.port = "127.0.0.1", self.querent.port
        self.path = re.search(r"/\S+\.sqlite", self.querent.told())[0]
        self.url = f"postgresql://tester@{self.host}:{self.port}/{SHOP}"
        self.tables = [name for (name,) in self.plain("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        return self

    def stop(self):
        assert self.querent.stop() == 0, self.querent.told()
        assert not pathlib.Path(self.path).exists(), "the demo left its file behind"

    def kill(self):
        self.querent.kill()

    def plain(self, sql):
        """What SQLite itself answers, without any of Querent."""
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


class PostgresShop:
    """A PostgreSQL cluster with the shop, and `querent serve` before it."""

    backend = "postgres"

    def __init__(self, folder, shop, *, programs=None, settings=None):
        # Enough for every theme: prepared transactions, logical replication, many sessions at once.
        enough = {"max_connections": 300, "wal_level": "logical", "max_prepared_transactions": 5, "fsync": "off"}
        self.cluster = Cluster(folder / "data", programs=programs, settings=enough | (settings or {}))
        self.folder, self.shop, self.querent = folder, shop, None

    def start(self):
        self.cluster.start()
        self.direct_port = self.cluster.port
        self.direct_url = self.url_at(self.direct_port)
        with self.as_superuser() as connection:
            connection.execute("CREATE ROLE tester SUPERUSER LOGIN REPLICATION")
        self.fill(SHOP)
        self.querent = Querent(QUERENT, [self.backend_url()], self.folder, environment=ASK_KEYWORD, console=ANY).start()
        self.host, self.port = "127.0.0.1", self.querent.port
        self.url = self.url_at(self.port)
        return self

    def backend_url(self):
        return f"postgres://127.0.0.1:{self.direct_port}?sslmode=disable"

    @staticmethod
    def url_at(port):
        return f"postgresql://tester@127.0.0.1:{port}/{SHOP}"

    def as_superuser(self):
        import psycopg

        return psycopg.connect(host="127.0.0.1", port=self.direct_port, user="postgres", autocommit=True)

    def fill(self, database):
        """A database with the tables and rows of the shop's file, without what tests made there."""
        import psycopg

        with self.as_superuser() as connection:
            connection.execute(f"CREATE DATABASE {database} OWNER tester")
        file = sqlite3.connect(f"file:{self.shop.path}?mode=ro", uri=True)
        with psycopg.connect(self.direct_url.replace(f"/{SHOP}", f"/{database}")) as connection:
            connection.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
            connection.execute("CREATE DOMAIN rating AS integer CHECK (VALUE BETWEEN 1 AND 5)")
            connection.execute("SET session_replication_role = replica")  # rows come in any order
            for name in self.shop.tables:
                (sql,) = file.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [name]).fetchone()
                connection.execute(sql.replace("BOOLEAN NOT NULL DEFAULT 0", "BOOLEAN NOT NULL DEFAULT false"))
                with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                    for row in file.execute(f"SELECT * FROM {name}"):
                        copy.write_row(row)
            connection.commit()
            connection.autocommit = True
            connection.execute("ANALYZE")
        file.close()

    def stop(self):
        assert self.querent.stop() == 0, self.querent.told()

    def kill(self):
        if self.querent is not None:
            self.querent.kill()
        self.cluster.stop("immediate")

    def do(self, sql):
        """Runs SQL without any of Querent, and without an answer."""
        import psycopg

        with psycopg.connect(self.direct_url, autocommit=True) as connection:
            connection.execute(sql)

    def plain(self, sql):
        """What PostgreSQL itself answers, without any of Querent."""
        import psycopg

        with psycopg.connect(self.direct_url, autocommit=True) as connection:
            return connection.execute(sql).fetchall()


__all__ = ["QUERENT", "ROOT", "SHOP", "Cluster", "PostgresShop", "Querent", "SqliteShop", "find_postgres"]
