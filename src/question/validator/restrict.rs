//! What an access policy leaves of tables, written into SQL: each reference to a restricted table becomes a subquery with
//! the columns and rows that are left. And what is said where SQL names something that the policy keeps back.

use std::collections::HashSet;

use sqlparser::{
    ast::{Expr, SetExpr},
    tokenizer::{Token, Tokenizer},
};

use super::{
    Code, Finding,
    names::quoted,
    parse::{self, Parsed},
    resolve::resolve,
    resolved::{Resolved, TableUse},
    walk,
};
use crate::question::schema::{Column, Dialect, Restriction, Schema, Table};

/// The text that runs in place of a statement that has no errors: the same where it names no restricted table.
pub(super) fn restricted(
    parsed: &Parsed,
    resolved: &Resolved,
    schema: &Schema,
    dialect: Dialect,
) -> Result<Option<String>, Finding> {
    let restriction = |table: &TableUse| schema.tables[table.table].restriction.as_deref();
    if !resolved.references.iter().any(|used| restriction(used).is_some()) {
        return Ok(None);
    }
    let mut text = String::new();
    let mut rest = parsed.text.chars();
    let mut at = 1;
    let mut written: Vec<(usize, usize)> = Vec::new();
    for used in &resolved.references {
        let Some(restriction) = restriction(used) else {
            continue;
        };
        if used.start < at || used.end <= used.start {
            return Err(cannot(&schema.tables[used.table]));
        }
        text.extend(rest.by_ref().take(used.start - at));
        let name: String = rest.by_ref().take(used.end - used.start).collect();
        at = used.end;
        let table = &schema.tables[used.table];
        let start = text.chars().count() + 1;
        text.push_str(&subquery(&name, table, restriction, dialect));
        written.push((start, text.chars().count() + 1));
        if !used.aliased {
            text.push_str(" AS ");
            text.push_str(&quoted(&table.name, dialect));
        }
    }
    text.extend(rest);
    check(&text, &written, schema, resolved, dialect)?;
    Ok(Some(text))
}

/// The new text is valid where the columns behind conditions are known too, has as many columns, and names no
/// restricted table outside the subqueries that were written.
fn check(
    text: &str,
    written: &[(usize, usize)],
    schema: &Schema,
    before: &Resolved,
    dialect: Dialect,
) -> Result<(), Finding> {
    let tables = before.tables.iter().map(|table| open(&schema.tables[*table]));
    let limits_rows = before.tables.iter().any(|table| {
        let restriction = schema.tables[*table].restriction.as_ref();
        restriction.is_some_and(|restriction| restriction.rows.is_some())
    });
    let known = Schema {
        tables: tables.collect(),
        // A condition of the policy must not call something of the database's own unawares either, nor of theirs whom it limits.
        shadowed: if limits_rows {
            schema.shadowed.with_own()
        } else {
            schema.shadowed.clone()
        },
        ..Schema::default()
    };
    let parsed = parse::parse(text, dialect).map_err(unplaced)?;
    let (resolved, found) = resolve(&parsed, &known, dialect);
    if let Some(error) = found
        .into_iter()
        .map(|found| found.finding)
        .find(Finding::is_error)
    {
        return Err(unplaced(error));
    }
    let inside = |used: &TableUse| {
        written
            .iter()
            .any(|(start, end)| (*start..*end).contains(&used.start))
    };
    let outside = resolved
        .references
        .iter()
        .find(|used| known.tables[used.table].restriction.is_some() && !inside(used));
    match outside {
        Some(used) => Err(cannot(&known.tables[used.table])),
        None if resolved.output.len() != before.output.len() => Err(Finding::error(
            Code::Forbidden,
            None,
            "the access policy cannot be applied to this statement",
        )),
        None => Ok(()),
    }
}

/// Positions count in a text that nobody has seen.
fn unplaced(finding: Finding) -> Finding {
    Finding {
        position: None,
        repair: None,
        ..finding
    }
}

fn cannot(table: &Table) -> Finding {
    let message = format!(
        "the access policy on {} cannot be applied to this statement",
        table.name
    );
    Finding::error(Code::Forbidden, None, message)
}

/// The table with all of its columns.
fn open(table: &Table) -> Table {
    let mut open = table.clone();
    if let Some(restriction) = &table.restriction {
        open.columns.extend(restriction.hidden.iter().cloned());
    }
    open
}

fn subquery(name: &str, table: &Table, restriction: &Restriction, dialect: Dialect) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| quoted(&column.name, dialect))
        .collect();
    // The limit keeps the planner from trying the question's own conditions first, whose errors would tell of rows
    // that are kept back.
    let fence = match dialect {
        Dialect::Sqlite => "LIMIT -1 OFFSET 0",
        Dialect::Postgres => "OFFSET 0",
    };
    let condition = restriction
        .rows
        .as_ref()
        .map_or_else(String::new, |rows| format!(" WHERE {rows} {fence}"));
    format!("(SELECT {} FROM {name}{condition})", columns.join(", "))
}

/// The condition of a policy on a table's rows, ready to stand behind WHERE: it names columns of the table alone and
/// reads nothing else. `session_user` in it becomes the user's name.
pub fn row_condition(
    condition: &str,
    table: &Table,
    user: &str,
    dialect: Dialect,
) -> Result<String, Finding> {
    let condition = with_user(condition, user, dialect)?;
    let name = "querent_table";
    let mut columns: Vec<Column> = table.columns.clone();
    if let Some(restriction) = &table.restriction {
        columns.extend(restriction.hidden.iter().cloned());
    }
    let schema = Schema {
        tables: vec![Table {
            name: name.to_owned(),
            columns,
            ..Table::default()
        }],
        ..Schema::default()
    };
    let before = format!("SELECT 1 FROM {name} WHERE (");
    let placed = |finding: Finding| Finding {
        position: finding
            .position
            .and_then(|at| at.checked_sub(before.chars().count())),
        ..finding
    };
    let parsed = parse::parse(&format!("{before}{condition}\n)"), dialect).map_err(placed)?;
    if !is_one_condition(&parsed) {
        return Err(Finding::error(
            Code::SubqueryMissing,
            None,
            "a condition on rows is one expression without subqueries and parameters",
        ));
    }
    let (_, found) = resolve(&parsed, &schema, dialect);
    match found
        .into_iter()
        .map(|found| found.finding)
        .find(Finding::is_error)
    {
        Some(error) => Err(placed(error)),
        None => Ok(format!("({condition})")),
    }
}

/// Nothing but `SELECT 1 FROM t WHERE (…)`, with neither subquery nor parameter in the parentheses.
fn is_one_condition(parsed: &Parsed) -> bool {
    let reads_more = |expr: &Expr| match expr {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => true,
        Expr::Value(value) => matches!(value.value, sqlparser::ast::Value::Placeholder(_)),
        _ => false,
    };
    let query = &parsed.query;
    let SetExpr::Select(select) = query.body.as_ref() else {
        return false;
    };
    // Whatever else could follow a condition would stand behind the closing parenthesis.
    let nothing_else = query.order_by.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
    match &select.selection {
        Some(Expr::Nested(condition)) if nothing_else && select.having.is_none() => {
            !walk::any_expr(condition.as_ref(), &reads_more)
        }
        _ => false,
    }
}

/// The condition on one line, without comments, and with the user's name in place of `session_user`.
fn with_user(condition: &str, user: &str, dialect: Dialect) -> Result<String, Finding> {
    let refused = |message: String| Finding::error(Code::SqlSyntaxError, None, message);
    let grammar: &dyn sqlparser::dialect::Dialect = match dialect {
        Dialect::Sqlite => &sqlparser::dialect::SQLiteDialect {},
        Dialect::Postgres => &sqlparser::dialect::PostgreSqlDialect {},
    };
    let tokens = Tokenizer::new(grammar, condition)
        .with_unescape(false)
        .tokenize()
        .map_err(|error| refused(error.message))?;
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Whitespace(_) => text.push(' '),
            Token::Word(word)
                if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("session_user") =>
            {
                // A backslash may be an escape, as the session is set.
                if user.contains(['\\', '\0']) {
                    return Err(refused(format!(
                        "the name of user {user:?} cannot stand in a condition"
                    )));
                }
                text.extend(["'", &user.replace('\'', "''"), "'"]);
            }
            Token::EscapedStringLiteral(_) => {
                return Err(refused(
                    "text in a condition is written in plain single quotes".into(),
                ));
            }
            token => text.push_str(&token.to_string()),
        }
    }
    Ok(text.trim().to_owned())
}

/// The findings, and before them that the statement names what its user may not read.
pub(super) fn explained(
    findings: Vec<Finding>,
    parsed: &Parsed,
    schema: &Schema,
    dialect: Dialect,
) -> Vec<Finding> {
    let kept_back = kept_back(parsed, schema, dialect);
    let Some((position, _)) = kept_back.first() else {
        return findings;
    };
    let told = Finding::error(Code::Forbidden, Some(*position), refusal(schema, &kept_back));
    std::iter::once(told).chain(findings).collect()
}

/// What a statement names of what its user may not read, with where it does: each once, in the order of the text; the name
/// is `None` where the user may not know it.
pub(super) fn kept_back(parsed: &Parsed, schema: &Schema, dialect: Dialect) -> Vec<(usize, Option<String>)> {
    let Some(withheld) = &schema.withheld else {
        return Vec::new();
    };
    let whole = &withheld.whole.schema;
    let (resolved, _) = resolve(parsed, whole, dialect);
    let tables = resolved.references.iter().filter_map(|used| {
        let table = &whole.tables[used.table];
        let told = table.is_denied().then(|| table.name.clone());
        withheld.keeps(schema, table, None).then_some((used.start, told))
    });
    let columns = resolved.uses.iter().filter_map(|used| {
        let table = &whole.tables[used.column.table];
        let column = &table.columns[used.column.column];
        let kept = !withheld.keeps(schema, table, None) && withheld.keeps(schema, table, Some(column));
        let told = column.denied.then(|| format!("{}.{}", table.name, column.name));
        kept.then_some((used.position.unwrap_or(1), told))
    });
    let mut kept_back: Vec<(usize, Option<String>)> = tables.chain(columns).collect();
    kept_back.sort();
    let mut seen = HashSet::new();
    kept_back.retain(|(_, name)| seen.insert(name.clone()));
    kept_back
}

/// Who may not read what, as far as it may be told.
fn refusal(schema: &Schema, kept_back: &[(usize, Option<String>)]) -> String {
    let user = schema
        .withheld
        .as_ref()
        .map_or("", |withheld| withheld.user.as_str());
    let names: Vec<&str> = kept_back.iter().filter_map(|(_, name)| name.as_deref()).collect();
    withheld_message(user, &names)
}

/// In one line, that somebody may not read these; without a name, that it is kept back what they are.
pub fn withheld_message(user: &str, names: &[&str]) -> String {
    match (user, names) {
        ("", []) => "the access policy does not let this be read".to_owned(),
        (user, []) => format!("the access policy does not let {user} read what this asks for"),
        (user, names) => format!("{user} may not read {}", names.join(", ")),
    }
}
