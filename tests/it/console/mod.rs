//! The console port of a running program: health, metrics, who may ask, and what the log says meanwhile.

mod access;
mod bounds;
mod contents;
mod described;
mod health;
mod logs;
mod metrics;
mod operated;
mod overtaken;
mod own_sql;
pub(crate) mod pages;
mod relay;
mod roles;
pub(crate) mod served;
mod traces;
