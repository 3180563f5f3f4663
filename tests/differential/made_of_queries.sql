CREATE TABLE mq_c (a, b) AS SELECT 1, 'x'::text WITH NO DATA

SELECT * FROM mq_c

CREATE TABLE mq_d (a) AS SELECT 1 AS x, 2 AS y WITH NO DATA

SELECT * FROM mq_d

CREATE TEMP TABLE mq_e (a) AS SELECT 1.5::numeric(5, 2), 'q'::varchar(3) AS z WITH NO DATA;

SELECT * FROM mq_e

CREATE TABLE mq_f (a, a) AS SELECT 1, 2 WITH NO DATA

CREATE TABLE IF NOT EXISTS mq_c (a) AS SELECT 1 WITH NO DATA

CREATE TABLE mq_g (a) AS VALUES (1, 2), (3, 4) WITH NO DATA

SELECT * FROM mq_g

CREATE TABLE mq_h (a, b) AS TABLE mq_c WITH NO DATA -- none

SELECT * FROM mq_h

CREATE TABLE mq_i (a, b) AS WITH z AS (SELECT 1 AS p, 2 AS q) SELECT * FROM z WITH NO DATA /* none */

SELECT * FROM mq_i

CREATE TABLE mq_j (a, b) AS SELECT 1, 2 WITH DATA

SELECT * FROM mq_j

CREATE TABLE mq_k (A, "B") AS SELECT 1, 2 -- all

SELECT * FROM mq_k

CREATE TABLE mq_l (a) AS SELECT x, y FROM (VALUES (1, 2)) v(x, y) LIMIT 1 WITH NO DATA

SELECT * FROM mq_l

CREATE TABLE mq_m AS SELECT 1 AS a WITH NO DATA -- none

SELECT * FROM mq_m

DROP TABLE mq_c, mq_d, mq_e, mq_g, mq_h, mq_i, mq_j, mq_k, mq_l, mq_m
