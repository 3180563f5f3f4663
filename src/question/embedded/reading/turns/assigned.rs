//! Whom work is given to, where it is given to nobody.

use super::{
    super::{
        super::question::Token,
        persons::is_person,
        rewording::{word, written},
    },
    called,
};
use crate::question::schema::{ForeignKey, Schema, words};

/// `unassigned repairs`, `repairs not assigned to anybody` as those without the one who would do them.
pub(super) fn unassigned(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| match word(&tokens, at) {
        "unassigned" => Some((at, at)),
        "assigned" => (at.saturating_sub(2)..at)
            .find(|&not| matches!(word(&tokens, not), "not" | "never" | "nobody"))
            .map(|not| (not, at)),
        _ => None,
    });
    let Some((mut from, at)) = found else {
        return tokens;
    };
    let noun_behind = tokens.get(at + 1).and_then(|noun| called(schema, noun));
    let links = |word: &str| matches!(word, "are" | "is" | "that" | "which" | "still" | "currently");
    while noun_behind.is_none() && from > 0 && links(word(&tokens, from - 1)) {
        from -= 1;
    }
    let noun_before = || called(schema, tokens.get(from.checked_sub(1)?)?);
    let Some(table) = noun_behind.or_else(noun_before) else {
        return tokens;
    };
    let Some(name) = doer(schema, table) else {
        return tokens;
    };
    let mut end = at + 1 + usize::from(noun_behind.is_some());
    let mut asked = tokens[..from].to_vec();
    asked.extend_from_slice(&tokens[at + 1..end]);
    asked.extend(written(&["without", "a"], &tokens[at]));
    asked.extend(written(&name, &tokens[at]));
    let whom = |word: &str| matches!(word, "to" | "anyone" | "anybody" | "someone" | "somebody" | "yet");
    while noun_behind.is_none() && whom(word(&tokens, end)) {
        end += 1;
    }
    asked.extend_from_slice(&tokens[end..]);
    asked
}

/// What rows name whoever does them by, where some name nobody.
fn doer(schema: &Schema, table: usize) -> Option<Vec<String>> {
    let columns = schema.tables[table].columns.iter();
    let said = columns.filter(|column| !column.not_null).find_map(|column| {
        let mut name = words::identifier_words(&column.name);
        name.retain(|word| word != "id");
        name.iter().any(|word| word.starts_with("assign")).then_some(name)
    });
    let may_miss = |key: &&ForeignKey| {
        key.from.len() == 1
            && key.from[0].table == table
            && key.to[0].table != table
            && !schema.column(key.from[0]).not_null
            && is_person(schema, key.to[0].table)
    };
    let mut keys = schema.foreign_keys.iter().filter(may_miss);
    let only = keys.next().filter(|_| keys.next().is_none());
    said.or_else(|| only.map(|key| words::table_words(&schema.tables[key.to[0].table].name)))
}
