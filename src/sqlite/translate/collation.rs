//! COLLATE: text is compared byte by byte, as in PostgreSQL's collation `C`.

use sqlparser::ast::{Ident, ObjectName};

use super::{Refusal, Result, Stop, Translator, Ty, refuse};

/// Those that compare byte by byte, in every database.
const BY_BYTES: [&str; 4] = ["C", "POSIX", "default", "ucs_basic"];
/// SQLite's own.
const SQLITES: [&str; 3] = ["binary", "nocase", "rtrim"];

impl Translator<'_> {
    /// Looks that a value of this type may be compared by this collation, and is so here.
    pub(super) fn check_collation(&self, name: &ObjectName, ty: Ty) -> Result<()> {
        let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        let position = parts.first().and_then(|part| self.at(part));
        let shown: Vec<String> = parts.iter().map(|part| super::folded(part)).collect();
        let (schema, name) = match shown.as_slice() {
            [name] => (None, name.as_str()),
            [schema, name] => (Some(schema.as_str()), name.as_str()),
            _ => return Err(Stop::AsItStands),
        };
        if schema.is_none() && SQLITES.contains(&name.to_ascii_lowercase().as_str()) {
            return Err(Stop::AsItStands);
        }
        let is_there = schema.is_none_or(|schema| schema == "pg_catalog");
        if is_there && BY_BYTES.contains(&name) {
            let collates = ty.is_string() || matches!(ty, Ty::Unknown | Ty::Dynamic | Ty::Array(_));
            if !collates {
                let message = format!("collations are not supported by type {}", ty.shown());
                return refuse("42804", message, position);
            }
            return Ok(());
        }
        let (sqlstate, message) = if is_there && is_of_language(name) {
            (
                "0A000",
                format!("COLLATE \"{name}\" is not supported on a SQLite file"),
            )
        } else {
            (
                "42704",
                format!(
                    "collation \"{}\" for encoding \"UTF8\" does not exist",
                    shown.join(".")
                ),
            )
        };
        Err(Stop::Refused(Refusal {
            sqlstate,
            message,
            detail: None,
            hint: Some("Text is compared byte by byte, as by COLLATE \"C\".".into()),
            position,
        }))
    }
}

/// True for what servers call the order of a language: `en_US.utf8`, `de-x-icu`.
fn is_of_language(name: &str) -> bool {
    let letters = name.split(['_', '-', '.', '@']).next().unwrap_or_default();
    let is_language =
        (2..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    let rest = &name[letters.len()..];
    is_language
        && (rest.ends_with("-x-icu")
            || rest.strip_prefix('_').is_some_and(|land| {
                land.len() >= 2 && land.as_bytes()[..2].iter().all(u8::is_ascii_uppercase)
            }))
}
