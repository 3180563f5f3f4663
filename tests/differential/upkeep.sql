CREATE TABLE kept_up (id int PRIMARY KEY, word text)

CREATE INDEX kept_up_word ON kept_up (word)

INSERT INTO kept_up VALUES (1, 'one'), (2, 'two')

VACUUM kept_up

VACUUM (ANALYZE, VERBOSE) kept_up

VACUUM FULL ANALYZE kept_up (word)

VACUUM nosuch

ANALYZE kept_up (id, word)

ANALYZE VERBOSE public.kept_up

ANALYZE kept_up (nosuch)

ANALYZE nosuch

CLUSTER kept_up USING kept_up_word

CLUSTER kept_up USING kept_up_pkey

CLUSTER kept_up USING nosuch

CLUSTER nosuch

CHECKPOINT

REINDEX (VERBOSE) TABLE kept_up

REINDEX INDEX kept_up_word

DROP INDEX CONCURRENTLY kept_up_word

DROP INDEX CONCURRENTLY IF EXISTS kept_up_word

COMMENT ON TABLE kept_up IS $$what's kept$$

COMMENT ON COLUMN kept_up.word IS E'it\'s a\x20word'

CREATE VIEW kept_view AS SELECT id FROM kept_up

COMMENT ON VIEW kept_view IS $v$the view's$v$

SELECT obj_description('kept_up'::regclass), col_description('kept_up'::regclass, 2), obj_description('kept_view'::regclass)

COMMENT ON VIEW kept_view IS NULL

SELECT obj_description('kept_view'::regclass), count(*) FROM kept_view

COMMENT ON TABLE kept_view IS 'x'

SELECT $$it's$$ AS a, relname FROM pg_class WHERE relname = 'kept_up'

SELECT E'it\'s' AS a, relname FROM pg_class WHERE relname = 'kept_up'

/* a /* b's */ c */ SELECT relname FROM pg_class WHERE relname = 'kept_up'

SELECT U&'d\0061t\+000061''s' AS a, relname FROM pg_class WHERE relname = 'kept_up'

SELECT (kept_up).word FROM kept_up ORDER BY 1

SELECT (k).id + 1 AS n FROM kept_up AS k ORDER BY 1
