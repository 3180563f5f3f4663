//! Text in conditions against the stored values: what is spelled otherwise than stored, what stands in another
//! column, and what occurs nowhere.

use super::{
    Asked, Code, Finding,
    query_summary::{Constant, Literal, QuerySummary, Term, Test, TestKind},
    resolve::LocatedFinding,
};
use crate::question::schema::{ColumnKind, ColumnRef, Schema, Snapshot, words::text_words};

/// How alike a literal must be to a stored value to be a misspelling of it (Jaro-Winkler).
const ALIKE: f64 = 0.92;
/// Characters of a literal that is looked up; longer ones are prose, which the index leaves out.
const LONGEST: usize = 100;
/// Words of a literal that is looked up, as the index has them.
const MOST_WORDS: usize = 12;
/// Stored values that tell whether a column of text holds numbers.
const SAMPLED: usize = 50;
/// Stored values that a misspelling is looked for among.
const COMPARED: usize = 5_000;

/// Takes back what was said of sums of text where the stored text is all numbers.
pub(super) fn excuse_numbers(found: &mut Vec<LocatedFinding>, summary: &QuerySummary, asked: &Asked<'_>) {
    let numeric = |position: Option<usize>| {
        let mut aggregates = summary.aggregates.iter();
        let aggregate = aggregates.find(|aggregate| position.is_some() && aggregate.position == position);
        aggregate
            .and_then(|aggregate| aggregate.column)
            .is_some_and(|column| {
                let values = asked.snapshot.values.first_of(column, SAMPLED);
                !values.is_empty() && values.iter().all(|value| value.trim().parse::<f64>().is_ok())
            })
    };
    found.retain(|found| {
        let finding = &found.finding;
        finding.code != Code::ConditionTypeMismatch || finding.is_error() || !numeric(finding.position)
    });
}

/// What is wrong with the texts that stored columns are compared with.
pub(super) fn literals(summary: &QuerySummary, asked: &Asked<'_>) -> Vec<LocatedFinding> {
    let mut found = Vec::new();
    for test in &summary.tests {
        let equates = matches!(test.kind, TestKind::Equal | TestKind::NotEqual | TestKind::In);
        let Term::Column(column) = test.left else { continue };
        if !equates || asked.snapshot.schema.column(column).kind != ColumnKind::Text {
            continue;
        }
        for item in &test.right {
            if let Term::Literal(literal) = item
                && let Constant::Text(text) = &literal.value
            {
                found.extend(unknown(summary, asked, test, (column, literal, text)));
            }
        }
    }
    found
}

/// A literal that its column does not hold.
fn unknown(
    summary: &QuerySummary,
    asked: &Asked<'_>,
    test: &Test,
    (column, literal, text): (ColumnRef, &Literal, &str),
) -> Option<LocatedFinding> {
    let snapshot = asked.snapshot;
    let (schema, values) = (&snapshot.schema, &snapshot.values);
    let words = text_words(text);
    if words.is_empty() || words.len() > MOST_WORDS || text.chars().count() > LONGEST {
        return None;
    }
    let hits = values.find(&words);
    if !values.is_whole(column)
        || hits
            .iter()
            .any(|hit| hit.column == column && *hit.stored == *text)
        || values.holds(column, text)
    {
        return None;
    }
    let name = &schema.column(column).name;
    let at = literal.span.map(|(from, _)| from).or(test.position);
    let warning = |code, at, message: String| Finding::warning(code, at, message).by("value_unknown");
    let respelled = |stored: &str, how: &str| {
        let message = format!("{name} has no {}, it is stored as {}", shown(text), shown(stored));
        let finding = warning(Code::ValueFormatWrong, at, message);
        LocatedFinding {
            finding: finding
                .with_hint(how)
                .with_repair(format!("'{}'", stored.replace('\'', "''"))),
            span: literal.span,
        }
    };
    let mut same: Vec<&str> = hits
        .iter()
        .filter(|hit| hit.column == column)
        .map(|hit| &*hit.stored)
        .collect();
    if let [stored] = same[..] {
        return Some(respelled(stored, "spell the value as it is stored"));
    }
    let coded = snapshot.values_by_standard(text);
    if let Some(hit) = coded.iter().find(|hit| hit.column == column) {
        return Some(respelled(&hit.stored, "write the value as it is stored"));
    }
    if same.len() > 1 {
        // Of several spellings, the one that differs least.
        same.sort_by_key(|stored| strsim::damerau_levenshtein(stored, text));
        return Some(respelled(same[0], "spell the value as it is stored"));
    }
    if text.starts_with('%') || text.ends_with('%') {
        let message = format!("{} is a pattern, which = takes by the letter", shown(text));
        let finding = warning(Code::ValueFormatWrong, at, message).with_hint("use LIKE");
        return Some(LocatedFinding { finding, span: None });
    }
    let in_reach = tables(summary);
    let elsewhere = hits
        .iter()
        .filter(|hit| in_reach.contains(&hit.column.table))
        .min_by_key(|hit| (hit.column.table != column.table, *hit.stored != *text, hit.column));
    if let Some(hit) = elsewhere {
        let message = format!(
            "{name} has no {}, {} has",
            shown(text),
            qualified(schema, hit.column)
        );
        let finding = warning(Code::ConditionWrongCol, test.position, message);
        let hint = format!("filter on {}", qualified(schema, hit.column));
        return Some(LocatedFinding {
            finding: finding.with_hint(hint),
            span: None,
        });
    }
    if let Some(stored) = nearest(snapshot, column, text) {
        return Some(respelled(&stored, "take the stored value that is meant"));
    }
    if let Some(hit) = hits.first() {
        let message = format!(
            "{name} has no {}, {} has",
            shown(text),
            qualified(schema, hit.column)
        );
        let finding = warning(Code::ConditionWrongCol, test.position, message);
        let hint = format!("join {} and filter there", schema.tables[hit.column.table].name);
        return Some(LocatedFinding {
            finding: finding.with_hint(hint),
            span: None,
        });
    }
    let message = format!("{name} has no {}", shown(text));
    let finding = warning(Code::ValueFormatWrong, at, message);
    Some(LocatedFinding {
        finding: finding.with_hint("look at the stored values"),
        span: None,
    })
}

/// The tables that the statement reads anywhere.
fn tables(summary: &QuerySummary) -> Vec<usize> {
    summary
        .blocks
        .iter()
        .flat_map(|block| block.tables.iter().copied())
        .collect()
}

/// The stored value that a literal is most likely a misspelling of.
fn nearest(snapshot: &Snapshot, column: ColumnRef, text: &str) -> Option<String> {
    let folded = text.to_lowercase();
    let values = snapshot.values.first_of(column, COMPARED);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    values
        .iter()
        // `Room 12` is not a slip for `Room 13`.
        .filter(|stored| digits(stored) == digits(text))
        .map(|stored| (strsim::jaro_winkler(&stored.to_lowercase(), &folded), stored))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, stored)| stored.to_string())
}

/// `table.column`.
pub(super) fn qualified(schema: &Schema, column: ColumnRef) -> String {
    format!(
        "{}.{}",
        schema.tables[column.table].name,
        schema.column(column).name
    )
}

/// A value in a message: cut, on one line.
fn shown(text: &str) -> String {
    let cut: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(60)
        .collect();
    if cut.len() < text.len() {
        format!("'{cut}…'")
    } else {
        format!("'{cut}'")
    }
}
