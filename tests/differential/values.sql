SELECT 'Infinity'::numeric, '-inf'::numeric, '+infinity'::numeric, 'nan'::numeric

SELECT x FROM (VALUES ('NaN'::numeric), (1), ('-Infinity'), ('Infinity'), (-5)) v(x) ORDER BY x

SELECT 'Infinity'::numeric > 1, '-Infinity'::numeric < -1e10, 'Infinity'::numeric = 'inf'::numeric, 'NaN'::numeric > 'Infinity'

SELECT length('1e131071'::numeric::text), length('1e-16383'::numeric::text)

SELECT '1e131072'::numeric

SELECT '1e-16384'::numeric

SELECT '1e39'::real

SELECT '1e-46'::real

SELECT '{0.1,1e39}'::real[]

SELECT '99999999999999999999999999999999999'::integer

SELECT '-1'::oid, '-2147483648'::oid

SELECT '4294967296'::oid

SELECT '10/8'::inet, '10.1/16'::inet, '01.2.3.4'::inet, '::1.2.3.4'::inet, '::ffff:1.2.3.4'::inet, '2001:DB8::1'::inet

SELECT '1.2.3.4/'::inet

SELECT ' 1.2.3.4'::inet

SELECT '10'::inet

SELECT '10'::cidr, '10.1'::cidr, '192.168'::cidr, '224'::cidr, '225.1'::cidr, '240'::cidr, '0x0a010203'::cidr, '172.16/12'::cidr

SELECT '10.1.2.3/8'::cidr

SELECT '8:0:2b:1:2:3'::macaddr, '0800.2b01.0203'::macaddr, '08002b-010203'::macaddr

SELECT '08:00-2b:01:02:03'::macaddr

SELECT '100:00:2b:01:02:03'::macaddr

SELECT 'x1F'::varbit, 'b101'::varbit

SELECT 'xG'::varbit

SELECT '{00010203-0405-0607-0809-0a0b0c0d0e0f}'::uuid, '0001-0203-0405-0607-0809-0a0b-0c0d-0e0f'::uuid

SELECT '{00010203-0405-0607-0809-0a0b0c0d0e0f'::uuid

SELECT ' 00010203-0405-0607-0809-0a0b0c0d0e0f'::uuid

SELECT '\x 00 ff'::bytea, '\x00'::bytea

SELECT '\x0 0'::bytea

SELECT '\400'::bytea

SELECT ''::money, '$'::money, '5-'::money, '(5)'::money, '1,2,3'::money, '1.995'::money, '-92233720368547758.08'::money

SELECT '92233720368547758.08'::money

SELECT '1e3'::money

SELECT '{{1,2},{3}}'::int[]

SELECT '{1,{2}}'::int[]

SELECT '{{}}'::int[]

SELECT '{a"b}'::text[]

SELECT '{a{b}'::text[]

SELECT '{a\ ,b}'::text[], '{"{"}'::text[], '{{"}"}}'::text[], '[1:1][1:2]={{1,2}}'::int[], '{{t},{f}}'::bool[]

SELECT '[2:1]={}'::int[]

SELECT '[1:2]={1}'::int[]

SELECT array_length('{{1,2,3},{4,5,6}}'::int[], 2), array_ndims('{{1,2,3},{4,5,6}}'::int[]), cardinality('{{1,2,3},{4,5,6}}'::int[]), array_length('{}'::int[], 1), array_ndims('{}'::int[])

SELECT '12:34:56.7890125'::time, 'allballs'::time, '2000-01-01 00:00:00.0000005'::timestamp

SELECT '12:00+16:00'::timetz

SELECT '2024-01-01 00:00:00+16'::timestamptz

SELECT '2024-01-01+02'::timestamptz, '294276-12-31 23:59:59.999999+00'::timestamptz

SELECT '294277-01-01+00'::timestamptz

SELECT '-9223372036854775808 us'::interval, '9223372036854775807 us'::interval

SELECT '178956970 years 8 months'::interval

SELECT '2147483648 months'::interval
