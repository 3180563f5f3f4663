//! The walk through a query that makes its summary.

use std::collections::HashMap;

use sqlparser::{
    ast::{
        Distinct, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident,
        JoinOperator, LimitClause, ObjectNamePart, OrderByKind, OrderBySort, Query, Select, SelectItem,
        SetExpr, SetOperator, TableFactor, TableWithJoins, UnaryOperator, Value as Sql, ValueWithSpan,
    },
    tokenizer::Span,
};

use super::{
    Aggregate, Block, Clause, Constant, Limit, Lines, Literal, QuerySummary, Role, Start, Term, meant, parts,
    same,
};
use crate::question::schema::{ColumnRef, Dialect, Schema};

/// Literals that are kept; nobody compares more of them with a question.
const MAX_LITERALS: usize = 500;
/// Items of an IN list that are kept.
pub(super) const MAX_ITEMS: usize = 100;

pub(super) struct SummaryBuilder<'a> {
    schema: &'a Schema,
    dialect: Dialect,
    pub(super) lines: &'a Lines,
    /// The stored columns, by where they are named.
    columns: HashMap<usize, ColumnRef>,
    /// Names of common table expressions.
    names: Vec<String>,
    pub(super) summary: QuerySummary,
    /// Of each SELECT, what its aliases stand for.
    aliases: Vec<Vec<(String, Term)>>,
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Here {
    pub(super) block: usize,
    pub(super) clause: Clause,
}

impl<'a> SummaryBuilder<'a> {
    pub(super) fn new(
        schema: &'a Schema,
        dialect: Dialect,
        lines: &'a Lines,
        columns: HashMap<usize, ColumnRef>,
    ) -> Self {
        Self {
            schema,
            dialect,
            lines,
            columns,
            names: Vec::new(),
            summary: QuerySummary::default(),
            aliases: Vec::new(),
        }
    }
}

impl SummaryBuilder<'_> {
    /// A whole query; the number of its first SELECT.
    #[recursive::recursive]
    pub(super) fn query(&mut self, query: &Query, role: Role, parent: Option<usize>, negated: bool) -> usize {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.names.push(meant(&cte.alias.name, self.dialect).into_owned());
            self.query(&cte.query, Role::Source, parent, negated);
        }
        let first = self.body(&query.body, role, parent, negated);
        let here = Here {
            block: first,
            clause: Clause::OrderBy,
        };
        if let Some(OrderByKind::Expressions(terms)) = query.order_by.as_ref().map(|order| &order.kind) {
            for term in terms {
                let descends = matches!(term.options.sort, Some(OrderBySort::Desc));
                let expr = self
                    .ordinal(&term.expr, first)
                    .unwrap_or_else(|| self.term(&term.expr, here));
                if let Some(block) = self.summary.blocks.get_mut(first) {
                    block.order.push((expr, descends));
                }
            }
        }
        let limit = match (&query.limit_clause, &query.fetch) {
            (
                Some(
                    LimitClause::LimitOffset {
                        limit: Some(limit), ..
                    }
                    | LimitClause::OffsetCommaLimit { limit, .. },
                ),
                _,
            ) => Some(limit.to_string()),
            (_, Some(fetch)) => Some(
                fetch
                    .quantity
                    .as_ref()
                    .map_or("1".to_owned(), ToString::to_string),
            ),
            _ => None,
        };
        if let (Some(limit), Some(block)) = (limit, self.summary.blocks.get_mut(first)) {
            block.limit = Some(limit.parse().map_or(Limit::Other, Limit::Rows));
        }
        first
    }

    /// A SELECT or several combined; the number of the first.
    #[recursive::recursive]
    fn body(&mut self, body: &SetExpr, role: Role, parent: Option<usize>, negated: bool) -> usize {
        match body {
            SetExpr::Select(select) => self.select(select, role, parent, negated),
            SetExpr::Query(query) => self.query(query, role, parent, negated),
            SetExpr::SetOperation { left, op, right, .. } => {
                let first = self.body(left, role, parent, negated);
                let taken = matches!(op, SetOperator::Except | SetOperator::Minus);
                let second = self.body(right, role, parent, negated != taken);
                self.summary.combined.push((*op, second));
                first
            }
            _ => {
                self.summary.blocks.push(Block {
                    role,
                    parent,
                    negated,
                    ..Block::default()
                });
                self.aliases.push(Vec::new());
                self.summary.blocks.len() - 1
            }
        }
    }

    fn select(&mut self, select: &Select, role: Role, parent: Option<usize>, negated: bool) -> usize {
        let block = self.summary.blocks.len();
        self.summary.blocks.push(Block {
            role,
            parent,
            negated,
            distinct: select.distinct.is_some(),
            first_of_each: matches!(select.distinct, Some(Distinct::On(_))),
            having: select.having.is_some(),
            position: self.lines.position(select.start()),
            ..Block::default()
        });
        self.aliases.push(Vec::new());
        let here = |clause| Here { block, clause };
        for item in &select.from {
            self.table_with_joins(item, block);
        }
        for item in &select.projection {
            let (term, alias) = match item {
                SelectItem::UnnamedExpr(expr) => (self.term(expr, here(Clause::Select)), None),
                SelectItem::ExprWithAlias { expr, alias } => {
                    (self.term(expr, here(Clause::Select)), Some(alias))
                }
                _ => (Term::Star, None),
            };
            if let Some(alias) = alias {
                let alias = meant(alias, self.dialect).into_owned();
                self.aliases[block].push((alias, term.clone()));
            }
            self.summary.blocks[block].shown.push(term);
        }
        if let Some(condition) = &select.selection {
            self.condition(condition, here(Clause::Where));
        }
        if let GroupByExpr::Expressions(terms, _) = &select.group_by {
            for term in terms {
                let expr = match self.ordinal(term, block) {
                    Some(shown) => shown,
                    None => self.term(term, here(Clause::GroupBy)),
                };
                self.summary.blocks[block].group.push(expr);
            }
        }
        if let Some(condition) = &select.having {
            self.condition(condition, here(Clause::Having));
        }
        block
    }

    fn table_with_joins(&mut self, item: &TableWithJoins, block: usize) {
        self.factor(&item.relation, block);
        for join in &item.joins {
            let before = self.summary.blocks[block].tables.len();
            self.factor(&join.relation, block);
            let block_of = &mut self.summary.blocks[block];
            let (left, right) = block_of.tables.split_at(before);
            let optional = match join.join_operator {
                JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => right,
                JoinOperator::Right(_) | JoinOperator::RightOuter(_) => left,
                JoinOperator::FullOuter(_) => &block_of.tables,
                _ => &[],
            };
            let optional = optional.to_vec();
            block_of.outer_join |= !optional.is_empty() || parts::is_outer(&join.join_operator);
            block_of.optional.extend(optional);
            if let Some(condition) = parts::join_condition(&join.join_operator) {
                let clause = Clause::From;
                self.condition(condition, Here { block, clause });
            }
        }
    }

    fn factor(&mut self, factor: &TableFactor, block: usize) {
        match factor {
            TableFactor::Table { name, .. } => {
                self.summary.blocks[block].sources += 1;
                let parts: Vec<_> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
                let table = match parts[..] {
                    [table] => self.table(None, table),
                    [namespace, table] => self.table(Some(namespace), table),
                    _ => None,
                };
                self.summary.blocks[block].tables.extend(table);
            }
            TableFactor::Derived { subquery, .. } => {
                self.summary.blocks[block].sources += 1;
                self.query(subquery, Role::Source, Some(block), false);
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.table_with_joins(table_with_joins, block);
            }
            _ => self.summary.blocks[block].sources += 1,
        }
    }

    fn table(&self, namespace: Option<&Ident>, name: &Ident) -> Option<usize> {
        let called = meant(name, self.dialect);
        if namespace.is_none() && self.names.iter().any(|known| same(known, &called, self.dialect)) {
            return None;
        }
        let namespace = namespace.map(|namespace| meant(namespace, self.dialect));
        self.schema.tables.iter().position(|table| {
            let within = match (&namespace, self.dialect) {
                (Some(namespace), Dialect::Postgres) => table.schema.as_deref() == Some(namespace),
                (None, Dialect::Postgres) => !table.qualified,
                (_, Dialect::Sqlite) => true,
            };
            within && same(&table.name, &called, self.dialect)
        })
    }

    /// The item of the select list that a position in ORDER BY or GROUP BY means.
    fn ordinal(&self, expr: &Expr, block: usize) -> Option<Term> {
        let Expr::Value(value) = expr else { return None };
        let Sql::Number(number, _) = &value.value else {
            return None;
        };
        let at: usize = number.parse().ok()?;
        let shown = &self.summary.blocks.get(block)?.shown;
        Some(
            shown
                .get(at.checked_sub(1)?)
                .cloned()
                .unwrap_or(Term::Other(None)),
        )
    }

    /// What an expression is; what stands inside it is noted.
    #[recursive::recursive]
    pub(super) fn term(&mut self, expr: &Expr, here: Here) -> Term {
        match expr {
            Expr::Nested(inner) => self.term(inner, here),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => self.column(expr, here),
            Expr::Value(value) => self.literal(&value.value, "", value.span),
            Expr::Subquery(query) => {
                let role = match here.clause {
                    Clause::Where | Clause::Having | Clause::From => Role::Condition,
                    _ => Role::Value,
                };
                Term::Query(self.query(query, role, Some(here.block), false))
            }
            other => {
                if let Some((sign, value)) = signed(other) {
                    return self.literal(&value.value, sign, value.span);
                }
                if let Expr::Function(function) = other
                    && let Some(aggregate) = self.aggregate(function, here)
                {
                    return Term::Aggregate(aggregate);
                }
                let mut first = None;
                for part in parts::parts(other) {
                    let term = self.term(part, here);
                    first = first.or(term.column());
                }
                for query in parts::queries(other) {
                    self.query(query, Role::Condition, Some(here.block), false);
                }
                Term::Other(first)
            }
        }
    }

    fn column(&self, expr: &Expr, here: Here) -> Term {
        let position = self.lines.position(expr.start());
        if let Some(column) = position.and_then(|position| self.columns.get(&position)) {
            return Term::Column(*column);
        }
        if let Expr::Identifier(name) = expr {
            let called = meant(name, self.dialect);
            let aliases = &self.aliases[here.block];
            let alias = aliases
                .iter()
                .find(|(alias, _)| same(alias, &called, self.dialect));
            if let Some((_, term)) = alias {
                return term.clone();
            }
        }
        Term::Other(None)
    }

    fn literal(&mut self, value: &Sql, sign: &str, span: Span) -> Term {
        let value = match value {
            Sql::Number(number, _) => Constant::Number(format!("{sign}{number}")),
            Sql::SingleQuotedString(text) | Sql::EscapedStringLiteral(text) => Constant::Text(text.clone()),
            _ => Constant::Other,
        };
        let span = self.lines.position(span.start).zip(self.lines.position(span.end));
        let literal = Literal { value, span };
        if self.summary.literals.len() < MAX_LITERALS {
            self.summary.literals.push(literal.clone());
        }
        Term::Literal(literal)
    }

    /// A call of one of the aggregates that questions ask for.
    fn aggregate(&mut self, function: &Function, here: Here) -> Option<Aggregate> {
        let name = function.name.to_string().to_lowercase();
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        let known = matches!(name.as_str(), "count" | "sum" | "avg" | "min" | "max" | "total");
        // Of several arguments SQLite takes the least or the most: no aggregate.
        if !known || function.over.is_some() || list.args.len() > 1 {
            return None;
        }
        let argument = list.args.first().and_then(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        });
        let of_amounts = argument.is_some_and(parts::is_amount);
        let argument = argument.map(|expr| self.term(expr, here));
        if let Some(filter) = &function.filter {
            self.condition(filter, here);
        }
        let aggregate = Aggregate {
            name,
            distinct: list.duplicate_treatment == Some(sqlparser::ast::DuplicateTreatment::Distinct),
            column: argument.and_then(|argument| argument.column()),
            of_amounts,
            block: here.block,
            clause: here.clause,
            position: self.lines.position(function.start()),
        };
        self.summary.aggregates.push(aggregate.clone());
        Some(aggregate)
    }
}

/// A number with a sign before it.
fn signed(expr: &Expr) -> Option<(&'static str, &ValueWithSpan)> {
    let Expr::UnaryOp { op, expr: inner } = expr else {
        return None;
    };
    let Expr::Value(value) = inner.as_ref() else {
        return None;
    };
    match op {
        UnaryOperator::Minus => Some(("-", value)),
        UnaryOperator::Plus => Some(("", value)),
        _ => None,
    }
}
