//! What clients are served with in front of either database: the listening side, pages and interfaces over HTTP, what a
//! conversation remembers, who may ask what, and what is kept of it.

pub mod access;

pub mod store;

pub mod audit;

pub mod conversation;

pub mod server;

pub mod http;
