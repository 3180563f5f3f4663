//! By which columns a statement picks rows of its tables: what an index could serve.

use std::{collections::HashMap, ops::ControlFlow};

use sqlparser::ast::{BinaryOperator, Expr, Select, TableFactor};

use super::{
    names::{meant, same},
    parse::{Parsed, parse},
    repair::{
        fragments::{conjuncts, is_constant},
        walk::{Node, read},
    },
    resolve,
    start::Start,
    walk::join_constraint,
};
use crate::question::schema::{ColumnRef, Dialect, Schema};

/// A condition on one column of a table in FROM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// What the statement calls the table.
    pub name: String,
    /// The column.
    pub column: ColumnRef,
    /// True if one value, or one of a few, is asked for; false for a range.
    pub equal: bool,
}

/// The conditions that every row of a table must meet, by columns alone.
pub fn filters(sql: &str, schema: &Schema, dialect: Dialect) -> Vec<Filter> {
    let Ok(parsed) = parse(sql, dialect) else {
        return vec![];
    };
    let (resolved, _) = resolve::resolve(&parsed, schema, dialect);
    let uses = resolved.uses.iter();
    let columns: HashMap<usize, ColumnRef> = uses
        .filter_map(|used| Some((used.position?, used.column)))
        .collect();
    let mut found = vec![];
    read(parsed.query.as_ref(), &mut |node, _| {
        if let Node::Select(select) = node {
            found.extend(of_select(select, &parsed, &columns, dialect));
        }
        ControlFlow::Continue(())
    });
    found
}

/// The tables, as positions in the schema, that a statement calls by a name; each once.
pub fn tables_called(sql: &str, name: &str, schema: &Schema, dialect: Dialect) -> Vec<usize> {
    let Ok(parsed) = parse(sql, dialect) else {
        return vec![];
    };
    let (resolved, _) = resolve::resolve(&parsed, schema, dialect);
    let mut found = vec![];
    read(parsed.query.as_ref(), &mut |node, _| {
        if let Node::Table(factor @ TableFactor::Table { name: table, .. }) = node
            && called(factor, dialect).is_some_and(|called| called.eq_ignore_ascii_case(name))
        {
            let start = parsed.lines.position(table.start());
            let mut references = resolved.references.iter();
            found.extend(
                references
                    .find(|used| Some(used.start) == start)
                    .map(|used| used.table),
            );
        }
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found.dedup();
    found
}

fn of_select(
    select: &Select,
    parsed: &Parsed,
    columns: &HashMap<usize, ColumnRef>,
    dialect: Dialect,
) -> Vec<Filter> {
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let on = joins.filter_map(|join| match join_constraint(&join.join_operator)? {
        sqlparser::ast::JoinConstraint::On(condition) => Some(condition),
        _ => None,
    });
    let conditions = select.selection.iter().chain(on).flat_map(conjuncts);
    let compared = conditions.filter_map(|condition| match condition {
        Expr::BinaryOp { left, op, right } => {
            let equal = match op {
                BinaryOperator::Eq => true,
                BinaryOperator::Lt | BinaryOperator::LtEq | BinaryOperator::Gt | BinaryOperator::GtEq => {
                    false
                }
                _ => return None,
            };
            match (is_constant(left), is_constant(right)) {
                (false, true) => Some((left.as_ref(), equal)),
                (true, false) => Some((right.as_ref(), equal)),
                _ => None,
            }
        }
        Expr::Between {
            expr,
            negated: false,
            low,
            high,
        } if is_constant(low) && is_constant(high) => Some((expr.as_ref(), false)),
        Expr::InList {
            expr,
            list,
            negated: false,
        } if list.iter().all(is_constant) => Some((expr.as_ref(), true)),
        _ => None,
    });
    let filter = |(expr, equal): (&Expr, bool)| {
        let column = *columns.get(&parsed.lines.position(expr.start())?)?;
        let qualifier = match expr {
            Expr::Identifier(_) => None,
            Expr::CompoundIdentifier(parts) => Some(meant(parts.get(parts.len().checked_sub(2)?)?, dialect)),
            _ => return None,
        };
        let names = names(select, dialect);
        let name = match qualifier {
            Some(qualifier) => names.into_iter().find(|name| same(name, &qualifier, dialect)),
            // Without a qualifier it is clear only where there is one table.
            None => <[String; 1]>::try_from(names).ok().map(|[only]| only),
        };
        Some(Filter {
            name: name?,
            column,
            equal,
        })
    };
    compared.filter_map(filter).collect()
}

/// What a SELECT calls its tables.
fn names(select: &Select, dialect: Dialect) -> Vec<String> {
    let factors = select
        .from
        .iter()
        .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)));
    factors.filter_map(|factor| called(factor, dialect)).collect()
}

fn called(factor: &TableFactor, dialect: Dialect) -> Option<String> {
    match factor {
        TableFactor::Table {
            alias: Some(alias), ..
        } => Some(meant(&alias.name, dialect).into_owned()),
        TableFactor::Table { name, .. } => Some(meant(name.0.last()?.as_ident()?, dialect).into_owned()),
        _ => None,
    }
}
