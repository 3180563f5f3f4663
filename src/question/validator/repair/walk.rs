//! Walks through a statement's tree with closures, for reading and for changing.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query, Select, TableFactor, ValueWithSpan, Visit, VisitMut, Visitor, VisitorMut};

use crate::question::validator::walk::{walk, walk_mut};

/// Goes on through the tree, or stops.
pub(in crate::question::validator) type Flow = ControlFlow<()>;

/// A part of a tree.
pub(in crate::question::validator) enum Node<'n> {
    Query(&'n Query),
    Select(&'n Select),
    Table(&'n TableFactor),
    Expr(&'n Expr),
    Value(&'n ValueWithSpan),
}

/// Shows every part of a tree, each before what is in it, with the number of queries around it.
/// True if `see` stopped it.
pub(in crate::question::validator) fn read(
    tree: &impl Visit,
    see: &mut dyn FnMut(Node<'_>, usize) -> Flow,
) -> bool {
    walk(tree, &mut Reader { see, depth: 0 }).is_break()
}

/// Shows every expression of a tree, those in subqueries too. True if `see` stopped it.
pub(in crate::question::validator) fn read_exprs(
    tree: &impl Visit,
    see: &mut dyn FnMut(&Expr, usize) -> Flow,
) -> bool {
    read(tree, &mut |node, depth| match node {
        Node::Expr(expr) => see(expr, depth),
        _ => ControlFlow::Continue(()),
    })
}

/// Gives every query of a tree to be changed, each before those in it.
pub(in crate::question::validator) fn change_queries(
    tree: &mut impl VisitMut,
    change: &mut dyn FnMut(&mut Query) -> Flow,
) {
    let _ = walk_mut(
        tree,
        &mut Changer {
            query: Some(change),
            ..Changer::default()
        },
    );
}

/// Gives every expression of a tree to be changed, each behind what is in it, with the number of queries around it.
pub(in crate::question::validator) fn change_exprs(
    tree: &mut impl VisitMut,
    change: &mut dyn FnMut(&mut Expr, usize) -> Flow,
) {
    let _ = walk_mut(
        tree,
        &mut Changer {
            after: Some(change),
            ..Changer::default()
        },
    );
}

/// As [`change_exprs`], each before what is in it.
pub(in crate::question::validator) fn change_exprs_first(
    tree: &mut impl VisitMut,
    change: &mut dyn FnMut(&mut Expr, usize) -> Flow,
) {
    let _ = walk_mut(
        tree,
        &mut Changer {
            before: Some(change),
            ..Changer::default()
        },
    );
}

struct Reader<'s> {
    see: &'s mut dyn FnMut(Node<'_>, usize) -> Flow,
    depth: usize,
}

impl Visitor for Reader<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> Flow {
        (self.see)(Node::Query(query), self.depth)?;
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> Flow {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> Flow {
        (self.see)(Node::Select(select), self.depth)
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> Flow {
        (self.see)(Node::Table(factor), self.depth)
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> Flow {
        (self.see)(Node::Expr(expr), self.depth)
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> Flow {
        (self.see)(Node::Value(value), self.depth)
    }
}

type ChangeExpr<'c> = &'c mut dyn FnMut(&mut Expr, usize) -> Flow;

#[derive(Default)]
struct Changer<'c> {
    query: Option<&'c mut dyn FnMut(&mut Query) -> Flow>,
    before: Option<ChangeExpr<'c>>,
    after: Option<ChangeExpr<'c>>,
    depth: usize,
}

impl VisitorMut for Changer<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> Flow {
        if let Some(change) = &mut self.query {
            change(query)?;
        }
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> Flow {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        match &mut self.before {
            Some(change) => change(expr, self.depth),
            None => ControlFlow::Continue(()),
        }
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        match &mut self.after {
            Some(change) => change(expr, self.depth),
            None => ControlFlow::Continue(()),
        }
    }
}
