-- The columns of views that are columns of tables or of other views as they are: PostgreSQL notes in each entry of a query's
-- list of columns where it comes from. Queries inside the view have such lists too; where one has an entry of the same
-- place and name and another origin, nothing is told.
WITH
queries (rule, relation, query, length) AS MATERIALIZED (
    SELECT r.oid, r.ev_class, r.ev_action::pg_catalog.text, pg_catalog.length(r.ev_action::pg_catalog.text)
    FROM pg_catalog.pg_rewrite AS r
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND r.ev_type OPERATOR(pg_catalog.=) '1'::pg_catalog."char"
),
-- What is longer, alone or behind all that are shorter, is not read by questions.
measured (rule, relation, query, is_read) AS (
    SELECT
        q.rule,
        q.relation,
        q.query,
        q.length OPERATOR(pg_catalog.<=) 500000
            AND pg_catalog.sum(q.length) OVER (ORDER BY q.length, q.rule) OPERATOR(pg_catalog.<=) 20000000::bigint
    FROM queries AS q
),
-- Taken apart at the names of fields, in which no name of a column can have a part: spaces in names are escaped. A pattern takes
-- much longer, and in the whole of a long text longer still.
pieces (relation, head, tail) AS MATERIALIZED (
    SELECT
        m.relation,
        pg_catalog.split_part(p.piece, ' :ressortgroupref ', 1),
        pg_catalog.string_to_array(pg_catalog.split_part(p.piece, ' :ressortgroupref ', 2), ' ')
    FROM measured AS m
    CROSS JOIN LATERAL (
        SELECT pg_catalog.left(cut.piece, 400)
        FROM pg_catalog.unnest(pg_catalog.string_to_array(m.query, ' :resno ')) AS cut (piece)
    ) AS p (piece)
    WHERE m.is_read
),
entries (relation, number, name, from_table, from_column) AS MATERIALIZED (
    SELECT
        p.relation,
        pg_catalog.split_part(p.head, ' :resname ', 1),
        pg_catalog.split_part(p.head, ' :resname ', 2),
        p.tail[3],
        p.tail[5]
    FROM pieces AS p
    WHERE p.tail[2] OPERATOR(pg_catalog.=) ':resorigtbl'
        AND p.tail[4] OPERATOR(pg_catalog.=) ':resorigcol'
        AND p.tail[6] OPERATOR(pg_catalog.=) ':resjunk'
        AND pg_catalog.left(p.tail[7], 5) OPERATOR(pg_catalog.=) 'false'
        AND pg_catalog.split_part(p.head, ' :resname ', 1) OPERATOR(pg_catalog.~) '^[0-9]+$'
)
SELECT
    v.relation,
    v.number,
    n.nspname,
    c.relname,
    a.attname
FROM (
    SELECT
        e.relation,
        own.attnum AS number,
        pg_catalog.min(e.from_table) AS from_table,
        pg_catalog.min(e.from_column) AS from_column
    FROM entries AS e
    -- By number, so that the entry's column is looked up and not looked for.
    JOIN pg_catalog.pg_attribute AS own
        ON own.attrelid OPERATOR(pg_catalog.=) e.relation
        AND own.attnum OPERATOR(pg_catalog.=) e.number::smallint
        AND own.attname::pg_catalog.text OPERATOR(pg_catalog.=) CASE
            WHEN pg_catalog.strpos(e.name, E'\\') OPERATOR(pg_catalog.=) 0
            THEN e.name
            ELSE pg_catalog.regexp_replace(e.name, E'\\\\(.)', E'\\1', 'g')
        END
    GROUP BY e.relation, own.attnum
    HAVING pg_catalog.count(DISTINCT (e.from_table, e.from_column)) OPERATOR(pg_catalog.=) 1
) AS v
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) v.from_table::pg_catalog.oid
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) c.oid
    AND a.attnum OPERATOR(pg_catalog.=) v.from_column::smallint
