//! The types of expressions, and of the parameters in them.

use sqlparser::ast::{
    BinaryOperator, CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
    Value,
};

use super::{DEEPEST, Inference, common, either, functions, relations::Scope, widened};
use crate::{backend::SqlType, sqlite::decltype};

/// The name by which a query around it knows an expression without an alias.
pub(super) fn name(expression: &Expr) -> String {
    match expression {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.clone()).unwrap_or_default(),
        other => other.to_string(),
    }
}

impl Inference<'_> {
    /// An expression whose value goes where this type is wanted.
    pub(super) fn expected(&mut self, expression: &Expr, wanted: Option<SqlType>, scope: &Scope) {
        match (parameter(expression), wanted) {
            (Some(number), Some(wanted)) => {
                self.parameters.entry(number).or_insert(wanted);
            }
            _ => {
                self.expression(expression, scope);
            }
        }
    }

    /// The type of an expression; walks all of it, for the parameters.
    pub(super) fn expression(&mut self, expression: &Expr, scope: &Scope) -> Option<SqlType> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let ty = self.typed(expression, scope);
        self.depth -= 1;
        ty
    }

    fn typed(&mut self, expression: &Expr, scope: &Scope) -> Option<SqlType> {
        match expression {
            Expr::Identifier(name) => scope.column(None, &name.value),
            Expr::CompoundIdentifier(names) => match names.as_slice() {
                [.., relation, column] => scope.column(Some(&relation.value), &column.value),
                _ => None,
            },
            Expr::Value(value) => match parameter(expression) {
                Some(number) => {
                    let declared = self.declared.get(number.checked_sub(1)?).copied().flatten();
                    declared.map(widened)
                }
                None => literal(&value.value),
            },
            Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => self.expression(inner, scope),
            Expr::UnaryOp { op, expr } => {
                let ty = self.expression(expr, scope);
                match op {
                    UnaryOperator::Not => Some(SqlType::Bool),
                    UnaryOperator::BitwiseNot => Some(SqlType::Int8),
                    _ => ty.filter(|ty| is_number(*ty)),
                }
            }
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right, scope),
            Expr::Cast { expr, data_type, .. } => {
                let declared = data_type.to_string();
                self.expected(expr, decltype::sql_type(&declared), scope);
                cast(&declared)
            }
            Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner) => {
                self.expression(inner, scope);
                Some(SqlType::Bool)
            }
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                Some(self.compared(left, &[right], scope))
            }
            Expr::InList { expr, list, .. } => {
                Some(self.compared(expr, &list.iter().collect::<Vec<_>>(), scope))
            }
            Expr::Between { expr, low, high, .. } => Some(self.compared(expr, &[low, high], scope)),
            Expr::InSubquery { expr, subquery, .. } => {
                let wanted = self.query(subquery, scope).and_then(|columns| columns.first()?.1);
                self.expected(expr, wanted, scope);
                Some(SqlType::Bool)
            }
            Expr::Exists { subquery, .. } => {
                self.query(subquery, scope);
                Some(SqlType::Bool)
            }
            Expr::Subquery(query) => self.query(query, scope).and_then(|columns| columns.first()?.1),
            Expr::Like { expr, pattern, .. }
            | Expr::ILike { expr, pattern, .. }
            | Expr::RLike { expr, pattern, .. } => {
                self.expected(expr, Some(SqlType::Text), scope);
                self.expected(pattern, Some(SqlType::Text), scope);
                Some(SqlType::Bool)
            }
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => self.case(operand.as_deref(), conditions, else_result.as_deref(), scope),
            Expr::Function(function) => self.function(function, scope),
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                ..
            } => {
                self.expected(expr, Some(SqlType::Text), scope);
                for count in [substring_from, substring_for].into_iter().flatten() {
                    self.expected(count, Some(SqlType::Int8), scope);
                }
                Some(SqlType::Text)
            }
            Expr::Trim { expr, .. } => {
                self.expected(expr, Some(SqlType::Text), scope);
                Some(SqlType::Text)
            }
            Expr::Ceil { expr, .. } | Expr::Floor { expr, .. } => {
                self.expression(expr, scope).filter(|ty| is_number(*ty))
            }
            Expr::Tuple(values) => {
                for value in values {
                    self.expression(value, scope);
                }
                None
            }
            _ => None,
        }
    }

    /// Values compared with each other: a parameter has the type of what it is compared with.
    fn compared(&mut self, one: &Expr, others: &[&Expr], scope: &Scope) -> SqlType {
        let known = std::iter::once(one)
            .chain(others.iter().copied())
            .filter(|expression| parameter(expression).is_none())
            .map(|expression| self.expression(expression, scope))
            .fold(None, Option::or);
        for expression in std::iter::once(one).chain(others.iter().copied()) {
            if parameter(expression).is_some() {
                self.expected(expression, known, scope);
            }
        }
        SqlType::Bool
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr, scope: &Scope) -> Option<SqlType> {
        use BinaryOperator::{
            And, Arrow, BitwiseAnd, BitwiseOr, Divide, Eq, Gt, GtEq, Lt, LtEq, Minus, Modulo, Multiply,
            NotEq, Or, PGBitwiseShiftLeft, PGBitwiseShiftRight, Plus, StringConcat,
        };
        match op {
            Eq | NotEq | Lt | LtEq | Gt | GtEq => Some(self.compared(left, &[right], scope)),
            Plus | Minus | Multiply | Divide | Modulo => {
                let (one, other) = (self.expression(left, scope), self.expression(right, scope));
                for (side, other) in [(left, other), (right, one)] {
                    if parameter(side).is_some() {
                        self.expected(side, other.filter(|ty| is_number(*ty)), scope);
                    }
                }
                let number = |ty: SqlType| match ty {
                    SqlType::Bool => Some(SqlType::Int8),
                    ty => Some(ty).filter(|ty| is_number(*ty)),
                };
                either(one.and_then(number), other.and_then(number))
            }
            StringConcat => {
                self.expected(left, Some(SqlType::Text), scope);
                self.expected(right, Some(SqlType::Text), scope);
                Some(SqlType::Text)
            }
            other => {
                self.expression(left, scope);
                self.expression(right, scope);
                match other {
                    And | Or => Some(SqlType::Bool),
                    BitwiseAnd | BitwiseOr | PGBitwiseShiftLeft | PGBitwiseShiftRight => Some(SqlType::Int8),
                    Arrow => Some(SqlType::Json),
                    // `->>` among them yields whatever the document holds there.
                    _ => None,
                }
            }
        }
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        otherwise: Option<&Expr>,
        scope: &Scope,
    ) -> Option<SqlType> {
        if let Some(operand) = operand {
            let whens: Vec<&Expr> = conditions.iter().map(|when| &when.condition).collect();
            self.compared(operand, &whens, scope);
        } else {
            for when in conditions {
                self.expression(&when.condition, scope);
            }
        }
        let results: Vec<&Expr> = conditions
            .iter()
            .map(|when| &when.result)
            .chain(otherwise)
            .collect();
        self.alternatives(&results, scope)
    }

    /// True for a parameter that the client declares no type of: it takes the type that its place has.
    fn is_untyped(&self, expression: &Expr) -> bool {
        parameter(expression).is_some_and(|number| {
            let declared = number.checked_sub(1).and_then(|at| self.declared.get(at));
            declared.copied().flatten().is_none()
        })
    }

    /// One of several values; NULL fits every type.
    fn alternatives(&mut self, values: &[&Expr], scope: &Scope) -> Option<SqlType> {
        let types: Vec<Option<SqlType>> = values
            .iter()
            .filter(|value| !matches!(value, Expr::Value(value) if value.value == Value::Null))
            .filter(|value| !self.is_untyped(value))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|value| self.expression(value, scope))
            .collect();
        let all: Option<Vec<SqlType>> = types.into_iter().collect();
        let ty = all.and_then(|types| types.into_iter().reduce(common));
        // The others have been walked through, each of which would be twice as much work one level further in.
        for value in values.iter().filter(|value| parameter(value).is_some()) {
            self.expected(value, ty, scope);
        }
        ty
    }

    fn function(&mut self, function: &Function, scope: &Scope) -> Option<SqlType> {
        let name = function.name.0.last()?.as_ident()?.value.to_ascii_lowercase();
        if let Some(filter) = &function.filter {
            self.expression(filter, scope);
        }
        let arguments: Vec<&Expr> = match &function.args {
            FunctionArguments::List(list) => list
                .args
                .iter()
                .filter_map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(expression),
                    _ => None,
                })
                .collect(),
            _ => vec![],
        };
        match functions::result(&name, arguments.len()) {
            functions::Result::Always(ty) => {
                for argument in arguments {
                    self.expression(argument, scope);
                }
                Some(ty)
            }
            functions::Result::FirstArgument => {
                let types: Vec<_> = arguments
                    .iter()
                    .map(|argument| self.expression(argument, scope))
                    .collect();
                types.first().copied().flatten()
            }
            functions::Result::Sum => match self.expression(arguments.first()?, scope)? {
                SqlType::Bool | SqlType::Int8 => Some(SqlType::Int8),
                SqlType::Numeric => Some(SqlType::Numeric),
                SqlType::Float8 => Some(SqlType::Float8),
                // The sum of texts is whatever number they begin with.
                _ => None,
            },
            functions::Result::AnyArgument => self.alternatives(&arguments, scope),
            functions::Result::LaterArguments => {
                self.expression(arguments.first()?, scope);
                self.alternatives(&arguments[1..], scope)
            }
            functions::Result::Unknown => {
                for argument in arguments {
                    self.expression(argument, scope);
                }
                None
            }
        }
    }
}

/// The number of a parameter: `$2`, `?2`.
fn parameter(expression: &Expr) -> Option<usize> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(name) => name.get(1..)?.parse().ok(),
            _ => None,
        },
        Expr::Nested(inner) => parameter(inner),
        _ => None,
    }
}

fn literal(value: &Value) -> Option<SqlType> {
    Some(match value {
        Value::Number(digits, _) if digits.parse::<i64>().is_ok() => SqlType::Int8,
        Value::Number(..) => SqlType::Float8,
        Value::SingleQuotedString(_) => SqlType::Text,
        Value::HexStringLiteral(_) => SqlType::Bytea,
        Value::Boolean(_) => SqlType::Bool,
        // `"x"` is a string to SQLite where there is no column of that name; `"x"` as a name comes elsewhere.
        _ => return None,
    })
}

/// What SQLite's CAST yields: it knows affinities, not types, so a cast to DATE is arithmetic.
fn cast(declared: &str) -> Option<SqlType> {
    match decltype::sql_type(declared)? {
        SqlType::Bool
        | SqlType::Date
        | SqlType::Time
        | SqlType::Timestamp
        | SqlType::Timestamptz
        | SqlType::Json
        | SqlType::Jsonb
        | SqlType::Uuid => None,
        ty => Some(ty),
    }
}

fn is_number(ty: SqlType) -> bool {
    matches!(ty, SqlType::Int8 | SqlType::Float8 | SqlType::Numeric)
}
