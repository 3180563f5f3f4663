//! What functions return: SQLite's own and those that Querent adds.

use crate::backend::SqlType;

/// How a function's type is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Result {
    /// Whatever the arguments.
    Always(SqlType),
    /// As the first argument.
    FirstArgument,
    /// As a sum of the first argument.
    Sum,
    /// As one of the arguments.
    AnyArgument,
    /// As one of the arguments after the first.
    LaterArguments,
    /// By its value alone.
    Unknown,
}

/// The result of a function by its name in lower case and the number of its arguments.
pub(super) fn result(name: &str, arguments: usize) -> Result {
    use SqlType::{Bool, Bytea, Date, Float8, Int4, Int8, Json, Text, Time, Timestamp};
    Result::Always(match name {
        "count" | "length" | "octet_length" | "instr" | "unicode" | "sign" | "unixepoch" | "random"
        | "changes" | "total_changes" | "last_insert_rowid" | "row_number" | "rank" | "dense_rank"
        | "ntile" | "json_array_length" | "json_valid" | "char_length" | "character_length" | "strpos" => {
            Int8
        }
        "avg" | "total" | "round" | "julianday" | "percent_rank" | "cume_dist" | "sqrt" | "power" | "pow"
        | "exp" | "ln" | "log" | "log10" | "log2" | "pi" | "sin" | "cos" | "tan" | "asin" | "acos"
        | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "radians" | "degrees" | "median" => Float8,
        "lower"
        | "upper"
        | "substr"
        | "substring"
        | "trim"
        | "ltrim"
        | "rtrim"
        | "replace"
        | "printf"
        | "format"
        | "hex"
        | "quote"
        | "char"
        | "typeof"
        | "group_concat"
        | "string_agg"
        | "concat"
        | "concat_ws"
        | "soundex"
        | "strftime"
        | "timediff"
        | "json_type"
        | "sqlite_version"
        | "version"
        | "current_database"
        | "current_schema"
        | "current_user"
        | "session_user"
        | "current_setting"
        | "pg_get_expr"
        | "pg_get_indexdef"
        | "pg_get_constraintdef"
        | "pg_get_viewdef"
        | "obj_description"
        | "col_description"
        | "regclassout"
        | "regtypeout"
        | "pg_size_pretty"
        | "set_config"
        | "pg_get_userbyid"
        | "format_type" => Text,
        _ if name.ends_with("_privilege") || name.ends_with("_is_visible") => Bool,
        _ if name.starts_with("pg_") && name.ends_with("_size") => Int8,
        "pg_get_serial_sequence" => Text,
        "pg_notify"
        | "pg_sleep"
        | "pg_advisory_lock"
        | "pg_advisory_lock_shared"
        | "pg_advisory_xact_lock"
        | "pg_advisory_xact_lock_shared"
        | "pg_advisory_unlock_all" => SqlType::Void,
        "date" => Date,
        "time" => Time,
        "datetime" => Timestamp,
        "json" | "json_array" | "json_object" | "json_group_array" | "json_group_object" | "json_set"
        | "json_insert" | "json_replace" | "json_remove" | "json_patch" => Json,
        "current_schemas" => SqlType::Array(&SqlType::Text),
        "zeroblob" | "randomblob" | "unhex" => Bytea,
        "pg_backend_pid" => Int4,
        "pg_is_in_recovery"
        | "pg_advisory_unlock"
        | "pg_has_role"
        | "row_security_active"
        | "pg_advisory_unlock_shared"
        | "pg_try_advisory_lock"
        | "pg_try_advisory_lock_shared"
        | "pg_try_advisory_xact_lock"
        | "pg_try_advisory_xact_lock_shared"
        | "regexp"
        | "like"
        | "glob" => Bool,
        "sum" => return Result::Sum,
        "abs" | "ceil" | "ceiling" | "floor" | "trunc" | "mod" | "lag" | "lead" | "first_value"
        | "last_value" | "nth_value" | "nullif" | "likely" | "unlikely" | "likelihood" => {
            return Result::FirstArgument;
        }
        "min" | "max" if arguments == 1 => return Result::FirstArgument,
        "min" | "max" | "coalesce" | "ifnull" => return Result::AnyArgument,
        "iif" | "if" => return Result::LaterArguments,
        _ => return Result::Unknown,
    })
}
