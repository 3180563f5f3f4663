//! A parsed query taken apart: its SELECTs, what each shows, tests, groups and orders, and the literals in it, with
//! the stored columns behind the names. For those who compare a statement with what was asked for.

use std::collections::HashMap;

use sqlparser::{
    ast::{
        Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, JoinOperator,
        LimitClause, ObjectNamePart, OrderByKind, OrderBySort, Query, Select, SelectItem, SetExpr,
        SetOperator, TableFactor, TableWithJoins, UnaryOperator, Value as Sql, ValueWithSpan,
    },
    tokenizer::Span,
};

use super::{
    names::{meant, same},
    parse::{Lines, Parsed},
    resolved::{Clause, Resolved},
    start::Start,
};
use crate::schema::{ColumnRef, Dialect, Schema};

mod conditions;
mod parts;

/// All SELECTs of a query and what they are made of.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The SELECTs; those of WITH stand before the one that reads them.
    pub(super) blocks: Vec<Block>,
    /// What combines results, in the order of the text, with the SELECT that stands behind each.
    pub(super) combined: Vec<(SetOperator, usize)>,
    /// The conditions of WHERE, ON and HAVING, taken apart at AND, OR and NOT.
    pub(super) tests: Vec<Test>,
    /// The aggregates called, wherever they stand.
    pub(super) aggregates: Vec<Aggregate>,
    /// The literals, but for those of LIMIT and for positions in ORDER BY.
    pub(super) literals: Vec<Literal>,
}

/// One SELECT.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) role: Role,
    /// The SELECT around it.
    pub(super) parent: Option<usize>,
    /// It says what must not be: behind NOT IN, NOT EXISTS or EXCEPT.
    pub(super) negated: bool,
    pub(super) distinct: bool,
    /// What it reads.
    pub(super) tables: Vec<usize>,
    /// Items of FROM, subqueries included.
    pub(super) sources: usize,
    /// One of its joins is an outer one.
    pub(super) outer_join: bool,
    /// What it shows.
    pub(super) shown: Vec<Term>,
    pub(super) group: Vec<Term>,
    pub(super) having: bool,
    /// Its terms of order, each with true where it descends.
    pub(super) order: Vec<(Term, bool)>,
    pub(super) limit: Option<Limit>,
    /// Where it begins, in characters from 1.
    pub(super) position: Option<usize>,
}

/// What a SELECT is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It gives the rows of the answer.
    #[default]
    Main,
    /// It stands in FROM or WITH.
    Source,
    /// It stands in a condition.
    Condition,
    /// It is one value of what is shown or ordered by.
    Value,
}

/// How many rows LIMIT leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Rows(u64),
    /// A parameter, or something to be computed.
    Other,
}

/// An expression, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Column(ColumnRef),
    Aggregate(Aggregate),
    Literal(Literal),
    /// A subquery, by its first SELECT.
    Query(usize),
    /// Every column.
    Star,
    /// Anything else, with the first stored column in it.
    Other(Option<ColumnRef>),
}

/// A call of an aggregate function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregate {
    /// In lower case.
    pub(super) name: String,
    pub(super) distinct: bool,
    /// What it aggregates, where that is a stored column.
    pub(super) column: Option<ColumnRef>,
    pub(super) block: usize,
    pub(super) clause: Clause,
    pub(super) position: Option<usize>,
}

/// A literal in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) value: Constant,
    /// From where to where it reaches, in characters from 1, the end exclusive.
    pub(super) span: Option<(usize, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Constant {
    Text(String),
    /// As written, with its sign.
    Number(String),
    /// NULL, truth values, parameters.
    Other,
}

/// One condition.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) block: usize,
    pub(super) clause: Clause,
    pub(super) kind: TestKind,
    pub(super) left: Term,
    /// What it is compared with: two of BETWEEN, any number of IN, none of IS NULL.
    pub(super) right: Vec<Term>,
    /// It holds where the comparison does not.
    pub(super) negated: bool,
    /// It is one side of an OR.
    pub(super) alternative: bool,
    pub(super) position: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestKind {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Between,
    In,
    Exists,
    Like,
    Null,
    /// A truth value by itself, or an operator of another kind.
    Other,
}

/// Takes a query apart.
pub(super) fn outline(parsed: &Parsed, resolved: &Resolved, schema: &Schema, dialect: Dialect) -> Outline {
    let columns = resolved
        .uses
        .iter()
        .filter_map(|used| Some((used.position?, used.column)))
        .collect();
    let mut drawer = Drawer {
        schema,
        dialect,
        lines: &parsed.lines,
        columns,
        names: Vec::new(),
        outline: Outline::default(),
        aliases: Vec::new(),
    };
    drawer.query(&parsed.query, Role::Main, None, false);
    drawer.outline
}

struct Drawer<'a> {
    schema: &'a Schema,
    dialect: Dialect,
    lines: &'a Lines,
    /// The stored columns, by where they are named.
    columns: HashMap<usize, ColumnRef>,
    /// Names of common table expressions.
    names: Vec<String>,
    outline: Outline,
    /// Of each SELECT, what its aliases stand for.
    aliases: Vec<Vec<(String, Term)>>,
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
struct Here {
    block: usize,
    clause: Clause,
}

impl Drawer<'_> {
    /// A whole query; the number of its first SELECT.
    #[recursive::recursive]
    fn query(&mut self, query: &Query, role: Role, parent: Option<usize>, negated: bool) -> usize {
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
                    .map_or_else(|| self.term(&term.expr, here), |term| term);
                if let Some(block) = self.outline.blocks.get_mut(first) {
                    block.order.push((expr, descends));
                }
            }
        }
        let limit = match (&query.limit_clause, &query.fetch) {
            (
                Some(LimitClause::LimitOffset {
                    limit: Some(limit), ..
                }),
                _,
            )
            | (Some(LimitClause::OffsetCommaLimit { limit, .. }), _) => Some(limit.to_string()),
            (_, Some(fetch)) => Some(
                fetch
                    .quantity
                    .as_ref()
                    .map_or("1".to_owned(), ToString::to_string),
            ),
            _ => None,
        };
        if let (Some(limit), Some(block)) = (limit, self.outline.blocks.get_mut(first)) {
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
                self.outline.combined.push((*op, second));
                first
            }
            _ => {
                self.outline.blocks.push(Block {
                    role,
                    parent,
                    negated,
                    ..Block::default()
                });
                self.aliases.push(Vec::new());
                self.outline.blocks.len() - 1
            }
        }
    }

    fn select(&mut self, select: &Select, role: Role, parent: Option<usize>, negated: bool) -> usize {
        let block = self.outline.blocks.len();
        self.outline.blocks.push(Block {
            role,
            parent,
            negated,
            distinct: select.distinct.is_some(),
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
            self.outline.blocks[block].shown.push(term);
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
                self.outline.blocks[block].group.push(expr);
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
            self.factor(&join.relation, block);
            self.outline.blocks[block].outer_join |= matches!(
                join.join_operator,
                JoinOperator::Left(_)
                    | JoinOperator::LeftOuter(_)
                    | JoinOperator::Right(_)
                    | JoinOperator::RightOuter(_)
                    | JoinOperator::FullOuter(_)
            );
            if let Some(condition) = parts::join_condition(&join.join_operator) {
                let clause = Clause::From;
                self.condition(condition, Here { block, clause });
            }
        }
    }

    fn factor(&mut self, factor: &TableFactor, block: usize) {
        match factor {
            TableFactor::Table { name, .. } => {
                self.outline.blocks[block].sources += 1;
                let parts: Vec<_> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
                let table = match parts[..] {
                    [table] => self.table(None, table),
                    [namespace, table] => self.table(Some(namespace), table),
                    _ => None,
                };
                self.outline.blocks[block].tables.extend(table);
            }
            TableFactor::Derived { subquery, .. } => {
                self.outline.blocks[block].sources += 1;
                self.query(subquery, Role::Source, Some(block), false);
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.table_with_joins(table_with_joins, block)
            }
            _ => self.outline.blocks[block].sources += 1,
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
        let shown = &self.outline.blocks.get(block)?.shown;
        Some(
            shown
                .get(at.checked_sub(1)?)
                .cloned()
                .unwrap_or(Term::Other(None)),
        )
    }

    /// What an expression is; what stands inside it is noted.
    #[recursive::recursive]
    fn term(&mut self, expr: &Expr, here: Here) -> Term {
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

    fn column(&mut self, expr: &Expr, here: Here) -> Term {
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
            // SQLite takes text in the wrong quotes for text.
            if name.quote_style == Some('"') && self.dialect == Dialect::Sqlite {
                let text = Sql::SingleQuotedString(name.value.clone());
                return self.literal(&text, "", name.span);
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
        self.outline.literals.push(literal.clone());
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
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(self.term(expr, here)),
            _ => None,
        });
        if let Some(filter) = &function.filter {
            self.condition(filter, here);
        }
        let aggregate = Aggregate {
            name,
            distinct: list.duplicate_treatment == Some(sqlparser::ast::DuplicateTreatment::Distinct),
            column: argument.and_then(|argument| argument.column()),
            block: here.block,
            clause: here.clause,
            position: self.lines.position(function.start()),
        };
        self.outline.aggregates.push(aggregate.clone());
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

impl Term {
    /// The stored column that it is made of.
    pub(super) fn column(&self) -> Option<ColumnRef> {
        match self {
            Self::Column(column) => Some(*column),
            Self::Aggregate(aggregate) => aggregate.column,
            Self::Other(column) => *column,
            Self::Literal(_) | Self::Query(_) | Self::Star => None,
        }
    }
}

impl Outline {
    /// The SELECTs that give the rows of the answer.
    pub(super) fn main(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.role == Role::Main)
    }
}
