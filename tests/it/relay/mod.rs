//! Querent in front of real PostgreSQL servers.

mod conversations;
mod front;
mod harness;
mod login;
mod questions;
