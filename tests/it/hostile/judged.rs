//! What a PostgreSQL database defines is judged before a question reads it.

use std::sync::Arc;

use querent::{
    postgres::introspection::Client,
    question::{
        schema::{Dialect, Schema},
        validator::{Asked, repair, validate},
    },
};

use crate::postgres::{
    introspection::{LIMITS, schemas},
    server::{PostgresServer, SUPERUSER},
};

const TABLES: &str = "
    CREATE TABLE plain(id int PRIMARY KEY, name text);
    CREATE TABLE log(line text);
    CREATE FUNCTION spy() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING 1 $$;
    CREATE FUNCTION calm(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lower($1) || '!' $$;
    CREATE FUNCTION sly(int) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM spy(); RETURN 1; END $$;
    CREATE FUNCTION lifted() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT count(*) FROM plain $$;
    CREATE FUNCTION standard(int) RETURNS int LANGUAGE sql IMMUTABLE RETURN $1 + 1;
    CREATE AGGREGATE odd_sum(int) (SFUNC = sly2, STYPE = int, INITCOND = '0');
";

/// Views and tables, each with why it is forbidden; `-` where it is not.
const JUDGED: &[(&str, &str, &str)] = &[
    (
        "v_plain",
        "CREATE VIEW v_plain AS SELECT id, upper(name) AS name, now() AS at FROM plain WHERE id = 1",
        "-",
    ),
    (
        "v_session",
        "CREATE VIEW v_session AS SELECT id FROM plain WHERE name = current_user OR name = current_setting('a.b', true)",
        "-",
    ),
    (
        "v_random",
        "CREATE VIEW v_random AS SELECT id, random() AS r FROM plain",
        "-",
    ),
    (
        "v_calm",
        "CREATE VIEW v_calm AS SELECT calm(name) AS name FROM plain",
        "-",
    ),
    (
        "v_spy",
        "CREATE VIEW v_spy AS SELECT spy() AS x",
        "calls public.spy, which is volatile",
    ),
    (
        "v_over",
        "CREATE VIEW v_over AS SELECT x FROM v_spy",
        "reads public.v_spy, which calls public.spy, which is volatile",
    ),
    (
        "v_where",
        "CREATE VIEW v_where AS SELECT id FROM plain WHERE id IN (SELECT spy())",
        "calls public.spy, which is volatile",
    ),
    (
        "v_sly",
        "CREATE VIEW v_sly AS SELECT sly(id) AS x FROM plain",
        "calls public.sly, which calls spy",
    ),
    (
        "v_lifted",
        "CREATE VIEW v_lifted AS SELECT lifted() AS n",
        "calls public.lifted, which has its owner's rights",
    ),
    (
        "v_standard",
        "CREATE VIEW v_standard AS SELECT standard(id) AS n FROM plain",
        "calls public.standard, which has no text that could be read",
    ),
    (
        "v_file",
        "CREATE VIEW v_file AS SELECT pg_read_file('/etc/hostname') AS text",
        "calls pg_read_file",
    ),
    (
        "v_sleep",
        "CREATE VIEW v_sleep AS SELECT id FROM plain WHERE pg_sleep(1) IS NOT NULL",
        "calls pg_sleep",
    ),
    (
        "v_next",
        "CREATE SEQUENCE s; CREATE VIEW v_next AS SELECT nextval('s') AS n",
        "calls nextval",
    ),
    (
        "v_set",
        "CREATE VIEW v_set AS SELECT set_config('work_mem', '1MB', false) AS v",
        "calls set_config",
    ),
    (
        "v_lock",
        "CREATE VIEW v_lock AS SELECT pg_try_advisory_lock(1) AS v",
        "calls pg_try_advisory_lock",
    ),
    (
        "v_notify",
        "CREATE VIEW v_notify AS SELECT 1 AS v WHERE pg_notify('a', 'b') IS NOT NULL",
        "calls pg_notify",
    ),
    (
        "v_xml",
        "CREATE VIEW v_xml AS SELECT table_to_xml('plain', true, false, '') AS x",
        "calls table_to_xml",
    ),
    (
        "v_rows",
        "CREATE VIEW v_rows AS SELECT id FROM plain FOR UPDATE",
        "locks rows",
    ),
    (
        "v_class",
        "CREATE VIEW v_class AS SELECT relname::text AS name FROM pg_class",
        "reads the catalogue (pg_class)",
    ),
    (
        "v_auth",
        "CREATE VIEW v_auth AS SELECT rolpassword FROM pg_authid",
        "reads the catalogue (pg_authid)",
    ),
    (
        "v_activity",
        "CREATE VIEW v_activity AS SELECT query FROM pg_stat_activity",
        "reads the catalogue (pg_stat_activity)",
    ),
    (
        "v_info",
        "CREATE VIEW v_info AS SELECT table_name::text AS name FROM information_schema.tables",
        "reads the catalogue (tables)",
    ),
    (
        "v_operator",
        "CREATE OPERATOR #+# (LEFTARG = int, RIGHTARG = int, FUNCTION = two); CREATE VIEW v_operator AS SELECT id #+# id AS n FROM plain",
        "calls public.two, which is volatile",
    ),
    (
        "v_aggregate",
        "CREATE VIEW v_aggregate AS SELECT odd_sum(id) AS n FROM plain",
        "calls public.odd_sum, which calls public.sly2, which is volatile",
    ),
    (
        "v_domain",
        "CREATE DOMAIN checked AS int CHECK (spied(VALUE)); CREATE VIEW v_domain AS SELECT id::checked AS n FROM plain",
        "converts to a domain whose check calls public.spied, which is volatile",
    ),
    (
        "v_window",
        "CREATE VIEW v_window AS SELECT sum(id) OVER (ORDER BY spy()) AS n FROM plain",
        "calls public.spy, which is volatile",
    ),
    (
        "v_cte",
        "CREATE VIEW v_cte AS WITH x AS (SELECT spy() AS a) SELECT a FROM x",
        "calls public.spy, which is volatile",
    ),
    (
        "m_spy",
        "CREATE MATERIALIZED VIEW m_spy AS SELECT 1 AS a WITH NO DATA",
        "-",
    ),
    ("has_domain", "CREATE TABLE has_domain(a checked)", "-"),
    (
        "policed",
        "CREATE TABLE policed(id int); ALTER TABLE policed ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON policed USING (spy() > 0)",
        "calls the volatile function public.spy",
    ),
    (
        "guarded",
        "CREATE TABLE guarded(id int); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON guarded USING (id < lifted() AND pg_has_role('postgres', 'USAGE'))",
        "-",
    ),
    (
        "v_policed",
        "CREATE VIEW v_policed WITH (security_invoker) AS SELECT id FROM policed",
        "reads public.policed, which calls the volatile function public.spy",
    ),
    (
        "cast_out",
        "CREATE TYPE pair AS (a int); CREATE TABLE cast_out(p pair); CREATE CAST (pair AS text) WITH FUNCTION told(pair) AS IMPLICIT",
        "has a type with a cast that calls public.told, which is volatile",
    ),
    (
        "cast_row",
        "CREATE TABLE cast_row(a int); CREATE FUNCTION told2(cast_row) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT spy()::text $$; CREATE CAST (cast_row AS text) WITH FUNCTION told2(cast_row) AS IMPLICIT",
        "has a type with a cast that calls public.told2, which is volatile",
    ),
    (
        "afar",
        "CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1'); CREATE FOREIGN TABLE afar(a int) SERVER far",
        "is a foreign table",
    ),
    (
        "v_afar",
        "CREATE VIEW v_afar AS SELECT a FROM afar",
        "reads the foreign table public.afar",
    ),
    (
        "parted",
        "CREATE TABLE parted(a int) PARTITION BY LIST (a); CREATE FOREIGN TABLE part PARTITION OF parted FOR VALUES IN (1) SERVER far",
        "reads the foreign table public.part",
    ),
    (
        "ancestor",
        "CREATE TABLE ancestor(a int); CREATE TABLE child() INHERITS (ancestor); CREATE FOREIGN TABLE grandchild() INHERITS (child) SERVER far",
        "reads public.child, which reads the foreign table public.grandchild",
    ),
    (
        "indexed",
        "CREATE FUNCTION runs(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM lo_creat(-1); RETURN $1; END $$; \
         CREATE TABLE indexed(a int); CREATE INDEX ON indexed ((runs(1) + a))",
        "calls public.runs, which calls lo_creat",
    ),
    (
        "partly_indexed",
        "CREATE TABLE partly_indexed(a int); CREATE INDEX ON partly_indexed (a) WHERE runs(1) = a",
        "calls public.runs, which calls lo_creat",
    ),
    (
        "held",
        "CREATE TABLE held(a int CHECK (runs(1) > a))",
        "calls public.runs, which calls lo_creat",
    ),
    ("held_late", "CREATE TABLE held_late(a int CHECK (spied(a)))", "-"),
    (
        "counted",
        "CREATE TABLE counted(a int, b int); CREATE STATISTICS counted_both ON (runs(1) + a), b FROM counted",
        "calls public.runs, which calls lo_creat",
    ),
    (
        "well_indexed",
        "CREATE TABLE well_indexed(a text); CREATE INDEX ON well_indexed ((calm(a))); CREATE INDEX ON well_indexed (lower(a))",
        "-",
    ),
    (
        "has_array",
        "CREATE TABLE has_array(a checked[])",
        "has a type that converts to a domain whose check calls public.spied, which is volatile",
    ),
    (
        "has_range",
        "CREATE TYPE span AS RANGE (subtype = checked); CREATE TABLE has_range(a span)",
        "has a type that converts to a domain whose check calls public.spied, which is volatile",
    ),
    (
        "v_reads_policed",
        "CREATE FUNCTION reads_policed() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM policed $$; \
         CREATE VIEW v_reads_policed AS SELECT reads_policed() AS n",
        "calls public.reads_policed, which reads policed",
    ),
    (
        "v_overload",
        "CREATE FUNCTION initcap(varchar) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT spy()::text $$; \
         CREATE FUNCTION bent(varchar) RETURNS text LANGUAGE sql STABLE AS $$ SELECT initcap($1) $$; \
         CREATE VIEW v_overload AS SELECT bent('x'::varchar) AS n",
        "calls public.bent, which calls initcap",
    ),
    (
        "v_field",
        "CREATE FUNCTION field() RETURNS oid LANGUAGE sql STABLE AS $$ SELECT (-1).lo_creat $$; CREATE VIEW v_field AS SELECT field()::int AS n",
        "calls public.field, which calls lo_creat",
    ),
    (
        "v_set_path",
        "CREATE FUNCTION set_path(text) RETURNS text LANGUAGE sql STABLE SET search_path = public AS $$ SELECT upper($1) $$; \
         CREATE VIEW v_set_path AS SELECT set_path('x') AS n",
        "calls public.set_path, which has a text that is too long, or settings of its own",
    ),
    (
        "v_crosstab",
        "CREATE EXTENSION tablefunc; CREATE VIEW v_crosstab AS SELECT x.a FROM crosstab('SELECT 1, 2, 3') AS x(a int, b int)",
        "calls public.crosstab, which reaches out",
    ),
    (
        "v_crosstab2",
        "CREATE VIEW v_crosstab2 AS SELECT x.category_1 AS a FROM crosstab2('SELECT ''1'', ''2'', spy()::text') AS x",
        "calls public.crosstab2, which reaches out",
    ),
    (
        "v_xslt",
        "CREATE EXTENSION xml2; CREATE VIEW v_xslt AS SELECT xslt_process('<a/>', '<b/>') AS a",
        "calls public.xslt_process, which reaches out",
    ),
    (
        "v_xpath",
        "CREATE VIEW v_xpath AS SELECT xpath_string('<a/>', '/a') AS a",
        "calls public.xpath_string, which may reach out: policy.trusted_extensions does not name its extension, xml2",
    ),
    (
        "v_weak",
        "CREATE EXTENSION isn; CREATE VIEW v_weak AS SELECT isn_weak(true) AS a, is_valid('9780393040029'::isbn13) AS b",
        "calls public.isn_weak, which reaches out",
    ),
    (
        "v_isbn",
        "CREATE VIEW v_isbn AS SELECT is_valid('9780393040029'::isbn13) AS b",
        "-",
    ),
    (
        "v_latitude",
        "CREATE EXTENSION cube; CREATE EXTENSION earthdistance; CREATE TABLE places(id int, place earth); \
         CREATE VIEW v_latitude AS SELECT id, latitude(place) AS latitude FROM places",
        "-",
    ),
    ("places", "SELECT 1", "-"),
    (
        "has_named",
        "CREATE DOMAIN reverse AS varchar CHECK (spied(length(VALUE))); CREATE TABLE has_named(a varchar)",
        "-",
    ),
];

/// Functions that the rest needs, before the aggregate that uses one.
const FUNCTIONS: &str = "
    CREATE FUNCTION sly2(int, int) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT 1 $$;
    CREATE FUNCTION two(int, int) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT 1 $$;
    CREATE FUNCTION spied(int) RETURNS bool LANGUAGE sql VOLATILE AS $$ SELECT true $$;";

pub(super) async fn schema(server: &PostgresServer) -> Arc<Schema> {
    let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
    let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
    client.session_snapshot().await.unwrap().snapshot.schema
}

#[tokio::test]
async fn views_tables_and_types_are_judged() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", FUNCTIONS).await;
    server.run("postgres", TABLES).await;
    for (_, sql, _) in JUDGED {
        if sql.contains("FUNCTION told(pair)") {
            let told = "CREATE TYPE pair AS (a int); CREATE FUNCTION told(pair) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT 'x' $$";
            server.run("postgres", told).await;
            server
                .run("postgres", &sql.replace("CREATE TYPE pair AS (a int);", ""))
                .await;
        } else {
            server.run("postgres", sql).await;
        }
    }
    let schema = schema(&server).await;
    let mut wrong = vec![];
    for (name, _, expected) in JUDGED {
        let table = &schema.tables[schema
            .table_named(name)
            .unwrap_or_else(|| panic!("{name} is not there"))];
        let given = table.forbidden.as_deref().unwrap_or("-");
        if given != *expected {
            wrong.push(format!("{name}: {given}"));
        }
        let sql = format!("SELECT count(*) FROM {name}");
        assert_eq!(
            validate(&sql, &schema, Dialect::Postgres).is_ok(),
            given == "-",
            "{sql}"
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let runs_code = |name: &str| schema.tables[schema.table_named(name).unwrap()].runs_code;
    assert!(runs_code("v_plain") && runs_code("guarded") && runs_code("afar"));
    assert!(!runs_code("plain") && !runs_code("m_spy"));
    for (sql, passes) in [
        ("SELECT '1'::checked", false),
        ("SELECT 1::checked", false),
        ("SELECT a::int FROM has_domain", true),
        ("SELECT '(1)'::pair", false),
        ("SELECT checked '1' FROM (SELECT 1 AS checked) x", false),
        ("SELECT x.spy FROM plain x", false),
        ("SELECT 1 #+# 2", false),
        ("SELECT odd_sum(id) FROM plain", false),
        ("SELECT reverse('x')", false),
        ("SELECT '[1,2]'::span", false),
        ("SELECT x.a FROM json_to_record('{}') AS x(a span)", false),
        ("SELECT reverse(a) FROM has_named", false),
        ("SELECT calm(name) FROM plain", false),
        ("SELECT public.calm(name) FROM plain", false),
    ] {
        assert_eq!(validate(sql, &schema, Dialect::Postgres).is_ok(), passes, "{sql}");
    }
}

#[tokio::test]
async fn names_of_the_databases_own_are_told_from_built_in_ones() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let shadows = "
        CREATE TABLE people(id int, name varchar(20), born date);
        CREATE TABLE log(line text);
        CREATE FUNCTION lower(varchar) RETURNS text LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING line $$;
        CREATE FUNCTION upper(date) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT to_char($1, 'YYYY') $$;
        CREATE FUNCTION same(varchar, varchar) RETURNS bool LANGUAGE sql VOLATILE AS $$ SELECT true $$;
        CREATE OPERATOR ~~ (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = same);
        CREATE EXTENSION citext; CREATE EXTENSION hstore;";
    server.run("postgres", shadows).await;
    let snapshot = {
        let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
        let client = Client::connect(&address, schemas(), LIMITS).await.unwrap();
        let snapshot = client.session_snapshot().await.unwrap().snapshot;
        // What is put there later is noticed.
        server
            .run(
                "postgres",
                "CREATE FUNCTION length(date) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT 1 $$",
            )
            .await;
        let later = client.session_snapshot().await.unwrap().snapshot;
        assert!(!snapshot.schema.shadowed.functions.contains_key("length"));
        assert!(later.schema.shadowed.functions.contains_key("length"));
        snapshot
    };
    let shadowed = &snapshot.schema.shadowed;
    // What extensions bring along, and what only reckons, is no danger.
    assert_eq!(
        shadowed.functions.keys().collect::<Vec<_>>(),
        ["lower"],
        "{shadowed:?}"
    );
    assert_eq!(
        shadowed.operators.keys().collect::<Vec<_>>(),
        ["~~"],
        "{shadowed:?}"
    );
    assert!(shadowed.types.is_empty(), "{shadowed:?}");
    let repaired = repair("SELECT lower(name) FROM people", &Asked::now("", &snapshot)).unwrap();
    assert_eq!(repaired.sql, "SELECT pg_catalog.lower(name) FROM people");
    for sql in [
        "SELECT name FROM people WHERE name LIKE 'a'",
        "SELECT lower(name) FROM people",
    ] {
        assert!(
            validate(sql, &snapshot.schema, Dialect::Postgres).is_err(),
            "{sql}"
        );
    }
}
