SELECT '42'::int, CAST('42' AS bigint), '3.14'::numeric, '1.5'::float8

SELECT 'abc'::int

SELECT '99999999999'::int

SELECT '12.5'::int

SELECT 2.5::int, 3.5::int, -2.5::int, 2.5::float8::int, 3.5::float8::int

SELECT 1::text, true::text, 1.50::text, 1.5::float8::text

SELECT 't'::boolean, 'no'::boolean, 1::boolean, 0::boolean, 'on'::bool

SELECT 'maybe'::boolean

SELECT true::int, false::int

SELECT '2024-02-29'::date, DATE '2024-01-05', '2024-1-5'::date

SELECT '2024-02-30'::date

SELECT 'garbage'::date

SELECT '2024-13-01'::date

SELECT '2024-01-02 03:04:05'::timestamp, TIMESTAMP '2024-01-02 03:04', '2024-01-02'::timestamp

SELECT '2024-01-02T03:04:05.123456Z'::timestamptz, '2024-01-02 03:04:05+02'::timestamptz

SELECT '25:00'::time

SELECT '10:20:30'::time, TIME '07:05'

SELECT 'nonsense'::timestamp

SELECT '1 day'::interval, INTERVAL '2 hours 30 minutes', INTERVAL '1' YEAR, '1 year 2 mons 3 days'::interval

SELECT 'x y z'::interval

SELECT '2024-01-02 03:04:05'::timestamp::date, '2024-01-02'::date::timestamp, '2024-01-02 03:04:05'::timestamp::time

SELECT 'hello'::varchar(3), 'hello'::char(8), 'hi'::char(4)

SELECT 123.456::numeric(5,2), 123.456::numeric(6,1), 1234.5::numeric(4,2)

SELECT '{"a":1}'::jsonb, '{"b":1,"a":2}'::jsonb, '[1,2]'::json

SELECT '{bad'::jsonb

SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 'A0EEBC999C0B4EF8BB6D6BB9BD380A11'::uuid

SELECT 'xyz'::uuid

SELECT '\xdeadbeef'::bytea, '\x00'::bytea

SELECT '{1,2,3}'::int[], ARRAY[1,2,3]::text[], '{a,b}'::text[]

SELECT '{1,x}'::int[]

SELECT 1::smallint, 40000::smallint

SELECT 40000::smallint

SELECT 3000000000::int

SELECT 1e10::float8, 1e20::float8, 0.1::float4, 1e-7::float8

SELECT 1::float8, 1.0::float8, 100000::float8 * 10

SELECT 'NaN'::numeric

SELECT now()::date = current_date, current_timestamp IS NOT NULL

SELECT 1::date

SELECT CAST(NULL AS int), NULL::text

SELECT ' 42 '::int, '+5'::int, '-0'::int

SELECT 12345678901234567890

SELECT 1::numeric, 1.0::numeric, 1.00::numeric(5,1)

SELECT '5'::numeric / '3'::numeric

SELECT id::text, name::varchar(2), born::text, vip::text, salary::int FROM people ORDER BY id

SELECT 1.5e10::real::text, 123456::real::text, 1234567::real::text, 16777217::real::text, 0.1::real::text, 1e-5::real::text, 3.4e38::real::text

SELECT 1.5e10::float8::text, 1e15::float8::text, 123456789012345::float8::text, 0.1::float8::text, 1e-5::float8::text, 1e300::float8::text

SELECT 'Infinity'::real::text, '-Infinity'::float8::text, '-0'::float8::text

SELECT 'NaN'::real::text

SELECT ARRAY[1.5e10::real, 0.1::real]::text, ARRAY[1.5e10, 1e15]::float8[]::text, ARRAY[1234567::real], '{1.5e10,1234567}'::real[]

SELECT array_agg(x) FROM (VALUES (1.5e10::real), (1234567::real)) t (x)

SELECT 'it is ' || 1.5e10::real, concat(1234567::real, ' ', 1e15::float8), format('%s', 1.5e10::real)

SELECT string_agg(x::text, ',') FROM (VALUES (1.5e10::real), (1234567::real)) t (x)

SELECT array_to_string(ARRAY[1.5e10::real, 1234567::real], ',')

SELECT 0.1::real::float8, 0.1::real::numeric, 1234567.8::real::numeric, 1.5e10::real::numeric, 1e23::float8, 9e9::real, 1.5e10::real

SELECT 'char(3)'::regtype::text, 'timestamp(3) with time zone'::regtype::text, 'decimal'::regtype::text, 'decimal(12,3)'::regtype::text, 'dec'::regtype::text, 'float'::regtype::text, 'float(3)'::regtype::text, 'interval second(3)'::regtype::text

SELECT 'nchar'::regtype::text, 'national character varying'::regtype::text, 'char varying'::regtype::text, 'integer array'::regtype::text, 'int array[3]'::regtype::text, 'decimal[]'::regtype::text, '"char"'::regtype::text, 'varchar(3)[]'::regtype::text

SELECT 'decimal(12,3)'::regtype::oid

SELECT '"INT"'::regtype

SELECT to_regtype('decimal(12,3)')::text, to_regtype('nope')::text, to_regtype('nope.nope')::text

SELECT 'float(60)'::regtype

SELECT 'text(3)'::regtype

SELECT 'nope.nope'::regtype

SELECT 'pg_catalog.integer'::regtype

SELECT ''::regtype

SELECT 'nope.nope'::regclass

SELECT 'no pe'::regclass

SELECT '"nope"'::regclass

SELECT 'a.b'::regnamespace

SELECT 'nope'::regconfig

SELECT format_type('timestamp(3) with time zone'::regtype, 3), format_type('char(3)'::regtype, 7)

PREPARE spelled AS SELECT $1::text::regtype::oid

EXECUTE spelled('dec')

DEALLOCATE spelled

SELECT pg_typeof(1::dec)::text, pg_typeof('a'::nchar)::text, pg_typeof('a'::national character varying)::text, pg_typeof('{1}'::int array)::text, pg_typeof('{1}'::int array[3])::text, pg_typeof(CAST('{a}' AS varchar(3) array))::text

SELECT 12.5::money, 12::money, (-1234.567)::numeric::money, '-$1,234.50'::money::numeric

SELECT 12.5::float8::money

SELECT 65::"char", 'A'::"char"::int, 0::"char" = '', true::name, false::name, true::varchar, 5::name

SELECT 200::"char"

SELECT true::"char"

SELECT 65::bigint::"char"
