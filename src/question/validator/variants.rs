//! Statements beside the one that answers, which tell what it leaves to chance: the same with the rows that DISTINCT takes
//! away.

use sqlparser::ast::{Distinct, GroupByExpr, SetExpr};

use super::{Asked, parse, query_summary::Term, resolve};

/// Words by which a question says how often equal rows count.
const SAYS_HOW_OFTEN: &[&str] = &[
    "different",
    "distinct",
    "unique",
    "each",
    "every",
    "duplicate",
    "duplicates",
    "repeated",
];

/// The statement without its DISTINCT, where the question does not say whether equal rows count once: `None` for all others.
pub fn with_equal_rows(sql: &str, asked: &Asked<'_>) -> Option<String> {
    let snapshot = asked.snapshot;
    let mut parsed = parse::parse(sql, snapshot.dialect).ok()?;
    let (resolved, _) = resolve::resolve(&parsed, &snapshot.schema, snapshot.dialect);
    let summary = super::query_summary::summarize(&parsed, &resolved, &snapshot.schema, snapshot.dialect);
    let columns_alone = summary
        .main()
        .all(|block| block.distinct && block.shown.iter().all(|term| matches!(term, Term::Column(_))));
    if !columns_alone || resolved.parameters > 0 {
        return None;
    }
    if asked.intent()?.says(SAYS_HOW_OFTEN) {
        return None;
    }
    let SetExpr::Select(select) = parsed.query.body.as_mut() else {
        return None;
    };
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(terms, _) if terms.is_empty());
    if grouped || !matches!(select.distinct, Some(Distinct::Distinct)) {
        return None;
    }
    select.distinct = None;
    Some(parsed.query.to_string())
}
