//! The question as a row of items: names with all that they may mean, words that shape the answer, numbers, times.

use std::{ops::Range, sync::Arc};

use jiff::civil::Date;

use super::{
    super::{
        lexicon::{Degree, Operator, lexicon},
        likeness::Wording,
        question::{Token, TokenKind},
        vocabulary::{self, Similarities, Vocabulary},
    },
    called::called,
    cues::{Cue, cue_of, of_operator},
    money::money,
    periods::{self, Temporal, begins_period},
    rewording::SUPERIOR,
    sameness::{say_the_same, says_less},
    unheard::{is_name_of_its_own, says_nothing},
};
use crate::question::{
    schema::{ColumnRef, Snapshot},
    semantic::{Comparison, FieldRole, SemanticModel},
};

/// Words of the longest phrase that may name something.
pub(super) const LONGEST_NAME: usize = 4;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 7;
/// Ways to divide a question that are looked at.
const DIVISIONS: usize = 3;
/// What one of them may be less likely than the likeliest.
const FAR_BEHIND: f32 = 0.8;
/// What a content word costs that nothing explains.
const UNKNOWN: f32 = -0.3;

/// A part of the question.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its tokens.
    pub(super) span: Range<usize>,
    pub(super) kind: PartKind,
}

/// What a part of the question is.
#[derive(Debug, Clone)]
pub(super) enum PartKind {
    /// It names something in the database: what that may be, the likeliest first.
    Name(Vec<Sense>),
    /// A day, a period, a length of time.
    Time(Temporal),
    /// A number, as SQL writes it.
    Number(String),
    /// `$n`.
    Parameter(usize),
    /// Text in quotes.
    Quoted(String),
    /// What is not so: `unpaid` where something says `paid`.
    NotSo(Vec<Sense>),
    /// What another value of the row is compared with: `below the reorder level`.
    Against(Vec<Sense>, Comparison),
    /// An adjective that compares what it names: `heavier than`.
    Compared(Vec<Sense>, Comparison),
    /// It shapes the answer.
    Cue(Cue),
    /// It may mean something, and nobody knows what.
    Unknown,
}

/// What a name may mean, and how well it fits, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sense {
    pub(super) meaning: Meaning,
    pub(super) score: f32,
}

/// What a name may mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    Dataset(usize),
    Field(ColumnRef),
    Metric(usize),
    Filter(usize),
    /// A stored value.
    Value(ColumnRef, Arc<str>),
    /// A part of stored names, as a pattern.
    Part(ColumnRef, Arc<str>),
}

/// What the words of a question stand for, before anything is decided.
pub(super) struct Linker<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) similarities: Similarities,
    pub(super) wordings: Vec<Wording>,
    /// What metrics and filters are called, with what each stands for.
    pub(super) called: Vec<(Meaning, Vec<Wording>)>,
    /// Measures of money, the likeliest first.
    pub(super) money: Vec<(usize, f32)>,
    pub(super) today: Date,
}

/// A way to divide a question into items.
#[derive(Debug, Clone)]
pub(super) struct Division {
    pub(super) items: Vec<Item>,
    /// How much less likely it is than the likeliest.
    pub(super) behind: f32,
}

/// Ways to divide a question, the likeliest first.
pub(super) fn divisions(
    tokens: &[Token],
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Division> {
    Linker::of(tokens, today, snapshot, model).divide()
}

/// A way to divide the words up to some place.
#[derive(Clone)]
struct Best {
    score: f32,
    /// Where its last item begins, and which of the ways to that place it goes on from.
    from: (usize, usize),
    kind: Option<PartKind>,
}

impl<'a> Linker<'a> {
    pub(super) fn of(
        tokens: &'a [Token],
        today: Date,
        snapshot: &'a Snapshot,
        model: &'a SemanticModel,
    ) -> Self {
        let vocabulary = vocabulary::of(&snapshot.schema);
        Self {
            similarities: vocabulary.meanings(tokens),
            wordings: tokens.iter().map(|token| Wording::of(&token.word)).collect(),
            tokens,
            snapshot,
            model,
            vocabulary,
            called: called(model),
            money: money(&snapshot.schema, model),
            today,
        }
    }
}

impl Linker<'_> {
    fn divide(&self) -> Vec<Division> {
        let count = self.tokens.len();
        let mut best: Vec<Vec<Best>> = vec![Vec::new(); count + 1];
        best[0].push(Best {
            score: 0.0,
            from: (0, 0),
            kind: None,
        });
        for start in 0..count {
            best[start].sort_by(|one, other| other.score.total_cmp(&one.score));
            best[start].truncate(2 * DIVISIONS);
            for (score, end, kind) in self.readings(start) {
                for way in 0..best[start].len() {
                    let score = best[start][way].score + score;
                    best[end].push(Best {
                        score,
                        from: (start, way),
                        kind: kind.clone(),
                    });
                }
            }
        }
        best[count].sort_by(|one, other| other.score.total_cmp(&one.score));
        let likeliest = best[count].first().map_or(0.0, |first| first.score);
        let mut found: Vec<Division> = Vec::new();
        for last in &best[count] {
            let behind = likeliest - last.score;
            if found.len() == DIVISIONS || behind > FAR_BEHIND {
                break;
            }
            let (mut items, mut end, mut at) = (Vec::new(), count, last);
            while end > 0 {
                let (from, way) = at.from;
                if let Some(kind) = &at.kind {
                    items.push(Item {
                        span: from..end,
                        kind: kind.clone(),
                    });
                }
                (end, at) = (from, &best[from][way]);
            }
            items.reverse();
            let first = found.first().map_or(&items, |first| &first.items);
            if says_less(first, &items) {
                continue;
            }
            if !found.iter().any(|known| say_the_same(&known.items, &items)) {
                found.push(Division { items, behind });
            }
        }
        found
    }

    /// What may begin here: its score, where it ends, and what it is; nothing for a word without content.
    fn readings(&self, start: usize) -> Vec<(f32, usize, Option<PartKind>)> {
        let mut found = Vec::new();
        let token = &self.tokens[start];
        match &token.kind {
            TokenKind::Mark(mark) => {
                let cue = match mark {
                    ',' | ';' | ':' => Some(Cue::Comma),
                    '>' => Some(Cue::Compare(Comparison::Greater)),
                    '<' => Some(Cue::Compare(Comparison::Less)),
                    '=' => Some(Cue::Compare(Comparison::Equal)),
                    '%' => Some(Cue::Percent),
                    '&' => Some(Cue::And),
                    &SUPERIOR => Some(Cue::Superior),
                    _ => None,
                };
                found.push((0.0, start + 1, cue.map(PartKind::Cue)));
            }
            TokenKind::Possessive => found.push((0.0, start + 1, Some(PartKind::Cue(Cue::Of)))),
            TokenKind::Number(number) => found.push((1.0, start + 1, Some(PartKind::Number(number.clone())))),
            TokenKind::Ordinal(number) => {
                found.push((1.0, start + 1, Some(PartKind::Cue(Cue::Ordinal(*number)))));
            }
            TokenKind::Parameter(number) => found.push((1.0, start + 1, Some(PartKind::Parameter(*number)))),
            TokenKind::Quoted(text) => found.push((1.0, start + 1, Some(PartKind::Quoted(text.clone())))),
            TokenKind::Word(Some(number)) => {
                found.push((0.8, start + 1, Some(PartKind::Number(number.to_string()))));
            }
            TokenKind::Word(None) => {
                found.push(if says_nothing(self.tokens, start) {
                    (0.0, start + 1, None)
                } else {
                    (UNKNOWN, start + 1, Some(PartKind::Unknown))
                });
            }
            TokenKind::Date(_) | TokenKind::Month(_) => {}
        }
        if let Some((temporal, used)) = periods::temporal(self.tokens, start, self.today) {
            let length = matches!(temporal, Temporal::Length(_));
            let score = if length { 0.9 } else { 1.35 * used as f32 };
            let behind_number = start
                .checked_sub(1)
                .is_some_and(|before| matches!(self.tokens[before].kind, TokenKind::Number(_)));
            // `900 a month` is an amount.
            let per = matches!(token.word.as_str(), "a" | "per" | "each") && behind_number;
            let of_amount = matches!(temporal, Temporal::Each(grain)
                if used == 1 && self.is_by_itself(start, grain) || per);
            found.push((
                score,
                start + used,
                (!of_amount).then_some(PartKind::Time(temporal)),
            ));
        } else if matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_)) {
            found.push((0.0, start + 1, Some(PartKind::Unknown)));
        }
        if let Some((used, senses)) = self.not_so(start) {
            found.push((0.9 * used as f32, start + used, Some(PartKind::NotSo(senses))));
        }
        if let Some((score, used, senses)) = self.unit(start) {
            found.push((score, start + used, Some(PartKind::Name(senses))));
        }
        if self.is_percent_of_number(start) || self.is_told_in(start) {
            found.push((1.3, start + 1, None));
        }
        if let Some((used, senses, comparison)) = self.against(start) {
            found.push((
                1.2 * used as f32 + 0.2,
                start + used,
                Some(PartKind::Against(senses, comparison)),
            ));
        }
        if let Some((used, comparison)) = self.only_compares(start) {
            let cue = PartKind::Cue(Cue::Compare(comparison));
            found.push((used as f32 + 0.1, start + used, Some(cue)));
        }
        if let Some((used, senses, comparison)) = self.comparative(start) {
            found.push((
                1.2 * used as f32 + 0.2,
                start + used,
                Some(PartKind::Compared(senses, comparison)),
            ));
        }
        let longest = (self.tokens.len() - start).min(LONGEST_VALUE);
        for used in 1..=longest {
            let span = start..start + used;
            if used > 1 && begins_period(self.tokens, span.end - 1) {
                break;
            }
            if let Some(cue) = self.cue(&span).filter(|_| !self.is_called_so(&span)) {
                let mut score = used as f32 + if used > 1 { 0.15 } else { 0.0 };
                // The cancellation rate is no column of rates, but the hourly rate is one.
                if cue == Cue::Share
                    && used == 1
                    && start > 0
                    && self.is_state(start - 1)
                    && !self.is_field(start - 1..start + 1)
                {
                    score += 1.2;
                }
                // `number and total` is none that things have.
                if cue == Cue::HowMany && used == 1 && self.figure_follows(span.end) {
                    score += 0.6;
                }
                found.push((score, span.end, Some(PartKind::Cue(cue))));
            }
            if let Some((score, senses)) = self.named(&span)
                && !is_name_of_its_own(self.tokens, start, &senses)
            {
                found.push((score, span.end, Some(PartKind::Name(senses))));
            }
        }
        found
    }

    /// True for the name of a column.
    fn is_field(&self, span: Range<usize>) -> bool {
        let is_field = |sense: &Sense| matches!(sense.meaning, Meaning::Field(_)) && sense.score >= 0.95;
        self.named(&span)
            .is_some_and(|(_, senses)| senses.iter().any(is_field))
    }

    /// True for a word that says what may be so or not.
    fn is_state(&self, at: usize) -> bool {
        self.named(&(at..at + 1))
            .is_some_and(|(_, senses)| senses.iter().any(|sense| self.says_state(sense)))
    }

    /// True for a named filter, a flag, a stored value.
    pub(super) fn says_state(&self, sense: &Sense) -> bool {
        match &sense.meaning {
            Meaning::Filter(_) | Meaning::Value(..) => sense.score >= 0.8,
            Meaning::Field(field) => {
                sense.score >= 0.7 && matches!(self.model.field(*field).role, FieldRole::Flag(_))
            }
            _ => false,
        }
    }

    /// `in minutes`: the unit of what is told, where that is a length of time.
    fn is_told_in(&self, at: usize) -> bool {
        let minutes = matches!(self.tokens[at].word.as_str(), "minutes" | "minute" | "mins");
        minutes && at > 0 && self.tokens[at - 1].word == "in"
    }

    fn phrase(&self, span: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[span.clone()]
            .iter()
            .map(|token| token.word.as_str())
            .collect();
        words.join(" ")
    }

    pub(super) fn cue(&self, span: &Range<usize>) -> Option<Cue> {
        let words = &self.tokens[span.clone()];
        if words
            .iter()
            .any(|token| !matches!(token.kind, TokenKind::Word(_) | TokenKind::Mark('&')))
        {
            return None;
        }
        let phrase = self.phrase(span);
        // `items without a return`: a noun behind its article.
        if span.len() == 1 && self.is_noun(span.start) {
            return None;
        }
        // `at least 3 beds`: none has the least.
        let at_bound =
            span.start > 0 && self.tokens[span.start - 1].word == "at" && self.number_follows(span.end);
        if at_bound && matches!(phrase.as_str(), "least" | "most") {
            return None;
        }
        // `in 2025 but none in 2026`
        let next = self.tokens.get(span.end).map_or("", |token| token.word.as_str());
        if phrase == "none"
            && matches!(
                next,
                "in" | "since" | "at" | "from" | "during" | "this" | "last" | "yet" | "so"
            )
        {
            return Some(Cue::Without);
        }
        if let Some(cue) = cue_of(&phrase) {
            return Some(cue);
        }
        // `over the months`, `handed over`: nothing is compared without a number.
        let compares = matches!(
            phrase.as_str(),
            "over"
                | "under"
                | "above"
                | "below"
                | "after"
                | "before"
                | "since"
                | "until"
                | "following"
                | "up to"
                | "more"
                | "less"
                | "fewer"
                | "greater"
                | "higher"
                | "lower"
        );
        if compares && !self.number_follows(span.end) && !self.column_follows(span) {
            return None;
        }
        if let Some((adjective, degree)) = lexicon().adjective_form(&phrase)
            && degree == Degree::Superlative
        {
            let first = self.tokens.get(span.end).is_some_and(|next| next.word == "first");
            let adjective = Some(adjective);
            return Some(if first {
                Cue::First {
                    highest: true,
                    adjective,
                }
            } else {
                Cue::Superlative {
                    highest: true,
                    adjective,
                }
            });
        }
        // `most expensive first`
        if let Some((adjective, Degree::Superlative)) = phrase
            .strip_suffix(" first")
            .and_then(|phrase| lexicon().adjective_form(phrase))
        {
            return Some(Cue::First {
                highest: true,
                adjective: Some(adjective),
            });
        }
        let operator = lexicon().operator(&phrase)?;
        if operator == Operator::ThanAverage && phrase.starts_with("below") {
            return Some(Cue::CompareAverage(false));
        }
        Some(of_operator(operator))
    }

    /// True for a word that asks for an answer elsewhere, and is a noun behind an article.
    pub(super) fn is_noun(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| self.tokens[at].word.as_str());
        let article = matches!(
            before,
            Some("a" | "an" | "any" | "no" | "single" | "one" | "without" | "per" | "each" | "every")
        );
        article
            && matches!(
                self.tokens[at].word.as_str(),
                "return" | "report" | "display" | "output"
            )
    }

    fn number_follows(&self, at: usize) -> bool {
        self.tokens[at..].iter().take(2).any(|token| {
            matches!(
                token.kind,
                TokenKind::Number(_) | TokenKind::Word(Some(_)) | TokenKind::Parameter(_)
            )
        })
    }
}
