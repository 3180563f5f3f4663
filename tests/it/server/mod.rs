//! The server through its sockets: byte for byte, and with a driver.
#![allow(
    clippy::print_stderr,
    reason = "what was skipped and measured is for whoever runs the tests"
)]

mod altered;
mod authentication;
mod conversations;
mod data;
mod driver;
mod encryption;
mod files;
pub(crate) mod harness;
mod hostile;
mod leaving;
pub(crate) mod life;
mod other_programs;
mod prepared;
mod questions;
pub(crate) mod raw;
mod signals;
mod skills;
mod stopped;
mod temporary;
mod undone;
