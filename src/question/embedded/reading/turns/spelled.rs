//! How a name is spelled: it starts with A, and that is no article.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::word,
};

/// `starts with A`, `ends in the letter a` with the letter as text.
pub(super) fn letters(mut tokens: Vec<Token>) -> Vec<Token> {
    let begins = |word: &str| {
        matches!(
            word,
            "starts" | "start" | "starting" | "begins" | "begin" | "beginning" | "ends" | "end" | "ending"
        )
    };
    let found = (1..tokens.len()).find_map(|at| {
        if !begins(word(&tokens, at)) || !matches!(word(&tokens, at + 1), "with" | "in") {
            return None;
        }
        let mut letter = at + 2;
        while matches!(word(&tokens, letter), "the" | "letter" | "an")
            || word(&tokens, letter + 1) == "letter"
        {
            letter += 1;
        }
        let mut letters = tokens.get(letter)?.text.chars();
        let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
        is_letter.then_some((at + 2, letter))
    });
    if let Some((from, letter)) = found {
        tokens[letter].kind = TokenKind::Quoted(tokens[letter].text.clone());
        tokens.drain(from..letter);
    }
    tokens
}
