//! Extensions that a SQLite file can do without: their functions are there always, and a table of the file keeps which were
//! asked for.

use sqlparser::ast::{CreateExtension, DropExtension};

use super::{NOTHING, Result, Translator, folded, refuse, string};

/// Where those that were created are kept.
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS querent_extensions (name TEXT PRIMARY KEY, version TEXT NOT NULL)";

/// Those whose functions are here, with PostgreSQL 15's versions of them.
pub(crate) const EXTENSIONS: [(&str, &str); 2] = [("uuid-ossp", "1.1"), ("pgcrypto", "1.3")];

impl Translator<'_> {
    pub(super) fn create_extension(&mut self, extension: &CreateExtension) -> Result<String> {
        let name = folded(&extension.name);
        let exists = format!("extension \"{name}\" already exists");
        if name == "plpgsql" {
            return if extension.if_not_exists {
                Ok(NOTHING.into())
            } else {
                refuse("42710", exists, None)
            };
        }
        let Some((name, version)) = EXTENSIONS.iter().find(|(known, _)| *known == name) else {
            return refuse("0A000", format!("extension \"{name}\" is not available"), None);
        };
        self.first(TABLE);
        if !extension.if_not_exists {
            self.first(raise_where("EXISTS", name, "42710", &exists));
        }
        self.first(format!(
            "INSERT OR IGNORE INTO querent_extensions VALUES ({}, {})",
            string(name),
            string(version)
        ));
        Ok(NOTHING.into())
    }

    pub(super) fn drop_extension(&mut self, dropped: &DropExtension) -> String {
        self.first(TABLE);
        for name in dropped.names.iter().map(folded) {
            if !dropped.if_exists {
                let message = format!("extension \"{name}\" does not exist");
                self.first(raise_where("NOT EXISTS", &name, "42704", &message));
            }
            self.first(format!(
                "DELETE FROM querent_extensions WHERE name = {}",
                string(&name)
            ));
        }
        NOTHING.into()
    }
}

fn raise_where(condition: &str, name: &str, sqlstate: &str, message: &str) -> String {
    format!(
        "SELECT pg_raise({}, {}) WHERE {condition} (SELECT 1 FROM querent_extensions WHERE name = {})",
        string(sqlstate),
        string(message),
        string(name)
    )
}
