-- What changes with the session's temporary tables, as one text, by the versions of their rows.
pg_catalog.concat_ws(
    ' ',
    (
        SELECT COALESCE(
            pg_catalog.encode(
                pg_catalog.sha256(
                    pg_catalog.string_agg(
                        pg_catalog.byteacat(pg_catalog.tidsend(c.ctid), pg_catalog.xidsend(c.xmin)), '' ORDER BY c.ctid
                    )
                ),
                'hex'
            ),
            '-'
        )
        FROM pg_catalog.pg_class AS c
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    ),
    (
        SELECT COALESCE(
            pg_catalog.encode(
                pg_catalog.sha256(
                    pg_catalog.string_agg(
                        pg_catalog.byteacat(pg_catalog.tidsend(a.ctid), pg_catalog.xidsend(a.xmin)), '' ORDER BY a.ctid
                    )
                ),
                'hex'
            ),
            '-'
        )
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
            AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
    ),
    (
        SELECT COALESCE(
            pg_catalog.encode(
                pg_catalog.sha256(
                    pg_catalog.string_agg(
                        pg_catalog.byteacat(pg_catalog.tidsend(k.ctid), pg_catalog.xidsend(k.xmin)), '' ORDER BY k.ctid
                    )
                ),
                'hex'
            ),
            '-'
        )
        FROM pg_catalog.pg_constraint AS k
        WHERE k.connamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    ),
    (
        SELECT COALESCE(
            pg_catalog.encode(
                pg_catalog.sha256(
                    pg_catalog.string_agg(
                        pg_catalog.byteacat(pg_catalog.tidsend(r.ctid), pg_catalog.xidsend(r.xmin)), '' ORDER BY r.ctid
                    )
                ),
                'hex'
            ),
            '-'
        )
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    )
)
