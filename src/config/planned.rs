//! Keys that a later version will have.

/// Keys and whole sections that are planned and refused until they do something.
const PLANNED: &[&str] = &["knowledge"];

/// True for a key, or a key in a section, of [`PLANNED`].
pub(super) fn is_planned(name: &str) -> bool {
    PLANNED.iter().any(|planned| {
        name == *planned
            || name
                .strip_prefix(planned)
                .is_some_and(|rest| rest.starts_with('.'))
    })
}
