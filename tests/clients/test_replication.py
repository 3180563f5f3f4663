"""Replication connections: base backups, WAL, logical decoding pass like everything else."""

import subprocess
import threading

import pytest

from ordinary import wait_for
from raw import Raw, first_error, query, tags
from servers import clean_environment, unprivileged, work_folder

psycopg2 = pytest.importorskip("psycopg2")

import psycopg2.extras  # noqa: E402

DEADLINE = 120


def run(postgres, program, *arguments):
    """Runs a program of PostgreSQL's that connects through Querent."""
    command = [str(postgres.cluster.programs / program), "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "tester", *arguments]
    environment = clean_environment(HOME="/tmp")
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, env=environment, check=False, cwd="/", **unprivileged())


@pytest.mark.parametrize("wal", ["stream", "fetch"])
@pytest.mark.parametrize("form", ["plain", "tar"])
def test_base_backup(postgres, wal, form):
    with work_folder("backup") as folder:
        ran = run(postgres, "pg_basebackup", "-D", str(folder / "copy"), "-X", wal, "-F", form, "-c", "fast", "--no-sync")
        assert ran.returncode == 0, ran.stderr
        if form == "plain":
            verified = postgres.cluster.run("pg_verifybackup", folder / "copy")
            assert b"successfully verified" in verified.stdout


def test_wal_is_received(postgres):
    with work_folder("wal") as folder:
        end = postgres.plain("SELECT pg_current_wal_lsn()")[0][0]
        # It streams from where the server stands, so it needs something to come after it has begun.
        stop = threading.Event()
        writer = threading.Thread(target=write_until, args=(postgres, stop))
        writer.start()
        try:
            ran = run(postgres, "pg_receivewal", "-D", str(folder), "--endpos", later(end), "--no-sync", "--no-loop")
        finally:
            stop.set()
            writer.join()
        assert ran.returncode == 0, ran.stderr
        written = postgres.cluster.folder / "pg_wal"
        for file in folder.iterdir():
            # What is left of the last file is filled with zeros.
            received = file.read_bytes().rstrip(b"\0")
            assert received and (written / file.name.removesuffix(".partial")).read_bytes().startswith(received)


def later(position):
    high, low = position.split("/")
    return f"{high}/{int(low, 16) + 100_000:X}"


def write_until(postgres, stop):
    while not stop.wait(0.05):
        postgres.plain("SELECT pg_logical_emit_message(false, 'test', repeat('x', 50000))")


def test_logical_decoding(postgres):
    """psycopg 2's replication connection: a slot, its stream in COPY both ways, feedback, and the end."""
    postgres.do("CREATE TABLE decoded (n int PRIMARY KEY, word text)")
    connection = psycopg2.connect(postgres.url, connection_factory=psycopg2.extras.LogicalReplicationConnection)
    try:
        cursor = connection.cursor()
        cursor.create_replication_slot("querent_test", output_plugin="test_decoding")
        cursor.start_replication("querent_test", decode=True, status_interval=1)
        postgres.do("INSERT INTO decoded SELECT i, 'wörd ' || i FROM generate_series(1, 200) AS i")
        heard = []

        def take():
            message = cursor.read_message()
            if message is not None:
                heard.append(message.payload)
                message.cursor.send_feedback(flush_lsn=message.data_start)
            return heard and heard[-1].startswith("COMMIT") and len(heard) > 200

        wait_for(take)
        assert sum("INSERT: n[integer]" in line for line in heard) == 200
        assert "word[text]:'wörd 77'" in "".join(heard)
    finally:
        connection.close()
        active = "SELECT active FROM pg_replication_slots WHERE slot_name = 'querent_test'"
        wait_for(lambda: postgres.plain(active) == [(False,)])
        postgres.plain("SELECT pg_drop_replication_slot('querent_test')")
        postgres.do("DROP TABLE decoded")


def test_walsender_commands(postgres):
    commands = ["IDENTIFY_SYSTEM", "SHOW wal_level", "SELECT 1", "TIMELINE_HISTORY 99", "NO SUCH COMMAND", "READ_REPLICATION_SLOT none"]
    told = []
    for port in (postgres.direct_port, postgres.port):
        with Raw(port, replication="database") as session:
            answers = [session.ask(query(command)) for command in commands]
            told.append([(tags(answer), (first_error(answer) or {}).get("C")) for answer in answers])
    assert told[0] == told[1]
    with Raw(postgres.port, replication="true") as session:
        assert tags(session.ask(query("IDENTIFY_SYSTEM"))) == "TDCZ"
