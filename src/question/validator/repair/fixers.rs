//! Who fixes what, beyond the replacement that a finding itself names.

use super::{
    Code,
    case::{Case, Wants},
    clauses, conditions, foreign, grouping, having, key_joins, literals, ranking, sets,
    shape::Freedom,
    shown, subqueries, tables, typos,
};
use crate::question::validator::{Asked, parse::Parsed, resolve::LocatedFinding, resolved::Resolved};

/// Other ways to write a statement that a finding speaks against, the likeliest first; each is tried, and kept only
/// if it removes the finding and adds none.
#[derive(Clone, Copy)]
enum Fixer {
    /// From the statement alone.
    Plain(fn(&LocatedFinding, &Parsed, &Asked<'_>) -> Vec<String>),
    /// From what the question asks for.
    Asking(fn(&Case<'_>) -> Vec<String>),
}

use Fixer::{Asking, Plain};

/// Each with what it may change where its finding is an error. Those that have to guess what is meant propose something for
/// statements that run, and correct no error: whoever wrote the statement is to say what it means.
const FIXERS: &[(&[Code], Freedom, Fixer)] = &[
    (
        &[Code::AggNoGroupby],
        Freedom::Proposed,
        Asking(grouping::without_plain),
    ),
    (&[Code::AggNoGroupby], Freedom::Proposed, Asking(shown::each)),
    (
        &[Code::GroupbyMissingCol],
        Freedom::Proposed,
        Asking(grouping::by_what_is_shown),
    ),
    (
        &[Code::GroupbyMissingCol],
        Freedom::Proposed,
        Plain(grouping::complete_group_by),
    ),
    (
        &[Code::GroupbyMissingCol],
        Freedom::Proposed,
        Plain(grouping::by_fewer),
    ),
    (
        &[Code::HavingVsWhere, Code::SubqueryMissing],
        Freedom::Proposed,
        Plain(having::into_subquery),
    ),
    (
        &[Code::HavingVsWhere, Code::SubqueryMissing],
        Freedom::Proposed,
        Plain(having::out_of_where),
    ),
    (&[Code::HavingIncorrect], Freedom::Proposed, Asking(shown::having)),
    (
        &[
            Code::HavingVsWhere,
            Code::HavingIncorrect,
            Code::HavingWithoutGroupby,
        ],
        Freedom::Proposed,
        Plain(having::out_of_having),
    ),
    (
        &[Code::UnsupportedFunction, Code::SqlSyntaxError],
        Freedom::Dialect,
        Plain(foreign::translate),
    ),
    (
        &[Code::SqlSyntaxError],
        Freedom::Dialect,
        Plain(clauses::translate),
    ),
    (
        &[
            Code::SqlSyntaxError,
            Code::TableMissing,
            Code::ColMissing,
            Code::UnsupportedFunction,
        ],
        Freedom::Words,
        Plain(typos::reread),
    ),
    (&[Code::DuplicateSelect], Freedom::Proposed, Plain(clauses::once)),
    (
        &[Code::ColMissing, Code::TableMissing],
        Freedom::Dialect,
        Plain(clauses::made_up),
    ),
    (
        &[Code::IncorrectForeignKey],
        Freedom::Proposed,
        Plain(key_joins::onto_the_key),
    ),
    (&[Code::ExtraTable], Freedom::Proposed, Plain(tables::superfluous)),
    (
        &[Code::JoinWrongType],
        Freedom::Proposed,
        Plain(tables::other_kind),
    ),
    (
        &[Code::UnusedSubquery],
        Freedom::Proposed,
        Plain(subqueries::unread),
    ),
    (
        &[Code::SubqueryCorrelationError, Code::ExtraValuesSelected],
        Freedom::Proposed,
        Plain(subqueries::fit),
    ),
    (
        &[Code::SubqueryMissing],
        Freedom::Proposed,
        Asking(subqueries::lacking),
    ),
    (
        &[Code::OrderByMissing, Code::LimitMissing],
        Freedom::Proposed,
        Asking(ranking::rank),
    ),
    (
        &[Code::WhereMissing],
        Freedom::Proposed,
        Asking(conditions::restrict),
    ),
    (
        &[
            Code::ConditionWrongCol,
            Code::IncorrectCol,
            Code::ConditionTypeMismatch,
        ],
        Freedom::Proposed,
        Asking(literals::on_other_column),
    ),
    (
        &[Code::HardcodedValue],
        Freedom::Proposed,
        Asking(literals::as_named),
    ),
    (
        &[Code::ValueFormatWrong, Code::ConditionTypeMismatch],
        Freedom::Proposed,
        Asking(literals::as_pattern),
    ),
    (
        &[Code::ValueFormatWrong, Code::ConditionTypeMismatch],
        Freedom::Proposed,
        Plain(literals::as_year),
    ),
    (
        &[Code::IncorrectCol],
        Freedom::Proposed,
        Asking(shown::other_column),
    ),
    (&[Code::IncorrectCol], Freedom::Proposed, Asking(shown::aggregate)),
    (
        &[Code::ExtraValuesSelected],
        Freedom::Proposed,
        Asking(shown::fewer),
    ),
    (
        &[Code::IntersectMissing, Code::UnionMissing],
        Freedom::Proposed,
        Asking(sets::combine),
    ),
    (&[Code::ExceptMissing], Freedom::Proposed, Asking(sets::exclude)),
];

/// All corrections that somebody knows for a finding.
pub(super) fn corrections(
    found: &LocatedFinding,
    (parsed, resolved, all): (&Parsed, &Resolved, &[LocatedFinding]),
    asked: &Asked<'_>,
    wants: Option<&Wants>,
) -> Vec<(String, Freedom)> {
    let mut corrections: Vec<(String, Freedom)> = vec![];
    for (codes, freedom, fixer) in FIXERS {
        if !codes.contains(&found.finding.code) {
            continue;
        }
        let texts = match (fixer, wants) {
            (Plain(fix), _) => fix(found, parsed, asked),
            (Asking(fix), Some(wants)) => fix(&Case {
                found,
                parsed,
                resolved,
                all,
                snapshot: asked.snapshot,
                wants,
            }),
            (Asking(_), None) => continue,
        };
        for text in texts {
            let correction = (text, freedom.clone());
            if correction.0 != parsed.text && !corrections.contains(&correction) {
                corrections.push(correction);
            }
        }
    }
    corrections
}

/// True for a code of which some findings can be fixed.
#[cfg(test)]
pub(super) fn knows(code: Code) -> bool {
    FIXERS.iter().any(|(codes, ..)| codes.contains(&code))
}
