//! Groups: where an aggregate stands beside plain columns, or a condition or an order needs one.

use super::{Planner, Unplannable, display_columns, push_new};
use crate::question::{
    embedded::{
        clauses::Target,
        logical::{Expression, Function, Query},
    },
    schema::ColumnRef,
};

impl Planner<'_> {
    /// Groups where an aggregate stands beside plain columns or a condition or an order needs it.
    pub(super) fn group(
        &self,
        query: &mut Query,
        base: usize,
        guesses: &mut Vec<String>,
    ) -> Result<(), Unplannable> {
        let plain: Vec<ColumnRef> = query
            .select
            .iter()
            .filter_map(|expression| match expression {
                Expression::Column(column) => Some(*column),
                _ => None,
            })
            .collect();
        let rows_alone = matches!(self.clauses.select.as_slice(), [Target::Table(table)] if *table == base);
        let unordered = query.order.is_empty() && query.limit.is_none();
        let plain = if !self.clauses.group.is_empty() && rows_alone && unordered {
            // `orders per month`, `customers for each country`: how many there are.
            query.select = vec![Expression::CountRows];
            Vec::new()
        } else {
            plain
        };
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
            if only_counted || !query.order.is_empty() {
                return Err(Unplannable::Unsupported("an aggregate ordered by an aggregate"));
            }
            if let [Expression::Row(table)] = query.select[..] {
                self.group_by_key(query, table);
                return Ok(());
            }
            return self.count_groups(query, base);
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

    /// `how many countries have more than 100 customers`: the groups themselves are counted.
    fn count_groups(&self, query: &mut Query, base: usize) -> Result<(), Unplannable> {
        let groups: Vec<Expression> = match query.select[..] {
            [
                Expression::Aggregate {
                    function: Function::Count,
                    column,
                    ..
                },
            ] => vec![Expression::Column(column)],
            [Expression::CountRows] => {
                let key = &self.snapshot.schema.tables[base].primary_key;
                key.iter()
                    .map(|&column| Expression::Column(ColumnRef { table: base, column }))
                    .collect()
            }
            _ => Vec::new(),
        };
        if groups.is_empty() {
            return Err(Unplannable::Unsupported("an aggregate over groups"));
        }
        query.select.clone_from(&groups);
        query.group = groups;
        query.counted = true;
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
}
