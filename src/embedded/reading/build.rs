//! Parts that are given out become an analytic query, where what they say can be reached.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use super::{
    super::lexicon::lexicon,
    items::{Gathering, Meaning, Sense, is_birth, is_person},
    periods::Period,
    question::{Around, Gather, GrainMention, Mention, Number, Question},
    roles::{Cast, Role},
    ways::{Ways, rebased, restricted},
};
use crate::{
    analytic::{AnalyticQuery, Dimension, Figure, Grouping, List, Measure, Rank, Shown, Summary},
    schema::{ColumnRef, Snapshot, words},
    semantic::{
        Additivity, Aggregate, Attribute, Change, Comparison, Condition, DatasetRole, FieldRole, Formula, Grain, Operand,
        Scalar, SemanticModel, Unit, Way,
    },
};

/// A query with what it cost to make sense of it.
#[derive(Debug, Clone)]
pub(super) struct Built {
    pub(super) query: AnalyticQuery,
    /// Keys that are gone along, by their costs.
    pub(super) distance: f32,
    /// What had to be assumed without a word that says so.
    pub(super) guesses: f32,
}

/// What a query is built over.
pub(super) struct Context<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    ways: RefCell<HashMap<usize, Rc<Ways>>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, model: &'a SemanticModel) -> Self {
        Self {
            snapshot,
            model,
            ways: RefCell::default(),
        }
    }

    fn ways(&self, table: usize) -> Rc<Ways> {
        let mut known = self.ways.borrow_mut();
        Rc::clone(
            known
                .entry(table)
                .or_insert_with(|| Rc::new(Ways::from(table, &self.snapshot.schema, self.model))),
        )
    }
}

/// The query that a cast asks for.
pub(super) fn build(question: &Question, cast: &Cast, context: &Context<'_>) -> Option<Built> {
    let mut builder = Builder {
        question,
        cast,
        context,
        distance: 0.0,
        guesses: 0.0,
        periods_used: std::cell::Cell::new(false),
    };
    let query = builder.query()?;
    Some(Built {
        query,
        distance: builder.distance,
        guesses: builder.guesses,
    })
}

struct Builder<'a> {
    question: &'a Question,
    cast: &'a Cast,
    context: &'a Context<'a>,
    distance: f32,
    guesses: f32,
    /// True once the periods hold of rows that something is related to.
    periods_used: std::cell::Cell<bool>,
}

/// A condition with the table in whose words it is.
struct Wanted {
    table: usize,
    condition: Condition,
    negated: bool,
    /// The token that says it.
    at: usize,
    /// The token behind it.
    end: usize,
    /// Either this holds, or the one before.
    alternative: bool,
}

/// Rows that there must be.
struct RelatedWanted {
    table: usize,
    how_many: (Comparison, u64),
}

impl<'a> Builder<'a> {
    fn played(&self, role: Role) -> impl Iterator<Item = (&'a Mention, &'a Sense)> + use<'a> {
        let (question, cast) = (self.question, self.cast);
        let pairs = question.mentions.iter().zip(&cast.parts);
        pairs
            .filter(move |(_, (played, _))| *played == role)
            .map(|(mention, (_, sense))| (mention, &mention.senses[*sense]))
    }

    fn table_of(&self, sense: &Sense) -> usize {
        match &sense.meaning {
            Meaning::Dataset(table) => *table,
            Meaning::Field(at) | Meaning::Value(at, _) => at.table,
            Meaning::Metric(at) => self.context.model.metrics[*at].dataset,
            Meaning::Filter(at) => self.context.model.filters[*at].dataset,
        }
    }

    /// Persons that something is asked of, where only `who` stands for them.
    fn persons(&mut self) -> Option<usize> {
        let table = self.played(Role::Condition).map(|(_, sense)| self.table_of(sense)).next()?;
        let ways = self.context.ways(table);
        let schema = &self.context.snapshot.schema;
        let mut found: Vec<(usize, f32)> = (0..schema.tables.len())
            .filter(|table| is_person(schema, *table))
            .filter_map(|other| ways.single(other).map(|(_, cost)| (other, *cost)))
            .collect();
        found.sort_by(|one, other| one.1.total_cmp(&other.1));
        found.first().map(|(table, _)| *table)
    }

    fn query(&mut self) -> Option<AnalyticQuery> {
        let head = self.played(Role::Head).next();
        let groups: Vec<_> = self.played(Role::Group).collect();
        let measured: Vec<_> = self.played(Role::Measure).collect();
        let rank_by = self.played(Role::RankBy).next();
        let grains: Vec<GrainMention> = self.grains();
        let counted = head.is_some_and(|(mention, _)| mention.counted);
        let share = self.question.share.is_some();
        // A field of what is listed decides over the order of a list.
        let head_table = head.map(|(_, sense)| self.table_of(sense));
        let ranks_rows = rank_by.is_some_and(|(_, sense)| match &sense.meaning {
            Meaning::Field(at) => head_table.is_some_and(|head| {
                self.context.ways(head).single(at.table).is_some()
            }),
            _ => false,
        });
        let rank_elsewhere = rank_by.is_some() && !ranks_rows || self.question.counts_again && self.question.rank.is_some();
        let is_summary = !measured.is_empty()
            || counted
            || share
            || !grains.is_empty()
            || rank_elsewhere
            || !groups.is_empty() && !ranks_rows
            || self.question.growth
            || self.having_over_field(head);
        if is_summary {
            self.summary(head, &groups, &measured, rank_by, &grains)
        } else {
            self.list(head, &groups, rank_by)
        }
    }

    /// `industries with at least 40 customers`: what is listed is no table.
    fn having_over_field(&self, head: Option<(&Mention, &Sense)>) -> bool {
        head.is_some_and(|(_, sense)| matches!(sense.meaning, Meaning::Field(_)))
            && self.played(Role::Related).any(|(mention, _)| mention.compared.is_some())
    }

    /// Periods that the answer is to have one row for each.
    fn grains(&self) -> Vec<GrainMention> {
        let wanted = |grain: &&GrainMention| grain.sure || grain.asked && self.question.rank.is_some();
        self.question.grains.iter().filter(wanted).copied().collect()
    }

    // ---- what is measured ----

    fn formula(&mut self, mention: &Mention, sense: &Sense) -> Option<Formula> {
        match &sense.meaning {
            Meaning::Metric(at) => {
                let formula = &self.context.model.metrics[*at].formula;
                Some(match mention.gathering {
                    Some(Gather::Of(Gathering::Average)) => averaged(formula),
                    _ => formula.clone(),
                })
            }
            Meaning::Dataset(table) => {
                if let Some(unit) = mention.unit
                    && let Some(formula) = self.spent(*table, unit)
                {
                    return Some(formula);
                }
                // The best are not those that there is most of.
                if mention.most && self.question.best
                    && let Some(column) = self.mark(*table)
                {
                    return Some(rows_of(*table, Aggregate::Average(column)));
                }
                if mention.counted || !(self.question.how_much || matches!(mention.gathering, Some(Gather::Of(_)))) {
                    return Some(rows_of(*table, Aggregate::Count));
                }
                self.guesses += 0.5;
                self.main_amount(*table).map(|formula| match mention.gathering {
                    Some(Gather::Of(Gathering::Average)) => averaged(&formula),
                    _ => formula,
                })
            }
            Meaning::Field(at) if self.context.model.field(*at).role == FieldRole::Time => self.timed(mention, *at),
            Meaning::Field(at) => {
                let column = in_unit(
                    Scalar::Column(Attribute::own(at.column)),
                    mention.unit,
                    self.context.model.field(*at).unit.as_deref(),
                );
                let aggregate = match (mention.gathering, self.context.model.field(*at).role) {
                    (None | Some(Gather::Of(Gathering::Sum)), FieldRole::Measure(Additivity::Sum)) if mention.counted => {
                        Aggregate::Sum(column)
                    }
                    (None | Some(Gather::Distinct), _) if mention.counted => Aggregate::CountDistinct(column),
                    (Some(Gather::Of(Gathering::Sum)), FieldRole::Measure(_)) => Aggregate::Sum(column),
                    (Some(Gather::Of(Gathering::Average)), FieldRole::Measure(_)) => Aggregate::Average(column),
                    (Some(Gather::Of(Gathering::Highest)), _) => Aggregate::Maximum(column),
                    (Some(Gather::Of(Gathering::Lowest)), _) => Aggregate::Minimum(column),
                    (Some(Gather::Median), FieldRole::Measure(_)) => Aggregate::Median(column),
                    (Some(Gather::Distinct), _) => Aggregate::CountDistinct(column),
                    (_, FieldRole::Measure(Additivity::Average)) => Aggregate::Average(column),
                    (_, FieldRole::Measure(_)) => Aggregate::Sum(column),
                    _ => return None,
                };
                Some(rows_of(at.table, aggregate))
            }
            Meaning::Filter(_) | Meaning::Value(..) => None,
        }
    }

    /// How much time the rows of a table come to, in a unit.
    fn spent(&self, table: usize, unit: Grain) -> Option<Formula> {
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let (column, kept) = fields
            .filter(|(_, field)| field.role == FieldRole::Measure(Additivity::Sum))
            .find_map(|(column, field)| {
                let unit = field.unit.as_deref().or_else(|| {
                    let name = &self.context.snapshot.schema.tables[table].columns[column].name;
                    words::identifier_words(name).iter().find_map(|word| minutes_in(word).map(|(name, _)| name))
                })?;
                minutes_in(unit).map(|(unit, _)| (column, unit))
            })?;
        let scalar = in_unit(Scalar::Column(Attribute::own(column)), Some(unit), Some(kept));
        Some(rows_of(table, Aggregate::Sum(scalar)))
    }

    /// What the rows of a table are marked by: stars, a score.
    fn mark(&self, table: usize) -> Option<Scalar> {
        let fields = &self.context.model.datasets[table].fields;
        let column = fields.iter().position(|field| field.role == FieldRole::Measure(Additivity::Average))?;
        Some(Scalar::Column(Attribute::own(column)))
    }

    /// What a time measures: how long it took until then, its first or last, or how often it came.
    fn timed(&mut self, mention: &Mention, at: ColumnRef) -> Option<Formula> {
        let column = Scalar::Column(Attribute::own(at.column));
        match mention.gathering {
            Some(Gather::Of(Gathering::Highest)) => Some(rows_of(at.table, Aggregate::Maximum(column))),
            Some(Gather::Of(Gathering::Lowest)) => Some(rows_of(at.table, Aggregate::Minimum(column))),
            Some(Gather::Of(Gathering::Average) | Gather::Median)
                if is_birth(&self.context.snapshot.schema.column(at).name) =>
            {
                // An age is one on a day.
                let [period] = self.question.periods[..] else { return None };
                let day = period.period.bounds().0?;
                self.periods_used.set(true);
                let span = Scalar::Span(Box::new(column), Box::new(Scalar::Moment(day)), Unit::Year);
                Some(rows_of(at.table, Aggregate::Average(span)))
            }
            Some(Gather::Of(Gathering::Average) | Gather::Median) => {
                let from = self.context.model.datasets[at.table].time.filter(|time| *time != at.column)?;
                let from = Box::new(Scalar::Column(Attribute::own(from)));
                let span = Scalar::Span(from, Box::new(column), self.unit());
                let aggregate = if mention.gathering == Some(Gather::Median) {
                    Aggregate::Median(span)
                } else {
                    Aggregate::Average(span)
                };
                Some(rows_of(at.table, aggregate))
            }
            // Signups are counted by their date.
            None if !mention.counted || !self.question.grains.is_empty() => Some(Formula::Rows {
                table: at.table,
                aggregate: Aggregate::Count,
                conditions: vec![Condition::Not(Box::new(Condition::Missing(Attribute::own(at.column))))],
                time: Some(Attribute::own(at.column)),
            }),
            _ => None,
        }
    }

    /// What spans of time are told in.
    fn unit(&self) -> Unit {
        let lengths = self.question.grains.iter().filter(|grain| !grain.sure);
        lengths
            .filter_map(|grain| grain.grain.ok())
            .map(|grain| match grain {
                Grain::Hour => Unit::Hour,
                Grain::Day => Unit::Day,
                Grain::Week => Unit::Week,
                Grain::Month | Grain::Quarter => Unit::Month,
                Grain::Year => Unit::Year,
            })
            .next()
            .unwrap_or(Unit::Day)
    }

    /// What the rows of an event come to.
    fn main_amount(&self, table: usize) -> Option<Formula> {
        let metrics = self.context.model.metrics.iter();
        let sums = metrics.filter(|metric| {
            metric.dataset == table
                && matches!(&metric.formula, Formula::Rows { aggregate: Aggregate::Sum(_), .. })
        });
        sums.max_by_key(|metric| money(&metric.name)).map(|metric| metric.formula.clone())
    }

    fn name_of(&self, sense: &Sense) -> String {
        let schema = &self.context.snapshot.schema;
        let name = match &sense.meaning {
            Meaning::Dataset(table) => &schema.tables[*table].name,
            Meaning::Field(at) | Meaning::Value(at, _) => &schema.column(*at).name,
            Meaning::Metric(at) => &self.context.model.metrics[*at].name,
            Meaning::Filter(at) => &self.context.model.filters[*at].name,
        };
        words::identifier_words(name).join("_")
    }

    // ---- summaries ----

    fn summary(
        &mut self,
        head: Option<(&'a Mention, &'a Sense)>,
        groups: &[(&'a Mention, &'a Sense)],
        measured: &[(&'a Mention, &'a Sense)],
        rank_by: Option<(&'a Mention, &'a Sense)>,
        grains: &[GrainMention],
    ) -> Option<AnalyticQuery> {
        let mut measures: Vec<Measure> = Vec::new();
        let mut hidden = Vec::new();
        let mut having = Vec::new();
        let mut related: Vec<RelatedWanted> = self.related();
        let mut head_counts = false;
        for (mention, sense) in measured {
            let formula = self.formula(mention, sense)?;
            if let Some((comparison, number)) = &mention.compared {
                having.push((measures.len(), *comparison, written(number)?));
            }
            let prefix = if matches!(sense.meaning, Meaning::Dataset(_)) { "number_of_" } else { "" };
            push(&mut measures, format!("{prefix}{}", self.name_of(sense)), formula);
            for gathering in &mention.further {
                let other = Mention { gathering: Some(*gathering), ..(*mention).clone() };
                let formula = self.formula(&other, sense)?;
                push(&mut measures, self.name_of(sense), formula);
            }
        }
        if let Some((mention, sense)) = head
            && mention.counted
        {
            head_counts = true;
            let formula = self.formula(mention, sense)?;
            push(&mut measures, format!("number_of_{}", self.name_of(sense)), formula);
        }
        // `industries with at least 40 customers`: customers are counted.
        if measures.is_empty() && self.having_over_field(head) && !related.is_empty() {
            let counted = related.remove(0);
            having.push((0, counted.how_many.0, counted.how_many.1.to_string()));
            let table = &self.context.snapshot.schema.tables[counted.table].name;
            push(&mut measures, format!("number_of_{table}"), rows_of(counted.table, Aggregate::Count));
            if !self.question.counts_again {
                hidden.push(0);
            }
        }
        let mut rank_at = None;
        if let Some((mention, sense)) = rank_by {
            let formula = self.formula(mention, sense)?;
            rank_at = measures.iter().position(|measure| measure.formula == formula);
            if rank_at.is_none() {
                // `the top 10 by revenue` shows what it ranks by, `which has the most` does not.
                if mention.most && mention.before == Around::Superlative && !self.question.how_many {
                    hidden.push(measures.len());
                }
                rank_at = Some(measures.len());
                push(&mut measures, self.name_of(sense), formula);
            }
        }
        if measures.is_empty() {
            // `shipments by status`: they are counted.
            let (_, sense) = head?;
            let table = self.table_of(sense);
            // `the top diagnoses`: those that most refers to.
            if self.question.rank.is_some()
                && rank_by.is_none()
                && groups.is_empty()
                && grains.is_empty()
                && let Meaning::Dataset(_) = sense.meaning
            {
                let event = self.refers_most(table)?;
                self.guesses += 0.7;
                rank_at = Some(0);
                let name = &self.context.snapshot.schema.tables[event].name;
                push(&mut measures, format!("number_of_{name}"), rows_of(event, Aggregate::Count));
            } else {
            head_counts = true;
            if self.question.rank.is_some() && rank_by.is_none() {
                rank_at = Some(0);
            }
            let formula = match (&sense.meaning, self.question.share) {
                (Meaning::Dataset(_), _) => rows_of(table, Aggregate::Count),
                _ => return None,
            };
            push(&mut measures, format!("number_of_{}", self.name_of(sense)), formula);
            }
        }
        let first = measures.first()?.formula.table()?;
        // Of several that are measured, one decides what a row is.
        let mut dimensions = Vec::new();
        let mut within = Vec::new();
        let tables: Vec<usize> = measures
            .iter()
            .flat_map(|measure| measure.formula.aggregates().into_iter().filter_map(Formula::table))
            .collect();
        let mut head_group = None;
        if let Some((_, sense)) = head
            && !head_counts
        {
            match &sense.meaning {
                Meaning::Dataset(table) if *table == first && rank_by.is_none() && self.question.rank.is_none() => {
                    // `average age of patients`: the head is what is measured.
                }
                Meaning::Dataset(table) if self.of_one_row(first, *table) => return None,
                _ => head_group = Some(sense),
            }
        }
        for (_, sense) in groups {
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
        let mut time_at = None;
        for grain in grains {
            let dimension = self.time_dimension(*grain, &tables)?;
            time_at = Some(dimensions.len());
            dimensions.push(dimension);
        }
        // Two groups with the best of each: the first is what the rank begins anew for.
        if within.is_empty()
            && head_group.is_none()
            && dimensions.len() == 2
            && self.question.rank.is_some_and(|rank| rank.limit.is_some())
        {
            within.push(0);
        }
        // `only those with at least 50 tickets`: as many as are measured in each group.
        if !dimensions.is_empty()
            && let [only] = &related[..]
            && !matches!(only.how_many, (Comparison::AtLeast, 1) | (Comparison::Equal, 0))
        {
            having.push((measures.len(), only.how_many.0, only.how_many.1.to_string()));
            hidden.push(measures.len());
            let counted = rows_of(only.table, Aggregate::Count);
            push(&mut measures, "number".to_owned(), counted);
            related.clear();
        }
        let mut measures = self.compared(measures, related, time_at)?;
        self.derived(&mut measures, time_at, dimensions.len(), &mut hidden)?;
        let rank = match self.question.rank {
            Some(rank) => {
                let at = rank_at.unwrap_or(0);
                Rank {
                    by: vec![(dimensions.len() + at, rank.highest)],
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
        if dimensions.is_empty() && hidden.len() >= measures.len() {
            return None;
        }
        Some(AnalyticQuery::Summary(Summary {
            measures,
            by: dimensions,
            having,
            rank,
            hidden,
            keep_missing: true,
        }))
    }

    /// The table that refers to another with the most rows.
    fn refers_most(&self, table: usize) -> Option<usize> {
        let schema = &self.context.snapshot.schema;
        let referring = schema.foreign_keys.iter().filter(|key| key.to[0].table == table && key.from[0].table != table);
        referring.map(|key| key.from[0].table).max_by_key(|from| schema.tables[*from].rows)
    }

    /// True where a row of the measured table is one of what would be its group.
    fn of_one_row(&self, measured: usize, group: usize) -> bool {
        measured == group && self.context.snapshot.schema.tables[group].primary_key.is_empty()
    }

    fn dimension(&mut self, sense: &Sense, tables: &[usize]) -> Option<Dimension> {
        let model = self.context.model;
        let mut from: Vec<(usize, Grouping)> = Vec::new();
        for &table in tables {
            if from.iter().any(|(known, _)| *known == table) {
                continue;
            }
            let ways = self.context.ways(table);
            let grouping = match &sense.meaning {
                Meaning::Dataset(group) => {
                    let (way, cost) = ways.grouping(*group, &self.context.snapshot.schema, model)?;
                    self.distance += cost;
                    if self.has_key(*group) {
                        Grouping::Entity(way.clone())
                    } else {
                        let column = *model.datasets[*group].display.first()?;
                        Grouping::Value(Scalar::Column(Attribute { way: way.clone(), column }))
                    }
                }
                Meaning::Field(at) => {
                    let (way, cost) = ways.grouping(at.table, &self.context.snapshot.schema, model)?;
                    self.distance += cost;
                    let attribute = Attribute {
                        way: way.clone(),
                        column: at.column,
                    };
                    match model.field(*at).role {
                        FieldRole::Reference => {
                            let key = self.context.snapshot.schema.foreign_keys.iter().position(|key| key.from == [*at])?;
                            Grouping::Entity(way.then(&Way::up(key)))
                        }
                        FieldRole::Name if self.has_key(at.table) && model.datasets[at.table].display.contains(&at.column) => {
                            Grouping::Entity(way.clone())
                        }
                        FieldRole::Time => {
                            // A year is a value of its own; a moment is not.
                            self.guesses += 1.0;
                            Grouping::Value(Scalar::Column(attribute))
                        }
                        _ => Grouping::Value(Scalar::Column(attribute)),
                    }
                }
                _ => return None,
            };
            from.push((table, grouping));
        }
        Some(Dimension { name: None, from })
    }

    fn has_key(&self, table: usize) -> bool {
        !self.context.snapshot.schema.tables[table].primary_key.is_empty()
    }

    fn time_dimension(&mut self, grain: GrainMention, tables: &[usize]) -> Option<Dimension> {
        let named = self.time_field(grain.at);
        let mut from: Vec<(usize, Grouping)> = Vec::new();
        for &table in tables {
            if from.iter().any(|(known, _)| *known == table) {
                continue;
            }
            let time = self.time_of(table, named)?;
            let scalar = match grain.grain {
                Ok(grain) => Scalar::Period(time, grain),
                Err(part) => Scalar::Part(time, part),
            };
            from.push((table, Grouping::Value(scalar)));
        }
        let name = match grain.grain {
            Ok(Grain::Hour) => "hour",
            Ok(Grain::Day) => "day",
            Ok(Grain::Week) => "week",
            Ok(Grain::Month) => "month",
            Ok(Grain::Quarter) => "quarter",
            Ok(Grain::Year) => "year",
            Err(part) => match part {
                crate::semantic::Part::Hour => "hour",
                crate::semantic::Part::Weekday => "weekday",
                crate::semantic::Part::DayOfMonth => "day_of_month",
                crate::semantic::Part::Month => "month",
                crate::semantic::Part::Quarter => "quarter",
            },
        };
        Some(Dimension {
            name: Some(name.to_owned()),
            from,
        })
    }

    /// When rows of a table happened: by the column that the question names, or else by their own.
    fn time_of(&mut self, table: usize, named: Option<ColumnRef>) -> Option<Attribute> {
        let ways = self.context.ways(table);
        if let Some(at) = named
            && let Some((way, cost)) = ways.single(at.table)
        {
            self.distance += cost;
            return Some(Attribute {
                way: way.clone(),
                column: at.column,
            });
        }
        let time = self.context.model.main_time(table, &self.context.snapshot.schema)?;
        self.distance += time.way.hops.len() as f32 * 0.5;
        Some(time)
    }

    /// The time that is named nearest to a place of the question.
    fn time_field(&self, at: usize) -> Option<ColumnRef> {
        let pairs = self.question.mentions.iter().zip(&self.cast.parts);
        let times = pairs.filter_map(|(mention, (role, sense))| match &mention.senses[*sense].meaning {
            Meaning::Field(column)
                if matches!(role, Role::Condition | Role::Measure)
                    && mention.gathering.is_none()
                    && mention.compared.is_none()
                    && self.context.model.field(*column).role == FieldRole::Time =>
            {
                Some((mention.at.abs_diff(at), *column))
            }
            _ => None,
        });
        times.min_by_key(|(far, _)| *far).map(|(_, column)| column)
    }

    /// The measures under the conditions of the question: each for itself, where two periods or groups are compared.
    fn compared(
        &mut self,
        measures: Vec<Measure>,
        related: Vec<RelatedWanted>,
        _time_at: Option<usize>,
    ) -> Option<Vec<Measure>> {
        let wanted = self.conditions()?;
        let periods: Vec<(usize, Period)> = self.question.periods.iter().map(|found| (found.at, found.period)).collect();
        let share = self.question.share;
        let split = self.question.versus || self.question.growth;
        let mut found = Vec::new();
        for measure in &measures {
            let mut tables: Vec<usize> = Vec::new();
            for table in measure.formula.aggregates().into_iter().filter_map(Formula::table) {
                if !tables.contains(&table) {
                    tables.push(table);
                }
            }
            let mut whole = measure.formula.clone();
            let mut part = measure.formula.clone();
            for &table in &tables {
                // `each plan's share of the active ones` compares groups with each other.
                let groups_first = self.played(Role::Group).any(|(group, _)| share.is_some_and(|(at, _)| group.at < at));
                let of_part = |found: &Wanted| match share {
                    // `of the cancelled ones, what percentage`: what stands before is of both.
                    Some((at, _)) => (found.at > at && !groups_first) || found.end == at,
                    None => false,
                };
                let both: Vec<&Wanted> = wanted.iter().filter(|found| !of_part(found)).collect();
                let own: Vec<&Wanted> = wanted.iter().filter(|found| of_part(found)).collect();
                let mut shared = self.reach(table, &both)?;
                let mut related_to = Vec::new();
                for wanted in &related {
                    related_to.push(self.related_condition(table, wanted, &[])?);
                }
                if share.is_none() {
                    shared.extend(related_to.drain(..));
                }
                if !split && !self.periods_used.get() {
                    for (at, period) in &periods {
                        shared.push(self.during(table, *at, *period)?);
                    }
                }
                let mut of_part = self.reach(table, &own)?;
                of_part.extend(related_to);
                whole = restricted(&whole, table, &shared);
                let mut all = shared;
                all.extend(of_part);
                part = restricted(&part, table, &all);
            }
            if let Some((_, percent)) = share {
                let percent = percent || self.question.percent;
                if part == whole {
                    // Its share of all groups.
                    found.push(Measure {
                        name: "share".to_owned(),
                        formula: Formula::Share(Box::new(whole), Vec::new(), percent),
                    });
                } else {
                    found.push(Measure {
                        name: if percent { "percentage" } else { "share" }.to_owned(),
                        formula: Formula::Ratio(Box::new(part), Box::new(whole), percent),
                    });
                }
                continue;
            }
            if split && periods.len() >= 2 {
                let mut each = Vec::new();
                for (at, period) in &periods {
                    let mut formula = whole.clone();
                    for &table in &tables {
                        let during = self.during(table, *at, *period)?;
                        formula = restricted(&formula, table, &[during]);
                    }
                    each.push((name_of(*period), formula));
                }
                each.sort_by(|one, other| one.0.cmp(&other.0));
                if !self.question.growth || self.question.versus {
                    for (name, formula) in &each {
                        found.push(Measure {
                            name: format!("{}_{name}", measure.name),
                            formula: formula.clone(),
                        });
                    }
                }
                if self.question.growth {
                    let (old, new) = (each[0].1.clone(), each[1].1.clone());
                    let change = Formula::Difference(Box::new(new), Box::new(old.clone()));
                    let formula = if self.question.versus && !self.question.percent {
                        change
                    } else {
                        Formula::Ratio(Box::new(change), Box::new(old), true)
                    };
                    found.push(Measure {
                        name: "growth".to_owned(),
                        formula,
                    });
                }
                continue;
            }
            if split {
                return None;
            }
            found.push(Measure {
                name: measure.name.clone(),
                formula: whole,
            });
        }
        Some(found)
    }

    /// Running totals and changes along the time.
    fn derived(&mut self, measures: &mut [Measure], time_at: Option<usize>, _dimensions: usize, _hidden: &mut [usize]) -> Option<()> {
        if self.question.running {
            let along = time_at?;
            for measure in measures.iter_mut() {
                measure.formula = Formula::Running(Box::new(measure.formula.clone()), along);
            }
        }
        if self.question.growth
            && self.question.periods.len() < 2
            && let Some(along) = time_at
        {
            for measure in measures.iter_mut() {
                measure.formula = Formula::Growth(Box::new(measure.formula.clone()), along, 1, Change::Percent);
            }
        }
        Some(())
    }

    // ---- conditions ----

    fn related(&self) -> Vec<RelatedWanted> {
        self.played(Role::Related)
            .filter_map(|(mention, sense)| {
                let Meaning::Dataset(table) = sense.meaning else {
                    return None;
                };
                let how_many = match (&mention.compared, mention.negated) {
                    (Some((comparison, Number::Written(number))), _) => (*comparison, number.parse().ok()?),
                    (_, true) => (Comparison::Equal, 0),
                    _ => (Comparison::AtLeast, 1),
                };
                Some(RelatedWanted { table, how_many })
            })
            .collect()
    }

    fn conditions(&mut self) -> Option<Vec<Wanted>> {
        let mut found: Vec<Wanted> = Vec::new();
        let mut values: Vec<(ColumnRef, Vec<String>, bool, usize)> = Vec::new();
        for (mention, sense) in self.played(Role::Condition) {
            let table = self.table_of(sense);
            let condition = match &sense.meaning {
                Meaning::Value(at, stored) => {
                    let known = values.iter_mut().find(|(known, _, negated, _)| {
                        known == at && *negated == mention.negated && !self.question.both && !self.question.versus
                    });
                    match known {
                        Some((_, stored_there, _, _)) => stored_there.push(stored.to_string()),
                        None => values.push((*at, vec![stored.to_string()], mention.negated, mention.at)),
                    }
                    continue;
                }
                Meaning::Filter(at) => self.context.model.filters[*at].condition.clone(),
                Meaning::Field(at) => {
                    let attribute = Attribute::own(at.column);
                    match (&mention.compared, self.context.model.field(*at).role) {
                        (Some((comparison, Number::Average)), _) => Condition::ToAll(
                            Scalar::Column(attribute.clone()),
                            *comparison,
                            Box::new(Aggregate::Average(Scalar::Column(attribute))),
                            Vec::new(),
                        ),
                        (Some((comparison, Number::Like(pattern))), _) => {
                            let like = Condition::Like(attribute, pattern.clone());
                            if *comparison == Comparison::NotEqual {
                                Condition::Not(Box::new(like))
                            } else {
                                like
                            }
                        }
                        (Some((comparison, number)), _) => {
                            let operand = match operand(number) {
                                Operand::Number(number) if !self.context.snapshot.schema.column(*at).kind.is_numeric() => {
                                    Operand::Text(number)
                                }
                                other => other,
                            };
                            Condition::Compare(Scalar::Column(attribute), *comparison, operand)
                        }
                        (None, FieldRole::Flag(_)) => {
                            found.push(Wanted {
                                table,
                                condition: Condition::Flag(attribute, !mention.negated),
                                negated: false,
                                at: mention.at,
                                end: mention.end,
                                alternative: mention.alternative,
                            });
                            continue;
                        }
                        (None, FieldRole::Measure(_)) if mention.after_share => Condition::Compare(
                            Scalar::Column(attribute),
                            Comparison::Greater,
                            Operand::Number("0".to_owned()),
                        ),
                        (None, FieldRole::Time) if !mention.negated => continue,
                        (None, _) if mention.negated => {
                            found.push(Wanted {
                                table,
                                condition: Condition::Missing(attribute),
                                negated: false,
                                at: mention.at,
                                end: mention.end,
                                alternative: mention.alternative,
                            });
                            continue;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            };
            found.push(Wanted {
                table,
                condition,
                negated: mention.negated,
                at: mention.at,
                end: mention.end,
                alternative: mention.alternative,
            });
        }
        found.extend(self.of_head()?);
        for (at, stored, negated, place) in values {
            let column = Scalar::Column(Attribute::own(at.column));
            let numeric = self.context.snapshot.schema.column(at).kind.is_numeric();
            let operand = |text: &String| {
                if numeric {
                    Operand::Number(text.clone())
                } else {
                    Operand::Text(text.clone())
                }
            };
            let condition = match &stored[..] {
                [only] => Condition::Compare(column, Comparison::Equal, operand(only)),
                several => Condition::In(column, several.iter().map(operand).collect()),
            };
            found.push(Wanted {
                table: at.table,
                condition,
                negated,
                at: place,
                end: place + 1,
                alternative: false,
            });
        }
        found.sort_by_key(|found| found.at);
        Some(found)
    }

    /// What is said of the head itself: what it comes to, its number, whether it is still there.
    fn of_head(&mut self) -> Option<Vec<Wanted>> {
        let mut found = Vec::new();
        let head = self.played(Role::Head).next();
        let mut head_table = None;
        if let Some((mention, sense)) = head
            && let Meaning::Dataset(table) = sense.meaning
        {
            head_table = Some(table);
            let key = &self.context.snapshot.schema.tables[table].primary_key;
            let wanted = |condition| Wanted {
                table,
                condition,
                negated: false,
                at: mention.at,
                end: mention.end,
                alternative: false,
            };
            if let Some(number) = &mention.numbered {
                let [column] = key[..] else { return None };
                let operand = operand(number);
                found.push(wanted(Condition::Compare(
                    Scalar::Column(Attribute::own(column)),
                    Comparison::Equal,
                    operand,
                )));
            }
            if let Some((comparison, number)) = &mention.compared
                && !mention.counted
            {
                self.guesses += 0.3;
                let Formula::Rows { aggregate: Aggregate::Sum(scalar), .. } = self.main_amount(table)? else {
                    return None;
                };
                found.push(wanted(Condition::Compare(scalar, *comparison, operand(number))));
            }
        }
        if let Some(current) = self.question.current {
            let mut tables: Vec<usize> = head_table.into_iter().collect();
            let mentioned = self.question.mentions.iter().zip(&self.cast.parts);
            tables.extend(mentioned.filter_map(|(mention, (role, sense))| match mention.senses[*sense].meaning {
                Meaning::Dataset(table) if *role != Role::Ignored => Some(table),
                _ => None,
            }));
            let ending = |table: &usize| self.ended(*table).map(|condition| (*table, condition));
            match tables.iter().find_map(ending) {
                Some((table, condition)) => found.push(Wanted {
                    table,
                    condition,
                    negated: current,
                    at: 0,
                    end: 0,
                    alternative: false,
                }),
                None => self.guesses += 1.0,
            }
        }
        Some(found)
    }

    /// That a row of a table has come to an end.
    fn ended(&self, table: usize) -> Option<Condition> {
        let model = self.context.model;
        let named = |wanted: &[&str]| {
            model
                .filters
                .iter()
                .find(|filter| filter.dataset == table && wanted.contains(&filter.name.as_str()))
        };
        if let Some(active) = named(&["active", "current", "available"]) {
            return Some(Condition::Not(Box::new(active.condition.clone())));
        }
        None
    }

    /// Conditions in words of other tables, as conditions on the rows of one.
    fn reach(&mut self, table: usize, wanted: &[&Wanted]) -> Option<Vec<Condition>> {
        let mut found = Vec::new();
        let mut far: Vec<(Way, Vec<Condition>, bool)> = Vec::new();
        for wanted in wanted {
            let ways = self.context.ways(table);
            let nearest = ways.single(wanted.table).or_else(|| ways.nearest(wanted.table));
            let (way, cost) = nearest?;
            self.distance += cost;
            if way.is_single() {
                let condition = rebased(&wanted.condition, way);
                let condition = if wanted.negated {
                    Condition::Not(Box::new(condition))
                } else {
                    condition
                };
                match found.pop() {
                    Some(last) if wanted.alternative => found.push(Condition::Any(vec![last, condition])),
                    Some(last) => found.extend([last, condition]),
                    None => found.push(condition),
                }
                continue;
            }
            self.distance += 0.5;
            // As conditions on the rows that there may be many of, whatever they belong to.
            let last_down = way.hops.iter().rposition(|hop| !hop.up).unwrap_or_default();
            let (near, rest) = way.hops.split_at(last_down + 1);
            let (near, rest) = (Way { hops: near.to_vec() }, Way { hops: rest.to_vec() });
            let condition = rebased(&wanted.condition, &rest);
            match far.iter_mut().find(|(known, _, negated)| *known == near && *negated == wanted.negated && !self.question.both) {
                Some((_, conditions, _)) => conditions.push(condition),
                None => far.push((near, vec![condition], wanted.negated)),
            }
        }
        // A period is one of what happened, where what is asked for is not what happened.
        let is_thing = self.context.model.datasets[table].role != DatasetRole::Event;
        if is_thing && !far.is_empty() && !self.question.periods.is_empty() && self.question.grains.is_empty() {
            let end = |way: &Way| {
                let last = way.hops.last()?;
                Some(self.context.snapshot.schema.foreign_keys[last.key].from[0].table)
            };
            let named = self.question.periods.iter().any(|period| self.time_field(period.at).is_some());
            let ends: Vec<Option<usize>> = far.iter().map(|(way, ..)| end(way)).collect();
            if !named {
                for ((_, conditions, _), end) in far.iter_mut().zip(ends) {
                    let Some(end) = end else { continue };
                    for period in &self.question.periods {
                        conditions.push(self.during(end, period.at, period.period)?);
                    }
                }
                self.periods_used.set(true);
            }
        }
        for (way, conditions, negated) in far {
            let how_many = if negated { (Comparison::Equal, 0) } else { (Comparison::AtLeast, 1) };
            found.push(Condition::Related {
                way,
                how_many,
                conditions,
            });
        }
        Some(found)
    }

    fn related_condition(&mut self, table: usize, wanted: &RelatedWanted, conditions: &[Condition]) -> Option<Condition> {
        let ways = self.context.ways(table);
        let (way, cost) = ways.nearest(wanted.table)?;
        if way.hops.is_empty() {
            return None;
        }
        self.distance += cost;
        if way.is_single() {
            // One row at most: that it is there, and what holds of it.
            let key = &self.context.snapshot.schema.foreign_keys[way.hops[0].key];
            let mut all: Vec<Condition> = conditions.iter().map(|condition| rebased(condition, way)).collect();
            let missing = Condition::Missing(Attribute::own(key.from[0].column));
            all.insert(0, Condition::Not(Box::new(missing)));
            let there = Condition::All(all);
            return match wanted.how_many {
                (Comparison::Equal, 0) => Some(Condition::Not(Box::new(there))),
                (Comparison::AtLeast, 1) => Some(there),
                _ => None,
            };
        }
        Some(Condition::Related {
            way: way.clone(),
            how_many: wanted.how_many,
            conditions: conditions.to_vec(),
        })
    }

    fn during(&mut self, table: usize, at: usize, period: Period) -> Option<Condition> {
        let named = self.time_field(at);
        let time = self.time_of(table, named)?;
        let (from, to) = period.bounds();
        Some(Condition::During(time, from, to))
    }

    // ---- lists ----

    fn list(
        &mut self,
        head: Option<(&'a Mention, &'a Sense)>,
        groups: &[(&'a Mention, &'a Sense)],
        rank_by: Option<(&'a Mention, &'a Sense)>,
    ) -> Option<AnalyticQuery> {
        let model = self.context.model;
        let shown_fields: Vec<_> = self.played(Role::Shown).collect();
        let persons = if head.is_none() && self.question.who { self.persons() } else { None };
        let subject = match (head, persons) {
            (Some((_, sense)), _) => self.table_of(sense),
            (None, Some(table)) => table,
            (None, None) => self.table_of(shown_fields.first()?.1),
        };
        let ways = self.context.ways(subject);
        let mut shown: Vec<Shown> = Vec::new();
        let mut distinct = self.question.distinct;
        let mut hidden = Vec::new();
        let named_fields = |shown_fields: &[(&Mention, &Sense)]| {
            shown_fields
                .iter()
                .any(|(_, sense)| matches!(sense.meaning, Meaning::Field(at) if at.table == subject))
        };
        match head {
            Some((_, sense)) if matches!(sense.meaning, Meaning::Field(_)) => {
                let Meaning::Field(at) = sense.meaning else { return None };
                distinct |= model.field(at).role != FieldRole::Name;
                shown.push(value(Way::here(), at.column));
            }
            // `email and phone of the contact` shows these; `doctors with their fee` shows who they are too.
            Some((head, _)) => {
                let asks_for_fields = shown_fields
                    .iter()
                    .any(|(mention, sense)| mention.at < head.at && matches!(sense.meaning, Meaning::Field(_)));
                if !(asks_for_fields && named_fields(&shown_fields)) {
                    shown.extend(self.display(subject, &Way::here()));
                    self.tell_event(subject, &mut shown);
                }
            }
            None if persons.is_some() => {
                self.guesses += 0.3;
                shown.extend(self.display(subject, &Way::here()));
            }
            None => {}
        }
        for (mention, sense) in &shown_fields {
            let table = self.table_of(sense);
            if self.names_a_reference(mention, sense, &shown_fields) {
                continue;
            }
            // Whom a key leads to is shown by name.
            if let Meaning::Field(at) = sense.meaning
                && model.field(at).role == FieldRole::Reference
                && let Some(key) = self.context.snapshot.schema.foreign_keys.iter().position(|key| key.from == [at])
            {
                let (way, cost) = ways.single(at.table)?;
                self.distance += cost + 1.0;
                let target = self.context.snapshot.schema.foreign_keys[key].to[0].table;
                for column in self.display(target, &way.then(&Way::up(key))) {
                    push_shown(&mut shown, column);
                }
                continue;
            }
            let (way, cost) = ways.single(table)?;
            self.distance += cost;
            match &sense.meaning {
                Meaning::Field(at) => push_shown(&mut shown, value(way.clone(), at.column)),
                Meaning::Dataset(_) => {
                    if way.hops.is_empty() {
                        return None;
                    }
                    for column in self.display(table, way) {
                        push_shown(&mut shown, column);
                    }
                }
                _ => return None,
            }
        }
        let wanted = self.conditions()?;
        if self.question.when {
            // When: as the condition's time has it, or else that of the rows.
            let of_condition = wanted.iter().filter(|found| found.table == subject).find_map(|found| time_in(&found.condition));
            let column = of_condition.or(model.datasets[subject].time)?;
            push_shown(&mut shown, value(Way::here(), column));
        }
        let related = self.related();
        let periods: Vec<(usize, Period)> = self.question.periods.iter().map(|found| (found.at, found.period)).collect();
        if self.question.versus {
            return None;
        }
        let all: Vec<&Wanted> = wanted.iter().collect();
        // What is said of the rows that there must be is said of those.
        let mut conditions = Vec::new();
        if let [only] = &related[..] {
            let there = self.context.ways(only.table);
            let (inside, outside): (Vec<&Wanted>, Vec<&Wanted>) = all
                .into_iter()
                .partition(|found| found.table != subject && there.single(found.table).is_some() && ways.single(found.table).is_none());
            let mut inside = self.reach(only.table, &inside)?;
            for (at, period) in &periods {
                inside.push(self.during(only.table, *at, *period)?);
            }
            conditions.push(self.related_condition(subject, only, &inside)?);
            conditions.extend(self.reach(subject, &outside)?);
        } else {
            for wanted in &related {
                conditions.push(self.related_condition(subject, wanted, &[])?);
            }
            conditions.extend(self.reach(subject, &all)?);
            if !self.periods_used.get() {
                for (at, period) in &periods {
                    conditions.push(self.during(subject, *at, *period)?);
                }
            }
        }
        if self.question.counts_again
            && let [only] = &related[..]
        {
            let (way, _) = ways.nearest(only.table)?;
            shown.push(Shown::Figure(Figure {
                way: way.clone(),
                aggregate: Aggregate::Count,
                conditions: Vec::new(),
            }));
        }
        let mut within = Vec::new();
        for (_, sense) in groups {
            let Meaning::Field(at) = sense.meaning else {
                let table = self.table_of(sense);
                let (way, _) = ways.single(table)?;
                within.push(shown.len());
                let column = *model.datasets[table].display.first()?;
                shown.push(value(way.clone(), column));
                continue;
            };
            let (way, _) = ways.single(at.table)?;
            within.push(shown.len());
            shown.push(value(way.clone(), at.column));
        }
        let rank = self.list_rank(subject, rank_by, &mut shown, &mut hidden, within)?;
        if shown.is_empty() {
            return None;
        }
        Some(AnalyticQuery::List(List {
            subject,
            shown,
            conditions,
            distinct,
            rank,
            hidden,
            keep_missing: true,
        }))
    }

    /// `the name of their manager`, `parent company`: the reference shows it already.
    fn names_a_reference(&self, mention: &Mention, sense: &Sense, shown: &[(&Mention, &Sense)]) -> bool {
        let model = self.context.model;
        let Meaning::Field(name) = sense.meaning else { return false };
        model.field(name).role == FieldRole::Name
            && shown.iter().any(|(other, sense)| {
                let beside = other.end == mention.at || other.at <= mention.end + 3 && other.at > mention.at;
                matches!(sense.meaning, Meaning::Field(at) if model.field(at).role == FieldRole::Reference) && beside
            })
    }

    fn list_rank(
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
            let (by, highest) = match rank_by {
                Some((_, sense)) => {
                    let Meaning::Field(at) = sense.meaning else { return None };
                    let (way, cost) = ways.single(at.table)?;
                    self.distance += cost;
                    (value(way.clone(), at.column), rank.highest)
                }
                None => {
                    let (scalar, rising) = self.attribute_of(subject, rank.adjective)?;
                    (Shown::Value(scalar), rising == rank.highest)
                }
            };
            let at = place(shown, by, false);
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
            let Meaning::Field(at) = sense.meaning else { return None };
            let (way, _) = ways.single(at.table)?;
            let at = place(shown, value(way.clone(), at.column), false);
            by.push((at, self.question.order.unwrap_or(false)));
        }
        if by.is_empty()
            && let Some(highest) = self.question.order
        {
            // Newest first, biggest first: by the time of the rows, or by what is compared.
            let compared = self.played(Role::Condition).find_map(|(mention, sense)| match sense.meaning {
                Meaning::Field(at) if mention.compared.is_some() && at.table == subject => Some(at.column),
                _ => None,
            });
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

    /// The attribute of a thing that an adjective compares, and whether it grows with it.
    fn attribute_of(&mut self, table: usize, adjective: Option<usize>) -> Option<(Scalar, bool)> {
        let columns = &self.context.snapshot.schema.tables[table].columns;
        if let Some(adjective) = adjective {
            let adjective = lexicon().adjective(adjective);
            for (attributes, rising) in [(&adjective.rising, true), (&adjective.falling, false)] {
                for wanted in attributes {
                    let stem = words::stem(wanted);
                    let found = columns.iter().position(|column| {
                        words::identifier_words(&column.name).iter().any(|word| words::stem(word) == stem)
                    });
                    if let Some(column) = found {
                        return Some((Scalar::Column(Attribute::own(column)), rising));
                    }
                }
            }
        }
        self.guesses += 1.0;
        let Formula::Rows {
            aggregate: Aggregate::Sum(scalar),
            ..
        } = self.main_amount(table)?
        else {
            return None;
        };
        Some((scalar, true))
    }

    /// Beside its key, what happened says when, and what it came to.
    fn tell_event(&self, table: usize, shown: &mut Vec<Shown>) {
        let dataset = &self.context.model.datasets[table];
        if dataset.role != DatasetRole::Event {
            return;
        }
        let text = dataset.fields.iter().position(|field| matches!(field.role, FieldRole::Name | FieldRole::Text));
        for column in text.into_iter().chain(dataset.time) {
            push_shown(shown, value(Way::here(), column));
        }
        if let Some(Formula::Rows { aggregate: Aggregate::Sum(scalar), .. }) = self.main_amount(table) {
            push_shown(shown, Shown::Value(scalar));
        }
    }

    /// What tells a person which row it is.
    fn display(&self, table: usize, way: &Way) -> Vec<Shown> {
        let dataset = &self.context.model.datasets[table];
        let columns: Vec<usize> = if dataset.display.is_empty() {
            let key = &self.context.snapshot.schema.tables[table].primary_key;
            if key.is_empty() { vec![0] } else { key.clone() }
        } else {
            dataset.display.clone()
        };
        columns.into_iter().map(|column| value(way.clone(), column)).collect()
    }
}

/// The column that says whether something has ended.
fn time_in(condition: &Condition) -> Option<usize> {
    match condition {
        Condition::Missing(at) if at.way.hops.is_empty() => Some(at.column),
        Condition::Not(inner) => time_in(inner),
        _ => None,
    }
}

/// A unit of time, and how many minutes it has.
fn minutes_in(word: &str) -> Option<(&'static str, f64)> {
    Some(match word {
        "min" | "mins" | "minutes" | "minute" => ("min", 1.0),
        "hours" | "hour" | "hrs" | "h" => ("hours", 60.0),
        "sec" | "secs" | "seconds" | "s" => ("seconds", 1.0 / 60.0),
        "days" | "day" => ("days", 1440.0),
        _ => return None,
    })
}

/// A span of time as it is asked for, where the column keeps it in another unit.
fn in_unit(scalar: Scalar, wanted: Option<Grain>, kept: Option<&str>) -> Scalar {
    let wanted = match wanted {
        Some(Grain::Hour) => 60.0,
        Some(Grain::Day) => 1440.0,
        _ => return scalar,
    };
    let Some((_, kept)) = kept.and_then(minutes_in) else {
        return scalar;
    };
    let over: f64 = wanted / kept;
    if (over - 1.0).abs() < 1e-9 || over < 1.0 {
        return scalar;
    }
    Scalar::Over(Box::new(scalar), Box::new(Scalar::Number(format!("{over:.1}"))))
}

fn rows_of(table: usize, aggregate: Aggregate) -> Formula {
    Formula::Rows {
        table,
        aggregate,
        conditions: Vec::new(),
        time: None,
    }
}

fn averaged(formula: &Formula) -> Formula {
    let mut formula = formula.clone();
    if let Formula::Rows { aggregate, .. } = &mut formula
        && let Aggregate::Sum(scalar) = aggregate
    {
        *aggregate = Aggregate::Average(scalar.clone());
    }
    formula
}

fn push(measures: &mut Vec<Measure>, name: String, formula: Formula) {
    let mut unique = name.clone();
    let mut number = 1;
    while measures.iter().any(|known| known.name == unique) {
        number += 1;
        unique = format!("{name}_{number}");
    }
    measures.push(Measure { name: unique, formula });
}

fn push_shown(shown: &mut Vec<Shown>, column: Shown) {
    if !shown.contains(&column) {
        shown.push(column);
    }
}

fn value(way: Way, column: usize) -> Shown {
    Shown::Value(Scalar::Column(Attribute { way, column }))
}

fn operand(number: &Number) -> Operand {
    match number {
        Number::Written(number) => Operand::Number(number.clone()),
        Number::Parameter(number) => Operand::Parameter(*number),
        Number::Text(text) | Number::Like(text) => Operand::Text(text.clone()),
        Number::Average => Operand::Number("0".to_owned()),
    }
}

fn written(number: &Number) -> Option<String> {
    match number {
        Number::Written(number) => Some(number.clone()),
        _ => None,
    }
}

fn name_of(period: Period) -> String {
    let (from, _) = period.bounds();
    from.map_or_else(String::new, |from| from.get(..4).unwrap_or_default().to_owned())
}

/// How likely a name is one of an amount of money.
fn money(name: &str) -> usize {
    let words = words::identifier_words(name);
    ["total", "amount", "revenue", "net", "gross", "price", "paid", "cost", "value"]
        .iter()
        .rev()
        .position(|word| words.iter().any(|own| own == word))
        .map_or(0, |place| place + 1)
}

