//! What a summary is made by: things, values, periods.

use super::{
    super::{
        items::{Meaning, Sense},
        question::{Around, GrainMention, Mention},
        roles::Role,
    },
    Builder,
    list::time_in,
};
use crate::question::{
    analytic::{Dimension, Grouping},
    schema::{ColumnKind, ColumnRef, Format},
    semantic::{Attribute, Condition, DatasetRole, FieldRole, Formula, Grain, Part, Scalar, Way},
};

impl Builder<'_> {
    /// True where a row of the measured table is one of what would be its group.
    pub(super) fn of_one_row(&self, measured: usize, group: usize) -> bool {
        measured == group && !self.has_key(group)
    }

    pub(super) fn dimension(&mut self, sense: &Sense, tables: &[usize]) -> Option<Dimension> {
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
                        Grouping::Value(Scalar::Column(Attribute {
                            way: way.clone(),
                            column,
                        }))
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
                            let key = self
                                .context
                                .snapshot
                                .schema
                                .foreign_keys
                                .iter()
                                .position(|key| key.from == [*at])?;
                            Grouping::Entity(way.then(&Way::up(key)))
                        }
                        FieldRole::Name
                            if self.has_key(at.table)
                                && model.datasets[at.table].display.contains(&at.column) =>
                        {
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

    /// True where groups are things with names of their own, and no codes with what they stand for.
    pub(super) fn by_things(&self, dimensions: &[Dimension]) -> bool {
        let keys = &self.context.snapshot.schema.foreign_keys;
        let is_thing = |way: &Way| {
            way.hops.last().is_some_and(|last| {
                let key = &keys[last.key];
                let end = if last.up {
                    key.to[0].table
                } else {
                    key.from[0].table
                };
                self.context.model.datasets[end].role == DatasetRole::Entity
            })
        };
        let groups = dimensions.iter().flat_map(|dimension| &dimension.from);
        groups
            .map(|(_, grouping)| grouping)
            .any(|grouping| matches!(grouping, Grouping::Entity(way) if is_thing(way)))
    }

    pub(super) fn has_key(&self, table: usize) -> bool {
        !self.context.snapshot.schema.identity(table).is_empty()
    }

    pub(super) fn time_dimension(&mut self, grain: GrainMention, tables: &[usize]) -> Option<Dimension> {
        let named = self.time_field(grain.at);
        let mut from: Vec<(usize, Grouping)> = Vec::new();
        for &table in tables {
            if from.iter().any(|(known, _)| *known == table) {
                continue;
            }
            let time = self.time_of(table, named)?;
            // A day has no hour.
            let by_hour = matches!(grain.grain, Ok(Grain::Hour) | Err(Part::Hour));
            if by_hour && !self.tells_hours(table, &time) {
                return None;
            }
            let several = self.question.versus && self.question.periods.len() > 1 && !self.assumed.apart;
            let scalar = match grain.grain {
                // The quarters of two years stand side by side.
                Ok(Grain::Month) if several => Scalar::Part(time, Part::Month),
                Ok(Grain::Quarter) if several => Scalar::Part(time, Part::Quarter),
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
                Part::Hour => "hour",
                Part::Weekday | Part::WeekdayName => "weekday",
                Part::DayOfMonth => "day_of_month",
                Part::Month => "month",
                Part::Quarter => "quarter",
            },
        };
        Some(Dimension {
            name: Some(name.to_owned()),
            from,
        })
    }

    /// What has no time belongs to no period: `how many left in each year` does not count those who stayed.
    pub(super) fn leave_out_undated(&self, formula: &mut Formula, dimensions: &[Dimension]) {
        let times = dimensions.iter().flat_map(|dimension| &dimension.from);
        let times: Vec<(usize, &Attribute)> = times
            .filter_map(|(table, grouping)| match grouping {
                Grouping::Value(Scalar::Period(time, _) | Scalar::Part(time, _))
                    if time.way.hops.is_empty()
                        && self.may_miss(ColumnRef {
                            table: *table,
                            column: time.column,
                        }) =>
                {
                    Some((*table, time))
                }
                _ => None,
            })
            .collect();
        let Ok(()) = formula.each_aggregate(&mut |aggregate| {
            if let Formula::Rows {
                table, conditions, ..
            } = aggregate
            {
                let own = times.iter().filter(|(of, _)| of == table);
                for (_, time) in own {
                    let dated = Condition::Not(Box::new(Condition::Missing((*time).clone())));
                    if !conditions.contains(&dated) {
                        conditions.push(dated);
                    }
                }
            }
            Ok::<(), std::convert::Infallible>(())
        });
    }

    /// True for times of which the hour is known.
    pub(super) fn tells_hours(&self, table: usize, time: &Attribute) -> bool {
        let at = ColumnRef {
            table: time.way.end(table, &self.context.snapshot.schema),
            column: time.column,
        };
        let of_days = matches!(
            self.context.model.field(at).format,
            Some(
                Format::Date
                    | Format::CompactDate
                    | Format::CompactMonth
                    | Format::YearMonth
                    | Format::Year
                    | Format::DayMonthYear
                    | Format::MonthDayYear
            )
        );
        !of_days && self.context.snapshot.schema.column(at).kind != ColumnKind::Date
    }

    /// When rows of a table happened: by the column that the question names, or else by their own.
    pub(super) fn time_of(&mut self, table: usize, named: Option<ColumnRef>) -> Option<Attribute> {
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
        if let Some(time) = self.time_of_metric(table) {
            return Some(time);
        }
        // `that run out before June`: the period says when that is.
        if let Some(column) = self.due_time(table) {
            return Some(Attribute::own(column));
        }
        if self.ends_in_period(table)
            && let Some(column) = self.end_of(table)
        {
            return Some(Attribute::own(column));
        }
        let time = self
            .context
            .model
            .main_time(table, &self.context.snapshot.schema)?;
        self.distance += time.way.hops.len() as f32 * 0.5;
        Some(time)
    }

    /// When what a metric of the question measures happened, where its definition says so.
    fn time_of_metric(&self, table: usize) -> Option<Attribute> {
        let senses = self.question.mentions.iter().zip(&self.cast.parts);
        let metrics = senses.filter_map(|(mention, (_, sense))| match &mention.senses[*sense].meaning {
            Meaning::Metric(at) => Some(&self.context.model.metrics[*at].formula),
            _ => None,
        });
        let mut times = metrics.flat_map(Formula::aggregates).filter_map(|of| match of {
            Formula::Rows { table: of, time, .. } if *of == table => time.clone(),
            _ => None,
        });
        times.next()
    }

    /// The time until which something takes: the last one that is named.
    pub(super) fn named_end(&self) -> Option<ColumnRef> {
        let in_period = !self.question.periods.is_empty();
        let pairs = self.question.mentions.iter().zip(&self.cast.parts);
        let mut ends = pairs.filter_map(|(mention, (role, sense))| match mention.senses[*sense].meaning {
            Meaning::Field(at)
                if matches!(role, Role::Condition | Role::Measure)
                    && !(mention.near_period && in_period)
                    && self.context.model.field(at).role == FieldRole::Time =>
            {
                Some(at)
            }
            _ => None,
        });
        ends.next_back()
    }

    /// The time that is named nearest to a place of the question.
    pub(super) fn time_field(&self, at: usize) -> Option<ColumnRef> {
        // `orders this year that took more than a week to arrive`: nothing is said of when they arrived.
        let lasting = self
            .played(Role::Head)
            .find(|(head, _)| head.compared_in.is_some());
        self.named_time(at, |mention| lasting.is_none_or(|(head, _)| mention.at < head.at))
    }

    /// The nearest of the times that are named by some mentions.
    pub(super) fn named_time(&self, at: usize, by: impl Fn(&Mention) -> bool) -> Option<ColumnRef> {
        let until = |at: usize| self.question.ends.1.as_ref().is_some_and(|end| end.contains(&at));
        let pairs = self.question.mentions.iter().zip(&self.cast.parts);
        let pairs = pairs.filter(|(mention, _)| by(mention));
        let times = pairs.filter_map(|(mention, (role, sense))| match &mention.senses[*sense].meaning {
            Meaning::Field(column)
                // How long it takes until then is of when it began.
                if (matches!(role, Role::Condition | Role::Measure)
                    // `discharges in the last 30 days` tells when they were, too.
                    || *role == Role::Shown && (mention.near_period || !mention.says_date))
                    && (!self.question.how_long
                        || mention.near_period && !self.question.periods.is_empty() && *role == Role::Condition)
                    && !(self.question.from_its_begin && until(mention.at) && mention.before != Around::Of)
                    && mention.gathering.is_none()
                    && mention.compared.is_none()
                    && self.context.model.field(*column).role == FieldRole::Time =>
            {
                Some((mention.at.abs_diff(at), *column))
            }
            // `shipped in March`: the period is one of when that was.
            Meaning::Filter(filter) if *role == Role::Condition && !mention.negated => {
                let filter = &self.context.model.filters[*filter];
                let column = time_in(&filter.condition)?;
                let happened = matches!(filter.condition, Condition::Not(_));
                happened.then_some((
                    mention.at.abs_diff(at),
                    ColumnRef {
                        table: filter.dataset,
                        column,
                    },
                ))
            }
            _ => None,
        });
        times.min_by_key(|(far, _)| *far).map(|(_, column)| column)
    }
}
