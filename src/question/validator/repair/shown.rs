//! What a statement shows: other columns, fewer, or an aggregate of them.

use sqlparser::ast::{Expr, Function, GroupByExpr, Ident, OrderByKind, Query, SelectItem};
use std::ops::ControlFlow;

use super::{
    case::Case,
    fragments::{aggregates, expression, is_aggregate},
    grouping::{has_group_by, plain_items},
    ranking::table_column,
    walk::{change_exprs, read_exprs},
};
use crate::question::{
    embedded::{
        display_columns,
        intent::{Cue, Shown},
    },
    schema::{ColumnRef, words},
};

/// How much of a name the question must have to name it.
const NAMED: f32 = 0.5;
/// What less than this of a name is in the question, the question does not name.
const UNNAMED: f32 = 0.3;
/// Columns that are tried in place of another.
const MAX_COLUMNS: usize = 4;
/// The aggregates and the cues that ask for them.
const FUNCTIONS: [(&str, Cue); 5] = [
    ("AVG", Cue::Average),
    ("SUM", Cue::Sum),
    ("MAX", Cue::Maximum),
    ("MIN", Cue::Minimum),
    ("COUNT", Cue::Count),
];

/// Words that ask for a number of things.
const COUNTING: &[&str] = &[
    "number", "numbers", "many", "count", "amount", "total", "much", "times", "quantity",
];

/// A column that the question names in place of one that it does not.
pub(super) fn other_column(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let mut meant = case.unread();
    for shown in &case.intent().shown {
        if let Shown::Column(column) = shown
            && !meant.contains(column)
            && !case.uses(*column)
        {
            meant.push(*column);
        }
    }
    meant.retain(|column| case.distance(column.table) == 0);
    meant.truncate(MAX_COLUMNS);
    for at in case.mains() {
        let (Some(select), Some(sources)) = (case.select(at), case.sources(at)) else {
            continue;
        };
        let shown = select.projection.iter().enumerate();
        let mut unnamed: Vec<(usize, ColumnRef)> = shown
            .filter_map(|(item, shown)| Some((item, sources.column(&first_column(item_expr(shown)?)?)?.1)))
            .filter(|(_, column)| !meant.contains(column) && !is_named(case, *column))
            .collect();
        unnamed.sort_by(|(_, one), (_, other)| {
            let named = |column: &ColumnRef| case.intent().names_column(*column);
            named(one).total_cmp(&named(other))
        });
        for (item, old) in &unnamed {
            for column in &meant {
                if says_what_it_is(case, *old, *column) {
                    continue;
                }
                fixed.extend(case.with(at, |query, sources| {
                    let new = case.column(query, at, sources, *column)?;
                    let select = case.part(query, at)?;
                    let before = item_expr(select.projection.get(*item)?)?.clone();
                    let from = first_column(&before)?;
                    swap(select.projection.get_mut(*item)?, &from, &new);
                    if let GroupByExpr::Expressions(terms, _) = &mut select.group_by {
                        for term in terms.iter_mut().filter(|term| **term == from) {
                            *term = new.clone();
                        }
                    }
                    Some(())
                }));
            }
            // The same of another table.
            let name = &case.schema().column(*old).name;
            for other in sources.tables() {
                let same = case.schema().tables[other].column_named(name);
                if let Some(column) = same.filter(|_| other != old.table)
                    && case.intent().names_table(other) > case.intent().names_table(old.table)
                {
                    let column = ColumnRef { table: other, column };
                    fixed.extend(case.with(at, |query, sources| {
                        let new = case.column(query, at, sources, column)?;
                        let shown = case.part(query, at)?.projection.get_mut(*item)?;
                        let from = first_column(item_expr(shown)?)?;
                        swap(shown, &from, &new);
                        Some(())
                    }));
                }
            }
        }
    }
    fixed
}

/// True for a column that the question names, be it as the name of what it speaks of.
fn is_named(case: &Case<'_>, column: ColumnRef) -> bool {
    let names_rows = case.intent().names_table(column.table) >= NAMED
        && display_columns(case.snapshot, column.table).contains(&column);
    names_rows || case.intent().names_column(column) >= UNNAMED
}

/// True for a column that the question asks to see, be it as the name of what it asks for.
fn is_asked_for(case: &Case<'_>, column: ColumnRef) -> bool {
    case.intent().shown.iter().any(|shown| match shown {
        Shown::Column(asked) => *asked == column,
        Shown::Table(table) => display_columns(case.snapshot, *table).contains(&column),
        _ => false,
    })
}

/// `names` asks for `entry_name` rather than for `height`: the last word of a column says what it holds.
fn says_what_it_is(case: &Case<'_>, old: ColumnRef, new: ColumnRef) -> bool {
    let last = |column: ColumnRef| words::identifier_words(&case.schema().column(column).name).pop();
    let word = last(old);
    let said = word.as_ref().is_some_and(|word| case.intent().has_words_of(word));
    said && word != last(new)
}

/// The aggregate that the question asks for: around a column, in place of another, or of all rows.
pub(super) fn aggregate(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let dialect = case.dialect();
    let wanted: Vec<&str> = FUNCTIONS
        .iter()
        .filter(|(_, cue)| case.intent().has(*cue))
        .map(|(name, _)| *name)
        .collect();
    for at in case.mains() {
        let Some(select) = case.select(at) else { continue };
        let aggregated = select
            .projection
            .iter()
            .filter_map(item_expr)
            .any(|expr| aggregates(expr, dialect));
        if !aggregated
            && case.intent().has(Cue::Count)
            && select.projection.len() == 1
            && !has_group_by(&select)
        {
            let item = item_expr(&select.projection[0]).map(ToString::to_string);
            let distinct = case.intent().has(Cue::Distinct) || select.distinct.is_some();
            let texts = match item {
                Some(item) if distinct => vec![format!("COUNT(DISTINCT {item})"), "COUNT(*)".into()],
                _ => vec!["COUNT(*)".into()],
            };
            for text in texts {
                fixed.extend(case.with(at, |query, _| {
                    let select = case.part(query, at)?;
                    select.distinct = None;
                    select.projection = vec![SelectItem::UnnamedExpr(expression(&text, dialect)?)];
                    Some(())
                }));
            }
        }
        for name in wanted.iter().filter(|name| **name != "COUNT") {
            for item in 0..select.projection.len() {
                let Some(expr) = item_expr(&select.projection[item]) else {
                    continue;
                };
                if aggregates(expr, dialect) {
                    continue;
                }
                let text = format!("{name}({expr})");
                fixed.extend(case.with(at, |query, _| {
                    let select = case.part(query, at)?;
                    select.projection[item] = SelectItem::UnnamedExpr(expression(&text, dialect)?);
                    Some(())
                }));
            }
        }
    }
    let called = |name: &str| case.says(&format!("{name}("));
    if !wanted.iter().any(|name| called(name)) {
        for name in &wanted {
            fixed.extend(renamed(case, name));
        }
    }
    // The agents' own choice, where one of both counts or sums and the other does not, as the question says.
    let counts = FUNCTIONS.iter().any(|(name, _)| called(name));
    let computes = case.pieces().select.iter().any(|text| text.contains('('));
    if counts == wanted.is_empty() && computes != counts && !(counts && case.intent().says(COUNTING)) {
        fixed.extend(planned(case));
    }
    fixed
}

/// What is shown, as the agents would show it.
fn planned(case: &Case<'_>) -> Option<String> {
    let [at] = case.mains()[..] else { return None };
    let planned = &case.pieces().select;
    case.with(at, |query, sources| {
        let mut items = vec![];
        for text in planned {
            items.push(SelectItem::UnnamedExpr(case.adopted(query, at, sources, text)?));
        }
        let group = case.pieces().group.clone();
        let mut terms = vec![];
        for text in &group {
            terms.push(case.adopted(query, at, sources, text)?);
        }
        let select = case.part(query, at)?;
        let before = select.clone();
        if items.len() > before.projection.len() {
            return None;
        }
        select.projection = items;
        if !terms.is_empty() && !has_group_by(select) {
            select.group_by = GroupByExpr::Expressions(terms, vec![]);
        }
        (!select.projection.is_empty() && *select != before).then_some(())
    })
}

/// All aggregates that take a column, under another name.
fn renamed(case: &Case<'_>, name: &str) -> Option<String> {
    let mut query: Box<Query> = case.parsed.query.clone();
    let mut done = false;
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Expr::Function(function) = expr
            && is_aggregate(function, case.dialect())
            && takes_column(function)
            && !function.name.to_string().eq_ignore_ascii_case(name)
        {
            function.name = vec![Ident::new(name)].into();
            done = true;
        }
        ControlFlow::Continue(())
    });
    done.then(|| query.to_string())
}

fn takes_column(function: &Function) -> bool {
    !function.args.to_string().contains('*')
}

/// HAVING with the aggregate that the question asks for, or with a count of rows.
pub(super) fn having(case: &Case<'_>) -> Vec<String> {
    let dialect = case.dialect();
    let mut fixed = vec![];
    for at in case.selects() {
        let Some(select) = case.select(at) else { continue };
        let Some(Expr::BinaryOp { left, op, right }) = &select.having else {
            continue;
        };
        let column = first_column(left);
        let cues = FUNCTIONS
            .iter()
            .filter(|(name, cue)| *name != "COUNT" && case.intent().has(*cue));
        let mut texts: Vec<String> = match &column {
            Some(column) => cues.map(|(name, _)| format!("{name}({column})")).collect(),
            None => vec![],
        };
        // What the question names is compared itself.
        let named = column
            .as_ref()
            .and_then(|column| case.sources(at)?.column(column));
        if !named.is_some_and(|(_, column)| case.names(column)) {
            texts.push("COUNT(*)".into());
        }
        for text in texts {
            let condition = expression(&format!("{text} {op} {right}"), dialect);
            fixed.extend(case.with(at, |query, _| {
                let select = case.part(query, at)?;
                let before = select.having.clone();
                select.having = condition;
                (select.having != before).then_some(())
            }));
        }
    }
    fixed.extend(super::conditions::restrict(case));
    fixed
}

/// What `each` names, shown beside the aggregate and grouped by.
pub(super) fn each(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let mut columns = vec![];
    for shown in &case.intent().shown {
        match shown {
            Shown::Column(column) => columns.push(*column),
            Shown::Table(table) => columns.extend(name_of(case, *table)),
            _ => {}
        }
    }
    columns.extend(
        case.named()
            .into_iter()
            .filter(|column| !case.is_measure(*column)),
    );
    columns.retain(|column| case.distance(column.table) <= 1 && !case.is_key(*column));
    // A key tells nobody what the groups are.
    let keys: Vec<String> = case
        .schema()
        .columns()
        .map(|(column, _)| column)
        .filter(|column| case.is_key(*column) && !case.names(*column))
        .map(|column| table_column(case, column))
        .collect();
    let mut texts: Vec<String> = case.pieces().group.clone();
    texts.retain(|text| !keys.contains(text));
    for column in columns {
        let text = table_column(case, column);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.truncate(MAX_COLUMNS);
    for at in case.mains() {
        let Some(select) = case.select(at) else { continue };
        if has_group_by(&select) {
            continue;
        }
        if let Some(plain) = plain_items(&select, case.dialect()) {
            fixed.extend(case.with(at, |query, _| {
                case.part(query, at)?.group_by = GroupByExpr::Expressions(plain, vec![]);
                Some(())
            }));
            continue;
        }
        for text in &texts {
            fixed.extend(case.with(at, |query, sources| {
                let column = case.adopted(query, at, sources, text)?;
                let select = case.part(query, at)?;
                select
                    .projection
                    .insert(0, SelectItem::UnnamedExpr(column.clone()));
                select.group_by = GroupByExpr::Expressions(vec![column], vec![]);
                Some(())
            }));
        }
    }
    fixed
}

/// The column that names the rows of a table: the first text that is no key.
fn name_of(case: &Case<'_>, table: usize) -> Option<ColumnRef> {
    let columns = &case.schema().tables[table].columns;
    let mut columns = (0..columns.len()).map(|column| ColumnRef { table, column });
    columns.find(|column| case.schema().column(*column).kind.is_wording() && !case.is_key(*column))
}

/// Without the columns that nobody asked for.
pub(super) fn fewer(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    for at in case.mains() {
        let (Some(select), Some(sources)) = (case.select(at), case.sources(at)) else {
            continue;
        };
        let has_star = select.projection.iter().any(|item| item_expr(item).is_none());
        if has_star {
            fixed.extend(planned(case));
            let named: Vec<ColumnRef> = case
                .named()
                .into_iter()
                .filter(|column| case.distance(column.table) == 0)
                .collect();
            for columns in [named.clone(), named.into_iter().take(1).collect()] {
                fixed.extend(case.with(at, |query, sources| {
                    let mut items = vec![];
                    for column in &columns {
                        items.push(SelectItem::UnnamedExpr(case.column(query, at, sources, *column)?));
                    }
                    case.part(query, at)?.projection = items;
                    (!columns.is_empty()).then_some(())
                }));
            }
            continue;
        }
        let how_named = |item: &SelectItem| {
            let column = item_expr(item).and_then(first_column);
            let column = column.and_then(|column| sources.column(&column));
            let is_aggregate = item_expr(item).is_some_and(|expr| aggregates(expr, case.dialect()));
            column.map_or(1.0, |(_, column)| {
                f32::from(u8::from(is_asked_for(case, column))).max(case.intent().names_column(column))
            }) + f32::from(u8::from(is_aggregate))
        };
        let mut order: Vec<usize> = (0..select.projection.len()).collect();
        // What it is grouped by is shown on purpose.
        let grouped = match &select.group_by {
            GroupByExpr::Expressions(terms, _) => terms.clone(),
            GroupByExpr::All(_) => vec![],
        };
        // What the question names may be meant, unless it only puts the rows in order.
        let orders = ordered_by(case, at);
        order.retain(|item| {
            let item = &select.projection[*item];
            item_expr(item).is_none_or(|expr| {
                !grouped.contains(expr) && (how_named(item) < UNNAMED || orders.contains(expr))
            })
        });
        // The least named first, of equals the last.
        order.sort_by(|one, other| {
            let (first, second) = (&select.projection[*one], &select.projection[*other]);
            how_named(first)
                .total_cmp(&how_named(second))
                .then(other.cmp(one))
        });
        for count in 1..=order.len().min(select.projection.len() - 1) {
            let dropped: Vec<usize> = order[..count].to_vec();
            fixed.extend(case.with(at, |query, _| {
                let select = case.part(query, at)?;
                let mut item = 0;
                select.projection.retain(|_| {
                    item += 1;
                    !dropped.contains(&(item - 1))
                });
                Some(())
            }));
        }
        for item in order.iter().skip(1) {
            fixed.extend(case.with(at, |query, _| {
                let select = case.part(query, at)?;
                select.projection.remove(*item);
                (!select.projection.is_empty()).then_some(())
            }));
        }
    }
    fixed
}

/// What a SELECT is ordered by.
fn ordered_by(case: &Case<'_>, at: usize) -> Vec<Expr> {
    match case
        .query(at)
        .and_then(|query| query.order_by)
        .map(|order| order.kind)
    {
        Some(OrderByKind::Expressions(terms)) => terms.into_iter().map(|term| term.expr).collect(),
        _ => vec![],
    }
}

pub(super) fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// The first column that an expression names.
pub(super) fn first_column(expr: &Expr) -> Option<Expr> {
    let mut first = None;
    read_exprs(expr, &mut |expr, _| {
        if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            first = Some(expr.clone());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    first
}

/// One column for another in an item.
fn swap(item: &mut SelectItem, from: &Expr, to: &Expr) {
    change_exprs(item, &mut |expr, _| {
        if expr == from {
            *expr = to.clone();
        }
        ControlFlow::Continue(())
    });
}
