//! What SQL passes over that the columns of the database tell: a flag or a stored state that a question means, and a day on which
//! nothing can have been made yet.

use jiff::civil::Date;

use crate::question::{
    embedded::{framing, taken::Taken},
    schema::{Schema, Snapshot, ValueHit, words},
};

/// `courses in rooms with a piano`, where rooms have a flag that says so and SQL asks for something else that is called so.
pub(in crate::question::embedded) fn flag_of_named(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let asked = framing::words(question);
    let (with, noun) = asked.windows(3).find_map(|words| match words {
        [with, article, noun]
            if matches!(with.as_str(), "with" | "without") && matches!(article.as_str(), "a" | "an") =>
        {
            Some((format!("{with} {article} {noun}"), noun))
        }
        _ => None,
    })?;
    let is_named = |table: usize| {
        let name = words::table_words(&schema.tables[table].name);
        name.last()
            .is_some_and(|last| asked.iter().any(|word| words::stem(word) == words::stem(last)))
    };
    let says_so = |name: &str| {
        ["has_", "with_", "is_"]
            .iter()
            .any(|lead| name == format!("{lead}{noun}"))
    };
    let flags = || {
        let columns = schema
            .columns()
            .map(|(at, column)| (at, column.name.to_lowercase()));
        columns.filter(|(at, name)| says_so(name) && is_named(at.table))
    };
    (flags().next().is_some() && !flags().any(|(_, name)| sql.contains(&name))).then_some(with)
}

/// What rows are to be, right before what they are called, where SQL, in lower case, has nothing of it: `open jobs` as all job openings.
pub(in crate::question::embedded) fn state_of_rows(
    question: &str,
    sql: &str,
    snapshot: &Snapshot,
) -> Option<String> {
    const SHORT: usize = 4;
    // Without an end, or by a mark, a row may be so too.
    let otherwise = [" is null", " is not null", " = 0", " = 1", "true", "false"];
    if otherwise.iter().any(|told| sql.contains(told)) {
        return None;
    }
    let schema = &snapshot.schema;
    let asked = framing::words(question);
    let taken = Taken::by(sql, schema);
    let is_called = |table: usize, word: &str| {
        let name = words::table_words(&schema.tables[table].name);
        name.iter().any(|own| words::stem(own) == words::stem(word))
    };
    let has_name = |table: usize, word: &str| {
        let table = &schema.tables[table];
        let names = table.columns.iter().map(|column| &column.name);
        let mut own = names
            .chain([&table.name])
            .flat_map(|name| words::identifier_words(name));
        own.any(|own| own.trim_end_matches('s') == word.trim_end_matches('s'))
    };
    let at = (0..asked.len().saturating_sub(1)).find(|&at| {
        let (state, noun) = (&asked[at], &asked[at + 1]);
        let rows = taken.tables().filter(|table| is_called(*table, noun));
        let rows: Vec<usize> = rows.filter(|table| !has_name(*table, state)).collect();
        let hits = || snapshot.values.find(std::slice::from_ref(state));
        let is_one =
            |hit: &ValueHit| rows.contains(&hit.column.table) && hit.stored.eq_ignore_ascii_case(state);
        state.len() >= SHORT
            && !rows.is_empty()
            && hits().iter().any(is_one)
            && !taken.texts().any(|text| text.contains(state.as_str()))
    })?;
    Some(asked[at].clone())
}

/// `how many cars available`, where cars have a state and SQL asks for none.
pub(in crate::question::embedded) fn availability(
    question: &str,
    sql: &str,
    schema: &Schema,
) -> Option<String> {
    let asked = framing::words(question);
    let found = asked
        .iter()
        .find(|word| matches!(word.as_str(), "available" | "unavailable"))?;
    let tells = |name: &str| {
        let mut words = words::identifier_words(name).into_iter();
        words.any(|word| {
            [
                "avail", "avl", "stat", "sts", "activ", "actv", "sold", "retire", "return", "rtn", "scrap",
                "left",
            ]
            .iter()
            .any(|state| word.starts_with(state))
        })
    };
    let taken = Taken::by(sql, schema);
    // What is shown bounds nothing.
    let bounds = Taken::by(sql.split_once("where ").map_or("", |(_, bounds)| bounds), schema);
    let states = || {
        let columns = taken.tables().flat_map(|table| &schema.tables[table].columns);
        columns.filter(|column| tells(&column.name))
    };
    (states().next().is_some() && !states().any(|column| bounds.has(&column.name))).then(|| found.clone())
}

/// `bookings next month` by the day that they were made: nothing was made on a day that is still to come.
pub(in crate::question::embedded) fn made_ahead(sql: &str, today: Date) -> Option<String> {
    const MADE: [&str; 8] = [
        "created",
        "booked",
        "ordered",
        "registered",
        "placed",
        "entered",
        "added",
        "logged",
    ];
    [" >= '", " like '"].into_iter().find_map(|sign| {
        let mut bounds = sql.split(sign).zip(sql.split(sign).skip(1));
        bounds.find_map(|(before, behind)| {
            let column = before.rsplit([' ', '(', '.']).next()?.trim_matches('"');
            let first = words::identifier_words(column).into_iter().next()?;
            let day = behind.split(['%', '\'']).next()?;
            let day = match day.len() {
                4 => format!("{day}-01-01"),
                7 => format!("{day}-01"),
                _ => day.get(..10)?.to_owned(),
            };
            let from: Date = day.parse().ok()?;
            (MADE.contains(&first.as_str()) && from > today).then(|| column.to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::{Column, ColumnRef, Table};

    #[test]
    fn a_stored_state_is_no_part_of_a_name() {
        let column = |name: &str| Column {
            name: name.to_owned(),
            ..Column::default()
        };
        let schema = Schema {
            tables: vec![Table {
                name: "JobOpening".to_owned(),
                columns: vec![column("Title"), column("Status"), column("ClosedOn")],
                ..Table::default()
            }],
            ..Schema::default()
        };
        let snapshot = Snapshot {
            schema: std::sync::Arc::new(schema),
            ..Snapshot::default()
        };
        assert!(snapshot.values.insert(ColumnRef { table: 0, column: 1 }, "open"));
        for (question, sql, told) in [
            (
                "how many open jobs",
                "SELECT COUNT(*) FROM JobOpening",
                Some("open"),
            ),
            (
                "how many open jobs",
                "SELECT COUNT(*) FROM JobOpening WHERE Status = 'open'",
                None,
            ),
            (
                "how many open jobs",
                "SELECT COUNT(*) FROM JobOpening WHERE ClosedOn IS NULL",
                None,
            ),
            ("how many job openings", "SELECT COUNT(*) FROM JobOpening", None),
        ] {
            let found = state_of_rows(question, &sql.to_lowercase(), &snapshot);
            assert_eq!(found.as_deref(), told, "{question}: {sql}");
        }
    }
}
