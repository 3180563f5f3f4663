//! Tables that the schema has not: what is there and must not be read, and what a name with a slip in it is meant for.

use sqlparser::{
    ast::{Ident, ObjectName},
    tokenizer::{Location, Span},
};

use super::{Code, Finding, Resolver};
use crate::question::{
    schema::Table,
    validator::names::{misspelt, nearest},
};

impl Resolver<'_> {
    /// Reports a table that is not there, with the one that is meant if that is sure.
    pub(super) fn table_missing(&mut self, name: &ObjectName, namespace: Option<&Ident>, table: &Ident) {
        if self.is_full() {
            return;
        }
        if self.facts.policy.is_catalog(&table.value) {
            return self.error(Code::Forbidden, name, format!("a question may not read {name}"));
        }
        let finding = Finding::error(
            Code::TableMissing,
            self.position(name),
            format!("there is no table {name}"),
        );
        if let Some((_, why)) = self.unreadable(namespace, table) {
            let message = format!("a question may not read {name}: it {why}");
            return self.error(Code::Forbidden, name, message);
        }
        let known = self.schema.tables.iter().map(|table| table.name.as_str());
        let ctes = self.ctes.iter().map(|cte| cte.name.value.as_str());
        let Some(near) = nearest(&table.value, known.chain(ctes)) else {
            return self.report(finding);
        };
        let near = self.written_name(near);
        let finding = finding.with_hint(format!("did you mean {near}?"));
        match self.meant_table(namespace, table) {
            Some(meant) => {
                let start = self.start_of_name(name).unwrap_or(table.span.start);
                let meant = finding.with_repair(meant);
                self.report_at(meant, Span::new(start, table.span.end));
            }
            None => self.report(finding),
        }
    }

    /// The table that a name with a slip in it is surely meant for, as FROM needs it: one of the namespace that is written, else of
    /// those that names alone find. Where none of these has a name like it, one that has this very name elsewhere.
    fn meant_table(&self, namespace: Option<&Ident>, table: &Ident) -> Option<String> {
        let named = |is_meant: &dyn Fn(&Table) -> bool| -> Vec<&str> {
            let tables = self.schema.tables.iter().filter(|table| is_meant(table));
            tables.map(|table| table.name.as_str()).collect()
        };
        let namespace = namespace
            .filter(|_| self.is_postgres())
            .map(|namespace| self.meant(namespace));
        let here = match &namespace {
            Some(_) => named(&|table| table.schema == namespace),
            None => named(&|table| !table.qualified),
        };
        let ctes = self.ctes.iter().map(|cte| cte.name.value.as_str());
        let ctes = ctes.filter(|_| namespace.is_none());
        let meant = misspelt(&table.value, here.into_iter().chain(ctes));
        let meant = meant.or_else(|| {
            let elsewhere = named(&|known| known.qualified && known.name.eq_ignore_ascii_case(&table.value));
            let alone = <[&str; 1]>::try_from(elsewhere).ok().map(|[alone]| alone);
            alone.filter(|_| namespace.is_none())
        })?;
        Some(self.written_name(meant))
    }

    /// A table's or a common table expression's name as FROM needs it.
    fn written_name(&self, name: &str) -> String {
        match self.schema.table_named(name) {
            Some(table) => self.written_table(table),
            None => self.quoted(name),
        }
    }

    /// What the database has of this name and cannot be read, and why.
    fn unreadable(&self, namespace: Option<&Ident>, table: &Ident) -> Option<&(String, String)> {
        let name = self.meant(table);
        let qualified = namespace.map(|namespace| format!("{}.{name}", self.meant(namespace)));
        let mut unreadable = self.schema.unreadable.iter().filter(|_| self.is_postgres());
        unreadable.find(|(known, _)| match &qualified {
            Some(qualified) => known == qualified,
            None => known.rsplit_once('.').is_some_and(|(_, known)| known == name),
        })
    }

    fn start_of_name(&self, name: &ObjectName) -> Option<Location> {
        let first = name.0.first()?.as_ident()?;
        self.is_postgres().then_some(first.span.start)
    }

    /// A table's name as FROM needs it.
    fn written_table(&self, table: usize) -> String {
        let table = &self.schema.tables[table];
        match &table.schema {
            Some(schema) if table.qualified => {
                format!("{}.{}", self.quoted(schema), self.quoted(&table.name))
            }
            _ => self.quoted(&table.name),
        }
    }

    /// True for the name of a table that has this column.
    pub(super) fn other_table_has(&self, qualifier: &Ident, name: &Ident) -> bool {
        let table = self.schema.table_named(&qualifier.value);
        table.is_some_and(|table| {
            let mut columns = self.schema.tables[table].columns.iter();
            columns.any(|column| column.name.eq_ignore_ascii_case(&name.value))
        })
    }

    /// The alias of a table, if it stands in the query once.
    pub(super) fn only_source_of(&self, table: usize) -> Option<String> {
        let mut sources = self.scopes.iter().flat_map(|scope| &scope.sources);
        let mut found = sources.by_ref().filter(|source| source.table() == Some(table));
        let first = found.next()?;
        found.next().is_none().then(|| self.quoted(&first.name))
    }
}
