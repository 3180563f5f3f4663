//! Expressions as PostgreSQL tells them: what a column is computed from, what it holds by default, a check, an index. They are
//! kept beside what SQLite runs, where that says it in other words.

use sqlparser::ast::{BinaryOperator, Expr, TrimWhereField, UnaryOperator, Value};

use super::{
    Translator, Ty,
    deparse_calls::is_moment,
    deparse_forms::{bytes, modified},
    of_others, quoted, rows,
    scope::Literal,
    signatures, sql_expr, string, types, written,
};

/// An expression in PostgreSQL's words; names are in quotes.
pub(super) struct Said {
    pub(super) text: String,
    pub(super) ty: Ty,
    /// A literal that has no type of its own.
    literal: Option<Literal>,
}

impl Said {
    pub(super) fn new(text: impl Into<String>, ty: Ty) -> Self {
        Self {
            text: text.into(),
            ty,
            literal: None,
        }
    }
}

impl Translator<'_> {
    /// The text that SQLite runs, with PostgreSQL's words for it where they are others.
    pub(super) fn with_told(&mut self, sql: &str, expression: &Expr) -> String {
        self.with_told_as(sql, expression, Ty::Text)
    }

    /// The same where a literal of no type is of this one.
    pub(super) fn with_told_as(&mut self, sql: &str, expression: &Expr, ty: Ty) -> String {
        let said = self
            .said(expression)
            .and_then(|said| self.cast_to(said, ty, true))
            .or_else(|| self.as_written(expression));
        let Some(said) = said.map(|said| said.text) else {
            return sql.to_owned();
        };
        let is_same = sql.trim_matches(['(', ')']) == said.trim_matches(['(', ')']);
        if is_same && !sql.contains('\'') {
            return sql.to_owned();
        }
        written::keep_expression(sql, &said)
    }

    pub(super) fn settled_text(&mut self, said: Said) -> Option<String> {
        Some(self.cast_to(said, Ty::Text, true)?.text)
    }

    /// As a value of a type, unless it has one already and only `unknown` is asked about.
    pub(super) fn cast_to(&mut self, said: Said, ty: Ty, only_unknown: bool) -> Option<Said> {
        match &said.literal {
            Some(Literal::Null) => Some(Said::new(format!("NULL::{}", shown(ty)?), ty)),
            Some(Literal::Text(text) | Literal::Number(text)) => {
                let text = self.canonical(text, ty)?;
                Some(Said::new(constant(&text, ty)?, ty))
            }
            None if only_unknown || said.ty == ty => Some(said),
            None => Some(Said::new(format!("({})::{}", said.text, shown(ty)?), ty)),
        }
    }

    /// A literal as its type shows it.
    pub(super) fn canonical(&mut self, text: &str, ty: Ty) -> Option<String> {
        if ty.is_string() || matches!(ty, Ty::Timestamptz | Ty::Json) {
            return Some(text.to_owned());
        }
        let value = super::scope::Typed {
            literal: Some(Literal::Text(text.to_owned())),
            ..super::scope::Typed::new(sql_expr::text(text), Ty::Unknown)
        };
        let value = self.implicitly(value, ty).ok()?;
        let Some(kept) = self.names.constant(&value.full().to_string()) else {
            return of_others::of_type(text, ty);
        };
        if ty == Ty::Bool {
            return Some(if kept == "1" { "true" } else { "false" }.to_owned());
        }
        let inner = kept.strip_prefix('\'').and_then(|kept| kept.strip_suffix('\''));
        inner.map_or_else(
            || bytes(&kept).or_else(|| (!kept.starts_with(['X', 'N'])).then(|| kept.clone())),
            |inner| Some(inner.replace("''", "'")),
        )
    }

    /// What PostgreSQL says, or what whoever wrote it said where that is not known.
    pub(super) fn said(&mut self, expression: &Expr) -> Option<Said> {
        let ty = self.expression(expression).ok()?.ty;
        self.said_plainly(expression, ty)
            .or_else(|| self.said_form(expression, ty))
            .or_else(|| self.as_written(expression))
    }

    fn said_plainly(&mut self, expression: &Expr, ty: Ty) -> Option<Said> {
        match expression {
            Expr::Nested(inner) => self.said(inner),
            Expr::Identifier(name) if name.quote_style.is_none() && is_moment(&name.value) => {
                Some(Said::new(name.value.to_uppercase(), ty))
            }
            Expr::Identifier(name) => Some(Said::new(quoted(&super::folded(name)), ty)),
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) if ty == Ty::Int4 || digits.contains('.') => {
                    Some(Said::new(digits, ty))
                }
                Value::Number(digits, _) => Some(Said::new(constant(digits, ty)?, ty)),
                Value::SingleQuotedString(text) => Some(Said {
                    literal: Some(Literal::Text(text.clone())),
                    ..Said::new("", Ty::Unknown)
                }),
                Value::Null => Some(Said {
                    literal: Some(Literal::Null),
                    ..Said::new("", Ty::Unknown)
                }),
                Value::Boolean(truth) => Some(Said::new(truth.to_string(), Ty::Bool)),
                _ => None,
            },
            Expr::TypedString(typed) => {
                let Value::SingleQuotedString(text) = &typed.value.value else {
                    return None;
                };
                let text = self.canonical(text, ty)?;
                Some(Said::new(constant(&text, ty)?, ty))
            }
            Expr::Cast { expr, data_type, .. } => {
                let target = types::target(data_type)?;
                let inner = match &**expr {
                    Expr::Array(array) if array.elem.is_empty() => {
                        return Some(Said::new(format!("ARRAY[]::{}", shown(target.ty)?), target.ty));
                    }
                    inner => self.said(inner)?,
                };
                let (from, is_literal) = (inner.ty, inner.literal.is_some());
                let cast = self.cast_to(inner, target.ty, false)?;
                match modified(target)? {
                    None => Some(cast),
                    Some(ty) if is_literal => {
                        let bare = cast.text.rsplit_once("::")?.0.to_owned();
                        Some(Said::new(format!("{bare}::{ty}"), target.ty))
                    }
                    Some(ty) if from == target.ty => {
                        Some(Said::new(format!("({})::{ty}", cast.text), target.ty))
                    }
                    Some(ty) => {
                        let bare = cast.text.rsplit_once("::")?.0.to_owned();
                        Some(Said::new(format!("{bare}::{ty}"), target.ty))
                    }
                }
            }
            Expr::UnaryOp { op, expr } => {
                if let (UnaryOperator::Minus, Expr::Value(value)) = (op, &**expr)
                    && let Value::Number(digits, _) = &value.value
                {
                    return Some(Said::new(constant(&format!("-{digits}"), ty)?, ty));
                }
                let inner = self.said(expr)?;
                let inner = self.settled_text(inner)?;
                let sign = match op {
                    UnaryOperator::Not => "NOT",
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Plus => "+",
                    UnaryOperator::BitwiseNot => "~",
                    UnaryOperator::PGAbs => "@",
                    _ => return None,
                };
                Some(Said::new(format!("({sign} {inner})"), ty))
            }
            Expr::BinaryOp { left, op, right } => self.said_operator(left, op, right, ty),
            Expr::IsNull(inner) => self.said_test(inner, "IS NULL"),
            Expr::IsNotNull(inner) => self.said_test(inner, "IS NOT NULL"),
            Expr::IsTrue(inner) => self.said_test(inner, "IS TRUE"),
            Expr::IsNotTrue(inner) => self.said_test(inner, "IS NOT TRUE"),
            Expr::IsFalse(inner) => self.said_test(inner, "IS FALSE"),
            Expr::IsNotFalse(inner) => self.said_test(inner, "IS NOT FALSE"),
            Expr::IsDistinctFrom(left, right) => {
                let (left, right) = self.said_pair(left, "=", right)?;
                Some(Said::new(format!("({left} IS DISTINCT FROM {right})"), ty))
            }
            Expr::IsNotDistinctFrom(left, right) => {
                let (left, right) = self.said_pair(left, "=", right)?;
                Some(Said::new(format!("(NOT ({left} IS DISTINCT FROM {right}))"), ty))
            }
            Expr::InList { expr, list, negated } => self.said_list(expr, list, *negated),
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            } => self.said_quantified(left, &compare_op.to_string(), right, "ANY"),
            Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.said_quantified(left, &compare_op.to_string(), right, "ALL"),
            Expr::Case {
                operand: None,
                conditions,
                else_result,
                ..
            } => self.said_case(conditions, else_result.as_deref(), ty),
            Expr::Array(array) => {
                let Ty::Array(element) = ty else { return None };
                let mut parts = vec![];
                for member in &array.elem {
                    let member = self.said(member)?;
                    // An array within it has one dimension less, and the same type.
                    let wanted = if matches!(member.ty, Ty::Array(_)) {
                        ty
                    } else {
                        *element
                    };
                    parts.push(self.cast_to(member, wanted, false)?.text);
                }
                Some(Said::new(format!("ARRAY[{}]", parts.join(", ")), ty))
            }
            Expr::Function(function) => self.said_call(function, ty),
            Expr::Extract { field, expr, .. } => {
                let inner = self.said(expr)?;
                let inner = self.settled_text(inner)?;
                let field = field.to_string().to_lowercase();
                Some(Said::new(format!("EXTRACT({field} FROM {inner})"), ty))
            }
            Expr::Trim {
                trim_where,
                trim_what,
                expr,
                trim_characters: None,
            } => {
                let side = match trim_where {
                    Some(TrimWhereField::Leading) => "LEADING",
                    Some(TrimWhereField::Trailing) => "TRAILING",
                    _ => "BOTH",
                };
                let is_blank = |what: &Expr| matches!(what, Expr::Value(value) if value.value == Value::SingleQuotedString(" ".into()));
                // Blanks are what is trimmed where nobody says what.
                let what = match trim_what.as_deref().filter(|what| !is_blank(what)) {
                    Some(what) => format!("{} ", self.said_as(what, Ty::Text)?),
                    None => String::new(),
                };
                let inner = self.said_as(expr, Ty::Text)?;
                Some(Said::new(format!("TRIM({side} {what}FROM {inner})"), ty))
            }
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                shorthand,
                special,
            } => {
                let inner = self.said_as(expr, Ty::Text)?;
                let from = match substring_from {
                    Some(from) => Some(self.said_as(from, Ty::Int4)?),
                    None => None,
                };
                let length = match substring_for {
                    Some(length) => Some(self.said_as(length, Ty::Int4)?),
                    None => None,
                };
                if *special {
                    let name = if *shorthand { "substr" } else { "\"substring\"" };
                    let parts: Vec<String> = [Some(inner), from, length].into_iter().flatten().collect();
                    return Some(Said::new(format!("{name}({})", parts.join(", ")), ty));
                }
                let from = from.map_or_else(String::new, |from| format!(" FROM {from}"));
                let length = length.map_or_else(String::new, |length| format!(" FOR {length}"));
                Some(Said::new(format!("SUBSTRING({inner}{from}{length})"), ty))
            }
            Expr::Position { expr, r#in } => {
                let (what, whole) = (self.said_as(expr, Ty::Text)?, self.said_as(r#in, Ty::Text)?);
                Some(Said::new(format!("POSITION(({what}) IN ({whole}))"), ty))
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                let inner = self.said(timestamp)?;
                let inner = self.settled_text(inner)?;
                let zone = self.said_as(time_zone, Ty::Text)?;
                Some(Said::new(format!("({inner} AT TIME ZONE {zone})"), ty))
            }
            Expr::Ceil { expr, .. } => self.said_alone("ceil", expr, ty),
            Expr::Floor { expr, .. } => self.said_alone("floor", expr, ty),
            _ => None,
        }
    }

    pub(super) fn said_as(&mut self, expression: &Expr, ty: Ty) -> Option<String> {
        let said = self.said(expression)?;
        Some(self.cast_to(said, ty, false)?.text)
    }

    fn said_test(&mut self, inner: &Expr, test: &str) -> Option<Said> {
        let inner = self.said(inner)?;
        let inner = self.settled_text(inner)?;
        Some(Said::new(format!("({inner} {test})"), Ty::Bool))
    }

    fn said_operator(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr, ty: Ty) -> Option<Said> {
        if matches!(op, BinaryOperator::And | BinaryOperator::Or) {
            let word = op.to_string();
            let mut parts = vec![];
            self.said_chain(left, op, &mut parts)?;
            parts.push(self.said_as(right, Ty::Bool)?);
            return Some(Said::new(format!("({})", parts.join(&format!(" {word} "))), ty));
        }
        let name = op.to_string();
        if name.contains(' ') || name.contains('(') {
            return None;
        }
        if matches!(
            name.as_str(),
            "~" | "~*" | "!~" | "!~*" | "~~" | "!~~" | "~~*" | "!~~*"
        ) {
            return self.said_text_operator(left, &name, right);
        }
        if let (Some(ones), Some(others)) = (rows::values(left), rows::values(right)) {
            return self.said_rows(&ones, &name, &others);
        }
        let (left, right) = self.said_pair(left, &name, right)?;
        Some(Said::new(format!("({left} {name} {right})"), ty))
    }

    /// `a AND b AND c` is one row of conditions.
    fn said_chain(&mut self, left: &Expr, op: &BinaryOperator, parts: &mut Vec<String>) -> Option<()> {
        match left {
            Expr::BinaryOp {
                left,
                op: same,
                right,
            } if same == op => {
                self.said_chain(left, op, parts)?;
                parts.push(self.said_as(right, Ty::Bool)?);
            }
            other => parts.push(self.said_as(other, Ty::Bool)?),
        }
        Some(())
    }

    pub(super) fn said_text_operator(&mut self, left: &Expr, name: &str, right: &Expr) -> Option<Said> {
        let (left, right) = (self.said_matched(left)?, self.said_as(right, Ty::Text)?);
        Some(Said::new(format!("({left} {name} {right})"), Ty::Bool))
    }

    /// Both sides as the types that an operator takes.
    pub(super) fn said_pair(&mut self, left: &Expr, name: &str, right: &Expr) -> Option<(String, String)> {
        let (left, right) = (self.said(left)?, self.said(right)?);
        let (one, other) = match (left.ty, right.ty) {
            (Ty::Dynamic, _) | (_, Ty::Dynamic) => return None,
            (one, other)
                if is_direct(one, other) && !(one != other && is_of_one_type(name)) && name != "^" =>
            {
                (one, other)
            }
            (one, other) if matches!(name, "=" | "<>" | "<" | "<=" | ">" | ">=") => {
                let ty = Ty::compared(one, other).ok()?;
                let ty = if ty == Ty::Varchar { Ty::Text } else { ty };
                let wanted = |own: Ty| if is_direct(own, ty) { own } else { ty };
                (wanted(one), wanted(other))
            }
            (one, other) => {
                let chosen = signatures::choose_operator(name, one, other)?;
                let wanted = |at: usize, own: Ty| match chosen.arguments.get(at) {
                    Some(Ty::Any) | None if own != Ty::Unknown && own != Ty::Varchar => own,
                    Some(Ty::Any) | None => Ty::Text,
                    Some(ty) => *ty,
                };
                (wanted(0, one), wanted(1, other))
            }
        };
        Some((
            self.cast_to(left, one, false)?.text,
            self.cast_to(right, other, false)?.text,
        ))
    }

    fn said_list(&mut self, value: &Expr, list: &[Expr], negated: bool) -> Option<Said> {
        let operator = if negated { "<>" } else { "=" };
        if let [only] = list {
            let (left, right) = self.said_pair(value, operator, only)?;
            return Some(Said::new(format!("({left} {operator} {right})"), Ty::Bool));
        }
        let value = self.said(value)?;
        let mut members = vec![];
        for member in list {
            if matches!(member, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
                return None;
            }
            members.push(self.said(member)?);
        }
        let types = members.iter().map(|member| member.ty).chain([value.ty]);
        let ty = Ty::common(types).ok()?;
        let mut parts = vec![];
        for member in members {
            parts.push(self.cast_to(member, ty, false)?.text);
        }
        let mut array = format!("ARRAY[{}]", parts.join(", "));
        let mut value = self.cast_to(value, ty, false)?;
        if ty == Ty::Varchar {
            array = format!("({array})::text[]");
            value = self.cast_to(value, Ty::Text, false)?;
        }
        let quantifier = if negated { "ALL" } else { "ANY" };
        let text = format!("({} {operator} {quantifier} ({array}))", value.text);
        Some(Said::new(text, Ty::Bool))
    }

    pub(super) fn said_quantified(
        &mut self,
        left: &Expr,
        operator: &str,
        right: &Expr,
        word: &str,
    ) -> Option<Said> {
        let (value, array) = (self.said(left)?, self.said(right)?);
        let Ty::Array(element) = array.ty else { return None };
        let element = *element;
        let value = if value.ty == Ty::Varchar || value.literal.is_some() {
            self.cast_to(
                value,
                if element == Ty::Varchar { Ty::Text } else { element },
                false,
            )?
        } else {
            value
        };
        let array = if element == Ty::Varchar {
            format!("({})::text[]", array.text)
        } else {
            array.text
        };
        Some(Said::new(
            format!("({} {operator} {word} ({array}))", value.text),
            Ty::Bool,
        ))
    }
}

/// True for operators that both sides have one type for.
fn is_of_one_type(name: &str) -> bool {
    matches!(name, "%" | "&" | "|" | "#")
}

/// True for types that PostgreSQL compares and reckons with as they are.
fn is_direct(one: Ty, other: Ty) -> bool {
    let all = |types: &[Ty]| types.contains(&one) && types.contains(&other);
    (one == other && one != Ty::Varchar && one != Ty::Unknown)
        || all(&[Ty::Int2, Ty::Int4, Ty::Int8])
        || all(&[Ty::Float4, Ty::Float8])
        || all(&[Ty::Date, Ty::Timestamp, Ty::Timestamptz])
}

/// A constant of a type.
fn constant(text: &str, ty: Ty) -> Option<String> {
    let begins = text.starts_with(|first: char| first.is_ascii_digit());
    Some(match ty {
        Ty::Bool => text.to_owned(),
        Ty::Int4 if begins => text.to_owned(),
        Ty::Numeric if begins && text.contains(['.', 'e', 'E']) => text.to_owned(),
        _ => format!("{}::{}", string(text), shown(ty)?),
    })
}

/// The name of a type in a cast.
pub(super) fn shown(ty: Ty) -> Option<String> {
    match ty {
        Ty::Bpchar => Some("bpchar".into()),
        Ty::Array(Ty::Bpchar) => Some("bpchar[]".into()),
        // Without quotes it is one of a single bit.
        Ty::Bit => Some("\"bit\"".into()),
        Ty::Array(Ty::Bit) => Some("\"bit\"[]".into()),
        Ty::Unknown
        | Ty::Dynamic
        | Ty::Void
        | Ty::Composite
        | Ty::Record(_)
        | Ty::Any
        | Ty::AnyElement
        | Ty::AnyArray => None,
        ty => Some(ty.shown()),
    }
}
