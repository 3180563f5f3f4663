//! The query plan: from clauses to one logical query over joined tables.

use super::{
    clauses::{Absence, Clauses, Condition, Target},
    logical::{Direction, Expression, Filter, Function, Query},
};
use crate::question::schema::{ColumnRef, Snapshot};

mod conditions;
mod display;
mod grouping;

pub(crate) use display::display_columns;

/// A query and what had to be assumed for it.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) query: Query,
    /// Guesses, each costing confidence.
    pub(crate) guesses: Vec<String>,
}

/// Why no query can be planned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Unplannable {
    /// Nothing in the question names something to show.
    #[error("nothing in the question names a table or a column")]
    NothingSelected,
    /// The plan would need a shape that this planner does not have.
    #[error("this kind of question is not supported yet: {0}")]
    Unsupported(&'static str),
}

/// Plans the query that some clauses ask for.
pub(crate) fn plan(clauses: &Clauses, snapshot: &Snapshot) -> Result<Plan, Unplannable> {
    let planner = Planner { clauses, snapshot };
    planner.plan()
}

struct Planner<'a> {
    clauses: &'a Clauses,
    snapshot: &'a Snapshot,
}

impl Planner<'_> {
    fn plan(&self) -> Result<Plan, Unplannable> {
        let clauses = self.clauses;
        let mut guesses = clauses.guesses.clone();
        let ranked_rows = clauses.limit.is_some()
            && clauses
                .order
                .iter()
                .any(|(target, _)| matches!(target, Target::Column(_)));
        if ranked_rows && !clauses.group.is_empty() {
            return Err(Unplannable::Unsupported("the first rows of each group"));
        }
        let mut query = Query {
            distinct: clauses.distinct,
            limit: clauses.limit,
            keys: clauses.keys.clone(),
            ..Query::default()
        };
        for target in &clauses.select {
            query.select.extend(self.expressions(*target));
        }
        if query.select.is_empty() {
            return Err(Unplannable::NothingSelected);
        }
        dedup(&mut query.select);
        if query.select.iter().any(|shown| self.sums_dates(shown)) {
            return Err(Unplannable::Unsupported("a sum or an average of dates or times"));
        }
        let base = self.base_table(&query)?;
        query.tables.push(base);
        let absences: Vec<Absence> = clauses
            .absent
            .iter()
            .copied()
            .filter(|absence| absence.table != base)
            .collect();
        let absent: Vec<usize> = absences.iter().map(|absence| absence.table).collect();
        for target in &clauses.select {
            if let Target::CountRows(table) | Target::Table(table) = target {
                push_new(&mut query.tables, *table);
            }
        }
        self.mention_tables(&mut query, &absent, &mut guesses);

        // What is said of something that must not exist narrows it down; the rest is said of the rows themselves.
        let narrows = |condition: &Condition| {
            let elsewhere = table_of(condition.left).is_some_and(|table| table != base);
            let absence = absences
                .iter()
                .rposition(|absence| absence.position < condition.position)?;
            let of_rows = matches!(condition.left, Target::Column(_) | Target::Part(..));
            (elsewhere && of_rows).then_some(absence)
        };
        let outside: Vec<&Condition> = clauses
            .conditions
            .iter()
            .filter(|condition| !condition.within && narrows(condition).is_none())
            .collect();
        for (at, &table) in absent.iter().enumerate() {
            let inside: Vec<&Condition> = clauses
                .conditions
                .iter()
                .filter(|condition| narrows(condition) == Some(at))
                .collect();
            let filter = self
                .absence(base, table, &inside)
                .ok_or(Unplannable::Unsupported("no keys lead there"))?;
            query.filters.push(filter);
        }
        let both = self.conditions(&mut query, base, &outside)?;
        if mixes_and_with_or(&query.filters) {
            guesses.push("which conditions `and` and `or` hold together is a guess".into());
        }
        if !self.extreme_as_filter(&mut query) {
            self.order(&mut query);
            self.known_extremes(&mut query);
        }
        self.group(&mut query, base, &mut guesses)?;
        self.sort_periods(&mut query);
        self.fan_out(&mut query, base);
        if let Some((filter, other)) = both {
            let mut second = query.clone();
            query.filters.push(filter);
            second.filters.push(other);
            second.order.clear();
            second.limit = None;
            if query.select.iter().any(Expression::is_aggregate) {
                return Err(Unplannable::Unsupported(
                    "a count of what meets two conditions on one column",
                ));
            }
            query.distinct = false;
            second.distinct = false;
            query.intersect = Some(Box::new(second));
        }
        Ok(Plan { query, guesses })
    }

    fn expressions(&self, target: Target) -> Vec<Expression> {
        match target {
            Target::Column(column) => vec![Expression::Column(column)],
            Target::Table(table) => display_columns(self.snapshot, table)
                .into_iter()
                .map(Expression::Column)
                .collect(),
            Target::Everything(table) => vec![Expression::Row(table)],
            Target::CountRows(_) => vec![Expression::CountRows],
            Target::Aggregate {
                function,
                distinct,
                column,
            } => {
                vec![Expression::Aggregate {
                    function,
                    distinct,
                    column,
                }]
            }
            Target::Part(part, column) => vec![Expression::Part(part, column)],
            Target::First => Vec::new(),
        }
    }

    /// True for what has no meaning: dates have neither a sum nor an average.
    fn sums_dates(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Aggregate {
                function: Function::Sum | Function::Average,
                column,
                ..
            } => self.snapshot.schema.column(*column).kind.is_calendar(),
            _ => false,
        }
    }

    /// Months, years and days come in their order where the question asks for no other: databases group in any.
    fn sort_periods(&self, query: &mut Query) {
        let is_period = |expression: &&Expression| match expression {
            Expression::Part(..) => true,
            Expression::Column(column) => self.snapshot.schema.column(*column).kind.is_temporal(),
            _ => false,
        };
        if !query.order.is_empty() || query.counted {
            return;
        }
        let period = query.group.iter().find(is_period).cloned();
        query
            .order
            .extend(period.map(|period| (period, Direction::Ascending)));
    }

    /// The table whose rows the answer is about.
    fn base_table(&self, query: &Query) -> Result<usize, Unplannable> {
        let selected = self.clauses.select.iter().find_map(|target| match target {
            Target::First => None,
            other => table_of(*other),
        });
        let plain = query.select.iter().find_map(|expression| match expression {
            Expression::Column(column) => Some(column.table),
            Expression::Row(table) => Some(*table),
            _ => None,
        });
        plain
            .or(selected)
            .or(self.clauses.subject)
            .ok_or(Unplannable::NothingSelected)
    }

    /// Tables that the question names take part, as far as keys lead there.
    fn mention_tables(&self, query: &mut Query, absent: &[usize], guesses: &mut Vec<String>) {
        for &table in &self.clauses.tables {
            let between = absent
                .iter()
                .any(|&absent| self.lies_between(query.tables[0], absent, table));
            if absent.contains(&table) || query.tables.contains(&table) || between {
                continue;
            }
            let mut with = query.tables_read();
            with.push(table);
            if self.snapshot.joins.connect(&with, &self.clauses.keys).is_some() {
                query.tables.push(table);
            } else {
                guesses.push(format!(
                    "{} is left out: no keys lead there",
                    self.snapshot.schema.tables[table].name
                ));
            }
        }
    }

    /// True for a table on the way from one table to another.
    fn lies_between(&self, from: usize, to: usize, table: usize) -> bool {
        let steps = self.snapshot.joins.connect(&[from, to], &self.clauses.keys);
        table != from && steps.is_some_and(|steps| steps.iter().any(|step| step.table == table))
    }

    /// True where one row of `base` may have several rows of the target's table.
    fn many_from(&self, base: usize, target: Target) -> bool {
        let Some(table) = table_of(target) else {
            return false;
        };
        table != base && self.fans_out(&[base, table])
    }

    /// True if joining the tables in this order may repeat rows of the first.
    fn fans_out(&self, tables: &[usize]) -> bool {
        let schema = &self.snapshot.schema;
        let Some(steps) = self.snapshot.joins.connect(tables, &self.clauses.keys) else {
            return false;
        };
        steps.iter().any(|step| {
            let key = &schema.foreign_keys[step.key];
            if key.from[0].table != step.table {
                return false;
            }
            let from_columns: Vec<usize> = key.from.iter().map(|column| column.column).collect();
            let table = &schema.tables[step.table];
            let unique = table.primary_key == from_columns
                || (from_columns.len() == 1 && table.columns[from_columns[0]].unique);
            !unique
        })
    }

    fn order(&self, query: &mut Query) {
        for (target, direction) in &self.clauses.order {
            let expression = match target {
                Target::First => query
                    .select
                    .iter()
                    .find(|expression| expression.is_aggregate() && !self.clauses.group.is_empty())
                    .or_else(|| {
                        query
                            .select
                            .iter()
                            .find(|expression| !matches!(expression, Expression::Row(_)))
                    })
                    .cloned(),
                Target::CountRows(table) => {
                    push_new(&mut query.tables, *table);
                    Some(Expression::CountRows)
                }
                other => self.expressions(*other).into_iter().next(),
            };
            if let Some(expression) = expression {
                query.order.push((expression, *direction));
            }
        }
        let only_direction = matches!(
            self.clauses.order.as_slice(),
            [(Target::First, Direction::Descending)]
        );
        if only_direction && query.select.iter().any(|e| matches!(e, Expression::Row(_))) {
            query.order.clear();
        }
    }

    /// Rows must not repeat because of a join that only tests whether something exists.
    fn fan_out(&self, query: &mut Query, base: usize) {
        let aggregates = query.select.iter().any(Expression::is_aggregate);
        if !query.group.is_empty() || query.limit.is_some() {
            return;
        }
        let mut tables = vec![base];
        tables.extend(query.tables_read().into_iter().filter(|table| *table != base));
        let shows_other = query
            .select
            .iter()
            .any(|expression| expression.column().is_some_and(|column| column.table != base));
        if tables.len() < 2 || !self.fans_out(&tables) {
            return;
        }
        if !aggregates && !shows_other && query.order.is_empty() {
            query.distinct = true;
        }
        if let [Expression::CountRows] = query.select[..]
            && let [key] = self.snapshot.schema.tables[base].primary_key[..]
        {
            let column = ColumnRef {
                table: base,
                column: key,
            };
            query.select = vec![Expression::Aggregate {
                function: Function::Count,
                distinct: true,
                column,
            }];
        }
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn dedup(expressions: &mut Vec<Expression>) {
    let mut seen: Vec<Expression> = Vec::new();
    expressions.retain(|expression| {
        let new = !seen.contains(expression);
        if new {
            seen.push(expression.clone());
        }
        new
    });
}

/// The table that a target belongs to.
fn table_of(target: Target) -> Option<usize> {
    match target {
        Target::Column(column) | Target::Part(_, column) | Target::Aggregate { column, .. } => {
            Some(column.table)
        }
        Target::Table(table) | Target::Everything(table) | Target::CountRows(table) => Some(table),
        Target::First => None,
    }
}

/// True for a choice between conditions on several columns beside other conditions: words have no parentheses.
fn mixes_and_with_or(filters: &[Filter]) -> bool {
    let several_columns = |filter: &Filter| match filter {
        Filter::Any(choices) => choices.iter().any(|choice| choice.left != choices[0].left),
        _ => false,
    };
    filters.len() > 1 && filters.iter().any(several_columns)
}
