//! How large a query becomes before it runs. Databases put subqueries in the place of their names and compute constants
//! while they plan, where no limit of time or cost is looked at: a few doublings make gigabytes of a short text. Nothing is
//! computed here: every expression gets a bound of what would become of it, what it reads from subqueries included.

use sqlparser::ast::{
    Cte, Expr, FunctionArg, JoinConstraint, ObjectName, Query, Select, SelectItem, SetExpr, TableFactor,
    TableWithJoins,
};

use super::{
    Code, Finding,
    facts::Facts,
    walk::{join_constraint, walk},
};

mod grouping;
mod names;
mod reach;
mod value;
mod views;

use grouping::sets;
use names::{argument, called, last, named};
use reach::Reach;
use value::Measure;
pub(super) use views::Views;
use views::view;

/// A stored value, in bytes: what is stored is the database's own, and only what is made of it counts.
const STORED: f64 = 100.0;
/// Rows of which nothing is known.
const ROWS: f64 = 100.0;
/// What a number, a date or a truth value takes, in bytes.
const SMALL: f64 = 24.0;
/// Columns of a subquery at most: databases take no more of them.
const COLUMNS: usize = 2_000;
/// What a table costs the planner, in expressions, and what each pair of tables that are joined costs it: it weighs orders of
/// joins, and remembers what equals what.
const TABLE: f64 = 50.0;
const PAIR: f64 = 10.0;
/// Turns of a recursion that are looked at, and how many times as much as in the first may be added to a value in the last:
/// what is doubled grows by eight times as much.
const TURNS: usize = 5;
const FASTER: f64 = 4.0;
/// What becomes of an expression.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// Expressions, after those of subqueries are put in the place of their names.
    nodes: f64,
    /// The longest value, in bytes.
    bytes: f64,
    /// Bytes that are made or compared on the way.
    work: f64,
    /// The number that it is, if it is written down.
    value: Option<f64>,
    /// Where its values lie.
    reach: Reach,
}

/// What becomes of a query.
#[derive(Debug, Clone, Default)]
struct Shape {
    columns: Vec<(String, Size)>,
    /// Of all its expressions and all that it reads.
    nodes: f64,
    work: f64,
    rows: f64,
    /// Tables that are joined with those of the query around; 0 where it is planned by itself, as one.
    tables: f64,
}

/// A query on its way to its size.
struct Sizes<'f> {
    facts: &'f Facts,
    views: &'f Views,
    ctes: Vec<(String, Shape)>,
    /// What each SELECT around reads: the name, and the columns; none of a table.
    scopes: Vec<Vec<(String, Option<Shape>)>>,
    /// The longest value anywhere, and the longest series.
    longest: f64,
    series: f64,
    /// True while a recursion is gone through, where only the lengths of texts count.
    turning: bool,
}

/// What is too large about a query, if anything is.
pub(super) fn check(query: &Query, facts: &Facts, views: &Views) -> Option<Finding> {
    let mut sizes = Sizes {
        facts,
        views,
        ctes: vec![],
        scopes: vec![],
        longest: 0.0,
        series: 0.0,
        turning: false,
    };
    let shape = sizes.query(query);
    let policy = &facts.policy;
    let finding = |message: String| Some(Finding::error(Code::OverLimit, None, message));
    if shape.nodes > policy.largest_expansion {
        let most = policy.largest_expansion;
        let message = format!(
            "the query has more than {most} expressions once its subqueries and views are put in place"
        );
        return finding(message).map(|finding| finding.with_hint("read each subquery and view fewer times"));
    }
    if sizes.longest > policy.longest_built {
        let message = format!(
            "a value that the query builds may have more than {} bytes",
            policy.longest_built
        );
        return finding(message).map(|finding| finding.with_hint("build shorter texts and smaller numbers"));
    }
    if sizes.series > policy.longest_series {
        let most = policy.longest_series;
        let message = format!("a series may have more than {most} values");
        let hint = "write its bounds down, keep numbers below least(…, 1000), or go from date to date by a day or more";
        return Some(Finding::error(Code::Forbidden, None, message).with_hint(hint));
    }
    if shape.work > policy.largest_work {
        let message = "the query builds and compares too long values".to_owned();
        return finding(message)
            .map(|finding| finding.with_hint("build shorter texts, and search in them less"));
    }
    None
}

impl Size {
    const STORED: Self = Self {
        nodes: 1.0,
        bytes: STORED,
        work: 0.0,
        value: None,
        reach: Reach::STORED,
    };

    /// The larger in everything.
    fn or(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.max(other.nodes),
            bytes: self.bytes.max(other.bytes),
            work: self.work.max(other.work),
            value: match (self.value, other.value) {
                (Some(one), Some(other)) => Some(if one.abs() > other.abs() { one } else { other }),
                _ => None,
            },
            reach: self.reach.or(other.reach),
        }
    }
}

impl Sizes<'_> {
    fn query(&mut self, query: &Query) -> Shape {
        let outside = self.ctes.len();
        if let Some(with) = &query.with {
            for cte in &with.cte_tables {
                let name = cte.alias.name.value.to_lowercase();
                // A name that is not known yet is a table's: what reads itself reads what is stored.
                let mut shape = self.cte(cte);
                if with.recursive && matches!(*cte.query.body, SetExpr::SetOperation { .. }) {
                    for (_, size) in &mut shape.columns {
                        size.reach = Reach::ANY;
                    }
                }
                if with.recursive && !self.turning && self.grows_faster(&name, cte) {
                    self.longest = f64::INFINITY;
                }
                self.ctes.push((name, shape));
            }
        }
        let mut shape = self.body(&query.body);
        if let SetExpr::Select(_) = query.body.as_ref() {
            // What orders the rows is mostly among the columns, and is made of the same.
            let ordered = query.order_by.as_ref().map(|order| self.all(order));
            let ordered = ordered.unwrap_or_default();
            shape.nodes += ordered.0;
            shape.work += ordered.1;
            self.scopes.pop();
        }
        self.ctes.truncate(outside);
        if query.order_by.is_some() || query.limit_clause.is_some() || query.fetch.is_some() {
            shape.tables = 0.0;
        }
        shape
    }

    fn cte(&mut self, cte: &Cte) -> Shape {
        let mut shape = self.query(&cte.query);
        for (column, alias) in shape.columns.iter_mut().zip(&cte.alias.columns) {
            column.0 = alias.name.value.to_lowercase();
        }
        shape
    }

    /// True if a recursion makes a value longer by more in each turn, as `s || s` does, and not by as much.
    fn grows_faster(&mut self, name: &str, cte: &Cte) -> bool {
        self.turning = true;
        let mut lengths: Vec<Vec<f64>> = vec![];
        let mut read = None;
        for _ in 0..TURNS {
            let known = self.ctes.len();
            self.ctes.extend(read.map(|shape| (name.to_owned(), shape)));
            let shape = self.cte(cte);
            self.ctes.truncate(known);
            lengths.push(shape.columns.iter().map(|(_, size)| size.bytes).collect());
            let columns = shape.columns.into_iter();
            read = Some(Shape {
                columns: columns
                    .map(|(name, size)| {
                        (
                            name,
                            Size {
                                bytes: size.bytes,
                                ..Size::STORED
                            },
                        )
                    })
                    .collect(),
                rows: ROWS,
                ..Shape::default()
            });
        }
        self.turning = false;
        let added = |at: usize, turn: usize| {
            lengths[turn + 1]
                .get(at)
                .zip(lengths[turn].get(at))
                .map(|(one, other)| one - other)
        };
        (0..lengths[0].len()).any(|at| {
            let most = added(at, 0).unwrap_or_default().max(1.0) * FASTER;
            added(at, TURNS - 2).is_some_and(|last| last > most)
        })
    }

    /// A SELECT leaves its scope for what orders it.
    fn body(&mut self, body: &SetExpr) -> Shape {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, right, .. } => {
                let (left, right) = (self.part(left), self.part(right));
                let columns = left.columns.into_iter().zip(right.columns);
                Shape {
                    columns: columns
                        .map(|((name, one), (_, other))| (name, one.or(other)))
                        .collect(),
                    nodes: left.nodes + right.nodes,
                    work: left.work + right.work,
                    rows: left.rows + right.rows,
                    tables: 0.0,
                }
            }
            SetExpr::Values(values) => {
                let mut shape = Shape {
                    rows: values.rows.len() as f64,
                    ..Shape::default()
                };
                for row in &values.rows {
                    for (at, expr) in row.iter().enumerate() {
                        let size = self.expr(expr);
                        shape.add(size);
                        match shape.columns.get_mut(at) {
                            Some((_, known)) => *known = known.or(size),
                            None => shape.columns.push((format!("column{}", at + 1), size)),
                        }
                    }
                }
                shape
            }
            _ => Shape::default(),
        }
    }

    fn part(&mut self, body: &SetExpr) -> Shape {
        let shape = self.body(body);
        if let SetExpr::Select(_) = body {
            self.scopes.pop();
        }
        shape
    }

    fn select(&mut self, select: &Select) -> Shape {
        self.scopes.push(vec![]);
        let mut shape = Shape {
            rows: 1.0,
            ..Shape::default()
        };
        for item in &select.from {
            self.from(item, &mut shape);
        }
        for item in &select.projection {
            let (name, expr) = match item {
                SelectItem::UnnamedExpr(expr) => (named(expr), expr),
                SelectItem::ExprWithAlias { expr, alias } => (alias.value.to_lowercase(), expr),
                _ => {
                    let all = self.scopes.last().into_iter().flatten();
                    let columns: Vec<_> = all
                        .filter_map(|(_, shape)| shape.as_ref())
                        .flat_map(|shape| &shape.columns)
                        .take(COLUMNS + 1)
                        .cloned()
                        .collect();
                    if shape.columns.len() + columns.len() > COLUMNS {
                        shape.nodes = f64::INFINITY;
                        continue;
                    }
                    for column in columns {
                        shape.add(column.1);
                        shape.columns.push(column);
                    }
                    continue;
                }
            };
            let size = self.rows_of(shape.rows, expr);
            shape.add(size);
            shape.columns.push((name, size));
        }
        let conditions = [&select.selection, &select.having, &select.qualify];
        for condition in conditions.into_iter().flatten() {
            let size = self.rows_of(shape.rows, condition);
            shape.add(size);
        }
        let grouped = self.all(&select.group_by);
        let windows = self.all(&select.named_window);
        shape.nodes += grouped.0 + windows.0;
        shape.work += grouped.1 + windows.1;
        shape.nodes *= sets(&select.group_by);
        if grouped.0 > 0.0 || select.having.is_some() || select.distinct.is_some() {
            shape.tables = 0.0;
        }
        shape
    }

    fn from(&mut self, item: &TableWithJoins, shape: &mut Shape) {
        self.factor(&item.relation, shape);
        for join in &item.joins {
            self.factor(&join.relation, shape);
            if let Some(JoinConstraint::On(condition)) = join_constraint(&join.join_operator) {
                let size = self.expr(condition);
                shape.add(size);
            }
        }
    }

    fn factor(&mut self, factor: &TableFactor, shape: &mut Shape) {
        let (alias, read) = match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            } => {
                let called = last(name);
                // What is too large already is not made larger.
                let is_large = shape.nodes > self.facts.policy.largest_expansion;
                let cte = (name.0.len() == 1 && !is_large)
                    .then(|| self.ctes.iter().rev().find(|(known, _)| *known == called))
                    .flatten();
                let read = cte.map(|(_, shape)| shape.clone());
                let name = alias
                    .as_ref()
                    .map_or(called, |alias| alias.name.value.to_lowercase());
                (Some((name, alias)), read)
            }
            TableFactor::Table {
                name,
                alias,
                args: Some(args),
                ..
            } => (
                Some((called(name, alias.as_ref()), alias)),
                Some(self.series(name, &args.args)),
            ),
            TableFactor::Function {
                name, args, alias, ..
            } => (
                Some((called(name, alias.as_ref()), alias)),
                Some(self.series(name, args)),
            ),
            TableFactor::Derived { subquery, alias, .. } => {
                let read = self.query(subquery);
                let name = alias.as_ref().map(|alias| alias.name.value.to_lowercase());
                (Some((name.unwrap_or_default(), alias)), Some(read))
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.from(table_with_joins, shape);
                return;
            }
            other => {
                let (nodes, work) = self.all(other);
                shape.nodes += nodes;
                shape.work += work;
                (None, None)
            }
        };
        let view = view(self.views, factor)
            .filter(|_| read.is_none())
            .unwrap_or_default();
        let joined = read.as_ref().map_or(view.joined, |read| read.tables).max(1.0);
        shape.nodes += TABLE * (1.0 + view.relations) + PAIR * shape.tables * joined;
        shape.nodes += PAIR * view.joined * (view.joined - 1.0) / 2.0;
        shape.tables += joined;
        let Some((name, alias)) = alias else { return };
        let mut read = read;
        if let (Some(read), Some(alias)) = (&mut read, alias) {
            for (column, alias) in read.columns.iter_mut().zip(&alias.columns) {
                column.0 = alias.name.value.to_lowercase();
            }
        }
        if let Some(read) = &read {
            shape.nodes += read.nodes;
            shape.work += read.work;
            shape.rows *= read.rows.max(1.0);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, read));
        }
    }

    /// A function in FROM.
    fn series(&mut self, name: &ObjectName, args: &[FunctionArg]) -> Shape {
        let sizes: Vec<Size> = args
            .iter()
            .filter_map(argument)
            .map(|expr| self.expr(expr))
            .collect();
        let bytes = sizes.iter().map(|size| size.bytes).sum::<f64>().max(SMALL);
        let rows = if last(name) == "generate_series" {
            self.series_of(&sizes)
        } else {
            ROWS
        };
        let bounds = sizes.iter().take(2).map(|size| size.reach);
        let size = Size {
            bytes,
            reach: bounds.reduce(Reach::or).unwrap_or(Reach::ANY),
            ..Size::STORED
        };
        let mut shape = Shape {
            columns: vec![(last(name), size)],
            rows: rows.max(1.0),
            ..Shape::default()
        };
        for size in sizes {
            shape.add(size);
        }
        shape
    }

    /// How many values a series has, or may have; what is refused is not counted on.
    fn series_of(&mut self, bounds: &[Size]) -> f64 {
        let bounds: Vec<Reach> = bounds.iter().map(|size| size.reach).collect();
        let values = reach::values(&bounds);
        self.series = self.series.max(values);
        if values.is_finite() { values } else { ROWS }
    }

    /// All expressions of something: how many, and their work.
    fn all(&mut self, node: &impl sqlparser::ast::Visit) -> (f64, f64) {
        let sizes = self.sizes(ROWS, node);
        let sum = |of: fn(&Size) -> f64| sizes.iter().map(of).sum();
        (sum(|size| size.nodes), sum(|size| size.work))
    }

    fn expr(&mut self, expr: &Expr) -> Size {
        self.rows_of(ROWS, expr)
    }

    /// An expression over so many rows.
    fn rows_of(&mut self, rows: f64, expr: &Expr) -> Size {
        self.sizes(rows, expr).pop().unwrap_or(Size::STORED)
    }

    fn sizes(&mut self, rows: f64, node: &impl sqlparser::ast::Visit) -> Vec<Size> {
        let mut measure = Measure {
            sizes: self,
            open: vec![vec![]],
            inside: 0,
            rows: rows.max(ROWS),
        };
        let _ = walk(node, &mut measure);
        measure.open.pop().unwrap_or_default()
    }
}

impl Shape {
    fn add(&mut self, size: Size) {
        self.nodes += size.nodes;
        self.work += size.work;
    }
}

#[cfg(test)]
mod tests;
