//! How many: told behind what is counted, of whom each has so many, with what it comes to, or by what there is of each.

use super::{
    super::{
        super::question::{Token, TokenKind},
        money::amount_column,
        rewording::{names_definition, said, word, written},
    },
    called, is_called, is_period,
    kinds::categories,
    name_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `how much customers do we have` as how many, `how many euros did we sell` as how much, `we did sell` as did we.
pub(super) fn much_or_many(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let currency = |word: &str| {
        matches!(
            word,
            "euro" | "euros" | "eur" | "dollar" | "dollars" | "usd" | "pounds" | "gbp"
        )
    };
    let found = (0..tokens.len()).find(|&at| word(&tokens, at) == "how");
    let Some(how) = found else { return tokens };
    let noun = tokens.get(how + 2);
    let several = noun.is_some_and(|noun| {
        let mass = matches!(noun.stem.as_str(), "sale" | "stock" | "good" | "revenu");
        noun.word.ends_with('s') && !mass && called(schema, noun).is_some()
    });
    match word(&tokens, how + 1) {
        "much" if several => tokens[how + 1] = said("many", &tokens[how + 1]),
        "many" if currency(word(&tokens, how + 2)) => {
            tokens[how + 1] = said("much", &tokens[how + 1]);
            tokens.remove(how + 2);
        }
        _ => {}
    }
    // `how much we did sell`
    let turned = (how + 2..tokens.len()).find(|&at| {
        let asked = matches!(word(&tokens, at - 1), "do" | "did");
        word(&tokens, at) == "we" && matches!(word(&tokens, at + 1), "did" | "do") && !asked
    });
    if let Some(at) = turned.filter(|at| at + 2 < tokens.len()) {
        tokens.swap(at, at + 1);
    }
    tokens
}

/// How one asks behind what is counted.
const BEHIND: [&[&str]; 16] = [
    &["how", "many", "are", "they"],
    &["how", "many", "they", "are"],
    &["how", "many", "are", "there"],
    &["how", "many", "there", "are"],
    &["how", "many", "are", "those"],
    &["how", "many", "is", "that"],
    &["how", "many", "do", "we", "have"],
    &["how", "many", "we", "have"],
    &["how", "many", "of", "them", "are", "there"],
    &["how", "many", "of", "them"],
    &["how", "many", "in", "total"],
    &["how", "many"],
    &["in", "total", "count"],
    &["total", "count"],
    &["total", "number"],
    &["count"],
];

/// `customers without a phone, how many are there` as how many of them, `online orders count` too.
pub(super) fn told_behind(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let ends_so = |phrase: &&[&str]| {
        let from = tokens.len().checked_sub(phrase.len());
        from.is_some_and(|from| {
            phrase
                .iter()
                .enumerate()
                .all(|(at, said)| word(&tokens, from + at) == *said)
        })
    };
    // `active clients count` may be what people have defined under that name.
    let defined = |phrase: &&[&str]| phrase.len() == 1 && names_definition(phrase[0], model);
    let Some(phrase) = BEHIND.iter().find(|phrase| ends_so(phrase) && !defined(phrase)) else {
        return tokens;
    };
    let mut end = tokens.len() - phrase.len();
    while end > 0
        && (matches!(tokens[end - 1].kind, TokenKind::Mark(',' | ':' | ';'))
            || word(&tokens, end - 1) == "and")
    {
        end -= 1;
    }
    let other = |token: &Token| {
        matches!(
            token.word.as_str(),
            "how" | "by" | "per" | "each" | "most" | "top" | "best" | "average" | "who" | "where" | "when"
        )
    };
    let asks = usize::from(matches!(word(&tokens, 0), "which" | "what"));
    let shows = matches!(
        word(&tokens, 0),
        "show" | "list" | "give" | "find" | "tell" | "get" | "please" | "can" | "could"
    );
    let named = tokens[..end]
        .iter()
        .position(|token| called(schema, token).is_some());
    let asked = phrase[0] == "how" || named.is_some_and(|named| named + 1 == end);
    if end == 0 || shows || named.is_none() || !asked || tokens[..end].iter().any(other) {
        return tokens;
    }
    let mut counted = written(&["how", "many"], &tokens[0]);
    counted.extend_from_slice(&tokens[asks..end]);
    counted
}

/// `how many visits does a client make on average` as the average number of visits per client.
pub(super) fn each_on_average(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let marks = |at: usize| match (word(&tokens, at), word(&tokens, at + 1)) {
        ("on" | "in", "average") => 2,
        ("typically" | "usually" | "normally", _) => 1,
        _ => 0,
    };
    let Some(average) = (0..tokens.len()).find(|&at| marks(at) > 0) else {
        return tokens;
    };
    let mut rest = tokens.clone();
    rest.drain(average..average + marks(average));
    rest.retain(|token| !matches!(token.kind, TokenKind::Mark(',')));
    if word(&rest, 0) != "how" || word(&rest, 1) != "many" {
        return tokens;
    }
    let does = (3..rest.len().min(6)).find(|&at| matches!(word(&rest, at), "does" | "do" | "did"));
    let Some(does) = does else { return tokens };
    let article = usize::from(matches!(
        word(&rest, does + 1),
        "a" | "an" | "one" | "each" | "every" | "our" | "the"
    ));
    let owner = does + 1 + article;
    let whose = rest.get(owner).and_then(|noun| called(schema, noun));
    let what = called(schema, &rest[does - 1]);
    let verb = rest.get(owner + 1).is_some_and(|verb| {
        matches!(
            verb.word.as_str(),
            "make"
                | "place"
                | "have"
                | "order"
                | "get"
                | "book"
                | "write"
                | "buy"
                | "receive"
                | "hold"
                | "do"
        )
    });
    let what = what.is_some()
        || rest
            .get(does - 1)
            .is_some_and(|noun| noun.word.ends_with('s') && !is_period(noun.word.trim_end_matches('s')));
    let (Some(_), true, true) = (whose, what, verb) else {
        return tokens;
    };
    let mut asked = written(&["average", "number", "of"], &tokens[0]);
    asked.extend_from_slice(&rest[2..does]);
    asked.push(said("per", &tokens[0]));
    asked.extend_from_slice(&rest[owner..=owner]);
    asked.extend_from_slice(&rest[owner + 2..]);
    asked
}

/// `how many days pass between order and delivery on average` as the average days between them.
pub(super) fn days_between(tokens: Vec<Token>) -> Vec<Token> {
    let many = (0..tokens.len()).find(|&at| word(&tokens, at) == "how" && word(&tokens, at + 1) == "many");
    let Some(many) = many else { return tokens };
    let unit =
        is_period(word(&tokens, many + 2).trim_end_matches('s')) && word(&tokens, many + 2).ends_with('s');
    let between = (many + 3..tokens.len().min(many + 6)).find(|&at| word(&tokens, at) == "between");
    let passes = between.is_some_and(|between| {
        tokens[many + 3..between].iter().all(|token| {
            matches!(
                token.word.as_str(),
                "pass" | "passes" | "go" | "by" | "lie" | "are" | "there" | "elapse" | "usually"
            )
        })
    });
    let averages = |at: usize| matches!(word(&tokens, at), "on" | "in") && word(&tokens, at + 1) == "average";
    let average = (0..tokens.len()).find(|&at| averages(at));
    let led = average == Some(0) || many == 0;
    let (Some(between), Some(average), true) = (between, average, unit && passes && led) else {
        return tokens;
    };
    let mut asked = vec![said("average", &tokens[many]), tokens[many + 2].clone()];
    let rest = (between..tokens.len()).filter(|at| !(average..average + 2).contains(at));
    asked.extend(rest.map(|at| tokens[at].clone()));
    asked
}

/// The stems of a column's name.
fn stems(schema: &Schema, at: ColumnRef) -> Vec<String> {
    let name = words::identifier_words(&schema.column(at).name);
    name.iter().map(|word| words::stem(word)).collect()
}

/// `distribution of review ratings` as how many reviews there are of each rating.
pub(super) fn spread(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = tokens
        .iter()
        .position(|token| matches!(token.word.as_str(), "distribution" | "breakdown" | "spread"));
    let Some(at) = found.filter(|&at| at < 4 && word(&tokens, at + 1) == "of") else {
        return tokens;
    };
    let from = at + 2 + usize::from(matches!(word(&tokens, at + 2), "the" | "our" | "all"));
    let has_rows = |table: usize| !schema.tables[table].is_view;
    let grouped = |place: &ColumnRef| {
        let role = model.field(*place).role;
        let graded = role.is_measure()
            && words::identifier_words(&schema.column(*place).name)
                .iter()
                .any(|word| {
                    matches!(
                        word.as_str(),
                        "rating" | "stars" | "score" | "grade" | "priority" | "level"
                    )
                });
        matches!(role, FieldRole::Dimension | FieldRole::Code) || graded
    };
    // A table and its column, or the column alone; what follows says no more than how many.
    let column = (from..tokens.len().min(from + 3)).find_map(|noun| {
        let owner = (noun > from).then(|| called(schema, &tokens[noun - 1])).flatten();
        let columns = schema.columns().map(|(at, _)| at).filter(|place| {
            has_rows(place.table)
                && grouped(place)
                && stems(schema, *place).last() == Some(&tokens[noun].stem)
        });
        let mut fitting = columns.filter(|place| owner.is_none_or(|owner| owner == place.table));
        let only = fitting.next().filter(|_| fitting.next().is_none())?;
        Some((noun, only))
    });
    let Some((noun, column)) = column else {
        return tokens;
    };
    if matches!(
        word(&tokens, noun + 1),
        "by" | "per" | "across" | "over" | "in" | "for" | "of"
    ) {
        return tokens;
    }
    let mut asked = written(&["number", "of"], &tokens[at]);
    asked.extend(name_of(schema, column.table, &tokens[at]));
    asked.push(said("by", &tokens[at]));
    asked.extend(written(
        &words::identifier_words(&schema.column(column).name),
        &tokens[at],
    ));
    asked
}

/// `payment methods` alone as the different ones that there are.
pub(super) fn kinds_alone(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let shows = matches!(word(&tokens, 0), "list" | "show" | "give");
    let me = usize::from(shows) + usize::from(shows && word(&tokens, 1) == "me");
    let from = me
        + usize::from(matches!(
            word(&tokens, me),
            "all" | "our" | "the" | "available" | "possible"
        ));
    let named: Vec<&str> = tokens[from.min(tokens.len())..]
        .iter()
        .map(|token| token.stem.as_str())
        .collect();
    let plural = tokens.last().is_some_and(|last| last.word.ends_with('s'));
    let called_so = |at: &ColumnRef| {
        let column = stems(schema, *at);
        let mut whole: Vec<String> = words::table_words(&schema.tables[at.table].name)
            .iter()
            .map(|word| words::stem(word))
            .collect();
        whole.extend(column.clone());
        named == whole || named == column
    };
    let names_table = named.len() == 1 && tokens.last().is_some_and(|last| called(schema, last).is_some());
    if plural && !names_table && named.len() < 4 && categories(schema, model).any(|at| called_so(&at)) {
        let different = said("different", &tokens[from]);
        tokens.insert(from, different);
    }
    tokens
}

/// `how many payments failed and what do they add up to` as the number of them and their amount.
pub(super) fn and_in_total(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    const COMES_TO: [&[&str]; 12] = [
        &["what", "do", "they", "add", "up", "to"],
        &["what", "do", "they", "come", "to"],
        &["what", "do", "they", "amount", "to"],
        &["what", "is", "their", "total"],
        &["what", "is", "their", "total", "value"],
        &["what", "is", "their", "total", "amount"],
        &["what", "are", "they", "worth"],
        &["how", "much", "is", "that"],
        &["how", "much", "is", "that", "in", "total"],
        &["how", "much", "are", "they", "worth"],
        &["for", "how", "much"],
        &["how", "much", "in", "total"],
    ];
    let and = (4..tokens.len()).rev().find(|&at| {
        matches!(word(&tokens, at), "and" | ",") && {
            let rest: Vec<&str> = tokens[at + 1..]
                .iter()
                .map(|token| token.word.as_str())
                .filter(|word| !matches!(*word, "altogether" | "together" | "overall"))
                .collect();
            COMES_TO.contains(&&rest[..])
        }
    });
    let (Some(and), "how", "many") = (and, word(&tokens, 0), word(&tokens, 1)) else {
        return tokens;
    };
    let table = tokens[2..and.min(5)]
        .iter()
        .find_map(|noun| (0..schema.tables.len()).find(|&table| is_called(schema, table, noun)));
    let Some(table) = table else { return tokens };
    let Some(mut asked) = number_and_amount(table, &tokens[0], schema, model) else {
        return tokens;
    };
    let is = |token: &&Token| !matches!(token.word.as_str(), "were" | "was" | "are" | "is" | "been");
    asked.extend(tokens[2..and].iter().filter(is).cloned());
    asked
}

/// `number and total amount of`, as the column is called that has what the rows of a table come to.
pub(super) fn number_and_amount(
    table: usize,
    instead: &Token,
    schema: &Schema,
    model: &SemanticModel,
) -> Option<Vec<Token>> {
    // What the measures of money leave out may be an amount all the same.
    let plain = || {
        let columns = schema.tables[table].columns.iter().map(|column| &column.name);
        let mut amounts = columns.filter(|name| super::has_word(name, &["amount", "amt", "total", "value"]));
        amounts.next().map(|name| words::identifier_words(name))
    };
    let amount = amount_column(table, schema, model).or_else(plain)?;
    let mut asked = written(&["number", "and", "total"], instead);
    let whole = usize::from(amount.first().is_some_and(|word| word == "total"));
    asked.extend(written(&amount[whole..], instead));
    asked.push(said("of", instead));
    Some(asked)
}
