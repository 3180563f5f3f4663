//! What a name that no column has was probably, or surely, meant for.

use sqlparser::ast::Ident;

use super::Resolver;
use crate::question::{
    schema::ColumnRef,
    validator::names::{misspelt, nearest},
};

impl Resolver<'_> {
    /// The column in reach whose name is closest, with a qualifier where it needs one.
    pub(super) fn nearest_column(&self, name: &str) -> Option<String> {
        let scope = self.scopes.last()?;
        let candidates = scope
            .sources
            .iter()
            .flat_map(|source| source.column_names(self.schema));
        let aliases = scope
            .outputs
            .iter()
            .filter(|output| output.alias)
            .map(|output| output.name.as_str());
        let meant = nearest(name, candidates.chain(aliases))?;
        let places = self.places_named(self.scopes.len() - 1, meant);
        (places.len() <= 1).then(|| self.quoted(meant))
    }

    /// True where a name is a slip of the pen for one, and neither near another in reach nor a column's of a table that is not.
    pub(super) fn surely_means(&self, name: &Ident, meant: &str) -> bool {
        let sources = self.scopes.iter().flat_map(|scope| &scope.sources);
        let columns = sources.flat_map(|source| source.column_names(self.schema));
        let outputs = self.scopes.iter().flat_map(|scope| &scope.outputs);
        let aliases = outputs.filter(|output| output.alias);
        let all = columns.chain(aliases.map(|output| output.name.as_str()));
        let called = self.meant(name);
        let mut stored = self.schema.columns();
        misspelt(&name.value, all).is_some_and(|found| found.eq_ignore_ascii_case(meant))
            && !stored.any(|(_, column)| self.same(&column.name, &called))
    }

    /// Tables of the schema that have a column of that name.
    pub(super) fn tables_with(&self, name: &str) -> Vec<&str> {
        let columns = self
            .schema
            .columns()
            .filter(|(_, column)| column.name.eq_ignore_ascii_case(name));
        let tables = columns.map(|(ColumnRef { table, .. }, _)| self.schema.tables[table].name.as_str());
        tables.take(3).collect()
    }
}

/// True for two names that differ in letter case and signs alone.
pub(super) fn is_written_otherwise(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|character| character.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}

/// A name without the quotes that it needs.
pub(super) fn unquoted(name: &str) -> &str {
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    inner.unwrap_or(name)
}
