//! The SQLite leg: all that makes a PostgreSQL server of a SQLite file.

pub mod session;

mod translate;

mod functions;

mod catalog;

pub mod engine;

mod decltype;

mod memory;
