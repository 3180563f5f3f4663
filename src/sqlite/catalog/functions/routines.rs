//! Functions and operators by their names and the types of their arguments: `regproc`, `regprocedure`, `regoper` and
//! `regoperator`.

use rusqlite::{Connection, Result, types::Value};

use super::{
    names::{as_it_is, parts},
    number, objects, scalar, text,
};
use crate::sqlite::catalog::{
    definitions::{find, fixed_rows},
    describe::{Types, quote_identifier},
    failure::Failure,
    model::Model,
    rows::{Cell, Key},
};

/// The types, whether they tell arguments, and what is looked up.
const KINDS: [(&str, bool, RoutineKind); 4] = [
    ("regproc", false, RoutineKind::Function),
    ("regprocedure", true, RoutineKind::Function),
    ("regoper", false, RoutineKind::Operator),
    ("regoperator", true, RoutineKind::Operator),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoutineKind {
    Function,
    Operator,
}

/// One of them, by its number and its arguments; an operator's side that is missing is 0.
struct Routine {
    oid: i64,
    name: String,
    arguments: Vec<i64>,
}

impl RoutineKind {
    fn relation(self) -> (&'static str, &'static str) {
        match self {
            Self::Function => ("pg_proc", "proname"),
            Self::Operator => ("pg_operator", "oprname"),
        }
    }

    /// Those of which a column has this value.
    fn known(self, column: &str, key: &Key) -> Vec<Routine> {
        let (name, naming) = self.relation();
        let Some(relation) = find("pg_catalog", name) else {
            return vec![];
        };
        let position = |name: &str| relation.columns.iter().position(|column| column.name == name);
        let rows = fixed_rows(relation);
        let Some(column) = position(column) else {
            return vec![];
        };
        let found = rows.find(column, key).iter().map(|&at| {
            let cell = |name: &str| position(name).map_or(&Cell::Null, |column| &rows.row(at)[column]);
            let arguments = match self {
                Self::Function => objects::numbers(cell("proargtypes").text().unwrap_or_default()),
                Self::Operator => ["oprleft", "oprright"]
                    .map(|side| cell(side).integer().unwrap_or_default())
                    .to_vec(),
            };
            Routine {
                oid: cell("oid").integer().unwrap_or_default(),
                name: cell(naming).text().unwrap_or_default().to_owned(),
                arguments,
            }
        });
        found.collect()
    }

    /// The number of what a text names; `None` where there is nothing, an error where there is more than one.
    fn find(self, written: &str, by_arguments: bool) -> Result<Option<i64>> {
        let (name, arguments) = match written.split_once('(') {
            Some((name, rest)) if by_arguments => {
                let inside = rest.trim_end().strip_suffix(')');
                let inside =
                    inside.ok_or_else(|| told("22P02", "expected a right parenthesis".to_owned()))?;
                (name, inside)
            }
            _ if by_arguments => {
                return Err(told("22P02", "expected a left parenthesis".to_owned()));
            }
            _ => (written, ""),
        };
        let name = match self {
            Self::Function => parts(name).pop().unwrap_or_default(),
            Self::Operator => name.trim().trim_start_matches("pg_catalog.").to_owned(),
        };
        let known = self.known(self.relation().1, &Key::Text(name));
        if !by_arguments {
            return match known.as_slice() {
                [] => Ok(None),
                [one] => Ok(Some(one.oid)),
                _ => Err(told(
                    "42725",
                    match self {
                        Self::Function => format!("more than one function named \"{written}\""),
                        Self::Operator => format!("more than one operator named {written}"),
                    },
                )),
            };
        }
        let types = Types::new();
        let given: Option<Vec<i64>> = split(arguments)
            .map(|argument| match argument.to_ascii_lowercase().as_str() {
                "none" if self == Self::Operator => Some(0),
                _ => types.named(argument),
            })
            .collect();
        let Some(given) = given else { return Ok(None) };
        let found = known.into_iter().find(|known| known.arguments == given);
        Ok(found.map(|known| known.oid))
    }

    /// As PostgreSQL writes it: with its schema where the name alone would not find it.
    fn shown(self, oid: i64, with_arguments: bool) -> Option<String> {
        let own = self.known("oid", &Key::Integer(oid)).pop()?;
        if with_arguments {
            let types = Types::new();
            let shown = own.arguments.iter().map(|&ty| match ty {
                0 => "NONE".to_owned(),
                ty => types.shown(&Model::default(), ty, -1),
            });
            let shown: Vec<String> = shown.collect();
            let name = match self {
                Self::Function => quote_identifier(&own.name),
                Self::Operator => own.name,
            };
            return Some(format!("{name}({})", shown.join(",")));
        }
        let alike = self.known(self.relation().1, &Key::Text(own.name.clone()));
        Some(if alike.len() == 1 {
            match self {
                Self::Function => quote_identifier(&own.name),
                Self::Operator => own.name,
            }
        } else {
            format!("pg_catalog.{}", own.name)
        })
    }
}

/// The name of the function with this number, and the numbers of its arguments' types.
pub(crate) fn function_called(oid: u32) -> Option<(String, Vec<u32>)> {
    let own = RoutineKind::Function
        .known("oid", &Key::Integer(oid.into()))
        .pop()?;
    let types: Option<Vec<u32>> = own.arguments.iter().map(|&ty| u32::try_from(ty).ok()).collect();
    Some((quote_identifier(&own.name), types?))
}

/// The types between commas that are not in parentheses.
fn split(arguments: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    arguments
        .split(move |c| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            c == ',' && depth == 0
        })
        .map(str::trim)
        .filter(|argument| !argument.is_empty())
}

fn told(sqlstate: &'static str, message: String) -> rusqlite::Error {
    Failure { sqlstate, message }.into()
}

/// Adds what reads and writes them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    for (name, with_arguments, kind) in KINDS {
        scalar(connection, &format!("{name}in"), &[1], move |context| {
            if let Some(value) = as_it_is(context)? {
                return Ok(value);
            }
            let written = text(context, 0)?.unwrap_or_default();
            let found = kind.find(&written, with_arguments)?;
            found.map(Value::Integer).ok_or_else(|| {
                told(
                    "42883",
                    match kind {
                        RoutineKind::Function => format!("function \"{written}\" does not exist"),
                        RoutineKind::Operator => format!("operator does not exist: {written}"),
                    },
                )
            })
        })?;
        scalar(connection, &format!("to_{name}"), &[1], move |context| {
            let written = text(context, 0)?;
            Ok(written.and_then(|written| kind.find(&written, with_arguments).ok().flatten()))
        })?;
        scalar(connection, &format!("{name}out"), &[1], move |context| {
            let Some(oid) = number(context, 0)? else {
                return text(context, 0);
            };
            Ok(Some(match oid {
                0 if kind == RoutineKind::Operator => "0".to_owned(),
                0 => "-".to_owned(),
                oid => kind.shown(oid, with_arguments).unwrap_or_else(|| oid.to_string()),
            }))
        })?;
    }
    Ok(())
}
