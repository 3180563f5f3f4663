//! Metrics by dimensions, asked for by name.

use jiff::civil::Date;

use super::{
    expression,
    names::{Names, metric_named},
    understood::Understood,
};
use crate::question::{
    analytic::{AnalyticQuery, Dimension, Grouping, Measure, Rank, Summary},
    semantic::{Condition, Formula, Grain, Piece, Scalar, Term},
};

/// A request for metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricQuery {
    /// The names of metrics.
    pub metrics: Vec<String>,
    /// `DATASET.FIELD`, `DATASET.FIELD:GRAIN` of a time, or `time:GRAIN` for when what is measured happened.
    pub by: Vec<String>,
    /// Conditions in SQL over `DATASET.FIELD`, all of which must hold of the rows that are measured.
    pub filters: Vec<String>,
    /// Only what happened on this day or later.
    pub from: Option<Date>,
    /// Only what happened before this day.
    pub to: Option<Date>,
    /// Names of metrics, or what is in `by`; `-` before one means the highest first.
    pub order: Vec<String>,
    /// How many rows at most.
    pub limit: Option<u64>,
}

/// What a metric query asks, in words of the database; or what is wrong with it.
pub fn analytic(query: &MetricQuery, of: &Understood) -> Result<AnalyticQuery, String> {
    let names = Names {
        snapshot: &of.snapshot,
        model: &of.model,
        datasets: &of.datasets,
        fields: &of.fields,
        relationships: &of.relationships,
    };
    if query.metrics.is_empty() {
        return Err("it names no metric".to_owned());
    }
    let mut summary = Summary {
        keep_missing: true,
        ..Summary::default()
    };
    for name in &query.metrics {
        let metric = metric_named(&of.model.metrics, name).ok_or_else(|| {
            let known: Vec<&str> = of
                .model
                .metrics
                .iter()
                .map(|metric| metric.name.as_str())
                .collect();
            format!("there is no metric {name}; there are {}", known.join(", "))
        })?;
        let mut formula = metric.formula.clone();
        filter(&mut formula, &query.filters, &names)?;
        within(&mut formula, query, &names)?;
        summary.measures.push(Measure {
            name: metric.name.clone(),
            formula,
        });
    }
    let aggregates = summary
        .measures
        .iter()
        .flat_map(|measure| measure.formula.aggregates());
    let mut tables: Vec<usize> = aggregates.filter_map(Formula::table).collect();
    tables.sort_unstable();
    tables.dedup();
    for wanted in &query.by {
        let from = tables
            .iter()
            .map(|&table| Ok((table, grouping(wanted, table, &names)?)));
        summary.by.push(Dimension {
            name: Some(column_name(wanted)),
            from: from.collect::<Result<_, String>>()?,
        });
    }
    summary.rank = Rank {
        limit: query.limit,
        ..Rank::default()
    };
    for wanted in &query.order {
        let (name, highest_first) = match wanted.strip_prefix('-') {
            Some(name) => (name, true),
            None => (wanted.as_str(), false),
        };
        let by = query.by.iter().position(|by| by == name);
        let metric = || {
            let at = query
                .metrics
                .iter()
                .position(|metric| metric.eq_ignore_ascii_case(name));
            at.map(|at| query.by.len() + at)
        };
        let place = by.or_else(metric);
        let place =
            place.ok_or_else(|| format!("{name} is not asked for, so nothing can be ordered by it"))?;
        summary.rank.by.push((place, highest_first));
    }
    Ok(AnalyticQuery::Summary(summary))
}

/// Lets conditions hold of all rows that a formula aggregates.
fn filter(formula: &mut Formula, filters: &[String], names: &Names<'_>) -> Result<(), String> {
    formula.each_aggregate(&mut |aggregate| {
        let Formula::Rows {
            table, conditions, ..
        } = aggregate
        else {
            return Ok(());
        };
        for text in filters {
            let wrong = |wrong| format!("the condition {text}: {wrong}");
            let pieces = expression::of_rows(text, *table, names).map_err(wrong)?;
            conditions.push(Condition::Written(pieces));
        }
        Ok(())
    })
}

/// Leaves what happened before or after the days of a query out of all rows that a formula aggregates.
fn within(formula: &mut Formula, query: &MetricQuery, names: &Names<'_>) -> Result<(), String> {
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    let (from, to) = (day(query.from), day(query.to));
    if from.is_none() && to.is_none() {
        return Ok(());
    }
    formula.each_aggregate(&mut |aggregate| {
        let Formula::Rows {
            table,
            conditions,
            time,
            ..
        } = aggregate
        else {
            return Ok(());
        };
        let main = || names.model.main_time(*table, &names.snapshot.schema);
        let time = time.clone().or_else(main);
        let time = time.ok_or_else(|| no_time(&names.snapshot.schema.tables[*table].name))?;
        conditions.push(Condition::During(time, from.clone(), to.clone()));
        Ok(())
    })
}

fn no_time(table: &str) -> String {
    format!("{table} has no main time; name one in its extension: time")
}

fn grouping(wanted: &str, table: usize, names: &Names<'_>) -> Result<Grouping, String> {
    let (field, grain) = match wanted.split_once(':') {
        Some((field, grain)) => (field, Some(grain_named(grain)?)),
        None => (wanted, None),
    };
    if field == "time" {
        if names.model.main_time(table, &names.snapshot.schema).is_none() {
            return Err(no_time(&names.snapshot.schema.tables[table].name));
        }
        return Ok(Grouping::Time(grain.unwrap_or(Grain::Day)));
    }
    let pieces = expression::of_rows(field, table, names)?;
    Ok(Grouping::Value(match (&pieces[..], grain) {
        ([Piece::Part(Term::Column(attribute))], Some(grain)) => Scalar::Period(attribute.clone(), grain),
        ([Piece::Part(Term::Column(attribute))], None) => Scalar::Column(attribute.clone()),
        (_, None) => Scalar::Written(pieces),
        (_, Some(_)) => return Err(format!("{field} is computed, and has no periods")),
    }))
}

/// The grain of a name.
fn grain_named(name: &str) -> Result<Grain, String> {
    Ok(match name {
        "hour" => Grain::Hour,
        "day" => Grain::Day,
        "week" => Grain::Week,
        "month" => Grain::Month,
        "quarter" => Grain::Quarter,
        "year" => Grain::Year,
        _ => {
            return Err(format!(
                "{name} is no grain: hour, day, week, month, quarter or year"
            ));
        }
    })
}

fn column_name(wanted: &str) -> String {
    let (field, grain) = wanted.split_once(':').unwrap_or((wanted, ""));
    if field == "time" && !grain.is_empty() {
        return grain.to_owned();
    }
    let name = field.rsplit('.').next().unwrap_or(field);
    if grain.is_empty() {
        name.to_owned()
    } else {
        format!("{name}_{grain}")
    }
}
