//! Words that say what something must be, where nothing in a reading does.

use super::{
    super::{
        lexicon::begins_clause,
        question::Token,
        states::{is_outcome, is_predicate, is_telling_filler, tells_apart},
    },
    cues::Cue,
    items::{Item, Meaning, PartKind, Sense},
    mentions::Reader,
    question::{Mention, Question},
    roles::{Cast, Role},
};
use crate::question::{analytic::AnalyticQuery, semantic::FieldRole};

/// How well a word fits at least what is said by it.
const SURE: f32 = 0.7;

impl Reader<'_> {
    /// Finds the words that say what something must be: before what is named, or behind a form of `be`.
    pub(super) fn states(&mut self) {
        for at in 0..self.tokens.len() {
            let unknown = |at: usize| self.found.unknown.contains(&at);
            if is_outcome(self.tokens, at) && (self.item_at(at).is_none() || unknown(at)) {
                self.found.unmet.push(at);
                continue;
            }
            if !tells_apart(self.tokens, at)
                || !(self.stands_before_things(at) || is_predicate(self.tokens, at))
            {
                continue;
            }
            match self.item_at(at).map(|item| &item.kind) {
                None if is_telling_filler(self.tokens, at) => self.found.unmet.push(at),
                Some(PartKind::Unknown) if self.found.unknown.contains(&at) && !self.is_told(at) => {
                    self.found.unmet.push(at);
                }
                // `phone is available`: only where that is said of a column.
                Some(PartKind::Cue(Cue::NotNull))
                    if is_telling_filler(self.tokens, at)
                        && !self.found.mentions.iter().any(|mention| mention.present) =>
                {
                    self.found.unmet.push(at);
                }
                Some(PartKind::Name(_)) => self.found.states.push(at),
                _ => {}
            }
        }
    }

    /// True for `new tickets per month`, `future events that are coming up`: the time that is told says the same.
    fn is_told(&self, at: usize) -> bool {
        match self.tokens[at].word.as_str() {
            "new" => !self.found.periods.is_empty() || !self.found.grains.is_empty(),
            "future" | "upcoming" | "coming" => self.found.due.is_some(),
            _ => false,
        }
    }

    /// True for a word that says by itself what is not so: `unpaid`.
    pub(super) fn denies_itself(&self, at: usize) -> bool {
        let own = |word: &str| {
            word.strip_prefix("un")
                .is_some_and(|rest| rest.len() > 3 && rest.ends_with('d'))
        };
        own(&self.tokens[self.items[at].span.start].word)
    }

    /// What is not so: `unpaid`. Behind `no` or `without` that there is none of it is said of the noun that follows.
    pub(super) fn not_so(&mut self, senses: Vec<Sense>, at: usize) {
        let denied = self.pending.negated;
        let never = std::mem::take(&mut self.pending.never);
        self.pending.negated = true;
        self.name(senses, at);
        let end = self.items[at].span.end;
        let follows = self.items.get(at + 1).is_some_and(|next| next.span.start == end);
        let thing = follows && self.names_things(at + 1);
        if let Some(last) = self.found.mentions.last_mut() {
            last.not_so = true;
            if denied && thing {
                self.pending.denied = Some(never);
            } else {
                (last.never, last.twice) = (last.never || never, denied);
            }
        }
    }

    /// True where what is denied of the last name is denied of one that begins here, too: `without a phone or an email`. It is not
    /// where that is a clause of its own, and nothing that a word denies by itself is: `uninsured or have a debt`.
    pub(super) fn denies_on(&self, last: &Mention, at: usize) -> bool {
        let mut between = self.tokens[last.end.min(at)..at].iter();
        let own_clause = |token: &Token| begins_clause(&token.word);
        last.negated && (!last.not_so || last.twice) && !between.any(own_clause)
    }

    /// True where an item most likely names a table.
    pub(super) fn names_things(&self, at: usize) -> bool {
        let senses = self.items.get(at).map(|item| &item.kind);
        matches!(senses, Some(PartKind::Name(senses))
            if matches!(senses.first().map(|sense| &sense.meaning), Some(Meaning::Dataset(_))))
    }

    /// `books by French authors`: what a word right before a noun says is said of that.
    pub(super) fn said_of_next(&mut self, senses: &[Sense], at: usize) {
        let Some(Sense {
            meaning: Meaning::Dataset(table),
            score,
        }) = senses.first()
        else {
            return;
        };
        let Some(last) = self.found.mentions.last_mut().filter(|last| last.end == at) else {
            return;
        };
        let of_table = |sense: &Sense| matches!(&sense.meaning, Meaning::Value(at, _) if at.table == *table);
        let own = last
            .senses
            .iter()
            .any(|sense| of_table(sense) && sense.score >= SURE);
        if own && *score >= SURE {
            last.senses.retain(|sense| {
                of_table(sense) || !matches!(sense.meaning, Meaning::Value(..) | Meaning::Part(..))
            });
        }
    }

    /// `without a manager`: no row that a column leads to is missing, and not a kind of rows that is called so.
    pub(super) fn whom_it_has(&self, mut senses: Vec<Sense>, at: usize) -> Vec<Sense> {
        let word = |at: usize| self.tokens[at].word.as_str();
        let article = at > 0 && matches!(word(at - 1), "a" | "an" | "any" | "no" | "without" | "their");
        let reference = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) => sense.score >= SURE && self.model.field(at).role == FieldRole::Reference,
            _ => false,
        };
        if self.pending.negated && article && senses.iter().any(reference) {
            senses.retain(|sense| !matches!(sense.meaning, Meaning::Value(..)));
        }
        senses
    }

    fn item_at(&self, at: usize) -> Option<&Item> {
        self.items.iter().find(|item| item.span.contains(&at))
    }

    /// True right before a word that is most likely a table's, with other words of its kind between them at most.
    fn stands_before_things(&self, at: usize) -> bool {
        let mut next = at + 1;
        while next < self.tokens.len() {
            match self.item_at(next) {
                Some(item) => match &item.kind {
                    PartKind::Name(senses) => match senses.first().map(|sense| &sense.meaning) {
                        Some(Meaning::Dataset(_)) => return true,
                        Some(Meaning::Value(..) | Meaning::Filter(_)) => next = item.span.end,
                        _ => return false,
                    },
                    PartKind::Unknown if tells_apart(self.tokens, next) => next += 1,
                    _ => return false,
                },
                None if tells_apart(self.tokens, next) => next += 1,
                None => return false,
            }
        }
        false
    }
}

/// How much a question asks for that a reading does nothing for.
pub(super) fn unheard(question: &Question, cast: &Cast, query: &AnalyticQuery) -> f32 {
    (question.unheard + question.loose_numbers + unmet(question, cast, query).count()) as f32
}

/// The words that say what something must be, and that a reading does nothing for.
pub(super) fn unmet(question: &Question, cast: &Cast, query: &AnalyticQuery) -> impl Iterator<Item = usize> {
    // Beside a figure nothing is shown.
    let idle = |role: Role| {
        role == Role::Ignored || role == Role::Shown && matches!(query, AnalyticQuery::Summary(_))
    };
    let ignored = |at: &usize| {
        let mut parts = question.mentions.iter().zip(&cast.parts);
        parts.any(|(mention, (role, _))| (mention.at..mention.end).contains(at) && idle(*role))
    };
    let idle = question
        .states
        .iter()
        .copied()
        .filter(ignored)
        .collect::<Vec<usize>>();
    question.unmet.iter().copied().chain(idle)
}
