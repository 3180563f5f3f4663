//! The PostgreSQL leg: a server stands behind Querent, and a client's bytes pass to it as they come.

pub mod introspection;
pub mod relay;
pub mod upstream;
