//! Querent in front of real PostgreSQL servers.

mod bounds;
mod changed;
mod clock;
#[expect(unreachable_pub, reason = "a fuzz target has it, too")]
#[path = "../../../fuzz/shared/conversation.rs"]
mod conversation;
mod conversations;
pub(crate) mod front;
pub(crate) mod harness;
mod login;
mod names;
mod parameters;
mod pipelines;
mod questions;
mod sessions;
mod settings;
mod stored;
mod traces;
mod waits;
