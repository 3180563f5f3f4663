//! The queries of a WITH: that each has its own name, and under RECURSIVE which read which, so that each comes behind those that it
//! reads, as PostgreSQL sorts them.

use std::{collections::HashSet, ops::ControlFlow};

use sqlparser::ast::{Cte, Ident, ObjectName, Query, SetExpr, SetOperator, Visit, Visitor};

use super::{Result, folded, query::within_parentheses, refuse};

/// The names without a schema that something reads, but for those that a WITH of its own gives.
#[derive(Default)]
struct Read {
    names: Vec<String>,
    hidden: Vec<Vec<String>>,
}

impl Visitor for Read {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let own = query.with.iter().flat_map(|with| &with.cte_tables);
        self.hidden.push(own.map(|cte| folded(&cte.alias.name)).collect());
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.hidden.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        if let [part] = relation.0.as_slice()
            && let Some(name) = part.as_ident().map(folded)
            && !self.hidden.iter().flatten().any(|hidden| *hidden == name)
        {
            self.names.push(name);
        }
        ControlFlow::Continue(())
    }
}

fn read_by(part: &impl Visit) -> Vec<String> {
    let mut read = Read::default();
    let _ = part.visit(&mut read);
    read.names
}

/// Refuses a name that two queries of one WITH have.
pub(super) fn check_names(queries: &[Cte], place: impl Fn(&Ident) -> Option<usize>) -> Result<()> {
    let mut taken = HashSet::new();
    for cte in queries {
        let name = folded(&cte.alias.name);
        if taken.contains(&name) {
            let message = format!("WITH query name \"{name}\" specified more than once");
            return refuse("42712", message, place(&cte.alias.name));
        }
        taken.insert(name);
    }
    Ok(())
}

/// The queries in an order in which each reads none that comes later; one may read itself, in the form for that.
pub(super) fn sorted(queries: &[Cte], place: impl Fn(&Ident) -> Option<usize>) -> Result<Vec<&Cte>> {
    let names: Vec<String> = queries.iter().map(|cte| folded(&cte.alias.name)).collect();
    let mut open: Vec<(usize, Vec<usize>)> = vec![];
    for (at, cte) in queries.iter().enumerate() {
        let read = read_by(&cte.query);
        if read.contains(&names[at]) {
            check_form(cte, &names[at], place(&cte.alias.name))?;
        }
        let others = (0..names.len()).filter(|other| *other != at && read.contains(&names[*other]));
        open.push((at, others.collect()));
    }
    let mut sorted = vec![];
    while !open.is_empty() {
        let Some(next) = open.iter().position(|(_, read)| read.is_empty()) else {
            let message = "mutual recursion between WITH items is not implemented";
            let first = open.first().and_then(|(at, _)| place(&queries[*at].alias.name));
            return refuse("0A000", message, first);
        };
        let (at, _) = open.remove(next);
        for (_, read) in &mut open {
            read.retain(|other| *other != at);
        }
        sorted.push(&queries[at]);
    }
    Ok(sorted)
}

/// Refuses a query that reads itself elsewhere than behind UNION.
fn check_form(cte: &Cte, name: &str, position: Option<usize>) -> Result<()> {
    let SetExpr::SetOperation {
        left,
        op: SetOperator::Union,
        ..
    } = within_parentheses(&cte.query.body)
    else {
        let form = "non-recursive-term UNION [ALL] recursive-term";
        let message = format!("recursive query \"{name}\" does not have the form {form}");
        return refuse("42P19", message, position);
    };
    if read_by(left).iter().any(|read| read == name) {
        let message =
            format!("recursive reference to query \"{name}\" must not appear within its non-recursive term");
        return refuse("42P19", message, position);
    }
    Ok(())
}
