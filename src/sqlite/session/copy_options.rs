//! Which options of COPY go together, in PostgreSQL's words and in the order in which it looks at them.

use crate::statement::{Copy, CopyFormat, CopySource};

use super::{copy::is_harmless, error::SessionError};

/// Signs that mean something else in lines of text.
const NO_DELIMITERS: &str = "\\.abcdefghijklmnopqrstuvwxyz0123456789";
/// What the option is for which lists of columns are kept as they are written.
const LISTS: [(&str, &str); 2] = [("force_not_null", "force not null"), ("force_null", "force null")];

type Checked = Result<(), SessionError>;

fn refused(code: &'static str, message: impl Into<String>) -> Checked {
    Err(SessionError::failed(code, message.into()))
}

/// The columns that one of these options names; `None` where it is not said.
pub(super) fn listed(copy: &Copy, option: &str) -> Option<Vec<String>> {
    let (_, names) = copy.options.other.iter().find(|(name, _)| name == option)?;
    let names = names.split(',').map(|name| {
        let name = name.trim();
        match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\""),
            None => name.to_lowercase(),
        }
    });
    Some(names.collect())
}

/// Refuses options that do not go together, or that there are not; `to` says that rows go to the client.
pub(super) fn check(copy: &Copy, to: bool) -> Checked {
    let options = &copy.options;
    if options.repeated {
        return refused("42601", "conflicting or redundant options");
    }
    for (name, value) in &options.other {
        check_other(name, value, to)?;
    }
    let (csv, binary) = (
        options.format == CopyFormat::Csv,
        options.format == CopyFormat::Binary,
    );
    if binary {
        for (is_said, name) in [
            (options.delimiter.is_some(), "DELIMITER"),
            (options.null.is_some(), "NULL"),
        ] {
            if is_said {
                return refused("42601", format!("cannot specify {name} in BINARY mode"));
            }
        }
    }
    let delimiter = options
        .delimiter
        .as_deref()
        .unwrap_or(if csv { "," } else { "\t" });
    let null = options.null.as_deref().unwrap_or(if csv { "" } else { "\\N" });
    let quote = options.quote.as_deref().unwrap_or("\"");
    one_byte("delimiter", Some(delimiter))?;
    let breaks = |text: &str| text.contains(['\r', '\n']);
    if breaks(delimiter) {
        return refused("22023", "COPY delimiter cannot be newline or carriage return");
    }
    if breaks(null) {
        let message = "COPY null representation cannot use newline or carriage return";
        return refused("22023", message);
    }
    if !csv && NO_DELIMITERS.contains(delimiter) {
        return refused("22023", format!("COPY delimiter cannot be \"{delimiter}\""));
    }
    if binary && options.header {
        return refused("0A000", "cannot specify HEADER in BINARY mode");
    }
    let only_csv = |is_said: bool, name: &str| {
        if is_said && !csv {
            return refused("0A000", format!("COPY {name} available only in CSV mode"));
        }
        Ok(())
    };
    only_csv(options.quote.is_some(), "quote")?;
    one_byte("quote", options.quote.as_deref())?;
    if csv && delimiter == quote {
        return refused("22023", "COPY delimiter and quote must be different");
    }
    only_csv(options.escape.is_some(), "escape")?;
    one_byte("escape", options.escape.as_deref())?;
    only_csv(!options.force_quote.is_empty(), "force quote")?;
    if !options.force_quote.is_empty() && !to {
        return refused("0A000", "COPY force quote only available using COPY TO");
    }
    for (option, shown) in LISTS {
        let is_said = listed(copy, option).is_some();
        only_csv(is_said, shown)?;
        if is_said && to {
            return refused("0A000", format!("COPY {shown} only available using COPY FROM"));
        }
    }
    if null.contains(delimiter) {
        return refused(
            "0A000",
            "COPY delimiter must not appear in the NULL specification",
        );
    }
    if csv && null.contains(quote) {
        return refused(
            "0A000",
            "CSV quote character must not appear in the NULL specification",
        );
    }
    Ok(())
}

fn one_byte(name: &str, text: Option<&str>) -> Checked {
    match text {
        Some(text) if text.len() != 1 => refused(
            "0A000",
            format!("COPY {name} must be a single one-byte character"),
        ),
        _ => Ok(()),
    }
}

/// An option that has no field of its own.
fn check_other(name: &str, value: &str, to: bool) -> Checked {
    match name {
        "format" => refused("22023", format!("COPY format \"{value}\" not recognized")),
        "force_null" | "force_not_null" if value.trim() == "*" => refused(
            "22023",
            format!("argument to option \"{name}\" must be a list of column names"),
        ),
        "force_null" | "force_not_null" => Ok(()),
        "freeze" => {
            let value = value.trim_matches('\'').to_ascii_lowercase();
            let is_boolean = ["", "true", "false", "on", "off", "1", "0"].contains(&value.as_str());
            if is_boolean {
                return Ok(());
            }
            refused("42601", "freeze requires a Boolean value")
        }
        "encoding" if is_harmless(name, value) => Ok(()),
        // What COPY FROM leaves out; of COPY TO it is no part.
        "where" if to => Ok(()),
        "encoding" | "where" | "convert_selectively" => {
            let hint = match name {
                "encoding" => "Send and read rows in UTF-8, which is what the file has.",
                "where" => {
                    "Copy into a temporary table, and insert what is wanted of it: INSERT INTO … SELECT … WHERE …."
                }
                _ => "Name the columns that are wanted behind the table.",
            };
            let message = format!("COPY option \"{name}\" is not supported on a SQLite file");
            Err(SessionError::failed("0A000", message).with_hint(hint))
        }
        _ => refused("42601", format!("option \"{name}\" not recognized")),
    }
}

/// Refuses options that name columns which are not copied; `all` are those of the table, where they are known.
pub(super) fn check_columns(copy: &Copy, copied: &[&str], all: Option<&[&str]>) -> Checked {
    let mut named: Vec<(&str, Vec<String>)> = vec![("FORCE_QUOTE", copy.options.force_quote.clone())];
    for (option, _) in LISTS {
        let shown = if option == "force_null" {
            "FORCE_NULL"
        } else {
            "FORCE_NOT_NULL"
        };
        named.push((shown, listed(copy, option).unwrap_or_default()));
    }
    for (option, names) in named {
        let missing = names
            .iter()
            .find(|name| *name != "*" && !copied.contains(&name.as_str()));
        let Some(missing) = missing else { continue };
        let (table, is_known) = match &copy.source {
            CopySource::Query(_) => (None, false),
            CopySource::Table { table, columns } => {
                let is_listed = !columns.is_empty();
                (
                    Some(&table.name),
                    all.map_or(is_listed, |all| all.contains(&missing.as_str())),
                )
            }
        };
        return match table {
            Some(_) if is_known => refused(
                "42P10",
                format!("{option} column \"{missing}\" not referenced by COPY"),
            ),
            Some(table) => refused(
                "42703",
                format!("column \"{missing}\" of relation \"{table}\" does not exist"),
            ),
            None => refused("42703", format!("column \"{missing}\" does not exist")),
        };
    }
    Ok(())
}
