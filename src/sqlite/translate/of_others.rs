//! What other programs wrote into a file as conditions, defaults and keys of indexes, in PostgreSQL's words: only where PostgreSQL
//! takes it as well and means the same by it.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{BinaryOperator, Expr, Ident, Value, visit_expressions_mut},
    dialect::PostgreSqlDialect,
};

use super::{HandedOn, NamedColumn, Names, Object, Translator, Ty, declared, quoted, string, written};
use crate::{
    pgtypes::{self, Value as Kept},
    statement::{
        grammar,
        sqlite_lexer::{tokens, unquote},
    },
};

/// What an expression is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose<'t> {
    Condition,
    /// A value of a column that is declared so.
    Value(&'t str),
    /// A key of an index.
    Key,
}

/// A column's name and the type that it is declared as.
pub(crate) type DeclaredColumn = (String, String);

/// The expression with PostgreSQL's words beside it, as they are kept with those that a client of ours wrote. It is given back as it
/// is where that was done, and none where PostgreSQL has no words for it.
pub(crate) fn with_words(sql: &str, columns: &[DeclaredColumn], purpose: Purpose<'_>) -> Option<String> {
    let is_ours = || {
        tokens(sql).any(|(_, token)| {
            token
                .get(..3)
                .is_some_and(|head| head.eq_ignore_ascii_case("pg_"))
        })
    };
    if written::expression(sql).is_some() || is_ours() {
        return Some(sql.to_owned());
    }
    let sql = written::without(sql);
    let words = words(sql, columns, purpose)?;
    let kept = written::keep_expression(sql, &words);
    written::expression(&kept).is_some().then_some(kept)
}

fn words(sql: &str, columns: &[DeclaredColumn], purpose: Purpose<'_>) -> Option<String> {
    let text = respelled(sql, columns)?;
    let mut expression = grammar::read_expression(&PostgreSqlDialect {}, &text).ok()?;
    let read = visit_expressions_mut(&mut expression, |part| {
        say_truths(part, columns);
        if is_no_day(part, columns) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if read.is_break() {
        return None;
    }
    let named = columns.iter().map(|(name, declared)| NamedColumn {
        name: name.clone(),
        declared: declared.clone(),
        ..NamedColumn::default()
    });
    let mut translator = Translator::new("", &NoNames, &[]);
    translator.enter_table("", &named.collect::<Vec<_>>());
    let wanted = match purpose {
        Purpose::Condition => {
            translator.truth(&expression, "CHECK").ok()?;
            Ty::Bool
        }
        Purpose::Value(ty) => {
            let target = declared::read(ty);
            let value = translator.expression(&expression).ok()?;
            translator.assign(value, "", target).ok()?;
            target.ty
        }
        Purpose::Key => Ty::Text,
    };
    let said = translator.said(&expression)?;
    Some(translator.cast_to(said, wanted, true)?.text)
}

/// Functions that PostgreSQL has by the same name for something else.
const OTHERS: [&str; 6] = ["char", "date", "format", "random", "time", "timediff"];

/// Calls that stand for the present moment.
const MOMENTS: [(&[&str], &str); 5] = [
    (&["datetime", "(", "'now'", ")"], "(now() AT TIME ZONE 'UTC')"),
    (
        &["datetime", "(", "'now'", ",", "'localtime'", ")"],
        "LOCALTIMESTAMP",
    ),
    (&["date", "(", "'now'", ")"], "CURRENT_DATE"),
    (
        &["strftime", "(", "'%s'", ",", "'now'", ")"],
        "extract(epoch FROM now())",
    ),
    (&["unixepoch", "(", ")"], "extract(epoch FROM now())"),
];

/// The expression in words that PostgreSQL's parser reads as SQLite's does; none where there are no such words.
fn respelled(sql: &str, columns: &[DeclaredColumn]) -> Option<String> {
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    let is = |at: usize, words: &[&str]| {
        let token = tokens.get(at);
        token.is_some_and(|(_, token)| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    };
    let follows = |at: usize, words: &[&str]| words.iter().zip(at..).all(|(word, at)| is(at, &[word]));
    let touches = |at: usize| {
        tokens
            .get(at + 1)
            .is_some_and(|(next, _)| *next == tokens[at].0 + tokens[at].1.len())
    };
    let column = |name: &str| {
        let mut columns = columns.iter();
        columns.find(|(own, _)| own.eq_ignore_ascii_case(name))
    };
    let (mut text, mut at, mut end) = (String::new(), 0, 0);
    while at < tokens.len() {
        let (offset, token) = tokens[at];
        if offset > end {
            text.push(' ');
        }
        let moment = MOMENTS.iter().find(|(call, _)| follows(at, call));
        let (said, length) = if let Some((call, said)) = moment {
            ((*said).to_owned(), call.len())
        } else if token.starts_with(['"', '`', '[']) {
            let name = unquote(token);
            match column(&name) {
                _ if is(at + 1, &[".", "("]) => return None,
                Some((own, _)) => (quoted(own), 1),
                // What is no name is a string.
                None if token.starts_with('"') => (string(&name), 1),
                None => return None,
            }
        } else if is(at, &["x"]) && touches(at) && tokens[at + 1].1.starts_with('\'') {
            return None;
        } else if token == "=" && touches(at) && is(at + 1, &["="]) {
            ("=".to_owned(), 2)
        } else if is(at, &["isnull"]) {
            ("IS NULL".to_owned(), 1)
        } else if is(at, &["notnull"]) {
            ("IS NOT NULL".to_owned(), 1)
        } else if is(at, &["is"]) {
            let denied = is(at + 1, &["not"]);
            let length = 1 + usize::from(denied);
            let is_test = is(at + length, &["null", "true", "false", "distinct"]);
            match (is_test, denied) {
                (true, false) => ("IS".to_owned(), length),
                (true, true) => ("IS NOT".to_owned(), length),
                (false, false) => ("IS NOT DISTINCT FROM".to_owned(), length),
                (false, true) => ("IS DISTINCT FROM".to_owned(), length),
            }
        } else if is(at, &["like"]) {
            // Large and small letters are the same to SQLite's.
            ("ILIKE".to_owned(), 1)
        } else if is(at, &["ifnull"]) {
            ("coalesce".to_owned(), 1)
        } else if is(at, &["instr"]) {
            ("strpos".to_owned(), 1)
        } else if is(at, &["collate", "glob", "match", "regexp"]) || is(at, &OTHERS) && is(at + 1, &["("]) {
            return None;
        } else if let Some((own, _)) = column(token).filter(|_| !is(at + 1, &["(", "."])) {
            (quoted(own), 1)
        } else {
            (token.to_owned(), 1)
        };
        text.push_str(&said);
        let last = tokens[(at + length - 1).min(tokens.len() - 1)];
        end = last.0 + last.1.len();
        at += length;
    }
    Some(text)
}

/// Numbers beside a column of truth values are those.
fn say_truths(part: &mut Expr, columns: &[DeclaredColumn]) {
    let is_truth = |expression: &Expr| {
        let Expr::Identifier(Ident { value, .. }) = expression else {
            return false;
        };
        let mut columns = columns.iter();
        columns.any(|(name, ty)| name == value && declared::read(ty).ty == Ty::Bool)
    };
    let say = |expression: &mut Expr| {
        if let Expr::Value(value) = expression
            && let Value::Number(digits, _) = &value.value
            && matches!(digits.as_str(), "0" | "1")
        {
            value.value = Value::Boolean(digits == "1");
        }
    };
    match part {
        Expr::BinaryOp {
            left,
            op:
                BinaryOperator::Eq
                | BinaryOperator::NotEq
                | BinaryOperator::Lt
                | BinaryOperator::LtEq
                | BinaryOperator::Gt
                | BinaryOperator::GtEq,
            right,
        }
        | Expr::IsDistinctFrom(left, right)
        | Expr::IsNotDistinctFrom(left, right) => {
            if is_truth(left) {
                say(right);
            } else if is_truth(right) {
                say(left);
            }
        }
        Expr::InList { expr, list, .. } if is_truth(expr) => list.iter_mut().for_each(say),
        _ => {}
    }
}

/// True where a column of days or times is held against a text that is none: PostgreSQL takes no such condition.
fn is_no_day(part: &Expr, columns: &[DeclaredColumn]) -> bool {
    let of_time = |expression: &Expr| {
        let Expr::Identifier(Ident { value, .. }) = expression else {
            return None;
        };
        let ty = declared::read(&columns.iter().find(|(name, _)| name == value)?.1).ty;
        matches!(ty, Ty::Date | Ty::Time | Ty::Timestamp).then_some(ty)
    };
    let text = |expression: &Expr| match expression {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let differs = |one: &Expr, other: &Expr| {
        let (ty, text) = (of_time(one), text(other));
        ty.zip(text)
            .is_some_and(|(ty, text)| of_type(&text, ty).is_none())
    };
    match part {
        Expr::BinaryOp { left, right, .. } => differs(left, right) || differs(right, left),
        Expr::InList { expr, list, .. } => list.iter().any(|member| differs(expr, member)),
        Expr::Between { expr, low, high, .. } => differs(expr, low) || differs(expr, high),
        _ => false,
    }
}

/// A literal as its type shows it, where nobody works that out by SQLite's words.
pub(super) fn of_type(text: &str, ty: Ty) -> Option<String> {
    let value = Kept::Text(text.as_bytes().to_vec());
    Some(match pgtypes::canonical(&value, ty.sql_type()?, None)? {
        Kept::Integer(truth) if ty == Ty::Bool => if truth == 1 { "true" } else { "false" }.to_owned(),
        Kept::Text(text) => String::from_utf8(text).ok()?,
        Kept::Integer(number) => number.to_string(),
        _ => return None,
    })
}

/// An expression that reads nothing but its own row needs none of them.
struct NoNames;

impl Names for NoNames {
    fn relation(&self, _: Option<&str>, _: &str) -> Option<Vec<NamedColumn>> {
        None
    }

    fn answer(&self, _: &str) -> Option<String> {
        None
    }

    fn is_temporary(&self, _: &str) -> bool {
        false
    }

    fn is_catalogued(&self, _: &str) -> bool {
        false
    }

    fn is_attached_alone(&self, _: &str) -> bool {
        false
    }

    fn sequence(&self, _: Option<&str>, _: &str) -> Option<String> {
        None
    }

    fn keeps_sequence(&self, _: &str, _: &str) -> bool {
        false
    }

    fn objects(&self, _: &str) -> Vec<Object> {
        vec![]
    }

    fn database(&self) -> String {
        String::new()
    }

    fn keys(&self, _: Option<&str>, _: &str) -> Vec<Vec<String>> {
        vec![]
    }

    fn handed_on(&self, _: Option<&str>, _: &str) -> Vec<HandedOn> {
        vec![]
    }

    fn acts_on_itself(&self, _: Option<&str>, _: &str) -> bool {
        false
    }

    fn numbers_rows(&self, _: Option<&str>, _: &str) -> bool {
        false
    }

    fn resolves_conflicts(&self, _: Option<&str>, _: &str) -> bool {
        false
    }

    fn has_schema(&self, _: &str) -> bool {
        false
    }

    fn has_function(&self, _: &str) -> bool {
        false
    }

    fn constant(&self, _: &str) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_in_postgresqls_words() {
        let columns: Vec<DeclaredColumn> = [
            ("a", "BIGINT"),
            ("active", "boolean"),
            ("born", "date"),
            ("Name", "text"),
            ("made", "timestamp"),
        ]
        .map(|(name, ty)| (name.to_owned(), ty.to_owned()))
        .to_vec();
        for (sql, purpose, expected) in [
            (
                "active IN (0,1)",
                Purpose::Condition,
                Some("(\"active\" = ANY (ARRAY[false, true]))"),
            ),
            ("ACTIVE==1", Purpose::Condition, Some("(\"active\" = true)")),
            (
                "born > '1900-01-01'",
                Purpose::Condition,
                Some("(\"born\" > '1900-01-01'::date)"),
            ),
            ("born > 'never'", Purpose::Condition, None),
            ("born IN ('2020-01-01', 'never')", Purpose::Condition, None),
            ("born BETWEEN '2020-01-01' AND 'never'", Purpose::Condition, None),
            (
                "name is not \"x\"",
                Purpose::Condition,
                Some("(\"Name\" IS DISTINCT FROM 'x'::text)"),
            ),
            (
                "name like '%@%'",
                Purpose::Condition,
                Some("(\"Name\" ~~* '%@%'::text)"),
            ),
            ("json_valid(name)", Purpose::Condition, None),
            ("a", Purpose::Condition, None),
            ("typeof(a) = 'integer'", Purpose::Condition, None),
            ("name GLOB 'a*'", Purpose::Condition, None),
            (
                "CURRENT_TIMESTAMP",
                Purpose::Value("timestamp"),
                Some("CURRENT_TIMESTAMP"),
            ),
            ("CURRENT_TIMESTAMP", Purpose::Value("BIGINT"), None),
            ("hex(randomblob(4))", Purpose::Value("text"), None),
            ("\"dq\"", Purpose::Value("text"), Some("'dq'::text")),
            ("'x'", Purpose::Value("BIGINT"), None),
            ("lower(name)", Purpose::Key, Some("\"lower\"(\"Name\")")),
            ("json_extract(name, '$.a')", Purpose::Key, None),
        ] {
            let found = words(sql, &columns, purpose);
            assert_eq!(found.as_deref(), expected, "{sql}");
        }
        for broken in ["", "(", "'", "\"", "x'", "is", "is not", "=="] {
            assert_eq!(words(broken, &columns, Purpose::Condition), None, "{broken}");
        }
    }
}
