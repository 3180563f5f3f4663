"""What `querent audit` tells of questions that psycopg 3 has asked."""

import json
import subprocess
import time

import pytest

from backends import QUERENT

psycopg = pytest.importorskip("psycopg")

QUESTION = "how many customers are there in each country?"


def audit(server, *arguments):
    """The program, with the settings of the server."""
    ran = subprocess.run(
        [QUERENT, "audit", *arguments],
        env=server.querent.environment,
        cwd=server.querent.folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def entries(server, application, count):
    """The questions of one application, once there are so many that have ended; other tests ask the same server."""
    deadline = time.monotonic() + 20
    while True:
        found = json.loads(audit(server, "--user", "tester", "--format", "json"))
        found = [entry for entry in found if entry["application"] == application]
        if len(found) >= count and all(entry["outcome"] for entry in found):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def test_each_question_is_told_with_its_end(server):
    name = "the auditor's test"
    with psycopg.connect(server.url, autocommit=True, application_name=name) as connection:
        rows = connection.execute(f"-- nl: {QUESTION}").fetchall()
        assert connection.execute("SELECT * FROM nl(%s)", [QUESTION]).fetchall() == rows
        with pytest.raises(psycopg.Error) as refused:
            connection.execute("-- nl: frobnicate the zorblax")
        with connection.cursor(name="some") as cursor, connection.transaction():
            cursor.execute(f"SELECT * FROM nl('{QUESTION}')")
            assert len(cursor.fetchmany(2)) == 2
    mine = entries(server, name, 4)
    assert [(entry["decision"], entry["outcome"], entry["rows"]) for entry in mine] == [
        ("allowed", "ok", len(rows)),
        ("allowed", "ok", len(rows)),
        ("refused", "refused", None),
        ("allowed", mine[3]["outcome"], mine[3]["rows"]),
    ]
    assert mine[3]["rows"] >= 2
    assert [entry["question"] for entry in mine[:2]] == [QUESTION] * 2
    assert mine[2]["sqlstate"] == refused.value.sqlstate
    assert mine[0]["sql"].startswith("SELECT") and mine[0]["address"] == "127.0.0.1"
    assert audit(server, "--verify").startswith("the chain holds")
