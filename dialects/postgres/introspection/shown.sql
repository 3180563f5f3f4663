-- The columns of views that are columns of tables or of other views as they are: PostgreSQL notes in each entry of a query's
-- list of columns where it comes from. Queries inside the view have such lists too; where one has an entry of the same
-- place and name and another origin, nothing is told.
SELECT
    v.relation,
    v.number,
    n.nspname,
    c.relname,
    a.attname
FROM (
    SELECT
        r.ev_class AS relation,
        own.attnum AS number,
        pg_catalog.min(e.entry[3]) AS from_table,
        pg_catalog.min(e.entry[4]) AS from_column
    FROM pg_catalog.pg_rewrite AS r
    CROSS JOIN LATERAL pg_catalog.regexp_matches(
        r.ev_action::pg_catalog.text,
        ':resno (\d+) :resname ((?:\\.|[^\s\\])+) :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+) :resjunk false',
        'g'
    ) AS e (entry)
    JOIN pg_catalog.pg_attribute AS own
        ON own.attrelid OPERATOR(pg_catalog.=) r.ev_class
        AND own.attnum::pg_catalog.text OPERATOR(pg_catalog.=) e.entry[1]
        AND own.attname::pg_catalog.text OPERATOR(pg_catalog.=) pg_catalog.regexp_replace(e.entry[2], '\\(.)', '\1', 'g')
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND r.ev_type OPERATOR(pg_catalog.=) '1'::pg_catalog."char"
        -- What is longer is not read by questions.
        AND pg_catalog.length(r.ev_action::pg_catalog.text) OPERATOR(pg_catalog.<=) 500000
    GROUP BY r.ev_class, own.attnum
    HAVING pg_catalog.count(DISTINCT (e.entry[3], e.entry[4])) OPERATOR(pg_catalog.=) 1
) AS v
JOIN pg_catalog.pg_class AS c ON c.oid::pg_catalog.text OPERATOR(pg_catalog.=) v.from_table
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) c.oid
    AND a.attnum::pg_catalog.text OPERATOR(pg_catalog.=) v.from_column
