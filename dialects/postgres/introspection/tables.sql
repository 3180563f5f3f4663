WITH RECURSIVE
-- What each view reads by itself (its query is a rule that depends on its tables).
reads (relation, read) AS MATERIALIZED (
    SELECT DISTINCT r.ev_class, d.refobjid
    FROM pg_catalog.pg_rewrite AS r
    JOIN pg_catalog.pg_depend AS d
        ON d.classid OPERATOR(pg_catalog.=) 2618::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) r.oid
        AND d.refclassid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
),
-- The parts of partitioned tables whose rows are estimated by theirs, as deep as anybody divides a table.
parts (relation, part, level) AS (
    SELECT i.inhparent, i.inhrelid, 1
    FROM pg_catalog.pg_inherits AS i
    JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) i.inhparent
    WHERE c.relkind OPERATOR(pg_catalog.=) 'p'::pg_catalog."char" AND NOT c.relispartition
    UNION ALL
    SELECT parts.relation, i.inhrelid, parts.level OPERATOR(pg_catalog.+) 1
    FROM parts
    JOIN pg_catalog.pg_inherits AS i ON i.inhparent OPERATOR(pg_catalog.=) parts.part
    WHERE parts.level OPERATOR(pg_catalog.<) 8
),
-- Tables whose rows are hidden from some, and whether they are from this user: owners and superusers see all of them.
hiding (relation, active) AS (
    SELECT
        c.oid,
        pg_catalog.row_security_active(c.oid)
            OR NOT (
                pg_catalog.pg_has_role(c.relowner, 'USAGE')
                OR pg_catalog.current_setting('is_superuser') OPERATOR(pg_catalog.=) 'on'
            )
    FROM pg_catalog.pg_class AS c
    WHERE c.relrowsecurity
),
-- What keeps stored values from being known: row-level security, and tables whose rows are fetched from elsewhere.
keeping (relation, hides, active) AS (
    SELECT hiding.relation, true, hiding.active FROM hiding
    UNION ALL
    SELECT c.oid, false, true
    FROM pg_catalog.pg_class AS c
    WHERE c.relkind OPERATOR(pg_catalog.=) 'f'::pg_catalog."char"
),
-- It is gone through from there up, to what has it as a part, and to what reads it: a view reads with the rights of its owner.
-- The other way round a chain of views would be gone through from each of them.
wholes (relation, hides) AS (
    SELECT keeping.relation, keeping.hides FROM keeping WHERE keeping.active
    UNION
    SELECT i.inhparent, wholes.hides
    FROM wholes
    JOIN pg_catalog.pg_inherits AS i ON i.inhrelid OPERATOR(pg_catalog.=) wholes.relation
),
readers (relation, hides) AS (
    SELECT reads.relation, keeping.hides
    FROM keeping
    JOIN reads ON reads.read OPERATOR(pg_catalog.=) keeping.relation
    UNION
    SELECT reads.relation, readers.hides
    FROM readers
    JOIN reads ON reads.read OPERATOR(pg_catalog.=) readers.relation
),
guarded (relation, hides) AS (
    SELECT found.relation, pg_catalog.bool_or(found.hides)
    FROM (SELECT wholes.relation, wholes.hides FROM wholes UNION ALL SELECT readers.relation, readers.hides FROM readers) AS found
    GROUP BY found.relation
),
estimates (relation, tuples) AS (
    SELECT parts.relation, pg_catalog.sum(p.reltuples)
    FROM parts
    JOIN pg_catalog.pg_class AS p ON p.oid OPERATOR(pg_catalog.=) parts.part
    WHERE p.reltuples OPERATOR(pg_catalog.>=) 0::real
    GROUP BY parts.relation
)
SELECT
    c.oid,
    n.nspname,
    c.relname,
    c.relkind,
    CASE
        WHEN c.relkind OPERATOR(pg_catalog.=) 'p'::pg_catalog."char" AND c.reltuples OPERATOR(pg_catalog.<) 0::real
        THEN estimates.tuples
        ELSE c.reltuples
    END,
    pg_catalog.pg_table_is_visible(c.oid),
    pg_catalog.left(comment.description, 2000),
    -- Whether values may be sampled.
    c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'm', 'p']::pg_catalog."char"[])
        AND guarded.relation IS NULL,
    c.relrowsecurity,
    c.reltype,
    -- Whether anything of it may be read. What may not is there all the same: a question that means it is refused.
    pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
    COALESCE(guarded.hides, false),
    pg_catalog.pg_get_userbyid(c.relowner),
    -- Whether that is a superuser, or the database's owner.
    EXISTS (
        SELECT
        FROM pg_catalog.pg_roles AS r
        WHERE r.oid OPERATOR(pg_catalog.=) c.relowner
            AND (
                r.rolsuper
                OR EXISTS (
                    SELECT
                    FROM pg_catalog.pg_database AS d
                    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
                        AND d.datdba OPERATOR(pg_catalog.=) r.oid
                )
            )
    )
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
LEFT JOIN guarded ON guarded.relation OPERATOR(pg_catalog.=) c.oid
LEFT JOIN estimates ON estimates.relation OPERATOR(pg_catalog.=) c.oid
LEFT JOIN pg_catalog.pg_description AS comment
    ON comment.objoid OPERATOR(pg_catalog.=) c.oid
    AND comment.classoid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
    AND comment.objsubid OPERATOR(pg_catalog.=) 0
WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
    AND NOT c.relispartition
    AND (n.nspname OPERATOR(pg_catalog.!~) '^pg_' OR n.oid OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
    AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'::pg_catalog.name
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    -- What an extension brought along is its own affair.
    AND NOT EXISTS (
        SELECT
        FROM pg_catalog.pg_depend AS d
        WHERE d.classid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
            AND d.objid OPERATOR(pg_catalog.=) c.oid
            AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char"
    )
-- Of two tables of one name, the one that the name alone finds comes first.
ORDER BY NOT pg_catalog.pg_table_is_visible(c.oid), c.oid
