//! The query plan: from clauses to one logical query over joined tables.

use super::{
    clauses::{Clauses, Condition, Right, Target},
    logical::{Comparator, Comparison, Direction, Expression, Filter, Function, Operand, Query},
};
use crate::schema::{ColumnKind, ColumnRef, Snapshot, words};

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

/// The columns that show a person what a row is: name, title, else the key.
pub(crate) fn display_columns(snapshot: &Snapshot, table: usize) -> Vec<ColumnRef> {
    let description = &snapshot.schema.tables[table];
    let table_stems: Vec<String> = words::identifier_words(&description.name)
        .iter()
        .map(|word| words::stem(word))
        .collect();
    let stems: Vec<Vec<String>> = description
        .columns
        .iter()
        .map(|column| {
            words::identifier_words(&column.name)
                .iter()
                .map(|word| words::stem(word))
                .collect()
        })
        .collect();
    let at = |column: usize| ColumnRef { table, column };
    let is_text = |column: usize| description.columns[column].kind == ColumnKind::Text;
    let refers = |column: usize| {
        snapshot
            .schema
            .foreign_keys
            .iter()
            .any(|key| key.from.contains(&at(column)))
    };
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        (0..stems.len()).find(|&column| is_text(column) && !refers(column) && wanted(&stems[column]))
    };
    let has = |stems: &[String], word: &str| stems.iter().any(|stem| stem == word);
    for label in ["name", "titl"] {
        let own = find(&|stems| {
            has(stems, label)
                && stems
                    .iter()
                    .all(|stem| stem == label || table_stems.contains(stem) || stem == "full")
        });
        if let Some(column) = own {
            return vec![at(column)];
        }
    }
    let part = |words: &[&str]| find(&|stems| words.iter().any(|word| stems.iter().any(|stem| stem == word)));
    if let (Some(first), Some(last)) = (
        part(&["first", "forenam", "fname", "givenname"]),
        part(&["last", "surnam", "lname", "famili"]),
    ) {
        return vec![at(first), at(last)];
    }
    if let Some(column) = find(&|stems| has(stems, "name") || has(stems, "titl")) {
        return vec![at(column)];
    }
    if let Some(&key) = description.primary_key.first() {
        return vec![at(key)];
    }
    vec![at(0)]
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
        let base = self.base_table(&query)?;
        query.tables.push(base);
        let absent: Vec<usize> = clauses
            .absent
            .iter()
            .copied()
            .filter(|table| *table != base)
            .collect();
        for target in &clauses.select {
            if let Target::CountRows(table) | Target::Table(table) = target {
                push_new(&mut query.tables, *table);
            }
        }
        self.mention_tables(&mut query, &absent, &mut guesses);

        let (inside, outside): (Vec<&Condition>, Vec<&Condition>) =
            clauses.conditions.iter().partition(|condition| {
                !absent.is_empty() && self.table_of(condition.left).is_some_and(|t| t != base)
            });
        for &table in &absent {
            let filter = self
                .absence(base, table, &inside)
                .ok_or(Unplannable::Unsupported("no keys lead there"))?;
            query.filters.push(filter);
        }
        let both = self.conditions(&mut query, base, &outside)?;
        if !self.extreme_as_filter(&mut query) {
            self.order(&mut query);
        }
        self.group(&mut query, base, &mut guesses)?;
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

    fn table_of(&self, target: Target) -> Option<usize> {
        match target {
            Target::Column(column) | Target::Part(_, column) | Target::Aggregate { column, .. } => {
                Some(column.table)
            }
            Target::Table(table) | Target::Everything(table) | Target::CountRows(table) => Some(table),
            Target::First => None,
        }
    }

    /// The table whose rows the answer is about.
    fn base_table(&self, query: &Query) -> Result<usize, Unplannable> {
        let selected = self.clauses.select.iter().find_map(|target| match target {
            Target::First => None,
            other => self.table_of(*other),
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

    /// Adds the filters; returns the two of a column that must both hold for the same thing.
    fn conditions(
        &self,
        query: &mut Query,
        base: usize,
        conditions: &[&Condition],
    ) -> Result<Option<(Filter, Filter)>, Unplannable> {
        let mut both = None;
        let mut taken = vec![false; conditions.len()];
        for at in 0..conditions.len() {
            if taken[at] {
                continue;
            }
            let condition = conditions[at];
            let comparison = self.comparison(condition);
            if matches!(condition.left, Target::CountRows(_) | Target::Aggregate { .. }) {
                if let Target::CountRows(table) = condition.left {
                    push_new(&mut query.tables, table);
                }
                query.having.push(comparison);
                continue;
            }
            if condition.negated && self.many_from(base, condition.left) {
                let table = self.table_of(condition.left).unwrap_or(base);
                let inner = Condition {
                    negated: false,
                    ..condition.clone()
                };
                let filter = self
                    .absence(base, table, &[&inner])
                    .ok_or(Unplannable::Unsupported("no keys lead there"))?;
                query.filters.push(filter);
                query
                    .tables
                    .retain(|mentioned| *mentioned != table || table == base);
                continue;
            }
            let equal_to_other: Vec<usize> = (at + 1..conditions.len())
                .filter(|&other| {
                    let other = conditions[other];
                    !taken[at]
                        && other.left == condition.left
                        && same_sort(condition, other, self.clauses.both)
                        || other.alternative
                })
                .collect();
            if equal_to_other.is_empty() {
                query.filters.push(Filter::Compare(comparison));
                continue;
            }
            for &other in &equal_to_other {
                taken[other] = true;
            }
            let any_alternative = equal_to_other.iter().any(|&other| conditions[other].alternative);
            let must_both = self.clauses.both || (!any_alternative && self.many_from(base, condition.left));
            let second = self.comparison(conditions[equal_to_other[0]]);
            if condition.negated {
                query.filters.push(Filter::Compare(comparison));
                for &other in &equal_to_other {
                    query.filters.push(Filter::Compare(self.comparison(&Condition {
                        negated: true,
                        ..conditions[other].clone()
                    })));
                }
            } else if must_both && !any_alternative && equal_to_other.len() == 1 {
                both = Some((Filter::Compare(comparison), Filter::Compare(second)));
            } else {
                let mut any = vec![comparison];
                any.extend(
                    equal_to_other
                        .iter()
                        .map(|&other| self.comparison(conditions[other])),
                );
                query.filters.push(Filter::Any(any));
            }
        }
        Ok(both)
    }

    fn comparison(&self, condition: &Condition) -> Comparison {
        let left = self
            .expressions(condition.left)
            .into_iter()
            .next()
            .unwrap_or(Expression::CountRows);
        let operator = if condition.negated {
            condition.operator.negated()
        } else {
            condition.operator
        };
        let right = match &condition.right {
            Right::Operand(operand) => operand.clone(),
            Right::Overall(function, column) => Operand::Query(Box::new(Query {
                select: vec![Expression::Aggregate {
                    function: *function,
                    distinct: false,
                    column: *column,
                }],
                ..Query::default()
            })),
        };
        Comparison {
            left,
            operator,
            right,
        }
    }

    /// True where one row of `base` may have several rows of the target's table.
    fn many_from(&self, base: usize, target: Target) -> bool {
        let Some(table) = self.table_of(target) else {
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

    /// `base` rows for which no row of `table` exists that meets the conditions.
    fn absence(&self, base: usize, table: usize, inside: &[&Condition]) -> Option<Filter> {
        let steps = self.snapshot.joins.connect(&[base, table], &self.clauses.keys)?;
        let first = steps.first()?;
        let key = &self.snapshot.schema.foreign_keys[first.key];
        let ties: Vec<(ColumnRef, ColumnRef)> = key
            .from
            .iter()
            .zip(&key.to)
            .map(|(from, to)| {
                if from.table == base {
                    (*from, *to)
                } else {
                    (*to, *from)
                }
            })
            .collect();
        let mut inner = Query {
            keys: self.clauses.keys.clone(),
            ..Query::default()
        };
        inner.tables.push(first.table);
        push_new(&mut inner.tables, table);
        for condition in inside {
            inner.filters.push(Filter::Compare(self.comparison(condition)));
        }
        let reaches_only_key = steps.len() > 1 && inside.is_empty() && steps.last()?.table == table;
        if reaches_only_key {
            // The rows in between refer to the table; without a condition on it they say all there is to know.
            inner.tables.truncate(1);
        }
        if let [(outer, tied)] = ties[..] {
            inner.select.push(Expression::Column(tied));
            inner.filters.push(Filter::Compare(Comparison {
                left: Expression::Column(tied),
                operator: Comparator::IsNotNull,
                right: Operand::Nothing,
            }));
            return Some(Filter::In {
                column: outer,
                query: Box::new(inner),
                negated: true,
            });
        }
        inner.select.push(Expression::One);
        Some(Filter::Exists {
            ties,
            query: Box::new(inner),
            negated: true,
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

    /// `the average age in the largest dorm`: an aggregate is not ranked, so the extreme becomes a condition.
    fn extreme_as_filter(&self, query: &mut Query) -> bool {
        let only_aggregates = query.select.iter().all(Expression::is_aggregate);
        let [(Target::Column(column), direction)] = self.clauses.order[..] else {
            return false;
        };
        if !only_aggregates || self.clauses.limit != Some(1) || !self.clauses.group.is_empty() {
            return false;
        }
        let function = if direction == Direction::Descending {
            Function::Maximum
        } else {
            Function::Minimum
        };
        let extreme = Query {
            select: vec![Expression::Aggregate {
                function,
                distinct: false,
                column,
            }],
            ..Query::default()
        };
        query.filters.push(Filter::Compare(Comparison {
            left: Expression::Column(column),
            operator: Comparator::Equal,
            right: Operand::Query(Box::new(extreme)),
        }));
        query.limit = None;
        true
    }

    /// Groups where an aggregate stands beside plain columns or a condition or an order needs it.
    fn group(&self, query: &mut Query, base: usize, guesses: &mut Vec<String>) -> Result<(), Unplannable> {
        let plain: Vec<ColumnRef> = query
            .select
            .iter()
            .filter_map(|expression| match expression {
                Expression::Column(column) => Some(*column),
                _ => None,
            })
            .collect();
        let selected_aggregate = query.select.iter().any(Expression::is_aggregate);
        let ordered_aggregate = query
            .order
            .iter()
            .any(|(expression, _)| expression.is_aggregate());
        let needs_groups =
            ordered_aggregate || !query.having.is_empty() || (selected_aggregate && !plain.is_empty());
        if !self.clauses.group.is_empty() && (selected_aggregate || needs_groups) {
            for target in &self.clauses.group {
                self.group_by(query, *target);
            }
            for column in plain {
                push_new(&mut query.group, Expression::Column(column));
            }
            return Ok(());
        }
        if !needs_groups {
            for target in &self.clauses.group {
                if let Target::Column(column) = target
                    && !plain.contains(column)
                {
                    query.select.insert(0, Expression::Column(*column));
                    guesses.push("a group without an aggregate is shown as a column".into());
                }
            }
            return Ok(());
        }
        if plain.is_empty() {
            let only_counted = selected_aggregate && query.having.is_empty();
            if only_counted {
                return Err(Unplannable::Unsupported("an aggregate ordered by an aggregate"));
            }
            if let [Expression::Row(table)] = query.select[..] {
                self.group_by_key(query, table);
                return Ok(());
            }
            return Err(Unplannable::Unsupported("a count of groups"));
        }
        let counted: Vec<usize> = self.counted_tables();
        let counts_itself = counted.iter().all(|table| *table == base)
            && !query
                .tables_read()
                .iter()
                .any(|table| *table != base && self.fans_out(&[base, *table]));
        if !counts_itself {
            self.group_by_key(query, base);
        }
        for column in plain {
            push_new(&mut query.group, Expression::Column(column));
        }
        Ok(())
    }

    /// The tables whose rows are counted or aggregated.
    fn counted_tables(&self) -> Vec<usize> {
        let clauses = self.clauses;
        let targets = clauses
            .select
            .iter()
            .chain(clauses.order.iter().map(|(target, _)| target))
            .chain(clauses.conditions.iter().map(|condition| &condition.left));
        targets
            .filter_map(|target| match target {
                Target::CountRows(table) => Some(*table),
                Target::Aggregate { column, .. } => Some(column.table),
                _ => None,
            })
            .collect()
    }

    fn group_by(&self, query: &mut Query, target: Target) {
        match target {
            Target::Column(_) | Target::Part(..) => {
                for expression in self.expressions(target) {
                    if !query.select.contains(&expression) {
                        query.select.insert(0, expression.clone());
                    }
                    push_new(&mut query.group, expression);
                }
            }
            Target::Table(table) => {
                push_new(&mut query.tables, table);
                let shown = query.select.iter().any(
                    |expression| matches!(expression, Expression::Column(column) if column.table == table),
                );
                self.group_by_key(query, table);
                if !shown {
                    for column in display_columns(self.snapshot, table).into_iter().rev() {
                        query.select.insert(0, Expression::Column(column));
                        push_new(&mut query.group, Expression::Column(column));
                    }
                }
            }
            _ => {}
        }
    }

    fn group_by_key(&self, query: &mut Query, table: usize) {
        for &column in &self.snapshot.schema.tables[table].primary_key {
            push_new(&mut query.group, Expression::Column(ColumnRef { table, column }));
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

/// Two equalities on one column cannot both hold for one row.
fn same_sort(one: &Condition, other: &Condition, both: bool) -> bool {
    let equal =
        one.operator == other.operator && matches!(one.operator, Comparator::Equal | Comparator::Like);
    // `both older than 60 and younger than 30` is two persons.
    let apart = both && one.operator != other.operator;
    (equal || apart) && one.negated == other.negated
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
