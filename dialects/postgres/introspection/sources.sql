WITH RECURSIVE
-- What each view reads (its query is a rule that depends on tables and columns), and of which table one is a part. A
-- rule does not depend on the columns of a row that it takes as a whole, so that then all of them count.
reads (relation, read, number) AS (
    SELECT
        r.ev_class,
        d.refobjid,
        CASE
            WHEN r.ev_action::pg_catalog.text OPERATOR(pg_catalog.~~) '%:varattno 0 %' THEN 0
            ELSE d.refobjsubid
        END
    FROM pg_catalog.pg_rewrite AS r
    JOIN pg_catalog.pg_depend AS d
        ON d.classid OPERATOR(pg_catalog.=) 2618::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) r.oid
        AND d.refclassid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION
    SELECT i.inhrelid, i.inhparent, 0 FROM pg_catalog.pg_inherits AS i
),
through (relation, via) AS (
    SELECT reads.relation, reads.relation FROM reads
    UNION
    SELECT through.relation, reads.read
    FROM through
    JOIN reads ON reads.relation OPERATOR(pg_catalog.=) through.via
)
SELECT DISTINCT through.relation, n.nspname, c.relname, a.attname
FROM through
JOIN reads ON reads.relation OPERATOR(pg_catalog.=) through.via
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) reads.read
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
LEFT JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) reads.read
    AND a.attnum OPERATOR(pg_catalog.=) reads.number
    AND a.attnum OPERATOR(pg_catalog.>) 0
