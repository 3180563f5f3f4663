//! Everything that is tested through the public interface, in one binary, because that links fast.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says what is missing")]

mod access;
mod ask;
mod ask_models;
mod ask_postgres;
mod audit;
mod chains;
mod cli;
mod cli_forms;
mod cli_lint;
mod cli_mcp;
mod cli_models;
mod console;
mod conversation;
mod demo;
mod differential;
mod docs;
mod eval;
mod eval_published;
mod hostile;
mod learning;
mod model;
mod mutation;
mod optimiser;
mod packaging;
mod postgres;
mod program;
mod prompt;
mod relay;
mod semantic;
mod server;
mod small_models;
mod sqlite_backend;
mod sqllogictest;
mod sqllogictest_corpus;
mod statement;
mod tidy;
mod types;
mod validator;
mod values;
