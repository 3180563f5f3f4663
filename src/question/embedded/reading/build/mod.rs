//! Parts that are given out become an analytic query, where what they say can be reached.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use jiff::civil::Date;

use super::{
    items::{Meaning, Sense},
    money::money,
    persons::{is_person, works_here},
    question::{GrainMention, Mention, Question},
    roles::{Cast, Role},
    ways::Ways,
};
use crate::question::{
    analytic::AnalyticQuery,
    schema::Snapshot,
    semantic::{Comparison, Grain, Part, SemanticModel},
};

mod absent;
mod against;
mod ahead;
mod apart;
mod beside;
mod cancelled;
mod column_names;
mod columns;
mod compared;
mod conditions;
mod contrast;
mod dimensions;
mod enumerated;
mod exceeds;
mod figures;
mod groups;
mod list;
mod marked;
mod measures;
mod multiplied;
mod of_value;
mod operands;
mod order;
mod peers;
mod ranked;
mod ratios;
mod reach;
mod related;
mod repeated;
mod spans;
mod summary;
mod units;
mod versions;
mod wanted;

use wanted::Wanted;

pub(super) use of_value::referring;
pub(super) use ranked::RankedBy;

/// A query with what it cost to make sense of it.
#[derive(Debug, Clone)]
pub(super) struct Built {
    pub(super) query: AnalyticQuery,
    /// Keys that are gone along, by their costs.
    pub(super) distance: f32,
    /// What had to be assumed without a word that says so.
    pub(super) guesses: f32,
    /// What the first are the first by, where the question does not say.
    pub(super) ranks: Option<RankedBy>,
    /// What is listed is what a value that it names is said of.
    pub(super) of_value: bool,
    /// Rows that there must be come to so much.
    pub(super) of_totals: bool,
    /// Which part of the question a share is of: one choice of several.
    pub(super) of_side: bool,
    /// What was assumed of the rows without a word for it.
    pub(super) assumed: Assumed,
}

/// What may be assumed of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Assumed {
    /// Sums leave out what was cancelled.
    pub(super) leaves_out: bool,
    /// Something happened to what is asked for: products that were sold in May.
    pub(super) happened: bool,
    /// Rows are those that are valid now, of a table that keeps earlier versions and a row for what is unknown.
    pub(super) current: bool,
    /// What decides over the order of a list is shown.
    pub(super) figure: bool,
    /// Periods that are compared stand in rows of their own.
    pub(super) apart: bool,
    /// How many related rows there are is shown, where there must be so many.
    pub(super) counted: bool,
}

impl Assumed {
    const NOTHING: Self = Self {
        leaves_out: false,
        happened: false,
        current: false,
        figure: false,
        apart: false,
        counted: false,
    };
    const COUNTED: Self = Self {
        counted: true,
        ..Self::NOTHING
    };
    const LEAVES_OUT: Self = Self {
        leaves_out: true,
        ..Self::NOTHING
    };
    const HAPPENED: Self = Self {
        happened: true,
        ..Self::NOTHING
    };
    const CURRENT: Self = Self {
        current: true,
        ..Self::NOTHING
    };
    const FIGURE: Self = Self {
        figure: true,
        ..Self::NOTHING
    };
    const APART: Self = Self {
        apart: true,
        ..Self::NOTHING
    };

    /// True where all of it could be assumed.
    fn may(self, possible: Self) -> bool {
        self.leaves_out <= possible.leaves_out
            && self.happened <= possible.happened
            && self.current <= possible.current
            && self.figure <= possible.figure
            && self.apart <= possible.apart
            && self.counted <= possible.counted
    }
}

/// What a query is built over.
pub(super) struct Context<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    /// The day that ages are told of.
    pub(super) today: Date,
    /// Something is bought or sold.
    pub(super) trades: bool,
    /// Measures of money, the likeliest first.
    money: Vec<(usize, f32)>,
    ways: RefCell<HashMap<usize, Rc<Ways>>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        model: &'a SemanticModel,
        (today, trades): (Date, bool),
    ) -> Self {
        let mut money = money(&snapshot.schema, model);
        money.sort_by(|one, other| other.1.total_cmp(&one.1));
        Self {
            snapshot,
            model,
            today,
            trades,
            money,
            ways: RefCell::default(),
        }
    }

    fn ways(&self, table: usize) -> Rc<Ways> {
        let mut known = self.ways.borrow_mut();
        Rc::clone(
            known.entry(table).or_insert_with(|| {
                Rc::new(Ways::from(table, &self.snapshot.schema, self.model, self.trades))
            }),
        )
    }
}

/// The queries that a cast may ask for.
pub(super) fn build(question: &Question, cast: &Cast, context: &Context<'_>) -> Vec<Built> {
    let mut found = Vec::new();
    let mut possible = Assumed::NOTHING;
    for assumed in [
        Assumed::NOTHING,
        Assumed::LEAVES_OUT,
        Assumed::HAPPENED,
        Assumed::CURRENT,
        Assumed::FIGURE,
        Assumed::APART,
        Assumed::COUNTED,
    ] {
        if !assumed.may(possible) {
            continue;
        }
        for choice in 0.. {
            let mut builder = Builder {
                question,
                cast,
                context,
                choice,
                choices: 1,
                ranks: None,
                of_value: false,
                choosing: None,
                reaches: false,
                assumed,
                head_of_list: None,
                possible: Assumed::NOTHING,
                distance: 0.0,
                guesses: 0.0,
                periods_used: std::cell::Cell::new(false),
            };
            let query = builder.query();
            if assumed == Assumed::NOTHING {
                possible.leaves_out |= builder.possible.leaves_out;
                possible.happened |= builder.possible.happened;
                possible.current |= builder.possible.current;
                possible.figure |= builder.possible.figure;
                possible.apart |= builder.possible.apart;
                possible.counted |= builder.possible.counted;
            }
            if assumed.may(builder.possible) {
                found.extend(query.map(|query| Built {
                    query,
                    distance: builder.distance,
                    guesses: builder.guesses,
                    ranks: builder.ranks,
                    of_value: builder.of_value,
                    of_totals: builder.reaches,
                    of_side: builder.question.share.is_some() && choice > 0,
                    assumed,
                }));
            }
            if choice + 1 >= builder.choices {
                break;
            }
        }
    }
    found
}

/// What one question may be read in several ways about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// Rows that must be there: so many, or coming to so much.
    Reach,
    /// Of what a share is one: of all, or of those that the words before the noun tell of.
    Noun,
    /// An amount of lines, or of what they belong to.
    PerEvent,
    /// A share of the amounts of all, or of those that belong to the part.
    Linked,
    /// What is shared out, or how far it is reached.
    Goal,
    /// Which columns differ.
    Differs,
    /// What there is none of.
    Absent,
}

struct Builder<'a> {
    question: &'a Question,
    cast: &'a Cast,
    context: &'a Context<'a>,
    /// Which of several choices is taken, and how many there are.
    choice: usize,
    choices: usize,
    ranks: Option<RankedBy>,
    of_value: bool,
    /// What there are several choices of.
    choosing: Option<Choice>,
    /// Rows that must be there come to so much, rather than being so many.
    reaches: bool,
    assumed: Assumed,
    /// The table whose rows are listed, once that is known.
    head_of_list: Option<usize>,
    /// What could be assumed.
    possible: Assumed,
    distance: f32,
    guesses: f32,
    /// True once the periods hold of rows that something is related to.
    periods_used: std::cell::Cell<bool>,
}

/// Rows that there must be.
#[derive(Debug, Clone, Copy)]
struct RelatedWanted {
    table: usize,
    /// The token that names them, and the one behind it; 0 where none does.
    at: usize,
    end: usize,
    how_many: (Comparison, u64),
    /// And not beyond this: `more than 5 and less than 9 orders`.
    until: Option<(Comparison, u64)>,
    /// It is said of the rows that were named right before it.
    lacked: bool,
}

impl<'a> Builder<'a> {
    fn played(&self, role: Role) -> impl Iterator<Item = (&'a Mention, &'a Sense)> + use<'a> {
        let (question, cast) = (self.question, self.cast);
        let pairs = question.mentions.iter().zip(&cast.parts);
        pairs
            .filter(move |(_, (played, _))| *played == role)
            .map(|(mention, (_, sense))| (mention, &mention.senses[*sense]))
    }

    /// Which of several choices is taken: the first, unless this is what there are choices of.
    fn chosen(&mut self, what: Choice, choices: usize) -> usize {
        if self.choosing.is_none() && self.choices == 1 && choices > 1 {
            (self.choosing, self.choices) = (Some(what), choices);
        }
        if self.choosing == Some(what) {
            self.choice
        } else {
            0
        }
    }

    fn table_of(&self, sense: &Sense) -> usize {
        match &sense.meaning {
            Meaning::Dataset(table) => *table,
            Meaning::Field(at) | Meaning::Value(at, _) | Meaning::Part(at, _) => at.table,
            Meaning::Metric(at) => self.context.model.metrics[*at].dataset,
            Meaning::Filter(at) => self.context.model.filters[*at].dataset,
        }
    }

    /// Persons that something is asked of, where only `who` stands for them.
    fn persons(&mut self) -> Option<usize> {
        let says = [Role::Condition, Role::RankBy, Role::Related, Role::Shown];
        let table = says
            .iter()
            .find_map(|role| self.played(*role).next())
            .map(|(_, sense)| self.table_of(sense));
        // `who left the company`: whoever works for it.
        let Some(table) = table else {
            let schema = &self.context.snapshot.schema;
            let staff = |table: &usize| is_person(schema, *table) && works_here(&schema.tables[*table].name);
            return (0..schema.tables.len())
                .find(staff)
                .filter(|_| self.question.current.is_some());
        };
        let ways = self.context.ways(table);
        let schema = &self.context.snapshot.schema;
        let mut found: Vec<(usize, f32)> = (0..schema.tables.len())
            .filter(|table| is_person(schema, *table))
            .filter_map(|other| {
                let to = ways.single(other).map(|(_, cost)| (other, *cost));
                to.or_else(|| {
                    self.context
                        .ways(other)
                        .single(table)
                        .map(|(_, cost)| (other, *cost))
                })
            })
            .collect();
        found.sort_by(|one, other| one.1.total_cmp(&other.1));
        found.first().map(|(table, _)| *table)
    }

    fn query(&mut self) -> Option<AnalyticQuery> {
        if self.has_period_as_alternative() {
            return None;
        }
        let head = self.played(Role::Head).next();
        let groups: Vec<_> = self.played(Role::Group).collect();
        let measured: Vec<_> = self.played(Role::Measure).collect();
        let rank_by = self.played(Role::RankBy).next();
        let grains: Vec<GrainMention> = self.grains();
        let counted = head.is_some_and(|(mention, _)| mention.counted);
        let share = self.question.share.is_some();
        // A field of what is listed decides over the order of a list.
        let head_table = match head {
            Some((_, sense)) => Some(self.table_of(sense)),
            // `who earns most`: the head is said without a noun.
            None if self.question.who => self.persons(),
            None => None,
        };
        // `the specialty with the highest average salary`: no row has that.
        let of_values = head.is_some_and(|(_, head)| matches!(head.meaning, Meaning::Field(_)));
        let ranks_rows = rank_by.is_some_and(|(mention, sense)| match &sense.meaning {
            Meaning::Field(_) if of_values && mention.gathering.is_some() => false,
            Meaning::Field(at) => {
                head_table.is_some_and(|head| self.context.ways(head).single(at.table).is_some())
            }
            _ => false,
        });
        // `the most expensive product of each category`: the adjective says of what.
        let ranks_rows = ranks_rows
            || rank_by.is_none()
                && measured.is_empty()
                && !counted
                && self.question.rank.is_some_and(|rank| rank.adjective.is_some())
                && head_table.is_some_and(|head| self.compares(head));
        let rank_elsewhere =
            rank_by.is_some() && !ranks_rows || self.question.counts_again && self.question.rank.is_some();
        self.ranks = self.rank_choice(
            head,
            rank_by,
            measured.is_empty() && !counted && !share && grains.is_empty(),
        );
        if self.may_reach(head) {
            self.reaches = self.chosen(Choice::Reach, 2) == 1;
        }
        // `how many women live in Norwich`: only values say what is counted.
        let counts_values = self.question.how_many && head.is_none() && self.question.rank.is_none();
        let is_summary = !measured.is_empty()
            || counts_values
            || self.ranks.is_some()
            || counted
            || share
            || !grains.is_empty()
            || rank_elsewhere
            || !groups.is_empty() && !ranks_rows
            || self.question.growth
            || !self.question.figures.is_empty()
            || self.reaches
            || self.having_over_field(head);
        if is_summary {
            self.summary(head, &groups, &measured, rank_by, &grains)
        } else {
            self.list(head, &groups, rank_by)
        }
    }

    /// By what the first are the first, where nothing says so: the first choice leaves it to what is listed.
    fn rank_choice(
        &mut self,
        head: Option<(&Mention, &Sense)>,
        rank_by: Option<(&Mention, &Sense)>,
        nothing_measured: bool,
    ) -> Option<RankedBy> {
        let open = self.question.rank.is_some_and(|rank| rank.adjective.is_none());
        if !(open && head.is_some() && rank_by.is_none() && nothing_measured) {
            return None;
        }
        self.choices = 4;
        match self.choice {
            0 if self.question.most_often => Some(RankedBy::Rows),
            1 => Some(RankedBy::Rows),
            2 => Some(RankedBy::Money),
            3 => Some(RankedBy::Quantity),
            _ => None,
        }
    }

    /// `industries with at least 40 customers`: what is listed is no table.
    fn having_over_field(&self, head: Option<(&Mention, &Sense)>) -> bool {
        head.is_some_and(|(_, sense)| matches!(sense.meaning, Meaning::Field(_)))
            && self
                .played(Role::Related)
                .any(|(mention, _)| mention.compared.is_some())
    }

    /// Periods that the answer is to have one row for each.
    fn grains(&self) -> Vec<GrainMention> {
        let wanted = |grain: &&GrainMention| grain.sure || grain.asked && self.question.rank.is_some();
        let wanted: Vec<GrainMention> = self.question.grains.iter().filter(wanted).copied().collect();
        // `at which hour of the day? per hour`: what comes again is said twice.
        let again = |grain: &GrainMention| {
            let same = |part: &Part| {
                matches!(
                    (grain.grain, part),
                    (Ok(Grain::Hour), Part::Hour)
                        | (
                            Ok(Grain::Day),
                            Part::Weekday | Part::WeekdayName | Part::DayOfMonth
                        )
                        | (Ok(Grain::Month), Part::Month)
                        | (Ok(Grain::Quarter), Part::Quarter)
                )
            };
            wanted
                .iter()
                .any(|other| other.grain.is_err_and(|part| same(&part)))
        };
        let mut kept: Vec<GrainMention> = Vec::new();
        for grain in &wanted {
            if !again(grain) && !kept.iter().any(|known| known.grain == grain.grain) {
                kept.push(*grain);
            }
        }
        kept
    }
}
