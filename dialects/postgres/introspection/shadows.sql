-- What the database has put beside or in front of PostgreSQL's own functions, operators and types, and the functions
-- behind its casts. Functions and operators are chosen by their arguments from the whole search path; a type is the first
-- one on it.
WITH
of_columns (type) AS MATERIALIZED (
    SELECT DISTINCT a.atttypid
    FROM pg_catalog.pg_attribute AS a
    WHERE a.attnum OPERATOR(pg_catalog.>) 0::smallint AND a.atttypid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
)
SELECT 'function', p.proname, p.oid, 0::pg_catalog.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND p.prokind OPERATOR(pg_catalog.<>) 'p'::pg_catalog."char"
    AND p.prorettype OPERATOR(pg_catalog.<>) 2279::pg_catalog.oid
    AND n.nspname OPERATOR(pg_catalog.=) ANY (pg_catalog.current_schemas(true))
    AND EXISTS (
        SELECT
        FROM pg_catalog.pg_proc AS b
        WHERE b.proname OPERATOR(pg_catalog.=) p.proname AND b.pronamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
    )
UNION ALL
SELECT 'operator', o.oprname, o.oprcode::pg_catalog.oid, o.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_operator AS o
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) o.oprnamespace
WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND n.nspname OPERATOR(pg_catalog.=) ANY (pg_catalog.current_schemas(true))
    AND EXISTS (
        SELECT
        FROM pg_catalog.pg_operator AS b
        WHERE b.oprname OPERATOR(pg_catalog.=) o.oprname AND b.oprnamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
    )
UNION ALL
-- What whoever has logged in may put in the place of PostgreSQL's own functions and operators: what is theirs, and what stands
-- before PostgreSQL's on a search path that says so. They are trusted for themselves, but a rule that limits them must not
-- mean something else by it.
SELECT s.kind, s.name, s.number, 0::pg_catalog.oid, 0::pg_catalog.oid
FROM (
    SELECT 'own function', p.proname, p.oid, p.pronamespace, p.proowner
    FROM pg_catalog.pg_proc AS p
    WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND EXISTS (
            SELECT
            FROM pg_catalog.pg_proc AS b
            WHERE b.proname OPERATOR(pg_catalog.=) p.proname AND b.pronamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
        )
    UNION ALL
    SELECT 'own operator', o.oprname, o.oid, o.oprnamespace, o.oprowner
    FROM pg_catalog.pg_operator AS o
    WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND EXISTS (
            SELECT
            FROM pg_catalog.pg_operator AS b
            WHERE b.oprname OPERATOR(pg_catalog.=) o.oprname AND b.oprnamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
        )
) AS s (kind, name, number, namespace, owner)
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) s.namespace
CROSS JOIN (SELECT pg_catalog.current_schemas(true)) AS path (schemas)
WHERE n.nspname OPERATOR(pg_catalog.=) ANY (path.schemas)
    AND (
        pg_catalog.array_position(path.schemas, n.nspname)
            OPERATOR(pg_catalog.<) pg_catalog.array_position(path.schemas, 'pg_catalog'::pg_catalog.name)
        OR pg_catalog.pg_has_role(SESSION_USER, s.owner, 'MEMBER')
        AND NOT EXISTS (
            SELECT
            FROM pg_catalog.pg_roles AS r
            WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER AND r.rolsuper
        )
    )
UNION ALL
SELECT 'type', t.typname, 0::pg_catalog.oid, t.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_type AS t
WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND EXISTS (
        SELECT
        FROM pg_catalog.pg_type AS b
        WHERE b.typname OPERATOR(pg_catalog.=) t.typname AND b.typnamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
    )
    AND pg_catalog.pg_type_is_visible(t.oid)
UNION ALL
-- `name(value)` is a cast where a type has the name.
SELECT 'coercion', t.typname, 0::pg_catalog.oid, t.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_type AS t
WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND t.typtype OPERATOR(pg_catalog.<>) 'c'::pg_catalog."char"
    AND EXISTS (
        SELECT
        FROM pg_catalog.pg_proc AS b
        WHERE b.proname OPERATOR(pg_catalog.=) t.typname AND b.pronamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid
    )
    AND pg_catalog.pg_type_is_visible(t.oid)
UNION ALL
SELECT 'cast', pg_catalog.concat_ws(' ', s.typname, t.typname), k.castfunc, k.castsource, k.casttarget
FROM pg_catalog.pg_cast AS k
JOIN pg_catalog.pg_type AS s ON s.oid OPERATOR(pg_catalog.=) k.castsource
JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) k.casttarget
WHERE k.castfunc OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
-- Types to which a value is not cast without more: domains with a check, rows, and what holds values of such types.
SELECT t.typtype::pg_catalog.text, pg_catalog.format_type(t.oid, NULL), 0::pg_catalog.oid, t.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_type AS t
-- Joined, since columns may be too many for a list that is looked up.
LEFT JOIN of_columns AS own ON own.type OPERATOR(pg_catalog.=) t.oid
LEFT JOIN of_columns AS list ON list.type OPERATOR(pg_catalog.=) t.typarray
WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND (
        t.typtype OPERATOR(pg_catalog.=) ANY (ARRAY['d', 'b', 'r', 'm']::pg_catalog."char"[])
        OR t.typtype OPERATOR(pg_catalog.=) 'c'::pg_catalog."char"
        -- Of all that columns have one list is made, and not one for each type.
        AND (own.type IS NOT NULL OR list.type IS NOT NULL)
    )
UNION ALL
-- What the text of a function must not use, since it would not be seen what that calls.
SELECT DISTINCT 'symbol', o.oprname::pg_catalog.text, 0::pg_catalog.oid, 0::pg_catalog.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_operator AS o
WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND NOT EXISTS (
        SELECT
        FROM pg_catalog.pg_depend AS d
        WHERE d.classid OPERATOR(pg_catalog.=) 2617::pg_catalog.oid
            AND d.objid OPERATOR(pg_catalog.=) o.oid
            AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char"
    )
UNION ALL
-- `row.name` calls these too.
SELECT DISTINCT 'call', p.proname, 0::pg_catalog.oid, 0::pg_catalog.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_proc AS p
WHERE p.oid OPERATOR(pg_catalog.<) 16384::pg_catalog.oid
    AND p.provolatile OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
    AND p.pronargs OPERATOR(pg_catalog.>) 0::smallint
UNION ALL
SELECT 'view', c.relname, 0::pg_catalog.oid, 0::pg_catalog.oid, 0::pg_catalog.oid
FROM pg_catalog.pg_class AS c
WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND (
        c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['v', 'f']::pg_catalog."char"[])
        OR c.relrowsecurity
        -- A part of it may be a foreign table.
        OR c.relhassubclass
        AND EXISTS (SELECT FROM pg_catalog.pg_foreign_table)
    )
