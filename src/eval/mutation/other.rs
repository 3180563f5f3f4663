//! Order, limit, duplicates, superfluous columns, and functions of other dialects.

use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArguments, Ident, LimitClause, ObjectName,
    OrderBy, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Query, Select, SelectItem, SetExpr,
};

use super::{
    Mutator,
    clauses::{aggregate, aggregates, argument, binary, comparison, function_call, grouping},
    scope::{Scope, last_name, selected},
    subject::{Subject, number_literal, number_of, text_literal, text_of},
};
use crate::question::{
    schema::ColumnKind,
    validator::Code::{
        DuplicateSelect, ExtraValuesSelected, LimitMissing, OrderByMissing, UnsupportedFunction,
    },
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(OrderByMissing, "left out", without_order),
    Mutator(OrderByMissing, "other direction", other_direction),
    Mutator(LimitMissing, "left out", without_limit),
    Mutator(LimitMissing, "another number", other_limit),
    Mutator(DuplicateSelect, "item twice", item_twice),
    Mutator(DuplicateSelect, "DISTINCT left out", without_distinct),
    Mutator(
        UnsupportedFunction,
        "aggregate of another dialect",
        foreign_aggregate,
    ),
    Mutator(
        UnsupportedFunction,
        "text function of another dialect",
        foreign_text_function,
    ),
    Mutator(
        UnsupportedFunction,
        "date function of another dialect",
        foreign_date_function,
    ),
    Mutator(ExtraValuesSelected, "another column beside", another_column),
    Mutator(ExtraValuesSelected, "what it is ordered by beside", order_beside),
    Mutator(ExtraValuesSelected, "all columns", all_columns),
];

fn without_order(subject: &Subject<'_>) -> Vec<String> {
    subject.queries(|query, _| {
        let without = Query {
            order_by: None,
            ..query.clone()
        };
        query.order_by.is_some().then_some(without).into_iter().collect()
    })
}

fn other_direction(subject: &Subject<'_>) -> Vec<String> {
    subject.queries(|query, _| {
        let Some(OrderBy {
            kind: OrderByKind::Expressions(list),
            ..
        }) = &query.order_by
        else {
            return Vec::new();
        };
        let turned = |at: usize| {
            let mut list = list.clone();
            let options: &mut OrderByOptions = &mut list[at].options;
            options.sort = match options.sort {
                Some(OrderBySort::Desc) => None,
                _ => Some(OrderBySort::Desc),
            };
            Query {
                order_by: Some(ordered(list)),
                ..query.clone()
            }
        };
        (0..list.len()).map(turned).collect()
    })
}

fn ordered(list: Vec<OrderByExpr>) -> OrderBy {
    OrderBy {
        kind: OrderByKind::Expressions(list),
        interpolate: None,
    }
}

fn without_limit(subject: &Subject<'_>) -> Vec<String> {
    subject.queries(|query, _| {
        let without = Query {
            limit_clause: None,
            ..query.clone()
        };
        query
            .limit_clause
            .is_some()
            .then_some(without)
            .into_iter()
            .collect()
    })
}

fn other_limit(subject: &Subject<'_>) -> Vec<String> {
    subject.queries(|query, _| {
        let Some(LimitClause::LimitOffset {
            limit: Some(limit),
            offset: None,
            ..
        }) = &query.limit_clause
        else {
            return Vec::new();
        };
        let number: u64 = number_of(limit)
            .and_then(|number| number.parse().ok())
            .unwrap_or(1);
        let others = if number == 1 { [5, 10] } else { [1, number * 2] };
        others
            .map(|other: u64| Query {
                limit_clause: Some(LimitClause::LimitOffset {
                    limit: Some(number_literal(&other.to_string())),
                    offset: None,
                    limit_by: Vec::new(),
                }),
                ..query.clone()
            })
            .to_vec()
    })
}

/// The outermost SELECT with other select items.
fn reselected(
    subject: &Subject<'_>,
    change: impl Fn(&Select, &Scope) -> Vec<Vec<SelectItem>>,
) -> Vec<String> {
    let SetExpr::Select(select) = &*subject.query.body else {
        return Vec::new();
    };
    let scope = Scope::of(select, subject.schema());
    let lists = change(select, &scope).into_iter();
    lists
        .map(|projection| {
            let mut query = subject.query.clone();
            *query.body = SetExpr::Select(Box::new(Select {
                projection,
                ..(**select).clone()
            }));
            query.to_string()
        })
        .collect()
}

fn item_twice(subject: &Subject<'_>) -> Vec<String> {
    reselected(subject, |select, _| {
        let items = select.projection.iter().filter(|item| selected(item).is_some());
        items
            .map(|item| [select.projection.as_slice(), std::slice::from_ref(item)].concat())
            .collect()
    })
}

/// Of the SELECT, or of a count.
fn without_distinct(subject: &Subject<'_>) -> Vec<String> {
    let mut found = subject.selects(|select, _| {
        let without = Select {
            distinct: None,
            ..select.clone()
        };
        select.distinct.is_some().then_some(without).into_iter().collect()
    });
    found.extend(subject.names(|expr, _| match (expr, argument(expr)) {
        (Expr::Function(function), Some(argument)) if is_distinct(function) => {
            vec![function_call(&last_name(&function.name), vec![argument])]
        }
        _ => Vec::new(),
    }));
    found
}

fn is_distinct(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

fn another_column(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    reselected(subject, |select, scope| {
        let whole = select.projection.iter().any(|item| selected(item).is_none());
        let aggregated = select.projection.iter().filter_map(selected).any(aggregates);
        if whole || aggregated || !grouping(select).is_empty() || select.distinct.is_some() {
            return Vec::new();
        }
        let there: Vec<_> = select
            .projection
            .iter()
            .filter_map(|item| scope.column(selected(item)?, schema))
            .collect();
        let mut lists = Vec::new();
        for (source, table) in scope.tables() {
            for (position, column) in schema.tables[table].columns.iter().enumerate() {
                let known = there
                    .iter()
                    .any(|(_, at)| at.table == table && at.column == position);
                if known {
                    continue;
                }
                let item = SelectItem::UnnamedExpr(scope.natural(source, &column.name));
                let mut list = select.projection.clone();
                // Keys are usually written first.
                if schema.tables[table].primary_key.contains(&position) {
                    list.insert(0, item);
                } else {
                    list.push(item);
                }
                lists.push(list);
            }
        }
        lists
    })
}

fn order_beside(subject: &Subject<'_>) -> Vec<String> {
    let Some(OrderBy {
        kind: OrderByKind::Expressions(order),
        ..
    }) = &subject.query.order_by
    else {
        return Vec::new();
    };
    reselected(subject, |select, _| {
        let there = |expr: &Expr| select.projection.iter().any(|item| selected(item) == Some(expr));
        let missing = order.iter().map(|order| &order.expr).filter(|expr| !there(expr));
        missing
            .map(|expr| {
                [
                    select.projection.as_slice(),
                    &[SelectItem::UnnamedExpr(expr.clone())],
                ]
                .concat()
            })
            .collect()
    })
}

fn all_columns(subject: &Subject<'_>) -> Vec<String> {
    reselected(subject, |select, _| {
        let plain = select
            .projection
            .iter()
            .all(|item| selected(item).is_some_and(super::clauses::is_name));
        if plain && grouping(select).is_empty() && select.distinct.is_none() {
            vec![vec![SelectItem::Wildcard(
                sqlparser::ast::WildcardAdditionalOptions::default(),
            )]]
        } else {
            Vec::new()
        }
    })
}

fn foreign_aggregate(subject: &Subject<'_>) -> Vec<String> {
    subject.names(|expr, _| {
        let Expr::Function(function) = expr else {
            return Vec::new();
        };
        let FunctionArguments::List(list) = &function.args else {
            return Vec::new();
        };
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let names: &[&str] = match (aggregate(expr).as_deref(), distinct) {
            (Some("avg"), false) => &["MEAN", "AVERAGE"],
            (Some("count"), true) => &["COUNT_DISTINCT", "APPROX_COUNT_DISTINCT"],
            (Some("count"), false) => &["COUNT_BIG"],
            (Some("max"), false) => &["ARRAY_MAX"],
            _ => &[],
        };
        names
            .iter()
            .map(|name| {
                let mut list = list.clone();
                list.duplicate_treatment = None;
                Expr::Function(Function {
                    name: ObjectName::from(Ident::new(*name)),
                    args: FunctionArguments::List(list),
                    ..function.clone()
                })
            })
            .collect()
    })
}

fn foreign_text_function(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.exprs(|expr, scope| {
        if let Expr::Like {
            negated: false,
            expr: column,
            pattern,
            ..
        } = expr
            && let Some(word) = text_of(pattern)
        {
            let bare = text_literal(word.trim_matches('%'));
            let starts = !word.starts_with('%');
            let name = if starts { "STARTS_WITH" } else { "CONTAINS" };
            return vec![function_call(name, vec![(**column).clone(), bare])];
        }
        let Some((column, BinaryOperator::Eq, literal)) = comparison(expr) else {
            return Vec::new();
        };
        let wording = scope
            .column(column, schema)
            .is_some_and(|(_, at)| schema.column(at).kind.is_wording());
        match text_of(literal) {
            Some(text) if wording => vec![
                binary(
                    function_call("LCASE", vec![column.clone()]),
                    BinaryOperator::Eq,
                    text_literal(&text.to_lowercase()),
                ),
                binary(
                    function_call("ISNULL", vec![column.clone(), text_literal("")]),
                    BinaryOperator::Eq,
                    literal.clone(),
                ),
            ],
            _ => Vec::new(),
        }
    })
}

fn foreign_date_function(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.exprs(|expr, scope| {
        let Some((column, op, literal)) = comparison(expr) else {
            return Vec::new();
        };
        let temporal = scope.column(column, schema).is_some_and(|(_, at)| {
            matches!(schema.column(at).kind, ColumnKind::Date | ColumnKind::Timestamp)
        });
        let year = text_of(literal)
            .and_then(|text| text.get(..4))
            .filter(|year| year.parse::<u16>().is_ok());
        match year {
            Some(year) if temporal => vec![
                binary(
                    function_call("YEAR", vec![column.clone()]),
                    op.clone(),
                    number_literal(year),
                ),
                binary(
                    column.clone(),
                    op.clone(),
                    function_call("STR_TO_DATE", vec![literal.clone(), text_literal("%Y-%m-%d")]),
                ),
            ],
            _ => Vec::new(),
        }
    })
}
