//! Querent: a PostgreSQL wire-protocol proxy that answers questions in plain language.
//!
//! ```text
//! client bytes -> wire -> sqlite::session ──> statement ──sql───────────────> database -> wire -> client
//!                         postgres::relay         └──question──> question::ask ──ValidatedSql──┘
//! ```
//!
//! The modules, in the order a newcomer should read them:

pub mod statement;

pub mod question;

pub mod backend;

pub mod pgtypes;

pub mod sqlite;

pub mod postgres;

pub mod wire;

pub mod scram;

pub mod connection;

pub mod service;

pub mod config;

pub mod telemetry;

pub mod error;

pub mod cli;

pub mod sample;

pub mod eval;
