//! Logging in to a PostgreSQL server through Querent: every combination of TLS and authentication.

mod cancel;
mod driver;
mod hostile;
mod psql;
mod raw;
mod refused;
mod table;
mod users;
