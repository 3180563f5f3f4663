//! What a stored value names where no table is named: `how many guitars do we own`.

use std::collections::BTreeSet;

use super::super::{framing, taken::Taken};
use crate::question::schema::{ColumnRef, Snapshot, ValueHit, words};

/// Words that a question may begin with before it names what it is about.
const BEFORE: [&str; 20] = [
    "how", "many", "much", "number", "of", "the", "all", "our", "which", "what", "show", "list", "give",
    "me", "us", "find", "get", "count", "are", "please",
];

/// What a question is about where it names that by a stored value alone.
struct Named {
    word: String,
    hits: Vec<ValueHit>,
}

fn named(asked: &[String], snapshot: &Snapshot) -> Option<Named> {
    let word = asked.iter().find(|word| !BEFORE.contains(&word.as_str()))?;
    let stem = words::stem(word);
    let is_name = |name: &str| {
        words::identifier_words(name)
            .iter()
            .any(|own| words::stem(own) == stem)
    };
    let mut tables = snapshot.schema.tables.iter();
    let names_table =
        tables.any(|table| is_name(&table.name) || table.columns.iter().any(|column| is_name(&column.name)));
    let hits = snapshot.values.find(std::slice::from_ref(word));
    (words::is_plural(word) && !names_table && !hits.is_empty()).then(|| Named {
        word: word.clone(),
        hits,
    })
}

/// The value by which a question names what it is about, where SQL, in lower case, leaves it out.
pub(in crate::question::embedded) fn left_out(
    question: &str,
    sql: &str,
    snapshot: &Snapshot,
) -> Option<String> {
    let named = named(&framing::words(question), snapshot)?;
    let taken = Taken::by(sql, &snapshot.schema);
    let there = named.hits.iter().any(|hit| taken.has_table(hit.column.table));
    (there && !named.hits.iter().any(|hit| taken.has_value(hit))).then_some(named.word)
}

/// A stored value that a question has behind `into` or `from`, where SQL, in lower case, has one that only sounds like it:
/// `translated into German` by translators of Germany.
pub(in crate::question::embedded) fn told_elsewhere(
    question: &str,
    sql: &str,
    snapshot: &Snapshot,
) -> Option<String> {
    const ALIKE: usize = 4;
    let asked = framing::words(question);
    let word = |at: usize| asked.get(at).map_or("", String::as_str);
    let texts: Vec<&str> = Taken::by(sql, &snapshot.schema).texts().collect();
    let at = (1..asked.len()).find(|&at| {
        let leads = matches!(word(at - 1), "into" | "to" | "from" | "speak" | "speaks");
        let ends = matches!(word(at + 1), "" | "to" | "into" | "and" | "or");
        let sounds = texts
            .iter()
            .any(|text| text.get(..ALIKE) == word(at).get(..ALIKE));
        let hits = snapshot.values.find(std::slice::from_ref(&asked[at]));
        leads
            && ends
            && word(at).len() > ALIKE
            && sounds
            && !texts
                .iter()
                .any(|text| text.split(' ').any(|own| own == word(at)))
            && hits.iter().any(|hit| hit.stored.eq_ignore_ascii_case(word(at)))
    })?;
    Some(asked[at].clone())
}

/// The columns of two tables that keep the value by which a question names what it is about, where it says no more of the one
/// that SQL, in lower case, takes.
pub(in crate::question::embedded) fn which_column(
    question: &str,
    sql: &str,
    snapshot: &Snapshot,
) -> Option<String> {
    let schema = &snapshot.schema;
    let asked = framing::words(question);
    let named = named(&asked, snapshot)?;
    let taken = Taken::by(sql, schema);
    let are_joined = |one: usize, other: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| {
            let ends = (key.from[0].table, key.to[0].table);
            ends == (one, other) || ends == (other, one)
        })
    };
    let one = named.hits.iter().find(|hit| taken.takes(hit))?;
    let other = named.hits.iter().find(|hit| {
        let (own, other) = (one.column.table, hit.column.table);
        own != other && !taken.has_table(other) && !are_joined(own, other)
    })?;
    let stems: BTreeSet<String> = asked.iter().map(|word| words::stem(word)).collect();
    let is_said = |name: &str| {
        let own = words::identifier_words(name);
        own.iter().any(|word| stems.contains(&words::stem(word)))
    };
    let table = &schema.tables[one.column.table];
    let mut columns = table.columns.iter();
    let says_more =
        is_said(&table.name) || columns.any(|column| taken.has(&column.name) && is_said(&column.name));
    let name = |at: ColumnRef| format!("{}.{}", schema.tables[at.table].name, schema.column(at).name);
    (!says_more).then(|| format!("{} or {}", name(one.column), name(other.column)))
}
