//! Enumerations of what is to be shown: `late payments above 200: customer, amount, reason`.

use std::ops::Range;

use super::{
    super::{lexicon::lexicon, question::TokenKind},
    cues::Cue,
    items::{Meaning, PartKind, Sense},
    mentions::Reader,
    periods::Temporal,
    question::Mention,
};

impl Reader<'_> {
    /// True behind a noun and `by`, for one of a kind.
    pub(super) fn is_by_each(&self, span: &Range<usize>) -> bool {
        let [.., doing, by] = &self.tokens[..span.start] else {
            return false;
        };
        let done = doing.word.ends_with("ed") || lexicon().is_irregular_participle(&doing.word);
        by.word == "by" && !done && self.is_one(span)
    }

    /// True for a second kind behind the first: `staff by job and outlet`.
    pub(super) fn goes_on_by_each(&self, span: &Range<usize>) -> bool {
        let last = self.found.mentions.last();
        last.is_some_and(|last| last.by_each && last.end + 1 == span.start) && self.is_one(span)
    }

    /// True for a noun for one of a kind.
    fn is_one(&self, span: &Range<usize>) -> bool {
        let last = &self.tokens[span.end - 1].word;
        !last.ends_with('s') || last.ends_with("ss") || last.ends_with("us")
    }

    /// Marks what stands in such an enumeration: nothing of it is a condition, a group or what is listed.
    pub(super) fn listed(&mut self) {
        let Some(from) = self
            .behind_colon()
            .or_else(|| self.behind_with())
            .or_else(|| self.behind_comma())
        else {
            return;
        };
        let start = self.items[from].span.start;
        let mut named_before = false;
        for mention in &mut self.found.mentions {
            if mention.at < start {
                named_before |= mention.counted;
                continue;
            }
            // `: number, store, total` asks for no number of anything.
            mention.listed = true;
            (mention.counted, mention.gathering) = (false, None);
        }
        let cue = |wanted: Cue| {
            let mut before = self.items[..from].iter();
            before.any(|item| matches!(item.kind, PartKind::Cue(cue) if cue == wanted))
        };
        let (counts, asks_how_much) = (named_before || cue(Cue::HowMany), cue(Cue::HowMuch));
        if !counts {
            (self.found.how_many, self.found.counts, self.found.counts_again) = (false, 0, false);
        }
        self.found.how_much &= asks_how_much;
    }

    /// Where an enumeration begins behind a colon.
    fn behind_colon(&self) -> Option<usize> {
        let colon = self
            .items
            .iter()
            .position(|item| self.tokens[item.span.start].kind == TokenKind::Mark(':'))?;
        let start = self.items[colon].span.start;
        // What is listed is named before the colon.
        let names_table = |mention: &Mention| {
            mention
                .senses
                .iter()
                .any(|sense| matches!(sense.meaning, Meaning::Dataset(_)) && sense.score >= 0.6)
        };
        let mut before = self.found.mentions.iter().filter(|mention| mention.at < start);
        // Or only what is said of it: `leavers in 2025: name, job, last day`.
        let named_before = before.clone().any(names_table)
            || before.next().is_some() && !self.asks_for_figures(colon) && self.parts(colon + 1) > 1;
        let numbers = |cue: Cue, at: usize| {
            cue == Cue::HowMany
                && matches!(
                    self.tokens[self.items[at].span.start].word.as_str(),
                    "number" | "no"
                )
                || matches!(cue, Cue::HowMuch | Cue::Who)
        };
        let from = colon + 1;
        (named_before && self.is_enumeration(from, numbers) && self.parts(from) > 0).then_some(from)
    }

    /// Where one begins behind `with`: `with seller, buyer and price`.
    fn behind_with(&self) -> Option<usize> {
        let with = self.items.iter().rposition(|item| {
            matches!(item.kind, PartKind::Cue(Cue::With)) && self.tokens[item.span.start].word != "without"
        })?;
        let from = with + 1;
        if with == 0 || self.asks_for_figures(with) || !self.is_enumeration(from, |_, _| false) {
            return None;
        }
        let names = self.named_from(from);
        let of_rows = names.iter().any(|mention| first_is_column(mention));
        (self.parts(from) > 0 && (names.len() > 2 || names.len() == 2 && of_rows)).then_some(from)
    }

    /// Where one begins behind a comma at the end: `members from Bath, names and email`.
    fn behind_comma(&self) -> Option<usize> {
        let comma = self.items.iter().position(|item| {
            matches!(item.kind, PartKind::Cue(Cue::Comma)) && self.tokens[item.span.start].word == ","
        })?;
        let from = comma + 1;
        if self.asks_for_figures(comma) || !self.is_enumeration(from, |_, _| false) {
            return None;
        }
        let binds = |item: &super::items::Item| {
            matches!(item.kind, PartKind::Cue(Cue::Of | Cue::In | Cue::With | Cue::Is))
        };
        if self.items[from..].iter().any(binds) {
            return None;
        }
        let start = self.items[from].span.start;
        let is_table = |mention: &Mention| matches!(first(mention), Some(Meaning::Dataset(_)));
        let head = self
            .found
            .mentions
            .iter()
            .any(|mention| mention.at < start && is_table(mention));
        let names = self.named_from(from);
        let of_rows = |mention: &&Mention| !is_table(mention);
        (head && names.len() >= 2 && names.iter().all(of_rows)).then_some(from)
    }

    /// True where what stands before asks for figures or groups, so that more of these may follow.
    fn asks_for_figures(&self, end: usize) -> bool {
        self.items[..end].iter().any(|item| {
            matches!(
                item.kind,
                PartKind::Cue(
                    Cue::By
                        | Cue::Each
                        | Cue::HowMany
                        | Cue::HowMuch
                        | Cue::HowLong
                        | Cue::Aggregate(_)
                        | Cue::Median
                        | Cue::Share
                        | Cue::Percent
                        | Cue::Versus
                        | Cue::Growth
                        | Cue::Rank
                        | Cue::Distinct
                ) | PartKind::Time(Temporal::Each(_))
            )
        })
    }

    fn named_from(&self, from: usize) -> Vec<&Mention> {
        let start = self.items[from].span.start;
        self.found
            .mentions
            .iter()
            .filter(|mention| mention.at >= start)
            .collect()
    }

    /// How often a comma or an `and` parts what stands behind a place.
    fn parts(&self, from: usize) -> usize {
        let parts = |item: &&super::items::Item| matches!(item.kind, PartKind::Cue(Cue::Comma | Cue::And));
        self.items[from..].iter().filter(parts).count()
    }

    /// True where nothing but names follows that may be shown, and what joins them.
    fn is_enumeration(&self, from: usize, also: impl Fn(Cue, usize) -> bool) -> bool {
        if from >= self.items.len() {
            return false;
        }
        let joins = |cue: Cue| {
            matches!(
                cue,
                Cue::Comma | Cue::And | Cue::Of | Cue::In | Cue::With | Cue::Is
            )
        };
        let simple = self
            .items
            .iter()
            .enumerate()
            .skip(from)
            .all(|(at, item)| match &item.kind {
                PartKind::Cue(cue) => joins(*cue) || also(*cue, at),
                PartKind::Name(senses) => may_be_shown(senses),
                PartKind::Unknown | PartKind::Time(Temporal::Length(_)) => true,
                _ => false,
            });
        let names = self.named_from(from);
        let negated = names
            .iter()
            .any(|mention| mention.negated || mention.compared.is_some());
        simple && !negated && !names.is_empty()
    }
}

fn first(mention: &Mention) -> Option<&Meaning> {
    mention.senses.first().map(|sense| &sense.meaning)
}

fn first_is_column(mention: &Mention) -> bool {
    matches!(first(mention), Some(Meaning::Field(_)))
}

/// True for what is likelier a column or a table than a state or a stored value.
fn may_be_shown(senses: &[Sense]) -> bool {
    let best = |of: fn(&Meaning) -> bool| {
        let fits = senses.iter().filter(|sense| of(&sense.meaning));
        fits.map(|sense| sense.score).fold(0.0, f32::max)
    };
    let shown = best(|meaning| matches!(meaning, Meaning::Field(_) | Meaning::Dataset(_)));
    shown > 0.0 && shown >= best(|meaning| matches!(meaning, Meaning::Value(..) | Meaning::Filter(_)))
}
