//! Questions that language models answer, in sessions of both legs: the same conversation in front of a SQLite file
//! and of a PostgreSQL server, with a scripted model.

mod answers;
pub(crate) mod legs;
mod settings;
mod sharing;
mod stopping;
