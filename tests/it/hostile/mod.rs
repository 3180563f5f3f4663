//! Hostile SQL, hostile questions and hostile data: what one layer alone lets through, and what all of them do.

mod canary;
mod chains;
#[path = "../../hostile/corpus.rs"]
mod corpus;
mod extensions;
mod judged;
mod lexing;
mod obedient;
mod owners;
mod policy;
mod postgres;
mod relayed;
mod sqlite;
mod table;
mod words;
