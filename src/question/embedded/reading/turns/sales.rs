//! What was sold, for how much, and what was paid for it.

use super::{
    super::{
        super::{
            left_open::is_costing,
            question::{Token, TokenKind},
        },
        implied::says_quantity,
        rewording::{said, word, written},
    },
    begins_value, called,
    goods::goods,
    has_word, is_called, is_period, name_of, tells_when,
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// Words of the name of what is sold, at most.
const LONGEST_NAME: usize = 5;

/// `how many Garnet Mugs did we sell` as the quantity of them, `how often was it sold` as the number of times.
pub(super) fn how_many_sold(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let Some(lines) = sold_lines(schema, model) else {
        return tokens;
    };
    let often = match (word(&tokens, 0), word(&tokens, 1), word(&tokens, 2)) {
        ("how", "often", _) | ("how", "many", "times") => true,
        ("how", "many", _) => false,
        _ => return tokens,
    };
    let sold = |word: &str| matches!(word, "sold" | "sell" | "ordered" | "bought" | "shifted");
    let Some(verb) = (3..tokens.len()).find(|&at| sold(word(&tokens, at))) else {
        return tokens;
    };
    let filler = |word: &str| {
        matches!(
            word,
            "how"
                | "many"
                | "often"
                | "times"
                | "units"
                | "pieces"
                | "of"
                | "the"
                | "was"
                | "were"
                | "has"
                | "have"
                | "been"
                | "did"
                | "do"
                | "does"
                | "we"
                | "you"
                | "they"
                | "our"
                | "is"
                | "are"
                | "people"
                | "customers"
        )
    };
    let named: Vec<Token> = tokens[..verb]
        .iter()
        .filter(|token| !filler(&token.word))
        .cloned()
        .collect();
    let text: Vec<&str> = named.iter().map(|token| token.text.as_str()).collect();
    let text = words::text_words(&text.join(" "));
    let mut hits = snapshot.values.find(&text);
    hits.extend(snapshot.values.find_part(&text));
    let leads = |to: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| key.from[0].table == lines.goods && key.to[0].table == to)
    };
    let is_goods = |table: usize| {
        table == lines.goods || leads(table) && model.datasets[table].role != DatasetRole::Event
    };
    if named.is_empty() || !hits.iter().any(|hit| is_goods(hit.column.table)) {
        return tokens;
    }
    let figure = if often {
        written(&["number"], &tokens[0])
    } else {
        let mut sum = written(&["sum", "of"], &tokens[0]);
        sum.extend(written(&lines.quantity, &tokens[0]));
        sum
    };
    let mut asked = lines.asked(figure, schema);
    asked.push(said("with", &tokens[0]));
    asked.extend(named);
    asked.extend_from_slice(&tokens[verb + 1..]);
    asked
}

/// `units sold of Garnet Mug this year` as the sum of what its orders say, where a time is told.
pub(super) fn units_sold(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let units = tokens
        .iter()
        .any(|token| matches!(token.word.as_str(), "units" | "pieces" | "copies"));
    let sells = tokens
        .iter()
        .any(|token| matches!(token.word.as_str(), "sold" | "sell"));
    // `units of Garnet Mug sold per month`
    let by_period = |at: usize| {
        matches!(word(&tokens, at), "per" | "by" | "each")
            && is_period(word(&tokens, at + 1).trim_end_matches('s'))
    };
    let other = |at: usize| {
        !by_period(at)
            && matches!(
                word(&tokens, at),
                "which" | "who" | "by" | "per" | "each" | "most" | "top" | "best" | "than" | "not" | "never"
            )
    };
    if !(units && sells && tokens.iter().any(tells_when)) || (0..tokens.len()).any(other) {
        return tokens;
    }
    let Some(lines) = sold_lines(schema, model) else {
        return tokens;
    };
    let adds_nothing = |token: &&Token| {
        !matches!(
            token.word.as_str(),
            "units"
                | "pieces"
                | "copies"
                | "sold"
                | "sell"
                | "did"
                | "do"
                | "have"
                | "we"
                | "you"
                | "were"
                | "was"
                | "been"
                | "of"
                | ":"
        )
    };
    let rest: Vec<Token> = tokens.iter().filter(adds_nothing).cloned().collect();
    // Only what is called by its name.
    let names_goods = (0..rest.len()).any(|from| {
        (from + 1..=rest.len().min(from + LONGEST_NAME)).any(|to| {
            let text: Vec<&str> = rest[from..to].iter().map(|token| token.text.as_str()).collect();
            let hits = snapshot.values.find(&words::text_words(&text.join(" ")));
            hits.iter().any(|hit| {
                let shown = &model.datasets[lines.goods].display;
                hit.column.table == lines.goods && shown.contains(&hit.column.column)
            })
        })
    });
    if !names_goods {
        return tokens;
    }
    let mut asked = lines.asked(written(&lines.quantity, &tokens[0]), schema);
    asked.push(said("of", &tokens[0]));
    asked.extend(rest);
    asked
}

/// Where it stands how many of what is sold went for how much.
struct SoldLines {
    goods: usize,
    table: usize,
    /// The words of the column that says how many.
    quantity: Vec<String>,
}

/// The one table of such lines.
fn sold_lines(schema: &Schema, model: &SemanticModel) -> Option<SoldLines> {
    let goods = goods(schema, model)?;
    let mut found = (0..schema.tables.len()).filter_map(|table| {
        let mut keys = schema.foreign_keys.iter();
        let of_goods = keys.any(|key| key.from[0].table == table && key.to[0].table == goods);
        let columns = &schema.tables[table].columns;
        let priced = columns
            .iter()
            .any(|column| has_word(&column.name, &["price", "amount", "total"]));
        let quantity = columns
            .iter()
            .find(|column| says_quantity(&column.name) && column.kind.is_numeric())?;
        let stands = of_goods && priced && !schema.tables[table].is_view;
        stands.then(|| SoldLines {
            goods,
            table,
            quantity: words::identifier_words(&quantity.name),
        })
    });
    found.next().filter(|_| found.next().is_none())
}

impl SoldLines {
    /// A figure of these lines: what it is, and of what.
    fn asked(&self, mut figure: Vec<Token>, schema: &Schema) -> Vec<Token> {
        let here = figure[0].clone();
        figure.push(said("of", &here));
        figure.extend(name_of(schema, self.table, &here));
        figure
    }
}

/// `how much does it cost`, `that cost more than 100` as its price, where costs are what it is bought for.
pub(super) fn costs(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let both = schema.tables.iter().any(|table| {
        let has = |wanted: &str| {
            table
                .columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(wanted))
        };
        has("price") && has("cost")
    });
    if !both {
        return tokens;
    }
    let does = |at: usize| matches!(word(&tokens, at), "does" | "do" | "would" | "will" | "did");
    let asks = match (word(&tokens, 0), word(&tokens, 1)) {
        ("how", "much") if does(2) => 3,
        ("what", _) if does(1) => 2,
        _ => 0,
    };
    let ends = |at: usize| matches!(word(&tokens, at), "" | "?" | "." | "now" | "today" | "currently");
    let verb = (asks + 1..tokens.len()).find(|&at| word(&tokens, at) == "cost" && ends(at + 1));
    if let Some(verb) = verb.filter(|_| asks > 0) {
        let mut asked = written(&["what", "is", "the", "price", "of"], &tokens[0]);
        asked.extend_from_slice(&tokens[asks..verb]);
        return asked;
    }
    let compared = |at: usize| {
        matches!(
            word(&tokens, at),
            "more" | "less" | "over" | "under" | "above" | "below" | "between" | "at"
        )
    };
    let found = (1..tokens.len()).find(|&at| {
        let that = matches!(
            word(&tokens, at - 1),
            "that" | "which" | "products" | "items" | "articles"
        );
        let costs = matches!(word(&tokens, at), "cost" | "costs" | "costing");
        costs && (that || word(&tokens, at) == "costing") && compared(at + 1)
    });
    if let Some(at) = found {
        let that = usize::from(matches!(word(&tokens, at - 1), "that" | "which"));
        let price = written(&["with", "price"], &tokens[at]);
        tokens.splice(at - that..=at, price);
    }
    tokens
}

/// `what do our tools cost` as the price that tools have themselves, where a cost is kept of something else alone.
pub(super) fn own_price(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = tokens.iter().position(|token| is_costing(&token.word));
    let tables = (0..schema.tables.len()).filter(|&table| !schema.tables[table].is_view);
    let named = |table: &usize| tokens.iter().any(|token| is_called(schema, *table, token));
    let named: Vec<usize> = tables.filter(named).collect();
    let (Some(at), [table]) = (found, &named[..]) else {
        return tokens;
    };
    if model.datasets[*table].role != DatasetRole::Entity {
        return tokens;
    }
    let columns = |wanted: &'static str| {
        let numbers = schema.tables[*table]
            .columns
            .iter()
            .filter(|column| column.kind.is_numeric());
        numbers.filter(move |column| has_word(&column.name, &[wanted]))
    };
    let elsewhere = schema
        .columns()
        .any(|(at, column)| at.table != *table && has_word(&column.name, &["cost"]));
    let mut prices = columns("price");
    if let (Some(price), None, None) = (prices.next(), prices.next(), columns("cost").next())
        && elsewhere
    {
        let price = written(&words::identifier_words(&price.name), &tokens[at]);
        tokens.splice(at..=at, price);
    }
    tokens
}

/// `unpaid orders` as those without payments, where these are kept.
pub(super) fn unpaid(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(at) = tokens.iter().position(|token| token.word == "unpaid") else {
        return tokens;
    };
    let Some(table) = tokens.get(at + 1).and_then(|noun| called(schema, noun)) else {
        return tokens;
    };
    let says_paid = |column: &str| {
        has_word(
            column,
            &["paid", "unpaid", "payment", "due", "outstanding", "balance"],
        )
    };
    let known = schema.tables[table]
        .columns
        .iter()
        .any(|column| says_paid(&column.name));
    let mut keys = schema.foreign_keys.iter().filter(|key| key.to[0].table == table);
    let payments =
        keys.find(|key| has_word(&schema.tables[key.from[0].table].name, &["payment", "payments"]));
    if let (Some(payments), false) = (payments, known) {
        let mut without = written(&["without"], &tokens[at]);
        without.extend(name_of(schema, payments.from[0].table, &tokens[at]));
        tokens.splice(at + 2..at + 2, without);
        tokens.remove(at);
    }
    tokens
}

/// `sales today` as the revenue, where nothing is called sales.
pub(super) fn revenue(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let at = usize::from(matches!(word(&tokens, 0), "our" | "total" | "the"));
    let called_so = schema.tables.iter().any(|table| {
        let named = |name: &str| has_word(name, &["sale", "sales"]);
        !table.is_view && (named(&table.name) || table.columns.iter().any(|column| named(&column.name)))
    });
    if word(&tokens, at) == "sales" && !called_so && !begins_value(&tokens, at, snapshot) {
        tokens[at] = said("revenue", &tokens[at]);
    }
    tokens
}

/// `how much money did we refund` as how much, where a column says it.
pub(super) fn how_much_money(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let asks = word(&tokens, 0) == "how" && word(&tokens, 1) == "much" && word(&tokens, 2) == "money";
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let kept = columns.any(|column| {
        let name = words::identifier_words(&column.name);
        let said = |token: &Token| name.len() == 1 && words::stem(&name[0]) == token.stem;
        column.kind.is_numeric() && tokens.iter().skip(4).take(3).any(said)
    });
    if asks && kept {
        tokens.remove(2);
    }
    tokens
}

/// `total salary` as the sum of what a column holds, where another table has totals; `salary costs` as salaries.
pub(super) fn totals(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let column = |stem: &str| {
        let mut columns = schema.columns();
        columns.find(|(_, column)| {
            let name = words::identifier_words(&column.name);
            name.len() == 1 && words::stem(&name[0]) == stem && column.kind.is_numeric()
        })
    };
    let pays = |at: usize| matches!(word(&tokens, at), "salary" | "salaries" | "wage" | "wages");
    let cost = |at: usize| {
        matches!(
            word(&tokens, at),
            "cost" | "costs" | "bill" | "expenses" | "expense"
        )
    };
    let spent =
        (1..tokens.len()).find(|&at| pays(at - 1) && cost(at) && column(&tokens[at - 1].stem).is_some());
    if let Some(at) = spent {
        tokens.remove(at);
    }
    let found = (1..tokens.len()).find(|&at| {
        let total = word(&tokens, at - 1) == "total" && tokens[at].stem != "total";
        total
            && column(&tokens[at].stem).is_some_and(|(of, _)| {
                let own = &schema.tables[of.table].columns;
                !own.iter().any(|column| has_word(&column.name, &["total"]))
            })
    });
    if let Some(at) = found {
        let sum = written(&["sum", "of"], &tokens[at]);
        tokens.splice(at - 1..at, sum);
    }
    tokens
}

/// `why do customers return things` as how many returns each reason has.
pub(super) fn why(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let asks = word(&tokens, 0) == "why"
        && matches!(
            word(&tokens, 1),
            "do" | "did" | "are" | "were" | "have" | "is" | "was"
        );
    if !asks {
        return tokens;
    }
    let has_reason = |table: usize| {
        let mut columns = schema.tables[table].columns.iter();
        columns.find_map(|column| {
            has_word(&column.name, &["reason"]).then(|| words::identifier_words(&column.name))
        })
    };
    let found = (2..tokens.len()).find_map(|at| {
        let table = called(schema, &tokens[at])?;
        Some((at, table, has_reason(table)?))
    });
    let Some((at, table, reason)) = found else {
        return tokens;
    };
    // What follows is the thing that it is about, or when.
    let when = (at + 1..tokens.len())
        .find(|&at| matches!(word(&tokens, at), "in" | "this" | "last" | "since" | "during"));
    let rest = when.unwrap_or(tokens.len());
    if rest > at + 4 {
        return tokens;
    }
    let mut asked = written(&["number", "of"], &tokens[0]);
    asked.extend(name_of(schema, table, &tokens[0]));
    asked.push(said("by", &tokens[0]));
    asked.extend(written(&reason, &tokens[0]));
    asked.extend_from_slice(&tokens[rest..]);
    asked
}

/// `the seven toys that sold best` as the seven best selling ones, `books that sold the most copies` too.
pub(super) fn sold_best(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let that = matches!(word(&tokens, at), "that" | "which" | "who");
        let sold = at + 1 + usize::from(matches!(word(&tokens, at + 1), "have" | "has"));
        let the = usize::from(word(&tokens, sold + 1) == "the");
        let degree = match word(&tokens, sold + 1 + the) {
            "best" | "most" => "best",
            "worst" | "least" => "worst",
            _ => return None,
        };
        let pieces = usize::from(matches!(
            word(&tokens, sold + 2 + the),
            "copies" | "pieces" | "units" | "often"
        ));
        let sells = matches!(word(&tokens, sold), "sold" | "sell" | "sells");
        (that && sells && at > 0).then_some((at, sold + 2 + the + pieces, degree))
    });
    let Some((at, end, degree)) = found else {
        return tokens;
    };
    let noun = tokens[at - 1].kind == TokenKind::Word(None);
    if noun {
        let selling = written(&[degree, "selling"], &tokens[at]);
        tokens.drain(at..end);
        tokens.splice(at - 1..at - 1, selling);
    }
    tokens
}

/// `how much profit did the shop make` as what we made.
pub(super) fn made_here(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (2..tokens.len()).find(|&at| {
        matches!(word(&tokens, at - 2), "did" | "does" | "do" | "has")
            && matches!(word(&tokens, at - 1), "the" | "our" | "this")
            && matches!(
                word(&tokens, at),
                "shop" | "company" | "business" | "firm" | "store"
            )
            && matches!(
                word(&tokens, at + 1),
                "make" | "made" | "earn" | "earned" | "sell" | "sold"
            )
    });
    if let Some(at) = found {
        let we = said("we", &tokens[at]);
        tokens.splice(at - 1..=at, [we]);
    }
    tokens
}
