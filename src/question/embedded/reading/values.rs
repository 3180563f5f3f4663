//! Stored values that a phrase names.

use std::ops::Range;

use super::{
    super::{
        question::{Token, TokenKind},
        value_words::{is_common, is_said_of_rows, text_of, weight_of_value},
    },
    ends::End,
    items::{Linker, Meaning, Sense},
    names::singular,
    question::Question,
    roles::{Cast, Role},
};
use crate::question::{
    schema::{ColumnRef, ValueHit, words},
    semantic::{FieldRole, SemanticModel},
};

/// How well a word fits the table that is called by it.
const BY_NAME: f32 = 0.95;
/// How much worse a meaning may fit that is about as good.
const ABOUT: f32 = 0.25;
/// How well a value fits a column in which it is not stored, though it is in one of that name.
const NOT_THERE: f32 = 0.7;

impl Linker<'_> {
    /// Stored values that a phrase is, and what that counts for.
    pub(super) fn values(&self, span: &Range<usize>, senses: &mut Vec<Sense>) -> f32 {
        let tokens = &self.tokens[span.clone()];
        let readable = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word(_)
                    | TokenKind::Number(_)
                    | TokenKind::Mark(_)
                    | TokenKind::Possessive
                    | TokenKind::Quoted(_)
            )
        };
        let all_numbers = tokens
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Number(_)));
        // A comma behind a name goes on with the question.
        let stops = matches!(tokens[tokens.len() - 1].kind, TokenKind::Mark(',' | ';' | ':'));
        let begins = matches!(tokens[0].kind, TokenKind::Mark(_));
        if !tokens.iter().all(readable) || all_numbers || begins || stops {
            return 0.0;
        }
        let text = text_of(tokens);
        let mut hits = self.snapshot.values.find(&words::text_words(&text));
        // People are often kept by their last name: `BRANDT, WALTER`.
        if let (true, [first, last]) = (hits.is_empty(), tokens)
            && first.capital
            && last.capital
        {
            let turned = format!("{} {}", last.text, first.text);
            hits = self.snapshot.values.find(&words::text_words(&turned));
            hits.retain(|hit| hit.stored.contains(','));
        }
        // What a table of codes says is meant of the columns that have the codes.
        let codes = &self.snapshot.profile.codes;
        hits.retain(|hit| codes.iter().all(|codes| !codes.told_by.contains(&hit.column)));
        let single = tokens.len() == 1;
        let capital = tokens[0].capital && span.start > 0;
        if single && !capital {
            let word = tokens[0].word.as_str();
            hits.retain(|hit| {
                let stored = hit.stored.to_lowercase();
                stored == word || singular(&stored) == singular(word)
            });
        }
        let common = is_common(tokens);
        hits.extend(self.snapshot.values_by_standard(&text));
        self.one_way(span.start, &mut hits);
        // `no show` is what some row says in full.
        if common && !capital && tokens.len() > 1 {
            let said = words::text_words(&text);
            hits.retain(|hit| words::text_words(&hit.stored) == said);
        }
        if common && !capital && single {
            let is_said = |column| is_said_of_rows(self.tokens, span.start, column, &self.snapshot.schema);
            hits.retain(|hit| self.is_kind(hit.column) && is_said(hit.column));
        }
        if hits.is_empty() {
            return 0.0;
        }
        // What is called exactly so is meant, not what is stored so.
        if single && !capital && self.is_name(&tokens[0].word, senses) {
            return 0.0;
        }
        if single {
            self.without_wholes(&hits, senses);
        }
        let same_spelling = hits.iter().any(|hit| *hit.stored == *text);
        self.not_there(&hits, senses);
        for hit in hits {
            let field = self.model.field(hit.column);
            // What names rows of a table is called so; a word in running text is not.
            let fit: f32 = match field.role {
                FieldRole::Text | FieldRole::Document => 0.5,
                FieldRole::Identifier | FieldRole::Reference => 0.6,
                _ => 0.9,
            };
            let spelled = if *hit.stored == *text { 0.1 } else { 0.0 };
            senses.push(Sense {
                meaning: Meaning::Value(hit.column, hit.stored),
                score: (fit + spelled).min(1.0),
            });
        }
        weight_of_value(tokens, same_spelling, capital)
    }
}

impl Linker<'_> {
    fn is_kind(&self, column: ColumnRef) -> bool {
        let role = self.model.field(column).role;
        matches!(role, FieldRole::Dimension | FieldRole::Code)
    }

    /// `from Rome to Oslo`, where both are stored of either end.
    fn one_way(&self, start: usize, hits: &mut Vec<ValueHit>) {
        let Some(end) = End::said(self.tokens, start) else {
            return;
        };
        let is_of = |hit: &ValueHit, end: End| end.is_of(&self.snapshot.schema.column(hit.column).name);
        let own = hits.iter().filter(|hit| is_of(hit, end));
        let known: Vec<usize> = own.map(|hit| hit.column.table).collect();
        hits.retain(|hit| !(known.contains(&hit.column.table) && is_of(hit, end.other())));
    }

    /// A `cat` that is kept as a kind of pets is some of them, and no word for all.
    fn without_wholes(&self, hits: &[ValueHit], senses: &mut Vec<Sense>) {
        senses.retain(|sense| {
            let Meaning::Dataset(table) = sense.meaning else {
                return true;
            };
            let mut kinds = hits.iter().filter(|hit| self.is_kind(hit.column));
            sense.score >= BY_NAME || !kinds.any(|hit| hit.column.table == table)
        });
    }

    /// `suppliers in Spain`, where only customers are from there: what is stored in a column of the same name elsewhere.
    fn not_there(&self, hits: &[ValueHit], senses: &mut Vec<Sense>) {
        let schema = &self.snapshot.schema;
        // A place is one for whatever has places; a status is one of its own rows alone.
        let is_place = |name: &str| {
            let name = words::identifier_words(name);
            name.last().is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "country" | "city" | "town" | "region" | "county" | "province" | "district" | "continent"
                )
            })
        };
        let is_kind = |at: ColumnRef| {
            self.model.field(at).role == FieldRole::Dimension && is_place(&schema.column(at).name)
        };
        let mut found: Vec<ColumnRef> = Vec::new();
        for hit in hits.iter().filter(|hit| is_kind(hit.column)) {
            let name = &schema.column(hit.column).name;
            for (at, column) in schema.columns() {
                let there = hits.iter().any(|hit| hit.column == at) || found.contains(&at);
                let same = column.name.eq_ignore_ascii_case(name) && !schema.tables[at.table].is_view;
                if same && !there && is_kind(at) {
                    found.push(at);
                    senses.push(Sense {
                        meaning: Meaning::Value(at, hit.stored.clone()),
                        score: NOT_THERE,
                    });
                }
            }
        }
    }
}

/// How many words are taken for a state or a stored value that name a table, or who or what a row refers to, about as well.
pub(super) fn value_though_named(question: &Question, cast: &Cast, model: &SemanticModel) -> f32 {
    let parts = question.mentions.iter().zip(&cast.parts);
    let taken = parts.filter(|(mention, (role, sense))| {
        let chosen = &mention.senses[*sense];
        let is_value = matches!(chosen.meaning, Meaning::Value(..) | Meaning::Filter(_));
        *role != Role::Ignored
            && is_value
            && mention.senses.iter().any(|sense| {
                let names = match sense.meaning {
                    Meaning::Dataset(_) => true,
                    Meaning::Field(at) => model.field(at).role == FieldRole::Reference,
                    _ => false,
                };
                names && sense.score + ABOUT >= chosen.score
            })
    });
    taken.count() as f32
}
