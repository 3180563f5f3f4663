//! Hostile SQL grown from the seeds of `postgres.txt` and `sqlite.txt`: each in every place where it could stand, plainly
//! and in a disguise. The same every time.

use std::collections::BTreeMap;

/// Whose SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tongue {
    Postgres,
    Sqlite,
}

/// One hostile text.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// What it is after.
    pub(crate) group: &'static str,
    /// True for the plainest form of a seed.
    pub(crate) plain: bool,
    pub(crate) sql: String,
}

/// What stands for the placeholders.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub(crate) file: String,
    pub(crate) out: String,
    pub(crate) port: u16,
}

/// All of the SQLite file that could have changed, a line each.
pub(crate) const SQLITE_STATE: &[&str] = &[
    "SELECT group_concat(type || name || coalesce(sql, ''), '|') FROM sqlite_schema",
    "SELECT group_concat(id || name || country, '|') FROM customers",
    "SELECT group_concat(id || total, '|') FROM orders",
    "SELECT group_concat(id || body, '|') FROM notes",
    "SELECT group_concat(seq, '|') FROM sqlite_sequence",
    "SELECT group_concat(body, '|') FROM entries",
    "SELECT user_version || ' ' || application_id || ' ' || journal_mode || ' ' || auto_vacuum \
         FROM pragma_user_version, pragma_application_id, pragma_journal_mode, pragma_auto_vacuum",
];

/// `#` is the seed.
const EXPRESSIONS: &[&str] = &[
    "SELECT #",
    "SELECT name FROM customers WHERE # IS NOT NULL",
    "SELECT name FROM customers ORDER BY #",
    "SELECT count(*) FROM customers GROUP BY #",
    "SELECT country FROM customers GROUP BY country HAVING count(#) > 0",
    "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id AND # IS NOT NULL",
    "SELECT CASE WHEN # IS NULL THEN 1 ELSE 2 END FROM customers",
    "SELECT CASE WHEN id > 5 THEN 1 ELSE (SELECT count(#)) END FROM customers",
    "SELECT coalesce(NULL, #)",
    "SELECT count(#) FROM customers",
    "SELECT count(DISTINCT #) FROM customers",
    "SELECT count(*) FILTER (WHERE # IS NOT NULL) FROM customers",
    "SELECT row_number() OVER (PARTITION BY #) FROM customers",
    "SELECT sum(id) OVER (ORDER BY #) FROM customers",
    "SELECT lag(name) OVER w FROM customers WINDOW w AS (ORDER BY #)",
    "SELECT name FROM customers WHERE id IN (SELECT 1 WHERE # IS NOT NULL)",
    "SELECT name FROM customers WHERE id IN (1, 2, (SELECT count(#)))",
    "SELECT (SELECT #)",
    "WITH t AS (SELECT # AS x) SELECT * FROM t",
    "WITH t AS (SELECT 1 AS x), u AS (SELECT # AS y FROM t) SELECT y FROM u",
    "SELECT 1 UNION ALL SELECT 1 WHERE # IS NOT NULL",
    "SELECT 1 EXCEPT SELECT count(#)",
    "VALUES (#)",
    "SELECT * FROM (SELECT # AS x) AS t",
    "SELECT * FROM (SELECT * FROM (SELECT # AS x) AS t) AS u",
    "SELECT name FROM customers WHERE EXISTS (SELECT #)",
    "SELECT name FROM customers WHERE name = 'a' OR # IS NULL",
    "SELECT NOT (# IS NULL)",
    "SELECT name FROM customers WHERE id BETWEEN 1 AND (SELECT count(#))",
    "SELECT min(name), # FROM customers GROUP BY 2",
    "SELECT name AS a, # AS b, name AS c FROM customers",
    "SELECT name FROM customers LIMIT (SELECT count(#))",
    "SELECT name FROM customers LIMIT 1 OFFSET (SELECT count(#))",
    "SELECT c.name FROM customers c LEFT JOIN (SELECT # AS x) AS t ON true",
    "SELECT name FROM customers c WHERE c.id = (SELECT max(o.customer_id) FROM orders o WHERE # IS NOT NULL)",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3 AND # IS NOT NULL) SELECT n FROM t",
];

const POSTGRES_EXPRESSIONS: &[&str] = &[
    "SELECT (#)::text",
    "SELECT CAST(# AS text)",
    "SELECT DISTINCT ON (#) name FROM customers",
    "SELECT array_agg(name ORDER BY #) FROM customers",
    "SELECT ARRAY[#]",
    "SELECT ARRAY(SELECT #)",
    "SELECT ROW(#, 1)",
    "SELECT name FROM customers, LATERAL (SELECT #) AS t",
    "SELECT name FROM customers WHERE name = ANY (ARRAY[(#)::text])",
    "SELECT name FROM customers WHERE name = ANY (SELECT (#)::text)",
    "SELECT name FROM customers GROUP BY GROUPING SETS ((name), (#))",
    "SELECT count(*) FROM customers GROUP BY ROLLUP (#)",
    "SELECT format('%s', #)",
    "SELECT concat('a', #)",
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY #) FROM customers",
    "SELECT (ARRAY['a', 'b'])[(SELECT count(#))]",
    "SELECT json_build_object('a', #)",
    "SELECT EXTRACT(YEAR FROM (SELECT now() WHERE # IS NOT NULL))",
];

const TABLES: &[&str] = &[
    "SELECT * FROM #",
    "SELECT count(*) FROM #",
    "SELECT c.name FROM customers c, #",
    "SELECT c.name FROM customers c CROSS JOIN #",
    "SELECT c.name FROM # JOIN customers c ON true",
    "SELECT c.name FROM customers c LEFT JOIN # ON c.id = 1",
    "SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM #)",
    "SELECT name FROM customers WHERE id IN (SELECT count(*) FROM #)",
    "WITH x AS (SELECT * FROM #) SELECT * FROM x",
    "WITH x AS (SELECT 1 AS a), y AS (SELECT count(*) AS b FROM #) SELECT a, b FROM x, y",
    "SELECT 1 UNION ALL SELECT count(*) FROM #",
    "SELECT (SELECT count(*) FROM #)",
    "SELECT * FROM (SELECT * FROM #) AS x",
    "SELECT name FROM customers ORDER BY (SELECT count(*) FROM #)",
    "SELECT name FROM customers LIMIT (SELECT count(*) FROM #)",
    "SELECT CASE WHEN (SELECT count(*) FROM #) > 0 THEN 1 END",
];

const STATEMENTS: &[&str] = &[
    "#",
    "#;",
    "(#)",
    "/* SELECT 1 */ #",
    "-- SELECT 1\n#",
    "SELECT 1; #",
    "WITH a AS (SELECT 1 AS x) #",
    "SELECT * FROM (#) AS x",
];

const WRITES: &[&str] = &[
    "WITH a AS (# RETURNING *) SELECT * FROM a",
    "WITH a AS (SELECT 1), b AS (# RETURNING 1) SELECT * FROM a",
    "WITH a AS (#) SELECT 1",
    "SELECT * FROM (WITH a AS (# RETURNING *) SELECT * FROM a) AS x",
    "SELECT (WITH a AS (# RETURNING 1) SELECT count(*) FROM a)",
    "SELECT 1 UNION ALL SELECT * FROM (WITH a AS (# RETURNING 1) SELECT * FROM a) AS x",
    "# RETURNING *",
    "EXPLAIN #",
];

/// A way to write a text so that it looks otherwise.
type Disguise = fn(&str, Tongue) -> String;

const DISGUISES: &[Disguise] = &[
    |sql, _| plain_parts(sql, &str::to_uppercase),
    |sql, _| plain_parts(sql, &alternating),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', "/**/")),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', " /* harmless */ ")),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', " -- x\n")),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', "\r\n\t")),
    |sql, _| plain_parts(sql, &|part| part.replace('(', " ( ").replace(',', " , ")),
    |sql, _| plain_parts(sql, &|part| part.replace('(', "/* ' \" */(")),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', "\u{a0}")),
    |sql, _| plain_parts(sql, &|part| part.replace(' ', "\u{2003}")),
    |sql, _| format!("{sql} ;; "),
    |sql, _| format!("{sql} -- all of it"),
    |sql, _| format!("{sql} /* all of it"),
    |sql, _| format!("\u{feff}{sql}"),
    |sql, _| format!("/* SELECT 1; */ {sql}"),
    |sql, _| format!("\n\n\t {sql}\n"),
    |sql, _| plain_parts(sql, &|part| called(part, |name| format!("\"{name}\""))),
    |sql, tongue| {
        let qualifier = match tongue {
            Tongue::Postgres => "pg_catalog.",
            Tongue::Sqlite => "main.",
        };
        plain_parts(sql, &|part| called(part, |name| format!("{qualifier}{name}")))
    },
    |sql, tongue| match tongue {
        Tongue::Postgres => plain_parts(sql, &|part| {
            called(part, |name| {
                format!("U&\"\\{:04x}{}\"", u32::from(name.as_bytes()[0]), &name[1..])
            })
        }),
        Tongue::Sqlite => plain_parts(sql, &|part| called(part, |name| format!("[{name}]"))),
    },
    |sql, _| format!("SELECT * FROM ({sql}) AS wrapped"),
    |sql, _| format!("WITH wrapped AS ({sql}) SELECT * FROM wrapped"),
    |sql, _| format!("SELECT 1 UNION ALL {sql}"),
    |sql, _| sql.replace('\'', "\""),
    |sql, _| plain_parts(sql, &|part| part.replace('s', "\u{17f}")),
    |sql, _| plain_parts(sql, &|part| part.replace('k', "\u{212a}")),
];

/// Every text for the seeds, each once.
pub(crate) fn texts(tongue: Tongue, places: &Places) -> Vec<Text> {
    let seeds = match tongue {
        Tongue::Postgres => include_str!("postgres.txt"),
        Tongue::Sqlite => include_str!("sqlite.txt"),
    };
    let mut group = "";
    let mut texts = vec![];
    let mut turn = 0_usize;
    for line in seeds.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("== ") {
            group = name;
            continue;
        }
        let (kind, seed) = line.split_at(2);
        let seed = unescaped(seed)
            .replace("{file}", &places.file)
            .replace("{out}", &places.out)
            .replace("{port}", &places.port.to_string());
        let positions: Vec<&str> = match (kind, tongue) {
            ("e ", Tongue::Postgres) => [EXPRESSIONS, POSTGRES_EXPRESSIONS].concat(),
            ("e ", Tongue::Sqlite) => EXPRESSIONS.to_vec(),
            ("t ", _) => TABLES.to_vec(),
            ("d ", _) => [STATEMENTS, WRITES].concat(),
            ("s ", _) => STATEMENTS.to_vec(),
            ("q ", _) => vec!["#"],
            (kind, _) => panic!("{kind:?} is no kind of seed"),
        };
        // Each of these takes its time.
        let step = if group == "memory" { 5 } else { 1 };
        for (at, position) in positions.iter().enumerate().step_by(step) {
            let sql = position.replace('#', &seed);
            let disguises = match positions.len() {
                1 => 4,
                2..20 => 1,
                _ => usize::from((at + turn).is_multiple_of(3)),
            };
            turn += 1;
            for _ in 0..disguises {
                turn += 1;
                texts.push(Text {
                    group,
                    plain: false,
                    sql: DISGUISES[turn % DISGUISES.len()](&sql, tongue),
                });
            }
            texts.push(Text {
                group,
                plain: at == 0,
                sql,
            });
        }
    }
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| seen.insert(text.sql.clone()));
    texts
}

/// The plainest form of every seed, and of the rest so many that there are about `wanted`.
pub(crate) fn sample(texts: &[Text], wanted: usize) -> Vec<Text> {
    let plain = texts.iter().filter(|text| text.plain).count();
    let rest = texts.len() - plain;
    let step = (rest / wanted.saturating_sub(plain).max(1)).max(1);
    let mut count = 0;
    let chosen = texts.iter().filter(|text| {
        count += usize::from(!text.plain);
        text.plain || count % step == 0
    });
    chosen.cloned().collect()
}

/// How many texts each group has, in the order of the file.
pub(crate) fn counts(texts: &[Text]) -> Vec<(&'static str, usize)> {
    let mut order = vec![];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        if !order.contains(&text.group) {
            order.push(text.group);
        }
        *counts.entry(text.group).or_default() += 1;
    }
    order.into_iter().map(|group| (group, counts[group])).collect()
}

pub(crate) fn unescaped(seed: &str) -> String {
    let mut text = seed.replace("\\\\", "\0").replace("\\n", "\n");
    text = text.replace("\\t", "\t").replace("\\r", "\r");
    while let Some(start) = text.find("\\u{") {
        let end = start + text[start..].find('}').unwrap();
        let number = u32::from_str_radix(&text[start + 3..end], 16).unwrap();
        text.replace_range(start..=end, &char::from_u32(number).unwrap().to_string());
    }
    text.replace('\0', "\\")
}

/// The text with what stands outside quotes and comments changed.
fn plain_parts(sql: &str, change: &dyn Fn(&str) -> String) -> String {
    let mut done = String::new();
    let mut rest = sql;
    while let Some(at) = rest.find(['\'', '"', '`', '[', '-', '/', '$']) {
        let mark = &rest[at..];
        let end = if mark.starts_with("--") {
            mark.find('\n').map_or(mark.len(), |end| end + 1)
        } else if mark.starts_with("/*") {
            mark.find("*/").map_or(mark.len(), |end| end + 2)
        } else {
            let close = match mark.as_bytes()[0] {
                b'[' => Some(']'),
                quote @ (b'\'' | b'"' | b'`' | b'$') => Some(char::from(quote)),
                _ => None,
            };
            match close.and_then(|close| mark[1..].find(close)) {
                Some(end) => end + 2,
                None => 1,
            }
        };
        done += &change(&rest[..at]);
        done += &mark[..end];
        rest = &mark[end..];
    }
    done + &change(rest)
}

/// The part with the names in front of parentheses changed, but for key words.
fn called(part: &str, change: impl Fn(&str) -> String) -> String {
    const WORDS: &[&str] = &[
        "in",
        "as",
        "values",
        "exists",
        "over",
        "filter",
        "any",
        "array",
        "row",
        "on",
        "group",
        "by",
        "and",
        "or",
        "not",
        "select",
        "from",
        "where",
        "union",
        "all",
        "except",
        "with",
        "t",
        "distinct",
        "sets",
        "rollup",
        "cast",
        "then",
        "limit",
        "offset",
        "else",
        "returning",
        "into",
        "lateral",
        "extract",
        "coalesce",
        "c",
        "d",
    ];
    let mut done = String::new();
    let mut rest = part;
    while let Some(at) = rest.find('(') {
        let before = &rest[..at];
        let start = before
            .rfind(|character: char| !(character.is_ascii_alphanumeric() || character == '_'))
            .map_or(0, |last| {
                last + before[last..].chars().next().map_or(1, char::len_utf8)
            });
        let name = &before[start..];
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
        let behind_dot = before[..start].ends_with('.');
        done += &before[..start];
        if is_name && !behind_dot && !WORDS.contains(&name.to_ascii_lowercase().as_str()) {
            done += &change(name);
        } else {
            done += name;
        }
        done.push('(');
        rest = &rest[at + 1..];
    }
    done + rest
}

fn alternating(part: &str) -> String {
    let change = |(at, character): (usize, char)| {
        if at % 2 == 0 {
            character.to_ascii_uppercase()
        } else {
            character.to_ascii_lowercase()
        }
    };
    part.chars().enumerate().map(change).collect()
}

/// True for a text whose hostile part stands in a comment, however it is read: what is left is harmless.
pub(crate) fn is_defused(sql: &str) -> bool {
    let left = sql
        .trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
        .split("--")
        .next()
        .unwrap_or_default()
        .split("/*")
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    left.is_empty()
        || left
            .split("union all")
            .all(|part| part.split_whitespace().collect::<Vec<_>>() == ["select", "1"])
}
