-- What changes with the session's temporary tables, as one text.
pg_catalog.concat_ws(
    ' ',
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(c.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(a.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
            AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(k.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_constraint AS k
        WHERE k.connamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    ),
    (
        SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(r.xmin::pg_catalog.text::bigint))
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_rewrite AS r ON r.ev_class OPERATOR(pg_catalog.=) c.oid
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
    )
)
