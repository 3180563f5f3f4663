//! The events, and the JSON that they are stored and hashed as.

use std::{borrow::Cow, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::timestamp::shown;
use crate::{
    error::beginning,
    service::store::{PRUNED, Record, Tail},
    telemetry::metrics::Outcome,
};

/// What a text may hold at most, in bytes; longer ones are cut, and end with how long they were.
const LONGEST: usize = 64 << 10;

/// Who asks, and from where.
#[derive(Debug, Clone, Default)]
pub struct Who {
    /// The number of the session in its process.
    pub session: u64,
    /// Who has logged in.
    pub user: String,
    /// Whose rights count.
    pub role: String,
    /// The database.
    pub database: String,
    /// The client's address.
    pub address: String,
    /// What the client calls itself.
    pub application: String,
}

/// What was decided of a question.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    /// The question's number, of [`super::Audit::number`].
    pub id: &'a str,
    /// Who asked.
    pub who: &'a Who,
    /// The action: `run`, `sql`, `explain` and so on.
    pub action: &'a str,
    /// The question's own words.
    pub question: &'a str,
    /// The SQL that answers it, if it has got so far.
    pub sql: Option<&'a str>,
    /// Why it was refused; `None` for a question that was let through.
    pub refusal: Option<Refusal<'a>>,
    /// What it took.
    pub lookup: Lookup<'a>,
}

/// Why a question was refused, as the client was told.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// The code.
    pub sqlstate: &'a str,
    /// The words.
    pub message: &'a str,
    /// More of them.
    pub detail: Option<&'a str>,
}

/// How the SQL was found, or looked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lookup<'a> {
    /// Who answered, or tried last.
    pub tier: &'a str,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// Whether the same question had been answered before.
    pub cached: bool,
    /// Calls of models.
    pub model_calls: u64,
    /// Tokens that they read.
    pub prompt_tokens: u64,
    /// Tokens that they wrote.
    pub completion_tokens: u64,
    /// US dollars that they cost.
    pub cost: f64,
    /// From the question to its SQL.
    pub elapsed: std::time::Duration,
}

/// What somebody said of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Feedback<'a> {
    /// Who.
    pub who: &'a Who,
    /// `good`, `bad` or `fix`.
    pub action: &'a str,
    /// The question that was answered.
    pub question: &'a str,
    /// The SQL that answered it.
    pub sql: &'a str,
    /// What was said.
    pub text: &'a str,
}

/// An event as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Body {
    Decided(Decided),
    Ended(Ended),
    Feedback(Said),
    Lost(Lost),
    Pruned(Pruned),
}

/// Who asked, as it is stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) server: String,
    pub(super) session: u64,
    pub(super) user: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) role: String,
    pub(super) database: String,
    pub(super) address: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) application: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Decided {
    #[serde(flatten)]
    pub(super) origin: Origin,
    pub(super) action: String,
    pub(super) question: String,
    pub(super) decision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sql: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sqlstate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    pub(super) tier: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) confidence: Option<f64>,
    pub(super) cached: bool,
    pub(super) model_calls: u64,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    pub(super) cost_usd: f64,
    pub(super) answer_ms: f64,
}

/// A run of a question's SQL has ended.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sqlstate: Option<String>,
    pub(super) rows: u64,
    pub(super) run_ms: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Said {
    #[serde(flatten)]
    pub(super) origin: Origin,
    pub(super) action: String,
    pub(super) question: String,
    pub(super) sql: String,
    pub(super) text: String,
}

/// Events that did not fit while the store was away.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Lost {
    pub(super) server: String,
    pub(super) events: u64,
}

/// Older events were removed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Pruned {
    /// The position of the last of them.
    pub(super) through: u64,
    /// Its hash, in hexadecimal digits: the chain goes on from here.
    pub(super) hash: String,
    pub(super) events: u64,
}

/// What stands around every body.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(flatten)]
    pub(super) body: Body,
}

impl Body {
    fn kind(&self) -> &'static str {
        match self {
            Self::Decided(_) => "decided",
            Self::Ended(_) => "ended",
            Self::Feedback(_) => "feedback",
            Self::Lost(_) => "lost",
            Self::Pruned(_) => PRUNED,
        }
    }

    fn user(&self) -> Option<&str> {
        match self {
            Self::Decided(decided) => Some(&decided.origin.user),
            Self::Feedback(said) => Some(&said.origin.user),
            _ => None,
        }
    }

    /// As it is stored, of this moment and this question.
    pub(super) fn record(&self, question: Option<&str>) -> Record {
        let time = now();
        let line = Line {
            time: shown(time),
            id: question.map(str::to_owned),
            body: self.clone(),
        };
        Record {
            time,
            kind: self.kind(),
            question: line.id.clone(),
            user: self.user().map(str::to_owned),
            through: match self {
                Self::Pruned(pruned) => Some(pruned.through),
                _ => None,
            },
            body: serde_json::to_string(&line).expect("numbers and texts are JSON"),
        }
    }
}

/// The event that stands for those up to this one.
pub(super) fn pruned(last: Tail, events: u64) -> Record {
    Body::Pruned(Pruned {
        through: last.seq,
        hash: hexadecimal(&last.hash),
        events,
    })
    .record(None)
}

impl Refusal<'_> {
    /// Of a client that has gone before there was an answer.
    pub const GONE: Refusal<'static> = Refusal {
        sqlstate: "57014",
        message: "the client has gone",
        detail: None,
    };
}

impl Who {
    fn body(&self, server: &str) -> Origin {
        Origin {
            server: server.to_owned(),
            session: self.session,
            user: self.user.clone(),
            role: if self.role == self.user {
                String::new()
            } else {
                self.role.clone()
            },
            database: self.database.clone(),
            address: self.address.clone(),
            application: cut(&self.application).into_owned(),
        }
    }
}

impl Decision<'_> {
    pub(super) fn body(self, server: &str) -> Decided {
        let text = |text: &str| cut(text).into_owned();
        Decided {
            origin: self.who.body(server),
            action: self.action.to_owned(),
            question: text(self.question),
            decision: match self.refusal.map(|refusal| Outcome::of_error(refusal.sqlstate)) {
                None => "allowed",
                Some(Outcome::Refused(_)) => "refused",
                // It broke, or was stopped, before there was anything to decide.
                Some(_) => "none",
            }
            .to_owned(),
            sql: self.sql.map(text),
            sqlstate: self.refusal.map(|refusal| refusal.sqlstate.to_owned()),
            reason: self.refusal.map(|refusal| text(refusal.message)),
            detail: self.refusal.and_then(|refusal| refusal.detail).map(text),
            tier: self.lookup.tier.to_owned(),
            confidence: self.lookup.confidence.filter(|confidence| confidence.is_finite()),
            cached: self.lookup.cached,
            model_calls: self.lookup.model_calls,
            prompt_tokens: self.lookup.prompt_tokens,
            completion_tokens: self.lookup.completion_tokens,
            cost_usd: self.lookup.cost,
            answer_ms: milliseconds(self.lookup.elapsed),
        }
    }
}

impl Feedback<'_> {
    pub(super) fn body(self, server: &str) -> Said {
        let text = |text: &str| cut(text).into_owned();
        Said {
            origin: self.who.body(server),
            action: self.action.to_owned(),
            question: text(self.question),
            sql: text(self.sql),
            text: text(self.text),
        }
    }
}

/// This moment as the store keeps it, in whole microseconds.
fn now() -> SystemTime {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    SystemTime::UNIX_EPOCH + std::time::Duration::from_micros(since.as_micros() as u64)
}

pub(super) fn milliseconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // A String takes all that is written.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The text, or its beginning.
fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    format!("{}… ({} bytes)", beginning(text, LONGEST), text.len()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let decision = Decision {
            id: "x1",
            who: &Who {
                session: 7,
                user: "ada".to_owned(),
                role: "ada".to_owned(),
                database: "pets".to_owned(),
                address: "127.0.0.1".to_owned(),
                application: "psql".to_owned(),
            },
            action: "run",
            question: "who \"owns\"\nwhat?\0ä",
            sql: Some("SELECT 1"),
            refusal: None,
            lookup: Lookup::default(),
        };
        let record = Body::Decided(decision.body("here:1")).record(Some("x1"));
        assert_eq!((record.kind, record.user.as_deref()), ("decided", Some("ada")));
        assert!(
            record.body.starts_with("{\"time\":\"2") && !record.body.contains("role"),
            "{}",
            record.body
        );
        let line: Line = serde_json::from_str(&record.body).unwrap();
        assert_eq!(line.time, shown(record.time));
        let Body::Decided(read) = line.body else {
            panic!("{line:?}")
        };
        assert_eq!(
            (read.question.as_str(), read.decision.as_str()),
            (decision.question, "allowed")
        );
        assert_eq!(read.origin.session, 7);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let long = "ä".repeat(LONGEST);
        let cut = cut(&long);
        assert!(cut.len() < LONGEST + 40 && cut.ends_with(&format!("… ({} bytes)", 2 * LONGEST)));
        assert_eq!(super::cut("short"), "short");
    }
}
