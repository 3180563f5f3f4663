//! SQLite files by rusqlite: one blocking thread and one connection per session.
