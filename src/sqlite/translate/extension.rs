//! Extensions that a SQLite file can do without: their functions are there always, and a table of the file keeps which were
//! asked for.

use sqlparser::ast::{CreateExtension, DropExtension};

use super::{NOTHING, Result, Translator, folded, passed_over::passed_over, refuse, string};

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
            if !extension.if_not_exists {
                return refuse("42710", exists, None);
            }
            self.first(passed_over("42710", &exists));
            return Ok(NOTHING.into());
        }
        let Some((name, version)) = EXTENSIONS.iter().find(|(known, _)| *known == name) else {
            return refuse("0A000", format!("extension \"{name}\" is not available"), None);
        };
        self.first(TABLE);
        let told = if extension.if_not_exists {
            passed_over("42710", &exists)
        } else {
            raise("42710", &exists)
        };
        self.first(where_listed(&told, "EXISTS", name));
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
            let missing = format!("extension \"{name}\" does not exist");
            let told = if dropped.if_exists {
                passed_over("00000", &missing)
            } else {
                raise("42704", &missing)
            };
            self.first(where_listed(&told, "NOT EXISTS", &name));
            self.first(format!(
                "DELETE FROM querent_extensions WHERE name = {}",
                string(&name)
            ));
        }
        NOTHING.into()
    }
}

fn raise(sqlstate: &str, message: &str) -> String {
    format!("SELECT pg_raise({}, {})", string(sqlstate), string(message))
}

/// A statement for an extension that is among those that were created, or is not.
fn where_listed(statement: &str, condition: &str, name: &str) -> String {
    let listed = format!("SELECT 1 FROM querent_extensions WHERE name = {}", string(name));
    format!("{statement} WHERE {condition} ({listed})")
}
