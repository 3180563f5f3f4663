//! Settings: one TOML file, environment, arguments.
