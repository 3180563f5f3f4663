-- A small shop, with views that do what questions may not.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born DATE);
INSERT INTO customers VALUES (1, 'Ann', 'Spain', '1990-01-02'), (2, 'Bob', 'France', NULL), (3, 'Zoë', 'Spain', NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total REAL);
INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 30);
CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT);
INSERT INTO notes (body) VALUES ('one'), ('two');
CREATE INDEX by_name ON customers (name);
CREATE VIEW heavy AS SELECT id, name FROM customers WHERE id > 1;
CREATE VIEW changing AS SELECT name FROM customers;
CREATE TRIGGER follow INSTEAD OF INSERT ON changing BEGIN INSERT INTO notes (body) VALUES (new.name); END;
CREATE TRIGGER follow_out INSTEAD OF DELETE ON changing BEGIN DELETE FROM notes; END;
CREATE VIEW tables_of_this AS SELECT name, sql FROM sqlite_master;
CREATE VIEW leaking AS SELECT name FROM heavy UNION ALL SELECT sql FROM tables_of_this;
CREATE VIEW joined AS SELECT name FROM customers NATURAL RIGHT JOIN sqlite_master;
CREATE VIEW huge AS SELECT length(zeroblob(100000000)) AS n;
CREATE VIRTUAL TABLE entries USING fts5(body);
INSERT INTO entries VALUES ('a first entry');
ANALYZE;
