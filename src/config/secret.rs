//! Text that is never shown.

use std::fmt;

/// A key or a password. It is seen by who asks for it in so many words, and by no message and no log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps it. White space around it, as files of keys have it, is no part of it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into().trim().to_owned())
    }

    /// Keeps it as it is: a password may begin or end with white space.
    pub fn exactly(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text itself, for whom it is meant.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("********")
    }
}
