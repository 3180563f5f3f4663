//! Columns under a name that has a word of their table's too many or too few: `patient_name` of a patient.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Ident};

use super::{
    selects::{all_selects, select_around, select_of},
    sources::Sources,
    walk::{Node, change_exprs, read},
};
use crate::question::validator::{
    Asked,
    names::{but_for_table, meant, quoted, same},
    parse::Parsed,
    resolve::LocatedFinding,
    start::Start,
};

/// Names that are tried in place of one.
const MAX_NAMES: usize = 3;

/// The missing column that the finding points at, by the words of its name and of its table's. Only there it gets another name: what
/// a subquery or the query around it calls so may be something else.
pub(super) fn columns(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let snapshot = asked.snapshot;
    let dialect = snapshot.dialect;
    let Some(position) = found.finding.position else {
        return vec![];
    };
    let mut missing: Option<Expr> = None;
    read(parsed.query.as_ref(), &mut |node, _| {
        if let Node::Expr(expr @ (Expr::Identifier(_) | Expr::CompoundIdentifier(_))) = node
            && parsed.lines.position(expr.start()) == Some(position)
        {
            missing = Some(expr.clone());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let Some(missing) = missing else { return vec![] };
    let (qualifier, name) = match &missing {
        Expr::Identifier(name) => (None, name.clone()),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [qualifier, name] => (Some(qualifier.clone()), name.clone()),
            _ => return vec![],
        },
        _ => return vec![],
    };
    let around = select_around(parsed, dialect, Some(position));
    let mut fixed = vec![];
    // Without a qualifier it is a column of what its own SELECT reads.
    let beyond = if qualifier.is_some() {
        all_selects(parsed)
    } else {
        vec![]
    };
    for at in around.into_iter().chain(beyond) {
        let Some(select) = select_of(parsed, at) else {
            continue;
        };
        let sources = Sources::of(&select, parsed, snapshot);
        for source in sources.iter() {
            let called = |qualifier: &Ident| same(&source.name, &meant(qualifier, dialect), dialect);
            let Some(table) = source.table.filter(|_| qualifier.as_ref().is_none_or(called)) else {
                continue;
            };
            let table = &snapshot.schema.tables[table];
            let columns = table.columns.iter().map(|column| column.name.as_str());
            for column in alike(&name.value, columns, &table.name) {
                let new = ident(column, dialect);
                let mut query = parsed.query.clone();
                change_exprs(query.as_mut(), &mut |expr, _| {
                    if *expr == missing && parsed.lines.position(expr.start()) == Some(position) {
                        *expr = match &qualifier {
                            Some(qualifier) => Expr::CompoundIdentifier(vec![qualifier.clone(), new.clone()]),
                            None => Expr::Identifier(new.clone()),
                        };
                    }
                    ControlFlow::Continue(())
                });
                fixed.push(query.to_string());
            }
        }
        if !fixed.is_empty() {
            break;
        }
    }
    fixed
}

/// Of a table's columns those of that name but for words of the table's. The likeliest first.
fn alike<'n>(name: &str, columns: impl Iterator<Item = &'n str>, table: &str) -> Vec<&'n str> {
    let apart = |column: &'n str| Some((but_for_table(name, column, table)?, column));
    let mut alike: Vec<(usize, &str)> = columns.filter_map(apart).collect();
    alike.sort_unstable();
    alike.truncate(MAX_NAMES);
    alike.into_iter().map(|(_, name)| name).collect()
}

fn ident(name: &str, dialect: crate::question::schema::Dialect) -> Ident {
    if quoted(name, dialect) == name {
        Ident::new(name)
    } else {
        Ident::with_quote('"', name)
    }
}
