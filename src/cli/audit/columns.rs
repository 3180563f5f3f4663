//! What is printed of each entry of the audit.

use crate::{
    backend::{SqlType, Value, text},
    cli::output::Format,
    error::visible,
    service::audit::Entry,
};

/// A column: its name, its type, and what an entry has of it.
pub(super) type Column = (&'static str, SqlType, fn(&Entry) -> Value);

/// An entry as a row. A spreadsheet that opens the CSV must not take text for a formula, nor a terminal for a command.
pub(super) fn row(columns: &[Column], entry: &Entry, format: Format) -> Vec<Value> {
    let values = columns.iter().map(|(_, _, value)| value(entry));
    values
        .map(|value| match value {
            Value::Text(bytes) if format == Format::Csv => Value::Text(as_text(&bytes)),
            other => other,
        })
        .collect()
}

fn as_text(bytes: &[u8]) -> Vec<u8> {
    let given = String::from_utf8_lossy(bytes);
    let shown = visible(&given);
    if given.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("'{shown}").into();
    }
    shown.into_owned().into()
}

/// All columns, or those that a person sees.
pub(super) fn columns(format: Format) -> Vec<Column> {
    let all = COLUMNS.iter().copied();
    match format {
        Format::Table | Format::Markdown => all.filter(|(name, ..)| SHORT.contains(name)).collect(),
        Format::Csv | Format::Json | Format::Jsonl => all.collect(),
    }
}

const SHORT: [&str; 10] = [
    "time", "user", "address", "action", "question", "decision", "sqlstate", "outcome", "rows", "sql",
];

const COLUMNS: [Column; 29] = [
    ("time", SqlType::Text, |entry| text(&entry.time)),
    ("id", SqlType::Text, |entry| text(&entry.id)),
    ("server", SqlType::Text, |entry| text(&entry.server)),
    ("session", SqlType::Int8, |entry| count(Some(entry.session))),
    ("user", SqlType::Text, |entry| text(&entry.user)),
    ("role", SqlType::Text, |entry| filled(&entry.role)),
    ("database", SqlType::Text, |entry| text(&entry.database)),
    ("address", SqlType::Text, |entry| text(&entry.address)),
    ("application", SqlType::Text, |entry| filled(&entry.application)),
    ("action", SqlType::Text, |entry| text(&entry.action)),
    ("question", SqlType::Text, |entry| text(&entry.question)),
    ("decision", SqlType::Text, |entry| text(&entry.decision)),
    ("outcome", SqlType::Text, |entry| words(entry.outcome.as_ref())),
    ("sqlstate", SqlType::Text, |entry| words(entry.sqlstate.as_ref())),
    ("reason", SqlType::Text, |entry| words(entry.reason.as_ref())),
    ("detail", SqlType::Text, |entry| words(entry.detail.as_ref())),
    ("tier", SqlType::Text, |entry| words(entry.tier.as_ref())),
    ("confidence", SqlType::Float8, |entry| number(entry.confidence)),
    ("cached", SqlType::Bool, |entry| {
        count(entry.cached.map(u64::from))
    }),
    ("model_calls", SqlType::Int8, |entry| count(entry.model_calls)),
    ("prompt_tokens", SqlType::Int8, |entry| count(entry.prompt_tokens)),
    ("completion_tokens", SqlType::Int8, |entry| {
        count(entry.completion_tokens)
    }),
    ("cost_usd", SqlType::Float8, |entry| number(entry.cost_usd)),
    ("answer_ms", SqlType::Float8, |entry| number(entry.answer_ms)),
    ("runs", SqlType::Int8, |entry| count(Some(entry.runs))),
    ("rows", SqlType::Int8, |entry| count(entry.rows)),
    ("run_ms", SqlType::Float8, |entry| number(entry.run_ms)),
    // The longest come last, where a table is wide.
    ("sql", SqlType::Text, |entry| words(entry.sql.as_ref())),
    ("text", SqlType::Text, |entry| words(entry.text.as_ref())),
];

fn words(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| crate::backend::text(text))
}

fn filled(value: &str) -> Value {
    if value.is_empty() {
        Value::Null
    } else {
        text(value)
    }
}

fn count(number: Option<u64>) -> Value {
    number.map_or(Value::Null, |number| {
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    })
}

fn number(number: Option<f64>) -> Value {
    number.map_or(Value::Null, Value::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_or_a_command() {
        for (given, written) in [
            ("how many?", "how many?"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("@SUM(1)", "'@SUM(1)"),
            ("-- nl: x", "'-- nl: x"),
            ("a\x1b]0;x\x07\u{202e}", "a\\u{1b}]0;x\\u{7}\\u{202e}"),
        ] {
            assert_eq!(String::from_utf8(as_text(given.as_bytes())).unwrap(), written);
        }
    }
}
