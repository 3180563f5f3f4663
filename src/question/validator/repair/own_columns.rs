//! The columns that a query names itself, and giving them another qualifier.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Ident, Query, Visitor, VisitorMut};

use crate::question::validator::walk::walk;

/// The columns that a query names itself, not those of its subqueries; each once.
pub(super) struct OwnColumns {
    depth: usize,
    columns: Vec<Vec<Ident>>,
}

impl OwnColumns {
    pub(super) fn of(query: &Query) -> Vec<Vec<Ident>> {
        let mut own = Self {
            depth: 0,
            columns: Vec::new(),
        };
        let _ = walk(query, &mut own);
        own.columns
    }
}

impl Visitor for OwnColumns {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Some(parts) = parts(expr).filter(|_| self.depth == 1)
            && !self.columns.contains(&parts)
        {
            self.columns.push(parts);
        }
        ControlFlow::Continue(())
    }
}

fn parts(expr: &Expr) -> Option<Vec<Ident>> {
    match expr {
        Expr::Identifier(name) => Some(vec![name.clone()]),
        Expr::CompoundIdentifier(parts) if parts.len() == 2 => Some(parts.clone()),
        _ => None,
    }
}

/// Gives columns the qualifier of their source.
pub(super) struct Requalify {
    pub(super) owners: Vec<(Vec<Ident>, usize)>,
    pub(super) names: Vec<String>,
    pub(super) depth: usize,
}

impl VisitorMut for Requalify {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.depth == 1
            && let Some(parts) = parts(expr)
            && let Some((_, source)) = self.owners.iter().find(|(known, _)| *known == parts)
            && let Some(name) = parts.last()
        {
            // The name is text that was quoted where it had to be.
            let qualifier = Ident::new(&self.names[*source]);
            *expr = Expr::CompoundIdentifier(vec![qualifier, name.clone()]);
        }
        ControlFlow::Continue(())
    }
}
