SELECT length('héllo'), char_length('abc'), octet_length('é'), bit_length('a')

SELECT upper('straße'), lower('ÉCOLE'), initcap('hello wORLD-foo')

SELECT left('abcdef', 2), left('abcdef', -2), right('abcdef', 2), right('abcdef', -2)

SELECT lpad('7', 3, '0'), rpad('ab', 5, 'xy'), lpad('abcdef', 3), lpad('a', 3)

SELECT trim('  x  '), ltrim('xxabc', 'x'), rtrim('abcxx', 'x'), btrim('yyaby', 'y'), trim(both 'x' from 'xxaxx'), trim(leading from '  a')

SELECT substring('abcdef' from 2 for 3), substring('abcdef', 3), substr('abcdef', 2, 2), substring('abcdef' from 0 for 3), substring('abc' from 'b.')

SELECT substring('abc', 1, -1)

SELECT position('c' in 'abcd'), strpos('abc', 'z'), strpos('hello', 'l')

SELECT replace('aXbX', 'X', '--'), translate('12345', '143', 'ax'), reverse('abc'), repeat('ab', 3)

SELECT split_part('a,b,c', ',', 2), split_part('a,b,c', ',', 9), split_part('a,b,c', ',', -1)

SELECT split_part('a,b', ',', 0)

SELECT concat('a', 1, NULL, true, 2.50), concat_ws('-', 'a', NULL, 'b', 3)

SELECT format('%s is %s', 'x', 5), format('%I = %L', 'my col', 'it''s'), format('%2$s %1$s', 'a', 'b'), format('100%%'), format('[%5s|%-5s]', 'a', 'b')

SELECT overlay('Txxxxas' placing 'hom' from 2 for 4), overlay('abc' placing 'Z' from 2)

SELECT ascii('A'), chr(233), to_hex(255), md5('hello')

SELECT quote_ident('Foo bar'), quote_ident('abc'), quote_literal('it''s'), quote_nullable(NULL)

SELECT 'Hello' LIKE 'h%', 'Hello' LIKE 'H%', 'Hello' ILIKE 'h%', 'a_c' LIKE 'a\_c', 'abc' LIKE 'a_c', 'abc' NOT LIKE 'b%'

SELECT 'a%c' LIKE 'a!%c' ESCAPE '!', 'ÉCOLE' ILIKE 'école', 'x*y' LIKE 'x*%', '[a]' LIKE '[a]'

SELECT name FROM people WHERE name LIKE 'A%' ORDER BY id

SELECT name FROM people WHERE name ILIKE 'a%' ORDER BY id

SELECT id LIKE '1%' FROM people

SELECT 'abc' SIMILAR TO 'a(b|x)c', 'abc' SIMILAR TO 'b', 'abc' SIMILAR TO '%c'

SELECT 'abc' ~ '^a', 'abc' ~ 'B', 'abc' ~* 'B', 'abc' !~ 'z', 'foo123' ~ '\d+'

SELECT regexp_replace('foo bar baz', 'b(..)', 'X\1'), regexp_replace('foo bar baz', 'b(..)', 'X\1', 'g'), regexp_replace('ABC', 'b', 'x', 'i')

SELECT regexp_match('foobarbequebaz', 'bar.*que'), regexp_match('foobarbequebaz', '(bar)(beque)'), regexp_match('abc', 'z')

SELECT regexp_split_to_array('a1b2c', '\d'), string_to_array('a,b,,c', ','), string_to_array('a,b,NULL', ',', 'NULL'), array_to_string(ARRAY['a', NULL, 'b'], ',', '*')

SELECT starts_with('alphabet', 'alph'), 'alphabet' ^@ 'alph'

SELECT encode('\xdead'::bytea, 'hex'), encode('abc'::bytea, 'base64'), decode('616263', 'hex'), convert_from('\x616263'::bytea, 'UTF8')

SELECT 'a' || NULL || 'b', concat('a', NULL, 'b')

SELECT length(NULL), upper(NULL)

SELECT upper(name), length(name), name || '!' FROM people ORDER BY id

SELECT left(5, 1)

SELECT 'abc' COLLATE "C" < 'abd'

SELECT * FROM regexp_split_to_table('a b c', ' ') AS t

SELECT * FROM string_to_table('a,b', ',')

SELECT regexp_count('banana', 'a'), regexp_like('abc', 'B', 'i'), regexp_substr('foo42', '\d+')

SELECT 'abc' LIKE ALL (ARRAY['a%', '%c']), 'abc' LIKE ALL (ARRAY['a%', 'x%']), 'abc' LIKE ALL ('{}'::text[])

SELECT 'abc' NOT LIKE ALL (ARRAY['x%', '%y']), 'abc' NOT LIKE ANY (ARRAY['a%', 'z%']), 'abc' NOT LIKE ANY (ARRAY['a%'])

SELECT 'ABC' ILIKE ALL ('{a%,%c}'::text[]), 'ABC' NOT ILIKE ALL (ARRAY['a%']), 'ABC' NOT ILIKE ANY (ARRAY['a%', 'z%'])

SELECT 'abc' LIKE ALL (SELECT 'a%' UNION SELECT '%c'), NULL LIKE ALL (ARRAY['a'])

CREATE TABLE str_padded (id int, c char(4))

INSERT INTO str_padded VALUES (1, 'ab'), (2, 'abc ')

SELECT id FROM str_padded WHERE c like 'ab' ORDER BY id

SELECT id FROM str_padded WHERE c like 'ab%' ORDER BY id

SELECT id FROM str_padded WHERE c ~ '^ab$' ORDER BY id

SELECT id FROM str_padded WHERE c ~ '^ab +$' ORDER BY id

SELECT id FROM str_padded WHERE c similar to 'ab' ORDER BY id

SELECT id FROM str_padded WHERE c ilike 'AB  ' ORDER BY id

SELECT octet_length(c), length(c), char_length(c), c || 'x', upper(c), c::text || 'y', concat(c,'z') FROM str_padded WHERE id = 1

SELECT c FROM (SELECT c FROM str_padded UNION SELECT 'x'::text) q ORDER BY 1

SELECT c || '|' FROM (SELECT 'xy  '::text c UNION ALL SELECT c FROM str_padded) q ORDER BY 1

SELECT min(c), max(c), coalesce(min(c), 'x'::text) FROM str_padded

SELECT regexp_split_to_array('hello',''), regexp_split_to_array('a1b2','\d'), regexp_split_to_array('','x'), regexp_split_to_array('the quick', '\s*')

SELECT * FROM regexp_split_to_table('abc','')

SELECT left('日本語', -1), right('日本語', 2), left('abc', -9), lpad('日本', 5, 'xy'), rpad('日本', 1), overlay('日本語abc' placing 'XY' from 5 for -2), split_part('aaa', 'aa', -1), split_part('a,b,c', ',', -4), split_part('abc', '', -1), translate('日本', '日', ''), string_to_array('abc', '', 'abc'), string_to_array('', NULL), string_to_array('abc', NULL, 'b')

SELECT strpos('日本語', '語'), strpos('abc', ''), position('' in ''), btrim('xyaxy', 'xy'), ltrim('xyaxy', 'xy'), rtrim('xya日xy', '日xy'), btrim('xx', ''), lower('ΑΣ İ'), upper('ᾀß'), 'ΑΣ' ILIKE 'ασ'

SELECT to_hex(-1::bigint), to_hex((-4096)::bigint), to_hex(-255), to_hex(4294967296), to_hex(id) FROM people WHERE id = 1

SELECT initcap('ßx éa'), initcap('ŉx ﬁx')

SELECT substring('\x0102030405'::bytea from 2 for 3), substring('\x0102030405'::bytea, 3), substr('\x0102030405'::bytea, 0, 3), substring('\x01'::bytea, -5, 2), substring('\x01'::bytea, 9), bit_length('\x0102'::bytea), bit_count('\x07ff'::bytea), get_byte('\x01ff'::bytea, 1), set_byte('\x0102'::bytea, 0, 255), set_byte('\x0102'::bytea, 1, 300), get_bit('\x01fe'::bytea, 9), set_bit('\x0100'::bytea, 15, 1), overlay('\x01020304'::bytea placing '\xff'::bytea from 2 for 2), overlay('\x0102'::bytea placing '\xffff'::bytea from 2)

SELECT get_byte('\x01'::bytea, 1)

SELECT get_byte(''::bytea, 0)

SELECT set_byte('\x01'::bytea, -1, 0)

SELECT get_bit('\x01'::bytea, 8)

SELECT set_bit('\x01'::bytea, 0, 2)

SELECT substring('\x01'::bytea, 1, -1)

SELECT overlay('\x01'::bytea placing '\x02'::bytea from 0)

SELECT lcm(1.5, 0.50), gcd(1.50, 0.5), lcm(0, 3.5), gcd(0, -2.5), gcd(330.3::numeric, 462), lcm(-330.3::numeric, 462), gcd('NaN'::numeric, 1), lcm(1, 'infinity'::numeric)
