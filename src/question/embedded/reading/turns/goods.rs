//! What is sold: what an order holds, what somebody bought, what sells best, what it brings in.

use super::{
    super::{
        super::{
            lexicon::lexicon,
            question::{Token, TokenKind},
        },
        implied::says_quantity,
        money::amount_column,
        rewording::{is_number, said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The table of what is sold: the one thing here that has a price and a name.
fn goods(schema: &Schema, model: &SemanticModel) -> Option<usize> {
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
            picked(at) && !matches!(word(&tokens, at + 1), "about" | "on" | "we" | "you" | "is" | "in")
        }
        "item" | "items" => !counted(at) && called(schema, &tokens[at]).is_none(),
        _ => false,
    });
    if let Some(at) = found {
        let name = name_of(schema, goods, &tokens[at]);
        tokens.splice(at..=at, name);
    }
    tokens
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

/// `how many gravel bikes did we sell` as how many pieces of them the lines of the orders come to.
pub(super) fn pieces_sold(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let many = (1..tokens.len()).find(|&at| word(&tokens, at - 1) == "how" && word(&tokens, at) == "many");
    let (Some(many), Some(goods)) = (many, goods(schema, model)) else {
        return tokens;
    };
    let helps = |word: &str| {
        matches!(
            word,
            "did" | "do" | "have" | "has" | "were" | "was" | "are" | "got"
        )
    };
    let auxiliary = (many + 2..tokens.len().min(many + 7)).find(|&at| helps(word(&tokens, at)));
    let verb = auxiliary.and_then(|at| {
        let mut near = at + 1..tokens.len().min(at + 4);
        near.find(|&at| matches!(word(&tokens, at), "sell" | "sold" | "shift" | "shifted"))
    });
    let (Some(auxiliary), Some(verb), Some((lines, quantity))) = (auxiliary, verb, sold_in(goods, schema))
    else {
        return tokens;
    };
    let of = (many + 1..auxiliary).find(|&at| !matches!(word(&tokens, at), "of" | "the" | "our" | "those"));
    let Some(name) = of.map(|of| &tokens[of..auxiliary]) else {
        return tokens;
    };
    let said: Vec<&str> = name.iter().map(|token| token.text.as_str()).collect();
    let said = words::text_words(&said.join(" "));
    let mut hits = snapshot.values.find(&said);
    hits.extend(snapshot.values.find_part(&said));
    let leads = |to: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| key.from[0].table == goods && key.to[0].table == to)
    };
    let is_goods =
        |table: usize| table == goods || leads(table) && model.datasets[table].role != DatasetRole::Event;
    if !hits.iter().any(|hit| is_goods(hit.column.table)) {
        return tokens;
    }
    let mut asked = tokens[..many - 1].to_vec();
    let here = &tokens[many];
    asked.extend(written(&["sum", "of"], here));
    asked.extend(written(&words::identifier_words(quantity), here));
    asked.push(self::said("of", here));
    asked.extend(name_of(schema, lines, here));
    asked.push(self::said("with", here));
    asked.extend_from_slice(name);
    asked.extend_from_slice(&tokens[verb + 1..]);
    asked
}

/// The lines that say how many pieces of what is sold went at which price, with the column that says it.
fn sold_in(goods: usize, schema: &Schema) -> Option<(usize, &str)> {
    let mut keys = schema.foreign_keys.iter().filter(|key| key.to[0].table == goods);
    keys.find_map(|key| {
        let table = &schema.tables[key.from[0].table];
        let numbers = || table.columns.iter().filter(|column| column.kind.is_numeric());
        let priced = numbers().any(|column| has_word(&column.name, &["price", "amount", "total", "revenue"]));
        let quantity = numbers().find(|column| says_quantity(&column.name))?;
        (priced && !table.is_view).then_some((key.from[0].table, quantity.name.as_str()))
    })
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

/// `what was in order 9120` as the lines that it has.
pub(super) fn contents(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let is = matches!(word(&tokens, 1), "is" | "was" | "'s" | "were");
    if word(&tokens, 0) != "what" || !is || word(&tokens, 2) != "in" {
        return tokens;
    }
    let noun = 3 + usize::from(matches!(word(&tokens, 3), "the" | "our"));
    let number = noun + 1 + usize::from(matches!(word(&tokens, noun + 1), "number" | "no" | "nr"));
    let numbered = matches!(
        tokens.get(number).map(|token| &token.kind),
        Some(TokenKind::Number(_))
    );
    let whole = tokens.get(noun).filter(|_| numbered);
    let Some(whole) = whole.and_then(|noun| called(schema, noun)) else {
        return tokens;
    };
    // What belongs to it, and to something that is sold.
    let leads = |from: usize, to: &dyn Fn(usize) -> bool| {
        schema
            .foreign_keys
            .iter()
            .any(|key| key.from[0].table == from && to(key.to[0].table))
    };
    let is_thing = |table: usize| table != whole && model.datasets[table].role == DatasetRole::Entity;
    let named_so = |table: usize| {
        words::table_words(&schema.tables[table].name).iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "line" | "item" | "detail" | "posit" | "product"
            )
        })
    };
    let mut lines = (0..schema.tables.len()).filter(|&table| {
        !schema.tables[table].is_view
            && leads(table, &|to| to == whole)
            && leads(table, &is_thing)
            && named_so(table)
    });
    let (Some(lines), None) = (lines.next(), lines.next()) else {
        return tokens;
    };
    let mut asked = name_of(schema, lines, &tokens[0]);
    asked.push(said("of", &tokens[0]));
    tokens.splice(..3, asked);
    tokens
}

/// `products never sold` as those that nobody ordered, where orders are all that tells of it.
pub(super) fn not_sold(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
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
            "buy" | "bought" | "order" | "ordered" | "purchase" | "purchased" | "say" | "said"
        )
    });
    let Some(verb) = verb else { return tokens };
    if matches!(word(&tokens, verb), "say" | "said") {
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
