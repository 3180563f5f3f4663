//! Expressions that PostgreSQL has and SQLite lacks.

use sqlparser::ast::{
    AccessExpr, BinaryOperator as Op, CeilFloorKind, DateTimeField, Expr, Subscript, UnaryOperator,
    Value as Sql, ValueWithSpan,
};

use super::{Code, Finding, Resolver};
use crate::question::{
    schema::ColumnKind,
    validator::scope::{Literal, Value},
};

impl Resolver<'_> {
    /// An expression that is not common to both dialects.
    pub(super) fn postgres_expr(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::ILike {
                any: false,
                expr: inner,
                pattern,
                escape_char,
                ..
            }
            | Expr::SimilarTo {
                expr: inner,
                pattern,
                escape_char,
                ..
            } => self.pattern(inner, pattern, escape_char.as_deref()),
            Expr::IsUnknown(inner) | Expr::IsNotUnknown(inner) => {
                self.all_of([inner.as_ref()], ColumnKind::Boolean)
            }
            Expr::Extract { expr: inner, .. } => self.all_of([inner.as_ref()], ColumnKind::Number),
            Expr::Ceil { expr: inner, field } | Expr::Floor { expr: inner, field } => {
                if !matches!(field, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime)) {
                    self.beyond(expr, "rounding to a field or scale like this", None);
                }
                let called = if matches!(expr, Expr::Ceil { .. }) {
                    "ceil"
                } else {
                    "floor"
                };
                self.check_shadow_of(inner.as_ref(), called);
                self.all_of([inner.as_ref()], ColumnKind::Number)
            }
            Expr::Position { expr: inner, r#in } => {
                self.all_of([inner.as_ref(), r#in.as_ref()], ColumnKind::Integer)
            }
            Expr::Substring {
                expr: inner,
                substring_from,
                substring_for,
                ..
            } => {
                self.check_shadow_of(inner.as_ref(), "substring");
                let parts = [Some(inner), substring_from.as_ref(), substring_for.as_ref()];
                self.all_of(parts.into_iter().flatten().map(AsRef::as_ref), ColumnKind::Text)
            }
            Expr::Trim {
                trim_what,
                expr: inner,
                trim_characters,
                ..
            } => {
                let parts = [trim_what.as_ref(), Some(inner)];
                let parts = parts.into_iter().flatten().map(AsRef::as_ref);
                self.all_of(parts.chain(trim_characters.iter().flatten()), ColumnKind::Text)
            }
            Expr::Overlay {
                expr: inner,
                overlay_what,
                overlay_from,
                overlay_for,
            } => {
                let parts = [
                    Some(inner),
                    Some(overlay_what),
                    Some(overlay_from),
                    overlay_for.as_ref(),
                ];
                self.all_of(parts.into_iter().flatten().map(AsRef::as_ref), ColumnKind::Text)
            }
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            }
            | Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.any_or_all(expr, left, compare_op, right),
            Expr::Interval(interval) => {
                let value = self.expr(&interval.value);
                Value {
                    kind: Some(ColumnKind::Interval),
                    aggregate: value.aggregate,
                    constant: value.constant,
                    ..Value::default()
                }
            }
            Expr::TypedString(typed) => {
                let kind = self.check_type(expr, &typed.data_type);
                self.literal(&typed.value);
                Value {
                    kind,
                    constant: true,
                    ..Value::default()
                }
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                self.all_of([timestamp.as_ref(), time_zone.as_ref()], ColumnKind::Timestamp)
            }
            Expr::Array(array) => {
                if !array.named {
                    self.beyond(expr, "[…] for an array", Some("write ARRAY[…]"));
                }
                let elements = array.elem.iter().flat_map(|element| match element {
                    Expr::Array(inner) if !inner.named => inner.elem.iter().collect(),
                    element => vec![element],
                });
                self.all_of(elements, ColumnKind::Other)
            }
            Expr::Tuple(items) => self.all_of(items, ColumnKind::Other),
            Expr::CompoundFieldAccess { root, access_chain } => self.element(expr, root, access_chain),
            other => {
                self.unsupported(other);
                Value::default()
            }
        }
    }

    /// Something of a kind, made of others.
    fn all_of<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>, kind: ColumnKind) -> Value {
        let mut whole = Value {
            kind: Some(kind),
            ..Value::default()
        };
        for part in parts {
            whole.aggregate |= self.expr(part).aggregate;
        }
        whole
    }

    /// `text LIKE pattern` and its like, which only text has.
    pub(super) fn pattern(&mut self, tested: &Expr, pattern: &Expr, escape: Option<&Expr>) -> Value {
        let value = self.expr(tested);
        let pattern = self.expr(pattern);
        let escape = escape.map(|escape| self.expr(escape)).unwrap_or_default();
        let is_text = matches!(
            value.kind,
            None | Some(ColumnKind::Text | ColumnKind::Blob | ColumnKind::Other)
        );
        if self.is_postgres() && !is_text && value.literal.is_none() {
            let message = format!("{tested} is no text, which patterns are matched with");
            let finding = Finding::error(Code::ConditionTypeMismatch, self.position(tested), message);
            let finding = finding.with_hint(format!("write {tested}::text"));
            match self.name_span(tested) {
                Some((from, to, name)) => self.note(super::LocatedFinding {
                    finding: finding.with_repair(format!("{name}::text")),
                    span: Some((from, to)),
                }),
                None => self.report(finding),
            }
        }
        Value {
            kind: Some(ColumnKind::Boolean),
            aggregate: value.aggregate || pattern.aggregate || escape.aggregate,
            ..Value::default()
        }
    }

    fn any_or_all(&mut self, whole: &Expr, left: &Expr, op: &Op, right: &Expr) -> Value {
        if !self.allows(op) {
            self.operator_refused(whole, op);
        }
        let tested = self.expr(left);
        let other = match right {
            Expr::Subquery(subquery) => {
                let value = self.subquery(subquery, 1);
                self.compare_kinds(&tested, op, &value, left);
                value
            }
            right => self.expr(right),
        };
        Value {
            kind: Some(ColumnKind::Boolean),
            aggregate: tested.aggregate || other.aggregate,
            ..Value::default()
        }
    }

    /// `array[1]`, `array[1:2]`; a dot would call a function with the row.
    fn element(&mut self, whole: &Expr, root: &Expr, chain: &[AccessExpr]) -> Value {
        let mut aggregate = self.expr(root).aggregate;
        for access in chain {
            let parts = match access {
                AccessExpr::Subscript(Subscript::Index { index }) => vec![index],
                AccessExpr::Subscript(Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    stride: None,
                }) => lower_bound.iter().chain(upper_bound).collect(),
                _ => {
                    self.beyond(whole, "access to a part like this", None);
                    continue;
                }
            };
            for part in parts {
                aggregate |= self.expr(part).aggregate;
            }
        }
        Value {
            aggregate,
            ..Value::default()
        }
    }

    /// With `standard_conforming_strings` off, a backslash would take the quote behind it for a part of the text.
    pub(super) fn check_backslash(&mut self, value: &ValueWithSpan) {
        let Sql::SingleQuotedString(text) = &value.value else {
            return;
        };
        if self.is_postgres() && (text.ends_with('\\') || text.contains("\\'")) {
            let escaped = format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "''"));
            let message = "a backslash before a quote can be read in two ways";
            let finding = Finding::error(Code::SqlSyntaxError, self.position(value), message);
            let finding = finding.with_hint(format!("write {escaped}")).with_repair(escaped);
            self.report_at(finding, value.span);
        }
    }

    /// One of the dialect's own operators.
    pub(super) fn allows(&self, op: &Op) -> bool {
        self.facts.policy.allows_operator(&op.to_string())
    }

    /// An operator that is no built-in one, or one that questions do not need.
    pub(super) fn operator_refused(&mut self, whole: &Expr, op: &Op) {
        let message = format!("a question may not use the operator {op}");
        self.error(Code::Forbidden, whole, message);
    }
}

/// Literals beside those that both dialects write alike.
pub(super) fn postgres_literal(value: &ValueWithSpan) -> Option<(Option<ColumnKind>, Option<Literal>)> {
    Some(match &value.value {
        Sql::EscapedStringLiteral(text) | Sql::NationalStringLiteral(text) => {
            (Some(ColumnKind::Text), Some(Literal::Text(text.clone())))
        }
        Sql::SingleQuotedByteStringLiteral(_) | Sql::HexStringLiteral(_) => (Some(ColumnKind::Other), None),
        _ => return None,
    })
}

/// The kind of what an operator makes of two kinds; nothing where that is open.
pub(super) fn operator_kind(op: &Op, one: &Value, other: &Value) -> Option<ColumnKind> {
    use ColumnKind::{Date, Integer, Interval, Number, Other, Text, Timestamp};
    match op {
        Op::Arrow | Op::HashArrow | Op::HashMinus => Some(Other),
        Op::LongArrow | Op::HashLongArrow => Some(Text),
        Op::PGExp | Op::LtDashGt => Some(Number),
        Op::StringConcat => match (one.kind, other.kind) {
            (Some(Other) | None, _) | (_, Some(Other) | None) => None,
            _ => Some(Text),
        },
        Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
            // Text beside a date is read as one, or as a span of time.
            if one.literal.is_some() != other.literal.is_some()
                && [one, other]
                    .iter()
                    .any(|value| value.kind == Some(Text) && value.literal.is_some())
            {
                return None;
            }
            match (one.kind?, other.kind?, op) {
                (Integer, Integer, _) | (Date, Date, Op::Minus) => Some(Integer),
                (Integer | Number, Integer | Number, _) => Some(Number),
                (Date, Integer, _) | (Integer, Date, Op::Plus) => Some(Date),
                (Date | Timestamp, Interval, _) | (Interval, Date | Timestamp, Op::Plus) => Some(Timestamp),
                (Timestamp, Timestamp | Date, Op::Minus)
                | (Date, Timestamp, Op::Minus)
                | (Interval, _, _)
                | (_, Interval, _) => Some(Interval),
                _ => None,
            }
        }
        Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::PGBitwiseXor
        | Op::PGBitwiseShiftLeft
        | Op::PGBitwiseShiftRight => one.kind.filter(|kind| *kind == Integer),
        _ => Some(ColumnKind::Boolean),
    }
}

/// Signs in front of PostgreSQL's numbers that SQLite lacks.
pub(super) fn is_sign(op: UnaryOperator) -> bool {
    matches!(
        op,
        UnaryOperator::PGAbs | UnaryOperator::PGSquareRoot | UnaryOperator::PGCubeRoot
    )
}
