SELECT n, p, to_char(n, p) FROM (VALUES (0), (1), (-1), (12), (-12), (485), (1234), (-1234567), (2147483647), (3999), (4000)) AS a(n), (VALUES ('9'), ('999'), ('FM999'), ('0000'), ('FM09'), ('9,999'), ('FM9,999,999'), ('9G999D99'), ('S999'), ('999S'), ('S9.99'), ('9.99S'), ('FMS9'), ('MI999'), ('999MI'), ('FM99MI'), ('PL99'), ('99PL'), ('SG999'), ('FMSG99'), ('999PR'), ('FM99PR'), ('RN'), ('FMrn'), ('9RN'), ('L99'), ('FML99'), ('99th'), ('FM99TH'), ('9.9th'), ('9.99EEEE'), ('EEEE'), ('99SP'), ('B9'), ('C9'), ('$999'), ('9 9'), ('9" items"'), ('9\"9'), ('fm99s'), ('S'), (''), ('.'), (','), ('D'), ('SG'), ('x')) AS b(p) ORDER BY 1, 2

SELECT to_char(12, '9V9'), to_char(12, '99V99'), to_char(-12, 'FM99V9S')

SELECT n, p, to_char(n, p) FROM (VALUES (0::int8), (7), (-25), (123456789012), (-9223372036854775808), (9223372036854775807)) AS a(n), (VALUES ('9'), ('9EEEE'), ('9.999EEEE'), ('FM9999999999999999999'), ('9,999,999,999,999,999,999S'), ('SG09'), ('99PR'), ('9.9')) AS b(p) ORDER BY 1, 2

SELECT n, p, to_char(n, p) FROM (VALUES (0::numeric), (0.1), (-0.1), (0.5), (0.05), (0.995), (9.995), (12.34), (-1234.567), (100.00), (123456789.987654321), (0.000000123)) AS a(n), (VALUES ('9'), ('9.9'), ('FM9.9'), ('FM90.09'), ('0.0'), ('FM00.00'), ('.99'), ('FM.99'), ('0009.9000'), ('9,999.99'), ('FM999,999.00'), ('S9.9'), ('9.9S'), ('9.9S9'), ('.0S'), ('9.9MI'), ('FM99.99MI'), ('9.9PL'), ('99.9PR'), ('FM9.99PR'), ('9.99PR'), ('9.9EEEE'), ('99.99EEEE'), ('9V99'), ('V9'), ('FM9V99'), ('99.9999999999999999'), ('RN'), ('9d9'), ('9g999')) AS b(p) ORDER BY 1, 2

SELECT n, p, to_char(n, p) FROM (VALUES (0::float8), (0.1), (-0.5), (0.25), (2.5), (3.5), (12.34), (-1234.5678), (1e10), (1.5e20), (1.23e-7), (123456789.987654321), ('Infinity')) AS a(n), (VALUES ('9'), ('9.9'), ('FM90.99'), ('S9.99'), ('9.99S'), ('99.9PR'), ('9.9EEEE'), ('EEEE'), ('9V9'), ('99999999999999999999.9999999999'), ('FM99999999999999999999.9999999999'), ('RN')) AS b(p) ORDER BY 1, 2

SELECT n, p, to_char(n, p) FROM (VALUES (0.1::float4), (2.5), (-1234.5678), (123456.7)) AS a(n), (VALUES ('9'), ('9999.99'), ('FM99999999.9999'), ('9.9EEEE')) AS b(p) ORDER BY 1, 2

SELECT to_char(12::int2, '999'), to_char(-7::int2, 'S9'), to_char('NaN'::numeric, '9.9'), to_char('NaN'::numeric, '9EEEE'), to_char(NULL::int, '9')

CREATE TABLE failed AS SELECT to_char(1, '9.9.9')

CREATE TABLE failed AS SELECT to_char(1, 'S9S')

CREATE TABLE failed AS SELECT to_char(1, 'S9MI')

CREATE TABLE failed AS SELECT to_char(1, 'S9PL')

CREATE TABLE failed AS SELECT to_char(1, 'S9SG')

CREATE TABLE failed AS SELECT to_char(1, 'SG9S')

CREATE TABLE failed AS SELECT to_char(1, 'MI9PR')

CREATE TABLE failed AS SELECT to_char(1, '9PR9')

CREATE TABLE failed AS SELECT to_char(1, 'PR0')

CREATE TABLE failed AS SELECT to_char(1, '9V9.9')

CREATE TABLE failed AS SELECT to_char(1, '9.9V9')

CREATE TABLE failed AS SELECT to_char(1, '9EEEE9')

CREATE TABLE failed AS SELECT to_char(1, 'FM9EEEE')

CREATE TABLE failed AS SELECT to_char(1, '9EEEEEEEE')

CREATE TABLE failed AS SELECT to_char(3000000000, 'RN')

SELECT t, p, to_number(t, p) FROM (VALUES ('12'), ('-12'), ('12-'), ('+12'), ('1.5'), ('-1.5'), ('1,234.5'), (' 12'), ('$12'), ('<12>'), ('12th'), ('00012')) AS a(t), (VALUES ('999999'), ('FM999999'), ('999,999.99'), ('FM999,999.99'), ('999G999D99'), ('S999999'), ('999999S'), ('999999.9S'), ('MI999999'), ('999999.99MI'), ('PL999999'), ('SG999999'), ('999999PR'), ('L999999'), ('999999th'), ('9 9 9 9 9 9')) AS b(p) ORDER BY 1, 2

SELECT to_number('12,454.8-', '99G999D9S'), to_number('123', '9V99'), to_number('1234', '99V9'), to_number('5', 'V9')

CREATE TABLE failed AS SELECT to_number('', '9')

SELECT to_number('12', '') IS NULL

CREATE TABLE failed AS SELECT to_number('abc', '999')

CREATE TABLE failed AS SELECT to_number('12345', '99.999')

CREATE TABLE failed AS SELECT to_number('1', 'RN')

CREATE TABLE failed AS SELECT to_number('1', '9EEEE')

SELECT regexp_replace('a', 'a', 'b', 'z')

CREATE TABLE failed AS SELECT regexp_matches('a', 'a', 'z')

SELECT regexp_match('a', 'a', 'gz')

SELECT regexp_match('a', 'a', 'g')

SELECT regexp_like('a', 'a', '0')

SELECT regexp_like('a', 'a', 'g')

SELECT regexp_replace('A', 'a', 'b', 'gi'), regexp_match('A', 'a', 'i'), regexp_like('A', 'a', 'i')
