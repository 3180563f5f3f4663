//! Against real PostgreSQL servers, which each test starts for itself.

mod certificates;
mod cli;
mod client;
mod connecting;
pub(crate) mod introspection;
pub(crate) mod server;
mod settings;
