CREATE TABLE moments (id int PRIMARY KEY, at timestamptz, plain timestamp)

INSERT INTO moments VALUES (1, '2024-01-15 12:00:00+00', '2024-01-15 12:00'), (2, '2024-07-15 12:00:00.5+02', '2024-07-15 12:00'), (3, '2024-03-31 00:59:59+00', '2024-03-31 01:59:59'), (4, NULL, NULL), (5, '2024-10-27 00:30:00Z', '2024-10-27 02:30'), (6, 'infinity', '-infinity')

SHOW TimeZone

SET TimeZone = 'Europe/Berlin'

SHOW timezone

SELECT current_setting('TimeZone')

SELECT * FROM moments ORDER BY id

SELECT id, at::text, at::date, at::time, at::timestamp, plain::timestamptz, plain::date::timestamptz FROM moments WHERE id < 6 ORDER BY id

INSERT INTO moments VALUES (10, '2024-07-01 10:00', '2024-07-01 10:00'), (11, '2024-01-01', '2024-01-01'), (12, timestamp '2024-07-01 10:00', timestamptz '2024-07-01 10:00+00') RETURNING *

SELECT timestamptz '2024-03-31 02:30', timestamptz '2024-10-27 02:30', timestamptz '2024-03-31 03:00', timestamptz '2024-10-27 01:59:59'

SELECT timestamptz '2024-03-30 12:00' + interval '1 day', timestamptz '2024-03-30 12:00' + interval '24 hours', timestamptz '2024-10-26 12:00' + interval '1 day', timestamptz '2024-10-28 12:00' - interval '1 month', interval '1 day 1 hour' + timestamptz '2024-10-26 12:00'

SELECT timestamptz '2024-04-01' - timestamptz '2024-03-30', timestamptz '2024-04-01' - interval '1 day', age(timestamptz '2024-07-01', timestamptz '2024-01-01'), age(timestamptz '2024-11-01', timestamptz '2024-03-15 10:00')

SELECT date_trunc('day', at), date_trunc('month', at), date_trunc('hour', at), date_trunc('week', at), date_trunc('year', at) FROM moments WHERE id < 4 ORDER BY id

SELECT date_trunc('hour', timestamptz '2024-10-27 00:30+00'), date_trunc('hour', timestamptz '2024-10-27 01:30+00'), date_trunc('day', timestamptz '2024-10-27 01:30+00', 'America/New_York')

SELECT extract(hour FROM at), extract(day FROM at), extract(dow FROM at), extract(timezone FROM at), extract(timezone_hour FROM at), extract(timezone_minute FROM at), extract(epoch FROM at), date_part('hour', at) FROM moments WHERE id < 4 ORDER BY id

SELECT to_char(at, 'YYYY-MM-DD HH24:MI:SS TZ tz OF TZH:TZM'), to_char(plain, 'HH24 TZ OF') FROM moments WHERE id < 4 ORDER BY id

SELECT to_timestamp('2024-07-01 10:00', 'YYYY-MM-DD HH24:MI'), to_timestamp(0), make_timestamptz(2024, 7, 1, 10, 0, 0), make_timestamptz(2024, 7, 1, 10, 0, 0, 'Asia/Tokyo')

SELECT at AT TIME ZONE 'America/New_York', at AT TIME ZONE 'UTC', plain AT TIME ZONE 'Asia/Kolkata', plain AT TIME ZONE 'CEST', at AT TIME ZONE '+03:00', at AT TIME ZONE INTERVAL '-05:00', timezone('Asia/Tokyo', at), timezone('Asia/Tokyo', plain) FROM moments WHERE id < 4 ORDER BY id

SELECT timestamp '2024-01-01' AT TIME ZONE 'Mars/Olympus'

SELECT timestamptz '2024-07-01 10:00 America/New_York', timestamptz '2024-07-01 10:00 EST', timestamptz '2024-07-01 10:00:00 PDT', timestamptz '2024-07-01T10:00:00+05:30', timestamptz '2024-07-01 Europe/London', timestamptz 'epoch'

SELECT timestamptz '2024-07-01 10:00 Mars/Olympus'

SELECT timestamptz '2024-07-01 10:00 foo'

SELECT timestamptz '2050-07-01 12:00+00', timestamptz '1970-01-01 00:00+00', timestamptz '1900-01-01 00:00+00', timestamptz '1850-01-01 00:00+00', timestamptz '0100-01-01 00:00+00'

SELECT id FROM moments WHERE at >= '2024-07-15' AND at < '2024-07-16' ORDER BY id

SELECT id FROM moments WHERE at::date = date '2024-03-31' ORDER BY id

SELECT id FROM moments WHERE at = timestamp '2024-07-01 10:00' ORDER BY id

SELECT date '2024-07-01' = timestamptz '2024-07-01 00:00', date '2024-07-01' < timestamptz '2024-07-01 00:00+00', timestamp '2024-07-01 02:00' = timestamptz '2024-07-01 00:00+00'

SELECT date_trunc('day', at) AS day, count(*) FROM moments WHERE id < 6 GROUP BY 1 ORDER BY 1

SELECT 'at ' || at, at || '.', true || 'x', concat(at, '!'), format('%s', at) FROM moments WHERE id = 2

SELECT to_json(at), to_jsonb(at), json_build_object('at', at) FROM moments WHERE id IN (1, 2) ORDER BY id

SELECT array_agg(at ORDER BY id) FROM moments WHERE id < 4

SELECT min(at), max(at) FROM moments WHERE id < 6

SELECT date_trunc('day', at), date_trunc('day', plain), at::date, at::timestamp, at + interval '1 day', at AT TIME ZONE 'UTC' FROM moments WHERE id = 6

SELECT * FROM generate_series(timestamptz '2024-03-30', timestamptz '2024-04-02', interval '1 day')

SELECT date_bin('15 minutes', timestamptz '2024-07-01 10:07', timestamptz '2024-01-01')

SELECT now()::date = current_date, now()::timestamp = localtimestamp, 'today'::date = current_date, 'today'::timestamptz = current_date, 'now'::timestamptz = now(), date_trunc('day', now()) = 'today'

SELECT extract(timezone FROM now()) IN (3600, 7200)

SELECT CAST('2024-07-01 10:00:00.123456' AS timestamptz(3))

SELECT (timestamptz '2024-07-01 00:30')::date, (timestamptz '2024-07-01 00:30+00')::date, (date '2024-07-01')::timestamptz

SET TIME ZONE 'America/St_Johns'

SELECT at FROM moments WHERE id < 3 ORDER BY id

SELECT extract(timezone_hour FROM at), extract(timezone_minute FROM at), to_char(at, 'TZ OF TZH TZM') FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE 2

SHOW TIME ZONE

SELECT at FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE -5.5

SHOW TIME ZONE

SELECT at FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE '+02:00'

SHOW TIME ZONE

SELECT at FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE INTERVAL '+05:45' HOUR TO MINUTE

SHOW TIME ZONE

SELECT at, to_char(at, 'TZ') FROM moments WHERE id < 3 ORDER BY id

SET timezone TO 'PST8PDT'

SHOW TIME ZONE

SELECT at, to_char(at, 'TZ') FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE 'foo-3'

SELECT at, to_char(at, 'TZ') FROM moments WHERE id < 3 ORDER BY id

SET TIME ZONE 'Mars/Olympus'

SET TIME ZONE 'CEST'

SET TIME ZONE ''

SET TIME ZONE 200

SHOW TimeZone

SET TIME ZONE 'UTC'

BEGIN

SET LOCAL TimeZone = 'Asia/Tokyo'

SELECT at FROM moments WHERE id = 1

COMMIT

SELECT at FROM moments WHERE id = 1

BEGIN

SET TimeZone = 'Asia/Tokyo'

ROLLBACK

SELECT at FROM moments WHERE id = 1

SELECT set_config('TimeZone', 'Asia/Kolkata', false)

SELECT at, at::text FROM moments WHERE id = 1

PREPARE shown AS SELECT at, at::text, $1::timestamptz FROM moments WHERE id = 1

EXECUTE shown('2024-07-01 10:00')

SET TIME ZONE 'Europe/Lisbon'

EXECUTE shown('2024-07-01 10:00')

DEALLOCATE shown

COPY (SELECT at, plain FROM moments WHERE id < 3 ORDER BY id) TO STDOUT

SET TIME ZONE 'UTC'

SELECT * FROM moments ORDER BY id

CREATE INDEX by_day ON moments (date_trunc('day', at))

CREATE INDEX by_day ON moments ((at::date))

CREATE INDEX by_day ON moments (date_trunc('day', at AT TIME ZONE 'UTC'))

CREATE TABLE days (at timestamptz, day date GENERATED ALWAYS AS (at::date) STORED)

CREATE TABLE days (at timestamptz, day timestamp GENERATED ALWAYS AS (at AT TIME ZONE 'Europe/Berlin') STORED)

INSERT INTO days VALUES ('2024-07-01 12:00') RETURNING *

DROP TABLE days

DROP TABLE moments

CREATE TABLE far (id int, d date, t timestamp, z timestamptz, ds date[], ts timestamp[], zs timestamptz[])

INSERT INTO far VALUES (1, '0044-03-15 BC', '0044-03-15 12:34:56.789 BC', '2024-06-01 12:00+00', '{0044-03-15 BC,10000-01-01,2024-01-02,infinity,NULL}', '{"0044-03-15 12:00 BC","10000-01-01 00:00"}', '{"2024-06-01 12:00+00","0044-03-15 12:00+00 BC","10000-01-01 00:00+00"}')

SELECT ds, ts, zs, ds::text, ts::text, zs::text FROM far

SELECT array_agg(d)::text, array_agg(t)::text, array_agg(z)::text, ARRAY[d]::text, ARRAY[[z]]::text FROM far GROUP BY d, z

SELECT array_to_string(ds, ';'), array_to_string(ts, ';', '?'), 'x' || ds::text, ARRAY(SELECT z FROM far)::text FROM far

SELECT far::text, ROW(ds, zs)::text FROM far

SELECT concat(d, '|', z, '|', ds, '|', zs), concat_ws(',', ts, z), format('%s %L %s', d, z, ds) FROM far

SELECT array_append(ds, d)::text, (zs || z)::text, ds[2:3]::text, array_remove(ds, '10000-01-01')::text, max(ds)::text FROM far GROUP BY ds, d, zs, z

SELECT quote_literal(d), quote_literal(z), quote_nullable(t), quote_nullable(NULL::date), quote_literal(1), quote_literal('a''b') FROM far

SELECT concat(i), format('%s', i), i::text, ARRAY[i]::text, array_agg(i)::text FROM (VALUES (interval '1 mon 2 days')) AS v(i) GROUP BY i

SET intervalstyle = iso_8601

SELECT concat(i), format('%s', i), i::text, ARRAY[i]::text, array_agg(i)::text FROM (VALUES (interval '1 mon 2 days')) AS v(i) GROUP BY i

RESET intervalstyle

DROP TABLE far
