CREATE TABLE whole (a int, b text)

INSERT INTO whole VALUES (1, 'x'), (2, 'y')

SELECT * FROM (TABLE whole) AS t ORDER BY a

SELECT * FROM whole WHERE a IN (TABLE whole)

WITH c AS (TABLE whole) SELECT * FROM c ORDER BY a

TABLE whole ORDER BY a DESC LIMIT 1

SELECT a FROM whole WHERE EXISTS (TABLE whole) ORDER BY a

INSERT INTO whole TABLE whole

TABLE whole UNION TABLE whole ORDER BY 1

CREATE VIEW shown_whole AS TABLE whole

SELECT * FROM shown_whole ORDER BY a

DROP TABLE whole CASCADE

CREATE TABLE whole_only (a int, b int)

INSERT INTO whole_only VALUES (1, 2)

TABLE ONLY whole_only

SELECT * FROM (TABLE ONLY (whole_only)) AS x

CREATE TEMP VIEW whole_shown AS TABLE ONLY whole_only

CREATE TEMP VIEW whole_public AS TABLE public.whole_only

CREATE TEMP TABLE whole_only (z int)

INSERT INTO whole_only VALUES (9)

SELECT * FROM whole_shown

SELECT * FROM whole_public

CREATE TEMP VIEW whole_own AS TABLE whole_only UNION ALL TABLE whole_only

SELECT * FROM whole_own

DROP VIEW whole_shown, whole_public, whole_own

DROP TABLE pg_temp.whole_only

DROP TABLE whole_only
