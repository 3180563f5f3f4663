//! Two columns of a row that are compared: stock below its reorder level, another drug than was prescribed.

use super::{
    super::{
        items::{Meaning, Sense},
        question::{Mention, Question},
        roles::Role,
    },
    Builder, Choice, Wanted,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{Attribute, Comparison, Condition, FieldRole, Grain, Operand, Scalar},
};

/// Pairs of columns that may differ, at most.
const MOST_PAIRS: usize = 3;

impl Builder<'_> {
    /// What was named before, or else what there is of something, compared with a column.
    pub(super) fn columns_compared(
        &mut self,
        mention: &Mention,
        at: ColumnRef,
        comparison: Comparison,
    ) -> Option<(usize, Condition)> {
        let is_time = self.context.model.field(at).role == FieldRole::Time;
        let right = Sense {
            meaning: Meaning::Field(at),
            score: 1.0,
        };
        if let Some(compared) = self.figures_compared(mention, &right, comparison) {
            return Some(compared);
        }
        let place = mention_before(self.question, mention)?;
        let before = &self.question.mentions[place];
        let (role, sense) = self.cast.parts[place];
        let named = match before.senses[sense].meaning {
            Meaning::Field(other)
                if role != Role::Ignored
                    && other != at
                    && (self.context.model.field(other).role == FieldRole::Time) == is_time =>
            {
                Some(other)
            }
            _ => None,
        };
        let one = if let Some(named) = named {
            named
        } else {
            self.guesses += 0.3;
            self.compared_alone(at, is_time)?
        };
        let (way, cost) = self
            .context
            .ways(one.table)
            .single(at.table)
            .map(|(way, cost)| (way.clone(), *cost))?;
        self.distance += cost;
        let own = Attribute::own(one.column);
        let other = Attribute {
            way,
            column: at.column,
        };
        let (left, right) = if is_time {
            (Scalar::Period(own, Grain::Day), Scalar::Period(other, Grain::Day))
        } else {
            (Scalar::Column(own), Scalar::Column(other))
        };
        Some((
            one.table,
            Condition::Compare(left, comparison, Operand::Scalar(right)),
        ))
    }

    /// What rows of a table are compared by where only the limit is named: how much there is, or when it came to its end.
    fn compared_alone(&self, limit: ColumnRef, is_time: bool) -> Option<ColumnRef> {
        let dataset = &self.context.model.datasets[limit.table];
        let columns = &self.context.snapshot.schema.tables[limit.table].columns;
        let fields = dataset.fields.iter().enumerate();
        let column = if is_time {
            dataset.end.filter(|end| *end != limit.column)?
        } else {
            let says_how_much = |name: &str| {
                words::identifier_words(name).iter().any(|word| {
                    matches!(
                        word.as_str(),
                        "stock" | "hand" | "onhand" | "quantity" | "qty" | "inventory" | "units" | "packs"
                    )
                })
            };
            fields
                .filter(|(column, field)| *column != limit.column && field.role.is_measure())
                .find(|(column, _)| says_how_much(&columns[*column].name))
                .map(|(column, _)| column)?
        };
        Some(ColumnRef {
            table: limit.table,
            column,
        })
    }

    /// That two columns of one kind hold different things: `dropped off somewhere other than where it was picked up`.
    pub(super) fn columns_differ(&mut self) -> Option<Wanted> {
        let (mention, sense) = self
            .played(Role::Head)
            .chain(self.played(Role::Measure))
            .find(|(_, sense)| matches!(sense.meaning, Meaning::Dataset(_)))?;
        let table = self.table_of(sense);
        let pairs = self.alike(table);
        if pairs.is_empty() {
            return None;
        }
        let taken = self.chosen(Choice::Differs, pairs.len());
        let (one, other) = pairs.get(taken)?.clone();
        let differ = Condition::Compare(
            Scalar::Column(one),
            Comparison::NotEqual,
            Operand::Scalar(Scalar::Column(other)),
        );
        Some(Wanted {
            at: mention.end,
            ..Wanted::of_rows(table, differ)
        })
    }

    /// Pairs of columns of a row, or of it and what it belongs to, that hold things of the same kind.
    fn alike(&self, table: usize) -> Vec<(Attribute, Attribute)> {
        let schema = &self.context.snapshot.schema;
        let model = self.context.model;
        let leads_to = |at: ColumnRef| {
            let mut keys = schema.foreign_keys.iter();
            keys.find(|key| key.from == [at]).map(|key| key.to[0])
        };
        let columns_of = |table: usize| {
            (0..schema.tables[table].columns.len()).map(move |column| ColumnRef { table, column })
        };
        let last_word = |at: ColumnRef| {
            let name = words::identifier_words(&schema.column(at).name);
            name.into_iter().rfind(|word| word != "code")
        };
        let is_kind = |at: ColumnRef| matches!(model.field(at).role, FieldRole::Dimension | FieldRole::Code);
        let alike = |one: ColumnRef, other: ColumnRef| match (leads_to(one), leads_to(other)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => is_kind(one) && is_kind(other) && last_word(one) == last_word(other),
            _ => false,
        };
        let ways = self.context.ways(table);
        let mut found = Vec::new();
        for one in columns_of(table) {
            for other in columns_of(table).filter(|other| other.column > one.column) {
                if alike(one, other) {
                    found.push((Attribute::own(one.column), Attribute::own(other.column)));
                }
            }
        }
        for far in 0..schema.tables.len() {
            let Some((way, _)) = ways.single(far).filter(|(way, _)| !way.hops.is_empty()) else {
                continue;
            };
            for one in columns_of(table) {
                for other in columns_of(far).filter(|other| alike(one, *other)) {
                    let other = Attribute {
                        way: way.clone(),
                        column: other.column,
                    };
                    found.push((Attribute::own(one.column), other));
                }
            }
        }
        // What the question names differs more likely than what it does not.
        let named = |of: &Attribute| {
            let at = ColumnRef {
                table: of.way.end(table, schema),
                column: of.column,
            };
            let target = leads_to(at).map(|to| to.table);
            let mut senses = self.question.mentions.iter().flat_map(|mention| &mention.senses);
            senses.any(|sense| match sense.meaning {
                Meaning::Dataset(table) => Some(table) == target && sense.score >= 0.8,
                Meaning::Field(field) => field == at && sense.score >= 0.6,
                _ => false,
            })
        };
        found.sort_by_key(|(one, other)| {
            std::cmp::Reverse(usize::from(named(one)) + usize::from(named(other)))
        });
        found.truncate(MOST_PAIRS);
        found
    }
}

/// The place of the mention before one.
pub(super) fn mention_before(question: &Question, mention: &Mention) -> Option<usize> {
    let place = question
        .mentions
        .iter()
        .position(|other| other.at == mention.at)?;
    place.checked_sub(1)
}
