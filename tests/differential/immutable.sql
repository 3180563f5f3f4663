CREATE TABLE imm (id int, d date, t timestamp, z timestamptz, c time, i interval, x text, n numeric, ds date[], zs timestamptz[], xs text[])

INSERT INTO imm VALUES (1, '2024-02-29', '2024-02-29 12:30', '2024-02-29 12:30+00', '12:30', '2 hours', '2024-02-29', 1.5, '{2024-02-29}', '{2024-02-29 12:30+00}', '{2024-02-29}')

CREATE INDEX ON imm ((d::text))

CREATE INDEX ON imm ((t || 'x'))

CREATE INDEX ON imm ((z::date))

CREATE INDEX ON imm ((z::timestamp))

CREATE INDEX ON imm ((z::time))

CREATE INDEX ON imm ((d::timestamptz))

CREATE INDEX ON imm ((t::timestamptz))

CREATE INDEX ON imm ((i::text))

CREATE INDEX ON imm ((x::date))

CREATE INDEX ON imm ((x::time))

CREATE INDEX ON imm ((x::timetz))

CREATE INDEX ON imm ((x::timestamp))

CREATE INDEX ON imm ((x::timestamptz))

CREATE INDEX ON imm ((x::interval))

CREATE INDEX ON imm ((xs::date[]))

CREATE INDEX ON imm ((xs::timestamptz[]))

CREATE INDEX ON imm ((ds::text))

CREATE INDEX ON imm ((zs::text))

CREATE INDEX ON imm ((z + interval '1 day'))

CREATE INDEX ON imm ((interval '1 day' + z))

CREATE INDEX ON imm ((z > d))

CREATE INDEX ON imm ((date_trunc('day', z)))

CREATE INDEX ON imm ((extract(day FROM z)))

CREATE INDEX ON imm ((date_part('day', z)))

CREATE INDEX ON imm ((to_char(t, 'YYYY')))

CREATE INDEX ON imm ((to_char(z, 'YYYY')))

CREATE INDEX ON imm ((to_char(i, 'HH')))

CREATE INDEX ON imm ((to_char(id, '99')))

CREATE INDEX ON imm ((to_char(n, '99')))

CREATE INDEX ON imm ((to_timestamp(x, 'YYYY')))

CREATE INDEX ON imm ((concat(d, 'x')))

CREATE INDEX ON imm ((to_jsonb(z)))

CREATE INDEX ON imm ((jsonb_build_object('a', z)))

CREATE INDEX ON imm ((lower(x) || (CASE WHEN id > 1 THEN d::text END)))

CREATE INDEX imm_trunc ON imm ((date_trunc('day', t)))

CREATE INDEX imm_day ON imm ((extract(day FROM d)))

CREATE INDEX imm_plus ON imm ((d + 1), (t + interval '1 day'), (t - t))

CREATE INDEX imm_clock ON imm ((t::time))

CREATE INDEX imm_date ON imm ((t::date), (d::timestamp))

CREATE INDEX imm_span ON imm ((c::interval))

CREATE INDEX imm_text ON imm ((n::text), (id::text), (lower(x)))

CREATE INDEX imm_named ON imm ((x || ' pg_text_date(d) pg_in_date(x) pg_to_char_time(t)'))

CREATE INDEX imm_literal ON imm ((d = '2024-02-29'), (t > timestamp '2024-01-01'), (c < '13:00'::time))

CREATE INDEX imm_zone ON imm ((z AT TIME ZONE 'Europe/Berlin'))

SELECT indexname FROM pg_indexes WHERE tablename = 'imm' ORDER BY 1

SELECT id FROM imm WHERE t::time = '12:30' AND c::interval = '12:30' AND z AT TIME ZONE 'Europe/Berlin' > '2024-02-29'

CREATE TABLE imm_kept (d date, t timestamp, c time GENERATED ALWAYS AS (t::time) STORED, x text GENERATED ALWAYS AS ('pg_text_date(' || coalesce('a', 'b')) STORED)

INSERT INTO imm_kept VALUES ('2024-02-29', '2024-02-29 12:30')

SELECT * FROM imm_kept

CREATE TABLE imm_lost (d date, x text GENERATED ALWAYS AS (concat('a', d)) STORED)

CREATE TABLE imm_lost (z timestamptz, h numeric GENERATED ALWAYS AS (extract(hour FROM z)) STORED)

DROP TABLE imm_kept

DROP TABLE imm
