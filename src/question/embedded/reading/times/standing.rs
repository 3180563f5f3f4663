//! What holds now, and for how long it has: `on the payroll today`, `still open after more than a week`, `whose birthday is today`.

use jiff::{ToSpan, civil::Date};

use super::{
    super::{
        super::question::{Token, TokenKind},
        implied::is_birth,
        persons::is_person,
        rewording::{said, word, written},
    },
    aged::{is_length, older, so_old},
    day, names_table,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The question with what holds now in the words for it.
pub(super) fn in_force(
    tokens: Vec<Token>,
    today: Date,
    schema: &Schema,
    model: &SemanticModel,
) -> Vec<Token> {
    let tokens = birthday(tokens, schema);
    let tokens = ago(
        older(open_for(so_old(tokens, schema, model)), schema, model),
        today,
    );
    standing(now(tokens), schema, model)
}

/// Other words for `currently`.
const NOW: [&[&str]; 10] = [
    &["these", "days"],
    &["at", "present"],
    &["as", "of", "today"],
    &["as", "of", "now"],
    &["as", "things", "stand"],
    &["at", "this", "moment"],
    &["just", "now"],
    &["nowadays"],
    &["presently"],
    &["at", "the", "minute"],
];

/// `these days` as currently.
fn now(mut tokens: Vec<Token>) -> Vec<Token> {
    for phrase in NOW {
        let says = |at: &usize| (0..phrase.len()).all(|next| word(&tokens, at + next) == phrase[next]);
        if let Some(at) = (0..tokens.len()).find(says) {
            let currently = said("currently", &tokens[at]);
            tokens.splice(at..at + phrase.len(), [currently]);
        }
    }
    tokens
}

/// `on the payroll today`, `what is our MRR today`: what stands so now, and did not happen today.
fn standing(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let Some(at) = tokens.iter().position(|token| token.word == "today") else {
        return tokens;
    };
    let on_the = at >= 3
        && word(&tokens, at - 3) == "on"
        && matches!(
            word(&tokens, at - 1),
            "payroll" | "staff" | "books" | "board" | "market" | "plan"
        );
    let keeps_on = |word: &str| {
        matches!(
            word,
            "paying"
                | "charging"
                | "using"
                | "employing"
                | "earning"
                | "owning"
                | "renting"
                | "offering"
                | "employed"
                | "working"
        )
    };
    let is = |word: &str| matches!(word, "is" | "are" | "am" | "'s" | "being");
    let lasting = (1..at).any(|at| {
        keeps_on(word(&tokens, at)) && (at.saturating_sub(2)..at).any(|before| is(word(&tokens, before)))
    });
    // `how many members do we have today`
    let have = at > 0 && matches!(word(&tokens, at - 1), "have" | "employ" | "own" | "offer");
    let things = |tokens: &[Token]| {
        (0..schema.tables.len()).any(|table| {
            names_table(tokens, schema, table) && model.datasets[table].role == DatasetRole::Event
        })
    };
    // `what is our MRR today`: a figure of no event.
    let asks = matches!(word(&tokens, 0), "what" | "what's" | "whats" | "how");
    let ours = (1..at).find(|&at| matches!(word(&tokens, at), "our" | "the"));
    let figure = asks
        && at + 1 >= tokens.len()
        && (1..at).any(|at| is(word(&tokens, at)))
        && ours.is_some_and(|ours| {
            let named = &tokens[ours + 1..at];
            let comes_in = |token: &Token| {
                matches!(
                    token.word.as_str(),
                    "revenue" | "turnover" | "sales" | "takings" | "income" | "profit" | "total" | "number"
                )
            };
            !named.is_empty() && !named.iter().any(comes_in) && !things(named)
        });
    let headcount = at > 0 && matches!(word(&tokens, at - 1), "headcount" | "headcounts");
    if on_the || headcount || lasting || have && !things(&tokens[..at]) || figure {
        tokens[at] = said("currently", &tokens[at]);
    }
    tokens
}

/// True for a word that says that something is not over.
fn is_open(word: &str) -> bool {
    matches!(
        word,
        "open"
            | "pending"
            | "unpaid"
            | "waiting"
            | "unresolved"
            | "unsolved"
            | "unshipped"
            | "undelivered"
            | "unanswered"
            | "unassigned"
            | "unfinished"
            | "outstanding"
            | "overdue"
            | "progress"
            | "active"
            | "new"
    )
}

/// Where a length of time is told from here on: `more than a week`, with where it ends.
fn length(tokens: &[Token], at: usize) -> Option<(bool, usize, usize)> {
    let (more, number) = match (word(tokens, at), word(tokens, at + 1)) {
        ("more" | "longer", "than") | ("at", "least") => (true, at + 2),
        ("over", _) => (true, at + 1),
        ("less" | "fewer", "than") => (false, at + 2),
        ("under", _) => (false, at + 1),
        _ => return None,
    };
    let counts = matches!(
        tokens.get(number)?.kind,
        TokenKind::Number(_) | TokenKind::Word(Some(_))
    ) || matches!(word(tokens, number), "a" | "an");
    (counts && is_length(word(tokens, number + 1))).then_some((more, number, number + 2))
}

/// `still pending after more than a week` as older than that.
fn open_for(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let led = usize::from(matches!(word(&tokens, at), "for" | "after" | "since"));
        let (more, number, end) = length(&tokens, at + led)?;
        let is_late = matches!(word(&tokens, at - 1), "overdue" | "late");
        let open = !is_late && is_open(word(&tokens, at - 1));
        (more && open && word(&tokens, end) != "ago" && word(&tokens, end) != "old").then_some((at, number))
    });
    let Some((at, number)) = found else { return tokens };
    let older = written(&["older", "than"], &tokens[at]);
    tokens.splice(at..number, older);
    let number = at + 2;
    if matches!(word(&tokens, number), "a" | "an") {
        tokens[number] = Token {
            kind: TokenKind::Number("1".to_owned()),
            ..said("1", &tokens[number])
        };
    }
    tokens
}

/// `more than 10 days ago` as before that day.
fn ago(mut tokens: Vec<Token>, today: Date) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let (more, number, end) = length(&tokens, at)?;
        (word(&tokens, end) == "ago").then_some((at, more, number, end))
    });
    let Some((at, more, number, end)) = found else {
        return tokens;
    };
    let count = match &tokens[number].kind {
        TokenKind::Number(number) => number.parse().ok(),
        TokenKind::Word(Some(number)) => i64::try_from(*number).ok(),
        _ => Some(1),
    };
    let days = match word(&tokens, number + 1).trim_end_matches('s') {
        "day" => 1,
        "week" => 7,
        "month" => 30,
        "year" => 365,
        _ => return tokens,
    };
    let since = count
        .filter(|count| (1..1000).contains(count))
        .and_then(|count| today.checked_sub((count * days).days()).ok());
    if let Some(since) = since {
        let led = said(if more { "before" } else { "since" }, &tokens[at]);
        let since = day(since, &tokens[at]);
        tokens.splice(at..=end, [led, since]);
    }
    tokens
}

/// `whose birthday is today` as the persons with that birthday.
fn birthday(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let asks = matches!(
        (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)),
        ("whose", "birthday" | "birthdays", "is" | "are")
            | ("who", "has", "birthday")
            | ("whose", "birthday", "falls")
    ) || word(&tokens, 0) == "who"
        && matches!(word(&tokens, 1), "has" | "have")
        && word(&tokens, 3) == "birthday";
    let born = |table: usize| {
        let mut columns = schema.tables[table].columns.iter();
        columns.any(|column| is_birth(&column.name))
    };
    let persons: Vec<usize> = (0..schema.tables.len())
        .filter(|&table| is_person(schema, table) && born(table))
        .collect();
    let said_of = persons.iter().find(|table| names_table(&tokens, schema, **table));
    let (true, Some(table)) = (asks, said_of.or(persons.first().filter(|_| persons.len() == 1))) else {
        return tokens;
    };
    let name = words::table_words(&schema.tables[*table].name);
    let asked: Vec<&str> = (name.iter().map(String::as_str))
        .chain(["with", "birthday"])
        .collect();
    let is = (1..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "is" | "are" | "falls" | "birthday")
            && word(&tokens, at + 1) != "is"
            && word(&tokens, at + 1) != "are"
            && word(&tokens, at + 1) != "falls"
    });
    let Some(is) = is else { return tokens };
    let mut told = written(&asked, &tokens[0]);
    // What follows says why it is asked.
    let why = |at: &usize| matches!(word(&tokens, *at), "i" | "we" | "so" | "because");
    let end = (is + 1..tokens.len()).find(why).unwrap_or(tokens.len());
    told.extend_from_slice(&tokens[is + 1..end]);
    told
}
