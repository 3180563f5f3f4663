//! How old somebody is, said by a number alone: `patients from York over 60`, `women under 30`.

use super::{
    super::{
        super::{
            lexicon::lexicon,
            question::{Token, TokenKind},
        },
        implied::is_birth,
        rewording::{is_number, word, written},
    },
    called, has_word,
};
use crate::question::schema::{Schema, words};

/// Nobody is older.
const OLDEST: u32 = 120;

/// `patients over 60` as older than 60, where a birthday is all that a number can be said of.
pub(super) fn of_persons(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let older = match word(&tokens, at) {
            "over" | "above" => true,
            "under" | "below" => false,
            _ => return None,
        };
        let number = tokens.get(at + 1).filter(|number| is_number(number))?;
        let years = match &number.kind {
            TokenKind::Number(number) => number.parse().ok()?,
            TokenKind::Word(Some(number)) => u32::try_from(*number).ok()?,
            _ => return None,
        };
        let ends = matches!(
            word(&tokens, at + 2),
            "" | "?"
                | "."
                | ","
                | "in"
                | "from"
                | "who"
                | "with"
                | "and"
                | "that"
                | "living"
                | "or"
                | "per"
                | "by"
                | "are"
                | "live"
                | "lives"
                | "do"
                | "have"
                | "has"
        );
        ((1..=OLDEST).contains(&years) && ends && says_who(&tokens, at, schema)).then_some((at, older))
    });
    if let Some((at, older)) = found {
        let are = usize::from(matches!(word(&tokens, at - 1), "are" | "is" | "aged"));
        let than = written(&[if older { "older" } else { "younger" }, "than"], &tokens[at]);
        tokens.splice(at - are..=at, than);
    }
    tokens
}

/// True where what stands before says who somebody is, or where: there is nothing else that the number could be one of.
fn says_who(tokens: &[Token], at: usize, schema: &Schema) -> bool {
    let born = |table: usize| {
        let named = |wanted: fn(&str) -> bool| {
            schema.tables[table]
                .columns
                .iter()
                .any(|column| wanted(&column.name))
        };
        let age = |name: &str| words::identifier_words(name).iter().any(|word| word == "age");
        named(is_birth) && !named(age)
    };
    let person = |token: &Token| called(schema, token).is_some_and(born);
    // `women`: somebody by a code of theirs.
    let sex = |token: &Token| {
        let code = lexicon()
            .code(&token.word)
            .or_else(|| lexicon().code(&token.stem));
        code.is_some_and(|code| {
            code.columns
                .iter()
                .any(|column| matches!(column.as_str(), "sex" | "gender"))
        })
    };
    let told_apart = |table: usize| {
        let mut columns = schema.tables[table].columns.iter();
        columns.any(|column| has_word(&column.name, &["sex", "gender"]))
    };
    let only_one = || {
        let persons = (0..schema.tables.len()).filter(|table| born(*table) && told_apart(*table));
        persons.count() == 1
    };
    let mut before = at;
    while before > 0 && matches!(word(tokens, before - 1), "are" | "is" | "who" | "that" | "aged") {
        before -= 1;
    }
    // `from York`, `in Bad Homburg`
    let end = before;
    while before > 0 && tokens[before - 1].capital {
        before -= 1;
    }
    let placed =
        before < end && before > 0 && matches!(word(tokens, before - 1), "from" | "in" | "of" | "at");
    if placed {
        before -= 1;
        if matches!(word(tokens, before.wrapping_sub(1)), "living" | "live" | "lives") {
            before -= 1;
        }
    } else if before < end && before > 0 {
        return false;
    }
    let Some(last) = before.checked_sub(1).map(|last| &tokens[last]) else {
        return false;
    };
    person(last) || sex(last) && only_one()
}
