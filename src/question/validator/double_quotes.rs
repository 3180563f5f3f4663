//! Text in double quotes, which SQLite takes for text where it names no column.

use super::{
    Asked, Code,
    parse::{Parsed, parse},
    resolve::{LocatedFinding, resolve},
};
use crate::question::schema::Dialect;

/// The statement as SQLite reads it: what stands in double quotes and names nothing stands in single ones. Positions
/// stay what they were, unless such a text has a quote in it.
pub(super) fn as_sqlite_reads(parsed: Parsed, asked: &Asked<'_>) -> Parsed {
    let snapshot = asked.snapshot;
    if snapshot.dialect != Dialect::Sqlite || !parsed.text.contains('"') {
        return parsed;
    }
    let (_, mut found) = resolve(&parsed, &snapshot.schema, snapshot.dialect);
    found.retain(LocatedFinding::is_text_in_double_quotes);
    found.sort_by_key(|found| std::cmp::Reverse(found.span));
    let mut text: Vec<char> = parsed.text.chars().collect();
    for LocatedFinding { finding, span } in found {
        if let (Some((from, to)), Some(written)) = (span, finding.repair) {
            text.splice(from - 1..to - 1, written.chars());
        }
    }
    let text: String = text.into_iter().collect();
    parse(&text, snapshot.dialect).unwrap_or(parsed)
}

impl LocatedFinding {
    /// A name that is none and would be a text in other quotes.
    pub(super) fn is_text_in_double_quotes(&self) -> bool {
        let repair = self.finding.repair.as_deref();
        self.finding.code == Code::ColMissing && repair.is_some_and(|repair| repair.starts_with('\''))
    }
}
