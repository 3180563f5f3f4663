create table read_by_patterns_fails (a text, b text, c text, d text)

insert into read_by_patterns_fails select to_timestamp('2024-01-01 14:00', 'YYYY-MM-DD HH12:MI')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 14:00', 'YYYY-MM-DD HH:MI')

select to_timestamp('2024-01-01 02:00 PM', 'YYYY-MM-DD HH12:MI AM')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 14:00 PM', 'YYYY-MM-DD HH12:MI AM')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 00:00 AM', 'YYYY-MM-DD HH12:MI AM')

select to_timestamp('2024-01-01 12:00', 'YYYY-MM-DD HH12:MI')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 14:00 PM', 'YYYY-MM-DD HH24:MI AM')

insert into read_by_patterns_fails select to_date('123', 'DDD')

select to_date('2024 123', 'YYYY DDD'), to_date('2024366','YYYYDDD')

insert into read_by_patterns_fails select to_date('2023 366', 'YYYY DDD')

insert into read_by_patterns_fails select to_date('2024 400', 'YYYY DDD')

insert into read_by_patterns_fails select to_date('2024-13-01', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('2024-02-30', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('2023-02-29', 'YYYY-MM-DD')

select to_date('2024-00-10', 'YYYY-MM-DD')

select to_date('2024-01-00', 'YYYY-MM-DD')

select to_date('0000-01-01', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('2024-01-32', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_timestamp('25:00', 'HH24:MI')

insert into read_by_patterns_fails select to_timestamp('24:00', 'HH24:MI')

insert into read_by_patterns_fails select to_timestamp('10:60', 'HH24:MI')

insert into read_by_patterns_fails select to_timestamp('10:10:60', 'HH24:MI:SS')

insert into read_by_patterns_fails select to_timestamp('10:10:61', 'HH24:MI:SS')

insert into read_by_patterns_fails select to_timestamp('2024 2023', 'YYYY YYYY')

select to_timestamp('2024 2024', 'YYYY YYYY')

select to_date('2024-05 05', 'YYYY-MM MM'), 1

insert into read_by_patterns_fails select to_date('2024-05 06', 'YYYY-MM MM')

insert into read_by_patterns_fails select to_date('2024-05 2024', 'IYYY-IW YYYY')

insert into read_by_patterns_fails select to_date('2024-05 10', 'YYYY-MM IW')

select to_date('2024 10 3', 'IYYY IW ID'), to_date('2024-10', 'IYYY-IW'), to_date('2024 101', 'IYYY IDDD')

select to_date('2024 54 3', 'IYYY IW ID')

select to_date('2024 10 8', 'IYYY IW ID')

insert into read_by_patterns_fails select to_date('Feb 2024', 'Mon YYYY'), to_date('february 2024', 'Month YYYY'), to_date('FEBRUARY 2024', 'MONTH YYYY'), to_date('Febr 2024', 'Mon YYYY')

insert into read_by_patterns_fails select to_date('Foo 2024', 'Mon YYYY')

insert into read_by_patterns_fails select to_date('Foo 2024', 'Month YYYY')

select to_date('Mon 2024', 'Dy YYYY'), to_date('Monday 2024', 'Day YYYY')

insert into read_by_patterns_fails select to_date('Xxx 2024', 'Dy YYYY')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 10:00 XM', 'YYYY-MM-DD HH12:MI AM')

insert into read_by_patterns_fails select to_date('2024 XC', 'YYYY BC')

select to_date('44 BC', 'YYYY BC'), to_date('0044-03-15 BC', 'YYYY-MM-DD BC'), to_date('-44-03-15', 'YYYY-MM-DD'), to_date('44 B.C.', 'YYYY B.C.')

select to_timestamp('3661', 'SSSS'), to_timestamp('86399','SSSSS')

insert into read_by_patterns_fails select to_timestamp('86400', 'SSSS')

insert into read_by_patterns_fails select to_timestamp('90000', 'SSSS')

select to_timestamp('12.3', 'SS.MS'), to_timestamp('12.345', 'SS.MS'), to_timestamp('12.003', 'SS.MS'), to_timestamp('12:345678', 'SS:US'), to_timestamp('12.3', 'SS.US')

insert into read_by_patterns_fails select to_timestamp('1.1234567', 'SS.US')

select to_timestamp('12.1', 'SS.FF1'), to_timestamp('12.12', 'SS.FF2'), to_timestamp('12.123456', 'SS.FF6'), to_timestamp('12.1234', 'SS.FF3')

select to_date('20240102', 'YYYYMMDD'), to_date('240102', 'YYMMDD'), to_date('2024012', 'YYYYMMDD'), to_date('202401', 'YYYYMM'), to_date('2024', 'YYYY')

select to_date('2024/01/02', 'YYYY-MM-DD'), to_date('2024 01 02', 'YYYY-MM-DD'), to_date('2024-1-2', 'YYYY-MM-DD'), to_date(' 2024-01-02', 'YYYY-MM-DD'), to_date('2024-01-02xyz', 'YYYY-MM-DD')

select to_date('', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('abc', 'YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('2024-ab-01', 'YYYY-MM-DD')

select to_date('2024-01', 'YYYY-MM-DD')

select to_date('2024-01-01', ''), to_timestamp('x', '')

select to_date('99', 'YY'), to_date('69','YY'), to_date('70', 'YY'), to_date('5', 'Y'), to_date('995','YYY'), to_date('123','YYY')

select to_date('2,024', 'Y,YYY'), to_date('2,024-05-06', 'Y,YYY-MM-DD')

select to_date('21', 'CC'), to_date('20 05', 'CC YY'), to_date('-1', 'CC')

select to_date('2451545', 'J'), to_date('0', 'J')

select to_date('3 2024', 'Q YYYY')

select to_date('2024 10', 'YYYY WW'), to_date('2024 3 5', 'YYYY W MM'), to_date('2024 02 3', 'YYYY MM W')

insert into read_by_patterns_fails select to_date('2024 54', 'YYYY WW')

select to_date('2024 IV 5', 'YYYY RM DD'), to_date('2024 viii 5', 'YYYY rm DD'), to_date('2024 xii', 'YYYY RM')

select to_date('2024 IIII', 'YYYY RM')

select to_timestamp('2024-01-01 10:00 +02', 'YYYY-MM-DD HH24:MI TZH'), to_timestamp('2024-01-01 10:00 +02:30', 'YYYY-MM-DD HH24:MI TZH:TZM'), to_timestamp('2024-01-01 10:00 -5', 'YYYY-MM-DD HH24:MI TZH')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 10:00 UTC', 'YYYY-MM-DD HH24:MI TZ')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 10:00 +02', 'YYYY-MM-DD HH24:MI OF')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 10:00 +16', 'YYYY-MM-DD HH24:MI TZH')

insert into read_by_patterns_fails select to_timestamp('2024-01-01 10:00 +02:60', 'YYYY-MM-DD HH24:MI TZH:TZM')

select to_timestamp('1st Jan 2024', 'DDth Mon YYYY'), to_timestamp('01 January 2024', 'DD Month YYYY'), to_timestamp('05 Dec 2000', 'DD Mon YYYY')

select to_timestamp('2024-01-01T10:20:30', 'YYYY-MM-DD"T"HH24:MI:SS'), to_timestamp('2024-01-01T10:20:30Z', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')

select to_timestamp('2024-01-01T10:20:30', 'YYYY-MM-DDTHH24:MI:SS')

select to_timestamp('2024-01-01 10', 'FMYYYY-FMMM-FMDD FMHH24'), to_timestamp('2024-1-1', 'FXYYYY-MM-DD')

select to_timestamp('2024-1-01', 'FXYYYY-MM-DD')

select to_timestamp('2024  01', 'FXYYYY MM')

insert into read_by_patterns_fails select to_timestamp('2024--01', 'YYYY-MM'), to_timestamp('2024   01', 'YYYY MM'), to_timestamp('2024 - 01', 'YYYY-MM'), to_timestamp('2024-01', 'YYYY  MM')

insert into read_by_patterns_fails select to_timestamp('20000 1116', 'YYYY MMDD'), to_date('20000-11-16', 'YYYY-MM-DD'), to_date('200001116', 'YYYYMMDD')

select to_date('1 4 1902', 'Q MM YYYY'), to_date('3 4 21 01', 'W MM CC YY'), to_date('2458872', 'J')

select to_timestamp('1985 January 12', 'YYYY FMMonth DD'), to_timestamp('My birthday-> Year: 1976, Month: May, Day: 16', '"My birthday-> Year: "YYYY, "Month: "FMMonth, "Day: "DD')

select to_timestamp('1,582nd VIII 21', 'Y,YYYth FMRM DD'), to_timestamp('15 "text between quote marks" 98 54 45', E'HH24 "\\"text between quote marks\\"" YY MI SS')

select to_timestamp('05121445482000', 'MMDDHH24MISSYYYY'), to_timestamp('2000January09Sunday', 'YYYYFMMonthDDFMDay')

insert into read_by_patterns_fails select to_timestamp('97/Feb/16', 'YYMonDD')

select to_timestamp('97/Feb/16', 'YY:Mon:DD'), to_timestamp('97/Feb/16', 'FXYY:Mon:DD'), to_timestamp('97/Feb/16', 'FXYY/Mon/DD')

select to_timestamp('19971116', 'YYYYMMDD'), to_timestamp('9-1116', 'Y-MMDD'), to_timestamp('95-1116', 'YY-MMDD'), to_timestamp('995-1116', 'YYY-MMDD')

select to_timestamp('2005426', 'YYYYWWD'), to_timestamp('2005300', 'YYYYDDD'), to_timestamp('2005527', 'IYYYIWID'), to_timestamp('005527', 'IYYIWID'), to_timestamp('05527', 'IYIWID'), to_timestamp('5527', 'IIWID'), to_timestamp('2005364', 'IYYYIDDD')

insert into read_by_patterns_fails select to_timestamp('2011-12-18 11:38 EST', 'YYYY-MM-DD HH12:MI TZ')

select to_timestamp('2011-12-18 11:38 PM', 'YYYY-MM-DD HH12:MI PM'), to_timestamp('2011-12-18 11:38 p.m.', 'YYYY-MM-DD HH12:MI P.M.'), to_timestamp('2011-12-18 11:38 pm', 'YYYY-MM-DD HH12:MI AM')

insert into read_by_patterns_fails select to_timestamp('2011-12-18 11:38 p.m.', 'YYYY-MM-DD HH12:MI PM')

select to_timestamp('0097/Feb/16 --> 08:14:30', 'YYYY/Mon/DD --> HH:MI:SS')

insert into read_by_patterns_fails select to_timestamp('199711', 'YYYY MM'), to_timestamp('19971)24', 'YYYYMMDD')

insert into read_by_patterns_fails select to_timestamp('Friday 1-January-1999', 'FMDay DD MM YYYY')

select to_timestamp('Fri 1-Jan-1999', 'DY DD MON YYYY'), to_timestamp('2024-06-15', 'yyyy-mm-dd'), to_timestamp('2024-06-15 10:11:12', 'yyyy-mm-dd hh24:mi:ss')

select to_date('10000-01-01','YYYY-MM-DD'), to_date('5874897-01-01','YYYY-MM-DD')

insert into read_by_patterns_fails select to_date('5874898-01-01','YYYY-MM-DD')

insert into read_by_patterns_fails select to_timestamp('294277-01-01','YYYY-MM-DD')

insert into read_by_patterns_fails select to_timestamp('999999999999-01-01','YYYY-MM-DD')

select to_date('2016 365', 'YYYY DDD'), to_date('2016 0', 'YYYY DDD')

select to_date('12/25/2024', 'MM/DD/YYYY'), to_date('25.12.2024', 'DD.MM.YYYY'), to_date('25-Dec-24', 'DD-Mon-YY')

select to_timestamp(0), to_timestamp(1700000000.123456), to_timestamp('infinity'::float8), to_timestamp('-infinity'::float8)

select to_timestamp('nan'::float8)

select to_timestamp(1e20)

select to_timestamp(null, 'YYYY'), to_date('2024', null)

select to_date('2024-01-02 10:00', 'YYYY-MM-DD HH24:MI')

select to_number('12,454.8-', '99G999D9S'), to_number('123', '999'), to_number('1,234.5', '9,999.9'), to_number('$1,234.50', 'L9,999.99'), to_number('-123', 'S999'), to_number('<123>', '999PR')

insert into read_by_patterns_fails select to_number('abc', '999')

insert into read_by_patterns_fails select to_number('', '999')

select to_number('12.3.4', '99.99'), to_number('1234', '999'), to_number('12', '9999'), to_number(' 12 ', '99'), to_number('1 2', '9 9')

select to_number('123', '')

insert into read_by_patterns_fails select to_number('123', 'XXX')

insert into read_by_patterns_fails select to_number('485', 'RN')

insert into read_by_patterns_fails select to_number('1e5', '9EEEE')

select to_number('12.5%', '99.9'), to_number('0012', '9999'), to_number('.5', '9.9'), to_number('-.5', 'S9.9'), to_number('5.', '9.'), to_number('12', '99V9'), to_number('123', '99V9')

select to_number('-34,338,492', '99G999G999'), to_number('-34,338,492.654,878', '99G999G999D999G999'), to_number('<564646.654564>', '999999.999999PR'), to_number('0.00001-', '9.999999S'), to_number('5.01-', 'FM9.999999S'), to_number('5.01-', 'FM9.999999MI'), to_number('5 4 4 4 4 8 . 7 8', '9 9 9 9 9 9 . 9 9'), to_number('.01', 'FM9.99'), to_number('.0', '99999999.99999999'), to_number('0', '99.99'), to_number('.-01', 'S99.99'), to_number('.01-', '99.99S'), to_number(' . 0 1-', ' 9 9 . 9 9 S'), to_number('34,50','999,99'), to_number('123,000','999G'), to_number('123456','999G999'), to_number('$1234.56','L9,999.99'), to_number('$1234.56','L99,999.99'), to_number('$1,234.56','L99,999.99'), to_number('1234.56','L99,999.99'), to_number('1,234.56','L99,999.99'), to_number('42nd', '99th')

insert into read_by_patterns_fails select to_number('1', '9.9.9')

insert into read_by_patterns_fails select to_number('1', '9S9S')

insert into read_by_patterns_fails select to_number('1', 'S9PR')

insert into read_by_patterns_fails select to_number('1', '9,9PR9')

insert into read_by_patterns_fails select to_char(1, '9.9.9')

select to_char(interval '15h 2m 12s', 'HH24:MI:SS'), to_char(interval '25 hours', 'HH24'), to_char(interval '15 hours', 'HH12')

select to_char(timestamp '2024-01-05 13:04:05.678', 'YYYY-MM-DD HH12:MI:SS.MS AM'), to_char(timestamp '2024-01-05', 'IYYY IW ID IDDD J Q WW W D DY Dy dy Day RM TZ')

drop table read_by_patterns_fails
