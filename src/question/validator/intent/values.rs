//! Stored values and quotations of a question against the literals of a statement.

use super::{Code, Constant, Finding, Held, Literal, Term, TestKind};
use crate::question::{embedded::intent::Named, schema::words};

/// The texts that the statement compares with, and its numbers as text.
fn texts<'h>(held: &'h Held<'_>) -> impl Iterator<Item = &'h str> {
    held.summary
        .literals
        .iter()
        .filter_map(|literal| match &literal.value {
            Constant::Text(text) | Constant::Number(text) => Some(text.as_str()),
            Constant::Other => None,
        })
}

fn stems(text: &str) -> Vec<String> {
    words::text_words(text)
        .iter()
        .map(|word| words::stem(word))
        .collect()
}

/// True if one text is in the other, word by word, or both are nearly the same.
fn same(one: &[String], other: &[String]) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    !short.is_empty()
        && (long.windows(short.len()).any(|window| window == short)
            || strsim::jaro_winkler(&one.join(" "), &other.join(" ")) > 0.9)
}

/// A value that the question names and that no condition has.
pub(super) fn unused(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A value that is only misspelt is there.
    let repairs = held
        .told
        .iter()
        .filter_map(|found| found.finding.repair.as_deref());
    let literals: Vec<Vec<String>> = texts(held).chain(repairs).map(stems).collect();
    for named in &held.intent.values {
        let said = stems(&named.text);
        let stored = named.hits.iter().map(|hit| stems(&hit.stored));
        let used = std::iter::once(said)
            .chain(stored)
            .any(|value| literals.iter().any(|literal| same(literal, &value)));
        let abbreviated = texts(held).any(|text| is_short_for(&named.text, text));
        if used || abbreviated || !is_sure(held, named) {
            continue;
        }
        let finding = held.warning(
            Code::WhereMissing,
            format!(
                "no condition has `{}`, which the question names",
                cut(&named.text)
            ),
        );
        findings.push(match named.hits.first() {
            Some(hit) => finding.with_hint(format!(
                "{} holds it",
                held.name(named.column.unwrap_or(hit.column))
            )),
            None => finding,
        });
    }
    findings
}

/// `US` for `United States`.
fn is_short_for(short: &str, text: &str) -> bool {
    let initials = words::text_words(text)
        .into_iter()
        .filter_map(|word| word.chars().next());
    short.chars().count() > 1 && short.to_lowercase().chars().eq(initials)
}

/// True for words that can hardly be anything but a value.
fn is_sure(held: &Held<'_>, named: &Named) -> bool {
    let names_something = || {
        let schema = held.schema();
        let words = words::text_words(&named.text);
        let known = |name: &str| {
            let known = words::identifier_words(name);
            words.iter().all(|word| known.contains(word))
        };
        schema.tables.iter().any(|table| known(&table.name))
            || schema.columns().any(|(_, column)| known(&column.name))
    };
    // A word in small letters must be stored just so, where the statement looks, and be no code such as `END`.
    let stored = || {
        let code = |stored: &str| stored == stored.to_uppercase() && named.text != named.text.to_uppercase();
        named.hits.iter().any(|hit| {
            held.resolved.tables.contains(&hit.column.table)
                && hit.stored.to_lowercase() == named.text.to_lowercase()
                && !code(&hit.stored)
        })
    };
    let is_number = || {
        let numbers = &held.intent.numbers;
        numbers.iter().any(|number| number.text == named.text)
    };
    let likely = named.capital || named.words > 1 || stored();
    named.quoted || (likely && !named.hits.is_empty() && !names_something() && !is_number())
}

/// A text that neither the question nor anything stored that it names explains.
pub(super) fn invented(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for test in &held.summary.tests {
        let equates = matches!(
            test.kind,
            TestKind::Equal | TestKind::NotEqual | TestKind::In | TestKind::Like
        );
        if !equates {
            continue;
        }
        for term in &test.right {
            let Term::Literal(Literal {
                value: Constant::Text(text),
                span,
            }) = term
            else {
                continue;
            };
            let at = span.map(|(from, _)| from).or(test.position);
            let told = held.told.iter().any(|found| found.finding.position == at);
            if told || explained(held, text) {
                continue;
            }
            findings.push(
                Finding::warning(
                    Code::HardcodedValue,
                    at,
                    format!("`{}` is no word of the question", cut(text)),
                )
                .with_hint("compare with what the question names, or look the value up"),
            );
        }
    }
    findings
}

fn explained(held: &Held<'_>, text: &str) -> bool {
    let bare = text.trim_matches(['%', '_', ' ']);
    let short = bare.chars().count() <= 1;
    let dated = bare.bytes().any(|byte| byte.is_ascii_digit());
    if short || dated {
        return true;
    }
    let yes_no = [
        "yes", "no", "true", "false", "y", "n", "t", "f", "ok", "on", "off", "none", "null", "unknown",
    ];
    if yes_no.contains(&bare.to_lowercase().as_str())
        || held.intent.has_words_of(bare)
        || held.intent.may_mean(bare)
    {
        return true;
    }
    let wanted = stems(bare);
    // One word of several is enough: a question shortens names.
    let some_word = words::text_words(bare)
        .iter()
        .any(|word| word.len() > 3 && held.intent.has_words_of(word));
    some_word
        || held
            .intent
            .values
            .iter()
            .any(|named| same(&stems(&named.text), &wanted))
}

pub(super) fn cut(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(60)
        .collect()
}
