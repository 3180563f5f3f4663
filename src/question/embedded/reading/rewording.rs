//! Phrases put into the words that the readings understand.

use super::{
    super::{
        ordering::from_end_to_end,
        question::{Token, TokenKind},
    },
    doers::{brought_in, in_charge, persons, spenders},
    money::{event_value, pay},
    ranges::ranges,
    rates::{percentages, rates},
    sayings::{other_words, phrases},
    turns::{as_one_word, names_of, sells_best, turned},
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::{Provenance, SemanticModel},
};

/// What stands for words that tell of the row of the same table that a row belongs to.
pub(super) const SUPERIOR: char = '^';

/// The question in those words.
pub(super) fn reworded(tokens: &[Token], snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let tokens = as_one_word(tokens.to_vec(), schema, model);
    let tokens = &sells_best(superiors(&tokens, schema), schema, model)[..];
    let tokens = other_words(&spenders(
        stock_value(both_names(&one_word(&phrases(tokens, schema), schema, model))),
        schema,
    ));
    let tokens = turned(percentages(tokens), snapshot, model);
    let tokens = persons(brought_in(in_charge(spelled_out(tokens), snapshot)), schema);
    let tokens = pay(
        event_value(names_of(tokens, schema, model), schema, model),
        schema,
    );
    let tokens = times(above_average(numbers(&rates(in_order(lengths(tokens)), schema))));
    ranges(money_first(tokens))
}

/// `with the hub that feeds it`, `and the machine they belong to` as one mark, where rows lead to others of their own table.
fn superiors(tokens: &[Token], schema: &Schema) -> Vec<Token> {
    let own: Vec<usize> = schema
        .foreign_keys
        .iter()
        .filter(|key| key.from[0].table == key.to[0].table)
        .map(|key| key.from[0].table)
        .collect();
    if own.is_empty() {
        return tokens.to_vec();
    }
    let found = (1..tokens.len()).find_map(|at| Some((at, superior(tokens, at, (schema, &own))?)));
    let Some((at, end)) = found else {
        return tokens.to_vec();
    };
    let mut written = tokens[..at].to_vec();
    written.push(Token {
        kind: TokenKind::Mark(SUPERIOR),
        ..said("^", &tokens[at])
    });
    written.extend_from_slice(&tokens[end..]);
    written
}

/// Where words end that begin here and tell of the row of the same table that a row belongs to.
fn superior(tokens: &[Token], at: usize, (schema, own): (&Schema, &[usize])) -> Option<usize> {
    let word = |at: usize| word(tokens, at);
    let joint = match (word(at), word(at + 1)) {
        ("together" | "along", "with") | ("next", "to") => 2,
        ("with" | "and" | "beside" | "alongside" | "plus", _) => 1,
        _ => return None,
    };
    let article = usize::from(matches!(
        word(at + joint),
        "the" | "its" | "their" | "his" | "her" | "a" | "whatever"
    ));
    let noun = at + joint + article;
    // `whoever sponsored them`, or a noun and what it does.
    let verb = if matches!(word(noun), "who" | "whoever") {
        noun + 1
    } else {
        let link = (noun + 1..noun + 3)
            .find(|&link| matches!(word(link), "that" | "who" | "which" | "they" | "it"))?;
        // Another table is no row of this one.
        let stem = &tokens[link - 1].stem;
        let names_other = schema.tables.iter().enumerate().any(|(table, described)| {
            !own.contains(&table)
                && words::identifier_words(&described.name)
                    .last()
                    .is_some_and(|last| words::stem(last) == *stem)
        });
        if names_other {
            return None;
        }
        link + 1
    };
    let subject = matches!(word(verb - 1), "they" | "it");
    let ends = |at: usize| match word(at) {
        "it" | "them" | "him" | "her" => !subject,
        "to" | "from" | "under" => subject,
        _ => false,
    };
    let end = (verb + 1..verb + 4).find(|&at| ends(at))? + 1;
    let over = end >= tokens.len()
        || matches!(word(end), "and" | "with")
        || matches!(tokens[end].kind, TokenKind::Mark(_));
    over.then_some(end)
}

/// `100k` as 100000, and `more than 6 times` as more than 6.
fn numbers(tokens: &[Token]) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    for (at, mut token) in tokens.iter().cloned().enumerate() {
        let compared = at > 1
            && matches!(
                word(tokens, at - 2),
                "than" | "least" | "most" | "exactly" | "over"
            );
        if token.word == "times" && compared && written.last().is_some_and(is_number) {
            continue;
        }
        if let Some(thousands) = token.word.strip_suffix('k')
            && !thousands.is_empty()
            && thousands.bytes().all(|byte| byte.is_ascii_digit())
        {
            token.kind = TokenKind::Number(format!("{thousands}000"));
        }
        written.push(token);
    }
    written
}

/// `above the school average` as above average.
fn above_average(tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        if word(&tokens, at) != "average"
            || !matches!(word(&tokens, at + 1), "" | "," | "?" | "." | "for" | "in") && !of_one(&tokens, at)
        {
            return None;
        }
        let compares = |word: &str| matches!(word, "above" | "below" | "over" | "under" | "than");
        let from = (at.saturating_sub(3)..at)
            .rev()
            .find(|from| compares(word(&tokens, *from)))?;
        (from + 1 < at
            && tokens[from + 1..at]
                .iter()
                .all(|token| matches!(token.kind, TokenKind::Word(None))))
        .then_some((from, at))
    });
    let Some((from, at)) = found else { return tokens };
    let mut written = tokens[..=from].to_vec();
    if written[from].word == "over" {
        written[from] = said("above", &written[from]);
    }
    if written[from].word == "under" {
        written[from] = said("below", &written[from]);
    }
    if written[from].word == "than" {
        written.push(said("the", &tokens[at]));
    }
    written.push(tokens[at].clone());
    let named = usize::from(of_one(&tokens, at));
    written.extend_from_slice(&tokens[at + 1 + named..]);
    written
}

/// True for `the average one`, `the overall average order`: one of what is compared.
fn of_one(tokens: &[Token], at: usize) -> bool {
    let led = at > 0 && matches!(word(tokens, at - 1), "the" | "overall" | "an");
    led && matches!(
        tokens.get(at + 1).map(|token| &token.kind),
        Some(TokenKind::Word(None))
    ) && matches!(word(tokens, at + 2), "" | "," | "?" | "." | "to")
}

/// `value of our spare part stock` as the stock value of spare parts.
fn stock_value(tokens: Vec<Token>) -> Vec<Token> {
    let Some(value) = tokens
        .windows(2)
        .position(|two| two[0].word == "value" && two[1].word == "of")
    else {
        return tokens;
    };
    let end = (value + 2..tokens.len().min(value + 9))
        .find(|at| matches!(word(&tokens, *at), "stock" | "inventory"));
    let Some(end) = end.filter(|_| value == 0 || word(&tokens, value - 1) != "stock") else {
        return tokens;
    };
    let between = &tokens[value + 2..end];
    let ends = |token: &Token| matches!(token.word.as_str(), "by" | "per" | "for" | "each" | "," | "and");
    if between.iter().any(ends) {
        return tokens;
    }
    let says_more = |token: &&Token| {
        !matches!(
            token.word.as_str(),
            "our" | "the" | "we" | "have" | "in" | "that" | "all" | "on"
        )
    };
    let things: Vec<Token> = between.iter().filter(says_more).cloned().collect();
    let mut written = tokens[..value].to_vec();
    written.extend([tokens[end].clone(), tokens[value].clone()]);
    if !things.is_empty() {
        written.push(tokens[value + 1].clone());
        written.extend(things);
    }
    written.extend_from_slice(&tokens[end + 1..]);
    written
}

/// Nouns of what something takes its time to come to.
const AWAITED: [&str; 14] = [
    "delivery",
    "response",
    "reply",
    "resolution",
    "repair",
    "collection",
    "payment",
    "completion",
    "approval",
    "shipping",
    "discharge",
    "return",
    "departure",
    "closing",
];

/// `how many minutes does a visit last` as how long it is, `days ahead` as how far, `delivery time` as the time to delivery.
fn lengths(mut tokens: Vec<Token>) -> Vec<Token> {
    let asks = |tokens: &[Token], at: usize| {
        matches!(
            word(tokens, at),
            "do" | "does" | "did" | "is" | "pass" | "passes" | "on" | "until" | "it"
        )
    };
    for at in 0..tokens.len() {
        if word(&tokens, at) == "how" && word(&tokens, at + 1) == "many" {
            let ahead = word(&tokens, at + 3) == "ahead" && word(&tokens, at + 2) == "days";
            let minutes = word(&tokens, at + 2) == "minutes" && asks(&tokens, at + 3);
            if ahead {
                tokens[at + 1] = said("far", &tokens[at + 1]);
                tokens.remove(at + 2);
            } else if minutes {
                tokens[at + 1] = said("long", &tokens[at + 1]);
                let unit = tokens.remove(at + 2);
                tokens.extend([said("in", &unit), unit]);
            }
            break;
        }
    }
    // `how long does a visit last`: no last one is asked for.
    let long = tokens
        .windows(2)
        .position(|two| two[0].word == "how" && matches!(two[1].word.as_str(), "long" | "many"));
    if let Some(long) = long
        && let Some(does) =
            (long + 2..tokens.len()).find(|at| matches!(word(&tokens, *at), "do" | "does" | "did"))
        && let Some(last) = (does + 2..tokens.len().min(does + 6)).find(|at| word(&tokens, *at) == "last")
        && matches!(
            word(&tokens, last + 1),
            "" | "?" | "." | "," | "on" | "in" | "for" | "at" | "per" | "by"
        )
    {
        tokens.remove(last);
    }
    let gathers = |word: &str| matches!(word, "average" | "avg" | "mean" | "median" | "typical");
    let gathered = tokens.iter().any(|token| gathers(&token.word));
    for at in 1..tokens.len() {
        if gathered && word(&tokens, at) == "time" && AWAITED.contains(&word(&tokens, at - 1)) {
            let first = at > 1 && word(&tokens, at - 2) == "first";
            let from = at - 1 - usize::from(first);
            let time = tokens.remove(at);
            tokens.insert(from, said("to", &time));
            tokens.insert(from, time);
            break;
        }
    }
    tokens
}

/// Another word in a token's place.
pub(super) fn said(word: &str, instead: &Token) -> Token {
    Token {
        word: word.to_owned(),
        text: word.to_owned(),
        stem: words::stem(word),
        kind: TokenKind::Word(None),
        qualifies: false,
        ..instead.clone()
    }
}

/// Other words in a token's place.
pub(super) fn written<S: AsRef<str>>(words: &[S], instead: &Token) -> Vec<Token> {
    words.iter().map(|word| said(word.as_ref(), instead)).collect()
}

/// True for digits and for number words.
pub(super) fn is_number(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_)))
}

pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.word.as_str())
}

/// `with Foods in their name` as a name that contains it.
fn spelled_out(tokens: Vec<Token>) -> Vec<Token> {
    let word = |at: usize| word(&tokens, at);
    let inside = (1..tokens.len()).find(|&at| {
        word(at - 1) == "with"
            && word(at + 1) == "in"
            && matches!(word(at + 2), "their" | "its" | "the" | "his" | "her")
            && word(at + 3).starts_with("name")
    });
    let Some(at) = inside else { return tokens };
    let mut written = tokens[..at - 1].to_vec();
    let contains = said("containing", &tokens[at - 1]);
    let text = Token {
        kind: TokenKind::Quoted(tokens[at].text.clone()),
        ..tokens[at].clone()
    };
    written.extend([tokens[at + 3].clone(), contains, text]);
    written.extend_from_slice(&tokens[at + 4..]);
    written
}

/// Words that say as one what others say with several, and how these say it.
const ONE_WORD: [(&str, &[&str]); 5] = [
    ("headcount", &["number", "of", "staff"]),
    ("headcounts", &["number", "of", "staff"]),
    ("bestseller", &["best", "selling", "product"]),
    ("bestsellers", &["best", "selling", "products"]),
    ("kids", &["children"]),
];

/// The question with these words as several.
fn one_word(tokens: &[Token], schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        // `more than 100 in stock`, `how many units do we have in stock`: that is how much of it there is.
        let counts = |before: &Token| {
            matches!(before.kind, TokenKind::Number(_) | TokenKind::Word(Some(_)))
                || matches!(before.word.as_str(), "have" | "units" | "pieces" | "items")
        };
        if token.word == "in"
            && tokens.get(at + 1).is_some_and(|next| next.word == "stock")
            && written.last().is_some_and(counts)
        {
            continue;
        }
        // `sign-ups`, `signed up`, `check-ins`: a verb and its particle make one noun.
        if let Some(verb) = written.last_mut()
            && let Some(noun) = noun_of(&verb.stem, &token.word, schema)
            && !has_both(schema, &verb.stem, &token.stem)
        {
            (verb.stem, verb.text, verb.word) = (words::stem(&noun), noun.clone(), noun);
            continue;
        }
        // What people have defined under the word is meant.
        let defined = || names_definition(&token.word, model);
        let several = ONE_WORD
            .iter()
            .find(|(word, _)| *word == token.word && !defined());
        match several {
            Some((_, several)) => written.extend(several.iter().map(|word| said(word, token))),
            None => written.push(token.clone()),
        }
    }
    written
}

/// True for a word of the names that people have given to metrics and filters.
pub(super) fn names_definition(word: &str, model: &SemanticModel) -> bool {
    let metrics = model
        .metrics
        .iter()
        .map(|metric| (&metric.name, &metric.wording, &metric.source));
    let filters = model
        .filters
        .iter()
        .map(|filter| (&filter.name, &filter.wording, &filter.source));
    let mut told = metrics
        .chain(filters)
        .filter(|(.., source)| matches!(source, Provenance::File(..)));
    told.any(|(name, wording, _)| {
        let mut names = std::iter::once(name).chain(&wording.synonyms);
        names.any(|name| words::identifier_words(name).iter().any(|own| own == word))
    })
}

/// The noun that a verb and its particle make.
fn noun_of(verb: &str, particle: &str, schema: &Schema) -> Option<String> {
    let signs = verb == "sign" && matches!(particle, "up" | "ups");
    let several = matches!(verb, "check" | "drop" | "log" | "pick" | "walk")
        && matches!(particle, "ups" | "ins" | "outs" | "offs");
    let joined = format!("{verb}{particle}");
    // `picked up` where something is called a pickup.
    let names = || {
        let tables = schema.tables.iter();
        tables.flat_map(|table| {
            table
                .columns
                .iter()
                .map(|column| &column.name)
                .chain([&table.name])
        })
    };
    let is_particle = matches!(particle, "up" | "in" | "out" | "off");
    let called = is_particle
        && names().any(|name| {
            words::identifier_words(name)
                .iter()
                .any(|word| words::stem(word) == joined)
        });
    (signs || several || called).then_some(joined)
}

/// True where a column has both words in its name: `signed_up_at`.
fn has_both(schema: &Schema, one: &str, other: &str) -> bool {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    columns.any(|column| {
        let name = words::identifier_words(&column.name);
        name.windows(2)
            .any(|two| words::stem(&two[0]) == one && words::stem(&two[1]) == other)
    })
}

/// `first and last names` with each of them written out.
fn both_names(tokens: &[Token]) -> Vec<Token> {
    let mut written = Vec::with_capacity(tokens.len() + 1);
    for (at, token) in tokens.iter().enumerate() {
        written.push(token.clone());
        let word = |at: usize| word(tokens, at);
        if token.word == "first"
            && word(at + 1) == "and"
            && word(at + 2) == "last"
            && word(at + 3).starts_with("name")
        {
            written.push(tokens[at + 3].clone());
        }
    }
    written
}

/// `more than once` as a number, `more than a week` too.
fn times(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        if !matches!(
            word(&tokens, at - 1),
            "than" | "least" | "most" | "exactly" | "only" | "over"
        ) {
            continue;
        }
        let length = matches!(word(&tokens, at + 1), "hour" | "day" | "week" | "month" | "year");
        let number = match word(&tokens, at) {
            "once" => 1,
            "twice" => 2,
            "a" | "an" if length => 1,
            _ => continue,
        };
        tokens[at].kind = TokenKind::Word(Some(number));
    }
    tokens
}

/// `60 euro` as `€60`: an amount of what was named, and no measure that is kept in euro.
fn money_first(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        let currency = matches!(
            word(&tokens, at),
            "euro" | "euros" | "eur" | "dollar" | "dollars" | "usd" | "gbp" | "bucks"
        );
        if currency && matches!(tokens[at - 1].kind, TokenKind::Number(_)) {
            tokens[at].kind = TokenKind::Mark('€');
            tokens.swap(at - 1, at);
        }
    }
    tokens
}

/// `from strongest to weakest` as the strongest first.
fn in_order(tokens: Vec<Token>) -> Vec<Token> {
    let Some((whole, first)) = from_end_to_end(&tokens) else {
        return tokens;
    };
    let mut written = tokens[..whole.start].to_vec();
    written.extend_from_slice(&tokens[first.clone()]);
    written.push(said("first", &tokens[first.end]));
    written.extend_from_slice(&tokens[whole.end..]);
    written
}
