-- What each view reads by itself (its query is a rule that depends on tables and columns), and of which table one is a part. A
-- rule does not depend on the columns of a row that it takes as a whole, so that then all of them count.
WITH
rules (rule, relation, is_whole) AS MATERIALIZED (
    SELECT r.oid, r.ev_class, r.ev_action::pg_catalog.text OPERATOR(pg_catalog.~~) '%:varattno 0 %'
    FROM pg_catalog.pg_rewrite AS r
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
),
reads (relation, read, number) AS (
    SELECT rules.relation, d.refobjid, CASE WHEN rules.is_whole THEN 0 ELSE d.refobjsubid END
    FROM rules
    JOIN pg_catalog.pg_depend AS d
        ON d.classid OPERATOR(pg_catalog.=) 2618::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) rules.rule
        AND d.refclassid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.<>) rules.relation
    UNION
    SELECT i.inhrelid, i.inhparent, 0 FROM pg_catalog.pg_inherits AS i
)
SELECT reads.relation, n.nspname, c.relname, a.attname, reads.read
FROM reads
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) reads.read
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
LEFT JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) reads.read
    AND a.attnum OPERATOR(pg_catalog.=) reads.number
    AND a.attnum OPERATOR(pg_catalog.>) 0
