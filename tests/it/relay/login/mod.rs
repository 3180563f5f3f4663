//! Logging in to a PostgreSQL server through Querent: every combination of TLS and authentication.

mod cancel;
mod driver;
mod table;
mod users;
