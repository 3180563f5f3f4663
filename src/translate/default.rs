//! Defaults as they are kept in the file. Other programs write to it too, and have none of our functions.

use sqlparser::ast::{Expr, UnaryOperator, Value};

use super::{
    Names, Result, Translator, Ty,
    cast::{How, is_decimal},
    scope::{Literal, Typed},
    string,
    types::Target,
};

impl Translator<'_> {
    /// Reads a literal that is a default as a value of the column's type before the table is made; its length is looked at when a
    /// row gets it.
    pub(super) fn is_read_now(&mut self, value: &Typed, target: Target) -> Result<()> {
        if value.ty != Ty::Unknown || !matches!(value.literal, Some(Literal::Text(_))) {
            return Ok(());
        }
        let ty = Target {
            modifier: None,
            ..target
        };
        let read = self.convert(value.clone(), ty, How::Assignment)?;
        if self.names.constant(&read.sql).is_none() {
            self.first(format!("SELECT {}", read.sql));
        }
        Ok(())
    }
}

/// `current_date`, and what is kept for it. `now()` stays ours: SQLite's own moment is not that of the transaction.
const TODAY: (&str, &str) = ("pg_current_date()", "date('now')");

/// The text for a default: a constant by its value, the present day by SQLite's own function.
pub(super) fn stored(expression: &Expr, (translated, ty): (String, Ty), names: &dyn Names) -> String {
    if translated == TODAY.0 {
        return TODAY.1.to_owned();
    }
    // A number is kept with the digits that were written, as long as it is one for the column.
    if let Some(literal) = decimal(expression).filter(|_| ty == Ty::Numeric)
        && names.constant(&translated).is_some()
    {
        return literal;
    }
    let value = is_constant(expression)
        .then(|| names.constant(&translated))
        .flatten();
    value.unwrap_or(translated)
}

/// True for what is another value under other settings of the session, such as its time zone, which must not be kept.
pub(super) fn depends_on_settings(sql: &str) -> bool {
    // A literal is read when it is written.
    let reads_values = [
        "pg_in_date(",
        "pg_in_time(",
        "pg_in_timetz(",
        "pg_in_timestamp(",
        "pg_in_interval(",
    ];
    let is_literal = |behind: &str| behind.starts_with('\'');
    reads_values.iter().any(|part| {
        let mut found = sql.match_indices(part);
        found.any(|(at, _)| !is_literal(&sql[at + part.len()..]))
    }) || [
        "pg_text_date(",
        "pg_text_timestamp(",
        "pg_to_char_",
        "pg_timestamptz_",
        "pg_text_timestamptz(",
        "pg_text_interval(",
        "pg_date_timestamptz(",
        "pg_timestamp_timestamptz(",
        "pg_to_timestamp_text(",
        ", 'timestamptz')",
    ]
    .iter()
    .any(|part| sql.contains(part))
}

/// A literal of a number as it was written.
fn decimal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Nested(inner) => decimal(inner),
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => decimal(expr).map(|digits| format!("-{digits}")),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) if !digits.contains('.') => Some(digits.clone()),
            // The type that keeps all digits keeps them as text.
            Value::Number(digits, _) => Some(string(digits)),
            Value::SingleQuotedString(text) if is_decimal(text) => Some(string(text)),
            _ => None,
        },
        _ => None,
    }
    .filter(|literal| !literal.starts_with("-'"))
}

fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Value(value) => !matches!(value.value, Value::Placeholder(_)),
        Expr::TypedString(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_constant(inner),
        Expr::UnaryOp {
            op: UnaryOperator::Minus | UnaryOperator::Plus,
            expr,
        } => is_constant(expr),
        _ => false,
    }
}
