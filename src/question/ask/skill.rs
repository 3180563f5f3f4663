//! How often authors are right, learned for each database and kind of question: from what people say of answers, and from
//! whether other authors come to the same rows. That is Dawid and Skene's estimate (1979) of how good observers are whose truth
//! nobody knows, one question at a time: the vote tells how likely each result is right (their E-step), and every author is
//! credited with the probability of what he proposed (the M-step, with a prior). Where authors are as good as they were thought
//! to be, they are credited with what they claimed on the average, and nothing changes.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use ring::digest;

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
/// Users who must have said something of an author before their words count for others, and answers that the words of one of
/// them count for at most there.
const SEVERAL: usize = 3;
const MOST_OF_ONE: f64 = 5.0;
/// Words of users that are remembered, so that none counts twice; the oldest are forgotten.
const MOST_WORDS: usize = 16_384;
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceSource {
    /// Those who may teach have said whether an answer was right.
    Teachers,
    /// Other authors came to the same rows, or to others.
    Agreement,
    /// A user has said whether an answer was right, of whom nobody knows whether he knows.
    User(String),
}

/// What somebody says of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Judgement<'a> {
    /// Whose word it is.
    pub user: &'a str,
    /// Whether it counts for everybody.
    pub teaches: bool,
    /// The question.
    pub question: &'a str,
    /// The SQL that answered it.
    pub sql: &'a str,
    /// Whether that was right.
    pub right: bool,
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
    /// Who has said something of which answer, and the same with the oldest first.
    said: HashSet<Word>,
    order: VecDeque<Word>,
}

/// A user, a database, a question, and the SQL that answered it.
type Word = [u8; 32];

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
    /// was wrong where the answer is right. What one has said of an answer before is not heard again.
    pub fn judged(&self, database: &str, votes: &[Vote], judgement: Judgement<'_>) {
        if votes.is_empty() || !self.known().hears(word(database, judgement)) {
            return;
        }
        let Judgement {
            user,
            teaches,
            question,
            right,
            ..
        } = judgement;
        let source = if teaches {
            EvidenceSource::Teachers
        } else {
            EvidenceSource::User(user.to_owned())
        };
        for vote in votes.iter().filter(|vote| vote.agrees || right) {
            let right = f64::from(u8::from(right && vote.agrees));
            self.note((database, question), vote, source.clone(), right);
        }
    }

    /// How likely an author's SQL for a database is right, 0 to 1, if it was thought to be right with the probability `claimed`,
    /// for the user who asks: his own words count, and those of others as far as they may.
    pub fn skill(
        &self,
        (database, question): (&str, &str),
        user: &str,
        (author, claimed): (&str, f64),
    ) -> f64 {
        let kind = QuestionKind::of(question);
        let known = self.known();
        let (mut own, mut others) = (Tally::default(), Tally::default());
        for of in QuestionKind::ALL {
            let tally = known.of((database, author), of, user);
            let sum = if of == kind { &mut own } else { &mut others };
            sum.add(&tally);
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
    /// What is known of an author and a kind of question, for a user.
    fn of(&self, (database, author): (&str, &str), kind: QuestionKind, user: &str) -> Tally {
        let first = TallyKey {
            database: database.to_owned(),
            author: author.to_owned(),
            kind,
            source: EvidenceSource::Teachers,
        };
        let same = |key: &TallyKey| key.kind == kind && key.author == author && key.database == database;
        let (mut sum, mut users) = (Tally::default(), Vec::new());
        for (key, (tally, _)) in self
            .tallies
            .range(first.clone()..)
            .take_while(|(key, _)| same(key))
        {
            match &key.source {
                EvidenceSource::User(other) if other != user => users.push(*tally),
                _ => sum.add(tally),
            }
        }
        sum.add(&of_others(users));
        sum
    }

    /// Remembers a word; false if it was said before.
    fn hears(&mut self, word: Word) -> bool {
        if !self.said.insert(word) {
            return false;
        }
        self.order.push_back(word);
        if self.order.len() > MOST_WORDS {
            self.order.pop_front().map(|oldest| self.said.remove(&oldest));
        }
        true
    }

    fn add(&mut self, key: &TallyKey, tally: Tally) {
        self.clock += 1;
        let (known, used) = self.tallies.entry(key.clone()).or_default();
        known.add(&tally);
        known.fade(key.source.most());
        *used = self.clock;
        if self.tallies.len() > MOST_TALLIES {
            // Nobody's words push out what teachers have said.
            let oldest = self
                .tallies
                .iter()
                .min_by_key(|(key, (_, used))| (!matches!(key.source, EvidenceSource::User(_)), *used));
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

/// What the words of several users weigh for another one: nobody's more than as many as [`SEVERAL`] of them have said.
fn of_others(mut users: Vec<Tally>) -> Tally {
    let mut sum = Tally::default();
    users.sort_by(|one, other| other.noted.total_cmp(&one.noted));
    let Some(last) = users.get(SEVERAL - 1) else {
        return sum;
    };
    let most = last.noted.min(MOST_OF_ONE);
    for mut tally in users {
        tally.fade(most);
        sum.add(&tally);
    }
    sum
}

/// The words of a question count, and not how they are written.
fn word(database: &str, judgement: Judgement<'_>) -> Word {
    let question: Vec<String> = judgement
        .question
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    let parts = [judgement.user, database, &question.join(" "), judgement.sql];
    let mut hash = digest::Context::new(&digest::SHA256);
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let hash = hash.finish();
    let mut word = Word::default();
    word.copy_from_slice(hash.as_ref());
    word
}

impl EvidenceSource {
    /// Answers that count at most.
    pub fn most(&self) -> f64 {
        match self {
            Self::Teachers | Self::User(_) => MOST_JUDGED,
            Self::Agreement => MOST_AGREED,
        }
    }

    /// Its name where it is kept.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Teachers => "teachers".into(),
            Self::Agreement => "agreement".into(),
            Self::User(user) => format!("user {user}").into(),
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "teachers" => Some(Self::Teachers),
            "agreement" => Some(Self::Agreement),
            other => other
                .strip_prefix("user ")
                .map(|user| Self::User(user.to_owned())),
        }
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
mod tests;
