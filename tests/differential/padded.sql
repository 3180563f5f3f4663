CREATE TABLE padded (c char(3), p text, i int)

INSERT INTO padded VALUES ('a', 'a', 1), ('', '', 2), ('ab', 'ab_', 3), ('abc', 'abc', 4), (NULL, 'a', 5), ('b', NULL, 6)

SELECT i, c LIKE p, c LIKE ANY (ARRAY[p, 'zz']), c LIKE ANY (ARRAY[p, 'q' || p]), c NOT LIKE ALL (ARRAY[p]), c NOT LIKE ANY (ARRAY[p]), c LIKE ALL (ARRAY[p]) FROM padded ORDER BY i

SELECT i, c ILIKE p, c ILIKE ANY (ARRAY[p]), c NOT ILIKE ALL (ARRAY[p, 'x']), c ~~ ANY (ARRAY[p]), c !~~ ALL (ARRAY[p]), c ~~* ANY (ARRAY[p]), c !~~* ALL (ARRAY[p]) FROM padded ORDER BY i

SELECT i, c ~ ('^' || p || '$'), c ~ ANY (ARRAY['^' || p || '$']), c !~ ALL (ARRAY['^' || p || '$']), c ~* ANY (ARRAY['^' || p || '$']), c !~* ANY (ARRAY['^' || p || '$']), c SIMILAR TO p FROM padded ORDER BY i

SELECT i, c = ANY (ARRAY[p]), c <> ALL (ARRAY[p]), c = p, c IN (p), p = c, p IN (c), p = ANY (ARRAY[c]), p LIKE c, p LIKE ANY (ARRAY[c]), c = ANY (ARRAY['a', 'ab']), c = ANY ('{a,ab}') FROM padded ORDER BY i

SELECT i, c || 'x' LIKE ANY (ARRAY[p || 'x']), c::text LIKE ANY (ARRAY[p]), CASE WHEN i > 0 THEN c END LIKE ANY (ARRAY[p]), coalesce(c, 'a') LIKE ANY (ARRAY[p]) FROM padded ORDER BY i

SELECT i FROM padded WHERE c LIKE ANY (SELECT p FROM padded) ORDER BY i

SELECT i FROM padded WHERE c ~~ ALL (SELECT o.p || '%' FROM padded o WHERE o.i = 1) ORDER BY i

SELECT i FROM padded WHERE c LIKE ANY (string_to_array('a,ab_', ',')) ORDER BY i

SELECT i FROM padded WHERE (CASE WHEN i > 0 THEN p END)::char(3) LIKE ANY (ARRAY[substring(p from 1), 'x']) ORDER BY i

SELECT like_escape('a!%!!\x', '!'), like_escape('a%\', ''), like_escape('a\%', '\'), like_escape(NULL, '!'), similar_to_escape('a%_b.(c)[x]'), similar_to_escape('a#%', '#'), 'a%' LIKE like_escape('a!%', '!')

SELECT like_escape('a', 'xy')
