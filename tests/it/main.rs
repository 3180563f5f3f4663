//! Everything that is tested through the public interface, in one binary, because that links fast.

mod sqlite_backend;
