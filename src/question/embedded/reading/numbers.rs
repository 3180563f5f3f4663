//! The numbers of a question, and what they belong to.

use super::{
    super::question::TokenKind,
    cues::{Cue, is_past},
    items::{Meaning, PartKind, Sense},
    joined::is_unit,
    mentions::Reader,
    question::{Around, Mention, Number, RankWanted},
    shaping::MOST_FIRST,
};
use crate::question::semantic::{Comparison, FieldRole};

impl Reader<'_> {
    pub(super) fn follows_number(&self, at: usize) -> bool {
        at > 0
            && matches!(
                self.items[at - 1].kind,
                PartKind::Number(_) | PartKind::Parameter(_)
            )
    }

    pub(super) fn number(&mut self, number: Number, at: usize) {
        let after_superlative =
            at > 0 && matches!(self.items[at - 1].kind, PartKind::Cue(Cue::Superlative { .. }));
        if after_superlative && self.pending.compared.is_none() {
            return;
        }
        // `the best rated 3 titles`
        let beside_superlative = at > 1
            && matches!(self.items[at - 1].kind, PartKind::Name(_))
            && matches!(
                self.items[at - 2].kind,
                PartKind::Cue(Cue::Superlative { .. } | Cue::Best(_))
            )
            && matches!(
                self.items.get(at + 1).map(|item| &item.kind),
                Some(PartKind::Name(_))
            );
        if beside_superlative
            && self.pending.compared.is_none()
            && let (Number::Written(text), Some(rank)) = (&number, &mut self.found.rank)
            && rank.limit == Some(1)
            && let Ok(limit) = text.parse()
        {
            rank.limit = Some(limit);
            return;
        }
        // `the 5 drivers with the lowest`: how many, where a superlative comes later.
        let ranked_later = self.items[at..]
            .iter()
            .any(|item| matches!(item.kind, PartKind::Cue(Cue::Superlative { .. })));
        if let Number::Written(text) = &number
            && let Ok(limit) = text.parse::<u64>()
            && (1..=MOST_FIRST).contains(&limit)
            && self.pending.compared.is_none()
            && ranked_later
            && self.found.rank.is_none()
            && matches!(
                self.items.get(at + 1).map(|item| &item.kind),
                Some(PartKind::Name(_))
            )
        {
            self.found.rank = Some(RankWanted {
                highest: true,
                adjective: None,
                limit: Some(limit),
                skip: 0,
            });
            return;
        }
        // `the three most expensive`: the superlative takes it.
        let superlative = matches!(
            self.items.get(at + 1).map(|item| &item.kind),
            Some(PartKind::Cue(
                Cue::Superlative { .. } | Cue::Best(_) | Cue::Sells(_)
            ))
        );
        // `rank the three cities`
        if let Number::Written(text) = &number
            && let Ok(limit) = text.parse::<u64>()
            && (1..=MOST_FIRST).contains(&limit)
            && self.pending.compared.is_none()
            && at > 0
            && let Some(rank) = self.found.rank.as_mut().filter(|rank| rank.limit.is_none())
            && (matches!(self.items[at - 1].kind, PartKind::Cue(Cue::Rank)) || superlative)
        {
            rank.limit = Some(limit);
            return;
        }
        if superlative && self.pending.compared.is_none() {
            self.settle_number();
            return;
        }
        self.settle_number();
        if self.of_them(at)
            && let Number::Written(number) = &number
            && let Some(comparison) = self.pending.compared.take()
        {
            self.found.having = Some((comparison, number.clone()));
            self.forget_repeated();
            return;
        }
        self.pending.number = Some((number, at));
        // `at least 40 customers` compares what follows; `above 250` and `60 or more` what stood before.
        let next = self.items.get(at + 1).map(|item| &item.kind);
        let touches = self
            .items
            .get(at + 1)
            .is_some_and(|next| next.span.start == self.items[at].span.end);
        // `over $250` compares an amount of what was named, whatever follows.
        let is_money = self.items[at]
            .span
            .start
            .checked_sub(1)
            .is_some_and(|before| matches!(self.tokens[before].kind, TokenKind::Mark('$' | '€' | '£')))
            && !self.names_amount(at + 1);
        // `borrower 11000 expires`: it is the number of what was named.
        let names_last = self.pending.compared.is_none()
            && self.found.mentions.last().is_some_and(|last| {
                let first = last.senses.first().map(|sense| &sense.meaning);
                last.end == self.items[at].span.start && matches!(first, Some(Meaning::Dataset(_)))
            });
        let waits = matches!(
            next,
            Some(PartKind::Name(_) | PartKind::Cue(Cue::OrMore | Cue::OrLess))
        ) && touches
            && !is_money
            && !names_last;
        if !waits {
            self.settle_number();
        }
    }

    /// True for what is told in money: `over €250 revenue`.
    fn names_amount(&self, at: usize) -> bool {
        let Some(PartKind::Name(senses)) = self.items.get(at).map(|item| &item.kind) else {
            return false;
        };
        let is_sum = |sense: &Sense| matches!(sense.meaning, Meaning::Metric(_)) && sense.score >= 0.6;
        senses.iter().any(is_sum)
    }

    /// Gives a number that waits to what was named last.
    pub(super) fn settle_number(&mut self) {
        let Some((number, at)) = self.pending.number.take() else {
            return;
        };
        let comparison = self.pending.compared.take();
        let start = self.items[at].span.start;
        if comparison.is_some()
            && !self.is_size(start)
            && let Some(thing) = self.thing_of_values()
        {
            self.found.mentions[thing].compared = comparison.map(|comparison| (comparison, number));
            return self.see(Around::Number);
        }
        let mut last = self.found.mentions.last_mut();
        if last
            .as_mut()
            .is_some_and(|last| last.is_bounded(comparison, &number))
        {
            return self.see(Around::Number);
        }
        let last = last.filter(|mention| mention.compared.is_none());
        match (last, comparison) {
            (Some(last), Some(comparison)) => {
                // `in the south bigger than 2000 m2`: a stored text has no size.
                let value = |sense: &Sense| matches!(sense.meaning, Meaning::Value(..) | Meaning::Part(..));
                let loose = last.senses.iter().all(value);
                last.compared = Some((comparison, number));
                self.found.loose_numbers += usize::from(loose && self.is_size(start));
            }
            // `bought 2025`, `orders this year`: no row has that number.
            (Some(last), None)
                if last.end == start
                    && !is_past(&self.tokens[start - 1].word)
                    && !self.tokens[start].word.ends_with("year") =>
            {
                let first = last.senses.first().map(|sense| &sense.meaning);
                if let Some(Meaning::Field(at)) = first
                    && tells_apart(self.model.field(*at).role)
                {
                    // `on floor 3`, `not on floor 3`
                    let equals = [Comparison::Equal, Comparison::NotEqual];
                    let comparison = equals[usize::from(std::mem::take(&mut last.negated))];
                    last.compared = Some((comparison, number));
                } else {
                    last.numbered = Some(number);
                }
            }
            _ => self.found.loose_numbers += 1,
        }
        self.see(Around::Number);
    }

    /// True for a number with a unit behind it: `2000 m2`.
    fn is_size(&self, number: usize) -> bool {
        self.tokens
            .get(number + 1)
            .is_some_and(|next| is_unit(&next.word) || next.word.contains(|sign: char| sign.is_ascii_digit()))
    }

    /// `invoices of Anna Berg over 100`: a stored text is not more than that, but what it is said of. Where that was named.
    fn thing_of_values(&self) -> Option<usize> {
        let value = |sense: &Sense| matches!(sense.meaning, Meaning::Value(..) | Meaning::Part(..));
        let is_value = |mention: &Mention| mention.senses.iter().all(value) && mention.compared.is_none();
        let mentions = &self.found.mentions;
        let thing = mentions.iter().rposition(|mention| !is_value(mention))?;
        let named = matches!(
            mentions[thing].senses.first().map(|sense| &sense.meaning),
            Some(Meaning::Dataset(_))
        );
        (named && thing + 1 < mentions.len() && mentions[thing].compared.is_none()).then_some(thing)
    }
}

/// True for a column whose numbers say which one: floors, grades, zones.
fn tells_apart(role: FieldRole) -> bool {
    matches!(
        role,
        FieldRole::Dimension | FieldRole::Code | FieldRole::Identifier | FieldRole::Name
    )
}
