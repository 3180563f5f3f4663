//! What is checked on the server itself before a question runs: that it still finds what it was judged by. The server tells
//! of a changed setting only before `ReadyForQuery`, and of a changed search path, role or catalogue never. So where a
//! question goes on behind statements that have not ended when it is judged, the server looks again, in its place.

use super::{
    exchange::{Answered, Sent},
    session::Session,
};
use crate::{
    postgres::introspection,
    wire::{Fields, Severity},
};

impl Session {
    /// A statement that fails if what the database defines is not what a question that was prepared earlier was judged by.
    pub(super) fn check_again(&mut self, answered: &Answered) -> Option<String> {
        if answered.judged_in == self.exchange.pipelines || answered.catalog.is_none() {
            return None;
        }
        // The code by which drivers prepare a statement again.
        let changed = Fields::new(
            Severity::Error,
            "26000",
            "the database has changed since this question was prepared",
        )
        .with_hint("Prepare it again.");
        let condition = unchanged(answered.catalog.as_deref());
        let seen = introspection::are_seen(&answered.relations);
        let condition = format!("({condition} AND {seen})");
        Some(self.exchange.failures.unless(&condition, changed))
    }

    /// The same for a question that was judged just now.
    pub(super) fn check_now(&mut self, answered: &Answered) -> String {
        let judged = answered.catalog.as_ref();
        let seen = self.seen.as_ref().filter(|seen| judged == Some(&seen.catalog));
        let sees = seen.map(|seen| seen.state.sees());
        let condition = judged.map_or_else(always, |judged| introspection::is_still_unchanged(judged, sees));
        let seen = introspection::are_seen(&answered.relations);
        let changed = Fields::of(&introspection::changed_meanwhile());
        self.exchange
            .failures
            .unless(&format!("({condition} AND {seen})"), changed)
    }

    /// What is looked at before a question that was prepared runs, or is made something of, in a pipeline.
    pub(super) fn checks(&mut self, answered: &Answered) -> Vec<String> {
        let behind = self.exchange.is_behind_others();
        let again = self.check_again(answered);
        let among = behind.then(|| self.check_among(answered));
        again.into_iter().chain(among).collect()
    }

    /// The same where nothing keeps the question from writing.
    pub(super) fn check_unguarded(&mut self, catalogue: Option<&str>) -> String {
        let changed = Fields::new(
            Severity::Error,
            "0A000",
            "the database has changed since this question was answered, and it cannot be kept from writing here",
        )
        .with_hint("Send it as a statement of its own, or in a transaction that BEGIN has begun.");
        let condition = catalogue.map_or_else(always, introspection::is_seen_unchanged);
        self.exchange.failures.unless(&condition, changed)
    }

    /// The same for a question that the server has read already, before which other statements stand in its message or
    /// pipeline. All of a message is read as the session was set when it came.
    pub(super) fn check_among(&mut self, answered: &Answered) -> String {
        let condition = unchanged(answered.catalog.as_deref());
        let seen = introspection::are_seen(&answered.relations);
        self.exchange
            .failures
            .unless(&format!("({condition} AND {seen})"), changed_before())
    }

    /// A statement that fails if the server reads what comes behind it in another way than it was written for. It does not
    /// depend on that itself: it is of ASCII characters, and without backslashes. `backslash_quote` need not be looked at:
    /// it only decides whether there is an error.
    pub(super) fn check_reading(&mut self) -> String {
        let condition = self.is_read_alike();
        self.exchange.failures.unless(&condition, changed_before())
    }

    /// Both, for a question whose SQL is yet to be read, behind others in its pipeline.
    pub(super) fn check_behind(&mut self, catalogue: Option<&str>) -> String {
        let condition = format!("({} AND {})", self.is_read_alike(), unchanged(catalogue));
        self.exchange.failures.unless(&condition, changed_before())
    }

    /// Locks what a question reads, so that it stays what it is.
    pub(super) fn lock_for(sent: &mut Sent, answered: &Answered) {
        for lock in introspection::lock(&answered.relations) {
            sent.push_hidden(&format!("{lock}; "));
        }
    }

    /// Locks what a question reads, and looks whether it is still what it was judged by.
    pub(super) fn check_still(&mut self, sent: &mut Sent, answered: &Answered, among: bool) {
        for sql in self.looks(answered, among) {
            sent.push_hidden(&format!("{sql}; "));
        }
    }

    /// The same in messages of the extended protocol.
    pub(super) fn check_bound(&mut self, answered: &Answered, among: bool) {
        if answered.catalog.as_deref().is_none_or(str::is_empty) {
            return;
        }
        for sql in self.looks(answered, among) {
            self.command(&sql);
        }
    }

    /// The locks of what a question reads, and the look whether it is still what it was judged by: just now, or when it was
    /// prepared. `among` is true behind other statements.
    fn looks(&mut self, answered: &Answered, among: bool) -> Vec<String> {
        let check = if among {
            self.check_among(answered)
        } else {
            let again = self.check_again(answered);
            again.unwrap_or_else(|| self.check_now(answered))
        };
        let mut looks = introspection::lock(&answered.relations);
        looks.push(check);
        looks
    }

    fn is_read_alike(&self) -> String {
        let strings = if self.exchange.standard_conforming_strings {
            "on"
        } else {
            "off"
        };
        format!(
            "(pg_catalog.current_setting('client_encoding') OPERATOR(pg_catalog.=) '{}' \
             AND pg_catalog.current_setting('standard_conforming_strings') OPERATOR(pg_catalog.=) '{strings}')",
            self.exchange.encoding_name
        )
    }
}

/// That the catalogue is what something was judged by, if that depends on it.
fn unchanged(catalogue: Option<&str>) -> String {
    catalogue.map_or_else(always, introspection::is_unchanged)
}

fn always() -> String {
    "true".to_owned()
}

fn changed_before() -> Fields {
    Fields::new(
        Severity::Error,
        "0A000",
        "statements before this question have changed what it was answered by",
    )
    .with_detail("A question is answered by the settings, the role and the tables that are there before what it is sent with.")
    .with_hint("Send Sync before the question, or the question in a message of its own.")
}
