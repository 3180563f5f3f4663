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
