//! What is sold: what an order holds, what somebody bought, what sells best, what it brings in.

use super::{
    super::{
        super::{
            lexicon::lexicon,
            question::{Token, TokenKind},
        },
        money::amount_column,
        rewording::{is_number, said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The table of what is sold: the one thing here that has a price and a name.
pub(super) fn goods(schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let priced = |table: usize| {
        let mut columns = schema.tables[table].columns.iter();
        columns.any(|column| {
            has_word(&column.name, &["price", "cost", "stock", "msrp"]) && column.kind.is_numeric()
        })
    };
    let mut found = (0..schema.tables.len()).filter(|&table| {
        let dataset = &model.datasets[table];
        !schema.tables[table].is_view
            && dataset.role == DatasetRole::Entity
            && !dataset.display.is_empty()
            && priced(table)
    });
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// `things`, `stuff` and, where nothing is called so, `items` as what is sold.
pub(super) fn things(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let Some(goods) = goods(schema, model) else {
        return tokens;
    };
    let before = |at: usize| if at > 0 { word(&tokens, at - 1) } else { "" };
    let counted = |at: usize| matches!(before(at), "of" | "many" | "per" | "average");
    // `send things back` is about no goods in particular, `the heaviest things` is.
    let picked = |at: usize| {
        at > 0 && is_number(&tokens[at - 1])
            || before(at).ends_with("est")
            || matches!(
                before(at),
                "" | "the"
                    | "which"
                    | "what"
                    | "all"
                    | "our"
                    | "expensive"
                    | "popular"
                    | "selling"
                    | "show"
                    | "list"
                    | "find"
                    | "me"
            )
    };
    let anything = (0..tokens.len()).find(|&at| is_anything(&tokens, at));
    if let Some(at) = anything {
        let name = name_of(schema, goods, &tokens[at]);
        let says = tokens.remove(at + 1);
        tokens.splice(at..=at, std::iter::once(says).chain(name));
        return tokens;
    }
    let found = (0..tokens.len()).find(|&at| match word(&tokens, at) {
        "things" | "stuff" | "everything" | "thing" => {
            (picked(at) || offered(&tokens, at + 1).is_some())
                && !matches!(word(&tokens, at + 1), "about" | "on" | "is" | "in")
        }
        "item" | "items" => !counted(at) && called(schema, &tokens[at]).is_none(),
        _ => false,
    });
    if let Some(at) = found {
        let name = name_of(schema, goods, &tokens[at]);
        let end = offered(&tokens, at + 1).unwrap_or(at + 1);
        tokens.splice(at..end, name);
    }
    tokens
}

/// Where `that you sell`, `we have` ends: what is there is all that is offered.
fn offered(tokens: &[Token], at: usize) -> Option<usize> {
    let that = usize::from(matches!(word(tokens, at), "that" | "which"));
    let who = matches!(word(tokens, at + that), "you" | "we" | "they");
    let verb = at + that + 1;
    let offers = matches!(
        word(tokens, verb),
        "sell" | "offer" | "carry" | "have" | "stock" | "ship"
    );
    let ends = matches!(word(tokens, verb + 1), "" | "?" | "." | "," | "and");
    (who && offers && ends).then_some(verb + 1)
}

/// True for `anything waterproof`, but not for `who did not buy anything`.
fn is_anything(tokens: &[Token], at: usize) -> bool {
    let says = tokens.get(at + 1).is_some_and(|next| {
        let shapes = lexicon().is_filler(&next.word) || lexicon().operator(&next.word).is_some();
        next.kind == TokenKind::Word(None) && !shapes
    });
    let absent = |token: &Token| {
        matches!(
            token.word.as_str(),
            "not" | "n't" | "never" | "without" | "nobody"
        ) || token.word.ends_with("n't")
    };
    word(tokens, at) == "anything" && says && !tokens[..at].iter().any(absent)
}

/// `for less than 50 euros` as with a price below that, where goods have one.
pub(super) fn priced(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let price = |goods: usize| {
        let mut columns = schema.tables[goods].columns.iter();
        columns.find(|column| has_word(&column.name, &["price"]) && column.kind.is_numeric())
    };
    let Some(price) = goods(schema, model).and_then(price) else {
        return tokens;
    };
    let found = (1..tokens.len()).find(|&at| {
        let compares = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("under" | "below" | "over" | "above", _) => 2,
            ("less" | "more", "than") | ("up", "to") => 3,
            _ => return false,
        };
        let number = at + compares;
        word(&tokens, at) == "for"
            && tokens.get(number).is_some_and(is_number)
            && matches!(
                word(&tokens, number + 1),
                "euro" | "euros" | "eur" | "dollars" | "usd" | "pounds" | "gbp" | "bucks"
            )
    });
    if let Some(at) = found {
        let mut with = written(&["with", "a"], &tokens[at]);
        with.extend(written(&words::identifier_words(&price.name), &tokens[at]));
        tokens.splice(at..=at, with);
    }
    tokens
}

/// `what do we earn the most on per piece` as what has the highest margin.
pub(super) fn per_piece(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let piece = (1..tokens.len())
        .find(|&at| word(&tokens, at - 1) == "per" && matches!(word(&tokens, at), "piece" | "unit" | "item"));
    let earns = (0..tokens.len()).find(|&at| {
        let most = (at..tokens.len().min(at + 4)).any(|most| word(&tokens, most) == "most");
        matches!(word(&tokens, at), "earn" | "make" | "earns" | "makes") && most
    });
    let (Some(piece), Some(earns), Some(goods)) = (piece, earns, goods(schema, model)) else {
        return tokens;
    };
    let has = |wanted: &str| {
        let mut columns = schema.tables[goods].columns.iter();
        columns.any(|column| has_word(&column.name, &[wanted]))
    };
    if earns > piece || !has("price") || !has("cost") {
        return tokens;
    }
    let begin = tokens[..earns]
        .iter()
        .take_while(|token| !matches!(token.word.as_str(), "do" | "we" | "does"));
    let mut asked: Vec<Token> = begin.filter(|token| token.word != "on").cloned().collect();
    if let [only] = &asked[..]
        && only.word == "what"
    {
        asked = vec![said("which", &tokens[0])];
        asked.extend(name_of(schema, goods, &tokens[0]));
    }
    let has = if word(&asked, 0) == "which" { "has" } else { "with" };
    asked.extend(written(&[has, "the", "highest", "margin"], &tokens[earns]));
    asked
}

/// `products never sold` as those that nobody ordered, where orders are all that tells of it.
pub(super) fn not_sold(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let negated = |word: &str| matches!(word, "never" | "not" | "nobody") || word.ends_with("n't");
    let found = (1..tokens.len()).find(|&at| {
        tokens[at].stem == "sell" && (at.saturating_sub(3)..at).any(|before| negated(word(&tokens, before)))
    });
    if let Some(at) = found.filter(|_| only_orders(schema)) {
        tokens[at] = said("ordered", &tokens[at]);
    }
    tokens
}

/// `what do our contracts bring in` as the sum of what they come to.
pub(super) fn bring_in(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let begin = match (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)) {
        ("what", "do" | "does" | "did", _) => 2,
        ("how", "much", "do" | "does" | "did") => 3,
        _ => return tokens,
    };
    let verb = (begin + 1..tokens.len())
        .find(|&at| matches!(word(&tokens, at), "bring" | "brings") && word(&tokens, at + 1) == "in");
    let Some(verb) = verb else { return tokens };
    let table = called(schema, &tokens[verb - 1]);
    let Some(amount) = table.and_then(|table| amount_column(table, schema, model)) else {
        return tokens;
    };
    let mut asked = written(&["total"], &tokens[0]);
    asked.extend(written(&amount, &tokens[0]));
    asked.push(said("of", &tokens[0]));
    asked.extend_from_slice(&tokens[begin..verb]);
    asked.extend_from_slice(&tokens[verb + 2..]);
    asked
}

/// `what did Ann Lee buy` as which products she did, `what do people say of Garnet Mug` as the reviews of it.
pub(super) fn bought(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let asks = matches!(word(&tokens, 1), "did" | "does" | "do" | "has" | "have");
    if word(&tokens, 0) != "what" || !asks {
        return tokens;
    }
    let verb = (3..tokens.len()).find(|&at| {
        matches!(
            word(&tokens, at),
            "buy"
                | "bought"
                | "order"
                | "ordered"
                | "purchase"
                | "purchased"
                | "say"
                | "said"
                | "think"
                | "thought"
        )
    });
    let Some(verb) = verb else { return tokens };
    if matches!(word(&tokens, verb), "say" | "said" | "think" | "thought") {
        let opinions = schema.tables.iter().find_map(|table| {
            let name = words::table_words(&table.name);
            let last = words::stem(name.last()?);
            matches!(last.as_str(), "review" | "feedback" | "comment" | "testimoni").then_some(name)
        });
        let of = matches!(word(&tokens, verb + 1), "about" | "of" | "on");
        if let (Some(opinions), true) = (opinions, of) {
            let mut reviews = written(&opinions, &tokens[0]);
            reviews.push(said("of", &tokens[0]));
            tokens.splice(..verb + 2, reviews);
        }
        return tokens;
    }
    if let Some(goods) = goods(schema, model) {
        let mut which = written(&["which"], &tokens[0]);
        which.extend(name_of(schema, goods, &tokens[0]));
        tokens.splice(..1, which);
    }
    tokens
}

/// `what did the Hill store sell the most of` as the best selling products there.
pub(super) fn sold_most_of(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let asks = word(&tokens, 0) == "what" && matches!(word(&tokens, 1), "did" | "does" | "do" | "has");
    let verb = (3..tokens.len().min(9)).find(|&at| matches!(word(&tokens, at), "sell" | "sold"));
    let (Some(verb), Some(goods), true) = (verb, goods(schema, model), asks) else {
        return tokens;
    };
    let the = usize::from(word(&tokens, verb + 1) == "the");
    let of = usize::from(word(&tokens, verb + 2 + the) == "of");
    let degree = match word(&tokens, verb + 1 + the) {
        "most" => "best",
        "least" => "worst",
        _ => return tokens,
    };
    let mut asked = written(&[degree, "selling"], &tokens[0]);
    asked.extend(name_of(schema, goods, &tokens[0]));
    if !matches!(word(&tokens, 2), "we" | "you" | "they") {
        asked.push(said("of", &tokens[0]));
        asked.extend_from_slice(&tokens[2..verb]);
    }
    asked.extend_from_slice(&tokens[verb + 2 + the + of..]);
    asked
}

/// `bought something` as ordered, where orders are all that tells of it.
pub(super) fn bought_something(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        matches!(
            word(&tokens, at),
            "bought" | "buy" | "buys" | "purchased" | "purchase"
        ) && matches!(word(&tokens, at + 1), "something" | "anything" | "nothing")
    });
    if let Some(at) = found.filter(|_| only_orders(schema)) {
        tokens[at] = said("ordered", &tokens[at]);
    }
    tokens
}

/// `by number of units` as by quantity, where that is what lines have.
pub(super) fn by_units(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let quantity = columns.any(|column| column.name.eq_ignore_ascii_case("quantity"));
    let found = (0..tokens.len()).find_map(|at| {
        let number = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("number", "of") => 2,
            _ => 0,
        };
        let units = matches!(word(&tokens, at + 1 + number), "units" | "pieces" | "items");
        let sold = usize::from(word(&tokens, at + 2 + number) == "sold");
        (word(&tokens, at) == "by" && units && quantity).then_some((at + 1, at + 2 + number + sold))
    });
    if let Some((from, to)) = found {
        let quantity = said("quantity", &tokens[from]);
        tokens.splice(from..to, [quantity]);
    }
    tokens
}

/// True where orders are all that tells of what is sold.
fn only_orders(schema: &Schema) -> bool {
    let named = |name: &str, wanted: &[&str]| {
        let mut name = words::identifier_words(name).into_iter();
        name.any(|word| wanted.contains(&words::stem(&word).as_str()))
    };
    let tables = || schema.tables.iter().filter(|table| !table.is_view);
    let orders = tables().any(|table| named(&table.name, &["order"]));
    orders && !tables().any(|table| named(&table.name, &["sale", "purchas"]))
}

/// `which category sells best`, `what sells best` as the best selling one.
pub(in super::super) fn sells_best(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let verb = (1..tokens.len().min(5)).find(|&at| matches!(word(&tokens, at), "sells" | "sell" | "sold"));
    let (Some(verb), "which" | "what") = (verb, word(&tokens, 0)) else {
        return tokens;
    };
    let the = usize::from(word(&tokens, verb + 1) == "the");
    let degree = match word(&tokens, verb + 1 + the) {
        "best" | "most" => "best",
        "worst" | "least" => "worst",
        _ => return tokens,
    };
    let noun: Vec<Token> = match (verb, goods(schema, model)) {
        (1, Some(goods)) => name_of(schema, goods, &tokens[0]),
        (1, None) => return tokens,
        _ => tokens[1..verb].to_vec(),
    };
    let mut asked = written(&[degree, "selling"], &tokens[0]);
    asked.extend(noun);
    asked.extend_from_slice(&tokens[verb + 2 + the..]);
    asked
}
