select pg_typeof(current_time)::text, pg_typeof(localtime)::text, pg_typeof(current_time(2))::text, pg_typeof(localtime(2))::text

select current_time::time = localtime, current_time > '00:00:00+00'::timetz or true

select length(current_time::text) > 10, length(current_time(0)::text)

select length(localtime(0)::text)

select time '10:00' at time zone 'UTC'

select time '10:00' at time zone '+02'

select time '10:00' at time zone interval '3 hours'

select timetz '10:00+02' at time zone 'UTC'

select timetz '10:00+02' at time zone interval '-5 hours', timetz '10:00+02' at time zone 'Asia/Kolkata', timetz '10:00+02' at time zone 'EST', timetz '23:30-05' at time zone '-3'

select timetz '10:00+02', time with time zone '10:00:00.123456-05:30', timetz '10:00', timetz '10:00 PST', timetz '10:00 Z', timetz '10:00 AM +1'

select timetz '2003-03-07 15:36:39 America/New_York'

select timetz '15:36:39 America/New_York'

select timetz '24:00+00', timetz '23:59:60+00', timetz '00:00:00+15:59'

select timetz '25:00+00'

select timetz '24:01+00'

select timetz '10:00+16'

select timetz '10:00+159'

select timetz 'abc'

select timetz(2) '10:00:00.126+02', time(0) with time zone '10:00:00.6+02', '10:00:00.126+02'::timetz(1), cast('10:00:00.5+02' as time(0) with time zone)

select timetz '10:00+02' = timetz '08:00+00', timetz '10:00+02' < timetz '09:00+00', timetz '10:00+02' > timetz '08:00+00', timetz '10:00+02' <> timetz '10:00+02'

select timetz '10:00+02' = '10:00+02', timetz '10:00+02' between '09:00+02' and '11:00+02', timetz '10:00+02' in ('10:00+02', '11:00+02')

select greatest(timetz '10:00+02', timetz '09:00+00'), least(timetz '10:00+02', timetz '09:00+00')

select max(x), min(x), count(distinct x) from (values (timetz '10:00+02'), (timetz '08:00+00'), (timetz '09:00-01')) t(x)

select x from (values (timetz '10:00+02'), (timetz '08:00+00'), (timetz '09:00-01'), (null)) t(x) order by x

select x from (values (timetz '10:00+02'), (timetz '08:00+00'), (timetz '09:00-01'), (null)) t(x) order by x desc nulls last

select x, count(*) from (values (timetz '10:00+02'), (timetz '08:00+00'), (timetz '10:00+02')) t(x) group by x order by x

select extract(hour from timetz '10:30:15.5+02'), extract(minute from timetz '10:30:15.5+02'), extract(second from timetz '10:30:15.5+02'), extract(timezone from timetz '10:30:15.5+02:30'), extract(timezone_hour from timetz '10:30-02:30'), extract(timezone_minute from timetz '10:30-02:30')

select extract(epoch from timetz '10:30:15.5+02'), extract(milliseconds from timetz '10:30:15.5+02'), extract(microseconds from timetz '10:30:15.5+02')

select extract(day from timetz '10:30+02')

select extract(dow from timetz '10:30+02')

select extract(foo from timetz '10:30+02')

select extract(timezone from time '10:30')

select extract(day from time '10:30')

select date_part('hour', timetz '10:30+02'), date_part('timezone', timetz '10:30+02'), date_part('second', time '10:30:15.25')

select timetz '10:00+02' + interval '3 hours', timetz '10:00+02' - interval '11 hours', interval '1 hour' + timetz '10:00+02'

select timetz '10:00+02' - timetz '09:00+02'

select date '2024-01-01' + timetz '10:00+02', timetz '10:00+02' + date '2024-01-01'

select timetz '10:00+02'::time, '10:00+02'::timetz::text, time '10:00'::timetz, cast(time '10:00' as timetz)

select timestamptz '2024-01-01 10:00+02'::timetz, timestamp '2024-01-01 10:00'::time, timestamptz '2024-01-01 10:00+00'::time

select timestamp '2024-01-01 10:00'::timetz

select timetz '10:00+02'::interval

select date '2024-01-01'::timetz

select interval '3 hours'::timetz

create table tz (a timetz, b time with time zone default current_time, c timetz(1), d time(2) default localtime)

insert into tz (a, c) values ('10:00+02', '10:00:00.16-05'), (timetz '08:00+00', time '09:00'), (null, null)

select a, c from tz order by a, c

select a from tz where a = '10:00+02'

select a from tz where a > '08:00+00' order by a

select a, a = '08:00+00' as e from tz order by a nulls first

create index tzi on tz (a)

select a from tz where a >= '08:00+00' order by a

create table tzk (k timetz primary key, v int)

insert into tzk values ('10:00+02', 1), ('08:00+00', 2)

insert into tzk values ('10:00+02', 1)

update tzk set v = 5 where k = '08:00+00'

select * from tzk order by k

select array_agg(a order by a) from tz

select '{10:00+02,08:00Z}'::timetz[]

select to_json(timetz '10:00+02'), json_build_object('a', timetz '10:00+02'), row_to_json(t) from (select time '10:00' as x) t

select to_char(timetz '10:00+02', 'HH24:MI')

select to_char(time '10:00', 'HH24:MI')

select date_trunc('hour', time '10:30')

select date_trunc('hour', timetz '10:30+02')

select timezone('UTC', timetz '10:00+02'), timezone(interval '1 hour', timetz '10:00+02'), timezone('UTC', time '10:00')

select (time '10:00' , time '11:00') overlaps (time '10:30', time '12:00'), (timetz '10:00+00' , timetz '11:00+00') overlaps (timetz '10:30+02', timetz '12:00+00')

select make_time(10, 20, 30.5), make_time(24,0,0)

select time '10:00:00.1234567', time '10:00 PM', time '040506', time 'allballs', time '04:05:06.789-8', time '2024-01-01 10:00'

select time 'now' is not null, timetz 'now' is not null, timetz 'allballs'

select '10:00'::time(3), time(0) '10:00:00.5', localtime(7) is not null

select current_timestamp(0)::text ~ '\.', localtimestamp(0)::text ~ '\.'

select current_time(0), 1 where false

select localtime, 1 where false

select column_name, data_type, datetime_precision from information_schema.columns where table_name = 'tz' order by ordinal_position

select cast('04:05:06 PST' as timetz), '04:05-08:00'::timetz, '040506-08'::timetz, '04:05:06 America/New_York' is null

select coalesce(timetz '10:00+02', timetz '11:00+02'), nullif(timetz '10:00+02', timetz '08:00+00'), case when true then timetz '10:00+02' end

select timetz '10:00+02' || 'x'

select pg_typeof(timetz '10:00+02' + interval '1 h')::text, pg_typeof(date '2024-01-01' + timetz '10:00+02')::text, pg_typeof(time '10:00' at time zone 'UTC')::text

select time '10:00' < timetz '10:00+02', timetz '10:00+00' = time '10:00'

select time '10:00' at time zone 'UTC', timetz '10:00+02'::text, timestamptz '2024-07-01 10:00+00'::time

select time '10:00' < timetz '10:00+02', date '2024-07-01' + timetz '10:00+02'

select timetz '10:00' at time zone 'America/New_York' is not null

select '0405'::time

select '040506.789'::time

select '040506'::timetz

select '04'::time

select '040506+02'::timetz

select '0405+02'::timetz

select '15:36:39 America/New_York'::time

select '15:36:39 EST'::time

select '15:36:39 EST5EDT'::timetz

select '2024-07-01 15:36:39 America/New_York'::timetz

select 'T040506'::time

select 'T04:05:06'::time

select '2024-01-01'::time

select '2024-01-01'::timetz

select (time '23:00' , time '01:00') overlaps (time '23:30', time '23:40')

select (time '10:00' , interval '1 hour') overlaps (time '10:30', interval '1 hour')

select (time '23:30' , interval '1 hour') overlaps (time '23:45', interval '1 hour')

select (date '2024-01-01' , interval '1 hour') overlaps (date '2024-01-01', interval '1 hour')

drop table tz

drop table tzk
