//! What is done to the rows of all grouping sets together: windows, DISTINCT, ORDER BY of what is not selected. The sets are
//! a query of their own then, whose columns are what the rest is made of.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Distinct, Expr, Function, Ident, NamedWindowExpr, OrderByExpr, Query, Select, SelectItem, Value, Visit,
    VisitMut, Visitor, VisitorMut,
};

use super::{
    Result, Translator,
    columns::named,
    constants::is_simple,
    exclusion, grouping,
    parentheses::without,
    query::Body,
    scope::{Relation, Scope, Typed},
    select::{Selected, item_named},
    sql::{Named, sql},
    unsupported,
};

/// Looks for calls over windows, which those of queries inside are none of.
#[derive(Default)]
struct Windows {
    queries: usize,
}

impl Visitor for Windows {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        match expression {
            Expr::Function(Function { over: Some(_), .. }) if self.queries == 0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

fn has_window(expression: &Expr) -> bool {
    expression.visit(&mut Windows::default()).is_break()
}

/// Puts the names of the sets' columns for what is worked out in the sets.
struct Parts {
    /// What each column is.
    columns: Vec<Option<Expr>>,
    /// What the names of the columns begin with.
    prefix: String,
}

impl Parts {
    fn name(&self, at: usize) -> Ident {
        Ident::with_quote('"', format!("{}:{at}", self.prefix))
    }

    fn place(&mut self, expression: &Expr) -> Expr {
        let plain = without(expression);
        let known = self
            .columns
            .iter()
            .position(|column| column.as_ref() == Some(&plain));
        let at = known.unwrap_or(self.columns.len());
        if known.is_none() {
            self.columns.push(Some(plain));
        }
        Expr::Identifier(self.name(at))
    }

    fn rewritten(&mut self, expression: &Expr) -> Expr {
        let mut expression = expression.clone();
        let _ = VisitMut::visit(&mut expression, self);
        expression
    }
}

impl VisitorMut for Parts {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        let is_own = matches!(&*expression, Expr::Identifier(name) if name.value.starts_with(&self.prefix));
        let is_constant = match &*expression {
            Expr::Interval(_) => true,
            // EXCLUDE stands where a window's partition does.
            other if exclusion::of_key(other).is_some() => true,
            other => is_simple(other) && !names_a_column(other),
        };
        if !(is_own || is_constant || has_window(expression)) {
            *expression = self.place(expression);
        }
        ControlFlow::Continue(())
    }
}

fn names_a_column(expression: &Expr) -> bool {
    match expression {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => names_a_column(inner),
        _ => false,
    }
}

/// True for a key of ORDER BY that is a number, or the name of an item.
fn is_item(key: &Expr, projection: &[SelectItem]) -> bool {
    match key {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        Expr::Identifier(name) => {
            let name = super::folded(name);
            let is_column = |item: &SelectItem| match item {
                SelectItem::UnnamedExpr(Expr::Identifier(column)) => super::folded(column) == name,
                SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => {
                    names.last().is_some_and(|column| super::folded(column) == name)
                }
                _ => false,
            };
            item_named(&name, projection).is_some() || projection.iter().any(is_column)
        }
        _ => false,
    }
}

fn expression_of(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. } => {
            Some(expression)
        }
        _ => None,
    }
}

impl Translator<'_> {
    /// A SELECT that is grouped by sets, and the keys of its ORDER BY as they are to be read beside it.
    pub(super) fn grouped_by_sets(
        &mut self,
        select: &Select,
        sets: &[Vec<Expr>],
        order: &[OrderByExpr],
    ) -> Result<(Body, Vec<OrderByExpr>)> {
        let mut order = grouping::by_position(order, select);
        let in_windows = select.projection.iter().filter_map(expression_of).any(has_window);
        let is_plain = !in_windows
            && select.distinct.is_none()
            && select.named_window.is_empty()
            && order.iter().all(|key| is_item(&key.expr, &select.projection));
        if is_plain {
            return Ok((self.by_sets(select, sets)?, order));
        }
        if matches!(select.distinct, Some(Distinct::On(_))) {
            return unsupported("grouping sets with DISTINCT ON", None);
        }
        let mut parts = Parts {
            columns: vec![],
            prefix: self.fresh(),
        };
        // What is selected comes first, since the sets may name it by its place.
        let mut inner = select.clone();
        for item in &mut inner.projection {
            let Some(expression) = expression_of(item) else {
                return unsupported("grouping sets of * with windows", None);
            };
            let is_made = has_window(expression);
            parts.columns.push((!is_made).then(|| without(expression)));
            if let (
                true,
                SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. },
            ) = (is_made, item)
            {
                *expression = Expr::Value(Value::Null.into());
            }
        }
        let mut made = vec![];
        for item in &select.projection {
            let expression = expression_of(item).filter(|expression| has_window(expression));
            made.push(expression.map(|expression| parts.rewritten(expression)));
        }
        for key in order
            .iter_mut()
            .filter(|key| !is_item(&key.expr, &select.projection))
        {
            key.expr = parts.rewritten(&key.expr);
        }
        let mut windows = select.named_window.clone();
        for window in &mut windows {
            if let NamedWindowExpr::WindowSpec(spec) = &mut window.1 {
                let _ = VisitMut::visit(spec, &mut parts);
            }
        }
        for at in inner.projection.len()..parts.columns.len() {
            let Some(expr) = parts.columns[at].clone() else {
                continue;
            };
            let alias = parts.name(at);
            inner.projection.push(SelectItem::ExprWithAlias { expr, alias });
        }
        inner.distinct = None;
        inner.named_window = vec![];
        let body = self.by_sets(&inner, sets)?;
        let own = body.columns();
        let mut columns = named(&own);
        let sql = self.render(&body, &columns)?;
        for (at, column) in columns.iter_mut().enumerate() {
            column.name = parts.name(at).value;
        }
        let relation = Relation {
            inner: self.fresh(),
            columns,
            ..Relation::default()
        };
        let from = sql!["(", sql, ") AS ", Named(&relation.inner)];
        self.scopes.push(Scope {
            relations: vec![relation.clone()],
            ..Scope::default()
        });
        let mut items = vec![];
        for (at, (made, item)) in made.iter().zip(&select.projection).enumerate() {
            let alias = match item {
                SelectItem::ExprWithAlias { alias, .. } => Some(super::folded(alias)),
                _ => None,
            };
            let value = if let Some(made) = made {
                self.item(made)?
            } else {
                Typed {
                    name: own[at].name.clone(),
                    ..relation.column(&relation.columns[at])
                }
            };
            items.push(Typed {
                name: alias.or(value.name),
                ..value
            });
        }
        let selected = Selected {
            items,
            distinct: select.distinct.is_some(),
            distinct_on: vec![],
            from,
            condition: Default::default(),
            groups: self.windows(&windows)?,
            grouped: false,
        };
        Ok((Body::Select(selected), order))
    }
}
