//! A table that the schema has not: the one table that has the columns which the statement takes from it.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Ident, Query, TableAlias, TableFactor, Visitor, VisitorMut};

use crate::question::{
    schema::Snapshot,
    validator::{
        Asked,
        names::{meant, quoted, same},
        parse::Parsed,
        resolve::LocatedFinding,
        start::Start,
        walk::{walk, walk_mut},
    },
};

/// The statement with the missing table that the finding points at replaced.
pub(super) fn stand_in(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let Some(position) = found.finding.position else {
        return Vec::new();
    };
    let mut query = parsed.query.clone();
    let mut replace = Replace {
        position,
        parsed,
        snapshot: asked.snapshot,
        done: false,
    };
    let _ = walk_mut(&mut query, &mut replace);
    if replace.done {
        vec![query.to_string()]
    } else {
        Vec::new()
    }
}

struct Replace<'a> {
    position: usize,
    parsed: &'a Parsed,
    snapshot: &'a Snapshot,
    done: bool,
}

impl VisitorMut for Replace<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let here = self.parsed.lines.position(factor.start()) == Some(self.position);
        let TableFactor::Table { name, alias, .. } = factor else {
            return ControlFlow::Continue(());
        };
        let Some(written) = name.0.last().and_then(|part| part.as_ident()).filter(|_| here) else {
            return ControlFlow::Continue(());
        };
        let called = alias.as_ref().map_or(written, |alias| &alias.name).clone();
        if let Some(table) = table_with(&taken_from(&self.parsed.query, &called), self.snapshot) {
            let table = &self.snapshot.schema.tables[table];
            *name = vec![Ident::new(quoted(&table.name, self.snapshot.dialect))].into();
            if alias.is_none() {
                *alias = Some(TableAlias {
                    explicit: true,
                    name: called,
                    columns: Vec::new(),
                    at: None,
                });
            }
            self.done = true;
        }
        ControlFlow::Break(())
    }
}

/// The one table that has most of the columns, and more than any other.
fn table_with(columns: &[Ident], snapshot: &Snapshot) -> Option<usize> {
    let has = |table: usize, name: &Ident| {
        let name = meant(name, snapshot.dialect);
        let mut columns = snapshot.schema.tables[table].columns.iter();
        columns.any(|column| same(&column.name, &name, snapshot.dialect))
    };
    let mut known: Vec<(usize, usize)> = (0..snapshot.schema.tables.len())
        .map(|table| (columns.iter().filter(|name| has(table, name)).count(), table))
        .filter(|(count, _)| *count > 0)
        .collect();
    known.sort_unstable_by(|one, other| other.cmp(one));
    match known[..] {
        [(count, table)] if count * 2 > columns.len() => Some(table),
        [(count, table), (next, _), ..] if count > next && count * 2 > columns.len() => Some(table),
        _ => None,
    }
}

/// The names of the columns that are taken from a source; each once.
fn taken_from(query: &Query, source: &Ident) -> Vec<Ident> {
    struct Taken<'a> {
        source: &'a Ident,
        columns: Vec<Ident>,
    }
    impl Visitor for Taken<'_> {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let Expr::CompoundIdentifier(parts) = expr
                && let [qualifier, name] = parts.as_slice()
                && qualifier.value.eq_ignore_ascii_case(&self.source.value)
                && !self.columns.contains(name)
            {
                self.columns.push(name.clone());
            }
            ControlFlow::Continue(())
        }
    }
    let mut taken = Taken {
        source,
        columns: Vec::new(),
    };
    let _ = walk(query, &mut taken);
    taken.columns
}
