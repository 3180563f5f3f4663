//! FROM: tables, subqueries, table functions, and the conditions that join them.

use sqlparser::ast::{
    Expr, Ident, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableAlias, TableFactor,
    TableWithJoins,
};

use super::{Code, Finding, Resolver};
use crate::question::{
    schema::Planned,
    validator::{
        expansion,
        names::same,
        resolved::{Clause, TableUse},
        scope::{Columns, Equality, FromSource, Relation, ScopedColumn, Value},
        walk::join_constraint,
    },
};

/// Tables that one SELECT may join; SQLite's own limit.
const MAX_SOURCES: usize = 64;

impl Resolver<'_> {
    /// The items of FROM, into the innermost scope.
    pub(super) fn from(&mut self, items: &[TableWithJoins]) {
        self.scope().clause = Clause::From;
        for item in items {
            self.table_with_joins(item);
        }
    }

    fn table_with_joins(&mut self, item: &TableWithJoins) {
        let first = self.scope().sources.len();
        self.factor(&item.relation);
        for join in &item.joins {
            let at = self.scope().sources.len();
            self.factor(&join.relation);
            let Some(constraint) = join_constraint(&join.join_operator) else {
                self.beyond(&join.relation, "join of this kind", None);
                continue;
            };
            let is_inner = matches!(
                join.join_operator,
                JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_)
            );
            self.scope().outer |= !is_inner;
            if join.global {
                self.beyond(&join.relation, "GLOBAL join", None);
            }
            match constraint {
                JoinConstraint::On(condition) => self.condition(condition),
                JoinConstraint::Using(columns) => {
                    for column in columns {
                        match column.0.as_slice() {
                            [ObjectNamePart::Identifier(column)] => self.merge(column, first..at, at, true),
                            _ => self.error(
                                Code::SqlSyntaxError,
                                column,
                                format!("USING ({column}) is no column"),
                            ),
                        }
                    }
                }
                JoinConstraint::Natural => self.natural(first..at, at),
                // Said by hand, a cross join needs no condition.
                JoinConstraint::None => {
                    if self.is_postgres() && !matches!(join.join_operator, JoinOperator::CrossJoin(_)) {
                        let finding = Finding::error(
                            Code::JoinMissing,
                            self.position(&join.relation),
                            "PostgreSQL has no join without a condition",
                        );
                        self.report(finding.with_hint("add ON with the keys, or write CROSS JOIN"));
                    }
                    if matches!(join.join_operator, JoinOperator::CrossJoin(_)) {
                        let related = (first..=at).collect();
                        self.scope().related.push(related);
                    }
                }
            }
        }
    }

    /// Makes one column of two, as USING does.
    fn merge(&mut self, column: &Ident, earlier: std::ops::Range<usize>, at: usize, explicit: bool) {
        let level = self.scopes.len() - 1;
        let sources = &self.scopes[level].sources;
        let Some(source) = sources.get(at) else { return };
        let called = self.meant(column);
        let find = |at: usize| {
            let column = sources[at].column_named(self.schema, &called, self.dialect)?;
            Some(ScopedColumn {
                level,
                source: at,
                column,
            })
        };
        let right = find(at);
        let left = earlier.clone().find_map(find);
        let unknown = matches!(source.columns, Columns::Unknown)
            || earlier
                .clone()
                .any(|at| matches!(sources[at].columns, Columns::Unknown));
        match (left, right) {
            (Some(left), Some(right)) => {
                let position = self.position(column);
                self.check_operator(column, "=");
                let scope = self.scope();
                scope.sources[at].merged.push(called);
                scope.equalities.push(Equality {
                    left,
                    right,
                    position,
                });
                scope.related.push(vec![left.source, right.source]);
                self.use_of(left, column.span);
                self.use_of(right, column.span);
            }
            _ if explicit && !unknown => {
                let message = format!("USING ({column}) is not a column of both tables");
                self.error(Code::ColMissing, column, message);
                self.scope().related.push(earlier.chain([at]).collect());
            }
            _ => {}
        }
    }

    fn natural(&mut self, earlier: std::ops::Range<usize>, at: usize) {
        let Some(source) = self.scopes.last().and_then(|scope| scope.sources.get(at)) else {
            return;
        };
        let names: Vec<_> = source
            .column_names(self.schema)
            .into_iter()
            .map(str::to_owned)
            .collect();
        for name in names {
            self.merge(&Ident::with_quote('"', name), earlier.clone(), at, false);
        }
    }

    fn factor(&mut self, factor: &TableFactor) {
        if self.scope().sources.len() >= MAX_SOURCES {
            if self.scope().sources.len() == MAX_SOURCES {
                let message = format!("more than {MAX_SOURCES} tables are joined");
                self.error(Code::SqlSyntaxError, factor, message);
            }
            return;
        }
        if let Some(what) = super::grammar::factor_beyond(factor, self.dialect) {
            self.beyond(factor, what, None);
            return;
        }
        if let TableFactor::Table {
            alias: Some(alias), ..
        }
        | TableFactor::Derived {
            alias: Some(alias), ..
        } = factor
        {
            self.check_name(&alias.name);
        }
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_ordinality,
                ..
            } => match args {
                None => self.table(name, alias.as_ref()),
                Some(args) => self.table_function(name, &args.args, alias.as_ref(), *with_ordinality),
            },
            TableFactor::Function {
                name,
                args,
                alias,
                with_ordinality,
                ..
            } => self.table_function(name, args, alias.as_ref(), *with_ordinality),
            TableFactor::Derived {
                lateral: true,
                subquery,
                alias,
                ..
            } => {
                let before = self.scope().uses.len();
                let relation = self.query(subquery);
                let related = self.sources_used_since(before);
                let position = self.position(factor);
                self.source(relation, alias.as_ref(), "", position);
                self.relate_last(related);
            }
            TableFactor::Derived { subquery, alias, .. } => {
                // A subquery sees what is around its SELECT, not the tables beside it.
                let scope = self.scopes.pop();
                let relation = self.query(subquery);
                self.scopes.extend(scope);
                let position = self.position(factor);
                self.source(relation, alias.as_ref(), "", position);
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset: false,
                with_ordinality,
                ..
            } => self.unnest(array_exprs, *with_ordinality, alias.as_ref()),
            TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => {
                if let Some(alias) = alias {
                    self.beyond(&alias.name, "alias for a join in parentheses", None);
                }
                self.table_with_joins(table_with_joins);
            }
            other => self.beyond(other, "table expression of this kind", None),
        }
    }

    pub(super) fn source(
        &mut self,
        mut relation: Relation,
        alias: Option<&TableAlias>,
        name: &str,
        position: Option<usize>,
    ) {
        if let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) {
            if !self.is_postgres() {
                self.beyond(
                    &alias.name,
                    "list of columns behind a table's alias",
                    Some("rename them in the SELECT"),
                );
            }
            for data_type in alias
                .columns
                .iter()
                .filter_map(|column| column.data_type.as_ref())
            {
                self.check_type(&alias.name, data_type);
            }
            self.rename(&mut relation, alias);
        }
        let name = alias.map_or(name.to_owned(), |alias| self.meant(&alias.name));
        let (columns, single_row) = (relation.columns(), relation.single_row);
        self.push_source(FromSource {
            name,
            columns,
            merged: vec![],
            single_row,
            position,
        });
    }

    fn push_source(&mut self, source: FromSource) {
        let taken = !source.name.is_empty()
            && self.scope().sources.iter().any(|other| {
                other.name == source.name && other.table().is_none_or(|table| source.table() == Some(table))
            });
        if taken && self.is_postgres() {
            let message = format!("two tables of the query are called {}", source.name);
            let finding = Finding::error(Code::InvalidAlias, source.position, message);
            self.report(finding.with_hint("give each its own alias"));
        }
        self.scope().sources.push(source);
    }

    /// The last source depends on some before it.
    pub(super) fn relate_last(&mut self, related: Vec<usize>) {
        let scope = self.scope();
        let at = scope.sources.len() - 1;
        scope.related.push(related.into_iter().chain([at]).collect());
    }

    /// What the views that are read are to the planner. Of two with one name the larger counts.
    pub(super) fn views(&self) -> expansion::Views {
        let mut views = expansion::Views::new();
        let read = self.tables.iter().map(|table| &self.schema.tables[*table]);
        for table in read.filter(|table| table.planned != Planned::default()) {
            let view = views.entry(table.name.to_lowercase()).or_default();
            view.relations = view.relations.max(table.planned.relations);
            view.joined = view.joined.max(table.planned.joined);
        }
        views
    }

    /// A table by its name, and its schema where one is written.
    fn find_table(&self, namespace: Option<&Ident>, name: &Ident) -> Option<usize> {
        if !self.is_postgres() {
            return self.schema.table_named(&name.value);
        }
        let (namespace, name) = (namespace.map(|namespace| self.meant(namespace)), self.meant(name));
        self.schema.tables.iter().position(|table| {
            table.name == name
                && match &namespace {
                    Some(_) => table.schema == namespace,
                    None => !table.qualified,
                }
        })
    }

    /// A table, a view, or a common table expression.
    fn table(&mut self, name: &ObjectName, alias: Option<&TableAlias>) {
        let position = self.position(name);
        let parts: Vec<_> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        let (database, table) = match parts.as_slice() {
            [table] => (None, *table),
            [database, table] => (Some(*database), *table),
            _ => {
                self.error(Code::TableMissing, name, format!("there is no table {name}"));
                return self.source(Relation::unknown(), alias, "", position);
            }
        };
        let called = self.meant(table);
        let policy = &self.facts.policy;
        let forbidden = policy.forbids_table(&table.value)
            || database.is_some_and(|database| policy.forbids_schema(&database.value));
        if forbidden {
            self.error(Code::Forbidden, name, format!("a question may not read {name}"));
            return self.source(Relation::unknown(), alias, &called, position);
        }
        if let Some(database) =
            database.filter(|database| !self.is_postgres() && !policy.allows_schema(&database.value))
        {
            self.error(
                Code::TableMissing,
                name,
                format!("there is no database {database}"),
            );
            return self.source(Relation::unknown(), alias, &called, position);
        }
        // The grammar takes ONLY for the table's name, and the table's for an alias.
        if self.is_postgres() && database.is_none() && table.quote_style.is_none() && called == "only" {
            self.error(
                Code::SqlSyntaxError,
                name,
                "ONLY in FROM is not for questions: a table is read with all that belongs to it",
            );
            return self.source(Relation::unknown(), alias, &called, position);
        }
        if database.is_none()
            && let Some(cte) = self
                .ctes
                .iter_mut()
                .rev()
                .find(|cte| same(&cte.called, &called, self.dialect))
        {
            cte.used = true;
            let relation = cte.relation.clone();
            return self.source(relation, alias, &called, position);
        }
        let Some(at) = self.find_table(database, table) else {
            self.table_missing(name, database, table);
            return self.source(Relation::unknown(), alias, &called, position);
        };
        if let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) {
            self.beyond(
                &alias.name,
                "list of columns behind a table's alias",
                Some("rename them in the SELECT"),
            );
        }
        let table = &self.schema.tables[at];
        if let Some(why) = &table.forbidden {
            let message = format!("a question may not read {name}: it {why}");
            let finding = Finding::error(Code::Forbidden, self.position(name), message);
            self.report(match &table.untrusted_owner {
                Some(owner) => finding.with_hint(format!(
                    "If whoever asks may run what {owner} writes, name {owner} in policy.trusted_owners."
                )),
                None => finding,
            });
        }
        self.tables.insert(at);
        self.refer(at, name, alias.is_some());
        let name = alias.map_or(called, |alias| self.meant(&alias.name));
        let (columns, merged) = (Columns::Table(at), vec![]);
        self.push_source(FromSource {
            name,
            columns,
            merged,
            single_row: false,
            position,
        });
    }

    /// Notes where a table is named.
    fn refer(&mut self, table: usize, name: &ObjectName, aliased: bool) {
        let ends = name
            .0
            .first()
            .zip(name.0.last())
            .and_then(|(first, last)| first.as_ident().zip(last.as_ident()));
        let place = ends.and_then(|(first, last)| {
            let start = self.lines.position(first.span.start)?;
            Some((start, self.lines.position(last.span.end)?))
        });
        let (start, end) = place.unwrap_or_default();
        self.references.push(TableUse {
            start,
            end,
            table,
            aliased,
        });
    }

    /// A condition that every row meets: notes which tables each part of it relates, and which columns it
    /// makes equal.
    pub(super) fn condition(&mut self, condition: &Expr) {
        let mut rest = vec![condition];
        while let Some(part) = rest.pop() {
            match part {
                Expr::BinaryOp {
                    left,
                    op: sqlparser::ast::BinaryOperator::And,
                    right,
                } => {
                    rest.extend([right.as_ref(), left.as_ref()]);
                }
                Expr::Nested(inner) => rest.push(inner),
                part => self.conjunct(part),
            }
        }
    }

    fn conjunct(&mut self, part: &Expr) {
        let before = self.scope().uses.len();
        let level = self.scopes.len() - 1;
        self.check_operators(part);
        if let Expr::BinaryOp {
            left,
            op: sqlparser::ast::BinaryOperator::Eq,
            right,
        } = part
        {
            let (one, other) = self.comparison(left, &sqlparser::ast::BinaryOperator::Eq, right);
            let here = |value: &Value| value.place.filter(|place| place.level == level);
            let position = self.position(part);
            match (here(&one), here(&other)) {
                (Some(left), Some(right)) => self.scope().equalities.push(Equality {
                    left,
                    right,
                    position,
                }),
                (Some(place), None) | (None, Some(place)) => {
                    // The other side is a constant, a subquery, or a column of the query around this one.
                    let used = self.sources_used_since(before);
                    if used.len() <= 1 {
                        self.scope().fixed.push(place);
                    }
                }
                (None, None) => {}
            }
        } else {
            self.expr(part);
        }
        let related = self.sources_used_since(before);
        self.scope().related.push(related);
    }

    pub(super) fn sources_used_since(&mut self, before: usize) -> Vec<usize> {
        let mut sources: Vec<_> = self.scope().uses[before..]
            .iter()
            .map(|used| used.place.source)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}
