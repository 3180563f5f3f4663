//! `how many`, `average`, `total`, `maximum` against COUNT, AVG, SUM, MAX and MIN.

use super::{Aggregate, Clause, Code, Cue, Finding, Held, NAMED, Role, Term, Test};
use crate::question::embedded::intent::Shown;

/// SUM and AVG of numbers that only identify.
pub(super) fn of_keys(held: &Held<'_>) -> Vec<Finding> {
    let sums = held.summary.aggregates.iter().filter(|aggregate| {
        matches!(aggregate.name.as_str(), "sum" | "avg" | "total")
            && aggregate.of_amounts
            && aggregate.column.is_some_and(|column| held.is_key(column))
    });
    sums.map(|aggregate| {
        let column = aggregate
            .column
            .map_or_else(String::new, |column| held.name(column));
        let message = format!(
            "{} of {column}, which only identifies",
            aggregate.name.to_uppercase()
        );
        held.warning(code(aggregate), message)
    })
    .collect()
}

/// COUNT(*) of all rows of another table than the one that the question counts, and that it does not name.
pub(super) fn of_another_table(held: &Held<'_>) -> Vec<Finding> {
    let ([Shown::Count(asked)], Some(block)) = (held.intent.shown.as_slice(), held.main().next()) else {
        return vec![];
    };
    let [Term::Aggregate(counted)] = block.shown.as_slice() else {
        return vec![];
    };
    let [table] = block.tables.as_slice() else {
        return vec![];
    };
    let is_bare = counted.name == "count"
        && counted.column.is_none()
        && block.sources == 1
        && block.group.is_empty()
        && held.summary.tests.is_empty()
        && held.summary.combined.is_empty();
    let is_known = held.intent.explained && !held.intent.strange;
    let is_other =
        table != asked && held.intent.names_table(*asked) > held.intent.names_table_apart(*table, &[*asked]);
    if !(is_bare && is_known && is_other && held.intent.names_table_apart(*table, &[*asked]) < NAMED) {
        return vec![];
    }
    let name = |table: usize| &held.schema().tables[table].name;
    let message = format!(
        "the rows of {} are counted, the question counts {}",
        name(*table),
        name(*asked)
    );
    vec![
        held.warning(Code::TableMissing, message)
            .with_hint(format!("count the rows of {}", name(*asked))),
    ]
}

/// Words that ask for a number of things, beside those of the lexicon.
const COUNTING: &[&str] = &[
    "many",
    "number",
    "numbers",
    "count",
    "counts",
    "counted",
    "amount",
    "frequency",
    "times",
    "total",
    "often",
    "population",
    "much",
    "quantity",
    "occurrences",
    "frequently",
    "frequent",
];

/// `how many` without COUNT, and COUNT without a word that counts.
pub(super) fn counting(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let main: Vec<_> = held.main().collect();
    let shown = || main.iter().flat_map(|block| &block.shown);
    let wants = held.intent.says_phrase("how many") && !held.intent.says_phrase("how many times");
    if wants && held.summary.aggregates.is_empty() && !shown().any(|term| is_number(held, term)) {
        findings.push(held.warning(
            Code::IncorrectCol,
            "`how many` wants a number, the statement shows none",
        ));
    }
    let counts = shown().any(|term| matches!(term, Term::Aggregate(aggregate) if aggregate.name == "count"));
    let said = held.cue(Cue::Count) || held.intent.says(COUNTING) || !held.intent.ranks.is_empty();
    if counts && !said && !held.intent.says(&["each", "per", "percentage", "every", "and"]) {
        findings.push(
            held.warning(
                Code::IncorrectCol,
                "the statement shows a count, which the question does not ask for",
            )
            .by("count_unasked"),
        );
    }
    findings
}

/// True for what may be a stored number.
fn is_number(held: &Held<'_>, term: &Term) -> bool {
    match term {
        Term::Column(column) => held.schema().column(*column).kind.is_numeric() && !held.is_key(*column),
        Term::Aggregate(_) | Term::Star | Term::Other(_) | Term::Query(_) => true,
        Term::Literal(_) => false,
    }
}

/// The functions that questions name, with the words that ask for each.
const FUNCTIONS: &[(&str, &[&str], Cue)] = &[
    (
        "avg",
        &[
            "average",
            "averages",
            "mean",
            "avg",
            "averaged",
            "normally",
            "typically",
            "usually",
            "generally",
        ],
        Cue::Average,
    ),
    (
        "sum",
        &[
            "total",
            "totals",
            "sum",
            "summed",
            "combined",
            "overall",
            "altogether",
            "many",
            "number",
            "amount",
            "much",
            "count",
            "cumulative",
            "all",
            "together",
            "most",
            "least",
            "highest",
            "lowest",
            "fewest",
            "whole",
            "entire",
            "quantity",
            "largest",
        ],
        Cue::Sum,
    ),
];

/// `average` without AVG, and AVG without `average`.
pub(super) fn functions(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, words, cue) in FUNCTIONS {
        let called: Vec<&Aggregate> = held
            .summary
            .aggregates
            .iter()
            .filter(|aggregate| aggregate.name == *name)
            .collect();
        if let Some(aggregate) = called.first()
            && !held.cue(*cue)
            && !held.cue(Cue::ThanAverage)
            && !held.intent.says(words)
        {
            findings.push(
                held.warning(
                    code(aggregate),
                    format!(
                        "{} is called, which no word of the question asks for",
                        name.to_uppercase()
                    ),
                )
                .by("function_unasked"),
            );
        }
    }
    let average = held.cue(Cue::Average) || held.cue(Cue::ThanAverage);
    // So many of these for so many of those are an average too.
    let counts = held
        .summary
        .aggregates
        .iter()
        .filter(|aggregate| aggregate.name == "count");
    let divides = counts.count() > 1;
    if average && !held.calls(&["avg", "sum"]) && !divides && !names_average(held) {
        let code = if held.cue(Cue::ThanAverage) {
            Code::SubqueryMissing
        } else {
            Code::IncorrectCol
        };
        findings.push(
            held.warning(code, "the question speaks of an average, nothing computes one")
                .by("average_missing"),
        );
    }
    let extremes: [(&str, &str, Cue, &[&str]); 2] = [
        (
            "max",
            "min",
            Cue::Maximum,
            &[
                "maximum", "max", "maximal", "highest", "largest", "greatest", "biggest",
            ],
        ),
        (
            "min",
            "max",
            Cue::Minimum,
            &["minimum", "min", "minimal", "lowest", "smallest"],
        ),
    ];
    for (wanted, other, cue, words) in extremes {
        let opposite = if wanted == "max" {
            Cue::Minimum
        } else {
            Cue::Maximum
        };
        if held.cue(cue)
            && held.intent.says(words)
            && !held.cue(opposite)
            && held.calls(&[other])
            && !held.calls(&[wanted])
            && !of_ranks(held, other)
            && held.summary.blocks.iter().all(|block| block.limit.is_none())
        {
            findings.push(held.warning(
                Code::IncorrectCol,
                format!("{} where the question wants the other end", other.to_uppercase()),
            ));
        }
    }
    findings
}

/// True where an aggregate takes ranks, of which the highest is the smallest.
fn of_ranks(held: &Held<'_>, name: &str) -> bool {
    let mut called = held
        .summary
        .aggregates
        .iter()
        .filter(|aggregate| aggregate.name == name);
    called.any(|aggregate| {
        aggregate
            .column
            .is_some_and(|column| super::ranking::holds_ranks(held, column))
    })
}

fn code(aggregate: &Aggregate) -> Code {
    if aggregate.clause == Clause::Having {
        Code::HavingIncorrect
    } else {
        Code::IncorrectCol
    }
}

/// Some column that the statement reads holds averages already.
fn names_average(held: &Held<'_>) -> bool {
    held.resolved.columns.iter().any(|column| {
        let name = held.schema().column(*column).name.to_lowercase();
        name.contains("avg") || name.contains("average") || name.contains("mean")
    })
}

/// HAVING with another aggregate than the words beside its number ask for.
pub(super) fn having(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for test in held
        .summary
        .tests
        .iter()
        .filter(|test| test.clause == Clause::Having)
    {
        let Term::Aggregate(aggregate) = &test.left else {
            continue;
        };
        if compares_itself(test) {
            findings.push(
                Finding::warning(
                    Code::SubqueryMissing,
                    test.position,
                    format!("{} is compared with itself", aggregate.name.to_uppercase()),
                )
                .with_hint("compute what it is compared with in a subquery"),
            );
            continue;
        }
        let wrong = match aggregate.name.as_str() {
            "max" => !held.cue(Cue::Maximum) && held.intent.ranks.is_empty() && !says_extreme(held),
            "min" => !held.cue(Cue::Minimum) && held.intent.ranks.is_empty() && !says_extreme(held),
            "count" => {
                let average = held.cue(Cue::Average) && !held.calls(&["avg"]);
                let asked = held.intent.numbers.iter().any(|number| number.counts.is_some());
                let counted = aggregate.column.is_some_and(|column| {
                    !asked
                        && held.schema().column(column).kind.is_numeric()
                        && !held.is_key(column)
                        && !aggregate.distinct
                });
                average || counted
            }
            _ => false,
        };
        if wrong {
            findings.push(Finding::warning(
                Code::HavingIncorrect,
                test.position,
                format!(
                    "HAVING compares {}, which no word of the question asks for",
                    aggregate.name.to_uppercase()
                ),
            ));
        }
    }
    let has_role = held.summary.blocks.iter().any(|block| block.role == Role::Main);
    if has_role { findings } else { Vec::new() }
}

/// `HAVING AVG(price) > AVG(price)`.
fn compares_itself(test: &Test) -> bool {
    let called = |term: &Term| match term {
        Term::Aggregate(aggregate) => Some((aggregate.name.clone(), aggregate.column, aggregate.distinct)),
        _ => None,
    };
    let left = called(&test.left);
    left.is_some() && test.right.iter().any(|right| called(right) == left)
}

fn says_extreme(held: &Held<'_>) -> bool {
    held.intent.says(&[
        "maximum", "max", "minimum", "min", "ever", "never", "once", "all", "always", "peak", "any", "every",
    ])
}
