//! What the scorer reads off SQL text: whether the outermost query orders, and the form for exact match.

use std::collections::HashMap;

use sqlparser::{
    dialect::SQLiteDialect,
    tokenizer::{Token, Tokenizer},
};

/// The words and signs of a statement, folded: lower case, no white space, no comments.
fn words(sql: &str) -> Option<Vec<Word>> {
    let tokens = Tokenizer::new(&SQLiteDialect {}, sql).tokenize().ok()?;
    let folded = tokens.into_iter().filter_map(|token| match token {
        Token::Whitespace(_) => None,
        Token::Word(word) => Some(Word {
            name: word.quote_style.is_none(),
            text: word.value.to_lowercase(),
        }),
        Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => Some(Word {
            name: false,
            text: text.to_lowercase(),
        }),
        other => Some(Word {
            name: false,
            text: other.to_string().to_lowercase(),
        }),
    });
    Some(folded.collect())
}

struct Word {
    /// True for an unquoted name or keyword.
    name: bool,
    text: String,
}

/// True if the outermost query has an ORDER BY.
pub(super) fn orders(sql: &str) -> bool {
    let Some(words) = words(sql) else {
        return sql.to_lowercase().contains("order by");
    };
    let mut depth = 0i32;
    words.windows(2).any(|pair| {
        match pair[0].text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0 && pair[0].name && pair[0].text == "order" && pair[1].name && pair[1].text == "by"
    })
}

/// True if the statements are the same text after folding case, white space, the final semicolon and aliases.
pub(super) fn exact_match(gold: &str, predicted: &str) -> bool {
    match (words(gold), words(predicted)) {
        (Some(gold), Some(predicted)) => canonical(gold) == canonical(predicted),
        _ => gold.trim() == predicted.trim(),
    }
}

/// Words that may follow a table name without being its alias.
const AFTER_TABLE: &[&str] = &[
    "where",
    "group",
    "order",
    "having",
    "limit",
    "on",
    "using",
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "natural",
    "outer",
    "union",
    "intersect",
    "except",
    "as",
    "window",
    "indexed",
    "not",
    "offset",
    "select",
];

/// Aliases become numbers in the order of their declaration; their `AS` goes.
fn canonical(mut words: Vec<Word>) -> Vec<String> {
    while words.last().is_some_and(|word| word.text == ";") {
        words.pop();
    }
    let declared = declarations(&words);
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for at in &declared {
        let next = numbers.len();
        numbers.entry(&words[*at].text).or_insert(next);
    }
    let is_alias_as = |at: usize| words[at].name && words[at].text == "as" && declared.contains(&(at + 1));
    (0..words.len())
        .filter(|at| !is_alias_as(*at))
        .map(|at| match numbers.get(words[at].text.as_str()) {
            // A column of the same name as an alias keeps it where it is qualified.
            Some(number) if at == 0 || words[at - 1].text != "." => format!("#{number}"),
            _ => words[at].text.clone(),
        })
        .collect()
}

/// Positions of the words that declare an alias.
fn declarations(words: &[Word]) -> Vec<usize> {
    let mut found = Vec::new();
    // Per open parenthesis: whether it belongs to CAST, and whether we are among the tables of FROM.
    let mut levels = vec![(false, false)];
    for (at, word) in words.iter().enumerate() {
        let top = levels.len() - 1;
        let before = at.checked_sub(1).map_or("", |at| words[at].text.as_str());
        let keyword = |list: &[&str]| word.name && list.contains(&word.text.as_str());
        let ends_table = before == ")" || (at > 0 && is_identifier(&words[at - 1]));
        let is_alias = (before == "as" && !levels[top].0 && word.text != "(")
            || (levels[top].1 && word.name && ends_table && !keyword(AFTER_TABLE) && !is_keyword(before));
        if is_alias {
            found.push(at);
        }
        match word.text.as_str() {
            "(" => levels.push((before == "cast", false)),
            ")" if top > 0 => {
                levels.pop();
            }
            "from" | "join" => levels[top].1 = true,
            "on" | "using" | "where" | "group" | "order" | "having" | "limit" | "select" | "union"
            | "intersect" | "except" => levels[top].1 = false,
            _ => {}
        }
    }
    found
}

fn is_identifier(word: &Word) -> bool {
    word.text.chars().all(|c| c.is_alphanumeric() || c == '_') && !word.text.is_empty()
}

fn is_keyword(text: &str) -> bool {
    AFTER_TABLE.contains(&text) || text == "from"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_outermost_order_counts() {
        for (sql, expected) in [
            ("SELECT a FROM t ORDER BY a", true),
            ("select a from t\norder  by a limit 1", true),
            ("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1", true),
            ("SELECT a FROM (SELECT a FROM t ORDER BY a)", false),
            ("SELECT a FROM t WHERE b = 'order by'", false),
            ("SELECT row_number() OVER (ORDER BY a) FROM t", false),
            ("SELECT a FROM t -- order by a", false),
            ("WITH x AS (SELECT 1 ORDER BY 1) SELECT * FROM x", false),
        ] {
            assert_eq!(orders(sql), expected, "{sql}");
        }
    }

    #[test]
    fn exact_match_folds_what_does_not_matter() {
        for (a, b, expected) in [
            (
                "SELECT  count(*) FROM Head;",
                "select COUNT ( * ) from head",
                true,
            ),
            (
                "SELECT T1.name FROM a AS T1 JOIN b AS T2 ON T1.id = T2.id",
                "SELECT x.name FROM a x JOIN b y ON x.id = y.id",
                true,
            ),
            (
                "SELECT count(*) AS n FROM t ORDER BY n",
                "SELECT count(*) AS m FROM t ORDER BY m",
                true,
            ),
            (
                "SELECT a FROM t WHERE b = \"X\"",
                "SELECT a FROM t WHERE b = 'x'",
                true,
            ),
            (
                "SELECT a FROM t, u WHERE t.x = u.x",
                "SELECT a FROM t p, u q WHERE p.x = q.x",
                false,
            ),
            ("SELECT a FROM t", "SELECT b FROM t", false),
            (
                "SELECT CAST(a AS int) FROM t",
                "SELECT CAST(a AS real) FROM t",
                false,
            ),
            (
                "SELECT a.x FROM a JOIN b ON a.i = b.i",
                "SELECT b.x FROM a JOIN b ON a.i = b.i",
                false,
            ),
        ] {
            assert_eq!(exact_match(a, b), expected, "{a} / {b}");
        }
    }
}
