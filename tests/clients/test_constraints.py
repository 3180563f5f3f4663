"""Violated constraints: the code, the words and every field that PostgreSQL tells, told for a SQLite file too, of rows and of tables."""

import pytest

psycopg = pytest.importorskip("psycopg")

TABLES = """
DROP TABLE IF EXISTS child;
DROP TABLE IF EXISTS again;
DROP TABLE IF EXISTS parent;
CREATE TABLE parent (
    id integer PRIMARY KEY, a integer UNIQUE, b text NOT NULL, c boolean, d numeric(6,2) CHECK (d > 0),
    CONSTRAINT pair UNIQUE (b, c), CONSTRAINT late CHECK (id < 100));
CREATE UNIQUE INDEX parent_by_d ON parent (d);
CREATE TABLE child (
    id integer PRIMARY KEY, parent integer REFERENCES parent (id), word text DEFAULT 'w' CHECK (length(word) < 5),
    other integer, CONSTRAINT to_a FOREIGN KEY (other) REFERENCES parent (a));
INSERT INTO parent VALUES (1, 10, 'x', true, 1.50), (2, 20, 'y', false, 2.50);
INSERT INTO child VALUES (1, 1, 'one', 20);
CREATE TABLE again (n integer, w text, d numeric(6,2) DEFAULT 7.5, day date, kind text CHECK (kind <> 'none'));
INSERT INTO again VALUES (1, 'X', 1.5, '2024-01-01'), (1, 'x', 1.5, '2024-01-01'), (2, NULL, NULL, NULL)
"""

STATEMENTS = [
    ("INSERT INTO parent VALUES (1, 30, 'z', true, 3)", ()),
    ("INSERT INTO parent (id, a, b) VALUES (%s, %s, %s)", (5, 10, "z")),
    ("INSERT INTO parent (id, b, c) VALUES (4, 'u', true), (5, 'x', true)", ()),
    ("INSERT INTO parent (id, b, d) SELECT 7, 'v', 1.5", ()),
    ("INSERT INTO parent (id) VALUES (8)", ()),
    ("INSERT INTO parent (id, b) VALUES (9, NULL)", ()),
    ("INSERT INTO parent (id, b, d) VALUES (9, 'k', -1)", ()),
    ("INSERT INTO parent (id, b) VALUES (100, 'k')", ()),
    ("INSERT INTO child (id, parent) VALUES (2, 99)", ()),
    ("INSERT INTO child (id, other) VALUES (%s, %s)", (2, 99)),
    ("INSERT INTO child (id, word) VALUES (3, 'too long')", ()),
    ("UPDATE parent SET id = 2 WHERE id = 1 AND a = 10", ()),
    ("UPDATE parent SET a = %s WHERE id = 1", (20,)),
    ("UPDATE child SET parent = 77", ()),
    ("UPDATE parent SET b = NULL WHERE id = 1", ()),
    ("DELETE FROM parent WHERE id = 1", ()),
    ("DELETE FROM parent WHERE a = %s", (20,)),
    ("INSERT INTO again (n, kind) VALUES (3, 'none')", ()),
    ("CREATE UNIQUE INDEX again_n ON again (n)", ()),
    ("CREATE UNIQUE INDEX ON again (d, day)", ()),
    ("CREATE UNIQUE INDEX again_w ON again (lower(w)) WHERE n > 0", ()),
    ("ALTER TABLE again ADD UNIQUE (n)", ()),
    ("ALTER TABLE again ADD CONSTRAINT own UNIQUE (d, day)", ()),
    ("ALTER TABLE again ADD PRIMARY KEY (n)", ()),
    ("ALTER TABLE again ADD PRIMARY KEY (w)", ()),
    ("ALTER TABLE again ADD CHECK (n > 1)", ()),
    ("ALTER TABLE again ADD CONSTRAINT own CHECK (n > 1 OR w = 'x')", ()),
    ("ALTER TABLE again ALTER COLUMN w SET NOT NULL", ()),
    ("ALTER TABLE again ADD COLUMN e integer NOT NULL", ()),
    ("ALTER TABLE again ADD COLUMN e integer DEFAULT 3 CHECK (e > 5)", ()),
    ("ALTER TABLE again ADD FOREIGN KEY (n) REFERENCES parent (a)", ()),
    ("ALTER TABLE child ADD CONSTRAINT own FOREIGN KEY (other) REFERENCES parent", ()),
]


def test_a_deferred_key_is_told_at_commit(sqlite_shop, postgres):
    found = []
    for url in (postgres.direct_url, sqlite_shop.url):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS later, sooner")
            connection.execute("CREATE TABLE sooner (id integer PRIMARY KEY)")
            connection.execute("CREATE TABLE later (n integer REFERENCES sooner (id) DEFERRABLE INITIALLY DEFERRED)")
            connection.execute("BEGIN")
            connection.execute("INSERT INTO later VALUES (7)")
            with pytest.raises(psycopg.errors.ForeignKeyViolation) as caught:
                connection.execute("COMMIT")
            found.append({field: getattr(caught.value.diag, field) for field in FIELDS})
            assert connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
    assert found[1] == found[0]


FIELDS = ["sqlstate", "message_primary", "message_detail", "schema_name", "table_name", "column_name", "constraint_name"]

# What SQLite does not tell, and the statement's text neither.
UNKNOWN_DETAIL = {"UPDATE parent SET b = NULL WHERE id = 1"}


def told(url, sql, values):
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in TABLES.split(";"):
            connection.execute(statement)
        with pytest.raises(psycopg.errors.IntegrityError) as caught:
            connection.execute(sql, values or None)
        return {field: getattr(caught.value.diag, field) for field in FIELDS}


@pytest.mark.parametrize("sql,values", STATEMENTS, ids=[sql for sql, _ in STATEMENTS])
def test_violations_are_told_as_by_postgresql(sqlite_shop, postgres, sql, values):
    expected, found = told(postgres.direct_url, sql, values), told(sqlite_shop.url, sql, values)
    if sql in UNKNOWN_DETAIL:
        del expected["message_detail"], found["message_detail"]
    assert found == expected
