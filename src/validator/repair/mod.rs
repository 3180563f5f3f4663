//! Corrections without a model: what a finding says to write instead, and what menders make of the statement.

use std::rc::Rc;

use super::{
    Asked, Code, Finding, all_found,
    parse::{Parsed, parse},
    resolve::Found,
};

mod clauses;
mod foreign;
#[allow(dead_code, reason = "the menders that use it follow")]
mod fragments;
mod grouping;
mod having;
mod key_joins;
mod rejoin;
#[allow(dead_code, reason = "the menders that use it follow")]
mod selects;
mod slips;
#[allow(dead_code, reason = "the menders that use it follow")]
mod sources;
mod stand_in;

/// Corrections tried on one statement.
const MAX_EDITS: usize = 20;
/// Ways to correct one finding that are tried.
const MAX_CORRECTIONS: usize = 6;

/// Other ways to write a statement that a finding speaks against, the likeliest first; each is tried, and kept only
/// if it removes the finding and adds none.
type Mender = fn(&Found, &Parsed, &Asked<'_>) -> Vec<String>;

/// Who mends what beyond the replacement that a finding itself names.
const MENDERS: &[(&[Code], Mender)] = &[
    (&[Code::TableMissing], stand_in::stand_in),
    (&[Code::ColMissing, Code::InvalidAlias], rejoin::rejoin),
    (&[Code::AggNoGroupby], grouping::add_group_by),
    (&[Code::GroupbyMissingCol], grouping::complete_group_by),
    (&[Code::HavingVsWhere], having::out_of_where),
    (
        &[
            Code::HavingVsWhere,
            Code::HavingIncorrect,
            Code::HavingWithoutGroupby,
        ],
        having::out_of_having,
    ),
    (
        &[Code::UnsupportedFunction, Code::SqlSyntaxError],
        foreign::translate,
    ),
    (&[Code::SqlSyntaxError], clauses::translate),
    (
        &[Code::SqlSyntaxError, Code::TableMissing, Code::ColMissing],
        slips::reread,
    ),
    (&[Code::DuplicateSelect], clauses::once),
    (&[Code::ColMissing, Code::TableMissing], clauses::made_up),
    (&[Code::IncorrectForeignKey], key_joins::onto_the_key),
    (&[Code::JoinMissing], key_joins::relate),
];

/// A statement without some of its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The new text.
    pub sql: String,
    /// The findings that are gone, in the order in which they were mended.
    pub gone: Vec<Finding>,
}

/// Corrects what can be corrected for sure, such as a column behind the wrong alias.
/// Each correction is kept only if it removes its finding and adds none. `None` if nothing could be corrected; the
/// new text may still have other findings.
pub fn repair(sql: &str, asked: &Asked<'_>) -> Option<Repaired> {
    let start = match parse(sql, asked.snapshot.dialect) {
        Ok(parsed) => Attempt::retyped(&parsed.text, asked)?,
        Err(finding) => Attempt::without(finding, sql, asked)?,
    };
    // A missing table hides what is wrong with its columns, so that one may have to look further than one
    // correction to see that it pays; if it does not, each has to pay by itself.
    let far = start.clone().improved(asked, true);
    let best = if far.is_better_than(&start, None) {
        far
    } else {
        start.improved(asked, false)
    };
    (!best.gone.is_empty()).then_some(Repaired {
        sql: best.parsed.text.clone(),
        gone: best.gone,
    })
}

/// A text, what is wrong with it, and what was corrected on the way to it.
#[derive(Clone)]
struct Attempt {
    parsed: Rc<Parsed>,
    found: Vec<Found>,
    gone: Vec<Finding>,
}

impl Attempt {
    fn of(text: &str, asked: &Asked<'_>) -> Option<Self> {
        let parsed = parse(text, asked.snapshot.dialect).ok()?;
        let found = all_found(&parsed, asked).1;
        Some(Self {
            parsed: Rc::new(parsed),
            found,
            gone: vec![],
        })
    }

    /// A text that parses, with signs of a word processor typed anew where that has fewer errors.
    fn retyped(text: &str, asked: &Asked<'_>) -> Option<Self> {
        let plain = Self::of(text, asked)?;
        let retyped = slips::retyped(text).and_then(|text| Self::of(&text, asked));
        let finding = plain.found.first().map(|found| found.finding.clone());
        Some(match retyped {
            Some(retyped) if retyped.errors() < plain.errors() => Self {
                gone: finding.into_iter().collect(),
                ..retyped
            },
            _ => plain,
        })
    }

    /// What is nearest to a text that does not parse, and does.
    fn without(finding: Finding, text: &str, asked: &Asked<'_>) -> Option<Self> {
        // A sentence around the statement looks like a statement that may not run.
        if finding.code == Code::Forbidden && slips::may_write(text) {
            return None;
        }
        let readable = slips::mended(text, asked.snapshot).into_iter();
        let attempts = readable.filter_map(|text| Self::of(&text, asked));
        let best = attempts.min_by_key(Self::errors)?;
        let is_refused = |found: &Found| found.finding.code == Code::Forbidden;
        (!best.found.iter().any(is_refused)).then(|| Self {
            gone: vec![finding],
            ..best
        })
    }

    fn errors(&self) -> usize {
        let errors = self.found.iter().filter(|found| found.finding.is_error());
        errors.count()
    }

    /// Applies one correction after the other, from the front.
    fn improved(mut self, asked: &Asked<'_>, far: bool) -> Self {
        let mut refused = 0;
        for _ in 0..MAX_EDITS {
            let mut findings: Vec<_> = self.found.iter().collect();
            // What is sure comes first; the rest is judged by a statement with fewer things hidden.
            findings.sort_by_key(|found| !found.is_text_in_double_quotes());
            let Some(found) = findings.into_iter().nth(refused).cloned() else {
                break;
            };
            let hides = far && found.finding.code == Code::TableMissing;
            let next = self
                .corrections(&found, asked)
                .into_iter()
                .take(MAX_CORRECTIONS)
                .filter_map(|text| Self::of(&text, asked))
                .find(|next| hides || next.is_better_than(&self, Some(&found)));
            match next {
                Some(next) => {
                    self.gone.push(found.finding);
                    self = Self {
                        gone: self.gone,
                        ..next
                    };
                }
                None => refused += 1,
            }
        }
        self
    }

    /// The texts that may be free of one finding.
    fn corrections(&self, found: &Found, asked: &Asked<'_>) -> Vec<String> {
        let menders = MENDERS
            .iter()
            .filter(|(codes, _)| codes.contains(&found.finding.code));
        self.edited(found)
            .into_iter()
            .chain(menders.flat_map(|(_, mender)| mender(found, &self.parsed, asked)))
            .collect()
    }

    /// The text with one finding's own correction.
    fn edited(&self, found: &Found) -> Option<String> {
        let (from, to) = found.span?;
        let repair = found.finding.repair.as_deref()?;
        let mut characters = self.parsed.text.chars();
        let before: String = characters.by_ref().take(from - 1).collect();
        let after: String = characters.skip(to - from).collect();
        Some(format!("{before}{repair}{after}"))
    }

    /// Fewer errors or fewer warnings, and nothing that was not there before.
    fn is_better_than(&self, before: &Self, correction: Option<&Found>) -> bool {
        let fewer = (self.errors(), self.found.len()) < (before.errors(), before.found.len());
        let same_meaning = correction.is_some_and(Found::is_text_in_double_quotes);
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
