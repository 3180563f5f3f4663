//! GROUP BY: which columns and expressions have one value per group.

use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, Value as Sql};

use super::{
    Code, Finding, Resolver,
    naming::postgres_name,
    select::{comparable_text, is_column, item_expr},
};
use crate::question::{
    schema::Dialect,
    validator::{checks::Grouped, names::meant, resolved::Clause, scope::Value},
};

impl Resolver<'_> {
    /// GROUP BY, if there is one: the columns that it groups by.
    pub(super) fn group_by(&mut self, select: &Select) -> Option<Grouped> {
        let GroupByExpr::Expressions(terms, _) = &select.group_by else {
            return None;
        };
        if terms.is_empty() {
            return None;
        }
        self.scope().clause = Clause::GroupBy;
        let mut places = vec![];
        let mut rest: Vec<&Expr> = terms.iter().rev().collect();
        while let Some(term) = rest.pop() {
            if let Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) = term
                && self.is_postgres()
            {
                rest.extend(sets.iter().flatten().rev());
                continue;
            }
            if let Expr::Tuple(items) = term
                && self.is_postgres()
            {
                rest.extend(items.iter().rev());
                continue;
            }
            let value = match self.ordinal(term, "GROUP BY") {
                Some(at) => self.scope().outputs.get(at).map(|output| output.value.clone()),
                None => self.alias_of_term(term).or_else(|| Some(self.expr(term))),
            };
            let value = value.unwrap_or_default();
            if value.aggregate {
                let finding = Finding::error(
                    Code::SubqueryMissing,
                    self.position(term),
                    "GROUP BY names an aggregate",
                );
                self.report(finding.with_hint("aggregate in a subquery and group its result"));
            }
            places.extend(value.place);
        }
        let end = terms.last().and_then(|last| self.name_span(last));
        Some(Grouped { places, end })
    }

    /// A term of GROUP BY that PostgreSQL takes for an alias, since no column is called so.
    pub(super) fn alias_of_term(&self, term: &Expr) -> Option<Value> {
        let Expr::Identifier(name) = term else { return None };
        let scope = self.scopes.last().filter(|_| self.is_postgres())?;
        let called = self.meant(name);
        let mut sources = scope.sources.iter();
        if sources.any(|source| source.column_named(self.schema, &called, self.dialect).is_some()) {
            return None;
        }
        let mut outputs = scope.outputs.iter();
        outputs
            .find(|output| output.name == called)
            .map(|output| output.value.clone())
    }

    /// Where a name stands, and the name; nothing for what is more than a name.
    pub(super) fn name_span(&self, expr: &Expr) -> Option<(usize, usize, String)> {
        let (first, last) = match expr {
            Expr::Identifier(name) => (name, name),
            Expr::CompoundIdentifier(parts) => (parts.first()?, parts.last()?),
            _ => return None,
        };
        let position = |at| self.lines.position(at);
        Some((
            position(first.span.start)?,
            position(last.span.end)?,
            expr.to_string(),
        ))
    }
}

/// The texts of what GROUP BY names: an expression, and what an ordinal or an alias stands for.
pub(super) fn group_texts(select: &Select, dialect: Dialect) -> Vec<String> {
    let GroupByExpr::Expressions(terms, _) = &select.group_by else {
        return vec![];
    };
    let mut texts = vec![];
    let mut rest: Vec<&Expr> = terms.iter().rev().collect();
    while let Some(term) = rest.pop() {
        match term {
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                rest.extend(sets.iter().flatten());
                continue;
            }
            Expr::Tuple(items) => {
                rest.extend(items);
                continue;
            }
            _ => {}
        }
        let meant = match term {
            Expr::Value(value) => match &value.value {
                Sql::Number(number, _) => number
                    .parse::<usize>()
                    .ok()
                    .and_then(|at| select.projection.get(at.checked_sub(1)?))
                    .and_then(item_expr),
                _ => None,
            },
            Expr::Identifier(name) => select.projection.iter().find_map(|item| match item {
                SelectItem::ExprWithAlias { expr, alias } => {
                    alias.value.eq_ignore_ascii_case(&name.value).then_some(expr)
                }
                SelectItem::UnnamedExpr(expr) if dialect == Dialect::Postgres => {
                    (postgres_name(expr)? == meant(name, dialect)).then_some(expr)
                }
                _ => None,
            }),
            _ => None,
        };
        texts.extend(
            std::iter::once(term)
                .chain(meant)
                .filter(|expr| !is_column(expr))
                .map(|expr| comparable_text(expr, dialect)),
        );
    }
    texts
}
