//! Whoever does something, where only a verb says who: put into nouns that tables are called by.

use super::{
    super::question::{Token, TokenKind},
    persons::{is_person, works_here},
    rewording::{said, word, written},
};
use crate::question::schema::{Schema, Snapshot, words};

/// `top 3 spenders` as the first by what they have brought in, under the name that buyers have here.
pub(super) fn spenders(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if !tokens
        .iter()
        .any(|token| matches!(token.word.as_str(), "spender" | "spenders"))
    {
        return tokens;
    }
    let buyers = (0..schema.tables.len())
        .map(|table| words::table_words(&schema.tables[table].name))
        .filter(|name| name.len() == 1)
        .find(|name| {
            matches!(
                words::stem(&name[0]).as_str(),
                "custom" | "client" | "user" | "member" | "guest" | "buyer" | "subscrib" | "player"
            )
        });
    let noun = buyers.map_or_else(|| "customers".to_owned(), |name| name[0].clone());
    let mut written = Vec::with_capacity(tokens.len() + 2);
    for token in tokens {
        match token.word.as_str() {
            // `the biggest spender of each country`: one of them.
            "spender" => {
                let one = noun.strip_suffix('s').unwrap_or(&noun);
                written.extend([one, "by", "revenue"].map(|word| said(word, &token)));
            }
            "spenders" => {
                written.extend([noun.as_str(), "by", "revenue"].map(|word| said(word, &token)));
            }
            "biggest" => written.push(said("top", &token)),
            _ => written.push(token),
        }
    }
    written
}

/// Verbs of whoever is in charge.
const IN_CHARGE: [&str; 11] = [
    "runs",
    "run",
    "manages",
    "heads",
    "leads",
    "supervises",
    "ran",
    "managed",
    "led",
    "handles",
    "handled",
];

/// `who runs the depot`, `who looks after it`: as whom its manager is, or whoever of the staff it has.
pub(super) fn in_charge(tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let tokens = reports_to(tokens, schema);
    let cares = |at: usize| match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
        ("looks" | "looked", "after", _) | ("is" | "was", "handling", _) => 2,
        ("is" | "was", "dealing" | "working", _) if matches!(word(&tokens, at + 2), "with" | "on") => 3,
        ("is" | "was", "responsible", "for") | ("takes" | "took", "care", "of") => 3,
        ("is" | "was", "in", "charge") if word(&tokens, at + 3) == "of" => 4,
        ("is" | "'s", "the" | "our", "boss" | "chief" | "manager")
            if matches!(word(&tokens, at + 3), "at" | "of" | "in") =>
        {
            4
        }
        (verb, ..) => usize::from(IN_CHARGE.contains(&verb)),
    };
    let found = (0..tokens.len()).find(|at| word(&tokens, *at) == "who" && cares(at + 1) > 0);
    let Some(at) = found else { return tokens };
    let rest = &tokens[at + 1 + cares(at + 1)..];
    let post = post_in_charge(rest, snapshot);
    if post.is_none() && word(&tokens, at + 3) == "manager" {
        return tokens;
    }
    let noun = match post {
        Some(post) => Token {
            kind: TokenKind::Quoted(post.clone()),
            text: post.clone(),
            capital: true,
            ..said(&post.to_lowercase(), &tokens[at + 1])
        },
        None => said(&in_charge_here(schema), &tokens[at + 1]),
    };
    let mut asked = tokens[..=at].to_vec();
    asked.extend(written(&["is", "the"], &tokens[at + 1]));
    asked.extend([noun, said("of", &tokens[at + 1])]);
    asked.extend_from_slice(rest);
    asked
}

/// `who does Ann Lee report to` as who her manager is.
fn reports_to(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let asks = word(&tokens, 0) == "who" && matches!(word(&tokens, 1), "does" | "did" | "do");
    let end = (2..tokens.len().saturating_sub(1))
        .find(|&at| matches!(word(&tokens, at), "report" | "answer") && word(&tokens, at + 1) == "to");
    let own = schema
        .foreign_keys
        .iter()
        .find(|key| key.from[0].table == key.to[0].table && is_person(schema, key.from[0].table));
    let (Some(end), Some(own), true) = (end, own, asks) else {
        return tokens;
    };
    let name = words::identifier_words(&schema.column(own.from[0]).name);
    let superior = name.first().map_or("manager", |first| match first.as_str() {
        "reports" | "parent" => "manager",
        first => first,
    });
    let mut asked = written(&["who", "is", "the", superior, "of"], &tokens[0]);
    asked.extend_from_slice(&tokens[2..end]);
    asked.extend_from_slice(&tokens[end + 2..]);
    asked
}

/// The one post in charge of a place, as the staff of that place have it: a `Store Manager` of a store.
fn post_in_charge(place: &[Token], snapshot: &Snapshot) -> Option<String> {
    let schema = &snapshot.schema;
    let named: Vec<usize> = (0..place.len())
        .flat_map(|from| (from + 1..=place.len()).map(move |to| &place[from..to]))
        .flat_map(|span| {
            let text: Vec<&str> = span.iter().map(|token| token.text.as_str()).collect();
            snapshot.values.find(&words::text_words(&text.join(" ")))
        })
        .map(|hit| hit.column.table)
        .collect();
    let is_post = |name: &str| {
        let name = words::identifier_words(name);
        name.iter().any(|word| {
            matches!(
                word.as_str(),
                "title" | "role" | "position" | "job" | "post" | "function"
            )
        })
    };
    // A place that says who its manager is needs no post.
    let says_who = |place: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| key.from[0].table == place && is_person(schema, key.to[0].table))
    };
    let of_place = |table: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.find(|key| {
            let to = key.to[0].table;
            key.from[0].table == table && named.contains(&to) && !is_person(schema, to) && !says_who(to)
        })
        .map(|key| key.to[0].table)
    };
    let mut posts = schema.columns().map(|(at, _)| at).filter(|at| {
        is_person(schema, at.table) && is_post(&schema.column(*at).name) && of_place(at.table).is_some()
    });
    let column = posts.next()?;
    let place = words::table_words(&schema.tables[of_place(column.table)?].name);
    let leads = |value: &str| {
        let said = words::text_words(value);
        said.iter().any(|word| {
            matches!(
                word.as_str(),
                "manager" | "head" | "boss" | "chief" | "principal" | "director"
            )
        })
    };
    let mut leading = snapshot.values.values_of(column);
    leading.retain(|value| leads(value));
    let of_such = |value: &&std::sync::Arc<str>| {
        let said = words::text_words(value);
        place
            .iter()
            .any(|noun| said.iter().any(|word| words::stem(word) == words::stem(noun)))
    };
    match &leading[..] {
        [only] => Some(only.to_string()),
        several => several.iter().find(of_such).map(ToString::to_string),
    }
}

/// What whoever is in charge is called: a manager, where there are any, or what the only staff there are called.
fn in_charge_here(schema: &Schema) -> String {
    const MANAGER: &str = "manager";
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let is_led = |name: &str| {
        let mut name = words::identifier_words(name).into_iter();
        name.any(|word| {
            matches!(
                word.as_str(),
                "manager" | "head" | "supervisor" | "responsible" | "boss" | "mgr"
            )
        })
    };
    if columns.any(|column| is_led(&column.name)) {
        return MANAGER.to_owned();
    }
    let outside = |word: &String| {
        matches!(
            words::stem(word).as_str(),
            "custom"
                | "client"
                | "user"
                | "member"
                | "guest"
                | "buyer"
                | "subscrib"
                | "player"
                | "patient"
                | "student"
                | "owner"
                | "tenant"
                | "donor"
                | "contact"
                | "passeng"
                | "visitor"
                | "supplier"
                | "vendor"
                | "lead"
                | "author"
        )
    };
    let mut staff = (0..schema.tables.len()).filter(|&table| {
        !schema.tables[table].is_view
            && is_person(schema, table)
            && !words::identifier_words(&schema.tables[table].name)
                .iter()
                .any(outside)
    });
    match (staff.next(), staff.next()) {
        (Some(only), None) => words::table_words(&schema.tables[only].name).join(" "),
        _ => MANAGER.to_owned(),
    }
}

/// Verbs of whoever works for the company, and of whoever buys from it.
const WORKS: [&str; 9] = [
    "works", "work", "working", "worked", "employed", "sold", "sells", "served", "serves",
];

const BUYS: [&str; 23] = [
    "bought",
    "buys",
    "ordered",
    "orders",
    "purchased",
    "spent",
    "spends",
    "rented",
    "rents",
    "booked",
    "books",
    "took",
    "takes",
    "subscribed",
    "donated",
    "donates",
    "applied",
    "enrolled",
    "attended",
    "attends",
    "visited",
    "visits",
    "rent",
];

/// True for a word behind which `who` asks for persons.
pub(super) fn leads(word: &str) -> bool {
    matches!(
        word,
        "me" | "know" | "see" | "of" | "list" | "show" | "find" | ","
    )
}

/// `who sold the most` with a noun for whom the verb tells of.
pub(super) fn persons(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let anybody = |word: &str| {
        matches!(
            word,
            "everyone" | "everybody" | "anyone" | "anybody" | "those" | "people" | "persons"
        )
    };
    let who = (0..tokens.len()).find(|&at| {
        let led = || at == 0 || leads(word(&tokens, at - 1)) || anybody(word(&tokens, at - 1));
        word(&tokens, at) == "who" && led()
    });
    let Some(who) = who else { return tokens };
    let behind: Vec<&str> = tokens[who + 1..]
        .iter()
        .map(|token| token.word.as_str())
        .collect();
    let verb = behind.iter().find(|word| {
        !matches!(
            **word,
            "has" | "have" | "is" | "are" | "been" | "did" | "had" | "currently" | "ever" | "still"
        )
    });
    let has = |staff: bool| {
        (0..schema.tables.len())
            .any(|table| is_person(schema, table) && works_here(&schema.tables[table].name) == staff)
    };
    let been_here = behind
        .windows(2)
        .position(|two| *two == ["with", "us"])
        .map(|at| (at, 2));
    let been_here = been_here.or_else(|| behind.iter().position(|word| *word == "here").map(|at| (at, 1)));
    let noun = match verb {
        _ if been_here.is_some() && has(true) => "employees",
        Some(verb) if WORKS.contains(verb) && has(true) => "employees",
        Some(verb) if BUYS.contains(verb) && has(false) => "customers",
        _ => return tokens,
    };
    let mut written = tokens[..who].to_vec();
    let noun = said(noun, &tokens[who]);
    match written.last_mut().filter(|last| anybody(&last.word)) {
        Some(anybody) => {
            *anybody = noun;
            written.push(tokens[who].clone());
        }
        None => written.extend([tokens[who].clone(), noun]),
    }
    // Who works here has not left.
    if verb.is_some_and(|verb| matches!(*verb, "works" | "work" | "working")) && been_here.is_none() {
        written.push(said("currently", &tokens[who]));
    }
    let Some((at, used)) = been_here else {
        written.extend_from_slice(&tokens[who + 1..]);
        return written;
    };
    // `been with us the longest`: longest serving.
    written.extend_from_slice(&tokens[who + 1..who + 1 + at]);
    let mut rest = &tokens[who + 1 + at + used..];
    if word(rest, 0) == "the" {
        rest = &rest[1..];
    }
    if word(rest, 0) == "longest" {
        written.extend([rest[0].clone(), said("serving", &rest[0])]);
        rest = &rest[1..];
    }
    written.extend_from_slice(rest);
    written
}

/// `how much did we sell`: what that brought in.
pub(super) fn brought_in(tokens: Vec<Token>) -> Vec<Token> {
    let begins = tokens
        .windows(2)
        .position(|two| two[0].word == "how" && two[1].word == "much");
    let Some(much) = begins else { return tokens };
    let auxiliary = |word: &str| {
        matches!(
            word,
            "have" | "did" | "do" | "we" | "has" | "was" | "the" | "company" | "they"
        )
    };
    let verb = (much + 2..tokens.len()).find(|&at| !auxiliary(word(&tokens, at)));
    let sells = |word: &str| matches!(word, "sell" | "sold" | "make" | "made" | "earn" | "earned");
    // `how much did we take in`, `how much came in`: the verb and its particle.
    let takes_in = (much + 2..tokens.len())
        .find(|&at| !auxiliary(word(&tokens, at)))
        .filter(|&at| {
            matches!(
                word(&tokens, at),
                "take" | "took" | "taken" | "bring" | "brought" | "came" | "come" | "comes" | "money"
            ) && word(&tokens, at + 1) == "in"
        });
    if let Some(at) = takes_in {
        let mut written = tokens;
        written[at] = said("revenue", &written[at]);
        written.remove(at + 1);
        return written;
    }
    let Some(at) = verb.filter(|&at| at > much + 2 && sells(word(&tokens, at))) else {
        return tokens;
    };
    let mut written = tokens;
    written[at] = said("revenue", &written[at]);
    written
}
