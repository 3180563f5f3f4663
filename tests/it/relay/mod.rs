//! Querent in front of real PostgreSQL servers.

mod front;
mod login;
