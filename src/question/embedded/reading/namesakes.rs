//! Phrases that shape an answer elsewhere, and are what a column is called here.

use std::ops::Range;

use super::{cues::Cue, items::Linker};

impl Linker<'_> {
    /// True for `out of service` where a column says which ones are: it tells of these, not of what has come to an end.
    pub(super) fn is_called_so(&self, span: &Range<usize>) -> bool {
        let ends = matches!(self.cue(span), Some(Cue::Former | Cue::Current | Cue::Due(_)));
        ends && span.len() > 1
            && self
                .named(span)
                .is_some_and(|(_, senses)| senses.iter().any(|sense| self.says_state(sense)))
    }
}
