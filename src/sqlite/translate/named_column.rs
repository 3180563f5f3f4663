//! The column that a name means: of the innermost query that has one, or of those around it.

use sqlparser::ast::Ident;

use super::{
    Result, Translator, Ty, folded, refuse,
    scope::{Relation, Scope, Typed, absent},
    sql_expr::{self, chain, text},
};

/// Refuses the name of a table where another one of the same query has it too.
pub(super) fn check_is_one(scope: &Scope, name: &str, position: Option<usize>) -> Result<()> {
    if scope.relations.iter().filter(|other| other.name == name).count() > 1 {
        return refuse(
            "42P09",
            format!("table reference \"{name}\" is ambiguous"),
            position,
        );
    }
    Ok(())
}

impl Translator<'_> {
    /// The value of a function in FROM that gives one column, by the function's own name.
    fn value_of(&self, name: &str) -> Option<Typed> {
        let relation = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| &scope.relations)
            .find(|relation| relation.name.eq_ignore_ascii_case(name))?;
        match relation.columns.as_slice() {
            [column] if relation.is_scalar => Some(relation.column(column).named(name)),
            _ => None,
        }
    }

    fn note_read(&mut self, column: &Typed, level: usize) {
        self.note_level(level);
        let reads = self.reads.iter_mut();
        reads.for_each(|reads| reads.push(column.expr.clone()));
    }

    /// The columns of one query that a name may mean: those of just this name, or else those that SQLite takes for it.
    fn columns_called(
        &self,
        scope: &Scope,
        (schema, relation): (Option<&str>, Option<&str>),
        wanted: &str,
    ) -> Vec<Typed> {
        let is_there = relation.is_some_and(|name| scope.relations.iter().any(|other| other.name == name));
        let is_called = |candidate: &Relation, name: &str| {
            candidate.name == name || (!is_there && candidate.name.eq_ignore_ascii_case(name))
        };
        let is_of = |candidate: &&Relation| {
            relation.is_none_or(|relation| is_called(candidate, relation))
                && schema.is_none_or(|schema| self.is_of(candidate, schema))
        };
        let candidates: Vec<&Relation> = scope.relations.iter().filter(is_of).collect();
        let merged = scope.merged.iter().filter(|_| relation.is_none());
        let find = |is_it: &dyn Fn(&str) -> bool| {
            let mut merged = merged.clone().filter(|(name, _)| is_it(name));
            if let Some((_, merged)) = merged.next() {
                return vec![merged.clone()];
            }
            let columns = candidates.iter().flat_map(|candidate| {
                let columns = candidate.columns.iter().filter(|column| is_it(&column.name));
                columns
                    .filter(|column| column.shown || relation.is_some())
                    .map(|column| candidate.column(column))
            });
            columns.collect()
        };
        let found = find(&|name| name == wanted);
        if found.is_empty() {
            find(&|name| name.eq_ignore_ascii_case(wanted))
        } else {
            found
        }
    }

    /// The column that a name means.
    pub(super) fn column(&mut self, names: &[Ident]) -> Result<Typed> {
        let Some((last, before)) = names.split_last() else {
            return refuse("42601", "a name is missing", None);
        };
        let wanted = folded(last);
        let relation = before.last().map(folded);
        let schema = before.len().checked_sub(2).map(|at| folded(&before[at]));
        let position = names.first().and_then(|first| self.at(first));
        let innermost = self.scopes.len();
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            if let (None, Some(relation)) = (&schema, &relation) {
                check_is_one(scope, relation, position)?;
            }
            let mut found = self.columns_called(scope, (schema.as_deref(), relation.as_deref()), &wanted);
            if found.len() > 1 {
                return refuse(
                    "42702",
                    format!("column reference \"{wanted}\" is ambiguous"),
                    position,
                );
            }
            if let Some(column) = found.pop() {
                let is_of_group = self.is_of_group(level);
                if is_of_group && scope.absent.contains(&column.expr) {
                    return Ok(absent(column).at(position));
                }
                if is_of_group
                    && let Some(grouped) = &scope.grouped
                    && !grouped.contains(&column.expr)
                {
                    let owner = column.owner.iter().map(|owner| format!("{owner}."));
                    let name = column.name.iter().cloned();
                    let name: String = owner.chain(name).collect();
                    let message = if level + 1 == innermost {
                        format!(
                            "column \"{name}\" must appear in the GROUP BY clause or be used in an aggregate function"
                        )
                    } else {
                        format!("subquery uses ungrouped column \"{name}\" from outer query")
                    };
                    return refuse("42803", message, position);
                }
                self.note_read(&column, level);
                return Ok(column.at(position));
            }
            let system = match wanted.as_str() {
                "rowid" => Some(("rowid", Ty::Int8)),
                "_rowid_" => Some(("_rowid_", Ty::Int8)),
                "tableoid" => Some(("tableoid", Ty::Oid)),
                "xmin" => Some(("xmin", Ty::Oid)),
                "ctid" => Some(("ctid", Ty::Text)),
                _ => None,
            };
            if let Some((word, ty)) = system {
                let table = scope.relations.iter().find(|candidate| {
                    candidate.is_table
                        && relation
                            .as_ref()
                            .is_none_or(|relation| candidate.name.eq_ignore_ascii_case(relation))
                });
                if let Some(table) = table.cloned() {
                    self.note_level(level);
                    let own = match word {
                        // A row stays at its number as long as it is there.
                        "ctid" => chain("||", [text("(0,"), table.row(), text(")")]),
                        _ => sql_expr::column_word(&table.inner, word),
                    };
                    return Ok(Typed::new(own, ty).named(wanted).at(position));
                }
            }
        }
        if relation.is_none()
            && let Some(alone) = self.value_of(&wanted)
        {
            self.note_read(&alone, innermost.saturating_sub(1));
            return Ok(alone.at(position));
        }
        match relation {
            Some(relation) => {
                if schema.is_none() && self.has_relation(&relation) {
                    refuse(
                        "42703",
                        format!("column {relation}.{wanted} does not exist"),
                        position,
                    )
                } else {
                    refuse(
                        "42P01",
                        format!("missing FROM-clause entry for table \"{relation}\""),
                        position,
                    )
                }
            }
            None => refuse("42703", format!("column \"{wanted}\" does not exist"), position),
        }
    }

    /// The schema of a table or view of the file, of the session or of an attached file, as SQLite calls it.
    fn home_of(&self, relation: &Relation) -> Option<String> {
        let (schema, name) = relation.source.as_ref()?;
        Some(match schema.as_deref() {
            Some(schema) => schema.to_owned(),
            None if self.names.is_temporary(name) => "temp".to_owned(),
            None => "main".to_owned(),
        })
    }

    /// True for a relation that a name with this schema in front may mean.
    pub(super) fn is_of(&self, relation: &Relation, schema: &str) -> bool {
        let schema = match schema {
            "public" => "main",
            "pg_temp" => "temp",
            schema => schema,
        };
        match self.home_of(relation) {
            Some(home) => home == schema || self.names.is_catalogued(&relation.name),
            None => relation.is_table,
        }
    }

    /// True where a query around has another table of the same name: SQLite has the name mean the inner one alone.
    pub(super) fn is_other_outside(&self, relation: &Relation) -> bool {
        let Some(home) = self.home_of(relation) else {
            return false;
        };
        let around = self.scopes.iter().flat_map(|scope| &scope.relations);
        let mut alike = around.filter(|other| other.inner.eq_ignore_ascii_case(&relation.inner));
        alike.any(|other| self.home_of(other).is_some_and(|other| other != home))
    }

    /// True where SQLite would take its name for that of another relation of the same query.
    pub(super) fn is_other_beside(&self, relation: &Relation) -> bool {
        let mut beside = self
            .scopes
            .iter()
            .rev()
            .take(1)
            .flat_map(|scope| &scope.relations);
        beside.any(|other| {
            let is_other = other.name != relation.name || self.are_apart(other, relation);
            is_other && other.inner.eq_ignore_ascii_case(&relation.inner)
        })
    }

    /// True for two tables of one name that only their schemas tell apart.
    pub(super) fn are_apart(&self, one: &Relation, other: &Relation) -> bool {
        let home = |relation: &Relation| self.home_of(relation).filter(|_| !relation.is_aliased);
        home(one)
            .zip(home(other))
            .is_some_and(|(one, other)| one != other)
    }

    /// True for the name of a relation of the queries around.
    pub(super) fn has_relation(&self, name: &str) -> bool {
        self.scopes
            .iter()
            .flat_map(|scope| &scope.relations)
            .any(|relation| relation.name.eq_ignore_ascii_case(name))
    }
}
