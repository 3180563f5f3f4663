//! Times that a question names: periods, and what they are periods of.

use std::ops::Range;

use super::{
    super::question::{Token, TokenKind},
    cues::Gathering,
    items::PartKind,
    mentions::Reader,
    periods::Temporal,
    question::{Around, Gather, GrainMention, PeriodMention},
};
use crate::question::semantic::Grain;

impl Reader<'_> {
    pub(super) fn time(&mut self, temporal: Temporal, at: usize) {
        let start = self.items[at].span.start;
        match temporal {
            Temporal::During(period) => {
                let word = |back: usize| {
                    let at = start.checked_sub(back);
                    at.map_or("", |at| self.tokens[at].word.as_str())
                };
                let placed = usize::from(matches!(word(1), "in" | "from" | "during" | "of" | "on"));
                let first = self.found.periods.is_empty();
                // `not in 2025`: rows of other times.
                let outside = first && word(1 + placed) == "not" && std::mem::take(&mut self.pending.negated);
                // `not shipped in May`: at another time, or never.
                let or_never = outside && word(3 + placed) == "ever";
                let negated = !first && std::mem::take(&mut self.pending.negated);
                // `gave in 2024 but nothing in 2025`: nothing then.
                self.pending.never &= !negated;
                let with_year = |token: &Token| {
                    matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_))
                        || matches!(&token.kind, TokenKind::Number(number) if number.len() == 4)
                        || matches!(
                            token.word.as_str(),
                            "last" | "this" | "past" | "previous" | "next" | "same"
                        )
                };
                // A birthday comes every year.
                let birthday = |token: &Token| matches!(token.word.as_str(), "birthday" | "birthdays");
                let written = |token: &Token| token.word.len() == 4 && token.word.parse::<u16>().is_ok();
                let said = &self.tokens[self.items[at].span.clone()];
                let every_year = self.tokens.iter().any(birthday) && !said.iter().any(written);
                self.found.periods.push(PeriodMention {
                    at: start,
                    period,
                    negated,
                    outside,
                    or_never,
                    with_year: !every_year && said.iter().any(with_year),
                });
            }
            Temporal::Each(grain) => {
                self.found.grains.push(GrainMention {
                    at: start,
                    grain: Ok(grain),
                    sure: true,
                    asked: false,
                });
            }
            Temporal::Length(grain) => {
                let end = self.items[at].span.end;
                let touches = self
                    .items
                    .get(at + 1)
                    .is_some_and(|next| next.span.start == end && matches!(next.kind, PartKind::Name(_)));
                if touches && !self.follows_number(at) && !matches!(self.pending.before, Some(Around::Each)) {
                    self.pending.unit = Some((grain, end));
                    self.found.grains.push(GrainMention {
                        at: start,
                        grain: Ok(grain),
                        sure: false,
                        asked: false,
                    });
                    return;
                }
                // `downtime hours`, `downtime in hours`
                let told = start - usize::from(start > 0 && self.tokens[start - 1].word == "in");
                if let Some(last) = self.found.mentions.last_mut().filter(|last| last.end == told) {
                    last.unit = Some(grain);
                }
                let before = self.pending.before.take();
                let goes_on = before == Some(Around::And)
                    && self
                        .found
                        .mentions
                        .last()
                        .is_some_and(|last| matches!(last.before, Around::By | Around::Each));
                let sure = goes_on || matches!(before, Some(Around::By | Around::Each));
                let asked = matches!(before, Some(Around::Which | Around::Superlative | Around::Who));
                // `average days from order to delivery`: how long that takes.
                let averaged = matches!(
                    self.pending.gathering,
                    Some(Gather::Of(Gathering::Average) | Gather::Median)
                );
                if averaged && matches!(grain, Grain::Hour | Grain::Day | Grain::Week) {
                    (self.found.how_long, self.found.how_much) = (true, true);
                    if self.pending.gathering == Some(Gather::Of(Gathering::Average)) {
                        self.pending.gathering = None;
                    }
                }
                if self.follows_number(at) {
                    // A number of days: the unit of what is compared.
                    if let Some(last) = self
                        .found
                        .mentions
                        .last_mut()
                        .filter(|last| last.compared.is_some())
                    {
                        last.compared_in = Some(grain);
                    }
                    return;
                }
                if !self.found.grains.iter().any(|known| known.grain == Ok(grain)) {
                    self.found.grains.push(GrainMention {
                        at: start,
                        grain: Ok(grain),
                        sure,
                        asked,
                    });
                }
            }
            Temporal::Recurring(part) => self.found.grains.push(GrainMention {
                at: start,
                grain: Err(part),
                sure: true,
                asked: true,
            }),
        }
        self.pending.before = None;
    }

    /// `hours`, whatever keeps them.
    pub(super) fn named_length(&self, span: &Range<usize>) -> Option<Grain> {
        match self.tokens[span.end - 1].word.as_str() {
            "hours" => Some(Grain::Hour),
            "days" => Some(Grain::Day),
            _ => None,
        }
    }
}
