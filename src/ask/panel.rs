//! All proposals for one question: which of them agree, and which is the best.

use super::{
    AskError,
    candidate::{Candidate, Mended, Verdict},
    confidence::accuracy,
    error::Tried,
    poll::{self, Voice},
    work::Work,
};
use crate::{model::ModelError, validator::ValidatedSql};

/// The proposals so far, and who had none.
#[derive(Debug, Default)]
pub(super) struct Panel {
    proposals: Vec<Proposal>,
    /// Models that gave no answer.
    pub(super) failed: Vec<Tried>,
    /// Why a question has no answer in this database, in a model's words.
    pub(super) declined: Option<String>,
}

#[derive(Debug)]
struct Proposal {
    candidate: Candidate,
    /// How likely it is right on its own.
    accuracy: f64,
    /// How it reads the question, where it is one of several readings.
    reading: Option<String>,
}

/// The best proposal with the probability that it is right.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) sql: ValidatedSql,
    /// The tier that wrote it.
    pub(super) author: String,
    /// What repairs did to it, where something was to be repaired.
    pub(super) mended: Option<Mended>,
    /// 0 to 1.
    pub(super) confidence: f64,
    /// What the confidence is made of, for people.
    pub(super) basis: String,
    /// True if a model that should have been heard gave no answer.
    pub(super) degraded: bool,
}

/// Where the panel stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    /// Position of the best proposal.
    best: usize,
    /// The probability that it is right, 0 to 1.
    pub(super) confidence: f64,
}

impl Panel {
    /// Adds a proposal of an author who is right with the probability `skill`.
    pub(super) fn propose(&mut self, candidate: Candidate, skill: f64, reading: Option<String>) {
        self.proposals.push(Proposal {
            accuracy: accuracy(skill, &candidate),
            candidate,
            reading,
        });
    }

    /// A model gave no answer.
    pub(super) fn failed(&mut self, model: &str, error: &ModelError) {
        self.failed.push(Tried {
            model: model.to_owned(),
            error: error.to_string(),
        });
    }

    /// The best of the proposals that run. The best so far is replaced only by one that more speaks for; of those that
    /// agree, it is the one whose author is more often right.
    pub(super) fn standing(&self) -> Option<Standing> {
        let running = self.running();
        let camps = self.camps(&running);
        let voices: Vec<Voice<'_>> = running
            .iter()
            .zip(&camps)
            .map(|(&at, &camp)| Voice {
                author: &self.proposals[at].candidate.author,
                accuracy: self.proposals[at].accuracy,
                camp,
            })
            .collect();
        let shares = poll::shares(&voices);
        let mut best: Option<Standing> = None;
        for (&at, &camp) in running.iter().zip(&camps) {
            let speaks_more = |best: Standing| {
                let accuracy = |at: usize| self.proposals[at].accuracy;
                (shares[camp], accuracy(at)) > (best.confidence, accuracy(best.best))
            };
            if best.is_none_or(speaks_more) {
                best = Some(Standing {
                    best: at,
                    confidence: shares[camp],
                });
            }
        }
        best
    }

    /// Another reading of the question that is about as likely as the best one and gives other rows: both readings.
    pub(super) fn readings(&self, standing: Standing) -> Option<Vec<String>> {
        let best = &self.proposals[standing.best];
        let other = self.proposals.iter().find(|other| {
            other.reading.is_some()
                && other.candidate.runs().is_some()
                && !other.candidate.agrees_with(&best.candidate)
                && self.supported(other)
        })?;
        let told = |proposal: &Proposal| match &proposal.reading {
            Some(reading) => format!("{reading} ({})", proposal.candidate.text),
            None => proposal.candidate.text.clone(),
        };
        Some(vec![told(best), told(other)])
    }

    /// True if somebody else proposes the same rows.
    fn supported(&self, proposal: &Proposal) -> bool {
        self.proposals.iter().any(|other| {
            other.candidate.author != proposal.candidate.author
                && other.candidate.agrees_with(&proposal.candidate)
        })
    }

    /// What stands in the way of the last proposal of an author that does not run.
    pub(super) fn last_failure(&self, author: &str) -> Option<&Candidate> {
        let last = self
            .proposals
            .iter()
            .rev()
            .find(|proposal| proposal.candidate.author == author)?;
        last.candidate.failure().map(|_| &last.candidate)
    }

    /// The last proposal of an author, if it runs.
    pub(super) fn last_of(&self, author: &str) -> Option<&ValidatedSql> {
        let last = self.proposals.last()?;
        let (sql, _) = last.candidate.runs()?;
        (last.candidate.author == author).then_some(sql)
    }

    /// Somebody who knows says that the last proposal is wrong.
    pub(super) fn reject_last(&mut self) {
        if let Some(last) = self.proposals.last_mut() {
            last.candidate.reject();
        }
    }

    /// What an author has proposed so far.
    pub(super) fn proposed_by(&self, author: &str) -> impl Iterator<Item = &Candidate> {
        let own = self
            .proposals
            .iter()
            .filter(move |proposal| proposal.candidate.author == author && proposal.reading.is_none());
        own.map(|proposal| &proposal.candidate)
    }

    /// What speaks for the best proposal and what against it.
    fn basis(&self, best: usize) -> String {
        let chosen = &self.proposals[best];
        let mut parts = vec![format!(
            "{} alone {:.2}",
            chosen.candidate.author, chosen.accuracy
        )];
        if let Some(reservation) = chosen.candidate.reservation() {
            parts.push(reservation);
        }
        let others = self.proposals.iter().enumerate().filter(|(at, _)| *at != best);
        parts.extend(others.map(|(_, other)| {
            let author = &other.candidate.author;
            if other.candidate.runs().is_none() {
                format!("{author} failed")
            } else if other.candidate.agrees_with(&chosen.candidate) {
                format!("{author} alone {:.2} gives the same rows", other.accuracy)
            } else {
                format!("{author} alone {:.2} gives other rows", other.accuracy)
            }
        }));
        parts.join("; ")
    }

    /// A line a proposal, for people.
    pub(super) fn describe(&self) -> Vec<String> {
        let running = self.running();
        let camps = self.camps(&running);
        self.proposals
            .iter()
            .enumerate()
            .map(|(at, proposal)| {
                let said = match running.iter().position(|&running| running == at) {
                    Some(place) => format!("result {}, alone {:.2}", camps[place] + 1, proposal.accuracy),
                    None => match proposal.candidate.failure() {
                        Some(failure) => format!("fails: {}", failure.message),
                        None => String::new(),
                    },
                };
                format!(
                    "{} ({said}): {}",
                    proposal.candidate.author, proposal.candidate.text
                )
            })
            .collect()
    }

    /// The proposal to answer with, or why there is none.
    pub(super) fn conclude(mut self, work: &Work<'_>) -> Result<Chosen, AskError> {
        if let Some(Standing { best, confidence }) = self.standing() {
            let basis = self.basis(best);
            let Candidate {
                author,
                mended,
                verdict,
                ..
            } = self.proposals.swap_remove(best).candidate;
            if let Verdict::Runs { sql, .. } = verdict {
                return Ok(Chosen {
                    sql,
                    author,
                    mended,
                    confidence,
                    basis,
                    degraded: !self.failed.is_empty(),
                });
            }
        }
        // Nothing runs. What a model wrote says more than that another was not there.
        if let Some(proposal) = self.proposals.pop()
            && let Some(error) = proposal.candidate.into_error(work)
        {
            return Err(error);
        }
        if let Some(reason) = self.declined {
            return Err(AskError::NotUnderstood {
                words: Vec::new(),
                reason,
                help: None,
            });
        }
        Err(AskError::NoModel { tried: self.failed })
    }

    fn running(&self) -> Vec<usize> {
        let runs = |at: &usize| self.proposals[*at].candidate.runs().is_some();
        (0..self.proposals.len()).filter(runs).collect()
    }

    /// Which proposals give the same rows: a number for each, the same for those that agree.
    fn camps(&self, running: &[usize]) -> Vec<usize> {
        let mut first: Vec<usize> = Vec::new();
        running
            .iter()
            .map(|&at| {
                let candidate = &self.proposals[at].candidate;
                let known = first
                    .iter()
                    .position(|&other| self.proposals[other].candidate.agrees_with(candidate));
                known.unwrap_or_else(|| {
                    first.push(at);
                    first.len() - 1
                })
            })
            .collect()
    }
}
