//! Expressions: each becomes SQLite's, with the type that PostgreSQL gives it.

use sqlparser::ast::{BinaryOperator, CaseWhen, CastKind, Expr};

use super::{
    Result, Stop, Translator, Ty,
    alike::alike,
    cast::How,
    literal, parentheses, refuse,
    refusing::too_long,
    scope::{Literal, Typed},
    signatures,
    special_calls::stars_as_values,
    sql_expr::{Case, SqlExpr, chain, collate, infix, list, null, number, prefix, query, text},
    types::{self, Target},
};

/// How deep an expression may be: SQLite's own limit (`SQLITE_LIMIT_EXPR_DEPTH`).
const DEEPEST: usize = 1_000;
/// Conditions in a row that are written from the left, as they are read.
const FROM_THE_LEFT: usize = 100;
/// How long an expression may become, in bytes, and in times of the statement where that is long itself.
const LONGEST: usize = 256 << 10;
const GROWTH: usize = 4;

impl Translator<'_> {
    #[recursive::recursive]
    pub(super) fn expression(&mut self, expression: &Expr) -> Result<Typed> {
        self.depth += 1;
        let done = if self.depth > DEEPEST {
            Err(Stop::Refused(super::too_deep()))
        } else {
            self.expression_within(expression)
        };
        self.depth -= 1;
        // What names an argument twice doubles it on each level: few of them make gigabytes.
        match done {
            Ok(done) if done.expr.length() > LONGEST.max(GROWTH * self.text.len()) => {
                Err(Stop::Refused(too_long()))
            }
            done => done,
        }
    }

    fn expression_within(&mut self, expression: &Expr) -> Result<Typed> {
        if let Some(grouped) = self.as_grouped(expression) {
            return Ok(grouped);
        }
        match expression {
            Expr::Identifier(name) => self.identifier(name),
            Expr::CompoundIdentifier(names) => self.column(names),
            // Where a value stands it is the whole row.
            Expr::QualifiedWildcard(name, _) => {
                let relation = self.row_behind_star(name)?;
                if let ([value], true) = (relation.columns.as_slice(), relation.is_scalar) {
                    return Ok(relation.column(value).named(relation.name.clone()));
                }
                let first = name.0.first().and_then(|part| part.as_ident());
                Ok(self.row_of(&relation).at(first.and_then(|name| self.at(name))))
            }
            Expr::Nested(inner) => {
                let inner = self.expression(inner)?;
                let bare = inner.literal.is_some() || inner.parameter.is_some();
                Ok(if bare {
                    inner
                } else {
                    Typed {
                        expr: parentheses::around(inner.expr.clone()),
                        ..inner
                    }
                })
            }
            Expr::Value(value) => self.value(value),
            Expr::TypedString(typed) => self.typed_string(&typed.data_type, &typed.value),
            Expr::Interval(interval) => self.interval(interval),
            Expr::Array(array) => self.array(array),
            Expr::Cast {
                expr,
                data_type,
                kind,
                ..
            } => {
                let value = match &**expr {
                    Expr::Array(array) if array.elem.is_empty() => Typed {
                        literal: Some(Literal::Text("{}".into())),
                        ..Typed::new(text("{}"), Ty::Unknown).named("array")
                    },
                    inner => self.expression(inner)?,
                };
                let Some(target) = types::target(data_type) else {
                    if let Some(row) = self.cast_to_row(expression)? {
                        return Ok(row);
                    }
                    // SQLite has types of its own, but no `::`.
                    if *kind != CastKind::DoubleColon && types::is_sqlites(&data_type.to_string()) {
                        return Err(Stop::AsItStands);
                    }
                    return Err(self.no_type(data_type, value.position));
                };
                let (name, weak) = match value.name.clone().filter(|_| !value.weak) {
                    Some(name) => (name, false),
                    None => (target.ty.internal().trim_start_matches('_').to_owned(), true),
                };
                let value = if value.ty.is_string() && value.literal.is_some() {
                    Typed {
                        ty: Ty::Unknown,
                        ..value
                    }
                } else {
                    value
                };
                Ok(Typed {
                    weak,
                    ..self.convert(value, target, How::Explicit)?.named(name)
                })
            }
            Expr::UnaryOp { op, expr } => self.unary(*op, expr),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::IsNull(inner) | Expr::IsNotNull(inner) if super::rows::values(inner).is_some() => {
                let test = if matches!(expression, Expr::IsNull(_)) {
                    "IS"
                } else {
                    "IS NOT"
                };
                self.row_is(&super::rows::values(inner).unwrap_or_default(), test)
            }
            Expr::IsNull(inner) => self.is_null(inner, "IS"),
            Expr::IsNotNull(inner) => self.is_null(inner, "IS NOT"),
            Expr::IsTrue(inner) => self.is(inner, ("IS", number(1)), Some("IS")),
            Expr::IsNotTrue(inner) => self.is(inner, ("IS NOT", number(1)), Some("IS NOT")),
            Expr::IsFalse(inner) => self.is(inner, ("IS", number(0)), Some("IS")),
            Expr::IsNotFalse(inner) => self.is(inner, ("IS NOT", number(0)), Some("IS NOT")),
            Expr::IsUnknown(inner) => self.is(inner, ("IS", null()), Some("IS NULL")),
            Expr::IsNotUnknown(inner) => self.is(inner, ("IS NOT", null()), Some("IS NOT NULL")),
            Expr::IsDistinctFrom(left, right) => self.distinct(left, right, "IS NOT"),
            Expr::IsNotDistinctFrom(left, right) => self.distinct(left, right, "IS"),
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => self.case(operand.as_deref(), conditions, else_result.as_deref()),
            Expr::Function(function) => {
                let function = &*stars_as_values(function);
                match self.populated_row(function)? {
                    Some(row) => Ok(row),
                    None => self.function(function),
                }
            }
            Expr::Collate { expr, collation } => {
                let value = self.expression(expr)?;
                self.check_collation(collation, value.ty)?;
                Ok(Typed {
                    expr: collate(list([value.expr]), "BINARY"),
                    ..value
                })
            }
            Expr::Subquery(query) => self.scalar(query),
            Expr::Exists { subquery, negated } => {
                let rows = query(self.subquery(subquery)?.0);
                Ok(if *negated {
                    Typed::new(prefix("NOT EXISTS", rows), Ty::Bool)
                } else {
                    Typed::new(prefix("EXISTS", rows), Ty::Bool).named("exists")
                })
            }
            Expr::CompoundFieldAccess { root, access_chain } => self.within(root, access_chain),
            Expr::Tuple(values) => self.row_value(values),
            other => self.condition(other),
        }
    }

    /// An expression that the query groups by, which its columns may not be asked for by themselves.
    fn as_grouped(&mut self, expression: &Expr) -> Option<Typed> {
        let simple = matches!(
            expression,
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) | Expr::Nested(_)
        );
        if simple || self.aggregates > 0 || self.tries > 2 {
            return None;
        }
        let scope = self.scopes.last_mut()?;
        let grouped = scope.grouped.take()?;
        let absent = std::mem::take(&mut scope.absent);
        self.tries += 1;
        let found = self.expression(expression);
        self.tries -= 1;
        self.scopes.last_mut()?.absent = absent;
        let found = found.ok();
        let Some(scope) = self.scopes.last_mut() else {
            return found;
        };
        let found = found.and_then(|found| {
            if scope.absent.contains(&found.expr) {
                return Some(super::scope::absent(found));
            }
            let is_it = |key: &SqlExpr| alike(key, &found.expr, scope.unnamed);
            grouped.iter().any(is_it).then_some(found)
        });
        scope.grouped = Some(grouped);
        found
    }

    /// A condition: what is no boolean is refused.
    pub(super) fn truth(&mut self, expression: &Expr, clause: &str) -> Result<SqlExpr> {
        let plain = match clause {
            "WHERE" => Some("WHERE"),
            "JOIN/ON" => Some("JOIN conditions"),
            _ => None,
        };
        let outside = std::mem::replace(&mut self.plain_clause, plain);
        let value = self.expression(expression);
        self.plain_clause = outside;
        let value = value?;
        self.boolean(value, clause).map(|value| value.expr)
    }

    pub(super) fn boolean(&mut self, value: Typed, clause: &str) -> Result<Typed> {
        match value.ty {
            Ty::Bool | Ty::Dynamic => Ok(value),
            Ty::Unknown => self.implicitly(value, Ty::Bool),
            other => refuse(
                "42804",
                format!(
                    "argument of {clause} must be type boolean, not type {}",
                    other.shown()
                ),
                value.position,
            ),
        }
    }

    fn is_null(&mut self, inner: &Expr, test: &'static str) -> Result<Typed> {
        match self.whole_row_is(inner, test) {
            Some(whole) => Ok(whole),
            None => self.is(inner, (test, null()), None),
        }
    }

    /// `IS`, of a boolean where a clause wants one.
    fn is(&mut self, inner: &Expr, (test, what): (&str, SqlExpr), clause: Option<&str>) -> Result<Typed> {
        let value = self.expression(inner)?;
        let value = match clause {
            Some(clause) => self.boolean(value, clause)?,
            None => value,
        };
        Ok(Typed::new(infix(value.expr, test, what), Ty::Bool))
    }

    fn distinct(&mut self, left: &Expr, right: &Expr, operator: &str) -> Result<Typed> {
        if super::rows::values(left).is_some() {
            return self.comparison(left, operator, right);
        }
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        let (left, right) = self.alike(left, right, "=")?;
        let sides = Typed::comparable(&[left, right]);
        Ok(Typed::new(chain(operator, sides), Ty::Bool))
    }

    pub(super) fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<Typed> {
        use BinaryOperator as Op;
        let name = match op {
            Op::And | Op::Or => {
                let word = if *op == Op::And { "AND" } else { "OR" };
                let mut conditions = vec![];
                for condition in chained(left, op, right) {
                    conditions.push(self.truth(condition, word)?);
                }
                return Ok(Typed::new(joined(conditions, word), Ty::Bool));
            }
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {
                return self.comparison(left, &op.to_string(), right);
            }
            Op::Overlaps => return self.overlaps(left, right),
            Op::PGLikeMatch => return self.like(left, right, None, (false, false)),
            Op::PGILikeMatch => return self.like(left, right, None, (true, false)),
            Op::PGNotLikeMatch => return self.like(left, right, None, (false, true)),
            Op::PGNotILikeMatch => return self.like(left, right, None, (true, true)),
            Op::Match | Op::Regexp | Op::Glob | Op::Assignment => return Err(Stop::AsItStands),
            Op::PGCustomBinaryOperator(parts) => parts.last().cloned().unwrap_or_default(),
            Op::Custom(name) => name.clone(),
            other => other.to_string(),
        };
        match name.as_str() {
            "==" => return Err(Stop::AsItStands),
            "=" | "<>" | "<" | "<=" | ">" | ">=" => return self.comparison(left, &name, right),
            "~~" | "!~~" | "~~*" | "!~~*" => {
                return self.like(left, right, None, (name.ends_with('*'), name.starts_with('!')));
            }
            _ => {}
        }
        let nonzero = literal::is_nonzero(parentheses::peeled(right));
        let (mut left, right) = (self.expression(left)?, self.expression(right)?);
        if matches!(name.as_str(), "~" | "~*" | "!~" | "!~*") {
            left = self.matched(left)?;
        }
        if nonzero && matches!(name.as_str(), "/" | "%") && left.ty.is_integer() && right.ty.is_integer() {
            let ty = if left.ty == Ty::Int8 { left.ty } else { right.ty };
            return Ok(Typed::new(infix(left.expr, name, right.expr), ty));
        }
        self.operate(&name, &name, vec![left, right])
    }

    /// An operator of the list. `shown` is what errors call it.
    pub(super) fn operate(&mut self, name: &str, shown: &str, operands: Vec<Typed>) -> Result<Typed> {
        let types: Vec<Ty> = operands.iter().map(|operand| operand.ty).collect();
        let position = operands.iter().find_map(|operand| operand.position);
        let chosen = match types.as_slice() {
            [left, right] => signatures::choose_operator(name, *left, *right),
            _ => signatures::choose(name, &types),
        };
        let Some(chosen) = chosen else {
            if types.contains(&Ty::Dynamic) && matches!(name, "+" | "-" | "*" | "/" | "%" | "||") {
                let part = if name == "||" {
                    Typed::plain
                } else {
                    Typed::reckoned
                };
                let parts: Vec<SqlExpr> = operands.iter().map(part).collect();
                return Ok(Typed::by_values(chain(name, parts)));
            }
            super::refusing::json_path(shown, operands.first().and_then(|operand| operand.position))?;
            let what = match types.as_slice() {
                [one] => format!("{shown} {}", one.shown()),
                [one, other] => format!("{} {shown} {}", one.shown(), other.shown()),
                _ => shown.to_owned(),
            };
            let hint = if types.len() == 1 {
                "No operator matches the given name and argument type. You might need to add an explicit type cast."
            } else {
                "No operator matches the given name and argument types. You might need to add explicit type casts."
            };
            return Err(Stop::Refused(super::Refusal {
                sqlstate: "42883",
                message: format!("operator does not exist: {what}"),
                detail: None,
                hint: Some(hint.into()),
                position,
            }));
        };
        if types.contains(&Ty::Dynamic) && types.len() == 2 && matches!(name, "+" | "-" | "*" | "/" | "%") {
            let parts: Vec<SqlExpr> = operands.iter().map(Typed::reckoned).collect();
            return Ok(Typed::by_values(chain(name, parts)));
        }
        self.is_by_settings |= chosen.signature.is_by_settings;
        let mut arguments = vec![];
        for (at, (operand, wanted)) in operands.into_iter().zip(&chosen.arguments).enumerate() {
            // What is put to a text is shown as one.
            let (ty, how) = match chosen.signature.arguments.get(at) {
                Some(Ty::Any) if name == "||" => (Ty::Text, How::Explicit),
                _ => (*wanted, How::Implicit),
            };
            arguments.push(self.convert(operand, Target { ty, modifier: None }, how)?.full());
        }
        let expr = chosen.signature.template.filled(&arguments, chosen.first());
        Ok(Typed::new(expr, chosen.result).at(position))
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        whens: &[CaseWhen],
        otherwise: Option<&Expr>,
    ) -> Result<Typed> {
        let mut results = vec![];
        let mut conditions = vec![];
        for when in whens {
            conditions.push(match operand {
                Some(operand) => self.comparison(operand, "=", &when.condition)?.expr,
                None => self.truth(&when.condition, "CASE/WHEN")?,
            });
            results.push(self.expression(&when.result)?);
        }
        let otherwise = otherwise.map(|value| self.expression(value)).transpose()?;
        // Its column is called after what stands behind ELSE, where that has a name that is more than its type's.
        let strong = otherwise.as_ref().filter(|value| !value.weak);
        let name = strong.and_then(|value| value.name.clone());
        let has_else = otherwise.is_some();
        results.extend(otherwise);
        // What stands behind ELSE tells the type first.
        results.rotate_right(usize::from(has_else));
        let ty = Self::common("CASE", &results)?;
        results.rotate_left(usize::from(has_else));
        let modifier = literal::modifier_of_all(&results, ty);
        let mut values = vec![];
        for value in results {
            values.push(
                self.convert(value, Target { ty, modifier: None }, How::Implicit)?
                    .full(),
            );
        }
        let otherwise = has_else.then(|| values.pop()).flatten();
        let case = Case {
            operand: None,
            whens: conditions.into_iter().zip(values).collect(),
            otherwise,
        };
        Ok(Typed {
            weak: name.is_none(),
            modifier,
            ..Typed::new(list([case.end()]), ty).named(name.unwrap_or_else(|| "case".into()))
        })
    }
}

/// The conditions that AND or OR connects, without walking down the tree that the parser makes of them.
fn chained<'e>(mut left: &'e Expr, op: &BinaryOperator, right: &'e Expr) -> Vec<&'e Expr> {
    let mut conditions = vec![right];
    while let Expr::BinaryOp {
        left: first,
        op: inner,
        right,
    } = left
        && inner == op
    {
        conditions.push(right);
        left = first;
    }
    conditions.push(left);
    conditions.reverse();
    conditions
}

/// Conditions in one. Many are halved, since SQLite's limit is on the depth of the tree.
fn joined(mut conditions: Vec<SqlExpr>, word: &str) -> SqlExpr {
    if conditions.len() > FROM_THE_LEFT {
        let right = conditions.split_off(conditions.len() / 2);
        return infix(joined(conditions, word), word, joined(right, word));
    }
    let both = |left, right| infix(left, word, right);
    conditions.into_iter().reduce(both).unwrap_or_else(null)
}
