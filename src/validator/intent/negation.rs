//! `not`, `never`, `without` against NOT, EXCEPT, <> and IS NULL.

use sqlparser::ast::SetOperator;

use super::{Code, Constant, Cue, Finding, Held, Literal, Term, TestKind};

/// Words that deny, beside those of the lexicon.
const DENIALS: &[&str] = &[
    "not",
    "no",
    "never",
    "without",
    "none",
    "neither",
    "nor",
    "except",
    "excluding",
    "but",
    "other",
    "besides",
    "nobody",
    "nothing",
    "cannot",
    "outside",
    "exclude",
    "excludes",
    "missing",
    "unknown",
    "null",
    "empty",
    "lack",
    "lacks",
    "lacking",
    "different",
    "non",
    "apart",
    "else",
    "yet",
    "remaining",
    "rest",
    "only",
    "un",
    "zero",
    "available",
    "known",
    "have",
    "has",
    "had",
    "valid",
    "any",
    "fail",
    "failed",
    "free",
    "still",
    "rather",
    "instead",
    "exactly",
    "ever",
    "anything",
    "some",
    "least",
];

pub(super) fn negation(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let denied = held.cue(Cue::Not) || held.cue(Cue::Without);
    let denies = denies(held);
    if denied && !denies && !held.cue(Cue::Null) {
        let code = if held.cue(Cue::Without) {
            Code::ExceptMissing
        } else {
            Code::ExceptMissing
        };
        let finding = held.warning(
            code,
            "the question says what must not be, nothing in the statement does",
        );
        findings.push(
            finding.with_hint("use NOT IN, NOT EXISTS or EXCEPT for things without a match, <> for a value"),
        );
    }
    let strongly = held.outline.tests.iter().find(|test| {
        let subquery =
            test.right.iter().any(|term| matches!(term, Term::Query(_))) || test.kind == TestKind::Exists;
        (test.negated && test.kind != TestKind::Null && (subquery || test.kind == TestKind::Like))
            || (test.kind == TestKind::NotEqual
                && !test.negated
                && matches!(test.right[..], [Term::Literal(_)]))
    });
    let excepts = held
        .outline
        .combined
        .iter()
        .any(|(operator, _)| is_except(*operator));
    if !denied
        && (excepts || strongly.is_some())
        && !held.intent.says(DENIALS)
        && !held.intent.words().any(|word| word.ends_with("n't"))
    {
        let position = strongly.and_then(|test| test.position).or(held.position());
        findings.push(Finding::warning(
            Code::ExceptMissing,
            position,
            "the statement takes something away that the question does not exclude",
        ));
    }
    findings
}

fn is_except(operator: SetOperator) -> bool {
    matches!(operator, SetOperator::Except | SetOperator::Minus)
}

/// Something in the statement excludes.
fn denies(held: &Held<'_>) -> bool {
    let excepts = held
        .outline
        .combined
        .iter()
        .any(|(operator, _)| is_except(*operator));
    let excludes = held.outline.tests.iter().any(|test| {
        test.negated
            || matches!(test.kind, TestKind::NotEqual | TestKind::Null)
            || test.right.iter().any(says_no)
    });
    excepts || excludes
}

/// `= 0`, `= 'no'`, `= 'unpaid'`.
fn says_no(term: &Term) -> bool {
    let Term::Literal(Literal { value, .. }) = term else {
        return false;
    };
    match value {
        Constant::Number(number) => number.parse::<f64>() == Ok(0.0),
        Constant::Text(text) => {
            let text = text.trim_matches('%').to_lowercase();
            let denying = ["no", "n", "f", "false", "0", "none", "never"];
            denying.contains(&text.as_str())
                || text.starts_with("no ")
                || text.starts_with("not ")
                || text.starts_with("un")
                || text.starts_with("in")
                || text.starts_with("non")
        }
        Constant::Other => true,
    }
}
