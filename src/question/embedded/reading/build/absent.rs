//! What there is none of where no table is named for it: what never happened, and whom nobody looks after.

use super::{
    super::{super::lexicon::derived_from_same, persons::is_person},
    Builder,
};
use crate::question::{
    lexicon::derived,
    schema::{ColumnRef, words},
    semantic::{DatasetRole, FieldRole},
};

/// What may be absent, at most.
const MOST: usize = 3;

/// What rows of a table are without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Rows of this table that refer to them.
    Rows(usize),
    /// A value of this column.
    Column(usize),
}

impl Builder<'_> {
    /// What rows of a table may be without, the likeliest first: what the verb tells of, whoever nobody is, and what most often
    /// refers to them.
    pub(super) fn absent(&self, table: usize) -> Vec<Absent> {
        let schema = &self.context.snapshot.schema;
        let datasets = &self.context.model.datasets;
        let mut referring: Vec<usize> = schema
            .foreign_keys
            .iter()
            .filter(|key| key.to[0].table == table && key.from[0].table != table)
            .map(|key| key.from[0].table)
            .collect();
        referring.sort_unstable();
        referring.dedup();
        let most = self.refers_most(table);
        referring.sort_by_key(|from| {
            let happens = datasets[*from].role == DatasetRole::Event;
            std::cmp::Reverse((Some(*from) == most, happens, schema.tables[*from].rows))
        });
        let told: Vec<usize> = referring
            .iter()
            .copied()
            .filter(|from| self.is_told(*from))
            .collect();
        let mut found = Vec::new();
        if told.is_empty() && self.question.nobody {
            found.extend(self.without_persons(table).into_iter().map(Absent::Column));
        }
        let rows = if told.is_empty() { referring } else { told };
        found.extend(rows.into_iter().map(Absent::Rows));
        found.truncate(MOST);
        found
    }

    /// True for a table that is called by what the verb tells of: absences of who is absent.
    fn is_told(&self, table: usize) -> bool {
        let name = words::identifier_words(&self.context.snapshot.schema.tables[table].name);
        let name: Vec<String> = name.iter().map(|word| words::stem(word)).collect();
        self.question.absent.iter().any(|said| {
            let stem = words::stem(said);
            let same = |other: &str| {
                name.iter()
                    .any(|word| word == other || derived_from_same(word, other))
            };
            stem.len() > 2 && (same(&stem) || derived(said).any(|noun| same(&words::stem(noun))))
        })
    }

    /// The columns of a table that name persons, where some rows have none.
    fn without_persons(&self, table: usize) -> Vec<usize> {
        let schema = &self.context.snapshot.schema;
        let columns = schema.tables[table].columns.iter().enumerate();
        let names_person = |column: usize, name: &str| {
            let at = ColumnRef { table, column };
            let mut keys = schema.foreign_keys.iter();
            if let Some(key) = keys.find(|key| key.from == [at]) {
                is_person(schema, key.to[0].table)
            } else {
                let holds_name = matches!(
                    self.context.model.field(at).role,
                    FieldRole::Name | FieldRole::Dimension | FieldRole::Text | FieldRole::Code
                );
                holds_name
                    && words::identifier_words(name).iter().any(|word| {
                        matches!(
                            word.as_str(),
                            "owner" | "by" | "manager" | "mgr" | "handler" | "assignee" | "contact"
                        )
                    })
            }
        };
        columns
            .filter(|(column, described)| {
                let column = *column;
                names_person(column, &described.name) && self.may_miss(ColumnRef { table, column })
            })
            .map(|(column, _)| column)
            .collect()
    }
}
