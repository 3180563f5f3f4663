//! A question as mentions of the database and of time, each with what stands around it.

use std::ops::Range;

use super::{
    attributes::is_attribute,
    cues::{Cue, Gathering},
    ends::End,
    items::Sense,
    marked::Marked,
    periods::Period,
};
use crate::question::{
    embedded::lexicon::lexicon,
    semantic::{Comparison, Grain, Part},
};

/// All that a question says.
#[derive(Debug, Clone, Default)]
pub(super) struct Question {
    pub(super) mentions: Vec<Mention>,
    pub(super) periods: Vec<PeriodMention>,
    /// Periods or parts of times that it asks for one by one.
    pub(super) grains: Vec<GrainMention>,
    pub(super) rank: Option<RankWanted>,
    /// Where a share is asked for, and whether in percent.
    pub(super) share: Option<(usize, bool)>,
    pub(super) versus: bool,
    pub(super) growth: bool,
    pub(super) running: bool,
    pub(super) both: bool,
    /// In one period, and in another too: `and again in 2024`.
    pub(super) again: bool,
    /// From here on it says what there is nothing beside: `who only ever ordered`.
    pub(super) only: Option<usize>,
    /// It is a rate: of each group, how many of its own, and never what part of all the group is.
    pub(super) rate: bool,
    /// Beside the share it is told how many there are: `and what share of them`.
    pub(super) share_beside: bool,
    /// From here on it says of what all are, where a share is asked for: `among current staff`.
    pub(super) among: Option<usize>,
    /// Those count as well that lack something: `also those without one`.
    pub(super) also: bool,
    /// It is denied in as many words that something was done, and nothing says that it is still to come: `orders not shipped`.
    pub(super) denies: bool,
    /// Groups of which there is nothing count too: `including those with none`.
    pub(super) none_too: bool,
    /// The first of two figures is divided by the other, and that told for a hundred of them.
    pub(super) divided: Option<bool>,
    /// What it was in one period is more or less than in another.
    pub(super) than_then: Option<Comparison>,
    pub(super) how_many: bool,
    /// All of them are wanted, whatever they lack.
    pub(super) every: bool,
    pub(super) how_much: bool,
    /// How long something takes.
    pub(super) how_long: bool,
    /// Which tokens name the times that lie at its two ends: from when, and until when.
    pub(super) ends: (Option<Range<usize>>, Option<Range<usize>>),
    /// It is counted from when what ends then began: `until it is paid`.
    pub(super) from_its_begin: bool,
    /// It is told in minutes.
    pub(super) minutes: bool,
    /// How often it asks how many.
    pub(super) counts: usize,
    /// How far two are apart.
    pub(super) difference: bool,
    /// Something never happened that no table is named for: `that nobody uses`.
    pub(super) never: bool,
    /// The words that tell of what never happened.
    pub(super) absent: Vec<String>,
    /// Nobody did it.
    pub(super) nobody: bool,
    pub(super) percent: bool,
    /// Values that columns hold are wanted once.
    pub(super) distinct: bool,
    /// An order that no column is named for.
    pub(super) order: Option<bool>,
    /// That order is one by size: `biggest first`.
    pub(super) order_by_amount: bool,
    /// Or one by name.
    pub(super) alphabetical: bool,
    /// Words with content that nothing is known of.
    pub(super) unknown: Vec<usize>,
    /// How many of them look like a name.
    pub(super) unknown_names: usize,
    /// Numbers that belong to nothing.
    pub(super) loose_numbers: usize,
    /// Something is bought or sold.
    pub(super) trades: bool,
    /// First are those of which most is sold.
    pub(super) sells: bool,
    /// First are those with which most happens: nothing else is named that there is most of.
    pub(super) most_often: bool,
    /// First are those that are best.
    pub(super) best: bool,
    /// What is listed has come to an end, or has not.
    pub(super) current: Option<bool>,
    /// `and how many`, of what was compared.
    pub(super) counts_again: bool,
    /// It asks for persons.
    pub(super) who: bool,
    /// `when` something happened.
    pub(super) when: bool,
    /// Whom it was with, beside what is listed: `and who wrote it`; the words that say so.
    pub(super) who_too: Vec<String>,
    /// Where that is, beside what is listed.
    pub(super) where_too: bool,
    /// Who did it to whom.
    pub(super) whom: bool,
    /// What each row belongs to is shown beside it, which is a row of the same table.
    pub(super) superior: bool,
    /// How what is listed stands to today.
    pub(super) due: Option<Due>,
    /// The token that says so.
    pub(super) due_at: usize,
    /// And that it does not stand so.
    pub(super) due_denied: bool,
    /// Or that it does, where what was named before is not so.
    pub(super) due_alternative: bool,
    /// Two parts are played by different ones, or by the same one; the words that say which parts.
    pub(super) two_parts: Option<(bool, Vec<String>)>,
    /// Figures that are asked for without a name of what: `number and total`.
    pub(super) figures: Vec<Bare>,
    /// What each group must come to: `only cities with more than 8 of them`.
    pub(super) having: Option<(Comparison, String)>,
    /// From here on it says which of them are counted once more: `and how many of them were late`.
    pub(super) subset: Option<usize>,
    /// Two columns hold different things: `another drug than prescribed`.
    pub(super) differs: bool,
    /// What a share is asked of stands before it: `card payments as a share of`.
    pub(super) share_as: bool,
    /// Whose average something is compared with: `above the average of their region`.
    pub(super) peers: Vec<Sense>,
    /// What turns of phrase have said in tokens of their own.
    pub(super) marked: Vec<Marked>,
    /// The unit that a figure is told in, `in kilos`: its kind and its size.
    pub(super) told_in: Option<(usize, f64)>,
    /// Words that ask for something that no reading here gives.
    pub(super) unheard: usize,
    /// Words that say what something must be, and mean nothing here.
    pub(super) unmet: Vec<usize>,
    /// Those that may mean something.
    pub(super) states: Vec<usize>,
}

/// A figure of whatever is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    Count,
    Of(Gather),
}

/// Something in the database that the question names.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// Its first token.
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) senses: Vec<Sense>,
    pub(super) before: Around,
    pub(super) after: Around,
    pub(super) gathering: Option<Gather>,
    /// Compared with this.
    pub(super) compared: Option<(Comparison, Number)>,
    /// And with this at its other end: `between 10 and 20`.
    pub(super) until: Option<(Comparison, Number)>,
    /// The number stands before it: so many of them there are.
    pub(super) numbered_before: bool,
    pub(super) negated: bool,
    /// By a word such as `never`: without a table for it, nothing ever happened.
    pub(super) never: bool,
    pub(super) counted: bool,
    pub(super) most: bool,
    /// Another mention follows at once.
    pub(super) owns_next: bool,
    /// It is said by a unit of size: `square metre`.
    pub(super) of_size: bool,
    /// An expression of time stands beside it.
    pub(super) near_period: bool,
    /// Its words say that it is a date: `shipping date`, which `shipped` does not.
    pub(super) says_date: bool,
    /// Its words ask for a key: `manager id`.
    pub(super) says_key: bool,
    /// Its words deny something themselves: `no show`.
    pub(super) says_no: bool,
    /// A number that follows at once: `shipment 1200`.
    pub(super) numbered: Option<Number>,
    /// More ways in which its values are made into one.
    pub(super) further: Vec<Gather>,
    /// What was named before is compared with it: `stock below the reorder level`.
    pub(super) against: Option<Comparison>,
    /// It is compared with what is named next.
    pub(super) against_next: bool,
    /// How many there are is asked for too: `number and average amount`.
    pub(super) count_beside: bool,
    /// What its times are told in: the hours that were watched.
    pub(super) unit: Option<Grain>,
    /// What it is compared in: older than 7 days.
    pub(super) compared_in: Option<Grain>,
    /// Either this holds, or what was named before.
    pub(super) alternative: bool,
    /// Neither this holds nor what was named before: `without unpaid or disputed bills`.
    pub(super) neither: bool,
    /// Its word denies by itself what it names: `unpaid`, or `failed` where something says `passed`.
    pub(super) not_so: bool,
    /// And that is denied once more: `never failed`.
    pub(super) twice: bool,
    /// The end of a way that it stands at: `to Oslo`.
    pub(super) end_of_way: Option<End>,
    /// It is denied of what was named right before it: `bookings without a skipper`.
    pub(super) lacked: bool,
    /// It says of what part a share is asked for.
    pub(super) after_share: bool,
    /// It is what something belongs to, or to whom somebody reports.
    pub(super) under: bool,
    /// It stands in an enumeration of what is to be shown.
    pub(super) listed: bool,
    /// `revenue by customer`: each of them is a group, though `ordered by a customer` is not.
    pub(super) by_each: bool,
    /// It must have a value: `with a phone`.
    pub(super) present: bool,
    /// It says what was done: `brewed`, `preparing`.
    pub(super) deed: bool,
}

impl Mention {
    /// True where what its words name is not so.
    pub(super) fn denied(&self) -> bool {
        self.negated && !self.twice
    }
}

/// How times stand to today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// It had to be done by now, and was not.
    Overdue,
    /// It held until some day that has passed.
    Expired,
    /// It holds until some day that has not passed.
    Valid,
    /// It is still to come.
    Upcoming,
}

/// What something is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    /// What is named is itself what another value of the row is compared with: `below the reorder level`.
    Named,
    Written(String),
    Parameter(usize),
    Text(String),
    /// The average of all.
    Average,
    /// The same of the row of its own table that a row belongs to: what the manager earns.
    Superior,
    /// Text that is part of it, as a pattern.
    Like(String),
}

/// How values are made into one, with the rarer ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gather {
    Of(Gathering),
    Median,
    Distinct,
}

/// A span of time in the question.
#[derive(Debug, Clone, Copy)]
pub(super) struct PeriodMention {
    pub(super) at: usize,
    pub(super) period: Period,
    /// `but not this year`: what happened in another one did not happen then.
    pub(super) negated: bool,
    /// `not in 2025`: what is asked for was at another time.
    pub(super) outside: bool,
    /// `not shipped in 2025`: at another time or not at all.
    pub(super) or_never: bool,
    /// True where it says of which year it is.
    pub(super) with_year: bool,
}

/// Periods that are asked for one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct GrainMention {
    pub(super) at: usize,
    pub(super) grain: Result<Grain, Part>,
    /// True where a word says that it is by each of them.
    pub(super) sure: bool,
    /// True where it is ranked: `which month`.
    pub(super) asked: bool,
}

/// The first or last few of something.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankWanted {
    pub(super) highest: bool,
    pub(super) adjective: Option<usize>,
    /// How many; `None` for all of them in order.
    pub(super) limit: Option<u64>,
    pub(super) skip: u64,
}

impl RankWanted {
    /// Whether the highest come first of what is named beside the adjective: the smallest margins are the lowest, the fastest
    /// times too.
    pub(super) fn highest_of(&self, column: Option<&str>) -> bool {
        let Some(adjective) = self.adjective.map(|adjective| lexicon().adjective(adjective)) else {
            return self.highest;
        };
        let named = |attributes: &[String]| {
            let mut attributes = attributes.iter();
            attributes.any(|wanted| column.is_some_and(|column| is_attribute(column, wanted)))
        };
        let falls = named(&adjective.falling) || adjective.rising.is_empty() && !adjective.falling.is_empty();
        self.highest != (falls && !named(&adjective.rising))
    }
}

/// What stands before or behind a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Around {
    Edge,
    Adjacent,
    Other,
    Comma,
    And,
    In,
    Is,
    Of,
    Show,
    Which,
    Who,
    With,
    Compare,
    Versus,
    Share,
    Without,
    Order,
    By,
    Each,
    Number,
    Aggregate,
    Superlative,
    HowMuch,
    HowMany,
}

impl Around {
    pub(super) const ALL: &'static [Self] = &[
        Self::Edge,
        Self::Adjacent,
        Self::Other,
        Self::Comma,
        Self::And,
        Self::In,
        Self::Is,
        Self::Of,
        Self::Show,
        Self::Which,
        Self::Who,
        Self::With,
        Self::Compare,
        Self::Versus,
        Self::Share,
        Self::Without,
        Self::Order,
        Self::By,
        Self::Each,
        Self::Number,
        Self::Aggregate,
        Self::Superlative,
        Self::HowMuch,
        Self::HowMany,
    ];
}

/// How many there are of them.
pub(super) const AROUNDS: usize = 24;

pub(super) fn around(cue: Cue) -> Around {
    match cue {
        Cue::HowMany => Around::HowMany,
        Cue::HowMuch | Cue::HowLong => Around::HowMuch,
        Cue::Which => Around::Which,
        Cue::Show | Cue::Rank => Around::Show,
        Cue::By => Around::By,
        Cue::Each => Around::Each,
        Cue::Of => Around::Of,
        Cue::With => Around::With,
        Cue::Who => Around::Who,
        Cue::In | Cue::Between => Around::In,
        Cue::And | Cue::Or | Cue::Both | Cue::Again | Cue::Divided(_) => Around::And,
        Cue::Is
        | Cue::Null
        | Cue::NotNull
        | Cue::Ever
        | Cue::Only
        | Cue::Under
        | Cue::Former
        | Cue::Due(_)
        | Cue::Current => Around::Is,
        Cue::Than
        | Cue::Compare(_)
        | Cue::CompareAverage(_)
        | Cue::OrMore
        | Cue::OrLess
        | Cue::Contains
        | Cue::Starts
        | Cue::Ends => Around::Compare,
        Cue::Order | Cue::First { .. } | Cue::Ascending | Cue::Descending | Cue::Alphabetical => {
            Around::Order
        }
        Cue::Versus | Cue::VersusThan(_) => Around::Versus,
        Cue::Share | Cue::Percent | Cue::Growth | Cue::Difference | Cue::Running => Around::Share,
        Cue::Distinct | Cue::Median | Cue::Aggregate(_) | Cue::NotGiven => Around::Aggregate,
        Cue::Not | Cue::Without => Around::Without,
        Cue::Superlative { .. } | Cue::Ordinal(_) | Cue::Best(_) | Cue::Sells(_) => Around::Superlative,
        Cue::Comma | Cue::LeftOut | Cue::NoneToo => Around::Comma,
        Cue::Differs | Cue::Superior | Cue::Marked(_) => Around::Other,
    }
}
