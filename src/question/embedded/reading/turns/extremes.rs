//! How far the highest and the lowest are apart, one total less another, and whatever comes second or third: `highest minus lowest
//! price`, `price range`, `payments net of refunds`, `the second highest salary`.

use super::{
    super::{
        super::{
            lexicon::{Degree, lexicon},
            question::{Token, TokenKind},
        },
        money::amount_column,
        rewording::{said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::SemanticModel,
};

/// Such questions in words that the readings understand.
pub(super) fn apart(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let tokens = range(tokens, schema, model);
    let tokens = minus(tokens, schema, model);
    let tokens = by_adjectives(extremes_minus(tokens), schema, model);
    in_place(tokens, schema, model)
}

/// The one column of amounts whose name ends with a word, of the tables that are named or of all.
fn measured(noun: &Token, tokens: &[Token], schema: &Schema, model: &SemanticModel) -> Option<ColumnRef> {
    let named: Vec<usize> = tokens.iter().filter_map(|token| called(schema, token)).collect();
    let fitting = || {
        let columns = schema.columns().map(|(at, _)| at);
        columns.filter(|at| {
            let name = words::identifier_words(&schema.column(*at).name);
            model.field(*at).role.is_measure()
                && !schema.tables[at.table].is_view
                && name.last().is_some_and(|last| words::stem(last) == noun.stem)
        })
    };
    let mut of_named = fitting().filter(|at| named.contains(&at.table));
    let first = of_named.next();
    if first.is_some() {
        return first.filter(|_| of_named.next().is_none());
    }
    let exactly = |at: &ColumnRef| words::identifier_words(&schema.column(*at).name).len() == 1;
    let mut exact = fitting().filter(exactly);
    let first = exact.next();
    if first.is_some() {
        return first.filter(|_| exact.next().is_none());
    }
    let mut all = fitting();
    all.next().filter(|_| all.next().is_none())
}

/// `price range of rooms`, `range of prices` as the difference between the highest and the lowest.
fn range(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let Some(at) = tokens
        .iter()
        .position(|token| matches!(token.word.as_str(), "range" | "spread" | "gap"))
    else {
        return tokens;
    };
    if schema
        .columns()
        .any(|(_, column)| has_word(&column.name, &["range", "spread"]))
    {
        return tokens;
    }
    let article = usize::from(matches!(word(&tokens, at + 2), "the" | "our" | "all"));
    let before = at.checked_sub(1).map(|noun| (noun..at + 1, noun));
    let behind = (word(&tokens, at + 1) == "of").then(|| (at..at + 3 + article, at + 2 + article));
    let found = [before, behind].into_iter().flatten().find_map(|(span, noun)| {
        let noun = tokens.get(noun)?.clone();
        measured(&noun, &tokens, schema, model).map(|_| (span, noun))
    });
    let Some((span, noun)) = found else { return tokens };
    let mut asked = written(&["difference", "between", "highest", "and", "lowest"], &noun);
    asked.push(noun);
    tokens.splice(span, asked);
    tokens
}

/// `highest minus lowest price` as the difference between them.
fn extremes_minus(mut tokens: Vec<Token>) -> Vec<Token> {
    let high = |word: &str| matches!(word, "highest" | "maximum" | "max" | "largest" | "biggest");
    let low = |word: &str| matches!(word, "lowest" | "minimum" | "min" | "smallest");
    let found = (0..tokens.len()).find_map(|at| {
        let minus = (at + 1..tokens.len().min(at + 4)).find(|&minus| is_minus(&tokens, minus))?;
        let second = minus + 1 + usize::from(word(&tokens, minus + 1) == "the");
        (high(word(&tokens, at)) && low(word(&tokens, second))).then_some((at, second))
    });
    if let Some((at, second)) = found {
        let asked = written(
            &["difference", "between", "highest", "and", "lowest"],
            &tokens[at],
        );
        tokens.splice(at..=second, asked);
    }
    tokens
}

fn is_minus(tokens: &[Token], at: usize) -> bool {
    matches!(word(tokens, at), "minus" | "less") || tokens[at].kind == TokenKind::Mark('-')
}

/// `payments minus refunds`, `total payments net of refunds` as the difference between what both come to.
fn minus(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let joint = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("net", "of") | ("after", "deducting" | "subtracting") => 2,
            ("minus" | "less", _) => 1,
            _ => return None,
        };
        let skips = |word: &str| matches!(word, "the" | "all" | "total" | "our" | "sum" | "of" | "amount");
        let second = (at + joint..tokens.len()).find(|&at| !skips(word(&tokens, at)))?;
        let other = called(schema, &tokens[second])?;
        let one = called(schema, &tokens[at - 1]).filter(|one| *one != other)?;
        let amounts = [one, other].map(|table| amount_column(table, schema, model));
        let [Some(first), Some(last)] = amounts else {
            return None;
        };
        Some((at, second, [(one, first), (other, last)]))
    });
    let Some((at, second, both)) = found else {
        return tokens;
    };
    let skips = |word: &str| {
        matches!(
            word,
            "the" | "all" | "total" | "our" | "sum" | "of" | "amount" | "what" | "is"
        )
    };
    let from = (0..at - 1)
        .rev()
        .take_while(|&at| skips(word(&tokens, at)))
        .last()
        .unwrap_or(at - 1);
    let mut asked = written(&["difference", "between", "the"], &tokens[at]);
    for (place, (table, amount)) in both.iter().enumerate() {
        if place > 0 {
            asked.extend(written(&["and", "the"], &tokens[at]));
        }
        asked.extend(name_of(schema, *table, &tokens[at]));
        asked.extend(written(amount, &tokens[at]));
    }
    tokens.splice(from..=second, asked);
    tokens
}

/// `difference between the most expensive and the cheapest product` by what the adjectives say of it.
fn by_adjectives(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let apart = matches!(word(&tokens, at), "difference" | "gap");
        if !apart || word(&tokens, at + 1) != "between" {
            return None;
        }
        let first = superlative(&tokens, after_article(&tokens, at + 2))?;
        let and = (first.end..tokens.len().min(first.end + 3)).find(|&and| word(&tokens, and) == "and")?;
        let second = superlative(&tokens, after_article(&tokens, and + 1))?;
        let table = called(schema, tokens.get(second.end)?)?;
        let column = column_of(table, first.adjective, schema, model)
            .or_else(|| column_of(table, second.adjective, schema, model))?;
        Some((at, second.end, column))
    });
    let Some((at, noun, column)) = found else {
        return tokens;
    };
    let mut asked = tokens[..at].to_vec();
    asked.extend(written(
        &["difference", "between", "highest", "and", "lowest"],
        &tokens[at],
    ));
    asked.extend(written(
        &words::identifier_words(&schema.column(column).name),
        &tokens[at],
    ));
    asked.push(said("of", &tokens[at]));
    asked.extend_from_slice(&tokens[noun..]);
    asked
}

fn after_article(tokens: &[Token], at: usize) -> usize {
    at + usize::from(word(tokens, at) == "the")
}

/// A superlative, and where its words end.
struct Superlative {
    adjective: usize,
    end: usize,
}

fn superlative(tokens: &[Token], at: usize) -> Option<Superlative> {
    [2, 1].into_iter().find_map(|used| {
        let said: Vec<&str> = tokens
            .get(at..at + used)?
            .iter()
            .map(|token| token.word.as_str())
            .collect();
        let (adjective, degree) = lexicon().adjective_form(&said.join(" "))?;
        (degree == Degree::Superlative).then_some(Superlative {
            adjective,
            end: at + used,
        })
    })
}

/// The column of a table that an adjective compares.
fn column_of(table: usize, adjective: usize, schema: &Schema, model: &SemanticModel) -> Option<ColumnRef> {
    let adjective = lexicon().adjective(adjective);
    let attributes = adjective.rising.iter().chain(&adjective.falling);
    attributes.into_iter().find_map(|wanted| {
        let mut columns = schema.columns().map(|(at, _)| at).filter(|at| at.table == table);
        columns.find(|at| {
            model.field(*at).role.is_measure() && has_word(&schema.column(*at).name, &[wanted.as_str()])
        })
    })
}

/// `the second highest salary` as the salary of whoever has that one.
fn in_place(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let place = matches!(tokens[at].kind, TokenKind::Ordinal(_))
            || matches!(word(&tokens, at), "second" | "third");
        let size = matches!(
            word(&tokens, at + 1),
            "highest" | "lowest" | "largest" | "biggest" | "smallest"
        );
        let noun = tokens.get(at + 2).filter(|_| place && size)?;
        Some((at, measured(noun, &tokens, schema, model)?))
    });
    let Some((at, column)) = found else { return tokens };
    let begins = |at: usize| {
        matches!(
            word(&tokens, at),
            "what" | "is" | "'s" | "the" | "show" | "me" | "find" | "give" | "which"
        )
    };
    let of_table = word(&tokens, at + 3) == "of"
        && (at + 4..tokens.len().min(at + 6)).any(|noun| called(schema, &tokens[noun]) == Some(column.table));
    let end = if of_table { tokens.len() } else { at + 3 };
    let alone = end >= tokens.len() || matches!(word(&tokens, end), "?" | "." | "in" | "for");
    if !(0..at).all(begins) || !alone {
        return tokens;
    }
    let name = written(&words::identifier_words(&schema.column(column).name), &tokens[at]);
    let mut asked = name.clone();
    asked.extend(written(&["of", "the"], &tokens[at]));
    asked.extend(name_of(schema, column.table, &tokens[at]));
    asked.extend(written(&["with", "the"], &tokens[at]));
    asked.extend_from_slice(&tokens[at..at + 2]);
    asked.extend(name);
    if of_table {
        asked.extend(
            tokens[at + 4..]
                .iter()
                .skip_while(|token| called(schema, token).is_none())
                .skip(1)
                .cloned(),
        );
    } else {
        asked.extend_from_slice(&tokens[end..]);
    }
    asked
}
