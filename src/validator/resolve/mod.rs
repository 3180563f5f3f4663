//! Finds every name of a query: common table expressions, set operations, and the scopes of SELECTs.

use std::{collections::BTreeSet, rc::Rc};

use sqlparser::ast::{
    Expr, Ident, LimitClause, OrderBy, OrderByKind, Query, SetExpr, SetOperator, SetQuantifier, Value as Sql,
};

use super::{
    Code, Dialect, Finding,
    facts::{Facts, facts},
    parse::{Lines, Parsed},
    resolved::{Clause, ColumnUse, OutputColumn, Resolved},
    scope::{Output, Relation, Scope, Value},
    start::Start,
};
use crate::schema::{ColumnRef, Schema};

mod expr;
mod from;
mod function;
mod grammar;
mod names;
mod select;

/// Findings after which no more are looked for: whoever corrects the statement starts with the first.
const MAX_FINDINGS: usize = 50;
/// Columns that a result may have; SQLite's own limit (SQLITE_LIMIT_COLUMN).
const MAX_COLUMNS: usize = 2_000;

/// A finding, and what would remove it: the text from one character to another (from 1, the end
/// exclusive) replaced by [`Finding::repair`].
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) span: Option<(usize, usize)>,
}

/// What is known while a query is walked through.
pub(super) struct Resolver<'a> {
    schema: &'a Schema,
    facts: &'static Facts,
    lines: &'a Lines,
    found: Vec<Found>,
    scopes: Vec<Scope>,
    ctes: Vec<Cte>,
    tables: BTreeSet<usize>,
    columns: BTreeSet<ColumnRef>,
    uses: Vec<ColumnUse>,
    parameters: usize,
}

/// A common table expression in reach.
struct Cte {
    name: Ident,
    relation: Relation,
    used: bool,
}

/// Resolves a parsed query against a schema.
pub(super) fn resolve(parsed: &Parsed, schema: &Schema, dialect: Dialect) -> (Resolved, Vec<Found>) {
    let mut resolver = Resolver {
        schema,
        facts: facts(dialect),
        lines: &parsed.lines,
        found: vec![],
        scopes: vec![],
        ctes: vec![],
        tables: BTreeSet::new(),
        columns: BTreeSet::new(),
        uses: vec![],
        parameters: 0,
    };
    let relation = resolver.query(&parsed.query);
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
        mut found,
        tables,
        columns,
        parameters,
        ..
    } = resolver;
    uses.sort_by_key(|used| used.position);
    found.sort_by_key(|found| (std::cmp::Reverse(found.finding.severity), found.finding.position));
    let (tables, columns) = (tables.into_iter().collect(), columns.into_iter().collect());
    (
        Resolved {
            tables,
            columns,
            output,
            uses,
            parameters,
        },
        found,
    )
}

impl Resolver<'_> {
    fn report(&mut self, finding: Finding) {
        if !self.is_full() {
            self.found.push(Found { finding, span: None });
        }
    }

    /// Reports a finding that goes away when the text of `from` to `to` is replaced.
    fn report_at(&mut self, finding: Finding, span: sqlparser::tokenizer::Span) {
        if !self.is_full() {
            let span = self.lines.position(span.start).zip(self.lines.position(span.end));
            self.found.push(Found { finding, span });
        }
    }

    /// Enough has been found; suggestions for more would only take time.
    fn is_full(&self) -> bool {
        self.found.len() >= MAX_FINDINGS
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
            format!("SQLite has no {what}"),
        );
        self.report(match hint {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        });
    }

    /// A whole query: its common table expressions, its body, its order and limit.
    #[recursive::recursive]
    fn query(&mut self, query: &Query) -> Relation {
        self.check_query_clauses(query);
        let outside = self.ctes.len();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.common_table(cte);
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

    fn common_table(&mut self, cte: &sqlparser::ast::Cte) {
        let name = &cte.alias.name;
        let inner = &cte.query;
        // In `WITH n AS (first UNION rest)`, the rest may read n.
        let recursive = inner.with.is_none() && matches!(inner.body.as_ref(), SetExpr::SetOperation { .. });
        let mut relation = if recursive {
            self.check_query_clauses(inner);
            let relation = self.body(&inner.body, Some(&cte.alias));
            self.compound_order(inner.order_by.as_ref(), &inner.body, &relation);
            self.limit(inner.limit_clause.as_ref());
            self.ctes.pop();
            relation
        } else {
            self.query(inner)
        };
        self.rename(&mut relation, &cte.alias);
        self.ctes.push(Cte {
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
        if outputs.len() != alias.columns.len() {
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
        let renamed = outputs.iter().zip(&alias.columns);
        let renamed = renamed.map(|(output, column)| Output {
            name: column.name.value.clone(),
            ..output.clone()
        });
        relation.outputs = Some(renamed.collect());
    }

    /// A SELECT, VALUES, or a set operation. Given the alias of a common table expression, the parts after the
    /// first one may read it; the caller takes it off the list again.
    fn body(&mut self, body: &SetExpr, recursive: Option<&sqlparser::ast::TableAlias>) -> Relation {
        let mut parts = vec![];
        let mut rest = body;
        while let SetExpr::SetOperation {
            left,
            op,
            set_quantifier,
            right,
        } = rest
        {
            parts.push((*op, *set_quantifier, right.as_ref()));
            rest = left;
        }
        let mut relation = self.part(rest, false);
        if let Some(alias) = recursive {
            let mut relation = relation.clone();
            relation.single_row = false;
            self.rename(&mut relation, alias);
            self.ctes.push(Cte {
                name: alias.name.clone(),
                relation,
                used: false,
            });
        }
        for (op, quantifier, right) in parts.into_iter().rev() {
            self.set_operator(op, quantifier, right);
            let other = self.part(right, true);
            let single_row =
                matches!(op, SetOperator::Intersect | SetOperator::Except) && relation.single_row;
            relation.single_row = single_row;
            let (Some(first), Some(second)) = (&relation.outputs, &other.outputs) else {
                relation.outputs = None;
                continue;
            };
            if first.len() == second.len() {
                relation.outputs = Some(merge_parts(first, second));
            } else {
                let message = format!(
                    "the parts of {op} have different numbers of columns: {} and {}",
                    first.len(),
                    second.len()
                );
                self.error(Code::ExtraValuesSelected, right, message);
                relation.outputs = None;
            }
        }
        relation
    }

    fn set_operator(&mut self, op: SetOperator, quantifier: SetQuantifier, right: &SetExpr) {
        let plain = matches!(quantifier, SetQuantifier::None)
            || (op == SetOperator::Union && quantifier == SetQuantifier::All);
        if op == SetOperator::Minus {
            self.beyond(right, "MINUS", Some("write EXCEPT"));
        } else if !plain {
            self.beyond(right, &format!("{op} {quantifier}"), None);
        }
    }

    /// One part of a set operation.
    fn part(&mut self, part: &SetExpr, right: bool) -> Relation {
        match part {
            SetExpr::Select(select) => self.select(select, None),
            SetExpr::Values(values) => self.values(values),
            // The parser nests to the right where INTERSECT binds tighter; SQLite reads from left to right.
            SetExpr::SetOperation { .. } if right => self.body(part, None),
            SetExpr::Query(_) | SetExpr::SetOperation { .. } => {
                let hint = "write the parts without parentheses, or SELECT * FROM (…)";
                self.beyond(
                    part,
                    "parentheses around the parts of a set operation",
                    Some(hint),
                );
                Relation::unknown()
            }
            SetExpr::Table(_) => {
                self.beyond(part, "TABLE command", Some("write SELECT * FROM"));
                Relation::unknown()
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                self.error(Code::Forbidden, part, "a question may not change data");
                Relation::unknown()
            }
        }
    }

    fn values(&mut self, values: &sqlparser::ast::Values) -> Relation {
        if values.explicit_row || values.value_keyword {
            self.beyond(values, "ROW constructor in VALUES", None);
        }
        let mut width = None;
        let mut outputs = vec![];
        self.scopes.push(Scope::default());
        for row in &values.rows {
            let items: Vec<_> = row.content.iter().map(|item| self.expr(item)).collect();
            if *width.get_or_insert(items.len()) != items.len() {
                self.error(
                    Code::SqlSyntaxError,
                    values,
                    "all rows of VALUES must have as many columns",
                );
            }
            if outputs.is_empty() {
                outputs = items
                    .into_iter()
                    .enumerate()
                    .map(|(at, value)| output(format!("column{}", at + 1), value))
                    .collect();
            }
        }
        self.scopes.pop();
        Relation {
            outputs: Some(outputs.into()),
            single_row: values.rows.len() <= 1,
        }
    }

    /// ORDER BY behind a set operation names output columns of any part, or repeats their expressions.
    fn compound_order(&mut self, order: Option<&OrderBy>, body: &SetExpr, relation: &Relation) {
        let Some(OrderBy {
            kind: OrderByKind::Expressions(terms),
            ..
        }) = order
        else {
            return;
        };
        let Some(outputs) = &relation.outputs else { return };
        for term in terms {
            self.check_order_term(term);
            let text = term.expr.to_string().to_lowercase();
            let found = match &term.expr {
                Expr::Value(value) => match &value.value {
                    Sql::Number(number, _) => number
                        .parse()
                        .is_ok_and(|at: usize| (1..=outputs.len()).contains(&at)),
                    _ => false,
                },
                Expr::Identifier(name) => {
                    outputs
                        .iter()
                        .any(|output| output.name.eq_ignore_ascii_case(&name.value))
                        || part_selects(body, &text)
                }
                _ => outputs.iter().any(|output| *output.text == *text) || part_selects(body, &text),
            };
            if !found {
                let message = format!("ORDER BY {} matches no column of the set operation", term.expr);
                self.error(Code::ColMissing, &term.expr, message);
            }
        }
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
                if let (None, Some(offset)) = (limit, offset) {
                    self.beyond(
                        &offset.value,
                        "OFFSET without LIMIT",
                        Some("write LIMIT -1 OFFSET n"),
                    );
                }
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
        };
        // Nothing around a LIMIT can be named in it, but a subquery may stand there.
        let outer = std::mem::take(&mut self.scopes);
        self.scopes.push(Scope {
            clause: Clause::Limit,
            ..Scope::default()
        });
        for expr in limit.into_iter().chain(offset) {
            self.expr(expr);
        }
        self.scopes = outer;
        limit.is_some_and(|limit| matches!(limit.to_string().as_str(), "0" | "1"))
    }
}

/// An output column that only a position or a made-up name leads to.
fn output(name: String, value: Value) -> Output {
    Output {
        name,
        alias: false,
        value,
        text: Rc::from(""),
    }
}

/// The columns of a set operation: the first part's names, and what both parts agree in.
fn merge_parts(first: &[Output], second: &[Output]) -> Rc<[Output]> {
    let merged = first.iter().zip(second).map(|(one, other)| {
        let kind = one.value.kind.filter(|kind| Some(*kind) == other.value.kind);
        let origin = one
            .value
            .origin
            .filter(|origin| Some(*origin) == other.value.origin);
        let aggregate = one.value.aggregate || other.value.aggregate;
        Output {
            value: Value {
                kind,
                origin,
                aggregate,
                ..Value::default()
            },
            ..one.clone()
        }
    });
    merged.collect()
}

/// True if one of the parts selects an expression that reads like `text`, or names it so.
fn part_selects(body: &SetExpr, text: &str) -> bool {
    let mut rest = vec![body];
    while let Some(part) = rest.pop() {
        match part {
            SetExpr::SetOperation { left, right, .. } => rest.extend([left.as_ref(), right.as_ref()]),
            SetExpr::Select(select) => {
                if select
                    .projection
                    .iter()
                    .any(|item| select::item_reads(item, text))
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
