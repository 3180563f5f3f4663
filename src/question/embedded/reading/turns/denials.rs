//! What was not done: `who have not paid their fines`, `orders not shipped in May`.

use super::{
    super::{
        super::{
            question::{MONTHS, Token},
            states::is_participle,
        },
        rewording::{said, word, written},
    },
    called, tells_when,
};
use crate::question::{
    schema::{ColumnRef, Schema, Snapshot, words},
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
            "not" | "weren't" | "wasn't" | "aren't" | "isn't" | "werent" | "wasnt" => (at, at + 1),
            _ if is && word(&tokens, at + 1) == "not" => (at + 1, at + 2),
            _ => return None,
        };
        let leads = ["in", "during", "on", "since", "before", "after", "until"];
        let placed = usize::from(leads.contains(&word(&tokens, verb + 1)));
        let when = tokens.get(verb + 1 + placed)?;
        if !(tells_when(when) || placed > 0 && MONTHS.contains(&when.word.as_str())) {
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
        let (ever, not) = (said("ever", &tokens[begin]), said("not", &tokens[begin]));
        tokens.insert(verb + 1, not);
        tokens[begin] = ever;
    }
    tokens
}

/// `who did not return any loan`, `who never missed or cancelled a lesson` as without returned loans, without missed or cancelled
/// lessons: nothing of theirs is so, whatever else they have or have not.
pub(super) fn did_not(mut tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let found = (1..tokens.len()).find_map(|at| {
        let denies = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("did" | "have" | "has", "not" | "never") => 2,
            ("never" | "didn't" | "haven't" | "hasn't" | "didnt", _) => 1,
            _ => return None,
        };
        let verb = at + denies;
        let second = (word(&tokens, verb + 1) == "or").then_some(verb + 2);
        let mut noun = second.unwrap_or(verb) + 1;
        if matches!(word(&tokens, noun), "a" | "an" | "any" | "single" | "one") {
            noun += 1;
        }
        noun += usize::from(word(&tokens, noun) == "single");
        // `never paid a bill late` denies that it was late.
        let ends = tokens.len() == noun + 1
            || matches!(
                word(&tokens, noun + 1),
                "?" | "." | "," | "and" | "in" | "since" | "this" | "last"
            );
        let table = called(schema, tokens.get(noun)?).filter(|_| ends)?;
        let owner = tokens[..at].iter().find_map(|token| called(schema, token))?;
        if owner == table {
            return None;
        }
        let mut said = vec![state_of(&tokens[verb], table, snapshot, model)?];
        if let Some(second) = second {
            said.push(state_of(&tokens[second], table, snapshot, model)?);
        }
        Some((at, noun, said))
    });
    let Some((at, noun, states)) = found else {
        return tokens;
    };
    let who = usize::from(matches!(word(&tokens, at - 1), "who" | "that" | "which"));
    let mut asked = written(&["without"], &tokens[noun]);
    for (place, state) in states.iter().enumerate() {
        if place > 0 {
            asked.push(said("or", &tokens[noun]));
        }
        asked.push(said(state, &tokens[noun]));
    }
    tokens.splice(at - who..noun, asked);
    tokens
}

/// What a row of a table is that this was done with: a state that it has, or one that a column keeps.
fn state_of(verb: &Token, table: usize, snapshot: &Snapshot, model: &SemanticModel) -> Option<String> {
    let columns = (0..snapshot.schema.tables[table].columns.len()).map(|column| ColumnRef { table, column });
    let states = columns.filter(|at| matches!(model.field(*at).role, FieldRole::Code | FieldRole::Dimension));
    let stored = states
        .filter_map(|at| snapshot.profile.column(at))
        .flat_map(|profile| &profile.frequent)
        .map(|(value, _)| value.to_lowercase())
        .find(|value| words::stem(value) == verb.stem && is_participle(value));
    stored.or_else(|| done_with(verb, table, &snapshot.schema, model))
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
