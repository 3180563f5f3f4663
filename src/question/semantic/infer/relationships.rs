//! What keys mean: what the other row is to this one, and how many rows there are on this side of it.

use super::{
    Evidence,
    lexicon::{self, KEY, abbreviates, stems},
};
use crate::question::{
    schema::{ColumnRef, ForeignKey, words},
    semantic::Relationship,
};

/// The meaning of one key.
pub(super) fn relationship(of: &Evidence<'_>, key: &ForeignKey) -> Relationship {
    Relationship {
        role: role(of, key),
        one_to_one: is_one_to_one(of, key),
        optional: may_be_none(of, key),
    }
}

/// What the column's name says beyond what it refers to: `manager` of `manager_id`, `billed to` of `billed_to_customer`.
fn role(of: &Evidence<'_>, key: &ForeignKey) -> Option<String> {
    let ([from], [to]) = (&key.from[..], &key.to[..]) else {
        return None;
    };
    let mut told = lexicon::table_stems(&of.schema.tables[to.table].name);
    told.extend(stems(&of.schema.column(*to).name));
    let says = |word: &&String| {
        let stem = words::stem(word);
        let is_told = told.iter().any(|told| stem == *told || abbreviates(&stem, told));
        !KEY.has(&stem) && !is_told && !stem.bytes().all(|byte| byte.is_ascii_digit())
    };
    let name = words::identifier_words(&of.schema.column(*from).name);
    let role: Vec<&str> = name.iter().filter(says).map(String::as_str).collect();
    (!role.is_empty()).then(|| role.join(" "))
}

fn is_one_to_one(of: &Evidence<'_>, key: &ForeignKey) -> bool {
    let table = &of.schema.tables[key.from[0].table];
    if let [only] = key.from[..] {
        return of.schema.column(only).unique
            || table.primary_key == [only.column]
            || of.column(only).is_some_and(|profile| {
                profile.is_unique() && of.table(only.table).is_some_and(|table| table.whole)
            });
    }
    let mut from: Vec<usize> = key.from.iter().map(|at| at.column).collect();
    let mut own = table.primary_key.clone();
    from.sort_unstable();
    own.sort_unstable();
    from == own
}

/// True where a row may refer to nothing: by NULL, an empty text or 0.
fn may_be_none(of: &Evidence<'_>, key: &ForeignKey) -> bool {
    let zero = |(from, to): (&ColumnRef, &ColumnRef)| of.profile.zero_refers_nowhere(*from, *to);
    key.from.iter().any(|at| is_optional(of, *at)) || key.from.iter().zip(&key.to).any(zero)
}

/// True where there may be no value; what was read tells it better than a declaration that allows it.
fn is_optional(of: &Evidence<'_>, at: ColumnRef) -> bool {
    let allowed = !of.schema.column(at).not_null;
    allowed
        && of
            .column(at)
            .is_none_or(|profile| profile.nulls + profile.blanks > 0)
}
