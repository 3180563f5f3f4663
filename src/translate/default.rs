//! Defaults as they are kept in the file. Other programs write to it too, and have none of our functions.

use sqlparser::ast::{Expr, UnaryOperator, Value};

use super::Names;

/// `current_date`, and what is kept for it. `now()` stays ours: SQLite's own moment is not that of the transaction.
const TODAY: (&str, &str) = ("pg_current_date()", "date('now')");

/// The text for a default: a constant by its value, the present day by SQLite's own function.
pub(super) fn stored(expression: &Expr, translated: String, names: &dyn Names) -> String {
    if translated == TODAY.0 {
        return TODAY.1.to_owned();
    }
    let value = is_constant(expression)
        .then(|| names.constant(&translated))
        .flatten();
    value.unwrap_or(translated)
}

/// True for what is another value in another time zone of the session, which must not be kept.
pub(super) fn depends_on_zone(sql: &str) -> bool {
    [
        "pg_timestamptz_",
        "pg_text_timestamptz(",
        "pg_date_timestamptz(",
        "pg_timestamp_timestamptz(",
        "pg_to_char_timestamptz(",
        "pg_to_timestamp_text(",
        ", 'timestamptz')",
    ]
    .iter()
    .any(|part| sql.contains(part))
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
