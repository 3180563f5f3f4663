//! Words that say nothing, and words that nothing is known of, where the answer depends on them.

use super::{
    super::{lexicon::lexicon, question::Token},
    items::{PartKind, Sense},
    mentions::Reader,
};

/// How well a name fits at least whose words are said, and nothing that is only near to them.
const SAID: f32 = 0.75;

/// Words behind which a name says where, or of whom.
fn leads(word: &str) -> bool {
    matches!(word, "in" | "from" | "at" | "of" | "for" | "to")
}

/// True for a word around a question that says nothing of it.
pub(super) fn says_nothing(tokens: &[Token], at: usize) -> bool {
    let word = &tokens[at].word;
    (lexicon().is_filler(word) || is_polite(word)) && !is_shouted(tokens, at)
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
            | "single"
    )
}

/// True for `US` in `customers in US`: it is written as a name, whatever the word means.
fn is_shouted(tokens: &[Token], at: usize) -> bool {
    let loud = |token: &Token| token.text.len() > 1 && token.text.chars().all(char::is_uppercase);
    at > 0 && loud(&tokens[at]) && leads(&tokens[at - 1].word) && !tokens[..at].iter().any(loud)
}

/// True for `Portugal` in `guests in Portugal` where it is only near to what columns are called: a name of its own is no word
/// for a country.
pub(super) fn is_name_of_its_own(tokens: &[Token], at: usize, senses: &[Sense]) -> bool {
    at > 0
        && tokens[at].capital
        && !tokens[at - 1].capital
        && leads(&tokens[at - 1].word)
        && senses.iter().all(|sense| sense.score < SAID)
}

impl Reader<'_> {
    /// True where an unknown word stands for what is asked: `the zork of customers`.
    pub(super) fn is_asked_for(&self, at: usize) -> bool {
        let span = &self.items[at].span;
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let article = span
            .start
            .checked_sub(1)
            .is_some_and(|before| word(before) == "the");
        let owner = self
            .items
            .get(at + 1)
            .filter(|next| next.span.start <= span.end + 2);
        article
            && word(span.end) == "of"
            && owner.is_some_and(|owner| matches!(owner.kind, PartKind::Name(_)))
            && self.found.mentions.is_empty()
    }
}
