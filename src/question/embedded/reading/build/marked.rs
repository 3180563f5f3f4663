//! What turns of phrase have said in tokens of their own: hours of the day, what held at a time, how many rows of its own table
//! belong to a row, and what it has more of than the one that it belongs to.

use super::{
    super::{items::Meaning, marked::Marked, periods::Period, question::Due, roles::Role},
    Builder, Wanted,
};
use crate::question::{
    schema::{ColumnRef, ForeignKey},
    semantic::{Attribute, Comparison, Condition, Grain, Hop, Operand, Part, Scalar, Way},
};

impl Builder<'_> {
    /// What is told of rows without a mention of its own: how they stand to today, who plays two parts, what is marked. `None`
    /// where no table has what is told.
    pub(super) fn told_otherwise(&mut self, tables: &[usize]) -> Option<Vec<Wanted>> {
        let due = self.due(tables).or_else(|| self.due_of_others(tables));
        let due = due.map(|(table, condition)| {
            if self.question.due_denied {
                // What has no end does not come to one, and nothing shows that it holds.
                let missing = match &condition {
                    Condition::During(time, ..) if self.question.due != Some(Due::Upcoming) => {
                        Some(Condition::Missing(time.clone()))
                    }
                    _ => None,
                };
                let not = Condition::Not(Box::new(condition));
                let denied = match missing {
                    Some(missing) => Condition::Any(vec![missing, not]),
                    None => not,
                };
                (table, denied)
            } else {
                (table, condition)
            }
        });
        // What is overdue or expired is not all there is.
        let told = self.question.when || !self.question.periods.is_empty();
        let lacks = match self.question.due {
            Some(Due::Overdue | Due::Valid) => true,
            Some(Due::Expired) => !told,
            _ => false,
        };
        if lacks && due.is_none() {
            return None;
        }
        let due = due.map(|(table, condition)| Wanted {
            at: self.question.due_at,
            alternative: self.question.due_alternative,
            ..Wanted::of_rows(table, condition)
        });
        let of_parts = self.two_parts(tables);
        let of_parts = of_parts.map(|(table, condition)| Wanted::of_rows(table, condition));
        let mut told: Vec<Wanted> = due.into_iter().chain(of_parts).collect();
        let metrics = self
            .played(Role::Measure)
            .filter_map(|(_, sense)| match sense.meaning {
                Meaning::Metric(at) => Some(self.context.model.metrics[at].dataset),
                _ => None,
            });
        let tables: Vec<usize> = tables.iter().copied().chain(metrics).collect();
        for marked in &self.question.marked {
            if matches!(marked, Marked::DaysLate | Marked::DaysOpen) {
                continue;
            }
            if let Marked::Coincide(table, columns, grain) = marked {
                told.push(Wanted::of_rows(*table, coincide(*columns, *grain)));
                continue;
            }
            let found = tables.iter().find_map(|&table| {
                let condition = match marked {
                    Marked::Hours(from, to) => self.in_hours(table, *from, *to),
                    Marked::Weekend => self.at_weekend(table),
                    Marked::Held(period) => self.held(table, *period),
                    Marked::Below(comparison, number) => self.below(table, (*comparison, *number)),
                    Marked::Until(..)
                    | Marked::Coincide(..)
                    | Marked::ThanSuperior(_)
                    | Marked::DaysLate
                    | Marked::DaysOpen => None,
                };
                condition.map(|condition| Wanted::of_rows(table, condition))
            });
            told.push(found?);
        }
        Some(told)
    }

    /// True where nothing is told by groups: `how many payments above 100`.
    pub(super) fn is_of_all(&self) -> bool {
        self.played(Role::Group).next().is_none()
            && self.question.grains.is_empty()
            && self.question.rank.is_none()
    }

    /// When rows of a table happened: their own time.
    fn moment(&self, table: usize) -> Option<Attribute> {
        self.context.model.main_time(table, &self.context.snapshot.schema)
    }

    /// That rows happened in these hours of the day, where that is known of them.
    fn in_hours(&self, table: usize, from: u8, to: u8) -> Option<Condition> {
        let time = self.moment(table).filter(|time| self.tells_hours(table, time))?;
        let hour = Scalar::Part(time, Part::Hour);
        let bound = |comparison: Comparison, hours: u8| {
            Condition::Compare(hour.clone(), comparison, Operand::Number(hours.to_string()))
        };
        let begun = bound(Comparison::AtLeast, from);
        let over = bound(Comparison::Less, to);
        Some(match (from, to) {
            (0, _) => over,
            (_, 24) => begun,
            // Over midnight.
            _ if from > to => Condition::Any(vec![begun, over]),
            _ => Condition::All(vec![begun, over]),
        })
    }

    /// That rows happened on a Saturday or a Sunday.
    fn at_weekend(&self, table: usize) -> Option<Condition> {
        let day = Scalar::Part(self.moment(table)?, Part::Weekday);
        let days = ["0", "6"].map(|day| Operand::Number(day.to_owned()));
        Some(Condition::In(day, days.to_vec()))
    }

    /// That rows had begun by the end of a period, and had not ended before it.
    fn held(&self, table: usize, period: Period) -> Option<Condition> {
        let dataset = &self.context.model.datasets[table];
        let (begin, end) = (dataset.time?, self.end_of(table).or(dataset.end)?);
        if begin == end {
            return None;
        }
        let (from, to) = period.bounds();
        let ended = Attribute::own(end);
        let not_over = Condition::During(ended.clone(), from, None);
        let open = self.may_miss(ColumnRef { table, column: end });
        let not_over = if open {
            Condition::Any(vec![Condition::Missing(ended), not_over])
        } else {
            not_over
        };
        Some(Condition::All(vec![
            Condition::During(Attribute::own(begin), None, to),
            not_over,
        ]))
    }

    /// The key by which a row of a table belongs to another row of it.
    fn own_key(&self, table: usize) -> Option<usize> {
        let own = |key: &ForeignKey| key.from[0].table == table && key.to[0].table == table;
        self.context.snapshot.schema.foreign_keys.iter().position(own)
    }

    /// The way to whom a row of a table reports, or what it belongs to, where that is another row of the table and what is
    /// listed or counted.
    pub(super) fn superior(&self, at: ColumnRef) -> Option<Way> {
        let mut heads = self.played(Role::Head).chain(self.played(Role::Measure));
        let (_, head) = heads.next()?;
        let key = self.own_key(at.table)?;
        (self.table_of(head) == at.table).then(|| Way::up(key))
    }

    /// That so many rows of its own table belong to a row.
    fn below(&self, table: usize, how_many: (Comparison, u64)) -> Option<Condition> {
        let key = self.own_key(table)?;
        Some(Condition::Related {
            way: Way {
                hops: vec![Hop { key, up: false }],
            },
            how_many,
            conditions: Vec::new(),
        })
    }

    /// That a value of a row is more or less than that of the row of its own table that it belongs to.
    pub(super) fn than_superior(&self, at: ColumnRef, comparison: Comparison) -> Option<Condition> {
        let superior = Attribute {
            way: Way::up(self.own_key(at.table)?),
            column: at.column,
        };
        Some(Condition::Compare(
            Scalar::Column(Attribute::own(at.column)),
            comparison,
            Operand::Scalar(Scalar::Column(superior)),
        ))
    }
}

/// That two times of a row lie in the same day, month or year.
fn coincide((one, other): (usize, usize), grain: Grain) -> Condition {
    let period = |column| Scalar::Period(Attribute::own(column), grain);
    Condition::Compare(period(one), Comparison::Equal, Operand::Scalar(period(other)))
}
