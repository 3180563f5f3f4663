//! Functions that give rows in the select list of a query with aggregates or windows: PostgreSQL steps through them behind these.
//! What they are given is worked out in a query of its own then, as is all that stands beside them.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{
        Distinct, Expr, Function, GroupByExpr, Ident, Select, SelectItem, SetExpr, TableAliasColumnDef,
        TableFactor, Value, Visit, VisitMut, Visitor, VisitorMut,
    },
    dialect::PostgreSqlDialect,
};

use super::{
    Refusal, Result, Stop, Translator,
    parentheses::peeled,
    select::set_name,
    signatures::{self, FunctionKind},
};
use crate::statement::grammar;

/// Looks for calls of a kind, of which those of queries inside are none.
struct Calls<'k> {
    queries: usize,
    is_meant: &'k dyn Fn(&Function) -> bool,
}

impl Visitor for Calls<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        match expression {
            Expr::Function(function) if self.queries == 0 && (self.is_meant)(function) => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

fn has(expression: &Expr, is_meant: &dyn Fn(&Function) -> bool) -> bool {
    let mut calls = Calls { queries: 0, is_meant };
    expression.visit(&mut calls).is_break()
}

fn gives_rows(expression: &Expr) -> bool {
    has(expression, &|function| set_name(function).is_some())
}

fn is_over_rows(function: &Function) -> bool {
    let name = function.name.0.last().and_then(|part| part.as_ident());
    let kind = name.and_then(|name| signatures::kind(&super::folded(name)));
    function.over.is_some() || kind == Some(FunctionKind::Aggregate)
}

/// An aggregate or a window gets one value of each row.
fn refuse_inside(expression: &Expr) -> Result<()> {
    let takes_rows =
        |function: &Function| is_over_rows(function) && gives_rows(&Expr::Function(function.clone()));
    let of_window = |function: &Function| function.over.is_some() && takes_rows(function);
    if !has(expression, &takes_rows) {
        return Ok(());
    }
    let what = if has(expression, &of_window) {
        "window"
    } else {
        "aggregate"
    };
    Err(Stop::Refused(Refusal {
        sqlstate: "0A000",
        message: format!("{what} function calls cannot contain set-returning function calls"),
        detail: None,
        hint: Some("You might be able to move the set-returning function into a LATERAL FROM item.".into()),
        position: None,
    }))
}

/// Looks for a call that gives rows within one of several values, of which one at most is worked out.
#[derive(Default)]
struct InChoice {
    queries: usize,
    choices: Vec<&'static str>,
}

fn choice(expression: &Expr) -> Option<&'static str> {
    match expression {
        Expr::Case { .. } => Some("CASE"),
        Expr::Function(call) if call.name.to_string().eq_ignore_ascii_case("coalesce") => Some("COALESCE"),
        _ => None,
    }
}

impl Visitor for InChoice {
    type Break = (&'static str, Option<Ident>);

    fn pre_visit_query(&mut self, _: &sqlparser::ast::Query) -> ControlFlow<Self::Break> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &sqlparser::ast::Query) -> ControlFlow<Self::Break> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<Self::Break> {
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        if let (Expr::Function(function), Some(choice)) = (expression, self.choices.last())
            && set_name(function).is_some()
        {
            let name = function.name.0.last().and_then(|part| part.as_ident());
            return ControlFlow::Break((*choice, name.cloned()));
        }
        self.choices.extend(choice(expression));
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expression: &Expr) -> ControlFlow<Self::Break> {
        if self.queries == 0 && choice(expression).is_some() {
            self.choices.pop();
        }
        ControlFlow::Continue(())
    }
}

/// Puts names of columns for what is worked out before.
struct Places {
    prefix: String,
    /// What each column is.
    columns: Vec<SelectItem>,
}

impl Places {
    fn name(&self, at: usize) -> Ident {
        Ident::with_quote('"', format!("{}:{at}", self.prefix))
    }
}

impl VisitorMut for Places {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        let is_own = matches!(&*expression, Expr::Identifier(name) if name.value.starts_with(&self.prefix));
        let is_constant = matches!(peeled(expression), Expr::Value(_) | Expr::TypedString(_));
        if !(is_own || is_constant || gives_rows(expression)) {
            let place = Expr::Identifier(self.name(self.columns.len()));
            let whole = std::mem::replace(expression, place);
            self.columns.push(SelectItem::UnnamedExpr(whole));
        }
        ControlFlow::Continue(())
    }
}

/// What an item without a name of its own is called.
fn called(expression: &Expr) -> String {
    match expression {
        Expr::Identifier(name) => super::folded(name),
        Expr::CompoundIdentifier(names) => names.last().map(super::folded).unwrap_or_default(),
        Expr::Function(function) => match function.name.0.last().and_then(|part| part.as_ident()) {
            Some(name) => super::folded(name),
            None => "?column?".to_owned(),
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => called(inner),
        _ => "?column?".to_owned(),
    }
}

impl Translator<'_> {
    fn refuse_in_choice(&self, item: &SelectItem) -> Result<()> {
        let ControlFlow::Break((choice, name)) = item.visit(&mut InChoice::default()) else {
            return Ok(());
        };
        Err(Stop::Refused(Refusal {
            sqlstate: "0A000",
            message: format!("set-returning functions are not allowed in {choice}"),
            detail: None,
            hint: Some(
                "You might be able to move the set-returning function into a LATERAL FROM item.".into(),
            ),
            position: name.and_then(|name| self.at(&name)),
        }))
    }

    /// Such a query as one that reads another; `None` where it is none.
    pub(super) fn rows_made_apart(&mut self, select: &Select) -> Result<Option<Select>> {
        for item in &select.projection {
            self.refuse_in_choice(item)?;
        }
        let mut expressions = vec![];
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    expressions.push(expr);
                }
                _ => return Ok(None),
            }
        }
        let GroupByExpr::Expressions(keys, _) = &select.group_by else {
            return Ok(None);
        };
        if !expressions.iter().any(|item| gives_rows(item))
            || matches!(select.distinct, Some(Distinct::On(_)))
        {
            return Ok(None);
        }
        // By such a key rows are made before they are grouped.
        let is_made = |key: &Expr| match peeled(key) {
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) => {
                    let at = digits.parse::<usize>().ok().and_then(|at| at.checked_sub(1));
                    at.and_then(|at| expressions.get(at))
                        .is_some_and(|item| gives_rows(item))
                }
                _ => false,
            },
            Expr::Identifier(name) => select.projection.iter().any(|item| {
                matches!(item, SelectItem::ExprWithAlias { expr, alias }
                    if super::folded(alias) == super::folded(name) && gives_rows(expr))
            }),
            key => gives_rows(key),
        };
        for item in &expressions {
            refuse_inside(item)?;
        }
        let is_grouped = !keys.is_empty() || select.having.is_some();
        let is_over = is_grouped || expressions.iter().any(|item| has(item, &is_over_rows));
        if !is_over || keys.iter().any(is_made) {
            return Ok(None);
        }
        let mut places = Places {
            prefix: self.fresh(),
            columns: vec![],
        };
        // GROUP BY may name what is selected by its place, and by its name.
        for item in &select.projection {
            places.columns.push(match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }
                    if gives_rows(expr) =>
                {
                    SelectItem::UnnamedExpr(Expr::Value(Value::Null.into()))
                }
                item => item.clone(),
            });
        }
        let mut projection = select.projection.clone();
        for (at, item) in projection.iter_mut().enumerate() {
            match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }
                    if gives_rows(expr) =>
                {
                    let _ = VisitMut::visit(expr, &mut places);
                }
                SelectItem::ExprWithAlias { expr, .. } => *expr = Expr::Identifier(places.name(at)),
                SelectItem::UnnamedExpr(expr) => {
                    let alias = Ident::with_quote('"', called(expr));
                    let expr = Expr::Identifier(places.name(at));
                    *item = SelectItem::ExprWithAlias { expr, alias };
                }
                _ => {}
            }
        }
        let names = (0..places.columns.len()).map(|at| TableAliasColumnDef {
            name: places.name(at),
            data_type: None,
        });
        let names = names.collect();
        let read = "(SELECT 1 FROM (SELECT 1) AS made)";
        let Ok(Expr::Subquery(query)) = grammar::read_expression(&PostgreSqlDialect {}, read) else {
            return Ok(None);
        };
        let SetExpr::Select(mut outer) = *query.body else {
            return Ok(None);
        };
        let Some(TableFactor::Derived { subquery, alias, .. }) =
            outer.from.first_mut().map(|from| &mut from.relation)
        else {
            return Ok(None);
        };
        let mut inner = select.clone();
        inner.projection = places.columns;
        inner.distinct = None;
        *subquery.body = SetExpr::Select(Box::new(inner));
        if let Some(alias) = alias {
            alias.name = Ident::with_quote('"', self.fresh());
            alias.columns = names;
        }
        outer.projection = projection;
        outer.distinct.clone_from(&select.distinct);
        Ok(Some(*outer))
    }
}
