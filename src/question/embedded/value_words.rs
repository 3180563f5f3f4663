//! Words of a question that a stored value is looked up by, and what they count for as one.

use super::{lexicon::lexicon, question::Token};

/// The words as the question has them.
pub(super) fn text_of(tokens: &[Token]) -> String {
    let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    text.join(" ").replace(" 's", "'s")
}

/// True for words that any question has.
pub(super) fn is_common(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| {
        lexicon().is_filler(&token.word) || lexicon().operator(&token.word).is_some() || token.word.len() == 1
    })
}

/// What they count for: more than the same words apart, and more where they are spelled as the value is.
pub(super) fn weight_of_value(tokens: &[Token], same_spelling: bool, capital: bool) -> f32 {
    let length = tokens.len() as f32;
    let base = if tokens.len() == 1 { 0.9 } else { 1.15 * length };
    let spelled = if same_spelling { 0.15 } else { 0.0 };
    let capitals = if capital { 0.25 * length } else { 0.0 };
    base + spelled + capitals
}
