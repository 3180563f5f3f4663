//! Walks through parsed SQL. Each type of visitor would be compiled anew for every node of the grammar, which costs more
//! than all the rest of the program; behind a reference they are all one.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, JoinConstraint, JoinOperator, ObjectName, Query, Select, Statement, TableFactor, ValueWithSpan,
    Visit, VisitMut, Visitor, VisitorMut,
};

/// Shows a node and everything below it to a visitor, until it breaks off.
pub(crate) fn walk(node: &impl Visit, visitor: &mut dyn Visitor<Break = ()>) -> ControlFlow<()> {
    node.visit(&mut Reader(visitor))
}

/// As [`walk`], for a visitor that may change what it sees.
pub(crate) fn walk_mut(
    node: &mut impl VisitMut,
    visitor: &mut dyn VisitorMut<Break = ()>,
) -> ControlFlow<()> {
    node.visit(&mut Writer(visitor))
}

/// True if some expression of a node is like this.
pub(crate) fn any_expr(node: &impl Visit, is: &dyn Fn(&Expr) -> bool) -> bool {
    struct Any<'f>(&'f dyn Fn(&Expr) -> bool);
    impl Visitor for Any<'_> {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if (self.0)(expr) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
    walk(node, &mut Any(is)).is_break()
}

/// Hands every name of a table to `change`.
pub(crate) fn each_relation(node: &mut impl VisitMut, change: &mut dyn FnMut(&mut ObjectName)) {
    struct Relations<'f>(&'f mut dyn FnMut(&mut ObjectName));
    impl VisitorMut for Relations<'_> {
        type Break = ();

        fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<()> {
            (self.0)(relation);
            ControlFlow::Continue(())
        }
    }
    let _ = walk_mut(node, &mut Relations(change));
}

/// What a join is tied by; `None` for the kinds that no question needs.
pub(crate) fn join_constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint)
        | JoinOperator::CrossJoin(constraint) => Some(constraint),
        _ => None,
    }
}

struct Reader<'v>(&'v mut dyn Visitor<Break = ()>);

struct Writer<'v>(&'v mut dyn VisitorMut<Break = ()>);

macro_rules! handed_on {
    ($($method:ident: $node:ty,)*) => {
        impl Visitor for Reader<'_> {
            type Break = ();

            $(fn $method(&mut self, node: &$node) -> ControlFlow<()> {
                self.0.$method(node)
            })*
        }

        impl VisitorMut for Writer<'_> {
            type Break = ();

            $(fn $method(&mut self, node: &mut $node) -> ControlFlow<()> {
                self.0.$method(node)
            })*
        }
    };
}

handed_on! {
    pre_visit_query: Query,
    post_visit_query: Query,
    pre_visit_select: Select,
    post_visit_select: Select,
    pre_visit_relation: ObjectName,
    post_visit_relation: ObjectName,
    pre_visit_table_factor: TableFactor,
    post_visit_table_factor: TableFactor,
    pre_visit_expr: Expr,
    post_visit_expr: Expr,
    pre_visit_statement: Statement,
    post_visit_statement: Statement,
    pre_visit_value: ValueWithSpan,
    post_visit_value: ValueWithSpan,
}
