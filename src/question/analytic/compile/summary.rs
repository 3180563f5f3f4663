//! Measures by groups: each table is aggregated on its own before anything is joined.

use super::{
    Column, Database, NoWay, Select,
    aggregate::{self, Groups},
    rank,
    rows::{Names, Rows, operator},
};
use crate::question::{
    analytic::{Grouping, Rank, Summary},
    schema::Dialect,
    semantic::{Aggregate, Attribute, Condition, Formula, Part, Scalar},
};

/// A table that is measured, with what is measured of it.
struct Measured<'s> {
    table: usize,
    /// When its rows happened.
    time: Option<&'s Attribute>,
    formulas: Vec<&'s Formula>,
}

pub(super) fn summary(of: Database<'_>, asked: &Summary) -> Result<String, NoWay> {
    let summary = &within_periods(of, asked);
    let mut parts: Vec<&Formula> = Vec::new();
    for part in summary
        .measures
        .iter()
        .flat_map(|measure| measure.formula.aggregates())
    {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let by_time = summary.by.iter().any(|by| {
        by.from
            .iter()
            .any(|(_, grouping)| matches!(grouping, Grouping::Time(_)))
    });
    let mut measured: Vec<Measured<'_>> = Vec::new();
    for part in parts {
        let Formula::Rows { table, time, .. } = part else {
            continue;
        };
        let time = if by_time { time.as_ref() } else { None };
        let same = |measured: &&mut Measured<'_>| measured.table == *table && measured.time == time;
        match measured.iter_mut().find(same) {
            Some(measured) => measured.formulas.push(part),
            None => measured.push(Measured {
                table: *table,
                time,
                formulas: vec![part],
            }),
        }
    }
    match &measured[..] {
        [] => Err(NoWay),
        [only] if !measures_by_hand(of, only) => one_table(of, summary, only),
        several => several_tables(of, summary, several),
    }
}

/// What is told of the end of all rows, told of the end of each period that a summary is made by; and among the rows that
/// the measure is made of.
fn within_periods(of: Database<'_>, asked: &Summary) -> Summary {
    let mut summary = asked.clone();
    for measure in &mut summary.measures {
        let _ = measure.formula.each_aggregate(&mut |aggregate| {
            let Formula::Rows {
                table,
                conditions,
                time,
                ..
            } = aggregate
            else {
                return Ok(());
            };
            let others: Vec<Condition> = (conditions.iter())
                .filter(|condition| !matches!(condition, Condition::AtEnd { .. }))
                .cloned()
                .collect();
            for condition in conditions {
                let Condition::AtEnd {
                    time: end,
                    each,
                    among,
                    ..
                } = condition
                else {
                    continue;
                };
                let main = || of.model.main_time(*table, &of.snapshot.schema);
                let happened = time.clone().or_else(main);
                let groupings = asked.by.iter().flat_map(|by| &by.from);
                for (_, grouping) in groupings.filter(|(from, _)| from == table) {
                    let period = match grouping {
                        Grouping::Time(grain) if happened.as_ref() == Some(end) => {
                            Scalar::Period(end.clone(), *grain)
                        }
                        Grouping::Value(
                            scalar @ (Scalar::Period(at, _) | Scalar::Part(at, _) | Scalar::Column(at)),
                        ) if at == end => scalar.clone(),
                        _ => continue,
                    };
                    each.push(period);
                }
                among.clone_from(&others);
            }
            Ok::<(), std::convert::Infallible>(())
        });
    }
    summary
}

/// True where a figure is made of a list of values that is gathered first: SQLite has no median.
fn measures_by_hand(of: Database<'_>, measured: &Measured<'_>) -> bool {
    of.snapshot.dialect == Dialect::Sqlite && measured.formulas.iter().any(|formula| is_median(formula))
}

fn is_median(formula: &Formula) -> bool {
    matches!(
        formula,
        Formula::Rows {
            aggregate: Aggregate::Median(_),
            ..
        }
    )
}

/// The expressions of dimensions over the rows of one table: what each is grouped by, and what it shows.
struct Dimensions {
    keys: Vec<Vec<String>>,
    shown: Vec<Vec<String>>,
}

fn dimensions(rows: &mut Rows<'_>, summary: &Summary, time: Option<&Attribute>) -> Result<Dimensions, NoWay> {
    let mut dimensions = Dimensions {
        keys: Vec::new(),
        shown: Vec::new(),
    };
    for dimension in &summary.by {
        let (_, grouping) = dimension
            .from
            .iter()
            .find(|(table, _)| *table == rows.root)
            .ok_or(NoWay)?;
        match grouping {
            Grouping::Time(grain) => {
                let main = || rows.of.model.main_time(rows.root, &rows.of.snapshot.schema);
                let time = time.cloned().or_else(main).ok_or(NoWay)?;
                let expression = rows.scalar(&Scalar::Period(time, *grain))?;
                dimensions.shown.push(vec![expression.clone()]);
                dimensions.keys.push(vec![expression]);
            }
            Grouping::Value(scalar) => {
                let expression = rows.scalar(scalar)?;
                dimensions.shown.push(vec![expression.clone()]);
                // Days of the week come in their order, whatever they are called.
                let mut keys = match scalar {
                    Scalar::Part(time, Part::WeekdayName) => {
                        vec![rows.scalar(&Scalar::Part(time.clone(), Part::Weekday))?]
                    }
                    _ => Vec::new(),
                };
                keys.push(expression);
                dimensions.keys.push(keys);
            }
            Grouping::Entity(way) => {
                let alias = rows.alias(way)?;
                let table = rows.of.end(rows.root, way)?;
                let columns = &rows.of.snapshot.schema.tables[table].columns;
                let name = |column: &usize| format!("{alias}.{}", rows.of.identifier(&columns[*column].name));
                let key = &rows.of.snapshot.schema.identity(table);
                let display = &rows.of.model.datasets[table].display;
                let shown: Vec<String> = if display.is_empty() { key } else { display }
                    .iter()
                    .map(name)
                    .collect();
                let mut keys: Vec<String> = key.iter().map(name).collect();
                keys.extend(
                    shown
                        .iter()
                        .filter(|shown| !key.iter().map(name).any(|key| key == **shown))
                        .cloned(),
                );
                if keys.is_empty() {
                    return Err(NoWay);
                }
                dimensions.keys.push(keys);
                dimensions.shown.push(shown);
            }
        }
    }
    Ok(dimensions)
}

/// The conditions that all formulas of a table share: they are no measure's own.
fn shared<'s>(measured: &Measured<'s>) -> Vec<&'s Condition> {
    let conditions_of = |formula: &'s Formula| match formula {
        Formula::Rows { conditions, .. } => conditions.as_slice(),
        _ => &[],
    };
    let Some((first, others)) = measured.formulas.split_first() else {
        return Vec::new();
    };
    conditions_of(first)
        .iter()
        .filter(|condition| {
            others
                .iter()
                .all(|other| conditions_of(other).contains(condition))
        })
        .collect()
}

/// A formula over rows as SQL, without the conditions that the whole query has.
pub(super) fn over_rows(
    rows: &mut Rows<'_>,
    formula: &Formula,
    shared: &[&Condition],
) -> Result<String, NoWay> {
    let Formula::Rows {
        aggregate,
        conditions,
        ..
    } = formula
    else {
        return Err(NoWay);
    };
    let own: Vec<Condition> = conditions
        .iter()
        .filter(|condition| !shared.contains(condition))
        .cloned()
        .collect();
    let own = rows.conditions(&own)?;
    aggregate::aggregate(rows, aggregate, &own)
}

fn one_table(of: Database<'_>, summary: &Summary, measured: &Measured<'_>) -> Result<String, NoWay> {
    let names = Names::default();
    let mut rows = Rows::new(of, &names, measured.table, summary.keep_missing);
    let dimensions = dimensions(&mut rows, summary, measured.time)?;
    let shared = shared(measured);
    let mut filter = Vec::new();
    for condition in &shared {
        filter.push(rows.condition(condition)?);
    }
    let groups = Groups {
        keys: &dimensions.keys,
    };
    let mut measures = Vec::new();
    for measure in &summary.measures {
        let mut rows_of = |formula: &Formula| over_rows(&mut rows, formula, &shared);
        measures.push(aggregate::formula(&measure.formula, &groups, &mut rows_of)?);
    }
    finish(
        of,
        summary,
        &SummaryParts {
            names: &names,
            keys: dimensions.keys,
            shown: dimensions.shown,
            measures,
            from: rows.from(),
            filter,
            grouped: true,
        },
    )
}

/// What a summary is finished from.
struct SummaryParts<'n> {
    names: &'n Names,
    keys: Vec<Vec<String>>,
    shown: Vec<Vec<String>>,
    measures: Vec<String>,
    from: String,
    filter: Vec<String>,
    /// True where the rows are still to be grouped.
    grouped: bool,
}

/// Chooses, orders and limits the groups.
fn finish(of: Database<'_>, summary: &Summary, found: &SummaryParts<'_>) -> Result<String, NoWay> {
    let SummaryParts {
        keys,
        shown,
        measures,
        ..
    } = found;
    let named = |expression: &str, name: &str| Column {
        expression: expression.to_owned(),
        name: Some(of.identifier(name)),
    };
    let mut select = Select {
        from: found.from.clone(),
        filter: found.filter.clone(),
        ..Select::default()
    };
    // The result's columns: a dimension may have several.
    let mut places: Vec<Vec<String>> = Vec::new();
    for ((dimension, shown), keys) in summary.by.iter().zip(shown).zip(keys) {
        let in_order = matches!(&dimension.from[..], [(_, Grouping::Value(Scalar::Part(..))), ..]);
        places.push(if in_order { keys.clone() } else { shown.clone() });
        let computed = || match &dimension.from[..] {
            [(table, Grouping::Value(scalar)), ..] => of.name_of(*table, scalar),
            _ => None,
        };
        for expression in shown {
            select
                .columns
                .push(match dimension.name.as_deref().or_else(computed) {
                    Some(name) if shown.len() == 1 => named(expression, name),
                    _ => Column::plain(expression.clone()),
                });
        }
    }
    for (at, (measure, expression)) in summary.measures.iter().zip(measures).enumerate() {
        places.push(vec![expression.clone()]);
        if !summary.hidden.contains(&at) {
            let (expression, name) = of.measure_as_told(measure, expression);
            select.columns.push(named(&expression, &name));
        }
    }
    if found.grouped {
        select.group = keys.iter().flatten().cloned().collect();
    }
    for (measure, comparison, number) in &summary.having {
        let expression = measures.get(*measure).ok_or(NoWay)?;
        // What is told over all groups cannot choose among them.
        if found.grouped && expression.contains(" OVER (") {
            return Err(NoWay);
        }
        let (expression, _) = of.measure_as_told(&summary.measures[*measure], expression);
        let condition = format!("{expression} {} {number}", operator(*comparison));
        if found.grouped {
            select.having.push(condition);
        } else {
            select.filter.push(condition);
        }
    }
    for (measure, comparison) in &summary.than_all {
        let expression = measures.get(*measure).ok_or(NoWay)?;
        let of_all = rank::of_all(of, summary, *measure)?;
        let condition = format!("{expression} {} ({of_all})", operator(*comparison));
        if found.grouped {
            select.having.push(condition);
        } else {
            select.filter.push(condition);
        }
    }
    for (one, comparison, other) in &summary.than_other {
        let known = |at: &usize| measures.get(*at).map(|measure| format!("COALESCE({measure}, 0)"));
        let (one, other) = known(one).zip(known(other)).ok_or(NoWay)?;
        let condition = format!("{one} {} {other}", operator(*comparison));
        if found.grouped {
            select.having.push(condition);
        } else {
            select.filter.push(condition);
        }
    }
    let rank = &summary.rank;
    let mut order = Vec::new();
    for (place, highest_first) in &rank.by {
        for expression in places.get(*place).ok_or(NoWay)? {
            order.push((expression.clone(), *highest_first));
        }
    }
    let within: Vec<String> = (rank.within.iter())
        .filter_map(|at| keys.get(*at))
        .flatten()
        .cloned()
        .collect();
    rank::ranked(of, found.names, select, rank, &order, &within)
}

/// Each table is aggregated on its own before anything is joined, so that no row is counted twice.
fn several_tables(of: Database<'_>, summary: &Summary, measured: &[Measured<'_>]) -> Result<String, NoWay> {
    let names = Names::default();
    let mut with = Vec::new();
    // For each table its part's name, and what its formulas are called there.
    let mut called: Vec<(String, Vec<(&Formula, String)>)> = Vec::new();
    let mut widths: Vec<(usize, usize)> = Vec::new();
    for measured in measured {
        let mut rows = Rows::new(of, &names, measured.table, summary.keep_missing);
        let dimensions = dimensions(&mut rows, summary, measured.time)?;
        let shared = shared(measured);
        let mut select = Select::default();
        for condition in &shared {
            select.filter.push(rows.condition(condition)?);
        }
        widths = dimensions
            .keys
            .iter()
            .zip(&dimensions.shown)
            .map(|(keys, shown)| (keys.len(), shown.len()))
            .collect();
        for (at, expression) in dimensions.keys.iter().flatten().enumerate() {
            select.columns.push(Column {
                expression: expression.clone(),
                name: Some(format!("d{}", at + 1)),
            });
        }
        let mut formulas = Vec::new();
        for (at, formula) in measured.formulas.iter().enumerate() {
            let name = format!("m{}", at + 1);
            select.columns.push(Column {
                expression: over_rows(&mut rows, formula, &shared)?,
                name: Some(name.clone()),
            });
            formulas.push((*formula, name));
        }
        select.group = dimensions.keys.into_iter().flatten().collect();
        select.from = rows.from();
        let part = names.part(of);
        with.push(format!("{part} AS ({})", select.write(&Rank::default())));
        called.push((part, formulas));
    }
    let all: usize = widths.iter().map(|(keys, _)| keys).sum();
    let columns: Vec<String> = (1..=all).map(|at| format!("d{at}")).collect();
    let from = if all == 0 {
        let parts: Vec<&str> = called.iter().map(|(part, _)| part.as_str()).collect();
        parts.join(" CROSS JOIN ")
    } else {
        let groups = names.part(of);
        let unions: Vec<String> = called
            .iter()
            .map(|(part, _)| format!("SELECT {} FROM {part}", columns.join(", ")))
            .collect();
        with.push(format!("{groups} AS ({})", unions.join(" UNION ")));
        let mut from = groups.clone();
        for (part, _) in &called {
            let ties: Vec<String> = columns
                .iter()
                .map(|column| format!("{part}.{column} IS NOT DISTINCT FROM {groups}.{column}"))
                .collect();
            from = format!("{from} LEFT JOIN {part} ON {}", ties.join(" AND "));
        }
        from
    };
    let groups = with
        .last()
        .and_then(|last| last.split_once(' '))
        .map(|(name, _)| name.to_owned())
        .ok_or(NoWay)?;
    let (mut keys, mut shown) = (Vec::new(), Vec::new());
    let mut at = 0;
    for (wide, shows) in &widths {
        let named: Vec<String> = (at..at + wide)
            .map(|at| format!("{groups}.d{}", at + 1))
            .collect();
        // What is shown stands last among the keys, or is all of them.
        shown.push(named[wide - shows..].to_vec());
        keys.push(named);
        at += wide;
    }
    let group_keys = Groups { keys: &keys };
    let mut measures = Vec::new();
    for measure in &summary.measures {
        let mut rows_of = |wanted: &Formula| {
            called
                .iter()
                .find_map(|(part, formulas)| {
                    let (formula, name) = formulas.iter().find(|(formula, _)| *formula == wanted)?;
                    let counts = matches!(
                        formula,
                        Formula::Rows {
                            aggregate: Aggregate::Count | Aggregate::CountDistinct(_),
                            ..
                        }
                    );
                    if of.snapshot.dialect == Dialect::Sqlite && is_median(formula) {
                        return Some(aggregate::median_of_list(&format!("{part}.{name}")));
                    }
                    // Where a table has no row of a group, there are none.
                    Some(if counts && all > 0 {
                        format!("COALESCE({part}.{name}, 0)")
                    } else {
                        format!("{part}.{name}")
                    })
                })
                .ok_or(NoWay)
        };
        measures.push(aggregate::formula(&measure.formula, &group_keys, &mut rows_of)?);
    }
    let sql = finish(
        of,
        summary,
        &SummaryParts {
            names: &names,
            keys: keys.clone(),
            shown,
            measures,
            from,
            filter: Vec::new(),
            grouped: false,
        },
    )?;
    Ok(format!("WITH {} {sql}", with.join(", ")))
}
