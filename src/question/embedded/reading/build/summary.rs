//! Measures by groups.

use super::{
    super::{
        cues::Gathering,
        items::{Meaning, Sense},
        question::{Around, Gather, GrainMention, Mention, Number},
        roles::Role,
    },
    Builder, RankedBy, RelatedWanted,
    groups::{asks_for_fewest, having_counts, of_the_whole, quotient},
    measures::{push, rows_of},
    operands::written,
    repeated::{complete, count_name, counts_itself, says_twice, several_times},
};
use crate::question::{
    analytic::{AnalyticQuery, Dimension, Grouping, Measure, Rank, Summary},
    schema::ColumnRef,
    semantic::{Aggregate, Attribute, Comparison, DatasetRole, FieldRole, Formula, Scalar},
};

/// True where rows of a table are counted.
pub(super) fn counts_rows(mention: &Mention, sense: &Sense) -> bool {
    mention.counted && matches!(sense.meaning, Meaning::Dataset(_))
}

/// True where one of them stands with `on average`.
pub(super) fn averages(one: &Mention, other: &Mention) -> bool {
    [one, other]
        .iter()
        .any(|mention| mention.gathering == Some(Gather::Of(Gathering::Average)))
}

impl<'a> Builder<'a> {
    pub(super) fn summary(
        &mut self,
        head: Option<(&'a Mention, &'a Sense)>,
        groups: &[(&'a Mention, &'a Sense)],
        measured: &[(&'a Mention, &'a Sense)],
        rank_by: Option<(&'a Mention, &'a Sense)>,
        grains: &[GrainMention],
    ) -> Option<AnalyticQuery> {
        if self.question.superior || self.asks_for_days() {
            return None;
        }
        let mut measures: Vec<Measure> = Vec::new();
        let mut hidden = Vec::new();
        let mut having = Vec::new();
        let mut than_all = Vec::new();
        let mut related: Vec<RelatedWanted> = self.related()?;
        let mut head_counts = false;
        let mut groups = groups.to_vec();
        // `the highest salary` of all: nothing is ranked.
        let of_all = head.is_none() && groups.is_empty() && grains.is_empty() && rank_by.is_none();
        let ranked = self
            .question
            .rank
            .filter(|rank| rank.limit == Some(1) && rank.skip == 0);
        let extreme = ranked.filter(|_| of_all).map(|rank| {
            Gather::Of(if rank.highest_of(None) {
                Gathering::Highest
            } else {
                Gathering::Lowest
            })
        });
        for (mention, sense) in measured {
            // `more than 5 and less than 9 sales`: so many there are.
            let counted = mention.numbered_before && mention.until.is_some();
            if counted && matches!(sense.meaning, Meaning::Metric(_)) {
                return None;
            }
            let per_event = self.each_event((mention, sense), &groups, grains);
            let formula = match groups[..] {
                _ if let Some(at) = per_event => {
                    let (_, per) = groups.remove(at);
                    self.per(mention, sense, self.table_of(per))?
                }
                _ if let Some(at) = self.averaged_over((mention, sense), &groups) => {
                    let (_, per) = groups.remove(at);
                    self.per(mention, sense, self.table_of(per))?
                }
                _ if let Some(at) = self.averaged_of_one((mention, sense), &groups) => {
                    groups.remove(at);
                    self.formula(mention, sense)?
                }
                _ if extreme.is_some_and(|_| mention.most) => {
                    let gathered = Mention {
                        gathering: extreme,
                        ..(*mention).clone()
                    };
                    self.formula(&gathered, sense)?
                }
                _ => self.formula(mention, sense)?,
            };
            // `from order to delivery` is one length of time.
            if self.question.how_long && measures.iter().any(|known| known.formula == formula) {
                continue;
            }
            if let Some((comparison, Number::Average)) = &mention.compared {
                than_all.push((measures.len() + usize::from(mention.count_beside), *comparison));
            } else if let Some((comparison, number)) = &mention.compared {
                having.push((measures.len(), *comparison, written(number)?));
                if let Some((comparison, number)) = &mention.until {
                    having.push((measures.len(), *comparison, written(number)?));
                }
            }
            let name = self.measure_name(&measures, sense, &formula);
            // `count and total amount`: how many, and what they come to.
            if mention.count_beside
                && let Some(table) = formula.table()
            {
                push(&mut measures, "count", rows_of(table, Aggregate::Count));
            }
            push(&mut measures, &name, formula);
            for gathering in &mention.further {
                let other = Mention {
                    gathering: Some(*gathering),
                    ..(*mention).clone()
                };
                let formula = self.formula(&other, sense)?;
                push(&mut measures, &self.name_of(sense), formula);
            }
        }
        if having.is_empty() && than_all.is_empty() {
            measures = self.apart(measures);
        }
        if let Some((mention, sense)) = head
            && mention.counted
        {
            head_counts = true;
            let different = self.different(mention, sense, &groups, grains);
            let formula = match groups[..] {
                _ if different.is_some() => different?,
                // `on average, how many items are in an order`
                _ if counts_rows(mention, sense)
                    && let Some(at) = self.averaged_over((mention, sense), &groups) =>
                {
                    let (_, per) = groups.remove(at);
                    self.per(mention, sense, self.table_of(per))?
                }
                _ => self.formula(mention, sense)?,
            };
            let name = count_name(&measures, &self.name_of(sense));
            push(&mut measures, &name, formula);
        }
        if self.reaches {
            let (table, measure, comparison, number) = self.total()?;
            let at = related.iter().position(|wanted| wanted.table == table)?;
            related.remove(at);
            having.push((measures.len(), comparison, number));
            measures.push(measure);
        }
        if !self.question.figures.is_empty() {
            head_counts |= measures.is_empty();
            self.bare_figures(&mut measures, head)?;
        }
        // `sales per square metre`: the one over the other.
        if let Some((at, unit)) = groups
            .iter()
            .position(|(group, sense)| self.is_unit(group, sense))
            .zip(measures.first())
            && let Meaning::Field(column) = groups[at].1.meaning
        {
            let of_one = rows_of(
                column.table,
                Aggregate::Sum(Scalar::Column(Attribute::own(column.column))),
            );
            let name = format!("{}_per_{}", unit.name, self.name_of(groups[at].1));
            let formula = Formula::Ratio(Box::new(unit.formula.clone()), Box::new(of_one), false);
            measures[0] = Measure { name, formula };
            groups.remove(at);
        }
        // `industries with at least 40 customers`: customers are counted.
        if measures.is_empty() && self.having_over_field(head) && !related.is_empty() {
            let counted = related.remove(0);
            having.push((0, counted.how_many.0, counted.how_many.1.to_string()));
            let table = &self.context.snapshot.schema.tables[counted.table].name;
            let name = count_name(&measures, table);
            push(&mut measures, &name, rows_of(counted.table, Aggregate::Count));
            if !self.question.counts_again {
                hidden.push(0);
            }
        }
        if let Some(hundredfold) = self.question.divided {
            let counted = head.filter(|(mention, _)| mention.counted);
            let named = measured.iter().chain(&counted);
            let places: Vec<usize> = named.map(|(mention, _)| mention.at).collect();
            measures = quotient(&measures, &places, hundredfold)?;
        }
        if let Some((comparison, number)) = &self.question.having {
            having.push((0, *comparison, number.clone()));
        }
        let mut rank_at = None;
        if let Some((mention, sense)) = rank_by {
            let whose = groups.iter().chain(&head).map(|(_, sense)| *sense);
            let formula = if self.ranks_by_greatest(mention, sense, whose) {
                self.greatest_of(sense)?
            } else {
                self.formula(mention, sense)?
            };
            rank_at = measures.iter().position(|measure| measure.formula == formula);
            if rank_at.is_none() {
                // `the top 10 by revenue` shows what it ranks by, `which has the most` does not.
                if mention.most && mention.before == Around::Superlative && !self.question.how_many {
                    hidden.push(measures.len());
                }
                rank_at = Some(measures.len());
                push(&mut measures, &self.name_of(sense), formula);
            }
        }
        if measures.is_empty() {
            // `the cancellation rate`: what can be cancelled is counted.
            let of_share = || {
                let model = self.context.model;
                let says_so = |sense: &&Sense| match &sense.meaning {
                    Meaning::Filter(_) | Meaning::Value(..) => true,
                    Meaning::Field(at) => matches!(model.field(*at).role, FieldRole::Flag(_)),
                    _ => false,
                };
                let states = self.played(Role::Condition).map(|(_, sense)| sense);
                let table = states.filter(says_so).map(|sense| self.table_of(sense)).next()?;
                // Not grades pass, but those who have them.
                let table = match model.datasets[table].role {
                    DatasetRole::Lookup => self.refers_most(table)?,
                    _ => table,
                };
                (self.question.share.is_some() || self.question.how_many).then_some(table)
            };
            // `return rate`: of what can be returned, how much is.
            let of_event = || {
                let happens = related.first().filter(|_| self.question.share.is_some())?;
                self.happens_to_rows_of(happens.table)
            };
            if head.is_none()
                && let Some(table) = of_share().or_else(of_event)
            {
                push(&mut measures, "count", rows_of(table, Aggregate::Count));
            }
        }
        if measures.is_empty() && head.is_none() && self.question.rank.is_some() && !grains.is_empty() {
            let (name, formula) = self.of_business()?;
            self.guesses += 0.7;
            rank_at = Some(0);
            push(&mut measures, name, formula);
        }
        if measures.is_empty() {
            // `shipments by status`: they are counted.
            let (mention, sense) = head?;
            let table = self.table_of(sense);
            let whose = groups.iter().map(|(_, sense)| *sense);
            if self.ranks_by_greatest(mention, sense, whose) {
                rank_at = Some(0);
                hidden.push(0);
                let greatest = self.greatest_of(sense)?;
                push(&mut measures, &self.name_of(sense), greatest);
            } else if let Some(by) = self.ranks {
                let formula = self.ranked_by(by, sense)?;
                rank_at = Some(0);
                let name = match by {
                    RankedBy::Rows => "count",
                    RankedBy::Money => "total",
                    RankedBy::Quantity => "quantity",
                };
                push(&mut measures, name, formula);
            } else if self.question.rank.is_some()
                && rank_by.is_none()
                && groups.is_empty()
                && grains.is_empty()
                && let Meaning::Dataset(_) = sense.meaning
            {
                // `the top diagnoses`: those that most refers to.
                let event = self.refers_most(table)?;
                self.guesses += 0.7;
                rank_at = Some(0);
                let name = &self.context.snapshot.schema.tables[event].name;
                let name = count_name(&measures, name);
                push(&mut measures, &name, rows_of(event, Aggregate::Count));
            } else if self.best_of_each(sense, &groups) {
                return None;
            } else {
                head_counts = true;
                if self.question.rank.is_some() && rank_by.is_none() {
                    rank_at = Some(0);
                }
                // `titles per language`: what is called by them is counted.
                let names =
                    |at: &ColumnRef| self.context.model.datasets[at.table].display.contains(&at.column);
                let formula = match &sense.meaning {
                    Meaning::Dataset(_) => rows_of(table, Aggregate::Count),
                    Meaning::Field(at) if names(at) => rows_of(table, Aggregate::Count),
                    _ => return None,
                };
                let name = count_name(&measures, &self.name_of(sense));
                push(&mut measures, &name, formula);
            }
        }
        if self.question.share.is_some() {
            measures = self.of_goal(measures);
        }
        let named = groups.iter().chain(head.iter().filter(|_| !head_counts));
        let named = named.map(|(_, sense)| self.table_of(sense));
        let said = self
            .played(Role::Condition)
            .map(|(_, sense)| self.table_of(sense));
        let others: Vec<usize> = named.chain(said).collect();
        self.times_how_many(&mut measures, &others);
        let first = measures.first()?.formula.table()?;
        // Of several that are measured, one decides what a row is.
        let mut dimensions = Vec::new();
        let mut within = Vec::new();
        let tables: Vec<usize> = measures
            .iter()
            .flat_map(|measure| {
                measure
                    .formula
                    .aggregates()
                    .into_iter()
                    .filter_map(Formula::table)
            })
            .collect();
        let mut head_group = None;
        if let Some((_, sense)) = head
            && !head_counts
        {
            match &sense.meaning {
                Meaning::Dataset(table)
                    if *table == first && rank_by.is_none() && self.question.rank.is_none() =>
                {
                    // `average age of patients`: the head is what is measured.
                }
                Meaning::Dataset(table) if self.of_one_row(first, *table) => return None,
                _ => head_group = Some(sense),
            }
        }
        for (_, sense) in &groups {
            if head_group.is_some() && self.question.rank.is_some_and(|rank| rank.limit.is_some()) {
                within.push(dimensions.len());
            }
            let dimension = self.dimension(sense, &tables)?;
            if !dimensions.contains(&dimension) {
                dimensions.push(dimension);
            }
        }
        if let Some(sense) = head_group {
            let dimension = self.dimension(sense, &tables)?;
            if dimensions.contains(&dimension) {
                return None;
            }
            dimensions.push(dimension);
        }
        if let Some(column) = self.contrast()
            && !self.question.difference
        {
            let dimension = self.dimension(
                &Sense {
                    meaning: Meaning::Field(column),
                    score: 1.0,
                },
                &tables,
            )?;
            if !dimensions.contains(&dimension) {
                dimensions.push(dimension);
            }
        }
        if let Some(side) = self.side() {
            let dimension = self.side_dimension(&side, &tables)?;
            if !dimensions.contains(&dimension) {
                dimensions.push(dimension);
            }
        }
        let mut time_at = None;
        let apart = self.periods_apart(grains);
        let own_times = several_times(&measures);
        for grain in grains.iter().chain(&apart) {
            let dimension = match grain.grain {
                // `how many started and how many ended per month`: each by its own time.
                Ok(length) if own_times => Dimension {
                    name: None,
                    from: tables
                        .iter()
                        .map(|table| (*table, Grouping::Time(length)))
                        .collect(),
                },
                _ => self.time_dimension(*grain, &tables)?,
            };
            if !dimensions.contains(&dimension) {
                time_at = Some(dimensions.len());
                dimensions.push(dimension);
            }
        }
        for measure in &mut measures {
            self.leave_out_undated(&mut measure.formula, &dimensions);
        }
        // Two groups with the best of each: the first is what the rank begins anew for, or the times where things are ranked.
        if within.is_empty()
            && dimensions.len() == 2
            && self.question.rank.is_some_and(|rank| rank.limit.is_some())
        {
            within.extend(if head_group.is_none() { Some(0) } else { time_at });
        }
        // What makes it the best of its group, or several the best, is told beside it.
        let several = self.question.rank.is_some_and(|rank| rank.limit != Some(1));
        if !within.is_empty() || several {
            hidden.retain(|at| Some(*at) != rank_at);
        }
        // `only those with at least 50 tickets`: as many as are measured in each group.
        if !dimensions.is_empty()
            && let [only] = &related[..]
            && !matches!(only.how_many, (Comparison::AtLeast, 1) | (Comparison::Equal, 0))
        {
            for (comparison, number) in std::iter::once(only.how_many).chain(only.until) {
                having.push((measures.len(), comparison, number.to_string()));
            }
            hidden.push(measures.len());
            let counted = rows_of(only.table, Aggregate::Count);
            push(&mut measures, "number", counted);
            related.clear();
        }
        // Of all rows together nothing is left out for being too few.
        if dimensions.is_empty() && !having.is_empty() && self.question.having.is_none() {
            return None;
        }
        let counted = having_counts(&having, &measures);
        let mut measures = self.compared(measures, &related)?;
        let than_other = self.than_then(&measures, &dimensions)?;
        if !dimensions.is_empty() {
            complete(&mut measures);
        }
        self.derived(&mut measures, time_at)?;
        let of_share = self.question.share.is_some();
        of_the_whole((&mut having, &counted), of_share, &mut measures, &mut hidden);
        let taken = extreme.is_some() && measured.iter().any(|(mention, _)| mention.most);
        let wanted = self.question.rank.filter(|_| !taken);
        let rank = match wanted {
            Some(rank) => {
                let at = rank_at.unwrap_or(0);
                let named = rank_by.and_then(|(_, sense)| match sense.meaning {
                    Meaning::Field(at) => Some(self.context.snapshot.schema.column(at).name.as_str()),
                    _ => None,
                });
                Rank {
                    by: vec![(dimensions.len() + at, rank.highest_of(named))],
                    limit: rank.limit.filter(|_| !dimensions.is_empty()),
                    skip: rank.skip,
                    within,
                    ties: false,
                }
            }
            None => match (self.question.order, time_at) {
                (Some(highest), None) if !measures.is_empty() => Rank {
                    by: vec![(dimensions.len(), highest)],
                    ..Rank::default()
                },
                (_, Some(time)) => Rank {
                    by: vec![(time, false)],
                    ..Rank::default()
                },
                _ => Rank::default(),
            },
        };
        if says_twice(&measures)
            || counts_itself(&measures, &dimensions)
            || self.sums_each_event(&measures, &dimensions)
        {
            return None;
        }
        // All is all of itself.
        let of_itself = measures
            .iter()
            .any(|measure| matches!(measure.formula, Formula::Share(..)));
        if of_itself && (dimensions.is_empty() || self.question.rate) {
            return None;
        }
        // Nothing is the first of one row, and one row has no order.
        let ranks = wanted.is_some() || self.played(Role::Order).next().is_some();
        if dimensions.is_empty() && (ranks || !than_all.is_empty() || hidden.len() >= measures.len()) {
            return None;
        }
        let of_things = self.by_things(&dimensions);
        let mut empty_too = self.question.none_too;
        if empty_too {
            self.with_empty_groups((&mut measures, &mut hidden), &mut dimensions)?;
        } else if having.is_empty() && asks_for_fewest(&rank, &measures, dimensions.len()) {
            empty_too = self
                .with_empty_groups((&mut measures, &mut hidden), &mut dimensions)
                .is_some();
        }
        Some(AnalyticQuery::Summary(Summary {
            measures,
            by: dimensions,
            having,
            than_all,
            than_other,
            // Whatever has no store is not the best of the stores, nor one of them.
            keep_missing: !empty_too && rank.limit.is_none() && (self.question.also || !of_things),
            rank,
            hidden,
        }))
    }
}
