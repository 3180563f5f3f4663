SELECT DATE '2024-01-31' + 1, DATE '2024-03-01' - 1, DATE '2024-03-01' - DATE '2024-02-01'

SELECT DATE '2024-01-31' + INTERVAL '1 month', TIMESTAMP '2024-01-31 10:00' + INTERVAL '1 month 2 days 03:04:05'

SELECT TIMESTAMP '2024-03-01 12:00' - TIMESTAMP '2024-02-28 10:30', TIMESTAMP '2024-01-01' - INTERVAL '1 second'

SELECT INTERVAL '1 day' + INTERVAL '2 hours', INTERVAL '1 month' - INTERVAL '3 days', INTERVAL '1 hour' * 2.5, INTERVAL '1 day' / 2, - INTERVAL '1 day'

SELECT date_trunc('month', TIMESTAMP '2024-05-17 13:45:10'), date_trunc('week', TIMESTAMP '2024-05-17 13:45:10'), date_trunc('hour', TIMESTAMP '2024-05-17 13:45:10'), date_trunc('quarter', DATE '2024-05-17')

SELECT date_trunc('nope', TIMESTAMP '2024-05-17')

SELECT extract(year FROM DATE '2024-05-17'), extract(month FROM TIMESTAMP '2024-05-17 10:00'), extract(dow FROM DATE '2024-05-17'), extract(doy FROM DATE '2024-05-17'), extract(week FROM DATE '2024-05-17'), extract(quarter FROM DATE '2024-05-17')

SELECT extract(epoch FROM TIMESTAMP '2024-01-01 00:00:01.5'), extract(second FROM TIMESTAMP '2024-01-01 00:00:01.5'), extract(isodow FROM DATE '2024-05-19'), extract(century FROM DATE '2024-05-17')

SELECT extract(epoch FROM INTERVAL '1 day 2 hours'), extract(hour FROM INTERVAL '30 hours'), extract(day FROM INTERVAL '40 days')

SELECT extract(nope FROM DATE '2024-05-17')

SELECT date_part('year', DATE '2024-05-17'), date_part('minute', TIMESTAMP '2024-01-01 10:20:30')

SELECT age(TIMESTAMP '2024-05-17', TIMESTAMP '2000-02-29'), age(DATE '2024-01-01', DATE '2024-03-15')

SELECT to_char(TIMESTAMP '2024-05-07 13:05:09', 'YYYY-MM-DD HH24:MI:SS'), to_char(TIMESTAMP '2024-05-07 13:05:09', 'Day, DD Mon YYYY'), to_char(DATE '2024-05-07', 'FMMonth FMDD, YYYY'), to_char(TIMESTAMP '2024-05-07 13:05:09', 'HH12:MI AM')

SELECT to_char(DATE '2024-05-07', 'YY Q DDD IW D'), to_char(TIMESTAMP '2024-05-07 13:05:09.123', 'MS US'), to_char(DATE '2024-05-01', 'FMDDth')

SELECT to_date('05 Dec 2000', 'DD Mon YYYY'), to_date('20240131', 'YYYYMMDD'), to_timestamp('2024-01-02 03:04', 'YYYY-MM-DD HH24:MI')

SELECT to_timestamp(1700000000)

SELECT make_date(2024, 2, 29), make_timestamp(2024, 1, 2, 3, 4, 5.5), make_time(1, 2, 3)

SELECT make_date(2024, 2, 30)

SELECT INTERVAL '90 minutes', INTERVAL '1.5 days', INTERVAL '-1 day', INTERVAL '1 week', INTERVAL 'P1Y2M3DT4H5M6S', INTERVAL '1 day ago'

SELECT INTERVAL '1 day' > INTERVAL '23 hours', INTERVAL '30 days' = INTERVAL '1 month'

SELECT justify_days(INTERVAL '35 days'), justify_hours(INTERVAL '27 hours'), justify_interval(INTERVAL '1 mon -1 hour')

SELECT born, born + 10, extract(year FROM born) FROM people ORDER BY id

SELECT name FROM people WHERE born > '1989-01-01' ORDER BY born

SELECT name FROM people WHERE seen >= '2024-01-15' ORDER BY seen

SELECT seen, seen::date, date_trunc('day', seen) FROM people ORDER BY id

SELECT count(*) FROM orders WHERE placed BETWEEN '2024-01-01' AND '2024-01-31'

SELECT date_trunc('month', placed) AS m, sum(total) FROM orders GROUP BY 1 ORDER BY 1

SELECT placed - DATE '2024-01-01' FROM orders ORDER BY id

SELECT TIMESTAMP '2024-06-01 12:00' AT TIME ZONE 'UTC', TIMESTAMPTZ '2024-06-01 12:00+00' AT TIME ZONE 'Europe/Berlin', TIMESTAMP '2024-01-01 12:00' AT TIME ZONE 'America/New_York'

SELECT * FROM generate_series(TIMESTAMP '2024-01-30', TIMESTAMP '2024-02-02', INTERVAL '1 day')

SELECT TIME '10:00' + INTERVAL '90 minutes', TIME '10:00' - TIME '08:30', DATE '2024-01-01' + TIME '10:00'

SELECT DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', DATE '2024-01-01' = TIMESTAMP '2024-01-01'

SELECT now() - now() < INTERVAL '1 second', current_date - current_date

SELECT '2024-01-01'::date + '1 day'::interval, '2024-01-01'::date - '2023-12-25'

SELECT max(placed), min(placed), count(DISTINCT placed) FROM orders

SELECT DATE '2024-01-01' + DATE '2024-01-01'

SELECT '1-2'::interval, '1-2 3 4:05:06'::interval, '-1-2'::interval, '+1-2 -3 +4:05:06'::interval

SELECT interval '0.253 sec' / 3.2, interval '1 mon 1 day' / 7, interval '1 year' * 0.37, interval '5 mons 3 days 4:00:01' / 3, interval '-1 mon' / 13

SET intervalstyle = iso_8601

SELECT '1 year 2 mons 3 days 04:05:06.5'::interval, '-1 mons +1 day -00:00:01'::interval, '0'::interval, '{1 day,-02:00:00}'::interval[], ('1 day'::interval)::text, 'x' || '-1 sec'::interval

SET intervalstyle = postgres_verbose

SELECT '1 year 2 mons 3 days 04:05:06.5'::interval, '-1 mons +1 day -00:00:01'::interval, '0'::interval, '-1 day -1 hour'::interval, ('1 sec'::interval)::text

SET intervalstyle = sql_standard

SELECT '1 year 2 mons 3 days 04:05:06.5'::interval, '-1 mons +1 day -00:00:01'::interval, '0'::interval, '-1 day -1 hour'::interval, '-14 mons'::interval, ('1 sec'::interval)::text

RESET intervalstyle

SELECT '1 day 1 hour'::interval

SET intervalstyle = nope

SELECT justify_days('-1 mon 3 days'), justify_days('1 mon -3 days'), justify_days('65 days'), justify_days('-65 days'), justify_hours('1 day -1:00'), justify_hours('-1 day 1:00'), justify_hours('50:00')

SELECT to_date('2024-05','IYYY-IW'), to_date('2024-05-3','IYYY-IW-ID'), to_date('2024 123','YYYY DDD'), to_date('05 Jan 24','DD Mon YY'), to_date('20240105','YYYYMMDD'), to_date('2460315', 'J')

SELECT to_timestamp('2024-01-05 at 10:11','YYYY-MM-DD "at" HH24:MI'), to_timestamp('2024-01-05T10:11:12Z','YYYY-MM-DD"T"HH24:MI:SS"Z"')

SELECT to_timestamp('2024-01-05 10:11:12+02','YYYY-MM-DD HH24:MI:SSTZH'), to_timestamp('2024-01-05 10:11:12 +02:30','YYYY-MM-DD HH24:MI:SS TZH:TZM'), to_timestamp('2024-01-05 10:11:12 -02:30','YYYY-MM-DD HH24:MI:SS TZH:TZM')

SELECT to_timestamp('10:11:12.345','HH24:MI:SS.MS'), to_timestamp('10:11:12.5','HH24:MI:SS.MS'), to_timestamp('2024-01-05 10 PM','YYYY-MM-DD HH12 AM')

SELECT to_char(timestamp '2024-03-05 14:05:06.789','SSSS'), to_char(timestamp '2024-03-05 14:05:06.789','SSSSS'), to_char(timestamp '2024-03-05 14:05:06.789','RM rm FMRM'), to_char(timestamp '2024-03-05 14:05:06.789','FF1 FF3 FF6 MS US'), to_char(timestamp '2024-03-05 14:05:06.789','IYYY IYY IY I IDDD ID IW'), to_char(timestamp '2024-03-05 14:05:06.789','TMMonth TMDay TMMon'), to_char(timestamp '2024-03-05 14:05:06.789','Y,YYY YYY YY Y'), to_char(timestamp '2024-03-05 14:05:06.789','b.c. A.D.')

SET datestyle='ISO, DMY'

SELECT '01/02/2024'::date, '1-2-24'::date, '2024-02-01'::date, '25.12.1999 10:00'::timestamp

SET datestyle='ISO, MDY'

SELECT '01/02/2024'::date, '1-2-99'::date

SELECT 'J2451187'::date, 'j2451187 04:05:06'::timestamp, 'J2451187.25'::timestamp, 'J 2451187'::date, 'J2451187 BC'::date

SELECT 'J0'::date, 'j1'::date, 'J2451187T04:05'::timestamp, 'J2451187 04:05+02'::timestamptz

SELECT 'J'::date

SELECT 'J2451187x'::date

SELECT 'J-1'::date

SELECT 'J99999999999'::date

SELECT '2024-001'::date, '2024.366'::date, '2024/060 12:30'::timestamp, '2023-366'::date

SELECT '2024-000'::date

SELECT '2024-367'::date

SELECT '2024-1'::date

SELECT '99-001'::date

SELECT '20240102'::date, '240102'::date, '991231'::date, '20240102 030405'::timestamp

SELECT '2024366'::date

SELECT '2024-060 BC'::date

SELECT interval(0) '1.6 sec', interval(2) '1.2345 sec', interval '1 day 02:03:04.5678' day to second(1), '1.6 s'::interval(0), interval '1.666' second(1), interval ( 3 ) '-1.23456 s', interval(6) '1.123456 s'

SELECT interval '1.6 sec', interval '02:03:04.5678' hour to second, interval '5' day

SELECT extract(julian FROM timestamp '2024-01-01 06:00'), extract(julian FROM date '2024-01-01'), date_part('julian', timestamp '2024-01-01 18:00'), extract(julian FROM timestamp '2024-01-01 07:13:05.123')

SELECT '15-Mar-24'::date, '02 Jan 24'::date, 'Jan 2, 24'::date, '02-Jan-99'::date, '2-Jan-24 10:00'::timestamp, '15 Mar 0024'::date, '15-Mar-24 BC'::date

SELECT array_fill(7, ARRAY[2, 3]), array_fill('a b'::text, ARRAY[2]), array_fill(NULL::int, ARRAY[2, 2]), array_length(array_fill(1, ARRAY[100000]), 1)

SELECT '1999-12-31 23:59:59.999999'::timestamp::time, '1999-12-31 23:59:59.999999'::time, '1965-07-08 01:02:03'::time, '2061-01-01 4:5'::time, '1999-12-31 23:59:59.5+02'::timetz, timestamp '1961-02-03 04:05:06.7'::time(0), timestamp '2023-12-31 23:59:59.9999995'::time

SELECT '1999'::time

SELECT '19:61'::time

SELECT '1961-02-03'::time

SELECT t::time, t::date, t::timestamptz, t::timestamptz::time, t::timestamptz::timetz, t::timestamptz::date, t::text, to_char(t, 'YYYY'), date_trunc('day', t), extract(year FROM t), extract(hour FROM t), extract(epoch FROM t), t + interval '1 day', isfinite(t), to_json(t), t AT TIME ZONE 'UTC' FROM (VALUES (timestamp 'infinity'), ('-infinity')) AS x(t)

SELECT count(*) FROM (VALUES (timestamp 'infinity'), ('2024-01-01 12:30')) AS x(t) WHERE t::time > '12:00'

SELECT date 'infinity' + time '01:00', date 'infinity' + 1, date '-infinity' - 1, date 'infinity'::timestamp, date_trunc('month', date 'infinity'::timestamptz), to_char(date 'infinity'::timestamp, 'DD'), extract(julian FROM date 'infinity'), extract(day FROM date 'infinity')

SELECT 'infinity'::time

SELECT 'infinity'::interval
