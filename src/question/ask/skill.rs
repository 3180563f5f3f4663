//! How often authors are right, learned for each database and kind of question: from what people say of answers, and from
//! whether other authors come to the same rows. That is Dawid and Skene's estimate (1979) of how good observers are whose truth
//! nobody knows, one question at a time: the vote tells how likely each result is right (their E-step), and every author is
//! credited with the probability of what he proposed (the M-step, with a prior). Where authors are as good as they were thought
//! to be, they are credited with what they claimed on the average, and nothing changes.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    confidence::{logistic, logit},
    kind::QuestionKind,
};

/// What was known before counts as so many answers: after as many that people have judged, both weigh the same.
const BEFORE: f64 = 10.0;
/// Answers of one kind that count at most; older ones fade as newer come. What authors think of each other never weighs more
/// than what was known before, since it is made of the same figures.
const MOST_JUDGED: f64 = 200.0;
const MOST_AGREED: f64 = 10.0;
/// Databases, authors and kinds of questions that are remembered; those that were not heard of for longest are forgotten.
const MOST_TALLIES: usize = 4_096;

/// How an author came off among those who answered a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Vote {
    /// Who.
    pub author: String,
    /// How likely right what he wrote was thought to be, before anything was learned of him: 0 to 1.
    pub claimed: f64,
    /// How likely its rows are the right ones after the vote, 0 to 1.
    pub share: f64,
    /// True for the rows that were answered with.
    pub agrees: bool,
}

/// Where something was learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceSource {
    /// People have said whether an answer was right.
    People,
    /// Other authors came to the same rows, or to others.
    Agreement,
}

/// What a tally is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TallyKey {
    /// The database.
    pub database: String,
    /// The embedded agents, or a model by its name.
    pub author: String,
    /// The kind of question.
    pub kind: QuestionKind,
    /// Where it was learned from.
    pub source: EvidenceSource,
}

/// How an author's answers came off. Sums, not means.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Tally {
    /// Answers.
    pub noted: f64,
    /// How many of them were right; of agreement, the probabilities of it.
    pub right: f64,
    /// How many would have been, as likely as they were thought to be right.
    pub claimed: f64,
}

/// What is known of authors; shared by all who ask.
#[derive(Debug, Default)]
pub struct Skills(Mutex<KeptTallies>);

#[derive(Debug, Default)]
struct KeptTallies {
    tallies: BTreeMap<TallyKey, (Tally, u64)>,
    /// What has come since it was kept last.
    fresh: BTreeMap<TallyKey, Tally>,
    /// Counts what is noted, to know what is oldest.
    clock: u64,
}

impl Skills {
    /// Learns from a vote in which several authors had a say.
    pub fn agreed(&self, database: &str, question: &str, votes: &[Vote]) {
        if votes.len() < 2 {
            return;
        }
        for vote in votes {
            self.note((database, question), vote, EvidenceSource::Agreement, vote.share);
        }
    }

    /// Somebody has said whether an answer was right: so were, or were not, those who came to the same rows. Who came to others
    /// was wrong where the answer is right.
    pub fn judged(&self, database: &str, question: &str, votes: &[Vote], right: bool) {
        for vote in votes.iter().filter(|vote| vote.agrees || right) {
            let right = f64::from(u8::from(right && vote.agrees));
            self.note((database, question), vote, EvidenceSource::People, right);
        }
    }

    /// How likely an author's SQL for a database is right, 0 to 1, if it was thought to be right with the probability `claimed`.
    pub fn skill(&self, (database, question): (&str, &str), author: &str, claimed: f64) -> f64 {
        let kind = QuestionKind::of(question);
        let known = self.known();
        let (mut own, mut others) = (Tally::default(), Tally::default());
        for of in QuestionKind::ALL {
            for source in [EvidenceSource::People, EvidenceSource::Agreement] {
                let key = TallyKey {
                    database: database.to_owned(),
                    author: author.to_owned(),
                    kind: of,
                    source,
                };
                if let Some((tally, _)) = known.tallies.get(&key) {
                    let sum = if of == kind { &mut own } else { &mut others };
                    sum.add(tally);
                }
            }
        }
        // Other kinds first, then this one, as it would be expected from those.
        let general = others.shift(0.0);
        logistic(logit(claimed) + general + own.shift(general))
    }

    /// What is known from before.
    pub fn recall(&self, tallies: impl IntoIterator<Item = (TallyKey, Tally)>) {
        let mut known = self.known();
        for (key, tally) in tallies {
            known.add(&key, tally);
        }
    }

    /// What has come since the last call, to be kept.
    pub fn take_fresh(&self) -> Vec<(TallyKey, Tally)> {
        std::mem::take(&mut self.known().fresh).into_iter().collect()
    }

    /// What could not be kept, to be kept later.
    pub fn put_back(&self, tallies: Vec<(TallyKey, Tally)>) {
        let mut known = self.known();
        for (key, tally) in tallies {
            known.fresh.entry(key).or_default().add(&tally);
        }
    }

    fn note(&self, (database, question): (&str, &str), vote: &Vote, source: EvidenceSource, right: f64) {
        let key = TallyKey {
            database: database.to_owned(),
            author: vote.author.clone(),
            kind: QuestionKind::of(question),
            source,
        };
        let tally = Tally {
            noted: 1.0,
            right,
            claimed: vote.claimed,
        };
        let mut known = self.known();
        known.add(&key, tally);
        known.fresh.entry(key).or_default().add(&tally);
        bound(&mut known.fresh);
    }

    fn known(&self) -> MutexGuard<'_, KeptTallies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptTallies {
    fn add(&mut self, key: &TallyKey, tally: Tally) {
        self.clock += 1;
        let (known, used) = self.tallies.entry(key.clone()).or_default();
        known.add(&tally);
        known.fade(key.source.most());
        *used = self.clock;
        if self.tallies.len() > MOST_TALLIES {
            let oldest = self.tallies.iter().min_by_key(|(_, (_, used))| *used);
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.and_then(|key| self.tallies.remove(&key));
        }
    }
}

/// Where nothing is kept, or the store is away for long, what waits for it must not grow either.
fn bound(fresh: &mut BTreeMap<TallyKey, Tally>) {
    if fresh.len() > MOST_TALLIES {
        fresh.pop_first();
    }
}

impl EvidenceSource {
    /// Answers that count at most.
    pub fn most(self) -> f64 {
        match self {
            Self::People => MOST_JUDGED,
            Self::Agreement => MOST_AGREED,
        }
    }

    /// Its name where it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Agreement => "agreement",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::People, Self::Agreement]
            .into_iter()
            .find(|source| source.name() == name)
    }
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.noted += other.noted;
        self.right += other.right;
        self.claimed += other.claimed;
    }

    /// Makes all of it weigh no more than so many answers.
    fn fade(&mut self, most: f64) {
        if self.noted > most {
            let part = most / self.noted;
            self.noted = most;
            self.right *= part;
            self.claimed *= part;
        }
    }

    /// What it adds to the log odds of a claim. Answers were claimed to be right so often, shifted by `expected`; they were
    /// right so often, the prior counted in. For an author whose claim is always the same, this is the mean of a beta
    /// distribution with a prior of [`BEFORE`] answers.
    fn shift(&self, expected: f64) -> f64 {
        if self.noted <= 0.0 {
            return 0.0;
        }
        let claimed = logistic(logit(self.claimed / self.noted) + expected);
        let right = (claimed * BEFORE + self.right) / (BEFORE + self.noted);
        logit(right) - logit(claimed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask::vote::{self, Ballot};

    fn vote(author: &str, claimed: f64, share: f64, agrees: bool) -> Vote {
        Vote {
            author: author.into(),
            claimed,
            share,
            agrees,
        }
    }

    const COUNT: &str = "how many owls are there?";
    const LIST: &str = "which owls are white?";

    #[test]
    fn what_people_say_of_answers_counts_more_and_more() {
        let skills = Skills::default();
        let skill = || skills.skill(("shop", COUNT), "m", 0.8);
        assert!((skill() - 0.8).abs() < 1e-9);
        for _ in 0..10 {
            skills.judged("shop", COUNT, &[vote("m", 0.8, 0.9, true)], false);
        }
        assert!((skill() - 0.4).abs() < 1e-9);
        skills.judged("shop", COUNT, &[vote("m", 0.8, 0.9, true)], true);
        assert!(skill() > 0.4);
        // Of another database and another author that says nothing.
        assert!((skills.skill(("bank", COUNT), "m", 0.8) - 0.8).abs() < 1e-9);
        assert!((skills.skill(("shop", COUNT), "n", 0.8) - 0.8).abs() < 1e-9);
        // Of other kinds of questions it says something, which what is known of those themselves outweighs.
        assert!(skills.skill(("shop", LIST), "m", 0.8) < 0.5);
        for _ in 0..40 {
            skills.judged("shop", LIST, &[vote("m", 0.8, 0.9, true)], true);
        }
        assert!(skills.skill(("shop", LIST), "m", 0.8) > 0.8);
        assert!(skill() < 0.6);
    }

    #[test]
    fn who_came_to_other_rows_was_wrong_where_the_answer_is_right() {
        let skills = Skills::default();
        let votes = [vote("m", 0.8, 0.7, true), vote("n", 0.8, 0.2, false)];
        skills.judged("shop", COUNT, &votes, false);
        assert!((skills.skill(("shop", COUNT), "n", 0.8) - 0.8).abs() < 1e-9);
        assert!(skills.skill(("shop", COUNT), "m", 0.8) < 0.8);
        skills.judged("shop", COUNT, &votes, true);
        assert!(skills.skill(("shop", COUNT), "n", 0.8) < 0.8);
    }

    #[test]
    fn unsure_answers_that_were_wrong_say_nothing_against_sure_ones() {
        let skills = Skills::default();
        for at in 0..30 {
            skills.judged("shop", COUNT, &[vote("embedded", 0.3, 0.3, true)], at % 10 < 3);
        }
        assert!((skills.skill(("shop", COUNT), "embedded", 0.98) - 0.98).abs() < 0.01);
    }

    /// Authors of these true skills, all thought to be right with 0.8, who were heard on so many questions.
    fn heard(skilled: &[f64], questions: u64) -> Vec<f64> {
        let skills = Skills::default();
        let mut state = 7_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let names = ["a", "b", "c"];
        let skill = |name: &str| skills.skill(("shop", COUNT), name, 0.8);
        for _ in 0..questions {
            // 0 is the right result, the others are wrong ones.
            let results: Vec<usize> = skilled
                .iter()
                .map(|right| {
                    if draw() < *right {
                        0
                    } else {
                        1 + (draw() * 4.0) as usize
                    }
                })
                .collect();
            let mut clusters: Vec<usize> = Vec::new();
            for result in &results {
                if !clusters.contains(result) {
                    clusters.push(*result);
                }
            }
            let cluster = |result: &usize| clusters.iter().position(|known| known == result).unwrap();
            let ballots: Vec<Ballot<'_>> = results
                .iter()
                .zip(names)
                .map(|(result, author)| Ballot {
                    author,
                    accuracy: skill(author),
                    weight: 1.0,
                    cluster: cluster(result),
                })
                .collect();
            let shares = vote::shares(&ballots);
            let votes: Vec<Vote> = ballots
                .iter()
                .map(|ballot| vote(ballot.author, 0.8, shares[ballot.cluster], ballot.cluster == 0))
                .collect();
            skills.agreed("shop", COUNT, &votes);
        }
        names[..skilled.len()].iter().map(|name| skill(name)).collect()
    }

    #[test]
    fn authors_are_told_apart_by_whom_they_agree_with() {
        let told = heard(&[0.95, 0.9, 0.4], 200);
        assert!(told[0] > 0.83 && told[1] > 0.8 && told[2] < 0.68, "{told:?}");
        // As good as they were thought to be, they stay so.
        for skill in heard(&[0.8, 0.8, 0.8], 200) {
            assert!((skill - 0.8).abs() < 0.08, "{skill}");
        }
    }

    #[test]
    fn agreement_never_outweighs_what_was_known_before() {
        let skills = Skills::default();
        for _ in 0..1_000 {
            skills.agreed(
                "shop",
                COUNT,
                &[vote("m", 0.8, 0.0, false), vote("n", 0.8, 1.0, true)],
            );
        }
        assert!((skills.skill(("shop", COUNT), "m", 0.8) - 0.4).abs() < 0.01);
        // Who is alone has nobody to agree with.
        skills.agreed("shop", COUNT, &[vote("o", 0.8, 0.1, true)]);
        assert!((skills.skill(("shop", COUNT), "o", 0.8) - 0.8).abs() < 1e-9);
    }

    #[test]
    fn what_is_kept_is_recalled_and_bounded() {
        let skills = Skills::default();
        for at in 0..MOST_TALLIES + 10 {
            let database = format!("d{at}");
            skills.judged(&database, COUNT, &[vote("m", 0.8, 0.9, true)], false);
        }
        let fresh = skills.take_fresh();
        assert_eq!(fresh.len(), MOST_TALLIES);
        assert!(skills.take_fresh().is_empty());
        assert!((skills.skill(("d0", COUNT), "m", 0.8) - 0.8).abs() < 1e-9);
        let last = format!("d{}", MOST_TALLIES + 9);
        let known = skills.skill((&last, COUNT), "m", 0.8);
        assert!(known < 0.8);
        let other = Skills::default();
        other.recall(fresh.clone());
        assert!((other.skill((&last, COUNT), "m", 0.8) - known).abs() < 1e-9);
        // What was recalled is kept already.
        assert!(other.take_fresh().is_empty());
        other.put_back(fresh);
        assert_eq!(other.take_fresh().len(), MOST_TALLIES);
    }
}
