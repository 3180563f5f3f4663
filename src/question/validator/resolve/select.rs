//! One SELECT: its clauses in the order in which their names come into reach.

use std::rc::Rc;

use sqlparser::ast::{
    Distinct, Expr, ObjectNamePart, OrderBy, OrderByKind, Select, SelectItem,
    SelectItemQualifiedWildcardKind, Value as Sql,
};

use super::{Code, Finding, LocatedFinding, MAX_COLUMNS, Resolver, group::group_texts};
use crate::question::{
    schema::Dialect,
    validator::{
        checks,
        names::same,
        resolved::Clause,
        scope::{Columns, Output, Relation, Scope, ScopedColumn, Use, Value},
    },
};

impl Resolver<'_> {
    /// The innermost SELECT.
    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("every expression stands in a SELECT, VALUES or LIMIT, which push a scope")
    }

    pub(super) fn select(&mut self, select: &Select, order: Option<&OrderBy>) -> Relation {
        self.check_select_clauses(select);
        let errors = self.errors;
        self.scopes.push(Scope::of(self.dialect));
        self.from(&select.from);
        let scope = self.scope();
        scope.clause = Clause::Select;
        scope.windows = select
            .named_window
            .iter()
            .map(|window| window.0.value.to_lowercase())
            .collect();
        let texts = group_texts(select, self.dialect);
        self.scope().grouped_texts = texts;
        self.scope().distinct = matches!(select.distinct, Some(Distinct::Distinct));
        let complete = self.projection(select);
        for window in &select.named_window {
            self.named_window(&window.1);
        }
        if let Some(Distinct::On(terms)) = &select.distinct {
            self.scope().clause = Clause::OrderBy;
            for term in terms {
                if self.ordinal(term, "DISTINCT ON").is_none() && self.alias_of_term(term).is_none() {
                    self.expr(term);
                }
            }
        }
        self.scope().clause = Clause::Where;
        if let Some(condition) = &select.selection {
            self.condition(condition);
        }
        let grouped = self.group_by(select);
        if let Some(condition) = &select.having {
            self.scope().clause = Clause::Having;
            self.expr(condition);
        }
        if let Some(order) = order {
            self.order_by(order);
        }
        let Some(scope) = self.scopes.pop() else {
            return Relation::unknown();
        };
        let position = self.position(select);
        if let (None, Some(condition)) = (&grouped, &select.having) {
            self.report(checks::having_alone(&scope, self.position(condition)));
        }
        let end = grouped.as_ref().and_then(|grouped| grouped.end.as_ref());
        for finding in checks::grouping(self.schema, &scope, grouped.as_ref()) {
            // What is repaired is added behind the last term.
            let span = end
                .filter(|_| finding.repair.is_some())
                .map(|(from, to, _)| (*from, *to));
            self.note(LocatedFinding { finding, span });
        }
        // A condition that could not be read may be the one that is missing.
        if self.errors == errors {
            self.report_all(checks::unrelated(self.schema, &scope, position));
        }
        self.report_all(checks::joins(self.schema, &scope, self.scopes.len()));
        self.report_all(checks::duplicates(&scope.outputs, position));
        let single_row = match grouped {
            None => (!scope.aggregates.is_empty() || select.from.is_empty()) && !scope.returns_sets,
            Some(_) => false,
        };
        if scope.outputs.len() > MAX_COLUMNS {
            let message = format!("the result has more than {MAX_COLUMNS} columns");
            self.report(Finding::error(Code::SqlSyntaxError, position, message));
            return Relation::unknown();
        }
        Relation {
            outputs: complete.then(|| scope.outputs.into()),
            single_row,
        }
    }

    /// The select list; false if the columns behind a `*` are unknown.
    fn projection(&mut self, select: &Select) -> bool {
        let mut outputs: Vec<Output> = vec![];
        let mut complete = true;
        for item in &select.projection {
            if outputs.len() > MAX_COLUMNS {
                break;
            }
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let value = self.expr(expr);
                    let name = self.output_name(expr, &value);
                    outputs.push(Output {
                        name,
                        alias: false,
                        value,
                        written: Rc::from(""),
                        text: Rc::from(comparable_text(expr, self.dialect)),
                    });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let value = self.expr(expr);
                    // Behind AS, PostgreSQL takes any word.
                    if self.is_postgres() {
                        self.check_alias(alias);
                    } else {
                        self.check_name(alias);
                    }
                    let name = self.meant(alias);
                    outputs.push(Output {
                        name,
                        alias: true,
                        value,
                        written: Rc::from(expr.to_string()),
                        text: Rc::from(comparable_text(expr, self.dialect)),
                    });
                }
                SelectItem::ExprWithAliases { expr, .. } => {
                    self.beyond(expr, "list of aliases for one expression", None);
                }
                SelectItem::Wildcard(options) => {
                    self.check_wildcard(options);
                    if select.from.is_empty() {
                        self.error(Code::SqlSyntaxError, options, "* without FROM");
                    }
                    for source in 0..self.scope().sources.len() {
                        complete &= self.all_columns(source, true, &mut outputs);
                    }
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    self.check_wildcard(options);
                    complete &= self.qualified_wildcard(kind, &mut outputs);
                }
            }
        }
        self.scope().outputs = outputs;
        complete
    }

    /// `table.*`
    fn qualified_wildcard(
        &mut self,
        kind: &SelectItemQualifiedWildcardKind,
        outputs: &mut Vec<Output>,
    ) -> bool {
        let name = match kind {
            SelectItemQualifiedWildcardKind::ObjectName(name) => name,
            SelectItemQualifiedWildcardKind::Expr(expr) => {
                self.beyond(expr, "* behind an expression", None);
                return false;
            }
        };
        let mut within = None;
        let qualifier = match name.0.as_slice() {
            [ObjectNamePart::Identifier(qualifier)] => qualifier,
            [
                ObjectNamePart::Identifier(namespace),
                ObjectNamePart::Identifier(qualifier),
            ] if self.is_postgres() || self.facts.policy.allows_schema(&namespace.value) => {
                within = Some(namespace).filter(|_| self.is_postgres());
                qualifier
            }
            _ => {
                self.error(
                    Code::InvalidAlias,
                    name,
                    format!("no table of the query is called {name}"),
                );
                return false;
            }
        };
        let level = self.scopes.len() - 1;
        let mut called = self.sources_called(level, qualifier);
        called.retain(|source| within.is_none_or(|within| self.is_of_namespace(level, *source, within)));
        if called.is_empty() {
            let message = format!("no table of the query is called {qualifier}");
            self.error(Code::InvalidAlias, qualifier, message);
            return false;
        }
        let known: Vec<_> = called
            .into_iter()
            .map(|source| self.all_columns(source, false, outputs))
            .collect();
        known.into_iter().all(|known| known)
    }

    /// Every column of a source, but for those that USING made one with an earlier one.
    fn all_columns(&mut self, at: usize, skip_merged: bool, outputs: &mut Vec<Output>) -> bool {
        let level = self.scopes.len() - 1;
        let source = &self.scopes[level].sources[at];
        if matches!(source.columns, Columns::Unknown) {
            return false;
        }
        let names = source.column_names(self.schema);
        let merged = |name: &str| skip_merged && source.merged.iter().any(|one| self.same(one, name));
        let kept = names.iter().enumerate().filter(|(_, name)| !merged(name));
        let columns: Vec<_> = kept
            .map(|(column, name)| {
                let place = ScopedColumn {
                    level,
                    source: at,
                    column,
                };
                (
                    place,
                    (*name).to_owned(),
                    source.value(self.schema, place),
                    source.table().is_some(),
                )
            })
            .collect();
        for (place, name, value, stored) in columns {
            self.columns.extend(value.origin.filter(|_| stored));
            let used = Use {
                place,
                clause: Clause::Select,
                in_aggregate: false,
                position: None,
            };
            self.scope().uses.push(used);
            outputs.push(Output {
                text: Rc::from(name.to_lowercase()),
                name,
                alias: false,
                value,
                written: Rc::from(""),
            });
        }
        true
    }

    fn order_by(&mut self, order: &OrderBy) {
        let OrderByKind::Expressions(terms) = &order.kind else {
            return;
        };
        self.scope().clause = Clause::OrderBy;
        for term in terms {
            self.check_order_term(term);
            if self.ordinal(&term.expr, "ORDER BY").is_some() {
                continue;
            }
            // A name alone means an alias first, and a column only then; the other way round everywhere else.
            if let Expr::Identifier(name) = &term.expr {
                let (dialect, called) = (self.dialect, self.meant(name));
                // PostgreSQL knows every column of the result by its name there.
                let any = self.is_postgres();
                let mut aliases = self.scope().outputs.iter().filter(|output| any || output.alias);
                if aliases.any(|output| same(&output.name, &called, dialect)) {
                    continue;
                }
            }
            let value = self.expr(&term.expr);
            self.check_distinct_order(&term.expr, &value);
        }
    }

    /// PostgreSQL orders the rows of SELECT DISTINCT only by what they show.
    fn check_distinct_order(&mut self, term: &Expr, value: &Value) {
        if !self.is_postgres() || !self.scope().distinct || self.is_full() {
            return;
        }
        let text = comparable_text(term, self.dialect);
        let shown = self.scope().outputs.iter().any(|output| {
            *output.text == *text || (value.place.is_some() && output.value.place == value.place)
        });
        if !shown {
            let message = format!("ORDER BY {term} is not among the columns of SELECT DISTINCT");
            self.error(Code::SqlSyntaxError, term, message);
        }
    }

    /// The output column that a number in ORDER BY or GROUP BY means, from 0. Reports one that is out of range.
    pub(super) fn ordinal(&mut self, term: &Expr, clause: &str) -> Option<usize> {
        let Expr::Value(value) = term else { return None };
        let Sql::Number(number, _) = &value.value else {
            return None;
        };
        let at: usize = number.parse().ok()?;
        let outputs = self.scope().outputs.len();
        if !(1..=outputs).contains(&at) {
            let message = format!("{clause} {at}, but there are {outputs} output columns");
            self.error(Code::ColMissing, term, message);
        }
        Some(at.saturating_sub(1))
    }
}

/// True if an item of a select list reads like `text`, or is called so.
pub(super) fn item_reads(item: &SelectItem, text: &str) -> bool {
    match item {
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts))
            if parts.last().is_some_and(|name| name.value.to_lowercase() == text) =>
        {
            true
        }
        SelectItem::UnnamedExpr(expr) => lower_text(expr) == text,
        SelectItem::ExprWithAlias { expr, alias } => {
            alias.value.to_lowercase() == text || lower_text(expr) == text
        }
        _ => false,
    }
}

pub(super) fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

pub(super) fn is_column(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)
    )
}

/// An expression's text, to compare it with another's.
pub(super) fn lower_text(expr: &Expr) -> String {
    expr.to_string().to_lowercase()
}

/// An expression's text without the qualifiers of columns where the database sees through them.
pub(super) fn comparable_text(expr: &Expr, dialect: Dialect) -> String {
    let text = lower_text(expr);
    match dialect {
        Dialect::Sqlite => text,
        Dialect::Postgres => unqualified(&text),
    }
}

/// A text without what stands before a dot.
fn unqualified(text: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || "_$\"".contains(character);
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        let qualifier = character == '.' && kept.ends_with(|last: char| is_word(last) && !last.is_numeric());
        if qualifier {
            kept.truncate(kept.trim_end_matches(is_word).len());
        } else {
            kept.push(character);
        }
    }
    kept
}
