//! The audit: what is recorded of questions, what is required, and that nobody changes it unseen.

mod book;
mod journal;
mod program;
mod questions;
mod required;
