//! Who fixes what, beyond the replacement that a finding itself names.

use super::{
    Code,
    case::{Case, Wants},
    clauses, conditions, foreign, grouping, having, key_joins, literals, misnamed, ranking, rejoin, sets,
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

const FIXERS: &[(&[Code], Fixer)] = &[
    (&[Code::ColMissing], Plain(misnamed::columns)),
    (&[Code::ColMissing, Code::InvalidAlias], Plain(rejoin::rejoin)),
    (&[Code::AmbiguousCol], Plain(tables::qualified)),
    (&[Code::AggNoGroupby], Asking(grouping::without_plain)),
    (&[Code::AggNoGroupby], Plain(grouping::add_group_by)),
    (&[Code::AggNoGroupby], Asking(shown::each)),
    (&[Code::GroupbyMissingCol], Asking(grouping::by_what_is_shown)),
    (&[Code::GroupbyMissingCol], Plain(grouping::complete_group_by)),
    (&[Code::GroupbyMissingCol], Plain(grouping::by_fewer)),
    (
        &[Code::HavingVsWhere, Code::SubqueryMissing],
        Plain(having::out_of_where),
    ),
    (&[Code::HavingIncorrect], Asking(shown::having)),
    (
        &[
            Code::HavingVsWhere,
            Code::HavingIncorrect,
            Code::HavingWithoutGroupby,
        ],
        Plain(having::out_of_having),
    ),
    (
        &[Code::UnsupportedFunction, Code::SqlSyntaxError],
        Plain(foreign::translate),
    ),
    (&[Code::SqlSyntaxError], Plain(clauses::translate)),
    (
        &[Code::SqlSyntaxError, Code::TableMissing, Code::ColMissing],
        Plain(typos::reread),
    ),
    (&[Code::DuplicateSelect], Plain(clauses::once)),
    (&[Code::ColMissing, Code::TableMissing], Plain(clauses::made_up)),
    (&[Code::IncorrectForeignKey], Plain(key_joins::onto_the_key)),
    (&[Code::JoinMissing], Plain(key_joins::relate)),
    (&[Code::ExtraTable], Plain(tables::superfluous)),
    (&[Code::JoinWrongType], Plain(tables::other_kind)),
    (&[Code::UnusedSubquery], Plain(subqueries::unread)),
    (
        &[Code::SubqueryCorrelationError, Code::ExtraValuesSelected],
        Plain(subqueries::fit),
    ),
    (&[Code::SubqueryMissing], Asking(subqueries::lacking)),
    (&[Code::OrderByMissing, Code::LimitMissing], Asking(ranking::rank)),
    (&[Code::WhereMissing], Asking(conditions::restrict)),
    (
        &[
            Code::ConditionWrongCol,
            Code::IncorrectCol,
            Code::ConditionTypeMismatch,
        ],
        Asking(literals::on_other_column),
    ),
    (&[Code::HardcodedValue], Asking(literals::as_named)),
    (
        &[Code::ValueFormatWrong, Code::ConditionTypeMismatch],
        Asking(literals::reformatted),
    ),
    (&[Code::IncorrectCol], Asking(shown::other_column)),
    (&[Code::IncorrectCol], Asking(shown::aggregate)),
    (&[Code::ExtraValuesSelected], Asking(shown::fewer)),
    (
        &[Code::IntersectMissing, Code::UnionMissing],
        Asking(sets::combine),
    ),
    (&[Code::ExceptMissing], Asking(sets::exclude)),
];

/// All corrections that somebody knows for a finding.
pub(super) fn corrections(
    found: &LocatedFinding,
    (parsed, resolved, all): (&Parsed, &Resolved, &[LocatedFinding]),
    asked: &Asked<'_>,
    wants: Option<&Wants>,
) -> Vec<String> {
    let mut corrections: Vec<String> = vec![];
    for (codes, fixer) in FIXERS {
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
            if text != parsed.text && !corrections.contains(&text) {
                corrections.push(text);
            }
        }
    }
    corrections
}

/// True for a code of which some findings can be fixed.
#[cfg(test)]
pub(super) fn knows(code: Code) -> bool {
    FIXERS.iter().any(|(codes, _)| codes.contains(&code))
}
