//! Querent in front of real PostgreSQL servers.

mod conversations;
pub(crate) mod front;
pub(crate) mod harness;
mod login;
mod questions;
