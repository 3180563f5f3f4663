//! A SELECT that names columns of a table it does not read: the table joins it along the key, where that neither takes rows away
//! nor gives some twice, so that the statement reads the rows that it read before.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Ident, Join, JoinOperator, Query, Select, SelectItem, SetExpr, TableFactor, TableWithJoins, VisitorMut,
};

use super::own_columns::{OwnColumns, Requalify};
use crate::question::{
    schema::Snapshot,
    validator::{
        Asked, Code,
        names::{meant, quoted, same},
        parse::{Parsed, parse},
        resolve::{LocatedFinding, resolve},
        walk::walk_mut,
    },
};

/// SELECTs of a statement that are looked at.
const MAX_SELECTS: usize = 12;
/// Tables that a fixed SELECT may read.
const MAX_TABLES: usize = 8;

/// The statement with one of its SELECTs joined to what it lacks, for each SELECT that lacks something.
pub(super) fn rejoin(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let snapshot = asked.snapshot;
    // What a subquery names of the queries around it is not missing.
    let (_, found) = resolve(parsed, &snapshot.schema, snapshot.dialect);
    let names = found.iter().filter_map(|found| {
        let is_name = matches!(found.finding.code, Code::ColMissing | Code::InvalidAlias);
        let (from, to) = found.span.filter(|_| is_name)?;
        Some(parsed.text.chars().skip(from - 1).take(to - from).collect())
    });
    let missing: Vec<String> = names.collect();
    (0..MAX_SELECTS)
        .map_while(|at| {
            let mut query = parsed.query.clone();
            let mut fixer = Fixer {
                snapshot,
                missing: &missing,
                left: at,
                outcome: None,
            };
            let _ = walk_mut(&mut query, &mut fixer);
            let fixed = fixer.outcome?;
            Some(fixed.then(|| query.to_string()))
        })
        .flatten()
        .collect()
}

/// Walks to one query after the other.
struct Fixer<'a> {
    snapshot: &'a Snapshot,
    /// The columns that nothing in reach has, as they are written.
    missing: &'a [String],
    left: usize,
    /// Whether the query that was looked for could be fixed; `None` if there is no such query.
    outcome: Option<bool>,
}

impl VisitorMut for Fixer<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if self.left > 0 {
            self.left -= 1;
            return ControlFlow::Continue(());
        }
        self.outcome = Some(fix(query, self.missing, self.snapshot).is_some());
        ControlFlow::Break(())
    }
}

/// A table in FROM.
#[derive(Debug, Clone, PartialEq)]
struct JoinedTable {
    /// The alias, or else the table's name, as it is written.
    name: String,
    table: usize,
}

fn fix(query: &mut Query, missing: &[String], snapshot: &Snapshot) -> Option<()> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let before = sources(select, snapshot)?;
    let columns = OwnColumns::of(query);
    let (lacking, other): (Vec<_>, Vec<_>) = columns
        .iter()
        .filter(|parts| !before.resolves(parts, snapshot) && !is_output(query, parts))
        .cloned()
        .partition(|parts| {
            let written: Vec<String> = parts.iter().map(ToString::to_string).collect();
            missing.contains(&written.join("."))
        });
    let mut after = before.clone();
    let mut owners: Vec<(Vec<Ident>, usize)> = Vec::new();
    for parts in lacking {
        let owner = owner(&parts, &before, snapshot)?;
        let source = match after.0.iter().position(|source| source.table == owner) {
            Some(source) => source,
            None => after.add(owner, &before, snapshot),
        };
        owners.push((parts, source));
    }
    let [.., added] = after.0.as_slice() else {
        return None;
    };
    // What belongs to a query around this one goes on belonging to it.
    let captured =
        |parts: &Vec<Ident>| matches!(parts.as_slice(), [name] if has_column(added.table, name, snapshot));
    if after.0.len() != before.0.len() + 1 || after.0.len() > MAX_TABLES || other.iter().any(captured) {
        return None;
    }
    let from = extended(select, &before, &after, snapshot)?;
    // A name that was clear before may be the new table's too.
    for parts in &columns {
        if let [name] = parts.as_slice()
            && !owners.iter().any(|(known, _)| known == parts)
            && let [source] = before.with_column(name, snapshot)[..]
        {
            owners.push((parts.clone(), source));
        }
    }
    let SetExpr::Select(select) = query.body.as_mut() else {
        return None;
    };
    select.from = vec![from];
    let names = after.0.iter().map(|source| source.name.clone()).collect();
    let mut rename = Requalify {
        owners,
        names,
        depth: 0,
    };
    let _ = walk_mut(query, &mut rename);
    Some(())
}

/// The one table of the schema that a column belongs to: the one that it names, or that alone has such a column where it names one
/// that has not.
fn owner(parts: &[Ident], before: &Sources, snapshot: &Snapshot) -> Option<usize> {
    let name = parts.last()?;
    if let [qualifier, _] = parts
        && before.called(qualifier, snapshot).is_none()
    {
        let table = snapshot.schema.table_named(&meant(qualifier, snapshot.dialect))?;
        return has_column(table, name, snapshot).then_some(table);
    }
    let mut known = (0..snapshot.schema.tables.len()).filter(|table| has_column(*table, name, snapshot));
    known.next().filter(|_| known.next().is_none())
}

/// The tables that a SELECT reads.
#[derive(Debug, Clone)]
struct Sources(Vec<JoinedTable>);

/// `None` where it reads something else than tables of the schema.
fn sources(select: &Select, snapshot: &Snapshot) -> Option<Sources> {
    let factors = select
        .from
        .iter()
        .flat_map(|item| std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)));
    let sources = factors.map(|factor| {
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = factor
        else {
            return None;
        };
        let name = name.0.last()?.as_ident()?;
        let table = snapshot.schema.table_named(&meant(name, snapshot.dialect))?;
        let name = alias.as_ref().map_or(name, |alias| &alias.name);
        Some(JoinedTable {
            name: name.to_string(),
            table,
        })
    });
    sources
        .collect::<Option<Vec<_>>>()
        .filter(|sources| !sources.is_empty())
        .map(Sources)
}

impl Sources {
    fn with_column(&self, name: &Ident, snapshot: &Snapshot) -> Vec<usize> {
        (0..self.0.len())
            .filter(|source| has_column(self.0[*source].table, name, snapshot))
            .collect()
    }

    fn called(&self, qualifier: &Ident, snapshot: &Snapshot) -> Option<&JoinedTable> {
        let qualifier = qualifier.to_string();
        self.0
            .iter()
            .find(|source| same(&source.name, &qualifier, snapshot.dialect))
    }

    fn resolves(&self, parts: &[Ident], snapshot: &Snapshot) -> bool {
        match parts {
            [name] => !self.with_column(name, snapshot).is_empty(),
            [qualifier, name] => self
                .called(qualifier, snapshot)
                .is_some_and(|source| has_column(source.table, name, snapshot)),
            _ => true,
        }
    }

    /// Adds a table under a name in the manner of the names that are there. Its position.
    fn add(&mut self, table: usize, before: &Self, snapshot: &Snapshot) -> usize {
        let numbered = before.0.iter().all(|source| {
            let number = source.name.strip_prefix(['T', 't']);
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        });
        let own = quoted(&snapshot.schema.tables[table].name, snapshot.dialect);
        let taken = |name: &str| self.0.iter().any(|source| source.name.eq_ignore_ascii_case(name));
        let name = if numbered || taken(&own) {
            let numbers = (self.0.len() + 1)..;
            let mut names = numbers.map(|number| format!("T{number}"));
            names.find(|name| !taken(name)).unwrap_or(own)
        } else {
            own
        };
        self.0.push(JoinedTable { name, table });
        self.0.len() - 1
    }
}

/// FROM as it is, and behind it the table that came in addition; where each row has its one row there, by the only key between them.
fn extended(
    select: &Select,
    before: &Sources,
    after: &Sources,
    snapshot: &Snapshot,
) -> Option<TableWithJoins> {
    let [from] = select.from.as_slice() else {
        return None;
    };
    let schema = &snapshot.schema;
    let added = after.0.last()?;
    let is_inner = |join: &Join| {
        matches!(
            join.join_operator,
            JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_)
        )
    };
    let shows_all = select
        .projection
        .iter()
        .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)));
    let sources = before.0.iter();
    let mut keys = sources.flat_map(|source| {
        let keys = snapshot.joins.keys_between(source.table, added.table);
        keys.into_iter()
            .map(move |key| (source, &schema.foreign_keys[key]))
    });
    let (source, key) = keys.next().filter(|_| keys.next().is_none())?;
    let always = key.from.iter().all(|column| {
        let known = schema.column(*column);
        column.table == source.table && known.not_null && !known.null_in_key
    });
    if !always || !key.declared || shows_all || !from.joins.iter().all(is_inner) {
        return None;
    }
    let pairs = key.from.iter().zip(&key.to).map(|(from, to)| {
        let name = |column| quoted(&schema.column(column).name, snapshot.dialect);
        format!("{}.{} = {}.{}", source.name, name(*from), added.name, name(*to))
    });
    let condition = pairs.collect::<Vec<_>>().join(" AND ");
    from_text(
        &format!("{from} JOIN {} ON {condition}", written(added, snapshot)),
        snapshot,
    )
}

fn has_column(table: usize, name: &Ident, snapshot: &Snapshot) -> bool {
    let name = meant(name, snapshot.dialect);
    let mut columns = snapshot.schema.tables[table].columns.iter();
    columns.any(|column| same(&column.name, &name, snapshot.dialect))
}

/// A table as FROM names it.
fn written(source: &JoinedTable, snapshot: &Snapshot) -> String {
    let table = &snapshot.schema.tables[source.table];
    let mut name = quoted(&table.name, snapshot.dialect);
    if let (true, Some(schema)) = (table.qualified, &table.schema) {
        name = format!("{}.{name}", quoted(schema, snapshot.dialect));
    }
    if name == source.name {
        name
    } else {
        format!("{name} AS {}", source.name)
    }
}

fn from_text(text: &str, snapshot: &Snapshot) -> Option<TableWithJoins> {
    let parsed = parse(&format!("SELECT 1 FROM {text}"), snapshot.dialect).ok()?;
    match *parsed.query.body {
        SetExpr::Select(mut select) => select.from.pop(),
        _ => None,
    }
}

/// True for a name that the select list gives.
fn is_output(query: &Query, parts: &[Ident]) -> bool {
    let (SetExpr::Select(select), [name]) = (query.body.as_ref(), parts) else {
        return false;
    };
    select.projection.iter().any(|item| match item {
        sqlparser::ast::SelectItem::ExprWithAlias { alias, .. } => {
            alias.value.eq_ignore_ascii_case(&name.value)
        }
        _ => false,
    })
}
