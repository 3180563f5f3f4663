//! What is shown beside what is listed, where only `who` and `where` ask for it.

use super::{
    super::{marked::Marked, persons::is_person},
    Builder,
    list::{push_shown, value},
};
use crate::question::{
    analytic::Shown,
    schema::words,
    semantic::{Attribute, FieldRole, Scalar, Unit, Way},
};

impl Builder<'_> {
    /// Adds whom it was with, where that is, and to whom it was done.
    pub(super) fn show_beside(&self, subject: usize, shown: &mut Vec<Shown>) {
        if !self.question.who_too.is_empty() {
            self.show_persons(subject, shown);
        }
        if self.question.where_too {
            self.show_place(subject, shown);
        }
        if self.question.whom {
            self.show_whom(subject, shown);
        }
    }

    /// Adds the rows of the same table that rows belong to; `None` where they belong to none.
    pub(super) fn show_superior(&self, subject: usize, shown: &mut Vec<Shown>) -> Option<()> {
        self.show_days(subject, shown)?;
        if !self.question.superior {
            return Some(());
        }
        let keys = self.context.snapshot.schema.foreign_keys.iter().enumerate();
        let own = keys.filter(|(_, key)| {
            key.from.len() == 1 && key.from[0].table == subject && key.to[0].table == subject
        });
        let before = shown.len();
        for (at, _) in own {
            for column in self.display(subject, &Way::up(at)) {
                push_shown(shown, column);
            }
        }
        (shown.len() > before).then_some(())
    }

    /// True where that is asked for.
    pub(super) fn asks_for_days(&self) -> bool {
        let of_rows = |marked: &Marked| matches!(marked, Marked::DaysLate | Marked::DaysOpen);
        self.question.marked.iter().any(of_rows)
    }

    /// Adds how many days late rows are, or have been there; `None` where that is not known of them.
    fn show_days(&self, subject: usize, shown: &mut Vec<Shown>) -> Option<()> {
        let today = || Box::new(Scalar::Moment(self.context.today.to_string()));
        for marked in &self.question.marked {
            let days = match marked {
                Marked::DaysLate if self.question.due.is_some() => {
                    let due = self.done_and_due(subject).map(|(_, due)| due);
                    let due = due.or_else(|| self.due_time(subject).map(Attribute::own))?;
                    Scalar::Span(Box::new(Scalar::Column(due)), today(), Unit::Day)
                }
                Marked::DaysLate => self.late_by(subject, Unit::Day)?,
                Marked::DaysOpen => {
                    let since = Attribute::own(self.context.model.datasets[subject].time?);
                    Scalar::Span(Box::new(Scalar::Column(since)), today(), Unit::Day)
                }
                _ => continue,
            };
            push_shown(shown, Shown::Value(days));
        }
        Some(())
    }

    /// The persons that rows refer to: those whose part the question speaks of, or else all.
    fn show_persons(&self, subject: usize, shown: &mut Vec<Shown>) {
        let schema = &self.context.snapshot.schema;
        let said = &self.question.who_too;
        let speaks_of = |name: &str| {
            words::identifier_words(name).iter().any(|word| {
                let stem = words::stem(word);
                said.iter().any(|said| {
                    let same = said
                        .chars()
                        .zip(stem.chars())
                        .take_while(|(one, other)| one == other);
                    same.count() >= 4.min(stem.len()).max(3)
                })
            })
        };
        let persons: Vec<(usize, usize, bool)> = schema
            .foreign_keys
            .iter()
            .enumerate()
            .filter(|(_, key)| {
                let to = key.to[0].table;
                key.from.len() == 1
                    && key.from[0].table == subject
                    && (is_person(schema, to) || to == subject)
            })
            .map(|(at, key)| (at, key.to[0].table, speaks_of(&schema.column(key.from[0]).name)))
            .collect();
        let some = persons.iter().any(|(.., spoken)| *spoken);
        for (key, target, spoken) in persons {
            if spoken || !some {
                for column in self.display(target, &Way::up(key)) {
                    push_shown(shown, column);
                }
            }
        }
        // Some columns hold the name itself: `owner`, `approved_by`.
        for (column, described) in schema.tables[subject].columns.iter().enumerate() {
            let role = self.context.model.datasets[subject].fields[column].role;
            let name = words::identifier_words(&described.name);
            let is_person = name.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "owner" | "by" | "manager" | "mgr" | "handler" | "author" | "contact"
                )
            });
            let holds_name = matches!(
                role,
                FieldRole::Name | FieldRole::Dimension | FieldRole::Text | FieldRole::Code
            );
            if holds_name && (is_person || speaks_of(&described.name)) {
                push_shown(shown, value(Way::here(), column));
            }
        }
    }

    /// The place that rows have or refer to.
    fn show_place(&self, subject: usize, shown: &mut Vec<Shown>) {
        let schema = &self.context.snapshot.schema;
        let is_place = |name: &str| {
            words::identifier_words(name).iter().any(|word| {
                matches!(
                    word.as_str(),
                    "city"
                        | "town"
                        | "village"
                        | "address"
                        | "location"
                        | "street"
                        | "room"
                        | "place"
                        | "cty"
                        | "loc"
                )
            })
        };
        let show_own = |table: usize, way: &Way, shown: &mut Vec<Shown>| {
            for (column, described) in schema.tables[table].columns.iter().enumerate() {
                let role = self.context.model.datasets[table].fields[column].role;
                if is_place(&described.name) && role != FieldRole::Reference {
                    push_shown(shown, value(way.clone(), column));
                }
            }
        };
        show_own(subject, &Way::here(), shown);
        for (at, key) in schema.foreign_keys.iter().enumerate() {
            let target = key.to[0].table;
            if key.from.len() != 1 || key.from[0].table != subject || is_person(schema, target) {
                continue;
            }
            let has_place = schema.tables[target]
                .columns
                .iter()
                .any(|column| is_place(&column.name));
            if has_place || is_place(&schema.tables[target].name) {
                let way = Way::up(at);
                for column in self.display(target, &way) {
                    push_shown(shown, column);
                }
                show_own(target, &way, shown);
            }
        }
    }

    /// Both that a row ties: who invited and who was invited, the mentor and whom he coaches.
    fn show_whom(&self, subject: usize, shown: &mut Vec<Shown>) {
        let schema = &self.context.snapshot.schema;
        let keys = || {
            schema
                .foreign_keys
                .iter()
                .enumerate()
                .filter(|(_, key)| key.from.len() == 1 && key.from[0].table == subject)
        };
        let own = keys().filter(|(_, key)| key.to[0].table == subject);
        let persons = keys().filter(|(_, key)| is_person(schema, key.to[0].table));
        for (at, key) in own.chain(persons) {
            for column in self.display(key.to[0].table, &Way::up(at)) {
                push_shown(shown, column);
            }
        }
    }
}
