//! How many there are on average of something in each of something else: class sizes, orders per customer.

use super::{
    super::{
        super::question::Token,
        persons::is_person,
        rewording::{said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{schema::Schema, semantic::SemanticModel};

/// `average class size`, `how big is a class on average` as the average number of pupils per class.
pub(super) fn sizes(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let size = (2..tokens.len()).find_map(|at| {
        let owner =
            matches!(word(&tokens, at), "size" | "sizes").then(|| called(schema, &tokens[at - 1]))??;
        let leads = averages(word(&tokens, at - 2));
        leads.then_some((at - 2, at + 1, at - 1, owner))
    });
    let big = || {
        let how = (0..tokens.len())
            .find(|&at| word(&tokens, at) == "how" && matches!(word(&tokens, at + 1), "big" | "large"))?;
        let article = usize::from(matches!(
            word(&tokens, how + 3),
            "a" | "an" | "the" | "our" | "one"
        ));
        let average = usize::from(averages(word(&tokens, how + 3 + article)));
        let noun = how + 3 + article + average;
        let owner = called(schema, tokens.get(noun)?)?;
        let on = |at: usize| matches!(word(&tokens, at), "on" | "in") && word(&tokens, at + 1) == "average";
        let behind = on(noun + 1);
        let asked = matches!(word(&tokens, how + 2), "is" | "are") && (behind || average == 1);
        asked.then_some((how, noun + 1 + if behind { 2 } else { 0 }, noun, owner))
    };
    let Some((from, to, noun, owner)) = size.or_else(big) else {
        return tokens;
    };
    let sized = schema.tables[owner]
        .columns
        .iter()
        .any(|column| has_word(&column.name, &["size", "area"]));
    let members = schema.foreign_keys.iter().filter(|key| {
        let from = key.from[0].table;
        key.to[0].table == owner && from != owner && is_person(schema, from)
    });
    let members = members
        .map(|key| key.from[0].table)
        .max_by_key(|from| schema.tables[*from].rows);
    let Some(members) = members.filter(|_| !sized) else {
        return tokens;
    };
    let left = model.filters.iter().any(|filter| {
        filter.dataset == members && matches!(filter.name.as_str(), "active" | "current" | "left" | "ended")
    });
    let mut asked = written(&["average", "number", "of"], &tokens[noun]);
    if left {
        asked.push(said("current", &tokens[noun]));
    }
    asked.extend(name_of(schema, members, &tokens[noun]));
    asked.push(said("per", &tokens[noun]));
    asked.push(tokens[noun].clone());
    tokens.splice(from..to, asked);
    tokens
}

/// `average number of days a tool is borrowed` without the tool, of which it is any.
pub(super) fn of_any(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let any = matches!(word(&tokens, at), "a" | "an")
            && tokens
                .get(at + 1)
                .is_some_and(|noun| called(schema, noun).is_some());
        let is = matches!(word(&tokens, at + 2), "is" | "was" | "gets" | "stays");
        let of_time = matches!(
            word(&tokens, at - 1),
            "minutes" | "hours" | "days" | "weeks" | "months" | "years" | "time"
        );
        any && is && of_time && tokens[..at].iter().any(|token| averages(&token.word))
    });
    if let Some(at) = found.filter(|at| at + 3 < tokens.len()) {
        tokens.drain(at..at + 3);
    }
    tokens
}

fn averages(word: &str) -> bool {
    matches!(word, "average" | "avg" | "mean" | "typical")
}
