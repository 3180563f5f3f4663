//! What somebody did: left a review, subscribed to something, sold so much; whether anyone did.

use super::{
    super::{
        super::question::{Token, TokenKind},
        persons::{buys_here, is_person},
        rewording::{is_number, said, word, written},
    },
    called, is_name, name_of, tells_when,
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::SemanticModel,
};

/// `has anyone been hired since May` as who was.
pub(super) fn anyone(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let someone = |word: &str| matches!(word, "anyone" | "anybody" | "somebody" | "someone");
    let asks = matches!(word(&tokens, 0), "has" | "did" | "does" | "is" | "was" | "have");
    if asks && someone(word(&tokens, 1)) && tokens.len() > 3 {
        let been = word(&tokens, 2) == "been";
        let past = word(&tokens, 2).ends_with("ed");
        // `hired` tells of the persons that a column says it of.
        let whose = tokens.get(3).and_then(|verb| {
            let says = |table: usize| {
                let mut columns = schema.tables[table].columns.iter();
                columns.any(|column| {
                    let name = words::identifier_words(&column.name);
                    name.first().is_some_and(|first| words::stem(first) == verb.stem)
                })
            };
            let persons = |table: &usize| !schema.tables[*table].is_view && is_person(schema, *table);
            (0..schema.tables.len())
                .filter(persons)
                .find(|&table| says(table))
        });
        if let (true, Some(whose)) = (been, whose) {
            let name = name_of(schema, whose, &tokens[0]);
            tokens.splice(..3, name);
        } else if been {
            let who = written(&["who", "was"], &tokens[0]);
            tokens.splice(..3, who);
        } else if past {
            let who = said("who", &tokens[0]);
            tokens.splice(..2, [who]);
        }
    }
    tokens
}

/// `who left a bad review` as the customers with one, where reviews are what customers have.
pub(super) fn left_one(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let gives = |word: &str| {
        matches!(
            word,
            "left"
                | "leave"
                | "leaves"
                | "gave"
                | "wrote"
                | "write"
                | "writes"
                | "posted"
                | "submitted"
                | "filed"
        )
    };
    let found = (0..tokens.len()).find_map(|at| {
        let verb = at + 1 + usize::from(matches!(word(&tokens, at + 1), "has" | "have"));
        let who = matches!(word(&tokens, at), "who" | "that");
        let article = matches!(
            word(&tokens, verb + 1),
            "a" | "an" | "any" | "some" | "only" | "at"
        ) || tokens
            .get(verb + 1)
            .is_some_and(|next| matches!(next.kind, TokenKind::Number(_)) || called(schema, next).is_some());
        if !who || !gives(word(&tokens, verb)) || !article {
            return None;
        }
        let event = (verb + 1..tokens.len().min(verb + 7)).find_map(|noun| called(schema, &tokens[noun]))?;
        let mut doers = schema
            .foreign_keys
            .iter()
            .filter(|key| key.from[0].table == event && is_person(schema, key.to[0].table));
        let doer = doers.next()?.to[0].table;
        doers.next().is_none().then_some((at, verb, doer))
    });
    let Some((at, verb, doer)) = found else {
        return tokens;
    };
    let article = usize::from(matches!(word(&tokens, verb + 1), "a" | "an" | "any" | "some"));
    let mut with = Vec::new();
    if at == 0 || called(schema, &tokens[at - 1]) != Some(doer) {
        with = name_of(schema, doer, &tokens[at]);
    }
    with.push(said("with", &tokens[at]));
    tokens.splice(at..=verb + article, with);
    tokens
}

/// `who have returned three or more items` as with so many returns, where that is what happens.
pub(super) fn so_many(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let who = matches!(word(&tokens, at), "who" | "that");
        let verb = at + 1 + usize::from(matches!(word(&tokens, at + 1), "have" | "has" | "had"));
        let event = tokens
            .get(verb)
            .filter(|verb| who && verb.word.ends_with("ed") && !verb.word.starts_with("order"))
            .and_then(|verb| called(schema, verb))?;
        let compared = match (word(&tokens, verb + 1), word(&tokens, verb + 2)) {
            ("at", "least" | "most") | ("more" | "fewer" | "less", "than") => 2,
            ("over", _) => 1,
            _ => 0,
        };
        let number = verb + 1 + compared;
        let beyond = match (word(&tokens, number + 1), word(&tokens, number + 2)) {
            ("or", "more" | "less" | "fewer") => 2,
            _ => 0,
        };
        let things = number + 1 + beyond;
        let of_things = matches!(
            word(&tokens, things),
            "items" | "things" | "products" | "articles" | "pieces" | "times"
        );
        (of_things && is_number(tokens.get(number)?)).then_some((at, verb, things, event))
    });
    if let Some((at, verb, things, event)) = found {
        let name = name_of(schema, event, &tokens[things]);
        tokens.splice(things..=things, name);
        let with = said("with", &tokens[at]);
        tokens.splice(at..=verb, [with]);
    }
    tokens
}

/// `newsletter subscribers` as the customers with it, where only a column says who has subscribed.
pub(super) fn subscribers(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        matches!(
            word(&tokens, at),
            "subscriber" | "subscribers" | "recipients" | "readers"
        ) && called(schema, &tokens[at]).is_none()
    });
    let Some(at) = found else { return tokens };
    let mut flags = schema.columns().filter(|(place, column)| {
        let name = words::identifier_words(&column.name);
        let said = name.iter().any(|word| words::stem(word) == tokens[at - 1].stem);
        said && is_person(schema, place.table) && !schema.tables[place.table].is_view
    });
    let (Some((place, _)), None) = (flags.next(), flags.next()) else {
        return tokens;
    };
    let names_buyers = words::identifier_words(&schema.tables[place.table].name);
    if !names_buyers.iter().any(|word| buys_here(word)) {
        return tokens;
    }
    let mut with = name_of(schema, place.table, &tokens[at]);
    with.push(said("with", &tokens[at]));
    with.push(tokens[at - 1].clone());
    tokens.splice(at - 1..=at, with);
    tokens
}

/// `how much did Hill Street sell in May` as the revenue of it, where it is the name of no goods.
pub(super) fn sold_there(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let asks = match (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)) {
        ("how", "much", "did" | "does" | "has") => 3,
        ("how", "much", "money" | "revenue") if matches!(word(&tokens, 3), "did" | "does" | "has") => 4,
        ("what", "did" | "does" | "has", _) => 2,
        _ => return tokens,
    };
    let from = asks + usize::from(matches!(word(&tokens, asks), "the" | "our"));
    let verb = (from + 1..tokens.len().min(from + 7)).find(|&at| {
        matches!(
            word(&tokens, at),
            "sell" | "sold" | "make" | "made" | "take" | "taken" | "earn" | "earned"
        )
    });
    let Some(verb) = verb.filter(|_| is_name(&tokens, from)) else {
        return tokens;
    };
    let over = verb + 1 == tokens.len()
        || tells_when(&tokens[verb + 1])
        || matches!(
            word(&tokens, verb + 1),
            "in" | "on" | "between" | "from" | "during" | "?"
        );
    let end = from
        + tokens[from..verb]
            .iter()
            .take_while(|token| token.capital || matches!(token.kind, TokenKind::Quoted(_)))
            .count();
    let text: Vec<&str> = tokens[from..end]
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    let hits = snapshot.values.find(&words::text_words(&text.join(" ")));
    let goods = super::goods::goods(&snapshot.schema, model);
    let of_goods = hits.iter().any(|hit| Some(hit.column.table) == goods);
    let persons = hits
        .iter()
        .any(|hit| is_person(&snapshot.schema, hit.column.table));
    if !over || hits.is_empty() || of_goods || persons {
        return tokens;
    }
    let mut asked = written(&["revenue", "of"], &tokens[0]);
    asked.extend_from_slice(&tokens[from..verb]);
    asked.extend_from_slice(&tokens[verb + 1..]);
    asked
}

/// `what do we pay in salaries a year` as the total of them, `who work here today` as the current staff.
pub(super) fn pay_for(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let led = match (word(&tokens, 0), word(&tokens, 1)) {
        ("how", "much") => 2,
        ("what", _) => 1,
        _ => return tokens,
    };
    let pays = matches!(word(&tokens, led), "do" | "did" | "are")
        && word(&tokens, led + 1) == "we"
        && matches!(word(&tokens, led + 2), "pay" | "paying" | "spend" | "spending")
        && matches!(word(&tokens, led + 3), "in" | "on" | "for");
    let noun = led + 4;
    let column = tokens.get(noun).filter(|_| pays).and_then(|said| {
        let mut columns = schema.columns();
        columns.find(|(at, column)| {
            let name = words::identifier_words(&column.name);
            let own = name.len() == 1 && words::stem(&name[0]) == said.stem;
            own && column.kind.is_numeric() && !schema.tables[at.table].is_view
        })
    });
    let Some((at, _)) = column else { return tokens };
    // A wage is kept for a year or a month by itself.
    let each = match (word(&tokens, noun + 1), word(&tokens, noun + 2)) {
        ("a" | "per" | "each" | "every", "year" | "month") => 2,
        _ => 0,
    };
    let mut asked = written(&["total"], &tokens[0]);
    asked.push(tokens[noun].clone());
    let rest = noun + 1 + each;
    let for_whom = matches!(word(&tokens, rest), "for" | "to");
    let here = (rest..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "work" | "working" | "works")
            && matches!(word(&tokens, at + 1), "here" | "for" | "with")
            && matches!(
                tokens.last().map(|last| last.word.as_str()),
                Some("today" | "now" | "currently" | "here" | "us")
            )
    });
    if for_whom && here.is_some() && is_person(schema, at.table) {
        asked.extend(written(&["of", "current"], &tokens[0]));
        asked.extend(name_of(schema, at.table, &tokens[0]));
        return asked;
    }
    tokens.drain(..rest);
    asked.extend(tokens);
    asked
}
