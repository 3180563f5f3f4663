//! Superlatives and words of order against ORDER BY, LIMIT, MIN and MAX.

#![allow(
    clippy::float_cmp,
    reason = "numbers as people write them, never reckoned with"
)]

use super::{Block, Code, Constant, Cue, Finding, Held, Limit, Role, Term};
use crate::question::schema::{ColumnRef, words};

/// `the oldest`, `top 3`, `the most orders`.
pub(super) fn ranking(held: &Held<'_>) -> Vec<Finding> {
    let ranks = &held.intent.ranks;
    let mut findings = Vec::new();
    let ordered: Vec<&Block> = held
        .summary
        .blocks
        .iter()
        .filter(|block| !block.order.is_empty())
        .collect();
    if ranks.is_empty() {
        findings.extend(extremes(held, &ordered));
        return findings;
    }
    let limits = |block: &Block| block.limit.is_some() || block.first_of_each;
    let limited = held.summary.blocks.iter().any(limits);
    let extreme = held.calls(&["min", "max"]) || windowed(held) || compared_with_all(held);
    let first = &ranks[0];
    if ordered.is_empty() && !limited && !extreme {
        let plain = ranks.iter().all(|rank| is_vague(&rank.text));
        if !plain {
            let finding = held.warning(Code::OrderByMissing, format!("nothing finds `{}`", first.text));
            findings.push(
                finding.with_hint("ORDER BY what it compares, with LIMIT; or compare with its MAX or MIN"),
            );
        }
        return findings;
    }
    if !ordered.is_empty() && !limited && !extreme {
        if !sorts(held) && !runs_through(held) {
            let finding = held.warning(
                Code::LimitMissing,
                format!("all rows are shown, `{}` wants few", first.text),
            );
            findings.push(finding.with_hint("add LIMIT; 1 where the question names no number"));
        }
        return findings;
    }
    findings.extend(number_of_rows(held));
    findings.extend(direction(held, &ordered));
    findings
}

/// `with the maximum price` on all rows in order.
fn extremes(held: &Held<'_>, ordered: &[&Block]) -> Option<Finding> {
    let wants = held.cue(Cue::Maximum) || held.cue(Cue::Minimum);
    let [block] = ordered else { return None };
    let all = block.limit.is_none()
        && !block.first_of_each
        && !held.calls(&["min", "max"])
        && block.role == Role::Main;
    (wants && all && !sorts(held)).then(|| {
        held.warning(
            Code::LimitMissing,
            "all rows are shown, the question wants the one at the end",
        )
    })
}

/// `from the oldest to the newest`, `starting with the oldest`: all rows, in order.
fn runs_through(held: &Held<'_>) -> bool {
    (held.intent.ranks.len() > 1 && held.intent.says(&["from"]) && held.intent.says(&["to"]))
        || held.intent.says_phrase("starting with")
        || held.intent.says_phrase("starting from")
        || held.intent.says_phrase("beginning with")
}

/// True for a column of ranks, of which the highest is the smallest.
pub(super) fn holds_ranks(held: &Held<'_>, column: ColumnRef) -> bool {
    let words = words::identifier_words(&held.schema().column(column).name);
    let ranks = ["rank", "ranking", "position", "place", "standing"];
    words.iter().any(|word| ranks.contains(&word.as_str()))
}

/// Words that often mean something else.
fn is_vague(text: &str) -> bool {
    matches!(
        text.to_lowercase().as_str(),
        "first" | "last" | "most" | "least" | "best" | "top" | "bottom"
    )
}

fn windowed(held: &Held<'_>) -> bool {
    held.summary.blocks.iter().any(|block| {
        block.role == Role::Source && block.shown.iter().any(|term| matches!(term, Term::Other(_)))
    })
}

/// `>= ALL (SELECT …)` and `NOT EXISTS (… greater …)`.
fn compared_with_all(held: &Held<'_>) -> bool {
    held.summary.blocks.iter().any(|block| block.negated)
}

fn sorts(held: &Held<'_>) -> bool {
    held.cue(Cue::Order) || held.cue(Cue::Ascending) || held.cue(Cue::Descending)
}

/// `top 3` against LIMIT.
fn number_of_rows(held: &Held<'_>) -> Option<Finding> {
    let limits: Vec<u64> = held
        .summary
        .blocks
        .iter()
        .filter_map(|block| match block.limit {
            Some(Limit::Rows(rows)) => Some(rows),
            _ => None,
        })
        .collect();
    let [limit] = limits[..] else { return None };
    let said = |rows: u64| {
        held.intent
            .numbers
            .iter()
            .any(|number| number.value == rows as f64)
    };
    // `course 301 most recently`: the number of a condition is none of rows.
    let compared = |rows: &u64| {
        let mut literals = held.summary.literals.iter();
        literals.any(|literal| match &literal.value {
            Constant::Text(text) | Constant::Number(text) => text.parse() == Ok(*rows),
            Constant::Other => false,
        })
    };
    let mut rows = held.intent.ranks.iter().filter_map(|rank| rank.rows);
    let wanted = rows.find(|rows| !compared(rows));
    let message = match wanted {
        Some(rows) if rows != limit && !said(limit) => {
            format!("LIMIT {limit} where the question wants {rows}")
        }
        None if limit > 1 && !said(limit) => format!("LIMIT {limit} is no number of the question"),
        _ => return None,
    };
    Some(held.warning(Code::LimitMissing, message))
}

/// The greatest first where the least are wanted, or the reverse.
fn direction(held: &Held<'_>, ordered: &[&Block]) -> Option<Finding> {
    let [rank] = &held.intent.ranks[..] else {
        return None;
    };
    let ordered: Vec<&&Block> = ordered.iter().filter(|block| block.limit.is_some()).collect();
    let [block] = ordered[..] else { return None };
    let [(term, descends), ..] = &block.order[..] else {
        return None;
    };
    let wanted = match term {
        Term::Aggregate(aggregate) if aggregate.name == "count" => rank.descending,
        Term::Aggregate(_) | Term::Column(_) => held.intent.direction(rank, term.column()),
        _ => None,
    }?;
    let ranks = term.column().is_some_and(|column| holds_ranks(held, column));
    if sorts(held) || ranks || wanted == *descends {
        return None;
    }
    let word = if wanted { "DESC" } else { "ASC" };
    let finding = held
        .warning(
            Code::OrderByMissing,
            format!("`{}` wants the order the other way round", rank.text),
        )
        .by("order_turned");
    Some(finding.with_hint(format!("order with {word}")))
}

/// `sorted by`, `in descending order`.
pub(super) fn sorting(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let blocks: Vec<&Block> = held
        .summary
        .blocks
        .iter()
        .filter(|block| !block.order.is_empty())
        .collect();
    let (up, down) = (held.cue(Cue::Ascending), held.cue(Cue::Descending));
    if blocks.is_empty() {
        // What is listed in a database is in no order.
        let listed = !up && !down && held.intent.says(&["listed"]);
        if !listed && (up || down || held.cue(Cue::Order)) {
            let finding = held.warning(
                Code::OrderByMissing,
                "the question asks for an order, nothing orders",
            );
            findings.push(finding);
        }
        return findings;
    }
    let [block] = blocks[..] else { return findings };
    if held
        .intent
        .says(&["reverse", "reversed", "opposite", "old", "young", "high", "low"])
    {
        return findings;
    }
    if block.role != Role::Main || !held.intent.ranks.is_empty() {
        return findings;
    }
    let descends: Vec<bool> = block.order.iter().map(|(_, descends)| *descends).collect();
    let wrong = match (up, down) {
        (false, true) => !descends.contains(&true),
        (true, false) => descends.contains(&true),
        (false, false) => held.cue(Cue::Order) && descends.contains(&true) && block.limit.is_none(),
        (true, true) => !descends.contains(&true) || !descends.contains(&false),
    };
    if wrong {
        findings.push(
            held.warning(
                Code::OrderByMissing,
                "the order runs the other way than the question says",
            )
            .by("order_turned"),
        );
    }
    findings
}

/// Words that ask for one of many, beside superlatives.
const FEW: &[&str] = &[
    "maximum",
    "max",
    "maximal",
    "minimum",
    "min",
    "minimal",
    "popular",
    "common",
    "favorite",
    "favourite",
    "majority",
    "frequent",
    "frequently",
    "often",
    "main",
    "primary",
    "recent",
    "recently",
];

/// LIMIT that cuts rows in no order, and LIMIT where the question wants all rows.
pub(super) fn bare_limit(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for block in held.main() {
        let Some(Limit::Rows(rows)) = block.limit else {
            continue;
        };
        let single =
            block.group.is_empty() && block.shown.iter().all(|term| matches!(term, Term::Aggregate(_)));
        if block.order.is_empty() && !single {
            let says_any = held
                .intent
                .says(&["any", "some", "sample", "example", "arbitrary", "first"]);
            if !says_any {
                findings
                    .push(held.warning(Code::OrderByMissing, format!("LIMIT {rows} of rows in no order")));
            }
        } else if held.intent.ranks.is_empty()
            && !held.cue(Cue::Maximum)
            && !held.cue(Cue::Minimum)
            && !held
                .intent
                .numbers
                .iter()
                .any(|number| number.value == rows as f64 && !number.inside)
            && !held.intent.words().any(|word| word.ends_with("est"))
            && !held.intent.says(FEW)
        {
            findings.push(held.warning(
                Code::LimitMissing,
                format!("LIMIT {rows}, though the question names no number of rows"),
            ));
        }
    }
    findings
}
