WITH RECURSIVE
-- The type below each domain that a column has. Anybody may make a chain of domains as long as they like: of one with more than
-- 32 it is not looked for, and the column's type stays a domain.
bases (domain, type, level) AS (
    SELECT t.oid, t.typbasetype, 1
    FROM pg_catalog.pg_type AS t
    WHERE t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char"
        AND EXISTS (SELECT FROM pg_catalog.pg_attribute AS a WHERE a.atttypid OPERATOR(pg_catalog.=) t.oid)
    UNION ALL
    SELECT bases.domain, t.typbasetype, bases.level OPERATOR(pg_catalog.+) 1
    FROM bases
    JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) bases.type
    WHERE t.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char" AND bases.level OPERATOR(pg_catalog.<) 32
)
SELECT
    a.attrelid,
    a.attnum,
    a.attname,
    pg_catalog.format_type(a.atttypid, a.atttypmod),
    base.oid,
    base.typtype,
    base.typcategory,
    a.attnotnull OR (declared.typtype OPERATOR(pg_catalog.=) 'd'::pg_catalog."char" AND declared.typnotnull),
    pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'),
    pg_catalog.left(comment.description, 2000),
    a.atttypid,
    declared.typelem,
    -- The numbers of the columns that it is computed from; where that is too long to be looked through, 0 for all of the table. The
    -- expression is not asked for in SQL: PostgreSQL looks through all columns of the table, twice, to write one.
    CASE
        WHEN d.adbin IS NULL
        THEN NULL
        WHEN pg_catalog.length(d.adbin::pg_catalog.text) OPERATOR(pg_catalog.<=) 20000
        THEN (
            SELECT pg_catalog.string_agg(DISTINCT m.found[1], ' ')
            FROM pg_catalog.regexp_matches(d.adbin::pg_catalog.text, ':varattno ([0-9]+)', 'g') AS m (found)
        )
        ELSE '0'
    END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
JOIN pg_catalog.pg_type AS declared ON declared.oid OPERATOR(pg_catalog.=) a.atttypid
LEFT JOIN pg_catalog.pg_attrdef AS d
    ON d.adrelid OPERATOR(pg_catalog.=) a.attrelid
    AND d.adnum OPERATOR(pg_catalog.=) a.attnum
    AND a.attgenerated OPERATOR(pg_catalog.<>) ''::pg_catalog."char"
LEFT JOIN pg_catalog.pg_description AS comment
    ON comment.objoid OPERATOR(pg_catalog.=) a.attrelid
    AND comment.classoid OPERATOR(pg_catalog.=) 1259::pg_catalog.oid
    AND comment.objsubid OPERATOR(pg_catalog.=) a.attnum
LEFT JOIN bases
    JOIN pg_catalog.pg_type AS below
        ON below.oid OPERATOR(pg_catalog.=) bases.type
        AND below.typtype OPERATOR(pg_catalog.<>) 'd'::pg_catalog."char"
    ON bases.domain OPERATOR(pg_catalog.=) a.atttypid
JOIN pg_catalog.pg_type AS base ON base.oid OPERATOR(pg_catalog.=) COALESCE(below.oid, a.atttypid)
WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
    AND NOT c.relispartition
    AND (n.nspname OPERATOR(pg_catalog.!~) '^pg_' OR n.oid OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
    AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'::pg_catalog.name
    AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
    AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum
