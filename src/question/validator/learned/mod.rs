//! Errors that are not in the taxonomy by birth: what repairs of a team's own statements changed, as far as it is one thing.
//! Changes that are alike are told by their trees, with columns by their tables, and not by their texts. Those that a person
//! has accepted are found, hinted at and repaired like the built-in ones.

use serde::{Deserialize, Serialize};

use super::{
    Asked, Code, Finding,
    parse::{Parsed, parse},
    resolve::{self, LocatedFinding},
    resolved::Resolved,
};
use crate::question::schema::{Dialect, Schema};

mod canonical;
mod difference;
mod pattern;
mod places;

/// Characters of a statement that is looked at.
const LONGEST: usize = 20_000;
/// Bytes of stack for comparing two of them.
const STACK: usize = 16 << 20;

/// The rule that findings of learned subtypes are of.
pub const LEARNED: &str = "learned";

/// What a repair changed. Columns are written with their tables; what stands in both texts is a placeholder: `$1` to `$49`
/// for columns, `$50` and on for values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Change {
    /// An expression is written otherwise.
    Expression {
        /// As it was.
        before: String,
        /// As it is.
        after: String,
    },
    /// What reads a table has one more condition.
    Condition {
        /// The table.
        table: String,
        /// The condition.
        condition: String,
    },
    /// A table is joined otherwise.
    Join {
        /// The table.
        table: String,
        /// True where rows without partners are kept.
        outer: bool,
    },
}

/// A change that a person has accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subtype {
    /// What it is called.
    pub name: String,
    /// The error of the taxonomy that it is a kind of.
    pub code: Code,
    /// What removes it.
    pub change: Change,
}

/// The one thing in which the second statement differs from the first; `None` where it is none, or several, or reads a
/// private column.
pub fn change(before: &str, after: &str, schema: &Schema, dialect: Dialect) -> Option<Change> {
    if before.len().max(after.len()) > LONGEST {
        return None;
    }
    let compared = || {
        let (before, after) = (parse(before, dialect).ok()?, parse(after, dialect).ok()?);
        let before = canonical::canonical(&before, schema, dialect)?;
        let after = canonical::canonical(&after, schema, dialect)?;
        difference::difference(&before, &after)
    };
    // Trees are copied here, which takes a level of the stack for each of theirs.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, compared).ok()?.join().ok()?
    })
}

impl Change {
    /// The error of the taxonomy that it is a kind of, where nothing was found in the statement.
    pub fn code(&self) -> Code {
        match self {
            Self::Condition { .. } => Code::WhereMissing,
            Self::Join { .. } => Code::JoinWrongType,
            Self::Expression { before, .. } if before.contains('(') => Code::UnsupportedFunction,
            Self::Expression { before, .. } if before.contains('\'') => Code::ValueFormatWrong,
            Self::Expression { .. } => Code::IncorrectCol,
        }
    }

    /// The same in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Expression { before, after } => format!("{before} -> {after}"),
            Self::Condition { table, condition } => format!("{table} where {condition}"),
            Self::Join { table, outer: true } => format!("JOIN {table} -> LEFT JOIN {table}"),
            Self::Join { table, outer: false } => format!("LEFT JOIN {table} -> JOIN {table}"),
        }
    }
}

/// The same of a statement that is not valid.
pub(super) fn findings(sql: &str, asked: &Asked<'_>) -> Vec<Finding> {
    let parsed = match parse(sql, asked.snapshot.dialect) {
        Ok(parsed) if !asked.learned.is_empty() => parsed,
        _ => return vec![],
    };
    let (resolved, _) = resolve::resolve(&parsed, &asked.snapshot.schema, asked.snapshot.dialect);
    let found = found(&parsed, &resolved, asked);
    found.into_iter().map(|found| found.finding).collect()
}

/// What of the accepted subtypes is in a statement.
pub(super) fn found(parsed: &Parsed, resolved: &Resolved, asked: &Asked<'_>) -> Vec<LocatedFinding> {
    if asked.learned.is_empty() || parsed.text.len() > LONGEST {
        return vec![];
    }
    let fits = asked.learned.iter().filter_map(|subtype| {
        // Who may not read a column does not hear of it.
        places::is_visible(&subtype.change, asked.snapshot).then_some(())?;
        places::repaired(parsed, resolved, &subtype.change, asked.snapshot)?;
        let message = format!("{}: {}", subtype.name, told(&subtype.change));
        let finding = Finding::warning(subtype.code, None, message).by(LEARNED);
        let hint = format!("people have corrected this before: {}", subtype.change.describe());
        Some(LocatedFinding {
            finding: finding.with_hint(hint),
            span: None,
        })
    });
    fits.collect()
}

/// The statement without what one finding tells of.
pub(super) fn corrections(
    found: &LocatedFinding,
    parsed: &Parsed,
    resolved: &Resolved,
    asked: &Asked<'_>,
) -> Vec<String> {
    if found.finding.rule != LEARNED {
        return vec![];
    }
    let meant = |subtype: &&Subtype| found.finding.message.starts_with(&format!("{}: ", subtype.name));
    let subtypes = asked.learned.iter().filter(meant);
    subtypes
        .filter_map(|subtype| places::repaired(parsed, resolved, &subtype.change, asked.snapshot))
        .collect()
}

fn told(change: &Change) -> String {
    match change {
        Change::Expression { before, after } => format!("{before} stands where {after} is meant"),
        Change::Condition { table, condition } => format!("{table} is read without {condition}"),
        Change::Join { table, outer: true } => format!("rows without {table} are left out"),
        Change::Join { table, outer: false } => format!("rows without {table} are kept"),
    }
}
