//! Measures against what they are of: rows that a join repeats, values that are not added up, and what people have defined
//! otherwise.

use super::{Aggregate, Block, Code, Finding, Held, Term, TestKind};
use crate::question::{
    schema::ColumnRef,
    semantic::{Additivity, FieldRole},
    validator::definitions::definitions,
};

/// SUM and AVG of a column whose rows a join repeats: each once for every row that refers to it.
pub(super) fn fanned_out(held: &Held<'_>) -> Vec<Finding> {
    let repeated = held.summary.aggregates.iter().filter_map(|aggregate| {
        let column = measured(aggregate)?;
        let block = held.summary.blocks.get(aggregate.block)?;
        let by = repeating(held, aggregate.block, block, column)?;
        let name = |table: usize| &held.schema().tables[table].name;
        let message = format!(
            "{} of {} counts a row of {} once for each row of {} that refers to it",
            aggregate.name.to_uppercase(),
            held.name(column),
            name(column.table),
            name(by)
        );
        let finding = Finding::warning(Code::ExtraTable, aggregate.position, message);
        Some(finding.with_hint(format!(
            "aggregate {} before it is joined, or ask for {} with EXISTS",
            name(column.table),
            name(by)
        )))
    });
    repeated.take(1).collect()
}

/// What SUM and AVG are of, where that is a stored column.
fn measured(aggregate: &Aggregate) -> Option<ColumnRef> {
    let adds = matches!(aggregate.name.as_str(), "sum" | "avg" | "total");
    aggregate
        .column
        .filter(|_| adds && aggregate.of_amounts && !aggregate.distinct)
}

/// A table of a SELECT whose rows refer to those of a measure's table, several to one, and that the SELECT reads for nothing
/// else than that and its own aggregates.
fn repeating(held: &Held<'_>, number: usize, block: &Block, measure: ColumnRef) -> Option<usize> {
    let schema = held.schema();
    let once = |table: usize| block.tables.iter().filter(|read| **read == table).count() == 1;
    // Of what is made inside a subquery nothing is known here.
    if block.sources != block.tables.len() || !once(measure.table) {
        return None;
    }
    let terms = || block.group.iter().chain(block.shown.iter());
    let plain = |term: &Term| match term {
        Term::Column(at) => Some(*at),
        Term::Other(at) => *at,
        _ => None,
    };
    block.tables.iter().copied().find(|&table| {
        let refers = |key: &&crate::question::schema::ForeignKey| {
            key.from.first().is_some_and(|from| from.table == table)
                && key.to.first().is_some_and(|to| to.table == measure.table)
        };
        let mut keys = schema.foreign_keys.iter().filter(refers);
        let (Some(key), None) = (keys.next(), keys.next()) else {
            return false;
        };
        let ([from], [to]) = (&key.from[..], &key.to[..]) else {
            return false;
        };
        let single = schema.column(*from).unique || schema.tables[table].primary_key == [from.column];
        let joined = held.summary.tests.iter().any(|test| {
            let ends = (test.left.column(), test.right.first().and_then(Term::column));
            test.block == number
                && test.kind == TestKind::Equal
                && !test.negated
                && (ends == (Some(*from), Some(*to)) || ends == (Some(*to), Some(*from)))
        });
        // What is grouped or shown by a row of it has one for each.
        let told_apart = terms().filter_map(plain).any(|at| at.table == table);
        // Rows that a condition has chosen may be one to one.
        let chosen = held.summary.tests.iter().any(|test| {
            let of = |term: &Term| term.column().is_some_and(|at| at.table == table && at != *from);
            test.block == number && (of(&test.left) || test.right.iter().any(of))
        });
        table != measure.table && once(table) && joined && !single && !told_apart && !chosen
    })
}

/// SUM of what is averaged, such as a price, where the question does not ask for it by name.
pub(super) fn not_additive(held: &Held<'_>) -> Vec<Finding> {
    let Some(model) = held.model else {
        return Vec::new();
    };
    let sums = held.summary.aggregates.iter().filter_map(|aggregate| {
        let column = measured(aggregate).filter(|_| aggregate.name != "avg")?;
        let role = model.field(column).role;
        let averaged = role == FieldRole::Measure(Additivity::Average);
        if !averaged || held.names(column) {
            return None;
        }
        let message = format!(
            "{} of {}, whose values are not added up",
            aggregate.name.to_uppercase(),
            held.name(column)
        );
        let finding = Finding::warning(Code::IncorrectCol, aggregate.position, message);
        Some(finding.with_hint("average it, or multiply it by how many there are before it is added up"))
    });
    sums.take(1).collect()
}

/// A metric, a filter or a computed field that the question names, and whose definition is not followed.
pub(super) fn defined_otherwise(held: &Held<'_>) -> Vec<Finding> {
    let Some(model) = held.model else {
        return Vec::new();
    };
    let defined = definitions(held.question, held.resolved, held.snapshot, model);
    let missed = defined.iter().filter(|definition| !definition.followed);
    missed
        .map(|definition| {
            let code = if definition.is_filter {
                Code::WhereMissing
            } else {
                Code::IncorrectCol
            };
            let message = format!(
                "\"{}\" is {} by {}, and the statement does not read all of that",
                definition.name,
                definition.sql,
                definition.file()
            );
            held.warning(code, message)
                .with_hint(format!("compute {} as it is defined", definition.name))
        })
        .collect()
}
