SELECT substring('foobar', 'fo|foo|foob'), regexp_replace('cats', 'cat|cats', 'dog'), regexp_replace('street', 'st|street', 'X'), regexp_split_to_array('a<=b', '<|<='), regexp_match('2024-01', '(\d|\d{4})-')

SELECT regexp_match('abc01234xyz', '(.*?)(\d+)(.*)'), regexp_match('abc01234xyz', '(.*)(\d+)(.*)'), regexp_match('abc01234xyz', '(?:(.*?)(\d+)(.*)){1,1}'), regexp_match('XY1234Z', 'Y*([0-9]{1,3})'), regexp_match('XY1234Z', 'Y*?([0-9]{1,3})')

SELECT regexp_match('aaab', '^(a+?)(a*)b$'), regexp_match('abcd', '(a|ab)(c|bcd)?'), regexp_match('abc', '(a|ab)(bc|c)'), regexp_replace('<b>x</b><b>y</b>', '<b>(.*?)</b>', '[\1]', 'g'), substring('http://x.y/z' from '^(?:.*?//)?([^/]+)')

SELECT p, regexp_match('aaab', p), regexp_match('b', p) FROM (VALUES ('(a*)*'), ('(a*)+'), ('(a*?)*'), ('(a|b|ab)*'), ('(a|b|ab)+'), ('(?:(a)*?){0,2}'), ('(a){0}b?'), ('((a)|b)*'), ('(a?){2}'), ('()*'), ('(a*?b*?)*'), ('a*?b*'), ('(a??)(.*)')) AS t(p) ORDER BY 1

SELECT regexp_replace('ab', 'x*', '-', 'g'), regexp_replace('xab', 'x*', '-', 'g'), regexp_matches('abab', 'a(b)?', 'g'), regexp_split_to_array('abc', 'b*'), regexp_replace('foobar', 'o(.)b', '<\&\1\2\\\x>')

SELECT 'Müller' ~ '^[[:alpha:]]+$', 'Müller' ~ '^\w+$', '日本' ~ '^[[:alnum:]]+$', 'É' ~ '[[:upper:]]', 'é' ~ '[[:lower:]]', '—' ~ '[[:punct:]]', U&'\3000' ~ '\s', U&'\00a0' ~ '\s', '٣' ~ '\d', '٣' ~ '[[:digit:]]', '٣' ~ '[[:alpha:]]', '³' ~ '\w', regexp_replace('Müller-Lüdenscheidt', '[^[:alpha:]]', '', 'g')

SELECT 'ſ' ~* 's', 's' ~* 'ſ', 'S' ~* 'ſ', 'É' ~* 'é', 'ß' ~* 'SS', 'Ω' ~* '[α-ω]', 'İ' ~* 'i', 'ǅ' ~* 'ǆ', 'ᾈ' ~* 'ᾀ'

SELECT 'a-' ~ '[a-]', '-' ~ '[\w-]', 'x' ~ '[a-z&&[^x]]', 'a]' ~ '[]]', '[' ~ '[[]', 'a{' ~ 'a{', 'b' ~ '[[.a.]-c]', 'é' ~ '\u00e9', 'A' ~ '\x41', 'a.b' ~ '***=.b', regexp_match('ab', '(?x) a b # c'), regexp_match('ab', 'a(?#x)b'), regexp_match('ab', '.B', 'i')

SELECT regexp_match(E'a\nb', '(?n)^b$'), regexp_match(E'a\nb', 'a.b'), regexp_match(E'a\nb', '(?n)a.b'), regexp_match(E'a\nb', 'a[^x]b', 'p'), regexp_match(E'a\nb', '^b', 'w'), regexp_replace(E'a\nb', '^', '-', 'gm'), regexp_match('a.b', 'a.b', 'q'), regexp_match('a+b', '+', 'q')

SELECT 'abc' ~ 'a(?=b)', 'abc' ~ 'a(?!b)', regexp_match('abc', '(?<=a)b'), regexp_match('abc', '(?<!a)b'), regexp_replace('a b', '\m', '<', 'g'), regexp_replace('a b', '\M', '>', 'g'), regexp_replace('ab c', '\y', '|', 'g'), 'a' ~ '[[:<:]]a[[:>:]]'

SELECT regexp_replace('aaa', 'a', 'b', 2), regexp_replace('aaa', 'a', 'b', 1, 2), regexp_replace('aAa', 'a', 'b', 2, 0, 'i'), regexp_count('ABCABCA', 'abc', 1, 'i'), regexp_count('aaa', 'a', 2), regexp_instr('ABCDEF', 'c(.)(..)', 1, 1, 0, 'i', 2), regexp_instr('aXbX', 'X', 1, 2, 1), regexp_substr('ABCDEF', 'c(.)(..)', 1, 1, 'i', 1), regexp_split_to_array('aXbxc', 'x', 'i'), regexp_count('', '')

SELECT * FROM regexp_split_to_table('aXbxc', 'x', 'i')

SELECT regexp_count('a', 'a', 0)

SELECT regexp_instr('a', 'a', 1, 0)

SELECT regexp_instr('a', 'a', 1, 1, 2)

SELECT regexp_substr('a', 'a', 1, 1, 'g')

SELECT substring('foobar' from '%#"o_b#"%' for '#'), substring('foobar' from '#"%#"_' for '#'), substring('aXbXc' from '%#"X%#"' for '#'), substring('foobar' from 'x' for '#')

SELECT 'a"b' SIMILAR TO 'a"b', 'a1' SIMILAR TO 'a\d', 'abc' SIMILAR TO '_{3}', 'a.c' SIMILAR TO 'a.c', 'abc' SIMILAR TO 'a.c', 'a%' SIMILAR TO 'a#%' ESCAPE '#', 'ab' SIMILAR TO 'a|ab'

CREATE TABLE failed AS SELECT 'a' ~ 'a**' AS found

CREATE TABLE failed AS SELECT 'a' ~ '(a' AS found

CREATE TABLE failed AS SELECT 'a' ~ 'a)' AS found

CREATE TABLE failed AS SELECT 'a' ~ '[z-a]' AS found

CREATE TABLE failed AS SELECT 'a' ~ 'a{3,1}' AS found

CREATE TABLE failed AS SELECT 'a' ~ 'a{1' AS found

CREATE TABLE failed AS SELECT 'a' ~ '[[:foo:]]' AS found

CREATE TABLE failed AS SELECT 'a' ~ '\q' AS found

CREATE TABLE failed AS SELECT 'a' ~ '\1' AS found

CREATE TABLE failed AS SELECT 'a' ~ '(?z)a' AS found

CREATE TABLE failed AS SELECT 'a' ~ '(?P<n>a)' AS found

CREATE TABLE failed AS SELECT 'a' ~ '(((a{255}){255}){255})' AS found

SELECT 'a' ~ (repeat('(', 240) || 'a' || repeat(')', 240)), 'a' ~ (repeat('(?:', 240) || 'a' || repeat(')', 240)), 'a' ~ (repeat('(a|b(', 5) || 'a' || repeat(')*)+', 5))

SELECT 'a' ~ repeat('(', 240)

SELECT 'a' SIMILAR TO (repeat('(', 200) || 'a' || repeat(')', 200)), regexp_replace('xay', repeat('(', 240) || 'a' || repeat(')', 240), '<\1>'), substring('xay' from repeat('(', 240) || 'a' || repeat(')', 240)), regexp_match('aab', repeat('(', 30) || 'a' || repeat(')', 30))

SELECT length(regexp_replace('ab', repeat('(a)*', 300), 'x'))
