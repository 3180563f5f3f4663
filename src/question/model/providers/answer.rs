//! An answer as it comes in, piece by piece, and how many tokens it is.

use std::time::Duration;

use super::reasoning;
use crate::question::model::{ModelError, Reply, Request, Usage, json, redact};

/// Tokens of an answer at most where nothing is configured: nobody waits for more.
pub(super) const MOST_TOKENS: u64 = 32_768;

/// What has come so far.
#[derive(Debug, Default)]
pub(super) struct Answer {
    text: String,
    /// Bytes of reasoning, which are counted and thrown away.
    thought: u64,
    /// Pieces of text and reasoning: at least one token each, as servers stream.
    pieces: u64,
    refusal: String,
    /// As the provider counts them.
    pub(super) prompt_tokens: Option<u64>,
    /// As the provider counts them.
    pub(super) completion_tokens: Option<u64>,
    end: Option<End>,
    /// Nothing more will come.
    pub(super) complete: bool,
}

/// How an answer ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum End {
    /// The model had said everything.
    Stop,
    /// The limit of tokens.
    Length,
    /// The model or a filter in front of it would not.
    Declined(String),
}

impl Answer {
    pub(super) fn say(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.pieces += 1;
            self.text.push_str(piece);
        }
    }

    pub(super) fn think(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.pieces += 1;
            self.thought += piece.len() as u64;
        }
    }

    /// Words of the model on why it will not answer.
    pub(super) fn refuse(&mut self, piece: &str) {
        self.refusal.push_str(piece);
    }

    pub(super) fn end(&mut self, end: End) {
        self.end = Some(end);
    }

    /// Forgets what was said before what really counts, as a call of a tool.
    pub(super) fn begin_again(&mut self) {
        self.thought += self.text.len() as u64;
        self.text.clear();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some() || self.complete
    }

    /// Tokens that were surely written: a piece is at least one unless a gateway splits it, and none is long.
    pub(super) fn surely_written(&self) -> u64 {
        let bytes = self.text.len() as u64 + self.thought;
        self.pieces.min(bytes / 2).max(bytes / 16)
    }

    /// Whether it is the JSON that was asked for; `None` where it was cut or is no answer.
    pub(super) fn is_json(&self) -> Option<bool> {
        let text = reasoning::without(&self.text);
        let whole = !matches!(self.end, Some(End::Length | End::Declined(_))) && self.refusal.is_empty();
        (whole && !text.is_empty()).then(|| json::read(text).is_some_and(|value| value.is_object()))
    }

    /// What it took; estimated where the provider does not say.
    pub(super) fn usage(&self, request: &Request) -> Usage {
        let bytes = self.text.len() as u64 + self.thought;
        Usage {
            prompt_tokens: self.prompt_tokens.unwrap_or_else(|| estimated_prompt(request)),
            completion_tokens: self.completion_tokens.unwrap_or_else(|| bytes.div_ceil(4)),
        }
    }

    /// The same for one that may not have begun: a provider that said nothing charges nothing.
    pub(super) fn usage_if_begun(&self, request: &Request) -> Usage {
        match self.pieces {
            0 => Usage::default(),
            _ => self.usage(request),
        }
    }

    /// The reply, if this is one.
    pub(super) fn into_reply<'a>(
        self,
        usage: Usage,
        elapsed: Duration,
        secrets: impl Iterator<Item = &'a str>,
    ) -> Result<Reply, ModelError> {
        let cut = self.end == Some(End::Length);
        let declined = match self.end {
            Some(End::Declined(reason)) if self.refusal.is_empty() => Some(reason),
            _ if !self.refusal.is_empty() => Some(self.refusal),
            _ => None,
        };
        if let Some(reason) = declined {
            return Err(ModelError::Declined(redact::words(&reason, secrets)));
        }
        let text = reasoning::without(&self.text).to_owned();
        if text.is_empty() && !cut {
            return Err(ModelError::Malformed("an empty answer".into()));
        }
        Ok(Reply {
            text,
            usage,
            cut,
            elapsed,
        })
    }
}

/// Tokens of a prompt, about: four characters each.
pub(in crate::question::model) fn estimated_prompt(request: &Request) -> u64 {
    ((request.system.len() + request.user.len()) as u64).div_ceil(4)
}
