//! Rights refuse what a question means; they do not change it. What its words mean is found out over all that is there,
//! and where that may not be read, nobody answers with something else instead.

use std::sync::Arc;

use super::{
    AskError,
    embedded::{self, Draft, near},
    work::{Work, off_the_runtime},
};
use crate::{
    question::{
        embedded::{Claim, are_explained, claims},
        ossie::Understood,
        schema::{Column, Schema, Snapshot, Table},
        today, validator,
    },
    statement::Mode,
};

/// A reading that is as likely right as this counts, though others could be asked.
const SURE: f64 = 0.38;

/// What the embedded agents make of a question where nothing is kept back from them.
#[derive(Debug, Clone)]
pub(super) enum Meant {
    /// This, of which all may be read, with how likely it is right.
    Open(Draft, f64),
    /// Something that may not be read.
    Withheld(WithheldNames),
    /// They do not know.
    Unknown,
}

/// What a question asks for and may not be read.
#[derive(Debug, Clone, Default)]
pub(super) struct WithheldNames {
    /// Words of the question that stand for it.
    pub(super) words: Vec<String>,
    /// What of it the user may know by name.
    pub(super) names: Vec<String>,
    /// Who may not read it, where that is not who asks.
    pub(super) whom: Option<&'static str>,
}

/// What the question means, where its user may not read everything; `None` where the user may. Fails where what it asks
/// for may not be read, whoever would answer.
pub(super) async fn meant(work: &Work<'_>) -> Result<Option<Meant>, AskError> {
    let Some(withheld) = &work.snapshot.schema.withheld else {
        return Ok(None);
    };
    let (question, shown) = (work.question.to_owned(), work.snapshot.schema.clone());
    let (whole, meaning) = (withheld.whole.clone(), Arc::clone(&work.settings.meaning));
    let (claimed, meant) = off_the_runtime(move || {
        let understood = meaning.of(&whole);
        let part = near(&question, &understood.snapshot).map(|part| understood.of_part(&part));
        let whole = part.as_ref().unwrap_or(&understood);
        read(&question, whole, &shown)
    })
    .await;
    if !claimed.words.is_empty() {
        return Err(refusal(work, claimed));
    }
    let alone = work.settings.mode == Mode::Embedded;
    match meant {
        Ok((confidence, refused)) if alone || confidence >= SURE => Err(refusal(work, refused)),
        Ok((_, refused)) => Ok(Some(Meant::Withheld(refused))),
        Err(other) => Ok(Some(other)),
    }
}

/// What of a question's words and of the question as a whole may not be read. Anybody who may make a table can call it as they like, and
/// keep it to themselves: where nothing is lacking without what strangers keep back, it does not count.
fn read(
    question: &str,
    whole: &Understood,
    shown: &Schema,
) -> (WithheldNames, Result<(f64, WithheldNames), Meant>) {
    if let Some(without) = without_strangers(&whole.snapshot) {
        let strange = |table: usize, column: Option<usize>| {
            let table = &whole.snapshot.schema.tables[table];
            let denied = |column: usize| table.columns[column].denied;
            table.of_stranger && column.map_or_else(|| table.is_denied(), denied)
        };
        let today = today();
        let theirs = claims(question, today, &whole.snapshot, &strange);
        if are_explained(question, today, &without, &theirs) {
            let without = whole.of_part(&without);
            let meant = match understood(question, &without, shown) {
                Err(Meant::Unknown) => understood(question, whole, shown),
                meant => meant,
            };
            return (claimed(question, &without.snapshot, shown), meant);
        }
    }
    (
        claimed(question, &whole.snapshot, shown),
        understood(question, whole, shown),
    )
}

/// The database without what strangers keep back; `None` where they keep back nothing.
fn without_strangers(whole: &Snapshot) -> Option<Snapshot> {
    let strange = |table: &Table| table.of_stranger && table.columns.iter().any(|column| column.denied);
    if !whole.schema.tables.iter().any(strange) {
        return None;
    }
    let kept = (0..whole.schema.tables.len()).map(|table| {
        let kept = whole.kept(table);
        if strange(&kept.shown) {
            return kept.keeping(|table, column| !table.columns[column].denied);
        }
        kept
    });
    let kept = kept.filter(|kept| !kept.columns.is_empty()).collect();
    Some(whole.of_kept(kept, !whole.fingerprint))
}

/// The error for what may not be read.
pub(super) fn refusal(work: &Work<'_>, refused: WithheldNames) -> AskError {
    let withheld = work.snapshot.schema.withheld.as_ref();
    AskError::Withheld {
        user: match (refused.whom, withheld) {
            (Some(whom), _) => whom.to_owned(),
            (None, Some(withheld)) => withheld.user.clone(),
            (None, None) => String::new(),
        },
        words: refused.words,
        names: refused.names,
    }
}

/// Private columns that words of the question stand for: SQL of a model, which has not heard of them, answers it only if
/// it reads them by chance. Each as its table's and its own position; without one, any of the table's.
pub(super) fn private_claims(question: &str, snapshot: &Snapshot) -> Vec<Claim> {
    let schema = &snapshot.schema;
    if !schema.has_private() {
        return Vec::new();
    }
    let private = |table: usize, column: Option<usize>| {
        let columns = &schema.tables[table].columns;
        match column {
            Some(column) => columns[column].private,
            None => columns.iter().all(|column| column.private),
        }
    };
    claims(question, today(), snapshot, &private)
}

fn claimed(question: &str, whole: &Snapshot, shown: &Schema) -> WithheldNames {
    let among = |table: usize, column: Option<usize>| {
        let table = &whole.schema.tables[table];
        is_kept(shown, table, column.map(|column| &table.columns[column]))
    };
    let today = today();
    let mut refused = WithheldNames::default();
    for claim in claims(question, today, whole, &among) {
        let table = &whole.schema.tables[claim.table];
        let name = match claim.column.map(|column| &table.columns[column]) {
            Some(column) if column.denied && !table.is_denied() => {
                Some(format!("{}.{}", table.name, column.name))
            }
            _ => table.is_denied().then(|| table.name.clone()),
        };
        refused.words.push(claim.words);
        refused.names.extend(name);
    }
    // A name is told for every word, or none is: what is left out would be known by that.
    if refused.names.len() < refused.words.len() {
        refused.names.clear();
    }
    refused.names.dedup();
    refused
}

fn is_kept(shown: &Schema, table: &Table, column: Option<&Column>) -> bool {
    shown
        .withheld
        .as_ref()
        .is_some_and(|withheld| withheld.keeps(shown, table, column))
}

/// What the agents make of it: how sure they are of something that may not be read, or what else they say.
fn understood(question: &str, whole: &Understood, shown: &Schema) -> Result<(f64, WithheldNames), Meant> {
    let Some((draft, likely)) = embedded::silently(question, whole) else {
        return Err(Meant::Unknown);
    };
    let names = validator::withheld(&draft.sql, shown, whole.snapshot.dialect);
    if names.is_empty() {
        return Err(Meant::Open(draft, likely));
    }
    let told: Option<Vec<String>> = names.into_iter().collect();
    let refused = WithheldNames {
        names: told.unwrap_or_default(),
        ..WithheldNames::default()
    };
    Ok((likely, refused))
}
