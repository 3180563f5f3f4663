//! Corrections without a model: what a finding says to write instead, and what fixers make of the statement.

use std::rc::Rc;

use super::{
    Asked, Code, Finding, found_by, learned,
    parse::{Parsed, parse},
    resolve::LocatedFinding,
    resolved::Resolved,
};
use crate::question::embedded::{intent::intent, pieces};

mod case;
mod clauses;
mod conditions;
mod edit;
mod fixers;
mod foreign;
pub(super) mod fragments;
mod grouping;
mod having;
mod key_joins;
mod literals;
mod misnamed;
mod own_columns;
mod ranking;
mod rejoin;
mod selects;
mod sets;
mod shape;
mod shown;
mod sources;
mod subqueries;
mod tables;
mod typos;
pub(super) mod walk;

use case::Wants;
use shape::Shape;

/// Corrections tried on one statement.
const MAX_EDITS: usize = 20;
/// Ways to correct one finding that are tried.
const MAX_CORRECTIONS: usize = 16;
/// Characters of a statement that is corrected; whoever writes more has other troubles.
const MAX_LENGTH: usize = 20_000;

/// A statement without some of its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The new text.
    pub sql: String,
    /// The findings that are fixed, in the order in which they were.
    pub fixed: Vec<Finding>,
}

/// Corrects what can be corrected for sure, such as a column behind the wrong alias.
/// Each correction is kept only if it removes its finding and adds none. `None` if nothing could be corrected; the
/// new text may still have other findings.
pub fn repair(sql: &str, asked: &Asked<'_>) -> Option<Repaired> {
    repair_only(sql, asked, None)
}

/// As [`repair`], of findings with these codes alone, where they are named: what else is said of the statement is not why it fails, and
/// a correction of that would change what it means.
pub fn repair_only(sql: &str, asked: &Asked<'_>, only: Option<&[Code]>) -> Option<Repaired> {
    if sql.len() > MAX_LENGTH {
        return None;
    }
    let ward = Ward {
        only,
        ..Ward::of(asked)
    };
    let start = match parse(sql, asked.snapshot.dialect) {
        Ok(parsed) => Attempt::retyped(&parsed.text, &ward)?,
        Err(finding) => Attempt::without(finding, sql, &ward)?,
    };
    // A missing table hides what is wrong with its columns, so that one may have to look further than one
    // correction to see that it pays; if it does not, each has to pay by itself.
    let hidden = start
        .found
        .iter()
        .any(|found| found.finding.code == Code::TableMissing);
    let far = hidden.then(|| start.clone().improved(&ward, true));
    let best = match far.filter(|far| far.is_better_than(&start, None)) {
        Some(far) => far,
        None => start.improved(&ward, false),
    };
    (!best.fixed.is_empty()).then_some(Repaired {
        sql: best.parsed.text.clone(),
        fixed: best.fixed,
    })
}

/// What stays the same while a statement is corrected.
struct Ward<'a> {
    asked: &'a Asked<'a>,
    wants: Option<Wants>,
    /// The codes of findings that are corrected; `None` for all.
    only: Option<&'a [Code]>,
}

impl<'a> Ward<'a> {
    fn of(asked: &'a Asked<'a>) -> Self {
        let wants = || {
            Some(Wants {
                intent: intent(asked.question, asked.snapshot, asked.today)?,
                pieces: pieces(asked.question, asked.today, asked.snapshot).unwrap_or_default(),
            })
        };
        Self {
            asked,
            wants: wants(),
            only: None,
        }
    }
}

/// A text, what is wrong with it, and what was corrected on the way to it.
#[derive(Clone)]
struct Attempt {
    parsed: Rc<Parsed>,
    resolved: Rc<Resolved>,
    found: Vec<LocatedFinding>,
    fixed: Vec<Finding>,
}

impl Attempt {
    fn of(text: &str, ward: &Ward<'_>) -> Option<Self> {
        let parsed = parse(text, ward.asked.snapshot.dialect).ok()?;
        let intent = ward.wants.as_ref().map(|wants| &wants.intent);
        let (resolved, found) = found_by(&parsed, ward.asked, intent);
        Some(Self {
            parsed: Rc::new(parsed),
            resolved: Rc::new(resolved),
            found,
            fixed: vec![],
        })
    }

    /// A text that parses, with signs of a word processor typed anew where that has fewer errors.
    fn retyped(text: &str, ward: &Ward<'_>) -> Option<Self> {
        let plain = Self::of(text, ward)?;
        let retyped = typos::retyped(text).and_then(|text| Self::of(&text, ward));
        let finding = plain.found.first().map(|found| found.finding.clone());
        Some(match retyped {
            Some(retyped) if retyped.errors() < plain.errors() => Self {
                fixed: finding.into_iter().collect(),
                ..retyped
            },
            _ => plain,
        })
    }

    /// What is nearest to a text that does not parse, and does.
    fn without(finding: Finding, text: &str, ward: &Ward<'_>) -> Option<Self> {
        // A sentence around the statement looks like a statement that may not run.
        if finding.code == Code::Forbidden && typos::may_write(text) {
            return None;
        }
        let readable = typos::fixed(text, ward.asked.snapshot).into_iter();
        let attempts = readable.filter_map(|text| Self::of(&text, ward));
        let best = attempts.min_by_key(|attempt| (attempt.errors(), attempt.found.len()))?;
        let is_refused = |found: &LocatedFinding| found.finding.code == Code::Forbidden;
        (!best.found.iter().any(is_refused)).then(|| Self {
            fixed: vec![finding],
            ..best
        })
    }

    fn errors(&self) -> usize {
        let errors = self.found.iter().filter(|found| found.finding.is_error());
        errors.count()
    }

    /// Applies one correction after the other, from the front.
    fn improved(mut self, ward: &Ward<'_>, far: bool) -> Self {
        let mut refused = 0;
        for _ in 0..MAX_EDITS {
            let is_meant =
                |found: &&LocatedFinding| ward.only.is_none_or(|only| only.contains(&found.finding.code));
            let mut findings: Vec<_> = self.found.iter().filter(is_meant).collect();
            // What is sure comes first; the rest is judged by a statement with fewer things hidden.
            findings.sort_by_key(|found| !found.is_text_in_double_quotes());
            let Some(found) = findings.into_iter().nth(refused).cloned() else {
                break;
            };
            let hides = far && found.finding.code == Code::TableMissing;
            let mut tried: Vec<Self> = vec![];
            let mut next = None;
            for text in self.corrections(&found, ward).into_iter().take(MAX_CORRECTIONS) {
                let Some(attempt) = Self::of(&text, ward).filter(|attempt| attempt.keeps(&self, &found))
                else {
                    continue;
                };
                if hides || attempt.is_better_than(&self, Some(&found)) {
                    next = Some(attempt);
                    break;
                }
                tried.push(attempt);
            }
            // A wrong name hides what else is to be said of the statement.
            if next.is_none() && hides_others(found.finding.code) {
                next = tried.into_iter().find(|attempt| attempt.uncovers(&self));
            }
            match next {
                Some(next) => {
                    self.fixed.push(found.finding);
                    self = Self {
                        fixed: self.fixed,
                        ..next
                    };
                    // What could not be corrected before may be so now.
                    refused = 0;
                }
                None => refused += 1,
            }
        }
        self
    }

    /// The texts that may be free of one finding.
    fn corrections(&self, found: &LocatedFinding, ward: &Ward<'_>) -> Vec<String> {
        let read = (
            self.parsed.as_ref(),
            self.resolved.as_ref(),
            self.found.as_slice(),
        );
        let known = fixers::corrections(found, read, ward.asked, ward.wants.as_ref());
        let everywhere = self.edited_everywhere(found);
        let learned = learned::corrections(found, &self.parsed, &self.resolved, ward.asked);
        let own = self.edited(found).into_iter().chain(everywhere);
        own.chain(learned).chain(known).collect()
    }

    /// The text with the same correction wherever the same is wrong.
    fn edited_everywhere(&self, found: &LocatedFinding) -> Option<String> {
        let Finding {
            code,
            message,
            repair: Some(repair),
            ..
        } = &found.finding
        else {
            return None;
        };
        let alike = |other: &&LocatedFinding| {
            other.finding.code == *code
                && other.finding.message == *message
                && other.finding.repair.as_ref() == Some(repair)
        };
        let mut spans: Vec<_> = self
            .found
            .iter()
            .filter(alike)
            .filter_map(|found| found.span)
            .collect();
        spans.sort_unstable();
        spans.dedup();
        let mut text: Vec<char> = self.parsed.text.chars().collect();
        for (from, to) in spans.iter().rev() {
            text.splice(from - 1..to - 1, repair.chars());
        }
        (spans.len() > 1).then(|| text.into_iter().collect())
    }

    /// The text with one finding's own correction.
    fn edited(&self, found: &LocatedFinding) -> Option<String> {
        let (from, to) = found.span?;
        let repair = found.finding.repair.as_deref()?;
        let mut characters = self.parsed.text.chars();
        let before: String = characters.by_ref().take(from - 1).collect();
        let after: String = characters.skip(to - from).collect();
        Some(format!("{before}{repair}{after}"))
    }

    /// True where it still takes away what was taken away before, still reads what is missing, unless that is what is corrected, and
    /// has lost nothing over a wrong column: a statement without these has fewer findings and answers another question.
    fn keeps(&self, before: &Self, corrected: &LocatedFinding) -> bool {
        let is_missing = |found: &&LocatedFinding| found.finding.code == Code::TableMissing;
        let still = |missing: &LocatedFinding| {
            let mut found = self.found.iter().filter(is_missing);
            found.any(|found| found.finding.message == missing.finding.message)
        };
        let reads_all = is_missing(&corrected) || before.found.iter().filter(is_missing).all(still);
        let (now, then) = (Shape::of(&self.parsed), Shape::of(&before.parsed));
        let is_column = matches!(
            corrected.finding.code,
            Code::ColMissing | Code::InvalidAlias | Code::AmbiguousCol
        );
        reads_all && now.takes_away_what(&then) && (!is_column || now.has_all_of(&then))
    }

    /// Fewer errors, and no other ones; warnings that could not be seen before are no harm done.
    fn uncovers(&self, before: &Self) -> bool {
        let known = |found: &LocatedFinding| {
            let alike = |other: &LocatedFinding| {
                (other.finding.code, &other.finding.message) == (found.finding.code, &found.finding.message)
            };
            before.found.iter().any(alike)
        };
        let mut errors = self.found.iter().filter(|found| found.finding.is_error());
        self.errors() < before.errors() && errors.all(known)
    }

    /// Fewer errors or fewer warnings, and nothing that was not there before.
    fn is_better_than(&self, before: &Self, correction: Option<&LocatedFinding>) -> bool {
        let fewer = (self.errors(), self.found.len()) < (before.errors(), before.found.len());
        let same_meaning = correction.is_some_and(LocatedFinding::is_text_in_double_quotes);
        let mut known: Vec<_> = before
            .found
            .iter()
            .map(|found| (found.finding.code, &found.finding.message))
            .collect();
        fewer
            && self.found.iter().all(|found| {
                let at = known
                    .iter()
                    .position(|known| *known == (found.finding.code, &found.finding.message));
                at.map(|at| known.swap_remove(at)).is_some() || (same_meaning && !found.finding.is_error())
            })
    }
}

/// True for errors that keep others from being seen.
fn hides_others(code: Code) -> bool {
    matches!(
        code,
        Code::TableMissing
            | Code::ColMissing
            | Code::InvalidAlias
            | Code::AmbiguousCol
            | Code::UnsupportedFunction
            | Code::SqlSyntaxError
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_taxonomy_says_what_can_be_mended() {
        // Findings of these have their own correction.
        let own = [Code::ColMissing, Code::InvalidAlias, Code::ValueFormatWrong];
        for code in Code::TAXONOMY {
            let entry = code.entry().unwrap();
            let fixes = fixers::knows(*code) || own.contains(code);
            assert_eq!(entry.repairable, fixes, "{code}");
        }
    }
}
