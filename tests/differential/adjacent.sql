SELECT 'foo'
'bar' AS whole, 1 AS one

SELECT 'a'   -- and it's so on
  'b''c'
	'd' AS whole

SELECT E'a\tb'
'c\nd' AS whole, 'x'
'' AS one

SELECT 'a' 'b'

SELECT 'a' /* no
line */ 'b'

SELECT 1 WHERE 'ab' = 'a'
'b'

CREATE TABLE pieces(id int DEFAULT 1, t text DEFAULT 'a'
'b', CHECK (t <> 'x'
'y'))

INSERT INTO pieces(t) VALUES ('c'
'd'), ('e')

INSERT INTO pieces SELECT 2, 'f'
'g'

INSERT INTO pieces(t) VALUES ('c' 'd')

INSERT INTO pieces(id) VALUES (3)

INSERT INTO pieces VALUES (4, 'xy')

SELECT * FROM pieces ORDER BY id, t

CREATE VIEW pieces_seen AS SELECT 'h'
'i' AS t

SELECT * FROM pieces_seen

CREATE TABLE pieces_made AS WITH w AS (SELECT 'j'
'k' AS t) SELECT t FROM w

SELECT t, length(t) FROM pieces_made

SELECT id, t FROM pieces ORDER BY t USING >, id USING <

SELECT id, t FROM pieces ORDER BY t USING > NULLS LAST LIMIT 2

SELECT array_agg(t ORDER BY t USING >), string_agg(t, ',' ORDER BY t USING <) FROM pieces

SELECT t, row_number() OVER (ORDER BY t USING >) AS n FROM pieces ORDER BY n

SELECT DISTINCT ON (id) id, t FROM pieces ORDER BY id USING >, t USING >

SELECT t FROM pieces ORDER BY t USING OPERATOR(pg_catalog.>)

SELECT t FROM pieces a JOIN pieces b USING (id, t) ORDER BY t

DELETE FROM pieces USING pieces_made WHERE pieces.t = pieces_made.t

DROP VIEW pieces_seen

DROP TABLE pieces, pieces_made

SELECT encode(decode(repeat('ab', 57), 'hex'), 'base64') AS full_line, encode(decode(repeat('ab', 58), 'hex'), 'base64') AS two, encode(decode(repeat('ab', 56), 'hex'), 'base64') AS part, encode('', 'base64') AS none

CREATE TABLE pointed(a int, b int)

UPDATE pointed p SET p.a = 1

UPDATE pointed SET pointed.a = 1

UPDATE pointed SET a = 1, b = a

DROP TABLE pointed
