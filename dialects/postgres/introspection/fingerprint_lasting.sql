-- What changes with all that sessions see of the catalogue, as one text. Every change of a row makes another version of it, in
-- another place (ctid) or by another transaction (xmin): no two versions that anybody could see have both in common. So the list
-- of both, of all rows in order, is another one after every change, whoever chose the numbers, and in one transaction too; only a
-- digest of it is kept. Sums would not do: who begins a transaction early can keep those as they were. Rows below 16384 are
-- PostgreSQL's own. Temporary tables are told apart; those of others come and go without any meaning here.
pg_catalog.encode(
    pg_catalog.sha256(
        pg_catalog.convert_to(
            pg_catalog.concat_ws(
                ' ',
                (
                    -- A table that is emptied or stored anew has another version of its row, and is the same. Names are
                    -- whatever somebody makes them, and are quoted alike whatever a session has set. Of indexes and the like, whether they are there is enough.
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.convert_to(
                                    pg_catalog.string_agg(
                                        CASE
                                            WHEN c.relkind OPERATOR(pg_catalog.=) ANY (
                                                ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[]
                                            )
                                            THEN pg_catalog.concat_ws(
                                                ' ', c.oid, c.relkind, c.relnamespace, c.relowner, c.reltype, c.reloftype, c.relam,
                                                c.relrowsecurity, c.relforcerowsecurity, c.relispartition, c.reloptions,
                                                pg_catalog.md5(c.relacl::pg_catalog.text), pg_catalog.quote_literal(c.relname)
                                            )
                                            ELSE c.oid::pg_catalog.text
                                        END,
                                        '/'
                                        ORDER BY c.oid
                                    ),
                                    pg_catalog.getdatabaseencoding()
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_class AS c
                    WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
                ),
                (
                    -- Of each catalogue its versions, in the order of their places.
                    SELECT COALESCE(pg_catalog.string_agg(digests.digest, ' ' ORDER BY digests.catalogue), '-')
                    FROM (
                        SELECT
                            versions.catalogue,
                            pg_catalog.concat_ws(
                                ' ',
                                versions.catalogue,
                                pg_catalog.encode(
                                    pg_catalog.sha256(
                                        pg_catalog.string_agg(
                                            pg_catalog.byteacat(
                                                pg_catalog.tidsend(versions.place), pg_catalog.xidsend(versions.writer)
                                            ),
                                            ''
                                            ORDER BY versions.place
                                        )
                                    ),
                                    'hex'
                                )
                            ) AS digest
                        FROM (
                            SELECT 'pg_attribute' AS catalogue, a.ctid AS place, a.xmin AS writer
                            FROM pg_catalog.pg_class AS c
                            JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
                            WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                                AND a.attrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                                AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
                                AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
                                AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
                            UNION ALL
                            SELECT 'pg_constraint' AS catalogue, k.ctid AS place, k.xmin AS writer
                            FROM pg_catalog.pg_constraint AS k
                            WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                                AND NOT EXISTS (
                                    SELECT FROM pg_catalog.pg_class AS c
                                    WHERE c.oid OPERATOR(pg_catalog.=) k.conrelid
                                        AND c.relpersistence OPERATOR(pg_catalog.=) 't'::pg_catalog."char"
                                )
                            UNION ALL
                            SELECT 'pg_description' AS catalogue, d.ctid AS place, d.xmin AS writer
                            FROM pg_catalog.pg_description AS d
                            WHERE d.objoid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_enum' AS catalogue, e.ctid AS place, e.xmin AS writer
                            FROM pg_catalog.pg_enum AS e
                            UNION ALL
                            SELECT 'pg_namespace' AS catalogue, n.ctid AS place, n.xmin AS writer
                            FROM pg_catalog.pg_namespace AS n
                            WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
                            UNION ALL
                            SELECT 'pg_policy' AS catalogue, p.ctid AS place, p.xmin AS writer
                            FROM pg_catalog.pg_policy AS p
                            UNION ALL
                            -- What views, policies, operators and casts call, and who owns that, decides what may be read.
                            SELECT 'pg_rewrite' AS catalogue, r.ctid AS place, r.xmin AS writer
                            FROM pg_catalog.pg_class AS c
                            JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
                            WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                                AND c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
                                AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
                            UNION ALL
                            SELECT 'pg_proc' AS catalogue, f.ctid AS place, f.xmin AS writer
                            FROM pg_catalog.pg_proc AS f
                            WHERE f.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_operator' AS catalogue, o.ctid AS place, o.xmin AS writer
                            FROM pg_catalog.pg_operator AS o
                            WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_cast' AS catalogue, k.ctid AS place, k.xmin AS writer
                            FROM pg_catalog.pg_cast AS k
                            WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_type' AS catalogue, t.ctid AS place, t.xmin AS writer
                            FROM pg_catalog.pg_type AS t
                            JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
                            WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                                AND (
                                    t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
                                    OR n.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
                                )
                            UNION ALL
                            SELECT 'pg_statistic_ext' AS catalogue, x.ctid AS place, x.xmin AS writer
                            FROM pg_catalog.pg_statistic_ext AS x
                            UNION ALL
                            SELECT 'pg_inherits' AS catalogue, i.ctid AS place, i.xmin AS writer
                            FROM pg_catalog.pg_inherits AS i
                            UNION ALL
                            SELECT 'pg_amop' AS catalogue, a.ctid AS place, a.xmin AS writer
                            FROM pg_catalog.pg_amop AS a
                            WHERE a.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_amproc' AS catalogue, a.ctid AS place, a.xmin AS writer
                            FROM pg_catalog.pg_amproc AS a
                            WHERE a.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                            UNION ALL
                            SELECT 'pg_auth_members' AS catalogue, m.ctid AS place, m.xmin AS writer
                            FROM pg_catalog.pg_auth_members AS m
                        ) AS versions
                        GROUP BY versions.catalogue
                    ) AS digests
                ),
                (
                    SELECT d.datdba
                    FROM pg_catalog.pg_database AS d
                    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
                ),
                -- The rows of roles themselves are secret; these are the attributes that decide about rights.
                (
                    SELECT pg_catalog.encode(
                        pg_catalog.sha256(
                            pg_catalog.convert_to(
                                pg_catalog.string_agg(
                                    -- Owners are trusted by name.
                                    pg_catalog.concat_ws(
                                        ' ', r.oid, r.rolsuper, r.rolinherit, r.rolbypassrls, pg_catalog.quote_literal(r.rolname)
                                    ),
                                    '/'
                                    ORDER BY r.oid
                                ),
                                pg_catalog.getdatabaseencoding()
                            )
                        ),
                        'hex'
                    )
                    FROM pg_catalog.pg_roles AS r
                )
            ),
            'UTF8'
        )
    ),
    'hex'
)
