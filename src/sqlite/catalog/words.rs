//! Expressions that SQLite keeps, in PostgreSQL's words: defaults and conditions as `pg_get_expr` and `pg_get_constraintdef`
//! tell them. ORMs compare them with what they would write themselves.

use super::{
    definitions::{find, fixed_rows},
    describe::{Types, quote_identifier},
    model::Model,
    pretty,
    rows::Key,
};
use crate::{
    sqlite::translate::{SequenceName, written},
    statement::sqlite_lexer::{Piece, pieces, placed, tokens, unquote},
};

/// The default of a column of a type; none for NULL, which PostgreSQL does not keep.
pub(crate) fn default(text: &str, ty: i64) -> Option<String> {
    let text = text.trim();
    if let Some(told) = told(text) {
        return Some(told);
    }
    if text.eq_ignore_ascii_case("null") {
        return None;
    }
    let types = Types::new();
    let typed = |literal: &str| {
        let shown = types.of_default(&Model::default(), ty);
        format!("'{}'::{shown}", literal.replace('\'', "''"))
    };
    let is_number = types.text(ty, "typcategory") == "N";
    if let Some(content) = string(text) {
        return Some(match types.text(ty, "typname") {
            _ if is_number && content.contains('.') && content.parse::<f64>().is_ok() => number(&content),
            "bpchar" => typed(content.trim_end_matches(' ')),
            _ => typed(&content),
        });
    }
    if text.parse::<f64>().is_ok() && text.ends_with(|last: char| last.is_ascii_digit()) {
        return Some(match types.text(ty, "typname") {
            "bool" => if text == "0" { "false" } else { "true" }.to_owned(),
            _ if is_number => number(text),
            _ => typed(text),
        });
    }
    if let Some(digits) = text.strip_prefix(['X', 'x']).and_then(string) {
        return Some(typed(&format!("\\x{}", digits.to_lowercase())));
    }
    Some(moment(text).unwrap_or_else(|| expression(text)))
}

/// True for a number, a text, bytes or NULL.
pub(super) fn is_literal(text: &str) -> bool {
    let digits = text.strip_prefix(['X', 'x']).and_then(string);
    digits.or_else(|| string(text)).is_some()
        || text.parse::<f64>().is_ok()
        || ["null", "true", "false"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// The string that SQLite takes a single name for, where there is none: `DEFAULT "dq"`.
pub(super) fn literal_of_others(text: &str) -> Option<String> {
    const MOMENTS: [&str; 3] = ["current_date", "current_time", "current_timestamp"];
    let mut tokens = pieces(text);
    let (Some((0, Piece::Token(token))), None) = (tokens.next(), tokens.next()) else {
        return None;
    };
    let is_word = token.starts_with(|first: char| first == '_' || first.is_alphabetic())
        && !is_literal(token)
        && !MOMENTS.iter().any(|moment| token.eq_ignore_ascii_case(moment));
    (is_word || token.starts_with('"')).then(|| format!("'{}'", unquote(token).replace('\'', "''")))
}

/// A literal's content.
fn string(text: &str) -> Option<String> {
    let mut tokens = pieces(text);
    let (Some((0, Piece::Token(token))), None) = (tokens.next(), tokens.next()) else {
        return None;
    };
    let content = token.strip_prefix('\'')?.strip_suffix('\'')?;
    Some(content.replace("''", "'"))
}

/// A number stands for itself, unless it has a sign.
fn number(digits: &str) -> String {
    let shown = digits.strip_suffix(".0").unwrap_or(digits);
    if !shown.starts_with('-') {
        return shown.to_owned();
    }
    let ty = match shown.parse::<i64>() {
        Ok(whole) if i32::try_from(whole).is_ok() => "integer",
        Ok(_) => "bigint",
        Err(_) => "numeric",
    };
    format!("'{shown}'::{ty}")
}

/// What stands for the present moment, whatever type it is made.
fn moment(text: &str) -> Option<String> {
    let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix(')');
    if let Some(inner) = inner("pg_time_fit(").or_else(|| inner("pg_clock_fit(")) {
        let (value, _) = inner.rsplit_once(", ")?;
        return moment(value);
    }
    if let Some(inner) = inner("pg_timestamptz_timestamp(").or_else(|| inner("pg_timestamptz_date(")) {
        return moment(inner);
    }
    // A sequence counts further than some of the columns that draw from it.
    if let Some(drawn) = inner("pg_i4(").or_else(|| inner("pg_i2(")) {
        return moment(drawn).filter(|drawn| drawn.starts_with("nextval("));
    }
    if let Some(drawn) = SequenceName::drawn_by(text).filter(|_| inner("pg_nextval(").is_some()) {
        return Some(sequence(&drawn.name));
    }
    Some(
        match text {
            "pg_now()" => "now()",
            "pg_current_timestamp()" => "CURRENT_TIMESTAMP",
            "pg_localtimestamp()" => "LOCALTIMESTAMP",
            "date('now')" | "pg_current_date()" => "CURRENT_DATE",
            "pg_current_time()" => "CURRENT_TIME",
            "current_user()" => "CURRENT_USER",
            "session_user()" => "SESSION_USER",
            _ => return None,
        }
        .to_owned(),
    )
}

/// What draws the next number of a sequence.
pub(super) fn sequence(name: &str) -> String {
    sequence_in(None, name)
}

/// The same where it is in another schema than the first.
pub(super) fn sequence_in(schema: Option<&str>, name: &str) -> String {
    let schema = schema.map(|schema| quote_identifier(schema) + ".");
    let name = schema.unwrap_or_default() + &quote_identifier(name);
    format!("nextval('{}'::regclass)", name.replace('\'', "''"))
}

/// Functions of ours that only check what PostgreSQL's operators check by themselves.
const CHECKED: [&str; 4] = ["pg_i2", "pg_i4", "pg_i8", "pg_f8"];

/// What was kept in PostgreSQL's words beside what SQLite runs.
fn told(text: &str) -> Option<String> {
    let kept = written::expression(text)?;
    let mut told = String::with_capacity(kept.len());
    let mut copied = 0;
    // SQLite takes what stands in brackets for a name.
    for (at, token) in placed(kept) {
        if token.starts_with('"') {
            told.push_str(kept.get(copied..at)?);
            told.push_str(&quote_identifier(&unquote(token)));
            copied = at + token.len();
        }
    }
    told.push_str(kept.get(copied..)?);
    Some(told)
}

/// Any expression: names without needless quotes, functions by PostgreSQL's names, texts with their type.
pub(super) fn expression(text: &str) -> String {
    if let Some(told) = told(text) {
        return told;
    }
    let text = written::without(text);
    let tokens: Vec<(usize, &str)> = tokens(text).collect();
    let token = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let mut shown = String::with_capacity(text.len());
    let mut copied = 0;
    // Where lists of IN and of arrays end: the number of parentheses around, and what closes them.
    let (mut depth, mut lists): (usize, Vec<(usize, &str)>) = (0, vec![]);
    let mut at = 0;
    while at < tokens.len() {
        let (offset, word) = tokens[at];
        shown.push_str(text.get(copied..offset).unwrap_or_default());
        copied = offset + word.len();
        let calls = token(at + 1) == "(";
        match word {
            "(" => {
                depth += 1;
                shown.push('(');
            }
            ")" => {
                match lists.last() {
                    Some((list, close)) if *list == depth => {
                        shown.push_str(close);
                        lists.pop();
                    }
                    _ => shown.push(')'),
                }
                depth = depth.saturating_sub(1);
            }
            _ if word.starts_with('"') => shown.push_str(&quote_identifier(&unquote(word))),
            _ if word.starts_with('\'') && token(at + 1) != ":" => {
                shown.push_str(word);
                shown.push_str("::text");
            }
            _ if word.eq_ignore_ascii_case("in")
                && calls
                && !token(at + 2).eq_ignore_ascii_case("select") =>
            {
                shown.push_str("= ANY (ARRAY[");
                copied = tokens[at + 1].0 + 1;
                depth += 1;
                lists.push((depth, "])"));
                at += 1;
            }
            "pg_array" if calls => {
                shown.push_str("ARRAY[");
                // The type of the elements comes first.
                copied = tokens.get(at + 4).map_or(text.len(), |(next, _)| *next);
                depth += 1;
                lists.push((depth, "]"));
                at += 3;
            }
            _ if calls && CHECKED.contains(&word) => {}
            _ if calls => shown.push_str(plain(word)),
            _ => shown.push_str(word),
        }
        at += 1;
    }
    shown.push_str(text.get(copied..).unwrap_or_default());
    once(&shown)
}

/// A condition as PostgreSQL shows it, in parentheses where it is made of several words.
pub(super) fn condition(kept: &str) -> String {
    let shown = expression(kept);
    let is_closed = shown.starts_with('(') && {
        let mut depth = 0_i32;
        let mut closes = pieces(&shown).filter_map(|(at, piece)| {
            match piece {
                Piece::Token("(") => depth += 1,
                Piece::Token(")") => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        closes.next().is_some_and(|at| at + 1 == shown.len())
    };
    let bare = if is_closed {
        &shown[1..shown.len() - 1]
    } else {
        &shown
    };
    // What is no more than a column or a call needs none.
    let is_simple = pieces(bare).count() == 1 || pretty::is_call(bare) || bare.starts_with("\nCASE");
    match (is_simple, is_closed) {
        (true, _) => bare.to_owned(),
        (false, true) => shown,
        (false, false) => format!("({shown})"),
    }
}

/// Without parentheses that stand right around others.
fn once(text: &str) -> String {
    let (mut open, mut pairs): (Vec<usize>, Vec<(usize, usize)>) = (vec![], vec![]);
    for (at, piece) in pieces(text) {
        match piece {
            Piece::Token("(") => open.push(at),
            Piece::Token(")") => pairs.extend(open.pop().map(|begin| (begin, at))),
            _ => {}
        }
    }
    let needless = |at: usize| {
        let outer = |&(begin, end): &(usize, usize)| {
            (at == begin || at == end) && pairs.contains(&(begin + 1, end.wrapping_sub(1)))
        };
        pairs.iter().any(outer)
    };
    let kept = text.char_indices().filter(|(at, _)| !needless(*at));
    kept.map(|(_, character)| character).collect()
}

/// The name that PostgreSQL has for a function.
fn plain(name: &str) -> &str {
    let Some(own) = name.strip_prefix("pg_") else {
        return name;
    };
    let is_known = |name: &str| {
        find("pg_catalog", "pg_proc").is_some_and(|relation| {
            let at = relation
                .columns
                .iter()
                .position(|column| column.name == "proname");
            let rows = fixed_rows(relation);
            at.is_some_and(|at| !rows.find(at, &Key::Text(name.to_owned())).is_empty())
        })
    };
    if !is_known(name) && is_known(own) {
        own
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_in_postgresqls_words() {
        let (bool, int4, int8, text, float8, bpchar, varchar) = (16, 23, 20, 25, 701, 1042, 1043);
        let (timestamp, numeric, money, jsonb, ints, bytea) = (1114, 1700, 790, 3802, 1007, 17);
        for (kept, ty, expected) in [
            ("'x'", text, Some("'x'::text")),
            ("'it''s'", varchar, Some("'it''s'::character varying")),
            ("'ab '", bpchar, Some("'ab'::bpchar")),
            ("1", bool, Some("true")),
            ("0", bool, Some("false")),
            ("5", int4, Some("5")),
            ("-1", int8, Some("'-1'::integer")),
            ("0.5", float8, Some("0.5")),
            ("'1.50'", numeric, Some("1.50")),
            ("'0'", numeric, Some("'0'::numeric")),
            ("'$5.00'", money, Some("'$5.00'::money")),
            ("0", numeric, Some("0")),
            ("NULL", text, None),
            ("X'00FF'", bytea, Some("'\\x00ff'::bytea")),
            ("'{}'", ints, Some("'{}'::integer[]")),
            ("'{\"a\": 1}'", jsonb, Some("'{\"a\": 1}'::jsonb")),
            (
                "'2024-01-01 00:00:00'",
                timestamp,
                Some("'2024-01-01 00:00:00'::timestamp without time zone"),
            ),
            ("pg_gen_random_uuid()", text, Some("gen_random_uuid()")),
            (
                "pg_time_fit(pg_timestamptz_timestamp(pg_current_timestamp()), 3)",
                timestamp,
                Some("CURRENT_TIMESTAMP"),
            ),
            (
                "pg_nextval('public.\"A_seq\"')",
                int8,
                Some("nextval('\"A_seq\"'::regclass)"),
            ),
            (
                "pg_i4(pg_nextval('a_seq'))",
                int4,
                Some("nextval('a_seq'::regclass)"),
            ),
            ("pg_lower('ABC')", text, Some("lower('ABC'::text)")),
            ("(pg_i4(1 + 2))", int4, Some("(1 + 2)")),
            (
                "pg_array('text', 'a', 'b')",
                1009,
                Some("ARRAY['a'::text, 'b'::text]"),
            ),
            ("CURRENT_TIMESTAMP", timestamp, Some("CURRENT_TIMESTAMP")),
        ] {
            assert_eq!(default(kept, ty).as_deref(), expected, "{kept}");
        }
    }

    #[test]
    fn conditions_in_postgresqls_words() {
        for (kept, expected) in [
            ("(\"e\" > 3)", "(e > 3)"),
            ("(((\"e\" > 3)))", "(e > 3)"),
            ("((a) AND (b))", "((a) AND (b))"),
            ("((\"a\" <> 'y') AND \"C d\")", "((a <> 'y'::text) AND \"C d\")"),
            ("(\"n\" IN ('a', 'b'))", "(n = ANY (ARRAY['a'::text, 'b'::text]))"),
            ("(pg_length(\"n\") > (1))", "(length(n) > (1))"),
        ] {
            assert_eq!(expression(kept), expected);
        }
        for (kept, expected) in [
            ("((NOT (\"b\" = 7)))", "(NOT (b = 7))"),
            ("((NOT \"d\"))", "(NOT d)"),
            ("((pg_length(\"a\")))", "length(a)"),
        ] {
            assert_eq!(condition(kept), expected);
        }
        for broken in ["", "(", ")))", "in (", "pg_array(", "'", "\""] {
            let _ = expression(broken);
            let _ = default(broken, 25);
        }
    }
}
