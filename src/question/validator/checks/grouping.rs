//! Whether each selected value is one per group.

use std::collections::HashSet;

use super::{super::resolved::Clause, Determined};
use crate::question::{
    schema::{Dialect, Schema},
    validator::{
        Code, Finding, Severity,
        names::quoted,
        scope::{Columns, ROWID, Scope, ScopedColumn, Use},
    },
};

/// What GROUP BY names.
pub(in crate::question::validator) struct Grouped {
    /// Those of its terms that are columns.
    pub(in crate::question::validator) places: Vec<ScopedColumn>,
    /// From where to where its last term reaches, and the term, if it is a name.
    pub(in crate::question::validator) end: Option<(usize, usize, String)>,
}

/// Checks the columns of a SELECT that aggregates.
pub(in crate::question::validator) fn grouping(
    schema: &Schema,
    scope: &Scope,
    grouped: Option<&Grouped>,
) -> Vec<Finding> {
    let mut findings = vec![];
    if grouped.is_none() && scope.aggregates.is_empty() {
        return findings;
    }
    let given = grouped.map_or(&[][..], |grouped| &grouped.places);
    let determined = Determined::by(schema, scope, given.iter().copied());
    findings.extend(grouped.and_then(|grouped| single_rows(scope, grouped, &determined)));
    if scope.dialect == Dialect::Postgres {
        findings.extend(strictly(schema, scope, grouped, &determined));
        return findings;
    }
    // A single min or max makes SQLite take the other columns from the row that holds it.
    let of_a_row = matches!(scope.aggregates.as_slice(), [only] if only == "min" || only == "max");
    let mut told = HashSet::new();
    for used in &scope.uses {
        let per_row = matches!(used.clause, Clause::Select | Clause::Having | Clause::OrderBy);
        if !per_row || used.in_aggregate || determined.contains(used.place) || !told.insert(used.place) {
            continue;
        }
        let name = place_name(schema, scope, used.place);
        findings.extend(match grouped {
            Some(_) if of_a_row => None,
            Some(_) => Some(not_grouped(used, &name)),
            None => Some(not_aggregated(used, &name, of_a_row)),
        });
    }
    findings
}

/// Groups of one row each, where rows are counted.
fn single_rows(scope: &Scope, grouped: &Grouped, determined: &Determined<'_>) -> Option<Finding> {
    let counts = scope.aggregates.iter().any(|name| name == "count");
    let single = (0..scope.sources.len()).all(|source| determined.is_one_row(source));
    let (position, ..) = grouped.end.as_ref()?;
    (counts && single && !scope.sources.is_empty()).then(|| {
        Finding::warning(
            Code::GroupbyMissingCol,
            Some(*position),
            "each group has a single row: it is grouped by what identifies the rows",
        )
        .with_hint("group by what several rows share, and nothing else")
    })
}

/// PostgreSQL takes only what GROUP BY names or what the primary key of a grouped table determines. What has one
/// value per group for another reason can be added to GROUP BY without changing the result.
fn strictly(
    schema: &Schema,
    scope: &Scope,
    grouped: Option<&Grouped>,
    determined: &Determined<'_>,
) -> Vec<Finding> {
    let mut findings = vec![];
    let given = grouped.map_or(&[][..], |grouped| &grouped.places);
    let by_key = |place: ScopedColumn| match scope.sources[place.source].columns {
        Columns::Table(table) if !schema.tables[table].is_view => {
            let key = &schema.tables[table].primary_key;
            !key.is_empty()
                && key.iter().all(|column| {
                    given.contains(&ScopedColumn {
                        column: *column,
                        ..place
                    })
                })
        }
        _ => false,
    };
    let mut told = HashSet::new();
    for used in &scope.uses {
        let per_row = matches!(used.clause, Clause::Select | Clause::Having | Clause::OrderBy);
        let place = used.place;
        if !per_row || used.in_aggregate || given.contains(&place) || by_key(place) || !told.insert(place) {
            continue;
        }
        let name = place_name(schema, scope, place);
        let mut finding = match grouped {
            Some(_) => not_grouped(used, &name),
            None => not_aggregated(used, &name, false),
        };
        finding.severity = Severity::Error;
        if let Some(Grouped {
            end: Some((_, _, last)),
            ..
        }) = grouped
            && !scope.outer
            && determined.contains(place)
        {
            finding = finding.with_repair(format!("{last}, {name}"));
        }
        findings.push(finding);
    }
    findings
}

/// HAVING without GROUP BY.
pub(in crate::question::validator) fn having_alone(scope: &Scope, position: Option<usize>) -> Finding {
    if scope.aggregates.is_empty() {
        let finding = Finding::error(
            Code::HavingWithoutGroupby,
            position,
            "HAVING without GROUP BY or an aggregate",
        );
        finding.with_hint("use WHERE for conditions on rows")
    } else {
        Finding::warning(
            Code::HavingWithoutGroupby,
            position,
            "HAVING without GROUP BY tests the whole result",
        )
    }
}

fn not_grouped(used: &Use, name: &str) -> Finding {
    let message = format!("{name} may have several values per group");
    let code = if used.clause == Clause::Having {
        Code::HavingIncorrect
    } else {
        Code::GroupbyMissingCol
    };
    Finding::warning(code, used.position, message)
        .with_hint(format!("add {name} to GROUP BY, or aggregate it"))
}

fn not_aggregated(used: &Use, name: &str, of_a_row: bool) -> Finding {
    // The one row that is left needs no order, so that one is only superfluous.
    let harmless = of_a_row || used.clause == Clause::OrderBy;
    let message = format!("{name} stands beside an aggregate without GROUP BY");
    let hint = format!("add GROUP BY {name}, aggregate it, or use ORDER BY with LIMIT 1");
    if harmless {
        Finding::warning(Code::AggNoGroupby, used.position, message).with_hint(hint)
    } else {
        Finding::error(Code::AggNoGroupby, used.position, message).with_hint(hint)
    }
}

fn place_name(schema: &Schema, scope: &Scope, place: ScopedColumn) -> String {
    let source = &scope.sources[place.source];
    let columns = source.column_names(schema);
    let column = if place.column == ROWID {
        "rowid"
    } else {
        columns.get(place.column).copied().unwrap_or("?")
    };
    let quoted = |name: &str| match scope.dialect {
        Dialect::Sqlite => name.to_owned(),
        Dialect::Postgres => quoted(name, scope.dialect),
    };
    if scope.sources.len() == 1 {
        quoted(column)
    } else {
        format!("{}.{}", quoted(&source.name), quoted(column))
    }
}
