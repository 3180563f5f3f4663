//! Set operations: SELECT and VALUES with UNION, INTERSECT and EXCEPT between them.

use std::rc::Rc;

use sqlparser::ast::{
    Expr, OrderBy, OrderByKind, SetExpr, SetOperator, SetQuantifier, TableAlias, Value as Sql, Values,
};

use super::{Code, Cte, Resolver, output, select::item_reads};
use crate::question::validator::{
    names::meant,
    scope::{Output, Relation, Scope, Value},
};

impl Resolver<'_> {
    /// A SELECT, VALUES, or a set operation. Given the alias of a common table expression, the parts after the
    /// first one may read it; the caller takes it off the list again.
    pub(super) fn body(&mut self, body: &SetExpr, recursive: Option<&TableAlias>) -> Relation {
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
                called: self.meant(&alias.name),
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
            || (self.is_postgres() && matches!(quantifier, SetQuantifier::All | SetQuantifier::Distinct))
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
            SetExpr::SetOperation { .. } if self.is_postgres() => self.body(part, None),
            SetExpr::Query(query) if self.is_postgres() => self.query(query),
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

    fn values(&mut self, values: &Values) -> Relation {
        if values.explicit_row || values.value_keyword {
            self.beyond(values, "ROW constructor in VALUES", None);
        }
        let mut width = None;
        let mut outputs = vec![];
        self.scopes.push(Scope::of(self.dialect));
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
    pub(super) fn compound_order(&mut self, order: Option<&OrderBy>, body: &SetExpr, relation: &Relation) {
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
                        .any(|output| self.same(&output.name, &meant(name, self.dialect)))
                        || (!self.is_postgres() && part_selects(body, &text))
                }
                // Only names and positions lead to the columns there.
                _ if self.is_postgres() => false,
                _ => outputs.iter().any(|output| *output.text == *text) || part_selects(body, &text),
            };
            if !found {
                let message = format!("ORDER BY {} matches no column of the set operation", term.expr);
                self.error(Code::ColMissing, &term.expr, message);
            }
        }
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
            SetExpr::Select(select) if select.projection.iter().any(|item| item_reads(item, text)) => {
                return true;
            }
            _ => {}
        }
    }
    false
}
