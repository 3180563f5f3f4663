//! Corrections without a model: what a finding says to write instead, and what fixers make of the statement.

use std::{ops::ControlFlow, rc::Rc};

use sqlparser::ast::TableFactor;

use super::{
    Asked, Code, Finding, found_by, learned,
    parse::{Parsed, parse},
    resolve::LocatedFinding,
    resolved::Resolved,
};
use crate::question::embedded::pieces;

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
mod one_name;
mod ranking;
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
use one_name::Edit;
use shape::{Freedom, Outline};

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

/// Corrects the errors of a statement for sure, such as a column behind the wrong alias; for a statement without any, it proposes
/// what warnings speak of. Each correction is kept only if it removes its finding and adds none. `None` if nothing could be
/// corrected; the new text may still have other findings.
pub fn repair(sql: &str, asked: &Asked<'_>) -> Option<Repaired> {
    improved(sql, Ward::of(asked), true)
}

/// As [`repair`], for SQL that a question is answered with: names alone, the text around the statement, and what people have accepted
/// as a correction. What a parenthesis, a function of another
/// database or a literal was meant to say is for its author to tell: nobody reads the new text before it is answered.
pub fn repair_only(sql: &str, asked: &Asked<'_>) -> Option<Repaired> {
    let ward = Ward {
        names_alone: true,
        ..Ward::of(asked)
    };
    improved(sql, ward, false)
}

fn improved(sql: &str, mut ward: Ward<'_>, proposes: bool) -> Option<Repaired> {
    if sql.len() > MAX_LENGTH {
        return None;
    }
    let dialect = ward.asked.snapshot.dialect;
    let start = match parse(sql, dialect) {
        Ok(parsed) => {
            ward.proposes = proposes && Attempt::of(&parsed.text, &ward)?.errors() == 0;
            Attempt::retyped(&parsed.text, &ward)?
        }
        Err(finding) => Attempt::without(finding, sql, &ward)?,
    };
    // What is meant by a statement that takes a word of its own for a name is not known.
    if !ward.proposes && takes_a_kind_of_join_for_a_name(&start.parsed) {
        return None;
    }
    let best = start.improved(&ward);
    (!best.fixed.is_empty()).then_some(Repaired {
        sql: best.parsed.text.clone(),
        fixed: best.fixed,
    })
}

/// What stays the same while a statement is corrected.
struct Ward<'a> {
    asked: &'a Asked<'a>,
    wants: Option<Wants>,
    /// Whether the statement runs, and something may be proposed for it.
    proposes: bool,
    /// Whether nothing but names is corrected.
    names_alone: bool,
}

impl<'a> Ward<'a> {
    fn of(asked: &'a Asked<'a>) -> Self {
        let wants = || {
            Some(Wants {
                intent: asked.intent()?,
                pieces: pieces(asked.question, asked.today, asked.snapshot).unwrap_or_default(),
            })
        };
        Self {
            asked,
            wants: wants(),
            proposes: false,
            names_alone: false,
        }
    }

    /// True for a finding that something is done about.
    fn corrects(&self, finding: &Finding) -> bool {
        self.proposes || finding.is_error() || finding.rule == learned::LEARNED
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
        let intent = ward.wants.as_ref().map(|wants| &*wants.intent);
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
        let readable = if ward.names_alone {
            typos::quoted_as_here(text, ward.asked.snapshot)
        } else {
            typos::fixed(text, ward.asked.snapshot)
        };
        let readable = readable.into_iter();
        let readable = readable.filter(|readable| typos::say_the_same(text, readable));
        let attempts: Vec<Self> = readable.filter_map(|text| Self::of(&text, ward)).collect();
        let fewest = attempts.iter().map(Self::errors).min()?;
        let mut best = attempts.into_iter().filter(|attempt| attempt.errors() == fewest);
        let (best, other) = (best.next()?, best);
        // Where a parenthesis is lacking there may be two places for it, and two statements.
        let written = shape::without_needless_parentheses(&best.parsed);
        if other
            .into_iter()
            .any(|other| shape::without_needless_parentheses(&other.parsed) != written)
        {
            return None;
        }
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
    fn improved(mut self, ward: &Ward<'_>) -> Self {
        let mut refused = 0;
        for _ in 0..MAX_EDITS {
            let is_meant = |found: &&LocatedFinding| ward.corrects(&found.finding);
            let mut findings: Vec<_> = self.found.iter().filter(is_meant).collect();
            // What is sure comes first; the rest is judged by a statement with fewer things hidden.
            findings.sort_by_key(|found| !found.is_text_in_double_quotes());
            let Some(found) = findings.into_iter().nth(refused).cloned() else {
                break;
            };
            let mut tried: Vec<Self> = vec![];
            let mut next = None;
            let corrections = self.corrections(&found, ward).into_iter();
            for (text, freedom) in corrections.take(MAX_CORRECTIONS) {
                let kept = |attempt: &Self| {
                    let says_the_same = ward.proposes || attempt.says_what(&self, (&freedom, &found), ward);
                    attempt.keeps(&self, &found, ward) && says_the_same
                };
                let Some(attempt) = Self::of(&text, ward).filter(kept) else {
                    continue;
                };
                if attempt.is_better_than(&self, Some(&found)) {
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

    /// The texts that may be free of one finding, and in what each may differ.
    fn corrections(&self, found: &LocatedFinding, ward: &Ward<'_>) -> Vec<(String, Freedom)> {
        let read = (
            self.parsed.as_ref(),
            self.resolved.as_ref(),
            self.found.as_slice(),
        );
        let learned = learned::corrections(found, &self.parsed, &self.resolved, ward.asked);
        let learned = learned.into_iter().map(|text| (text, Freedom::Learned));
        let edit = Edit::of(found, &self.found, &self.parsed.text);
        let own = edit.map(|edit| (edit.applied(&self.parsed.text), Freedom::Name(edit)));
        if ward.names_alone {
            // What the key of a group determines may be named in GROUP BY without changing anything.
            let determined = found.finding.code == Code::GroupbyMissingCol;
            let own = own.filter(|_| determined || one_name::is_of_a_name(found.finding.code));
            return own.into_iter().chain(learned).collect();
        }
        let known = fixers::corrections(found, read, ward.asked, ward.wants.as_ref());
        let is_free = |(_, freedom): &(String, Freedom)| ward.proposes || *freedom != Freedom::Proposed;
        let known = known.into_iter().filter(is_free);
        own.into_iter().chain(learned).chain(known).collect()
    }

    /// True where it still takes away what was taken away before, and still reads what is missing, unless that is what is corrected: a
    /// statement without these has fewer findings and answers another question.
    fn keeps(&self, before: &Self, corrected: &LocatedFinding, ward: &Ward<'_>) -> bool {
        let is_missing = |found: &&LocatedFinding| found.finding.code == Code::TableMissing;
        let still = |missing: &LocatedFinding| {
            let mut found = self.found.iter().filter(is_missing);
            found.any(|found| found.finding.message == missing.finding.message)
        };
        let reads_all = is_missing(&corrected) || before.found.iter().filter(is_missing).all(still);
        let dialect = ward.asked.snapshot.dialect;
        let (now, then) = (
            Outline::of(&self.parsed, dialect),
            Outline::of(&before.parsed, dialect),
        );
        reads_all && now.takes_away_what(&then)
    }

    /// True where it says what was said before but for what was wrong, and no table is read twice that was read once beside the one
    /// that is missing: `people EXCEPT peeple` is about two tables.
    fn says_what(
        &self,
        before: &Self,
        (freedom, found): (&Freedom, &LocatedFinding),
        ward: &Ward<'_>,
    ) -> bool {
        let snapshot = ward.asked.snapshot;
        let (then, now) = (
            shape::tables_named(&before.parsed),
            shape::tables_named(&self.parsed),
        );
        let again = now
            .iter()
            .any(|(name, times)| then.get(name).is_some_and(|before| before < times));
        let (then, now) = (&before.resolved, &self.resolved);
        let says_the_same = match freedom {
            Freedom::Proposed => false,
            Freedom::Learned => true,
            Freedom::Name(edit) => {
                !one_name::is_of_a_name(found.finding.code)
                    || edit.is_all(before, self, found, ward.asked.question)
            }
            Freedom::Words => typos::say_the_same(&before.parsed.text, &self.parsed.text),
            Freedom::Dialect => {
                let outlines = [self, before].map(|one| Outline::of(&one.parsed, snapshot.dialect));
                outlines[0].has_all_of(&outlines[1])
                    // Within what this dialect has not, nothing has been read yet.
                    && then.columns.iter().all(|column| now.columns.contains(column))
                    && then.tables.iter().all(|table| now.tables.contains(table))
            }
        };
        says_the_same && !shape::says_less(&before.parsed, &self.parsed, snapshot) && !again
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

/// True for `visits LFT JOIN patients`, which is read as an inner join of visits under another name.
fn takes_a_kind_of_join_for_a_name(parsed: &Parsed) -> bool {
    let mut taken = false;
    let _ = walk::read(parsed.query.as_ref(), &mut |node, _| {
        if let walk::Node::Select(select) = node {
            for item in &select.from {
                let factors =
                    std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation));
                // The last one has no join behind it.
                let named = factors.take(item.joins.len()).filter_map(|factor| match factor {
                    TableFactor::Table { alias, .. } => alias.as_ref().filter(|alias| !alias.explicit),
                    _ => None,
                });
                taken |= named
                    .into_iter()
                    .any(|alias| typos::is_kind_of_join(&alias.name.value));
            }
        }
        ControlFlow::Continue(())
    });
    taken
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
        let own = [
            Code::AmbiguousCol,
            Code::ColMissing,
            Code::InvalidAlias,
            Code::ValueFormatWrong,
        ];
        for code in Code::TAXONOMY {
            let entry = code.entry().unwrap();
            let fixes = fixers::knows(*code) || own.contains(code);
            assert_eq!(entry.repairable, fixes, "{code}");
        }
    }
}
