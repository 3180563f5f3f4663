//! Whether the journal is whole: each event's hash covers its body and the hash before it, and what was removed has an
//! event that stands for it.

use std::ops::ControlFlow;

use super::{
    event::{Body, Line, hexadecimal},
    timestamp::shown,
};
use crate::service::store::{Event, Hash, Journal, StoreError, Tail, Wanted, link};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Events that were looked at.
    pub events: u64,
    /// The position of the first; 0 where there is none.
    pub first: u64,
    /// The last, as the chain has it.
    pub tail: Tail,
    /// The position at which the journal is broken, and how.
    pub broken: Option<(u64, String)>,
}

/// Goes through the whole journal.
pub async fn verify(journal: &mut dyn Journal) -> Result<Verdict, StoreError> {
    let mut check = Check::default();
    let mut each = |event: &Event| {
        check.event(event);
        ControlFlow::Continue(())
    };
    journal.read(Wanted::All, &mut each).await?;
    Ok(check.end())
}

impl Verdict {
    /// The last hash in hexadecimal digits: kept elsewhere, it shows later whether the end was cut off.
    pub fn head(&self) -> String {
        hexadecimal(&self.tail.hash)
    }
}

#[derive(Default)]
struct Check {
    events: u64,
    first: u64,
    tail: Tail,
    /// The first event, where others stood before it: what it must follow is only known further on.
    cut: Option<Event>,
    /// The removal that was told of last.
    stood_in: Option<(u64, String)>,
    broken: Option<(u64, String)>,
}

impl Check {
    fn event(&mut self, event: &Event) {
        self.events += 1;
        if self.broken.is_some() {
            return;
        }
        if let Err(how) = self.look(event) {
            self.broken = Some((event.seq, how.to_owned()));
        }
    }

    fn look(&mut self, event: &Event) -> Result<(), &'static str> {
        let own: Hash = event.hash.as_slice().try_into().map_err(|_| "its hash is none")?;
        let line: Line = serde_json::from_str(&event.body).map_err(|_| "its body cannot be read")?;
        if self.events == 1 {
            self.first = event.seq;
            if event.seq != 1 {
                self.cut = Some(event.clone());
            } else if own != link(&Hash::default(), 1, &event.body) {
                return Err("its body or hash was changed");
            }
        } else if event.seq != self.tail.seq + 1 {
            return Err("events before it are missing");
        } else if own != link(&self.tail.hash, event.seq, &event.body) {
            return Err("its body or hash, or the one before, was changed");
        }
        self.tail = Tail {
            seq: event.seq,
            hash: own,
        };
        let (kind, user, through) = match &line.body {
            Body::Decided(decided) => ("decided", Some(&decided.origin.user), None),
            Body::Feedback(said) => ("feedback", Some(&said.origin.user), None),
            Body::Ended(_) => ("ended", None, None),
            Body::Lost(_) => ("lost", None, None),
            Body::Pruned(pruned) => ("pruned", None, Some(pruned.through)),
        };
        let same = event.kind == kind
            && event.question == line.id
            && event.user.as_ref() == user
            && event.through == through
            && shown(event.time) == line.time;
        if !same {
            return Err("its columns do not say what its body says");
        }
        if let Body::Pruned(pruned) = line.body {
            self.stood_in = Some((pruned.through, pruned.hash));
        }
        Ok(())
    }

    fn end(mut self) -> Verdict {
        if self.broken.is_none()
            && let Some(first) = &self.cut
            && let Err(how) = self.beginning(first)
        {
            self.broken = Some((first.seq, how.to_owned()));
        }
        Verdict {
            events: self.events,
            first: self.first,
            tail: self.tail,
            broken: self.broken,
        }
    }

    /// The first event must follow what was removed last.
    fn beginning(&self, first: &Event) -> Result<(), &'static str> {
        match &self.stood_in {
            Some((through, hash)) if through + 1 == first.seq => {
                let before =
                    from_hexadecimal(hash).ok_or("what stands for the events before it has no hash")?;
                let follows = first.hash == link(&before, first.seq, &first.body);
                follows
                    .then_some(())
                    .ok_or("it does not follow what stands for the events before it")
            }
            _ => Err("events before it are missing, and none stands for them"),
        }
    }
}

fn from_hexadecimal(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != 2 * hash.len() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}
