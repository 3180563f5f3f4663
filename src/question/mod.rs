//! The way of a question to its SQL, whichever database is behind: what is known of the database, what the question means
//! in it, who writes SQL for it, and what is checked before any runs.

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
