//! Everything that is tested through the public interface, in one binary, because that links fast.

mod cli;
mod sqlite_backend;
