//! What was not done: `who have not paid their fines`, `orders not shipped in May`.

use super::{
    super::{
        super::{
            question::{MONTHS, Token},
            states::is_participle,
        },
        rewording::{word, written},
    },
    called, tells_when,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{DatasetRole, FieldRole, SemanticModel},
};

/// `have not paid their fines` as with fines that are not paid: whose they are has some, and it is these that are not so.
pub(super) fn not_yet_done(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let denies = match word(&tokens, at) {
            "have" | "has" | "had" | "did" if word(&tokens, at + 1) == "not" => 2,
            "haven't" | "hasn't" | "hadn't" | "didn't" | "havent" | "hasnt" | "didnt" => 1,
            _ => return None,
        };
        let yet = usize::from(matches!(word(&tokens, at + denies), "yet" | "fully"));
        let verb = at + denies + yet;
        let all = usize::from(word(&tokens, verb + 1) == "all");
        let theirs = verb + 1 + all;
        if !matches!(word(&tokens, theirs), "their" | "his" | "her" | "its") {
            return None;
        }
        let noun = theirs + 1;
        let table = called(schema, tokens.get(noun)?)?;
        let owner = tokens[..at].iter().find_map(|token| called(schema, token))?;
        let said = done_with(&tokens[verb], table, schema, model)?;
        (owner != table).then_some((at, noun, said))
    });
    let Some((at, noun, said)) = found else {
        return tokens;
    };
    let who = usize::from(matches!(word(&tokens, at - 1), "who" | "that" | "which"));
    let thing = tokens[noun].clone();
    let mut asked = written(&["with"], &thing);
    asked.push(thing.clone());
    asked.extend(written(&["that", "are", "not"], &thing));
    asked.push(super::super::rewording::said(&said, &thing));
    let yet = usize::from(word(&tokens, noun + 1) == "yet");
    tokens.splice(at - who..=noun + yet, asked);
    tokens
}

/// `orders that were not shipped in May` as shipped at another time or never: the event or the thing is there, and only that it was
/// done then is denied.
pub(super) fn not_done_in(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let is = matches!(word(&tokens, at), "were" | "was" | "are" | "is");
        let (begin, verb) = match word(&tokens, at) {
            "not" => (at, at + 1),
            "weren't" | "wasn't" | "aren't" | "isn't" | "werent" | "wasnt" => (at, at + 1),
            _ if is && word(&tokens, at + 1) == "not" => (at + 1, at + 2),
            _ => return None,
        };
        let leads = ["in", "during", "on", "since", "before", "after", "until"];
        let placed = usize::from(leads.contains(&word(&tokens, verb + 1)));
        let when = tokens.get(verb + 1 + placed)?;
        if !tells_when(when) && !(placed > 0 && MONTHS.contains(&when.word.as_str())) {
            return None;
        }
        let table = tokens[..begin]
            .iter()
            .rev()
            .find_map(|token| called(schema, token))?;
        let event = model.datasets[table].role == DatasetRole::Event && is_participle(word(&tokens, verb));
        let own = word(&tokens, verb) == "born" || is_kept(&tokens[verb], table, schema, model);
        (event || own).then_some((begin, verb))
    });
    if let Some((begin, verb)) = found {
        let not = written(&["not"], &tokens[begin]);
        tokens.splice(verb + 1..verb + 1, not);
        let ever = written(&["ever"], &tokens[begin]);
        tokens.splice(begin..=begin, ever);
    }
    tokens
}

/// True where a column keeps when that was done with a row.
fn is_kept(verb: &Token, table: usize, schema: &Schema, model: &SemanticModel) -> bool {
    let mut columns = schema.tables[table].columns.iter().enumerate();
    columns.any(|(column, described)| {
        let time = model.field(ColumnRef { table, column }).role == FieldRole::Time;
        let name = words::identifier_words(&described.name);
        time && name.iter().any(|word| words::stem(word) == verb.stem)
    })
}

/// The participle of a verb that says what was done with a row, where a column keeps that.
fn done_with(verb: &Token, table: usize, schema: &Schema, model: &SemanticModel) -> Option<String> {
    let mut columns = schema.tables[table].columns.iter().enumerate();
    columns.find_map(|(column, described)| {
        let role = model.field(ColumnRef { table, column }).role;
        let name = words::identifier_words(&described.name);
        let first = name.iter().find(|word| *word != "is")?;
        let says =
            *first == verb.word || words::stem(first) == verb.stem || verb.word == "pay" && first == "paid";
        let keeps = matches!(role, FieldRole::Flag(_)) || role == FieldRole::Time && !described.not_null;
        (says && keeps).then(|| first.clone())
    })
}
