//! Finds every name of a query: common table expressions, set operations, and the scopes of SELECTs.

use std::{cmp::Reverse, collections::BTreeSet, rc::Rc};

use sqlparser::ast::{Ident, LimitClause, Query, SetExpr};

use super::{
    Code, Finding, expansion,
    facts::{Facts, facts},
    names::{is_reserved, meant, quoted, same},
    parse::{Lines, Parsed},
    resolved::{Clause, ColumnUse, OutputColumn, Resolved, TableUse},
    scope::{Bound, Output, Relation, Scope, Value},
    start::Start,
};
use crate::question::schema::{ColumnRef, Dialect, Schema};

mod compound;
mod equivalent;
mod expr;
mod from;
mod function;
mod grammar;
mod group;
mod hazards;
mod missing;
mod names;
mod naming;
mod near;
pub(super) use naming::postgres_name;
mod postgres;
mod select;
mod table_function;
mod types;

/// Errors, and warnings, after which no more are noted: whoever corrects the statement starts with the first.
const MAX_FINDINGS: usize = 20;
/// Columns that a result may have; SQLite's own limit (`SQLITE_LIMIT_COLUMN`).
const MAX_COLUMNS: usize = 2_000;

/// A finding, and what would remove it: the text from one character to another (from 1, the end
/// exclusive) replaced by [`Finding::repair`].
#[derive(Debug, Clone)]
pub(super) struct LocatedFinding {
    pub(super) finding: Finding,
    pub(super) span: Option<(usize, usize)>,
}

/// What is known while a query is walked through.
pub(super) struct Resolver<'a> {
    schema: &'a Schema,
    dialect: Dialect,
    facts: &'static Facts,
    lines: &'a Lines,
    found: Vec<LocatedFinding>,
    errors: usize,
    warnings: usize,
    scopes: Vec<Scope>,
    ctes: Vec<Cte>,
    tables: BTreeSet<usize>,
    columns: BTreeSet<ColumnRef>,
    uses: Vec<ColumnUse>,
    references: Vec<TableUse>,
    bound: Vec<Bound>,
    parameters: usize,
    recursive: bool,
}

/// A common table expression in reach.
struct Cte {
    name: Ident,
    /// What the name stands for.
    called: String,
    relation: Relation,
    used: bool,
}

/// Resolves a parsed query against a schema.
pub(super) fn resolve(parsed: &Parsed, schema: &Schema, dialect: Dialect) -> (Resolved, Vec<LocatedFinding>) {
    let mut resolver = Resolver {
        schema,
        dialect,
        facts: facts(dialect),
        lines: &parsed.lines,
        found: vec![],
        errors: 0,
        warnings: 0,
        scopes: vec![],
        ctes: vec![],
        tables: BTreeSet::new(),
        columns: BTreeSet::new(),
        uses: vec![],
        references: vec![],
        bound: vec![],
        parameters: 0,
        recursive: false,
    };
    let relation = resolver.query(&parsed.query);
    if resolver.errors == 0 {
        let views = resolver.views();
        if let Some(finding) = expansion::check(&parsed.query, resolver.facts, &views) {
            resolver.report(finding);
        }
    }
    if let Some(position) = parsed.backslash.filter(|_| resolver.errors == 0) {
        let message = "a backslash before a quote can be read in two ways";
        resolver.report(Finding::error(Code::SqlSyntaxError, Some(position), message));
    }
    let output = relation
        .outputs
        .as_deref()
        .unwrap_or_default()
        .iter()
        .map(|output| OutputColumn {
            name: output.name.clone(),
            origin: output.value.origin,
            kind: output.value.kind,
            aggregate: output.value.aggregate,
        });
    let output = output.collect();
    let Resolver {
        mut uses,
        mut references,
        bound,
        mut found,
        tables,
        columns,
        parameters,
        recursive,
        ..
    } = resolver;
    uses.sort_by_key(|used| used.position);
    references.sort_unstable();
    references.dedup();
    sort(&mut found);
    let (tables, columns) = (tables.into_iter().collect(), columns.into_iter().collect());
    (
        Resolved {
            tables,
            columns,
            output,
            uses,
            parameters,
            recursive,
            references,
            bound,
        },
        found,
    )
}

/// Errors first, then warnings, each in the order of the text.
pub(super) fn sort(found: &mut [LocatedFinding]) {
    found.sort_by_key(|LocatedFinding { finding, .. }| {
        (
            Reverse(finding.severity),
            finding.code != Code::Forbidden,
            finding.position,
        )
    });
}

impl Resolver<'_> {
    fn report(&mut self, finding: Finding) {
        self.note(LocatedFinding { finding, span: None });
    }

    fn report_all(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.report(finding);
        }
    }

    /// Reports a finding that goes away when the text of `from` to `to` is replaced.
    fn report_at(&mut self, finding: Finding, span: sqlparser::tokenizer::Span) {
        let span = self.lines.position(span.start).zip(self.lines.position(span.end));
        self.note(LocatedFinding { finding, span });
    }

    fn note(&mut self, found: LocatedFinding) {
        let noted = if found.finding.is_error() {
            &mut self.errors
        } else {
            &mut self.warnings
        };
        if *noted < MAX_FINDINGS {
            *noted += 1;
            self.found.push(found);
        }
    }

    /// The statement is refused, and enough is known of why; looking for more would only take time.
    fn is_full(&self) -> bool {
        self.errors >= MAX_FINDINGS
    }

    fn position(&self, node: &impl Start) -> Option<usize> {
        self.lines.position(node.start())
    }

    fn error(&mut self, code: Code, node: &impl Start, message: impl Into<String>) {
        let position = self.position(node);
        self.report(Finding::error(code, position, message));
    }

    fn beyond(&mut self, node: &impl Start, what: &str, hint: Option<&str>) {
        let finding = Finding::error(
            Code::SqlSyntaxError,
            self.position(node),
            format!("{} has no {what}", self.dialect.name()),
        );
        self.report(match hint {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        });
    }

    fn is_postgres(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// What a name stands for.
    fn meant(&self, name: &Ident) -> String {
        meant(name, self.dialect).into_owned()
    }

    fn same(&self, one: &str, other: &str) -> bool {
        same(one, other, self.dialect)
    }

    fn quoted(&self, name: &str) -> String {
        quoted(name, self.dialect)
    }

    /// A name that the text gives: databases reserve words that the parser lets pass.
    fn check_name(&mut self, name: &Ident) {
        self.check_alias(name);
        if name.quote_style.is_none() && is_reserved(&name.value, self.dialect) {
            self.error(
                Code::SqlSyntaxError,
                name,
                format!("{name} cannot be a name without quotes"),
            );
        }
    }

    /// A whole query: its common table expressions, its body, its order and limit.
    #[recursive::recursive]
    fn query(&mut self, query: &Query) -> Relation {
        self.check_query_clauses(query);
        let outside = self.ctes.len();
        if let Some(with) = &query.with {
            for cte in &with.cte_tables {
                self.common_table(cte, with.recursive);
            }
        }
        let mut relation = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref()),
            body => {
                let relation = self.body(body, None);
                self.compound_order(query.order_by.as_ref(), body, &relation);
                relation
            }
        };
        relation.single_row |= self.limit(query.limit_clause.as_ref());
        if let Some(quantity) = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref()) {
            self.apart(|resolver| {
                resolver.expr(quantity);
            });
        }
        for cte in self.ctes.split_off(outside) {
            if !cte.used {
                let message = format!("nothing reads the subquery {}", cte.name);
                self.report(Finding::warning(
                    Code::UnusedSubquery,
                    self.position(&cte.name),
                    message,
                ));
            }
        }
        relation
    }

    fn common_table(&mut self, cte: &sqlparser::ast::Cte, recursive: bool) {
        let name = &cte.alias.name;
        self.check_name(name);
        let inner = &cte.query;
        // In `WITH n AS (first UNION rest)`, the rest may read n.
        let recursive = (recursive || !self.is_postgres())
            && inner.with.is_none()
            && matches!(inner.body.as_ref(), SetExpr::SetOperation { .. });
        let mut relation = if recursive {
            self.check_query_clauses(inner);
            let relation = self.body(&inner.body, Some(&cte.alias));
            self.compound_order(inner.order_by.as_ref(), &inner.body, &relation);
            self.limit(inner.limit_clause.as_ref());
            if self.ctes.pop().is_some_and(|own| own.used) {
                self.recursive = true;
                self.check_recursion(cte);
            }
            relation
        } else {
            self.query(inner)
        };
        self.rename(&mut relation, &cte.alias);
        self.ctes.push(Cte {
            called: self.meant(name),
            name: name.clone(),
            relation,
            used: false,
        });
    }

    /// Gives a relation's columns the names that stand behind its alias: `t (a, b)`.
    fn rename(&mut self, relation: &mut Relation, alias: &sqlparser::ast::TableAlias) {
        let Some(outputs) = relation.outputs.as_ref().filter(|_| !alias.columns.is_empty()) else {
            return;
        };
        let fits = match self.dialect {
            Dialect::Sqlite => outputs.len() == alias.columns.len(),
            // The rest keeps its names.
            Dialect::Postgres => outputs.len() >= alias.columns.len(),
        };
        if !fits {
            let message = format!(
                "{} has {} columns, {} are named",
                alias.name,
                outputs.len(),
                alias.columns.len()
            );
            self.error(Code::SubqueryCorrelationError, &alias.name, message);
            relation.outputs = None;
            return;
        }
        let renamed = outputs.iter().enumerate().map(|(at, output)| Output {
            name: alias
                .columns
                .get(at)
                .map_or_else(|| output.name.clone(), |column| self.meant(&column.name)),
            ..output.clone()
        });
        relation.outputs = Some(renamed.collect());
    }

    /// LIMIT and OFFSET; true if at most one row is left.
    fn limit(&mut self, clause: Option<&LimitClause>) -> bool {
        let (limit, offset) = match clause {
            None => return false,
            Some(LimitClause::LimitOffset {
                limit,
                offset,
                limit_by,
            }) => {
                if let Some(by) = limit_by.first() {
                    self.beyond(by, "LIMIT BY", None);
                }
                if let (None, Some(offset)) = (limit, offset)
                    && !self.is_postgres()
                {
                    self.beyond(
                        &offset.value,
                        "OFFSET without LIMIT",
                        Some("write LIMIT -1 OFFSET n"),
                    );
                }
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                if self.is_postgres() {
                    self.beyond(offset, "LIMIT with a comma", Some("write LIMIT n OFFSET m"));
                }
                (Some(limit), Some(offset))
            }
        };
        self.apart(|resolver| {
            for expr in limit.into_iter().chain(offset) {
                resolver.expr(expr);
            }
        });
        limit.is_some_and(|limit| matches!(limit.to_string().as_str(), "0" | "1"))
    }
}

impl Resolver<'_> {
    /// Nothing around a LIMIT can be named in it, but a subquery may stand there.
    fn apart(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.scopes);
        self.scopes.push(Scope {
            clause: Clause::Limit,
            ..Scope::of(self.dialect)
        });
        read(self);
        self.scopes = outer;
    }
}

/// An output column that only a position or a made-up name leads to.
fn output(name: String, value: Value) -> Output {
    Output {
        name,
        alias: false,
        value,
        written: Rc::from(""),
        text: Rc::from(""),
    }
}
