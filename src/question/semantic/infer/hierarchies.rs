//! Columns of which the finer determine the coarser: region, country, city.

use super::Evidence;
use crate::question::{
    schema::ColumnRef,
    semantic::{Dataset, DatasetRole, FieldRole},
};

/// Finer values that a coarser one must stand for on average.
const COARSER: u64 = 2;

/// The hierarchies within one table, each from coarse to fine.
pub(super) fn hierarchies(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Vec<Vec<ColumnRef>> {
    let Some(profile) = of.table(table) else {
        return Vec::new();
    };
    let distinct = |column: usize| profile.columns[column].distinct;
    let groups = |column: usize| {
        let is_kind = matches!(
            dataset.fields[column].role,
            FieldRole::Dimension | FieldRole::Code | FieldRole::Name
        );
        is_kind && distinct(column) > 1
    };
    // What nearly every row has another value of is its name, or nothing to group by.
    let repeats = |column: usize| distinct(column) * COARSER <= profile.columns[column].values;
    let names = |column: usize| dataset.role == DatasetRole::Entity && dataset.display == [column];
    let is_part = |&(fine, coarse): &(usize, usize)| {
        groups(fine)
            && groups(coarse)
            && (repeats(fine) || names(fine))
            && distinct(coarse) * COARSER <= distinct(fine)
    };
    let parts: Vec<(usize, usize)> = profile.determines.iter().copied().filter(is_part).collect();
    let finest = parts
        .iter()
        .map(|&(fine, _)| fine)
        .filter(|fine| parts.iter().all(|(_, coarse)| coarse != fine));
    let mut starts: Vec<usize> = finest.collect();
    starts.sort_unstable();
    starts.dedup();
    let chain = |finest: usize| {
        let mut chain = vec![finest];
        // The finest of what the last one determines comes next.
        while let Some(next) = parts
            .iter()
            .filter(|(fine, _)| Some(fine) == chain.last())
            .map(|&(_, coarse)| coarse)
            .max_by_key(|&coarse| (distinct(coarse), coarse))
        {
            chain.push(next);
        }
        chain.reverse();
        chain
            .into_iter()
            .map(|column| ColumnRef { table, column })
            .collect()
    };
    starts.into_iter().map(chain).collect()
}
