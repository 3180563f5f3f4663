//! Numbers of a question against those of a statement, and how they are compared.

#![allow(
    clippy::float_cmp,
    reason = "numbers as people write them, never reckoned with"
)]

use super::{Clause, Code, Constant, Cue, Finding, Held, Limit, Literal, Term, Test, TestKind};
use crate::question::embedded::intent::Bound;

/// The numbers that stand in a text: of a date each part.
fn numbers_in(text: &str) -> Vec<f64> {
    text.split(|character: char| !character.is_ascii_digit() && character != '.')
        .filter_map(|part| part.trim_matches('.').parse().ok())
        .collect()
}

/// All numbers of the statement, those in texts and of LIMIT included.
fn written(held: &Held<'_>) -> Vec<f64> {
    let literals = held
        .summary
        .literals
        .iter()
        .flat_map(|literal| match &literal.value {
            Constant::Number(number) => vec![number.parse().unwrap_or(f64::NAN)],
            Constant::Text(text) => numbers_in(text),
            Constant::Other => Vec::new(),
        });
    let limits = held.summary.blocks.iter().filter_map(|block| match block.limit {
        Some(Limit::Rows(rows)) => Some(rows as f64),
        _ => None,
    });
    literals.chain(limits).collect()
}

/// True if a number of the statement may stand for one of the question: the same, or one more or less where a
/// comparison is turned, or a thousandfold, or a percentage.
fn stands_for(one: f64, said: f64) -> bool {
    let near = |factor: f64| (one - said * factor).abs() < 1e-9 * one.abs().max(1.0);
    near(1.0)
        || (one - said).abs() == 1.0
        || [1e3, 1e6, 1e9, 0.01, 1e-3, 1e-6, 60.0, 12.0, 100.0]
            .iter()
            .any(|factor| near(*factor))
}

/// A number that the question compares with, and that the statement does not have.
pub(super) fn unused(held: &Held<'_>) -> Vec<Finding> {
    let written = written(held);
    let mut findings = Vec::new();
    for number in &held.intent.numbers {
        // `more than one` needs a number; of a `1` without a comparison, a row's being there is enough.
        let small = number.value <= 0.0 || (number.value == 1.0 && number.bound != Some(Bound::Above));
        let ranked = held
            .intent
            .ranks
            .iter()
            .any(|rank| rank.rows.is_some_and(|rows| rows as f64 == number.value));
        if number.inside || ranked || small || written.iter().any(|one| stands_for(*one, number.value)) {
            continue;
        }
        if !number.digits && number.bound.is_none() {
            continue;
        }
        findings.push(held.warning(
            Code::WhereMissing,
            format!(
                "the statement has no {}, which the question compares with",
                number.text
            ),
        ));
    }
    findings
}

/// `more than 5` against `< 5`.
pub(super) fn bounds(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = Vec::new();
    for number in held.intent.numbers.iter().filter(|number| !number.inside) {
        let same = held
            .intent
            .numbers
            .iter()
            .filter(|other| other.value == number.value);
        if same.count() > 1 || seen.contains(&number.value.to_bits()) {
            continue;
        }
        seen.push(number.value.to_bits());
        let tests: Vec<&Test> = held
            .summary
            .tests
            .iter()
            .filter(|test| test.right.iter().any(|term| value(term) == Some(number.value)))
            .collect();
        let [test] = tests[..] else { continue };
        if let Some(bound) = number.bound
            && !test.alternative
            && !held.cue(Cue::Not)
            && !held.cue(Cue::Without)
            && !test.negated
            && !held.summary.blocks[test.block].negated
            && opposes(bound, test.kind)
        {
            let code = if test.clause == Clause::Having {
                Code::HavingIncorrect
            } else {
                Code::WhereMissing
            };
            findings.push(Finding::warning(
                code,
                test.position,
                format!("{} is compared otherwise than the question says", number.text),
            ));
        }
    }
    findings
}

/// `more than two patients` on a column, where patients are to be counted.
pub(super) fn counted(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for number in held
        .intent
        .numbers
        .iter()
        .filter(|number| number.counts.is_some())
    {
        let bounded = matches!(
            number.bound,
            Some(Bound::Above | Bound::AtLeast | Bound::Below | Bound::AtMost)
        );
        let tests: Vec<&Test> = held
            .summary
            .tests
            .iter()
            .filter(|test| test.right.iter().any(|term| value(term) == Some(number.value)))
            .collect();
        let [test] = tests[..] else { continue };
        let Term::Column(column) = test.left else { continue };
        let holds_counts =
            held.intent.names_column(column) >= 0.5 || held.summary.blocks.iter().any(|block| block.having);
        if bounded && test.is_on_rows() && !holds_counts {
            let message = format!(
                "{} is to be counted, {} is compared",
                number.text,
                held.name(column)
            );
            let finding = Finding::warning(Code::HavingVsWhere, test.position, message);
            findings.push(finding.with_hint("group, and compare COUNT in HAVING"));
        }
    }
    findings
}

fn value(term: &Term) -> Option<f64> {
    match term {
        Term::Literal(Literal {
            value: Constant::Number(number),
            ..
        }) => number.parse().ok(),
        Term::Literal(Literal {
            value: Constant::Text(text),
            ..
        }) => text.parse().ok(),
        _ => None,
    }
}

fn opposes(bound: Bound, kind: TestKind) -> bool {
    use TestKind::{AtLeast, AtMost, Equal, Greater, Less};
    match bound {
        Bound::Above => matches!(kind, Less | AtMost | AtLeast | Equal),
        Bound::AtLeast => matches!(kind, Less | AtMost | Greater | Equal),
        Bound::Below => matches!(kind, Greater | AtLeast | AtMost | Equal),
        Bound::AtMost => matches!(kind, Greater | AtLeast | Less | Equal),
        Bound::Equal => matches!(kind, Greater | AtLeast | Less | AtMost),
        Bound::Between => false,
    }
}

/// What `first`, `second` and so on stand for.
fn ordinals(held: &Held<'_>) -> Vec<f64> {
    const ORDINALS: [(&str, f64); 10] = [
        ("first", 1.0),
        ("second", 2.0),
        ("third", 3.0),
        ("fourth", 4.0),
        ("fifth", 5.0),
        ("sixth", 6.0),
        ("seventh", 7.0),
        ("eighth", 8.0),
        ("ninth", 9.0),
        ("tenth", 10.0),
    ];
    let said = ORDINALS.iter().filter(|(word, _)| held.intent.says(&[word]));
    said.map(|(_, number)| *number).collect()
}

/// A number that no word of the question explains.
pub(super) fn invented(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let said: Vec<f64> = held
        .intent
        .words()
        .chain(held.intent.dates())
        .flat_map(numbers_in)
        .chain(held.intent.numbers.iter().map(|number| number.value))
        .chain(ordinals(held))
        .collect();
    for test in &held.summary.tests {
        for term in &test.right {
            let Term::Literal(Literal {
                value: Constant::Number(number),
                span,
            }) = term
            else {
                continue;
            };
            let Ok(number) = number.parse::<f64>() else {
                continue;
            };
            let small = number == 0.0 || number.abs() == 1.0;
            let keyed = test.left.column().is_some_and(|column| held.is_key(column)) && number != 0.0;
            let counted = test.clause == Clause::Having;
            let explained = said.iter().any(|said| stands_for(number, *said))
                || (small && !keyed)
                || (counted && number <= 2.0);
            if explained {
                continue;
            }
            let at = span.map(|(from, _)| from).or(test.position);
            findings.push(
                Finding::warning(
                    Code::HardcodedValue,
                    at,
                    format!("{number} is no number of the question"),
                )
                .with_hint("compute it with a subquery, or join what has the name that the question gives"),
            );
        }
    }
    findings
}
