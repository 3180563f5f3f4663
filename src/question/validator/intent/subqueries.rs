//! Subqueries that do not fit where they stand: several rows where one is compared, and columns of another meaning.

use super::{Clause, Code, Finding, Held, Role, Term, TestKind};
use crate::question::schema::ColumnRef;

pub(super) fn subqueries(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for test in &held.summary.tests {
        for term in &test.right {
            let Term::Query(query) = term else { continue };
            findings.extend(several_rows(held, test, *query));
            findings.extend(another_meaning(held, test, *query));
        }
    }
    for (number, block) in held.summary.blocks.iter().enumerate() {
        let exists = held
            .summary
            .tests
            .iter()
            .any(|test| test.kind == TestKind::Exists && test.left == Term::Query(number));
        if exists && block.role == Role::Condition && !correlated(held, number) {
            findings.push(
                Finding::warning(
                    Code::SubqueryCorrelationError,
                    block.position,
                    "EXISTS says the same for every row: nothing ties the subquery to the row around it",
                )
                .with_hint("compare a column of the subquery with one of the outer table"),
            );
        }
    }
    findings
}

/// Some condition of the subquery reads a column of a table that it does not itself read.
fn correlated(held: &Held<'_>, number: usize) -> bool {
    let block = &held.summary.blocks[number];
    if block.sources != block.tables.len() {
        return true;
    }
    let mut outer = block.parent.map(|parent| &held.summary.blocks[parent]);
    let mut around = Vec::new();
    while let Some(parent) = outer {
        around.extend(parent.tables.iter().copied());
        outer = parent.parent.map(|parent| &held.summary.blocks[parent]);
    }
    let own = |column: ColumnRef| block.tables.contains(&column.table);
    held.summary.tests.iter().any(|test| {
        let columns = std::iter::once(&test.left).chain(&test.right);
        let columns: Vec<ColumnRef> = columns.filter_map(Term::column).collect();
        // A table that both read may be meant on either side.
        let shared = columns.iter().any(|column| around.contains(&column.table));
        test.block == number && (columns.iter().any(|column| !own(*column)) || (shared && columns.len() > 1))
    })
}

/// `=` with a subquery that may have several rows.
fn several_rows(held: &Held<'_>, test: &super::Test, query: usize) -> Option<Finding> {
    let block = held.summary.blocks.get(query)?;
    let compares = !matches!(
        test.kind,
        TestKind::In | TestKind::Exists | TestKind::Other | TestKind::Like
    );
    let aggregated = block.group.is_empty()
        && block
            .shown
            .iter()
            .any(|term| matches!(term, Term::Aggregate(_) | Term::Other(_)));
    let shown = block.shown.first().and_then(Term::column);
    let fixed = held.summary.tests.iter().any(|inner| {
        // A name fixes a row of its own table, and what hangs on it.
        let own = block.tables.len() < 2
            || inner
                .left
                .column()
                .zip(shown)
                .is_none_or(|(column, shown)| column.table == shown.table);
        own && inner.block == query
            && inner.kind == TestKind::Equal
            && !inner.negated
            && inner.is_on_rows()
            && inner.clause == Clause::Where
    });
    let one = aggregated || block.limit.is_some() || fixed || block.tables.is_empty();
    (compares && !one && block.role == Role::Condition).then(|| {
        Finding::warning(
            Code::SubqueryCorrelationError,
            test.position,
            "a comparison with a subquery that may return several rows",
        )
        .with_hint("use IN, or let it return one row")
    })
}

/// `id IN (SELECT name …)`: columns that no key relates and that are called differently.
fn another_meaning(held: &Held<'_>, test: &super::Test, query: usize) -> Option<Finding> {
    let Term::Column(outer) = test.left else {
        return None;
    };
    let [Term::Column(inner)] = held.summary.blocks.get(query)?.shown[..] else {
        return None;
    };
    let schema = held.schema();
    let own = |column: ColumnRef| schema.tables[column.table].primary_key == [column.column];
    // `manager_id IN (SELECT employee_id …)`: keys of one table may refer to its rows.
    let same_kind = schema.column(outer).kind == schema.column(inner).kind;
    let refers_to_own = outer.table == inner.table && own(inner) && same_kind;
    if outer == inner || refers_to_own || related(held, outer, inner) {
        return None;
    }
    let (one, other) = (schema.column(outer), schema.column(inner));
    // Every table may call its own key `id`.
    let own_key = |column: ColumnRef| schema.tables[column.table].primary_key == [column.column];
    let plain = matches!(
        one.name.to_lowercase().as_str(),
        "id" | "key" | "code" | "no" | "number"
    );
    let alike = one.name.eq_ignore_ascii_case(&other.name) && !(plain && own_key(outer) && own_key(inner));
    let both = held.is_key(outer) && held.is_key(inner);
    let keyed =
        both || held.is_key(outer) != held.is_key(inner) || one.kind.is_numeric() != other.kind.is_numeric();
    (!alike && keyed).then(|| {
        Finding::warning(
            Code::SubqueryCorrelationError,
            test.position,
            format!("{} is compared with {}", held.name(outer), held.name(inner)),
        )
        .with_hint("let the subquery return the column that means the same")
    })
}

/// A key leads from one to the other, or both to a third.
pub(super) fn related(held: &Held<'_>, one: ColumnRef, other: ColumnRef) -> bool {
    let target = |column: ColumnRef| {
        held.schema()
            .foreign_keys
            .iter()
            .filter_map(move |key| {
                let at = key.from.iter().position(|from| *from == column)?;
                Some(key.to[at])
            })
            .chain([column])
            .collect::<Vec<_>>()
    };
    let others = target(other);
    target(one).iter().any(|column| others.contains(column))
}
