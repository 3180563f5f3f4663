-- What changes with all that sessions see of the catalogue, as one text. Every change of a row gives it a new xmin, which is above
-- all that were there before: count and sum follow each. Rows below 16384 are PostgreSQL's own. Temporary tables are told apart;
-- those of others come and go without any meaning here.
pg_catalog.concat_ws(
    ' ',
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(c.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(a.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
        WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND a.attrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
            AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
            AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(k.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_constraint AS k
        WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_class AS c
                WHERE c.oid OPERATOR(pg_catalog.=) k.conrelid
                    AND c.relpersistence OPERATOR(pg_catalog.=) 't'::pg_catalog."char"
            )
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(d.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_description AS d
        WHERE d.objoid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(e.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_enum AS e
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(n.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_namespace AS n
        WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(p.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_policy AS p
    ),
    -- What views, policies, operators and casts call decides what may be read.
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(r.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
        WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
            AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(f.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_proc AS f
        WHERE f.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(o.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_operator AS o
        WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(k.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_cast AS k
        WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(t.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_type AS t
        WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
            AND t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(m.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_auth_members AS m
    ),
    -- The rows of roles themselves are secret; these are the attributes that decide about rights.
    (
        SELECT pg_catalog.concat_ws(
            ' ',
            pg_catalog.sum(r.oid::bigint),
            pg_catalog.sum(r.oid::bigint) FILTER (WHERE r.rolsuper),
            pg_catalog.sum(r.oid::bigint) FILTER (WHERE r.rolinherit),
            pg_catalog.sum(r.oid::bigint) FILTER (WHERE r.rolbypassrls)
        )
        FROM pg_catalog.pg_roles AS r
    )
)
