//! All proposals for one question: which of them agree, and which is the best.

use std::time::Duration;

use super::{
    AskError, EMBEDDED,
    candidate::{Candidate, RepairReport, Verdict},
    confidence::{Expected, accuracy, with_assumptions},
    error::Tried,
    optimiser,
    vote::{self, Ballot, SAME_AUTHOR},
    work::Work,
};
use crate::{
    backend::Trial,
    question::{
        model::ModelError,
        schema::Dialect,
        validator::{Code, ValidatedSql},
    },
};

/// How much likelier right a reading of the embedded agents must be than a model's own answer to stand against it. Where both
/// differ, strong models are right far more often than the figures of both would have it: the agents are sure of what they
/// overlook.
const OVERRULES: f64 = 0.1;
/// What the embedded agents' word weighs beside a model's answer that they do not overrule, as a part of a vote: what the words
/// of a question hide, they hide from both. Of a strong model's answers to tuning questions in which nothing was found 110 of 111
/// were right where they agreed, and 120 of 124 where they did not or had none.
const BESIDE_A_MODEL: f64 = 0.05;

/// What a further proposal of the same author weighs that is made freely: two of them outweigh the first. Of two of a small model that gave the same rows 9 of 16 were right where the first gave others, and the first 3.
const SAMPLED: f64 = 0.75;

/// A reading so many times less likely than the best one is still told beside it.
const CLOSE: f64 = 3.0;

/// The proposals so far, and who had none.
#[derive(Debug, Default)]
pub(super) struct Ensemble {
    proposals: Vec<Proposal>,
    /// Models that gave no answer.
    pub(super) failed: Vec<Tried>,
    /// Why a question has no answer in this database, in a model's words.
    pub(super) declined: Option<String>,
}

#[derive(Debug)]
struct Proposal {
    candidate: Candidate,
    /// How likely what its author writes is right.
    skill: Expected,
    /// How likely it is right on its own, with what was found in it.
    accuracy: f64,
    /// How it reads the question, where it is one of several readings.
    reading: Option<String>,
}

impl Proposal {
    /// How it reads the question, and its SQL, in one line.
    fn told(&self) -> String {
        // In a literal a line feed would be lost; such SQL stays as it is.
        let sql = &self.candidate.text;
        let sql = if sql.contains(['\'', '"']) {
            sql.clone()
        } else {
            sql.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        match &self.reading {
            Some(reading) => format!("{reading}: {sql}"),
            None => sql,
        }
    }
}

/// The best proposal with the probability that it is right.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) sql: ValidatedSql,
    /// The text as its author wrote it.
    pub(super) written: String,
    /// Its trial run.
    pub(super) trial: Trial,
    /// The tier that wrote it.
    pub(super) author: String,
    /// What repairs did to it, where something was to be repaired.
    pub(super) repair_report: Option<RepairReport>,
    /// What the same author wrote before, and why that did not do.
    pub(super) failed: Vec<(String, Code)>,
    /// 0 to 1.
    pub(super) confidence: f64,
    /// What the confidence is made of, for people.
    pub(super) basis: String,
    /// True if a model that should have been heard gave no answer.
    pub(super) degraded: bool,
    /// How those who proposed something came off.
    pub(super) votes: Vec<super::Vote>,
}

/// The proposals that run, and the probability that the result of each is right.
#[derive(Debug)]
struct Vote {
    members: Vec<Member>,
    /// By cluster.
    shares: Vec<f64>,
}

/// A proposal that runs.
#[derive(Debug)]
struct Member {
    /// Its position.
    at: usize,
    /// Which result it gives.
    cluster: usize,
    /// It may be answered with, whoever else proposes something.
    eligible: bool,
}

/// The proposal that leads, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leader {
    /// Position of the best proposal.
    best: usize,
    /// The probability that it is right, 0 to 1.
    pub(super) confidence: f64,
}

impl Ensemble {
    /// Adds a proposal of an author who is right as often as `skill` says.
    pub(super) fn propose(&mut self, candidate: Candidate, skill: Expected, reading: Option<String>) {
        let accuracy = accuracy(skill.likely, &candidate);
        self.proposals.push(Proposal {
            skill,
            accuracy: if skill.assumes {
                with_assumptions(accuracy, skill.likely)
            } else {
                accuracy
            },
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

    /// The best of the proposals that run: what most speaks for; of those that agree, a model's, an answer before another reading,
    /// then the one whose author is more often right. What no model proposes stands only where it is demonstrably better than what a model does.
    pub(super) fn leader(&self) -> Option<Leader> {
        let vote = self.vote();
        let eligible = |cluster: usize| {
            let mut members = vote.members.iter();
            members.any(|member| member.cluster == cluster && member.eligible)
        };
        let rank = |member: &Member| {
            let proposal = &self.proposals[member.at];
            let is_of_model = proposal.candidate.author != EMBEDDED;
            let is_answer = proposal.reading.is_none();
            (
                vote.shares[member.cluster],
                is_of_model,
                is_answer,
                proposal.accuracy,
            )
        };
        let mut best: Option<&Member> = None;
        for member in vote.members.iter().filter(|member| eligible(member.cluster)) {
            if best.is_none_or(|best| rank(member) > rank(best)) {
                best = Some(member);
            }
        }
        best.map(|best| Leader {
            best: best.at,
            confidence: vote.shares[best.cluster],
        })
    }

    /// Who runs, who agrees with whom, and how likely each result is the right one.
    fn vote(&self) -> Vote {
        let running = self.running();
        let clusters = self.clusters(&running);
        let is_answer = |at: &usize| self.is_answer_of_model(*at);
        let models: Vec<usize> = running.iter().copied().filter(is_answer).collect();
        let member = |(&at, &cluster): (&usize, &usize)| Member {
            at,
            cluster,
            eligible: self.is_answer_of_model(at) || models.iter().all(|model| self.overrules(at, *model)),
        };
        let mut members: Vec<Member> = running.iter().zip(&clusters).map(member).collect();
        // What a model answers speaks before its other readings, which are half a word more.
        members.sort_by_key(|member| !is_answer(&member.at));
        let ballot = |member: &Member| {
            let proposal = &self.proposals[member.at];
            let author = proposal.candidate.author.as_str();
            let beside = author == EMBEDDED && !member.eligible;
            Ballot {
                author,
                accuracy: proposal.accuracy,
                weight: if beside { BESIDE_A_MODEL } else { 1.0 },
                again: if proposal.skill.sampled {
                    SAMPLED
                } else {
                    SAME_AUTHOR
                },
                cluster: member.cluster,
            }
        };
        let ballots: Vec<Ballot<'_>> = members.iter().map(ballot).collect();
        Vote {
            shares: vote::shares(&ballots),
            members,
        }
    }

    /// True for what a model answers, other readings apart.
    fn is_answer_of_model(&self, at: usize) -> bool {
        let proposal = &self.proposals[at];
        proposal.candidate.author != EMBEDDED && proposal.reading.is_none()
    }

    /// True if a reading of the embedded agents may stand against a model's answer: it is likelier than anything the model
    /// writes, or it is the same but for rows that come twice, which the model's leaves out unasked. Another reading of a
    /// model's own never does: the model itself prefers its answer.
    fn overrules(&self, reading: usize, model: usize) -> bool {
        let (reading, model) = (&self.proposals[reading], &self.proposals[model]);
        if reading.candidate.author != EMBEDDED {
            return false;
        }
        reading.accuracy >= model.skill.likely + OVERRULES
            || model.candidate.merges_equal_rows_of(&reading.candidate)
    }

    /// Another reading of the question that is about as likely as the best one and gives other rows: both readings. Whether equal
    /// rows are told once or as often as they come is no other reading: who asks sees the same things.
    pub(super) fn readings(&self, leader: Leader) -> Option<Vec<String>> {
        let best = &self.proposals[leader.best];
        let vote = self.vote();
        let is_close = |member: &&Member| vote.shares[member.cluster] * CLOSE >= leader.confidence;
        let mut others = vote.members.iter().filter(is_close);
        let other = others.find_map(|member| {
            let other = &self.proposals[member.at];
            let is_other = other.reading.is_some()
                && !other.candidate.agrees_with(&best.candidate)
                && !other.candidate.agrees_but_for_repeats(&best.candidate);
            (is_other && self.supported(other)).then_some(other)
        })?;
        Some(vec![best.told(), other.told()])
    }

    /// Other results that proposals give, the likeliest first: how likely each is right, and the first that gives it.
    pub(super) fn others(&self, leader: Leader) -> Vec<String> {
        let vote = self.vote();
        let of = |at: usize| vote.members.iter().find(|member| member.at == at);
        let mut seen: Vec<usize> = of(leader.best).map(|member| member.cluster).into_iter().collect();
        let mut others = Vec::new();
        for member in &vote.members {
            if !seen.contains(&member.cluster) {
                seen.push(member.cluster);
                others.push((vote.shares[member.cluster], self.proposals[member.at].told()));
            }
        }
        others.sort_by(|one, other| other.0.total_cmp(&one.0));
        let told = others
            .into_iter()
            .map(|(share, told)| format!("{share:.2}: {told}"));
        told.collect()
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

    /// How the last answer of each author that runs came off.
    fn votes(&self, best: usize) -> Vec<super::Vote> {
        let vote = self.vote();
        let cluster = |at: usize| {
            vote.members
                .iter()
                .find(|member| member.at == at)
                .map(|member| member.cluster)
        };
        let mut votes: Vec<super::Vote> = Vec::new();
        for (at, proposal) in self.proposals.iter().enumerate().rev() {
            let author = &proposal.candidate.author;
            let heard = votes.iter().any(|vote| vote.author == *author);
            // What was answered with counts even where it is another reading.
            if let Some(of) = cluster(at)
                && !heard
                && (proposal.reading.is_none() || at == best)
            {
                votes.push(super::Vote {
                    author: author.clone(),
                    claimed: proposal.skill.claimed,
                    share: vote.shares[of],
                    agrees: Some(of) == cluster(best),
                });
            }
        }
        votes
    }

    /// What speaks for the best proposal and what against it.
    fn basis(&self, best: usize) -> String {
        let chosen = &self.proposals[best];
        let mut parts = vec![format!(
            "{} alone {:.2}",
            chosen.candidate.author, chosen.accuracy
        )];
        if let Some(reservation) = chosen.candidate.reservation() {
            parts.push(reservation.message.clone());
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
        let clusters = self.clusters(&running);
        self.proposals
            .iter()
            .enumerate()
            .map(|(at, proposal)| {
                let said = match running.iter().position(|&running| running == at) {
                    Some(place) => format!("result {}, alone {:.2}", clusters[place] + 1, proposal.accuracy),
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
        if let Some(Leader { best, confidence }) = self.leader() {
            let mut basis = self.basis(best);
            let votes = self.votes(best);
            let cheapest = self.cheapest(best, (work.settings.optimise_from, work.snapshot.dialect));
            if cheapest != best {
                basis.push_str("; another proposal with the same rows costs less, and is taken");
            }
            let best = cheapest;
            let failed = self.failed_before(best);
            let Candidate {
                author,
                written,
                repair_report,
                verdict,
                ..
            } = self.proposals.swap_remove(best).candidate;
            if let Verdict::Runs { sql, trial, .. } = verdict {
                return Ok(Chosen {
                    sql,
                    written,
                    trial,
                    author,
                    repair_report,
                    failed,
                    confidence,
                    basis,
                    degraded: !self.failed.is_empty(),
                    votes,
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

    /// Of the proposals with the same rows as this one the cheapest, where this one takes long.
    fn cheapest(&self, best: usize, from: (Duration, Dialect)) -> usize {
        let others = self.proposals.iter().enumerate().filter(|(at, _)| *at != best);
        let others = others.map(|(at, other)| (at, &other.candidate));
        optimiser::cheapest_of(&self.proposals[best].candidate, others, from).unwrap_or(best)
    }

    /// The statements of the same author that did not run.
    fn failed_before(&self, best: usize) -> Vec<(String, Code)> {
        let author = &self.proposals[best].candidate.author;
        let own = self.proposals.iter().map(|proposal| &proposal.candidate);
        own.filter(|candidate| candidate.author == *author)
            .filter_map(|candidate| Some((candidate.text.clone(), candidate.failure()?.code)))
            .collect()
    }

    fn running(&self) -> Vec<usize> {
        let runs = |at: &usize| self.proposals[*at].candidate.runs().is_some();
        (0..self.proposals.len()).filter(runs).collect()
    }

    /// Which proposals give the same rows: a number for each, the same for those that agree.
    fn clusters(&self, running: &[usize]) -> Vec<usize> {
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
