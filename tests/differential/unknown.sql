SELECT 1::nosuch

SELECT 'a'::nosuch

SELECT NULL::nosuch[]

SELECT CAST(1 AS nosuch)

SELECT CAST(1 AS foo.bar)

SELECT 1::pg_catalog.nosuch

SELECT 'a'::string

SELECT nosuch(1)

SELECT nosuch(1, 'a', NULL, 1.5)

SELECT foo.bar(1)

SELECT nosuch(DISTINCT 1)

SELECT nosuch() OVER ()

SELECT * FROM nosuch(1)

SELECT 1 WHERE nosuch(1) > 1

SELECT upper(1, 2)

SELECT nosuch(relname) FROM pg_class

SELECT relname::nosuch FROM pg_class

CREATE TABLE unknown_types (a nosuch)

CREATE TABLE unknown_types (a integer DEFAULT nosuch())

CREATE TABLE unknown_types (a integer)

INSERT INTO unknown_types VALUES (1::nosuch)

UPDATE unknown_types SET a = nosuch(1)

SELECT nosuch(a) FROM unknown_types

DROP TABLE unknown_types
