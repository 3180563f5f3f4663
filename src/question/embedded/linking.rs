//! Schema linking: which phrases of a question name tables, columns, stored values and operators.

use std::ops::Range;

use super::{
    lexicon::{Degree, Operator, lexicon},
    question::{Token, TokenKind},
    reading::begins_period,
    value_words::{KINDS, is_common, is_said_of_rows, text_of, weight_of_value},
    vocabulary::{Similarities, Vocabulary},
};
use crate::question::schema::{ColumnRef, Snapshot, ValueHit, words};

/// Words of the longest phrase that may name something.
const LONGEST_NAME: usize = 5;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 8;

/// What a table's whole name counts for: more than its two words apart.
const QUALIFIED: f32 = 6.0;

/// A phrase of the question and what it may stand for.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    /// The tokens.
    pub(crate) span: Range<usize>,
    /// What it may stand for.
    pub(crate) meaning: Meaning,
}

/// What a phrase may stand for.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// It shapes the query.
    Operator(Operator),
    /// It compares an attribute that it does not name.
    Adjective { index: usize, degree: Degree },
    /// It names something in the database.
    Named(Candidates),
    /// Digits or a number word.
    Number(String),
    /// Text in quotes.
    Quoted { text: String, hits: Vec<ValueHit> },
    /// A day (`YYYY-MM-DD`) or a month (`YYYY-MM`).
    Date(String),
    /// `$n`.
    Parameter(usize),
    /// A comma or the like.
    Mark(char),
    /// `'s`.
    Possessive,
    /// A content word that nothing explains.
    Unknown,
}

/// What a name may refer to, with how well, 0 to 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    pub(crate) tables: Vec<(usize, f32)>,
    pub(crate) columns: Vec<(ColumnRef, f32)>,
    pub(crate) values: Vec<ValueHit>,
}

/// The mentions of a question in order, fillers left out.
pub(crate) fn link(tokens: &[Token], vocabulary: &Vocabulary, snapshot: &Snapshot) -> Vec<Mention> {
    let similarities = vocabulary.similarities(tokens);
    let context = Linker {
        tokens,
        vocabulary,
        snapshot,
        similarities,
    };
    context.segment()
}

struct Linker<'a> {
    tokens: &'a [Token],
    vocabulary: &'a Vocabulary,
    snapshot: &'a Snapshot,
    similarities: Similarities,
}

/// The best reading of the tokens up to some point.
#[derive(Clone)]
struct Best {
    score: f32,
    from: usize,
    meaning: Option<Meaning>,
}

impl Linker<'_> {
    /// The cover of the tokens by phrases with the highest sum of scores.
    fn segment(&self) -> Vec<Mention> {
        let count = self.tokens.len();
        let mut best: Vec<Best> = vec![
            Best {
                score: f32::MIN,
                from: 0,
                meaning: None
            };
            count + 1
        ];
        best[0].score = 0.0;
        for start in 0..count {
            let base = best[start].score;
            let longest = LONGEST_VALUE.max(lexicon().longest_phrase);
            for (end, reached) in best.iter_mut().enumerate().skip(start + 1).take(longest) {
                for (score, meaning) in self.readings(start..end) {
                    if base + score > reached.score {
                        *reached = Best {
                            score: base + score,
                            from: start,
                            meaning,
                        };
                    }
                }
            }
        }
        let mut mentions = Vec::new();
        let mut end = count;
        while end > 0 {
            let step = best[end].clone();
            if let Some(meaning) = step.meaning {
                mentions.push(Mention {
                    span: step.from..end,
                    meaning,
                });
            }
            end = step.from;
        }
        mentions.reverse();
        mentions
    }

    /// The table that `sales.orders` names by its schema and its own name.
    fn qualified(&self, tokens: &[Token]) -> Option<usize> {
        let [schema, name] = tokens else { return None };
        if !schema.qualifies {
            return None;
        }
        self.snapshot.schema.tables.iter().position(|table| {
            let of_schema = match &table.schema {
                Some(own) => own.eq_ignore_ascii_case(&schema.text),
                // A file has one schema, which clients see under either name.
                None => matches!(schema.word.as_str(), "main" | "public"),
            };
            of_schema && table.name.eq_ignore_ascii_case(&name.text)
        })
    }

    /// What a span may stand for, each with its score; `None` for a filler.
    fn readings(&self, span: Range<usize>) -> Vec<(f32, Option<Meaning>)> {
        let tokens = &self.tokens[span.clone()];
        if let Some(table) = self.qualified(tokens) {
            let candidates = Candidates {
                tables: vec![(table, 1.0)],
                ..Candidates::default()
            };
            return vec![(QUALIFIED, Some(Meaning::Named(candidates)))];
        }
        let mut readings = Vec::new();
        if let [token] = tokens {
            readings.push(self.single(span.start, token));
        }
        if tokens
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Word(_)) || is_sign(token))
        {
            let phrase: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
            let phrase = phrase.join(" ");
            let length = tokens.len() as f32;
            let after_number = span.start > 0
                && matches!(
                    self.tokens[span.start - 1].kind,
                    TokenKind::Number(_)
                        | TokenKind::Word(Some(_))
                        | TokenKind::Date(_)
                        | TokenKind::Month(_)
                        | TokenKind::Parameter(_)
                        | TokenKind::Quoted(_)
                );
            // Only a number can have more or less: `launched on or before` a day is until it.
            let operator = match lexicon().operator(&phrase) {
                Some(Operator::OrMore) if !after_number => (phrase == "or after").then_some(Operator::Since),
                Some(Operator::OrLess) if !after_number => (phrase == "or before").then_some(Operator::Until),
                other => other,
            };
            if let Some(operator) = operator {
                // `across all` is no group, though `across` may be one.
                let weight = if phrase.starts_with("across ") {
                    1.0
                } else if matches!(operator, Operator::Boundary | Operator::Is | Operator::Of) {
                    0.5
                } else {
                    1.0
                };
                readings.push((weight * length, Some(Meaning::Operator(operator))));
            }
            if let Some((index, degree)) = lexicon().adjective_form(&phrase) {
                let weight = if degree == Degree::Positive { 0.4 } else { 0.98 };
                readings.push((weight * length, Some(Meaning::Adjective { index, degree })));
            }
        }
        readings.extend(self.named(span));
        readings
    }

    /// `the one with the lowest price`: not the number.
    fn is_pronoun(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.tokens[before].word.as_str());
        let after = self.tokens.get(at + 1).map(|after| after.word.as_str());
        matches!(before, Some("the" | "each" | "this" | "that" | "which" | "every"))
            || matches!(after, Some("that" | "who" | "whose" | "which" | "of"))
    }

    fn single(&self, at: usize, token: &Token) -> (f32, Option<Meaning>) {
        match &token.kind {
            TokenKind::Word(Some(1)) if self.is_pronoun(at) => (0.6, None),
            TokenKind::Word(Some(value)) => (0.6, Some(Meaning::Number(value.to_string()))),
            TokenKind::Word(None) if lexicon().is_filler(&token.word) => (0.3, None),
            TokenKind::Word(None) => (0.0, Some(Meaning::Unknown)),
            TokenKind::Number(number) => (1.0, Some(Meaning::Number(number.clone()))),
            TokenKind::Ordinal(number) => (0.8, Some(Meaning::Number(number.to_string()))),
            TokenKind::Quoted(text) => {
                let hits = self.snapshot.values.find(&words::text_words(text));
                (
                    2.0,
                    Some(Meaning::Quoted {
                        text: text.clone(),
                        hits,
                    }),
                )
            }
            TokenKind::Date(date) | TokenKind::Month(date) => (1.5, Some(Meaning::Date(date.clone()))),
            TokenKind::Parameter(number) => (2.0, Some(Meaning::Parameter(*number))),
            TokenKind::Mark(mark) => (0.3, Some(Meaning::Mark(*mark))),
            TokenKind::Possessive => (0.3, Some(Meaning::Possessive)),
        }
    }

    fn named(&self, span: Range<usize>) -> Option<(f32, Option<Meaning>)> {
        let tokens = &self.tokens[span.clone()];
        let is_edge_filler = |token: &Token| is_article(&token.word);
        if is_edge_filler(tokens.first()?) || is_edge_filler(tokens.last()?) {
            return None;
        }
        if tokens.len() > 1 && begins_period(self.tokens, span.end - 1) {
            return None;
        }
        // `on` is not `ordered_on`.
        let joins = |token: &Token| {
            matches!(
                token.word.as_str(),
                "at" | "by" | "on" | "to" | "up" | "for" | "from" | "in" | "of" | "as" | "out"
            )
        };
        if tokens.iter().all(joins) {
            return None;
        }
        // `how many` asks for a number, though there may be a table `many`.
        let asks = |token: &Token| {
            matches!(
                token.word.as_str(),
                "how"
                    | "many"
                    | "much"
                    | "all"
                    | "every"
                    | "each"
                    | "any"
                    | "some"
                    | "both"
                    | "there"
                    | "is"
                    | "are"
                    | "was"
                    | "were"
                    | "do"
                    | "does"
                    | "did"
                    | "has"
                    | "have"
                    | "had"
            )
        };
        if tokens.iter().all(asks) {
            return None;
        }
        // `number of wards` counts them, though there may be a column `WardNo`.
        if tokens.len() > 2
            && tokens[0].stem == "number"
            && tokens[1].word == "of"
            && tokens
                .last()
                .is_some_and(|last| last.word.ends_with('s') && last.stem != last.word)
        {
            return None;
        }
        // `products in the category` are two things, and so are `a salary of` and `at most`.
        let apart = |pair: &[Token]| match pair[0].word.as_str() {
            "in" => is_article(&pair[1].word),
            "of" => matches!(
                pair[1].word.as_str(),
                "at" | "by" | "on" | "to" | "up" | "for" | "under"
            ),
            _ => false,
        };
        if tokens.windows(2).any(apart) {
            return None;
        }
        let is_name = |token: &Token| matches!(token.kind, TokenKind::Word(_));
        let mut candidates = Candidates::default();
        let content: Vec<usize> = span
            .clone()
            .filter(|&at| !is_article(&self.tokens[at].word))
            .collect();
        if tokens.iter().all(is_name) && content.len() <= LONGEST_NAME {
            candidates.tables = self.vocabulary.tables(&content, self.tokens, &self.similarities);
            candidates.columns = self.vocabulary.columns(&content, self.tokens, &self.similarities);
        }
        let lexical = candidates
            .tables
            .iter()
            .map(|(_, score)| *score)
            .chain(candidates.columns.iter().map(|(_, score)| *score))
            .fold(0.0, f32::max);
        let value = self.value_score(&span, lexical, &mut candidates);
        if lexical == 0.0 && value == 0.0 {
            return None;
        }
        let length = if lexical >= 0.85 {
            span.len()
        } else {
            content.len()
        } as f32;
        // Two words that name one thing together say more than the same two words apart.
        let name_score = if lexical > 0.0 {
            length * lexical * 1.15 + (length - 1.0) * 0.35 * lexical
        } else {
            0.0
        };
        Some((name_score.max(value), Some(Meaning::Named(candidates))))
    }

    fn value_score(&self, span: &Range<usize>, lexical: f32, candidates: &mut Candidates) -> f32 {
        let tokens = &self.tokens[span.clone()];
        let readable = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Mark(_) | TokenKind::Possessive
            )
        };
        let all_numbers = tokens
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Number(_)));
        if !tokens.iter().all(readable) || all_numbers || matches!(tokens[0].kind, TokenKind::Mark(_)) {
            return 0.0;
        }
        let text = text_of(tokens);
        let mut hits = self.snapshot.values.find(&words::text_words(&text));
        let single = tokens.len() == 1;
        if single && !(tokens[0].capital && span.start > 0) {
            // `based` is not the callsign `BASE`: a word in small letters may differ in number only.
            let word = tokens[0].word.as_str();
            let same = |stored: &str| {
                let stored = stored.to_lowercase();
                stored == word || singular(&stored) == singular(word)
            };
            hits.retain(|hit| same(&hit.stored));
        }
        hits.extend(self.snapshot.values_by_standard(&text));
        if hits.is_empty() {
            return 0.0;
        }
        let capital = tokens[0].capital && span.start > 0;
        if is_common(tokens) && !capital {
            let schema = &self.snapshot.schema;
            hits.retain(|hit| {
                single
                    && self.snapshot.values.distinct_of(hit.column) <= KINDS
                    && is_said_of_rows(self.tokens, span.start, hit.column, schema)
            });
            if hits.is_empty() {
                return 0.0;
            }
        }
        let same_spelling = hits.iter().any(|hit| *hit.stored == *text);
        candidates.values = hits;
        if lexical > 0.9 && single && !capital {
            0.5
        } else {
            weight_of_value(tokens, same_spelling, capital)
        }
    }
}

/// Without the plural's ending.
fn singular(word: &str) -> &str {
    word.strip_suffix("es")
        .or_else(|| word.strip_suffix('s'))
        .unwrap_or(word)
}

fn is_sign(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Mark('<' | '>' | '=' | '&'))
}

/// Words that may stand inside a name without being part of it.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "of" | "in" | "'s")
}
