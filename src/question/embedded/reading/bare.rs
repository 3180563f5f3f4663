//! Figures beside each other (`number and total`, `smallest, largest and mean budget`), and two columns that are compared.

use std::ops::Range;

use super::{
    super::lexicon::lexicon,
    cues::{Cue, Gathering},
    items::{Linker, Meaning, PartKind, Sense},
    mentions::Reader,
    periods::Temporal,
    question::{Bare, Gather},
};
use crate::question::semantic::FieldRole;

/// True for the first word of a figure that stands apart from its name: `on average`, `in total`, `add up to`.
pub(super) fn stands_behind(leads: &str) -> bool {
    matches!(
        leads,
        "in" | "on" | "altogether" | "overall" | "add" | "adds" | "adding"
    )
}

impl Reader<'_> {
    /// Takes a figure that stands beside others, or that nothing is named for; false where it is none.
    pub(super) fn beside(&mut self, cue: Cue, at: usize) -> bool {
        let Some(figure) = Self::figure(cue) else {
            return false;
        };
        let (first, end, count) = self.row_of_figures(at);
        if self.is_compared_or_ranked(cue, first) {
            return false;
        }
        // `number, total and average`, where a column is called `total`.
        if figure == Bare::Count && count < 2 && self.amount_behind(end) {
            self.pending.count_beside = true;
            return true;
        }
        let is_rank = matches!(cue, Cue::Superlative { .. });
        // `how did they end? count per outcome`
        let by_what = matches!(
            self.items.get(end).map(|item| &item.kind),
            Some(PartKind::Cue(Cue::Each | Cue::By))
        );
        let counts_by = figure == Bare::Count && by_what && !self.found.mentions.is_empty();
        if count < 2 && (is_rank || figure == Bare::Count && !counts_by) {
            return false;
        }
        let follows = |cue: Cue| matches!(cue, Cue::Order | Cue::By | Cue::Rank | Cue::Superlative { .. });
        if first > 0 && matches!(self.items[first - 1].kind, PartKind::Cue(cue) if follows(cue)) {
            return false;
        }
        if self.stands_alone(end) {
            if self.found.mentions.is_empty() && count < 2 {
                return false;
            }
            self.found.figures.push(figure);
            return true;
        }
        if count < 2 || !self.names_what(end) {
            return false;
        }
        match figure {
            Bare::Count => self.pending.count_beside = true,
            Bare::Of(gather) if self.pending.gathering.is_none() => self.pending.gathering = Some(gather),
            Bare::Of(gather) => self.pending.further.push(gather),
        }
        true
    }

    /// The figure that a cue may ask for.
    fn figure(cue: Cue) -> Option<Bare> {
        Some(match cue {
            Cue::HowMany => Bare::Count,
            Cue::Aggregate(gathering) => Bare::Of(Gather::Of(gathering)),
            Cue::Median => Bare::Of(Gather::Median),
            Cue::Superlative { highest, adjective } => {
                let falls =
                    adjective.is_some_and(|adjective| lexicon().adjective(adjective).rising.is_empty());
                Bare::Of(Gather::Of(if highest == falls {
                    Gathering::Lowest
                } else {
                    Gathering::Highest
                }))
            }
            _ => return None,
        })
    }

    /// True where what stands before a row of figures says that it is what something is compared with, or ranked by: `more
    /// than the average`, `customers with the lowest and highest points`.
    fn is_compared_or_ranked(&self, cue: Cue, first: usize) -> bool {
        let start = self.items[first].span.start;
        let before = self.tokens[start.saturating_sub(2)..start].iter();
        let mut before = before.map(|token| token.word.as_str());
        let is_rank = matches!(cue, Cue::Superlative { .. });
        before.any(|word| {
            matches!(word, "than" | "above" | "below" | "exceed" | "exceeds") || is_rank && word == "with"
        })
    }

    /// Where a row of figures begins and ends in which one stands, and how many they are.
    fn row_of_figures(&self, at: usize) -> (usize, usize, usize) {
        let is_figure = |at: usize| {
            let leads = &self.tokens[self.items[at].span.start].word;
            let stands_apart = stands_behind(leads);
            matches!(self.items[at].kind, PartKind::Cue(cue) if !stands_apart && Self::figure(cue).is_some())
        };
        let parts = |at: usize| matches!(self.items[at].kind, PartKind::Cue(Cue::And | Cue::Comma));
        let (mut first, mut count) = (at, 1);
        loop {
            let between = (0..first).rev().take_while(|at| parts(*at)).count();
            if between == 0 || between >= first || !is_figure(first - between - 1) {
                break;
            }
            (first, count) = (first - between - 1, count + 1);
        }
        let mut last = at;
        loop {
            let between = (last + 1..self.items.len()).take_while(|at| parts(*at)).count();
            let next = last + between + 1;
            if between == 0 || next >= self.items.len() || !is_figure(next) {
                break;
            }
            (last, count) = (next, count + 1);
        }
        (first, last + 1, count)
    }

    /// True where an amount follows behind a comma or an `and`.
    fn amount_behind(&self, end: usize) -> bool {
        let kind = |at: usize| self.items.get(at).map(|item| &item.kind);
        let parts = |at: &usize| matches!(kind(*at), Some(PartKind::Cue(Cue::And | Cue::Comma)));
        let behind = (end..self.items.len()).take_while(parts).count();
        behind > 0
            && matches!(kind(end + behind), Some(PartKind::Name(senses))
                if matches!(senses.first().map(|sense| &sense.meaning), Some(Meaning::Field(_) | Meaning::Metric(_))))
    }

    /// True where a row of figures that ends here has no name behind it.
    fn stands_alone(&self, end: usize) -> bool {
        let kind = |at: usize| self.items.get(at).map(|item| &item.kind);
        let is_time = |kind: Option<&PartKind>| {
            matches!(
                kind,
                Some(PartKind::Time(Temporal::During(_) | Temporal::Each(_)))
            )
        };
        match kind(end) {
            None | Some(PartKind::Cue(Cue::Each | Cue::By | Cue::Comma)) => true,
            Some(PartKind::Cue(Cue::In)) => is_time(kind(end + 1)),
            other => is_time(other),
        }
    }

    /// True where what the figures are of stands behind them.
    fn names_what(&self, end: usize) -> bool {
        let kind = |at: usize| self.items.get(at).map(|item| &item.kind);
        match kind(end) {
            Some(PartKind::Name(_)) => true,
            Some(PartKind::Cue(Cue::Of)) => matches!(kind(end + 1), Some(PartKind::Name(_))),
            _ => false,
        }
    }
}

impl Linker<'_> {
    /// True where another figure stands behind a comma or an `and`.
    pub(super) fn figure_follows(&self, at: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let parts = matches!(word(at), "and" | "," | "&");
        let is_figure = |word: &str| {
            matches!(
                word,
                "total" | "sum" | "average" | "mean" | "avg" | "median" | "value" | "amount" | "money"
            )
        };
        parts && is_figure(word(at + 1))
    }

    /// True where a comparison may be one with a column: `below their reorder level`, `after the due date`.
    pub(super) fn column_follows(&self, span: &Range<usize>) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let mut at = span.end;
        while matches!(word(at), "the" | "their" | "its" | "his" | "her" | "own" | "our") {
            at += 1;
        }
        let of_time = matches!(word(span.start), "after" | "before" | "following");
        let fits = |sense: &Sense| match sense.meaning {
            Meaning::Field(field) => {
                let role = self.model.field(field).role;
                sense.score >= 0.7
                    && if of_time {
                        role == FieldRole::Time
                    } else {
                        role.is_measure()
                    }
            }
            _ => false,
        };
        at > span.end
            && (1..=3).any(|used| {
                at + used <= self.tokens.len()
                    && self
                        .named(&(at..at + used))
                        .is_some_and(|(_, senses)| senses.iter().any(fits))
            })
    }
}
