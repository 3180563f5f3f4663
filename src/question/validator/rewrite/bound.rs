//! A statement with its names bound, and what the schema guarantees of the tables and columns in it.

use std::{collections::HashMap, ops::ControlFlow};

use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Ident, JoinOperator, Query, Select, SelectItem, SetExpr, TableFactor,
};

use super::super::{
    names::{meant, same},
    parse::Parsed,
    repair::{
        fragments::aggregates,
        walk::{Node, change_queries, read, read_exprs},
    },
    resolved::Resolved,
    start::Start,
};
use crate::question::schema::{Column, ColumnRef, Dialect, Schema, Table};

/// The statement.
pub(super) struct Bound<'a> {
    pub(super) parsed: &'a Parsed,
    pub(super) resolved: &'a Resolved,
    pub(super) schema: &'a Schema,
    pub(super) dialect: Dialect,
    columns: HashMap<usize, ColumnRef>,
    tables: HashMap<usize, usize>,
}

/// A table in FROM.
#[derive(Debug, Clone)]
pub(super) struct BoundTable {
    /// What the statement calls it.
    pub(super) name: Ident,
    /// Its position in the schema.
    pub(super) table: usize,
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        parsed: &'a Parsed,
        resolved: &'a Resolved,
        schema: &'a Schema,
        dialect: Dialect,
    ) -> Self {
        let columns = resolved.uses.iter();
        let tables = resolved.references.iter();
        Self {
            parsed,
            resolved,
            schema,
            dialect,
            columns: columns
                .filter_map(|used| Some((used.position?, used.column)))
                .collect(),
            tables: tables.map(|used| (used.start, used.table)).collect(),
        }
    }

    /// The stored column that an expression of the statement names.
    pub(super) fn column(&self, expr: &Expr) -> Option<ColumnRef> {
        if !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            return None;
        }
        let position = self.parsed.lines.position(expr.start())?;
        self.columns.get(&position).copied()
    }

    /// The same, if it is a column of one of these sources, and of no query further out.
    pub(super) fn own_column(&self, expr: &Expr, sources: &[BoundTable]) -> Option<ColumnRef> {
        let column = self.column(expr)?;
        let qualifier = match expr {
            Expr::CompoundIdentifier(parts) => Some(parts.get(parts.len().checked_sub(2)?)?),
            _ => None,
        };
        let mut own = sources.iter().filter(|source| source.table == column.table);
        own.any(|source| qualifier.is_none_or(|name| self.same(name, &source.name)))
            .then_some(column)
    }

    /// The table that an item of FROM is, if it is one whose keys say what they say.
    pub(super) fn source(&self, factor: &TableFactor) -> Option<BoundTable> {
        let TableFactor::Table {
            name,
            alias,
            args: None,
            sample: None,
            ..
        } = factor
        else {
            return None;
        };
        let position = self.parsed.lines.position(name.start())?;
        let table = *self.tables.get(&position)?;
        if !is_plain(&self.schema.tables[table]) {
            return None;
        }
        let name = match alias {
            Some(alias) if alias.columns.is_empty() => alias.name.clone(),
            Some(_) => return None,
            None => name.0.last()?.as_ident()?.clone(),
        };
        Some(BoundTable { name, table })
    }

    /// The tables of a SELECT, if all that it reads are such and none of them is filled up with NULL.
    pub(super) fn inner_sources(&self, select: &Select) -> Option<Vec<BoundTable>> {
        let mut sources = vec![];
        for item in &select.from {
            sources.push(self.source(&item.relation)?);
            for join in &item.joins {
                if !is_inner(&join.join_operator) {
                    return None;
                }
                sources.push(self.source(&join.relation)?);
            }
        }
        (!sources.is_empty()).then_some(sources)
    }

    /// The only table of a SELECT.
    pub(super) fn only_source(&self, select: &Select) -> Option<BoundTable> {
        match self.inner_sources(select)?.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    pub(super) fn schema_column(&self, at: ColumnRef) -> &'a Column {
        self.schema.column(at)
    }

    /// True if no row of its table has NULL there.
    pub(super) fn is_filled(&self, at: ColumnRef) -> bool {
        let column = self.schema_column(at);
        column.not_null && !column.null_in_key && is_plain(&self.schema.tables[at.table])
    }

    /// True if no two rows of the table agree in all these columns, NULL apart.
    pub(super) fn is_key(&self, table: usize, columns: &[usize]) -> bool {
        let table = &self.schema.tables[table];
        let whole = !table.primary_key.is_empty() && table.primary_key.iter().all(|at| columns.contains(at));
        is_plain(table) && !table.loose_keys && (whole || columns.iter().any(|at| table.columns[*at].unique))
    }

    /// True if no two rows are told apart by less than these columns, NULL included.
    pub(super) fn tells_rows_apart(&self, table: usize, columns: &[usize]) -> bool {
        let filled: Vec<usize> = columns
            .iter()
            .copied()
            .filter(|column| {
                self.is_filled(ColumnRef {
                    table,
                    column: *column,
                })
            })
            .collect();
        self.is_key(table, &filled)
    }

    /// True if values of both columns are equal for `=` exactly if they are for an index and for GROUP BY.
    pub(super) fn compare_alike(&self, one: ColumnRef, other: ColumnRef) -> bool {
        let (left, right) = (self.schema_column(one), self.schema_column(other));
        let same_type = left.declared_type.eq_ignore_ascii_case(&right.declared_type);
        match self.dialect {
            Dialect::Postgres => one == other || same_type,
            // Values are changed by the affinity that a type gives, and texts compare by the collation of the one that
            // stands on the left.
            Dialect::Sqlite => {
                let has = |column: &Column, part: &str| column.declared_type.to_lowercase().contains(part);
                let both = |part: &str| has(left, part) && has(right, part);
                let plain = |at: ColumnRef| !self.schema.tables[at.table].own_collations;
                let texts = (both("char") || both("text")) && !has(left, "int") && !has(right, "int");
                one == other || both("int") || (texts && plain(one) && plain(other))
            }
        }
    }

    pub(super) fn same(&self, one: &Ident, other: &Ident) -> bool {
        same(
            &meant(one, self.dialect),
            &meant(other, self.dialect),
            self.dialect,
        )
    }

    /// A condition that makes a column of these tables equal to one outside of them; both, if they compare alike.
    pub(super) fn equal(
        &self,
        condition: &Expr,
        own: &[BoundTable],
        outside: impl Fn(&Expr) -> Option<ColumnRef>,
    ) -> Option<(Expr, Expr)> {
        let Expr::BinaryOp {
            left,
            op: BinaryOperator::Eq,
            right,
        } = condition
        else {
            return None;
        };
        [(left, right), (right, left)]
            .into_iter()
            .find_map(|(one, other)| {
                let (inside, outer) = (self.own_column(one, own)?, outside(other)?);
                let alike = self.compare_alike(inside, outer);
                alike.then(|| (one.as_ref().clone(), other.as_ref().clone()))
            })
    }

    /// The statement with a change to one of its SELECTs, the first that is changed, and what was changed.
    pub(super) fn in_one_select(
        &self,
        change: impl Fn(&mut Select) -> Option<String>,
    ) -> Option<(Box<Query>, String)> {
        let mut query = self.parsed.query.clone();
        let mut why = None;
        change_queries(query.as_mut(), &mut |query| {
            if why.is_none()
                && let SetExpr::Select(select) = query.body.as_mut()
            {
                why = change(select);
            }
            ControlFlow::Continue(())
        });
        why.map(|why| (query, why))
    }

    /// True if one value stands for many rows in the SELECT.
    pub(super) fn is_grouped(&self, select: &Select) -> bool {
        has_groups(select) || self.aggregates_all(select)
    }

    /// True if the SELECT makes one row of all.
    pub(super) fn aggregates_all(&self, select: &Select) -> bool {
        !has_groups(select)
            && select.projection.iter().any(|item| match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    aggregates(expr, self.dialect)
                }
                _ => false,
            })
    }

    /// How often columns of a table are named anywhere in the statement.
    pub(super) fn uses_of(&self, table: usize) -> usize {
        let uses = self.resolved.uses.iter();
        uses.filter(|used| used.column.table == table).count()
    }

    /// How often a table stands in a FROM of the statement.
    pub(super) fn references_to(&self, table: usize) -> usize {
        let references = self.resolved.references.iter();
        references.filter(|used| used.table == table).count()
    }
}

/// True if the keys and NOT NULLs of a table hold for what a question reads of it.
fn is_plain(table: &Table) -> bool {
    !table.is_view
        && !table.runs_code
        && !table.row_security
        && !table.partly_hidden
        && table.restriction.is_none()
        && table.forbidden.is_none()
}

/// True for a join that keeps only rows with partners.
pub(super) fn is_inner(operator: &JoinOperator) -> bool {
    matches!(
        operator,
        JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_)
    )
}

/// True for a join that keeps rows of the left side without partners.
pub(super) fn is_left(operator: &JoinOperator) -> bool {
    matches!(operator, JoinOperator::Left(_) | JoinOperator::LeftOuter(_))
}

/// GROUP BY or HAVING.
pub(super) fn has_groups(select: &Select) -> bool {
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(terms, _) if terms.is_empty());
    grouped || select.having.is_some()
}

/// The SELECT of a query that is one and nothing around it: no WITH, no LIMIT.
pub(super) fn bare_select(query: &Query) -> Option<&Select> {
    let bare = query.with.is_none() && !is_cut(query) && query.locks.is_empty();
    match query.body.as_ref() {
        SetExpr::Select(select) if bare => Some(select),
        _ => None,
    }
}

/// True for a query with LIMIT, OFFSET or FETCH.
pub(super) fn is_cut(query: &Query) -> bool {
    query.limit_clause.is_some() || query.fetch.is_some()
}

/// True if all columns are asked for, by `*`.
pub(super) fn has_wildcard(select: &Select) -> bool {
    select
        .projection
        .iter()
        .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)))
}

/// The expression that the only column of a SELECT shows.
pub(super) fn only_output(select: &Select) -> Option<&Expr> {
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] => Some(expr),
        _ => None,
    }
}

/// True if a tree has a subquery or a window function in it.
pub(super) fn is_deep(expr: &Expr) -> bool {
    read(expr, &mut |node, _| match node {
        Node::Query(_) => ControlFlow::Break(()),
        Node::Expr(Expr::Function(function)) if function.over.is_some() => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

/// The tables of a SELECT that are such, whatever joins them.
pub(super) fn all_sources(bound: &Bound<'_>, select: &Select) -> Vec<BoundTable> {
    let factors = select
        .from
        .iter()
        .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)));
    factors.filter_map(|factor| bound.source(factor)).collect()
}

/// True for an expression of these tables' columns alone, which is the same whenever it is worked out.
pub(super) fn is_steady(bound: &Bound<'_>, expr: &Expr, own: &[BoundTable]) -> bool {
    let other = read_exprs(expr, &mut |expr, _| {
        let foreign = match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => bound.own_column(expr, own).is_none(),
            Expr::Function(call) => call.name.to_string().to_lowercase().contains("random"),
            _ => false,
        };
        if foreign {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    !other && !is_deep(expr)
}
