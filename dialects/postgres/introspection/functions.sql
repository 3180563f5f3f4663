-- The functions that the database defines; the text of those that may turn out to be harmless.
SELECT
    p.oid,
    n.nspname,
    p.proname,
    p.prokind,
    p.provolatile,
    p.prosecdef,
    l.lanname,
    EXISTS (
        SELECT
        FROM pg_catalog.pg_depend AS d
        WHERE d.classid OPERATOR(pg_catalog.=) 1255::pg_catalog.oid
            AND d.objid OPERATOR(pg_catalog.=) p.oid
            AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char"
    ),
    CASE
        WHEN p.provolatile OPERATOR(pg_catalog.<>) 'v'::pg_catalog."char"
            AND NOT p.prosecdef
            -- A setting of its own may change what its text means.
            AND p.proconfig IS NULL
            AND l.lanname OPERATOR(pg_catalog.=) ANY (ARRAY['sql', 'plpgsql']::pg_catalog.name[])
            AND pg_catalog.length(p.prosrc) OPERATOR(pg_catalog.<) 20000
        THEN p.prosrc
    END
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
JOIN pg_catalog.pg_language AS l ON l.oid OPERATOR(pg_catalog.=) p.prolang
WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND p.prorettype OPERATOR(pg_catalog.<>) 2279::pg_catalog.oid
