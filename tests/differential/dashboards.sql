CREATE TABLE branch (id serial PRIMARY KEY, code varchar(8) NOT NULL UNIQUE, opened date DEFAULT CURRENT_DATE, area numeric(9,2))

CREATE TABLE member (branch_id integer NOT NULL REFERENCES branch (id) ON DELETE CASCADE, number integer NOT NULL, full_name text NOT NULL, joined timestamptz DEFAULT now(), active boolean DEFAULT true, labels text[], facts jsonb, PRIMARY KEY (branch_id, number))

CREATE TABLE loan (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, branch integer, member integer, taken timestamp NOT NULL, days smallint DEFAULT 14 CHECK (days > 0), fee double precision, CONSTRAINT loan_of FOREIGN KEY (branch, member) REFERENCES member (branch_id, number) ON UPDATE CASCADE ON DELETE SET NULL)

CREATE INDEX loan_taken ON loan (taken DESC, fee)

CREATE UNIQUE INDEX member_lower ON member (lower(full_name)) WHERE active

CREATE VIEW busy AS SELECT b.code, count(*) AS loans FROM branch b JOIN loan l ON l.branch = b.id GROUP BY b.code

COMMENT ON TABLE branch IS 'places that lend'

COMMENT ON COLUMN branch.code IS 'as on the door'

INSERT INTO branch (code, area) VALUES ('N', 10.5), ('S', 20)

INSERT INTO member (branch_id, number, full_name) VALUES (1, 1, 'Ann'), (1, 2, 'Bob'), (2, 1, 'Cy')

INSERT INTO loan (branch, member, taken, fee) VALUES (1, 1, '2024-01-01', 1.5), (2, 1, '2024-01-02', NULL)

SELECT con.conname, child.relname AS child, mine.attname AS child_column, parent.relname AS parent, theirs.attname AS parent_column, pair.place FROM pg_catalog.pg_constraint con CROSS JOIN LATERAL unnest(con.conkey, con.confkey) WITH ORDINALITY AS pair (mine, theirs, place) JOIN pg_catalog.pg_class child ON child.oid = con.conrelid JOIN pg_catalog.pg_class parent ON parent.oid = con.confrelid JOIN pg_catalog.pg_attribute mine ON mine.attrelid = con.conrelid AND mine.attnum = pair.mine JOIN pg_catalog.pg_attribute theirs ON theirs.attrelid = con.confrelid AND theirs.attnum = pair.theirs WHERE con.contype = 'f'::char ORDER BY con.conname, pair.place

SELECT con.conname, (SELECT array_agg(a.attname ORDER BY k.place) FROM unnest(con.conkey) WITH ORDINALITY AS k (number, place) JOIN pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = k.number) AS columns, con.confrelid::regclass::text, con.confdeltype, con.confupdtype, con.condeferrable FROM pg_constraint con WHERE con.contype = 'f' AND con.connamespace = 'public'::regnamespace ORDER BY 1

SELECT s.conname, s.place, a.attname FROM (SELECT conname, conrelid, conkey, generate_subscripts(conkey, 1) AS place FROM pg_constraint WHERE contype IN ('p', 'f')) s JOIN pg_attribute a ON a.attrelid = s.conrelid AND a.attnum = s.conkey[s.place] JOIN pg_class c ON c.oid = s.conrelid WHERE c.relname IN ('member', 'loan') ORDER BY 1, 2

SELECT n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull OR (t.typtype = 'd' AND t.typnotnull) AS required, row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum) AS place, pg_catalog.col_description(c.oid, a.attnum) AS told, nullif(a.attidentity, '') AS identity, nullif(a.attgenerated, '') AS generated, t.typbasetype, t.typtype FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid JOIN pg_catalog.pg_type t ON a.atttypid = t.oid WHERE c.relkind = ANY (ARRAY['r', 'p', 'v', 'f', 'm']::"char"[]) AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname = 'public' AND c.relname LIKE 'branch' ORDER BY 1, 2, place

SELECT c.relname, pg_total_relation_size(c.oid) > 0 AS total, pg_relation_size(c.oid) >= 0 AS own, pg_size_pretty(pg_table_size(c.oid)) IS NOT NULL AS told, pg_indexes_size(c.oid) >= 0 AS indexes, c.reltuples::bigint >= -1 AS counted FROM pg_class c LEFT JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_toast' AND c.relname IN ('branch', 'member', 'loan') ORDER BY pg_total_relation_size(c.oid) > 0 DESC, c.relname

SELECT sum(pg_total_relation_size(quote_ident(table_schema) || '.' || quote_ident(table_name))) > 0 AS bytes FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'

SELECT pg_size_pretty(pg_database_size(current_database())) IS NOT NULL, pg_database_size(current_database()) > 0

SELECT datname, pg_database_size(datname) > 0 AS sized, pg_catalog.pg_get_userbyid(datdba) IS NOT NULL AS owned, has_database_privilege(datname, 'CONNECT') FROM pg_database WHERE datname = current_database() AND NOT datistemplate AND datallowconn

SELECT schemaname, relname, n_live_tup >= 0 AS live, n_dead_tup >= 0 AS dead, coalesce(seq_scan, 0) >= 0 AS scans, coalesce(idx_scan, 0) >= 0 AS by_index, greatest(last_vacuum, last_autovacuum) IS NULL AS unswept FROM pg_stat_user_tables WHERE relname IN ('branch', 'loan', 'member') ORDER BY 2

SELECT relname, 100 * coalesce(idx_scan, 0) / nullif(coalesce(seq_scan, 0) + coalesce(idx_scan, 0), 0) >= 0 IS NOT FALSE AS share FROM pg_stat_user_tables WHERE relname = 'branch'

SELECT s.relname, s.indexrelname, s.idx_scan >= 0 AS used, i.indisunique, pg_relation_size(s.indexrelid) >= 0 AS sized FROM pg_stat_user_indexes s JOIN pg_index i ON i.indexrelid = s.indexrelid WHERE s.relname = 'loan' ORDER BY 2

SELECT relname, heap_blks_read >= 0, heap_blks_hit >= 0 FROM pg_statio_user_tables WHERE relname IN ('branch', 'loan') ORDER BY 1

SELECT sum(heap_blks_hit) / nullif(sum(heap_blks_hit) + sum(heap_blks_read), 0) >= 0 IS NOT FALSE AS ratio FROM pg_statio_user_tables

SELECT numbackends > 0, xact_commit >= 0, xact_rollback >= 0, blks_read >= 0, blks_hit >= 0, tup_returned >= 0, tup_fetched >= 0, deadlocks >= 0, temp_bytes >= 0 FROM pg_stat_database WHERE datname = current_database()

SELECT state, count(*) > 0 AS any FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' GROUP BY state

SELECT pid, usename, application_name, client_addr, extract(epoch FROM now() - query_start) AS seconds, wait_event_type, left(query, 20) AS query FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND datname = 'nowhere'

SELECT l.mode, count(*) FROM pg_locks l LEFT JOIN pg_database d ON d.oid = l.database WHERE d.datname = 'nowhere' GROUP BY l.mode

SELECT kcu.table_name, kcu.column_name, kcu.ordinal_position, kcu.position_in_unique_constraint, tc.constraint_type FROM information_schema.key_column_usage kcu JOIN information_schema.table_constraints tc USING (constraint_schema, constraint_name) WHERE kcu.table_schema = 'public' AND kcu.table_name IN ('branch', 'member', 'loan') ORDER BY 1, tc.constraint_type, 3

SELECT rc.constraint_name, child.table_name, child.column_name, parent.table_name AS parent_table, parent.column_name AS parent_column, rc.update_rule, rc.delete_rule FROM information_schema.referential_constraints rc JOIN information_schema.key_column_usage child ON child.constraint_name = rc.constraint_name AND child.constraint_schema = rc.constraint_schema JOIN information_schema.key_column_usage parent ON parent.constraint_name = rc.unique_constraint_name AND parent.constraint_schema = rc.unique_constraint_schema AND parent.ordinal_position = child.position_in_unique_constraint ORDER BY 1, child.ordinal_position

SELECT tc.constraint_name, ccu.table_name, ccu.column_name FROM information_schema.table_constraints tc JOIN information_schema.constraint_column_usage ccu ON ccu.constraint_name = tc.constraint_name AND ccu.table_schema = tc.table_schema WHERE tc.constraint_type = 'FOREIGN KEY' ORDER BY 1, 2, 3

SELECT c.table_name, c.column_name, c.data_type, c.udt_name, c.is_nullable, c.character_maximum_length, c.numeric_precision, c.numeric_scale, c.datetime_precision, c.is_identity, c.identity_generation, c.is_generated, c.is_updatable, c.column_default IS NOT NULL AS has_default FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name IN ('branch', 'member', 'loan', 'busy') ORDER BY c.table_name, c.ordinal_position

SELECT 20::oid = ANY ('{int8,int4}'::regtype[]), 25::oid = ANY ('{int8,int4}'::regtype[]), 'bool'::regtype = ANY ('{boolean,"character varying"}'::regtype[]), 1700 <> ALL ('{int2,numeric}'::regtype[])

SELECT a.attname FROM pg_attribute a WHERE a.attrelid = 'loan'::regclass AND a.atttypid = ANY ('{int,int8,int2,"double precision"}'::regtype[]) AND a.attnum > 0 ORDER BY a.attnum

SELECT a.attname, CASE WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) AND EXISTS (SELECT FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND pg_get_expr(d.adbin, d.adrelid) = 'nextval(''' || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)') THEN CASE a.atttypid WHEN 'int'::regtype THEN 'serial' WHEN 'int8'::regtype THEN 'bigserial' WHEN 'int2'::regtype THEN 'smallserial' END ELSE format_type(a.atttypid, a.atttypmod) END AS kind FROM pg_attribute a WHERE a.attrelid = 'branch'::regclass AND a.attnum > 0 ORDER BY a.attnum

SELECT t.typname, t.typtype, t.typcategory, t.typelem <> 0 AS is_array, format_type(t.oid, NULL) AS told FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname = 'pg_catalog' AND (t.typrelid = 0 OR (SELECT c.relkind = 'c' FROM pg_class c WHERE c.oid = t.typrelid)) AND NOT EXISTS (SELECT 1 FROM pg_type e WHERE e.oid = t.typelem AND e.typarray = t.oid) AND t.typname IN ('int4', 'text', 'jsonb', 'numeric', 'timestamptz', 'uuid', '_int4', 'bool') ORDER BY 1

SELECT t.oid, t.typname, coalesce(array_agg(e.enumlabel ORDER BY e.enumsortorder) FILTER (WHERE e.enumlabel IS NOT NULL), '{}') AS labels FROM pg_type t LEFT JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typname IN ('int4', 'text') GROUP BY t.oid, t.typname ORDER BY 1

SELECT t.oid::int8 AS id, t.typname AS name, n.nspname AS schema, format_type(t.oid, NULL) AS format, coalesce(labels.list, '[]') AS enums, coalesce(parts.list, '[]') AS attributes FROM pg_type t LEFT JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN (SELECT enumtypid, jsonb_agg(enumlabel ORDER BY enumsortorder) AS list FROM pg_enum GROUP BY enumtypid) AS labels ON labels.enumtypid = t.oid LEFT JOIN (SELECT oid, jsonb_agg(jsonb_build_object('name', a.attname, 'type_id', a.atttypid::int8) ORDER BY a.attnum ASC) AS list FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relkind = 'c' AND NOT a.attisdropped GROUP BY c.oid) AS parts ON parts.oid = t.typrelid WHERE t.typname IN ('bool', 'date') ORDER BY 2

SELECT c.relname, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL), 'place', a.attnum) ORDER BY a.attnum) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN ('branch', 'busy') GROUP BY c.relname ORDER BY 1

SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, CASE c.relreplident WHEN 'd' THEN 'DEFAULT' WHEN 'i' THEN 'INDEX' WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END AS identity, obj_description(c.oid) AS comment FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname IN ('branch', 'loan') ORDER BY 1

SELECT pol.polname, c.relname, pol.polroles, pg_get_expr(pol.polqual, pol.polrelid) FROM pg_policy pol JOIN pg_class c ON c.oid = pol.polrelid

SELECT schemaname, tablename, policyname, roles, cmd, qual FROM pg_policies

SELECT rolcanlogin, rolconnlimit, rolvaliduntil, (SELECT count(*) FROM pg_stat_activity s WHERE s.usename = r.rolname) > 0 AS connected FROM pg_roles r WHERE rolname = current_user

SELECT e.name, n.nspname AS schema, e.default_version, x.extversion AS installed FROM pg_available_extensions e LEFT JOIN pg_extension x ON x.extname = e.name LEFT JOIN pg_namespace n ON n.oid = x.extnamespace WHERE e.name = 'plpgsql'

SELECT trigger_name, event_object_table, action_timing, array_agg(event_manipulation::text ORDER BY event_manipulation::text) FROM information_schema.triggers WHERE trigger_schema = 'public' GROUP BY 1, 2, 3

SELECT tg.tgname, tg.tgenabled, c.relname, p.proname FROM pg_trigger tg JOIN pg_class c ON c.oid = tg.tgrelid JOIN pg_proc p ON p.oid = tg.tgfoid WHERE NOT tg.tgisinternal

SELECT p.pubname, p.pubinsert, p.puballtables, coalesce((SELECT json_agg(c.relname) FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid WHERE r.prpubid = p.oid), '[]') AS tables FROM pg_publication p

SELECT p.proname, l.lanname, p.prokind, p.provolatile, pg_get_function_identity_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result, p.prosecdef FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang LEFT JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'

SELECT i.relname AS index, ix.indisunique, ix.indisprimary, ix.indpred IS NOT NULL AS partial, am.amname, array_agg(a.attname ORDER BY k.place) AS columns FROM pg_index ix JOIN pg_class t ON t.oid = ix.indrelid JOIN pg_class i ON i.oid = ix.indexrelid JOIN pg_am am ON am.oid = i.relam CROSS JOIN LATERAL unnest(ix.indkey::int2[]) WITH ORDINALITY AS k (number, place) LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number WHERE t.relname IN ('branch', 'loan') GROUP BY 1, 2, 3, 4, 5 ORDER BY 1

SELECT i.relname, k.place, pg_get_indexdef(ix.indexrelid, k.place::int, false) AS what, pg_index_column_has_property(ix.indexrelid, k.place::int, 'asc') AS up, (ix.indoption[k.place - 1] & 1) = 1 AS down, pg_get_expr(ix.indpred, ix.indrelid) AS only FROM pg_index ix JOIN pg_class i ON i.oid = ix.indexrelid CROSS JOIN generate_series(1, ix.indnkeyatts) AS k (place) WHERE ix.indrelid IN ('loan'::regclass, 'member'::regclass) ORDER BY 1, 2

SELECT c.relname, (SELECT string_agg(a.attname, ',' ORDER BY array_position(ix.indkey::int2[], a.attnum)) FROM pg_attribute a WHERE a.attrelid = ix.indrelid AND a.attnum = ANY (ix.indkey)) AS keys FROM pg_index ix JOIN pg_class c ON c.oid = ix.indrelid WHERE ix.indisprimary AND c.relname IN ('branch', 'member', 'loan') ORDER BY 1

SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog') AND table_type = 'BASE TABLE' AND quote_ident(table_name) IN ('branch', 'loan') ORDER BY 1

SELECT quote_ident(column_name) AS "column", data_type AS type FROM information_schema.columns WHERE table_name = 'member' AND quote_ident(table_schema) IN (SELECT CASE WHEN trim(part) = '"$user"' THEN current_user ELSE trim(part) END FROM unnest(string_to_array(current_setting('search_path'), ',')) AS part) ORDER BY ordinal_position

SELECT table_name FROM information_schema.tables WHERE table_schema = ANY (current_schemas(false)) AND table_name IN ('branch', 'busy') AND CASE WHEN array_length(parse_ident('public.branch'), 1) = 2 THEN quote_ident(table_schema) = (parse_ident('public.branch'))[1] ELSE true END ORDER BY 1

SELECT current_setting('server_version_num')::int / 100 >= 1500, current_setting('server_version_num')::int / 10000 >= 15

SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'

SELECT to_regclass('public.branch') IS NOT NULL, to_regclass('public.nothing') IS NULL, has_table_privilege('public.branch', 'SELECT'), has_schema_privilege('public', 'USAGE'), has_any_column_privilege('public.branch', 'SELECT'), has_column_privilege('public.branch', 'code', 'UPDATE')

SELECT t.schemaname, t.objectname, pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"' || '.' || '"' || t.objectname || '"', 'SELECT') AS may_read FROM (SELECT schemaname, tablename AS objectname FROM pg_catalog.pg_tables UNION SELECT schemaname, viewname FROM pg_views UNION SELECT schemaname, matviewname FROM pg_matviews) t WHERE t.schemaname !~ '^pg_' AND t.schemaname <> 'information_schema' AND t.objectname IN ('branch', 'busy') ORDER BY 2

SELECT c.column_name, col_description(CAST(CAST(format('%I.%I', CAST(c.table_schema AS text), CAST(c.table_name AS text)) AS regclass) AS oid), c.ordinal_position) AS remark FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name = 'branch' ORDER BY c.ordinal_position

SELECT NULL AS role, t.schemaname AS schema, t.tablename AS "table", pg_catalog.has_table_privilege(current_user, quote_ident(t.schemaname) || '.' || quote_ident(t.tablename), 'UPDATE') AS "update", (SELECT bool_and(privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER')) FROM information_schema.table_privileges p WHERE p.table_name = t.tablename) AS known FROM pg_tables t WHERE t.tablename = 'loan'

SELECT current_database()::information_schema.sql_identifier AS catalog, n.nspname AS schema, c.relname AS name, CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'SYSTEM' END AS kind, d.description AS remarks FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass WHERE c.relkind = ANY ('{r,v,m,f,p}') AND n.nspname = 'public' AND c.relname IN ('branch', 'busy') ORDER BY 4, 3

SELECT a.attname, a.atttypid, t.typname, a.attnum, a.attlen, a.atttypmod, a.attnotnull, c.relhasrules, c.relkind, c.oid > 0 AS numbered, pg_get_expr(d.adbin, d.adrelid) IS NOT NULL AS has_default, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE 0 END AS base, t.typtypmod, 0 AS has_oids, a.attidentity FROM ((pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND c.relname = E'member' AND n.nspname = E'public') JOIN pg_attribute a ON NOT a.attisdropped AND a.attnum > 0 AND a.attrelid = c.oid) JOIN pg_type t ON t.oid = a.atttypid LEFT OUTER JOIN pg_attrdef d ON a.atthasdef AND d.adrelid = a.attrelid AND d.adnum = a.attnum ORDER BY n.nspname, c.relname, a.attnum

SELECT ta.attname, ia.attnum, ic.relname, tc.relname FROM pg_attribute ta, pg_attribute ia, pg_class tc, pg_index i, pg_namespace n, pg_class ic WHERE tc.relname = 'member' AND n.nspname = 'public' AND tc.oid = i.indrelid AND n.oid = tc.relnamespace AND i.indisprimary = 't' AND ia.attrelid = i.indexrelid AND ta.attrelid = i.indrelid AND ta.attnum = i.indkey[ia.attnum - 1] AND NOT ta.attisdropped AND NOT ia.attisdropped AND ic.oid = i.indexrelid ORDER BY ia.attnum

SELECT pn.nspname AS parent_schema, pt.relname AS parent, pa.attname AS parent_column, ft.relname AS child, fa.attname AS child_column, pos.n AS place, CASE con.confupdtype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1 WHEN 'a' THEN 3 END AS on_update, con.conname, con.condeferred FROM pg_namespace pn, pg_class pt, pg_attribute pa, pg_class ft, pg_attribute fa, pg_constraint con, generate_series(1, current_setting('max_index_keys')::int, 1) pos (n) WHERE pn.oid = pt.relnamespace AND pt.oid = con.confrelid AND ft.oid = con.conrelid AND con.contype = 'f' AND pa.attrelid = pt.oid AND pa.attnum = con.confkey[pos.n] AND fa.attrelid = ft.oid AND fa.attnum = con.conkey[pos.n] ORDER BY con.conname, pos.n

SELECT n.nspname, c.relname FROM pg_class c, pg_namespace n WHERE n.oid = c.relnamespace AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'pg_temp_1') AND has_table_privilege(c.oid, 'select') AND c.relname ~ '^(branch|loan)$' ORDER BY nspname, relname

SELECT con.conname, con.contype, pg_get_constraintdef(con.oid, true) AS definition FROM pg_constraint con WHERE con.conrelid::regclass::text IN ('branch', 'member', 'loan') ORDER BY con.conrelid::regclass::text, 1

SELECT seq.relname, dep.refobjid::regclass::text AS owner, a.attname FROM pg_class seq JOIN pg_depend dep ON dep.objid = seq.oid AND dep.classid = 'pg_class'::regclass AND dep.deptype IN ('a', 'i') JOIN pg_attribute a ON a.attrelid = dep.refobjid AND a.attnum = dep.refobjsubid WHERE seq.relkind = 'S' AND a.attrelid IN ('branch'::regclass, 'loan'::regclass) ORDER BY 1

SELECT sequence_name, data_type, start_value, increment FROM information_schema.sequences WHERE sequence_name LIKE 'branch%' OR sequence_name LIKE 'loan%' ORDER BY 1

SELECT v.table_name, v.is_updatable, v.check_option, u.table_name AS reads FROM information_schema.views v LEFT JOIN information_schema.view_table_usage u ON u.view_name = v.table_name WHERE v.table_name = 'busy' ORDER BY 4

SELECT DISTINCT dependent.relname AS view, source.relname AS source FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class dependent ON dependent.oid = r.ev_class JOIN pg_class source ON source.oid = d.refobjid WHERE dependent.relname = 'busy' AND source.relname <> 'busy' ORDER BY 1, 2

SELECT name, setting, unit, category, vartype, min_val, max_val, enumvals, context, pending_restart FROM pg_settings WHERE name IN ('bytea_output', 'max_identifier_length') ORDER BY 1

SELECT attname, null_frac IS NOT NULL, n_distinct IS NOT NULL, most_common_vals::text FROM pg_stats WHERE tablename = 'nothing'

SELECT row_to_json(t) FROM (SELECT relname, relkind FROM pg_class WHERE relname = 'branch') t

WITH keyed AS (SELECT conrelid, unnest(conkey) AS number FROM pg_constraint WHERE contype = 'p') SELECT c.relname, a.attname, a.attnum IN (SELECT number FROM keyed WHERE keyed.conrelid = c.oid) AS is_key FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 WHERE c.relname = 'member' ORDER BY a.attnum

SELECT count(*) FILTER (WHERE c.relkind = 'r') AS tables, count(*) FILTER (WHERE c.relkind = 'v') AS views FROM pg_class c WHERE c.relnamespace::regnamespace::text = 'public' AND c.relname IN ('branch', 'member', 'loan', 'busy')

SELECT age(datfrozenxid) IS NOT NULL, current_setting('autovacuum_freeze_max_age')::bigint > 0 FROM pg_database WHERE datname = current_database()

SELECT pg_postmaster_start_time() <= now(), pg_is_in_recovery(), pg_conf_load_time() <= now()

SELECT checkpoints_timed >= 0, buffers_alloc >= 0 FROM pg_stat_bgwriter

SELECT slot_name, active, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) FROM pg_replication_slots

SELECT client_addr, state, sync_state FROM pg_stat_replication

SELECT (SELECT count(*) FROM pg_class c WHERE c.reltype = 0 AND c.relkind IN ('r', 'v')) AS untyped, (SELECT count(*) FROM pg_attribute a LEFT JOIN pg_type t ON t.oid = a.atttypid WHERE t.oid IS NULL AND a.attnum > 0 AND NOT a.attisdropped) AS unknown

SELECT c.relname, t.typname, t.typtype, e.typname AS array_name FROM pg_class c JOIN pg_type t ON t.oid = c.reltype LEFT JOIN pg_type e ON e.oid = t.typarray WHERE c.relname IN ('pg_type', 'pg_statistic') ORDER BY 1

SELECT c.relname, pg_relation_is_updatable(c.oid, true)::bit(8) & B'00011100' = B'00011100' AS writable, pg_column_is_updatable(c.oid, 1::int2, false) AS changes FROM pg_class c WHERE c.relname IN ('branch', 'busy') ORDER BY 1

SELECT B'101', B'1' || B'0', ~ B'101', B'1' < B'10', B'101'::bit(2), B'011'::int, B'12'

SELECT has_column_privilege(r.oid, 'branch'::regclass, 'code', 'SELECT'), has_column_privilege(r.oid, 'branch'::regclass, 2::int2, 'SELECT'), has_column_privilege(r.rolname, 'branch', 'code', 'UPDATE'), has_column_privilege(r.rolname, 'branch'::regclass::oid, 'code', 'INSERT') FROM pg_roles r WHERE r.rolname = current_user

SELECT row_to_json(x) FROM (SELECT 1::oid AS a, 1::int2 AS b, '1 2'::int2vector AS c, '3 4'::oidvector AS d, 'pg_class'::regclass AS e, ARRAY[1::oid] AS g, ARRAY['a'::"char"] AS h, 'int4'::regtype AS s, ARRAY['int4'::regtype] AS t, B'10' AS bits) x

SELECT to_json(1::oid), to_jsonb(1::oid), json_build_object('a', 1::oid, 'b', '1 2'::int2vector, 1::oid, 2), jsonb_build_array('pg_class'::regclass, 1::oid), json_agg(1::oid), jsonb_object_agg('x', 1::oid), array_to_json(ARRAY[1::oid]), jsonb_agg('2 3'::oidvector), to_json(ARRAY['text'::regtype])

WITH found AS (SELECT c.oid AS id, c.relname AS name, nullif(c.reltype, 0) IS NOT NULL AS typed FROM pg_class c WHERE c.relname IN ('branch', 'loan')), keys AS (SELECT DISTINCT ON (k.conrelid, k.conkey) f.name, k.contype, k.conkey, k.confkey FROM pg_constraint k JOIN found f ON f.id = k.conrelid WHERE k.contype IN ('p', 'f', 'u') ORDER BY k.conrelid, k.conkey, k.conname) SELECT json_build_object('name', name, 'typed', typed)::text AS object FROM found UNION ALL SELECT row_to_json(keys)::text FROM keys ORDER BY 1

SELECT i.relname, (SELECT array_agg(pg_index_column_has_property(x.indexrelid, k.place::int, 'nulls_first') ORDER BY k.place) FROM unnest(x.indkey) WITH ORDINALITY AS k (number, place)) AS first, pg_index_has_property(x.indexrelid, 'clusterable') AS clusters, pg_index_column_has_property(x.indexrelid, 9, 'asc') AS beyond FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = 'loan'::regclass ORDER BY 1

SELECT a.amname, pg_indexam_has_property(a.oid, 'can_order') AS orders, pg_indexam_has_property(a.oid, 'can_unique') AS is_unique, pg_indexam_has_property(a.oid, 'nothing') AS nothing FROM pg_am a ORDER BY 1

SELECT pg_catalog.substring('abc', 'b'), E'a\\tb', E'x\ty', E'it''s \'q\''

SELECT max(k.conkey), min(k.conkey), max(k.oid) > 0 FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relname = 'member' AND k.contype = 'p'

SELECT c.relname FROM pg_class c WHERE c.relkind = 'v' AND c.relhasrules AND NOT EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid)

ALTER TABLE branch ADD COLUMN marks varchar(9)[]

ALTER TABLE branch ADD COLUMN floors integer

SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_name = 'branch' ORDER BY ordinal_position

DROP VIEW busy

DROP TABLE loan, member, branch
