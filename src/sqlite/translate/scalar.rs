//! Queries that stand for one value: PostgreSQL refuses a second row, where SQLite takes the first.

use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Ident, LimitClause, Query, Select, SelectItem, SetExpr, TableFactor,
    Value,
};

use super::{
    Result, Translator, refuse,
    scope::Typed,
    signatures::{self, FunctionKind},
    sql::sql,
    sql_expr::{bare, call, count_all, infix, name, number, query, text, when},
};

impl Translator<'_> {
    /// `(SELECT …)` as a value.
    pub(super) fn scalar(&mut self, select: &Query) -> Result<Typed> {
        let (rows, columns) = self.subquery(select)?;
        let [column] = columns.as_slice() else {
            return refuse("42601", "subquery must return only one column", None);
        };
        let rows = if self.is_one_row(select) {
            rows
        } else {
            let message = "more than one row returned by a subquery used as an expression";
            let raised = call("pg_raise", [text("21000"), text(message)]);
            let are_several = bare(infix(count_all(), ">", number(1)));
            let one = when(are_several, raised).otherwise(call("max", [name(&column.inner)]));
            sql!["SELECT ", one, " FROM (SELECT * FROM (", rows, ") LIMIT 2)"]
        };
        Ok(Typed {
            name: Some(column.name.clone()),
            exact: column.exact,
            scale: column.scale,
            modifier: column.modifier,
            ..Typed::new(query(rows), column.ty)
        })
    }

    /// True for what is seen at once to have one row at most.
    fn is_one_row(&self, query: &Query) -> bool {
        let is_one = |count: &Expr| matches!(count, Expr::Value(value) if matches!(&value.value, Value::Number(digits, _) if digits == "1"));
        let limited = match (&query.limit_clause, &query.fetch) {
            (_, Some(fetch)) => !fetch.with_ties && fetch.quantity.as_ref().is_none_or(is_one),
            (
                Some(LimitClause::LimitOffset {
                    limit: Some(limit), ..
                }),
                None,
            ) => is_one(limit),
            _ => false,
        };
        limited
            || match &*query.body {
                SetExpr::Select(select) => {
                    gives_no_rows_of_a_set(select)
                        && (select.from.is_empty() || self.counts_all(select) || self.is_found_by_key(select))
                }
                SetExpr::Values(values) => values.rows.len() == 1,
                _ => false,
            }
    }

    /// True for an aggregate over all rows of the query itself.
    fn counts_all(&self, select: &Select) -> bool {
        let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
        let is_own = |name: &Ident| self.at(name).is_none_or(|at| !self.of_outer.contains(&at));
        ungrouped && functions(select).any(|(name, kind)| kind == FunctionKind::Aggregate && is_own(name))
    }

    /// True for a table's row that is looked for by its primary key.
    fn is_found_by_key(&self, select: &Select) -> bool {
        let [table] = select.from.as_slice() else {
            return false;
        };
        let (
            TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            },
            true,
        ) = (&table.relation, table.joins.is_empty())
        else {
            return false;
        };
        let Ok((schema, table)) = self.split(name) else {
            return false;
        };
        if schema.is_none() && self.ctes.iter().any(|cte| cte.name.eq_ignore_ascii_case(&table)) {
            return false;
        }
        let within = schema.filter(|schema| schema != "public");
        let columns = self.names.relation(within.as_deref(), &table).unwrap_or_default();
        let mut keys = columns.iter().filter(|column| column.key > 0);
        match (keys.next(), keys.next(), &select.selection) {
            (Some(key), None, Some(condition)) => {
                let own = alias.as_ref().map_or(table, |alias| super::folded(&alias.name));
                equals(condition, (&own, &key.name))
            }
            _ => false,
        }
    }
}

/// True for a condition that holds for one value of a relation's column only.
fn equals(condition: &Expr, column: (&str, &str)) -> bool {
    let (relation, name) = column;
    let is_it = |side: &Expr| match side {
        Expr::Identifier(ident) => ident.value.eq_ignore_ascii_case(name),
        Expr::CompoundIdentifier(idents) => match idents.as_slice() {
            [.., of, ident] => {
                of.value.eq_ignore_ascii_case(relation) && ident.value.eq_ignore_ascii_case(name)
            }
            _ => false,
        },
        _ => false,
    };
    match condition {
        Expr::Nested(inner) => equals(inner, column),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::And,
            right,
        } => equals(left, column) || equals(right, column),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::Eq,
            right,
        } => is_it(left) != is_it(right),
        _ => false,
    }
}

/// The functions that stand alone in a select list, with their names.
fn functions(select: &Select) -> impl Iterator<Item = (&Ident, FunctionKind)> {
    select.projection.iter().filter_map(|item| match item {
        SelectItem::UnnamedExpr(Expr::Function(function))
        | SelectItem::ExprWithAlias {
            expr: Expr::Function(function),
            ..
        } if function.over.is_none() => {
            let name = function.name.0.last()?.as_ident()?;
            Some((name, signatures::kind(&super::folded(name))?))
        }
        _ => None,
    })
}

fn gives_no_rows_of_a_set(select: &Select) -> bool {
    functions(select).all(|(_, kind)| kind != FunctionKind::Set)
}
