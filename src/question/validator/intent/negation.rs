//! `not`, `never`, `without` against NOT, EXCEPT, <> and IS NULL.

use sqlparser::ast::SetOperator;

use super::{Code, Constant, Cue, Finding, Held, Literal, Term, Test, TestKind};

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
    let denied = held.intent.denies();
    let denies = denies(held);
    if denied && !denies && !held.cue(Cue::Null) {
        let finding = held
            .warning(
                Code::ExceptMissing,
                "the question says what must not be, nothing in the statement does",
            )
            .by("negation_missing");
        findings.push(
            finding.with_hint("use NOT IN, NOT EXISTS or EXCEPT for things without a match, <> for a value"),
        );
    }
    findings.extend(unequal_rows(held));
    findings.extend(joined_and_excluded(held));
    let strongly = held.summary.tests.iter().find(|test| {
        let subquery =
            test.right.iter().any(|term| matches!(term, Term::Query(_))) || test.kind == TestKind::Exists;
        (test.negated && test.kind != TestKind::Null && (subquery || test.kind == TestKind::Like))
            || (test.kind == TestKind::NotEqual
                && !test.negated
                && matches!(test.right[..], [Term::Literal(_)]))
    });
    let excepts = held
        .summary
        .combined
        .iter()
        .any(|(operator, _)| is_except(*operator));
    if !denied
        && (excepts || strongly.is_some())
        && !held.intent.says(DENIALS)
        && !held.intent.words().any(is_negative)
    {
        let position = strongly.and_then(|test| test.position).or(held.position());
        findings.push(
            Finding::warning(
                Code::ExceptMissing,
                position,
                "the statement takes something away that the question does not exclude",
            )
            .by("negation_unasked"),
        );
    }
    findings
}

/// `a JOIN b ON b.x = a.id WHERE a.id NOT IN (SELECT x FROM b)`: the join keeps only what the condition leaves out.
fn joined_and_excluded(held: &Held<'_>) -> Option<Finding> {
    let tests = &held.summary.tests;
    let excludes = |test: &Test| {
        let (Term::Column(outer), [Term::Query(query)]) = (&test.left, &test.right[..]) else {
            return false;
        };
        let (block, inner) = (&held.summary.blocks[test.block], &held.summary.blocks[*query]);
        let [Term::Column(excluded)] = inner.shown[..] else {
            return false;
        };
        let all = inner.tables.len() == 1
            && inner.group.is_empty()
            && inner.limit.is_none()
            && tests
                .iter()
                .filter(|other| other.block == *query)
                .all(|other| other.kind == TestKind::Null && other.negated);
        let joined = tests.iter().any(|other| {
            let sides = (&other.left, other.right.first());
            let (one, another) = (Term::Column(*outer), Term::Column(excluded));
            other.block == test.block
                && other.kind == TestKind::Equal
                && !other.negated
                && !other.alternative
                && (sides == (&one, Some(&another)) || sides == (&another, Some(&one)))
        });
        test.kind == TestKind::In && test.negated && !test.alternative && !block.outer_join && all && joined
    };
    let test = tests.iter().find(|test| excludes(test))?;
    let finding = Finding::warning(
        Code::ExtraTable,
        test.position,
        "the join keeps only what NOT IN leaves out, so that nothing is left",
    );
    Some(finding.with_hint("leave out the table whose rows must not be there"))
}

/// `isn't`, `didnt`, `unaffected`.
fn is_negative(word: &str) -> bool {
    let affirms = ["uni", "unt", "und", "unl"]
        .iter()
        .any(|start| word.starts_with(start));
    let not = [
        "n't", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "havent", "hasnt",
    ];
    not.iter().any(|end| word.trim_end_matches('\'').ends_with(end))
        || (word.len() > 5 && word.starts_with("un") && !affirms)
}

/// `<>` on joined rows, where `without` and `never` mean that there is no such row at all.
fn unequal_rows(held: &Held<'_>) -> Option<Finding> {
    let [block] = &held.summary.blocks[..] else {
        return None;
    };
    let joined = block.tables.len() > 1 && !block.outer_join && block.group.is_empty();
    if !joined || !held.cue(Cue::Without) {
        return None;
    }
    let shown = |table: usize| {
        block
            .shown
            .iter()
            .any(|term| term.column().is_some_and(|column| column.table == table))
    };
    let test = held.summary.tests.iter().find(|test| {
        let unequal = test.kind == TestKind::NotEqual || (test.kind == TestKind::Like && test.negated);
        unequal && test.is_on_rows() && test.left.column().is_some_and(|column| !shown(column.table))
    })?;
    let finding = Finding::warning(
        Code::ExceptMissing,
        test.position,
        "<> leaves out single rows, not what has such a row",
    );
    Some(finding.with_hint("use NOT IN or EXCEPT with the rows that must not be"))
}

fn is_except(operator: SetOperator) -> bool {
    matches!(operator, SetOperator::Except | SetOperator::Minus)
}

/// Something in the statement excludes.
fn denies(held: &Held<'_>) -> bool {
    let excepts = held
        .summary
        .combined
        .iter()
        .any(|(operator, _)| is_except(*operator));
    let excludes = held.summary.tests.iter().any(|test| {
        test.negated
            || matches!(test.kind, TestKind::NotEqual | TestKind::Null)
            || test.right.iter().any(says_no)
    });
    // An outer join keeps what has nothing, which may be what is asked for.
    let keeps = held.summary.blocks.iter().any(|block| block.outer_join);
    excepts || excludes || keeps
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
