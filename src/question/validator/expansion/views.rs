//! What the views that a query reads are to the planner, which puts them in the place of their names as it does with subqueries.

use std::collections::HashMap;

use sqlparser::ast::TableFactor;

use super::last;
use crate::question::schema::Planned;

/// By their names in lower case.
pub(in crate::question::validator) type Views = HashMap<String, Planned>;

/// The view that stands in FROM.
pub(super) fn view(views: &Views, factor: &TableFactor) -> Option<Planned> {
    match factor {
        TableFactor::Table { name, args: None, .. } => views.get(&last(name)).copied(),
        _ => None,
    }
}
