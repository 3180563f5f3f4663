//! Expressions: every name in them, and the kind of value that they make.

use sqlparser::ast::{
    BinaryOperator as Op, CastKind, Expr, Query, UnaryOperator, Value as Sql, ValueWithSpan,
};

use super::{
    Code, Finding, Resolver,
    postgres::{self, postgres_literal},
    select::comparable_text,
};
use crate::question::{
    schema::{ColumnKind, Dialect},
    validator::{
        checks,
        resolved::Clause,
        scope::{Literal, Value},
    },
};

/// The highest `$n` (`SQLITE_LIMIT_VARIABLE_NUMBER`).
const MAX_PARAMETERS: usize = 32_766;
/// Items of an IN list whose types are compared with the column's.
const COMPARED_ITEMS: usize = 100;

impl Resolver<'_> {
    #[recursive::recursive]
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        if self.is_full() {
            return Value::default();
        }
        let before = self.scope().uses.len();
        let value = self.any_expr(expr);
        // What GROUP BY names has one value per group, whatever columns it is made of.
        let scope = self.scope();
        let per_group = matches!(scope.clause, Clause::Select | Clause::Having | Clause::OrderBy);
        if per_group
            && scope.uses.len() > before
            && !scope.grouped_texts.is_empty()
            && scope
                .grouped_texts
                .contains(&comparable_text(expr, scope.dialect))
        {
            scope.uses.truncate(before);
        }
        value
    }

    fn any_expr(&mut self, expr: &Expr) -> Value {
        self.check_operators(expr);
        match expr {
            Expr::Identifier(name) => self.column(name),
            Expr::CompoundIdentifier(parts) => self.qualified_column(parts),
            Expr::Value(value) => self.literal(value),
            Expr::Nested(inner) => self.expr(inner),
            Expr::BinaryOp { left, op, right } => self.binary(expr, left, op, right),
            Expr::UnaryOp { op, expr: inner } => self.unary(expr, *op, inner),
            Expr::Function(function) => self.function(function),
            Expr::Cast {
                kind: kind @ (CastKind::Cast | CastKind::DoubleColon),
                expr: inner,
                data_type,
                format: None,
                ..
            } if self.is_postgres() || *kind == CastKind::Cast => {
                let inner = self.expr(inner);
                let kind = self.check_type(expr, data_type);
                Value {
                    kind,
                    aggregate: inner.aggregate,
                    constant: inner.constant,
                    ..Value::default()
                }
            }
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => {
                let operand = operand.as_deref().map(|operand| self.expr(operand));
                let mut aggregate = operand.is_some_and(|operand| operand.aggregate);
                let mut results = vec![];
                for branch in conditions {
                    aggregate |= self.expr(&branch.condition).aggregate;
                    results.push(self.expr(&branch.result));
                }
                results.extend(else_result.as_deref().map(|result| self.expr(result)));
                aggregate |= results.iter().any(|result| result.aggregate);
                let mut kinds = results
                    .iter()
                    .filter(|result| result.literal != Some(Literal::Null));
                let first = kinds.next().and_then(|result| result.kind);
                let kind = first.filter(|first| kinds.all(|result| result.kind == Some(*first)));
                Value {
                    kind,
                    aggregate,
                    ..Value::default()
                }
            }
            Expr::Like {
                any: false,
                expr: inner,
                pattern,
                escape_char,
                ..
            } if self.is_postgres() => self.pattern(inner, pattern, escape_char.as_deref()),
            Expr::Like {
                any: false,
                expr: inner,
                pattern,
                escape_char,
                ..
            } => {
                let parts = [Some(inner), Some(pattern), escape_char.as_ref()];
                self.truth(parts.into_iter().flatten().map(AsRef::as_ref))
            }
            Expr::Between {
                expr: inner,
                low,
                high,
                ..
            } => {
                let (tested, low) = self.comparison(inner, &Op::GtEq, low);
                let high_value = self.expr(high);
                self.compare_kinds(&tested, &Op::LtEq, &high_value, high);
                let aggregate = tested.aggregate || low.aggregate || high_value.aggregate;
                Value {
                    kind: Some(ColumnKind::Boolean),
                    aggregate,
                    ..Value::default()
                }
            }
            Expr::InList {
                expr: inner, list, ..
            } => {
                let tested = self.expr(inner);
                let mut aggregate = tested.aggregate;
                for (at, item) in list.iter().enumerate() {
                    let value = self.expr(item);
                    aggregate |= value.aggregate;
                    if at < COMPARED_ITEMS {
                        self.compare_kinds(&tested, &Op::Eq, &value, item);
                    }
                }
                Value {
                    kind: Some(ColumnKind::Boolean),
                    aggregate,
                    ..Value::default()
                }
            }
            Expr::InSubquery {
                expr: inner,
                subquery,
                ..
            } => {
                let width = match inner.as_ref() {
                    Expr::Tuple(items) => items.len(),
                    _ => 1,
                };
                let tested = self.row(inner);
                let value = self.subquery(subquery, width);
                if width == 1 {
                    self.compare_kinds(&tested, &Op::Eq, &value, inner);
                }
                Value {
                    kind: Some(ColumnKind::Boolean),
                    aggregate: tested.aggregate,
                    ..Value::default()
                }
            }
            Expr::Exists { subquery, .. } => {
                self.query(subquery);
                Value {
                    kind: Some(ColumnKind::Boolean),
                    ..Value::default()
                }
            }
            Expr::Subquery(subquery) => self.subquery(subquery, 1),
            Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner) => self.truth([inner.as_ref()]),
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.truth([left.as_ref(), right.as_ref()])
            }
            Expr::Collate {
                expr: inner,
                collation,
            } => {
                if !self.facts.policy.allows_collation(&collation.to_string()) {
                    let message = format!("there is no collation {collation}");
                    self.error(Code::UnsupportedFunction, collation, message);
                }
                self.expr(inner)
            }
            Expr::Substring {
                expr: inner,
                substring_from,
                substring_for,
                special: true,
                ..
            } => {
                self.check_shadow_of(inner.as_ref(), "substring");
                let parts = [Some(inner), substring_from.as_ref(), substring_for.as_ref()];
                let value = self.truth(parts.into_iter().flatten().map(AsRef::as_ref));
                Value {
                    kind: Some(ColumnKind::Text),
                    ..value
                }
            }
            Expr::Trim {
                trim_where: None,
                trim_what: None,
                expr: inner,
                trim_characters,
            } => {
                let characters = trim_characters.iter().flatten();
                let value = self.truth(std::iter::once(inner.as_ref()).chain(characters));
                Value {
                    kind: Some(ColumnKind::Text),
                    ..value
                }
            }
            other if self.is_postgres() => self.postgres_expr(other),
            other => {
                self.unsupported(other);
                Value::default()
            }
        }
    }

    /// A row value such as `(a, b)`, where one may stand.
    fn row(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Tuple(items) => {
                let values: Vec<_> = items.iter().map(|item| self.expr(item)).collect();
                let aggregate = values.iter().any(|value| value.aggregate);
                Value {
                    aggregate,
                    ..Value::default()
                }
            }
            Expr::Nested(inner) if matches!(inner.as_ref(), Expr::Tuple(_)) => self.row(inner),
            expr => self.expr(expr),
        }
    }

    /// A test whose operands may be anything.
    fn truth<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>) -> Value {
        let values: Vec<_> = operands.into_iter().map(|operand| self.expr(operand)).collect();
        let aggregate = values.iter().any(|value| value.aggregate);
        Value {
            kind: Some(ColumnKind::Boolean),
            aggregate,
            ..Value::default()
        }
    }

    pub(super) fn literal(&mut self, value: &ValueWithSpan) -> Value {
        self.check_backslash(value);
        let own = self.is_postgres().then(|| postgres_literal(value)).flatten();
        let (kind, literal) = match &value.value {
            _ if own.is_some() => own.unwrap_or_default(),
            Sql::Number(number, false) => {
                let whole = number.bytes().all(|digit| digit.is_ascii_digit());
                (
                    Some(if whole {
                        ColumnKind::Integer
                    } else {
                        ColumnKind::Number
                    }),
                    Some(Literal::Number),
                )
            }
            Sql::SingleQuotedString(text) => (Some(ColumnKind::Text), Some(Literal::Text(text.clone()))),
            Sql::HexStringLiteral(_) => (Some(ColumnKind::Blob), None),
            Sql::Boolean(_) => (Some(ColumnKind::Boolean), Some(Literal::Boolean)),
            Sql::Null => (None, Some(Literal::Null)),
            Sql::Placeholder(name) => {
                self.parameter(value, name);
                (None, None)
            }
            other => {
                self.beyond(
                    value,
                    &format!("literal like {other}"),
                    Some("write text in single quotes"),
                );
                (None, None)
            }
        };
        Value {
            kind,
            literal,
            constant: true,
            ..Value::default()
        }
    }

    fn parameter(&mut self, value: &ValueWithSpan, name: &str) {
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse::<usize>().ok());
        if let Some(number) = number.filter(|number| (1..=MAX_PARAMETERS).contains(number)) {
            self.parameters = self.parameters.max(number);
        } else {
            let message = format!("{name} is no parameter here");
            let finding = Finding::error(Code::SqlSyntaxError, self.position(value), message);
            self.report(finding.with_hint("parameters are written $1, $2, …"));
        }
    }

    fn binary(&mut self, whole: &Expr, left: &Expr, op: &Op, right: &Expr) -> Value {
        let (one, other) = match op {
            op if self.is_postgres() && !self.allows(op) => {
                self.operator_refused(whole, op);
                (self.expr(left), self.expr(right))
            }
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => self.comparison(left, op, right),
            Op::Regexp | Op::Match => {
                let message = format!("SQLite has no function behind {op}");
                let finding = Finding::error(Code::UnsupportedFunction, self.position(whole), message);
                self.report(finding.with_hint("use LIKE or GLOB"));
                (self.expr(left), self.expr(right))
            }
            Op::PGLikeMatch | Op::PGILikeMatch | Op::PGNotLikeMatch | Op::PGNotILikeMatch
                if self.is_postgres() =>
            {
                let tested = self.pattern(left, right, None);
                (tested.clone(), tested)
            }
            Op::And
            | Op::Or
            | Op::Plus
            | Op::Minus
            | Op::Multiply
            | Op::Divide
            | Op::Modulo
            | Op::StringConcat
            | Op::Arrow
            | Op::LongArrow
                if self.is_postgres() =>
            {
                (self.expr(left), self.expr(right))
            }
            _ if self.is_postgres() => (self.row(left), self.row(right)),
            known if self.allows(known) => (self.expr(left), self.expr(right)),
            other => {
                self.beyond(whole, &format!("operator {other}"), None);
                (self.expr(left), self.expr(right))
            }
        };
        let kind = match op {
            _ if self.is_postgres() => postgres::operator_kind(op, &one, &other),
            Op::StringConcat => Some(ColumnKind::Text),
            Op::Arrow | Op::LongArrow => None,
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide => match (one.kind, other.kind) {
                (Some(ColumnKind::Integer), Some(ColumnKind::Integer)) => Some(ColumnKind::Integer),
                _ => Some(ColumnKind::Number),
            },
            Op::Modulo
            | Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::PGBitwiseShiftLeft
            | Op::PGBitwiseShiftRight => Some(ColumnKind::Integer),
            _ => Some(ColumnKind::Boolean),
        };
        let (aggregate, constant) = (one.aggregate || other.aggregate, one.constant && other.constant);
        Value {
            kind,
            aggregate,
            constant,
            ..Value::default()
        }
    }

    fn unary(&mut self, whole: &Expr, op: UnaryOperator, inner: &Expr) -> Value {
        let value = self.expr(inner);
        let kind = match op {
            UnaryOperator::Plus | UnaryOperator::Minus => value.kind,
            UnaryOperator::Not => Some(ColumnKind::Boolean),
            UnaryOperator::BitwiseNot => Some(ColumnKind::Integer),
            other if self.is_postgres() && postgres::is_sign(other) => Some(ColumnKind::Number),
            other => {
                self.beyond(whole, &format!("operator {other}"), None);
                None
            }
        };
        let literal = value
            .literal
            .filter(|literal| *literal == Literal::Number && op == UnaryOperator::Minus);
        let (aggregate, constant) = (value.aggregate, value.constant);
        Value {
            kind,
            aggregate,
            literal,
            constant,
            ..Value::default()
        }
    }

    /// Both sides of a comparison; reports kinds that cannot be meant to be compared.
    pub(super) fn comparison(&mut self, left: &Expr, op: &Op, right: &Expr) -> (Value, Value) {
        let width = |expr: &Expr| match expr {
            Expr::Tuple(items) => items.len(),
            _ => 1,
        };
        let side = |resolver: &mut Self, this: &Expr, other: &Expr| match this {
            Expr::Subquery(subquery) => resolver.subquery(subquery, width(other)),
            this => resolver.row(this),
        };
        let before = self.found.len();
        let one = side(self, left, right);
        let other = side(self, right, left);
        if one.aggregate != other.aggregate && (one.place.is_some() || other.place.is_some()) {
            self.needs_subquery(before);
        }
        if one.place.is_some() && one.place == other.place {
            let message = format!("{left} is compared with itself");
            self.report(Finding::warning(
                Code::ConditionWrongCol,
                self.position(left),
                message,
            ));
        }
        self.compare_kinds(&one, op, &other, right);
        self.compare_kinds(&other, op, &one, left);
        (one, other)
    }

    /// Rows that are compared with an aggregate need it as a subquery; HAVING would not help them.
    fn needs_subquery(&mut self, before: usize) {
        let found = self.found[before..].iter_mut().map(|found| &mut found.finding);
        for finding in found.filter(|finding| finding.code == Code::HavingVsWhere) {
            finding.code = Code::SubqueryMissing;
            finding.hint = Some("compute it in a subquery: (SELECT … FROM …)".into());
        }
    }

    /// Reports a comparison of `value` with `other`, which stands at `expr`, if their kinds do not match.
    pub(super) fn compare_kinds(&mut self, value: &Value, op: &Op, other: &Value, expr: &Expr) {
        if self.is_full() {
            return;
        }
        let position = self.position(expr);
        let finding = match self.dialect {
            Dialect::Sqlite => checks::comparison(self.schema, value, op, other, expr, position),
            Dialect::Postgres => checks::strict_comparison(self.schema, value, other, expr, position),
        };
        if let Some(finding) = finding {
            match expr {
                Expr::Value(literal) if finding.repair.is_some() => self.report_at(finding, literal.span),
                _ => self.report(finding),
            }
        }
    }

    /// A subquery where one value, or one row of `width` values, is expected.
    pub(super) fn subquery(&mut self, query: &Query, width: usize) -> Value {
        let relation = self.query(query);
        let Some(outputs) = relation.outputs else {
            return Value::default();
        };
        if outputs.len() != width {
            let message = format!(
                "the subquery returns {} columns where {width} is expected",
                outputs.len()
            );
            self.error(Code::ExtraValuesSelected, query, message);
        }
        match outputs.first() {
            Some(output) if width == 1 => Value {
                kind: output.value.kind,
                origin: output.value.origin,
                ..Value::default()
            },
            _ => Value::default(),
        }
    }
}
