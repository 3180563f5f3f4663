//! FROM: tables, joins, queries and functions that give rows.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Join, JoinConstraint, JoinOperator,
    TableAlias, TableFactor, TableWithJoins, helpers::attached_token::AttachedToken,
};

use super::{
    Result, Stop, Translator, Ty, check_case,
    columns::rename,
    named_join, refuse,
    relation_names::CATALOGUE,
    scope::{Relation, Scope, ScopeColumn, Typed},
    sql::{Named, Sql, listed, sql},
    sql_expr::{bare, call, chain},
    table_function,
    ty::Family,
    unsupported, volatile,
};

/// Tables in one join: SQLite has a bit for each of them in a word.
const MOST_TABLES: usize = 64;

/// The tables that are joined, of which some may stand in parentheses.
fn tables(from: &TableWithJoins) -> usize {
    let joined = from.joins.iter().map(|join| &join.relation);
    std::iter::once(&from.relation)
        .chain(joined)
        .map(|factor| match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => tables(table_with_joins),
            _ => 1,
        })
        .sum()
}

impl Translator<'_> {
    /// The whole clause without its word; empty where there is none. Its relations join the innermost scope.
    pub(super) fn from(&mut self, from: &[TableWithJoins]) -> Result<Sql> {
        let tables: usize = from.iter().map(tables).sum();
        if tables > MOST_TABLES {
            return refuse(
                "54001",
                format!("more than {MOST_TABLES} tables cannot be joined on a SQLite file"),
                None,
            );
        }
        let parts: Result<Vec<Sql>> = from.iter().map(|table| self.joined(table)).collect();
        Ok(listed(parts?))
    }

    pub(super) fn joined(&mut self, table: &TableWithJoins) -> Result<Sql> {
        let first = self.scope().relations.len();
        let mut sql = self.factor(&table.relation)?;
        for join in &table.joins {
            self.join(&mut sql, first, join)?;
        }
        Ok(sql)
    }

    fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes
            .last_mut()
            .expect("one was pushed where there was none")
    }

    fn join(&mut self, sql: &mut Sql, first: usize, join: &Join) -> Result<()> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint)
            | JoinOperator::Inner(constraint)
            | JoinOperator::CrossJoin(constraint) => ("JOIN", constraint),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => ("LEFT JOIN", constraint),
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("RIGHT JOIN", constraint)
            }
            JoinOperator::FullOuter(constraint) => ("FULL JOIN", constraint),
            _ => return Err(Stop::AsItStands),
        };
        let second = self.scope().relations.len();
        let right = self.factor(&join.relation)?;
        let condition = match constraint {
            JoinConstraint::On(condition) => sql![" ON ", self.truth(condition, "JOIN/ON")?],
            JoinConstraint::None => Sql::default(),
            JoinConstraint::Using(names) => {
                let mut found = vec![];
                for name in names {
                    let Some(ident) = name.0.last().and_then(|part| part.as_ident()) else {
                        return Err(Stop::AsItStands);
                    };
                    found.push((super::folded(ident), self.at(ident)));
                }
                self.using((first, second), &found, word)?
            }
            JoinConstraint::Natural => {
                let scope = self.scope();
                let left: Vec<String> = scope.relations[first..second]
                    .iter()
                    .flat_map(|relation| relation.columns.iter().map(|column| column.name.clone()))
                    .collect();
                let both = scope.relations[second..]
                    .iter()
                    .flat_map(|relation| relation.columns.iter().map(|column| column.name.clone()))
                    .filter(|name| left.contains(name))
                    .map(|name| (name, None))
                    .collect::<Vec<_>>();
                self.using((first, second), &both, word)?
            }
        };
        if word != "JOIN" {
            // What an outer join adds has no values.
            let range = match word {
                "LEFT JOIN" => second..usize::MAX,
                "RIGHT JOIN" => first..second,
                _ => first..usize::MAX,
            };
            let scope = self.scope();
            for (at, relation) in scope.relations.iter_mut().enumerate() {
                if range.contains(&at) {
                    relation.become_nullable();
                }
            }
        }
        sql.add(sql![" ", word, " ", right, condition]);
        Ok(())
    }

    /// Joins by columns of the same name, of which one is shown.
    fn using(
        &mut self,
        (first, second): (usize, usize),
        names: &[(String, Option<usize>)],
        word: &str,
    ) -> Result<Sql> {
        let mut conditions = vec![];
        for (name, position) in names {
            let find = |scope: &Scope, range: std::ops::Range<usize>| {
                scope.relations[range].iter().find_map(|relation| {
                    let shown = relation.columns.iter().filter(|column| column.shown);
                    let column = called(shown, name)?;
                    Some(relation.column(column))
                })
            };
            let scope = self.scope().clone();
            let merged = scope
                .merged
                .iter()
                .find(|(merged, _)| merged == name)
                .map(|(_, merged)| merged.clone());
            let left = merged.or_else(|| find(&scope, first..second));
            let right = find(&scope, second..scope.relations.len());
            let (Some(left), Some(right)) = (left, right) else {
                return refuse(
                    "42703",
                    format!(
                        "column \"{name}\" specified in USING clause does not exist in {} table",
                        "left"
                    ),
                    *position,
                );
            };
            conditions.push(self.compared(left.clone(), "=", right.clone())?.expr);
            let (left, right) = self.merged_alike(left, right)?;
            let merged = match word {
                "RIGHT JOIN" => right,
                "FULL JOIN" => Typed {
                    expr: call("coalesce", [left.expr, right.expr]),
                    not_null: false,
                    exact: left.exact || right.exact,
                    ..left
                },
                _ => left,
            };
            let scope = self.scope();
            scope.merged.retain(|(other, _)| other != name);
            scope.merged.push((name.clone(), merged));
            for relation in &mut scope.relations[first..] {
                let spelled = called(&relation.columns, name).map(|column| column.name.clone());
                for column in &mut relation.columns {
                    column.shown &= spelled.as_ref() != Some(&column.name);
                }
            }
        }
        Ok(match conditions.len() {
            0 => Sql::default(),
            1 => sql![" ON ", conditions.remove(0)],
            _ => sql![" ON ", bare(chain("AND", conditions))],
        })
    }

    /// Numbers of two types as the one that a column of both has.
    fn merged_alike(&mut self, left: Typed, right: Typed) -> Result<(Typed, Typed)> {
        let are_numbers = left.ty.family() == Family::Number && right.ty.family() == Family::Number;
        match Ty::common([left.ty, right.ty]) {
            Ok(ty) if are_numbers && left.ty != right.ty => {
                Ok((self.implicitly(left, ty)?, self.implicitly(right, ty)?))
            }
            _ => Ok((left, right)),
        }
    }

    fn factor(&mut self, factor: &TableFactor) -> Result<Sql> {
        match factor {
            TableFactor::Table { sample: Some(_), .. } => unsupported("TABLESAMPLE", None),
            TableFactor::Table {
                name,
                alias,
                args: None,
                sample: None,
                json_path: None,
                version: None,
                ..
            } => {
                let (schema, table) = self.found(name)?;
                let position = name
                    .0
                    .first()
                    .and_then(|part| part.as_ident())
                    .and_then(|ident| self.at(ident));
                let mut relation = self.relation(schema.as_deref(), &table, position)?;
                let schema = self.written_schema(schema, &table, position)?;
                let plain = sql![Named(&relation.inner)];
                let mut sql = match (relation.definition.take(), schema.as_deref()) {
                    (Some(definition), _) => sql!["(", definition, ")"],
                    (None, Some(schema)) if relation.is_table && schema != "public" => {
                        sql![Named(schema), ".", Named(&relation.inner)]
                    }
                    _ => plain.clone(),
                };
                let is_hiding = alias.is_none() && self.is_other_outside(&relation);
                if let Some(alias) = alias {
                    name_relation(&mut relation, alias);
                }
                let is_hiding = is_hiding || self.is_other_beside(&relation);
                if is_hiding {
                    relation.inner = self.fresh();
                }
                if is_hiding || alias.is_some() || sql != plain {
                    sql.add(sql![" AS ", Named(&relation.inner)]);
                }
                self.add(relation)?;
                Ok(sql)
            }
            TableFactor::Table {
                name,
                alias,
                args: Some(arguments),
                with_ordinality,
                ..
            } => self.rows_of(name, &arguments.args, alias.as_ref(), *with_ordinality),
            TableFactor::Function {
                name,
                args,
                alias,
                with_ordinality,
                ..
            } => self.rows_of(name, args, alias.as_ref(), *with_ordinality),
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_ordinality,
                ..
            } => {
                let [array] = array_exprs.as_slice() else {
                    return self.several(array_exprs, alias.as_ref(), *with_ordinality);
                };
                let (rows, ty) = self.set_function("unnest", std::slice::from_ref(array))?;
                self.each(rows, ty, "unnest", (alias.as_ref(), *with_ordinality))
            }
            TableFactor::Derived {
                lateral,
                subquery,
                alias,
                ..
            } => {
                // Its neighbours are not seen from inside.
                let own = self.scopes.pop();
                let done = self.noting_contents(|own| own.subquery(subquery));
                self.scopes.extend(own);
                let ((sql, columns), contents) = match done {
                    Err(Stop::Refused(refusal)) if *lateral && refusal.sqlstate.starts_with("42") => {
                        return self.lateral(subquery, alias.as_ref());
                    }
                    other => other?,
                };
                let mut relation = Relation {
                    columns,
                    ..Relation::default()
                };
                match alias {
                    Some(alias) => name_relation(&mut relation, alias),
                    None => relation.inner = self.fresh(),
                }
                let inner = relation.inner.clone();
                let plain = sql!["(", &sql, ") AS ", Named(&inner)];
                if !volatile::is_selected(subquery, &contents, &relation.columns) {
                    self.add(relation)?;
                    return Ok(plain);
                }
                let worked_out = self.worked_out(sql, &relation.columns);
                let worked_out = sql!["(", worked_out, ") AS ", Named(&inner)];
                self.add(relation)?;
                self.scope().worked_out = Some((worked_out.clone(), plain));
                Ok(worked_out)
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => match alias {
                Some(alias) => self.factor(&named_join::as_query(table_with_joins, alias)?),
                None => Ok(sql!["(", self.joined(table_with_joins)?, ")"]),
            },
            _ => Err(Stop::AsItStands),
        }
    }

    pub(super) fn add(&mut self, relation: Relation) -> Result<()> {
        let name = &relation.name;
        let mut beside = self.scopes.last().into_iter().flat_map(|scope| &scope.relations);
        let is_alike = |other: &Relation| other.name == *name && !self.are_apart(other, &relation);
        if !name.is_empty() && beside.any(is_alike) {
            return refuse(
                "42712",
                format!("table name \"{name}\" specified more than once"),
                None,
            );
        }
        let scope = self.scope();
        let names = scope.relations.iter().map(|other| &*other.inner);
        check_case(names.chain([&*relation.inner]))?;
        scope.relations.push(relation);
        Ok(())
    }

    /// The table that is written, as it is.
    pub(super) fn joined_target(&mut self, table: &TableWithJoins) -> Result<Sql> {
        let changed = self.changed.take();
        // What is written is no query of WITH, whatever that is called.
        let queries = std::mem::take(&mut self.ctes);
        let done = self.joined(table);
        self.ctes = queries;
        self.changed = changed;
        done
    }

    /// A table, view or common table expression.
    pub(super) fn relation(
        &mut self,
        schema: Option<&str>,
        name: &str,
        position: Option<usize>,
    ) -> Result<Relation> {
        if schema.is_none()
            && let Some(cte) = self.known_cte(name).cloned()
        {
            let by = self.read_by.iter().rev().find(|(inner, _)| *inner == cte.inner);
            // One that reads itself is not done yet.
            let tables = by.map_or_else(|| vec![cte.inner.clone()], |(_, tables)| tables.clone());
            self.check_unchanged(name, &tables)?;
            self.read.extend(tables);
            return Ok(cte);
        }
        let is_changed = self.is_changed(name) && schema != Some(CATALOGUE);
        if !is_changed {
            self.read.push(name.to_owned());
        }
        let within = schema.filter(|schema| *schema != "public");
        if let Some(columns) = self.names.relation(within, name) {
            let definition = if schema.is_none() {
                self.names.answer(name)
            } else {
                None
            };
            self.contents.volatile |= definition.as_deref().is_some_and(volatile::is_in);
            let relation = Relation {
                definition: definition.map(|query| sql![query]),
                source: Some((within.map(str::to_owned), name.to_owned())),
                ..Relation::of_table(name, &columns)
            };
            Ok(if is_changed {
                self.as_before(schema, relation)
            } else if relation.columns.iter().any(|column| column.is_volatile) {
                self.view_worked_out(schema, relation)
            } else {
                relation
            })
        } else if let Some(query) = self.names.sequence(schema, name) {
            let column = |name: &str, ty| table_function::column(name, name, ty);
            Ok(Relation {
                name: name.to_owned(),
                inner: name.to_owned(),
                columns: vec![
                    column("last_value", Ty::Int8),
                    column("log_cnt", Ty::Int8),
                    column("is_called", Ty::Bool),
                ],
                definition: Some(sql![query]),
                ..Relation::default()
            })
        } else {
            let shown = match schema {
                Some("temp") => format!("pg_temp.{name}"),
                Some("main") => format!("public.{name}"),
                Some(schema) => format!("{schema}.{name}"),
                None => name.to_owned(),
            };
            refuse("42P01", format!("relation \"{shown}\" does not exist"), position)
        }
    }

    pub(super) fn known_cte(&self, name: &str) -> Option<&Relation> {
        let mut queries = self.ctes.iter().rev();
        let alike = || {
            let mut queries = self.ctes.iter().rev();
            queries.find(|cte| cte.name.eq_ignore_ascii_case(name))
        };
        queries.find(|cte| cte.name == name).or_else(alike)
    }
}

/// The column that a name means: the one of just that name, or one that SQLite takes for it.
fn called<'c>(columns: impl IntoIterator<Item = &'c ScopeColumn>, name: &str) -> Option<&'c ScopeColumn> {
    let mut alike = None;
    for column in columns {
        if column.name == name {
            return Some(column);
        }
        if alike.is_none() && column.name.eq_ignore_ascii_case(name) {
            alike = Some(column);
        }
    }
    alike
}

pub(super) fn name_relation(relation: &mut Relation, alias: &TableAlias) {
    relation.name = super::folded(&alias.name);
    relation.inner.clone_from(&relation.name);
    relation.is_aliased = true;
    let names: Vec<String> = alias
        .columns
        .iter()
        .map(|column| super::folded(&column.name))
        .collect();
    relation.columns = rename(std::mem::take(&mut relation.columns), &names);
}

pub(super) fn plain(arguments: &[FunctionArg]) -> Result<Vec<Expr>> {
    arguments
        .iter()
        .map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Ok(expression.clone()),
            FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(name)) => {
                Ok(Expr::QualifiedWildcard(name.clone(), AttachedToken::empty()))
            }
            _ => Err(Stop::AsItStands),
        })
        .collect()
}

/// The arguments of a call that has nothing else in its parentheses.
pub(super) fn plain_arguments(function: &Function) -> Result<Vec<Expr>> {
    match &function.args {
        FunctionArguments::List(list) if list.duplicate_treatment.is_none() && list.clauses.is_empty() => {
            plain(&list.args)
        }
        FunctionArguments::None => Ok(vec![]),
        _ => Err(Stop::AsItStands),
    }
}
