//! What a database has in place of functions of others.

/// What PostgreSQL has in place of a function of other databases.
pub(super) fn of_postgres(name: &str) -> Option<&'static str> {
    Some(match name {
        "strftime" | "date_format" => "to_char(column, 'YYYY-MM') or EXTRACT(YEAR FROM column)",
        "year" | "month" | "day" | "hour" | "quarter" | "week" => "EXTRACT(YEAR FROM column) or the like",
        "julianday" | "datediff" | "timediff" => "a - b",
        "date_add" | "dateadd" | "date_sub" | "datetime" => "column + INTERVAL '1 day' or the like",
        "getdate" | "sysdate" | "curdate" => "CURRENT_DATE or now()",
        "ifnull" | "isnull" | "nvl" => "coalesce",
        "iif" | "if" => "CASE",
        "instr" | "locate" | "charindex" => "strpos(text, part)",
        "group_concat" | "listagg" => "string_agg(text, ', ')",
        "total" => "coalesce(sum(column), 0)",
        "len" => "length",
        "ucase" => "upper",
        "lcase" => "lower",
        "hex" => "encode or to_hex",
        "char" => "chr",
        "unicode" => "ascii",
        "typeof" => "the declared type",
        "json_extract" => "column ->> 'key'",
        "glob" | "regexp" => "column ~ 'pattern'",
        "rand" => "random",
        _ => return None,
    })
}

/// What SQLite has in place of a function of other databases.
pub(super) fn of_sqlite(name: &str) -> Option<&'static str> {
    Some(match name {
        "year" | "month" | "day" | "date_part" | "to_char" | "date_format" | "extract" | "date_trunc" => {
            "strftime(format, column)"
        }
        "now" | "getdate" | "sysdate" | "curdate" => "date('now') or datetime('now')",
        "datediff" => "julianday(a) - julianday(b)",
        "date_add" | "dateadd" | "date_sub" => "date(column, '+1 day') or the like",
        "len" | "char_length" | "character_length" => "length",
        "ucase" => "upper",
        "lcase" => "lower",
        "isnull" | "nvl" => "ifnull",
        "if" => "iif or CASE",
        "left" => "substr(text, 1, length)",
        "right" => "substr(text, -length)",
        "locate" | "charindex" | "strpos" | "position" => "instr(text, part)",
        "to_number" | "int" | "float" => "CAST(value AS REAL)",
        "listagg" | "array_agg" => "group_concat",
        "bool_and" | "every" => "min",
        "bool_or" => "max",
        _ => return None,
    })
}
