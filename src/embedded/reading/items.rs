//! The question as a row of items: names with all that they may mean, words that shape the answer, numbers, times.

use std::{ops::Range, sync::Arc};

use time::Date;

use super::{
    super::{
        lexicon::{Degree, Operator, lexicon},
        likeness::Wording,
        question::{Token, TokenKind},
        vocabulary::{self, Similarities, Vocabulary},
    },
    cues::{Cue, cue_of, of_operator},
    money::money,
    names::called,
    periods::{self, Temporal},
};
use crate::{
    schema::{ColumnRef, Snapshot},
    semantic::{Comparison, SemanticModel, Source},
};

/// Words of the longest phrase that may name something.
pub(super) const LONGEST_NAME: usize = 4;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 7;
/// What a content word costs that nothing explains.
const UNKNOWN: f32 = -0.3;

/// A part of the question.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its tokens.
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

/// What a part of the question is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
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

/// What people have defined under the very name means that, and no other figure that is called alike.
pub(super) fn only_defined(senses: &mut Vec<Sense>, model: &SemanticModel) {
    let is_defined = |sense: &Sense| match sense.meaning {
        Meaning::Metric(at) => sense.score >= 0.99 && matches!(model.metrics[at].source, Source::File(..)),
        _ => false,
    };
    if senses.iter().any(is_defined) {
        senses.retain(|sense| match sense.meaning {
            Meaning::Metric(_) => is_defined(sense),
            Meaning::Field(at) => !model.field(at).role.is_measure(),
            _ => true,
        });
    }
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
    today: Date,
}

/// The items of a question, as the likeliest division has them.
pub(super) fn items(tokens: &[Token], today: Date, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Item> {
    let vocabulary = vocabulary::of(&snapshot.schema);
    let linker = Linker {
        similarities: vocabulary.meanings(tokens),
        wordings: tokens.iter().map(|token| Wording::of(&token.word)).collect(),
        tokens,
        snapshot,
        model,
        vocabulary,
        called: called(model),
        money: money(snapshot, model),
        today,
    };
    linker.divide()
}

#[derive(Clone)]
struct Best {
    score: f32,
    from: usize,
    kind: Option<Kind>,
}

impl Linker<'_> {
    fn divide(&self) -> Vec<Item> {
        let count = self.tokens.len();
        let nothing = Best {
            score: f32::MIN,
            from: 0,
            kind: None,
        };
        let mut best = vec![nothing; count + 1];
        best[0].score = 0.0;
        for start in 0..count {
            let base = best[start].score;
            for (score, end, kind) in self.readings(start) {
                if base + score > best[end].score {
                    best[end] = Best {
                        score: base + score,
                        from: start,
                        kind,
                    };
                }
            }
        }
        let mut items = Vec::new();
        let mut end = count;
        while end > 0 {
            let from = best[end].from;
            if let Some(kind) = best[end].kind.take() {
                items.push(Item {
                    span: from..end,
                    kind,
                });
            }
            end = from;
        }
        items.reverse();
        items
    }

    /// What may begin here: its score, where it ends, and what it is; nothing for a word without content.
    fn readings(&self, start: usize) -> Vec<(f32, usize, Option<Kind>)> {
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
                    _ => None,
                };
                found.push((0.0, start + 1, cue.map(Kind::Cue)));
            }
            TokenKind::Possessive => found.push((0.0, start + 1, Some(Kind::Cue(Cue::Of)))),
            TokenKind::Number(number) => found.push((1.0, start + 1, Some(Kind::Number(number.clone())))),
            TokenKind::Ordinal(number) => {
                found.push((1.0, start + 1, Some(Kind::Cue(Cue::Ordinal(*number)))));
            }
            TokenKind::Parameter(number) => found.push((1.0, start + 1, Some(Kind::Parameter(*number)))),
            TokenKind::Quoted(text) => found.push((1.0, start + 1, Some(Kind::Quoted(text.clone())))),
            TokenKind::Word(Some(number)) => {
                found.push((0.8, start + 1, Some(Kind::Number(number.to_string()))));
            }
            TokenKind::Word(None) => {
                let filler = lexicon().is_filler(&token.word) || is_polite(&token.word);
                found.push(if filler {
                    (0.0, start + 1, None)
                } else {
                    (UNKNOWN, start + 1, Some(Kind::Unknown))
                });
            }
            TokenKind::Date(_) | TokenKind::Month(_) => {}
        }
        if let Some((temporal, used)) = periods::temporal(self.tokens, start, self.today) {
            let length = matches!(temporal, Temporal::Length(_));
            let score = if length { 0.9 } else { 1.35 * used as f32 };
            found.push((score, start + used, Some(Kind::Time(temporal))));
        } else if matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_)) {
            found.push((0.0, start + 1, Some(Kind::Unknown)));
        }
        if let Some((used, senses, comparison)) = self.comparative(start) {
            found.push((
                1.2 * used as f32 + 0.2,
                start + used,
                Some(Kind::Compared(senses, comparison)),
            ));
        }
        let longest = (self.tokens.len() - start).min(LONGEST_VALUE);
        for used in 1..=longest {
            let span = start..start + used;
            if let Some(cue) = self.cue(&span) {
                let mut score = used as f32 + if used > 1 { 0.15 } else { 0.0 };
                // The cancellation rate is no column of rates.
                if cue == Cue::Share && start > 0 && self.is_state(start - 1) {
                    score += 1.2;
                }
                found.push((score, span.end, Some(Kind::Cue(cue))));
            }
            if let Some((score, senses)) = self.named(&span) {
                found.push((score, span.end, Some(Kind::Name(senses))));
            }
        }
        found
    }

    /// True for a word that a named filter is called.
    fn is_state(&self, at: usize) -> bool {
        self.called.iter().any(|(meaning, name)| {
            matches!((meaning, &name[..]), (Meaning::Filter(_), [only]) if self.wordings[at].likeness(only) >= 0.8)
        })
    }

    fn phrase(&self, span: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[span.clone()]
            .iter()
            .map(|token| token.word.as_str())
            .collect();
        words.join(" ")
    }

    fn cue(&self, span: &Range<usize>) -> Option<Cue> {
        let words = &self.tokens[span.clone()];
        if words
            .iter()
            .any(|token| !matches!(token.kind, TokenKind::Word(_) | TokenKind::Mark('&')))
        {
            return None;
        }
        let phrase = self.phrase(span);
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
        if compares && !self.number_follows(span.end) {
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
        let operator = lexicon().operator(&phrase)?;
        if operator == Operator::ThanAverage && phrase.starts_with("below") {
            return Some(Cue::CompareAverage(false));
        }
        of_operator(operator)
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

/// Words around a question.
pub(super) fn is_polite(word: &str) -> bool {
    matches!(
        word,
        "hi" | "hello"
            | "thanks"
            | "thank"
            | "hey"
            | "dear"
            | "please"
            | "could"
            | "i"
            | "need"
            | "want"
            | "know"
            | "like"
            | "get"
            | "got"
            | "yet"
            | "actually"
            | "dr"
            | "mr"
            | "mrs"
            | "ms"
            | "prof"
            | "really"
            | "simply"
            | "us"
            | "meeting"
            | "board"
    )
}
