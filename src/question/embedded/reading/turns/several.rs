//! Several figures of the same groups: orders, revenue and average order value by month; how often each; how many, and what
//! share that is.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called,
    counts::number_and_amount,
};
use crate::question::{schema::Schema, semantic::SemanticModel};

/// Words at most of what a figure is told for.
const OWNER: usize = 3;

fn is_figure(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "average"
            | "avg"
            | "mean"
            | "median"
            | "total"
            | "sum"
            | "revenue"
            | "turnover"
            | "rate"
            | "share"
            | "percentage"
            | "number"
            | "count"
            | "income"
            | "profit"
            | "margin"
            | "spend"
            | "minimum"
            | "maximum"
    )
}

fn parts_list(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Mark(',')) || token.word == "and"
}

/// `for each store: orders, revenue and average order value`, `stores: number of orders and revenue` with the groups behind
/// the figures.
pub(super) fn figures_first(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let colon = tokens.iter().position(|token| token.kind == TokenKind::Mark(':'));
    let Some(colon) = colon.filter(|&colon| colon > 0 && colon + 1 < tokens.len()) else {
        return tokens;
    };
    let led = match (word(&tokens, 0), word(&tokens, 1)) {
        ("for" | "per", "each" | "every") => 2,
        ("per" | "by", _) => 1,
        // `occupancy per pier: percentage of berths with a contract`: what the figure is called says no more.
        _ if is_label(&tokens[..colon]) => {
            let by = tokens[..colon]
                .iter()
                .position(|token| matches!(token.word.as_str(), "per" | "by"));
            match by {
                Some(by) => by + 1,
                None => return tokens[colon + 1..].to_vec(),
            }
        }
        _ => 0,
    };
    let owner = &tokens[led..colon];
    let plain = |token: &Token| matches!(token.kind, TokenKind::Word(None));
    let figures = &tokens[colon + 1..];
    let groups = |token: &Token| matches!(token.word.as_str(), "by" | "per" | "each" | "for");
    let named = owner.last().is_some_and(|last| called(schema, last).is_some());
    let all_figures = || {
        figures
            .split(parts_list)
            .all(|part| part.iter().any(is_figure) || part.is_empty())
    };
    let told = figures.iter().any(is_figure) && (led > 0 || named && owner.len() == 1 && all_figures());
    if !told
        || owner.is_empty()
        || owner.len() > OWNER
        || !owner.iter().all(plain)
        || figures.iter().any(groups)
    {
        return tokens;
    }
    let mut asked: Vec<Token> = figures.to_vec();
    // Before the period that stands apart.
    let comma = asked
        .iter()
        .rposition(|token| token.kind == TokenKind::Mark(','))
        .filter(|&comma| asked.get(comma + 1).is_some_and(super::tells_when));
    let end = comma.or_else(|| asked.iter().rposition(plain_end).map(|at| at + 1));
    let end = end.unwrap_or(asked.len());
    let mut group = vec![said("per", &tokens[0])];
    group.extend_from_slice(owner);
    asked.splice(end..end, group);
    asked
}

/// True for words that are what a figure is called: its definition follows.
fn is_label(tokens: &[Token]) -> bool {
    let name = tokens
        .iter()
        .take_while(|token| !matches!(token.word.as_str(), "per" | "by"));
    let named: Vec<&str> = name.map(|token| token.word.as_str()).collect();
    let figure = |word: &&str| {
        matches!(
            *word,
            "rate"
                | "occupancy"
                | "utilisation"
                | "utilization"
                | "behaviour"
                | "behavior"
                | "quota"
                | "ratio"
                | "performance"
                | "punctuality"
                | "workload"
                | "churn"
                | "conversion"
                | "retention"
                | "productivity"
        )
    };
    named.len() <= OWNER && named.last().is_some_and(figure)
}

/// True for what is no mark at the end.
fn plain_end(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Mark('.' | '?' | '!'))
}

/// `number and value of cancelled orders` as their number and what they come to.
pub(super) fn number_and_value(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let both = matches!(word(&tokens, at), "number" | "count" | "no")
            && word(&tokens, at + 1) == "and"
            && matches!(word(&tokens, at + 2), "value" | "worth" | "sum" | "volume")
            && word(&tokens, at + 3) == "of";
        let rows = |at: usize| tokens.get(at).and_then(|token| called(schema, token));
        let table = (at + 4..at + 7).find_map(rows).filter(|_| both)?;
        Some((at, number_and_amount(table, &tokens[at], schema, model)?))
    });
    if let Some((at, asked)) = found {
        tokens.splice(at..at + 4, asked);
    }
    tokens
}

/// `cancelled orders by month and what share of all orders that is` as these and as a share of all orders.
pub(super) fn and_what_share(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_share = |word: &str| matches!(word, "share" | "percentage" | "percent" | "proportion");
    let found = (3..tokens.len()).find_map(|at| {
        if !is_share(word(&tokens, at)) || word(&tokens, at + 1) != "of" {
            return None;
        }
        let asks = usize::from(matches!(word(&tokens, at - 1), "what" | "which" | "the"));
        let joint = at.checked_sub(asks + 1)?;
        if !matches!(word(&tokens, joint), "and" | ",") {
            return None;
        }
        let whole = at + 2 + usize::from(word(&tokens, at + 2) == "the");
        if !matches!(word(&tokens, whole), "all" | "total") {
            return None;
        }
        let that = (whole + 1..tokens.len().min(whole + 5)).find(|&at| {
            matches!(
                word(&tokens, at),
                "that" | "this" | "they" | "is" | "are" | "?" | ""
            )
        });
        let end = that.unwrap_or(tokens.len().min(whole + 3));
        let rest = &tokens[end..];
        let over = rest.len() <= 4
            && rest.iter().all(|token| {
                matches!(
                    token.word.as_str(),
                    "that" | "this" | "they" | "is" | "are" | "it" | "make" | "up" | "?" | "was" | "were"
                )
            });
        over.then_some((joint, at, end))
    });
    let Some((joint, at, end)) = found else {
        return tokens;
    };
    tokens.truncate(end);
    let percent = matches!(word(&tokens, at), "percentage" | "percent");
    let share = written(
        &["as", "a", if percent { "percentage" } else { "share" }],
        &tokens[at],
    );
    let mut asked = tokens[..joint].to_vec();
    asked.push(said("and", &tokens[joint]));
    asked.extend(share);
    asked.extend_from_slice(&tokens[at + 1..]);
    asked
}

/// `tags and how often they are used`, `reasons for absence and how often` as how many there are of each.
pub(super) fn how_often_each(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        word(&tokens, at) == "how"
            && word(&tokens, at + 1) == "often"
            && matches!(word(&tokens, at - 1), "and" | "," | "with")
            && tokens[at + 2..].len() <= 4
            && tokens[at + 2..].iter().all(|token| {
                matches!(
                    token.word.as_str(),
                    "each"
                        | "they"
                        | "it"
                        | "is"
                        | "are"
                        | "was"
                        | "were"
                        | "used"
                        | "occurs"
                        | "occur"
                        | "comes"
                        | "come"
                        | "up"
                        | "happens"
                        | "happen"
                        | "happened"
                        | "given"
                        | "appears"
                        | "appear"
                        | "one"
                        | "?"
                )
            })
    });
    let Some(and) = found.map(|at| at - 1) else {
        return tokens;
    };
    let mut end = and;
    while end > 0 && matches!(tokens[end - 1].kind, TokenKind::Mark(_)) {
        end -= 1;
    }
    let leads = |word: &str| {
        matches!(
            word,
            "show" | "list" | "give" | "me" | "us" | "the" | "our" | "all" | "please" | "which" | "what"
        )
    };
    let start = tokens[..end]
        .iter()
        .position(|token| !leads(&token.word))
        .unwrap_or(end);
    let kinds = &tokens[start..end];
    let counted = |rows: Vec<Token>, by: &[Token]| {
        let mut asked = written(&["number", "of"], &tokens[and]);
        asked.extend(rows);
        asked.push(said("by", &tokens[and]));
        asked.extend_from_slice(by);
        asked
    };
    if let [kind, joint, rows @ ..] = kinds
        && matches!(joint.word.as_str(), "for" | "of")
        && let [rows] = rows
        && called(schema, rows).is_some()
    {
        return counted(vec![rows.clone()], std::slice::from_ref(kind));
    }
    tokens
}

/// `share of each method in the amount of payments` as each method's share of it.
pub(super) fn share_of_each(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let share = matches!(
            word(&tokens, at),
            "share" | "percentage" | "proportion" | "contribution"
        );
        let each =
            share && word(&tokens, at + 1) == "of" && matches!(word(&tokens, at + 2), "each" | "every");
        let joint = (at + 4..tokens.len().min(at + 7))
            .find(|&joint| matches!(word(&tokens, joint), "in" | "of" | "to"))?;
        let whole = joint
            + 1
            + usize::from(matches!(word(&tokens, joint + 1), "the" | "our" | "all"))
            + usize::from(word(&tokens, joint + 2) == "total");
        (each && whole < tokens.len() && !super::tells_when(&tokens[whole])).then_some((at, joint, whole))
    });
    let Some((at, joint, whole)) = found else {
        return tokens;
    };
    let mut asked = tokens[..at].to_vec();
    asked.extend_from_slice(&tokens[at + 2..joint]);
    asked.push(Token {
        kind: TokenKind::Possessive,
        ..said("'s", &tokens[joint])
    });
    asked.push(tokens[at].clone());
    asked.extend(written(&["of"], &tokens[joint]));
    asked.extend_from_slice(&tokens[whole..]);
    tokens.clear();
    asked
}
