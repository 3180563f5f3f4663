//! What questions may read by the access policy, on both legs, whoever writes their SQL.

mod meanwhile;
mod policy;
mod private;
mod program;
mod rights;
mod stand_ins;
mod switches;
