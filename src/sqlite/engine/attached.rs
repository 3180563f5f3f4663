//! Files beside the one that is served: each is a further schema of every connection.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use super::{
    alter::fault,
    errors,
    open::{self, Identity},
    unqualified,
    views::{is, lower, relation},
};
use crate::{backend::BackendError, statement::sqlite_lexer};

/// Files by the name of their schema.
type Files = BTreeMap<String, PathBuf>;

/// Names that are schemas already.
const TAKEN: [&str; 5] = ["main", "temp", "public", "pg_catalog", "information_schema"];
/// SQLite attaches ten files at most; the catalogue takes two, and VACUUM one.
const MOST: usize = 7;

/// The files with their paths made absolute and their names in lower case, as PostgreSQL's clients write them; or why they
/// cannot be attached to `main`.
pub(super) fn checked(main: &Path, files: &Files) -> Result<Files, BackendError> {
    if files.len() > MOST {
        return Err(BackendError::new(
            "54000",
            format!("{} files cannot be attached: {MOST} are the most", files.len()),
        )
        .with_hint("SQLite has no room for more in one connection."));
    }
    let mut seen = vec![(open::identify(main)?, "public")];
    let mut checked = Files::new();
    for (name, path) in files {
        let lower = name.to_lowercase();
        check_name(name, &lower)?;
        let identity = open::inspect(path).map_err(|error| of_schema(name, error))?;
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == identity) {
            return Err(BackendError::new(
                "42P06",
                format!(
                    "{} cannot be attached as {name}: it is {other} already",
                    path.display()
                ),
            )
            .with_hint("Attach each file once; two names for one file would lock each other out."));
        }
        seen.push((identity, name));
        // Relative paths would lead elsewhere if the working directory changed.
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        if checked.insert(lower, path).is_some() {
            return Err(
                BackendError::new("42P06", format!("two files cannot be attached as {name}"))
                    .with_hint("Names of schemas differ in more than upper and lower case."),
            );
        }
    }
    Ok(checked)
}

fn check_name(name: &str, lower: &str) -> Result<(), BackendError> {
    let refused = |why: &str| {
        Err(
            BackendError::new("42602", format!("a file cannot be attached as \"{name}\": {why}")).with_hint(
                "Choose another name for the schema: a letter, then letters, digits and underscores.",
            ),
        )
    };
    let mut characters = lower.chars();
    let is_word = characters.next().is_some_and(char::is_alphabetic)
        && characters.all(|character| character.is_alphanumeric() || character == '_');
    if !is_word {
        refused("that is not a name")
    } else if TAKEN.contains(&lower) {
        refused("that schema is there already")
    // SQLite calls the copy of VACUUM so.
    } else if ["pg_", "sqlite_", "vacuum_"]
        .iter()
        .any(|prefix| lower.starts_with(prefix))
    {
        refused("names that begin so are the system's own")
    } else {
        Ok(())
    }
}

fn of_schema(name: &str, error: BackendError) -> BackendError {
    BackendError {
        message: format!("the schema {name} cannot be attached: {}", error.message),
        ..error
    }
}

/// Which files the paths lead to now.
pub(super) fn identify(main: &Path, files: &Files) -> Result<Identity, BackendError> {
    together(main, files, open::identify)
}

/// The same, with a look at what they begin with.
pub(super) fn inspect(main: &Path, files: &Files) -> Result<Identity, BackendError> {
    together(main, files, open::inspect)
}

fn together(
    main: &Path,
    files: &Files,
    look: fn(&Path) -> Result<Identity, BackendError>,
) -> Result<Identity, BackendError> {
    let identity = look(main)?;
    if files.is_empty() {
        return Ok(identity);
    }
    let mut hasher = DefaultHasher::new();
    for (name, path) in files {
        let identity = look(path).map_err(|error| of_schema(name, error))?;
        identity.hash(&mut hasher);
    }
    Ok(identity.with(hasher.finish()))
}

/// Attaches the files to a connection, which opens them as it opened its own.
pub(super) fn attach(connection: &Connection, files: &Files) -> Result<(), BackendError> {
    for (name, path) in files {
        let sql = format!("ATTACH ?1 AS {}", sqlite_lexer::quote(name));
        let attached = match path.to_str() {
            Some(path) => connection.execute(&sql, [path]),
            None => Err(rusqlite::Error::InvalidPath(path.clone())),
        };
        attached.map_err(|error| {
            let shown = errors::from_sqlite(&error, "");
            let message = format!("{}: {}", path.display(), shown.message);
            of_schema(name, BackendError { message, ..shown })
        })?;
    }
    Ok(())
}

/// The attached file in which a statement in SQLite's words defines a view or a trigger, by its schema in lower case.
pub(super) fn defined_in(connection: &Connection, tokens: &[&str]) -> Option<String> {
    if !is(tokens.first()?, "create") {
        return None;
    }
    let kind = tokens
        .iter()
        .take(3)
        .position(|token| is(token, "view") || is(token, "trigger"))?;
    let mut at = kind + 1;
    if is(tokens.get(at)?, "if") {
        at += 3;
    }
    let schema = tokens.get(at).filter(|_| tokens.get(at + 1) == Some(&"."))?;
    let schema = lower(schema);
    unqualified::attached(connection)
        .any(|attached| attached.eq_ignore_ascii_case(&schema))
        .then_some(schema)
}

/// Refuses a view or trigger of an attached file that names the schema of what it reads. SQLite keeps the text as it stands, and
/// the file could not be read any more where it is opened under another name.
pub(super) fn check_names(
    connection: &Connection,
    schema: &str,
    tokens: &[&str],
) -> Result<(), rusqlite::Error> {
    let body = tokens
        .iter()
        .position(|token| is(token, "as") || is(token, "begin"));
    let body = body.map_or(&[][..], |at| &tokens[at..]);
    for at in 2..body.len() {
        let is_named = body[at - 1] == "." && lower(body[at - 2]) == *schema;
        // Behind a table's name its column may follow.
        let of_column = body.get(at + 1) == Some(&".");
        if !is_named || !(of_column || relation(body, at, &[schema.to_owned()]).is_some()) {
            continue;
        }
        let sql = format!(
            "SELECT 1 FROM {}.sqlite_schema WHERE name = ?1 COLLATE NOCASE",
            sqlite_lexer::quote(schema)
        );
        let name = sqlite_lexer::unquote(body[at]);
        if connection.prepare_cached(&sql)?.exists([&name])? {
            let message = format!(
                "what the attached file {schema} keeps cannot name its own schema: write {name} without it, which SQLite \
                 looks for in that file"
            );
            return Err(fault("0A000", message));
        }
    }
    Ok(())
}
