//! Defaults as they are kept in the file. Other programs write to it too, and have none of our functions.

use sqlparser::ast::{Expr, UnaryOperator, Value};

use super::Names;

/// What is kept for these translations.
const MOMENTS: [(&str, &str); 3] = [
    ("pg_now()", "strftime('%Y-%m-%d %H:%M:%f+00', 'now')"),
    ("pg_current_date()", "date('now')"),
    (
        "pg_timestamptz_timestamp(pg_now())",
        "strftime('%Y-%m-%d %H:%M:%f', 'now')",
    ),
];

/// The text for a default: a constant by its value, the present moment by SQLite's own functions.
pub(super) fn stored(expression: &Expr, translated: String, names: &dyn Names) -> String {
    if let Some((_, kept)) = MOMENTS.iter().find(|(text, _)| *text == translated) {
        return (*kept).to_owned();
    }
    let value = is_constant(expression)
        .then(|| names.constant(&translated))
        .flatten();
    value.unwrap_or(translated)
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
