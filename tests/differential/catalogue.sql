SELECT 'array_in(cstring,oid,integer)'::regprocedure, 'array_in(cstring,oid,integer)'::regprocedure::oid

SELECT t.oid, t.typname FROM pg_type t LEFT JOIN pg_range r ON t.oid = r.rngtypid WHERE t.typinput = 'array_in(cstring,oid,integer)'::regprocedure ORDER BY t.oid LIMIT 3

SELECT typinput, typinput::oid, typinput::text, typreceive = 'boolrecv'::regproc FROM pg_type WHERE typname IN ('bool', '_bool', 'int4') ORDER BY oid

SELECT 'sum'::regproc

SELECT 'nosuch'::regproc

SELECT 'nosuch(int)'::regprocedure

SELECT 'sum'::regprocedure

SELECT '+'::regoper

SELECT 2108::regproc, 2108::regprocedure, 0::regproc, 0::regoper, 551::regoper, 551::regoperator, 99999::regproc, 484::regoperator

SELECT '|/'::regoper, '+(int,int)'::regoperator, '-(none,int)'::regoperator::oid, 'numeric(numeric,int)'::regprocedure

SELECT to_regproc('nosuch'), to_regprocedure('int4pl(int,int)'), to_regprocedure('int4pl(int)')

SELECT 'int4in'::regproc = 'int4in(cstring)'::regprocedure, 'pg_class'::regclass = 1259, 'int4'::regtype = 23::oid

SELECT pg_typeof(indkey)::text, pg_typeof(indclass)::text FROM pg_index WHERE indrelid = 'pg_class'::regclass LIMIT 0

CREATE TABLE vectors (a int, b text, PRIMARY KEY (b, a))

SELECT indkey, indkey[0], indkey[1], indkey[2], indoption, array_lower(indkey, 1), 1 = ANY (indkey), 3 = ANY (indkey), indkey::text FROM pg_index WHERE indrelid = 'vectors'::regclass

SELECT relname[0], relname[2], relname[0] = 'v' FROM pg_class WHERE relname = 'vectors'

SELECT setting FROM pg_show_all_settings() WHERE name = 'bytea_output'

SELECT set_config('bytea_output', 'hex', false) FROM pg_show_all_settings() WHERE name = 'bytea_output'

SELECT set_config(name, 'view, foreign-table', false) FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'

SELECT name, setting FROM pg_settings WHERE name IN ('restrict_nonsystem_relation_kind', 'standard_conforming_strings') ORDER BY 1

RESET restrict_nonsystem_relation_kind

SET from_nowhere = 1

SET shared_buffers = '1MB'

SELECT count(*) FROM pg_catalog.pg_replication_slots

SELECT slot_name, xmin, catalog_xmin FROM pg_replication_slots

SELECT pg_stat_get_dead_tuples('vectors'::regclass), pg_stat_get_numscans(NULL), pg_stat_get_last_vacuum_time('vectors'::regclass)

SELECT oid > 16383 FROM pg_database WHERE datname = 'pg_catalog'

SELECT usename IS NOT NULL, state, query, backend_type, xact_start IS NOT NULL FROM pg_stat_activity WHERE pid = pg_backend_pid()

SELECT pid = pg_backend_pid() FROM pg_stat_get_activity(pg_backend_pid()) WHERE pid = pg_backend_pid()

SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()

SELECT character_set_name, character_repertoire, form_of_use FROM information_schema.character_sets

CREATE SEQUENCE counted START 10 INCREMENT 5

SELECT last_value, is_called FROM counted

SELECT nextval('counted'), nextval('counted')

SELECT c.last_value, c.is_called FROM public.counted AS c

SELECT is_called FROM missing_sequence

CREATE SEQUENCE missing_sequence

SELECT is_called FROM missing_sequence

CREATE VIEW told AS SELECT lower(b) AS low, a + 1 AS more FROM vectors WHERE a > 0

SELECT d.refobjid::regclass, d.deptype FROM pg_depend d JOIN pg_rewrite r ON d.objid = r.oid WHERE d.classid = 'pg_rewrite'::regclass AND r.ev_class = 'told'::regclass AND d.refobjid <> r.ev_class GROUP BY 1, 2

SELECT lo_create(4000000), lo_from_bytea(4000001, '\x00ff10')

SELECT lo_create(4000000)

SELECT lo_get(4000001), lo_get(4000001, 1, 1), lo_get(4000000), lo_get(4000001, 5, 1)

SELECT lo_put(4000001, 4, '\xaa')

SELECT lo_get(4000001)

SELECT lo_get(4999999)

SELECT lo_open(4999999, 262144)

SELECT loread(0, 10)

BEGIN

SELECT lo_open(4000001, 393216)

SELECT lo_lseek(0, 1, 0), lo_tell(0)

SELECT loread(0, 2), lo_tell(0)

SELECT lowrite(0, '\x010203'), lo_tell64(0)

SELECT lo_lseek(0, -2, 2)

SELECT lo_truncate(0, 3)

SELECT lo_close(0)

COMMIT

SELECT lo_get(4000001)

BEGIN

SELECT lo_open(4000001, 262144)

SELECT lowrite(0, '\x01')

ROLLBACK

SELECT loread(0, 1)

SELECT oid FROM pg_largeobject_metadata ORDER BY oid

SELECT lo_unlink(4000000), lo_unlink(4000001)

SELECT lo_unlink(4000001)

SELECT pg_catalog.substring('abc', 'b(.*)'), pg_catalog.btrim(' a '), pg_catalog.position('abc', 'b'), pg_catalog.overlay('abc', 'x', 2, 1)

SELECT (pg_catalog.string_to_array(encode(tgargs, 'escape'), E'\\000')::text[])[1:tgnargs] FROM pg_catalog.pg_trigger WHERE false

SELECT 1::oid UNION ALL SELECT 'pg_class'::regclass

SELECT 'pg_class'::regclass UNION SELECT 1247::oid ORDER BY 1

SELECT c.relname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace WHERE c.relkind OPERATOR(pg_catalog.=) ANY (array['r', 'S', 'v', 'm', 'f', 'p']) AND c.relname OPERATOR(pg_catalog.~) '^(vectors)$' COLLATE pg_catalog.default AND pg_catalog.pg_table_is_visible(c.oid)

SELECT parse_ident('Kinds'), parse_ident(' public . "Or""der" '), parse_ident('a.b.c'), parse_ident('foo(', false)

SELECT parse_ident('foo(')

SELECT parse_ident('1a')
