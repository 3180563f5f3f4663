//! The parts of a planned query as SQL, one by one, each column behind its table's name: for those who mend a
//! statement that somebody else wrote.

use super::{NoJoinPath, Query, Renderer, conform};
use crate::question::{embedded::logical::Direction, schema::Snapshot};

/// What a query is made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    /// What is shown.
    pub(crate) select: Vec<String>,
    /// Conditions on rows.
    pub(crate) filters: Vec<String>,
    pub(crate) group: Vec<String>,
    /// Conditions on groups.
    pub(crate) having: Vec<String>,
    /// What orders, and whether it descends.
    pub(crate) order: Vec<(String, bool)>,
    pub(crate) limit: Option<u64>,
}

/// The parts of a query; fails where no keys connect the tables of one.
pub(crate) fn pieces(query: &Query, snapshot: &Snapshot) -> Result<Pieces, NoJoinPath> {
    let renderer = Renderer { snapshot };
    let conforming = renderer.is_postgres().then(|| conform::conform(query, snapshot));
    let query = conforming.as_ref().unwrap_or(query);
    let having: Result<Vec<String>, NoJoinPath> = query
        .having
        .iter()
        .map(|comparison| renderer.comparison(comparison, true))
        .collect();
    let listed = |expressions: &[_]| -> Vec<String> {
        let texts = expressions
            .iter()
            .map(|expression| renderer.expression(expression, true));
        texts.collect()
    };
    let order = query.order.iter().map(|(expression, direction)| {
        let descends = *direction == Direction::Descending;
        (renderer.expression(expression, true), descends)
    });
    Ok(Pieces {
        select: listed(&query.select),
        filters: renderer.filters(&query.filters, true)?,
        group: listed(&query.group),
        having: having?,
        order: order.collect(),
        limit: query.limit,
    })
}
