//! What SQL passes over that the columns of the database tell: a flag that a question means, and a day on which nothing can have
//! been made yet.

use jiff::civil::Date;

use crate::question::{
    embedded::{framing, taken::Taken},
    schema::{Schema, words},
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
