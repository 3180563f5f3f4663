-- The functions that the database defines; the text of those that may turn out to be harmless, short ones first, up to a bound.
SELECT
    p.oid,
    n.nspname,
    p.proname,
    p.prokind,
    p.provolatile,
    p.prosecdef,
    l.lanname,
    x.name,
    CASE
        WHEN pg_catalog.sum(pg_catalog.length(t.source)) OVER (ORDER BY pg_catalog.length(t.source), p.oid)
            OPERATOR(pg_catalog.<=) 5000000::bigint
        THEN t.source
    END,
    -- Whether it takes numbers, times and values of types of its extension's alone, in which nothing can be named.
    p.pronargs OPERATOR(pg_catalog.>) 0::smallint
        AND NOT EXISTS (
            SELECT
            FROM pg_catalog.unnest(p.proargtypes) AS a (type)
            JOIN pg_catalog.pg_type AS v ON v.oid OPERATOR(pg_catalog.=) a.type
            WHERE a.type OPERATOR(pg_catalog.<>) ALL (
                    -- bool, int8, int2, int4, float4, float8, date, time, timestamp, timestamptz, interval, numeric, lists of such
                    ARRAY[
                        16, 20, 21, 23, 700, 701, 1082, 1083, 1114, 1184, 1186, 1700, 1000, 1005, 1007, 1016, 1021, 1022, 1231
                    ]::pg_catalog.oid[]
                )
                AND NOT EXISTS (
                    SELECT
                    FROM pg_catalog.pg_depend AS d
                    WHERE d.classid OPERATOR(pg_catalog.=) 1247::pg_catalog.oid
                        AND d.objid OPERATOR(pg_catalog.=) ANY (ARRAY[v.oid, v.typelem])
                        AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char"
                        AND d.refobjid OPERATOR(pg_catalog.=) x.number
                )
        )
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
JOIN pg_catalog.pg_language AS l ON l.oid OPERATOR(pg_catalog.=) p.prolang
-- The extension that it belongs to.
LEFT JOIN LATERAL (
    SELECT e.oid, e.extname
    FROM pg_catalog.pg_depend AS d
    JOIN pg_catalog.pg_extension AS e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
    WHERE d.classid OPERATOR(pg_catalog.=) 1255::pg_catalog.oid
        AND d.objid OPERATOR(pg_catalog.=) p.oid
        AND d.refclassid OPERATOR(pg_catalog.=) 3079::pg_catalog.oid
        AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char"
) AS x (number, name) ON true
CROSS JOIN LATERAL (
    SELECT
        CASE
            WHEN p.provolatile OPERATOR(pg_catalog.<>) 'v'::pg_catalog."char"
                AND NOT p.prosecdef
                -- A setting of its own may change what its text means.
                AND p.proconfig IS NULL
                AND l.lanname OPERATOR(pg_catalog.=) ANY (ARRAY['sql', 'plpgsql']::pg_catalog.name[])
                AND pg_catalog.length(p.prosrc) OPERATOR(pg_catalog.<) 20000
            THEN p.prosrc
        END
) AS t (source)
WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    AND p.prorettype OPERATOR(pg_catalog.<>) 2279::pg_catalog.oid
