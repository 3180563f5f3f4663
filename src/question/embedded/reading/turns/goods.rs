//! What is sold: how much of it is left, what has to be ordered again, what it brings in.

use super::{
    super::{
        super::question::{Token, TokenKind},
        money::amount_column,
        rewording::{said, word},
    },
    is_called, is_table,
};
use crate::question::{
    schema::{ColumnRef, ForeignKey, Schema, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// The column that says how much of something is there.
fn stock(schema: &Schema) -> Option<ColumnRef> {
    let mut columns = schema.columns();
    let found = columns.find(|(at, column)| {
        let name = words::identifier_words(&column.name);
        let on_hand = name.windows(2).any(|two| two[0] == "on" && two[1] == "hand");
        let here = on_hand
            || name
                .iter()
                .any(|word| matches!(word.as_str(), "stock" | "inventory"));
        here && column.kind.is_numeric() && !schema.tables[at.table].is_view
    });
    found.map(|(at, _)| at)
}

/// The table of what is sold: the one thing here that has a price and a name.
fn goods(schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let priced = |table: usize| {
        schema.tables[table].columns.iter().any(|column| {
            let name = words::identifier_words(&column.name);
            name.iter()
                .any(|word| matches!(word.as_str(), "price" | "cost" | "stock" | "msrp"))
                && column.kind.is_numeric()
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
    let name = words::table_words(&schema.tables[goods].name);
    let before = |at: usize| if at > 0 { word(&tokens, at - 1) } else { "" };
    let counted = |at: usize| matches!(before(at), "of" | "many" | "per" | "average");
    // `send things back` is about no goods in particular, `the heaviest things` is.
    let picked = |at: usize| {
        let number = at > 0
            && matches!(
                tokens[at - 1].kind,
                TokenKind::Number(_) | TokenKind::Word(Some(_))
            );
        number
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
    let found = (0..tokens.len()).find(|&at| match word(&tokens, at) {
        "things" | "stuff" | "everything" | "thing" => {
            picked(at) && !matches!(word(&tokens, at + 1), "about" | "on" | "we" | "you" | "is" | "in")
        }
        "item" | "items" => !counted(at) && !is_table(schema, &tokens[at]),
        _ => false,
    });
    if let Some(at) = found {
        let name = name.iter().map(|word| said(word, &tokens[at]));
        let name: Vec<Token> = name.collect();
        tokens.splice(at..=at, name);
    }
    tokens
}

/// `how many Garnet Mugs are left` as how much of them is in stock.
pub(super) fn left(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let Some(stock) = stock(schema) else { return tokens };
    let many = tokens
        .windows(2)
        .position(|two| two[0].word == "how" && two[1].word == "many");
    let Some(many) = many else { return tokens };
    let verb = (many + 3..tokens.len().min(many + 9)).find(|&at| {
        matches!(
            word(&tokens, at),
            "are" | "is" | "do" | "have" | "left" | "remain"
        )
    });
    let Some(verb) = verb else { return tokens };
    let remains = tokens[verb..].iter().all(|token| {
        matches!(
            token.word.as_str(),
            "are"
                | "is"
                | "do"
                | "we"
                | "have"
                | "got"
                | "left"
                | "remain"
                | "remaining"
                | "in"
                | "stock"
                | "there"
                | "still"
                | "on"
                | "hand"
                | "right"
                | "now"
                | "currently"
        )
    });
    let led = (many + 2..verb).find(|&at| !matches!(word(&tokens, at), "of" | "the" | "our" | "those"));
    let Some(led) = led.filter(|_| remains) else {
        return tokens;
    };
    let text: Vec<&str> = tokens[led..verb]
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    let hits = snapshot.values.find(&words::text_words(&text.join(" ")));
    let of_stock = |table: usize| {
        let leads = |key: &ForeignKey| key.from[0].table == stock.table && key.to[0].table == table;
        table == stock.table || schema.foreign_keys.iter().any(leads)
    };
    if !hits.iter().any(|hit| of_stock(hit.column.table)) {
        return tokens;
    }
    let amount = words::identifier_words(&schema.column(stock).name);
    let begins = ["what", "is", "the"].into_iter();
    let mut written: Vec<Token> = begins
        .chain(amount.iter().map(String::as_str))
        .chain(["of"])
        .map(|word| said(word, &tokens[many]))
        .collect();
    written.extend_from_slice(&tokens[led..verb]);
    tokens.splice(many.., written);
    tokens
}

/// `sold out`, `that we are out of` as out of stock, where it is known what is.
pub(super) fn sold_out(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if stock(schema).is_none() {
        return tokens;
    }
    let found = (0..tokens.len()).find_map(|at| {
        let next = |by: usize| word(&tokens, at + by);
        let ends = |by: usize| matches!(next(by), "" | "?" | "." | "," | "but" | "and" | "now" | "right");
        match (next(0), next(1)) {
            ("sold", "out") if next(2) != "of" => Some((at, at + 2)),
            ("out", "of") if ends(2) && at > 0 => {
                let says = |word: &str| {
                    matches!(
                        word,
                        "we" | "are"
                            | "'re"
                            | "have"
                            | "ran"
                            | "run"
                            | "completely"
                            | "totally"
                            | "that"
                            | "which"
                            | "all"
                            | "fully"
                    )
                };
                let from = (0..at).rev().find(|&before| !says(word(&tokens, before)));
                Some((from.map_or(0, |before| before + 1), at + 2))
            }
            _ => None,
        }
    });
    if let Some((from, to)) = found {
        let out = ["out", "of", "stock"].map(|word| said(word, &tokens[from]));
        tokens.splice(from..to, out);
    }
    tokens
}

/// `what is everything in the warehouse worth` as the value of what is in stock.
pub(super) fn worth(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if stock(schema).is_none() || tokens.len() > 16 {
        return tokens;
    }
    let has = |wanted: &[&str]| tokens.iter().any(|token| wanted.contains(&token.word.as_str()));
    let here = has(&["warehouse", "shelves", "storeroom", "stockroom"])
        || has(&["stock", "inventory"]) && !tokens.windows(2).any(|two| two[1].word == "value");
    let asks =
        has(&["worth"]) || has(&["cost", "costs", "value"]) && has(&["all", "everything", "total", "whole"]);
    let apart = has(&[
        "by", "per", "each", "for", "which", "selling", "retail", "sales", "average", "over", "under",
        "than", "most",
    ]);
    if !here || !asks || apart || tokens.iter().skip(1).any(|token| token.capital) {
        return tokens;
    }
    ["what", "is", "the", "stock", "value"]
        .map(|word| said(word, &tokens[0]))
        .to_vec()
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
    let has = |wanted: &[&str]| {
        schema.tables[goods].columns.iter().any(|column| {
            let name = words::identifier_words(&column.name);
            name.iter().any(|word| wanted.contains(&word.as_str()))
        })
    };
    if earns > piece || !has(&["price"]) || !has(&["cost"]) {
        return tokens;
    }
    let begin = tokens[..earns]
        .iter()
        .take_while(|token| !matches!(token.word.as_str(), "do" | "we" | "does"));
    let mut written: Vec<Token> = begin.filter(|token| token.word != "on").cloned().collect();
    if let [only] = &written[..]
        && only.word == "what"
    {
        let noun = words::table_words(&schema.tables[goods].name);
        written = vec![said("which", &tokens[0])];
        written.extend(noun.iter().map(|word| said(word, &tokens[0])));
    }
    let with = if word(&written, 0) == "which" {
        "has"
    } else {
        "with"
    };
    written.extend([with, "the", "highest", "margin"].map(|word| said(word, &tokens[earns])));
    written
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
    let whole = |token: &Token| (0..schema.tables.len()).find(|&table| is_called(schema, table, token));
    let Some(whole) = tokens.get(noun).filter(|_| numbered).and_then(whole) else {
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
    let name = words::table_words(&schema.tables[lines].name);
    let written: Vec<Token> = name
        .iter()
        .map(String::as_str)
        .chain(["of"])
        .map(|word| said(word, &tokens[0]))
        .collect();
    tokens.splice(..3, written);
    tokens
}

/// `what we need to reorder` as what there is less of than the level at which that is done.
pub(super) fn reordered(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
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
            let reviews = opinions.iter().map(String::as_str).chain(["of"]);
            let written: Vec<Token> = reviews.map(|word| said(word, &tokens[0])).collect();
            tokens.splice(..verb + 2, written);
        }
        return tokens;
    }
    if let Some(goods) = goods(schema, model) {
        let name = words::table_words(&schema.tables[goods].name);
        let which = ["which"].into_iter().chain(name.iter().map(String::as_str));
        let written: Vec<Token> = which.map(|word| said(word, &tokens[0])).collect();
        tokens.splice(..1, written);
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
        (1, Some(goods)) => {
            let name = words::table_words(&schema.tables[goods].name);
            name.iter().map(|word| said(word, &tokens[0])).collect()
        }
        (1, None) => return tokens,
        _ => tokens[1..verb].to_vec(),
    };
    let mut written = [degree, "selling"].map(|word| said(word, &tokens[0])).to_vec();
    written.extend(noun);
    written.extend_from_slice(&tokens[verb + 2 + the..]);
    written
}
