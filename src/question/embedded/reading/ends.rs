//! The two ends of a way: `flights from Rome to Oslo`, where columns or references tell where something begins and ends.

use super::{super::question::Token, rewording::word};
use crate::question::schema::words;

/// One of the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Begin,
    Arrive,
}

impl End {
    /// The end that is said of what stands here.
    pub(super) fn said(tokens: &[Token], at: usize) -> Option<Self> {
        match word(tokens, at.checked_sub(1)?) {
            "from" => Some(Self::Begin),
            "to" | "into" => Some(Self::Arrive),
            _ => None,
        }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::Begin => Self::Arrive,
            Self::Arrive => Self::Begin,
        }
    }

    /// True for a column that is called by this end.
    pub(super) fn is_of(self, column: &str) -> bool {
        let mut words = words::identifier_words(column).into_iter();
        words.any(|word| match self {
            Self::Begin => matches!(
                word.as_str(),
                "from" | "source" | "src" | "origin" | "departure" | "start" | "sender" | "pickup"
            ),
            Self::Arrive => matches!(
                word.as_str(),
                "to" | "target"
                    | "destination"
                    | "dest"
                    | "arrival"
                    | "end"
                    | "recipient"
                    | "receiver"
                    | "dropoff"
            ),
        })
    }
}
