//! How many columns are shown, and whether the question names them.

use super::{Block, Clause, Code, Constant, Finding, Held, Literal, Term, TestKind, columns::SURE};
use crate::question::{
    embedded::{
        display_columns,
        intent::{Cue, Shown},
    },
    schema::{ColumnRef, words},
};

/// Words that ask for whole rows.
const WHOLE_ROWS: &[&str] = &[
    "everything",
    "information",
    "details",
    "detail",
    "records",
    "record",
    "info",
    "data",
    "rows",
    "row",
    "entries",
    "attributes",
    "columns",
    "content",
    "contents",
];

pub(super) fn output(held: &Held<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(block) = held.main().next() else {
        return findings;
    };
    if block.shown.contains(&Term::Star) {
        return everything(held).into_iter().collect();
    }
    let wanted = held.intent.shown.len().max(1);
    let more = block.shown.len() > wanted;
    let grouped: Vec<_> = block.group.iter().filter_map(Term::column).collect();
    for term in &block.shown {
        let Term::Column(column) = term else { continue };
        // A word that nothing explains may be another name for it.
        if held.intent.strange || held.names(*column) || grouped.contains(column) {
            continue;
        }
        let (code, how) = if more {
            (Code::ExtraValuesSelected, "which the question does not name")
        } else {
            (Code::IncorrectCol, "in place of what the question names")
        };
        let message = format!("{} is shown, {how}", held.name(*column));
        findings.push(held.warning(code, message).by("shown_unnamed"));
    }
    if findings.is_empty() {
        findings.extend(fixed(held, block, more));
    }
    if findings.is_empty() && more {
        findings.extend(
            beside(held, block)
                .or_else(|| split(held, block))
                .or_else(|| left_over(held, block)),
        );
    }
    if findings.is_empty() {
        findings.extend(not_shown(held, block));
    }
    findings
}

/// `*` where columns are asked for.
fn everything(held: &Held<'_>) -> Option<Finding> {
    let all = held.cue(Cue::Everything)
        || held.intent.says(WHOLE_ROWS)
        || held.intent.shown.contains(&Shown::Everything);
    let columns = held.intent.shown.iter().any(|shown| match shown {
        Shown::Column(column) => is_sure(held, *column),
        Shown::Count(_) | Shown::Aggregate(..) => true,
        _ => false,
    });
    let some = !held.intent.says(&["all"])
        && held
            .intent
            .shown
            .iter()
            .any(|shown| matches!(shown, Shown::Column(_)));
    (!all && (columns || some)).then(|| {
        held.warning(
            Code::ExtraValuesSelected,
            "* shows every column, the question asks for some",
        )
    })
}

/// True where a phrase of the question surely names the column.
fn is_sure(held: &Held<'_>, column: ColumnRef) -> bool {
    held.intent
        .columns
        .iter()
        .any(|link| link.column == column && link.certainty >= SURE)
}

/// A column that a condition makes the same in every row tells nothing that the question does not.
fn fixed(held: &Held<'_>, block: &Block, more: bool) -> Option<Finding> {
    if held.summary.combined.iter().len() > 0 {
        return None;
    }
    let fixed = block.shown.iter().find_map(|term| {
        let Term::Column(column) = term else { return None };
        let same = held.summary.tests.iter().any(|test| {
            let value = matches!(
                &test.right[..],
                [Term::Literal(Literal {
                    value: Constant::Text(_) | Constant::Number(_),
                    ..
                })]
            );
            test.kind == TestKind::Equal
                && !test.negated
                && !test.alternative
                && test.clause == Clause::Where
                && test.left == *term
                && value
                && std::ptr::eq(&raw const held.summary.blocks[test.block], block)
        });
        same.then_some(*column)
    })?;
    let alone = block.shown.len() == 1 && !block.distinct;
    let (code, how) = match (more, alone) {
        (true, _) => (
            Code::ExtraValuesSelected,
            "which a condition makes the same in every row",
        ),
        (false, true) => (Code::IncorrectCol, "of which a condition already says what it is"),
        (false, false) => return None,
    };
    Some(
        held.warning(code, format!("{} is shown, {how}", held.name(fixed)))
            .by("shown_fixed"),
    )
}

/// What the rows are ordered by, shown beside what is asked for.
fn beside(held: &Held<'_>, block: &Block) -> Option<Finding> {
    let asks = [Cue::Count, Cue::Sum, Cue::Average]
        .iter()
        .any(|cue| held.cue(*cue));
    let Some((Term::Aggregate(ordered), _)) = block.order.first() else {
        return None;
    };
    let aggregate = block.shown.iter().find_map(|term| match term {
        Term::Aggregate(shown) if shown.name == ordered.name && shown.column == ordered.column => Some(shown),
        _ => None,
    })?;
    // `list the amount in the order of the amount`
    let named = held.intent.shown.iter().any(|shown| match shown {
        Shown::Column(column) | Shown::Aggregate(_, column) => aggregate.column == Some(*column),
        _ => false,
    });
    let asks = asks || named || held.intent.says(&["many", "much", "count", "number"]);
    (!asks || most_number(held)).then(|| {
        held.warning(
            Code::ExtraValuesSelected,
            format!(
                "{} is shown, it is only what the rows are ordered by",
                aggregate.name.to_uppercase()
            ),
        )
        .by("shown_order")
    })
}

/// `how many captain ranks are there`: one number, not one for each.
fn split(held: &Held<'_>, block: &Block) -> Option<Finding> {
    let one_number = matches!(
        held.intent.shown[..],
        [Shown::Count(_) | Shown::Aggregate("count", _)]
    );
    let each = held.cue(Cue::Group)
        || held
            .intent
            .says(&["and", "by", "respective", "corresponding", "along", "with"]);
    let grouped = !block.group.is_empty() && block.order.is_empty() && block.limit.is_none() && !block.having;
    (one_number && !each && grouped && held.intent.says_phrase("how many")).then(|| {
        held.warning(
            Code::ExtraValuesSelected,
            "the question wants one number, the statement gives one for each group",
        )
    })
}

/// `the most number of`: the only number that the question speaks of ranks.
fn most_number(held: &Held<'_>) -> bool {
    !held.cue(Cue::Count)
        && !held.cue(Cue::Sum)
        && !held.cue(Cue::Average)
        && held
            .intent
            .ranks
            .iter()
            .any(|rank| rank.text.to_lowercase().ends_with("number of"))
}

/// What is shown beyond all that the question surely asks to see.
fn left_over(held: &Held<'_>, block: &Block) -> Option<Finding> {
    let wanted: Vec<ColumnRef> = held
        .intent
        .shown
        .iter()
        .map(|shown| match shown {
            Shown::Column(column) if is_sure(held, *column) => Some(*column),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let shown: Vec<ColumnRef> = block
        .shown
        .iter()
        .map(|term| match term {
            Term::Column(column) => Some(*column),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let same = |one: ColumnRef, other: ColumnRef| {
        let name = |column: ColumnRef| held.schema().column(column).name.to_lowercase();
        one == other || name(one) == name(other)
    };
    // `the flight number` may be stored as `flno`.
    let numbered = |column: ColumnRef| {
        let name = held.schema().column(column).name.to_lowercase();
        held.intent.says(&["number", "numbers"])
            && ["no", "nr", "num", "id", "code"]
                .iter()
                .any(|end| name.ends_with(end))
    };
    let all_there = wanted
        .iter()
        .all(|wanted| shown.iter().any(|shown| same(*shown, *wanted)));
    let over = shown
        .iter()
        .find(|shown| !wanted.iter().any(|wanted| same(**shown, *wanted)) && !numbered(**shown))?;
    (all_there && held.intent.explained).then(|| {
        held.warning(
            Code::ExtraValuesSelected,
            format!(
                "{} is shown, which the question does not ask to see",
                held.name(*over)
            ),
        )
        .by("shown_beyond")
    })
}

/// A column that the question surely asks to see, and that the statement does not read at all.
fn not_shown(held: &Held<'_>, block: &Block) -> Option<Finding> {
    // Something else has to stand in its place.
    let asked = |column: ColumnRef| {
        held.intent.shown.iter().any(|shown| match shown {
            Shown::Column(other) | Shown::Aggregate(_, other) => *other == column,
            Shown::Table(table) => display_columns(held.snapshot, *table).contains(&column),
            _ => false,
        })
    };
    let columns: Vec<ColumnRef> = block.shown.iter().filter_map(Term::column).collect();
    let wording = columns
        .iter()
        .any(|column| held.schema().column(*column).kind.is_wording());
    let twice = block
        .shown
        .iter()
        .enumerate()
        .any(|(at, term)| matches!(term, Term::Column(_)) && block.shown[at + 1..].contains(term));
    if columns.is_empty() || (!twice && columns.iter().all(|column| asked(*column))) {
        return None;
    }
    let names_rows =
        |column: ColumnRef| wording && display_columns(held.snapshot, column.table).contains(&column);
    let missing = held.intent.shown.iter().find_map(|shown| match shown {
        Shown::Column(column) | Shown::Aggregate(_, column)
            if is_sure(held, *column)
                && held.intent.names_column(*column) >= super::columns::WHOLE
                && !held.uses(*column)
                && held.resolved.tables.contains(&column.table)
                && !names_rows(*column)
                && !is_counted(held, *column)
                && !alike(held, *column) =>
        {
            Some(*column)
        }
        _ => None,
    })?;
    Some(
        held.warning(
            Code::IncorrectCol,
            format!(
                "the question asks to see {}, which nothing reads",
                held.name(missing)
            ),
        )
        .by("shown_missing"),
    )
}

/// `how many courses` and `the number of card types` ask for no `course_id` and no `card_number`.
fn is_counted(held: &Held<'_>, column: ColumnRef) -> bool {
    let numbered = words::identifier_words(&held.schema().column(column).name)
        .iter()
        .any(|word| word == "number");
    held.calls(&["count"]) && (held.is_key(column) || numbered)
}

/// True if another column that the words would also fit is read.
fn alike(held: &Held<'_>, column: ColumnRef) -> bool {
    held.intent
        .columns
        .iter()
        .filter(|link| link.column == column)
        .any(|link| link.counted || link.others.iter().any(|other| held.uses(*other)))
}
