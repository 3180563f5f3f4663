"""Files beside the one that is served: further schemas for every client."""

import re
import sqlite3
import subprocess

import pytest

from backends import QUERENT
from servers import Querent
from test_psql import ENVIRONMENT

OWN = "CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO goods VALUES (1, 'lamp');"
ARCHIVE = """
CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE sales (id INTEGER PRIMARY KEY, goods_id INTEGER NOT NULL REFERENCES goods (id), sold_on DATE);
CREATE INDEX sales_by_day ON sales (sold_on);
CREATE VIEW sold AS SELECT g.name, s.sold_on FROM sales AS s JOIN goods AS g ON g.id = s.goods_id;
INSERT INTO goods VALUES (1, 'old lamp');
INSERT INTO sales VALUES (1, 1, '2023-05-06');
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attached")
    for name, sql in [("own", OWN), ("archive", ARCHIVE)]:
        with sqlite3.connect(folder / f"{name}.db") as connection:
            connection.executescript(sql)
        connection.close()
    return folder


@pytest.fixture(scope="module")
def url(files):
    arguments = [f"sqlite:{files / 'own.db'}", "--attach", f"archive={files / 'archive.db'}"]
    with Querent(QUERENT, arguments, files) as querent:
        yield f"postgresql://tester@127.0.0.1:{querent.port}/own"


def psql(url, *commands):
    asked = [word for command in commands for word in ("-c", command)]
    ran = subprocess.run(
        ["psql", "-X", "-P", "pager=off", url, *asked], capture_output=True, text=True, env=ENVIRONMENT, timeout=60
    )
    assert "ERROR" not in ran.stderr, ran.stderr
    return re.sub(r"\s+", " ", ran.stdout)


@pytest.mark.parametrize(
    ("command", "shown", "hidden"),
    [
        ("\\dn", r"archive \| tester public \| pg_database_owner", "pg_catalog"),
        ("\\dt", r"public \| goods \| table", "archive"),
        ("\\dt *.*", r"archive \| goods \| table .*archive \| sales \| table .*public \| goods", "nothing"),
        ("\\dt archive.*", r"archive \| sales \| table", "public"),
        ("\\d archive.sales", r'sold_on \| date .*"sales_by_day" btree .*REFERENCES archive.goods\(id\)', "nothing"),
        ("\\d archive.goods", r'TABLE "archive.sales" CONSTRAINT', "nothing"),
        ("\\dv archive.*", r"archive \| sold \| view", "nothing"),
        ("\\di archive.*", r"archive \| sales_by_day \| index \| tester \| sales", "nothing"),
        ("SELECT name FROM goods", r"lamp", "old"),
        ("SELECT name FROM archive.goods", r"old lamp", "nothing"),
        ("SELECT o.name, a.name FROM goods o JOIN archive.goods a USING (id)", r"lamp \| old lamp", "nothing"),
    ],
)
def test_psql(url, command, shown, hidden):
    told = psql(url, command)
    assert re.search(shown, told) and hidden not in told, told


def test_writes_go_to_their_file_in_one_transaction(url, files):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO archive.goods SELECT id + 10, name FROM goods")
        connection.execute("DELETE FROM goods")
        with connection.cursor("c") as cursor:
            assert cursor.execute("SELECT name FROM archive.goods ORDER BY id").fetchall() == [("old lamp",), ("lamp",)]
        connection.rollback()
        assert connection.execute("SELECT count(*) FROM goods").fetchone() == (1,)
        added = connection.execute("INSERT INTO archive.goods (name) VALUES (%s) RETURNING id", ["chair"]).fetchone()
        connection.execute("CREATE TABLE archive.made (a int4)")
        oid = connection.execute("SELECT 'archive.made'::regclass::oid").fetchone()
        connection.commit()
        assert connection.execute("SELECT 'archive.made'::regclass::oid").fetchone() == oid
        connection.execute("DROP TABLE archive.made")
        connection.execute("UPDATE archive.goods SET name = 'stool' WHERE id = %s", added)
        connection.commit()
    with sqlite3.connect(files / "archive.db") as plain:
        assert plain.execute("SELECT name FROM goods WHERE id > 1").fetchall() == [("stool",)]
    plain.close()


def test_sqlalchemy_inspects_a_schema(url):
    sqlalchemy = pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg")
    engine = sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    inspector = sqlalchemy.inspect(engine)
    assert set(inspector.get_schema_names()) >= {"archive", "public"}
    assert inspector.get_table_names() == ["goods"]
    assert sorted(inspector.get_table_names(schema="archive")) == ["goods", "sales"]
    assert inspector.get_view_names(schema="archive") == ["sold"]
    (key,) = inspector.get_foreign_keys("sales", schema="archive")
    assert (key["referred_schema"], key["referred_table"]) == ("archive", "goods")
    assert [index["name"] for index in inspector.get_indexes("sales", schema="archive")] == ["sales_by_day"]
    sales = sqlalchemy.Table("sales", sqlalchemy.MetaData(), schema="archive", autoload_with=engine)
    with engine.connect() as connection:
        (row,) = connection.execute(sqlalchemy.select(sales)).all()
    assert row.sold_on.year == 2023
    engine.dispose()


def test_questions_do_not_read_attached_files(url):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("-- nl: how many goods are there").fetchone() == (1,)
        with pytest.raises(psycopg.Error) as refused:
            connection.execute("-- nl: how many sales are there")
        assert refused.value.sqlstate == "NL001"
        joined = "SELECT * FROM nl('how many goods are there') AS n, archive.sales"
        assert len(connection.execute(joined).fetchall()) == 1


@pytest.mark.parametrize(
    ("attached", "told"),
    [
        ("archive=missing.db", "the schema archive cannot be attached: the file missing.db does not exist"),
        ("public=archive.db", "that schema is there already"),
        ("pg_temp=archive.db", "the system's own"),
        ("own=own.db", "it is public already"),
        ("archive", "write NAME=PATH"),
    ],
)
def test_what_cannot_be_attached_is_told_at_the_start(files, attached, told):
    command = [QUERENT, "serve", "sqlite:own.db", "--listen", "127.0.0.1:0", "--console", "off", "--attach", attached]
    ran = subprocess.run(command, cwd=files, capture_output=True, text=True, timeout=30)
    assert ran.returncode in (1, 2) and told in ran.stderr, ran.stderr
