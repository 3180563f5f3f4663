//! Everyday turns of phrase, in the words that the readings understand.

use super::{
    super::question::{Token, TokenKind},
    money::amount_column,
    persons::{is_person, works_here},
    rewording::{said, word},
};
use crate::question::{
    schema::{ForeignKey, Schema, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The question without such turns.
pub(super) fn turned(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let tokens = time_spent(not_sold(left_out(tokens), schema), schema);
    let tokens = reordered(parts_of(tokens, schema), schema);
    let tokens = new_ones(next_one(tokens), schema, model);
    let tokens = still_here(phone_number(titled(tokens), schema), schema, model);
    busiest(
        with_the_most(bring_in(came_back(tokens), schema, model)),
        schema,
        model,
    )
}

/// True for a word as people write names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|token| token.capital || matches!(token.kind, TokenKind::Quoted(_)))
}

/// True where the last word of a table's name is this one.
fn is_called(schema: &Schema, table: usize, noun: &Token) -> bool {
    words::table_words(&schema.tables[table].name)
        .last()
        .is_some_and(|last| words::stem(last) == noun.stem)
}

/// `sub-categories of Sports`, `categories under Sports` as those that belong to it.
fn parts_of(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let of_own_table = |key: &&ForeignKey| key.from[0].table == key.to[0].table;
    let parts = |at: usize| {
        let token = &tokens[at];
        schema.foreign_keys.iter().filter(of_own_table).find_map(|key| {
            let name = words::table_words(&schema.tables[key.from[0].table].name);
            let last = words::stem(name.last()?);
            let bare = words::stem(token.word.strip_prefix("sub").unwrap_or_default());
            (token.stem == last || bare == last).then(|| (bare == last, name.last().cloned()))
        })
    };
    let Some((at, (is_sub, Some(name)))) = (0..tokens.len()).find_map(|at| Some((at, parts(at)?))) else {
        return tokens;
    };
    let led_by_sub = at > 0 && word(&tokens, at - 1) == "sub";
    let joint = (at + 1..tokens.len().min(at + 6)).find(|&at| {
        let joins = matches!(
            word(&tokens, at),
            "under" | "below" | "beneath" | "within" | "underneath"
        );
        joins || (is_sub || led_by_sub) && matches!(word(&tokens, at), "of" | "in")
    });
    let Some(joint) = joint.filter(|&joint| is_name(&tokens, joint + 1)) else {
        return tokens;
    };
    let belongs = ["belonging", "to"].map(|word| said(word, &tokens[joint]));
    tokens.splice(joint..=joint, belongs);
    tokens[at] = said(&name, &tokens[at]);
    if led_by_sub {
        tokens.remove(at - 1);
    }
    tokens
}

/// `what we need to reorder` as what there is less of than the level at which that is done.
fn reordered(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let level = columns.find_map(|column| {
        let name = words::identifier_words(&column.name);
        name.iter()
            .any(|word| matches!(word.as_str(), "reorder" | "restock"))
            .then_some(name)
    });
    let Some(level) = level else { return tokens };
    let is_done = |word: &str| {
        matches!(
            word,
            "reorder" | "reordered" | "reordering" | "restock" | "restocked" | "restocking"
        )
    };
    let Some(at) = tokens.iter().position(|token| is_done(&token.word)) else {
        return tokens;
    };
    let begins = |word: &str| {
        matches!(
            word,
            "we" | "i"
                | "that"
                | "which"
                | "need"
                | "needs"
                | "have"
                | "has"
                | "must"
                | "should"
                | "to"
                | "be"
                | "ought"
        )
    };
    let from = (0..at)
        .rev()
        .find(|&at| !begins(word(&tokens, at)))
        .map_or(0, |before| before + 1);
    let needed = tokens[from..at]
        .iter()
        .any(|token| matches!(token.word.as_str(), "need" | "needs" | "have" | "must" | "should"));
    // `need to be reordered` behind what is asked for.
    if needed && from > 0 {
        let below = ["below", "their"]
            .into_iter()
            .chain(level.iter().map(String::as_str));
        let below: Vec<Token> = below.map(|word| said(word, &tokens[at])).collect();
        tokens.splice(from..=at, below);
    }
    tokens
}

/// `leaving void ones out`, `skip the void stuff` as excluding them.
fn left_out(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let leaves = matches!(word(&tokens, at), "leaving" | "leave" | "taking" | "take");
        let out = (at + 2..tokens.len().min(at + 6)).find(|&out| word(&tokens, out) == "out");
        match (leaves, out) {
            (true, Some(out)) => Some((at, Some(out))),
            _ => matches!(word(&tokens, at), "skip" | "skipping").then_some((at, None)),
        }
    });
    let Some((at, out)) = found else { return tokens };
    if let Some(out) = out {
        tokens.remove(out);
    }
    let rest = |word: &str| matches!(word, "ones" | "stuff" | "things");
    if let Some(ones) = (at + 1..tokens.len().min(at + 6)).find(|&ones| rest(word(&tokens, ones))) {
        tokens.remove(ones);
    }
    tokens[at] = said("excluding", &tokens[at]);
    tokens
}

/// `products never sold` as those that nobody ordered, where orders are all that tells of it.
fn not_sold(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let named = |name: &str, wanted: &[&str]| {
        let mut name = words::identifier_words(name).into_iter();
        name.any(|word| wanted.contains(&words::stem(&word).as_str()))
    };
    let tables = || schema.tables.iter().filter(|table| !table.is_view);
    let orders = tables().any(|table| named(&table.name, &["order"]));
    let sales = tables().any(|table| named(&table.name, &["sale", "purchas"]));
    let negated = |word: &str| matches!(word, "never" | "not" | "nobody") || word.ends_with("n't");
    let found = (1..tokens.len()).find(|&at| {
        tokens[at].stem == "sell" && (at.saturating_sub(3)..at).any(|before| negated(word(&tokens, before)))
    });
    if let Some(at) = found.filter(|_| orders && !sales) {
        tokens[at] = said("ordered", &tokens[at]);
    }
    tokens
}

/// `how much time` as how many hours, where they are kept.
fn time_spent(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let keeps = columns.any(|column| {
        let mut name = words::identifier_words(&column.name).into_iter();
        name.any(|word| matches!(word.as_str(), "hours" | "hrs" | "minutes" | "mins"))
    });
    let found = (1..tokens.len()).find(|&at| {
        word(&tokens, at) == "time" && matches!(word(&tokens, at - 1), "much" | "most" | "least" | "total")
    });
    if let Some(at) = found.filter(|_| keeps) {
        tokens[at] = said("hours", &tokens[at]);
        if word(&tokens, at - 1) == "much" {
            tokens[at - 1] = said("many", &tokens[at - 1]);
        }
    }
    tokens
}

/// `the next hearing` as the first that is still to come.
fn next_one(tokens: Vec<Token>) -> Vec<Token> {
    let is_noun = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Word(None))
            && !is_period(word(&tokens, at).trim_end_matches('s'))
            && !matches!(
                word(&tokens, at),
                "few" | "couple" | "to" | "of" | "and" | "most" | "weekend"
            )
    };
    let found = (0..tokens.len()).find(|&at| {
        let led = at > 0
            && matches!(
                word(&tokens, at - 1),
                "the" | "our" | "my" | "'s" | "his" | "her" | "their"
            );
        word(&tokens, at) == "next" && (led || at == 0) && is_noun(at + 1)
    });
    let Some(at) = found else { return tokens };
    let mut written = tokens[..at].to_vec();
    written.extend(["earliest", "upcoming"].map(|word| said(word, &tokens[at])));
    written.extend_from_slice(&tokens[at + 1..]);
    written
}

/// `new clients this year` as those since then.
fn new_ones(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let names_entity = |at: usize| {
        (0..schema.tables.len()).any(|table| {
            let dataset = &model.datasets[table];
            is_called(schema, table, &tokens[at])
                && dataset.role == DatasetRole::Entity
                && dataset.time.is_some()
        })
    };
    let found =
        (0..tokens.len().saturating_sub(1)).find(|&at| word(&tokens, at) == "new" && names_entity(at + 1));
    let Some(at) = found else { return tokens };
    let tells_when = |token: &Token| {
        matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_))
            || matches!(&token.kind, TokenKind::Number(number) if number.len() == 4)
            || is_period(token.word.trim_end_matches('s'))
    };
    if tokens[at + 2..].iter().any(tells_when) || tokens[..at].iter().any(tells_when) {
        tokens.remove(at);
    }
    tokens
}

/// `Dr. Lee` by the name alone.
fn titled(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_title = |word: &str| {
        matches!(
            word,
            "dr" | "mr" | "mrs" | "ms" | "miss" | "prof" | "sir" | "madam"
        )
    };
    let mut at = 0;
    while at < tokens.len() {
        if is_title(word(&tokens, at)) && is_name(&tokens, at) && is_name(&tokens, at + 1) {
            tokens.remove(at);
        }
        at += 1;
    }
    tokens
}

/// `the number for Lone Star`, `Ann's number` as what one calls.
fn phone_number(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let called = |wanted: &str| {
        let is_phone = matches!(wanted, "phone" | "telephone" | "tel" | "mobile" | "cell");
        is_phone.then(|| wanted.to_owned())
    };
    let phone = columns.find_map(|column| {
        words::identifier_words(&column.name)
            .iter()
            .find_map(|word| called(word))
    });
    let Some(phone) = phone else { return tokens };
    let found = (0..tokens.len()).find(|&at| {
        let article = at > 0 && matches!(word(&tokens, at - 1), "the" | "contact");
        let of_one = matches!(word(&tokens, at + 1), "for" | "of") && is_name(&tokens, at + 2);
        let of_him = at > 0
            && matches!(word(&tokens, at - 1), "'s" | "his" | "her" | "their")
            && at + 1 >= tokens.len();
        word(&tokens, at) == "number" && (article && of_one || of_him)
    });
    if let Some(at) = found {
        tokens[at] = said(&phone, &tokens[at]);
    }
    tokens
}

/// `is Ann Lee still with us`: her name, and when she left.
fn still_here(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    if !matches!(word(&tokens, 0), "is" | "does" | "are" | "do") || !is_name(&tokens, 1) {
        return tokens;
    }
    let Some(still) = (2..tokens.len()).find(|&at| word(&tokens, at) == "still") else {
        return tokens;
    };
    let rest: Vec<&str> = tokens[still + 1..]
        .iter()
        .map(|token| token.word.as_str())
        .collect();
    let here = matches!(
        &rest[..],
        ["with", "us"]
            | ["here" | "around" | "employed"]
            | ["employed", _, _]
            | ["with", "the" | "our", _]
            | ["with", "the" | "our", _, _]
            | ["work" | "working" | "works", ..]
    );
    let persons = (0..schema.tables.len()).filter(|&table| is_person(schema, table));
    let left = persons
        .filter_map(|table| Some((table, model.datasets[table].end?)))
        .max_by_key(|(table, _)| works_here(&schema.tables[*table].name));
    let (true, Some((table, column))) = (here, left) else {
        return tokens;
    };
    let left = words::identifier_words(&schema.tables[table].columns[column].name);
    let asked = ["name", "and"].into_iter().chain(left.iter().map(String::as_str));
    let mut written: Vec<Token> = asked.chain(["of"]).map(|word| said(word, &tokens[0])).collect();
    written.extend_from_slice(&tokens[1..still]);
    written
}

/// `came back for a second order` as at least two orders.
fn came_back(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "came" | "come" | "back" | "returned")
            && matches!(
                (
                    word(&tokens, at + 1),
                    word(&tokens, at + 2),
                    word(&tokens, at + 3)
                ),
                ("for", "a", "second")
            )
    });
    let Some(at) = found else { return tokens };
    let from = at - usize::from(at > 0 && word(&tokens, at) == "back");
    let two = Token {
        kind: TokenKind::Number("2".to_owned()),
        ..said("2", &tokens[at])
    };
    let least = ["with", "at", "least"].map(|word| said(word, &tokens[at]));
    tokens.splice(from..at + 4, least.into_iter().chain([two]));
    // `a second order or more`
    if let Some(or) =
        (from..tokens.len()).find(|&at| word(&tokens, at) == "or" && word(&tokens, at + 1) == "more")
    {
        tokens.drain(or..or + 2);
    }
    tokens
}

/// `what do our contracts bring in` as the sum of what they come to.
fn bring_in(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let begin = match (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)) {
        ("what", "do" | "does" | "did", _) => 2,
        ("how", "much", "do" | "does" | "did") => 3,
        _ => return tokens,
    };
    let verb = (begin + 1..tokens.len())
        .find(|&at| matches!(word(&tokens, at), "bring" | "brings") && word(&tokens, at + 1) == "in");
    let Some(verb) = verb else { return tokens };
    let table = (0..schema.tables.len()).find(|&table| is_called(schema, table, &tokens[verb - 1]));
    let Some(amount) = table.and_then(|table| amount_column(table, schema, model)) else {
        return tokens;
    };
    let asked = ["total"]
        .into_iter()
        .chain(amount.iter().map(String::as_str))
        .chain(["of"]);
    let mut written: Vec<Token> = asked.map(|word| said(word, &tokens[0])).collect();
    written.extend_from_slice(&tokens[begin..verb]);
    written.extend_from_slice(&tokens[verb + 2..]);
    written
}

/// True for a stretch of time, or a part of one.
fn is_period(word: &str) -> bool {
    matches!(
        word,
        "year" | "quarter" | "month" | "week" | "weekday" | "day" | "hour"
    )
}

/// `month with the most visits` as which month had them.
fn with_the_most(mut tokens: Vec<Token>) -> Vec<Token> {
    let led = usize::from(matches!(word(&tokens, 0), "the" | "our"));
    let most = matches!(
        word(&tokens, led + 3),
        "most" | "fewest" | "least" | "highest" | "lowest" | "biggest" | "largest"
    );
    if is_period(word(&tokens, led))
        && word(&tokens, led + 1) == "with"
        && word(&tokens, led + 2) == "the"
        && most
    {
        tokens[led + 1] = said("had", &tokens[led + 1]);
        let which = said("which", &tokens[led]);
        tokens.splice(..led, [which]);
    }
    tokens
}

/// `our busiest month`: the one in which most happened of what happens most.
fn busiest(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "busiest" | "quietest" | "slowest") && is_period(word(&tokens, at + 1))
    });
    let Some(at) = found else { return tokens };
    if tokens[at + 2..]
        .iter()
        .any(|token| matches!(token.word.as_str(), "for" | "of" | "by" | "revenue"))
    {
        return tokens;
    }
    // What has a time, and is no part of something that has one.
    let events = (0..schema.tables.len()).filter(|&table| {
        !schema.tables[table].is_view
            && model.datasets[table].role == DatasetRole::Event
            && model.datasets[table].time.is_some()
    });
    let refers_to = |table: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| {
            key.from[0].table == table
                && key.to[0].table != table
                && model.datasets[key.to[0].table].role == DatasetRole::Event
        })
    };
    let mut events: Vec<usize> = events.filter(|&table| !refers_to(table)).collect();
    let (Some(event), true) = (events.pop(), events.is_empty()) else {
        return tokens;
    };
    let most = if word(&tokens, at) == "busiest" {
        "most"
    } else {
        "fewest"
    };
    let name = words::table_words(&schema.tables[event].name);
    let mut written = vec![said("which", &tokens[at]), tokens[at + 1].clone()];
    written.extend(["had", "the", most].map(|word| said(word, &tokens[at])));
    written.extend(name.iter().map(|word| said(word, &tokens[at])));
    written.extend_from_slice(&tokens[at + 2..]);
    written
}
