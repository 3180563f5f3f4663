//! `for each department`, `per year`, `grouped by country`.

use super::{Kind, Operator, Reader, Target};

impl Reader<'_> {
    pub(super) fn groups(&mut self) {
        for at in 0..self.items.len() {
            if self.operator(at) == Some(Operator::Group) {
                self.group_at(at);
            }
        }
    }

    fn group_at(&mut self, at: usize) {
        let next = self.skip_glue(at + 1);
        match self.kind(next) {
            Some(Kind::Table(table)) => {
                let table = *table;
                self.used[at] = true;
                self.clauses.group.push(Target::Table(table));
            }
            Some(Kind::Column(column, _)) if !self.used[next] => {
                let column = *column;
                self.used[at] = true;
                self.used[next] = true;
                self.clauses.group.push(Target::Column(column));
                self.group_continues(next + 1);
            }
            // `each` that says nothing of its own: its object stands elsewhere.
            _ => self.used[at] = true,
        }
    }

    /// `for each city and year`: a second column, where the list ends with it.
    fn group_continues(&mut self, at: usize) {
        if self.operator(at) == Some(Operator::And)
            && let Some(column) = self.column(at + 1)
            && matches!(self.kind(at + 2), None | Some(Kind::Mark(',')))
        {
            self.used[at + 1] = true;
            self.clauses.group.push(Target::Column(column));
        }
    }
}
