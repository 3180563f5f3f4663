select date_bin('1 month', timestamp '2024-03-15', timestamp '2024-01-01')

select date_bin('1 year', timestamp '2024-03-15', timestamp '2024-01-01')

select date_bin('1 mon 1 day', timestamptz '2024-03-15 00:00+00', timestamptz '2024-01-01 00:00+00')

select date_bin('0 days', timestamp '2024-03-15', timestamp '2024-01-01')

select date_bin('-2 days', timestamp '2024-03-15', timestamp '2024-01-01')

select date_bin('-1 month', timestamp '2024-03-15', timestamp '2024-01-01')

select date_bin('15 min', timestamp '2024-03-15 10:22:33', timestamp '2024-01-01')

select date_bin('15 min', timestamp '2023-03-15 10:22:33', timestamp '2024-01-01 00:02:30')

select date_bin('5 days', timestamp '2023-12-30 10:22:33', timestamp '2024-01-01 00:02:30')

select date_bin('5 days', timestamp 'infinity', timestamp '2024-01-01 00:02:30')

select date_bin('5 days', timestamp '2024-01-01', timestamp 'infinity')

select date_bin('1 month', timestamp 'infinity', timestamp '2024-01-01')

select date_bin('0 month', timestamp 'infinity', timestamp '2024-01-01')

select date_bin('1 day', timestamp '2024-01-03', timestamp '2024-01-03'), date_bin('1 day', timestamp '2024-01-02', timestamp '2024-01-03')

select date_bin(null, timestamp '2024-01-03', timestamp '2024-01-03')

create table read_binned_fails (a text)

insert into read_binned_fails select generate_series(timestamp '2024-01-01', timestamp '2024-01-02', '0 s'::interval)

drop table read_binned_fails

select generate_series(timestamp '2024-01-01', timestamp '2024-03-02', '1 month'::interval)

select date_trunc('foo', timestamp '2024-01-01')

select date_trunc('day', date '2024-01-01')

select date_trunc('week', interval '1 day')

select date_trunc('century', interval '101 years'), date_trunc('millennium', interval '1001 years'), date_trunc('milliseconds', interval '1.2345678 s'),  date_trunc('microseconds', interval '1.2345678 s')

select date_trunc('days', interval '1 day 2 hours'), date_trunc('hours', interval '1 day 2:03'), date_trunc('years', interval '13 mon')

select extract(century from interval '101 years'), extract(millennium from interval '1001 years'), extract(decade from interval '11 years'), extract(quarter from interval '4 mon')

select extract(week from interval '7 days')

select extract(dow from interval '7 days')

select extract(timezone from interval '7 days')

select extract(epoch from interval '1 mon'), extract(epoch from interval '1 year 1 day'), extract(second from interval '-1.5 s'), extract(minute from interval '-90 s')

select date_part('second', interval '1.5 s'), date_part('foo', timestamp '2024-01-01')

select date_part('epoch', interval '1.5 s'), date_part('quarter', date '2024-05-05')

select date_trunc('hour', timestamptz '2024-01-01 10:22:33+00', 'America/New_York') at time zone 'UTC', date_trunc('day', timestamptz '2024-01-01 03:22:33+00', 'America/New_York') at time zone 'UTC'

select timestamp '2024-01-31' + interval '1 month', timestamp '2024-03-31' - interval '1 mon 1 day'

select timestamp '2024-01-01' - timestamp '2023-12-01 10:00'

select date '2024-01-01' - date '2023-12-01', date '2024-01-01' - interval '1 day', date '2024-01-01' + time '10:00'
