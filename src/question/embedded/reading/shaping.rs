//! What words that shape an answer say of what stands beside them.

use super::{
    super::lexicon::lexicon,
    bare::stands_behind,
    cues::Cue,
    items::{Meaning, PartKind, Sense},
    mentions::Reader,
    periods::Temporal,
    question::{Around, Gather, Number, RankWanted, around},
};

use crate::question::{schema::words::is_plural, semantic::Comparison};

/// The first of so many at most.
pub(super) const MOST_FIRST: u64 = 1_000;

impl Reader<'_> {
    pub(super) fn see(&mut self, cue: Around) {
        // The cue that says most stays.
        self.pending.before = Some(self.pending.before.map_or(cue, |known| known.max(cue)));
    }

    pub(super) fn cue(&mut self, cue: Cue, at: usize) {
        let item = &self.items[at];
        let leads = self.tokens[item.span.start].word.as_str();
        let behind = stands_behind(leads);
        if !behind && self.beside(cue, at) {
            self.see(around(cue));
            return;
        }
        self.found.share_beside |= self.is_share_beside(cue, at);
        match cue {
            Cue::HowMany if self.counts_some(at) => self.found.subset = Some(item.span.start),
            Cue::HowMany => {
                // `the most number of flights` asks for no number.
                self.found.how_many |= !self.pending.most;
                self.found.counts += 1;
                let next = self.items.get(at + 1).map(|item| &item.kind);
                // What is counted has no counterpart, unless it says more of a noun.
                let of_noun = matches!(
                    self.items.get(at + 2).map(|item| &item.kind),
                    Some(PartKind::Name(_))
                ) && self.items[at + 1].span.end == self.items[at + 2].span.start;
                self.found.unheard += usize::from(matches!(next, Some(PartKind::Unknown)) && !of_noun);
                // `how many days until`: how long it takes.
                if matches!(next, Some(PartKind::Time(Temporal::Length(_)))) {
                    (self.found.how_long, self.found.how_much) = (true, true);
                } else {
                    self.pending.counted = true;
                }
            }
            Cue::HowMuch => self.found.how_much = true,
            Cue::HowLong => (self.found.how_long, self.found.how_much) = (true, true),
            // `older than Bob`: with what is not known.
            Cue::Than if self.follows_comparative(at) => {}
            // `another drug than the one prescribed`
            Cue::Than if self.is_another() => self.found.differs = true,
            Cue::Than if !self.found.difference => self.found.unheard += 1,
            Cue::Difference => self.found.difference = true,
            Cue::Differs => self.found.differs = true,
            Cue::Aggregate(gathering) => {
                let gathering = Gather::Of(gathering);
                let last = self
                    .found
                    .mentions
                    .last_mut()
                    .filter(|last| last.gathering.is_none());
                match last {
                    // `in total` and `on average` may stand behind what they are about.
                    Some(last) if behind && self.pending.before.is_none() => {
                        last.gathering = Some(gathering);
                        return;
                    }
                    // `total and minimum`: both of the same.
                    _ if self.pending.gathering.is_some() => self.pending.further.push(gathering),
                    _ => self.pending.gathering = Some(gathering),
                }
            }
            Cue::Median => self.pending.gathering = Some(Gather::Median),
            Cue::Distinct => {
                self.found.distinct = true;
                self.pending.gathering = self.pending.gathering.or(Some(Gather::Distinct));
            }
            // `most expensive first`: an order of all of them.
            Cue::Superlative { .. } if leads == "first" && self.is_order_of_all(at) => {
                if let Some(rank) = &mut self.found.rank {
                    rank.limit = None;
                    self.found.order = Some(rank.highest);
                }
            }
            Cue::Superlative { highest, adjective } => {
                // The last order is the latest.
                let of_time =
                    || lexicon().adjective_form(if leads == "last" { "latest" } else { "earliest" });
                let adjective = match leads {
                    "last" | "first" => of_time().map(|(adjective, _)| adjective),
                    _ => adjective,
                };
                let highest = highest || matches!(leads, "last" | "first");
                self.pending.most = true;
                // `the lowest and the highest` are two questions.
                let other = self.found.rank.is_some_and(|rank| rank.highest != highest);
                self.found.unheard += usize::from(other);
                self.found.best |= leads == "top";
                let skip = self.found.rank.map_or(0, |rank| rank.skip);
                let number = self.number_before(at).or_else(|| self.number_behind(at));
                // `ranked by revenue, first five`: only so many of them.
                let few = matches!(
                    leads,
                    "first" | "top" | "best" | "biggest" | "largest" | "highest" | "worst"
                );
                if let (Some(limit), Some(rank)) = (number, self.found.rank.as_mut())
                    && rank.limit.is_none()
                    && few
                {
                    rank.limit = Some(limit);
                    self.see(around(Cue::Rank));
                    return;
                }
                // `the most common reasons`, `the latest orders`: as many as there are, these first.
                let common = self.tokens[item.span.end - 1].word.as_str();
                let several = leads != "least"
                    && matches!(
                        common,
                        "common" | "popular" | "frequent" | "latest" | "newest" | "recent" | "top"
                    )
                    && self.items.get(at + 1).is_some_and(|next| {
                        next.span.start == item.span.end && is_plural(&self.tokens[next.span.end - 1].word)
                    });
                // A number before the noun: `the three customers with the most employees`.
                let earlier = self.found.rank.and_then(|rank| rank.limit);
                self.found.rank = Some(RankWanted {
                    highest,
                    adjective: adjective.or_else(|| self.found.rank.and_then(|rank| rank.adjective)),
                    limit: number.or(earlier).or((!several).then_some(1)),
                    skip,
                });
            }
            Cue::Ordinal(number) => {
                let before_superlative = matches!(
                    self.items.get(at + 1).map(|item| &item.kind),
                    Some(PartKind::Cue(Cue::Superlative { .. }))
                );
                if before_superlative {
                    self.found.rank = Some(RankWanted {
                        highest: true,
                        adjective: None,
                        limit: Some(1),
                        skip: number.saturating_sub(1),
                    });
                } else {
                    self.found.unheard += 1;
                }
            }
            Cue::First { highest, adjective } => {
                self.found.order = Some(highest);
                if adjective.is_some() && self.found.rank.is_none() {
                    self.found.rank = Some(RankWanted {
                        highest,
                        adjective,
                        limit: None,
                        skip: 0,
                    });
                }
            }
            Cue::Descending | Cue::Ascending => {
                self.found.order = Some(cue == Cue::Descending);
                self.found.order_by_amount = self.tokens[item.span.end - 1].word == "first";
            }
            Cue::Alphabetical => (self.found.order, self.found.alphabetical) = (Some(false), true),
            Cue::Rank => {
                self.found.rank = Some(RankWanted {
                    highest: true,
                    adjective: None,
                    limit: None,
                    skip: 0,
                });
            }
            Cue::Not => self.pending.negated = true,
            Cue::Without => (self.pending.negated, self.pending.never) = (true, true),
            Cue::Compare(comparison) => {
                self.settle_number();
                self.pending.compared = Some(comparison);
            }
            Cue::OrMore => self.or_beyond(Comparison::AtLeast, at),
            Cue::OrLess => self.or_beyond(Comparison::AtMost, at),
            Cue::LeftOut => self.leave_out(),
            // `but not any more in 2026`: nothing happened then.
            Cue::Former if self.is_time(at + 1) && (leads == "not" || self.pending.negated) => {
                self.pending.negated = true;
            }
            Cue::Due(due) => {
                self.found.due = Some(due);
                self.found.due_at = item.span.start;
                self.found.due_alternative = std::mem::take(&mut self.pending.alternative);
                // `without overdue bills`: there is none that is so.
                let none = self.pending.never && self.names_things(at + 1);
                // `not overdue`: that is denied, and not what is named next.
                if !none {
                    self.found.due_denied = std::mem::take(&mut self.pending.negated);
                }
            }
            Cue::Former if leads == "no" && self.names_a_state(at + 1) => self.pending.negated = true,
            // `not working here any more`: the one negation is said in two words.
            Cue::Former if leads == "any" || leads == "anymore" => {
                self.pending.negated = false;
                self.found.current = Some(false);
            }
            Cue::Former => self.found.current = Some(std::mem::take(&mut self.pending.negated)),
            Cue::Current => self.found.current = Some(!std::mem::take(&mut self.pending.negated)),
            Cue::Who if leads == "who" && at == 0 => self.found.who = true,
            Cue::Who if leads == "when" => self.found.when = true,
            Cue::Versus => self.found.versus = true,
            Cue::VersusThan(comparison) => {
                (self.found.versus, self.found.than_then) = (true, Some(comparison));
            }
            Cue::Divided(hundredfold) => self.found.divided = Some(hundredfold),
            Cue::NoneToo => self.found.none_too = true,
            Cue::Share | Cue::Percent if leads == "as" => {
                self.found.share_as = true;
                self.found.percent |= cue == Cue::Percent;
                self.found.share = Some((item.span.end - 1, cue == Cue::Percent));
            }
            Cue::Share => {
                self.found.share = Some((item.span.start, false));
                let mut said = self.tokens[item.span.clone()].iter();
                self.found.rate |= said.any(|token| matches!(token.word.as_str(), "rate" | "rates"));
            }
            Cue::Percent => {
                self.found.percent = true;
                let next = self.items.get(at + 1).map(|item| &item.kind);
                let of_something = leads == "%" && matches!(next, Some(PartKind::Cue(Cue::Of)));
                if of_something || leads != "in" && leads != "%" {
                    self.found.share = Some((item.span.start, true));
                } else if let Some(share) = &mut self.found.share {
                    share.1 = true;
                }
            }
            Cue::Growth => self.found.growth = true,
            Cue::Running => self.found.running = true,
            Cue::Both => self.found.both = true,
            Cue::Again => self.found.again = true,
            Cue::Superior => self.found.superior = true,
            Cue::Marked(marked) => self.marked(marked),
            Cue::NotNull => self.is_there(leads != "available"),
            // `nobody works on yet, with customer`: nothing behind the comma is absent.
            Cue::Comma if self.pending.negated && self.pending.never => {
                (self.pending.negated, self.pending.never) = (false, false);
                self.found.never = true;
            }
            Cue::Under => self.pending.under = true,
            Cue::Only => self.found.only = self.found.only.or(Some(item.span.start)),
            Cue::In if leads == "among" => self.found.among = Some(item.span.start),
            Cue::CompareAverage(above) => {
                let comparison = match self.pending.compared.take() {
                    Some(comparison) => comparison,
                    None if above => Comparison::Greater,
                    None => Comparison::Less,
                };
                match self.found.mentions.last_mut() {
                    Some(last) => last.compared = Some((comparison, Number::Average)),
                    None => self.found.unheard += 1,
                }
            }
            Cue::Contains => self.pending.matching = Some("%_%"),
            Cue::Starts => self.pending.matching = Some("_%"),
            Cue::Ends => self.pending.matching = Some("%_"),
            Cue::Or => self.pending.alternative = !self.compares_in_two_words(item.span.start),
            Cue::Best(highest) | Cue::Sells(highest) => {
                self.found.best = true;
                self.found.sells |= matches!(cue, Cue::Sells(_));
                self.cue(
                    Cue::Superlative {
                        highest,
                        adjective: None,
                    },
                    at,
                );
                // `best selling products`: as many as there are, the best first.
                let noun = |at: usize| {
                    let item = self.items.get(at)?;
                    Some(self.tokens[item.span.end - 1].word.as_str())
                };
                let rated = matches!(noun(at + 1), Some("rated" | "reviewed" | "performing" | "paid"));
                let several = noun(at + 1 + usize::from(rated)).is_some_and(is_plural);
                if let Some(rank) = self.found.rank.as_mut().filter(|rank| rank.limit == Some(1))
                    && several
                {
                    rank.limit = None;
                }
                return;
            }
            // `average days between order and delivery` has its two ends from what it measures.
            Cue::Between if self.measures_length(at) => {}
            Cue::Between | Cue::NotGiven => self.found.unheard += 1,
            _ => {}
        }
        self.see(around(cue));
    }

    /// True for the `or` of `at or below`, `on or after`: it is one comparison.
    fn compares_in_two_words(&self, or: usize) -> bool {
        let before = or.checked_sub(1).map(|before| self.tokens[before].word.as_str());
        matches!(before, Some("at" | "in" | "on" | "to" | "equal"))
    }

    /// `cancelled orders left out`: those that are so, not all of them.
    fn leave_out(&mut self) {
        let mentions = &mut self.found.mentions;
        let Some(last) = mentions.len().checked_sub(1) else {
            return;
        };
        let is_state_of = last > 0
            && mentions[last - 1].end == mentions[last].at
            && says_state(&mentions[last - 1].senses)
            && !says_state(&mentions[last].senses);
        mentions[last - usize::from(is_state_of)].negated = true;
    }

    /// True for a share that is asked for beside a number, or a number beside a share: `and what share of them was late`.
    fn is_share_beside(&self, cue: Cue, at: usize) -> bool {
        let asks = match cue {
            Cue::Share | Cue::Percent => !self.found.mentions.is_empty(),
            Cue::HowMany => self.found.share.is_some(),
            _ => false,
        };
        let mut before = self.items[..at].iter().rev();
        let joint = before.find(|item| !matches!(item.kind, PartKind::Cue(Cue::Which | Cue::HowMuch)));
        asks && match joint.map(|item| &item.kind) {
            Some(PartKind::Cue(Cue::And)) => true,
            Some(PartKind::Cue(Cue::Comma)) => self.found.how_many,
            _ => false,
        }
    }

    /// True for `how many of them`, where it is known who they are.
    fn counts_some(&self, at: usize) -> bool {
        let span = &self.items[at].span;
        let mut behind = self.tokens[span.start..].iter().take(span.len() + 2);
        !self.found.mentions.is_empty()
            && self.tokens.get(span.end).is_some_and(|token| token.word == "of")
            && behind
                .next_back()
                .is_some_and(|token| matches!(token.word.as_str(), "them" | "those" | "these" | "which"))
    }

    /// True for a question that tells of something else than something.
    fn is_another(&self) -> bool {
        let another = |word: &str| matches!(word, "another" | "different");
        self.tokens.iter().any(|token| another(&token.word))
    }

    /// True behind an adjective that compares.
    fn follows_comparative(&self, at: usize) -> bool {
        at > 0 && matches!(self.items[at - 1].kind, PartKind::Compared(..))
    }

    /// True for the `first` behind a superlative that no number comes with, and that nothing follows which is the first.
    fn is_order_of_all(&self, at: usize) -> bool {
        let item = &self.items[at];
        let next = self.items.get(at + 1);
        let touches = next.is_some_and(|next| next.span.start == item.span.end);
        let named = next.is_some_and(|next| {
            matches!(
                next.kind,
                PartKind::Name(_) | PartKind::Number(_) | PartKind::Unknown
            )
        });
        let superlative = self.items[..at].iter().rev().take(2).any(|before| {
            let near = before.span.end + 2 >= item.span.start;
            near && matches!(
                before.kind,
                PartKind::Cue(Cue::Superlative { .. } | Cue::First { .. })
            )
        });
        superlative && item.span.len() == 1 && !(touches && named) && self.found.rank.is_some()
    }

    fn is_time(&self, at: usize) -> bool {
        let next = self.items.get(at).map(|item| &item.kind);
        matches!(next, Some(PartKind::Time(Temporal::During(_))))
    }

    /// True where an item names what may be so or not: `active`, `open`.
    fn names_a_state(&self, at: usize) -> bool {
        let Some(PartKind::Name(senses)) = self.items.get(at).map(|item| &item.kind) else {
            return false;
        };
        says_state(senses)
    }

    /// The number right before a cue: `5 best`.
    fn number_before(&mut self, at: usize) -> Option<u64> {
        let before = self.items.get(at.checked_sub(1)?)?;
        let PartKind::Number(number) = &before.kind else {
            return None;
        };
        // `meter 500321 last`: nobody asks for so many.
        let number = number.parse().ok().filter(|number| *number <= MOST_FIRST)?;
        self.pending.number = None;
        Some(number)
    }

    /// The number right behind one: `top 5`.
    fn number_behind(&self, at: usize) -> Option<u64> {
        let PartKind::Number(number) = &self.items.get(at + 1)?.kind else {
            return None;
        };
        number.parse().ok()
    }

    /// `30 or more`, and `30 points or more`, where the number already belongs to what is named between them.
    fn or_beyond(&mut self, comparison: Comparison, at: usize) {
        let start = self.items[at].span.start;
        let last = self.found.mentions.last_mut();
        let numbered = last.filter(|last| last.end == start && last.numbered_before);
        match numbered.and_then(|last| last.compared.as_mut()) {
            Some((is @ Comparison::Equal, _)) if self.pending.number.is_none() => *is = comparison,
            _ => self.pending.compared = Some(comparison),
        }
    }
}

/// True for what may be so or not.
pub(super) fn says_state(senses: &[Sense]) -> bool {
    let state = |sense: &Sense| matches!(sense.meaning, Meaning::Filter(_) | Meaning::Value(..));
    senses.iter().any(state)
}
