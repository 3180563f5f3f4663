-- Whose code the database runs: whatever it runs is at last a function or an operator that somebody owns. First comes what is
-- owned by nobody who is trusted, and last, where there is any, what needs what, in one text. Trusted are superusers, who has
-- logged in, the owners that are configured, and the database's owner unless who has logged in has rights that owning a
-- database does not give. Only what is not PostgreSQL's own (from 16384) counts. The catalogue says of most things what they
-- need; what it does not say, or has the other way round, is added.
WITH
login (role) AS (
    SELECT r.oid
    FROM pg_catalog.pg_roles AS r
    -- Whoever logged in as a superuser may be somebody else now, and anybody's code may become that superuser again.
    WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER
        AND r.rolname::pg_catalog.text OPERATOR(pg_catalog.=) '{login}'::pg_catalog.text
),
trusted (role) AS (
    SELECT r.oid
    FROM pg_catalog.pg_roles AS r
    WHERE r.rolsuper OR r.rolname::pg_catalog.text OPERATOR(pg_catalog.=) ANY ('{owners}'::pg_catalog.text[])
    UNION
    SELECT login.role FROM login
    UNION
    SELECT d.datdba
    FROM pg_catalog.pg_database AS d
    CROSS JOIN login
    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
        AND NOT EXISTS (
            SELECT
            FROM pg_catalog.pg_roles AS r
            WHERE (
                    r.rolsuper
                    OR r.rolname OPERATOR(pg_catalog.=) ANY (
                        ARRAY[
                            'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'
                        ]::pg_catalog.name[]
                    )
                )
                AND pg_catalog.pg_has_role(login.role, r.oid, 'MEMBER')
        )
),
untrusted (class, object, name, owner) AS (
    -- A function that PostgreSQL itself comes with was made for a type, as the constructors of ranges are.
    SELECT
        1255::pg_catalog.oid,
        p.oid,
        pg_catalog.concat('the function ', n.nspname, '.', p.proname),
        p.proowner
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
    WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND NOT (
            p.prolang OPERATOR(pg_catalog.=) 12::pg_catalog.oid
            AND p.prokind OPERATOR(pg_catalog.=) 'f'::pg_catalog."char"
        )
        AND NOT EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) p.proowner)
    UNION ALL
    SELECT
        2617::pg_catalog.oid,
        o.oid,
        pg_catalog.concat('the operator ', n.nspname, '.', o.oprname),
        o.oprowner
    FROM pg_catalog.pg_operator AS o
    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) o.oprnamespace
    WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND NOT EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) o.oprowner)
),
-- These may call what does harm among PostgreSQL's own.
expressions (class, object, name, owner) AS (
    SELECT
        1247::pg_catalog.oid,
        t.oid,
        pg_catalog.concat('the domain ', n.nspname, '.', t.typname),
        t.typowner
    FROM pg_catalog.pg_type AS t
    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
    WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
        AND NOT EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) t.typowner)
    UNION ALL
    SELECT 3256::pg_catalog.oid, c.oid, pg_catalog.concat('the policies on ', n.nspname, '.', c.relname), c.relowner
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    WHERE c.relrowsecurity
        AND NOT EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) c.relowner)
),
-- A cast runs where both its types are. One that somebody makes between a type of theirs and a trusted owner's is theirs.
casts (type, function) AS (
    SELECT side.type, k.castfunc
    FROM pg_catalog.pg_cast AS k
    CROSS JOIN LATERAL (VALUES (k.castsource, k.casttarget), (k.casttarget, k.castsource)) AS side (type, other)
    JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) side.type
    JOIN pg_catalog.pg_type AS o ON o.oid OPERATOR(pg_catalog.=) side.other
    WHERE k.castfunc OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND side.type OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND NOT (
            side.other OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) t.typowner)
            AND NOT EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) o.typowner)
        )
),
edges (class, object, to_class, to_object) AS (
    -- A view has one for each column.
    SELECT DISTINCT d.classid, d.objid, d.refclassid, d.refobjid
    FROM pg_catalog.pg_depend AS d
    WHERE d.objid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND d.refobjid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        -- Functions, relations, types, operators and their classes, constraints, rules, policies, statistics, access methods,
        -- foreign servers, text search.
        AND d.classid OPERATOR(pg_catalog.=) ANY (
            ARRAY[
                1255, 1259, 1247, 2617, 2616, 2753, 2606, 2618, 3256, 3381, 2601, 2604, 1417, 2328, 3602, 3600, 3764, 3601
            ]::pg_catalog.oid[]
        )
        AND d.refclassid OPERATOR(pg_catalog.=) ANY (
            ARRAY[1255, 1259, 1247, 2617, 2616, 2753, 2601, 1417, 2328, 3602, 3600, 3764, 3601]::pg_catalog.oid[]
        )
        -- A row is not its table, nor is an index or a sequence: having those runs no policy.
        AND (
            d.refclassid OPERATOR(pg_catalog.<>) 1259::pg_catalog.oid
            OR d.classid OPERATOR(pg_catalog.=) ANY (ARRAY[2618, 3256, 1255]::pg_catalog.oid[])
        )
    UNION ALL
    -- What reading a relation runs, or planning that: a view's query, policies, checks, indexes, statistics, parts.
    SELECT 1259, r.ev_class, 2618, r.oid
    FROM pg_catalog.pg_rewrite AS r
    JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
    WHERE r.ev_type OPERATOR(pg_catalog.=) '1'::pg_catalog."char"
        AND c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
    UNION ALL
    SELECT 1259, p.polrelid, 3256, p.oid
    FROM pg_catalog.pg_policy AS p
    JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) p.polrelid
    WHERE c.relrowsecurity
    UNION ALL
    SELECT 1259, k.conrelid, 2606, k.oid
    FROM pg_catalog.pg_constraint AS k
    WHERE k.conrelid OPERATOR(pg_catalog.>) 0::pg_catalog.oid
        AND k.contype OPERATOR(pg_catalog.=) 'c'::pg_catalog."char"
    UNION ALL
    SELECT 1259, i.indrelid, 1259, i.indexrelid FROM pg_catalog.pg_index AS i
    UNION ALL
    SELECT 1259, x.stxrelid, 3381, x.oid FROM pg_catalog.pg_statistic_ext AS x
    UNION ALL
    SELECT 1259, pair.one, 1259, pair.other
    FROM pg_catalog.pg_inherits AS i
    CROSS JOIN LATERAL (VALUES (i.inhparent, i.inhrelid), (i.inhrelid, i.inhparent)) AS pair (one, other)
    UNION ALL
    -- Columns that are computed when they are read.
    SELECT 1259, a.attrelid, 2604, f.oid
    FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_attrdef AS f
        ON f.adrelid OPERATOR(pg_catalog.=) a.attrelid AND f.adnum OPERATOR(pg_catalog.=) a.attnum
    WHERE a.attgenerated OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
    UNION ALL
    -- Rows as a whole, and lists of values, where there are casts of such.
    SELECT 1259, t.typrelid, 1247, t.oid
    FROM pg_catalog.pg_type AS t
    JOIN casts ON casts.type OPERATOR(pg_catalog.=) t.oid
    WHERE t.typrelid OPERATOR(pg_catalog.>) 0::pg_catalog.oid
    UNION ALL
    SELECT 1259, t.typrelid, 1247, t.typarray
    FROM pg_catalog.pg_type AS t
    JOIN casts ON casts.type OPERATOR(pg_catalog.=) t.typarray
    WHERE t.typrelid OPERATOR(pg_catalog.>) 0::pg_catalog.oid
    UNION ALL
    -- What values of a type are made of, and what they are checked and compared by.
    SELECT 1247, k.contypid, 2606, k.oid
    FROM pg_catalog.pg_constraint AS k
    WHERE k.contypid OPERATOR(pg_catalog.>) 0::pg_catalog.oid
    UNION ALL
    SELECT 1247, t.oid, 1247, a.atttypid
    FROM pg_catalog.pg_type AS t
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) t.typrelid
    WHERE t.typrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
        AND a.atttypid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION ALL
    SELECT 1247, t.oid, 1247, t.typarray
    FROM pg_catalog.pg_type AS t
    JOIN casts ON casts.type OPERATOR(pg_catalog.=) t.typarray
    UNION ALL
    SELECT 1247, o.opcintype, 2616, o.oid
    FROM pg_catalog.pg_opclass AS o
    WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION ALL
    SELECT 2616, o.oid, 2753, o.opcfamily FROM pg_catalog.pg_opclass AS o
    UNION ALL
    SELECT 2753, a.amopfamily, 2617, a.amopopr
    FROM pg_catalog.pg_amop AS a
    WHERE a.amopopr OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION ALL
    SELECT 2753, a.amprocfamily, 1255, a.amproc::pg_catalog.oid
    FROM pg_catalog.pg_amproc AS a
    WHERE a.amproc::pg_catalog.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    UNION ALL
    SELECT 1247, casts.type, 1255, casts.function FROM casts
    UNION ALL
    -- The planner may take an operator's commutator or negator in its place.
    SELECT 2617, o.oid, 2617, pair.operator
    FROM pg_catalog.pg_operator AS o
    CROSS JOIN LATERAL (VALUES (o.oprcom), (o.oprnegate)) AS pair (operator)
    WHERE pair.operator OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
)
SELECT o.class, o.object, o.name, pg_catalog.pg_get_userbyid(o.owner)
FROM (SELECT * FROM untrusted UNION ALL SELECT * FROM expressions) AS o
UNION ALL
SELECT
    0::pg_catalog.oid,
    0::pg_catalog.oid,
    (
        SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', e.class, e.object, e.to_class, e.to_object), ',')
        FROM edges AS e
    ),
    NULL
WHERE EXISTS (SELECT FROM untrusted) OR EXISTS (SELECT FROM expressions)
