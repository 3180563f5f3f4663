//! What the stages found, in words that a person can check.

use serde_json::{Value as Json, json};

use super::{
    clauses::{Absence, Clauses, Condition, Right, Target},
    logical::{Comparator, DatePart, Direction, Expression, Filter, Function, Operand, Query},
    question::Token,
    resolve::{Item, ItemKind},
};
use crate::question::schema::{ColumnRef, Snapshot};

/// One line per linked phrase.
pub(crate) fn items(items: &[Item], tokens: &[Token], snapshot: &Snapshot) -> Vec<String> {
    let names = Names(snapshot);
    items
        .iter()
        .filter_map(|item| {
            let phrase: Vec<&str> = tokens[item.span.clone()]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            let phrase = phrase.join(" ");
            let meaning = match &item.kind {
                ItemKind::Table(table) => format!("table {}", names.table(*table)),
                ItemKind::Column(column, _) => format!("column {}", names.column(*column)),
                ItemKind::Value { hits, .. } => match hits.as_slice() {
                    [] => "a value that is not stored".to_owned(),
                    [hit] => format!("value '{}' of {}", hit.stored, names.column(hit.column)),
                    [hit, rest @ ..] => {
                        format!(
                            "value '{}' of {} and {} other places",
                            hit.stored,
                            names.column(hit.column),
                            rest.len()
                        )
                    }
                },
                ItemKind::Unknown => "not understood".to_owned(),
                _ => return None,
            };
            Some(format!("\"{phrase}\": {meaning}"))
        })
        .collect()
}

/// The clauses as a JSON list.
pub(crate) fn clauses(clauses: &Clauses, snapshot: &Snapshot) -> String {
    let names = Names(snapshot);
    let mut list: Vec<Json> = Vec::new();
    let mut add =
        |clause: &str, expression: String| list.push(json!({"clause": clause, "expression": expression}));
    for target in &clauses.select {
        add("SELECT", names.target(*target));
    }
    for condition in &clauses.conditions {
        let clause = match condition.left {
            Target::CountRows(_) | Target::Aggregate { .. } => "HAVING",
            _ => "WHERE",
        };
        add(clause, names.condition(condition));
    }
    for Absence { table, .. } in &clauses.absent {
        add("WHERE", format!("no {}", names.table(*table)));
    }
    for target in &clauses.group {
        add("GROUP BY", names.target(*target));
    }
    for (target, direction) in &clauses.order {
        add(
            "ORDER BY",
            format!("{} {}", names.target(*target), direction_word(*direction)),
        );
    }
    if let Some(limit) = clauses.limit {
        add("LIMIT", limit.to_string());
    }
    Json::Array(list).to_string()
}

/// The plan as steps.
pub(crate) fn plan(query: &Query, snapshot: &Snapshot) -> Vec<String> {
    let names = Names(snapshot);
    let mut steps = Vec::new();
    let tables: Vec<&str> = query
        .tables_read()
        .into_iter()
        .map(|table| names.table(table))
        .collect();
    match tables.as_slice() {
        [] => {}
        [table] => steps.push(format!("Read {table}.")),
        [first, rest @ ..] => {
            steps.push(format!(
                "Read {first} and join {} along the keys.",
                rest.join(", ")
            ));
        }
    }
    for filter in &query.filters {
        steps.push(match filter {
            Filter::Compare(comparison) => format!(
                "Keep rows where {} {} {}.",
                names.expression(&comparison.left),
                comparator_words(comparison.operator),
                names.operand(&comparison.right)
            ),
            Filter::Any(any) => {
                let parts: Vec<String> = any
                    .iter()
                    .map(|comparison| {
                        format!(
                            "{} {} {}",
                            names.expression(&comparison.left),
                            comparator_words(comparison.operator),
                            names.operand(&comparison.right)
                        )
                    })
                    .collect();
                format!("Keep rows where {}.", parts.join(" or "))
            }
            Filter::In { query, .. } | Filter::Exists { query, .. } => {
                let inner: Vec<&str> = query
                    .tables_read()
                    .into_iter()
                    .map(|table| names.table(table))
                    .collect();
                format!(
                    "Keep rows for which there is no matching row in {}.",
                    inner.join(", ")
                )
            }
        });
    }
    if !query.group.is_empty() {
        let group: Vec<String> = query
            .group
            .iter()
            .map(|expression| names.expression(expression))
            .collect();
        steps.push(format!("Group by {}.", group.join(", ")));
    }
    for having in &query.having {
        steps.push(format!(
            "Keep groups where {} {} {}.",
            names.expression(&having.left),
            comparator_words(having.operator),
            names.operand(&having.right)
        ));
    }
    let shown: Vec<String> = query
        .select
        .iter()
        .map(|expression| names.expression(expression))
        .collect();
    let different = if query.distinct { "different " } else { "" };
    steps.push(format!("Show {different}{}.", shown.join(", ")));
    if query.intersect.is_some() {
        steps.push("Do the same for the other condition, and keep what both have.".to_owned());
    }
    if !query.order.is_empty() {
        let order: Vec<String> = query
            .order
            .iter()
            .map(|(expression, direction)| {
                format!("{} {}", names.expression(expression), direction_word(*direction))
            })
            .collect();
        steps.push(format!("Sort by {}.", order.join(", ")));
    }
    if let Some(limit) = query.limit {
        steps.push(format!("Take the first {limit}."));
    }
    if query.counted {
        steps.push("Count what was found.".to_owned());
    }
    steps
}

/// Names of what a snapshot holds.
struct Names<'a>(&'a Snapshot);

impl Names<'_> {
    fn table(&self, table: usize) -> &str {
        &self.0.schema.tables[table].name
    }

    fn column(&self, column: ColumnRef) -> String {
        format!(
            "{}.{}",
            self.table(column.table),
            self.0.schema.column(column).name
        )
    }

    fn target(&self, target: Target) -> String {
        match target {
            Target::Column(column) => self.column(column),
            Target::Table(table) => self.table(table).to_owned(),
            Target::Everything(table) => format!("{}.*", self.table(table)),
            Target::CountRows(table) => format!("number of {}", self.table(table)),
            Target::Aggregate {
                function,
                distinct,
                column,
            } => self.expression(&Expression::Aggregate {
                function,
                distinct,
                column,
            }),
            Target::Part(part, column) => names_part(part, &self.column(column)),
            Target::First => "what is shown first".to_owned(),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let operator = if condition.negated {
            condition.operator.negated()
        } else {
            condition.operator
        };
        let right = match &condition.right {
            Right::Operand(operand) => self.operand(operand),
            Right::Frequent(column, direction) => {
                let which = match direction {
                    Direction::Descending => "most",
                    Direction::Ascending => "least",
                };
                format!("the {which} common {}", self.column(*column))
            }
            Right::Overall(function, column) => {
                format!("the {} {}", function_word(*function), self.column(*column))
            }
        };
        format!(
            "{} {} {right}",
            self.target(condition.left),
            comparator_words(operator)
        )
        .trim_end()
        .to_owned()
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Column(column) => self.column(*column),
            Expression::Row(table) => format!("all columns of {}", self.table(*table)),
            Expression::CountRows => "the number of rows".to_owned(),
            Expression::Aggregate {
                function,
                distinct,
                column,
            } => {
                let different = if *distinct { "different " } else { "" };
                format!(
                    "the {} {different}{}",
                    function_word(*function),
                    self.column(*column)
                )
            }
            Expression::Part(part, column) => names_part(*part, &self.column(*column)),
            Expression::One => "a row".to_owned(),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Text(text) => format!("'{text}'"),
            Operand::Number(number) => number.clone(),
            Operand::Parameter(number) => format!("${number}"),
            Operand::Range(low, high) => format!("{} and {}", self.operand(low), self.operand(high)),
            Operand::Query(query) => query
                .select
                .first()
                .map(|expression| self.expression(expression))
                .unwrap_or_default(),
            Operand::Nothing => String::new(),
        }
    }
}

fn names_part(part: DatePart, column: &str) -> String {
    let part = match part {
        DatePart::Year => "year",
        DatePart::Month => "month",
        DatePart::Day => "day",
    };
    format!("the {part} of {column}")
}

fn function_word(function: Function) -> &'static str {
    match function {
        Function::Count => "number of",
        Function::Average => "average",
        Function::Sum => "sum of",
        Function::Maximum => "maximum",
        Function::Minimum => "minimum",
    }
}

fn comparator_words(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Equal => "is",
        Comparator::NotEqual => "is not",
        Comparator::Greater => "is greater than",
        Comparator::AtLeast => "is at least",
        Comparator::Less => "is less than",
        Comparator::AtMost => "is at most",
        Comparator::Like => "is like",
        Comparator::NotLike => "is not like",
        Comparator::Between => "is between",
        Comparator::IsNull => "is missing",
        Comparator::IsNotNull => "is known",
    }
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Ascending => "ascending",
        Direction::Descending => "descending",
    }
}
