//! How questions ask how long something takes, and the words for where that begins and ends.

use std::ops::Range;

use super::super::{super::question::Token, rewording::word};

/// What people say of the end of something, and how columns name the time of that, the surest first.
pub(super) const ENDS: [(&[&str], &[&str]); 11] = [
    (
        &[
            "deliver",
            "delivery",
            "delivered",
            "arrive",
            "arrival",
            "arrives",
            "reach",
            "reaching",
            "reaches",
        ],
        &[
            "delivered",
            "delivery",
            "deliv",
            "dlv",
            "dlvd",
            "arrived",
            "arrival",
            "received",
        ],
    ),
    (
        &["answer", "reply", "respond", "response", "answered", "replied"],
        &[
            "reply",
            "replied",
            "response",
            "responded",
            "answer",
            "answered",
            "resp",
            "arrived",
            "arrival",
        ],
    ),
    (
        &["pay", "payment", "paid", "paying"],
        &["paid", "payment", "settled", "pd"],
    ),
    (&["decide", "decision", "decided"], &["decided", "decision"]),
    (&["ready"], &["ready"]),
    (
        &["tell", "telling", "report", "reporting", "notify", "notifying"],
        &["reported", "report", "rptd", "rep", "notified"],
    ),
    (
        &["keep", "keeps", "return", "returned", "borrow", "borrows"],
        &["returned", "return", "ret"],
    ),
    (
        &[
            "ship",
            "shipping",
            "shipped",
            "leave",
            "leaving",
            "send",
            "sending",
            "dispatch",
            "dispatched",
        ],
        &["shipped", "sent", "dispatched", "shp", "ship"],
    ),
    (
        &["settle", "settling", "settled"],
        &["settled", "paid", "closed", "cls", "resolved", "decided"],
    ),
    (
        &["repair", "repaired", "fix", "fixed", "fixing"],
        &["repaired", "fixed", "completed", "finished", "closed", "resolved"],
    ),
    (
        &[
            "close",
            "closing",
            "closed",
            "resolve",
            "resolved",
            "resolution",
            "solve",
            "solved",
            "finish",
            "finished",
            "complete",
            "completed",
            "completion",
            "end",
            "done",
        ],
        &[
            "closed",
            "close",
            "cls",
            "completed",
            "completion",
            "finished",
            "resolved",
            "solved",
            "settled",
            "ended",
            "end",
        ],
    ),
];
/// Words for the time at which rows begin.
pub(super) const BEGINS: [&str; 14] = [
    "start",
    "starting",
    "begin",
    "beginning",
    "opening",
    "open",
    "call",
    "request",
    "receipt",
    "first",
    "drop",
    "dropoff",
    "booking",
    "taking",
];
/// Words of times that were only meant to be.
pub(super) const MEANT: [&str; 12] = [
    "due",
    "deadline",
    "promised",
    "expected",
    "planned",
    "scheduled",
    "estimated",
    "target",
    "birth",
    "expires",
    "until",
    "updated",
];
/// Where a question asks how long something takes, and in what.
pub(super) struct Asked {
    pub(super) phrase: Range<usize>,
    pub(super) unit: Option<String>,
}

/// True for a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    matches!(word, "days" | "hours" | "weeks" | "minutes" | "months")
}

/// True for a verb behind what is asked for.
fn is_auxiliary(word: &str) -> bool {
    matches!(
        word,
        "do" | "does"
            | "did"
            | "is"
            | "was"
            | "are"
            | "were"
            | "pass"
            | "passes"
            | "passed"
            | "it"
            | "go"
            | "will"
    )
}

/// Where the question asks how long something takes.
pub(super) fn asked(tokens: &[Token]) -> Option<Asked> {
    let word = |at: usize| word(tokens, at);
    // `took more than 5 days`, `older than`: that is a condition.
    let compares = |token: &Token| {
        matches!(
            token.word.as_str(),
            "than"
                | "older"
                | "ago"
                | "late"
                | "overdue"
                | "longest"
                | "shortest"
                | "ahead"
                | "advance"
                | "maximum"
                | "minimum"
        )
    };
    if tokens.iter().any(compares) {
        return None;
    }
    (0..tokens.len()).find_map(|at| {
        let averaged = matches!(word(at), "average" | "avg" | "mean" | "median");
        if word(at) == "how"
            && word(at + 1) == "long"
            && !matches!(word(at + 2), "has" | "have" | "had" | "before")
        {
            let takes = word(at + 2) == "is" && word(at + 3) == "the";
            return (!takes).then(|| Asked {
                phrase: at..at + 2,
                unit: None,
            });
        }
        if word(at) == "how" && word(at + 1) == "many" && is_unit(word(at + 2)) {
            let on_average = word(at + 3) == "on" && word(at + 4) == "average";
            return (is_auxiliary(word(at + 3)) || on_average).then(|| Asked {
                phrase: at..at + 3,
                unit: Some(word(at + 2).to_owned()),
            });
        }
        let waits = matches!(word(at + 1), "wait" | "waiting" | "time") || is_unit(word(at + 1));
        if averaged && waits {
            let time = usize::from(word(at + 2) == "time");
            let in_unit = word(at + 2 + time) == "in" && is_unit(word(at + 3 + time));
            let end = at + 2 + time + if in_unit { 2 } else { 0 };
            let spans = matches!(
                word(end),
                "until" | "till" | "between" | "from" | "to" | "for" | "before"
            );
            let unit = [word(at + 1), word(end - 1)]
                .into_iter()
                .find(|word| is_unit(word));
            return spans.then(|| Asked {
                phrase: at..end,
                unit: unit.map(str::to_owned),
            });
        }
        None
    })
}

/// True for a word for persons that tells no more of them.
pub(super) fn is_whoever(word: &str) -> bool {
    matches!(
        word,
        "people"
            | "someone"
            | "anyone"
            | "customers"
            | "clients"
            | "readers"
            | "reader"
            | "users"
            | "guests"
            | "members"
            | "borrowers"
            | "folks"
            | "customer"
            | "client"
            | "parcel"
            | "parcels"
            | "package"
            | "packages"
    )
}
