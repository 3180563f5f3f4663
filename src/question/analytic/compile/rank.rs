//! The order of a result, how many of its rows are wanted, and the best of each group.

use super::{Column, Database, NoWay, Select, rows::Names, summary};
use crate::question::{
    analytic::{Rank, Summary},
    semantic::{Aggregate, Formula},
};

/// A SELECT whose rows come in this order, with as many of them as are wanted: of all, or for each value of `within`.
pub(super) fn ranked(
    of: Database<'_>,
    names: &Names,
    mut select: Select,
    rank: &Rank,
    order: &[(String, bool)],
    within: &[String],
) -> Result<String, NoWay> {
    if within.is_empty() && !rank.ties {
        select.order = order
            .iter()
            .map(|(expression, highest_first)| {
                // A figure is computed once, and named by its place.
                let is_figure = expression.starts_with("(SELECT");
                let place = select
                    .columns
                    .iter()
                    .position(|column| column.expression == *expression);
                let expression = match place {
                    Some(place) if is_figure => (place + 1).to_string(),
                    _ => expression.clone(),
                };
                ordered(&expression, *highest_first, rank.limit.is_some())
            })
            .collect();
        return Ok(select.write(rank));
    }
    let limit = rank.limit.ok_or(NoWay)?;
    let number = if rank.ties { "RANK()" } else { "ROW_NUMBER()" };
    let partition = if within.is_empty() {
        String::new()
    } else {
        format!("PARTITION BY {} ", within.join(", "))
    };
    let order: Vec<String> = order
        .iter()
        .map(|(expression, highest_first)| ordered(expression, *highest_first, true))
        .collect();
    let mut outer = Vec::new();
    for (at, column) in select.columns.iter_mut().enumerate() {
        let name = match column.name.take() {
            Some(name) => name,
            None => column
                .expression
                .rsplit('.')
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        column.name = Some(format!("c{}", at + 1));
        outer.push(format!("c{} AS {name}", at + 1));
    }
    // Groups come one after the other, whether they are shown or not.
    let mut by = Vec::new();
    for (at, expression) in within.iter().enumerate() {
        by.push(format!("g{}", at + 1));
        select.columns.push(Column {
            expression: expression.clone(),
            name: Some(format!("g{}", at + 1)),
        });
    }
    select.columns.push(Column {
        expression: format!("{number} OVER ({partition}ORDER BY {})", order.join(", ")),
        name: Some("place".to_owned()),
    });
    by.push("place".to_owned());
    let (first, last) = (rank.skip + 1, rank.skip + limit);
    let range = if first == last {
        format!("place = {first}")
    } else if first == 1 {
        format!("place <= {last}")
    } else {
        format!("place BETWEEN {first} AND {last}")
    };
    Ok(format!(
        "SELECT {} FROM ({}) AS {} WHERE {range} ORDER BY {}",
        outer.join(", "),
        select.write(&Rank::default()),
        names.part(of),
        by.join(", ")
    ))
}

/// How an expression is ordered by. What is missing is neither the highest nor the lowest.
fn ordered(expression: &str, highest_first: bool, limited: bool) -> String {
    match (highest_first, limited) {
        (true, _) => format!("{expression} DESC NULLS LAST"),
        (false, true) => format!("{expression} NULLS LAST"),
        (false, false) => expression.to_owned(),
    }
}

/// A measure over all rows; of one that adds up the average of its groups.
pub(super) fn of_all(of: Database<'_>, asked: &Summary, measure: usize) -> Result<String, NoWay> {
    let measure = asked.measures.get(measure).ok_or(NoWay)?.clone();
    let adds_up = matches!(
        measure.formula,
        Formula::Rows {
            aggregate: Aggregate::Count | Aggregate::CountDistinct(_) | Aggregate::Sum(_),
            ..
        }
    );
    let name = of.identifier(&measure.name);
    let by = if adds_up { asked.by.clone() } else { Vec::new() };
    let all = Summary {
        measures: vec![measure],
        by,
        ..Summary::default()
    };
    let of = Database { as_kept: true, ..of };
    let all = summary::summary(of, &all)?;
    Ok(if adds_up {
        format!("SELECT AVG({name}) FROM ({all}) AS each_group")
    } else {
        all
    })
}
