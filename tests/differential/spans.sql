select interval '1:30' minute to second

select interval '1' day

select interval '1-2' year to month

select interval '3' hour

select interval(2) '1.2345 s'

select interval(2) '1.2345'

select interval '1' year, interval '1' month, interval '1' minute, interval '1' second, interval '1.5' day, interval '1.5' year

select interval '1 2' day to hour

select interval '1 2:03' day to hour

select interval '1 2:03:04' day to hour

select interval '1 2:03' day to minute

select interval '1 2:03:04' day to minute

select interval '1 2:03:04.567' day to second

select interval '1 2:03:04.567' day to second(1)

select interval '1 2' day to second

select interval '1 2' day to minute

select interval '1 2' hour to minute

select interval '1 2:03' hour to minute

select interval '1 2:03:04' hour to minute

select interval '1 2' hour to second

select interval '1 2:03' hour to second

select interval '1 2:03:04' hour to second

select interval '1 2' minute to second

select interval '1 2:03' minute to second

select interval '1 2:03:04' minute to second

select interval '123' second, interval '123' minute, interval '123' hour, interval '1.234567' second(2)

select interval '123 11' day to hour

select interval '123 11' day

select interval '123 11'

select interval '123 2:03 -2:04'

select interval '10' second(3)

select interval '1:20' hour to minute, interval '1:20:05' hour to second, interval '1:20' hour to second

select interval '12:34.5678' minute to second(2)

select interval '1.234' second, interval '1' second(2)

select interval '1 2.345' day to second(2)

select interval '1 2:03.45678' day to second(2)

select interval '1 2:03:04.5678' day to second(2)

select interval '1 2:03:04.5678' hour to second(2)

select interval '1 2.3456' minute to second(2)

select interval '1 2:03.5678' minute to second(2)

select interval '1:2' year to month

select interval '3 years 2 months' year to month, interval '3 years 2 months' year, interval '3 years 2 months' month

select interval '-1' year, interval '-1-2' year to month, interval '+2' hour, interval ' 2 ' hour

select interval '5' year to month

select interval '5' day to second, interval '5' hour to minute, interval '5' minute to second, interval '5' day to hour

select interval '1 day 2 hours' hour

select interval '1 day 2:03:04' day

select '1 day 2:03:04.567'::interval day to second(1)

select '1 day 2:03:04.567'::interval hour

select '1 day 2:03:04.567'::interval(1)

select '1 year 2 mons 3 days 4:05:06.789'::interval year, '1 year 2 mons 3 days 4:05:06.789'::interval year to month, '1 year 2 mons 3 days 4:05:06.789'::interval month

select '1 year 2 mons 3 days 4:05:06.789'::interval day, '1 year 2 mons 3 days 4:05:06.789'::interval hour, '1 year 2 mons 3 days 4:05:06.789'::interval minute, '1 year 2 mons 3 days 4:05:06.789'::interval second

select '1 year 2 mons 3 days 4:05:06.789'::interval day to hour, '1 year 2 mons 3 days 4:05:06.789'::interval day to minute, '1 year 2 mons 3 days 4:05:06.789'::interval hour to minute, '1 year 2 mons 3 days 4:05:06.789'::interval minute to second, '1 year 2 mons 3 days 4:05:06.789'::interval second(0)

select cast('5' as interval hour), cast('5' as interval minute to second), '5'::interval minute, '1:30'::interval minute to second

select cast('1:30' as interval minute to second)

select ('1:30' || '')::interval minute to second

select ('5' || '')::interval hour

select (interval '1 day 2:03:04')::interval hour to minute

select x::interval hour from (values ('5'),('6')) t(x)

create table iv (a interval day to second(2), b interval year to month, c interval hour, d interval(3), e interval minute to second)

insert into iv values ('1 2:03:04.5678', '1-2', '5', '1.23456', '1:30')

insert into iv values (interval '1 day 2 hours', interval '14 mons', interval '5 hours 3 minutes', interval '1 s', interval '90 s')

select * from iv order by c

select a::text, b::text, c::text, d::text, e::text from iv order by d

select column_name, data_type, interval_type, interval_precision, datetime_precision from information_schema.columns where table_name = 'iv' order by ordinal_position

select attname, format_type(atttypid, atttypmod), atttypmod from pg_attribute where attrelid = 'iv'::regclass and attnum > 0 order by attnum

alter table iv add column f interval minute

update iv set f = '3'

select f from iv order by 1

select interval '1 day' + interval '3' hour, now() - interval '1' day < now(), date '2024-01-31' + interval '1' month

select interval '2' day * 3, interval '1' hour / 2

select extract(hour from interval '3' hour), interval '90' minute

select interval '1' day as x, interval '1' hour y

select interval 'P1Y2M3DT4H5M6S', interval 'P0001-02-03T04:05:06', interval 'PT1.5H', interval 'P1W', interval 'P-1Y'

select interval '1 year 2 months ago', interval '@ 1 minute', interval '1 millennium 2 centuries 3 decades', interval '1.5 weeks', interval '1.5 mon', interval '2562047788:00:54.775807'

select interval '1 month -1 day', interval '-1 day +02:03', interval '1h 30m', interval '1d 2h', interval '5 us 6 ms', interval '1y2mon'

select interval 'abc'

select interval ''

select interval '1 fortnight'

select interval '1 day 1 day'

select interval '-'

select interval '1' day to month

select interval '1 day' second

select interval '1 day 3' second

select interval '1.5' month, interval '1.5' hour, interval '1.5' minute

select interval '1.5' day to second

select interval '2 1:30' day to minute

select interval '1000000000' hour, interval '3000000000' day

select interval '99999999999' second

select interval '1:2:3' year

select interval '' day

select interval '1' day(2)

select interval(7) '1 s'

select interval(2) '5' second

select interval(2) '1 day 1.239 seconds'

select '1 s'::interval(7)

select interval null

select null::interval day, cast(null as interval hour to second)

select array['1','2']::interval[], '{1:30,2}'::interval minute to second[]

select '{5,6}'::interval hour[]

select justify_interval(interval '400' hour), age(timestamp '2024-03-01', timestamp '2023-01-31')

select make_interval(hours => 3)::interval hour

drop table iv
