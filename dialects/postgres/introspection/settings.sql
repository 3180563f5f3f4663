SELECT
    pg_catalog.set_config('datestyle', 'ISO', true),
    pg_catalog.set_config('intervalstyle', 'postgres', true),
    pg_catalog.set_config('bytea_output', 'hex', true),
    pg_catalog.set_config('extra_float_digits', '1', true),
    pg_catalog.set_config('array_nulls', 'on', true),
    pg_catalog.set_config('quote_all_identifiers', 'off', true),
    pg_catalog.set_config('transform_null_equals', 'off', true),
    pg_catalog.set_config('jit', 'off', true)
