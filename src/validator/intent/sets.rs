//! `both`, `either … or`, `different` against INTERSECT, UNION, OR and DISTINCT; and conditions that no row meets.

use sqlparser::ast::SetOperator;

use super::{Code, Constant, Cue, Finding, Held, Literal, Role, Term, Test, TestKind};

/// `x = 'a' AND x = 'b'`.
pub(super) fn contradiction(held: &Held<'_>) -> Vec<Finding> {
    let equal: Vec<(&Test, &Constant)> = held
        .outline
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
                let block = &held.outline.blocks[one.block];
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
                return vec![
                    Finding::error(
                        Code::IntersectMissing,
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
    held.outline
        .combined
        .iter()
        .any(|(operator, _)| *operator == wanted)
}

pub(super) fn sets(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let subqueries = held
        .outline
        .blocks
        .iter()
        .filter(|block| block.role == Role::Condition)
        .count();
    let self_joined = held.outline.blocks.iter().any(|block| {
        let mut tables = block.tables.clone();
        tables.sort_unstable();
        tables.windows(2).any(|pair| pair[0] == pair[1])
    });
    let having = held.outline.blocks.iter().any(|block| block.having);
    let intersects = combines(held, SetOperator::Intersect) || subqueries > 0 || self_joined || having;
    let alternatives: Vec<&Test> = held
        .outline
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
    let _ = held;
    Vec::new()
}
