//! The way of a question to its SQL, whichever database is behind: what is known of the database, what the question means
//! in it, who writes SQL for it, and what is checked before any runs.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

pub mod schema;

pub mod lexicon;

pub mod semantic;

pub mod analytic;

pub mod ossie;

pub mod embedded;

pub mod model;

pub mod prompt;

pub mod validator;

pub mod ask;

/// The day that questions are counted from: today's, in UTC.
pub fn today() -> Date {
    TimeZone::UTC.to_datetime(Timestamp::now()).date()
}
