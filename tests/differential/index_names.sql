CREATE TABLE named_by_keys (a int, b numeric, c text, j jsonb, d date)

CREATE INDEX ON named_by_keys ((a::text))

CREATE INDEX ON named_by_keys (((a + 1)::text))

CREATE INDEX ON named_by_keys ((b::int), (b::text))

CREATE INDEX ON named_by_keys ((CASE WHEN a > 1 THEN b ELSE 0 END))

CREATE INDEX ON named_by_keys ((coalesce(a, 1)))

CREATE INDEX ON named_by_keys ((j -> 'a'))

CREATE INDEX ON named_by_keys ((a))

CREATE INDEX ON named_by_keys (lower(c), (upper(c)))

CREATE INDEX ON named_by_keys ((c COLLATE "C"))

CREATE INDEX ON named_by_keys ((greatest(a, 1)))

CREATE INDEX ON named_by_keys ((a IS NULL), (NOT (a > 1)))

CREATE INDEX ON named_by_keys ((ARRAY[a]))

CREATE INDEX ON named_by_keys ((nullif(a, 1)))

CREATE INDEX ON named_by_keys ((extract(year FROM d)))

CREATE INDEX ON named_by_keys (a, a)

CREATE INDEX ON named_by_keys (a) INCLUDE (a, b)

CREATE INDEX ON named_by_keys ((substring(c FROM 1 FOR 2)))

CREATE INDEX ON named_by_keys ((trim(c)))

CREATE UNIQUE INDEX ON named_by_keys ((lower(c)), a)

SELECT indexname FROM pg_indexes WHERE tablename = 'named_by_keys' ORDER BY indexname

DROP TABLE named_by_keys
