"""What a configuration protects stays protected: a reload of an empty file takes nothing away, an empty password lets nobody
in, and questions know of no table that they may not read."""

import signal
import sqlite3
import subprocess

import psycopg
import pytest

from backends import QUERENT, Querent
from ordinary import wait_for


def made(folder):
    path = folder / "shop.sqlite"
    file = sqlite3.connect(path)
    file.executescript("""
        CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO goods VALUES (1, 'tea');
        CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx);
        INSERT INTO boxes VALUES (1, 0, 1);
        CREATE VIRTUAL TABLE notes USING fts5(body);
        INSERT INTO notes VALUES ('hello');
    """)
    file.close()
    return path


def test_a_reload_of_an_empty_file_takes_nothing_away(tmp_path):
    configuration = tmp_path / "querent.toml"
    configuration.write_text('[[policy.rule]]\ndeny = ["goods"]\n')
    with Querent(QUERENT, [f"sqlite:{made(tmp_path)}", "--config", str(configuration)], tmp_path) as querent:
        target = f"host=127.0.0.1 port={querent.port} user=x dbname=shop"

        def ask():
            with psycopg.connect(target, autocommit=True) as session:
                return session.execute("SELECT * FROM nl('how many goods are there')").fetchall()

        for emptied in ("", "# nothing\n", 'notices = "off"\n'):
            configuration.write_text(emptied)
            before = querent.told().count("settings not reloaded")
            querent.process.send_signal(signal.SIGHUP)
            wait_for(lambda: querent.told().count("settings not reloaded") > before)
            assert "the configuration is empty or gone" in querent.told() or "policy.rule" in querent.told()
            with pytest.raises(psycopg.Error):
                ask()
        configuration.write_text('[[policy.rule]]\ndeny = ["notes"]\n')
        querent.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "settings reloaded" in querent.told())
        assert ask() == [(1,)]
        assert querent.stop() == 0, querent.told()


def test_an_empty_password_is_refused(tmp_path):
    configuration = tmp_path / "querent.toml"
    configuration.write_text('[auth]\nmode = "scram"\n[auth.users]\nada = ""\n')
    told = subprocess.run([QUERENT, "serve", f"sqlite:{made(tmp_path)}", "--config", str(configuration), "--listen", "127.0.0.1:0"],
                          capture_output=True, text=True, timeout=60)
    assert told.returncode != 0 and "empty password for ada" in told.stderr, told.stderr


def test_questions_know_what_they_may_read(tmp_path):
    with Querent(QUERENT, [f"sqlite:{made(tmp_path)}"], tmp_path) as querent:
        target = f"host=127.0.0.1 port={querent.port} user=x dbname=shop"
        with psycopg.connect(target, autocommit=True) as session:
            assert session.execute("SELECT * FROM nl('show all notes')").fetchall() == [("hello",)]
            with pytest.raises(psycopg.Error) as caught:
                session.execute("SELECT * FROM nl('show all boxes')")
            assert caught.value.sqlstate == "NL001", caught.value
            # The client's own SQL reads it.
            assert session.execute("SELECT count(*) FROM boxes").fetchone() == (1,)
        assert querent.stop() == 0, querent.told()
