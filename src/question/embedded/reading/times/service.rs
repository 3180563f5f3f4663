//! For how long somebody has been there: `how long has Ann Lee been with us`, `who will have been with us five years in June`.

use jiff::civil::Date;

use super::{
    super::{
        super::question::{Token, TokenKind},
        persons::{is_person, works_here},
        rewording::{said, word, written},
    },
    column_words, names_table,
    sides::{bare_month, month, number, relative_year, year},
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::SemanticModel,
};

/// The question by the day on which they came.
pub(super) fn in_service(
    tokens: Vec<Token>,
    today: Date,
    schema: &Schema,
    model: &SemanticModel,
) -> Vec<Token> {
    let tokens = since_when(tokens, schema, model);
    jubilees(tokens, today, schema, model)
}

/// `how long has Ann Lee been with us` as the day on which she came.
fn since_when(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let asks = matches!(
        (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)),
        ("how", "long", "has" | "have") | ("since", "when", "has" | "have" | "is")
    );
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.capital);
    let verb =
        (3..tokens.len()).find(|&at| matches!(word(&tokens, at), "been" | "worked" | "with" | "working"));
    let (Some(verb), true) = (verb.filter(|_| is_name(3)), asks) else {
        return tokens;
    };
    let rest: Vec<&str> = tokens[verb + 1..]
        .iter()
        .map(|token| token.word.as_str())
        .collect();
    let came = match rest.last() {
        Some(&("us" | "here" | "employed" | "company" | "firm")) => came(&tokens[..0], schema, model),
        // `been a customer`: whoever is called so.
        Some(_) if rest.len() > 1 => came(&tokens[tokens.len() - 1..], schema, model),
        _ => None,
    };
    let Some(came) = came else { return tokens };
    let mut asked = written(&["when", "was"], &tokens[0]);
    asked.extend_from_slice(&tokens[3..verb]);
    asked.extend(column_words(came, schema, &tokens[0]));
    asked
}

/// When persons came: those who are named, or whoever works here.
fn came(named: &[Token], schema: &Schema, model: &SemanticModel) -> Option<ColumnRef> {
    let table = (0..schema.tables.len()).find(|&table| {
        let described = &schema.tables[table];
        let called = match named {
            [] => works_here(&described.name),
            _ => names_table(named, schema, table),
        };
        called && is_person(schema, table) && !described.is_view
    })?;
    let column = model.datasets[table].time?;
    Some(ColumnRef { table, column })
}

/// `staff who will have been with us five years this December` as those who came in that of five years before.
fn jubilees(tokens: Vec<Token>, today: Date, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let next = |by: usize| word(&tokens, at + by);
        matches!(
            (next(0), next(1), next(2)),
            ("will", "have", "been" | "worked" | "served" | "completed")
        ) || matches!(
            next(0),
            "celebrate" | "celebrates" | "complete" | "reach" | "reaches"
        )
    });
    let years = found.and_then(|found| {
        let years = (found + 1..tokens.len()).find(|&at| matches!(word(&tokens, at), "year" | "years"))?;
        let number = match &tokens[years - 1].kind {
            TokenKind::Number(number) => number.parse::<u8>().ok()?,
            TokenKind::Word(Some(number)) => u8::try_from(*number).ok()?,
            _ => return None,
        };
        Some((found, years, i16::from(number)))
    });
    let Some((found, years, number_of)) = years else {
        return tokens;
    };
    let since = (years + 1..tokens.len()).find_map(|at| {
        if let Some(named) = bare_month(&tokens, at) {
            // The one that is still to come.
            let passed = named < today.month() && word(&tokens, at - 1) != "this";
            return Some(month(
                today.year() + i16::from(passed) - number_of,
                named,
                &tokens[at],
            ));
        }
        if let TokenKind::Month(named) = &tokens[at].kind {
            let (of, named) = named.split_once('-')?;
            return Some(month(
                of.parse::<i16>().ok()? - number_of,
                named.parse().ok()?,
                &tokens[at],
            ));
        }
        if word(&tokens, at) == "next" && word(&tokens, at + 1) == "year" {
            return Some(number(today.year() + 1 - number_of, &tokens[at]));
        }
        let of = relative_year(&tokens, at).or_else(|| year(&tokens, at))?;
        Some(number(of - number_of, &tokens[at]))
    });
    let Some(came) = came(&[], schema, model) else {
        return tokens;
    };
    let Some(since) = since else { return tokens };
    let asks = |token: &&Token| {
        !matches!(
            token.word.as_str(),
            "who" | "that" | "which" | "list" | "show" | "me" | "all" | "the" | "our" | "of"
        )
    };
    let mut whom: Vec<Token> = tokens[..found].iter().filter(asks).cloned().collect();
    if whom.is_empty() {
        whom = written(&words::table_words(&schema.tables[came.table].name), &tokens[0]);
    }
    let time = column_words(came, schema, &tokens[0]);
    let mut asked = written(&["name", "and"], &tokens[0]);
    asked.extend(time.iter().cloned());
    asked.push(said("of", &tokens[0]));
    if model.datasets[came.table].end.is_some() {
        asked.push(said("current", &tokens[0]));
    }
    asked.extend(whom);
    asked.extend(time);
    asked.extend([said("in", &tokens[0]), since]);
    asked
}
