//! Which: parts of a whole, kinds of something, what is left out.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{is_number, said, word, written},
    },
    called, is_called, is_name, name_of,
};
use crate::question::{
    schema::{Column, ColumnRef, ForeignKey, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `tickets by kind of problem`, `for each type of job` as the column that has the kinds.
pub(super) fn kind_of(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let is_kind = |word: &str| {
        matches!(
            word.trim_end_matches('s'),
            "kind" | "type" | "sort" | "categorie" | "category"
        )
    };
    let found = (1..tokens.len()).find(|&at| {
        let led = matches!(
            word(&tokens, at - 1),
            "by" | "per" | "each" | "every" | "which" | "what"
        );
        led && is_kind(word(&tokens, at)) && word(&tokens, at + 1) == "of" && at + 2 < tokens.len()
    });
    let Some(at) = found else { return tokens };
    let noun = tokens[at + 2].stem.clone();
    let categories = || categories(schema, model);
    let named = |at: ColumnRef| words::identifier_words(&schema.column(at).name);
    let stems = |name: &[String]| -> Vec<String> { name.iter().map(|word| words::stem(word)).collect() };
    let both = categories().map(named).find(|name| {
        let stems = stems(name);
        stems.len() > 1 && stems.contains(&noun) && name.iter().any(|word| is_kind(word))
    });
    let itself = || {
        categories()
            .map(named)
            .find(|name| stems(name) == [noun.as_str()])
    };
    let of_table = || {
        let of_kinds = |at: &ColumnRef| {
            let name = schema.column(*at).name.to_lowercase();
            ["kind", "type", "category"]
                .iter()
                .any(|kind| name.ends_with(kind))
        };
        let own = |at: &&ColumnRef| {
            let table = words::table_words(&schema.tables[at.table].name);
            table.last().is_some_and(|last| words::stem(last) == noun)
        };
        let all: Vec<_> = categories().filter(of_kinds).collect();
        let owned = all.iter().find(own);
        let mentioned = |at: &&ColumnRef| tokens.iter().any(|token| is_called(schema, at.table, token));
        let mut of_named = all.iter().filter(mentioned);
        let of_named = of_named.next().filter(|_| of_named.next().is_none());
        let only = (all.len() == 1 && called(schema, &tokens[at + 2]).is_none()).then(|| &all[0]);
        owned.or(of_named).or(only).map(|at| named(*at))
    };
    if let Some(name) = both.or_else(itself).or_else(of_table) {
        let name = written(&name, &tokens[at]);
        tokens.splice(at..at + 3, name);
    }
    tokens
}

/// `top 5 reasons for a visit`: those that come most often, whatever money they go with.
pub(super) fn top_reasons(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_reason = |at: usize| {
        matches!(
            word(&tokens, at),
            "reasons" | "reason" | "causes" | "cause" | "complaints" | "complaint" | "excuses"
        )
    };
    let found = (0..tokens.len()).find(|&at| {
        word(&tokens, at) == "top" && tokens.get(at + 1).is_some_and(is_number) && is_reason(at + 2)
    });
    if let Some(at) = found {
        let most = written(&["most", "frequent"], &tokens[at]);
        // The number takes the place of `top`.
        let number = tokens.remove(at + 1);
        tokens.splice(at..=at, std::iter::once(number).chain(most));
    }
    tokens
}

/// The columns with few values, which hold kinds of something and are counted by.
pub(super) fn categories<'a>(
    schema: &'a Schema,
    model: &'a SemanticModel,
) -> impl Iterator<Item = ColumnRef> + 'a {
    schema.columns().map(|(at, _)| at).filter(|at| {
        let role = model.datasets[at.table].fields[at.column].role;
        matches!(role, FieldRole::Dimension | FieldRole::Code) && !schema.tables[at.table].is_view
    })
}

/// `why do people quit? number of cases per reason`: how many rows there are for each.
pub(super) fn per_reason(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let counts = matches!(word(&tokens, at), "number" | "count" | "counts" | "cases");
        let cases = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("of", "cases" | "times" | "people" | "instances" | "entries") => 2,
            _ => 0,
        };
        let each = match (word(&tokens, at + 1 + cases), word(&tokens, at + 2 + cases)) {
            ("for" | "of", "each" | "every") => 2,
            ("per" | "by", _) => 1,
            _ => return None,
        };
        let by = at + 1 + cases + each;
        (counts && by + 1 == tokens.len()).then_some((at, by))
    });
    let Some((at, by)) = found else { return tokens };
    // What asks why says no more than that, unless it says when, or names something.
    let says_more = tokens[1..at.max(1)].iter().any(|token| {
        token.capital || token.kind != TokenKind::Word(None) || matches!(token.word.as_str(), "last" | "this")
    });
    let asked_before = at == 0 || word(&tokens, 0) == "why" && !says_more;
    let mut columns = categories(schema, model).filter(|found| {
        let name = words::identifier_words(&schema.column(*found).name);
        name.last()
            .is_some_and(|last| words::stem(last) == tokens[by].stem)
    });
    let (Some(column), None, true) = (columns.next(), columns.next(), asked_before) else {
        return tokens;
    };
    let name = words::identifier_words(&schema.column(column).name);
    let mut asked = written(&["number", "of"], &tokens[at]);
    asked.extend(name_of(schema, column.table, &tokens[at]));
    asked.push(said("per", &tokens[at]));
    asked.extend(written(&name, &tokens[at]));
    // Where nobody quits there is no reason.
    if !schema.column(column).not_null {
        asked.extend(written(&["with", "a"], &tokens[at]));
        asked.extend(written(&name, &tokens[at]));
    }
    asked
}

/// Nouns of all that a company has.
const WHOLE: [&str; 18] = [
    "warehouse",
    "range",
    "assortment",
    "catalogue",
    "catalog",
    "system",
    "database",
    "books",
    "records",
    "shop",
    "store",
    "company",
    "business",
    "firm",
    "shelves",
    "portfolio",
    "organisation",
    "organization",
];

/// `in the range`, `in our company`: all that there is, where nothing is called so.
pub(super) fn anywhere(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let ours = matches!(word(&tokens, at + 1), "the" | "our" | "your" | "this" | "my");
        let whole = usize::from(matches!(word(&tokens, at + 2), "whole" | "entire" | "current"));
        let noun = at + 2 + whole;
        let named = tokens
            .get(noun + 1)
            .is_some_and(|next| next.capital || next.word == "of");
        let is_whole = ours && WHOLE.contains(&word(&tokens, noun)) && !named;
        let place = matches!(word(&tokens, at), "in" | "on" | "from" | "across" | "at");
        (place && is_whole && !knows(schema, &tokens[noun])).then_some((at, noun))
    });
    if let Some((at, noun)) = found {
        tokens.drain(at..=noun);
    }
    // `articles we carry`: all that there are.
    let sold = (2..tokens.len()).find(|&at| {
        let verb = matches!(
            word(&tokens, at),
            "sell" | "carry" | "offer" | "stock" | "ship" | "have" | "keep" | "run" | "own"
        );
        let over = at + 1 == tokens.len() || matches!(tokens[at + 1].kind, TokenKind::Mark(_));
        let noun = !matches!(
            word(&tokens, at - 2),
            "do" | "did" | "can" | "that" | "what" | "and" | "if" | "which" | "who" | "," | "should" | "must"
        );
        verb && over && noun && word(&tokens, at - 1) == "we"
    });
    if let Some(at) = sold {
        tokens.drain(at - 1..=at);
    }
    tokens
}

/// True where a table or a column has this word in its name.
fn knows(schema: &Schema, token: &Token) -> bool {
    let has = |name: &str| {
        words::identifier_words(name)
            .iter()
            .any(|word| words::stem(word) == token.stem)
    };
    let mut tables = schema.tables.iter();
    tables.any(|table| has(&table.name) || table.columns.iter().any(|column| has(&column.name)))
}

/// `everything labelled vegan` as what has the tag.
pub(super) fn tagged(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let tag = schema.tables.iter().find_map(|table| {
        let name = words::table_words(&table.name);
        matches!(words::stem(name.last()?).as_str(), "tag" | "label").then_some(name)
    });
    let found = (1..tokens.len()).find(|&at| matches!(word(&tokens, at), "labelled" | "labeled" | "tagged"));
    if let (Some(tag), Some(at)) = (tag, found) {
        let end = at + usize::from(matches!(word(&tokens, at + 1), "as" | "with"));
        let mut with = written(&["with", "the"], &tokens[at]);
        with.extend(written(&tag, &tokens[at]));
        tokens.splice(at..=end, with);
    }
    tokens
}

/// `sub-categories of Sports`, `categories under Sports` as those that belong to it.
pub(super) fn parts_of(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let of_own_table = |key: &&ForeignKey| key.from[0].table == key.to[0].table;
    let parts = |at: usize| {
        let token = &tokens[at];
        schema.foreign_keys.iter().filter(of_own_table).find_map(|key| {
            let name = words::table_words(&schema.tables[key.from[0].table].name);
            let last = words::stem(name.last()?);
            let bare = words::stem(token.word.strip_prefix("sub").unwrap_or_default());
            (token.stem == last || bare == last).then(|| (bare == last, name.last().cloned()))
        })
    };
    let Some((at, (is_sub, Some(name)))) = (0..tokens.len()).find_map(|at| Some((at, parts(at)?))) else {
        return tokens;
    };
    let led_by_sub = at > 0 && word(&tokens, at - 1) == "sub";
    let joint = (at + 1..tokens.len().min(at + 6)).find(|&at| {
        let joins = matches!(
            word(&tokens, at),
            "under" | "below" | "beneath" | "within" | "underneath"
        );
        joins || (is_sub || led_by_sub) && matches!(word(&tokens, at), "of" | "in")
    });
    let Some(joint) = joint.filter(|&joint| is_name(&tokens, joint + 1)) else {
        return tokens;
    };
    let belongs = written(&["belonging", "to"], &tokens[joint]);
    tokens.splice(joint..=joint, belongs);
    tokens[at] = said(&name, &tokens[at]);
    if led_by_sub {
        tokens.remove(at - 1);
    }
    tokens
}

/// `leaving void ones out`, `skip the void stuff` as excluding them.
pub(super) fn left_out(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let leaves = matches!(word(&tokens, at), "leaving" | "leave" | "taking" | "take");
        let out = (at + 2..tokens.len().min(at + 6)).find(|&out| word(&tokens, out) == "out");
        match (leaves, out) {
            (true, Some(out)) => Some((at, Some(out))),
            _ => matches!(word(&tokens, at), "skip" | "skipping").then_some((at, None)),
        }
    });
    let Some((at, out)) = found else { return tokens };
    if let Some(out) = out {
        tokens.remove(out);
    }
    let rest = |word: &str| matches!(word, "ones" | "stuff" | "things");
    if let Some(ones) = (at + 1..tokens.len().min(at + 6)).find(|&ones| rest(word(&tokens, ones))) {
        tokens.remove(ones);
    }
    tokens[at] = said("excluding", &tokens[at]);
    tokens
}

/// `one-star reviews` as reviews with one star, `one and two star reviews` as those with one to two.
pub(super) fn stars(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len().saturating_sub(1)).find(|&at| {
        let number = is_number(&tokens[at - 1]);
        let noun = tokens[at + 1].kind == TokenKind::Word(None)
            && !matches!(
                word(&tokens, at + 1),
                "or" | "and" | "in" | "on" | "from" | "for" | "by" | "per" | "with"
            );
        let gives = at > 1
            && matches!(
                word(&tokens, at - 2),
                "than" | "least" | "most" | "gave" | "given" | "or"
            );
        matches!(word(&tokens, at), "star") && number && noun && !gives
    });
    if let Some(at) = found {
        let noun = tokens.remove(at + 1);
        let with = said("with", &tokens[at]);
        let several = at > 2 && matches!(word(&tokens, at - 2), "and" | "or") && is_number(&tokens[at - 3]);
        if several {
            let star = tokens.remove(at);
            tokens[at - 2] = said("and", &star);
            let between = said("between", &star);
            tokens.splice(at - 3..at - 3, [noun, with, star, between]);
        } else {
            tokens.splice(at - 1..at - 1, [noun, with]);
        }
    }
    tokens
}

/// `orders by payment method` as how many of them each kind of what belongs to them has.
pub(super) fn by_child(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let led = match (word(&tokens, 0), word(&tokens, 1)) {
        ("how", "many") | ("number", "of") => 2,
        _ => 0,
    };
    let by = match (word(&tokens, led + 1), word(&tokens, led + 2)) {
        ("by" | "per", _) => led + 2,
        ("for", "each" | "every") => led + 3,
        _ => return tokens,
    };
    let Some(table) = tokens.get(led).and_then(|noun| called(schema, noun)) else {
        return tokens;
    };
    let group: Vec<&str> = tokens[by..]
        .iter()
        .map(|token| token.stem.as_str())
        .take_while(|word| !matches!(*word, "?" | "." | "in" | "this" | "last"))
        .collect();
    let belongs = |at: &ColumnRef| {
        let mut keys = schema.foreign_keys.iter();
        at.table != table && keys.any(|key| key.from[0].table == at.table && key.to[0].table == table)
    };
    let called_so = |at: &ColumnRef| {
        let stems =
            |name: Vec<String>| -> Vec<String> { name.iter().map(|word| words::stem(word)).collect() };
        let column = stems(words::identifier_words(&schema.column(*at).name));
        let mut whole = stems(words::table_words(&schema.tables[at.table].name));
        whole.extend(column.clone());
        group == whole || group == column
    };
    let mut groups = categories(schema, model).filter(|at| called_so(at));
    let (Some(only), None) = (groups.next(), groups.next()) else {
        return tokens;
    };
    if belongs(&only) {
        let different = written(&["number", "of", "different"], &tokens[0]);
        tokens.splice(..led, different);
    }
    tokens
}

/// `still need weighing` as not weighed.
pub(super) fn undone(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        if !matches!(word(&tokens, at), "need" | "needs") {
            return None;
        }
        let to_be = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("to", "be") => 2,
            _ => 0,
        };
        let done = word(&tokens, at + 1 + to_be);
        let participle = if to_be > 0 {
            done.ends_with("ed")
        } else {
            done.ends_with("ing")
        };
        let known = |column: &Column| {
            let comment = column.comment.as_deref().unwrap_or_default();
            let said = words::text_words(comment);
            let name = words::identifier_words(&column.name);
            !column.not_null
                && said
                    .iter()
                    .chain(&name)
                    .any(|word| words::stem(word) == tokens[at + 1 + to_be].stem)
        };
        let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
        let ends = matches!(word(&tokens, at + 2 + to_be), "" | "?" | ".");
        (participle && ends && columns.any(known)).then_some((at, at + 1 + to_be))
    });
    if let Some((at, done)) = found {
        let still = usize::from(word(&tokens, at - 1) == "still");
        let not = said("without", &tokens[at]);
        tokens.splice(at - still..done, [not]);
    }
    tokens
}

/// `which categories are at the top, i.e. have no parent` as what is said of them last.
pub(super) fn that_is(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (2..tokens.len()).find(|&at| word(&tokens, at) == "e" && word(&tokens, at - 1) == "i");
    let Some(at) = found.filter(|&at| at + 2 < tokens.len()) else {
        return tokens;
    };
    let noun = tokens[..at - 1]
        .iter()
        .position(|token| called(schema, token).is_some());
    let restates = matches!(
        word(&tokens, at + 1),
        "have" | "has" | "with" | "without" | "are" | "had"
    );
    let plain =
        |token: &Token| matches!(token.kind, TokenKind::Word(None) | TokenKind::Mark(',')) && !token.capital;
    match noun {
        Some(noun) if restates && tokens[noun + 1..at - 1].iter().all(plain) => {
            tokens.drain(noun + 1..=at);
        }
        _ => {
            tokens.drain(at - 1..=at);
        }
    }
    tokens
}

/// `main categories` as those without a parent, where others have one.
pub(super) fn topmost(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let top = matches!(word(&tokens, at), "main" | "top-level" | "toplevel" | "root");
        let table = called(schema, tokens.get(at + 1)?)?;
        let mut keys = schema.foreign_keys.iter();
        let own = keys.find(|key| key.from[0].table == table && key.to[0].table == table)?;
        let name = words::identifier_words(&schema.column(own.from[0]).name);
        top.then(|| (at, name[0].clone()))
    });
    if let Some((at, parent)) = found {
        let without = written(&["without", "a", &parent], &tokens[at]);
        tokens.splice(at + 2..at + 2, without);
        tokens.remove(at);
    }
    tokens
}
