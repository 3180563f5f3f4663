//! Words that say what something must be: `diabetic patients`, `copies that are available`. An answer that nothing accounts for
//! them in is one about all patients and all copies.

use super::{
    Linked,
    clauses::Clauses,
    lexicon::{Operator, lexicon},
    logical::Comparator,
    question::{Token, TokenKind},
    resolve::{Item, ItemKind},
};
use crate::question::lexicon::{Part, readings};

/// How often a word is an adjective at least that is taken for one.
const OFTEN: f32 = 0.1;

/// True for an adjective or a participle that tells some things from others, wherever it stands.
pub(super) fn tells_apart(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = token.word.as_str();
    let before = at
        .checked_sub(1)
        .map_or("", |before| tokens[before].word.as_str());
    // `the most prescribed drug`: how often that was done is asked for.
    let graded = matches!(
        before,
        "most"
            | "least"
            | "best"
            | "worst"
            | "highest"
            | "lowest"
            | "how"
            | "more"
            | "less"
            | "often"
            | "running"
    ) || before.ends_with("ly");
    matches!(token.kind, TokenKind::Word(None))
        && !token.capital
        && !graded
        && !is_light(tokens, at)
        && (is_property(word) || is_participle(word) || is_telling_filler(tokens, at))
}

/// True for a word that is an adjective in many of its uses.
pub(super) fn is_property(word: &str) -> bool {
    readings(word).share(Part::Adjective) >= OFTEN && !is_participle(word)
}

/// True for a verb that says what was done with something.
pub(super) fn is_participle(word: &str) -> bool {
    let regular = word.len() > 4 && word.ends_with("ed");
    regular && !word.ends_with("eed") || lexicon().is_irregular_participle(word)
}

/// True for a verb behind `did we` that says what became of some: `how many hearings did we lose per court`.
pub(super) fn is_outcome(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let ours =
        at > 1 && matches!(word(at - 2), "did" | "do") && matches!(word(at - 1), "we" | "they" | "you" | "i");
    ours && matches!(
        word(at),
        "win"
            | "lose"
            | "reject"
            | "refuse"
            | "decline"
            | "deny"
            | "approve"
            | "postpone"
            | "delay"
            | "reschedule"
            | "cancel"
            | "terminate"
            | "renew"
            | "retain"
            | "fail"
            | "miss"
            | "skip"
            | "drop"
            | "waive"
            | "void"
            | "write"
            | "refund"
            | "resolve"
            | "solve"
            | "settle"
            | "close"
            | "finish"
            | "complete"
            | "suspend"
            | "break"
    )
}

/// True for a word that tells nothing apart: all are so, or it says how they are to be told.
fn is_light(tokens: &[Token], at: usize) -> bool {
    let word = tokens[at].word.as_str();
    lexicon().is_filler(word) && !is_telling_filler(tokens, at)
        || matches!(
            word,
            "different"
                | "distinct"
                | "various"
                | "unique"
                | "separate"
                | "single"
                | "many"
                | "several"
                | "few"
                | "much"
                | "more"
                | "total"
                | "complete"
                | "general"
                | "main"
                | "following"
                | "corresponding"
                | "registered"
                | "recorded"
                | "stored"
                | "enrolled"
                | "ranked"
                | "grouped"
                | "sorted"
                | "ordered"
                | "top"
                | "spare"
                | "actual"
                | "incoming"
        )
}

/// A word that is often said in passing, and tells things apart where it says what they are.
pub(super) fn is_telling_filler(tokens: &[Token], at: usize) -> bool {
    let word = tokens[at].word.as_str();
    matches!(
        word,
        "available" | "living" | "working" | "used" | "taken" | "held" | "owned"
    ) || matches!(word, "full" | "free" | "empty") && is_predicate(tokens, at)
}

/// True for what is said of something behind a form of `be`, with nothing behind it that it could be said with: `are diabetic`, and
/// not `are based in Leeds`.
pub(super) fn is_predicate(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let between = |word: &str| {
        matches!(
            word,
            "still"
                | "currently"
                | "now"
                | "already"
                | "not"
                | "also"
                | "actually"
                | "really"
                | "all"
                | "both"
                | "either"
                | "neither"
                | "yet"
                | "fully"
                | "always"
        )
    };
    let verb = tokens[..at].iter().rev().find(|token| !between(&token.word));
    let is = verb.is_some_and(|verb| {
        matches!(
            verb.word.as_str(),
            "is" | "are"
                | "was"
                | "were"
                | "be"
                | "being"
                | "been"
                | "isn't"
                | "aren't"
                | "wasn't"
                | "weren't"
                | "remain"
                | "remains"
                | "'s"
                | "'re"
        )
    });
    let next = word(at + 1);
    let stops = at + 1 >= tokens.len()
        || matches!(tokens[at + 1].kind, TokenKind::Mark(_))
        || matches!(
            next,
            "and" | "or" | "but" | "now" | "right" | "today" | "currently" | "yet" | "still" | "per"
        );
    // An adjective goes with `in` and `at` where a participle mostly says where.
    let placed = matches!(next, "in" | "at" | "on" | "this" | "last") && is_property(word(at));
    is && (stops || placed)
}

/// The first word that says what something must be and that the clauses have nothing for.
pub(super) fn unmet(clauses: &Clauses, linked: &Linked) -> Option<usize> {
    let tokens = &linked.tokens;
    let item_at = |at: usize| linked.items.iter().find(|item| item.span.contains(&at));
    let known = |item: &Item| !matches!(item.kind, ItemKind::Unknown);
    let idle = |at: usize| match item_at(at) {
        // `phone is available`: only where that is said of a column.
        Some(item) if matches!(item.kind, ItemKind::Operator(Operator::NotNull)) => {
            let mut conditions = clauses.conditions.iter();
            is_telling_filler(tokens, at)
                && !conditions.any(|condition| condition.operator == Comparator::IsNotNull)
        }
        Some(item) if known(item) => false,
        Some(_) => clauses.unexplained.contains(&at),
        None => is_telling_filler(tokens, at),
    };
    let before_table = |at: usize| {
        let mut next = at + 1;
        while let Some(item) = item_at(next) {
            match item.kind {
                ItemKind::Table(_) => return true,
                ItemKind::Value { .. } => next = item.span.end,
                ItemKind::Unknown if tells_apart(tokens, next) => next += 1,
                _ => return false,
            }
        }
        false
    };
    (0..tokens.len()).find(|&at| {
        tells_apart(tokens, at) && idle(at) && (before_table(at) || is_predicate(tokens, at))
            || is_outcome(tokens, at) && item_at(at).is_some() && idle(at)
    })
}
