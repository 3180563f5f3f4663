//! One row, called by its number: what it holds, how it stands.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The table and the place of the number, where a row is called so from here on: `the order number 9120`.
fn numbered(tokens: &[Token], at: usize, schema: &Schema) -> Option<(usize, usize)> {
    let noun = at + usize::from(matches!(word(tokens, at), "the" | "our" | "my"));
    let number = noun + 1 + usize::from(matches!(word(tokens, noun + 1), "number" | "no" | "nr" | "#"));
    let is_number = |token: &Token| matches!(token.kind, TokenKind::Number(_));
    let table = called(schema, tokens.get(noun)?)?;
    tokens
        .get(number)
        .is_some_and(is_number)
        .then_some((table, number))
}

/// `has order 9120 been delivered yet` as the status of it, where it has one.
pub(super) fn state(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if !matches!(word(&tokens, 0), "has" | "is" | "was" | "did" | "have") {
        return tokens;
    }
    let Some((table, number)) = numbered(&tokens, 1, schema) else {
        return tokens;
    };
    let plain = |token: &Token| matches!(token.kind, TokenKind::Word(None) | TokenKind::Mark('?' | '.'));
    let rest = &tokens[number + 1..];
    let status = schema.tables[table].columns.iter().find_map(|column| {
        has_word(&column.name, &["status", "state"]).then(|| words::identifier_words(&column.name))
    });
    let (Some(status), true) = (
        status,
        !rest.is_empty() && rest.len() < 6 && rest.iter().all(plain),
    ) else {
        return tokens;
    };
    let mut asked = written(&status, &tokens[0]);
    asked.push(said("of", &tokens[0]));
    asked.extend_from_slice(&tokens[1..=number]);
    asked
}

/// `what was in order 9120` as the lines that it has.
pub(super) fn contents(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let is = matches!(word(&tokens, 1), "is" | "was" | "'s" | "were");
    if word(&tokens, 0) != "what" || !is || word(&tokens, 2) != "in" {
        return tokens;
    }
    let Some((whole, _)) = numbered(&tokens, 3, schema) else {
        return tokens;
    };
    // What belongs to it, and to something that is sold.
    let leads = |from: usize, to: &dyn Fn(usize) -> bool| {
        schema
            .foreign_keys
            .iter()
            .any(|key| key.from[0].table == from && to(key.to[0].table))
    };
    let is_thing = |table: usize| table != whole && model.datasets[table].role == DatasetRole::Entity;
    let named_so = |table: usize| {
        words::table_words(&schema.tables[table].name).iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "line" | "item" | "detail" | "posit" | "product"
            )
        })
    };
    let mut lines = (0..schema.tables.len()).filter(|&table| {
        !schema.tables[table].is_view
            && leads(table, &|to| to == whole)
            && leads(table, &is_thing)
            && named_so(table)
    });
    let (Some(lines), None) = (lines.next(), lines.next()) else {
        return tokens;
    };
    let mut asked = name_of(schema, lines, &tokens[0]);
    asked.push(said("of", &tokens[0]));
    tokens.splice(..3, asked);
    tokens
}
