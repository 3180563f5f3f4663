WITH RECURSIVE
-- What each view reads, through the views below it (its query is a rule that depends on its tables).
reads (relation, read) AS (
    SELECT r.ev_class, d.refobjid
    FROM pg_catalog.pg_rewrite AS r
    JOIN pg_catalog.pg_depend AS d
        ON d.classid OPERATOR(pg_catalog.=) 2618::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) r.oid
        AND d.refclassid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
    WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION
    SELECT reads.relation, d.refobjid
    FROM reads
    JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) reads.read
    JOIN pg_catalog.pg_depend AS d
        ON d.classid OPERATOR(pg_catalog.=) 2618::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) r.oid
        AND d.refclassid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
),
parts (relation, part) AS (
    SELECT i.inhparent, i.inhrelid FROM pg_catalog.pg_inherits AS i
    UNION
    SELECT parts.relation, i.inhrelid
    FROM parts
    JOIN pg_catalog.pg_inherits AS i ON i.inhparent OPERATOR(pg_catalog.=) parts.part
),
-- Tables whose rows are fetched from elsewhere.
foreign_tables (relation) AS (
    SELECT c.oid
    FROM pg_catalog.pg_class AS c
    WHERE c.relkind OPERATOR(pg_catalog.=) 'f'::pg_catalog."char"
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
-- Where row-level security keeps stored values from being known: a view reads with the rights of its owner.
hidden (relation) AS (
    SELECT hiding.relation FROM hiding WHERE hiding.active
    UNION
    SELECT parts.relation
    FROM parts
    JOIN hiding ON hiding.relation OPERATOR(pg_catalog.=) parts.part
    WHERE hiding.active
    UNION
    SELECT reads.relation
    FROM reads
    JOIN hiding ON hiding.relation OPERATOR(pg_catalog.=) reads.read
),
guarded (relation) AS (
    SELECT hidden.relation FROM hidden
    UNION
    SELECT foreign_tables.relation FROM foreign_tables
    UNION
    SELECT parts.relation
    FROM parts
    JOIN foreign_tables ON foreign_tables.relation OPERATOR(pg_catalog.=) parts.part
    UNION
    SELECT reads.relation
    FROM reads
    JOIN foreign_tables ON foreign_tables.relation OPERATOR(pg_catalog.=) reads.read
)
SELECT
    c.oid,
    n.nspname,
    c.relname,
    c.relkind,
    CASE
        WHEN c.relkind OPERATOR(pg_catalog.=) 'p'::pg_catalog."char" AND c.reltuples OPERATOR(pg_catalog.<) 0::real
        THEN (
            SELECT pg_catalog.sum(p.reltuples)
            FROM parts
            JOIN pg_catalog.pg_class AS p ON p.oid OPERATOR(pg_catalog.=) parts.part
            WHERE parts.relation OPERATOR(pg_catalog.=) c.oid AND p.reltuples OPERATOR(pg_catalog.>=) 0::real
        )
        ELSE c.reltuples
    END,
    pg_catalog.pg_table_is_visible(c.oid),
    pg_catalog.left(pg_catalog.obj_description(c.oid, 'pg_class'), 2000),
    -- Whether values may be sampled.
    c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'm', 'p']::pg_catalog."char"[])
        AND NOT EXISTS (
            SELECT FROM guarded WHERE guarded.relation OPERATOR(pg_catalog.=) c.oid
        ),
    c.relrowsecurity,
    c.reltype,
    -- Whether anything of it may be read. What may not is there all the same: a question that means it is refused.
    pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
    EXISTS (SELECT FROM hidden WHERE hidden.relation OPERATOR(pg_catalog.=) c.oid),
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
