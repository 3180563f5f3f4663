//! The order of a list, and how many of its rows.

use super::{
    super::{
        super::lexicon::lexicon,
        attributes::is_attribute,
        implied::is_birth,
        items::{Meaning, Sense},
        question::Mention,
        roles::Role,
    },
    Builder,
    list::value,
};
use crate::question::{
    analytic::{Rank, Shown},
    schema::Column,
    semantic::{Aggregate, Attribute, Field, FieldRole, Formula, Scalar, Way},
};

impl<'a> Builder<'a> {
    pub(super) fn list_rank(
        &mut self,
        subject: usize,
        rank_by: Option<(&'a Mention, &'a Sense)>,
        shown: &mut Vec<Shown>,
        hidden: &mut Vec<usize>,
        within: Vec<usize>,
    ) -> Option<Rank> {
        let ways = self.context.ways(subject);
        let mut place = |shown: &mut Vec<Shown>, wanted: Shown, show: bool| {
            if let Some(at) = shown.iter().position(|known| *known == wanted) {
                return at;
            }
            shown.push(wanted);
            if !show {
                hidden.push(shown.len() - 1);
            }
            shown.len() - 1
        };
        if let Some(rank) = self.question.rank {
            let (by, highest) = if let Some((_, sense)) = rank_by {
                let Meaning::Field(at) = sense.meaning else {
                    return None;
                };
                let (way, cost) = ways.single(at.table)?;
                self.distance += cost;
                let column = &self.context.snapshot.schema.column(at).name;
                (
                    value(way.clone(), at.column),
                    rank.highest_of(Some(column.as_str())),
                )
            } else {
                let (scalar, rising) = self.attribute_of(subject, rank.adjective)?;
                (Shown::Value(scalar), rising == rank.highest)
            };
            // `cheapest first` shows what each costs.
            let at = place(shown, by, rank.limit.is_none() && self.question.order.is_some());
            return Some(Rank {
                by: vec![(at, highest)],
                limit: rank.limit,
                skip: rank.skip,
                within,
                ties: false,
            });
        }
        let ordered: Vec<_> = self.played(Role::Order).collect();
        let mut by = Vec::new();
        for (_, sense) in ordered {
            let Meaning::Field(at) = sense.meaning else {
                return None;
            };
            // `biggest first, with the country`: by no name.
            let role = self.context.model.field(at).role;
            if self.question.order_by_amount && !role.is_measure() && role != FieldRole::Time {
                return None;
            }
            let (way, _) = ways.single(at.table)?;
            let at = place(shown, value(way.clone(), at.column), false);
            by.push((at, self.question.order.unwrap_or(false)));
        }
        if by.is_empty()
            && let Some(highest) = self.question.order
        {
            // Newest first, biggest first: by the time of the rows, or by what is compared.
            let compared = self
                .played(Role::Condition)
                .find_map(|(mention, sense)| match sense.meaning {
                    Meaning::Field(at) if mention.compared.is_some() && at.table == subject => {
                        Some(at.column)
                    }
                    _ => None,
                });
            if self.question.alphabetical && !shown.is_empty() {
                by.push((0, highest));
                return Some(Rank {
                    by,
                    within,
                    ..Rank::default()
                });
            }
            if compared.is_none()
                && self.question.order_by_amount
                && let Some(Formula::Rows {
                    aggregate: Aggregate::Sum(amount),
                    ..
                }) = self.main_amount(subject)
            {
                let at = place(shown, Shown::Value(amount), true);
                by.push((at, highest));
                return Some(Rank {
                    by,
                    within,
                    ..Rank::default()
                });
            }
            let column = compared.or(self.context.model.datasets[subject].time)?;
            let at = place(shown, value(Way::here(), column), false);
            by.push((at, highest));
        }
        Some(Rank {
            by,
            within,
            ..Rank::default()
        })
    }

    /// True where a thing has what the adjective of the question compares.
    pub(super) fn compares(&mut self, table: usize) -> bool {
        let adjective = self.question.rank.and_then(|rank| rank.adjective);
        let guesses = self.guesses;
        let found = self.attribute_of(table, adjective).is_some();
        let sure = self.guesses <= guesses;
        self.guesses = guesses;
        found && sure
    }

    /// The attribute of a thing that an adjective compares, and whether it grows with it.
    pub(super) fn attribute_of(&mut self, table: usize, adjective: Option<usize>) -> Option<(Scalar, bool)> {
        let columns = &self.context.snapshot.schema.tables[table].columns;
        let fields = &self.context.model.datasets[table].fields;
        if let Some(adjective) = adjective {
            let adjective = lexicon().adjective(adjective);
            // The newest are not those that were born last.
            let of_birth = adjective.speaks_of_birth();
            for (attributes, rising) in [(&adjective.rising, true), (&adjective.falling, false)] {
                for wanted in attributes {
                    // A subject area is of no size, and so many days are no date.
                    let is_date = matches!(wanted.as_str(), "day" | "days");
                    let of_time = is_date && attributes.iter().any(|word| word == "date");
                    let has_order = |column: &Column, field: &Field| {
                        let counts = field.role.is_measure();
                        if of_time {
                            !counts
                        } else {
                            !column.kind.is_wording() || field.role == FieldRole::Time || counts
                        }
                    };
                    let found = columns.iter().zip(fields).position(|(column, field)| {
                        (of_birth || !is_birth(&column.name))
                            && has_order(column, field)
                            && is_attribute(&column.name, wanted)
                    });
                    if let Some(column) = found {
                        return Some((Scalar::Column(Attribute::own(column)), rising));
                    }
                }
            }
        }
        if let Some(adjective) = adjective {
            let adjective = lexicon().adjective(adjective);
            // The newest are those that happened last.
            let of_time = |attributes: &[String]| attributes.iter().any(|word| word == "date");
            if let Some(time) = self.context.model.datasets[table].time
                && (of_time(&adjective.rising) || of_time(&adjective.falling))
            {
                let time = Scalar::Column(Attribute::own(time));
                return Some((time, of_time(&adjective.rising)));
            }
            let lasts = |attributes: &[String]| {
                attributes
                    .iter()
                    .any(|word| matches!(word.as_str(), "length" | "duration"))
            };
            if (lasts(&adjective.rising) || lasts(&adjective.falling))
                && let Some(Formula::Rows {
                    aggregate: Aggregate::Average(span),
                    ..
                }) = self.lasting(table)
            {
                return Some((span, lasts(&adjective.rising)));
            }
        }
        self.guesses += 1.0;
        // The smallest are those with the least of it.
        let rising = adjective.is_none_or(|adjective| !lexicon().adjective(adjective).rising.is_empty());
        let Formula::Rows {
            aggregate: Aggregate::Sum(scalar),
            ..
        } = self.main_amount(table)?
        else {
            return None;
        };
        Some((scalar, rising))
    }
}
