//! What is told of the values of a column, beside its type: its values or some of them, what codes stand for, how dates are
//! written, how a missing value is. Few words each: all of it is in every prompt about the database.

use super::{Values, data};
use crate::question::schema::{
    self, Column, ColumnKind, ColumnProfile, ColumnRef, Dialect, Format, Snapshot, TableProfile,
};

/// Characters of a comment, and of a stored value.
pub(super) const LONGEST_COMMENT: usize = 120;
const LONGEST_VALUE: usize = 40;
/// Distinct values of a column that are listed wholly.
const MOST_LISTED: usize = 8;
/// Characters of them together.
const LONGEST_LIST: usize = 100;
/// Distinct numbers that may be codes, and codes that are listed with what they stand for.
const MOST_NUMBERS: u64 = 6;
const MOST_CODES: usize = 12;
/// Numbers that follow each other and are listed nevertheless.
const SPELLED_OUT: usize = 3;
/// Columns of a look-up table: one with more is about things of their own.
const WIDEST: usize = 3;
/// Numbers that are codes come several times each.
const REPEATED: u64 = 3;
/// Values of a column that are looked at.
const LOOKED_AT: usize = 32;
/// Values shown where there are more, and the characters that they may have together; one is always shown.
const SAMPLES: usize = 2;
const LONGEST_SAMPLES: usize = 30;

/// A stored value as SQL writes it; `None` for one that is too long or unsafe to show.
pub(super) fn stored(value: &str, longest: usize) -> Option<String> {
    data::as_it_is(value, longest).map(schema::literal)
}

/// What is told of a column's values.
pub(super) fn notes(snapshot: &Snapshot, at: ColumnRef, values: Values) -> Vec<String> {
    let column = snapshot.schema.column(at);
    let unknown = ColumnProfile::default();
    let home = home(snapshot, column).unwrap_or(at);
    let table = |at: ColumnRef| snapshot.profile.tables.get(at.table).and_then(Option::as_ref);
    let held = table(home).and_then(|table| table.columns.get(home.column));
    let held = held.unwrap_or(&unknown);
    let format = format(snapshot.dialect, column, held, values);
    // What a view shows is told at its table.
    if values == Values::Withhold || home != at {
        return format.into_iter().collect();
    }
    let lookup = table(at).and_then(|table| lookup(snapshot, at.table, table));
    let list = if let Some(codes) = codes(snapshot, at) {
        Some(codes)
    } else if let Some(lookup) = lookup.filter(|lookup| [lookup.code, lookup.label].contains(&at.column)) {
        // The list at the label has both.
        (at.column == lookup.label).then_some(lookup.list)
    } else if format.is_some() {
        None
    } else if column.kind.is_wording() {
        samples(snapshot, at)
    } else if column.kind.is_numeric() {
        numbers(snapshot, at, held)
    } else {
        None
    };
    let list = list.filter(|list| !is_in_comment(column, list));
    [format, list, spelling(column, held)]
        .into_iter()
        .flatten()
        .collect()
}

/// The column that a view's shows as it is.
fn home(snapshot: &Snapshot, column: &Column) -> Option<ColumnRef> {
    let source = column.shows.as_ref()?;
    let table = snapshot.schema.table_named(&source.table)?;
    let name = source.column.as_deref()?;
    let columns = &snapshot.schema.tables[table].columns;
    let column = columns
        .iter()
        .position(|column| column.name.eq_ignore_ascii_case(name))?;
    Some(ColumnRef { table, column })
}

/// True if the comment has all of the values that are listed, as far as it is shown.
fn is_in_comment(column: &Column, list: &str) -> bool {
    let Some(comment) = &column.comment else {
        return false;
    };
    let shown: String = comment.chars().take(LONGEST_COMMENT).collect();
    let words: Vec<&str> = shown
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, ' ' | '-' | '_'))
        .map(str::trim)
        .collect();
    let mut values = list.split(", ").map(|value| value.trim_matches('\''));
    !list.starts_with("e.g.") && values.all(|value| words.contains(&value))
}

/// How dates and times are written, where the type does not tell it.
fn format(dialect: Dialect, column: &Column, held: &ColumnProfile, values: Values) -> Option<String> {
    let declared = column.declared_type.to_ascii_lowercase();
    let is_told = declared.contains("date") || declared.contains("time") || declared.is_empty();
    // A type of PostgreSQL's own reads and writes by itself.
    if dialect == Dialect::Postgres && column.kind.is_calendar() {
        return None;
    }
    let sample = || {
        let shown = held.sample.as_deref().filter(|_| values == Values::Send)?;
        Some(format!("e.g. {}", stored(shown, LONGEST_VALUE)?))
    };
    let written = match held.format {
        Some(Format::CompactDate) => "YYYYMMDD".to_owned(),
        Some(Format::CompactMonth) => "YYYYMM".to_owned(),
        Some(Format::UnixSeconds) => "Unix seconds".to_owned(),
        Some(Format::UnixMilliseconds) => "Unix milliseconds".to_owned(),
        Some(Format::DayMonthYear) => with(sample(), "day first"),
        Some(Format::MonthDayYear) => with(sample(), "month first"),
        Some(Format::DateTime)
            if !is_told || held.sample.as_deref().is_some_and(|text| text.contains('T')) =>
        {
            sample().unwrap_or_else(|| "YYYY-MM-DD HH:MM:SS".to_owned())
        }
        Some(Format::Time) if !is_told => sample().unwrap_or_else(|| "HH:MM".to_owned()),
        _ if is_told => return None,
        _ => match column.kind {
            ColumnKind::Date => "YYYY-MM-DD".to_owned(),
            ColumnKind::Timestamp => "YYYY-MM-DD HH:MM:SS".to_owned(),
            ColumnKind::Time => "HH:MM:SS".to_owned(),
            _ => return None,
        },
    };
    Some(match held.number_for_none() {
        Some(none) => format!("{written}, {none} for none"),
        None => written,
    })
}

fn with(sample: Option<String>, said: &str) -> String {
    match sample {
        Some(sample) => format!("{sample}, {said}"),
        None => said.to_owned(),
    }
}

/// What the codes of a column stand for, by a table of codes.
fn codes(snapshot: &Snapshot, at: ColumnRef) -> Option<String> {
    let codes = snapshot.profile.codes.iter().find(|codes| codes.of == at)?;
    let column = snapshot.schema.column(at);
    let told: Option<Vec<String>> = codes
        .labels
        .iter()
        .map(|(code, label)| {
            let code = value(column, code)?;
            Some(format!("{code} {}", data::as_it_is(label, LONGEST_VALUE)?))
        })
        .collect();
    let told = told.filter(|told| !told.is_empty() && told.len() <= MOST_CODES)?;
    Some(format!("codes: {}", told.join(", ")))
}

/// A look-up table: a key of codes, and what each stands for.
struct Lookup {
    code: usize,
    label: usize,
    /// Both, row by row.
    list: String,
}

/// What a narrow table with few rows says of the codes that are its key.
fn lookup(snapshot: &Snapshot, at: usize, held: &TableProfile) -> Option<Lookup> {
    let table = &snapshot.schema.tables[at];
    let [code] = *table.primary_key.as_slice() else {
        return None;
    };
    let column = &table.columns[code];
    // A number that is called an id stands for nothing that a question says.
    let is_counted = column.kind.is_numeric() && column.name.to_lowercase().ends_with("id");
    if is_counted || table.columns.len() > WIDEST {
        return None;
    }
    let is_label = |label: &usize| {
        let is_unique = held.columns.get(*label).is_some_and(ColumnProfile::is_unique);
        *label != code && is_unique && table.columns[*label].kind.is_wording()
    };
    let label = (0..table.columns.len()).find(is_label)?;
    let (codes, labels) = (&held.columns.get(code)?.listed, &held.columns.get(label)?.listed);
    if codes.len() < 2 || codes.len() != labels.len() {
        return None;
    }
    let told: Option<Vec<String>> = codes
        .iter()
        .zip(labels)
        .map(|(code, label)| {
            let told = stored(label, LONGEST_VALUE)?;
            Some(if code == label {
                told
            } else {
                format!("{} {told}", value(column, code)?)
            })
        })
        .collect();
    let told = told?.join(", ");
    let name = schema::identifier(&data::name(&column.name), snapshot.dialect);
    // A table of its own kind has more room than one column of many.
    let fits = told.chars().count() <= 2 * LONGEST_LIST;
    fits.then(|| Lookup {
        code,
        label,
        list: if codes == labels {
            told
        } else {
            format!("by {name}: {told}")
        },
    })
}

/// A stored value as SQL compares this column with it.
fn value(column: &Column, stored_value: &str) -> Option<String> {
    if column.kind.is_numeric() {
        return stored_value.parse::<f64>().ok().map(|_| stored_value.to_owned());
    }
    stored(stored_value, LONGEST_VALUE)
}

/// Numbers that are so few that they stand for something.
fn numbers(snapshot: &Snapshot, at: ColumnRef, held: &ColumnProfile) -> Option<String> {
    let keys = &snapshot.schema.foreign_keys;
    let column = snapshot.schema.column(at);
    let refers = keys
        .iter()
        .any(|key| key.from.contains(&at) || key.to.contains(&at));
    let is_key = column.unique || snapshot.schema.tables[at.table].primary_key.contains(&at.column);
    let is_few = (2..=MOST_NUMBERS).contains(&held.distinct) && held.values >= REPEATED * held.distinct;
    if refers || is_key || !is_few || held.many || held.fractions > 0 || held.numbers != held.values {
        return None;
    }
    let mut numbers: Vec<i64> = held
        .frequent
        .iter()
        .filter_map(|(value, _)| value.parse().ok())
        .collect();
    if numbers.len() as u64 != held.distinct {
        return None;
    }
    numbers.sort_unstable();
    let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
    if numbers.len() > SPELLED_OUT && last - first == numbers.len() as i64 - 1 {
        return Some(format!("{first} to {last}"));
    }
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Some(numbers.join(", "))
}

/// What to heed when a text is compared.
fn spelling(column: &Column, held: &ColumnProfile) -> Option<String> {
    if !column.kind.is_wording() && !column.kind.is_calendar() {
        return None;
    }
    let mut told: Vec<&str> = Vec::new();
    let texts = held.values.saturating_sub(held.blanks);
    if held.padded > 0 {
        told.push(if held.padded >= texts {
            "blanks at the end"
        } else {
            "some with blanks at the end"
        });
    }
    let mut folded: Vec<String> = held
        .frequent
        .iter()
        .map(|(text, _)| text.trim().to_lowercase())
        .collect();
    let mut exact: Vec<&str> = held.frequent.iter().map(|(text, _)| text.trim()).collect();
    folded.sort();
    folded.dedup();
    exact.sort_unstable();
    exact.dedup();
    if folded.len() < exact.len() {
        told.push("letter case varies");
    }
    if held.blanks > 0 {
        told.push(if held.nulls > 0 {
            "NULL or '' for none"
        } else {
            "'' for none"
        });
    }
    (!told.is_empty()).then(|| told.join(", "))
}

/// All values where they are few and short, else some of them.
fn samples(snapshot: &Snapshot, at: ColumnRef) -> Option<String> {
    let held = snapshot.values.first_of(at, LOOKED_AT);
    let shown: Vec<String> = held
        .iter()
        .filter_map(|value| stored(value, LONGEST_VALUE))
        .collect();
    let all: String = shown.join(", ");
    if shown.len() == held.len() && held.len() <= MOST_LISTED && all.chars().count() <= LONGEST_LIST {
        return (!shown.is_empty()).then_some(all);
    }
    // Where most values are prose, the short ones say little.
    if shown.len() * 2 < held.len() {
        return None;
    }
    let pair = &shown[..shown.len().min(SAMPLES)];
    let length: usize = pair.iter().map(|value| value.chars().count()).sum();
    let told = if length > LONGEST_SAMPLES {
        &pair[..1]
    } else {
        pair
    };
    Some(format!("e.g. {}", told.join(", ")))
}
