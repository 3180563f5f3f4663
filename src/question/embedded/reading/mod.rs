//! Questions read into analytic queries: words become items, items mentions, mentions play parts, and parts become
//! queries over what tables are about. Every way of reading is a candidate; what speaks for each decides.

use jiff::civil::Date;

use super::{
    LONGEST_QUESTION, behind, framing, left_open,
    question::{Token, TokenKind, tokens},
    spelling, writes,
};
use crate::question::{
    analytic::{self, AnalyticQuery, Shown},
    schema::Snapshot,
    semantic::{Comparison, Condition, FieldRole, Operand, SemanticModel},
};

use coverage::Content;
use items::{Division, Meaning};
use question::{Mention, Number, Question};
use roles::Role;
use seen::{order_by_seen, orders_by_unseen};
use weights::{Sign, Whole};

pub(crate) use anchor::{Day, read};
pub(crate) use associations::words as associated_words;
pub(super) use cues::is_past;
pub(super) use implied::is_birth;
pub(super) use left_out::{leaves_out, passes_over, understands_all};
pub(crate) use moments::is_month;
pub(super) use periods::begins_period;
pub(super) use unheard::{is_light, is_shouted, owns};
pub(crate) use weights::sign_names;
pub(super) use weights::{Said, of_signs};

mod anchor;
mod asked_behind;
mod associations;
mod attributes;
mod bare;
mod bound;
mod build;
mod calendar;
mod called;
mod compounds;
mod coverage;
mod cues;
mod defined;
mod doers;
mod ends;
mod fuller;
mod idle;
mod implied;
mod in_words;
mod items;
mod joined;
mod lacked;
mod left_out;
mod limits;
mod listed;
mod marked;
mod mentions;
mod moments;
mod money;
mod names;
mod namesakes;
mod nouns;
mod numbers;
mod parts;
mod past;
mod per_period;
mod periods;
mod persons;
mod question;
mod ranges;
mod rates;
mod rewording;
mod roles;
mod sameness;
mod sayings;
mod seen;
mod settled;
mod shaping;
mod sizes;
mod speaker;
mod states;
mod tell;
mod timed;
mod times;
mod turns;
mod unheard;
mod values;
mod ways;
mod weights;
mod whole;
mod whole_amounts;

/// Words of a question at most: nobody says so much in one that is read as a whole.
const MOST_TOKENS: usize = 60;
/// Mentions of a question at most: the ways of reading grow with them.
const MOST_MENTIONS: usize = 20;

/// Readings that are looked at more closely: what is right stands among the first, or is not found at all.
const MOST_READINGS: usize = 30;

/// Data that ends more days ago is looked at as it was then.
const STALE: i64 = 45;

/// A word names a time for sure that fits so well.
const SURE_TIME: f32 = 0.6;

/// A reading is no more than so much ahead.
const FAR_AHEAD: f64 = 4.0;

/// A way to read a question.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) sql: String,
    /// What it asks for, in plain words.
    pub(crate) words: String,
    query: AnalyticQuery,
    /// The same rows with what they are ranked by beside them, where whoever asks would ask that next.
    pub(crate) fuller: Option<String>,
    /// The logarithm of the odds that it is the right one of all readings, by its score and theirs.
    pub(super) lead: f64,
    /// How far its score is ahead of the next one's.
    pub(super) ahead: f64,
    /// How many ways to read the question there are.
    pub(super) ways: usize,
    /// How much of it is what people have defined under the very names that the question uses: 1 where all that it measures
    /// is, a half where a condition or a group is.
    pub(super) defined: f64,
    /// Words that say what something must be, and that it does nothing for.
    pub(crate) unmet: Vec<String>,
    /// What its words were taken for, a line each.
    pub(crate) told: Vec<String>,
    /// The higher, the likelier; comparable among the readings of one question.
    pub(super) score: f32,
    /// What speaks for it: places of [`sign_names`], with how much there is of each.
    pub(crate) signs: Vec<(u16, f32)>,
}

impl Reading {
    /// True for a list of rows that are picked by something.
    pub(crate) fn picks_rows(&self) -> bool {
        matches!(&self.query, AnalyticQuery::List(list) if !list.conditions.is_empty())
    }

    /// True for the first of each group by a figure.
    pub(super) fn is_best_of_each(&self) -> bool {
        matches!(&self.query, AnalyticQuery::Summary(summary) if !summary.rank.within.is_empty())
    }

    /// What its query does, for [`associated_words`] to go with.
    pub(crate) fn traits(&self) -> Vec<&'static str> {
        associations::traits(&self.query)
    }

    /// How much there is of something that is said of mentions, whatever parts they play.
    pub(super) fn said(&self, wanted: Said) -> f64 {
        let places = weights::places_of(wanted);
        let found = self
            .signs
            .iter()
            .filter(|(place, _)| places.contains(&usize::from(*place)));
        found.map(|(_, much)| f64::from(*much)).sum()
    }
}

/// Ways to read a question, the likeliest first, each with other SQL.
pub(crate) fn readings(
    question: &str,
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Reading> {
    read(question, today, snapshot, model).1
}

/// Ways to read a question on a day that its periods are counted from.
fn read_on(question: &str, today: Date, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Reading> {
    if question.chars().count() > LONGEST_QUESTION {
        return Vec::new();
    }
    if writes::command(question, today, &snapshot.schema).is_some() {
        return Vec::new();
    }
    let tokens = tokens(
        &turns::in_brackets(&behind::told_on(framing::core(question))),
        today,
    );
    if left_open::left_open(&tokens, &snapshot.schema).is_some() {
        return Vec::new();
    }
    let tokens = speaker::as_the_firm(spelling::corrected(tokens, snapshot));
    let tokens = times::of_time(tokens, today, snapshot, model);
    let tokens = rewording::reworded(&tokens, snapshot, model);
    if tokens.len() > MOST_TOKENS || writes::begins(&tokens, &snapshot.schema).is_some() {
        return Vec::new();
    }
    let mut found: Vec<Reading> = Vec::new();
    for division in items::divisions(&tokens, today, snapshot, model) {
        read_division(&mut found, &division, (&tokens, today), snapshot, model);
    }
    bound::keep_bound(&mut found, &tokens, snapshot, model);
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
    found.truncate(MOST_READINGS);
    weigh_words(&mut found, question, &tokens, snapshot, model);
    if let Some(first) = found.first_mut() {
        first.fuller = fuller::fuller(&first.query, &tokens, (snapshot, model))
            .and_then(|query| analytic::compile(&query, snapshot, model).ok());
    }
    let scores: Vec<f64> = found.iter().map(|reading| f64::from(reading.score)).collect();
    for (reading, own) in found.iter_mut().zip(&scores) {
        let all: f64 = scores.iter().map(|score| (score - own).exp()).sum();
        let share = (1.0 / all).clamp(0.001, 0.999);
        reading.lead = (share / (1.0 - share)).ln();
        reading.ways = scores.len();
        let others = scores.iter().filter(|score| *score < own);
        let next = others.copied().fold(f64::MIN, f64::max);
        reading.ahead = (own - next).min(FAR_AHEAD);
    }
    found
}

/// Puts readings into words, and weighs how far these are the words of the question.
fn weigh_words(
    found: &mut [Reading],
    question: &str,
    tokens: &[Token],
    snapshot: &Snapshot,
    model: &SemanticModel,
) {
    let said: Vec<&str> = tokens.iter().flat_map(|token| token.word.split('_')).collect();
    let asked = Content::of(&said.join(" "));
    for reading in found.iter_mut() {
        reading.words = in_words::words_of(&reading.query, snapshot, model);
    }
    let mut covered: Vec<_> = found
        .iter_mut()
        .map(|reading| {
            let coverage = asked.covered_by(&Content::of(&reading.words));
            (&mut reading.signs, coverage)
        })
        .collect();
    whole::covered(&mut covered);
    let words = associations::words(question);
    for reading in found.iter_mut() {
        reading.score = weights::sum(&reading.signs) + associations::score(&words, &reading.traits());
    }
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
}

/// Adds what a question that is divided so may ask for.
fn read_division(
    found: &mut Vec<Reading>,
    division: &Division,
    (tokens, today): (&[Token], Date),
    snapshot: &Snapshot,
    model: &SemanticModel,
) {
    let mut asked = mentions::question(&division.items, tokens, model);
    happened(&mut asked, tokens, model);
    if asked.mentions.len() > MOST_MENTIONS || is_beyond(&asked, tokens) {
        return;
    }
    let context = build::Context::new(snapshot, model, (today, asked.trades));
    for cast in roles::casts(&asked, snapshot, model) {
        let unfolded = nouns::unfolded(&asked, &cast, (snapshot, model));
        let (asked, cast) = unfolded
            .as_ref()
            .map_or((&asked, &cast), |(asked, cast)| (asked, cast));
        for mut built in build::build(asked, cast, &context) {
            order_by_seen(&mut built.query);
            let Ok(sql) = analytic::compile(&built.query, snapshot, model) else {
                continue;
            };
            if !binds_all(tokens, &sql) || only_echoes(&built.query, tokens) || orders_by_unseen(&built.query)
            {
                continue;
            }
            let mut signs = cast.signs.clone();
            whole::signs(&mut signs, (asked, cast), &built, (snapshot, model));
            whole::divided(&mut signs, division.behind);
            if compares(tokens) && !is_comparison(&sql) {
                whole::leaves_out_comparison(&mut signs);
            }
            let other = asks_for_things(tokens, asked) && !lists_things(&built.query)
                || lists_others(tokens, asked, &built.query);
            if other {
                whole::lists_no_heads(&mut signs);
            }
            let tables = bound::tables_of(&built.query);
            let kept_back = |table: &usize| snapshot.schema.tables[*table].keeps_values_back();
            if !asked.unknown.is_empty() && tables.iter().any(kept_back) {
                weights::add(&mut signs, Sign::Whole(Whole::Unheard), 1.0);
            }
            let score = weights::sum(&signs);
            let known = found.iter().position(|known| known.sql == sql);
            if known.is_some_and(|known| found[known].score >= score) {
                continue;
            }
            let unmet = states::unmet(asked, cast, &built.query);
            let unmet = unmet.map(|at| tokens[at].text.clone()).collect();
            let reading = Reading {
                sql,
                words: String::new(),
                query: built.query,
                fuller: None,
                lead: 0.0,
                ahead: 0.0,
                ways: 0,
                defined: how_defined(asked, cast, model),
                unmet,
                told: tell::told(tokens, asked, cast, snapshot, model),
                score,
                signs,
            };
            match known {
                Some(known) => found[known] = reading,
                None => found.push(reading),
            }
        }
    }
}

/// True for a list of nothing but what is asked to be so: the names of the categories that are called Shoes, or for `what did
/// Ann borrow last` whoever is called Ann.
fn only_echoes(query: &AnalyticQuery, tokens: &[Token]) -> bool {
    let AnalyticQuery::List(list) = query else {
        return false;
    };
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let asks_what = word(0) == "what" && matches!(word(1), "did" | "has" | "have" | "does");
    let shown = match &list.shown[..] {
        [Shown::Value(only)] => only,
        [Shown::Value(first), ..] if asks_what => first,
        _ => return false,
    };
    let told = |condition: &Condition| matches!(condition, Condition::Compare(of, Comparison::Equal, Operand::Text(_)) if of == shown);
    list.conditions.iter().any(told)
}

/// How much of a reading is what people have defined.
fn how_defined(asked: &Question, cast: &roles::Cast, model: &SemanticModel) -> f64 {
    let played = |wanted: &[Role]| -> Vec<bool> {
        let parts = asked.mentions.iter().zip(&cast.parts);
        parts
            .filter(|(_, (role, _))| wanted.contains(role))
            .map(|(mention, (_, sense))| defined::is_defined(&mention.senses[*sense], model))
            .collect()
    };
    let figures = played(&[Role::Measure, Role::RankBy]);
    if !figures.is_empty() && figures.iter().all(|defined| *defined) {
        return 1.0;
    }
    let others = played(&[Role::Condition, Role::Group, Role::Shown]);
    if others.contains(&true) { 0.5 } else { 0.0 }
}

/// True for `customers who …`: the things that a question begins with are what it asks for.
fn asks_for_things(tokens: &[Token], asked: &Question) -> bool {
    asked.mentions.first().is_some_and(|first| {
        let table = |sense: &items::Sense| matches!(sense.meaning, Meaning::Dataset(_));
        let next = tokens.get(first.end).map_or("", |token| token.word.as_str());
        let plain = !first.counted && first.gathering.is_none() && !asked.how_many && asked.share.is_none();
        plain && first.senses.iter().any(table) && matches!(next, "who" | "that" | "whose" | "which")
    })
}

/// True for `rooms inspected in May` where not rooms are listed.
fn lists_others(tokens: &[Token], asked: &Question, query: &AnalyticQuery) -> bool {
    let AnalyticQuery::List(list) = query else {
        return false;
    };
    asked.mentions.first().is_some_and(|first| {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
        let goes_on = matches!(
            word(first.end + 1),
            "in" | "on" | "since" | "during" | "last" | "this" | "by" | "before" | "after"
        );
        let mut tables = first.senses.iter().filter_map(|sense| match sense.meaning {
            Meaning::Dataset(table) if sense.score >= SURE_TIME => Some(table),
            _ => None,
        });
        let asks = first.at <= 2 && cues::is_past(word(first.end)) && goes_on && !first.counted;
        asks && tables.clone().next().is_some() && tables.all(|table| table != list.subject)
    })
}

/// True for a list, and for figures by things.
fn lists_things(query: &AnalyticQuery) -> bool {
    match query {
        AnalyticQuery::List(_) => true,
        AnalyticQuery::Summary(summary) => summary
            .by
            .iter()
            .flat_map(|by| &by.from)
            .any(|(_, grouping)| matches!(grouping, analytic::Grouping::Entity(_))),
    }
}

/// True for a question that compares with something: `more than the average`.
fn compares(tokens: &[Token]) -> bool {
    let compares = |token: &Token| token.word == "than" || matches!(token.kind, TokenKind::Mark('>' | '<'));
    tokens.iter().any(compares)
}

/// True for SQL that compares values.
fn is_comparison(sql: &str) -> bool {
    [" > ", " < ", " >= ", " <= ", " <> ", " = "]
        .iter()
        .any(|sign| sql.contains(sign))
}

/// True where SQL uses every parameter of a question.
fn binds_all(tokens: &[Token], sql: &str) -> bool {
    tokens.iter().all(|token| match &token.kind {
        TokenKind::Parameter(number) => sql.contains(&format!("${number}")),
        _ => true,
    })
}

/// True for what no reading can be right about: so many rows as are only known later, or the same word again and again.
fn is_beyond(asked: &Question, tokens: &[Token]) -> bool {
    let later = asked.mentions.iter().any(|mention| {
        mention.numbered_before && matches!(mention.compared, Some((_, Number::Parameter(_))))
    });
    let word = |mention: &Mention| tokens[mention.at].stem.as_str();
    let again = asked
        .mentions
        .windows(3)
        .any(|three| three.iter().all(|mention| word(mention) == word(&three[0])));
    later || again
}

/// `shipped in March` says when that was, not what the status is now.
fn happened(asked: &mut Question, tokens: &[Token], model: &SemanticModel) {
    // `opened in Q3` does not say that it still is.
    let missing = |sense: &items::Sense| match sense.meaning {
        Meaning::Filter(filter) => matches!(model.filters[filter].condition, Condition::Missing(_)),
        _ => false,
    };
    for mention in &mut asked.mentions {
        if past::tells_a_deed(tokens, mention) {
            past::forget_states(mention, tokens, model);
        }
    }
    asked.mentions.retain_mut(|mention| {
        if mention.near_period && tokens[mention.end - 1].word.ends_with("ed") && !mention.negated {
            mention.senses.retain(|sense| !missing(sense));
        }
        !mention.senses.is_empty()
    });
    // `cancelled this year and how many last year`: what is compared is when that happened.
    let compared = asked.versus || asked.growth || asked.counts > 1;
    if compared && asked.periods.len() > 1 {
        for mention in asked.mentions.iter_mut().filter(|mention| !mention.negated) {
            let times: Vec<usize> = mention
                .senses
                .iter()
                .filter(|sense| sense.score >= SURE_TIME)
                .filter_map(|sense| match sense.meaning {
                    Meaning::Field(at) if model.field(at).role == FieldRole::Time => Some(at.table),
                    _ => None,
                })
                .collect();
            let past = tokens[mention.end - 1].word.ends_with("ed");
            mention.senses.retain(|sense| match &sense.meaning {
                Meaning::Value(at, _) => !past || !times.contains(&at.table),
                _ => true,
            });
        }
    }
    for mention in asked.mentions.iter_mut().filter(|mention| mention.near_period) {
        let tables: Vec<usize> = mention
            .senses
            .iter()
            .filter_map(|sense| match sense.meaning {
                Meaning::Filter(filter) => Some(&model.filters[filter]),
                _ => None,
            })
            .filter(|filter| matches!(filter.condition, Condition::Not(_)))
            .map(|filter| filter.dataset)
            .collect();
        mention.senses.retain(|sense| match &sense.meaning {
            Meaning::Value(at, _) => !tables.contains(&at.table),
            _ => true,
        });
    }
}
