SELECT convert_to('é', 'LATIN1'), convert_to('€', 'WIN1252'), convert_to('ş', 'LATIN5'), convert('\xe9', 'LATIN1', 'UTF8'), convert_from('\xe9'::bytea, 'iso_8859-1'), convert_from('\x80', 'LATIN1') = U&'\0080', convert_from('\xd6', 'koi8-r'), convert_to('é', 'UTF8'), convert_to('é', 'SQL_ASCII'), convert('é'::bytea, 'UTF8', 'LATIN9')

SELECT convert_to('€', 'LATIN1')

SELECT convert_from('\x81'::bytea, 'WIN1252')

SELECT convert_from('\xe282'::bytea, 'UTF8')

SELECT convert_from('\x00'::bytea, 'LATIN1')

SELECT convert_to('a', 'nope')

SELECT decode('YQ==', 'base64'), decode(E'Y\tQ = \n=', 'base64'), decode('YWI=YWI=', 'base64'), decode('', 'base64'), decode('+/+/', 'base64')

SELECT decode('YQ=', 'base64')

SELECT decode('Y===', 'base64')

SELECT decode('=', 'base64')

SELECT decode('YéQ=', 'base64')

SELECT decode('YWJj*', 'base64')

SELECT decode('0g', 'hex')

SELECT replace('aXbX', 'X', ''), replace('XX', 'X', 'ab'), replace('', 'X', 'y'), replace('éXé', 'éX', 'X'), replace('aaa', 'aa', 'b'), replace('abc', '', 'x')

SELECT split_part('a,b,c', ',', -1), split_part('a,b,c', ',', 4), split_part('abc', '', 1), split_part('abc', ',', 1), split_part('', ',', 1), split_part('aéb', 'é', 2)

SELECT strpos('aéb', 'b'), strpos('abc', ''), strpos('', 'a'), position('é' IN 'aé')

SELECT '"\u00e9\ud83d\ude00\n\/\"\\"'::jsonb, '"a\tb\b\f\r"'::jsonb ->> 0, to_json(E'a\t"\\é\u0001'::text)

SELECT '"\ud83d"'::jsonb

SELECT '"\ud83dx"'::jsonb

SELECT '"\ude00"'::jsonb

SELECT '"\x"'::jsonb

SELECT '000000000012.50'::numeric, ' -0007 '::numeric, repeat('0', 200000)::numeric, (repeat('0', 200000) || '7')::numeric, ('-' || repeat('0', 200000) || '1.5')::numeric

SELECT repeat('1', 200000)::numeric

SELECT ('1.' || repeat('1', 200000))::numeric

SELECT length(repeat('1', 200000)::json::text)

SELECT length(repeat('1', 200000)::jsonb::text)

SELECT length(('1' || repeat(' ', 10000))::int::text), (repeat(' ', 10000) || '2024-01-31' || repeat(' ', 10000))::date, (repeat(' ', 10000) || 'true')::bool

SELECT length(repeat('10', 50000)::varbit::text), length(('x' || repeat('f0', 50000))::varbit::text), ''::varbit::text

SELECT is_ok FROM (SELECT 'é' IS NFC NORMALIZED AS is_ok) q
