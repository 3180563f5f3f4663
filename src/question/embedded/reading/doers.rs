//! Whoever does something, where only a verb says who: put into nouns that tables are called by.

use super::{
    super::question::Token,
    persons::{is_person, works_here},
    rewording::{said, word},
};
use crate::question::schema::{Schema, words};

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
            "spender" | "spenders" => {
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
pub(super) fn in_charge(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let cares = |at: usize| match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
        ("looks" | "looked", "after", _) | ("is" | "was", "handling", _) => 2,
        ("is" | "was", "dealing" | "working", _) if matches!(word(&tokens, at + 2), "with" | "on") => 3,
        ("is" | "was", "responsible", "for") | ("takes" | "took", "care", "of") => 3,
        ("is" | "was", "in", "charge") if word(&tokens, at + 3) == "of" => 4,
        (verb, ..) => usize::from(IN_CHARGE.contains(&verb)),
    };
    let found = (0..tokens.len()).find(|at| word(&tokens, *at) == "who" && cares(at + 1) > 0);
    let Some(at) = found else { return tokens };
    let mut written = tokens[..=at].to_vec();
    let noun = in_charge_here(schema);
    written.extend(["is", "the", &noun, "of"].map(|word| said(word, &tokens[at + 1])));
    written.extend_from_slice(&tokens[at + 1 + cares(at + 1)..]);
    written
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

const BUYS: [&str; 7] = [
    "bought",
    "buys",
    "ordered",
    "orders",
    "purchased",
    "spent",
    "spends",
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
    let who =
        (0..tokens.len()).find(|&at| word(&tokens, at) == "who" && (at == 0 || leads(word(&tokens, at - 1))));
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
    let mut written = tokens[..=who].to_vec();
    written.push(said(noun, &tokens[who]));
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
