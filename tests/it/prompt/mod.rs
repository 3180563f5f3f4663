//! Prompts: what models are told of a database and a question, and that they are told no more.

mod templates;
