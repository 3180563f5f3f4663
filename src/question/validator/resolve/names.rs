//! Columns: which source of which SELECT a name means, and what was probably meant where it means none.

use sqlparser::{ast::Ident, tokenizer::Span};

use super::{
    Code, Finding, Resolver,
    near::{is_written_otherwise, unquoted},
};
use crate::question::{
    schema::ColumnKind,
    validator::{
        names::{meant, nearest, quoted, same},
        resolved::{Clause, ColumnUse},
        scope::{ALIAS, Bound, Columns, ROWID, ScopedColumn, Use, Value},
    },
};

/// Other names of the row number of a table.
const ROWIDS: [&str; 3] = ["rowid", "oid", "_rowid_"];

impl Resolver<'_> {
    /// A column without a qualifier: the innermost SELECT that knows the name decides.
    pub(super) fn column(&mut self, name: &Ident) -> Value {
        let called = self.meant(name);
        if name.quote_style.is_none() && self.facts.policy.is_call(&called) {
            self.error(Code::Forbidden, name, format!("a question may not call {called}"));
            return Value::default();
        }
        for level in (0..self.scopes.len()).rev() {
            match self.places_named(level, &called).as_slice() {
                [] => {}
                [place] => return self.use_of(*place, name.span),
                several => return self.ambiguous(name, several),
            }
            if let Some(value) = self.alias_value(level, name) {
                return value;
            }
            if self.scopes[level]
                .sources
                .iter()
                .any(|source| matches!(source.columns, Columns::Unknown))
            {
                return Value::default();
            }
            if let Some(place) = self.rowid(level, &name.value) {
                return self.use_of(place, name.span);
            }
            if let Some(value) = self.whole_row(level, name) {
                return value;
            }
        }
        self.column_missing(name);
        Value::default()
    }

    /// PostgreSQL takes a table's name for its rows.
    fn whole_row(&mut self, level: usize, name: &Ident) -> Option<Value> {
        if !self.is_postgres() {
            return None;
        }
        let [source] = self.sources_called(level, name)[..] else {
            return None;
        };
        let columns = self.scopes[level].sources[source].column_names(self.schema).len();
        for column in 0..columns {
            let place = ScopedColumn {
                level,
                source,
                column,
            };
            self.use_of(place, name.span);
        }
        Some(Value {
            kind: Some(ColumnKind::Other),
            ..Value::default()
        })
    }

    /// `table.column`, `database.table.column` or `schema.table.column`.
    pub(super) fn qualified_column(&mut self, parts: &[Ident]) -> Value {
        let (namespace, qualifier, name) = match parts {
            [qualifier, name] => (None, qualifier, name),
            [namespace, qualifier, name] if self.is_postgres() => (Some(namespace), qualifier, name),
            [database, qualifier, name] if self.facts.policy.allows_schema(&database.value) => {
                (None, qualifier, name)
            }
            _ => {
                let text = parts
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(".");
                self.error(
                    Code::InvalidAlias,
                    &parts[0],
                    format!("{text} names no table of the query"),
                );
                return Value::default();
            }
        };
        let span = Span::new(parts[0].span.start, name.span.end);
        let called = self.meant(name);
        for level in (0..self.scopes.len()).rev() {
            let mut sources = self.sources_called(level, qualifier);
            if let Some(namespace) = namespace {
                sources.retain(|source| self.is_of_namespace(level, *source, namespace));
            }
            let Some(first) = sources.first().copied() else {
                continue;
            };
            let places: Vec<_> = sources
                .iter()
                .filter_map(|source| {
                    let column = self.scopes[level].sources[*source].column_named(
                        self.schema,
                        &called,
                        self.dialect,
                    )?;
                    Some(ScopedColumn {
                        level,
                        source: *source,
                        column,
                    })
                })
                .collect();
            return match places.as_slice() {
                [place] => self.use_of(*place, span),
                [] => match self.rowid_of(level, first, &name.value) {
                    Some(place) => self.use_of(place, span),
                    None => self.missing_behind(qualifier, name, level, first),
                },
                _ => {
                    let message = format!("two tables of the query are called {qualifier}");
                    let finding = Finding::error(Code::AmbiguousCol, self.position(qualifier), message);
                    self.report(finding.with_hint("give each its own alias"));
                    Value::default()
                }
            };
        }
        self.alias_missing(qualifier, name);
        Value::default()
    }

    /// The sources of a SELECT that a qualifier means; more than one where a table is listed twice.
    pub(super) fn sources_called(&self, level: usize, qualifier: &Ident) -> Vec<usize> {
        let sources = self.scopes[level].sources.iter().enumerate();
        sources
            .filter(|(_, source)| source.is_called(qualifier, self.dialect))
            .map(|(at, _)| at)
            .collect()
    }

    /// True for a table of that schema that has no alias.
    pub(super) fn is_of_namespace(&self, level: usize, source: usize, namespace: &Ident) -> bool {
        let source = &self.scopes[level].sources[source];
        source.table().is_some_and(|table| {
            let table = &self.schema.tables[table];
            table.name == source.name && table.schema.as_deref() == Some(&*self.meant(namespace))
        })
    }

    /// Notes that a column is read, and tells what it is.
    pub(super) fn use_of(&mut self, place: ScopedColumn, span: Span) -> Value {
        let position = self.lines.position(span.start);
        let scope = &mut self.scopes[place.level];
        let (clause, in_aggregate) = (scope.clause, scope.in_aggregate);
        scope.uses.push(Use {
            place,
            clause,
            in_aggregate,
            position,
        });
        let source = &scope.sources[place.source];
        let value = source.value(self.schema, place);
        self.bound.push(Bound {
            position,
            place,
            source: source.position,
            origin: value.origin,
        });
        if let (Some(column), Some(_)) = (value.origin, source.table()) {
            self.columns.insert(column);
            self.uses.push(ColumnUse {
                column,
                clause,
                in_aggregate,
                position,
            });
        }
        value
    }

    pub(super) fn places_named(&self, level: usize, name: &str) -> Vec<ScopedColumn> {
        let mut places: Vec<ScopedColumn> = vec![];
        for (at, source) in self.scopes[level].sources.iter().enumerate() {
            let merged = !places.is_empty() && source.merged.iter().any(|merged| self.same(merged, name));
            if merged {
                continue;
            }
            if let Some(column) = source.column_named(self.schema, name, self.dialect) {
                places.push(ScopedColumn {
                    level,
                    source: at,
                    column,
                });
            }
        }
        places
    }

    /// SQLite lets every clause name the aliases of the select list, after the columns; PostgreSQL only the terms
    /// of ORDER BY and GROUP BY, which are read elsewhere.
    fn alias_value(&mut self, level: usize, name: &Ident) -> Option<Value> {
        if self.is_postgres() {
            return None;
        }
        let position = self.position(name);
        let scope = &self.scopes[level];
        let called = meant(name, self.dialect);
        let mut outputs = scope.outputs.iter().enumerate();
        let (column, output) =
            outputs.find(|(_, output)| output.alias && same(&output.name, &called, self.dialect))?;
        let value = output.value.clone();
        let place = ScopedColumn {
            level,
            source: ALIAS,
            column,
        };
        self.bound.push(Bound {
            position,
            place,
            source: None,
            origin: value.origin,
        });
        if value.aggregate && matches!(scope.clause, Clause::Where | Clause::From | Clause::GroupBy) {
            let message = format!("{name} is an aggregate, which has no value per row yet");
            let finding = Finding::error(Code::HavingVsWhere, self.position(name), message);
            self.report(finding.with_hint("put the condition into HAVING"));
        }
        Some(value)
    }

    fn rowid(&self, level: usize, name: &str) -> Option<ScopedColumn> {
        let tables: Vec<_> = (0..self.scopes[level].sources.len())
            .filter_map(|source| self.rowid_of(level, source, name))
            .collect();
        match tables.as_slice() {
            [place] => Some(*place),
            _ => None,
        }
    }

    fn rowid_of(&self, level: usize, source: usize, name: &str) -> Option<ScopedColumn> {
        if self.is_postgres() {
            return None;
        }
        let table = self.scopes[level].sources[source].table()?;
        let known = ROWIDS.iter().any(|rowid| rowid.eq_ignore_ascii_case(name));
        (known && !self.schema.tables[table].is_view).then_some(ScopedColumn {
            level,
            source,
            column: ROWID,
        })
    }

    fn ambiguous(&mut self, name: &Ident, places: &[ScopedColumn]) -> Value {
        let level = places[0].level;
        let names: Vec<_> = places
            .iter()
            .map(|place| self.quoted(&self.scopes[level].sources[place.source].name))
            .collect();
        let message = format!("{name} is a column of {}", names.join(" and of "));
        let hint = format!("write {}.{name} or {}.{name}", names[0], names[1]);
        let mut finding = Finding::error(Code::AmbiguousCol, self.position(name), message).with_hint(hint);
        // Where a join makes both the same, either may be meant.
        let equal = |one: ScopedColumn, other: ScopedColumn| {
            self.scopes[level].equalities.iter().any(|equality| {
                (equality.left, equality.right) == (one, other)
                    || (equality.left, equality.right) == (other, one)
            })
        };
        let inner = !self.scopes[level].outer;
        let kind = |place: ScopedColumn| {
            self.scopes[level].sources[place.source]
                .value(self.schema, place)
                .kind
        };
        let alike = |place: ScopedColumn| kind(place).is_some() && kind(place) == kind(places[0]);
        if inner
            && places[1..]
                .iter()
                .all(|place| equal(places[0], *place) && alike(*place))
        {
            finding = finding.with_repair(format!("{}.{name}", names[0]));
        }
        self.report_at(finding, name.span);
        self.scopes[level].sources[places[0].source].value(self.schema, places[0])
    }

    /// An unknown name, or a text in the wrong quotes: SQLite would silently take `"text"` for `'text'`.
    fn column_missing(&mut self, name: &Ident) {
        let position = self.position(name);
        let finding = Finding::error(
            Code::ColMissing,
            position,
            format!("there is no column {name} here"),
        );
        if self.is_full() {
            return;
        }
        let finding = if let Some(written) = self.alias_out_of_reach(name) {
            finding
                .with_hint("PostgreSQL knows an alias in ORDER BY and GROUP BY alone")
                .with_repair(written)
        } else if let Some(meant) = self
            .nearest_column(&name.value)
            .filter(|meant| !name.value.contains(' ') || meant.contains([' ', '_']))
        {
            let finding = finding.with_hint(format!("did you mean {meant}?"));
            // In double quotes, SQLite takes for a text what is no column's name.
            let may_be_text = name.quote_style == Some('"') && !self.is_postgres();
            let is_name = !may_be_text || is_written_otherwise(&name.value, unquoted(&meant));
            // A word more or another beginning is another name: `max_temperature` is no slip for `min_temperature`.
            if is_name && self.surely_means(name, unquoted(&meant)) {
                finding.with_repair(meant)
            } else {
                finding
            }
        } else if name.quote_style == Some('"') {
            finding
                .with_hint("text is written in single quotes")
                .with_repair(format!("'{}'", name.value.replace('\'', "''")))
        } else {
            let tables = self.tables_with(&name.value);
            if tables.is_empty() {
                finding
            } else {
                finding.with_hint(format!("{} has one", tables.join(", ")))
            }
        };
        self.report_at(finding, name.span);
    }

    /// What stands behind an alias of the select list that PostgreSQL does not know here.
    fn alias_out_of_reach(&self, name: &Ident) -> Option<String> {
        let scope = self.scopes.last().filter(|_| self.is_postgres())?;
        let called = self.meant(name);
        let output = scope
            .outputs
            .iter()
            .find(|output| output.alias && output.name == called)?;
        // In WHERE there is no value per group yet, so that the expression would not do either.
        let early =
            output.value.aggregate && scope.clause != Clause::Having && scope.clause != Clause::OrderBy;
        (!early).then(|| {
            if is_operand(&output.written) {
                output.written.to_string()
            } else {
                format!("({})", output.written)
            }
        })
    }

    /// The qualifier is known, but its table has no such column.
    fn missing_behind(&mut self, qualifier: &Ident, name: &Ident, level: usize, source: usize) -> Value {
        let here = &self.scopes[level].sources[source];
        if matches!(here.columns, Columns::Unknown) || self.is_full() {
            return Value::default();
        }
        let table = here.table().map_or(qualifier.value.as_str(), |table| {
            self.schema.tables[table].name.as_str()
        });
        let message = if table.eq_ignore_ascii_case(&qualifier.value) {
            format!("{table} has no column {name}")
        } else {
            format!("{qualifier} is {table}, which has no column {name}")
        };
        let finding = Finding::error(Code::ColMissing, self.position(qualifier), message);
        // What a subquery names of the query around it, or the other way round, is another matter than a mistaken alias.
        let mut elsewhere = self.places_in_reach(&name.value);
        let beyond = elsewhere.iter().any(|place| place.level != level);
        if beyond && elsewhere.len() == 1 {
            elsewhere.clear();
        }
        let near = nearest(&name.value, here.column_names(self.schema).into_iter());
        let finding = match (elsewhere.as_slice(), near) {
            // Whether the name or what stands before it is wrong, only its author knows.
            ([place], _) => {
                let owner = self.quoted(&self.scopes[place.level].sources[place.source].name);
                finding.with_hint(format!("{owner} has it"))
            }
            ([], Some(meant)) => {
                let surely = self.surely_means(name, meant);
                let meant = format!("{qualifier}.{}", quoted(meant, self.dialect));
                let finding = finding.with_hint(format!("did you mean {meant}?"));
                if surely {
                    finding.with_repair(meant)
                } else {
                    finding
                }
            }
            _ => {
                let tables = self.tables_with(&name.value);
                if tables.is_empty() {
                    finding
                } else {
                    finding.with_hint(format!("{} has one", tables.join(", ")))
                }
            }
        };
        self.report_at(finding, Span::new(qualifier.span.start, name.span.end));
        Value::default()
    }

    /// No table of the query is called so.
    fn alias_missing(&mut self, qualifier: &Ident, name: &Ident) {
        if self.is_full() {
            return;
        }
        let message = format!("no table of the query is called {qualifier}");
        let finding = Finding::error(Code::InvalidAlias, self.position(qualifier), message);
        let under_alias = self
            .schema
            .table_named(&qualifier.value)
            .and_then(|table| self.only_source_of(table));
        let finding = match (under_alias, self.places_in_reach(&name.value).as_slice()) {
            (Some(alias), _) => finding
                .with_hint(format!("it is called {alias} here"))
                .with_repair(format!("{alias}.{name}")),
            // Another table that has it is what is meant.
            _ if self.other_table_has(qualifier, name) => {
                finding.with_hint(format!("join {qualifier} in FROM"))
            }
            (None, [place]) => {
                let owner = self.quoted(&self.scopes[place.level].sources[place.source].name);
                finding.with_hint(format!("{owner} has {name}"))
            }
            _ if self.schema.table_named(&qualifier.value).is_some() => {
                finding.with_hint(format!("join {qualifier} in FROM"))
            }
            _ => finding,
        };
        self.report_at(finding, Span::new(qualifier.span.start, name.span.end));
    }

    /// Every source in reach that has a column of that name and can be named.
    fn places_in_reach(&self, name: &str) -> Vec<ScopedColumn> {
        let mut places = vec![];
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            for (at, source) in scope
                .sources
                .iter()
                .enumerate()
                .filter(|(_, source)| !source.name.is_empty())
            {
                if let Some(column) = source.column_named(self.schema, name, self.dialect) {
                    places.push(ScopedColumn {
                        level,
                        source: at,
                        column,
                    });
                }
            }
        }
        places
    }
}

/// True for a name or a call, which needs no parentheses beside an operator.
fn is_operand(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.\"".contains(&byte);
    let mut depth = 0_usize;
    text.bytes().enumerate().all(|(at, byte)| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => return is_name(byte),
            _ => {}
        }
        depth > 0 || byte != b')' || at + 1 == text.len()
    })
}
