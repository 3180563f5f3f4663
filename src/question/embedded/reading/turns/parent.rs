//! What belongs to something and what belongs to nothing, as two sides: online and in the stores, the stores and the head
//! office.

use std::ops::Range;

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{word, written},
    },
    is_called,
};
use crate::question::{
    lexicon::{lemmas, synonyms},
    schema::{ColumnRef, Schema, words},
    semantic::{Condition, SemanticModel},
};

/// `revenue online and in the stores` as that online versus the rest, where what has no store is known to be online.
pub(super) fn with_and_without(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    // What is listed may do both, and a share is one of all.
    let other = |token: &Token| {
        matches!(
            token.word.as_str(),
            "who"
                | "which"
                | "that"
                | "whose"
                | "both"
                | "either"
                | "share"
                | "percentage"
                | "percent"
                | "not"
                | "only"
                | "but"
                | "without"
                | "never"
        )
    };
    if tokens.iter().any(other) {
        return tokens;
    }
    let told = model.filters.iter().find_map(|filter| {
        let Condition::Missing(of) = &filter.condition else {
            return None;
        };
        let at = ColumnRef {
            table: filter.dataset,
            column: of.column,
        };
        let mut keys = schema.foreign_keys.iter();
        let key = keys.find(|key| of.way.hops.is_empty() && key.from == [at])?;
        apart(
            &tokens,
            &words::text_words(&filter.name),
            (schema, key.to[0].table),
        )
    });
    told.unwrap_or(tokens)
}

/// The question with what has no parent, which is called so, versus the rest.
fn apart(tokens: &[Token], name: &[String], (schema, parent): (&Schema, usize)) -> Option<Vec<Token>> {
    let named = |at: &usize| (0..name.len()).all(|next| word(tokens, at + next) == name[next]);
    let alone = (0..tokens.len()).find(named).filter(|_| !name.is_empty())?;
    let alone = alone..alone + name.len();
    let belongs = (0..tokens.len()).find(|&at| !alone.contains(&at) && means(schema, parent, &tokens[at]))?;
    let grouped = belongs > 0 && matches!(word(tokens, belongs - 1), "per" | "by" | "each" | "every");
    let belongs = belongs..belongs + 1;
    let (first, second) = if alone.start < belongs.start {
        (alone.clone(), belongs)
    } else {
        (belongs, alone.clone())
    };
    if grouped || !joined(tokens, first.end..second.start) {
        return None;
    }
    let mut rest: Vec<Token> = Vec::with_capacity(tokens.len() + 3);
    for (at, token) in tokens.iter().enumerate() {
        let between = (first.end..second.start).contains(&at) && (leads(token) || joins(token));
        let before = at < first.start && leads(token) && tokens[at..first.start].iter().all(leads);
        let again = at >= first.end
            && rest
                .iter()
                .any(|known| known.stem == token.stem && token.stem.len() > 2);
        let asks = matches!(token.word.as_str(), "split" | "divided" | "compare" | "compared");
        let marks =
            token.kind == TokenKind::Mark(':') || rest.is_empty() && matches!(token.kind, TokenKind::Mark(_));
        if !(first.contains(&at) || second.contains(&at) || between || before || again || asks || marks) {
            rest.push(token.clone());
        }
    }
    if word(&rest, 0) == "how"
        && matches!(
            word(&rest, 1),
            "is" | "are" | "do" | "does" | "did" | "was" | "were"
        )
    {
        rest.drain(..2);
    }
    let versus = written(&["versus", "the", "rest"], &tokens[alone.start]);
    rest.extend_from_slice(&tokens[alone]);
    rest.extend(versus);
    Some(rest)
}

/// True where what stands between two sides only joins them.
fn joined(tokens: &[Token], between: Range<usize>) -> bool {
    let within = &tokens[between.clone()];
    let compares = |token: &Token| joins(token) && token.word != "and";
    // `online orders and their stores` is no comparison, `online sales and store sales` is one.
    let again = |token: &Token| tokens.iter().filter(|other| other.stem == token.stem).count() > 1;
    let plain = |token: &Token| leads(token) || joins(token) || again(token);
    let named = within.iter().any(|token| token.capital);
    within.iter().any(joins) && !named && (within.iter().all(plain) || within.iter().any(compares))
}

/// True for a word that sets two sides against each other.
fn joins(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "and" | "versus" | "vs" | "against" | "compared" | "compare" | "compares"
    )
}

/// True for a word that leads to a side.
fn leads(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "in" | "at"
            | "the"
            | "our"
            | "a"
            | "from"
            | "through"
            | "with"
            | "to"
            | "how"
            | "many"
            | "much"
            | ","
    )
}

/// True for a noun for the rows of a table, or another of the same meaning.
fn means(schema: &Schema, table: usize, noun: &Token) -> bool {
    let name = words::table_words(&schema.tables[table].name);
    let last = name.last().map(|last| words::stem(last));
    is_called(schema, table, noun)
        || lemmas(&noun.word)
            .flat_map(synonyms)
            .any(|other| Some(words::stem(other)) == last)
}
