//! `ordered by …`, `in descending order of …`, `alphabetically`.

use super::{Direction, Function, ItemKind, Operator, Reader, Target};

impl Reader<'_> {
    pub(super) fn order(&mut self) {
        for at in 0..self.items.len() {
            if self.direction(at).is_some() || self.operator(at) == Some(Operator::Order) {
                self.order_at(at);
            }
        }
    }

    fn direction(&self, at: usize) -> Option<Direction> {
        match self.operator(at)? {
            Operator::Ascending | Operator::Alphabetical => Some(Direction::Ascending),
            Operator::Descending => Some(Direction::Descending),
            _ => None,
        }
    }

    fn order_at(&mut self, start: usize) {
        let mut keys: Vec<(Target, Direction)> = Vec::new();
        let mut direction = None;
        let mut undirected = 0;
        let mut at = start;
        while at < self.items.len() {
            if let Some(found) = self.direction(at) {
                direction = Some(found);
                for key in &mut keys[undirected..] {
                    key.1 = found;
                }
                undirected = keys.len();
                self.used[at] = true;
                at += 1;
            } else if matches!(self.operator(at), Some(Operator::Order | Operator::Of)) {
                self.used[at] = true;
                at += 1;
            } else if let Some((target, next)) = self.order_key(at) {
                // A list that goes on with a column that nothing ties to the order is a list of what to show.
                keys.push((target, direction.unwrap_or(Direction::Ascending)));
                self.use_range(at..next);
                at = next;
                if matches!(self.operator(at), Some(Operator::Of)) && self.table(at + 1).is_some() {
                    self.used[at] = true;
                    at += 2;
                } else if self.table(at).is_some() {
                    at += 1;
                }
            } else if !keys.is_empty()
                && matches!(
                    self.kind(at),
                    Some(ItemKind::Mark(',') | ItemKind::Operator(Operator::And))
                )
                && (self.order_key(at + 1).is_some() || self.direction(at + 1).is_some())
            {
                at += 1;
            } else {
                break;
            }
        }
        if keys.is_empty()
            && let Some(before) = start.checked_sub(1)
            && let Some(column) = self.column(before)
            && self.tokens[..self.items[before].span.start]
                .last()
                .is_some_and(|token| token.word == "by")
        {
            self.used[before] = true;
            keys.push((Target::Column(column), direction.unwrap_or(Direction::Ascending)));
        }
        if keys.is_empty() {
            keys.push((Target::First, direction.unwrap_or(Direction::Ascending)));
        }
        self.clauses.order.extend(keys);
    }

    fn order_key(&self, at: usize) -> Option<(Target, usize)> {
        let function = match self.operator(at) {
            Some(Operator::Count) => {
                let next = self.skip_glue(at + 1);
                return match self.kind(next)? {
                    ItemKind::Table(table) => Some((Target::CountRows(*table), next + 1)),
                    ItemKind::Column(column, _) => Some((Target::CountRows(column.table), next + 1)),
                    _ => None,
                };
            }
            Some(Operator::Average) => Some(Function::Average),
            Some(Operator::Sum) => Some(Function::Sum),
            Some(Operator::Maximum) => Some(Function::Maximum),
            Some(Operator::Minimum) => Some(Function::Minimum),
            _ => None,
        };
        match function {
            Some(function) => {
                let next = self.skip_glue(at + 1);
                let column = self.column(next)?;
                Some((
                    Target::Aggregate {
                        function,
                        distinct: false,
                        column,
                    },
                    next + 1,
                ))
            }
            None => Some((Target::Column(self.column(at)?), at + 1)),
        }
    }
}
