//! `for each department`, `per year`, `grouped by country`.

use super::{DatePart, ItemKind, Operator, Reader, Target};

impl Reader<'_> {
    pub(super) fn groups(&mut self) {
        for at in 0..self.items.len() {
            if self.operator(at) == Some(Operator::Group) {
                self.group_at(at);
            }
        }
        self.split_by();
    }

    fn group_at(&mut self, at: usize) {
        let next = self.skip_glue(at + 1);
        match self.kind(next) {
            Some(ItemKind::Table(table)) => {
                let table = *table;
                self.used[at] = true;
                self.clauses.group.push(Target::Table(table));
            }
            Some(ItemKind::Column(column, _)) if !self.used[next] => {
                let column = *column;
                self.used[at] = true;
                self.used[next] = true;
                self.clauses.group.push(Target::Column(column));
                self.group_continues(next + 1);
            }
            Some(ItemKind::Unknown) if self.date_part(next).is_some() => {
                if let Some(part) = self.date_part(next)
                    && let Some(column) = self.temporal_column(at, true)
                {
                    self.used[at] = true;
                    self.used[next] = true;
                    self.clauses.group.push(Target::Part(part, column));
                }
            }
            // `each` that says nothing of its own: its object stands elsewhere.
            _ => self.used[at] = true,
        }
    }

    fn date_part(&self, at: usize) -> Option<DatePart> {
        match self.words(at).as_str() {
            "year" | "years" => Some(DatePart::Year),
            "month" | "months" => Some(DatePart::Month),
            "day" | "days" | "date" => Some(DatePart::Day),
            _ => None,
        }
    }

    /// `total sales by region`: what an aggregate is split by.
    fn split_by(&mut self) {
        let aggregates = (0..self.items.len()).any(|at| {
            matches!(
                self.operator(at),
                Some(
                    Operator::Count
                        | Operator::Sum
                        | Operator::Average
                        | Operator::Maximum
                        | Operator::Minimum
                )
            )
        });
        if !aggregates || !self.clauses.group.is_empty() {
            return;
        }
        for at in 1..self.items.len() {
            let says_by = self.tokens[..self.items[at].span.start]
                .last()
                .is_some_and(|token| token.word == "by");
            if !says_by || self.used[at] {
                continue;
            }
            let target = match self.kind(at) {
                Some(ItemKind::Column(column, _)) if !self.is_measure(*column) || self.is_key(*column) => {
                    Some(Target::Column(*column))
                }
                Some(ItemKind::Table(table)) => Some(Target::Table(*table)),
                Some(ItemKind::Unknown) => self
                    .date_part(at)
                    .and_then(|part| Some(Target::Part(part, self.temporal_column(at, true)?))),
                _ => None,
            };
            if let Some(target) = target
                && matches!(
                    self.kind(at + 1),
                    None | Some(
                        ItemKind::Operator(
                            Operator::Order | Operator::Descending | Operator::Ascending | Operator::And
                        ) | ItemKind::Mark(',')
                    )
                )
            {
                self.used[at] = true;
                self.clauses.group.push(target);
            }
        }
    }

    /// `for each city and year`: a second column, where the list ends with it.
    fn group_continues(&mut self, at: usize) {
        if self.operator(at) == Some(Operator::And)
            && let Some(column) = self.column(at + 1)
            && matches!(self.kind(at + 2), None | Some(ItemKind::Mark(',')))
        {
            self.used[at + 1] = true;
            self.clauses.group.push(Target::Column(column));
        }
    }
}
