//! What a query reads from: tables, subqueries and common table expressions, with their columns.

use sqlparser::ast::{
    Cte, GroupByExpr, JoinConstraint, LimitClause, ObjectName, OrderByKind, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, TableAlias, TableFactor, TableWithJoins, With,
};

use super::{DEEPEST, Inference, Output, either, of_column};
use crate::{
    backend::SqlType,
    question::{schema::Schema, validator::walk::join_constraint},
};

/// The relations and common table expressions that names are looked up in.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    relations: Vec<Relation>,
    ctes: Vec<(String, Option<Vec<Output>>)>,
    /// Relations of the queries around this one, the nearest first.
    outer: Vec<Relation>,
}

/// Something in FROM; its columns are `None` where they are not known.
#[derive(Debug, Clone)]
struct Relation {
    name: String,
    columns: Option<Vec<Output>>,
}

impl Scope {
    /// This scope with a table in it.
    pub(super) fn with_table(mut self, schema: &Schema, table: usize, alias: Option<&str>) -> Self {
        let table = &schema.tables[table];
        self.relations.push(Relation {
            name: alias.unwrap_or(&table.name).to_owned(),
            columns: Some(
                table
                    .columns
                    .iter()
                    .map(|column| (column.name.clone(), of_column(column)))
                    .collect(),
            ),
        });
        self
    }

    /// The type of a column by its name.
    pub(super) fn column(&self, relation: Option<&str>, name: &str) -> Option<SqlType> {
        for relations in [&self.relations, &self.outer] {
            for candidate in relations {
                if relation.is_some_and(|relation| !relation.eq_ignore_ascii_case(&candidate.name)) {
                    continue;
                }
                match &candidate.columns {
                    Some(columns) => {
                        if let Some((_, ty)) = columns
                            .iter()
                            .find(|(column, _)| column.eq_ignore_ascii_case(name))
                        {
                            return *ty;
                        }
                    }
                    // It may be a column of what is not known.
                    None => return None,
                }
            }
        }
        None
    }

    fn inner(&self) -> Self {
        let mut outer = self.relations.clone();
        outer.extend(self.outer.iter().cloned());
        Self {
            relations: vec![],
            ctes: self.ctes.clone(),
            outer,
        }
    }
}

impl Inference<'_> {
    /// The output columns of a query.
    pub(super) fn query(&mut self, query: &Query, around: &Scope) -> Option<Vec<Output>> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let mut scope = around.inner();
        if let Some(with) = &query.with {
            self.with(with, &mut scope);
        }
        let output = self.body(&query.body, &scope, query);
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                for count in limit.iter().chain(offset.iter().map(|offset| &offset.value)) {
                    self.expected(count, Some(SqlType::Int8), &scope);
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                for count in [offset, limit] {
                    self.expected(count, Some(SqlType::Int8), &scope);
                }
            }
            None => {}
        }
        self.depth -= 1;
        output
    }

    /// A query whose rows go into columns of these types: `INSERT INTO t VALUES ($1, $2)`.
    pub(super) fn rows_for(&mut self, query: &Query, wanted: &[Option<SqlType>], around: &Scope) {
        match query.body.as_ref() {
            SetExpr::Values(values) => {
                for row in &values.rows {
                    for (value, wanted) in row.content.iter().zip(wanted) {
                        self.expected(value, *wanted, around);
                    }
                }
            }
            _ => {
                self.query(query, around);
            }
        }
    }

    fn with(&mut self, with: &With, scope: &mut Scope) {
        for cte in &with.cte_tables {
            let name = cte.alias.name.value.clone();
            let anchor = match cte.query.body.as_ref() {
                // The first part of a recursive query says what it yields; the second reads that.
                SetExpr::SetOperation { left, .. } if with.recursive => self
                    .body(left, &scope.inner(), &cte.query)
                    .map(|columns| renamed(columns, &cte.alias)),
                _ => None,
            };
            if anchor.is_some() {
                scope.ctes.push((name, anchor));
                self.query(&cte.query, scope);
            } else {
                let columns = self.cte(cte, scope);
                scope.ctes.push((name, columns));
            }
        }
    }

    fn cte(&mut self, cte: &Cte, scope: &Scope) -> Option<Vec<Output>> {
        self.query(&cte.query, scope)
            .map(|columns| renamed(columns, &cte.alias))
    }

    fn body(&mut self, body: &SetExpr, scope: &Scope, query: &Query) -> Option<Vec<Output>> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let output = match body {
            SetExpr::Select(select) => self.select(select, scope, query),
            SetExpr::Query(query) => self.query(query, scope),
            SetExpr::SetOperation { left, right, .. } => {
                let (left, right) = (self.body(left, scope, query), self.body(right, scope, query));
                left.zip(right).map(|(left, right)| {
                    let right = right.into_iter().map(|(_, ty)| ty).chain(std::iter::repeat(None));
                    left.into_iter()
                        .zip(right)
                        .map(|((name, one), other)| (name, either(one, other)))
                        .collect()
                })
            }
            SetExpr::Values(values) => {
                let mut columns: Option<Vec<Output>> = None;
                for row in &values.rows {
                    let row: Vec<Output> = row
                        .content
                        .iter()
                        .enumerate()
                        .map(|(at, value)| (format!("column{}", at + 1), self.expression(value, scope)))
                        .collect();
                    columns = Some(match columns {
                        None => row,
                        Some(columns) => columns
                            .into_iter()
                            .zip(row)
                            .map(|((name, one), (_, other))| (name, either(one, other)))
                            .collect(),
                    });
                }
                columns
            }
            _ => None,
        };
        self.depth -= 1;
        output
    }

    fn select(&mut self, select: &Select, around: &Scope, query: &Query) -> Option<Vec<Output>> {
        let scope = self.scope(&select.from, around);
        let output = self.projection(&select.projection, &scope);
        let grouped = match &select.group_by {
            GroupByExpr::Expressions(expressions, _) => expressions.as_slice(),
            GroupByExpr::All(_) => &[],
        };
        let ordered = query.order_by.iter().flat_map(|order| match &order.kind {
            OrderByKind::Expressions(expressions) => expressions.as_slice(),
            OrderByKind::All(_) => &[],
        });
        // For the parameters in them.
        for expression in select
            .selection
            .iter()
            .chain(&select.having)
            .chain(grouped)
            .chain(ordered.map(|ordered| &ordered.expr))
        {
            self.expression(expression, &scope);
        }
        output
    }

    /// What the items of a select list or RETURNING yield.
    pub(super) fn projection(&mut self, items: &[SelectItem], scope: &Scope) -> Option<Vec<Output>> {
        let mut output = Some(Vec::new());
        for item in items {
            let more = match item {
                SelectItem::UnnamedExpr(expression) => Some(vec![(
                    super::expression::name(expression),
                    self.expression(expression, scope),
                )]),
                SelectItem::ExprWithAlias { expr, alias } => {
                    Some(vec![(alias.value.clone(), self.expression(expr, scope))])
                }
                SelectItem::Wildcard(_) => scope.relations.iter().try_fold(vec![], |mut all, relation| {
                    all.extend(relation.columns.as_ref()?.iter().cloned());
                    Some(all)
                }),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    let name = last(name);
                    scope
                        .relations
                        .iter()
                        .find(|relation| {
                            name.as_ref()
                                .is_some_and(|name| relation.name.eq_ignore_ascii_case(name))
                        })
                        .and_then(|relation| relation.columns.clone())
                }
                _ => None,
            };
            // The rest is walked all the same, for its parameters.
            output = output.zip(more).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        output
    }

    /// The scope that FROM makes. A join that merges columns makes them unknown, except by their names.
    pub(super) fn scope(&mut self, from: &[TableWithJoins], around: &Scope) -> Scope {
        let mut scope = around.clone();
        scope.relations.clear();
        scope.outer.splice(0..0, around.relations.iter().cloned());
        for table in from {
            self.relation(&table.relation, &mut scope);
            for join in &table.joins {
                self.relation(&join.relation, &mut scope);
            }
        }
        for join in from.iter().flat_map(|table| &table.joins) {
            if let Some(JoinConstraint::On(condition)) = join_constraint(&join.join_operator) {
                self.expression(condition, &scope);
            }
        }
        scope
    }

    fn relation(&mut self, factor: &TableFactor, scope: &mut Scope) {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            } => {
                let cte = last(name).filter(|_| name.0.len() == 1).and_then(|name| {
                    scope
                        .ctes
                        .iter()
                        .rev()
                        .find(|(cte, _)| cte.eq_ignore_ascii_case(&name))
                        .cloned()
                });
                let columns = match cte {
                    Some((_, columns)) => columns,
                    None => self.table_named(name).map(|table| {
                        let columns = self.schema.tables[table].columns.iter();
                        columns
                            .map(|column| (column.name.clone(), of_column(column)))
                            .collect()
                    }),
                };
                scope.relations.push(Relation {
                    name: alias_or(alias.as_ref(), last(name)),
                    columns,
                });
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let columns = self.query(subquery, scope);
                let columns = match (columns, alias) {
                    (Some(columns), Some(alias)) => Some(renamed(columns, alias)),
                    (columns, _) => columns,
                };
                scope.relations.push(Relation {
                    name: alias_or(alias.as_ref(), None),
                    columns,
                });
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias: None,
            } => {
                self.relation(&table_with_joins.relation, scope);
                for join in &table_with_joins.joins {
                    self.relation(&join.relation, scope);
                }
            }
            _ => scope.relations.push(Relation {
                name: String::new(),
                columns: None,
            }),
        }
    }

    /// The table of the file that a name means; temporary tables are not known.
    pub(super) fn table_named(&self, name: &ObjectName) -> Option<usize> {
        let in_main = match name.0.as_slice() {
            [_] => true,
            [schema, _] => schema.as_ident().is_some_and(|schema| {
                ["main", "public"]
                    .iter()
                    .any(|name| schema.value.eq_ignore_ascii_case(name))
            }),
            _ => false,
        };
        last(name)
            .filter(|_| in_main)
            .and_then(|name| self.schema.table_named(&name))
    }

    /// The column that a name means in a table.
    pub(super) fn column_of(&self, table: usize, name: &ObjectName) -> Option<usize> {
        last(name).and_then(|name| self.schema.tables[table].column_named(&name))
    }
}

fn alias_or(alias: Option<&TableAlias>, name: Option<String>) -> String {
    alias
        .map(|alias| alias.name.value.clone())
        .or(name)
        .unwrap_or_default()
}

fn last(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(|ident| ident.value.clone())
}

/// The columns with the names that an alias gives: `AS t(a, b)`.
fn renamed(columns: Vec<Output>, alias: &TableAlias) -> Vec<Output> {
    let names = alias.columns.iter().map(|column| Some(column.name.value.clone()));
    columns
        .into_iter()
        .zip(names.chain(std::iter::repeat(None)))
        .map(|((name, ty), renamed)| (renamed.unwrap_or(name), ty))
        .collect()
}
