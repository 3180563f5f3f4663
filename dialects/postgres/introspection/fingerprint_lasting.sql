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
                    -- whatever somebody makes them. Of indexes and the like, whether they are there is enough.
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
                                                pg_catalog.md5(c.relacl::pg_catalog.text), pg_catalog.quote_ident(c.relname)
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
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(a.ctid), pg_catalog.xidsend(a.xmin)),
                                    ''
                                    ORDER BY a.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_class AS c
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
                    WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND a.attrelid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
                        AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
                        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(k.ctid), pg_catalog.xidsend(k.xmin)),
                                    ''
                                    ORDER BY k.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_constraint AS k
                    WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND NOT EXISTS (
                            SELECT FROM pg_catalog.pg_class AS c
                            WHERE c.oid OPERATOR(pg_catalog.=) k.conrelid
                                AND c.relpersistence OPERATOR(pg_catalog.=) 't'::pg_catalog."char"
                        )
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(d.ctid), pg_catalog.xidsend(d.xmin)),
                                    ''
                                    ORDER BY d.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_description AS d
                    WHERE d.objoid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(e.ctid), pg_catalog.xidsend(e.xmin)),
                                    ''
                                    ORDER BY e.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_enum AS e
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(n.ctid), pg_catalog.xidsend(n.xmin)),
                                    ''
                                    ORDER BY n.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_namespace AS n
                    WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(p.ctid), pg_catalog.xidsend(p.xmin)),
                                    ''
                                    ORDER BY p.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_policy AS p
                ),
                -- What views, policies, operators and casts call, and who owns that, decides what may be read.
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(r.ctid), pg_catalog.xidsend(r.xmin)),
                                    ''
                                    ORDER BY r.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_class AS c
                    JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
                    WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char"
                        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char"
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(f.ctid), pg_catalog.xidsend(f.xmin)),
                                    ''
                                    ORDER BY f.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_proc AS f
                    WHERE f.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(o.ctid), pg_catalog.xidsend(o.xmin)),
                                    ''
                                    ORDER BY o.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_operator AS o
                    WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(k.ctid), pg_catalog.xidsend(k.xmin)),
                                    ''
                                    ORDER BY k.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_cast AS k
                    WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(t.ctid), pg_catalog.xidsend(t.xmin)),
                                    ''
                                    ORDER BY t.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_type AS t
                    JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
                    WHERE t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                        AND (
                            t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
                            OR n.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
                        )
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(x.ctid), pg_catalog.xidsend(x.xmin)),
                                    ''
                                    ORDER BY x.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_statistic_ext AS x
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(i.ctid), pg_catalog.xidsend(i.xmin)),
                                    ''
                                    ORDER BY i.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_inherits AS i
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(a.ctid), pg_catalog.xidsend(a.xmin)),
                                    ''
                                    ORDER BY a.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_amop AS a
                    WHERE a.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(a.ctid), pg_catalog.xidsend(a.xmin)),
                                    ''
                                    ORDER BY a.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_amproc AS a
                    WHERE a.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                ),
                (
                    SELECT d.datdba
                    FROM pg_catalog.pg_database AS d
                    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
                ),
                (
                    SELECT COALESCE(
                        pg_catalog.encode(
                            pg_catalog.sha256(
                                pg_catalog.string_agg(
                                    pg_catalog.byteacat(pg_catalog.tidsend(m.ctid), pg_catalog.xidsend(m.xmin)),
                                    ''
                                    ORDER BY m.ctid
                                )
                            ),
                            'hex'
                        ),
                        '-'
                    )
                    FROM pg_catalog.pg_auth_members AS m
                ),
                -- The rows of roles themselves are secret; these are the attributes that decide about rights.
                (
                    SELECT pg_catalog.encode(
                        pg_catalog.sha256(
                            pg_catalog.convert_to(
                                pg_catalog.string_agg(
                                    -- Owners are trusted by name.
                                    pg_catalog.concat_ws(
                                        ' ', r.oid, r.rolsuper, r.rolinherit, r.rolbypassrls, pg_catalog.quote_ident(r.rolname)
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
