//! Figures that a question names by what they are of: orders per customer, different parts of each machine, the busiest month.

use super::{
    super::{
        cues::Gathering,
        items::{Meaning, Sense},
        question::{Around, Gather, GrainMention, Mention},
    },
    Builder,
    measures::rows_of,
    summary::{averages, counts_rows},
};
use crate::question::{
    schema::ForeignKey,
    semantic::{Additivity, Aggregate, Attribute, DatasetRole, FieldRole, Formula, Grain, Part, Scalar},
};

/// Words at most between a number and what it is averaged over.
const NEAR: usize = 3;

impl Builder<'_> {
    /// How many rows of one table there are, or what something in them comes to, for each row of another that has any.
    pub(super) fn per(&mut self, mention: &Mention, sense: &Sense, per: usize) -> Option<Formula> {
        let counted = self.table_of(sense);
        let formula = if let Meaning::Dataset(table) = sense.meaning {
            rows_of(table, Aggregate::Count)
        } else {
            let summed = Mention {
                gathering: Some(Gather::Of(Gathering::Sum)),
                ..mention.clone()
            };
            self.formula(&summed, sense)?
        };
        // The lines of an order are no orders.
        let mut keys = self.context.snapshot.schema.foreign_keys.iter();
        let of_event = |key: &ForeignKey| {
            let to = key.to[0].table;
            key.from[0].table == counted
                && to != counted
                && self.context.model.datasets[to].role == DatasetRole::Event
        };
        if counted == per && !keys.any(of_event) {
            let all = rows_of(counted, Aggregate::Count);
            return Some(Formula::Ratio(Box::new(formula), Box::new(all), false));
        }
        let ways = self.context.ways(counted);
        let (way, cost) = ways.single(per)?;
        self.distance += cost;
        let [column] = self.context.snapshot.schema.tables[per].primary_key[..] else {
            return None;
        };
        let owner = Scalar::Column(Attribute {
            way: way.clone(),
            column,
        });
        Some(Formula::Ratio(
            Box::new(formula),
            Box::new(rows_of(counted, Aggregate::CountDistinct(owner))),
            false,
        ))
    }

    /// Which of the groups a number is averaged over: `average number of pupils per class by school type` is one of classes.
    pub(super) fn averaged_over(
        &self,
        (mention, sense): (&Mention, &Sense),
        groups: &[(&Mention, &Sense)],
    ) -> Option<usize> {
        // `average number of floors per city`: cities have no floors, what stands in them has.
        let is_field = |sense: &Sense| matches!(sense.meaning, Meaning::Field(_));
        let fits = |(group, per): &(&Mention, &Sense)| {
            self.adds_up(mention, sense) && averages(mention, group) && !(is_field(sense) && is_field(per))
        };
        if let [only] = groups {
            return fits(only).then_some(0);
        }
        // The one that stands beside the number, behind `per`.
        groups.iter().position(|one @ (group, per)| {
            fits(one)
                && !is_field(per)
                && group.before == Around::Each
                && group.at >= mention.end
                && group.at <= mention.end + NEAR
        })
    }

    /// Which of the groups is what is averaged, row by row: `average weight per parcel` is that of all parcels.
    pub(super) fn averaged_of_one(
        &self,
        (mention, sense): (&Mention, &Sense),
        groups: &[(&Mention, &Sense)],
    ) -> Option<usize> {
        let averaged = matches!(
            mention.gathering,
            Some(Gather::Of(Gathering::Average) | Gather::Median)
        );
        let own = self.table_of(sense);
        let is_own = |group: &Mention, per: &Sense| {
            matches!(per.meaning, Meaning::Dataset(table) if table == own) && group.before == Around::Each
        };
        let is_figure = matches!(sense.meaning, Meaning::Field(_) | Meaning::Metric(_));
        let wanted = averaged && is_figure && self.question.rank.is_none();
        groups
            .iter()
            .position(|(group, per)| wanted && is_own(group, per))
    }

    /// True for what adds up over rows: their number, or an amount in them.
    pub(super) fn adds_up(&self, mention: &Mention, sense: &Sense) -> bool {
        counts_rows(mention, sense) || mention.counted && self.adds_up_alone(sense)
    }

    /// True for an amount that adds up.
    pub(super) fn adds_up_alone(&self, sense: &Sense) -> bool {
        match sense.meaning {
            Meaning::Field(at) => self.context.model.field(at).role == FieldRole::Measure(Additivity::Sum),
            _ => false,
        }
    }

    /// True for a size that something is reckoned by: sales per square metre.
    pub(super) fn is_unit(&self, mention: &Mention, sense: &Sense) -> bool {
        let size = match sense.meaning {
            Meaning::Field(at) => self.context.model.field(at).role.is_measure(),
            _ => false,
        };
        size && mention.of_size && mention.before == Around::Each
    }

    /// `our busiest month`, `the best month`: what the business is about, counted or in money.
    pub(super) fn of_business(&self) -> Option<(&'static str, Formula)> {
        let model = self.context.model;
        let money = self.context.money.first().map(|(at, _)| &model.metrics[*at]);
        if self.question.best {
            return money.map(|metric| ("total", metric.formula.clone()));
        }
        let events =
            (0..model.datasets.len()).filter(|table| model.datasets[*table].role == DatasetRole::Event);
        let by_hour = |grain: &GrainMention| matches!(grain.grain, Ok(Grain::Hour) | Err(Part::Hour));
        let by_hour = self.question.grains.iter().any(by_hour);
        let told = |table: &usize| {
            let time = model.datasets[*table].time;
            !by_hour || time.is_some_and(|column| self.tells_hours(*table, &Attribute::own(column)))
        };
        let largest = events
            .filter(told)
            .max_by_key(|table| self.context.snapshot.schema.tables[*table].rows);
        let of_money = money.map(|metric| metric.dataset).filter(told);
        let event = of_money.or(largest)?;
        Some(("count", rows_of(event, Aggregate::Count)))
    }

    /// What something happens to: the event that its rows refer to, else the thing.
    pub(super) fn happens_to_rows_of(&self, event: usize) -> Option<usize> {
        let datasets = &self.context.model.datasets;
        let keys = self.context.snapshot.schema.foreign_keys.iter();
        let mut to: Vec<usize> = keys
            .filter(|key| key.from[0].table == event && key.to[0].table != event)
            .map(|key| key.to[0].table)
            .collect();
        to.sort_by_key(|table| datasets[*table].role != DatasetRole::Event);
        to.first()
            .copied()
            .filter(|_| datasets[event].role == DatasetRole::Event)
    }

    /// `different parts produced on each machine`: of what happened it is told how many of them took part.
    pub(super) fn different(
        &self,
        mention: &Mention,
        sense: &Sense,
        groups: &[(&Mention, &Sense)],
        grains: &[GrainMention],
    ) -> Option<Formula> {
        let counted = match sense.meaning {
            Meaning::Dataset(table) if mention.gathering == Some(Gather::Distinct) => table,
            _ => return None,
        };
        let groups: Vec<usize> = groups.iter().map(|(_, sense)| self.table_of(sense)).collect();
        let reaches = |from: usize| {
            let ways = self.context.ways(from);
            groups.iter().all(|group| ways.single(*group).is_some())
        };
        // `in 2024`: with whom something happened then.
        let datasets = &self.context.model.datasets;
        let in_period = !self.question.periods.is_empty();
        if grains.is_empty() && !in_period && reaches(counted) {
            return None;
        }
        let schema = &self.context.snapshot.schema;
        let keys = schema.foreign_keys.iter();
        let leads_there = keys.filter(|key| key.to[0].table == counted && key.from.len() == 1);
        let from = leads_there
            .map(|key| key.from[0])
            .filter(|from| from.table != counted && reaches(from.table))
            .filter(|from| !in_period || datasets[from.table].time.is_some())
            .max_by_key(|from| schema.tables[from.table].rows)?;
        let of = Scalar::Column(Attribute::own(from.column));
        Some(rows_of(from.table, Aggregate::CountDistinct(of)))
    }
}
