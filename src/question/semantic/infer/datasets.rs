//! What a row of each table stands for, and when it happened.

use super::{
    Evidence, display,
    fields::said_name,
    in_and_out,
    lexicon::{
        self, ASSET, BOOKKEEPING, END, EVENT, KEY, LIFE, NAME, PARTY, PLANNED, START, stems, words_of,
    },
};
use crate::question::{
    schema::{ColumnRef, Format},
    semantic::{Additivity, Dataset, DatasetRole, Field, FieldRole, Wording},
};

/// Rows of a list of codes at most.
const LOOKUP_ROWS: u64 = 60;

/// What one table is.
pub(super) fn dataset(of: &Evidence<'_>, table: usize, mut fields: Vec<Field>) -> Dataset {
    let display = display::display(of, table, &fields);
    for &column in &display {
        // First names are short and repeat as codes do.
        let name = stems(&of.schema.tables[table].columns[column].name);
        let is_name = display.len() > 1 || NAME.any(&name);
        if matches!(fields[column].role, FieldRole::Dimension | FieldRole::Text)
            || is_name && fields[column].role == FieldRole::Code
        {
            fields[column].role = FieldRole::Name;
        }
    }
    let time = main_time(of, table, &fields);
    let role = role(of, table, &fields, &display, time);
    match role {
        DatasetRole::Event => settle(of, table, &mut fields),
        DatasetRole::Entity => weigh(of, table, &mut fields),
        _ => {}
    }
    Dataset {
        role,
        end: time.and_then(|time| end(of, table, &fields, time)),
        time,
        display,
        fields,
        wording: Wording {
            synonyms: called(of, table),
            ..Wording::default()
        },
        ..Dataset::default()
    }
}

/// What else rows are called: by a comment at their key, `carrier = insurance company`, and where a table only says that it
/// has the heads of something, by that key.
fn called(of: &Evidence<'_>, table: usize) -> Vec<String> {
    let description = &of.schema.tables[table];
    let [key] = description.primary_key[..] else {
        return Vec::new();
    };
    let key = &description.columns[key];
    let comment = key.comment.as_deref().unwrap_or_default();
    let mut names: Vec<String> = comment.split('=').filter_map(said_name).collect();
    let words = stems(&description.name);
    let is_head = |word: &String| {
        matches!(
            word.as_str(),
            "hdr" | "header" | "head" | "hd" | "mst" | "mstr" | "mast"
        )
    };
    if words.last().is_some_and(is_head) {
        let key = words_of(&key.name);
        let said: Vec<&str> = key.split(' ').filter(|word| !KEY.has(word)).collect();
        if !said.is_empty() && said.iter().all(|word| !words.iter().any(|own| own == word)) {
            names.push(said.join(" "));
        }
    }
    names
}

/// What one thing weighs is no amount of which there is more with each of them.
fn weigh(of: &Evidence<'_>, table: usize, fields: &mut [Field]) {
    for (field, column) in fields.iter_mut().zip(&of.schema.tables[table].columns) {
        let weighs = |word: &String| matches!(word.as_str(), "weight" | "wgt" | "wt");
        if field.role == FieldRole::Measure(Additivity::Sum) && stems(&column.name).iter().any(weighs) {
            field.role = FieldRole::Measure(Additivity::Average);
        }
    }
}

/// What is reckoned with in a table of events: a price of something of which no quantity is told is the amount, and time
/// that something took is added up.
fn settle(of: &Evidence<'_>, table: usize, fields: &mut [Field]) {
    let columns = &of.schema.tables[table].columns;
    let names: Vec<Vec<String>> = columns.iter().map(|column| stems(&column.name)).collect();
    let has = |name: &[String], wanted: &[&str]| name.iter().any(|word| wanted.contains(&word.as_str()));
    let counted = names
        .iter()
        .any(|name| has(name, &["quantiti", "qty", "unit", "piec", "amount", "total"]));
    for (field, name) in fields.iter_mut().zip(&names) {
        let is_average = field.role == FieldRole::Measure(Additivity::Average);
        if !is_average
            || has(
                name,
                &[
                    "avg", "averag", "mean", "per", "max", "unit", "list", "old", "new", "prev",
                ],
            )
        {
            continue;
        }
        // `total_price` says so itself.
        let of_all = has(name, &["total", "sum"]);
        let amount = (!counted || of_all) && has(name, &["price", "fee", "fare", "tariff", "rent"]);
        if amount || has(name, &["min", "minut", "durat", "hour", "second"]) {
            field.role = FieldRole::Measure(Additivity::Sum);
        }
    }
}

fn role(
    of: &Evidence<'_>,
    table: usize,
    fields: &[Field],
    display: &[usize],
    time: Option<usize>,
) -> DatasetRole {
    let description = &of.schema.tables[table];
    let name = lexicon::table_stems(&description.name);
    let prefix = stems(&description.name).into_iter().next().unwrap_or_default();
    let count = |wanted: &dyn Fn(FieldRole) -> bool| fields.iter().filter(|field| wanted(field.role)).count();
    let references = count(&|role| role == FieldRole::Reference);
    let measures = count(&FieldRole::is_measure);
    let sums = count(&|role| matches!(role, FieldRole::Measure(Additivity::Sum | Additivity::Last)));
    let key = &description.primary_key;
    let in_key = |wanted: &dyn Fn(FieldRole) -> bool| {
        key.iter().filter(|&&column| wanted(fields[column].role)).count()
    };
    let rows = of.table(table).map_or(description.rows, |profile| {
        Some(if profile.whole {
            profile.rows
        } else {
            description.rows.unwrap_or(profile.rows)
        })
    });

    if is_calendar(of, table, fields) {
        return DatasetRole::Calendar;
    }
    if matches!(prefix.as_str(), "tlk" | "lkp" | "lu") || of.tells_codes(table) {
        return DatasetRole::Lookup;
    }
    let key_references = in_key(&|role| role == FieldRole::Reference);
    let rest = fields.len().saturating_sub(key.len());
    if key.len() >= 2 && key_references == key.len() && rest <= 2 && time.is_none() && measures <= 1 {
        return DatasetRole::Link;
    }
    // A table without a declared key that has nothing but two references.
    if key.len() != 1 && references >= 2 && fields.len() - references <= 1 && measures == 0 && time.is_none()
    {
        return DatasetRole::Link;
    }
    let time_in_key = key.iter().any(|&column| fields[column].role == FieldRole::Time)
        || key.iter().any(|&column| {
            let at = ColumnRef { table, column };
            let keys = of.keys_of(at);
            keys.filter_map(|key| key.to.first()).any(|to| {
                let target = lexicon::table_stems(&of.schema.tables[to.table].name);
                target
                    .iter()
                    .any(|word| matches!(word.as_str(), "date" | "calendar" | "day" | "month" | "time"))
            })
        });
    if key.len() >= 2 && time_in_key && key_references >= 1 && sums > 0 {
        return DatasetRole::Snapshot;
    }
    let named = !display.is_empty()
        && display
            .iter()
            .all(|&column| fields[column].role == FieldRole::Name);
    // What a call is about is not its name.
    let names_things = named && !is_about(of, table, display);
    let few = rows.is_some_and(|rows| rows <= LOOKUP_ROWS);
    let is_code = matches!(key[..], [column] if !description.columns[column].kind.is_numeric());
    if few
        && named
        && references == 0
        && measures <= usize::from(is_code)
        && time.is_none()
        && fields.len() <= 4
        && key.len() <= 1
        && !PARTY.last(&name)
    {
        return DatasetRole::Lookup;
    }
    let happened = time.is_some_and(|time| !is_life(&description.columns[time].name, &name));
    let mut event = 0;
    event += if happened { 3 } else { 0 };
    event += i32::from(time.is_some());
    event += 2 * i32::try_from(references.min(3)).unwrap_or(0) - 1;
    event += i32::from(sums > 0);
    event += if EVENT.last(&name) {
        3
    } else {
        i32::from(EVENT.any(&name))
    };
    event += match prefix.as_str() {
        "fact" | "fct" => 6,
        "dim" => -8,
        _ => 0,
    };
    // A master file is a list of things, whatever times it has of them.
    event -= if is_master(&description.name) { 5 } else { 0 };
    event -= if names_things { 5 } else { 0 };
    event -= if named && PARTY.last(&name) { 4 } else { 0 };
    // What has a time and no name of its own, such as a pay run.
    let tells = references > 0 && !of.is_referred_to(table);
    event += i32::from(!named && (happened || time.is_some() && tells));
    event -= i32::from(of.is_referred_to(table));
    // What somebody bought and others refer to is a thing, if only it has no name.
    let is_asset = time.is_some_and(|time| ASSET.any(&stems(&description.columns[time].name)));
    event -= if is_asset && !happened && of.is_referred_to(table) {
        2
    } else {
        0
    };
    event -= if references == 0 && time.is_none() { 3 } else { 0 };
    // A part of an event, such as an order's line: its key is the event's and a number.
    let part = key.len() >= 2 && key_references >= 1 && !named;
    let sure = time.is_some() || EVENT.last(&name) || prefix == "fact";
    if (event >= 3 && sure) || part {
        DatasetRole::Event
    } else {
        DatasetRole::Entity
    }
}

/// True where rows are shown by what they are about, as calls and messages are.
fn is_about(of: &Evidence<'_>, table: usize, display: &[usize]) -> bool {
    display.iter().all(|&column| {
        let name = stems(&of.schema.tables[table].columns[column].name);
        let about = |word: &String| matches!(word.as_str(), "subject" | "topic" | "summari");
        name.iter().any(about)
    })
}

/// True for a table that calls itself a master file.
fn is_master(name: &str) -> bool {
    let words = stems(name);
    words.len() > 1
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "mast" | "mst" | "mstr" | "master"))
}

/// A table with one row a day and columns for the parts of it.
fn is_calendar(of: &Evidence<'_>, table: usize, fields: &[Field]) -> bool {
    let description = &of.schema.tables[table];
    let parts = description
        .columns
        .iter()
        .filter(|column| {
            let name = stems(&column.name);
            name.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "year"
                        | "quarter"
                        | "month"
                        | "week"
                        | "weekday"
                        | "day"
                        | "holiday"
                        | "weekend"
                        | "fiscal"
                )
            })
        })
        .count();
    let day = (0..fields.len()).any(|column| {
        let format = of
            .column(ColumnRef { table, column })
            .and_then(|profile| profile.format);
        let unique = description.columns[column].unique
            || of
                .column(ColumnRef { table, column })
                .is_some_and(crate::question::schema::ColumnProfile::is_unique);
        unique
            && (description.columns[column].kind.is_temporal()
                || matches!(format, Some(Format::Date | Format::CompactDate)))
    });
    parts >= 4 && day && parts * 2 > fields.len()
}

/// True for a time that a thing has, such as the day somebody was hired, by the column's words.
fn is_life(column: &str, table: &[String]) -> bool {
    let name = stems(column);
    LIFE.any(&name) && !name.iter().any(|word| table.contains(word))
}

/// The column that tells when a row happened.
fn main_time(of: &Evidence<'_>, table: usize, fields: &[Field]) -> Option<usize> {
    let description = &of.schema.tables[table];
    let own = lexicon::table_stems(&description.name);
    let score = |column: usize| -> i32 {
        let at = ColumnRef { table, column };
        let name = stems(&description.columns[column].name);
        let profile = of.column(at);
        let mut score = 0;
        let about_table = |word: &String| {
            own.contains(word) || word.len() > 2 && own.iter().any(|own| lexicon::abbreviates(word, own))
        };
        if name.iter().any(about_table) {
            score += 6;
        }
        if START.any(&name) {
            score += 4;
        }
        if name.iter().any(|word| {
            matches!(
                word.as_str(),
                "start" | "began" | "begin" | "depart" | "departur" | "occur" | "happen"
            )
        }) {
            score += 3;
        }
        if name.len() == 1 {
            score += 2;
        }
        match in_and_out::place(of, (table, fields), column) {
            // A guest arrives first, and a flight departs first.
            Some(in_and_out::Counterpart::First) => score += 1,
            Some(in_and_out::Counterpart::Last) => score -= 5,
            None if END.any(&name) => score -= 5,
            None => {}
        }
        if PLANNED.any(&name) {
            score -= 8;
        }
        // What is answered was there before.
        if name
            .iter()
            .any(|word| word.starts_with("respon") || word.starts_with("repl") || word.starts_with("answer"))
        {
            score -= 6;
        }
        if BOOKKEEPING.any(&name) {
            // What was created was so before it was paid, and nothing else tells when.
            let created = name.iter().all(|word| word == "creat" || !BOOKKEEPING.has(word));
            score -= if created { 2 } else { 4 };
        }
        // What a bill is for is not when it was written.
        let of_period = |word: &String| matches!(word.as_str(), "period" | "prd" | "coverag");
        if name.len() > 1 && name.iter().any(of_period) {
            score -= 6;
        }
        if name
            .iter()
            .any(|word| matches!(word.as_str(), "birth" | "born" | "dob" | "birthday" | "birthdat"))
        {
            score -= 20;
        }
        if let Some(profile) = profile {
            // What is missing comes later in a row's life, the more so the more often.
            score -= (profile.missing() * 10.0) as i32 + 3 * i32::from(profile.missing() > 0.0);
            match profile.format {
                Some(Format::Year) => score -= 6,
                Some(Format::CompactMonth | Format::YearMonth) => score -= 2,
                _ => {}
            }
        }
        if !description.columns[column].not_null {
            score -= 1;
        }
        score
    };
    let is_part_of_a_date = |column: usize| {
        let name = stems(&description.columns[column].name);
        description.columns[column].kind.is_numeric()
            && matches!(
                name.last().map(String::as_str),
                Some("month" | "week" | "day" | "hour")
            )
    };
    let days = || {
        (0..fields.len()).filter(|&column| is_day(of, table, fields, column) && !is_part_of_a_date(column))
    };
    // Of equally good ones the first.
    let best = |columns: &mut dyn Iterator<Item = usize>| {
        columns
            .map(|column| (score(column), column))
            .max_by_key(|(score, column)| (*score, std::cmp::Reverse(*column)))
    };
    let likely = best(&mut days()).filter(|(score, _)| *score > -4);
    // `scheduled_at`, where nothing else tells when it was.
    let only = || {
        best(&mut days().filter(|&column| {
            let name = stems(&description.columns[column].name);
            let is_of_end = END.any(&name) || BOOKKEEPING.any(&name) || LIFE.any(&name);
            let is_bound = name.iter().any(|word| {
                ["exp", "due", "deadlin", "until", "birth", "born", "dob"]
                    .iter()
                    .any(|bound| word.starts_with(bound))
            });
            fields[column].format != Some(Format::Year) && !is_of_end && !is_bound
        }))
    };
    likely.or_else(only).map(|(_, column)| column)
}

/// True for a column of days or moments, also where it points to a calendar.
pub(super) fn is_day(of: &Evidence<'_>, table: usize, fields: &[Field], column: usize) -> bool {
    let at = ColumnRef { table, column };
    match fields[column].role {
        FieldRole::Time => true,
        FieldRole::Reference => of
            .column(at)
            .is_some_and(|profile| matches!(profile.format, Some(Format::CompactDate | Format::Date))),
        _ => false,
    }
}

/// The column that tells when a row ended.
fn end(of: &Evidence<'_>, table: usize, fields: &[Field], time: usize) -> Option<usize> {
    let description = &of.schema.tables[table];
    let other = in_and_out::other(of, (table, fields), time);
    let is_last = |column: &usize| {
        in_and_out::place(of, (table, fields), *column) != Some(in_and_out::Counterpart::First)
    };
    if let Some(other) = other.filter(is_last) {
        return Some(other);
    }
    (0..fields.len())
        .filter(|&column| column != time && is_day(of, table, fields, column))
        .find(|&column| {
            let name = stems(&description.columns[column].name);
            fields[column].format != Some(Format::Year) && END.any(&name) && !PLANNED.any(&name)
        })
}
