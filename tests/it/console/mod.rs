//! The console port of a running program: health, metrics, who may ask, and what the log says meanwhile.

mod access;
mod health;
mod logs;
mod metrics;
mod pages;
mod relay;
pub(crate) mod served;
mod traces;
