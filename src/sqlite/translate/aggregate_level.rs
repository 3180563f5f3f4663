//! The query that an aggregate belongs to: the innermost one whose columns stand in its parentheses, which may be one around
//! the query that it is written in.

use super::{Result, Translator, refuse};

/// How a query stands around the one that is being read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// As in [`Translator`], where the inner query stands.
    aggregates: usize,
    plain_clause: Option<&'static str>,
    /// True once an aggregate of it was seen inside.
    aggregated: bool,
}

impl Translator<'_> {
    /// Notes that a column of the query at this level was read.
    pub(super) fn note_level(&mut self, level: usize) {
        self.levels |= 1_u64.checked_shl(level as u32).unwrap_or_default();
    }

    /// True where a column of the query at this level is one of its grouped rows: it stands in no aggregate of that query.
    pub(super) fn is_of_group(&self, level: usize) -> bool {
        let inside = &self.scopes[level..self.scopes.len() - 1];
        let is_apart = self.aggregates == 0 || (self.is_of_inner && !inside.is_empty());
        is_apart && inside.iter().all(|scope| scope.around.aggregates == 0)
    }

    /// True where an aggregate of the present query has read columns of a grouped one around it. Since it is known whose it is,
    /// these are read again as those of the grouped row; the levels that were read become those from before.
    pub(super) fn reads_groups(&mut self, before: u64) -> bool {
        let around = self.scopes.len().saturating_sub(1);
        let is_read = |level: usize| self.levels.checked_shr(level as u32).unwrap_or_default() & 1 == 1;
        let mut scopes = self.scopes[..around].iter().enumerate();
        let found = scopes.any(|(level, scope)| is_read(level) && scope.grouped.is_some());
        if !found || self.is_of_inner {
            return false;
        }
        self.levels = before;
        self.is_of_inner = true;
        true
    }

    /// Notes of the innermost query that one in it begins.
    pub(super) fn go_inside(&mut self) {
        let around = Around {
            aggregates: self.aggregates,
            plain_clause: self.plain_clause,
            aggregated: false,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.around = around;
        }
    }

    /// True where the query that so many others are around has an aggregate inside of the one that has ended.
    pub(super) fn was_aggregated(&self, outer: usize) -> bool {
        let around = outer.checked_sub(1).and_then(|level| self.scopes.get(level));
        around.is_some_and(|scope| scope.around.aggregated)
    }

    /// Notes an aggregate of the present query, where one may stand.
    pub(super) fn may_aggregate(&mut self, position: Option<usize>) -> Result<()> {
        if let Some(clause) = self.plain_clause {
            let message = format!("aggregate functions are not allowed in {clause}");
            return refuse("42803", message, position);
        }
        self.aggregated = true;
        self.contents.aggregate = true;
        if self.aggregates > 0 {
            return refuse("42803", "aggregate function calls cannot be nested", position);
        }
        Ok(())
    }

    /// Tells whether an aggregate that reads columns of these queries belongs to one around the present one, where it has to
    /// be allowed.
    pub(super) fn is_of_outer(&mut self, levels: u64, position: Option<usize>) -> Result<bool> {
        let own = self.scopes.len();
        let known = (0..own)
            .rev()
            .find(|level| levels.checked_shr(*level as u32).unwrap_or_default() & 1 == 1);
        let Some(level) = known.filter(|level| level + 1 < own) else {
            return Ok(false);
        };
        let around = &mut self.scopes[level].around;
        if let Some(clause) = around.plain_clause {
            let message = format!("aggregate functions are not allowed in {clause}");
            return refuse("42803", message, position);
        }
        if around.aggregates > 0 {
            return refuse("42803", "aggregate function calls cannot be nested", position);
        }
        around.aggregated = true;
        self.of_outer.extend(position);
        Ok(true)
    }
}
