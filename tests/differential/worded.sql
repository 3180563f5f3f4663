CREATE TABLE worded (id int PRIMARY KEY, trim text, interval numeric, exists date, price numeric)

INSERT INTO worded (id, trim, interval, exists, price) VALUES (1, 'Sport', 1, '2024-01-31', 9.5), (2, 'sport', 10, '2024-02-29', 100), (3, 'spa', 9, NULL, 0)

SELECT trim view FROM worded WHERE trim LIKE 's%' ORDER BY id

SELECT max(interval) sort, sum(interval) / 2 cluster FROM worded

SELECT id distribute, 7 / 2 div, trim operator FROM worded WHERE trim LIKE 'S%'

SELECT id similar, trim exclude, price explain FROM worded ORDER BY id

SELECT price / 0 view FROM worded

SELECT "nothing" view FROM worded

SELECT trim between, id like, id is, id values FROM worded WHERE id = 1

SELECT open.trim FROM worded open WHERE open.trim LIKE 's%' ORDER BY open.id

SELECT format.id, partition.trim FROM worded format JOIN worded partition ON format.id = partition.id WHERE partition.trim LIKE 's%' ORDER BY 1

SELECT settings.id FROM worded settings, worded connect, worded asof WHERE settings.id = connect.id AND connect.id = asof.id AND asof.trim LIKE 's%' ORDER BY 1

SELECT match_condition.a FROM worded match_condition (a, b) WHERE match_condition.b LIKE 's%' ORDER BY 1

SELECT trim.id FROM worded trim WHERE trim.trim LIKE 's%' ORDER BY 1

SELECT global.id FROM worded global ORDER BY global.id LIMIT 1

SELECT trim, exists + 1 AS next, extract(year FROM exists) FROM worded WHERE id < 3 ORDER BY id

SELECT trim, sum(price) / 3 FROM worded GROUP BY trim ORDER BY trim

SELECT interval FROM worded WHERE interval > 1 ORDER BY interval

SELECT DISTINCT interval FROM worded ORDER BY interval DESC

SELECT CASE interval WHEN 10 THEN 'ten' END, interval::text, (exists) FROM worded ORDER BY id

SELECT id FROM worded WHERE exists = '2024-02-29' AND EXISTS (SELECT 1) AND NOT EXISTS (SELECT 1 WHERE false)

SELECT interval '1 day' + exists, CAST('2 h' AS interval), '3 s'::interval FROM worded WHERE id = 1

SELECT a.interval FROM worded a JOIN worded b USING (interval, trim) WHERE a.trim LIKE 's%' ORDER BY 1

UPDATE worded SET interval = interval + 1, trim = trim(trim) || '!' WHERE interval < 9.5 AND trim LIKE 's%' RETURNING id, interval, trim

CREATE VIEW worded_view AS SELECT id, trim sort FROM worded WHERE trim LIKE 's%'

SELECT * FROM worded_view ORDER BY id

CREATE TABLE worded_copy AS SELECT id, price view, exists FROM worded

SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'worded_copy' ORDER BY ordinal_position

CREATE TABLE worded_checked (trim numeric(5,2), view int CHECK (view > 0), format date)

INSERT INTO worded_checked VALUES (1.239, 1, '2024-02-30')

INSERT INTO worded_checked VALUES (1.239, 1, '2024-02-29')

SELECT trim, view, format FROM worded_checked

WITH recursive AS (SELECT 1 AS a) SELECT a FROM recursive

SELECT inet '10.0.0.1', cidr '10.0.0.0/8', macaddr '08:00:2b:01:02:03', money '1', bpchar 'a  ', name 'a', oid '7'

SELECT id FROM worded WHERE inet '10.0.0.1' < inet '::1' ORDER BY id

SELECT id FROM worded WHERE id = 1 FOR KEY SHARE

SELECT id FROM worded WHERE id = 1 FOR NO KEY UPDATE

SELECT trim FROM worded GROUP BY ALL trim ORDER BY trim

SELECT trim FROM worded GROUP BY DISTINCT trim ORDER BY trim

SELECT count(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM worded ORDER BY id

SELECT id FROM worded FETCH FIRST ROW ONLY

SELECT id FROM worded WHERE trim LIKE 's%' LIMIT 1 nonsense

SELECT foo bar baz FROM worded
