//! What IF EXISTS and IF NOT EXISTS pass over, and that clients are told so.

use super::{Translator, string};

/// A statement that tells the client that something is passed over, and why.
pub(super) fn passed_over(sqlstate: &str, why: &str) -> String {
    let message = string(&format!("{why}, skipping"));
    format!("SELECT pg_notice({}, {message})", string(sqlstate))
}

impl Translator<'_> {
    /// Passes over what does not exist, such as `table "t"`.
    pub(super) fn pass_over_missing(&mut self, what: &str) {
        self.first(passed_over("00000", &format!("{what} does not exist")));
    }

    /// True where a schema of SQLite's has a relation of this name already, which is passed over.
    pub(super) fn passes_over_relation(&mut self, place: &str, name: &str) -> bool {
        let is_there = self.has_object(place, name) || self.names.keeps_sequence(place, name);
        if is_there {
            let why = format!("relation \"{name}\" already exists");
            self.first(passed_over("42P07", &why));
        }
        is_there
    }

    /// Whether a schema of SQLite's has a table, view or index of this name.
    pub(super) fn has_object(&self, place: &str, name: &str) -> bool {
        let is_known = matches!(place, "main" | "temp") || self.names.has_schema(place);
        is_known
            && self
                .names
                .objects(place)
                .iter()
                .any(|object| object.kind != "trigger" && object.name.eq_ignore_ascii_case(name))
    }
}
