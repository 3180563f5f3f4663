//! Defaults as they are kept in the file. Other programs write to it too, and have none of our functions.

use sqlparser::ast::{Expr, UnaryOperator, Value};

use super::{
    Names, Result, Translator, Ty,
    cast::{How, is_decimal},
    constants::is_constant,
    declared,
    scope::{Literal, Typed},
    sql::sql,
    sql_expr::{SqlExpr, kept},
    string,
    types::Target,
    written,
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
        if self.names.constant(&read.expr.to_string()).is_none() {
            self.first(sql!["SELECT ", read.expr]);
        }
        Ok(())
    }

    /// True where PostgreSQL tells a literal that is a default otherwise than the value that is kept says: the texts of some
    /// numbers as texts, and what a length or a number of digits changes as it was before.
    pub(super) fn is_told_apart(&mut self, text: &str, kept: &str, target: Target) -> bool {
        match target.ty {
            Ty::Float4 | Ty::Float8 => true,
            Ty::Bpchar => false,
            ty => {
                let told = target.modifier.and_then(|_| self.canonical(text, ty));
                told.is_some_and(|told| kept != string(&told))
            }
        }
    }
}

/// What is called for `current_date`, and what is kept for it. `now()` stays ours: SQLite's own moment is not that of the
/// transaction.
const TODAY: (&str, &str) = ("pg_current_date", "date('now')");

/// The text for a default: a constant by its value, the present day by SQLite's own function.
pub(super) fn stored(expression: &Expr, (translated, ty): (&SqlExpr, Ty), names: &dyn Names) -> String {
    if translated.called().is_some_and(|call| call.name == TODAY.0) {
        return TODAY.1.to_owned();
    }
    let translated = translated.to_string();
    // A number is kept with the digits that were written, as long as it is one for the column.
    if let Some(literal) = decimal(expression).filter(|_| ty == Ty::Numeric)
        && names
            .constant(&format!("pg_num_cmp({translated}, {literal}) = 0"))
            .is_some_and(|is_same| is_same == "1")
    {
        return literal;
    }
    let value = is_constant(expression)
        .then(|| names.constant(&translated))
        .flatten();
    value.unwrap_or(translated)
}

/// The default that is kept for a column, as it is once the column has another type: its value is cast as PostgreSQL casts it
/// for each row. `words` are PostgreSQL's for the default as it was.
pub(crate) fn retyped(
    default: &str,
    words: Option<&str>,
    (from, to): (&str, &str),
    names: &dyn Names,
) -> String {
    let mut translator = Translator::new("", names, &[]);
    let read = |declared: &str| declared::read(declared.trim().trim_matches('"'));
    let from = read(from).ty;
    let value = Typed {
        literal: literal(default).filter(|_| from.is_string()),
        ..Typed::new(kept(default), from)
    };
    let cast = translator.noting_settings(|translator| translator.assign(value, "", read(to)));
    let Ok((cast, is_by_settings)) = cast else {
        return default.to_owned();
    };
    let cast = cast.full().to_string();
    if cast == default {
        return cast;
    }
    let is_settled = is_literal(default) && !is_by_settings;
    match (names.constant(&cast).filter(|_| is_settled), words) {
        (Some(constant), _) => constant,
        (None, Some(words)) => written::keep_expression(&cast, words),
        (None, None) => cast,
    }
}

/// True for a literal of SQLite's.
fn is_literal(text: &str) -> bool {
    let content = text.strip_prefix(['X', 'x']).unwrap_or(text);
    let content = content
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    text.parse::<f64>().is_ok() || content.is_some_and(|text| !text.replace("''", "").contains('\''))
}

/// What a literal of SQLite's for a text says.
fn literal(text: &str) -> Option<Literal> {
    let content = text.strip_prefix('\'')?.strip_suffix('\'')?;
    is_literal(text).then(|| Literal::Text(content.replace("''", "'")))
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
            // SQLite would make a floating point number of it.
            Value::Number(text, _) | Value::SingleQuotedString(text) if text.contains(['e', 'E']) => None,
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
