//! The tables of one SELECT as its text calls them, and tables added to it along the keys.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, Ident, Join, ObjectNamePart, OrderByKind, Query, Select, SelectItem, SetExpr, TableFactor,
    TableWithJoins,
};

use super::{
    fragments::expression,
    selects::part_of_mut,
    walk::{Node, change_exprs, read},
};
use crate::question::{
    schema::{Column, ColumnRef, Dialect, JoinStep, Schema, Snapshot},
    validator::{
        names::{meant, quoted, same},
        parse::{Lines, Parsed, piece},
    },
};

/// What a SELECT reads from.
#[derive(Debug, Clone)]
pub(super) struct Sources<'a> {
    snapshot: &'a Snapshot,
    all: Vec<FromItem>,
}

/// One item of FROM.
#[derive(Debug, Clone)]
pub(super) struct FromItem {
    /// What columns are qualified with.
    pub(super) name: String,
    /// Its position in the schema; `None` for a subquery and the like.
    pub(super) table: Option<usize>,
}

impl<'a> Sources<'a> {
    /// Those of a SELECT of the statement.
    pub(super) fn of(select: &Select, parsed: &Parsed, snapshot: &'a Snapshot) -> Self {
        // The names of common table expressions hide tables.
        let mut common = vec![];
        read(parsed.query.as_ref(), &mut |node, _| {
            if let Node::Query(query) = node {
                let tables = query.with.iter().flat_map(|with| &with.cte_tables);
                common.extend(tables.map(|table| table.alias.name.value.clone()));
            }
            ControlFlow::Continue(())
        });
        let mut sources = Self {
            snapshot,
            all: vec![],
        };
        for item in &select.from {
            sources.read(item, &common);
        }
        sources
    }

    fn read(&mut self, item: &TableWithJoins, common: &[String]) {
        let factors = std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation));
        for factor in factors {
            self.factor(factor, common);
        }
    }

    fn factor(&mut self, factor: &TableFactor, common: &[String]) {
        let dialect = self.snapshot.dialect;
        let (name, alias, table) = match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => return self.read(table_with_joins, common),
            TableFactor::Table {
                name, alias, args, ..
            } => {
                let parts: Vec<_> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
                let called = parts.last().map(|name| meant(name, dialect).into_owned());
                let called = called.unwrap_or_default();
                let is_common =
                    parts.len() == 1 && common.iter().any(|common| same(common, &called, dialect));
                let table = (!is_common && args.is_none()).then(|| self.table(&parts, &called));
                (called, alias, table.flatten())
            }
            TableFactor::Derived { alias, .. }
            | TableFactor::Function { alias, .. }
            | TableFactor::UNNEST { alias, .. } => (String::new(), alias, None),
            _ => return,
        };
        let name = alias
            .as_ref()
            .map_or(name, |alias| meant(&alias.name, dialect).into_owned());
        self.all.push(FromItem { name, table });
    }

    fn table(&self, parts: &[&Ident], called: &str) -> Option<usize> {
        let dialect = self.snapshot.dialect;
        let namespace = match parts {
            [namespace, _] if dialect == Dialect::Postgres => Some(meant(namespace, dialect)),
            _ => None,
        };
        self.snapshot.schema.tables.iter().position(|table| {
            same(&table.name, called, dialect)
                && match &namespace {
                    Some(namespace) => table.schema.as_deref() == Some(namespace),
                    None => !table.qualified,
                }
        })
    }

    /// All of them, in the order of the text.
    pub(super) fn iter(&self) -> impl Iterator<Item = &FromItem> {
        self.all.iter()
    }

    /// The tables of the schema among them.
    pub(super) fn tables(&self) -> Vec<usize> {
        self.all.iter().filter_map(|source| source.table).collect()
    }

    /// True if all of them are tables of the schema.
    pub(super) fn are_tables(&self) -> bool {
        self.all.iter().all(|source| source.table.is_some())
    }

    /// The only source that is this table.
    pub(super) fn only(&self, table: usize) -> Option<&FromItem> {
        let mut found = self.all.iter().filter(|source| source.table == Some(table));
        found.next().filter(|_| found.next().is_none())
    }

    /// The stored column that an expression names, and behind which source.
    pub(super) fn column(&self, expr: &Expr) -> Option<(usize, ColumnRef)> {
        let dialect = self.snapshot.dialect;
        let (qualifier, name) = match expr {
            Expr::Identifier(name) => (None, name),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., qualifier, name] => (Some(meant(qualifier, dialect)), name),
                _ => return None,
            },
            Expr::Nested(inner) => return self.column(inner),
            _ => return None,
        };
        let called = meant(name, dialect);
        let mut found = self.all.iter().enumerate().filter_map(|(at, source)| {
            let fits = qualifier
                .as_ref()
                .is_none_or(|qualifier| same(&source.name, qualifier, dialect));
            let table = source.table.filter(|_| fits)?;
            let columns = &self.snapshot.schema.tables[table].columns;
            let column = columns
                .iter()
                .position(|column| same(&column.name, &called, dialect))?;
            Some((at, ColumnRef { table, column }))
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// How the text names a column of one of its sources.
    pub(super) fn written(&self, source: &FromItem, column: ColumnRef) -> String {
        let dialect = self.snapshot.dialect;
        let name = quoted(&self.snapshot.schema.column(column).name, dialect);
        if self.all.len() == 1 {
            name
        } else {
            format!("{}.{name}", quoted(&source.name, dialect))
        }
    }

    /// A table of the schema as FROM names it.
    pub(super) fn table_text(&self, table: usize) -> String {
        let table = &self.snapshot.schema.tables[table];
        let name = quoted(&table.name, self.snapshot.dialect);
        match table.schema.as_ref().filter(|_| table.qualified) {
            Some(schema) => format!("{}.{name}", quoted(schema, self.snapshot.dialect)),
            None => name,
        }
    }

    /// A name as the text has it.
    pub(super) fn quoted(&self, name: &str) -> String {
        quoted(name, self.snapshot.dialect)
    }

    /// A column's own name.
    pub(super) fn column_text(&self, column: ColumnRef) -> String {
        quoted(&self.snapshot.schema.column(column).name, self.snapshot.dialect)
    }

    /// How the text names a column of a table that is once among the sources.
    pub(super) fn named(&self, column: ColumnRef) -> Option<String> {
        Some(self.written(self.only(column.table)?, column))
    }

    /// Joins a table and those between to the SELECT at `at` along the keys, and tells how a column of it is
    /// written. Declines where the SELECT reads from something else than tables.
    pub(super) fn join(
        &mut self,
        query: &mut Query,
        (lines, at): (&Lines, usize),
        column: ColumnRef,
    ) -> Option<String> {
        if let Some(written) = self.named(column) {
            return Some(written);
        }
        let snapshot = self.snapshot;
        let tables = self.tables();
        if !self.are_tables() || tables.is_empty() || tables.contains(&column.table) {
            return None;
        }
        let wanted: Vec<usize> = tables.iter().copied().chain([column.table]).collect();
        let steps = snapshot.joins.connect(&wanted, &[])?;
        if let [alone] = self.all.as_slice() {
            qualify(query, (lines, at), alone, snapshot);
        }
        let select = part_of_mut(&mut query.body, lines, at)?;
        let taken = self.clone();
        self.join_steps(select.from.last_mut()?, &steps, &taken)?;
        self.named(column)
    }

    /// Gives an expression over tables' names the names of these sources; tables that are lacking join the SELECT.
    /// What a subquery reads itself stays as it is.
    pub(super) fn adopt(&mut self, query: &mut Query, place: (&Lines, usize), expr: &mut Expr) -> Option<()> {
        let mut own: Vec<String> = vec![];
        let mut outer: Vec<(String, String)> = vec![];
        read(expr, &mut |node, _| {
            if let Node::Table(TableFactor::Table { name, alias, .. }) = node {
                let called = alias.as_ref().map(|alias| &alias.name);
                let called = called.or_else(|| name.0.last().and_then(ObjectNamePart::as_ident));
                own.extend(called.map(|name| name.value.clone()));
            }
            ControlFlow::Continue(())
        });
        read(expr, &mut |node, _| {
            if let Node::Expr(Expr::CompoundIdentifier(parts)) = node
                && let [table, name] = parts.as_slice()
            {
                let known = (table.value.clone(), name.value.clone());
                if !own.contains(&known.0) && !outer.contains(&known) {
                    outer.push(known);
                }
            }
            ControlFlow::Continue(())
        });
        let dialect = self.snapshot.dialect;
        let mut replaced = vec![];
        for (table, name) in outer {
            let schema = &self.snapshot.schema;
            let at = schema
                .tables
                .iter()
                .position(|known| same(&known.name, &table, dialect))?;
            let column = schema.tables[at]
                .columns
                .iter()
                .position(|known| same(&known.name, &name, dialect))?;
            let written = self.join(query, place, ColumnRef { table: at, column })?;
            replaced.push(((table, name), expression(&written, dialect)?));
        }
        change_exprs(expr, &mut |expr, _| {
            if let Expr::CompoundIdentifier(parts) = expr
                && let [table, name] = parts.as_slice()
                && !own.iter().any(|own| same(own, &table.value, dialect))
            {
                let known = |((one, other), _): &&((String, String), Expr)| {
                    same(one, &table.value, dialect) && same(other, &name.value, dialect)
                };
                if let Some((_, new)) = replaced.iter().find(known) {
                    *expr = new.clone();
                }
            }
            ControlFlow::Continue(())
        });
        Some(())
    }

    /// Adds the tables of some steps to FROM; `beside` has the names that are taken elsewhere.
    pub(super) fn join_steps(
        &mut self,
        from: &mut TableWithJoins,
        steps: &[JoinStep],
        beside: &Sources<'_>,
    ) -> Option<()> {
        let snapshot = self.snapshot;
        for step in steps {
            if self.all.iter().any(|source| source.table == Some(step.table)) {
                continue;
            }
            let table = &snapshot.schema.tables[step.table];
            let name = self.table_text(step.table);
            let called = self.free_name(&table.name, beside);
            let alias = !same(&called, &table.name, snapshot.dialect) || table.qualified;
            let alias = if alias {
                format!(" AS {}", quoted(&called, snapshot.dialect))
            } else {
                String::new()
            };
            let new = FromItem {
                name: called,
                table: Some(step.table),
            };
            let condition = self.condition(step.key, &new)?;
            from.joins.push(join(
                &format!("JOIN {name}{alias} ON {condition}"),
                snapshot.dialect,
            )?);
            self.all.push(new);
        }
        Some(())
    }

    /// That a key relates a source of others to one that is here.
    pub(super) fn condition_to(&self, others: &Sources<'_>, number: usize, key: usize) -> Option<String> {
        self.condition(key, others.all.get(number)?)
    }

    /// That a key relates another source to one that is here.
    fn condition(&self, key: usize, new: &FromItem) -> Option<String> {
        let schema: &Schema = &self.snapshot.schema;
        let key = &schema.foreign_keys[key];
        let (ours, theirs) = if Some(key.from.first()?.table) == new.table {
            (&key.from, &key.to)
        } else {
            (&key.to, &key.from)
        };
        let other = self.only(theirs.first()?.table)?;
        let own = quoted(&new.name, self.snapshot.dialect);
        let other = quoted(&other.name, self.snapshot.dialect);
        let pairs = ours.iter().zip(theirs).map(|(one, two)| {
            format!(
                "{own}.{} = {other}.{}",
                self.column_text(*one),
                self.column_text(*two)
            )
        });
        Some(pairs.collect::<Vec<_>>().join(" AND "))
    }

    /// Some of them.
    pub(super) fn subset(&self, numbers: &[usize]) -> Self {
        let all = numbers.iter().filter_map(|number| self.all.get(*number).cloned());
        Self {
            snapshot: self.snapshot,
            all: all.collect(),
        }
    }

    /// These, and one of others.
    pub(super) fn and(mut self, others: &Sources<'_>, number: usize) -> Self {
        self.all.extend(others.all.get(number).cloned());
        self
    }

    /// The table of the source with a number.
    pub(super) fn table_at(&self, number: usize) -> Option<usize> {
        self.all.get(number)?.table
    }

    /// The first source that is this table.
    pub(super) fn number_of(&self, table: usize) -> Option<usize> {
        self.all.iter().position(|source| source.table == Some(table))
    }

    /// The keys of which some equalities have all columns.
    pub(super) fn keys_used(&self, equalities: &[(&Expr, &Expr)]) -> Vec<usize> {
        let pairs: Vec<(ColumnRef, ColumnRef)> = equalities
            .iter()
            .filter_map(|(left, right)| Some((self.column(left)?.1, self.column(right)?.1)))
            .collect();
        let keys = self.snapshot.schema.foreign_keys.iter().enumerate();
        let used = keys.filter(|(_, key)| {
            let mut columns = key.from.iter().zip(&key.to);
            columns.all(|(from, to)| pairs.contains(&(*from, *to)) || pairs.contains(&(*to, *from)))
        });
        used.map(|(at, _)| at).collect()
    }

    /// The aliases of the text go on: T1, T2, T3; else a table is called by its name.
    fn free_name(&self, table: &str, beside: &Sources<'_>) -> String {
        let dialect = self.snapshot.dialect;
        let all = || self.all.iter().chain(&beside.all);
        let taken = |name: &str| all().any(|source| same(&source.name, name, dialect));
        let numbered = |prefix: &str| {
            all().all(|source| {
                let number = source.name.strip_prefix(prefix);
                number.is_some_and(|number| number.parse::<u8>().is_ok())
            })
        };
        let prefix = ["T", "t"].into_iter().find(|prefix| numbered(prefix));
        let mut names = (1..=u8::MAX).map(|number| match prefix {
            Some(prefix) => format!("{prefix}{number}"),
            None if number == 1 => table.to_owned(),
            None => format!("{table}_{number}"),
        });
        names
            .find(|name| !taken(name))
            .unwrap_or_else(|| table.to_owned())
    }
}

/// `JOIN table ON condition` from its text.
pub(super) fn join(text: &str, dialect: Dialect) -> Option<Join> {
    let read = piece(&format!("a {text}"), dialect, |parser| {
        parser.parse_table_and_joins()
    });
    read?.joins.pop()
}

/// Puts the only table's name before its columns, so that no other table's are meant.
fn qualify(query: &mut Query, (lines, at): (&Lines, usize), source: &FromItem, snapshot: &Snapshot) {
    let Some(table) = source.table else { return };
    let mut qualifier = Qualifier {
        source,
        columns: &snapshot.schema.tables[table].columns,
        dialect: snapshot.dialect,
        aliases: vec![],
    };
    let alone = matches!(query.body.as_ref(), SetExpr::Select(_));
    if let Some(select) = part_of_mut(&mut query.body, lines, at) {
        qualifier.aliases = aliases(select);
        change_exprs(select, &mut |expr, depth| {
            qualifier.qualify(expr, depth);
            ControlFlow::Continue(())
        });
    }
    if let Some(OrderByKind::Expressions(terms)) = query.order_by.as_mut().map(|order| &mut order.kind)
        && alone
    {
        for term in terms {
            change_exprs(term, &mut |expr, depth| {
                qualifier.qualify(expr, depth);
                ControlFlow::Continue(())
            });
        }
    }
}

/// The names that a select list gives to its items.
pub(super) fn aliases(select: &Select) -> Vec<String> {
    let given = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
        _ => None,
    });
    given.collect()
}

impl Qualifier<'_> {
    /// Puts the table's name before one of its columns.
    fn qualify(&self, expr: &mut Expr, depth: usize) {
        if let Expr::Identifier(name) = expr
            && depth == 0
        {
            let called = meant(name, self.dialect).into_owned();
            let known = self
                .columns
                .iter()
                .any(|column| same(&column.name, &called, self.dialect));
            let is_alias = self
                .aliases
                .iter()
                .any(|alias| same(alias, &called, self.dialect));
            if known && !is_alias {
                let qualifier = ident(&self.source.name, self.dialect);
                *expr = Expr::CompoundIdentifier(vec![qualifier, name.clone()]);
            }
        }
    }
}

struct Qualifier<'a> {
    source: &'a FromItem,
    columns: &'a [Column],
    dialect: Dialect,
    aliases: Vec<String>,
}

/// A name in quotes where it needs them.
fn ident(name: &str, dialect: Dialect) -> Ident {
    if quoted(name, dialect) == name {
        Ident::new(name)
    } else {
        Ident::with_quote('"', name)
    }
}
