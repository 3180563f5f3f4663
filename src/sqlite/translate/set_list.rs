//! What SET says of the columns of the rows that an UPDATE writes.

use sqlparser::ast::{Assignment, AssignmentTarget, Expr, ObjectName, Query};

use super::{
    NamedColumn, Result, Translator,
    destination::{Destination, next_key},
    dml::is_default,
    identity, refuse,
    sql::{Named, Sql, listed, sql},
    sql_expr::{SqlExpr, kept, list, name, null},
    unsupported,
};

/// What SET says.
#[derive(Default)]
pub(super) struct SetList(pub(super) Vec<Set>);

/// What a part of it sets.
pub(super) enum Set {
    Column(String, SqlExpr),
    /// Columns, each to one of what a query gives.
    Columns(Vec<String>, Sql),
}

impl Translator<'_> {
    /// What SET says. A word that another program wrote among numbers is not reckoned with: what is made of it would take its
    /// place.
    pub(super) fn assignments(
        &mut self,
        assignments: &[Assignment],
        table: (Option<&str>, &str),
        columns: &[NamedColumn],
    ) -> Result<SetList> {
        self.read_strictly(true);
        let set = self.assigned(assignments, table, columns);
        self.read_strictly(false);
        set
    }

    fn read_strictly(&mut self, is_strict: bool) {
        let relations = self.scopes.last_mut().map(|scope| &mut scope.relations);
        for column in relations
            .into_iter()
            .flatten()
            .flat_map(|relation| &mut relation.columns)
        {
            column.is_strict = is_strict;
        }
    }

    /// What SET says, read as the scope has it.
    pub(super) fn assigned(
        &mut self,
        assignments: &[Assignment],
        (schema, table): (Option<&str>, &str),
        columns: &[NamedColumn],
    ) -> Result<SetList> {
        let mut parts = SetList::default();
        self.check_assigned_once(assignments, table, columns)?;
        for assignment in assignments {
            let (names, values): (Vec<_>, Vec<&Expr>) = match (&assignment.target, &assignment.value) {
                (AssignmentTarget::ColumnName(name), value) => (vec![name], vec![value]),
                (AssignmentTarget::Tuple(names), Expr::Tuple(values)) => {
                    if names.len() != values.len() {
                        return refuse("42601", "number of columns does not match number of values", None);
                    }
                    (names.iter().collect(), values.iter().collect())
                }
                (AssignmentTarget::Tuple(names), Expr::Subquery(query)) => {
                    parts
                        .0
                        .push(self.set_from_query(names, query, (schema, table, columns))?);
                    continue;
                }
                (AssignmentTarget::Tuple(_), _) => {
                    return unsupported("SET of several columns to this", None);
                }
            };
            for (name, value) in names.into_iter().zip(values) {
                let column = self.own_column(columns, name, table)?;
                if column.generated && is_default(value) {
                    // It is worked out anew in any case.
                    continue;
                }
                if column.generated {
                    return identity::stays_computed(column);
                }
                if is_default(value) {
                    let default = match &column.default {
                        Some(default) => kept(default),
                        None if column.is_rowid => next_key((schema, table), column),
                        None => null(),
                    };
                    let value = self.handed_on(list([default]), (schema, table), column);
                    parts.0.push(Set::Column(column.name.clone(), value));
                    continue;
                }
                if column.always {
                    return identity::keeps_its_own(column);
                }
                let value = self.expression(value)?;
                let value = self.assign_to(value, &Destination::new(column, table))?;
                let value = self.handed_on(value.full(), (schema, table), column);
                parts.0.push(Set::Column(column.name.clone(), value));
            }
        }
        if parts.0.is_empty()
            && let Some(column) = columns.iter().find(|column| !column.generated && !column.hidden)
        {
            // Nothing but computed columns: the row stays what it is.
            parts.0.push(Set::Column(column.name.clone(), name(&column.name)));
        }
        Ok(parts)
    }

    /// Refuses a column that would get two values.
    fn check_assigned_once(
        &self,
        assignments: &[Assignment],
        table: &str,
        columns: &[NamedColumn],
    ) -> Result<()> {
        let mut assigned: Vec<&str> = vec![];
        for assignment in assignments {
            let names = match &assignment.target {
                AssignmentTarget::ColumnName(name) => std::slice::from_ref(name),
                AssignmentTarget::Tuple(names) => names,
            };
            for name in names {
                let column = self.own_column(columns, name, table)?;
                if assigned.contains(&column.name.as_str()) {
                    let message = format!("multiple assignments to same column \"{}\"", column.name);
                    return refuse("42601", message, None);
                }
                assigned.push(&column.name);
            }
        }
        Ok(())
    }

    /// `(a, b) = (SELECT …)`.
    fn set_from_query(
        &mut self,
        names: &[ObjectName],
        query: &Query,
        (schema, table, columns): (Option<&str>, &str, &[NamedColumn]),
    ) -> Result<Set> {
        let mut targets = vec![];
        let mut written = vec![];
        for name in names {
            let (_, name) = self.split(name)?;
            let Some(column) = columns
                .iter()
                .find(|column| column.name.eq_ignore_ascii_case(&name))
            else {
                let message = format!("column \"{name}\" of relation \"{table}\" does not exist");
                return refuse("42703", message, None);
            };
            if column.generated {
                return identity::stays_computed(column);
            }
            if column.always {
                return identity::keeps_its_own(column);
            }
            targets.push(Destination::new(column, table));
            written.push(column);
        }
        let (sql, found) = self.query_into(query, &targets)?;
        if found.len() != targets.len() {
            return refuse("42601", "number of columns does not match number of values", None);
        }
        let query = self.rows_handed_on(sql, (schema, table), &written);
        let names = targets.into_iter().map(|target| target.column).collect();
        Ok(Set::Columns(names, query))
    }
}

impl SetList {
    /// The columns that are set, in their order.
    pub(super) fn columns(&self) -> Vec<&str> {
        let columns = self.0.iter().flat_map(|part| match part {
            Set::Column(column, _) => std::slice::from_ref(column),
            Set::Columns(columns, _) => columns,
        });
        columns.map(String::as_str).collect()
    }

    pub(super) fn sql(&self) -> Sql {
        listed(self.0.iter().map(|part| match part {
            Set::Column(column, value) => sql![Named(column), " = ", value],
            Set::Columns(columns, query) => {
                let columns = listed(columns.iter().map(|column| Named(column)));
                sql!["(", columns, ") = (", query, ")"]
            }
        }))
    }

    /// The values as the list of a SELECT.
    pub(super) fn values(&self) -> Sql {
        listed(self.0.iter().flat_map(|part| match part {
            Set::Column(column, value) => vec![sql![value, " AS ", Named(column)]],
            Set::Columns(columns, query) => {
                let names = listed(columns.iter().map(|column| Named(column)));
                let set = sql!["(WITH \"set\" (", names, ") AS (", query, ") SELECT "];
                let value = |column: &String| sql![&set, Named(column), " FROM \"set\") AS ", Named(column)];
                columns.iter().map(value).collect()
            }
        }))
    }
}
