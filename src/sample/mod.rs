//! The sample database: a shop, made in code.
