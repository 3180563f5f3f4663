//! `both`, `either … or`, `different` against INTERSECT, UNION, OR and DISTINCT; and conditions that no row meets.

use sqlparser::ast::SetOperator;

use crate::question::schema::ColumnRef;

use super::{Block, Clause, Code, Constant, Cue, Finding, Held, Literal, Role, Term, Test, TestKind};

/// `x = 'a' AND x = 'b'`.
pub(super) fn contradiction(held: &Held<'_>) -> Vec<Finding> {
    let equal: Vec<(&Test, &Constant)> = held
        .summary
        .tests
        .iter()
        .filter(|test| {
            test.kind == TestKind::Equal && !test.negated && !test.alternative && test.is_on_rows()
        })
        .filter_map(|test| match &test.right[..] {
            [Term::Literal(Literal { value, .. })] if *value != Constant::Other => Some((test, value)),
            _ => None,
        })
        .collect();
    for (at, (one, value)) in equal.iter().enumerate() {
        for (other, second) in &equal[at + 1..] {
            let same_table_once = one.left.column().is_some_and(|column| {
                let block = &held.summary.blocks[one.block];
                block
                    .tables
                    .iter()
                    .filter(|table| **table == column.table)
                    .count()
                    == 1
            });
            if one.block == other.block
                && matches!(one.left, Term::Column(_))
                && one.left == other.left
                && value != second
                && same_table_once
            {
                let column = one
                    .left
                    .column()
                    .map_or_else(String::new, |column| held.name(column));
                let either = (held.cue(Cue::Either) || held.cue(Cue::Or)) && !held.cue(Cue::Both);
                let code = if either {
                    Code::UnionMissing
                } else {
                    Code::IntersectMissing
                };
                return vec![
                    Finding::error(
                        code,
                        other.position,
                        format!("{column} cannot have two values in one row"),
                    )
                    .with_hint("INTERSECT two queries for `both`, or write OR or IN for `either`"),
                ];
            }
        }
    }
    Vec::new()
}

fn combines(held: &Held<'_>, wanted: SetOperator) -> bool {
    held.summary
        .combined
        .iter()
        .any(|(operator, _)| *operator == wanted)
}

pub(super) fn sets(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let subqueries = held
        .summary
        .blocks
        .iter()
        .filter(|block| block.role == Role::Condition)
        .count();
    let self_joined = held.summary.blocks.iter().any(|block| {
        let mut tables = block.tables.clone();
        tables.sort_unstable();
        tables.windows(2).any(|pair| pair[0] == pair[1])
    });
    let having = held.summary.blocks.iter().any(|block| block.having);
    let intersects = combines(held, SetOperator::Intersect) || subqueries > 0 || self_joined || having;
    let alternatives: Vec<&Test> = held
        .summary
        .tests
        .iter()
        .filter(|test| test.alternative || (test.kind == TestKind::In && test.right.len() > 1))
        .collect();
    if held.cue(Cue::Both) && !intersects {
        if let Some(test) = alternatives.first()
            && !held.cue(Cue::Or)
        {
            let finding = Finding::warning(
                Code::IntersectMissing,
                test.position,
                "`both` wants what meets the one and the other, OR takes either",
            );
            findings.push(finding.with_hint("INTERSECT two queries"));
        } else if combines(held, SetOperator::Union) && !held.cue(Cue::Or) {
            findings.push(held.warning(Code::IntersectMissing, "`both` wants INTERSECT, not UNION"));
        }
    }
    let either = held.cue(Cue::Either) || held.cue(Cue::Or);
    if either && combines(held, SetOperator::Intersect) && !held.cue(Cue::Both) {
        findings.push(held.warning(Code::UnionMissing, "`or` wants UNION, not INTERSECT"));
    }
    if combines(held, SetOperator::Union) && !either && !held.cue(Cue::And) {
        findings.push(held.warning(
            Code::IntersectMissing,
            "nothing in the question unites two results",
        ));
    }
    findings
}

/// `different`, `distinct`.
pub(super) fn distinct(held: &Held<'_>) -> Vec<Finding> {
    let main: Vec<_> = held.main().collect();
    let [block] = main[..] else { return Vec::new() };
    let unique = block.shown.iter().any(|term| match term {
        Term::Column(column) => is_unique(held, *column),
        Term::Star | Term::Query(_) | Term::Other(_) | Term::Literal(_) => true,
        Term::Aggregate(_) => false,
    });
    let plain = block.shown.iter().all(|term| matches!(term, Term::Column(_)));
    let says = held.intent.says(&["distinct", "unique", "different"]);
    let merged = block.distinct || !block.group.is_empty();
    let counted = held.summary.aggregates.iter().any(|aggregate| aggregate.distinct);
    if !(says && held.cue(Cue::Distinct)) || counted || held.summary.blocks.len() > 1 {
        return Vec::new();
    }
    let repeated = held.summary.aggregates.iter().any(|aggregate| {
        let column = aggregate
            .column
            .filter(|column| block.tables.len() > 1 || !is_unique(held, *column));
        aggregate.name == "count" && aggregate.clause == Clause::Select && column.is_some()
    });
    if repeated {
        return vec![held.warning(
            Code::DuplicateSelect,
            "the question counts different ones, equal ones are counted each",
        )];
    }
    if plain && !merged && (!unique || block.tables.len() > 1) {
        return vec![held.warning(
            Code::DuplicateSelect,
            "the question wants different ones, rows may come twice",
        )];
    }
    Vec::new()
}

/// True for a column that has no value twice.
fn is_unique(held: &Held<'_>, column: ColumnRef) -> bool {
    let schema = held.schema();
    schema.column(column).unique || schema.tables[column.table].primary_key == [column.column]
}

/// OR between conditions that the question wants to hold together, and between bounds that leave nothing out.
pub(super) fn alternatives(held: &Held<'_>) -> Vec<Finding> {
    let either = held.cue(Cue::Or)
        || held.cue(Cue::Either)
        || held.intent.says(&[
            "or", "either", "any", "nor", "neither", "unless", "besides", "also", "other",
        ]);
    let tests: Vec<&Test> = held
        .summary
        .tests
        .iter()
        .filter(|test| test.alternative && !test.negated && test.is_on_rows() && test.left.column().is_some())
        .collect();
    for (at, one) in tests.iter().enumerate() {
        for other in tests[at + 1..].iter().filter(|other| other.block == one.block) {
            let finding = if one.left != other.left && !either {
                Finding::warning(
                    Code::IntersectMissing,
                    other.position,
                    "OR takes what meets one condition, the question wants both",
                )
            } else if covers_all(one, other) {
                Finding::warning(
                    Code::IntersectMissing,
                    other.position,
                    "one of the two always holds",
                )
            } else {
                continue;
            };
            return vec![finding.with_hint("join the conditions with AND")];
        }
    }
    Vec::new()
}

/// `x >= 1935 OR x <= 1939`.
fn covers_all(one: &Test, other: &Test) -> bool {
    let (Some((first, above)), Some((second, over))) = (bound(one), bound(other)) else {
        return false;
    };
    let (low, high) = if above { (first, second) } else { (second, first) };
    one.left == other.left && above != over && low < high
}

/// The number that a condition bounds a column by, and whether from below.
fn bound(test: &Test) -> Option<(f64, bool)> {
    let [
        Term::Literal(Literal {
            value: Constant::Number(number),
            ..
        }),
    ] = &test.right[..]
    else {
        return None;
    };
    let number: f64 = number.parse().ok()?;
    match test.kind {
        TestKind::Greater | TestKind::AtLeast => Some((number, true)),
        TestKind::Less | TestKind::AtMost => Some((number, false)),
        _ => None,
    }
}

/// INTERSECT and EXCEPT of columns that mean different things.
pub(super) fn sides(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut first: Vec<usize> = (0..held.summary.blocks.len())
        .filter(|at| held.summary.blocks[*at].role == Role::Main)
        .collect();
    first.truncate(1);
    for (operator, right) in &held.summary.combined {
        let (Some(left), Some(right)) = (
            first.first().map(|at| &held.summary.blocks[*at]),
            held.summary.blocks.get(*right),
        ) else {
            continue;
        };
        if *operator == SetOperator::Union || right.role != Role::Main {
            continue;
        }
        findings.extend(apart(held, *operator, (left, right)));
        for pair in left.shown.iter().zip(&right.shown) {
            let (Term::Column(one), Term::Column(other)) = pair else {
                continue;
            };
            let schema = held.schema();
            let (name, second) = (&schema.column(*one).name, &schema.column(*other).name);
            // `parent_organization_id` holds values of `organization_id`.
            let (name_end, second_end) = (name.to_lowercase(), second.to_lowercase());
            let alike = name_end.ends_with(&second_end) || second_end.ends_with(&name_end);
            if !alike && !super::subqueries::related(held, *one, *other) {
                findings.push(Finding::warning(
                    Code::IncorrectCol,
                    right.position,
                    format!(
                        "{operator} compares {} with {}",
                        held.name(*one),
                        held.name(*other)
                    ),
                ));
            }
        }
    }
    findings
}

/// `SELECT x … WHERE x = 'a' INTERSECT SELECT x … WHERE x = 'b'`: no row is on both sides.
fn apart(held: &Held<'_>, operator: SetOperator, (left, right): (&Block, &Block)) -> Option<Finding> {
    let fixed = |block: &Block, column: ColumnRef| {
        held.summary.tests.iter().find_map(|test| match &test.right[..] {
            [Term::Literal(Literal { value, .. })]
                if test.kind == TestKind::Equal
                    && !test.negated
                    && !test.alternative
                    && test.is_on_rows()
                    && test.left == Term::Column(column)
                    && held.summary.blocks[test.block].position == block.position =>
            {
                Some(value)
            }
            _ => None,
        })
    };
    let pairs = left.shown.iter().zip(&right.shown);
    let column = pairs.filter(|(one, other)| one == other).find_map(|(one, _)| {
        let column = one.column().filter(|_| matches!(one, Term::Column(_)))?;
        let (one, other) = (fixed(left, column)?, fixed(right, column)?);
        (one != other).then_some(column)
    })?;
    (operator == SetOperator::Intersect).then(|| {
        let message = format!(
            "{} is shown, which is never the same on both sides of INTERSECT",
            held.name(column)
        );
        Finding::warning(Code::ExtraValuesSelected, right.position, message)
    })
}

/// `x > 1500 AND x < 500`.
pub(super) fn impossible(held: &Held<'_>) -> Vec<Finding> {
    let bound = |test: &Test| {
        let plain = !test.negated && !test.alternative && test.is_on_rows();
        bound(test).filter(|_| plain)
    };
    for (at, one) in held.summary.tests.iter().enumerate() {
        for other in &held.summary.tests[at + 1..] {
            let (Some((first, above)), Some((second, over))) = (bound(one), bound(other)) else {
                continue;
            };
            let column =
                matches!(one.left, Term::Column(_)) && one.left == other.left && one.block == other.block;
            let (low, high) = if above { (first, second) } else { (second, first) };
            if column && above != over && low > high {
                let name = one
                    .left
                    .column()
                    .map_or_else(String::new, |column| held.name(column));
                let code = if held.cue(Cue::Or) || held.cue(Cue::Either) {
                    Code::UnionMissing
                } else {
                    Code::IntersectMissing
                };
                return vec![
                    Finding::error(
                        code,
                        other.position,
                        format!("{name} cannot be above {low} and below {high} in one row"),
                    )
                    .with_hint("INTERSECT two queries for `both`, or write OR for `either`"),
                ];
            }
        }
    }
    Vec::new()
}
