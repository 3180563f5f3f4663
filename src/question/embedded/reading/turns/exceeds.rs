//! More of something than a value of the same thing: more pupils than places, paid less than the total.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::schema::{Schema, words};

/// Words at most of what is compared.
const NEAR: usize = 4;

/// Words for how many something has room for.
const ROOM: [&str; 7] = ["capacity", "seats", "places", "spaces", "slots", "spots", "beds"];

/// `with more pupils than places`, `paid less than their total` as `pupils > places`, `paid < total`.
pub(super) fn more_than_own(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (2..tokens.len()).find_map(|than| {
        if word(&tokens, than) != "than" {
            return None;
        }
        let article = usize::from(matches!(
            word(&tokens, than + 1),
            "the" | "their" | "its" | "our" | "they" | "it" | "there"
        ));
        let owned = than + 1 + article;
        let owned =
            owned + usize::from(article > 0 && matches!(word(&tokens, owned), "have" | "has" | "are"));
        let noun = owned_noun(&tokens, owned, schema)?;
        let owned = noun.begin;
        let (at, sign) = (than.saturating_sub(NEAR + 1)..than)
            .rev()
            .find_map(|at| Some((at, compared(word(&tokens, at))?)))?;
        let plain = |token: &Token| matches!(token.kind, TokenKind::Word(None));
        let named = &tokens[at + 1..than];
        let rows = named.iter().all(plain) && named.last().is_none_or(|last| called(schema, last).is_some());
        // `more than the total`: what is compared stands before it.
        let fits = rows && at > 0 && (!named.is_empty() || noun.is_column);
        fits.then_some((at, than, owned, noun, sign))
    });
    let Some((at, than, owned, noun, sign)) = found else {
        return tokens;
    };
    let mark = Token {
        kind: TokenKind::Mark(sign),
        ..said(&sign.to_string(), &tokens[than])
    };
    let room = room_of(&tokens, noun.end, schema);
    let mut asked = tokens[..at].to_vec();
    // `paid less than the total`: with payments that come to less.
    let paid = asked
        .last()
        .is_some_and(|last| matches!(last.word.as_str(), "paid" | "pay" | "pays"));
    let is_payment = |table: &usize| has_word(&schema.tables[*table].name, &["payment", "payments"]);
    if paid
        && than == at + 1
        && let Some(payments) = (0..schema.tables.len()).find(is_payment)
    {
        let instead = tokens[at].clone();
        asked.pop();
        asked.push(said("with", &instead));
        asked.extend(name_of(schema, payments, &instead));
    }
    if than == at + 1
        && matches!(
            asked.last().map(|last| last.word.as_str()),
            Some("is" | "are" | "was" | "were")
        )
    {
        asked.pop();
    }
    asked.extend_from_slice(&tokens[at + 1..than]);
    asked.push(mark);
    match room {
        Some(room) => asked.extend(written(&room, &tokens[noun.end])),
        None => asked.extend_from_slice(&tokens[owned..=noun.end]),
    }
    asked.extend_from_slice(&tokens[noun.end + 1..]);
    tokens.clear();
    asked
}

/// How a word compares.
fn compared(word: &str) -> Option<char> {
    match word {
        "more" | "greater" | "higher" | "larger" | "bigger" => Some('>'),
        "fewer" | "less" | "lower" | "smaller" => Some('<'),
        _ => None,
    }
}

/// What something is compared with.
struct Owned {
    /// The first word of its name.
    begin: usize,
    /// Its last word.
    end: usize,
    is_column: bool,
}

/// A column of numbers, or rows, that are named from here on.
fn owned_noun(tokens: &[Token], from: usize, schema: &Schema) -> Option<Owned> {
    for end in from..tokens.len().min(from + NEAR) {
        let token = &tokens[end];
        let plain = matches!(token.kind, TokenKind::Word(None))
            && !matches!(
                token.word.as_str(),
                "average"
                    | "last"
                    | "this"
                    | "in"
                    | "usual"
                    | "normal"
                    | "half"
                    | "any"
                    | "other"
                    | "and"
                    | "or"
            );
        if !plain {
            return None;
        }
        let goes_on = tokens.get(end + 1).is_some_and(|next| is_number_of(next, schema));
        if goes_on {
            continue;
        }
        let is_column = is_number_of(token, schema) || ROOM.contains(&token.word.as_str());
        if is_column || called(schema, token).is_some() && token.word.ends_with('s') {
            let begin = begin_of_name(tokens, (from, end), schema);
            return Some(Owned {
                begin,
                end,
                is_column,
            });
        }
    }
    None
}

/// Where the name of a column begins that ends there: `contractual weekly hours` are the weekly hours.
fn begin_of_name(tokens: &[Token], (from, end): (usize, usize), schema: &Schema) -> usize {
    let called = |begin: usize| {
        schema.columns().any(|(_, column)| {
            let name: Vec<String> = words::identifier_words(&column.name)
                .iter()
                .map(|word| words::stem(word))
                .collect();
            let said: Vec<&String> = tokens[begin..=end].iter().map(|token| &token.stem).collect();
            name.len() >= said.len()
                && name
                    .iter()
                    .rev()
                    .zip(said.iter().rev())
                    .all(|(own, said)| own == *said)
        })
    };
    (from..=end).find(|&begin| called(begin)).unwrap_or(from)
}

/// `lessons exceed their weekly hours` as `lessons > hours`.
pub(super) fn exceeds(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let exceeds = matches!(word(&tokens, at), "exceed" | "exceeds" | "exceeded" | "exceeding")
            || matches!(word(&tokens, at), "beyond" | "over" | "above")
                && matches!(word(&tokens, at + 1), "their" | "its" | "capacity");
        let article = usize::from(matches!(word(&tokens, at + 1), "the" | "their" | "its" | "our"));
        let noun = owned_noun(&tokens, at + 1 + article, schema).filter(|noun| exceeds && noun.is_column)?;
        Some((at, noun.begin))
    });
    if let Some((at, begin)) = found {
        let is = usize::from(at > 1 && matches!(word(&tokens, at - 1), "is" | "are" | "was" | "were"));
        let mark = Token {
            kind: TokenKind::Mark('>'),
            ..said(">", &tokens[at])
        };
        tokens.splice(at - is..begin, [mark]);
    }
    tokens
}

/// True for the last word of the name of a column that holds numbers, and leads nowhere.
fn is_number_of(token: &Token, schema: &Schema) -> bool {
    schema.columns().any(|(at, column)| {
        let key = schema.foreign_keys.iter().any(|key| key.from.contains(&at));
        let own = schema.tables[at.table].primary_key.contains(&at.column);
        column.kind.is_numeric()
            && !key
            && !own
            && words::identifier_words(&column.name)
                .last()
                .is_some_and(|last| words::stem(last) == token.stem)
    })
}

/// What the things that are asked about call their room, where the question calls it otherwise.
fn room_of(tokens: &[Token], noun: usize, schema: &Schema) -> Option<Vec<String>> {
    if !ROOM.contains(&word(tokens, noun)) || matches!(word(tokens, noun), "capacity") {
        return None;
    }
    let table = tokens[..noun].iter().find_map(|token| called(schema, token))?;
    let columns = &schema.tables[table].columns;
    let names = |column: &str| words::identifier_words(column);
    let same = |column: &str| {
        names(column)
            .iter()
            .any(|own| words::stem(own) == tokens[noun].stem)
    };
    if columns.iter().any(|column| same(&column.name)) {
        return None;
    }
    let mut room = columns.iter().filter(|column| {
        column.kind.is_numeric()
            && names(&column.name)
                .iter()
                .any(|own| ROOM.contains(&own.as_str()) || own == "cap")
    });
    room.next().map(|column| names(&column.name))
}
