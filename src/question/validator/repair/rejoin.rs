//! A SELECT that names columns of tables it does not read: the tables that have them join it along the keys.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, Query, Select, SetExpr, TableFactor,
    TableWithJoins, VisitorMut,
};

use super::own_columns::{OwnColumns, Requalify, columns_of_joins};
use crate::question::{
    schema::{JoinStep, Snapshot},
    validator::{
        Asked,
        names::{meant, quoted, same},
        parse::{Parsed, parse},
        resolve::LocatedFinding,
        walk::walk_mut,
    },
};

/// SELECTs of a statement that are looked at.
const MAX_SELECTS: usize = 12;
/// Tables that a fixed SELECT may read.
const MAX_TABLES: usize = 8;

/// The statement with one of its SELECTs joined to what it lacks, for each SELECT that lacks something.
pub(super) fn rejoin(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    (0..MAX_SELECTS)
        .map_while(|at| {
            let mut query = parsed.query.clone();
            let mut fixer = Fixer {
                snapshot: asked.snapshot,
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
        self.outcome = Some(fix(query, self.snapshot).is_some());
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

fn fix(query: &mut Query, snapshot: &Snapshot) -> Option<()> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let before = sources(select, snapshot)?;
    let mut columns = OwnColumns::of(query);
    let unbroken_joins = columns_of_joins(query)
        .iter()
        .all(|parts| before.resolves(parts, snapshot));
    if !unbroken_joins {
        // What relates the tables is written anew, so that its columns do not count.
        let related = columns_of_joins(query);
        columns.retain(|parts| !related.contains(parts) || before.resolves(parts, snapshot));
    }
    let lacking: Vec<Vec<Ident>> = columns
        .iter()
        .filter(|parts| !before.resolves(parts, snapshot) && !is_output(query, parts))
        .cloned()
        .collect();
    if lacking.is_empty() && unbroken_joins {
        return None;
    }
    let mut after = before.clone();
    let mut owners: Vec<(Vec<Ident>, usize)> = Vec::new();
    for parts in lacking {
        let owner = after.owner(&parts, snapshot)?;
        let source = match after.0.iter().position(|source| source.table == owner) {
            Some(source) => source,
            None => after.add(owner, &before, snapshot),
        };
        owners.push((parts, source));
    }
    let from = if unbroken_joins {
        extended(select, &before, &mut after, snapshot)?
    } else {
        rebuilt(select, &mut after, snapshot)?
    };
    if after.0.len() > MAX_TABLES {
        return None;
    }
    // A name that was clear before may be the new tables' too.
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
    if !unbroken_joins {
        keep_conditions(select);
    }
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

    /// The one table that a column that is lacking belongs to: one that is read already, or else the nearest along
    /// the keys.
    fn owner(&self, parts: &[Ident], snapshot: &Snapshot) -> Option<usize> {
        let name = parts.last()?;
        let here = self.with_column(name, snapshot);
        if let [source] = here[..] {
            return Some(self.0[source].table);
        }
        if let [qualifier, _] = parts
            && let Some(table) = snapshot.schema.table_named(&meant(qualifier, snapshot.dialect))
            && has_column(table, name, snapshot)
        {
            return Some(table);
        }
        let distance = |table: usize| {
            let distances = self
                .0
                .iter()
                .filter_map(|source| snapshot.joins.distance(source.table, table));
            distances.min()
        };
        let mut known: Vec<(usize, usize)> = (0..snapshot.schema.tables.len())
            .filter(|table| has_column(*table, name, snapshot))
            .filter_map(|table| Some((distance(table)?, table)))
            .collect();
        known.sort_unstable();
        match known[..] {
            [(_, table)] => Some(table),
            [(nearest, table), (next, _), ..] if nearest < next => Some(table),
            _ => None,
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

    fn of_table(&self, table: usize) -> Option<&JoinedTable> {
        self.0.iter().find(|source| source.table == table)
    }

    /// ` JOIN table AS name ON …` for one step; tables on the way are added.
    fn join(&mut self, step: JoinStep, before: &Self, snapshot: &Snapshot) -> Option<String> {
        if self.of_table(step.table).is_none() {
            self.add(step.table, before, snapshot);
        }
        let key = &snapshot.schema.foreign_keys[step.key];
        let name = |at: crate::question::schema::ColumnRef| {
            let source = self.of_table(at.table)?;
            let column = quoted(&snapshot.schema.column(at).name, snapshot.dialect);
            Some(format!("{}.{column}", source.name))
        };
        let pairs = key.from.iter().zip(&key.to);
        let conditions = pairs.map(|(from, to)| Some(format!("{} = {}", name(*from)?, name(*to)?)));
        let conditions = conditions.collect::<Option<Vec<_>>>()?.join(" AND ");
        let joined = written(self.of_table(step.table)?, snapshot);
        Some(format!(" JOIN {joined} ON {conditions}"))
    }
}

/// FROM as it is, and behind it the tables that came in addition.
fn extended(
    select: &Select,
    before: &Sources,
    after: &mut Sources,
    snapshot: &Snapshot,
) -> Option<TableWithJoins> {
    let [from] = select.from.as_slice() else {
        return None;
    };
    let mut text = from.to_string();
    let mut joined: Vec<usize> = before.0.iter().map(|source| source.table).collect();
    let added: Vec<usize> = after.0[before.0.len()..]
        .iter()
        .map(|source| source.table)
        .collect();
    for table in added {
        if joined.contains(&table) {
            continue;
        }
        let paths = joined
            .iter()
            .filter_map(|start| snapshot.joins.connect(&[*start, table], &[]));
        for step in paths.min_by_key(Vec::len)? {
            if !joined.contains(&step.table) {
                text.push_str(&after.join(step, before, snapshot)?);
                joined.push(step.table);
            }
        }
    }
    from_text(&text, snapshot)
}

/// All tables joined along the keys, whatever related them before.
fn rebuilt(select: &Select, after: &mut Sources, snapshot: &Snapshot) -> Option<TableWithJoins> {
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let inner = |operator: &JoinOperator| {
        matches!(
            operator,
            JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_)
        )
    };
    let mut tables: Vec<usize> = after.0.iter().map(|source| source.table).collect();
    let total = tables.len();
    tables.sort_unstable();
    tables.dedup();
    if tables.len() < total || joins.clone().any(|join| !inner(&join.join_operator)) {
        return None;
    }
    let tables: Vec<usize> = after.0.iter().map(|source| source.table).collect();
    let before = after.clone();
    let mut text = written(&after.0[0], snapshot);
    for step in snapshot.joins.connect(&tables, &[])? {
        text.push_str(&after.join(step, &before, snapshot)?);
    }
    from_text(&text, snapshot)
}

/// Conditions of joins that are more than two columns being equal go on as conditions of the rows.
fn keep_conditions(select: &mut Select) {
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let mut kept = Vec::new();
    for join in joins {
        if let JoinOperator::Join(JoinConstraint::On(condition))
        | JoinOperator::Inner(JoinConstraint::On(condition)) = &join.join_operator
        {
            let mut conditions = vec![condition];
            while let Some(condition) = conditions.pop() {
                match condition {
                    Expr::BinaryOp {
                        left,
                        op: BinaryOperator::And,
                        right,
                    } => {
                        conditions.extend([left.as_ref(), right.as_ref()]);
                    }
                    Expr::BinaryOp {
                        left,
                        op: BinaryOperator::Eq,
                        right,
                    } if is_column(left) && is_column(right) => {}
                    other => kept.push(other.clone()),
                }
            }
        }
    }
    for condition in kept {
        select.selection = Some(match select.selection.take() {
            Some(selection) => Expr::BinaryOp {
                left: Box::new(Expr::Nested(Box::new(selection))),
                op: BinaryOperator::And,
                right: Box::new(condition),
            },
            None => condition,
        });
    }
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
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
