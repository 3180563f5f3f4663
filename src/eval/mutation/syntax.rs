//! Texts that are no statement, and qualifiers that nothing declares.

use sqlparser::ast::{Expr, Ident};

use super::{
    Mutator,
    clauses::{joins, with_joins},
    subject::Subject,
};
use crate::question::validator::Code::{InvalidAlias, SqlSyntaxError};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(SqlSyntaxError, "parenthesis left open", open_parenthesis),
    Mutator(SqlSyntaxError, "quote left open", open_quote),
    Mutator(SqlSyntaxError, "prose around it", prose),
    Mutator(SqlSyntaxError, "comma too many", trailing_comma),
    Mutator(SqlSyntaxError, "cut off", cut_off),
    Mutator(SqlSyntaxError, "clauses in the wrong order", clauses_out_of_order),
    Mutator(InvalidAlias, "undeclared qualifier", undeclared),
    Mutator(InvalidAlias, "table name behind its alias", table_name),
    Mutator(InvalidAlias, "join left out", join_left_out),
];

fn open_parenthesis(subject: &Subject<'_>) -> Vec<String> {
    without_last(subject, ')')
}

fn open_quote(subject: &Subject<'_>) -> Vec<String> {
    without_last(subject, '\'')
}

fn without_last(subject: &Subject<'_>, sign: char) -> Vec<String> {
    let mut text = subject.text();
    let at = text.rfind(sign);
    at.map(|at| {
        text.remove(at);
        text
    })
    .into_iter()
    .collect()
}

fn prose(subject: &Subject<'_>) -> Vec<String> {
    let text = subject.text();
    vec![
        format!("```sql\n{text}\n```"),
        format!("Here is the query: {text}"),
        format!("{text};\n\nThis query returns what was asked for."),
    ]
}

fn trailing_comma(subject: &Subject<'_>) -> Vec<String> {
    let text = subject.text();
    let Some(at) = text.find(" FROM ") else {
        return Vec::new();
    };
    vec![format!("{},{}", &text[..at], &text[at..])]
}

/// Ends behind a word that wants another, as a reply does that was cut.
fn cut_off(subject: &Subject<'_>) -> Vec<String> {
    let text = subject.text();
    let ends = [" = ", " > ", " BY ", " FROM ", " ON ", " WHERE "];
    let last = ends
        .iter()
        .filter_map(|end| Some(text.rfind(end)? + end.len() - 1))
        .max();
    last.map(|at| text[..at].trim_end().to_owned())
        .into_iter()
        .collect()
}

fn clauses_out_of_order(subject: &Subject<'_>) -> Vec<String> {
    let query = &subject.query;
    let text = subject.text();
    let mut found = Vec::new();
    if let Some(select) = query.body.as_select()
        && let Some(condition) = &select.selection
    {
        let (first, second) = (format!(" WHERE {condition}"), format!(" {}", select.group_by));
        found.extend(swapped(&text, &first, &second));
    }
    if let (Some(order), Some(limit)) = (&query.order_by, &query.limit_clause) {
        found.extend(swapped(&text, &format!(" {order}"), &limit.to_string()));
        if let Some(select) = query.body.as_select() {
            found.extend(swapped(
                &text,
                &format!(" {}", select.group_by),
                &format!(" {order}"),
            ));
        }
    }
    found
}

fn swapped(text: &str, first: &str, second: &str) -> Option<String> {
    let both = format!("{first}{second}");
    let fits = !first.trim().is_empty() && !second.trim().is_empty() && text.contains(&both);
    fits.then(|| text.replacen(&both, &format!("{second}{first}"), 1))
}

fn undeclared(subject: &Subject<'_>) -> Vec<String> {
    subject.names(|expr, scope| {
        let Some((source, at)) = scope.column(expr, subject.schema()) else {
            return Vec::new();
        };
        let table = &subject.schema().tables[at.table].name;
        let counted = format!("T{}", scope.sources.len() + 1);
        let initial = table.chars().take(1).collect::<String>().to_lowercase();
        let qualified = matches!(expr, Expr::CompoundIdentifier(_));
        let name = if scope.sources[source].name.starts_with(['T', 't']) && qualified {
            counted
        } else {
            initial
        };
        if scope.source(&name).is_some() || !qualified {
            return Vec::new();
        }
        vec![with_qualifier(expr, &name)]
    })
}

fn table_name(subject: &Subject<'_>) -> Vec<String> {
    subject.names(|expr, scope| {
        let (Some((source, at)), Expr::CompoundIdentifier(_)) = (scope.column(expr, subject.schema()), expr)
        else {
            return Vec::new();
        };
        let table = &subject.schema().tables[at.table].name;
        if !scope.sources[source].aliased || scope.source(table).is_some() {
            return Vec::new();
        }
        vec![with_qualifier(expr, table)]
    })
}

fn with_qualifier(expr: &Expr, qualifier: &str) -> Expr {
    match expr {
        Expr::CompoundIdentifier(names) => {
            let mut names = names.clone();
            names[0] = Ident::new(qualifier);
            Expr::CompoundIdentifier(names)
        }
        other => other.clone(),
    }
}

/// The columns of the table are still named.
fn join_left_out(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, scope| {
        let Some((join, rest)) = joins(select).split_last() else {
            return Vec::new();
        };
        let gone = &scope.sources[scope.sources.len() - 1].name;
        let left = with_joins(select, rest.to_vec());
        let qualifier = format!("{}.", gone.to_lowercase());
        let named = !gone.is_empty() && left.to_string().to_lowercase().contains(&qualifier);
        if named && super::clauses::on(join).is_some() {
            vec![left]
        } else {
            Vec::new()
        }
    })
}
