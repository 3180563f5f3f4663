//! One finding in its statement, and what the question asks for: what fixers look at that know the question.

use std::sync::Arc;

use sqlparser::ast::{Expr, Query, Select, SetExpr};

use super::{
    fragments::expression,
    selects::{all_selects, part_of_mut, query_of, select_around, select_of, with_query},
    sources::Sources,
};
use crate::question::{
    embedded::{
        Pieces,
        intent::{Intent, Link},
    },
    schema::{ColumnRef, Dialect, Schema, Snapshot},
    validator::{Code, parse::Parsed, resolve::LocatedFinding, resolved::Resolved},
};

/// How much of a column's name the question must have to name it.
const NAMED: f32 = 0.5;

/// A finding and all that is known around it.
pub(super) struct Case<'a> {
    pub(super) found: &'a LocatedFinding,
    pub(super) parsed: &'a Parsed,
    pub(super) resolved: &'a Resolved,
    /// Everything that was found.
    pub(super) all: &'a [LocatedFinding],
    pub(super) snapshot: &'a Snapshot,
    pub(super) wants: &'a Wants,
}

/// What the question asks for.
pub(super) struct Wants {
    /// As its words tell.
    pub(super) intent: Arc<Intent>,
    /// As the embedded agents would ask for it, as far as they understand it.
    pub(super) pieces: Pieces,
}

impl<'a> Case<'a> {
    pub(super) fn dialect(&self) -> Dialect {
        self.snapshot.dialect
    }

    pub(super) fn schema(&self) -> &'a Schema {
        &self.snapshot.schema
    }

    pub(super) fn intent(&self) -> &'a Intent {
        &self.wants.intent
    }

    pub(super) fn pieces(&self) -> &'a Pieces {
        &self.wants.pieces
    }

    /// Where the SELECT begins in which the finding stands.
    pub(super) fn at(&self) -> Option<usize> {
        select_around(self.parsed, self.dialect(), self.found.finding.position)
    }

    /// Where the SELECTs begin that give the rows of the answer.
    pub(super) fn mains(&self) -> Vec<usize> {
        let mut mains = vec![];
        let mut rest = vec![self.parsed.query.body.as_ref()];
        while let Some(body) = rest.pop() {
            match body {
                SetExpr::Select(select) => {
                    let at = crate::question::validator::start::Start::start(select.as_ref());
                    mains.extend(self.parsed.lines.position(at));
                }
                SetExpr::SetOperation { left, right, .. } => rest.extend([right.as_ref(), left.as_ref()]),
                SetExpr::Query(query) => rest.push(&query.body),
                _ => {}
            }
        }
        mains
    }

    /// Where all SELECTs begin, those of the answer first.
    pub(super) fn selects(&self) -> Vec<usize> {
        let mut selects = self.mains();
        for at in all_selects(self.parsed) {
            if !selects.contains(&at) {
                selects.push(at);
            }
        }
        selects
    }

    pub(super) fn select(&self, at: usize) -> Option<Select> {
        select_of(self.parsed, at)
    }

    pub(super) fn query(&self, at: usize) -> Option<Query> {
        query_of(self.parsed, at)
    }

    /// What a SELECT reads from.
    pub(super) fn sources(&self, at: usize) -> Option<Sources<'a>> {
        Some(Sources::of(&self.select(at)?, self.parsed, self.snapshot))
    }

    /// The statement with a SELECT changed, to whose query and sources the change may add.
    pub(super) fn with(
        &self,
        at: usize,
        change: impl FnOnce(&mut Query, &mut Sources<'a>) -> Option<()>,
    ) -> Option<String> {
        let mut sources = self.sources(at)?;
        with_query(self.parsed, at, |query| change(query, &mut sources))
    }

    /// The SELECT of a query that is being changed.
    pub(super) fn part<'q>(&self, query: &'q mut Query, at: usize) -> Option<&'q mut Select> {
        part_of_mut(&mut query.body, &self.parsed.lines, at)
    }

    /// An expression over tables' names as a SELECT writes it; tables that it lacks join it.
    pub(super) fn adopted(
        &self,
        query: &mut Query,
        at: usize,
        sources: &mut Sources<'a>,
        text: &str,
    ) -> Option<Expr> {
        let mut expr = expression(text, self.dialect())?;
        sources.adopt(query, (&self.parsed.lines, at), &mut expr)?;
        Some(expr)
    }

    /// How a SELECT writes a column; its table joins it where it lacks it.
    pub(super) fn column(
        &self,
        query: &mut Query,
        at: usize,
        sources: &mut Sources<'a>,
        column: ColumnRef,
    ) -> Option<Expr> {
        let written = sources.join(query, (&self.parsed.lines, at), column)?;
        expression(&written, self.dialect())
    }

    /// True if the statement reads the column.
    pub(super) fn uses(&self, column: ColumnRef) -> bool {
        self.resolved.columns.contains(&column)
    }

    /// True if the question names the column.
    pub(super) fn names(&self, column: ColumnRef) -> bool {
        self.intent().names_column(column) >= NAMED
    }

    /// The columns that the question names, with those that the same words fit, in its order.
    pub(super) fn named(&self) -> Vec<ColumnRef> {
        let mut named = vec![];
        for Link { column, others, .. } in &self.intent().columns {
            for column in std::iter::once(column).chain(others) {
                if !named.contains(column) {
                    named.push(*column);
                }
            }
        }
        named
    }

    /// The columns that the question names and the statement does not read.
    pub(super) fn unread(&self) -> Vec<ColumnRef> {
        let mut unread: Vec<ColumnRef> = self.named();
        unread.retain(|column| !self.uses(*column));
        // What the statement reads already is nearer.
        unread.sort_by_key(|column| self.distance(column.table));
        unread
    }

    /// How many keys lead from the statement's tables to one.
    pub(super) fn distance(&self, table: usize) -> usize {
        let tables = self.resolved.tables.iter();
        let distances = tables.filter_map(|from| self.snapshot.joins.distance(*from, table));
        distances.min().unwrap_or(usize::MAX)
    }

    /// True for a part of a key.
    pub(super) fn is_key(&self, column: ColumnRef) -> bool {
        let schema = self.schema();
        schema.tables[column.table].primary_key.contains(&column.column)
            || schema
                .foreign_keys
                .iter()
                .any(|key| key.from.contains(&column) || key.to.contains(&column))
    }

    /// True for what can be put in an order that means something.
    pub(super) fn is_measure(&self, column: ColumnRef) -> bool {
        let kind = self.schema().column(column).kind;
        (kind.is_numeric() || kind.is_temporal()) && !self.is_key(column)
    }

    /// Columns of a SELECT's tables.
    pub(super) fn columns_of(&self, sources: &Sources<'_>) -> Vec<ColumnRef> {
        let mut tables = sources.tables();
        tables.dedup();
        let columns = tables.into_iter().flat_map(|table| {
            (0..self.schema().tables[table].columns.len()).map(move |column| ColumnRef { table, column })
        });
        columns.collect()
    }

    /// Where literals stand that nothing in the question explains.
    pub(super) fn invented(&self) -> Vec<usize> {
        let invented = self.all.iter().map(|found| &found.finding);
        let invented = invented.filter(|finding| finding.code == Code::HardcodedValue);
        invented.filter_map(|finding| finding.position).collect()
    }

    /// True if the statement says a text, however it is cased.
    pub(super) fn says(&self, text: &str) -> bool {
        self.parsed.text.to_lowercase().contains(&text.to_lowercase())
    }
}
