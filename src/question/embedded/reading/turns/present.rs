//! What somebody has, where a column keeps it: `customers with a phone`, `who have an e-mail but no address`.

use super::{
    super::{
        super::{
            lexicon::derived_from_same,
            question::{Token, TokenKind},
        },
        rewording::{said, word, written},
    },
    called,
};
use crate::question::{
    lexicon::derived,
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// Words of a column's name at most.
const LONGEST: usize = 3;

/// `customers with a phone` as those of whom the phone is known: nobody asks for a column behind `a`.
pub(super) fn given(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let mut at = 1;
    while at < tokens.len() {
        let Some(end) = had(&tokens, at, schema, model) else {
            at += 1;
            continue;
        };
        let known = written(&["is", "known"], &tokens[at]);
        tokens.splice(end..end, known);
        // `and an e-mail`: the same is said of that.
        let next = end + 2;
        if matches!(word(&tokens, next), "and" | "or" | "but") && is_article(word(&tokens, next + 1)) {
            let with = said("with", &tokens[at]);
            tokens.insert(next + 1, with);
        }
        at = next;
    }
    tokens
}

/// `patients covered by insurance`, `who are reachable by phone` as those with one: what they are so by is no group.
pub(super) fn reached(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (2..tokens.len()).find_map(|at| {
        let verb = word(&tokens, at);
        let told = verb.ends_with("ed") || verb.ends_with("able") || verb.ends_with("ible");
        let by = matches!(word(&tokens, at + 1), "by" | "via" | "through" | "with");
        let sorts = matches!(
            verb,
            "grouped"
                | "sorted"
                | "ordered"
                | "ranked"
                | "listed"
                | "divided"
                | "separated"
                | "classified"
                | "categorized"
                | "categorised"
                | "counted"
                | "summed"
                | "added"
        );
        let is = matches!(word(&tokens, at - 1), "are" | "is" | "were" | "was" | "be");
        let stop = |at: usize| matches!(word(&tokens, at), "" | "?" | "." | "in" | "from" | "and" | "but");
        let from = at + 2 + usize::from(is_article(word(&tokens, at + 2)));
        let named = |used: usize| {
            let name = tokens.get(from..from + used)?;
            let plural = name.last().is_some_and(|last| last.word.ends_with('s'));
            let own = stop(from + used) && !plural && is_column(name, &tokens[..at], schema, model);
            own.then_some(from + used)
        };
        let end = (1..=LONGEST).find_map(named)?;
        (told && by && is && !sorts && called(schema, &tokens[end - 1]).is_none()).then_some((at, from, end))
    });
    let Some((at, name, end)) = found else {
        return tokens;
    };
    let known = written(&["is", "known"], &tokens[at]);
    tokens.splice(end..end, known);
    let leads = |word: &str| {
        matches!(
            word,
            "are" | "is" | "were" | "was" | "be" | "that" | "who" | "can"
        )
    };
    let from = (1..at)
        .rev()
        .find(|&before| !leads(word(&tokens, before)))
        .map_or(at, |before| before + 1);
    let with = said("with", &tokens[at]);
    tokens.splice(from..name, [with]);
    tokens
}

/// True where a word stands among the first ones.
fn before_all(tokens: &[Token], wanted: &str) -> bool {
    tokens.iter().take(2).any(|token| token.word == wanted)
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "any" | "some")
}

/// Where the name of a column ends that something is said to have here.
fn had(tokens: &[Token], at: usize, schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let has = matches!(word(tokens, at), "have" | "has" | "having" | "had");
    let not = |word: &str| matches!(word, "not" | "never" | "nobody") || word.ends_with("n't");
    if !has && word(tokens, at) != "with" || not(word(tokens, at - 1)) {
        return None;
    }
    let article = is_article(word(tokens, at + 1));
    let from = at + 1 + usize::from(article);
    (1..=LONGEST).rev().find_map(|used| {
        let name = tokens.get(from..from + used)?;
        let plain = name
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Word(None)));
        // Without an article only `who have e-mails` says so.
        // `how many patients have insurance`
        let counted = before_all(tokens, "many") && has;
        let said = article || has && name[used - 1].word.ends_with('s') || counted;
        let over = matches!(
            word(tokens, from + used),
            "" | "?"
                | "."
                | ","
                | "and"
                | "or"
                | "but"
                | "in"
                | "from"
                | "are"
                | "is"
                | "who"
                | "per"
                | "by"
                | "live"
                | "there"
                | "on"
                | "we"
        );
        let table = called(schema, &name[used - 1]).is_some();
        let found = plain && said && over && !table && is_column(name, &tokens[..at], schema, model);
        found.then_some(from + used)
    })
}

/// True for the name of a column that need not have a value, of a table that is named before.
fn is_column(name: &[Token], before: &[Token], schema: &Schema, model: &SemanticModel) -> bool {
    let spelled = name;
    let said: Vec<&str> = name.iter().map(|token| token.stem.as_str()).collect();
    let called_so = |at: ColumnRef| {
        let mut own: Vec<String> = words::identifier_words(&schema.column(at).name);
        if own.len() == said.len() && own.iter().zip(&said).all(|(own, said)| words::stem(own) == *said) {
            return true;
        }
        if matches!(
            own.last().map(String::as_str),
            Some("id" | "no" | "number" | "address")
        ) && own.len() > 1
        {
            own.pop();
        }
        // `insurance` of somebody who has an insurer
        let related = || {
            let ([own], [last]) = (&own[..], spelled) else {
                return false;
            };
            derived_from_same(own, &last.word) || derived(&last.word).any(|word| word == *own)
        };
        if related() {
            return true;
        }
        let own: Vec<String> = own.iter().map(|word| words::stem(word)).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        // `e-mail address`, `phone number`
        let kind = matches!(said.last(), Some(&("number" | "address")));
        own == said || kind && own == said[..said.len() - 1]
    };
    let owner = |token: &Token| called(schema, token);
    let owners: Vec<usize> = before.iter().filter_map(owner).collect();
    schema.columns().any(|(at, column)| {
        let role = model.field(at).role;
        !column.not_null && owners.contains(&at.table) && !matches!(role, FieldRole::Flag(_)) && called_so(at)
    })
}
