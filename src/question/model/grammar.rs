//! A GBNF grammar of an answer: JSON of the form that was asked for, whose SQL has no names but the schema's. Servers
//! built on llama.cpp hold a model to it, token by token; small models invent columns otherwise.

use std::fmt::Write;

use serde_json::Value;

use super::OutputSchema;

/// The property that is SQL.
const SQL: &str = "sql";
/// Functions that both databases have, and those of one that questions need.
const FUNCTIONS: &str = "ABS AVG CAST CEIL COALESCE CONCAT COUNT CURRENT_DATE CURRENT_TIMESTAMP DATE DATETIME DATE_PART DATE_TRUNC \
    DENSE_RANK EXTRACT FIRST_VALUE FLOOR GREATEST GROUP_CONCAT IFNULL IIF INSTR JULIANDAY LAG LAST_VALUE LEAD LEAST LENGTH LOWER LTRIM MAX \
    MIN NOW NTILE NULLIF PERCENTILE_CONT POSITION RANK REPLACE ROUND ROW_NUMBER RTRIM SPLIT_PART STRFTIME STRING_AGG SUBSTR SUBSTRING SUM \
    TOTAL TO_CHAR TO_DATE TRIM UPPER";
/// Keywords of a query, of its types and of parts of dates.
const KEYWORDS: &str = "ALL AND ANY AS ASC BETWEEN BY CASE COLLATE CROSS CURRENT DATE DAY DECIMAL DESC DISTINCT DOW ELSE END EPOCH \
    ESCAPE EXCEPT EXISTS FALSE FILTER FIRST FLOAT FOLLOWING FROM FULL GLOB GROUP HAVING HOUR ILIKE IN INNER INTEGER INTERSECT INTERVAL IS \
    JOIN LAST LEFT LIKE LIMIT MINUTE MONTH NATURAL NOT NULL NULLS NUMERIC OFFSET ON OR ORDER OUTER OVER PARTITION PRECEDING QUARTER \
    RANGE REAL RECURSIVE RIGHT ROW ROWS SECOND SELECT TEXT THEN TIMESTAMP TRUE UNBOUNDED UNION USING VALUES WEEK WHEN WHERE WITH \
    WITHIN YEAR";
/// Rules that hang on no schema. A name that a query gives itself is short, or begins as such names do. Bounds such as `{1,30}`
/// would take a server many times as long.
const RULES: &str = r#"ws ::= [ ]?
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? [0-9]+ ("." [0-9]+)?
boolean ::= "true" | "false"
statement ::= "\"" ((("SELECT" | "WITH") (apart+ word)* apart*)?) "\""
apart ::= [ ,()=<>+*/|.%;:-] | "!=" | "\\n"
word ::= keyword | function | name | own | literal | [0-9]+
literal ::= "'" ([^'"\\\x00-\x1F] | "''")* "'"
own ::= [a-zA-Z] [a-zA-Z0-9]? | ("avg" | "count" | "diff" | "max" | "min" | "num" | "pct" | "rank" | "ratio" | "share" | "sum" | "total") ("_" [a-z_]+)?
"#;

/// The grammar of an answer of this form, over these tables and columns.
pub(super) fn grammar(output: &OutputSchema, names: &[String]) -> String {
    let root = rule(&output.schema);
    let words = |list: &str| {
        let quoted: Vec<String> = list
            .split_whitespace()
            .map(|word| format!("\"{word}\""))
            .collect();
        quoted.join(" | ")
    };
    let mut grammar = format!("root ::= {root}\n{RULES}");
    let _ = writeln!(grammar, "keyword ::= {}", words(KEYWORDS));
    let _ = writeln!(grammar, "function ::= {}", words(FUNCTIONS));
    let names: Vec<String> = names.iter().filter_map(|name| terminals(name)).collect();
    let names = if names.is_empty() {
        "[a-zA-Z_] [a-zA-Z0-9_]*".to_owned()
    } else {
        names.join(" | ")
    };
    let _ = writeln!(grammar, "name ::= {names}");
    grammar
}

/// What a value of this schema looks like, in the shapes that the agents ask for.
fn rule(schema: &Value) -> String {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let fields: Vec<String> = properties
                .map(|(name, schema)| {
                    let value = if name == SQL {
                        "statement".to_owned()
                    } else {
                        rule(schema)
                    };
                    format!(r#""\"{name}\":" ws {value}"#)
                })
                .collect();
            format!(r#""{{" ws {} ws "}}""#, fields.join(r#" "," ws "#))
        }
        Some("array") => {
            let item = rule(&schema["items"]);
            format!(r#""[" ws ({item} ("," ws {item})*)? ws "]""#)
        }
        Some("number" | "integer") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        _ => "string".to_owned(),
    }
}

/// A name as it may stand in SQL within JSON: bare, where it is a word, and between quotes. `None` for one that JSON spells otherwise.
fn terminals(name: &str) -> Option<String> {
    if name.is_empty() || name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\')) {
        return None;
    }
    let quoted = format!(r#""\\\"{name}\\\"""#);
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    Some(if is_word {
        format!(r#""{name}" | {quoted}"#)
    } else {
        quoted
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_the_schemas() {
        let text = json!({"type": "string"});
        let output = OutputSchema {
            name: "statement",
            schema: json!({"type": "object", "properties": {"sql": text, "notes": {"type": "array", "items": text}}}),
        };
        let names = ["orders", "order date", "a\"b"].map(str::to_owned);
        let grammar = grammar(&output, &names);
        let line = |name: &str| {
            let starts = format!("{name} ::=");
            grammar
                .lines()
                .find(|line| line.starts_with(&starts))
                .unwrap_or_default()
        };
        assert_eq!(
            line("root"),
            r#"root ::= "{" ws "\"sql\":" ws statement "," ws "\"notes\":" ws "[" ws (string ("," ws string)*)? ws "]" ws "}""#
        );
        assert_eq!(
            line("name"),
            r#"name ::= "orders" | "\\\"orders\\\"" | "\\\"order date\\\"""#
        );
    }
}
