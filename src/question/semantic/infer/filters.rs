//! Conditions that have a name: what has come to an end and what has not, flags, and what codes stand for.

use super::{
    Evidence,
    datasets::is_day,
    fields::says_state,
    in_and_out,
    lexicon::{END, PAID, PLANNED, stems, words_of},
};
use crate::question::{
    lexicon::{self, is_verb},
    schema::{ColumnRef, words},
    semantic::{
        Attribute, Comparison, Condition, Dataset, DatasetRole, Field, FieldRole, Grain, NamedFilter,
        Operand, Provenance, Scalar, Wording, heading,
    },
};

/// Values of a column of states at most.
const MOST_STATES: usize = 12;

/// The named filters of one table, each name once: what its codes stand for comes first.
pub(super) fn filters(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Vec<NamedFilter> {
    let mut found: Vec<NamedFilter> = Vec::new();
    let mut add = |name: String, condition| {
        if !name.is_empty() && found.iter().all(|known| known.name != name) {
            found.push(NamedFilter {
                name,
                dataset: table,
                condition,
                wording: Wording::default(),
                source: Provenance::Inferred,
            });
        }
    };
    for (column, field) in dataset.fields.iter().enumerate() {
        let numeric = of.schema.column(ColumnRef { table, column }).kind.is_numeric();
        for (code, label) in &field.labels {
            let code = if numeric {
                Operand::Number(code.clone())
            } else {
                Operand::Text(code.clone())
            };
            let value = Scalar::Column(Attribute::own(column));
            add(
                heading(label).to_lowercase(),
                Condition::Compare(value, Comparison::Equal, code),
            );
        }
    }
    for (column, field) in dataset.fields.iter().enumerate() {
        let at = ColumnRef { table, column };
        let numeric = of.schema.column(at).kind.is_numeric();
        for (name, codes) in said_in_common(of, at, field) {
            let code = |code: String| {
                if numeric {
                    Operand::Number(code)
                } else {
                    Operand::Text(code)
                }
            };
            let codes = codes.into_iter().map(code).collect();
            add(name, Condition::In(Scalar::Column(Attribute::own(column)), codes));
        }
    }
    if let Some((done, due)) = done_and_due(of, table, dataset) {
        let day = |column| Scalar::Period(Attribute::own(column), Grain::Day);
        let compared = |comparison| Condition::Compare(day(done), comparison, Operand::Scalar(day(due)));
        add("late".to_owned(), compared(Comparison::Greater));
        add("on time".to_owned(), compared(Comparison::AtMost));
    }
    for (column, field) in dataset.fields.iter().enumerate() {
        let at = ColumnRef { table, column };
        let name = &of.schema.column(at).name;
        match field.role {
            FieldRole::Flag(_) => add(flag_words(name), Condition::Flag(Attribute::own(column), true)),
            FieldRole::Time | FieldRole::Reference
                if is_day(of, table, &dataset.fields, column)
                    && (has_ends(of, at) || dataset.end == Some(column) && has_some(of, at)) =>
            {
                let missing = Condition::Missing(Attribute::own(column));
                let comes_back = in_and_out::comes_back(of, (table, column), dataset.time);
                let name = if comes_back { "returned" } else { name };
                if let Some(participle) = participle(name) {
                    add(format!("un{participle}"), missing.clone());
                }
                add(ended(name), Condition::Not(Box::new(missing)));
                if dataset.end == Some(column) || dataset.role == DatasetRole::Entity {
                    add("active".to_owned(), Condition::Missing(Attribute::own(column)));
                    add("open".to_owned(), Condition::Missing(Attribute::own(column)));
                }
            }
            FieldRole::Measure(_) if says_stock(name) || says_state(&stems(name)) => {
                let stock = Scalar::Column(Attribute::own(column));
                let none = Operand::Number("0".to_owned());
                if says_stock(name) {
                    let out = Condition::Compare(stock.clone(), Comparison::AtMost, none.clone());
                    add("out of stock".to_owned(), out);
                }
                let there = if says_stock(name) {
                    "in stock".to_owned()
                } else {
                    words_of(name)
                };
                add(there, Condition::Compare(stock, Comparison::Greater, none));
            }
            FieldRole::Time if has_some(of, at) => {
                if let Some(participle) = participle(name) {
                    let missing = Condition::Missing(Attribute::own(column));
                    add(format!("un{participle}"), missing.clone());
                    add(participle, Condition::Not(Box::new(missing)));
                }
            }
            _ => {}
        }
    }
    for (column, field) in dataset.fields.iter().enumerate() {
        let at = ColumnRef { table, column };
        let is_event_of_row = field.role != FieldRole::Time && !matches!(field.role, FieldRole::Measure(_));
        if is_event_of_row
            && has_some(of, at)
            && of.column(at).is_some_and(|profile| profile.missing() > 0.1)
            && let Some(participle) = implied(&of.schema.column(at).name)
        {
            let missing = Condition::Missing(Attribute::own(column));
            add(format!("un{participle}"), missing.clone());
            add(participle, Condition::Not(Box::new(missing)));
        }
        if has_some(of, at)
            && let Some(comment) = &of.schema.column(at).comment
            && let Some((name, is_missing)) = told_of_missing(comment)
        {
            let missing = Condition::Missing(Attribute::own(column));
            let there = || Condition::Not(Box::new(missing.clone()));
            add(name, if is_missing { missing.clone() } else { there() });
        }
    }
    found
}

/// What states begin with that go on to say how it came to that, with the codes of all of them: `cancelled` for `cancelled by
/// patient` and `cancelled by office`.
fn said_in_common(of: &Evidence<'_>, at: ColumnRef, field: &Field) -> Vec<(String, Vec<String>)> {
    const GOES_ON: [&str; 10] = [
        "after", "at", "before", "by", "for", "from", "in", "on", "to", "without",
    ];
    let stored = of.column(at).map_or(&[][..], |profile| &profile.frequent);
    let is_state = matches!(field.role, FieldRole::Code | FieldRole::Dimension);
    let states: Vec<(&str, &str)> = if field.labels.is_empty() && is_state && stored.len() <= MOST_STATES {
        stored
            .iter()
            .map(|(value, _)| (value.as_str(), value.as_str()))
            .collect()
    } else {
        field
            .labels
            .iter()
            .map(|(code, label)| (code.as_str(), heading(label)))
            .collect()
    };
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (code, state) in &states {
        let words: Vec<String> = state
            .to_lowercase()
            .split(|sign: char| !sign.is_alphanumeric())
            .map(str::to_owned)
            .collect();
        let [first, second, _, ..] = &words[..] else {
            continue;
        };
        if !GOES_ON.contains(&second.as_str())
            || states.iter().any(|(_, other)| other.eq_ignore_ascii_case(first))
        {
            continue;
        }
        match found.iter_mut().find(|(name, _)| name == first) {
            Some((_, codes)) => codes.push((*code).to_owned()),
            None => found.push((first.clone(), vec![(*code).to_owned()])),
        }
    }
    found
}

/// What a comment says a missing value means, and whether it is so where the value is missing or where it is there: `online`
/// of `NULL if online`, `arrived` of `NULL until it has arrived`.
fn told_of_missing(comment: &str) -> Option<(String, bool)> {
    let comment = comment.to_lowercase();
    let clause = comment.split([',', ';', '.', '(', ')']).find_map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let at = words
            .iter()
            .position(|word| matches!(*word, "null" | "empty" | "blank"))?;
        Some(words[at + 1..].to_vec())
    })?;
    let (connects, said) = clause.split_first()?;
    let is_missing = match *connects {
        "if" | "when" | "where" | "while" | "in" | "for" | "at" | "means" | "=" | "as" => true,
        "until" => false,
        _ => return None,
    };
    let leads = |word: &&&str| {
        matches!(
            **word,
            "the"
                | "a"
                | "an"
                | "it"
                | "is"
                | "has"
                | "was"
                | "been"
                | "still"
                | "long"
                | "as"
                | "they"
                | "are"
        )
    };
    let said: Vec<&str> = said.iter().skip_while(leads).copied().collect();
    let (said, is_missing) = match said.split_first() {
        Some((&("not" | "never"), said)) => (said.to_vec(), !is_missing),
        _ => (said, is_missing),
    };
    let says_something = |word: &&str| {
        word.len() > 3
            && word.chars().all(|sign| sign.is_alphabetic() || sign == '-')
            && !matches!(
                *word,
                "known"
                    | "unknown"
                    | "given"
                    | "told"
                    | "none"
                    | "applicable"
                    | "available"
                    | "missing"
                    | "recorded"
                    | "stated"
                    | "asked"
            )
    };
    ((1..=2).contains(&said.len()) && said.iter().all(says_something))
        .then(|| (said.join(" ").replace('-', " "), is_missing))
}

/// What has happened to a row that says why or by whom: `rejected` of `reject_reason`, `referred` of `referred_by`.
fn implied(name: &str) -> Option<String> {
    let words = words::identifier_words(name);
    let at = words
        .iter()
        .position(|word| matches!(word.as_str(), "reason" | "rsn" | "by"))?;
    let said = words[..at].last()?;
    let participle = if matches!(words[at].as_str(), "by") {
        Some(said.clone()).filter(|word| word.ends_with("ed") || word.ends_with("en") || word.ends_with("ld"))
    } else {
        past(said)
    };
    participle.filter(|word| word.len() > 3)
}

/// The participle of a verb, or of the noun made from it: `rejected` of `reject` and of `rejection`.
fn past(word: &str) -> Option<String> {
    if word.ends_with("ed") {
        return Some(word.to_owned());
    }
    let verb = if is_verb(word) && !word.ends_with("ion") {
        word
    } else {
        lexicon::derived(word)
            .find(|other| is_verb(other) && word.starts_with(&other[..other.len().min(4)]))?
    };
    Some(match verb.strip_suffix('e') {
        Some(_) => format!("{verb}d"),
        None => format!("{verb}ed"),
    })
}

/// The time at which a row is done, and the one at which it had to be: of `due_on` and `paid_on`, of `sched_dlv_dt` and `dlv_dt`.
fn done_and_due(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Option<(usize, usize)> {
    let columns = dataset.fields.iter().enumerate();
    let times: Vec<(usize, Vec<String>)> = columns
        .filter(|(_, field)| field.role == FieldRole::Time)
        .map(|(column, _)| (column, stems(&of.schema.column(ColumnRef { table, column }).name)))
        .collect();
    let is_done = |name: &[String]| (END.any(name) || PAID.any(name)) && !PLANNED.any(name);
    let is_due = |word: &String| matches!(word.as_str(), "due" | "promis" | "deadlin");
    let find = |wanted: &dyn Fn(&[String]) -> bool| times.iter().find(|(_, name)| wanted(name));
    // What is received is done then, too, and so is what was sent by the day that it was wanted.
    let moves = |words: &'static [&'static str]| {
        let mut times = times.iter();
        times.find(|(column, name)| {
            let moves = name.iter().any(|word| words.contains(&word.as_str()));
            moves && !PLANNED.any(name) && dataset.time != Some(*column)
        })
    };
    if let Some((due, _)) = find(&|name| name.iter().any(is_due)) {
        let ended = || {
            times
                .iter()
                .find(|(column, _)| dataset.end == Some(*column) && *column != *due)
        };
        let done = find(&is_done).or_else(|| moves(&ARRIVES)).or_else(ended);
        return done.map(|(done, _)| (*done, *due));
    }
    times
        .iter()
        .filter(|(_, name)| PLANNED.any(name))
        .find_map(|(due, planned)| {
            let (done, _) = find(&|name| is_done(name) && says_the_same(name, planned))?;
            Some((*done, *due))
        })
        .or_else(|| {
            // By the day that it was asked for.
            let (due, _) = times.iter().find(|(column, name)| {
                let wanted = |word: &String| matches!(word.as_str(), "request" | "requir" | "req" | "eta");
                let is_day = name
                    .iter()
                    .any(|word| matches!(word.as_str(), "date" | "dt" | "day"));
                name.iter().any(wanted) && is_day && dataset.time.is_some_and(|time| time != *column)
            })?;
            let arrived = find(&is_done).or_else(|| moves(&ARRIVES));
            let (done, _) = arrived.or_else(|| moves(&LEAVES))?;
            (done != due).then_some((*done, *due))
        })
}

/// Words of times at which something has come in, and at which it has gone out.
const ARRIVES: [&str; 8] = [
    "receiv", "recv", "rcv", "arr", "arriv", "deliv", "deliveri", "dlv",
];
const LEAVES: [&str; 5] = ["ship", "shp", "shipment", "dispatch", "sent"];

/// True where a word of one name is one of the other, or made from the same root: `delivered` and `expected_delivery`.
fn says_the_same(one: &[String], other: &[String]) -> bool {
    let says_more = |word: &&String| word.len() >= 3 && !matches!(word.as_str(), "date" | "time" | "day");
    one.iter().filter(says_more).any(|word| {
        other.iter().filter(says_more).any(|known| {
            let alike = word
                .chars()
                .zip(known.chars())
                .take_while(|(one, other)| one == other);
            word == known || alike.count() >= 5
        })
    })
}

/// `is_active` says `active`, `newsletter_flag` says `newsletter`.
fn flag_words(name: &str) -> String {
    let only_says_so = |word: &str| {
        matches!(
            word,
            "is" | "has" | "can" | "was" | "flag" | "flg" | "ind" | "indicator" | "yn" | "does" | "allows"
        )
    };
    let said = words_of(name);
    let left: Vec<&str> = said
        .split(' ')
        .filter(|word| !only_says_so(word))
        .map(|word| in_full(word).unwrap_or(word))
        .collect();
    left.join(" ")
}

/// True for a time of ends that some rows have and others have not.
fn has_ends(of: &Evidence<'_>, at: ColumnRef) -> bool {
    let name = stems(&of.schema.column(at).name);
    END.any(&name) && !PLANNED.any(&name) && has_some(of, at)
}

/// True for the name of a column that says how many are there.
fn says_stock(name: &str) -> bool {
    stems(name)
        .iter()
        .any(|word| matches!(word.as_str(), "stock" | "onhand" | "inventori"))
}

/// True for a column that some rows have a value in and others have not.
fn has_some(of: &Evidence<'_>, at: ColumnRef) -> bool {
    of.column(at).is_some_and(|profile| {
        let number = u64::from(profile.number_for_none().is_some());
        profile.nulls + profile.blanks + number > 0 && profile.distinct > number
    })
}

/// The participle in a column's name: `paid` of `paid_on`.
fn participle(name: &str) -> Option<String> {
    let irregular = |word: &str| {
        matches!(
            word,
            "paid"
                | "sent"
                | "sold"
                | "lost"
                | "done"
                | "held"
                | "withdrawn"
                | "taken"
                | "given"
                | "read"
                | "seen"
                | "met"
        )
    };
    let words = words::identifier_words(name);
    words
        .into_iter()
        .map(|word| in_full(&word).map_or(word, str::to_owned))
        .find(|word| irregular(word) || word.len() > 4 && word.ends_with("ed"))
}

/// What short forms of ends stand for.
fn in_full(word: &str) -> Option<&'static str> {
    Some(match word {
        "cls" | "clsd" | "clo" => "closed",
        "term" => "terminated",
        "scrap" => "scrapped",
        "sld" => "sold",
        "ret" => "retired",
        "rmv" => "removed",
        "rtn" | "rtrn" => "returned",
        "dlv" | "dlvd" => "delivered",
        "cmpl" => "completed",
        "canc" | "cncl" => "cancelled",
        "actv" | "actve" => "active",
        "avl" | "avail" => "available",
        "disc" | "discont" | "dscntd" => "discontinued",
        "del" | "dltd" => "deleted",
        _ => return None,
    })
}

/// What has happened to a row that has this time: `cancelled` of `cancelled_on`.
fn ended(name: &str) -> String {
    let participle = participle(name).filter(|word| END.has(&words::stem(word)));
    participle.unwrap_or_else(|| "ended".to_owned())
}
