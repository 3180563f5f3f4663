//! The text of a function that the database defines, where a view, an operator or a cast would call it.

use std::collections::HashSet;

use sqlparser::{
    dialect::PostgreSqlDialect,
    tokenizer::{Token, Tokenizer, Word},
};

use super::facts::facts;
use crate::question::schema::Dialect;

/// Names that a text must not use: what the database itself has behind them does harm, or nobody knows.
#[derive(Debug, Default)]
pub struct Suspects {
    /// Functions of the database's own, which `row.name` calls too.
    pub functions: HashSet<String>,
    /// Names that the database's own have as well, of which every one is known to be harmless.
    pub harmless: HashSet<String>,
    /// Functions of PostgreSQL's that do more than reckon, which `row.name` would call.
    pub fields: HashSet<String>,
    /// Operators of the database's own.
    pub operators: HashSet<String>,
    /// Domains with checks, and types with casts of the database's own.
    pub types: HashSet<String>,
    /// Views and foreign tables.
    pub relations: HashSet<String>,
}

/// Why the text of a function in SQL or PL/pgSQL may do more than reckon with its arguments and read tables, in words
/// that follow its name; `None` if it calls listed functions alone. Only for one that is not volatile: such a function
/// cannot carry out anything but queries.
pub fn body_reaches_out(text: &str, suspects: &Suspects) -> Option<String> {
    let policy = &facts(Dialect::Postgres).policy;
    let functions = &facts(Dialect::Postgres).functions;
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize() else {
        return Some("has a text that cannot be read".to_owned());
    };
    let tokens: Vec<_> = tokens
        .into_iter()
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    if tokens.is_empty() {
        return Some("has no text that could be read".to_owned());
    }
    for (at, token) in tokens.iter().enumerate() {
        let word = match token {
            Token::Word(word) => word,
            Token::CustomBinaryOperator(operator) => return Some(format!("uses the operator {operator}")),
            Token::DollarQuotedString(_) | Token::UnicodeStringLiteral(_) => {
                return Some("has a text that cannot be read".to_owned());
            }
            Token::SingleQuotedString(_) | Token::Comma | Token::Period => continue,
            sign => {
                let sign = sign.to_string();
                if suspects.operators.contains(&sign) {
                    return Some(format!("uses the operator {sign}"));
                }
                continue;
            }
        };
        let name = folded(word);
        let next = tokens.get(at + 1);
        let qualifier = (at >= 2 && tokens[at - 1] == Token::Period).then(|| &tokens[at - 2]);
        if next == Some(&Token::LParen) {
            let built_in = matches!(qualifier, Some(Token::Word(schema)) if folded(schema) == "pg_catalog");
            // One of the database's own may be meant, whatever else has the name.
            if !built_in && (suspects.functions.contains(&name) || suspects.types.contains(&name)) {
                return Some(format!("calls {name}"));
            }
            let harmless = suspects.harmless.contains(&name) && !policy.reaches_out(&name);
            let own = match qualifier {
                None if name == "operator" => return Some("uses an operator by its schema".to_owned()),
                None => harmless || policy.is_body_word(&name) || policy.allows_type(&name),
                Some(_) if built_in => false,
                Some(_) if harmless => true,
                Some(schema) => return Some(format!("calls {schema}.{name}")),
            };
            if !own && !functions.lists(&name) {
                return Some(format!("calls {name}"));
            }
            continue;
        }
        if suspects.relations.contains(&name) {
            return Some(format!("reads {name}"));
        }
        let field = || suspects.functions.contains(&name) || suspects.fields.contains(&name);
        if suspects.types.contains(&name) || (qualifier.is_some() && field()) {
            return Some(format!("calls {name}"));
        }
        if qualifier.is_none() && matches!(name.as_str(), "execute" | "operator") {
            return Some("runs SQL that it builds".to_owned());
        }
        // `x::pg_catalog.text` names no more than the type.
        let names_type = name == "pg_catalog"
            && at > 0
            && tokens[at - 1] == Token::DoubleColon
            && matches!(tokens.get(at + 2), Some(Token::Word(word)) if policy.allows_type(&folded(word)));
        if names_type {
            continue;
        }
        let names_schema = next == Some(&Token::Period)
            && policy.forbids_schema(&name)
            && !(name == "pg_catalog" && tokens.get(at + 3) == Some(&Token::LParen));
        if names_schema || policy.is_catalog(&name) && name != "pg_catalog" {
            return Some(format!("reads the catalogue ({name})"));
        }
    }
    None
}

/// A word or sign of a function's text by which one of these functions or operators could be called; of a text that cannot be
/// read, any of them.
pub fn body_names<'a>(text: &str, suspects: &'a Suspects) -> Option<&'a str> {
    let Suspects {
        functions, operators, ..
    } = suspects;
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize() else {
        return functions.iter().next().map(String::as_str);
    };
    let named = tokens.iter().find_map(|token| match token {
        Token::Word(word) => functions.get(&folded(word)),
        Token::Whitespace(_) | Token::SingleQuotedString(_) => None,
        sign => operators.get(&sign.to_string()),
    });
    named.map(String::as_str)
}

fn folded(word: &Word) -> String {
    if word.quote_style.is_some() {
        word.value.clone()
    } else {
        word.value.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart_by_what_they_call() {
        let check = |text: &str, expected: Option<&str>| {
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let suspects = Suspects {
                functions: set(&["spy", "upper", "conflict"]),
                harmless: set(&["cube_dim", "pg_sleep"]),
                fields: set(&["nextval"]),
                operators: set(&["=", "<#>"]),
                types: set(&["mail"]),
                relations: set(&["trap"]),
            };
            assert_eq!(body_reaches_out(text, &suspects).as_deref(), expected, "{text}");
        };
        check("SELECT lower($1) || ' (' || coalesce($2, '') || ')'", None);
        check("SELECT pg_catalog.lower($1)", None);
        check(
            "BEGIN IF x IN (1, 2) THEN RETURN round(x::numeric(10,2)); END IF; RETURN (SELECT max(a) FROM t WHERE (b)); END",
            None,
        );
        check("SELECT pg_advisory_lock(1)", Some("calls pg_advisory_lock"));
        check("SELECT pg_catalog.upper($1)", None);
        check("SELECT pg_catalog.upper($1::pg_catalog.text)", None);
        check(
            "SELECT $1::pg_catalog.regclass",
            Some("reads the catalogue (pg_catalog)"),
        );
        check("SELECT cube_dim($1) + public.cube_dim($2)", None);
        check("SELECT pg_catalog.cube_dim($1)", Some("calls cube_dim"));
        check("SELECT pg_sleep($1)", Some("calls pg_sleep"));
        check("SELECT public.lower($1)", Some("calls public.lower"));
        check("SELECT \"Lower\"($1)", Some("calls Lower"));
        check("SELECT nextval /* x */ ('s')", Some("calls nextval"));
        check("BEGIN EXECUTE 'x' || y; END", Some("runs SQL that it builds"));
        check(
            "SELECT relname FROM pg_class",
            Some("reads the catalogue (pg_class)"),
        );
        check(
            "SELECT 1 FROM information_schema.tables",
            Some("reads the catalogue (information_schema)"),
        );
        check("", Some("has no text that could be read"));
        check("SELECT a.spy FROM a", Some("calls spy"));
        check("SELECT spy FROM a WHERE b < 3", None);
        check("SELECT upper($1)", Some("calls upper"));
        check("SELECT conflict(1)", Some("calls conflict"));
        check("SELECT ('s'::text).nextval", Some("calls nextval"));
        check("SELECT mail(1)", Some("calls mail"));
        check("SELECT 1 = 2", Some("uses the operator ="));
        check("SELECT 1 <#> 2", Some("uses the operator <#>"));
        check(
            "SELECT 1 OPERATOR(public.+) 2",
            Some("uses an operator by its schema"),
        );
        check("SELECT 'x'::mail", Some("calls mail"));
        check("SELECT * FROM public.trap", Some("reads trap"));
        check("SELECT $$x$$", Some("has a text that cannot be read"));
        let suspects = Suspects {
            functions: HashSet::from(["upper".to_owned()]),
            operators: HashSet::from(["#>".to_owned()]),
            ..Suspects::default()
        };
        let names = |text: &str| body_names(text, &suspects);
        assert_eq!(names("SELECT UPPER($1) = 'a'"), Some("upper"));
        assert_eq!(names("SELECT $1 #> '{a}'"), Some("#>"));
        assert_eq!(names("SELECT lower('upper') = '#>'"), None);
    }
}
