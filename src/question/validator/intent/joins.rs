//! Tables that are joined for nothing, and inner joins where outer ones are meant or the reverse.

use crate::question::embedded::intent::Shown;

use super::{Code, Cue, Finding, Held, Role, Term, TestKind};

/// A table of which nothing is read but the key that joins it, and that nobody named.
pub(super) fn idle(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, block) in held.summary.blocks.iter().enumerate() {
        if block.sources != block.tables.len() || block.tables.len() < 2 || block.shown.contains(&Term::Star)
        {
            continue;
        }
        for &table in &block.tables {
            if block.tables.iter().filter(|other| **other == table).count() > 1 {
                continue;
            }
            // Columns of it that something else than a join condition reads.
            let links: Vec<_> = held
                .summary
                .tests
                .iter()
                .filter(|test| test.block == number && is_link(test))
                .filter(|test| sides(test).iter().any(|side| side.table == table))
                .collect();
            let keyed: Vec<_> = links
                .iter()
                .flat_map(|test| sides(test))
                .filter(|side| side.table == table)
                .collect();
            let used = held
                .resolved
                .uses
                .iter()
                .filter(|used| used.column.table == table)
                .count();
            let partners: std::collections::BTreeSet<usize> = links
                .iter()
                .flat_map(|test| sides(test))
                .map(|side| side.table)
                .filter(|partner| *partner != table)
                .collect();
            let others: Vec<usize> = block
                .tables
                .iter()
                .copied()
                .filter(|other| *other != table)
                .collect();
            let alone = partners.len() == 1 && used <= keyed.len();
            if alone
                && !multiplies(held, number, table)
                && held.intent.names_table_apart(table, &others) < 0.4
            {
                let name = &held.schema().tables[table].name;
                findings.push(
                    Finding::warning(
                        Code::ExtraTable,
                        links[0].position,
                        format!("nothing is read of {name}, and the question does not name it"),
                    )
                    .with_hint("leave the table out"),
                );
            }
        }
    }
    findings
}

/// True where COUNT(*) may be meant to count the rows of a table: it has several for a row of its partner.
fn multiplies(held: &Held<'_>, block: usize, table: usize) -> bool {
    let counts =
        held.summary.aggregates.iter().any(|aggregate| {
            aggregate.block == block && aggregate.name == "count" && aggregate.column.is_none()
        });
    // The question counts something else that is there too, and nothing is left that may be this table's name.
    let counts_other = held.intent.shown.iter().any(|shown| match shown {
        Shown::Count(counted) => *counted != table && held.summary.blocks[block].tables.contains(counted),
        _ => false,
    });
    let other = counts_other && held.intent.explained && !held.intent.strange;
    let refers = held
        .schema()
        .foreign_keys
        .iter()
        .any(|key| key.from.iter().any(|from| from.table == table));
    counts && refers && !other
}

fn is_link(test: &super::Test) -> bool {
    test.kind == TestKind::Equal && sides(test).len() == 2
}

fn sides(test: &super::Test) -> Vec<crate::question::schema::ColumnRef> {
    let right = test.right.iter();
    std::iter::once(&test.left)
        .chain(right)
        .filter_map(|term| match term {
            Term::Column(column) => Some(*column),
            _ => None,
        })
        .collect()
}

/// COUNT(*) over an outer join counts one for what has no partner; and an outer join in what is taken away takes all.
pub(super) fn counted(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for block in held.summary.blocks.iter().filter(|block| block.outer_join) {
        let absent = held.summary.tests.iter().any(|test| test.kind == TestKind::Null);
        let stars = block
            .shown
            .iter()
            .any(|term| matches!(term, Term::Aggregate(aggregate) if aggregate.name == "count" && aggregate.column.is_none()));
        // What every row refers to is no partner that is counted: the row itself is.
        let referred = held.schema().foreign_keys.iter().any(|key| {
            let table = |ends: &[crate::question::schema::ColumnRef]| ends.first().map(|end| end.table);
            let (from, to) = (table(&key.from), table(&key.to));
            to.is_some_and(|to| block.optional.contains(&to))
                && from.is_some_and(|from| block.tables.contains(&from) && !block.optional.contains(&from))
        });
        let message = if stars && !block.group.is_empty() && !referred {
            "COUNT(*) over an outer join counts one for what has no partner"
        } else if block.negated && !absent {
            "an outer join in what is taken away takes rows without a partner too"
        } else {
            continue;
        };
        findings.push(Finding::warning(Code::JoinWrongType, block.position, message));
    }
    findings
}

/// LEFT JOIN, and what asks for it.
pub(super) fn kinds(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let outer = held.summary.blocks.iter().any(|block| block.outer_join);
    let keeps = held.intent.says_phrase("even if")
        || held.intent.says_phrase("even those")
        || held.intent.says_phrase("including those")
        || held.intent.says_phrase("if any")
        || held.intent.says_phrase("regardless of");
    let joined = held
        .summary
        .blocks
        .iter()
        .any(|block| block.role == Role::Main && block.tables.len() > 1);
    if keeps && joined && !outer {
        findings.push(held.warning(
            Code::JoinWrongType,
            "the question keeps what has no partner, the join drops it",
        ));
    }
    let absent = held.summary.tests.iter().any(|test| test.kind == TestKind::Null);
    let wide = held.intent.says(&[
        "all",
        "each",
        "every",
        "any",
        "including",
        "even",
        "per",
        "regardless",
        "whether",
        "no",
        "not",
        "without",
        "zero",
        "never",
    ]) || held.cue(Cue::Group);
    if outer && !keeps && !absent && !wide {
        findings.push(
            held.warning(
                Code::JoinWrongType,
                "the outer join keeps rows without a partner, which the question does not ask for",
            )
            .by("outer_unasked"),
        );
    }
    findings
}
