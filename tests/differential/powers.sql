select log(2, 8), log(2.0, 64), log(10, 1000), log(0.5, 8), log(0.5, 0.25), log(2, 0.5), log(10.0, 0.001), log(1.1, 100)

select log(100), log(100.0), log(1000::float8), log(2::numeric), ln(2.0), ln(2::float8), ln(10), ln(0.5), ln(1)

select log(1, 8)

select log(1.0, 1.0)

select log(0, 8)

select log(2, 0)

select log(-2, 8)

select log(2, -8)

select log(0)

select log(-1)

select log(0.0)

select log(-1.0)

select ln(0)

select ln(-1)

select ln(0.0)

select ln(-1.0)

select ln(0::float8)

select ln(-1::float8)

select log('nan'::numeric, 2), log(2, 'nan'::numeric), ln('nan'::numeric), log('nan'::numeric), log('nan'::float8), ln('nan'::float8)

select log('inf'::numeric), ln('inf'::numeric), log('inf'::float8), ln('inf'::float8)

select ln('-inf'::numeric)

select log('-inf'::numeric)

select ln('-inf'::float8)

select log('inf'::numeric, 2), log(2, 'inf'::numeric), log(0.5, 'inf'::numeric)

select log('inf'::numeric, 'inf'::numeric)

select log('-inf'::numeric, 2)

select log(2, '-inf'::numeric)

select log('inf'::numeric, 0)

select log(0, 'inf'::numeric)

select log('nan'::numeric, 0), log(0,'nan'::numeric)

select log('inf'::numeric, 0.5)

select power(2, 10), power(2.0, 10), power(2::numeric, 0.5), power(2.5, 3.5), power(4, 0.5), 2 ^ 10, 2.0 ^ 0.5, 2 ^ -1, 2.0 ^ -1

select power(0, 0), power(0.0, 0), power(0::numeric, 5), power(1.0, 1000)

select power(0, -1)

select power(0.0, -1)

select power(-8, 1.0/3)

select power(-8::float8, 0.5)

select power(-8.0, 0.5)

select power(-8.0, 3), power(-8.0, -3), power(-2, 3), power(-2::float8, -3)

select power('nan'::numeric, 0), power('nan'::numeric, 1), power(1, 'nan'::numeric), power(2, 'nan'::numeric), power('nan'::float8, 0), power(1::float8, 'nan'), power(2::float8, 'nan')

select power('inf'::numeric, 0), power('inf'::numeric, 2), power('inf'::numeric, -2), power(2, 'inf'::numeric), power(0.5, 'inf'::numeric), power(2, '-inf'::numeric), power(0.5, '-inf'::numeric), power(1, 'inf'::numeric), power(1, '-inf'::numeric)

select power('-inf'::numeric, 2), power('-inf'::numeric, 3), power('-inf'::numeric, -2), power('-inf'::numeric, -3), power('-inf'::numeric, 0)

select power('-inf'::numeric, 0.5)

select power('-inf'::numeric, 4.5)

select power(0, 'inf'::numeric), power(0::numeric, 'inf'::numeric)

select power(0, '-inf'::numeric)

select power(-2, 'inf'::numeric)

select power(-2.0, 'inf'::numeric)

select power(-0.5, 'inf'::numeric), power(-1, 'inf'::numeric)

select power('inf'::numeric, 'inf'::numeric), power('inf'::numeric, '-inf'::numeric), power('-inf'::numeric, 'inf'::numeric), power('-inf'::numeric, '-inf'::numeric)

select power('inf'::float8, 2), power('inf'::float8, -2), power(2::float8, 'inf'), power(0.5::float8, 'inf'), power(2::float8, '-inf'), power('-inf'::float8, 3), power('-inf'::float8, 2), power('-inf'::float8, -3), power(-2::float8, 'inf'), power(-1::float8, 'inf'), power(-0.5::float8,'inf')

select power('-inf'::float8, 0.5)

select power(0::float8, '-inf')

select power(10::float8, 400)

select power(10::float8, -400)

select power(10.0, 200000)

select power(10.0, -20000)

select power(1.5, 100), power(1.000001, 1000000), power(123.456, 2), power(0.1, 10), power(10.0, -5), power(3.0, -3), power(1e10, 5), power(12345678901234567890, 2)

select exp(1), exp(1.0), exp(0.0), exp(-1.0), exp(10.0), exp(-10.0), exp(100.0), exp(1.5), exp(1::float8)

select exp('nan'::numeric), exp('inf'::numeric), exp('-inf'::numeric), exp('nan'::float8), exp('inf'::float8), exp('-inf'::float8)

select exp(10000.0)

select exp(-10000.0)

select exp(1000::float8)

select exp(-1000::float8)

select exp(6000.0) > 0

select sqrt(-1)

select sqrt(-1.0)

select sqrt('nan'::numeric), sqrt('inf'::numeric), sqrt('nan'::float8), sqrt('inf'::float8)

select sqrt('-inf'::numeric)

select sqrt('-inf'::float8)

select log10(100), log10(100.0), log10(2::float8)

select log10(0)

select log10(-1.0)

select log10('inf'::numeric)

select exp(ln(2.0)), ln(exp(2.0)), log(2, power(2.0, 20)), power(2.0, log(2, 10.0))

select ln(1e100), ln(1e-100), ln(123456789.123456789), log(1e100), log(1.23e-50), log(3, 1e50), ln(0.99999999999), ln(1.0000000000001), ln(99999999999999999999)

select log(1.23e-89, 6.4689e45), log(0.99923, 4.58934e34), log(1.000016, 8.452010e18), log(3.1954752e47, 9.4792021e-73), log(0.993, 2.0), log(1.2, 1.0)

select exp(32.999), exp(-32.999), exp(123.456), exp(-123.456), exp(0.0000000001), exp(1234.5678)

select power(3.789, 21.0000000000000000), power(3.789, 35.0000000000000000), power(1.2, 345), power(0.12, -20), power(1.000000000123, -2147483648), power(0.9999999999, 23300000000000)

select 32.1 ^ 9.8, 32.1 ^ -9.8, 12.3 ^ 45.6, 12.3 ^ -45.6, 1.234 ^ 5678

select 0.1 ^ 10::float8, 2 ^ 0.5::float8, 'nan'::numeric ^ 2, 'inf'::numeric ^ 0.5, 2 ^ 'inf'::float8

select sinh('inf'::float8), cosh('-inf'::float8), tanh('inf'::float8), asinh('inf'::float8), acosh('inf'::float8)

select acosh(0.5)

select atanh(1), atanh(-1)

select atanh(2)

select asin(2)

select acos(2)

select sin('inf'::float8)

select cos('inf'::float8)

select tan('inf'::float8)

select sin('nan'::float8), atan('inf'::float8), atan2('inf', 'inf'), atan2(0,-1)

select degrees('inf'::float8), radians('nan'::float8), pi()

select cosd(60), sind(30), tand(45), cotd(45), asind(0.5), acosd(0.5), atand(1), cot(1)

select sind('inf'::float8)

select asind(2)

select factorial(5), factorial(20), factorial(0)

select factorial(-1)

select mod(5, 0)

select 'inf'::numeric % 2

select 5 % 'inf'::numeric, mod('nan'::numeric, 2), 'inf'::numeric / 2, 2 / 'inf'::numeric, 'inf'::numeric - 'inf'::numeric, 'inf'::numeric * 0, 'inf'::numeric / 'inf'::numeric

select 'inf'::numeric / 0

select 'nan'::numeric / 0

select 'inf'::float8 / 0

select 'nan'::float8 / 0

select div('inf'::numeric, 2), div(5, 'inf'::numeric)

select ceil('inf'::numeric), floor('nan'::numeric), round('inf'::numeric, 2), trunc('-inf'::numeric), abs('-inf'::numeric), sign('-inf'::numeric), sign('nan'::numeric), -'inf'::numeric

select width_bucket(5.35, 0.024, 10.06, 5), width_bucket('inf'::numeric, 0, 10, 5), width_bucket(5::float8, 0, 10, 5)

select width_bucket('nan'::numeric, 0, 10, 5)

select 'inf'::numeric::int

select 'nan'::numeric::float8, 'inf'::numeric::float8, 'inf'::float8::numeric, 'nan'::float8::int

select avg(x), sum(x), min(x), max(x) from (values ('inf'::numeric), (1)) t(x)

select stddev(x), variance(x) from (values ('inf'::numeric), (1)) t(x)

select sum(x) from (values ('inf'::numeric), ('-inf'::numeric)) t(x)

select power(2, 0.5), power(2::int8, 3::int8), power(2::numeric, 3), pow(2, 3), power('2', 3)

select exp(null), ln(null::numeric), power(null, 2), sqrt(null::float8)
