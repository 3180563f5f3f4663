//! `older than 30`, `more than three orders`, `between 5 and 10`, `above the average price`, `after 2020`.

use super::{Comparator, Condition, Function, ItemKind, Operand, Operator, Reader, Right, Target, period};
use crate::question::{
    embedded::lexicon::{Degree, lexicon},
    schema::ColumnRef,
};

impl Reader<'_> {
    pub(super) fn comparisons(&mut self) {
        for at in 0..self.items.len() {
            match self.operator(at) {
                Some(Operator::Between) => self.between(at),
                Some(Operator::ThanAverage) => self.than_average(at),
                Some(Operator::OrMore | Operator::OrLess) => self.or_more(at),
                _ => {}
            }
        }
        for at in 0..self.items.len() {
            if self.comparator(at).is_some() {
                self.compare(at);
            }
        }
        self.numbers();
    }

    /// The comparison that an operator or a comparative adjective stands for.
    fn comparator(&self, at: usize) -> Option<Comparator> {
        if let Some(ItemKind::Adjective {
            index,
            degree: Degree::Comparative,
        }) = self.kind(at)
            && !self.used[at]
        {
            let rises = self.attribute(at, *index).is_none_or(|(_, rises)| rises);
            return Some(if rises {
                Comparator::Greater
            } else {
                Comparator::Less
            });
        }
        Some(match self.operator(at)? {
            Operator::Greater | Operator::After => Comparator::Greater,
            Operator::AtLeast | Operator::Since => Comparator::AtLeast,
            Operator::Less | Operator::Before => Comparator::Less,
            Operator::AtMost | Operator::Until => Comparator::AtMost,
            Operator::Equal => Comparator::Equal,
            _ => return None,
        })
    }

    pub(super) fn operand(&self, at: usize) -> Option<Operand> {
        match self.kind(at)? {
            _ if self.used[at] => None,
            ItemKind::Number(number) => Some(Operand::Number(number.clone())),
            ItemKind::Date(date) => Some(Operand::Text(date.clone())),
            ItemKind::Parameter(number) => Some(Operand::Parameter(*number)),
            ItemKind::Value {
                text, quoted: true, ..
            } => {
                let text = text.clone();
                Some(if text.parse::<f64>().is_ok() {
                    Operand::Number(text)
                } else {
                    Operand::Text(text)
                })
            }
            _ => None,
        }
    }

    fn compare(&mut self, at: usize) {
        let Some(comparator) = self.comparator(at) else {
            return;
        };
        let right = self.skip_glue(at + 1);
        if let Some(operand) = self.operand(right) {
            self.compare_with(at, right, comparator, operand);
        } else if let Some(function) = self.function(right) {
            let mut next = self.skip_glue(right + 1);
            if self.operator(next) == Some(Operator::Count) && self.column(next + 1).is_some() {
                self.used[next] = true;
                next += 1;
            }
            let stated = self.column(next);
            if let Some(left) = self
                .left_before(at)
                .or_else(|| self.adjective_target(at))
                .or(stated.map(Target::Column))
                && let Target::Column(column) = left
            {
                let over = stated.unwrap_or(column);
                self.use_range(at..right + 1);
                if stated.is_some() {
                    self.used[next] = true;
                }
                self.push(at, left, comparator, Right::Overall(function, over));
            }
        }
    }

    fn function(&self, at: usize) -> Option<Function> {
        Some(match self.operator(at)? {
            Operator::Average => Function::Average,
            Operator::Maximum | Operator::Highest => Function::Maximum,
            Operator::Minimum | Operator::Lowest => Function::Minimum,
            _ => return None,
        })
    }

    fn compare_with(&mut self, at: usize, right: usize, comparator: Comparator, operand: Operand) {
        let is_date = matches!(self.kind(right), Some(ItemKind::Date(_)));
        let temporal_word = matches!(
            self.operator(at),
            Some(Operator::After | Operator::Before | Operator::Since | Operator::Until)
        );
        let dated = is_date || (temporal_word && is_year(&operand));
        let temporal = if dated && !self.measure_before(at) {
            self.temporal_column(at, is_date).map(Target::Column)
        } else {
            None
        };
        let left = self
            .adjective_target(at)
            .or(temporal)
            .or_else(|| self.left_before(at))
            .or_else(|| self.counted_after(right))
            .or_else(|| self.repeated(at, right));
        let Some(left) = left else { return };
        self.used[at] = true;
        self.used[right] = true;
        let (comparator, operand) = self.fit_operand(left, comparator, operand);
        self.push(at, left, comparator, Right::Operand(operand));
    }

    /// True where a column that can be compared stands right before an operator.
    fn measure_before(&self, at: usize) -> bool {
        let before = (0..at).rev().find(|&before| {
            !matches!(
                self.kind(before),
                Some(ItemKind::Operator(Operator::Is | Operator::Of | Operator::Not))
            )
        });
        before
            .and_then(|before| self.column(before))
            .is_some_and(|column| self.is_measure(column))
    }

    pub(super) fn push(&mut self, position: usize, left: Target, operator: Comparator, right: Right) {
        let alternative = position > 0
            && matches!(self.kind(position - 1), Some(ItemKind::Operator(Operator::Or)))
            && !self.clauses.conditions.is_empty();
        self.clauses.conditions.push(Condition {
            position,
            left,
            operator,
            right,
            negated: false,
            within: false,
            alternative,
        });
    }

    /// `older`: the attribute that the adjective compares.
    fn adjective_target(&mut self, at: usize) -> Option<Target> {
        let Some(ItemKind::Adjective { index, .. }) = self.kind(at) else {
            return None;
        };
        self.attribute(at, *index)
            .map(|(column, _)| Target::Column(column))
    }

    /// The column or count that stands before an operator: `salary of the employees is above`.
    fn left_before(&mut self, at: usize) -> Option<Target> {
        let mut before = at;
        let mut passed_table = None;
        while let Some(previous) = before.checked_sub(1) {
            before = previous;
            match self.kind(previous)? {
                ItemKind::Operator(Operator::Is | Operator::Of | Operator::Not | Operator::Distinct) => {}
                ItemKind::Table(table) => {
                    let table = *table;
                    // `how many T have more than …` asks for the count, `the number of T is more than …` compares it.
                    if previous > 0
                        && self.operator(previous - 1) == Some(Operator::Count)
                        && !self.words(previous - 1).starts_with("how many")
                    {
                        self.use_range(previous - 1..previous + 1);
                        return Some(Target::CountRows(table));
                    }
                    passed_table = Some(table);
                }
                ItemKind::Column(column, _) if !self.used[previous] => {
                    let column = *column;
                    if !self.is_measure(column) {
                        return None;
                    }
                    if passed_table
                        .is_some_and(|table| self.snapshot.joins.distance(table, column.table) != Some(0))
                    {
                        return None;
                    }
                    let target = self.with_function(previous, column);
                    self.used[previous] = true;
                    return Some(target);
                }
                _ => return None,
            }
        }
        None
    }

    /// The column with the aggregate in front of it, if there is one.
    fn with_function(&mut self, at: usize, column: ColumnRef) -> Target {
        let Some(previous) = at.checked_sub(1) else {
            return Target::Column(column);
        };
        let function = match self.operator(previous) {
            Some(Operator::Average) => Function::Average,
            Some(Operator::Sum) => Function::Sum,
            _ => return Target::Column(column),
        };
        self.used[previous] = true;
        Target::Aggregate {
            function,
            distinct: false,
            column,
        }
    }

    /// What a number counts or measures: `3 orders`, `500 points`.
    pub(super) fn counted_after(&mut self, right: usize) -> Option<Target> {
        let next = self.skip_glue(right + 1);
        match self.kind(next)? {
            ItemKind::Table(table) => Some(Target::CountRows(*table)),
            ItemKind::Column(column, _) if !self.used[next] => {
                let column = *column;
                self.used[next] = true;
                if self.is_measure(column) && !self.is_key(column) {
                    Some(Target::Column(column))
                } else {
                    let distinct = self.operator(right + 1) == Some(Operator::Distinct);
                    Some(Target::Aggregate {
                        function: Function::Count,
                        distinct,
                        column,
                    })
                }
            }
            _ => None,
        }
    }

    /// `more than twice`, `at least 3 times`: rows of the last table named.
    fn repeated(&mut self, at: usize, right: usize) -> Option<Target> {
        let word = self.words(right);
        let next_word = self
            .items
            .get(right + 1)
            .map(|_| self.words(right + 1))
            .unwrap_or_default();
        if !matches!(word.as_str(), "once" | "twice") && next_word != "times" {
            return None;
        }
        if next_word == "times" {
            self.used[right + 1] = true;
        }
        let table = (0..at).rev().find_map(|before| match self.kind(before) {
            Some(ItemKind::Table(table)) => Some(*table),
            Some(ItemKind::Column(column, _)) => Some(column.table),
            _ => None,
        })?;
        Some(Target::CountRows(table))
    }

    /// `5 or more`: as `at least 5`.
    fn or_more(&mut self, at: usize) {
        let comparator = if self.operator(at) == Some(Operator::OrMore) {
            Comparator::AtLeast
        } else {
            Comparator::AtMost
        };
        let Some(right) = at.checked_sub(1) else { return };
        let Some(operand) = self.operand(right) else {
            return;
        };
        let left = self.left_before(right).or_else(|| self.counted_after(at));
        if let Some(left) = left {
            self.use_range(right..at + 1);
            self.push(right, left, comparator, Right::Operand(operand));
        }
    }

    fn between(&mut self, at: usize) {
        let low = self.skip_glue(at + 1);
        let Some(low_operand) = self.operand(low) else {
            return;
        };
        let mut high = low + 1;
        while matches!(self.operator(high), Some(Operator::And | Operator::Or)) {
            high += 1;
        }
        let Some(high_operand) = self.operand(high) else {
            return;
        };
        let is_date = matches!(self.kind(low), Some(ItemKind::Date(_)));
        let yearly = is_date || is_year(&low_operand);
        let left = self
            .left_before(at)
            .or_else(|| self.counted_after(high))
            .or_else(|| {
                yearly
                    .then(|| self.temporal_column(at, is_date).map(Target::Column))
                    .flatten()
            });
        let Some(left) = left else { return };
        self.use_range(at..high + 1);
        let (low, high) = match left {
            Target::Column(column) => period::range(self.column_kind(column), low_operand, high_operand),
            _ => (low_operand, high_operand),
        };
        self.push(
            at,
            left,
            Comparator::Between,
            Right::Operand(Operand::Range(Box::new(low), Box::new(high))),
        );
    }

    /// `above the average salary of the instructors in the Physics department`: the average of these alone.
    pub(super) fn narrowed_averages(&mut self) {
        let averages: Vec<usize> = self
            .clauses
            .conditions
            .iter()
            .filter(|condition| matches!(condition.right, Right::Overall(..)))
            .map(|condition| condition.position)
            .collect();
        for at in averages {
            let end = (at + 1..self.items.len()).find(|&next| {
                let joins = matches!(
                    self.kind(next),
                    Some(
                        ItemKind::Operator(Operator::And | Operator::Or | Operator::Order)
                            | ItemKind::Mark(',')
                    )
                );
                let relative = matches!(self.words(next).as_str(), "whose" | "who" | "that");
                joins || relative
            });
            let end = end.unwrap_or(self.items.len());
            for condition in &mut self.clauses.conditions {
                let is_value = matches!(condition.right, Right::Operand(_))
                    && matches!(condition.left, Target::Column(_));
                condition.within |= is_value && (at + 1..end).contains(&condition.position);
            }
        }
    }

    /// `higher than average`, `above the average age`.
    fn than_average(&mut self, at: usize) {
        let before = at.checked_sub(1);
        let (start, comparator) = match before.and_then(|before| self.comparator(before)) {
            Some(comparator) => (at - 1, comparator),
            None if self.words(at).starts_with("below") => (at, Comparator::Less),
            None => (at, Comparator::Greater),
        };
        let mut next = self.skip_glue(at + 1);
        if self.operator(next) == Some(Operator::Count) && self.column(next + 1).is_some() {
            self.used[next] = true;
            next += 1;
        }
        let stated = self.column(next).filter(|column| self.is_measure(*column));
        let left = self.adjective_target(start).or_else(|| self.left_before(start));
        // `cost more than the average price` compares prices.
        let left = match left {
            Some(Target::Aggregate { .. }) => left,
            other => stated.map(Target::Column).or(other),
        };
        if let Some(left @ (Target::Column(column) | Target::Aggregate { column, .. })) = left {
            self.use_range(start..at + 1);
            if stated.is_some() {
                self.used[next] = true;
            }
            self.push(
                start,
                left,
                comparator,
                Right::Overall(Function::Average, stated.unwrap_or(column)),
            );
        }
    }
}

pub(super) fn is_year(operand: &Operand) -> bool {
    matches!(operand, Operand::Number(number) if number.len() == 4 && (1500..=2200).contains(&number.parse::<u32>().unwrap_or(0)))
}

/// True for the words that name an adjective of the lexicon.
pub(super) fn adjective_of(word: &str) -> Option<usize> {
    lexicon().adjective_form(word).map(|(index, _)| index)
}
