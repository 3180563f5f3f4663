CREATE TABLE cmp_code (code char(3) PRIMARY KEY, x int)

INSERT INTO cmp_code VALUES ('US',1),('USA',2),('D',3)

SELECT x FROM cmp_code WHERE code IN ('US','USA') ORDER BY 1

SELECT x FROM cmp_code WHERE code NOT IN ('US') ORDER BY 1

SELECT x FROM cmp_code WHERE code IN (SELECT code FROM cmp_code) ORDER BY 1

SELECT x FROM cmp_code WHERE code IN (SELECT 'US'::text) ORDER BY 1

SELECT x FROM cmp_code WHERE (code,x) IN (('US',1),('D',4)) ORDER BY 1

SELECT x FROM cmp_code WHERE (code,x) IN (SELECT code, x FROM cmp_code WHERE x>1) ORDER BY 1

SELECT x FROM cmp_code WHERE 'US'::char(5) IN (SELECT code FROM cmp_code) ORDER BY 1

SELECT x FROM cmp_code WHERE code = ANY(ARRAY['US','D']::char(2)[]) ORDER BY 1

SELECT x FROM cmp_code WHERE code = ANY('{US,D}') ORDER BY 1

SELECT x FROM cmp_code WHERE code BETWEEN 'D' AND 'US' ORDER BY 1

SELECT x FROM cmp_code WHERE (code, x) > ('D', 0) ORDER BY 1

SELECT greatest('a'::char(3), 'a'::char(5)) = 'a'

SELECT count(DISTINCT c) FROM (VALUES ('a'::char(3)),('a'::char(5))) v(c)

SELECT DISTINCT c::text FROM (SELECT code c FROM cmp_code UNION SELECT 'US'::char(7)) q ORDER BY 1

SELECT INTERVAL '1 mon' IN (SELECT INTERVAL '30 days')

SELECT INTERVAL '1 day' IN (INTERVAL '24:00', INTERVAL '3 days')

SELECT INTERVAL '1 day' = ANY (ARRAY[INTERVAL '24:00'])

CREATE TABLE cmp_kind(id int, arr int[], txt text[], j jsonb, ip inet, m money, tz timetz, nu numeric[])

INSERT INTO cmp_kind VALUES (1,'{1,10}','{a,b}','{"a":1}','10.0.0.1',5,'10:00+02','{1.0}'),(2,'{1,9}','{a}','[1,2]','9.0.0.0/8',1000,'09:00+00','{1.00}'),(3,'{1}',null,'10','::1',-3,'08:00-01','{10}'),(4,'{1,10,0}','{"B"}','"x"','10.0.0.0/8',20,'12:00+00','{9}'),(5,null,'{}','9','10.0.0.0/16',9.5,'11:00+01','{NULL}')

SELECT id FROM cmp_kind ORDER BY arr

SELECT id FROM cmp_kind ORDER BY arr DESC

SELECT id FROM cmp_kind ORDER BY txt

SELECT id FROM cmp_kind ORDER BY j

SELECT id FROM cmp_kind ORDER BY ip

SELECT id FROM cmp_kind ORDER BY m

SELECT id FROM cmp_kind ORDER BY tz

SELECT id FROM cmp_kind ORDER BY nu, id

SELECT id FROM cmp_kind WHERE j < '10'::jsonb ORDER BY id

SELECT id FROM cmp_kind WHERE j = '10.0'::jsonb ORDER BY id

SELECT id FROM cmp_kind WHERE j BETWEEN '9' AND '10' ORDER BY id

SELECT id FROM cmp_kind WHERE ip < '10.0.0.0/16' ORDER BY id

SELECT id FROM cmp_kind WHERE m BETWEEN 1::money AND 20::money ORDER BY id

SELECT id FROM cmp_kind WHERE m > 9.5::numeric::money ORDER BY id

SELECT id FROM cmp_kind WHERE tz = '08:00+00' ORDER BY id

SELECT id FROM cmp_kind WHERE tz < '09:00+00' ORDER BY id

SELECT id FROM cmp_kind WHERE arr < '{1,9,5}' ORDER BY id

SELECT id FROM cmp_kind WHERE arr IN ('{1,9}','{1}') ORDER BY id

SELECT greatest(ARRAY[1,9],ARRAY[1,10]), least('9'::jsonb,'10'), greatest('$9'::money,'$10'), least('9.0.0.1'::inet,'10.0.0.1')

SELECT array_agg(id ORDER BY arr), array_agg(id ORDER BY j), array_agg(DISTINCT m) FROM cmp_kind

SELECT rank() OVER (ORDER BY arr), id FROM cmp_kind ORDER BY id

SELECT DISTINCT ON (nu) id FROM cmp_kind ORDER BY nu, id

SELECT count(DISTINCT nu), count(DISTINCT j) FROM cmp_kind

SELECT nu FROM cmp_kind GROUP BY nu HAVING count(*)>1

SELECT max(arr), min(arr), max(ip), min(m), max(tz) FROM cmp_kind

WITH RECURSIVE t(id, path) AS (SELECT 1, ARRAY[1] UNION ALL SELECT id*2+1, path || (id*2+1) FROM t WHERE id < 20) SELECT id FROM t ORDER BY path DESC
