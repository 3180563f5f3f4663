//! Which words of a question stand for one of some things rather than for anything else.

use std::ops::Range;

use jiff::civil::Date;

use super::{LONGEST_QUESTION, linking, question, resolve, resolve::ItemKind, vocabulary};
use crate::question::schema::{ColumnRef, Snapshot};

/// How well words must fit a name to claim it, 0 to 1: a synonym does.
const FITS: f32 = 0.7;
/// What is about as good.
const ABOUT: f32 = 0.01;

/// Words that stand for a table or a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The words, as the question has them.
    pub(crate) words: String,
    /// Where they stand.
    span: Range<usize>,
    /// The table.
    pub(crate) table: usize,
    /// The column; `None` for the table itself.
    pub(crate) column: Option<usize>,
}

/// The claims to what `among` says yes to. Words that name something else as well claim nothing, unless the question
/// names a table, which tells what they belong to.
pub(crate) fn claims(
    question: &str,
    today: Date,
    snapshot: &Snapshot,
    among: &dyn Fn(usize, Option<usize>) -> bool,
) -> Vec<Claim> {
    if question.chars().count() > LONGEST_QUESTION {
        return Vec::new();
    }
    let tokens = question::tokens(question, today);
    let vocabulary = vocabulary::of(&snapshot.schema);
    let mentions = linking::link(&tokens, &vocabulary, snapshot);
    let items = resolve::resolve(&mentions, &tokens, snapshot);
    let names_table = items.iter().any(|item| matches!(item.kind, ItemKind::Table(_)));
    let mut claims = Vec::new();
    for (mention, item) in mentions.iter().zip(&items) {
        let linking::Meaning::Named(candidates) = &mention.meaning else {
            continue;
        };
        let (table, column) = match &item.kind {
            ItemKind::Table(table) => (*table, None),
            ItemKind::Column(at, _) => (at.table, Some(at.column)),
            _ => continue,
        };
        if !among(table, column) {
            continue;
        }
        let tables = candidates
            .tables
            .iter()
            .map(|(table, score)| (*table, None, *score));
        let columns = candidates
            .columns
            .iter()
            .map(|(ColumnRef { table, column }, score)| (*table, Some(*column), *score));
        let all: Vec<_> = tables.chain(columns).collect();
        let best = |own: bool| {
            all.iter()
                .filter(|(table, column, _)| among(*table, *column) == own)
                .fold(0.0, |best: f32, (_, _, score)| best.max(*score))
        };
        let (own, other) = (best(true), best(false));
        if own >= FITS && (names_table || own > other + ABOUT) {
            let words: Vec<&str> = tokens[item.span.clone()]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            claims.push(Claim {
                words: words.join(" "),
                span: item.span.clone(),
                table,
                column,
            });
        }
    }
    claims
}

/// True if the words of all these claims mean something in a database without what they claim.
pub(crate) fn are_explained(question: &str, today: Date, without: &Snapshot, claims: &[Claim]) -> bool {
    let tokens = question::tokens(question, today);
    let vocabulary = vocabulary::of(&without.schema);
    let means_nothing = |meaning: &linking::Meaning| match meaning {
        linking::Meaning::Unknown => true,
        linking::Meaning::Named(candidates) => {
            let tables = candidates.tables.iter().map(|(_, score)| *score);
            let columns = candidates.columns.iter().map(|(_, score)| *score);
            candidates.values.is_empty() && tables.chain(columns).fold(0.0, f32::max) < FITS
        }
        _ => false,
    };
    let mentions = linking::link(&tokens, &vocabulary, without);
    let mut unknown = mentions.iter().filter(|mention| means_nothing(&mention.meaning));
    !unknown.any(|mention| {
        let claimed =
            |claim: &Claim| claim.span.start < mention.span.end && mention.span.start < claim.span.end;
        claims.iter().any(claimed)
    })
}
