//! Against real PostgreSQL servers, which each test starts for itself.

mod certificates;
mod connecting;
pub(crate) mod server;
