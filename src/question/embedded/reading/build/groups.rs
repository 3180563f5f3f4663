//! Groups of a summary: the best of each, those with nothing, what they must come to, and figures over one another.

use super::{
    super::{
        implied::says_quantity,
        items::{Meaning, Sense},
        question::{Around, GrainMention, Mention},
        roles::Role,
    },
    Builder,
    measures::rows_of,
    operands::operand,
};
use crate::question::{
    analytic::{Dimension, Grouping, Measure, Rank},
    schema::{ColumnRef, Schema},
    semantic::{
        Additivity, Aggregate, Attribute, Comparison, Condition, DatasetRole, FieldRole, Formula, Scalar, Way,
    },
};

/// What a summary must keep of its groups: a measure compared with a number.
type Having = Vec<(usize, Comparison, String)>;

/// Words at most between what is reckoned and what it is reckoned for.
const NEAR: usize = 2;

/// Which of these are about how many rows there are.
pub(super) fn having_counts(having: &Having, measures: &[Measure]) -> Vec<bool> {
    let counts = |measure: &Measure| {
        matches!(
            measure.formula,
            Formula::Rows {
                aggregate: Aggregate::Count,
                ..
            }
        )
    };
    let of = having.iter().map(|(at, ..)| measures.get(*at));
    of.map(|measure| measure.is_some_and(counts)).collect()
}

/// `cancellation rate per store, at least 20 orders`: so many there must be of what a share is of.
pub(super) fn of_the_whole(
    (having, counted): (&mut Having, &[bool]),
    of_share: bool,
    measures: &mut Vec<Measure>,
    hidden: &mut Vec<usize>,
) {
    for ((at, _, number), counted) in having.iter_mut().zip(counted) {
        // No share is more than one.
        let beyond =
            |percent: bool| of_share && !percent && number.parse::<f64>().is_ok_and(|number| number > 1.0);
        let whole = match measures.get(*at).map(|measure| &measure.formula) {
            Some(Formula::Ratio(_, whole, percent)) if *counted || beyond(*percent) => (**whole).clone(),
            _ => continue,
        };
        *at = measures.len();
        hidden.push(measures.len());
        measures.push(Measure {
            name: "number".to_owned(),
            formula: whole,
        });
    }
}

/// True where the first are those with the fewest rows: whoever has none has fewer than all others.
pub(super) fn asks_for_fewest(rank: &Rank, measures: &[Measure], dimensions: usize) -> bool {
    let by = rank
        .by
        .first()
        .filter(|_| rank.limit.is_some() && rank.within.is_empty());
    let measure = by
        .filter(|(_, highest)| !highest)
        .and_then(|(at, _)| measures.get(at.checked_sub(dimensions)?));
    measure.is_some_and(|measure| {
        matches!(
            measure.formula,
            Formula::Rows {
                aggregate: Aggregate::Count,
                ..
            }
        )
    })
}

/// The table at whose rows things are told apart.
fn entity((table, grouping): &(usize, Grouping), schema: &Schema) -> Option<usize> {
    match grouping {
        Grouping::Entity(way) => Some(way.end(*table, schema)),
        _ => None,
    }
}

impl Builder<'_> {
    /// True for `the top product of each category`: one of the products, and no number of them.
    pub(super) fn best_of_each(&self, head: &Sense, groups: &[(&Mention, &Sense)]) -> bool {
        let is_thing = match head.meaning {
            Meaning::Dataset(table) => !matches!(
                self.context.model.datasets[table].role,
                DatasetRole::Event | DatasetRole::Snapshot
            ),
            _ => false,
        };
        let each = groups.iter().any(|(group, _)| group.before == Around::Each);
        is_thing
            && each
            && !self.question.counts_again
            && self.question.rank.is_some_and(|rank| rank.limit == Some(1))
    }

    /// `revenue per order by store`: which of the groups is what happened, so that the figure is one of each time.
    pub(super) fn each_event(
        &self,
        (mention, sense): (&Mention, &Sense),
        groups: &[(&Mention, &Sense)],
        grains: &[GrainMention],
    ) -> Option<usize> {
        let amount = match &sense.meaning {
            Meaning::Field(_) => self.adds_up_alone(sense),
            Meaning::Metric(at) => matches!(
                self.context.model.metrics[*at].formula,
                Formula::Rows {
                    aggregate: Aggregate::Sum(_),
                    ..
                }
            ),
            _ => false,
        };
        if !amount || groups.len() + grains.len() < 2 {
            return None;
        }
        groups.iter().position(|(group, per)| match per.meaning {
            Meaning::Dataset(table) => {
                self.context.model.datasets[table].role == DatasetRole::Event
                    && group.before == Around::Each
                    && group.at >= mention.end
                    && group.at - mention.end < NEAR
            }
            _ => false,
        })
    }

    /// True where a number of pieces is one of all that happened with a thing: `products that sold over 20 units`.
    fn counts_pieces(&self, subject: usize, at: ColumnRef, mention: &Mention) -> bool {
        let model = self.context.model;
        model.datasets[subject].role == DatasetRole::Entity
            && self.question.trades
            && at.table != subject
            && mention.numbered_before
            && mention.compared.is_some()
            && model.field(at).role == FieldRole::Measure(Additivity::Sum)
            && says_quantity(&self.context.snapshot.schema.column(at).name)
    }

    /// True where so many pieces are those of some time, which only a sum by things tells, or came back: those were not sold.
    pub(super) fn pieces_elsewhere(&self, subject: usize) -> bool {
        let by_time = !self.question.periods.is_empty();
        self.played(Role::Condition)
            .any(|(mention, sense)| match sense.meaning {
                Meaning::Field(at) => {
                    (by_time || self.comes_back(at.table)) && self.counts_pieces(subject, at, mention)
                }
                _ => false,
            })
    }

    /// So many pieces of what is listed in all, not in one line.
    pub(super) fn pieces_in_all(&self, at: ColumnRef, mention: &Mention) -> Option<(usize, Condition)> {
        let subject = self.head_of_list?;
        let (comparison, number) = mention.compared.as_ref()?;
        if !self.counts_pieces(subject, at, mention) {
            return None;
        }
        let ways = self.context.ways(subject);
        let (way, _) = ways.nearest(at.table).filter(|(way, _)| !way.is_single())?;
        let sum = Aggregate::Sum(Scalar::Column(Attribute::own(at.column)));
        let in_all = Scalar::Figure(way.clone(), Box::new(sum));
        Some((subject, Condition::Compare(in_all, *comparison, operand(number))))
    }

    /// `lower in October than in September`: which of two measures is compared with the other.
    pub(super) fn than_then(
        &self,
        measures: &[Measure],
        dimensions: &[Dimension],
    ) -> Option<Vec<(usize, Comparison, usize)>> {
        let Some(comparison) = self.question.than_then else {
            return Some(Vec::new());
        };
        // Without groups the two stand side by side.
        if dimensions.is_empty() {
            return Some(Vec::new());
        }
        let ([_, _], [first, second]) = (measures, &self.question.periods[..]) else {
            return None;
        };
        if self.assumed.apart {
            return None;
        }
        // The earlier one is the first measure.
        let earlier = first.period.from < second.period.from;
        let (one, other) = if earlier { (0, 1) } else { (1, 0) };
        Some(vec![(one, comparison, other)])
    }

    /// `orders per customer, including those with none`: all things that are grouped by have a row.
    pub(super) fn with_empty_groups(
        &mut self,
        (measures, hidden): (&mut Vec<Measure>, &mut Vec<usize>),
        dimensions: &mut [Dimension],
    ) -> Option<()> {
        let schema = &self.context.snapshot.schema;
        let [Dimension { from, .. }] = dimensions else {
            return None;
        };
        let table = from.first().and_then(|first| entity(first, schema))?;
        if from
            .iter()
            .any(|one| one.0 == table || entity(one, schema) != Some(table))
        {
            return None;
        }
        let conditions = self.conditions()?;
        let own: Vec<_> = conditions.iter().filter(|found| found.table == table).collect();
        let own = self.reach(table, &own)?;
        from.push((table, Grouping::Entity(Way::here())));
        hidden.push(measures.len());
        measures.push(Measure {
            name: "of_all".to_owned(),
            formula: match rows_of(table, Aggregate::Count) {
                Formula::Rows {
                    table,
                    aggregate,
                    time,
                    ..
                } => Formula::Rows {
                    table,
                    aggregate,
                    conditions: own,
                    time,
                },
                other => other,
            },
        });
        Some(())
    }
}

/// One figure over another, in the order in which they are named at these places.
pub(super) fn quotient(measures: &[Measure], places: &[usize], hundredfold: bool) -> Option<Vec<Measure>> {
    let ([one, other], [first, second]) = (measures, places) else {
        return None;
    };
    let (part, whole) = if first < second {
        (one, other)
    } else {
        (other, one)
    };
    Some(vec![Measure {
        name: if hundredfold { "per_hundred" } else { "ratio" }.to_owned(),
        formula: Formula::Ratio(
            Box::new(part.formula.clone()),
            Box::new(whole.formula.clone()),
            hundredfold,
        ),
    }])
}
