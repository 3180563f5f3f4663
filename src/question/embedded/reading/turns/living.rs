//! Who lives: those of whom no death is kept, and those who are active.

use super::{
    super::{
        super::question::Token,
        rewording::{said, word, written},
    },
    called, has_word,
};
use crate::question::{
    lexicon::is_adjective,
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `living artists`, `patients who are alive` as those without a death, `dead authors` as those with one.
pub(super) fn alive(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let is_dead = matches!(word(&tokens, at), "dead" | "deceased");
        let before = || tokens[..at].iter().rev().find_map(|token| called(schema, token));
        let next = || called(schema, tokens.get(at + 1)?);
        let table = match word(&tokens, at) {
            "living" => next()?,
            "alive" => before()?,
            "dead" | "deceased" => next().or_else(before)?,
            _ => return None,
        };
        Some((at, is_dead, dies(schema, model, table)?))
    });
    let Some((at, is_dead, Death { name, is_flag })) = found else {
        return tokens;
    };
    let column = written(&name, &tokens[at]);
    let told: &[&str] = match (is_flag, is_dead) {
        (true, true) => &["that", "are"],
        (true, false) => &["that", "are", "not"],
        (false, true) => &["with"],
        (false, false) => &["without", "a"],
    };
    let mut without = written(told, &tokens[at]);
    without.extend(column);
    if !is_flag && is_dead {
        without.extend(written(&["is", "known"], &tokens[at]));
    }
    let attributes = tokens
        .get(at + 1)
        .is_some_and(|next| called(schema, next).is_some());
    if attributes && word(&tokens, at) != "alive" {
        tokens.splice(at + 2..at + 2, without);
        tokens.remove(at);
    } else {
        let is_said = |token: &Token| {
            matches!(
                token.word.as_str(),
                "who" | "that" | "are" | "is" | "still" | "were" | "being"
            )
        };
        let from = tokens[..at]
            .iter()
            .rposition(|token| !is_said(token))
            .map_or(0, |last| last + 1);
        tokens.splice(from..=at, without);
    }
    tokens
}

/// `pets that died in 2026` by the column that keeps when they did.
pub(super) fn died(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(at) = (1..tokens.len()).find(|&at| word(&tokens, at) == "died") else {
        return tokens;
    };
    let table = tokens[..at].iter().rev().find_map(|token| called(schema, token));
    let death = table.and_then(|table| death_of(schema, table));
    if let Some(death) = death.filter(|name| !name.iter().any(|word| word == "died")) {
        let has = matches!(word(&tokens, at - 1), "have" | "has" | "had");
        let written = written(&death, &tokens[at]);
        tokens.splice(at - usize::from(has)..=at, written);
    }
    tokens
}

/// The column that keeps that somebody died.
struct Death {
    name: Vec<String>,
    /// It only says so, and not when.
    is_flag: bool,
}

/// The column that keeps when somebody died, or that they did.
fn dies(schema: &Schema, model: &SemanticModel, table: usize) -> Option<Death> {
    if let Some(name) = death_of(schema, table) {
        return Some(Death { name, is_flag: false });
    }
    let mut columns = schema.tables[table].columns.iter().enumerate();
    let (column, described) = columns.find(|(_, column)| {
        let name = words::identifier_words(&column.name);
        matches!(&name[..], [only] if matches!(only.as_str(), "died" | "death" | "deceased" | "dead"))
            || matches!(&name[..], [is, last] if is == "is" && matches!(last.as_str(), "deceased" | "dead"))
    })?;
    let at = ColumnRef { table, column };
    Some(Death {
        name: words::identifier_words(&described.name),
        is_flag: matches!(model.field(at).role, FieldRole::Flag(_)),
    })
}

/// The words of the column that keeps when somebody died, however it is called.
pub(super) fn died_on(schema: &Schema, model: &SemanticModel, table: usize) -> Option<Vec<String>> {
    let death = dies(schema, model, table)?;
    (!death.is_flag).then_some(death.name)
}

/// The words of the column that keeps when somebody died.
fn death_of(schema: &Schema, table: usize) -> Option<Vec<String>> {
    let mut columns = schema.tables[table].columns.iter();
    let death = columns.find(|column| {
        has_word(&column.name, &["death", "died", "deceased"])
            && has_word(&column.name, &["date", "on", "at", "year", "day", "time"])
    })?;
    Some(words::identifier_words(&death.name))
}

/// `how many live merchants`: those that are active; where somebody lives is told behind the noun.
pub(super) fn live(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let before = at.checked_sub(1).map_or("", |before| word(&tokens, before));
        let attributes = matches!(
            before,
            "" | "many"
                | "of"
                | "all"
                | "our"
                | "the"
                | "which"
                | "what"
                | "and"
                | "with"
                | "show"
                | "list"
                | "me"
        ) || is_adjective(before);
        word(&tokens, at) == "live"
            && attributes
            && tokens
                .get(at + 1)
                .is_some_and(|next| called(schema, next).is_some())
    });
    if let Some(at) = found {
        tokens[at] = said("active", &tokens[at]);
    }
    tokens
}
