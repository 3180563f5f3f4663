//! What a query would call or take without saying so: functions and operators that the database has put in place of
//! built-in ones, series and recursions without a near end.

use std::borrow::Cow;

use sqlparser::ast::{
    BinaryOperator, Cte, Expr, FunctionArg, FunctionArgExpr, Ident, JoinConstraint, ObjectName, Select,
    SetExpr, TableFactor, UnaryOperator, Value as Sql,
};

use super::{Code, Finding, Resolver};
use crate::question::validator::{
    start::Start,
    walk::{any_expr, join_constraint},
};

impl Resolver<'_> {
    /// A built-in function by its name alone, where the database has one of its own that may be meant.
    pub(super) fn check_shadow(&mut self, name: &ObjectName, called: &str) {
        let [part] = name.0.as_slice() else { return };
        let Some(ident) = part.as_ident() else { return };
        let Some(what) = self.schema.shadowed.functions.get(called) else {
            return;
        };
        let message = format!("{called} may mean {what}");
        let finding = Finding::error(Code::Forbidden, self.position(ident), message);
        let repair = format!("pg_catalog.{called}");
        let finding = finding.with_hint(format!("write {repair}")).with_repair(repair);
        self.report_at(finding, ident.span);
    }

    /// The same for a function that the grammar knows and calls by its name alone.
    pub(super) fn check_shadow_of(&mut self, at: &impl Start, called: &str) {
        if let Some(what) = self.schema.shadowed.functions.get(called) {
            let message = format!("{called} may mean {what}");
            self.error(Code::Forbidden, at, message);
        }
    }

    /// The operators behind an expression, where the database has some of its own.
    pub(super) fn check_operators(&mut self, expr: &Expr) {
        if self.schema.shadowed.operators.is_empty() {
            return;
        }
        for operator in operators_of(expr) {
            self.check_operator(expr, &operator);
        }
    }

    pub(super) fn check_operator(&mut self, at: &impl Start, operator: &str) {
        if let Some(what) = self.schema.shadowed.operators.get(operator) {
            let message = format!("the operator {operator} may mean {what}");
            self.error(Code::Forbidden, at, message);
        }
    }

    /// PostgreSQL has no alias in single quotes: behind a name, such a text makes a type of the name.
    pub(super) fn check_alias(&mut self, alias: &Ident) {
        if self.is_postgres() && alias.quote_style == Some('\'') {
            let repair = format!("\"{}\"", alias.value.replace('"', "\"\""));
            let finding = Finding::error(
                Code::SqlSyntaxError,
                self.position(alias),
                "a name in single quotes",
            );
            let finding = finding
                .with_hint("names are written in double quotes")
                .with_repair(repair);
            self.report_at(finding, alias.span);
        }
    }

    /// A series whose bounds stand in the text must not be endless.
    pub(super) fn check_series(&mut self, at: &impl Start, called: &str, args: &[FunctionArg]) {
        if called != "generate_series" {
            return;
        }
        let numbers: Option<Vec<f64>> = args.iter().map(number).collect();
        let most = self.facts.policy.longest_series;
        let values = match numbers.as_deref() {
            Some([from, to]) => to - from,
            Some([from, to, step]) if *step != 0.0 => (to - from) / step,
            _ => return,
        };
        // Bounds that are no numbers give none.
        if values.is_nan() || values >= most {
            let message = format!("a series of more than {most} values");
            self.error(Code::Forbidden, at, message);
        }
    }

    /// A common table expression that reads itself needs a condition by which that comes to an end.
    pub(super) fn check_recursion(&mut self, cte: &Cte) {
        let limited = cte.query.limit_clause.is_some() || cte.query.fetch.is_some();
        if limited || ends(&cte.query.body) {
            return;
        }
        let name = &cte.alias.name;
        let finding = Finding::error(
            Code::Forbidden,
            self.position(name),
            format!("the recursion of {name} has no end"),
        );
        self.report(finding.with_hint("give the part that reads itself a WHERE with a bound"));
    }
}

/// True if every SELECT behind the first has a condition that names something.
fn ends(body: &SetExpr) -> bool {
    let mut rest = body;
    while let SetExpr::SetOperation { left, right, .. } = rest {
        if !is_bounded(right) {
            return false;
        }
        rest = left;
    }
    true
}

fn is_bounded(part: &SetExpr) -> bool {
    match part {
        SetExpr::Select(select) => has_condition(select),
        SetExpr::Query(query) => {
            query.limit_clause.is_some() || query.fetch.is_some() || is_bounded(&query.body)
        }
        SetExpr::SetOperation { left, right, .. } => is_bounded(left) && is_bounded(right),
        // VALUES read nothing; what else there is, is refused.
        _ => true,
    }
}

fn has_condition(select: &Select) -> bool {
    let conditions = select.selection.iter().chain(&select.having);
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let mut constraints = joins.filter_map(|join| join_constraint(&join.join_operator));
    let joined = constraints.any(|constraint| match constraint {
        JoinConstraint::On(condition) => names_something(condition),
        JoinConstraint::Using(_) | JoinConstraint::Natural => true,
        JoinConstraint::None => false,
    });
    let derived = select.from.iter().any(|item| match &item.relation {
        TableFactor::Derived { subquery, .. } => {
            subquery.limit_clause.is_some() || is_bounded(&subquery.body)
        }
        _ => false,
    });
    joined || derived || conditions.into_iter().any(names_something)
}

/// True for a condition that is not the same for every row.
fn names_something(condition: &Expr) -> bool {
    any_expr(condition, &|expr| {
        matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
    })
}

fn number(arg: &FunctionArg) -> Option<f64> {
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = arg else {
        return None;
    };
    literal_number(expr)
}

fn literal_number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Sql::Number(number, _) => number.replace('_', "").parse().ok(),
            Sql::SingleQuotedString(text) => text.trim().parse().ok(),
            _ => None,
        },
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => literal_number(expr).map(|number| -number),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => literal_number(inner),
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (literal_number(left)?, literal_number(right)?);
            match op {
                BinaryOperator::Plus => Some(left + right),
                BinaryOperator::Minus => Some(left - right),
                BinaryOperator::Multiply => Some(left * right),
                BinaryOperator::Divide => Some(left / right),
                BinaryOperator::PGExp => Some(left.powf(right)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The operators that PostgreSQL looks for by name where an expression of this kind stands.
fn operators_of(expr: &Expr) -> Vec<Cow<'static, str>> {
    let known = |names: &[&'static str]| names.iter().map(|name| Cow::Borrowed(*name)).collect();
    match expr {
        Expr::BinaryOp { op, .. }
        | Expr::AnyOp { compare_op: op, .. }
        | Expr::AllOp { compare_op: op, .. } => vec![Cow::Owned(op.to_string())],
        Expr::UnaryOp { op, .. } => vec![Cow::Owned(op.to_string())],
        Expr::Like { .. } => known(&["~~", "!~~"]),
        Expr::ILike { .. } => known(&["~~*", "!~~*"]),
        Expr::SimilarTo { .. } => known(&["~", "!~"]),
        Expr::Between { .. } => known(&[">=", "<=", "<", ">"]),
        Expr::InList { .. }
        | Expr::InSubquery { .. }
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::Case { operand: Some(_), .. } => known(&["=", "<>"]),
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("nullif") => known(&["="]),
        _ => vec![],
    }
}
