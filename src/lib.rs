//! Querent: a PostgreSQL wire-protocol proxy that answers questions in plain language.
//!
//! ```text
//! client bytes -> wire -> session -> statement ──sql───────────────> backend -> wire -> client
//!                                       └──question──> ask ──ValidatedSql──┘
//! ```
//!
//! The modules, in the order a newcomer should read them:

pub mod statement;

mod grammar;

pub mod schema;

pub mod validator;

pub mod pgtypes;

mod catalog;
// PostgreSQL's SQL as SQLite's.
mod translate;

pub mod backend;

pub mod access;

pub mod semantic;

pub mod analytic;

pub mod ossie;

pub mod lexicon;

pub mod embedded;

pub mod model;

pub mod prompt;

pub mod ask;

pub mod wire;

pub mod cancellation;

pub mod opening;

pub mod scram;

pub mod store;

pub mod audit;

pub mod conversation;

pub mod session;

pub mod relay;

pub mod server;

pub mod console;

pub mod sample;

pub mod eval;

pub mod cli;

pub mod config;
pub mod error;
pub mod net;
pub mod telemetry;
