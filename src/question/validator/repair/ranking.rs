//! Orders and limits as the question asks for them.

use sqlparser::ast::{
    Expr, GroupByExpr, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Query, SelectItem,
    SetExpr,
};

use super::{
    case::Case,
    clauses::limit_of,
    edit::literals,
    fragments::{aggregates, expression},
    grouping::{has_group_by, plain_items},
    sources::Sources,
};
use crate::question::embedded::intent::{Cue, Rank};

/// What orders, and whether the greatest come first.
type Key = (String, bool);

/// Words that ask for few of many rows, beside those that end in -est.
const FEW: &[&str] = &[
    "most", "least", "top", "bottom", "first", "last", "best", "worst", "any", "one", "maximum", "minimum",
];

/// ORDER BY and LIMIT for superlatives and words of order.
pub(super) fn rank(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    for at in case.selects() {
        let Some(query) = case.query(at) else { continue };
        if !matches!(query.body.as_ref(), SetExpr::Select(_)) {
            continue;
        }
        if query.order_by.is_some() {
            fixed.extend(turned_and_cut(case, at));
        } else if case.mains() == [at] || query.limit_clause.is_some() {
            fixed.extend(ordered(case, at));
        }
    }
    fixed
}

/// A SELECT with an order: the other way round, or with another number of rows.
fn turned_and_cut(case: &Case<'_>, at: usize) -> Vec<String> {
    let intent = case.intent();
    let first = intent.ranks.first();
    let rows = rows_wanted(case);
    let wanted = wanted_direction(case, at);
    let sorts = intent.has(Cue::Ascending) || intent.has(Cue::Descending) || intent.has(Cue::Order);
    let cut = |turn: bool| {
        case.with(at, |query, _| {
            let before = query.clone();
            if turn {
                turn_first(query)?;
            }
            // `from the oldest to the newest` puts all rows in order.
            if (intent.ranks.len() == 1 || query.limit_clause.is_some())
                && let Some(rows) = rows
            {
                query.limit_clause = Some(limit_of(expression(&rows.to_string(), case.dialect())?));
            }
            (*query != before).then_some(())
        })
    };
    let turned = || {
        case.with(at, |query, _| {
            turn_first(query)?;
            Some(())
        })
    };
    let few = intent.has(Cue::Maximum)
        || intent.has(Cue::Minimum)
        || intent.says(FEW)
        || intent.words().any(|word| word.ends_with("est"));
    let unlimited = || {
        case.with(at, |query, _| {
            query.limit_clause.take()?;
            (!few && first.is_none() && case.pieces().limit.is_none()).then_some(())
        })
    };
    let turn = wanted.is_some_and(|wanted| Some(wanted) != descends_first(case, at));
    let reordered = || reordered(case, at);
    let mut fixed = vec![];
    fixed.extend(cut(turn));
    if turn || sorts {
        fixed.extend(turned());
    }
    fixed.extend(reordered());
    fixed.extend(unlimited());
    fixed
}

/// Ordered by what the question wants instead.
fn reordered(case: &Case<'_>, at: usize) -> Option<String> {
    let (key, descends) = case.pieces().order.first()?;
    case.with(at, |query, sources| {
        let key = case.adopted(query, at, sources, key)?;
        let before = query.order_by.clone();
        query.order_by = Some(order_of(key, *descends));
        (query.order_by != before).then_some(())
    })
}

/// A SELECT without an order.
fn ordered(case: &Case<'_>, at: usize) -> Vec<String> {
    let Some((select, sources)) = case.select(at).zip(case.sources(at)) else {
        return vec![];
    };
    let ranked = !case.intent().ranks.is_empty();
    let grouped = has_group_by(&select);
    let mut keys: Vec<Key> = vec![];
    let mut add = |key: Key| {
        if !keys.contains(&key) {
            keys.push(key);
        }
    };
    for (key, descends) in &case.pieces().order {
        add((key.clone(), *descends));
    }
    let rank = case.intent().ranks.first();
    if let Some(rank) = rank {
        keys_of_rank(case, rank, &sources, grouped)
            .into_iter()
            .for_each(&mut add);
    }
    let descends = case.intent().has(Cue::Descending);
    if rank.is_none() {
        for column in case.named().into_iter().rev() {
            add((table_column(case, column), descends));
        }
        let shown = select.projection.iter().filter_map(item_text);
        shown.for_each(|text| add((text, descends)));
    }
    let rows = rows_wanted(case).filter(|_| ranked);
    let mut fixed = vec![];
    for (key, descends) in keys {
        fixed.extend(case.with(at, |query, sources| {
            let counts = aggregates(&expression(&key, case.dialect())?, case.dialect());
            let own = select
                .projection
                .iter()
                .filter_map(item_text)
                .any(|text| text == key);
            let key = if own {
                expression(&key, case.dialect())?
            } else {
                case.adopted(query, at, sources, &key)?
            };
            if counts && !grouped && !own {
                let select = case.part(query, at)?;
                select.group_by = GroupByExpr::Expressions(plain_items(select, case.dialect())?, vec![]);
            }
            query.order_by = Some(order_of(key, descends));
            if query.limit_clause.is_none()
                && let Some(rows) = rows
            {
                query.limit_clause = Some(limit_of(expression(&rows.to_string(), case.dialect())?));
            }
            Some(())
        }));
    }
    fixed
}

/// What a superlative may compare, the likeliest first.
fn keys_of_rank(case: &Case<'_>, rank: &Rank, sources: &Sources<'_>, grouped: bool) -> Vec<Key> {
    let mut keys = vec![];
    let by_word = Rank {
        descending: None,
        ..rank.clone()
    };
    let columns = case.columns_of(sources);
    for column in &columns {
        if let Some(descends) = case.intent().direction(&by_word, Some(*column))
            && case.is_measure(*column)
        {
            keys.push((table_column(case, *column), descends));
        }
    }
    let descends = rank.descending.unwrap_or(true);
    if grouped || rank.counts {
        keys.insert(0, ("COUNT(*)".to_owned(), descends));
    }
    let mut measures: Vec<_> = columns
        .into_iter()
        .filter(|column| case.is_measure(*column))
        .collect();
    measures.retain(|column| case.names(*column));
    for column in case.named() {
        if case.is_measure(column) && !measures.contains(&column) {
            measures.push(column);
        }
    }
    keys.extend(
        measures
            .into_iter()
            .map(|column| (table_column(case, column), descends)),
    );
    keys
}

/// How many rows the question wants to see.
fn rows_wanted(case: &Case<'_>) -> Option<u64> {
    // `course 301 most recently`: a number that a condition has is none of rows.
    let said = case.intent().ranks.iter().find_map(|rank| rank.rows);
    let said = said.filter(|rows| !conditions_have(case, *rows));
    let planned = case.pieces().limit.filter(|rows| !conditions_have(case, *rows));
    let ranked = !case.intent().ranks.is_empty();
    said.or(planned).or(ranked.then_some(1))
}

/// True for a number that some condition compares with.
fn conditions_have(case: &Case<'_>, number: u64) -> bool {
    let texts = [number.to_string(), format!("'{number}'")];
    let compares = |at: usize| {
        let select = case.select(at)?;
        let condition = select.selection.as_ref()?;
        Some(literals(condition).iter().any(|literal| texts.contains(literal)))
    };
    case.selects().into_iter().filter_map(compares).any(|has| has)
}

/// Whether the greatest should come first in a SELECT, where the question says so.
fn wanted_direction(case: &Case<'_>, at: usize) -> Option<bool> {
    let intent = case.intent();
    let query = case.query(at)?;
    let term = first_term(&query)?;
    if let Some(rank) = intent.ranks.first() {
        let column = case.sources(at)?.column(&term.expr).map(|(_, column)| column);
        return intent.direction(rank, column).or(rank.descending);
    }
    match (intent.has(Cue::Ascending), intent.has(Cue::Descending)) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ if intent.has(Cue::Order) => Some(false),
        _ => None,
    }
}

fn descends_first(case: &Case<'_>, at: usize) -> Option<bool> {
    let query = case.query(at)?;
    Some(first_term(&query)?.options.sort == Some(OrderBySort::Desc))
}

fn first_term(query: &Query) -> Option<&OrderByExpr> {
    match &query.order_by.as_ref()?.kind {
        OrderByKind::Expressions(terms) => terms.first(),
        OrderByKind::All(_) => None,
    }
}

fn turn_first(query: &mut Query) -> Option<()> {
    let OrderByKind::Expressions(terms) = &mut query.order_by.as_mut()?.kind else {
        return None;
    };
    let options = &mut terms.first_mut()?.options;
    options.sort = match options.sort {
        Some(OrderBySort::Desc) => None,
        _ => Some(OrderBySort::Desc),
    };
    options.nulls_first = None;
    Some(())
}

/// ORDER BY one thing.
pub(super) fn order_of(key: Expr, descends: bool) -> OrderBy {
    OrderBy {
        kind: OrderByKind::Expressions(vec![OrderByExpr {
            expr: key,
            options: OrderByOptions {
                sort: descends.then_some(OrderBySort::Desc),
                nulls_first: None,
            },
            with_fill: None,
        }]),
        interpolate: None,
    }
}

/// A column behind its table's own name.
pub(super) fn table_column(case: &Case<'_>, column: crate::question::schema::ColumnRef) -> String {
    let schema = case.schema();
    let quoted = |name: &str| crate::question::validator::names::quoted(name, case.dialect());
    format!(
        "{}.{}",
        quoted(&schema.tables[column.table].name),
        quoted(&schema.column(column).name)
    )
}

fn item_text(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::UnnamedExpr(expr) => Some(expr.to_string()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.to_string()),
        _ => None,
    }
}
