//! What is only known at the end of a question: what its mentions stand beside, and what none of them took.

use std::ops::Range;

use super::{
    cues::{Cue, Gathering},
    items::{Item, Meaning, PartKind},
    mentions::Reader,
    money::trades,
    periods::{Period, Temporal},
    question::{Around, Gather, Mention, PeriodMention, around},
    unheard::is_light,
};
use crate::question::{
    embedded::question::{Token, TokenKind},
    lexicon::is_verb,
    semantic::{Grain, Part},
};

/// Words at most that name a time at which something begins or ends.
const END_WORDS: usize = 5;
/// Words at most that tell of what never happened.
const ABSENT_WORDS: usize = 4;

impl Reader<'_> {
    /// True for an unknown word that leaves an answer as it is: `the current people`, and `ordered anything` of what never was.
    fn adds_nothing(&self, at: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let understood = |at: usize| {
            let mut mentions = self.found.mentions.iter();
            mentions.any(|mention| (mention.at..mention.end).contains(&at))
        };
        // `not paid out yet`
        let particle = matches!(word(at), "out" | "up" | "off" | "in" | "over" | "away") && at > 0;
        // `all the offices we sell to`, but not those that we sold.
        let ours = is_verb(word(at)) && !word(at).ends_with("ed") && {
            let own = matches!(word(at.wrapping_sub(1)), "still" | "also" | "currently");
            let we = at.wrapping_sub(1 + usize::from(own));
            word(we) == "we" && !matches!(word(we.wrapping_sub(1)), "do" | "did" | "can" | "have")
        };
        let none = (1..3).any(|back| matches!(word(at.wrapping_sub(back)), "no" | "without"));
        let of_none = || is_verb(word(at)) || matches!(word(at), "ever" | "once" | "anyone" | "anybody");
        is_light(word(at))
            || self.found.never && of_none()
            || self.found.when && matches!(word(at), "date" | "dates") && !none
            || particle && understood(at - 1)
            || ours
    }

    /// True where a length of time is asked for in front of an item.
    pub(super) fn measures_length(&self, at: usize) -> bool {
        let length = |item: &Item| matches!(item.kind, PartKind::Time(Temporal::Length(_)));
        self.found.how_long || self.items[..at].iter().any(length)
    }

    /// Gives out what waits, and looks over the whole.
    pub(super) fn settle(&mut self) {
        self.settle_number();
        self.found.unheard += usize::from(self.pending.compared.is_some());
        let all = |token: &Token| {
            matches!(
                token.word.as_str(),
                "all" | "every" | "each" | "everyone" | "everybody"
            )
        };
        // `suppliers that are trustworthy`: what is said last of something is not said in passing.
        let said = |item: &Item| !matches!(item.kind, PartKind::Unknown | PartKind::Cue(_));
        let end = self
            .items
            .iter()
            .rfind(|item| said(item))
            .map_or(0, |item| item.span.end);
        self.states();
        // `with the date`, `and when`: the time is shown.
        let asks_when = |item: &&Item| {
            let words = &self.tokens[item.span.clone()];
            matches!(item.kind, PartKind::Unknown | PartKind::Cue(_))
                && words
                    .iter()
                    .any(|token| matches!(token.word.as_str(), "when" | "date" | "dates"))
        };
        self.found.when |= self.items.iter().any(|item| asks_when(&item));
        let last = self
            .found
            .unknown
            .iter()
            .any(|at| *at >= end && !self.adds_nothing(*at));
        self.found.unheard += usize::from(last);
        self.shown_beside();
        // `is used most`: by how often.
        let end = self
            .items
            .iter()
            .rposition(|item| !matches!(item.kind, PartKind::Time(_)));
        self.found.most_often = self.pending.most
            && end.is_some_and(|end| {
                let span = &self.items[end].span;
                self.tokens[span.end - 1].word == "most"
            });
        // `has paid us the most`
        if self.pending.most
            && let Some(last) = self.found.mentions.last_mut()
        {
            last.most = true;
        }
        self.found.trades = self.tokens.iter().any(|token| trades(&token.word));
        // `also those without one`: they count as well.
        let also = |token: &Token| {
            matches!(
                token.word.as_str(),
                "also" | "including" | "include" | "even" | "too"
            )
        };
        self.found.every = self.tokens.iter().any(all);
        self.found.also = self.tokens.iter().any(also);
        self.found.counts_again = self.pending.counted;
        // `that did not fly at all`: only a verb says what did not happen.
        let at_all = self
            .tokens
            .windows(2)
            .any(|two| two[0].word == "at" && two[1].word == "all")
            || self.tokens.iter().any(|token| token.word == "anything");
        for mention in self.found.mentions.iter_mut().filter(|mention| mention.negated) {
            mention.never |= at_all;
        }
        let without = self.tokens.iter().position(|token| {
            matches!(
                token.word.as_str(),
                "never"
                    | "nobody"
                    | "noone"
                    | "nothing"
                    | "neither"
                    | "anything"
                    | "not"
                    | "havent"
                    | "hasnt"
            ) || token.word.ends_with("n't")
        });
        if let Some(without) = without {
            let behind = self.tokens[without + 1..].iter().map(|token| token.word.clone());
            self.found.absent = behind.take(ABSENT_WORDS).collect();
            // `sold nothing`: the verb stands before it.
            if matches!(self.tokens[without].word.as_str(), "nothing" | "anything") && without > 0 {
                self.found.absent.push(self.tokens[without - 1].word.clone());
            }
        }
        let no_one = |two: &[Token]| two[0].word == "no" && two[1].word == "one";
        self.found.nobody =
            self.tokens.iter().any(|token| token.word == "nobody") || self.tokens.windows(2).any(no_one);
        self.found.never = self.found.never
            || (self.pending.never || self.pending.negated && at_all)
                && !self.found.also
                && !self.found.versus;
        // `the average order date`: no dates are averaged, and no orders meant.
        let named = |at: usize| {
            self.found
                .mentions
                .iter()
                .any(|mention| (mention.at..mention.end).contains(&at))
        };
        let dates = self
            .tokens
            .iter()
            .enumerate()
            .any(|(at, token)| token.word == "date" && !named(at));
        let averages = |mention: &Mention| {
            matches!(
                mention.gathering,
                Some(Gather::Of(Gathering::Average | Gathering::Sum))
            )
        };
        let averaged = self.found.mentions.iter().any(averages);
        self.found.unheard += usize::from(dates && averaged);
        if self.found.never {
            // `neither florbs nor gizmos`: not a verb says what there is none of, but a thing that is not there.
            let things = self.found.unknown.iter();
            let things = things.filter(|at| !self.adds_nothing(**at));
            self.found.unheard += things.count();
        }
        if self.found.difference && self.found.periods.len() >= 2 {
            (self.found.versus, self.found.growth) = (true, true);
        }
        if self.found.growth && self.found.share.take().is_some() {
            self.found.percent = true;
        }
        if (self.found.growth || self.found.versus) && self.found.periods.len() == 1 {
            self.split_years();
        }
        self.months_of_years();
        self.join_periods();
        if let Some(gathering) = self.pending.gathering.take()
            && let Some(last) = self
                .found
                .mentions
                .iter_mut()
                .rev()
                .find(|mention| mention.gathering.is_none())
        {
            last.gathering = Some(gathering);
        }
        self.listed();
        self.found.both |= self.says_again();
        self.how_long();
        if self.found.how_long {
            self.found.ends = self.ends();
            if self.found.ends == (None, None) {
                self.found.ends.1 = self.end_alone();
                self.found.from_its_begin = self.found.ends.1.is_some();
            }
        }
        let told_in = |token: &Token| matches!(token.word.as_str(), "minutes" | "minute" | "mins");
        self.found.minutes = self.tokens.iter().any(told_in);
        self.one_of_each();
        let count = self.found.mentions.len();
        for at in 0..count {
            let end = self.found.mentions[at].end;
            let next = self.items.iter().find(|item| item.span.start >= end);
            self.found.mentions[at].after = match next.map(|item| (&item.kind, item.span.start == end)) {
                None => Around::Edge,
                Some((PartKind::Cue(cue), _)) => around(*cue),
                Some((PartKind::Name(_), true)) => Around::Adjacent,
                Some((PartKind::Number(_) | PartKind::Parameter(_), _)) => Around::Number,
                Some((PartKind::Time(Temporal::Each(_)), _)) => Around::Each,
                Some((PartKind::Time(_), _)) => Around::In,
                Some(_) => Around::Other,
            };
            let mention = &mut self.found.mentions[at];
            mention.owns_next = mention.after == Around::Adjacent;
            let (start, end) = (mention.at, mention.end);
            mention.near_period = self.items.iter().any(|item| {
                matches!(item.kind, PartKind::Time(Temporal::During(_) | Temporal::Each(_)))
                    && (item.span.start >= end && item.span.start <= end + 1
                        || item.span.end <= start && start <= item.span.end + 1)
            });
        }
    }

    /// `with an open job and a cancelled job`: rows of one sort that are told apart, and must be there both.
    fn says_again(&self) -> bool {
        let mentions = &self.found.mentions;
        let is_table = |mention: &Mention| {
            let first = mention.senses.first().map(|sense| &sense.meaning);
            matches!(first, Some(Meaning::Dataset(_)))
        };
        let told_apart =
            |at: usize| at > 0 && mentions[at - 1].end == mentions[at].at && !mentions[at].negated;
        let word = |at: usize| &self.tokens[mentions[at].end - 1].stem;
        let with = |at: usize| {
            matches!(
                self.items.iter().rfind(|item| {
                    item.span.end <= mentions[at - 1].at && matches!(item.kind, PartKind::Cue(_))
                }),
                Some(Item {
                    kind: PartKind::Cue(Cue::With | Cue::Who | Cue::And | Cue::Compare(_)),
                    ..
                })
            )
        };
        (1..mentions.len()).any(|at| {
            is_table(&mentions[at])
                && told_apart(at)
                && with(at)
                && (at + 1..mentions.len())
                    .any(|other| word(at) == word(other) && told_apart(other) && with(other))
                && mentions[..at - 1].iter().any(is_table)
        })
    }

    /// Who, where and whom beside what is listed, and parts that different ones play.
    fn shown_beside(&mut self) {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let count = self.tokens.len();
        let joins = |at: usize| {
            at > 0
                && (matches!(
                    word(at - 1),
                    "and" | "with" | "plus" | "when" | "of" | "," | ":" | "-" | "together"
                ) || matches!(self.tokens[at - 1].kind, TokenKind::Mark(',' | ':' | ';')))
        };
        let stems = |from: usize| -> Vec<String> {
            let behind = (from..count.min(from + 4)).take_while(|at| !matches!(word(*at), "and" | ","));
            behind.map(|at| self.tokens[at].stem.clone()).collect()
        };
        let mut who = Vec::new();
        for at in 0..count {
            let says = matches!(word(at), "who" | "whoever" | "whom")
                && !matches!(
                    word(at + 1),
                    "have" | "had" | "never" | "did" | "live" | "lives" | "are" | "were" | "do" | "does"
                );
            if says && joins(at) {
                who.push("who".to_owned());
                who.extend(stems(at + 1));
            }
            let in_charge = word(at) == "in" && word(at + 1) == "charge"
                || word(at).starts_with("look") && word(at + 1) == "after"
                || matches!(word(at), "handler" | "boss" | "supervisor") && !self.is_lacking(at);
            if in_charge && at > 0 {
                let parts = [
                    "manag", "mgr", "lead", "head", "respons", "handl", "account", "boss", "superv", "owner",
                    "attend",
                ];
                who.extend(parts.map(str::to_owned));
            }
        }
        let place = (0..count).any(|at| word(at) == "where" && (at == 0 || joins(at)));
        let has = |wanted: &str| (0..count).any(|at| word(at) == wanted);
        let whom = has("whom") && has("who");
        let than =
            |at: usize| (at + 1..count.min(at + 8)).any(|at| matches!(word(at), "than" | "from" | "to"));
        let apart = (0..count).any(|at| {
            matches!(word(at), "different" | "another" | "other") && than(at)
                || matches!(word(at), "somebody" | "someone") && word(at + 1) == "else"
        });
        let same = (0..count).any(|at| {
            word(at) == "same"
                && matches!(
                    word(at + 1),
                    "person" | "people" | "one" | "employee" | "customer"
                )
        });
        let all: Vec<String> = self
            .tokens
            .iter()
            .filter(|token| token.stem.len() >= 3)
            .map(|token| token.stem.clone())
            .collect();
        (self.found.who_too, self.found.where_too, self.found.whom) = (who, place, whom);
        if apart || same {
            self.found.two_parts = Some((apart, all));
        }
        self.found.unheard += usize::from(self.asks_more_behind());
        // `not a single time since`: since the period that was named.
        let ends_so = self.tokens.last().is_some_and(|token| token.word == "since");
        if ends_so
            && self.pending.negated
            && let [first] = self.found.periods[..]
            && let Some(from) = first.period.to
        {
            (self.pending.negated, self.pending.never) = (false, false);
            self.found.periods.push(PeriodMention {
                at: first.at,
                period: Period {
                    from: Some(from),
                    to: None,
                },
                negated: true,
                outside: false,
                or_never: false,
                with_year: true,
            });
        }
    }

    /// True for `without a supervisor`, `have no boss`: nobody is shown.
    fn is_lacking(&self, at: usize) -> bool {
        let before = &self.tokens[at.saturating_sub(2)..at];
        let lacks = |token: &Token| {
            matches!(
                token.word.as_str(),
                "without" | "no" | "any" | "lack" | "lacks" | "lacking" | "than" | "not" | "missing"
            )
        };
        before.iter().any(lacks)
    }

    /// Which tokens name the times between which a length of time lies: `from order to delivery`, `days before the show`.
    fn ends(&self) -> (Option<Range<usize>>, Option<Range<usize>>) {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let count = self.tokens.len();
        let near = |at: usize| Some(at..count.min(at + END_WORDS));
        for at in 0..count {
            let joint = (at + 2..count.min(at + 2 + END_WORDS)).find(|joint| match word(at) {
                "between" => matches!(word(*joint), "and" | "to" | "until"),
                "from" => matches!(word(*joint), "to" | "until" | "till"),
                _ => false,
            });
            if let Some(joint) = joint {
                return (Some(at + 1..joint), near(joint + 1));
            }
        }
        for at in 1..count {
            match word(at) {
                "before" => return (None, near(at + 1)),
                "after" => return (near(at + 1), None),
                _ => {}
            }
        }
        (None, None)
    }

    /// Which tokens name the time until which something takes: `until it is paid`, `how long does it take to pay`, `time to
    /// the first reply`.
    fn end_alone(&self) -> Option<Range<usize>> {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let count = self.tokens.len();
        let near = |at: usize| Some(at..count.min(at + END_WORDS));
        if let Some(at) = (1..count).find(|at| matches!(word(*at), "until" | "till")) {
            return near(at + 1);
        }
        for at in 0..count {
            if !matches!(
                word(at),
                "take" | "takes" | "took" | "need" | "needs" | "needed" | "time"
            ) {
                continue;
            }
            if let Some(to) = (at + 1..count.min(at + 1 + END_WORDS)).find(|to| word(*to) == "to") {
                return near(to + 1);
            }
        }
        None
    }

    /// `at which hour of the day, count by hour`: the hours of the day are told once.
    fn one_of_each(&mut self) {
        let recurs = |part: Part| self.found.grains.iter().any(|grain| grain.grain == Err(part));
        let (hours, months) = (recurs(Part::Hour), recurs(Part::Month));
        self.found.grains.retain(|grain| match grain.grain {
            Ok(Grain::Hour) => !hours,
            Ok(Grain::Month) => !months,
            _ => true,
        });
    }

    /// `on average to close an incident`: how long that takes is averaged over the incidents.
    fn how_long(&mut self) {
        if !self.found.how_long {
            return;
        }
        let is_table = |mention: &Mention| {
            let first = mention.senses.first().map(|sense| &sense.meaning);
            matches!(first, Some(Meaning::Dataset(_)))
        };
        for at in 1..self.found.mentions.len() {
            let (one, other) = (&self.found.mentions[at - 1], &self.found.mentions[at]);
            if !is_table(one) && is_table(other) && other.gathering.is_none() && other.at <= one.end + 2 {
                self.found.mentions[at].gathering = self.found.mentions[at - 1].gathering.take();
            }
        }
    }
}
