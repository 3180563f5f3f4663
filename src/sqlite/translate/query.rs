//! Whole queries: set operations, VALUES, ORDER BY, LIMIT, DISTINCT ON.

use sqlparser::ast::{
    LockType, OrderBy, OrderByExpr, OrderByKind, Query, SetExpr, SetOperator, SetQuantifier,
};

use super::{
    Result, ResultColumns, Stop, Translator, Ty,
    columns::{check_count, named},
    destination::Destination,
    dml, grouping, refuse,
    scope::{ScopeColumn, Typed},
    select::Selected,
    sql::{Named, Sql, listed, sql},
    sql_expr::{Call, SortKey, SqlExpr, list, name, null},
    unsupported,
    window_of::Over,
};

/// A part of a query, before the types of its columns are settled.
pub(super) enum Body {
    Select(Selected),
    Values(Vec<Vec<Typed>>),
    Set {
        left: Box<Body>,
        operator: String,
        right: Box<Body>,
    },
    Query(Sql, Vec<ScopeColumn>),
}

impl Body {
    /// True for what has an order or a limit of its own.
    fn is_closed(&self) -> bool {
        match self {
            Self::Query(..) => true,
            Self::Select(selected) => !selected.distinct_on.is_empty(),
            Self::Values(_) | Self::Set { .. } => false,
        }
    }

    pub(super) fn columns(&self) -> Vec<Typed> {
        match self {
            Self::Select(selected) => selected.items.clone(),
            Self::Values(rows) => {
                let mut columns = rows.first().cloned().unwrap_or_default();
                for (at, column) in columns.iter_mut().enumerate() {
                    column.name = Some(format!("column{}", at + 1));
                    let all = rows.iter().filter_map(|row| row.get(at)).map(|value| value.ty);
                    column.ty = Ty::common(all).unwrap_or(column.ty);
                    column.exact = column.ty == Ty::Numeric;
                    let (ty, modifier) = (column.ty, column.modifier);
                    let mut all = rows.iter().filter_map(|row| row.get(at));
                    column.modifier =
                        modifier.filter(|_| all.all(|value| value.ty == ty && value.modifier == modifier));
                    column.literal = None;
                    column.not_null = rows.iter().all(|row| row[at].not_null);
                    column.contents.volatile = rows.iter().any(|row| row[at].contents.volatile);
                }
                columns
            }
            Self::Set { left, right, .. } => {
                let mut columns = left.columns();
                for (one, other) in columns.iter_mut().zip(right.columns()) {
                    one.exact |= other.exact;
                    one.contents.volatile |= other.contents.volatile;
                    one.not_null &= other.not_null;
                    one.literal = None;
                    one.modifier = one.modifier.filter(|told| other.modifier == Some(*told));
                    one.origin = None;
                }
                columns
            }
            Self::Query(_, columns) => columns
                .iter()
                .map(|column| Typed {
                    origin: column.origin,
                    ..column.typed(name(&column.inner)).named(column.name.clone())
                })
                .collect(),
        }
    }
}

/// Parts of a set operation; SQLite's own limit (`SQLITE_LIMIT_COMPOUND_SELECT`).
pub(super) const MOST_PARTS: usize = 500;

/// The parts of a set operation, without walking down the tree that the parser makes of them.
fn parts(mut body: &SetExpr) -> usize {
    let mut parts = 1;
    while let SetExpr::SetOperation { left, .. } = body {
        parts += 1;
        body = left;
    }
    parts
}

/// True for a query that is nothing but its parts, so that parentheses around it say nothing.
fn is_bare(query: &Query) -> bool {
    query.with.is_none()
        && query.order_by.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
        && query.for_clause.is_none()
        && query.settings.is_none()
        && query.pipe_operators.is_empty()
}

pub(super) fn within_parentheses(mut body: &SetExpr) -> &SetExpr {
    while let SetExpr::Query(query) = body
        && is_bare(query)
    {
        body = &query.body;
    }
    body
}

impl Translator<'_> {
    /// A query whose rows go to the client.
    pub(super) fn top_query(&mut self, query: &Query) -> Result<(Sql, ResultColumns)> {
        let (sql, columns) = self.query(query, true)?;
        if columns.is_empty() {
            return unsupported("a result without columns", None);
        }
        let columns = columns.into_iter().map(ScopeColumn::told).collect();
        Ok((sql, columns))
    }

    /// A query in another's place.
    pub(super) fn subquery(&mut self, query: &Query) -> Result<(Sql, Vec<ScopeColumn>)> {
        self.query(query, false)
    }

    pub(super) fn query(&mut self, query: &Query, top: bool) -> Result<(Sql, Vec<ScopeColumn>)> {
        self.contents.query = true;
        let known = self.ctes.len();
        let scopes = self.scopes.len();
        let done = self.query_parts(query, top, None);
        self.ctes.truncate(known);
        self.scopes.truncate(scopes);
        done
    }

    /// A query whose columns become those of a table.
    pub(super) fn query_into(
        &mut self,
        query: &Query,
        targets: &[Destination],
    ) -> Result<(Sql, Vec<ScopeColumn>)> {
        let known = self.ctes.len();
        let scopes = self.scopes.len();
        let done = self.query_parts(query, false, Some(targets));
        self.ctes.truncate(known);
        self.scopes.truncate(scopes);
        done
    }

    fn query_parts(
        &mut self,
        query: &Query,
        top: bool,
        targets: Option<&[Destination]>,
    ) -> Result<(Sql, Vec<ScopeColumn>)> {
        if query.for_clause.is_some() || query.settings.is_some() || !query.pipe_operators.is_empty() {
            return Err(Stop::AsItStands);
        }
        let mut sql = match &query.with {
            Some(with) => self.with(with)?,
            None => Sql::default(),
        };
        let order = match &query.order_by {
            Some(OrderBy {
                kind: OrderByKind::Expressions(keys),
                ..
            }) => keys.as_slice(),
            None => &[],
            Some(_) => return unsupported("ORDER BY ALL", None),
        };
        let read = self.read.len();
        let (mut body, order) = match &*query.body {
            SetExpr::Select(select) if select.into.is_none() => match grouping::sets(select) {
                Some(sets) => self.grouped_by_sets(select, &sets, order)?,
                None => (self.body(&query.body)?, order.to_vec()),
            },
            body => (self.body(body)?, order.to_vec()),
        };
        let order = order.as_slice();
        self.note_locks(query, read);
        if let Some(targets) = targets {
            self.assign_body(&mut body, targets)?;
        } else {
            self.settle_body(&mut body)?;
        }
        if let Body::Select(selected) = &body {
            self.check_distinct(selected, order)?;
        }
        let mut columns = named(&body.columns());
        let ties = self.ties(query)?;
        match body {
            Body::Select(selected) if ties.is_some() => {
                let keys = self.order(order, &selected.items)?;
                if let Some(ties) = ties {
                    sql.add(self.tied(&selected, &columns, (&keys, top), ties)?);
                }
                return Ok((sql, columns));
            }
            _ if ties.is_some() => return unsupported("FETCH FIRST … WITH TIES here", None),
            Body::Select(mut selected) => {
                let keys = self.order(order, &selected.items)?;
                self.draw_as_asked(&mut selected, &mut columns, &keys);
                sql.add(
                    match self.after_sort(&selected, &columns, (&keys, top), (order, targets)) {
                        Some(sorted) => sorted,
                        None => self.assemble(&selected, &columns, &keys, top),
                    },
                );
            }
            other => {
                let text = self.render(&other, &columns)?;
                let is_shown_otherwise = |column: &ScopeColumn| {
                    column.scale.is_some()
                        || matches!(column.ty, Ty::Registered(_) | Ty::Array(Ty::Registered(_)))
                };
                if order.is_empty() && !(top && columns.iter().any(is_shown_otherwise)) {
                    sql.add(text);
                } else {
                    let items: Vec<Typed> = columns
                        .iter()
                        .map(|column| column.typed(name(&column.inner)).named(column.name.clone()))
                        .collect();
                    let keys = self.order(order, &items)?;
                    let shown = listed(items.iter().map(Typed::shown));
                    sql.add(sql!["SELECT ", shown, " FROM (", text, ")", ordered_by(&keys)]);
                }
            }
        }
        sql.add(self.limit(query)?);
        Ok((sql, columns))
    }

    /// Notes how a query locks rows of the tables that were read since. A session's temporary tables are its own.
    fn note_locks(&mut self, query: &Query, since: usize) {
        let names = self.names;
        let mut read = self.read.get(since..).unwrap_or_default().iter();
        if let Some(lock) = query.locks.first()
            && read.any(|table| !names.is_temporary(table))
        {
            self.locks.get_or_insert(match lock.lock_type {
                LockType::Update => "SELECT FOR UPDATE",
                LockType::Share => "SELECT FOR SHARE",
            });
        }
    }

    #[recursive::recursive]
    pub(super) fn body(&mut self, body: &SetExpr) -> Result<Body> {
        match body {
            SetExpr::Select(select) => {
                if select.into.is_some() {
                    return unsupported("SELECT INTO here", None);
                }
                if let Some(sets) = grouping::sets(select) {
                    return Ok(self.grouped_by_sets(select, &sets, &[])?.0);
                }
                Ok(Body::Select(self.select(select)?))
            }
            SetExpr::Query(query) if is_bare(query) => self.body(&query.body),
            SetExpr::Query(query) => {
                let (sql, columns) = self.query(query, false)?;
                Ok(Body::Query(sql, columns))
            }
            SetExpr::Values(values) => {
                let defaults = std::mem::take(&mut self.defaults);
                let mut rows = vec![];
                for row in &values.rows {
                    check_count(row.content.len())?;
                    let mut cells = vec![];
                    for (at, cell) in row.content.iter().enumerate() {
                        let default = defaults.iter().find(|(place, _)| *place == at);
                        cells.push(match default {
                            Some((_, default)) if dml::is_default(cell) => default.clone(),
                            _ => {
                                let (cell, contents) = self.noting_contents(|own| own.expression(cell))?;
                                cell.instead_of(contents)
                            }
                        });
                    }
                    rows.push(cells);
                }
                if rows.iter().any(|row| row.len() != rows[0].len()) {
                    return refuse("42601", "VALUES lists must all be the same length", None);
                }
                Ok(Body::Values(rows))
            }
            SetExpr::SetOperation {
                left,
                op,
                set_quantifier,
                right,
            } => {
                let all = match set_quantifier {
                    SetQuantifier::All => " ALL",
                    SetQuantifier::None | SetQuantifier::Distinct => "",
                    _ => return Err(Stop::AsItStands),
                };
                let operator = match op {
                    SetOperator::Union => format!("UNION{all}"),
                    SetOperator::Intersect | SetOperator::Except => {
                        format!("{}{all}", op.to_string().to_uppercase())
                    }
                    SetOperator::Minus => return Err(Stop::AsItStands),
                };
                if parts(body) > MOST_PARTS {
                    return refuse(
                        "54001",
                        format!("a set operation has more than {MOST_PARTS} parts"),
                        None,
                    );
                }
                let scopes = self.scopes.len();
                let mut left = self.body(left)?;
                self.scopes.truncate(scopes);
                let mut right = self.body(right)?;
                self.scopes.truncate(scopes);
                self.unify(&mut left, &mut right, &operator)?;
                Ok(Body::Set {
                    left: Box::new(left),
                    operator,
                    right: Box::new(right),
                })
            }
            SetExpr::Table(table) => {
                let Some(name) = &table.table_name else {
                    return Err(Stop::AsItStands);
                };
                let mut relation = self.relation(table.schema_name.as_deref(), name, None)?;
                let source = if let Some(definition) = relation.definition.take() {
                    sql!["(", definition, ") AS ", Named(&relation.inner)]
                } else {
                    sql![Named(&relation.inner)]
                };
                let shown: Vec<Typed> = relation
                    .columns
                    .iter()
                    .map(|column| relation.column(column))
                    .collect();
                Ok(Body::Select(Selected {
                    items: shown,
                    from: source,
                    ..Selected::default()
                }))
            }
            _ => Err(Stop::AsItStands),
        }
    }

    #[recursive::recursive]
    pub(super) fn render(&mut self, body: &Body, columns: &[ScopeColumn]) -> Result<Sql> {
        Ok(match body {
            Body::Select(selected) => self.assemble(selected, columns, &[], false),
            Body::Values(rows) => {
                let rows = rows
                    .iter()
                    .map(|row| list(row.iter().map(Typed::full).collect::<Vec<_>>()));
                sql!["VALUES ", listed(rows)]
            }
            Body::Set {
                left,
                operator,
                right,
            } => {
                let one = self.render(left, columns)?;
                let other = self.render(right, columns)?;
                if let Some(distinct) = operator.strip_suffix(" ALL").filter(|word| *word != "UNION") {
                    return Ok(self.numbered((one, distinct, other), columns));
                }
                // SQLite reads set operations from the left, without precedence, and takes no parentheses.
                let other = if matches!(**right, Body::Set { .. }) || right.is_closed() {
                    sql!["SELECT * FROM (", other, ")"]
                } else {
                    other
                };
                let one = if left.is_closed() {
                    sql!["SELECT * FROM (", one, ")"]
                } else {
                    one
                };
                sql![one, " ", operator, " ", other]
            }
            Body::Query(sql, _) => sql.clone(),
        })
    }

    /// The keys of ORDER BY.
    fn order(&mut self, order: &[OrderByExpr], items: &[Typed]) -> Result<Vec<SortKey>> {
        let mut keys = vec![];
        for key in order {
            keys.extend(self.ordered_by(key, Some(items))?);
        }
        Ok(keys)
    }

    fn assemble(&mut self, selected: &Selected, columns: &[ScopeColumn], keys: &[SortKey], top: bool) -> Sql {
        let shown = |item: &Typed| {
            let value = if top { item.shown() } else { item.expr.clone() };
            if selected.distinct {
                item.collated(value)
            } else {
                value
            }
        };
        let mut list = listed(
            (selected.items.iter().zip(columns))
                .map(|(item, column)| sql![shown(item), " AS ", Named(&column.inner)]),
        );
        if list.is_empty() {
            // Rows without columns can be counted all the same.
            list.add(null());
        }
        if !selected.distinct_on.is_empty() {
            let on = selected.distinct_on.iter().map(Typed::key).collect();
            // The rows' order is found inside, where all expressions can be had.
            let (number, place) = (self.fresh_column(columns), self.fresh_column(columns));
            let (number, place) = (Named(&number), Named(&place));
            let rows = sql![
                list,
                ", ",
                row_number(on, keys),
                " AS ",
                number,
                ", ",
                row_number(vec![], keys),
                " AS ",
                place,
                selected.rest()
            ];
            let names = names_of(columns);
            return sql![
                "SELECT ",
                names,
                " FROM (SELECT ",
                rows,
                ") WHERE ",
                number,
                " = 1 ORDER BY ",
                place
            ];
        }
        let distinct = if selected.distinct { "DISTINCT " } else { "" };
        sql!["SELECT ", distinct, list, selected.rest(), ordered_by(keys)]
    }
}

/// ` ORDER BY …`, where there are keys.
pub(super) fn ordered_by(keys: &[SortKey]) -> Sql {
    if keys.is_empty() {
        return Sql::default();
    }
    sql![" ORDER BY ", listed(keys)]
}

/// `row_number() OVER (…)`.
pub(super) fn row_number(partition: Vec<SqlExpr>, order: &[SortKey]) -> SqlExpr {
    let call = Call {
        name: "row_number".into(),
        over: Some(Over::rows(partition, order)),
        ..Call::default()
    };
    call.into()
}

/// The names of columns, one behind the other.
pub(super) fn names_of(columns: &[ScopeColumn]) -> Sql {
    listed(columns.iter().map(|column| Named(&column.inner)))
}
