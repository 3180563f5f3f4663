//! Names of relations: which schema is meant, and what SQLite calls it.

use sqlparser::ast::{Ident, ObjectName};

use super::{Result, Stop, Translator, refuse};

/// The schema that is looked through before `public`.
pub(super) const CATALOGUE: &str = "pg_catalog";

impl Translator<'_> {
    /// Schema and name of a relation, as SQLite finds it. The name of the database may stand before them.
    pub(super) fn split(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        let (schema, name) = self.parts(name)?;
        Ok((schema.map(|schema| self.schema_of(schema, &name)), name))
    }

    /// The same of one that is read: a name alone means the catalogue's, where SQLite would find the file's of that name.
    pub(super) fn found(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        let (schema, name) = self.split(name)?;
        let is_hidden = schema.is_none()
            && self.is_catalogued(&name)
            && self.names.relation(Some("main"), &name).is_some();
        Ok((schema.or_else(|| is_hidden.then(|| CATALOGUE.to_owned())), name))
    }

    /// The same of one that is changed, which those of the catalogue are not.
    pub(super) fn to_change(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        let (schema, name) = self.split(name)?;
        if schema.is_none() && self.is_catalogued(&name) {
            let message = format!("permission denied: \"{name}\" is a system catalog");
            return refuse("42501", message, None);
        }
        Ok((schema, name))
    }

    /// True for a name that means a relation of the catalogue where no schema stands in front of it.
    fn is_catalogued(&self, name: &str) -> bool {
        self.known_cte(name).is_none() && self.names.is_catalogued(name) && !self.names.is_temporary(name)
    }

    /// What SQLite calls the schema of a relation. That of the file needs no name, unless something else is found first, or
    /// instead.
    pub(super) fn schema_of(&self, schema: String, name: &str) -> String {
        let is_hidden = || {
            self.known_cte(name).is_some()
                || self.names.is_temporary(name)
                || self.names.is_attached_alone(name)
                || self.names.is_catalogued(name)
        };
        match schema.as_str() {
            "pg_temp" => "temp".into(),
            "public" if is_hidden() => "main".into(),
            _ => schema,
        }
    }

    fn parts(&self, name: &ObjectName) -> Result<(Option<String>, String)> {
        let idents: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
        match idents.as_deref() {
            Some([table]) => Ok((None, super::folded(table))),
            Some([schema, table]) => Ok((Some(super::folded(schema)), super::folded(table))),
            Some([database, schema, table]) if super::folded(database) == self.names.database() => {
                Ok((Some(super::folded(schema)), super::folded(table)))
            }
            Some([database, ..]) if idents.as_ref().is_some_and(|all| all.len() == 3) => {
                let shown: Vec<String> = idents
                    .iter()
                    .flatten()
                    .map(|ident| super::folded(ident))
                    .collect();
                refuse(
                    "0A000",
                    format!(
                        "cross-database references are not implemented: \"{}\"",
                        shown.join(".")
                    ),
                    self.at(database),
                )
            }
            _ => Err(Stop::AsItStands),
        }
    }
}
