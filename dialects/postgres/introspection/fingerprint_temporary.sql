-- What changes with the session's temporary tables, as one text, by the versions of their rows.
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
            SELECT 'pg_class' AS catalogue, c.ctid AS place, c.xmin AS writer
            FROM pg_catalog.pg_class AS c
            WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
            UNION ALL
            SELECT 'pg_attribute' AS catalogue, a.ctid AS place, a.xmin AS writer
            FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
            WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
                AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
            UNION ALL
            SELECT 'pg_constraint' AS catalogue, k.ctid AS place, k.xmin AS writer
            FROM pg_catalog.pg_constraint AS k
            WHERE k.connamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
            UNION ALL
            SELECT 'pg_rewrite' AS catalogue, r.ctid AS place, r.xmin AS writer
            FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
            WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
        ) AS versions
        GROUP BY versions.catalogue
    ) AS digests
)
