//! Statements as they can be compared: columns with their tables' names, whatever these are called in them.

use std::{collections::BTreeMap, ops::ControlFlow};

use sqlparser::ast::{Expr, Ident, Query, TableFactor};

use super::super::{
    names::{meant, quoted},
    parse::Parsed,
    repair::walk::{Node, change_exprs, read},
    resolve,
    start::Start,
};
use crate::question::schema::{ColumnRef, Dialect, Schema};

/// What a statement calls its tables, and what its columns are.
pub(super) struct Names {
    /// Tables by what they are called, in lower case.
    pub(super) called: BTreeMap<String, String>,
    columns: BTreeMap<usize, ColumnRef>,
    dialect: Dialect,
}

impl Names {
    /// `None` where two tables have one name, or one table has two.
    pub(super) fn of(
        parsed: &Parsed,
        uses: impl Iterator<Item = (usize, ColumnRef)>,
        dialect: Dialect,
    ) -> Option<Self> {
        let mut called: BTreeMap<String, String> = BTreeMap::new();
        let mut clear = true;
        read(parsed.query.as_ref(), &mut |node, _| {
            if let Node::Table(TableFactor::Table { name, alias, .. }) = node
                && let Some(table) = name.0.last().and_then(|part| part.as_ident())
            {
                let table = meant(table, dialect).to_lowercase();
                let own = alias.as_ref().map_or_else(
                    || table.clone(),
                    |alias| meant(&alias.name, dialect).to_lowercase(),
                );
                let twice = called.values().any(|known| *known == table) || called.contains_key(&own);
                clear &= !twice;
                called.insert(own, table);
            }
            ControlFlow::Continue(())
        });
        clear.then(|| Self {
            called,
            columns: uses.collect(),
            dialect,
        })
    }

    /// An expression with columns by their tables' names.
    pub(super) fn canonical(&self, expr: &Expr, parsed: &Parsed, schema: &Schema) -> Expr {
        let mut expr = expr.clone();
        change_exprs(&mut expr, &mut |expr, _| {
            self.rename(expr, parsed, schema);
            ControlFlow::Continue(())
        });
        expr
    }

    fn rename(&self, expr: &mut Expr, parsed: &Parsed, schema: &Schema) {
        if let Expr::Function(function) = expr
            && let [part] = function.name.0.as_mut_slice()
            && let sqlparser::ast::ObjectNamePart::Identifier(name) = part
        {
            name.value = name.value.to_lowercase();
        }
        let (qualifier, name) = match &*expr {
            Expr::Identifier(name) => (None, name),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., qualifier, name] => (Some(qualifier), name),
                _ => return,
            },
            _ => return,
        };
        let position = parsed.lines.position(expr.start());
        let known = position.and_then(|position| self.columns.get(&position)).copied();
        let (table, column) = match (known, qualifier) {
            (Some(at), _) => {
                let table = schema.tables[at.table].name.to_lowercase();
                (table, schema.column(at).name.clone())
            }
            (None, Some(qualifier)) => {
                let qualifier = meant(qualifier, self.dialect).to_lowercase();
                let Some(table) = self.called.get(&qualifier) else {
                    return;
                };
                (table.clone(), meant(name, self.dialect).into_owned())
            }
            (None, None) => {
                let mut tables = self.called.values();
                let (Some(only), None) = (tables.next(), tables.next()) else {
                    return;
                };
                (only.clone(), meant(name, self.dialect).into_owned())
            }
        };
        *expr = Expr::CompoundIdentifier(vec![self.ident(&table), self.ident(&column)]);
    }

    /// A name as the statement would have to write it.
    pub(super) fn ident(&self, name: &str) -> Ident {
        if quoted(name, self.dialect) == name {
            Ident::new(name)
        } else {
            Ident::with_quote('"', name)
        }
    }
}

/// The statement without aliases of tables. `None` where they cannot be told, or where it reads a private column.
pub(super) fn canonical(parsed: &Parsed, schema: &Schema, dialect: Dialect) -> Option<Query> {
    let (resolved, _) = resolve::resolve(parsed, schema, dialect);
    if resolved.columns.iter().any(|at| schema.column(*at).private) {
        return None;
    }
    let uses = resolved.uses.iter();
    let uses = uses.filter_map(|used| Some((used.position?, used.column)));
    let names = Names::of(parsed, uses, dialect)?;
    // What is not found could be the name of anything.
    let is_private = |name: &str| {
        let mut columns = schema.columns();
        columns.any(|(_, column)| column.private && column.name.eq_ignore_ascii_case(name))
    };
    let mut query = parsed.query.as_ref().clone();
    let mut clean = true;
    change_exprs(&mut query, &mut |expr, _| {
        names.rename(expr, parsed, schema);
        if let Expr::Identifier(name) = expr {
            clean &= !is_private(&name.value);
        }
        if let Expr::CompoundIdentifier(parts) = expr {
            clean &= !parts.last().is_some_and(|name| is_private(&name.value));
        }
        ControlFlow::Continue(())
    });
    clean.then_some(query)
}
