-- What is evaluated when something is read, called or converted: a node, and what it leads to. Expressions are stored as
-- trees in text, in which a reference is a field with a number; spaces in names are escaped there, so that none looks
-- like a field.
WITH
all_trees (class, node, tree) AS (
    SELECT 'relation', r.ev_class, r.ev_action::pg_catalog.text
    FROM pg_catalog.pg_rewrite AS r
    JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND r.ev_type OPERATOR(pg_catalog.=) '1'::pg_catalog."char"
        AND c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
    UNION ALL
    SELECT 'policy', p.polrelid, p.polqual::pg_catalog.text
    FROM pg_catalog.pg_policy AS p
    JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) p.polrelid
    WHERE c.relrowsecurity AND p.polqual IS NOT NULL
    UNION ALL
    SELECT 'type', k.contypid, k.conbin::pg_catalog.text
    FROM pg_catalog.pg_constraint AS k
    WHERE k.contypid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid AND k.conbin IS NOT NULL
    -- What is evaluated while a statement on a table is planned, where it is not volatile.
    UNION ALL
    SELECT 'planned', i.indrelid, pg_catalog.concat(i.indexprs::pg_catalog.text, i.indpred::pg_catalog.text)
    FROM pg_catalog.pg_index AS i
    WHERE i.indrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
    UNION ALL
    SELECT 'planned', k.conrelid, k.conbin::pg_catalog.text
    FROM pg_catalog.pg_constraint AS k
    WHERE k.conrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid AND k.conbin IS NOT NULL
    UNION ALL
    SELECT 'planned', x.stxrelid, x.stxexprs::pg_catalog.text
    FROM pg_catalog.pg_statistic_ext AS x
    WHERE x.stxexprs IS NOT NULL
    UNION ALL
    SELECT 'planned', t.partrelid, t.partexprs::pg_catalog.text
    FROM pg_catalog.pg_partitioned_table AS t
    WHERE t.partexprs IS NOT NULL
),
-- What is too long to be looked through, alone or behind all that are shorter, is told as such.
measured (class, node, tree, is_read) AS (
    SELECT
        a.class,
        a.node,
        a.tree,
        m.length OPERATOR(pg_catalog.<=) 500000
            AND pg_catalog.sum(m.length) OVER (ORDER BY m.length, a.node, a.class)
                OPERATOR(pg_catalog.<=) 20000000::bigint
    FROM all_trees AS a
    CROSS JOIN LATERAL (SELECT pg_catalog.length(a.tree)) AS m (length)
),
trees (class, node, tree) AS (
    SELECT m.class, m.node, m.tree FROM measured AS m WHERE m.is_read
),
-- Each with how many times it stands there: a relation that a query reads twice is planned twice. From PostgreSQL 16 on, rights
-- name relations too, so that only what stands in FROM (rtekind) is counted.
fields (class, node, field, target, times) AS (
    SELECT t.class, t.node, m.found[1], m.found[2]::pg_catalog.oid, pg_catalog.count(*)
    FROM trees AS t
    CROSS JOIN LATERAL pg_catalog.regexp_matches(
        t.tree,
        '(:rtekind 0 :relid|:relid|:funcid|:aggfnoid|:winfnoid|:tsmhandler|:opno|:resulttype|[{]SETOPERATIONSTMT :op) ([0-9]+)',
        'g'
    ) AS m (found)
    GROUP BY t.class, t.node, m.found[1], m.found[2]
    UNION
    SELECT t.class, t.node, ':opno', o.number::pg_catalog.oid, 0
    FROM trees AS t
    CROSS JOIN LATERAL pg_catalog.regexp_matches(t.tree, ':opnos [(]o ([0-9 ]+)[)]', 'g') AS m (found)
    CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.string_to_array(m.found[1], ' ')) AS o (number)
),
functions (class, node, target) AS (
    SELECT f.class, f.node, f.target
    FROM fields AS f
    WHERE f.field OPERATOR(pg_catalog.=) ANY (ARRAY[':funcid', ':aggfnoid', ':winfnoid', ':tsmhandler'])
    UNION
    SELECT f.class, f.node, o.oprcode::pg_catalog.oid
    FROM fields AS f
    JOIN pg_catalog.pg_operator AS o ON o.oid OPERATOR(pg_catalog.=) f.target
    WHERE f.field OPERATOR(pg_catalog.=) ':opno'
    UNION
    -- What an aggregate is made of.
    SELECT 'function', a.aggfnoid::pg_catalog.oid, part.number
    FROM pg_catalog.pg_aggregate AS a
    CROSS JOIN LATERAL pg_catalog.unnest(
        ARRAY[a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]::pg_catalog.oid[]
    ) AS part (number)
    WHERE a.aggfnoid::pg_catalog.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND part.number OPERATOR(pg_catalog.>) 0::pg_catalog.oid
)
SELECT f.class, f.node, 'function', f.target, n.nspname, p.proname, p.provolatile, 0::bigint
FROM functions AS f
JOIN pg_catalog.pg_proc AS p ON p.oid OPERATOR(pg_catalog.=) f.target
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
-- Nothing of PostgreSQL's own that always gives the same for the same does harm.
WHERE (p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        OR p.provolatile OPERATOR(pg_catalog.<>) 'i'::pg_catalog."char")
    AND (f.class OPERATOR(pg_catalog.<>) 'planned' OR p.provolatile OPERATOR(pg_catalog.<>) 'v'::pg_catalog."char")
UNION ALL
SELECT
    f.class,
    f.node,
    'relation',
    f.target,
    n.nspname,
    c.relname,
    c.relkind,
    CASE WHEN f.field OPERATOR(pg_catalog.=) ':relid' THEN 0::bigint ELSE f.times END
FROM fields AS f
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) f.target
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE f.field OPERATOR(pg_catalog.=) ANY (ARRAY[':relid', ':rtekind 0 :relid'])
    AND f.class OPERATOR(pg_catalog.=) ANY (ARRAY['relation', 'policy'])
    AND f.target OPERATOR(pg_catalog.<>) f.node
UNION ALL
SELECT 'relation', i.inhparent, 'relation', c.oid, n.nspname, c.relname, c.relkind, 0::bigint
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) i.inhrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'f']::pg_catalog."char"[])
UNION ALL
SELECT f.class, f.node, 'type', t.oid, n.nspname, t.typname, t.typtype, 0::bigint
FROM fields AS f
JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) f.target
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
WHERE f.field OPERATOR(pg_catalog.=) ':resulttype' AND t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
    AND t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
SELECT 'type', t.oid, 'type', b.oid, n.nspname, b.typname, b.typtype, 0::bigint
FROM pg_catalog.pg_type AS t
JOIN pg_catalog.pg_type AS b ON b.oid OPERATOR(pg_catalog.=) t.typbasetype
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) b.typnamespace
WHERE b.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
-- What arrays, ranges and rows are made of.
SELECT 'type', m.type, 'type', m.member, n.nspname, b.typname, b.typtype, 0::bigint
FROM (
    SELECT t.oid, t.typelem FROM pg_catalog.pg_type AS t
    UNION ALL
    SELECT r.rngtypid, r.rngsubtype FROM pg_catalog.pg_range AS r
    UNION ALL
    SELECT r.rngmultitypid, r.rngsubtype FROM pg_catalog.pg_range AS r
    UNION ALL
    SELECT t.oid, a.atttypid
    FROM pg_catalog.pg_type AS t
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) t.typrelid
    WHERE t.typtype OPERATOR(pg_catalog.=) 'c'::pg_catalog."char"
        AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
        AND NOT a.attisdropped
) AS m (type, member)
JOIN pg_catalog.pg_type AS b ON b.oid OPERATOR(pg_catalog.=) m.member
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) b.typnamespace
WHERE m.type OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND m.member OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
SELECT t.class, t.node, 'lock', 0::pg_catalog.oid, '', '', '', 0::bigint
FROM trees AS t
WHERE t.tree OPERATOR(pg_catalog.~) ':rowMarks [(]'
UNION ALL
-- Set operations: what they combine is planned apart.
SELECT f.class, f.node, 'sets', f.target, '', '', '', f.times
FROM fields AS f
WHERE f.field OPERATOR(pg_catalog.=) '{SETOPERATIONSTMT :op' AND f.class OPERATOR(pg_catalog.=) 'relation'
UNION ALL
SELECT m.class, m.node, 'long', 0::pg_catalog.oid, '', '', '', 0::bigint
FROM measured AS m
WHERE NOT m.is_read
