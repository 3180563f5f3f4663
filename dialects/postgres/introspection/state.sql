WITH RECURSIVE roles (role) AS (
    SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER
    UNION
    SELECT m.roleid
    FROM roles
    JOIN pg_catalog.pg_auth_members AS m ON m.member OPERATOR(pg_catalog.=) roles.role
)
SELECT
    pg_catalog.current_database(),
    CURRENT_USER,
    SESSION_USER,
    -- Memberships alone: a superuser is in every role by right, and in none of them by name.
    (
        SELECT pg_catalog.json_agg(r.rolname)
        FROM roles
        JOIN pg_catalog.pg_roles AS r ON r.oid OPERATOR(pg_catalog.=) roles.role
    ),
    pg_catalog.array_to_json(pg_catalog.current_schemas(true)),
    -- Two statements with the same snapshot, of transactions that wrote nothing, see the same catalogue.
    pg_catalog.pg_current_snapshot(),
    pg_catalog.pg_current_xact_id_if_assigned() IS NOT NULL,
    pg_catalog.pg_my_temp_schema(),
    pg_catalog.current_setting('server_version_num'),
    pg_catalog.current_setting('is_superuser'),
    pg_catalog.current_setting('client_encoding'),
    pg_catalog.current_setting('client_min_messages'),
    pg_catalog.current_setting('standard_conforming_strings'),
    pg_catalog.current_setting('statement_timeout'),
    pg_catalog.current_setting('idle_in_transaction_session_timeout'),
    pg_catalog.current_setting('idle_session_timeout', true),
    pg_catalog.current_setting('transaction_isolation'),
    pg_catalog.current_setting('transaction_read_only'),
    pg_catalog.current_setting('querent.mode', true),
    pg_catalog.current_setting('querent.tiers', true),
    pg_catalog.current_setting('querent.min_confidence', true),
    pg_catalog.current_setting('querent.row_limit', true),
    pg_catalog.current_setting('querent.statement_timeout', true),
    pg_catalog.current_setting('querent.notices', true)
