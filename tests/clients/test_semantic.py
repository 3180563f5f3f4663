"""A semantic model in a running server: a wrong one is told with its place, and the last good one stays in force."""

import signal
import sqlite3
import subprocess

import psycopg

from backends import QUERENT, Querent
from ordinary import wait_for

MODEL = """version: 0.2.0.dev0
semantic_model:
- name: shop
  datasets:
  - {name: sales, source: sales}
  metrics:
  - name: revenue
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.total)}]}
"""


def made(folder):
    path = folder / "shop.sqlite"
    file = sqlite3.connect(path)
    file.executescript("""
        CREATE TABLE sales (id INTEGER PRIMARY KEY, total INTEGER);
        INSERT INTO sales VALUES (1, 10), (2, 20);
    """)
    file.close()
    return path


def test_the_last_good_model_stays(tmp_path):
    model = tmp_path / "shop.yaml"
    model.write_text(MODEL)
    arguments = [f"sqlite:{made(tmp_path)}", "--model-file", str(model)]
    with Querent(QUERENT, arguments, tmp_path) as querent:
        target = f"host=127.0.0.1 port={querent.port} user=x dbname=shop"
        model.write_text(MODEL.replace("total", "nothing"))
        querent.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the last good ones stay" in querent.told())
        assert "shop.yaml:8:17: revenue: sales has no column or field nothing" in querent.told()
        with psycopg.connect(target, autocommit=True) as session:
            rows = session.execute("SELECT step, detail FROM nl('the total revenue of the sales', 'explain')").fetchall()
            definitions = [detail for step, detail in rows if step.startswith("definition")]
            assert definitions and all("SUM(sales.total), from shop.yaml" in detail for detail in definitions), rows
        model.write_text(MODEL)
        before = querent.told().count("settings reloaded")
        querent.process.send_signal(signal.SIGHUP)
        wait_for(lambda: querent.told().count("settings reloaded") > before)
        assert querent.stop() == 0, querent.told()


def test_a_wrong_model_keeps_the_server_from_starting(tmp_path):
    model = tmp_path / "shop.yaml"
    for text, place in [(MODEL.replace("total", "nothing"), ":8:17: "), ("semantic_model: [", ":1:")]:
        model.write_text(text)
        told = subprocess.run([QUERENT, "serve", f"sqlite:{made_once(tmp_path)}", "--model-file", str(model), "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=60)
        assert told.returncode == 1 and f"shop.yaml{place}" in told.stderr, told.stderr


def made_once(folder):
    path = folder / "shop.sqlite"
    return path if path.exists() else made(folder)
