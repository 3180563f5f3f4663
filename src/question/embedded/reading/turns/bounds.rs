//! Two bounds: `more than 100 but less than 200`, `with at least 3 but no more than 6 beds`, `up to and including 50`.

use super::super::{
    super::question::{Token, TokenKind},
    marked::{self, Marked},
    rewording::{said, word, written},
};
use crate::question::{
    schema::{Schema, words},
    semantic::Comparison,
};

/// Words that compare, and how; the longest first. What stands behind "no" or "not" is denied.
const BOUNDS: [(&[&str], Comparison); 21] = [
    (&["up", "to", "and", "including"], Comparison::AtMost),
    (&["at", "most"], Comparison::AtMost),
    (&["up", "to"], Comparison::AtMost),
    (&["at", "least"], Comparison::AtLeast),
    (&["more", "than"], Comparison::Greater),
    (&["greater", "than"], Comparison::Greater),
    (&["higher", "than"], Comparison::Greater),
    (&["larger", "than"], Comparison::Greater),
    (&["bigger", "than"], Comparison::Greater),
    (&["longer", "than"], Comparison::Greater),
    (&["over"], Comparison::Greater),
    (&["above"], Comparison::Greater),
    (&["exceeding"], Comparison::Greater),
    (&["less", "than"], Comparison::Less),
    (&["fewer", "than"], Comparison::Less),
    (&["lower", "than"], Comparison::Less),
    (&["smaller", "than"], Comparison::Less),
    (&["shorter", "than"], Comparison::Less),
    (&["under"], Comparison::Less),
    (&["below"], Comparison::Less),
    (&["beyond"], Comparison::Greater),
];

/// A number that something is compared with.
pub(super) struct Bound {
    pub(super) comparison: Comparison,
    /// Where the number is, and where what compares with it ends.
    pub(super) number: usize,
    end: usize,
}

/// Two bounds of the same in the one way in which the readings understand them.
pub(super) fn two(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut at = 0;
    while at < tokens.len() {
        let Some((first, second)) = pair(&tokens, at, schema) else {
            including(&mut tokens, at);
            at += 1;
            continue;
        };
        let numbers = [&first, &second].map(|bound| tokens[bound.number].clone());
        let whole = |token: &Token| match &token.kind {
            TokenKind::Number(number) => number.parse::<u64>().ok(),
            TokenKind::Word(Some(number)) => Some(*number),
            _ => None,
        };
        let counted = tokens.get(second.end).is_some_and(|noun| is_noun(noun, schema));
        let mut asked = Vec::new();
        if let Some(number) = whole(&numbers[1]).filter(|_| counted) {
            asked.push(marked::token(
                Marked::Until(second.comparison, number),
                &tokens[at],
            ));
            asked.extend(compared(first.comparison, &tokens[at]));
            asked.push(numbers[0].clone());
        } else {
            asked.extend(compared(first.comparison, &tokens[at]));
            asked.extend(money(&tokens, first.number));
            asked.push(numbers[0].clone());
            let joint = word(&tokens, first.end);
            let joint = if joint == "but" { joint } else { "and" };
            asked.push(said(joint, &tokens[at]));
            asked.extend(compared(second.comparison, &tokens[at]));
            asked.extend(money(&tokens, second.number));
            asked.push(numbers[1].clone());
        }
        let next = at + asked.len();
        tokens.splice(at..second.end, asked);
        at = next;
    }
    tokens
}

/// Two bounds that begin here, one from below and one from above.
fn pair(tokens: &[Token], at: usize, schema: &Schema) -> Option<(Bound, Bound)> {
    // `between 10 and 20 units`: so many of them there are.
    let between = word(tokens, at) == "between" && word(tokens, at + 2) == "and";
    if between && is_amount(tokens, at + 1) && is_amount(tokens, at + 3) {
        let counted = tokens.get(at + 4).is_some_and(|noun| is_noun(noun, schema));
        let ends = [(Comparison::AtLeast, at + 1), (Comparison::AtMost, at + 3)];
        let [low, high] = ends.map(|(comparison, number)| Bound {
            comparison,
            number,
            end: number + 1,
        });
        return counted.then_some((low, high));
    }
    let first = bound(tokens, at)?;
    let joint = match word(tokens, first.end) {
        "and" | "but" | "yet" => 1,
        "," => 1 + usize::from(matches!(word(tokens, first.end + 1), "but" | "and")),
        _ => 0,
    };
    let second = bound(tokens, first.end + joint)?;
    let least = |bound: &Bound| matches!(bound.comparison, Comparison::AtLeast | Comparison::Greater);
    (joint > 0 && least(&first) != least(&second)).then_some((first, second))
}

/// What compares from here on: `more than 5`, `no more than 5`, `30 or more`.
pub(super) fn bound(tokens: &[Token], at: usize) -> Option<Bound> {
    if is_amount(tokens, at) {
        let comparison = match (word(tokens, at + 1), word(tokens, at + 2)) {
            ("or", "more" | "above" | "higher" | "over") => Comparison::AtLeast,
            ("or", "less" | "fewer" | "below" | "lower") => Comparison::AtMost,
            _ => return None,
        };
        return Some(Bound {
            comparison,
            number: at,
            end: at + 3,
        });
    }
    let denied = is_denial(word(tokens, at));
    let at = at + usize::from(denied);
    let (words, comparison) = BOUNDS.iter().find(|(words, _)| {
        words
            .iter()
            .enumerate()
            .all(|(next, said)| word(tokens, at + next) == *said)
    })?;
    let number = at + words.len();
    let number = number + usize::from(tokens.get(number).is_some_and(is_currency));
    is_amount(tokens, number).then_some(Bound {
        comparison: if denied {
            opposite(*comparison)
        } else {
            *comparison
        },
        number,
        end: number + 1,
    })
}

/// How a word compares.
pub(super) fn grows(word: &str) -> Option<Comparison> {
    match word {
        "more" | "higher" | "larger" | "bigger" | "greater" => Some(Comparison::Greater),
        "less" | "lower" | "smaller" | "fewer" => Some(Comparison::Less),
        _ => None,
    }
}

fn is_denial(word: &str) -> bool {
    matches!(word, "no" | "not")
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Greater => Comparison::AtMost,
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Greater,
        Comparison::AtLeast => Comparison::Less,
        other => other,
    }
}

fn is_amount(tokens: &[Token], at: usize) -> bool {
    tokens
        .get(at)
        .is_some_and(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_))))
}

fn is_currency(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Mark('€' | '$' | '£'))
}

/// The currency that stands before a number.
fn money(tokens: &[Token], number: usize) -> Option<Token> {
    number
        .checked_sub(1)
        .map(|before| &tokens[before])
        .filter(|before| is_currency(before))
        .cloned()
}

/// `up to and including 50` as at most that.
fn including(tokens: &mut Vec<Token>, at: usize) {
    let says = BOUNDS[0].0;
    if says
        .iter()
        .enumerate()
        .all(|(next, said)| word(tokens, at + next) == *said)
    {
        let most = written(&["at", "most"], &tokens[at]);
        tokens.splice(at..at + says.len(), most);
    }
}

fn compared(comparison: Comparison, instead: &Token) -> Vec<Token> {
    let words = match comparison {
        Comparison::AtLeast => ["at", "least"],
        Comparison::AtMost => ["at", "most"],
        Comparison::Less => ["less", "than"],
        _ => ["more", "than"],
    };
    written(&words, instead)
}

/// True for the name of a table or a column, by its last word: so many of them there are.
fn is_noun(token: &Token, schema: &Schema) -> bool {
    let ends = |name: &str| {
        words::identifier_words(name)
            .last()
            .is_some_and(|last| words::stem(last) == token.stem)
    };
    let counts = matches!(token.word.as_str(), "units" | "pieces" | "items");
    counts
        || matches!(token.kind, TokenKind::Word(None))
            && schema
                .tables
                .iter()
                .any(|table| ends(&table.name) || table.columns.iter().any(|column| ends(&column.name)))
}

/// `with no more than 3 visits`, `not above 100`, `do not have more than 3` as at most so many: what is denied is the comparison,
/// and not what there is.
pub(super) fn denied(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let does = matches!(word(&tokens, at), "do" | "does" | "did") && word(&tokens, at + 1) == "not";
        let does = if does {
            2
        } else {
            usize::from(word(&tokens, at).ends_with("n't"))
        };
        if does > 0 && matches!(word(&tokens, at + does), "have" | "has") {
            let bound = bound(&tokens, at + does + 1)?;
            return Some((at, at + does, opposite(bound.comparison), bound.number));
        }
        let bound = bound(&tokens, at).filter(|_| is_denial(word(&tokens, at)))?;
        Some((at, at, bound.comparison, bound.number))
    });
    if let Some((begin, verb, comparison, number)) = found {
        let has = tokens[verb..number].first().filter(|_| verb > begin).cloned();
        let mut asked: Vec<Token> = has.into_iter().collect();
        asked.extend(compared(comparison, &tokens[begin]));
        asked.extend(money(&tokens, number));
        tokens.splice(begin..number, asked);
    }
    tokens
}
