//! What the names of columns tell of what they hold.

use super::{super::mentions::is_denial, Builder};
use crate::question::schema::{ColumnRef, ForeignKey, Schema, words};

impl Builder<'_> {
    /// True for a column whose name says what is not so: `do_not_contact`.
    pub(super) fn names_a_denial(&self, at: ColumnRef) -> bool {
        let name = &self.context.snapshot.schema.column(at).name;
        let name = words::identifier_words(name);
        // `out_of_service`, where it is asked what is in service.
        name.iter().any(|word| is_denial(word)) || name.len() > 1 && name[0] == "out"
    }
}

/// True for a key that leads from a part to the whole: what was made after the pattern of something is no part of it.
pub(super) fn is_part_of(key: &ForeignKey, schema: &Schema) -> bool {
    let name = words::identifier_words(&schema.column(key.from[0]).name);
    !name.iter().any(|word| {
        matches!(
            word.as_str(),
            "based"
                | "revival"
                | "original"
                | "generic"
                | "derived"
                | "copy"
                | "copied"
                | "owner"
                | "referred"
                | "replaces"
                | "replaced"
                | "replacement"
                | "previous"
                | "successor"
                | "predecessor"
        )
    })
}
