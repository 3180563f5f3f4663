CREATE TABLE owing (a int PRIMARY KEY, b int UNIQUE, c int, d int UNIQUE, UNIQUE (a, c), UNIQUE (b, c), CONSTRAINT owing_dd UNIQUE (d, c))

CREATE TABLE owed_by (x int REFERENCES owing (b), y int REFERENCES owing, z int, w int, FOREIGN KEY (z, w) REFERENCES owing (c, d))

ALTER TABLE owing DROP CONSTRAINT owing_b_c_key

ALTER TABLE owing DROP CONSTRAINT owing_a_c_key

ALTER TABLE owing DROP CONSTRAINT owing_d_key

ALTER TABLE owing DROP CONSTRAINT owing_dd

ALTER TABLE owing DROP CONSTRAINT owing_b_key

ALTER TABLE owing DROP CONSTRAINT owing_pkey

ALTER TABLE owing DROP COLUMN d

CREATE TABLE selfish (a int PRIMARY KEY, b int UNIQUE, c int REFERENCES selfish (b), d int REFERENCES selfish)

ALTER TABLE selfish DROP CONSTRAINT selfish_b_key

ALTER TABLE selfish DROP CONSTRAINT selfish_pkey

ALTER TABLE selfish DROP CONSTRAINT selfish_b_key CASCADE

ALTER TABLE owing DROP CONSTRAINT owing_dd CASCADE

INSERT INTO owed_by (z, w) VALUES (7, 7)

DROP TABLE owing, owed_by, selfish CASCADE

CREATE TABLE needed_by_index (a int NOT NULL, b int NOT NULL, c int PRIMARY KEY)

CREATE UNIQUE INDEX needed_b ON needed_by_index (b)

CREATE UNIQUE INDEX needed_ab ON needed_by_index (a, b)

CREATE TABLE needs_index (x int REFERENCES needed_by_index (b), y int REFERENCES needed_by_index (c))

DROP INDEX needed_ab

DROP INDEX needed_b

INSERT INTO needed_by_index VALUES (1, 2, 3)

INSERT INTO needs_index VALUES (2, 3)

DROP TABLE needs_index

DROP INDEX needed_b
