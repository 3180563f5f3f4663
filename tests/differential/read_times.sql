select '2024-03-04 12:00 AM+05'::timestamptz at time zone 'UTC', '2024-03-04 10:20 PM+02'::timestamptz at time zone 'UTC'

select '2024-03-04 10:20 PM +02'::timestamptz at time zone 'UTC', '2024-03-04 10:20 pm UTC'::timestamptz at time zone 'UTC', '2024-03-04 10:20pm+02:30'::timestamptz at time zone 'UTC'

select 'Jan 31 2024 UTC'::timestamptz at time zone 'UTC', '2024-01-31 UTC'::timestamptz at time zone 'UTC'

select '31 Jan 2024 +02'::timestamptz at time zone 'UTC', '31 Jan 2024 -03:30'::timestamptz at time zone 'UTC', 'Jan 31 2024 America/New_York'::timestamptz at time zone 'UTC'

select '2024-01-31T10:20:30MSK'::timestamp, '2024-01-31T10:20:30MSK'::timestamptz at time zone 'UTC', '2024-01-31 10:20:30EST5EDT'::timestamptz at time zone 'UTC', '2024-01-31 10:20:30PST8PDT'::timestamptz at time zone 'UTC', '10:20:30CET'::timetz

select '2024-03-04 10:20 UTC+2'::timestamptz at time zone 'UTC', '2024-01-31 10:20AM'::timestamp, 'jan31 2024'::date, '2024-01-31 10:20:30Z'::timestamptz at time zone 'UTC'

select '2024-03-04 10:20 PM-02'::timestamptz

select '2024-01-31T10:20:30NOWHERE'::timestamptz
