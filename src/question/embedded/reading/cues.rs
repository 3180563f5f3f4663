//! Words that shape an answer.

use super::{super::lexicon::Operator, marked::Marked, question::Due};
use crate::question::semantic::Comparison;

/// What stands for `valid` where a time tells until when something is.
pub(super) const VALID: &str = "#valid";
/// And what stands for `expired` there.
pub(super) const EXPIRED: &str = "#expired";

/// What shapes an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cue {
    HowMany,
    HowMuch,
    HowLong,
    Which,
    Show,
    By,
    Each,
    Of,
    With,
    Who,
    In,
    And,
    Or,
    Both,
    /// In another period too.
    Again,
    /// And nothing else.
    Only,
    /// Something else than what is told.
    Differs,
    /// What no reading here gives.
    NotGiven,
    /// To whom somebody reports, what something belongs to.
    Under,
    /// What each belongs to is shown, which is a row of the same table.
    Superior,
    /// What a turn of phrase has said in a token of its own.
    Marked(Marked),
    /// It stands so to today.
    Due(Due),
    Is,
    Than,
    Order,
    Rank,
    Versus,
    Share,
    Percent,
    Growth,
    /// How far two are apart.
    Difference,
    Running,
    Distinct,
    Not,
    Without,
    Null,
    NotNull,
    Median,
    Aggregate(Gathering),
    /// The highest or the lowest of something; an adjective says of what.
    Superlative {
        highest: bool,
        adjective: Option<usize>,
    },
    /// `oldest first`: an order.
    First {
        highest: bool,
        adjective: Option<usize>,
    },
    Ordinal(u64),
    Compare(Comparison),
    CompareAverage(bool),
    /// It is about how good things are.
    Best(bool),
    /// It is about how much of them is sold.
    Sells(bool),
    OrMore,
    OrLess,
    Between,
    Contains,
    Starts,
    Ends,
    Comma,
    /// What was named before does not count.
    LeftOut,
    /// What has come to an end.
    Former,
    /// What has not.
    Current,
    Alphabetical,
    Ascending,
    Descending,
    Ever,
    /// The figure before it over the one behind it; a hundredfold.
    Divided(bool),
    /// Groups of which there is nothing count too.
    NoneToo,
    /// What was named in the period before it, against the same in the one behind it.
    VersusThan(Comparison),
}

/// How values are made into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gathering {
    Sum,
    Average,
    Highest,
    Lowest,
}

pub(super) fn cue_of(phrase: &str) -> Option<Cue> {
    Some(match phrase {
        "how much" => Cue::HowMuch,
        "how long"
        | "how much time"
        | "how long does it take"
        | "how long did it take"
        | "how long does"
        | "how long do"
        | "how long did"
        | "how long does it take us"
        | "time between"
        | "time from"
        | "time until"
        | "time to"
        | "how much time passes"
        | "how much time passes between"
        | "waiting time"
        | "waiting time from"
        | "how far ahead"
        | "how far in advance" => Cue::HowLong,
        "report to"
        | "reports to"
        | "reporting to"
        | "reports directly to"
        | "report directly to"
        | "belong to"
        | "belongs to"
        | "belonging to"
        | "managed by"
        | "supervised by"
        | "works for"
        | "work for"
        | "working for" => Cue::Under,
        "predict" | "forecast" | "extrapolate" | "standard deviation" | "deviation" | "variance"
        | "correlation" | "percentile" | "quartile" => Cue::NotGiven,
        "and again" | "and again in" => Cue::Again,
        "only" | "only ever" | "exclusively" | "nothing but" => Cue::Only,
        "how often" | "how many times" | "number" | "no of" => Cue::HowMany,
        "which" | "what" => Cue::Which,
        "who" | "whom" => Cue::Who,
        "show" | "list" | "give" | "find" | "show me" | "give me" | "list all" => Cue::Show,
        "by" | "according to" => Cue::By,
        "with" | "and their" | "along with" => Cue::With,
        "in" | "for" | "from" | "at" | "on" | "to" | "among" | "during" => Cue::In,
        "somewhere other than" | "elsewhere" | "somewhere else" | "other than" => Cue::Differs,
        "add up to" | "adds up to" | "adding up to" => Cue::Aggregate(Gathering::Sum),
        "than" | "similar to" | "similar" => Cue::Than,
        "against the rest"
        | "vs the rest"
        | "versus the rest"
        | "compared with the rest"
        | "compared to the rest"
        | "and the rest"
        | "with and without"
        | "against other"
        | "against others"
        | "against all other"
        | "against all others"
        | "against the others"
        | "vs other"
        | "vs others"
        | "versus other"
        | "versus others"
        | "compared with other"
        | "compared to other"
        | "compared with others"
        | "compared to others"
        | "vs without"
        | "versus without"
        | "compared with without"
        | "vs not"
        | "versus not"
        | "compare"
        | "vs"
        | "versus"
        | "against"
        | "compared with"
        | "compared to"
        | "next to"
        | "side by side"
        | "in comparison with" => Cue::Versus,
        "as a share of" | "as share of" | "as a fraction of" | "as a proportion of" | "as a part of"
        | "share of" | "share" | "what share of" | "proportion of" | "fraction of" | "fraction" | "rate"
        | "rate of" | "proportion" | "ratio of" | "what part of" | "what portion of" | "portion of"
        | "what fraction of" | "what proportion of" => Cue::Share,
        "as a percentage of" | "as percentage of" | "as a percent of" | "as percent of" | "percentage of"
        | "percentage" | "percent of" | "percent" | "what percentage of" | "in percent"
        | "what percent of" => Cue::Percent,
        "rank" | "ranked" => Cue::Rank,
        "growth" | "grow" | "grew" | "change" | "increase" => Cue::Growth,
        "running total" | "running total of" | "cumulative" | "cumulated" => Cue::Running,
        "median" | "typical" => Cue::Median,
        "left out" | "excluded" | "not counted" | "ignored" | "not included" | "left aside" | "set aside"
        | "aside" | "disregarded" | "don't count" | "do not count" | "don't matter" | "do not matter"
        | "not counting" | "don't include" => Cue::LeftOut,
        "leaving out"
        | "leave out"
        | "except"
        | "excluding"
        | "ignoring"
        | "ignore"
        | "disregarding"
        | "leaving aside"
        | "without counting"
        | "not including"
        | "with the exception of" => Cue::Not,
        "no longer"
        | "any more"
        | "anymore"
        | "not any more"
        | "have left"
        | "has left"
        | "left us"
        | "who left"
        | "that left"
        | "gone"
        | "ex"
        | "quit"
        | "resigned"
        | "shut down"
        | "closed down"
        | "taken out"
        | "taken off"
        | "dead"
        | "former"
        | "left the company"
        | "have left the company"
        | "has left the company"
        | "not with us any more"
        | "no longer with us"
        | "taken out of service"
        | "out of service"
        | "taken out of the range"
        | "taken off the market"
        | "off the market"
        | "can no longer"
        | "have quit"
        | "has quit"
        | "who quit"
        | "that quit" => Cue::Former,
        "overdue"
        | "past due"
        | "past their due date"
        | "past its due date"
        | "past the due date"
        | "past the deadline"
        | "past their deadline"
        | "due date has passed"
        | "should be done by now"
        | "should be back by now"
        | "should have been back"
        | "should have been back by now"
        | "should have been returned" => Cue::Due(Due::Overdue),
        "expired" | "has expired" | "have expired" | "has run out" | "have run out" | "run out"
        | "ran out" | "lapsed" | "has lapsed" | "have lapsed" | "out of date" => Cue::Due(Due::Expired),
        "upcoming"
        | "coming up"
        | "still coming up"
        | "still to come"
        | "coming days"
        | "coming weeks"
        | "for the coming days"
        | "for the coming weeks"
        | "in the coming days"
        | "in the coming weeks"
        | "in the near future"
        | "in the future" => Cue::Due(Due::Upcoming),
        "still"
        | "still own"
        | "still with us"
        | "still here"
        | "still working for us"
        | "currently"
        | "at the moment"
        | "right now"
        | "now"
        | "current"
        | "in service"
        | "in use"
        | "alive"
        | "not left"
        | "have not left"
        | "has not left" => Cue::Current,
        "highest grossing" | "top grossing" | "best earning" | "best selling" | "best sold"
        | "top selling" | "most sold" | "hottest selling" => Cue::Sells(true),
        "worst selling" | "least sold" | "slowest selling" => Cue::Sells(false),
        "best" => Cue::Best(true),
        "top" | "busiest" | "most active" | "most" | "the most" => Cue::Superlative {
            highest: true,
            adjective: None,
        },
        "least active" | "quietest" | "least busy" => Cue::Superlative {
            highest: false,
            adjective: None,
        },
        "worst" => Cue::Best(false),
        "how much higher" | "how much more" | "how many more" | "how much lower" | "how much less"
        | "how many fewer" | "how much bigger" | "how much larger" | "how much longer"
        | "how much cheaper" | "how far apart" | "difference between" | "difference in" | "difference" => {
            Cue::Difference
        }
        "nor" => Cue::And,
        "second" => Cue::Ordinal(2),
        "third" => Cue::Ordinal(3),
        "newest first" | "latest first" | "most recent first" => Cue::First {
            highest: true,
            adjective: None,
        },
        "oldest first" | "earliest first" | "soonest first" | "next one first" | "next first"
        | "nearest first" => Cue::First {
            highest: false,
            adjective: None,
        },
        "biggest first" | "largest first" | "highest first" | "most first" | "best first" => Cue::Descending,
        "smallest first" | "lowest first" | "fewest first" => Cue::Ascending,
        "ever" | "so far" | "of all time" | "also none" => Cue::Ever,
        "divided by" => Cue::Divided(false),
        "hundredfold by" => Cue::Divided(true),
        "even none" => Cue::NoneToo,
        "versus above" => Cue::VersusThan(Comparison::Greater),
        "versus below" => Cue::VersusThan(Comparison::Less),
        "nobody" | "no one" | "nothing" | "neither" | "without" | "never" | "without any"
        | "without a single" => Cue::Without,
        VALID => Cue::Due(Due::Valid),
        EXPIRED => Cue::Due(Due::Expired),
        marked => return super::marked::cue_of(marked),
    })
}

pub(super) fn of_operator(operator: Operator) -> Cue {
    let superlative = |highest| Cue::Superlative {
        highest,
        adjective: None,
    };
    match operator {
        Operator::Count => Cue::HowMany,
        Operator::Average => Cue::Aggregate(Gathering::Average),
        Operator::Sum => Cue::Aggregate(Gathering::Sum),
        Operator::Maximum => Cue::Aggregate(Gathering::Highest),
        Operator::Minimum => Cue::Aggregate(Gathering::Lowest),
        Operator::Highest | Operator::MostCommon => superlative(true),
        Operator::Lowest | Operator::LeastCommon => superlative(false),
        Operator::Greater | Operator::After => Cue::Compare(Comparison::Greater),
        Operator::AtLeast | Operator::Since => Cue::Compare(Comparison::AtLeast),
        Operator::Less | Operator::Before => Cue::Compare(Comparison::Less),
        Operator::AtMost | Operator::Until => Cue::Compare(Comparison::AtMost),
        Operator::Equal => Cue::Compare(Comparison::Equal),
        Operator::OrMore => Cue::OrMore,
        Operator::OrLess => Cue::OrLess,
        Operator::Between => Cue::Between,
        Operator::ThanAverage => Cue::CompareAverage(true),
        Operator::Group => Cue::Each,
        Operator::Order => Cue::Order,
        Operator::Ascending => Cue::Ascending,
        Operator::Alphabetical => Cue::Alphabetical,
        Operator::Descending => Cue::Descending,
        Operator::Distinct => Cue::Distinct,
        Operator::Not => Cue::Not,
        Operator::Without => Cue::Without,
        Operator::Both => Cue::Both,
        Operator::Or | Operator::Either => Cue::Or,
        Operator::And => Cue::And,
        Operator::Contains => Cue::Contains,
        Operator::Starts => Cue::Starts,
        Operator::Ends => Cue::Ends,
        Operator::Boundary => Cue::Who,
        Operator::Is => Cue::Is,
        Operator::Of => Cue::Of,
        Operator::Null => Cue::Null,
        Operator::NotNull => Cue::NotNull,
        Operator::Everything => Cue::NotGiven,
    }
}

/// True for what people did.
pub(in crate::question::embedded) fn is_past(word: &str) -> bool {
    word.ends_with("ed")
        || matches!(
            word,
            "bought"
                | "done"
                | "sold"
                | "paid"
                | "spent"
                | "made"
                | "began"
                | "left"
                | "had"
                | "got"
                | "gave"
                | "given"
                | "sent"
                | "taken"
                | "took"
                | "won"
                | "lost"
                | "held"
                | "written"
                | "wrote"
                | "put"
        )
}
