//! Which PRAGMAs a client may use.

use super::denied;
use crate::backend::BackendError;

/// PRAGMAs that only tell something, whatever their argument.
const TELLING: &[&str] = &[
    "application_id",
    "collation_list",
    "compile_options",
    "data_version",
    "database_list",
    "foreign_key_check",
    "foreign_key_list",
    "freelist_count",
    "function_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "module_list",
    "page_count",
    "pragma_list",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// PRAGMAs that a client may also set: they change its own data, and nothing of what holds for everybody's.
const SETTABLE: &[&str] = &[
    "analysis_limit",
    "application_id",
    "incremental_vacuum",
    "optimize",
    "secure_delete",
    "user_version",
    "wal_checkpoint",
];

/// PRAGMAs that a client may read, but not set.
const READABLE: &[&str] = &[
    "auto_vacuum",
    "busy_timeout",
    "cache_size",
    "defer_foreign_keys",
    "encoding",
    "foreign_keys",
    "ignore_check_constraints",
    "journal_mode",
    "journal_size_limit",
    "legacy_alter_table",
    "locking_mode",
    "max_page_count",
    "mmap_size",
    "page_size",
    "query_only",
    "read_uncommitted",
    "recursive_triggers",
    "reverse_unordered_selects",
    "schema_version",
    "synchronous",
    "temp_store",
    "threads",
    "wal_autocheckpoint",
];

/// Whether a client may use it with this value; `journal_mode` where that is the file's own affair.
pub(super) fn check(name: &str, value: Option<&str>, journal_mode: bool) -> Result<(), BackendError> {
    let name = name.to_ascii_lowercase();
    let listed = |list: &[&str]| list.contains(&name.as_str());
    let allowed = listed(TELLING)
        || listed(SETTABLE)
        || (value.is_none() && listed(READABLE))
        // It says what holds anyway.
        || (name == "foreign_keys" && value.is_some_and(is_on))
        || (name == "journal_mode" && journal_mode);
    if allowed {
        return Ok(());
    }
    let done = if value.is_some() { "set" } else { "used" };
    let hint = match name.as_str() {
        "foreign_keys" | "defer_foreign_keys" => {
            "Foreign keys always hold. SET CONSTRAINTS ALL DEFERRED lets them wait for the end of a transaction."
        }
        "query_only" => "BEGIN READ ONLY begins a transaction that only reads.",
        "case_sensitive_like" | "ignore_check_constraints" | "recursive_triggers" | "legacy_alter_table" => {
            "What statements mean, and what holds for rows, is the same for all clients."
        }
        _ => "The owner of this proxy sets such things in its configuration, section [sqlite].",
    };
    Err(denied(format!(
        "permission denied: PRAGMA {name} cannot be {done} by a client"
    ))
    .with_hint(hint))
}

/// True for a PRAGMA's word for what is switched on.
fn is_on(value: &str) -> bool {
    ["1", "on", "yes", "true"]
        .iter()
        .any(|on| on.eq_ignore_ascii_case(value))
}
