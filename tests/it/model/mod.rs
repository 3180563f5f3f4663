//! Models over HTTP, against a scripted server that answers and fails as a list says.

pub(crate) mod server;
pub(crate) mod turn;

mod basics;
