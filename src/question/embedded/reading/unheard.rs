//! Words that say nothing, and words that nothing is known of, where the answer depends on them.

use super::{
    super::{lexicon::lexicon, question::Token},
    cues::{Cue, is_past},
    items::{Meaning, PartKind, Sense},
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
    (lexicon().is_filler(word) || is_polite(word) || is_particle(tokens, at)) && !is_shouted(tokens, at)
}

/// True for what says no more of a verb than the verb does: `carried out`, `paid out`, `gave away`.
fn is_particle(tokens: &[Token], at: usize) -> bool {
    let Some(verb) = at.checked_sub(1).map(|before| tokens[before].word.as_str()) else {
        return false;
    };
    let next = tokens.get(at + 1).map_or("", |next| next.word.as_str());
    let says_more = matches!(next, "of" | "than" | "from");
    let moves = matches!(
        verb,
        "pay"
            | "pays"
            | "give"
            | "gives"
            | "send"
            | "sends"
            | "went"
            | "carry"
            | "hand"
            | "ring"
            | "rang"
            | "goes"
    );
    matches!(tokens[at].word.as_str(), "out" | "off" | "away" | "up")
        && (is_past(verb) || moves)
        && !says_more
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
            | "plase"
            | "pleas"
    )
}

/// True for `US` in `customers in US`: it is written as a name, whatever the word means.
pub(in crate::question::embedded) fn is_shouted(tokens: &[Token], at: usize) -> bool {
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

/// True for a word behind which it is told whose something is.
pub(in crate::question::embedded) fn owns(word: &str) -> bool {
    matches!(word, "of" | "per" | "by")
}

/// True for a noun that says no more than how something is to be told.
pub(in crate::question::embedded) fn is_light(word: &str) -> bool {
    matches!(
        word,
        "overview"
            | "summary"
            | "breakdown"
            | "distribution"
            | "history"
            | "profile"
            | "view"
            | "report"
            | "statistics"
            | "stats"
            | "ranking"
            | "majority"
            | "bunch"
            | "lot"
            | "lots"
            | "plenty"
            | "couple"
            | "pair"
            | "pairs"
            | "collection"
            | "group"
            | "selection"
            | "split"
            | "trend"
            | "development"
            | "comparison"
            | "rest"
            | "remainder"
            | "ids"
            | "id"
            | "people"
            | "members"
            | "anything"
            | "everything"
            | "things"
            | "stuff"
    )
}

impl Reader<'_> {
    /// True where an unknown word stands for what is asked: `the zork of customers`, `zork per customer`, `the zork and price of
    /// products`.
    pub(super) fn is_asked_for(&self, at: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let mut last = at;
        while self.items.get(last + 1).is_some_and(|next| {
            matches!(next.kind, PartKind::Unknown) && next.span.start == self.items[last].span.end
        }) {
            last += 1;
        }
        let end = self.items[last].span.end;
        let noun = word(end - 1);
        if !self.found.mentions.is_empty() || is_light(noun) {
            return false;
        }
        let owned = owns(word(end)) || word(end) == "for" && matches!(word(end + 1), "each" | "every");
        let listed = matches!(word(end), "and" | ",") && at > 0 && self.shows(at - 1);
        let next = self.items[last + 1..].iter().take(3);
        let mut names = next.filter_map(|item| match &item.kind {
            PartKind::Name(senses) => senses.first().map(|sense| &sense.meaning),
            _ => None,
        });
        match names.next() {
            Some(Meaning::Dataset(_)) => owned,
            Some(_) => owned || listed,
            None => false,
        }
    }

    /// True for a word that asks for a list.
    fn shows(&self, at: usize) -> bool {
        matches!(self.items[at].kind, PartKind::Cue(Cue::Show))
    }
}
