//! Who: titles, numbers to call, whoever is still here or came back.

use super::{
    super::{
        super::question::{Token, TokenKind},
        persons::{buys_here, is_person, works_here},
        rewording::{said, word, written},
    },
    called, has_word, is_name, name_of,
};
use crate::question::{
    schema::{ForeignKey, Schema, words},
    semantic::SemanticModel,
};

/// `Dr. Lee` by the name alone.
pub(super) fn titled(mut tokens: Vec<Token>) -> Vec<Token> {
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

/// `email addresses` as what a column calls the email.
pub(super) fn email_address(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "address" | "addresses")
            && matches!(word(&tokens, at - 1), "email" | "e-mail" | "mail")
    });
    let named = |column: &str| has_word(column, &["email", "mail"]) && has_word(column, &["address", "addr"]);
    if let Some(at) = found.filter(|_| !schema.columns().any(|(_, column)| named(&column.name))) {
        tokens.remove(at);
    }
    tokens
}

/// `the number for Lone Star`, `Ann's number` as what one calls.
pub(super) fn phone_number(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
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
    // `telephone numbers` are what is called a phone.
    let numbers = (1..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "number" | "numbers" | "no" | "nr")
            && matches!(
                word(&tokens, at - 1),
                "phone" | "telephone" | "tel" | "mobile" | "cell" | "contact"
            )
    });
    let says_number = schema.columns().any(|(_, column)| {
        has_word(&column.name, &[phone.as_str()]) && has_word(&column.name, &["number", "no", "nr", "num"])
    });
    if let Some(at) = numbers.filter(|_| !says_number) {
        // Of several kinds of phone the one that is named.
        let own = schema
            .columns()
            .any(|(_, column)| has_word(&column.name, &[word(&tokens, at - 1)]));
        if own {
            tokens.remove(at);
            return tokens;
        }
        tokens[at] = said(&phone, &tokens[at]);
        tokens.remove(at - 1);
        return tokens;
    }
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
pub(super) fn still_here(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
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
    let mut asked = written(&["name", "and"], &tokens[0]);
    asked.extend(written(&left, &tokens[0]));
    asked.push(said("of", &tokens[0]));
    asked.extend_from_slice(&tokens[1..still]);
    asked
}

/// `came back for a second order` as at least two orders.
pub(super) fn came_back(mut tokens: Vec<Token>) -> Vec<Token> {
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
    let least = written(&["with", "at", "least"], &tokens[at]);
    tokens.splice(from..at + 4, least.into_iter().chain([two]));
    // `a second order or more`
    if let Some(or) =
        (from..tokens.len()).find(|&at| word(&tokens, at) == "or" && word(&tokens, at + 1) == "more")
    {
        tokens.drain(or..or + 2);
    }
    tokens
}

/// `who ordered last year but haven't ordered yet this year` as `but not this year`.
pub(super) fn but_not(mut tokens: Vec<Token>) -> Vec<Token> {
    let negates = |word: &str| matches!(word, "not" | "never") || word.ends_with("n't");
    let found = (1..tokens.len()).find_map(|at| {
        let but = matches!(word(&tokens, at), "but" | "and" | "yet");
        let not = (at + 1..at + 4).find(|&not| but && negates(word(&tokens, not)))?;
        let verb = (not + 1..not + 3).find(|&verb| {
            let again = |token: &Token| token.stem == tokens[verb].stem && token.stem.len() > 2;
            verb < tokens.len() && tokens[..at].iter().any(again)
        })?;
        let adds_nothing = |at: &usize| {
            matches!(
                word(&tokens, *at),
                "anything"
                    | "something"
                    | "one"
                    | "again"
                    | "yet"
                    | "so"
                    | "far"
                    | "any"
                    | "in"
                    | "at"
                    | "all"
            )
        };
        let when = (verb + 1..tokens.len()).find(|at| !adds_nothing(at))?;
        let tells_when = matches!(&tokens[when].kind, TokenKind::Number(number) if number.len() == 4)
            || matches!(tokens[when].kind, TokenKind::Month(_))
            || matches!(word(&tokens, when), "this" | "last");
        tells_when.then_some((at, when))
    });
    if let Some((at, when)) = found {
        let in_place = written(&["but", "not"], &tokens[at]);
        tokens.splice(at..when, in_place);
    }
    tokens
}

/// `names and emails of our customers` with what their names are made of, where several columns have them.
pub(in super::super) fn names_of(
    mut tokens: Vec<Token>,
    schema: &Schema,
    model: &SemanticModel,
) -> Vec<Token> {
    let leads = |at: usize| {
        at == 0
            || matches!(
                word(&tokens, at - 1),
                "the"
                    | "all"
                    | "list"
                    | "show"
                    | "give"
                    | "me"
                    | "find"
                    | "get"
                    | "want"
                    | "need"
                    | "and"
                    | ","
                    | "their"
            )
    };
    let of = |at: usize| {
        let of = (at + 1..tokens.len().min(at + 9)).find(|&of| word(&tokens, of) == "of")?;
        tokens[of + 1..]
            .iter()
            .take(4)
            .find_map(|noun| called(schema, noun))
    };
    let found = (0..tokens.len())
        .filter(|&at| matches!(word(&tokens, at), "name" | "names") && leads(at))
        .find_map(|at| Some((at, of(at)?)));
    let Some((at, table)) = found else { return tokens };
    let columns = &schema.tables[table].columns;
    let parts: Vec<Vec<String>> = model.datasets[table]
        .display
        .iter()
        .map(|column| words::identifier_words(&columns[*column].name))
        .collect();
    let is_part = |name: &Vec<String>| name.len() > 1 && name.last().is_some_and(|last| last == "name");
    if parts.len() < 2 || !parts.iter().all(is_part) {
        return tokens;
    }
    let mut name: Vec<Token> = Vec::new();
    for part in &parts {
        if !name.is_empty() {
            name.push(said("and", &tokens[at]));
        }
        name.extend(written(part, &tokens[at]));
    }
    // A comma behind them goes on with the list.
    let comma = usize::from(word(&tokens, at + 1) == ",");
    if comma == 1 {
        name.push(said("and", &tokens[at]));
    }
    tokens.splice(at..=at + comma, name);
    tokens
}

/// `who earns the most` as who has the highest salary, where there are any.
pub(super) fn earns_most(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let persons = at > 0
            && matches!(
                word(&tokens, at - 1),
                "who" | "employee" | "employees" | "people" | "person"
            );
        let most = matches!(word(&tokens, at + 2), "most" | "least");
        let earns = persons && matches!(word(&tokens, at), "earns" | "earn");
        let paid = word(&tokens, at) == "paid" && at > 0 && matches!(word(&tokens, at - 1), "is" | "gets");
        (earns || paid) && word(&tokens, at + 1) == "the" && most
    });
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let salary = columns.find_map(|column| {
        let name = words::identifier_words(&column.name);
        name.into_iter()
            .find(|word| matches!(word.as_str(), "salary" | "sal" | "wage" | "wages"))
    });
    let (Some(at), Some(salary)) = (found, salary) else {
        return tokens;
    };
    let degree = if word(&tokens, at + 2) == "most" {
        "highest"
    } else {
        "lowest"
    };
    let paid = usize::from(word(&tokens, at) == "paid");
    let mut asked = tokens[..at - paid].to_vec();
    asked.extend(written(&["has", "the", degree, &salary], &tokens[at]));
    let money = usize::from(word(&tokens, at + 3) == "money");
    asked.extend_from_slice(&tokens[at + 3 + money..]);
    asked
}

/// `who has written the most reviews` as which customers have them, where only they write any.
pub(super) fn done_the_most(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    // `who at the Hill store has served the most clients`
    let led = matches!(word(&tokens, 1), "at" | "in" | "from" | "of");
    let place = 1
        + (1..tokens.len().min(8))
            .take_while(|&at| {
                led && (at == 1 || is_name(&tokens, at) || matches!(word(&tokens, at), "the" | "our"))
            })
            .count();
    let verb = place + usize::from(matches!(word(&tokens, place), "has" | "have"));
    let most = matches!(word(&tokens, verb + 2), "most" | "fewest");
    if word(&tokens, 0) != "who" || word(&tokens, verb + 1) != "the" || !most {
        return tokens;
    }
    let event = tokens.get(verb + 3).and_then(|noun| called(schema, noun));
    let persons = |event: usize| {
        let keys = schema.foreign_keys.iter();
        keys.filter(|key| key.from[0].table == event && is_person(schema, key.to[0].table))
            .collect::<Vec<_>>()
    };
    let doers = event.map(persons).unwrap_or_default();
    // Of several the one of whom a column says that this is what they do.
    let does = |key: &&&ForeignKey| {
        let column = schema.column(key.from[0]);
        let mut said = words::text_words(column.comment.as_deref().unwrap_or_default());
        said.extend(words::identifier_words(&column.name));
        said.iter().any(|said| words::stem(said) == tokens[verb].stem)
    };
    let mut told = doers.iter().filter(does);
    let doer = match (&doers[..], told.next(), told.next()) {
        ([only], ..) | (_, Some(only), None) => only.to[0].table,
        _ => return tokens,
    };
    let mut asked = written(&["which"], &tokens[0]);
    asked.extend(name_of(schema, doer, &tokens[0]));
    asked.extend_from_slice(&tokens[1..place]);
    asked.push(said("has", &tokens[0]));
    asked.extend_from_slice(&tokens[verb + 1..]);
    asked
}

/// `who is the boss`, `who reports to nobody` as whoever has no manager, where others have one.
pub(super) fn at_the_top(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut own = schema
        .foreign_keys
        .iter()
        .filter(|key| key.from[0].table == key.to[0].table);
    let persons = |table: usize| is_person(schema, table) || works_here(&schema.tables[table].name);
    let Some(key) = own.find(|key| persons(key.from[0].table)) else {
        return tokens;
    };
    let is = matches!(word(&tokens, 1), "is" | "'s");
    let article = usize::from(matches!(word(&tokens, 2), "the" | "our" | "your"));
    let article = article + usize::from(matches!(word(&tokens, 2 + article), "top" | "big" | "overall"));
    let title = matches!(word(&tokens, 2 + article), "boss" | "chief" | "ceo" | "director");
    let ends = |at: usize| match word(&tokens, at) {
        "" | "?" | "." => true,
        "here" | "overall" => at + 2 >= tokens.len(),
        "of" | "in" | "at" => {
            let all = matches!(word(&tokens, at + 1), "everyone" | "everybody" | "all" | "us");
            let end =
                at + 2 + usize::from(all && matches!(word(&tokens, at + 2), "of" | "in" | "at" | "here"));
            let here = if all { end } else { at + 1 };
            let this =
                matches!(word(&tokens, here), "the" | "our" | "this") && is_whole(word(&tokens, here + 1));
            this || all && here >= tokens.len()
        }
        _ => false,
    };
    let boss = word(&tokens, 0) == "who" && is && title && ends(3 + article);
    let runs = word(&tokens, 0) == "who"
        && matches!(word(&tokens, 1), "runs" | "leads" | "heads")
        && matches!(word(&tokens, 2), "the" | "our" | "this")
        && is_whole(word(&tokens, 3))
        && tokens.len() < 6;
    let nobody = tokens.windows(3).any(|three| {
        matches!(three[0].stem.as_str(), "report" | "answer")
            && three[1].word == "to"
            && matches!(three[2].word.as_str(), "nobody" | "noone")
            || matches!(three[0].word.as_str(), "nobody" | "noone")
                && three[1].word == "above"
                && matches!(three[2].word.as_str(), "them" | "him" | "her")
    });
    if !(boss || runs || nobody) {
        return tokens;
    }
    let mut asked = written(&["which"], &tokens[0]);
    asked.extend(name_of(schema, key.from[0].table, &tokens[0]));
    asked.extend(written(&["have", "no"], &tokens[0]));
    let superior = words::identifier_words(&schema.column(key.from[0]).name);
    asked.extend(written(&superior[..1], &tokens[0]));
    asked
}

/// True for what stands for all that is there.
fn is_whole(word: &str) -> bool {
    matches!(
        word,
        "company" | "firm" | "business" | "place" | "organization" | "organisation"
    )
}

/// `and in which store` behind a list as the store of each.
pub(super) fn and_where(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let asks = matches!(
            word(&tokens, at + 1),
            "in" | "at" | "for" | "from" | "by" | "with" | "to"
        ) && matches!(word(&tokens, at + 2), "which" | "what");
        let over = matches!(word(&tokens, at + 4), "" | "?" | ".");
        let noun = tokens.get(at + 3).and_then(|noun| called(schema, noun));
        word(&tokens, at) == "and" && asks && over && noun.is_some()
    });
    if let Some(at) = found {
        let their = said("their", &tokens[at]);
        tokens.splice(at + 1..at + 3, [their]);
    }
    tokens
}

/// `customers who spent more than 1000` as those with so much revenue.
pub(super) fn spent_more(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let who = matches!(word(&tokens, at), "who" | "that");
        let verb = at + 1 + usize::from(matches!(word(&tokens, at + 1), "have" | "has" | "had"));
        let spent = matches!(word(&tokens, verb), "spent" | "spend" | "spends");
        let compared = matches!(
            word(&tokens, verb + 1),
            "more" | "less" | "over" | "under" | "above" | "below" | "at" | "between"
        );
        (who && spent && compared).then_some((at, verb + 1))
    });
    if let Some((at, end)) = found {
        let revenue = written(&["with", "revenue", "of"], &tokens[at]);
        tokens.splice(at..end, revenue);
    }
    tokens
}

/// `who bought a gravel bike` as the customers who did.
pub(super) fn buyers(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let skips = |at: usize, skipped: &[&str]| at + usize::from(skipped.contains(&word(&tokens, at)));
    let found = (0..tokens.len()).find(|&at| {
        let verb = skips(skips(at + 1, &["has", "have"]), &["ever", "already", "recently"]);
        let asks = at == 0
            || matches!(
                word(&tokens, at - 1),
                "me" | "know" | "see" | "list" | "show" | "find"
            );
        let buys = matches!(word(&tokens, verb), "bought" | "purchased" | "ordered");
        let most = matches!(
            word(&tokens, skips(verb + 1, &["the"])),
            "most" | "least" | "fewest" | "more"
        );
        word(&tokens, at) == "who" && asks && buys && !most
    });
    let mut buyers = (0..schema.tables.len()).filter(|&table| {
        let described = &schema.tables[table];
        let name = words::identifier_words(&described.name);
        !described.is_view && is_person(schema, table) && name.iter().any(|word| buys_here(word))
    });
    if let (Some(at), Some(table), None) = (found, buyers.next(), buyers.next()) {
        let name = name_of(schema, table, &tokens[at]);
        tokens.splice(at..at, name);
    }
    tokens
}
